//! Keys and the commands they stand for: read from the one table, changed by the configuration.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::commands::{self, Command, Place};
use crate::config::{Rebound, nearest};

mod hidden;
mod typeable;

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

    /// Whether it is Tab, by itself.
    pub fn is_tab(self) -> bool {
        self.code == KeyCode::Tab && self.mods.is_empty()
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

    /// Whether a key, as people read it, is taken in a place.
    pub fn takes(&self, place: Place, shown: &str) -> bool {
        let mut here = self.bound.iter().filter(|b| b.place == place);
        here.any(|b| b.key.shown() == shown)
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

    fn add(&mut self, place: Place, key: Key, command: &'static Command) -> Result<(), Taken> {
        let taken = self
            .bound
            .iter()
            .find(|b| b.key == key && b.place == place && b.command.name != command.name);
        if let Some(by) = taken {
            return Err(Taken {
                place,
                key,
                by: by.command,
            });
        }
        self.bound.push(Bound {
            place,
            key,
            command,
        });
        Ok(())
    }
}

/// A key that is another command's.
struct Taken {
    place: Place,
    key: Key,
    by: &'static Command,
}

impl Default for Keymap {
    fn default() -> Self {
        build(&[]).0
    }
}

/// The changes that make Enter a new line and Alt-Enter send.
pub fn enter_is_line() -> [Rebound; 2] {
    let change = |command: &str, keys: &[&str]| Rebound {
        command: command.to_owned(),
        keys: keys.iter().map(|k| (*k).to_owned()).collect(),
        at: None,
    };
    [
        change("composer.send", &["alt-enter", "ctrl-j"]),
        change("composer.line", &["enter", "shift-enter"]),
    ]
}

/// The keymap of the table with the writer's changes, and one line for each that could not be made, with file and
/// line. Of two changes of one command the later counts.
pub fn build(changes: &[Rebound]) -> (Keymap, Vec<String>) {
    let mut map = Keymap {
        bound: Vec::new(),
        exact: false,
    };
    let strange = |c: &&Rebound| commands::named(&c.command).is_none();
    let strange = changes.iter().filter(strange);
    let mut problems: Vec<String> = strange.map(|c| c.wrong(&unknown(&c.command))).collect();
    // The writer's own keys first: a default that collides gives way.
    for command in commands::all() {
        if let Some(change) = changed(changes, command) {
            problems.extend(bind(&mut map, command, change, changes));
        }
    }
    let chosen = map.bound.clone();
    // One whose new keys are all wrong keeps its own.
    let stays = |command: &Command| {
        let change = changed(changes, command);
        change.is_none_or(|c| {
            !c.keys.is_empty() && !chosen.iter().any(|b| b.command.name == command.name)
        })
    };
    for command in commands::all() {
        if stays(command) {
            let lost = bind_own(&mut map, command, &chosen);
            let by = |taken: &Taken| changed(changes, taken.by);
            problems.extend(lost.into_iter().map(|taken| {
                let what = told(&taken, command);
                by(&taken).map_or_else(|| what.clone(), |change| change.wrong(&what))
            }));
        }
    }
    problems.extend(hidden::told(&map, changes));
    (map, problems)
}

fn told(taken: &Taken, lost: &Command) -> String {
    format!(
        "{} is now {}; {} has no key left in {}: give it another, or [] to leave it so.",
        taken.key.shown(),
        taken.by.name,
        lost.name,
        taken.place.name()
    )
}

fn changed<'a>(changes: &'a [Rebound], command: &Command) -> Option<&'a Rebound> {
    changes.iter().rev().find(|c| c.command == command.name)
}

/// The places in which a command has keys.
fn places_of(command: &Command) -> Vec<Place> {
    let mut places: Vec<Place> = Vec::new();
    for (place, _) in command.keys {
        if !places.contains(place) {
            places.push(*place);
        }
    }
    if places.is_empty() {
        places.push(Place::Anywhere);
    }
    places
}

/// Binds a command to the writer's keys, in every place where it has one.
fn bind(
    map: &mut Keymap,
    command: &'static Command,
    change: &Rebound,
    all: &[Rebound],
) -> Vec<String> {
    let places = places_of(command);
    let mut problems = Vec::new();
    for name in change.keys.iter().flat_map(|k| k.split_whitespace()) {
        let key = match typeable::read(name, &places) {
            Err(why) => {
                problems.push(change.wrong(&format!("{}: {why}", command.name)));
                continue;
            }
            Ok(key) => key,
        };
        let taken = places
            .iter()
            .filter_map(|&p| map.add(p, key, command).err());
        problems.extend(taken.take(1).map(|taken| {
            let first = changed(all, taken.by).and_then(|c| c.at.as_ref());
            let line = first.map_or_else(String::new, |at| format!(" (line {})", at.1));
            change.wrong(&format!(
                "{} is {}{line} already in {}; {} does not get it.",
                key.shown(),
                taken.by.name,
                taken.place.name(),
                command.name
            ))
        }));
    }
    problems
}

