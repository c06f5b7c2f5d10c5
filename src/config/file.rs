//! One file of settings, checked against the table of settings, each value with its line.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::nearest::nearest;
use super::problem::Problem;
use super::setting::{AGENT, Setting, TOP, Takes, WINDOW};

/// A checked value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// A text or a word.
    Text(String),
    /// A whole number.
    Whole(i64),
    /// Yes or no.
    Flag(bool),
    /// A list of texts.
    Texts(Vec<String>),
}

/// A value and the byte of the file where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The value.
    pub value: Value,
    /// Where.
    pub byte: usize,
}

/// The settings of one table, by name.
pub type Table = BTreeMap<String, Entry>;

/// The text of a setting, where the table has it.
pub(super) fn text(table: &Table, name: &str) -> Option<String> {
    match &table.get(name)?.value {
        Value::Text(s) => Some(s.clone()),
        _ => None,
    }
}

/// Its yes or no.
pub(super) fn flag(table: &Table, name: &str) -> Option<bool> {
    match &table.get(name)?.value {
        Value::Flag(b) => Some(*b),
        _ => None,
    }
}

/// Its list; empty where the table has none.
pub(super) fn texts(table: &Table, name: &str) -> Vec<String> {
    match table.get(name).map(|e| &e.value) {
        Some(Value::Texts(list)) => list.clone(),
        _ => Vec::new(),
    }
}

/// One file of settings.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct File {
    /// Where it lies.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
    /// Outside any table.
    pub top: Table,
    /// `[window]`.
    pub window: Table,
    /// `[agents.NAME]`, each with the byte where it begins.
    pub agents: BTreeMap<String, (usize, Table)>,
    /// `[keys]`.
    pub keys: Table,
    /// What is wrong in `[window]`: how the window looks and behaves is no reason not to open it.
    pub slips: Vec<Problem>,
}

/// Takes a file's text apart. What is right is in the file even where other things are wrong.
pub fn parse(path: &Path, text: &str) -> (File, Vec<Problem>) {
    let mut file = File {
        path: path.to_owned(),
        text: text.to_owned(),
        ..File::default()
    };
    let mut walk = Walk::new(path, text);
    let root = match DeTable::parse(text) {
        Ok(root) => root.into_inner(),
        Err(e) => return (file, vec![Problem::syntax(path, text, &e)]),
    };
    for (name, value) in &root {
        let (byte, name) = (name.span().start, name.get_ref().as_ref());
        match (name, value.get_ref()) {
            ("window", DeValue::Table(t)) => {
                let before = walk.problems.len();
                file.window = walk.table(t, WINDOW, "[window]");
                file.slips = walk.problems.split_off(before);
            }
            ("keys", DeValue::Table(t)) => file.keys = walk.keys(t),
            ("agents", DeValue::Table(t)) => file.agents = walk.agents(t),
            ("window" | "keys" | "agents", _) => {
                walk.wrong(byte, format!("{name} is a table: write [{name}]."));
            }
            _ => {
                let tables = ["window", "keys", "agents"];
                if let Some(entry) = walk.entry(name, byte, value, TOP, "a configuration", &tables)
                {
                    file.top.insert(name.to_owned(), entry);
                }
            }
        }
    }
    (file, walk.problems)
}

/// A walk over parsed TOML that gathers what is wrong.
#[derive(Debug)]
pub(super) struct Walk<'a> {
    path: &'a Path,
    text: &'a str,
    /// What was wrong so far.
    pub(super) problems: Vec<Problem>,
}

type Parsed<'a> = Spanned<DeValue<'a>>;

impl<'a> Walk<'a> {
    /// A walk over one file's text.
    pub(super) fn new(path: &'a Path, text: &'a str) -> Self {
        Self {
            path,
            text,
            problems: Vec::new(),
        }
    }

    /// Notes a mistake.
    pub(super) fn wrong(&mut self, byte: usize, what: String) {
        self.problems
            .push(Problem::at(self.path, self.text, byte, what));
    }

