//! Keys and the commands they stand for: read from the one table, changed by the configuration.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::commands::{self, Command, Place};

/// Left to terminals, multiplexers and flow control; no command may have them.
pub const LEFT_ALONE: [&str; 4] = ["ctrl-a", "ctrl-b", "ctrl-q", "ctrl-s"];

/// Names of keys that are no single character.
const NAMES: [(&str, &str, KeyCode); 18] = [
    ("enter", "Enter", KeyCode::Enter),
    ("esc", "Esc", KeyCode::Esc),
    ("tab", "Tab", KeyCode::Tab),
    ("backtab", "Shift-Tab", KeyCode::BackTab),
    ("space", "Space", KeyCode::Char(' ')),
    ("backspace", "Backspace", KeyCode::Backspace),
    ("del", "Del", KeyCode::Delete),
    ("up", "↑", KeyCode::Up),
    ("down", "↓", KeyCode::Down),
    ("left", "←", KeyCode::Left),
    ("right", "→", KeyCode::Right),
    ("pgup", "PgUp", KeyCode::PageUp),
    ("pgdn", "PgDn", KeyCode::PageDown),
    ("home", "Home", KeyCode::Home),
    ("end", "End", KeyCode::End),
    ("ins", "Ins", KeyCode::Insert),
    ("f1", "F1", KeyCode::F(1)),
    ("f2", "F2", KeyCode::F(2)),
];

/// One key with its modifiers. Shift is part of a character, not beside it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Key {
    code: KeyCode,
    mods: KeyModifiers,
}

impl From<KeyEvent> for Key {
    fn from(event: KeyEvent) -> Self {
        let mut mods = event.modifiers & (KeyModifiers::CONTROL | KeyModifiers::ALT);
        let mut code = event.code;
        if let KeyCode::Char(c) = code {
            if mods.contains(KeyModifiers::CONTROL) {
                code = KeyCode::Char(c.to_ascii_lowercase());
            }
        } else if code != KeyCode::BackTab {
            mods |= event.modifiers & KeyModifiers::SHIFT;
        }
        Self { code, mods }
    }
}

impl Key {
    /// Reads `ctrl-p`, `alt-enter`, `J`, `?`, `f1`. None for a name that is no key.
    pub fn parse(name: &str) -> Option<Self> {
        let (mut mods, mut rest) = (KeyModifiers::NONE, name.trim());
        loop {
            let (m, tail) = match rest.split_once('-') {
                Some(("ctrl", tail)) if !tail.is_empty() => (KeyModifiers::CONTROL, tail),
                Some(("alt", tail)) if !tail.is_empty() => (KeyModifiers::ALT, tail),
                Some(("shift", tail)) if !tail.is_empty() => (KeyModifiers::SHIFT, tail),
                _ => break,
            };
            mods |= m;
            rest = tail;
        }
        let code = named(rest)?;
        Some(KeyEvent::new(code, mods).into())
    }

    /// How it is written for people: `Ctrl-P`, `↑`, `J`.
    pub fn shown(self) -> String {
        let mut out = String::new();
        for (flag, name) in [
            (KeyModifiers::CONTROL, "Ctrl-"),
            (KeyModifiers::ALT, "Alt-"),
            (KeyModifiers::SHIFT, "Shift-"),
        ] {
            if self.mods.contains(flag) {
                out.push_str(name);
            }
        }
        match (NAMES.iter().find(|n| n.2 == self.code), self.code) {
            (Some(name), _) => out.push_str(name.1),
            (None, KeyCode::Char(c)) if !self.mods.is_empty() => out.extend(c.to_uppercase()),
            (None, KeyCode::Char(c)) => out.push(c),
            (None, KeyCode::F(n)) => out = format!("{out}F{n}"),
            (None, _) => out.push('?'),
        }
        out
    }

    /// Whether most terminals send it as another: Enter, Tab and Backspace are one byte each, Shift or not.
    fn is_exact(self) -> bool {
        let one_byte = matches!(
            self.code,
            KeyCode::Enter | KeyCode::Backspace | KeyCode::Esc
        );
        let held = self.mods & (KeyModifiers::SHIFT | KeyModifiers::CONTROL);
        one_byte && !held.is_empty()
    }

    /// The digit it is, without its modifiers.
    pub fn digit(self) -> Option<usize> {
        match self.code {
            KeyCode::Char(c) => c.to_digit(10).map(|d| d as usize),
            _ => None,
        }
    }
}

fn named(name: &str) -> Option<KeyCode> {
    if let Some(found) = NAMES.iter().find(|n| n.0 == name) {
        return Some(found.2);
    }
    if let Some(n) = name.strip_prefix('f').and_then(|n| n.parse().ok()) {
        return (1..=12).contains(&n).then_some(KeyCode::F(n));
    }
    let mut chars = name.chars();
    match (chars.next(), chars.next()) {
        (Some(c), None) if !c.is_control() => Some(KeyCode::Char(c)),
        _ => None,
    }
}