/// Binds a command to its own keys, as far as the writer has not given them to another; tells where it has none left.
fn bind_own(map: &mut Keymap, command: &'static Command, chosen: &[Bound]) -> Vec<Taken> {
    let mut lost: Vec<Taken> = Vec::new();
    for &(place, name) in command.keys {
        let Some(key) = Key::parse(name) else {
            continue;
        };
        match chosen.iter().find(|b| b.place == place && b.key == key) {
            None => lost.extend(map.add(place, key, command).err()),
            Some(by) => lost.push(Taken {
                place,
                key,
                by: by.command,
            }),
        }
    }
    let has = |place| !map.keys_at(command, place).is_empty();
    let mut told: Vec<Place> = Vec::new();
    lost.retain(|taken| {
        let new = !has(taken.place) && !told.contains(&taken.place);
        told.push(taken.place);
        new
    });
    lost
}

/// Whether a key is one that this program never takes.
pub fn left_alone(key: Key) -> bool {
    LEFT_ALONE.iter().any(|n| Key::parse(n) == Some(key))
}

fn unknown(name: &str) -> String {
    match nearest(name, commands::all().map(|c| c.name)) {
        Some(near) => format!("There is no command {name:?}. Did you mean {near:?}?"),
        None => format!("There is no command {name:?}; `fascicle keys` lists them."),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "test")]
    use super::*;

    fn changes(rows: &[(&str, &str)]) -> Vec<Rebound> {
        let change = |(line, (a, b)): (usize, &(&str, &str))| Rebound {
            command: (*a).to_owned(),
            keys: vec![(*b).to_owned()],
            at: Some(("c.toml".into(), line + 2)),
        };
        rows.iter().enumerate().map(change).collect()
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
        let (map, problems) = build(&changes(&[("palette.open", "f9")]));
        assert_eq!(problems, Vec::<String>::new());
        let at = |name: &str| {
            map.find(Place::List, Key::parse(name).unwrap())
                .map(|c| c.name)
        };
        assert_eq!(at("f9"), Some("palette.open"));
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

    fn said(rows: &[(&str, &str)]) -> Vec<String> {
        build(&changes(rows)).1
    }

    #[test]
    fn what_cannot_be_bound_is_said_with_its_line_and_the_rest_works() {
        let rows = [
            ("session.nwe", "f2"),
            ("palette.open", "ctrl-s"),
            ("session.new", "hello"),
            ("help.open", "f3"),
        ];
        let (map, problems) = build(&changes(&rows));
        assert_eq!(
            problems,
            [
                "c.toml:2: There is no command \"session.nwe\". Did you mean \"session.new\"?",
                "c.toml:4: session.new: \"hello\" is no key; write it like \"ctrl-p\", \"alt-enter\", \"f2\" or \"J\".",
                "c.toml:3: palette.open: Ctrl-S is left to your terminal.",
            ]
        );
        let at = |key: &str| {
            let found = map.find(Place::List, Key::parse(key).unwrap());
            found.map(|c| c.name)
        };
        assert_eq!(at("f3"), Some("help.open"));
        assert_eq!(at("n"), Some("session.new"), "it keeps its own key");
        assert_eq!(at("ctrl-p"), Some("palette.open"));
    }

    #[test]
    fn two_commands_on_one_key_in_one_place_are_a_conflict() {
        let got = said(&[("session.rename", "z"), ("session.tag", "z")]);
        assert_eq!(
            got,
            [
                "c.toml:3: z is session.rename (line 2) already in Sessions; session.tag does not get it."
            ]
        );
    }

    #[test]
    fn a_key_that_is_bound_in_a_wider_place_is_a_conflict() {
        // Of the writer's own command in a place with what is bound anywhere.
        let got = said(&[("session.rename", "ctrl-p")]);
        assert_eq!(
            got,
            [
                "c.toml:2: Ctrl-P is session.rename (Sessions) and palette.open (Anywhere): the nearer place has it, so palette.open does not get it there."
            ]
        );
        // And of what the writer binds anywhere with a place's own.
        let got = said(&[("palette.open", "ctrl-t")]);
        assert_eq!(got.len(), 1, "{got:?}");
        assert!(
            got[0].starts_with("c.toml:2: Ctrl-T is composer.send_to_variant (Composer, Draft) and palette.open (Anywhere)"),
            "{got:?}"
        );
        // What the table does by itself is meant, also when it is written down.
        assert_eq!(said(&[("palette.open", "ctrl-p")]), [] as [String; 0]);
    }

    #[test]
    fn a_command_that_loses_its_last_key_in_a_place_is_told_unless_that_is_meant() {
        let got = said(&[("session.rename", "t")]);
        assert_eq!(got.len(), 1, "{got:?}");
        assert!(
            got[0].starts_with("c.toml:2: t is now session.rename; session.tag has no key left"),
            "{got:?}"
        );
        let mut meant = changes(&[("session.rename", "t"), ("session.tag", "")]);
        meant[1].keys.clear();
        assert_eq!(build(&meant).1, [] as [String; 0]);
        // It has another key there.
        assert_eq!(said(&[("session.rename", "j")]), [] as [String; 0]);
    }
}