    /// Checks one table against its settings.
    pub(super) fn table(&mut self, table: &DeTable<'_>, known: &[Setting], place: &str) -> Table {
        self.table_beside(table, known, place, &[])
    }

    /// The same for one that holds tables `beside` the settings, which are checked elsewhere.
    pub(super) fn table_beside(
        &mut self,
        table: &DeTable<'_>,
        known: &[Setting],
        place: &str,
        beside: &[&'static str],
    ) -> Table {
        let mut out = Table::new();
        for (name, value) in table {
            let (byte, name) = (name.span().start, name.get_ref().as_ref());
            if beside.contains(&name) {
                continue;
            }
            if let Some(entry) = self.entry(name, byte, value, known, place, beside) {
                out.insert(name.to_owned(), entry);
            }
        }
        out
    }

    fn agents(&mut self, table: &DeTable<'_>) -> BTreeMap<String, (usize, Table)> {
        let mut out = BTreeMap::new();
        for (name, value) in table {
            let (byte, name) = (name.span().start, name.get_ref().as_ref());
            match value.get_ref() {
                DeValue::Table(t) => {
                    let place = format!("[agents.{name}]");
                    out.insert(name.to_owned(), (byte, self.table(t, AGENT, &place)));
                }
                _ => self.wrong(byte, format!("An agent is a table: write [agents.{name}].")),
            }
        }
        out
    }

    /// Names of commands are the window's to check; here only that each takes keys.
    fn keys(&mut self, table: &DeTable<'_>) -> Table {
        let mut out = Table::new();
        self.flatten("", table, &mut out);
        out
    }

    /// `composer.send = "enter"` without quotes is a table in a table; a command's name has the dot in it.
    fn flatten(&mut self, before: &str, table: &DeTable<'_>, out: &mut Table) {
        for (name, value) in table {
            let byte = name.span().start;
            let name = format!("{before}{}", name.get_ref());
            if let DeValue::Table(inner) = value.get_ref() {
                self.flatten(&format!("{name}."), inner, out);
                continue;
            }
            let one = typed(Takes::Text, value.get_ref()).map(|v| match v {
                Value::Text(key) => Value::Texts(vec![key]),
                other => other,
            });
            match one.or_else(|| typed(Takes::Texts, value.get_ref())) {
                Some(value) => {
                    out.insert(name, Entry { value, byte });
                }
                None => self.wrong(
                    byte,
                    format!("{name} takes a key or a list of keys, as text."),
                ),
            }
        }
    }

    fn entry(
        &mut self,
        name: &str,
        byte: usize,
        value: &Parsed<'_>,
        known: &[Setting],
        place: &str,
        also: &[&'static str],
    ) -> Option<Entry> {
        let Some(setting) = known.iter().find(|s| s.name == name) else {
            let names = known.iter().map(|s| s.name).chain(also.iter().copied());
            self.wrong(byte, unknown("setting", name, place, names));
            return None;
        };
        let typed = typed(setting.takes, value.get_ref());
        if typed.is_none() {
            self.wrong(byte, format!("{name} takes {}.", wanted(setting.takes)));
        }
        typed.map(|value| Entry { value, byte })
    }
}

/// Says that nothing of a kind, a setting or a role, has this name in a place, with the nearest one or all of them.
pub(super) fn unknown(
    kind: &str,
    name: &str,
    place: &str,
    names: impl Iterator<Item = &'static str> + Clone,
) -> String {
    if let Some(near) = nearest(name, names.clone()) {
        return format!("There is no {kind} {name:?} in {place}. Did you mean {near:?}?");
    }
    let all: Vec<&str> = names.collect();
    let all = all.join(", ");
    format!("There is no {kind} {name:?} in {place}. There are: {all}.")
}

fn typed(takes: Takes, value: &DeValue<'_>) -> Option<Value> {
    match takes {
        Takes::Text => value
            .as_str()
            .filter(|s| !s.is_empty())
            .map(|s| Value::Text(s.to_owned())),
        Takes::Word(words) => value
            .as_str()
            .filter(|s| words.contains(s))
            .map(|s| Value::Text(s.to_owned())),
        Takes::Whole(from, to) => {
            let whole = value.as_integer()?;
            i64::from_str_radix(whole.as_str(), whole.radix())
                .ok()
                .filter(|n| (from..=to).contains(n))
                .map(Value::Whole)
        }
        Takes::Flag => value.as_bool().map(Value::Flag),
        Takes::Texts => value
            .as_array()?
            .iter()
            .map(|v| v.get_ref().as_str().map(str::to_owned))
            .collect::<Option<Vec<_>>>()
            .map(Value::Texts),
    }
}

/// What a setting takes, in words.
pub fn wanted(takes: Takes) -> String {
    match takes {
        Takes::Text => "a text".to_owned(),
        Takes::Word(words) => {
            let words: Vec<String> = words.iter().map(|w| format!("{w:?}")).collect();
            words.join(" or ")
        }
        Takes::Whole(from, to) => format!("a whole number from {from} to {to}"),
        Takes::Flag => "true or false".to_owned(),
        Takes::Texts => "a list of texts".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    fn wrong(text: &str) -> Vec<String> {
        let (file, problems) = parse(Path::new("c.toml"), text);
        problems
            .iter()
            .chain(&file.slips)
            .map(Problem::to_string)
            .collect()
    }

    #[test]
    fn each_mistake_is_named_with_its_line_and_what_would_be_right() {
        for (text, said) in [
            (
                "\nturn_at_once = 3",
                "c.toml:2: There is no setting \"turn_at_once\" in a configuration. Did you mean \"turns_at_once\"?",
            ),
            (
                "turns_at_once = 0",
                "c.toml:1: turns_at_once takes a whole number from 1 to 64.",
            ),
            (
                "turns_at_once = \"six\"",
                "c.toml:1: turns_at_once takes a whole number from 1 to 64.",
            ),
            (
                "[agents.a]\n\nkind = \"gpt\"",
                "c.toml:3: kind takes \"claude\" or \"openai\" or \"editor\" or \"scripted\".",
            ),
            (
                "[agents.a]\nmodle = \"x\"",
                "c.toml:2: There is no setting \"modle\" in [agents.a]. Did you mean \"model\"?",
            ),
            (
                "[window]\nsmooth = 1",
                "c.toml:2: smooth takes true or false.",
            ),
            (
                "[windows]",
                "c.toml:1: There is no setting \"windows\" in a configuration. Did you mean \"window\"?",
            ),
            ("window = 3", "c.toml:1: window is a table: write [window]."),
            (
                "agents.a = 3",
                "c.toml:1: An agent is a table: write [agents.a].",
            ),
            (
                "[keys]\nx = 1",
                "c.toml:2: x takes a key or a list of keys, as text.",
            ),
            (
                "default_agent = \"\"",
                "c.toml:1: default_agent takes a text.",
            ),
        ] {
            assert_eq!(wrong(text), [said], "{text}");
        }
    }

    #[test]
    fn what_is_right_beside_a_mistake_is_kept() {
        let (file, problems) = parse(
            Path::new("c"),
            "turns_at_once = 2\nnonsense = 1\n[keys]\na.b = \"x\"\n\"c.d\" = [\"y\", \"z\"]",
        );
        assert_eq!(problems.len(), 1);
        assert_eq!(file.top["turns_at_once"].value, Value::Whole(2));
        assert_eq!(file.keys["a.b"].value, Value::Texts(vec!["x".into()]));
        assert_eq!(
            file.keys["c.d"].value,
            Value::Texts(vec!["y".into(), "z".into()])
        );
    }

    #[test]
    fn what_is_no_toml_is_one_problem_with_its_line() {
        let said = wrong("turns_at_once = 2\n[agents\n");
        assert_eq!(said.len(), 1);
        assert!(said[0].starts_with("c.toml:2: "), "{said:?}");
    }
}
