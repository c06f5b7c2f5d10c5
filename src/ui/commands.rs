//! The one table of commands. Keys, help, palette, `docs/keys.md` and the names in the
//! configuration are read from it.

pub mod agents;
mod also;
pub mod brief;
pub mod compare;
pub mod composer;
pub mod draft;
pub mod drawer;
pub mod family;
pub mod fixed;
pub mod go;
pub mod host;
pub mod lists;
pub mod memory;
pub mod page;
pub mod question;
pub mod session;
pub mod turn;
pub mod versions;
pub mod window;

use super::app::App;
use super::input::Effect;
use super::keymap::Keymap;

pub(super) use also::also;

/// Where a key applies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// Everywhere.
    Anywhere,
    /// Everywhere but where text is written.
    Outside,
    /// Where text is written.
    Composer,
    /// The draft, being written.
    Draft,
    /// The line in which words of the draft are looked for.
    Find,
    /// The list of sessions.
    List,
    /// The drawer of collections.
    Drawer,
    /// The words of a session.
    Transcript,
    /// A question that waits, where it is seen.
    Question,
    /// Two texts compared.
    Compare,
    /// A paragraph in every variant.
    Others,
    /// The versions of a draft.
    Versions,
    /// What a turn did to the draft.
    Changes,
    /// The page of a collection.
    Collection,
    /// What agents are told.
    Brief,
    /// The memory of a collection.
    Memory,
    /// The versions of one of its files.
    File,
}

impl Place {
    /// Every place, as the pages of keys list them.
    pub const ALL: [Self; 17] = [
        Self::Anywhere,
        Self::Outside,
        Self::Composer,
        Self::Draft,
        Self::Find,
        Self::Question,
        Self::List,
        Self::Drawer,
        Self::Transcript,
        Self::Compare,
        Self::Others,
        Self::Versions,
        Self::Changes,
        Self::Collection,
        Self::Brief,
        Self::Memory,
        Self::File,
    ];

    /// The places whose keys apply here, nearest first.
    pub const fn within(self) -> &'static [Self] {
        match self {
            Self::Anywhere => &[Self::Anywhere],
            Self::Outside => &[Self::Outside, Self::Anywhere],
            Self::Composer => &[Self::Composer, Self::Anywhere],
            Self::Draft => &[Self::Draft, Self::Anywhere],
            Self::Find => &[Self::Find, Self::Anywhere],
            Self::List => &[Self::List, Self::Outside, Self::Anywhere],
            Self::Drawer => &[Self::Drawer, Self::Outside, Self::Anywhere],
            Self::Transcript => &[Self::Transcript, Self::Outside, Self::Anywhere],
            Self::Question => &[Self::Question],
            Self::Compare => &[Self::Compare, Self::Outside, Self::Anywhere],
            Self::Others => &[Self::Others, Self::Outside, Self::Anywhere],
            Self::Versions => &[Self::Versions, Self::Outside, Self::Anywhere],
            Self::Changes => &[Self::Changes, Self::Outside, Self::Anywhere],
            Self::Collection => &[Self::Collection, Self::Outside, Self::Anywhere],
            Self::Brief => &[Self::Brief, Self::Outside, Self::Anywhere],
            Self::Memory => &[Self::Memory, Self::Outside, Self::Anywhere],
            Self::File => &[Self::File, Self::Outside, Self::Anywhere],
        }
    }

    /// Its name for people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Anywhere => "Anywhere",
            Self::Outside => "Anywhere but in text",
            Self::Composer => "Composer",
            Self::Draft => "Draft",
            Self::Find => "Looking for words of the draft",
            Self::List => "Sessions",
            Self::Drawer => "Drawer",
            Self::Transcript => "Transcript",
            Self::Question => "Question",
            Self::Compare => "Texts compared",
            Self::Others => "A paragraph in every variant",
            Self::Versions => "Versions",
            Self::Changes => "Changes",
            Self::Collection => "Page of a collection",
            Self::Brief => "Brief",
            Self::Memory => "Memory",
            Self::File => "Versions of a file",
        }
    }
}