/// One key in one place.
#[derive(Clone, Copy, Debug)]
struct Bound {
    place: Place,
    key: Key,
    command: &'static Command,
}

/// Which key stands for which command, where.
#[derive(Clone, Debug)]
pub struct Keymap {
    bound: Vec<Bound>,
    /// Whether the terminal tells keys apart that others cannot; only then such keys are shown.
    pub exact: bool,
}

impl Keymap {
    /// The command of a key: the place's own before those of wider places.
    pub fn find(&self, place: Place, key: Key) -> Option<&'static Command> {
        place.within().iter().find_map(|&at| {
            self.bound
                .iter()
                .find(|b| b.place == at && b.key == key)
                .map(|b| b.command)
        })
    }

    /// The key to show for a command in a place: one that works there, the first in the table.
    pub fn key_in(&self, command: &Command, place: Place) -> Option<Key> {
        place.within().iter().find_map(|&at| {
            self.bound
                .iter()
                .find(|b| b.place == at && b.command.name == command.name && self.works(b.key))
                .map(|b| b.key)
        })
    }

    /// Every key of a command in one place, as people read them.
    pub fn keys_at(&self, command: &Command, place: Place) -> Vec<String> {
        self.bound
            .iter()
            .filter(|b| b.place == place && b.command.name == command.name)
            .filter(|b| self.works(b.key))
            .map(|b| b.key.shown())
            .collect()
    }

    /// The places in which a command has a key, in the order of the table.
    pub fn places(&self, command: &Command) -> Vec<Place> {
        let mut out = Vec::new();
        for b in self.bound.iter().filter(|b| b.command.name == command.name) {
            if !out.contains(&b.place) {
                out.push(b.place);
            }
        }
        out
    }

    /// Whether a key can be told from others in this terminal.
    fn works(&self, key: Key) -> bool {
        self.exact || !key.is_exact()
    }

    fn add(&mut self, place: Place, key: Key, command: &'static Command) -> Option<String> {
        let taken = self
            .bound
            .iter()
            .find(|b| b.key == key && b.place == place && b.command.name != command.name);
        if let Some(other) = taken {
            return Some(format!(
                "keys: {} is both {} and {}; the first keeps it.",
                key.shown(),
                other.command.name,
                command.name
            ));
        }
        self.bound.push(Bound {
            place,
            key,
            command,
        });
        None
    }
}

impl Default for Keymap {
    fn default() -> Self {
        build(&[]).0
    }
}

/// A command's name and the keys that take the place of its own.
pub type Change = (String, Vec<String>);

/// The changes that make Enter a new line and Alt-Enter send.
pub fn enter_is_line() -> [Change; 2] {
    let change = |name: &str, keys: &[&str]| {
        let keys = keys.iter().map(|k| (*k).to_owned()).collect();
        (name.to_owned(), keys)
    };
    [
        change("composer.send", &["alt-enter", "ctrl-j"]),
        change("composer.line", &["enter", "shift-enter"]),
    ]
}

/// The keymap of the table with the writer's changes, and one line for each that could not be made.
/// Of two changes of one command the later counts.
pub fn build(changes: &[Change]) -> (Keymap, Vec<String>) {
    let mut map = Keymap {
        bound: Vec::new(),
        exact: false,
    };
    let strange = |c: &&Change| commands::named(&c.0).is_none();
    let mut problems: Vec<String> = changes
        .iter()
        .filter(strange)
        .map(|c| unknown(&c.0))
        .collect();
    // The writer's own keys first: a default that collides gives way.
    for command in commands::all() {
        if let Some(keys) = changed(changes, command) {
            problems.extend(bind(&mut map, command, keys));
        }
    }
    let chosen = map.bound.clone();
    for command in commands::all() {
        if changed(changes, command).is_none() {
            problems.extend(bind_own(&mut map, command, &chosen));
        }
    }
    (map, problems)
}

fn changed<'a>(changes: &'a [Change], command: &Command) -> Option<&'a [String]> {
    let found = changes.iter().rev().find(|c| c.0 == command.name);
    found.map(|c| c.1.as_slice())
}

/// Binds a command to the writer's keys, in every place where it has one.
fn bind(map: &mut Keymap, command: &'static Command, keys: &[String]) -> Vec<String> {
    let mut places: Vec<Place> = Vec::new();
    for (place, _) in command.keys {
        if !places.contains(place) {
            places.push(*place);
        }
    }
    if places.is_empty() {
        places.push(Place::Anywhere);
    }
    let mut problems = Vec::new();
    for name in keys.iter().flat_map(|k| k.split_whitespace()) {
        match wanted(name, command) {
            Err(problem) => problems.push(problem),
            Ok(key) => problems.extend(places.iter().filter_map(|&p| map.add(p, key, command))),
        }
    }
    problems
}