/// What a command does.
#[derive(Clone, Copy, Debug)]
pub enum Run {
    /// One thing.
    Plain(fn(&mut App) -> Vec<Effect>),
    /// One thing for each digit: the key tells which.
    Digit(fn(&mut App, usize) -> Vec<Effect>),
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Command {
    /// Name in the configuration, `family.verb`.
    pub name: &'static str,
    /// Its keys, each with the place in which it applies.
    pub keys: &'static [(Place, &'static str)],
    /// What the palette and the help call it.
    pub title: &'static str,
    /// One sentence.
    pub doc: &'static str,
    /// Why its key is the text's own now; never where there is no such time.
    pub yields: Option<fn(&App) -> Option<&'static str>>,
    /// Whether it changes what the workspace holds.
    pub writes: bool,
    /// Why it cannot be done now, as things stand with what it is about; none when it can. Ask
    /// [`Command::why_not`], which knows more.
    pub disabled: fn(&App) -> Option<&'static str>,
    /// What it does.
    pub run: Run,
}

impl Command {
    /// A row without keys that can always be done.
    pub const fn new(
        name: &'static str,
        title: &'static str,
        doc: &'static str,
        run: fn(&mut App) -> Vec<Effect>,
    ) -> Self {
        Self {
            name,
            keys: &[],
            title,
            doc,
            yields: None,
            writes: false,
            disabled: always,
            run: Run::Plain(run),
        }
    }

    const fn keys(mut self, keys: &'static [(Place, &'static str)]) -> Self {
        self.keys = keys;
        self
    }

    const fn unless(mut self, disabled: fn(&App) -> Option<&'static str>) -> Self {
        self.disabled = disabled;
        self
    }

    /// Changes what the workspace holds: not while it can only be read.
    const fn writes(mut self) -> Self {
        self.writes = true;
        self
    }

    /// Why it cannot be done now; none when it can. The palette, the hints, the help and the key itself ask here.
    pub fn why_not(&self, app: &App) -> Option<&'static str> {
        let reading = self.writes && app.is_reading();
        reading.then_some(READING).or_else(|| (self.disabled)(app))
    }

    /// Applies only when it can be done; else the key belongs to the text.
    const fn yields(mut self, disabled: fn(&App) -> Option<&'static str>) -> Self {
        self.disabled = disabled;
        self.typed(disabled)
    }

    /// Its key is the text's own at times; chosen by name it can be done then too.
    const fn typed(mut self, yields: fn(&App) -> Option<&'static str>) -> Self {
        self.yields = Some(yields);
        self
    }

    /// Whether its key is the text's own now.
    pub fn is_typed(&self, app: &App) -> bool {
        self.yields.is_some_and(|why| why(app).is_some())
    }
}

/// Why nothing can be changed in a workspace that can only be read.
const READING: &str = "You can only read here for now: the line at the top says why.";

fn always(_: &App) -> Option<&'static str> {
    None
}

const FAMILIES: [&[Command]; 17] = [
    session::ROWS,
    family::ROWS,
    turn::ROWS,
    composer::ROWS,
    question::ROWS,
    go::ROWS,
    lists::ROWS,
    drawer::ROWS,
    page::ROWS,
    brief::ROWS,
    memory::ROWS,
    draft::ROWS,
    compare::ROWS,
    versions::ROWS,
    window::ROWS,
    host::ROWS,
    agents::ROWS,
];

/// Every command.
pub fn all() -> impl Iterator<Item = &'static Command> {
    FAMILIES.into_iter().flatten()
}

/// The table for readers: place, keys, name, what it does, one row for each place a command has keys in.
pub fn listed(keys: &Keymap) -> Vec<[String; 4]> {
    let mut out = Vec::new();
    for place in Place::ALL {
        for command in all() {
            let names = keys.keys_at(command, place);
            if !names.is_empty() {
                let texts = [place.name(), &names.join(" "), command.name, command.doc];
                out.push(texts.map(str::to_owned));
            }
        }
    }
    out
}

/// The command of that name.
pub fn named(name: &str) -> Option<&'static Command> {
    all().find(|c| c.name == name)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    #[test]
    fn names_are_unique_and_speak_of_a_family_and_a_verb() {
        let mut seen = Vec::new();
        for c in all() {
            assert!(!seen.contains(&c.name), "{} stands twice", c.name);
            assert_eq!(c.name.split('.').count(), 2, "{}", c.name);
            assert!(c.doc.ends_with('.'), "{}: {}", c.name, c.doc);
            assert!(!c.title.ends_with('.'), "{}", c.name);
            seen.push(c.name);
        }
    }
}