/// Binds a command to its own keys, as far as the writer has not given them to another.
fn bind_own(map: &mut Keymap, command: &'static Command, chosen: &[Bound]) -> Vec<String> {
    let mut problems = Vec::new();
    for &(place, name) in command.keys {
        let Some(key) = Key::parse(name) else {
            continue;
        };
        match chosen.iter().find(|b| b.place == place && b.key == key) {
            None => problems.extend(map.add(place, key, command)),
            Some(by) => problems.push(format!(
                "keys: {} is now {}; {} lost it.",
                key.shown(),
                by.command.name,
                command.name
            )),
        }
    }
    problems
}

fn wanted(name: &str, command: &Command) -> Result<Key, String> {
    let key = Key::parse(name)
        .ok_or_else(|| format!("keys.\"{}\": {name:?} is no key.", command.name))?;
    if left_alone(key) {
        return Err(format!(
            "keys.\"{}\": {} is left to the terminal.",
            command.name,
            key.shown()
        ));
    }
    Ok(key)
}

/// Whether a key is one that this program never takes.
pub fn left_alone(key: Key) -> bool {
    LEFT_ALONE.iter().any(|n| Key::parse(n) == Some(key))
}

fn unknown(name: &str) -> String {
    let close = |c: &&Command| {
        let (a, b) = (c.name, name);
        a.contains(b) || b.contains(a) || a.split('.').next_back() == b.split('.').next_back()
    };
    match commands::all().find(close) {
        Some(c) => format!("keys: no command {name:?}; did you mean {:?}?", c.name),
        None => format!("keys: no command {name:?}; `fascicle keys` lists them."),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    fn changes(rows: &[(&str, &str)]) -> Vec<Change> {
        rows.iter()
            .map(|(a, b)| ((*a).to_owned(), vec![(*b).to_owned()]))
            .collect()
    }

    #[test]
    fn a_key_reads_as_it_is_written() {
        for (name, shown) in [
            ("ctrl-p", "Ctrl-P"),
            ("alt-enter", "Alt-Enter"),
            ("J", "J"),
            ("?", "?"),
            ("alt-1", "Alt-1"),
            ("ctrl-pgup", "Ctrl-PgUp"),
            ("f12", "F12"),
            ("-", "-"),
            ("ctrl--", "Ctrl--"),
        ] {
            assert_eq!(Key::parse(name).unwrap().shown(), shown);
        }
        for bad in ["", "ctrl-", "f13", "hello", "ctrl"] {
            assert_eq!(Key::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn shift_is_part_of_a_letter() {
        let event = KeyEvent::new(KeyCode::Char('J'), KeyModifiers::SHIFT);
        assert_eq!(Key::from(event), Key::parse("J").unwrap());
    }

    #[test]
    fn no_key_of_the_table_means_two_things_in_one_place() {
        let (_, problems) = build(&[]);
        assert_eq!(problems, Vec::<String>::new());
        for command in commands::all() {
            for (_, name) in command.keys {
                let key = Key::parse(name).unwrap_or_else(|| panic!("{name} is no key"));
                assert!(!left_alone(key), "{} has {name}", command.name);
            }
        }
    }

    #[test]
    fn a_changed_key_replaces_the_old_one() {
        let (map, problems) = build(&changes(&[("palette.open", "f2")]));
        assert_eq!(problems, Vec::<String>::new());
        let at = |name: &str| {
            map.find(Place::List, Key::parse(name).unwrap())
                .map(|c| c.name)
        };
        assert_eq!(at("f2"), Some("palette.open"));
        assert_eq!(at("ctrl-p"), None);
    }

    #[test]
    fn enter_can_be_a_new_line() {
        let (map, problems) = build(&enter_is_line());
        assert_eq!(problems, Vec::<String>::new());
        let at = |name: &str| {
            map.find(Place::Composer, Key::parse(name).unwrap())
                .map(|c| c.name)
        };
        assert_eq!(at("enter"), Some("composer.line"));
        assert_eq!(at("alt-enter"), Some("composer.send"));
    }

    #[test]
    fn what_cannot_be_bound_is_said() {
        let (_, problems) = build(&changes(&[
            ("palette.open", "ctrl-s"),
            ("session.nwe", "f2"),
            ("session.new", "hello"),
            ("session.rename", "x"),
        ]));
        assert_eq!(problems.len(), 4, "{problems:?}");
        assert!(
            problems.iter().any(|p| p.contains("lost it")),
            "{problems:?}"
        );
    }
}
