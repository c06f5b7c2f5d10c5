//! What the window has done for it outside the host: a look at this machine, a look for models, an answer kept.
//! Begun by an effect; what comes of it is an input.

mod export;

use super::settings::Choice;
use crate::config::edit::Answer;
use crate::config::found::Way;
use crate::domain::Recipe;

pub use export::{Export, Exported, Outlet, Unwritten};

/// Something to be done.
#[derive(Clone, PartialEq, Debug)]
pub enum Errand {
    /// Looks at agents, workspace and settings, as `fascicle doctor` does.
    Doctor,
    /// Looks for model servers on this machine.
    Servers,
    /// Asks a server or a service for its models.
    Models(Way),
    /// Reads the recipes.
    Recipes,
    /// Looks for histories of Claude Code.
    Histories,
    /// Keeps an answer in the writer's settings.
    Keep(Answer),
    /// Looks where exports can go.
    Outlet,
    /// Writes a text to a file.
    Export(Export),
    /// Looks for folders of Markdown files that are no collections.
    Loose,
    /// Remembers that a folder is to be left as it is.
    Leave(String),
}

/// What came of it.
#[derive(Clone, PartialEq, Debug)]
pub enum Brought {
    /// What doctor says, line by line.
    Doctor(String),
    /// The servers that answered.
    Servers(Vec<Server>),
    /// The models of a way, by its name; why there are none, else.
    Models(String, Result<Vec<String>, String>),
    /// The recipes as they are now, and what is wrong with others.
    Recipes(Vec<Recipe>, Vec<String>),
    /// The histories there are, those of the workspace first; why none can be read, else.
    Histories(Result<Vec<History>, String>),
    /// The settings as they are now; why they could not be changed, else.
    Kept(Result<Kept, String>),
    /// Where exports can go.
    Outlet(Outlet),
    /// Where a text was written; why not, else.
    Written(Result<String, Unwritten>),
    /// A folder of Markdown files that is no collection, and how many there are in it.
    Loose(Option<(String, u64)>),
}

/// A history of Claude Code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct History {
    /// Its file.
    pub path: String,
    /// Its title, or its first words.
    pub title: String,
    /// The folder it was written in.
    pub folder: String,
    /// When it was last written, milliseconds since 1970.
    pub when: i64,
    /// Bytes.
    pub bytes: u64,
    /// Prompts and answers; none where they were not counted.
    pub messages: Option<u64>,
    /// Branches beside the main line.
    pub branches: u64,
    /// Whether it was written in this workspace.
    pub near: bool,
    /// What it is here already, in a line; none when it is not.
    pub here: Option<String>,
}

/// A model server of this machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Server {
    /// The way to it.
    pub way: Way,
    /// Its models.
    pub models: Vec<String>,
}

/// Settings after an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kept {
    /// The agent that was connected; none after a no.
    pub name: Option<String>,
    /// Agents to choose from, the default first.
    pub agents: Vec<Choice>,
    /// Why the default agent cannot write yet.
    pub unready: Option<String>,
    /// Those that can use the web.
    pub web: Vec<String>,
}

/// What the window is told for its first minutes, and what its errands have brought.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct First {
    /// Nobody has opened a window here before.
    pub welcome: bool,
    /// The sample was made.
    pub sample: bool,
    /// What was found is still to be offered.
    pub offer: bool,
    /// What was found.
    pub ways: Vec<Way>,
    /// What was looked for since.
    pub errands: Errands,
}

/// Something that is looked for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Sought<T> {
    /// Not yet.
    #[default]
    Not,
    /// Now.
    Coming,
    /// It is there.
    Here(T),
}

/// What the errands of a window have brought so far.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Errands {
    /// What doctor says.
    pub doctor: Sought<String>,
    /// Model servers of this machine.
    pub servers: Sought<Vec<Server>>,
    /// Histories of Claude Code.
    pub histories: Sought<Result<Vec<History>, String>>,
    /// Where exports can go.
    pub outlet: Sought<Outlet>,
    /// What came of the last export.
    pub written: Sought<Result<String, Unwritten>>,
    /// A folder that could be a collection, and its files.
    pub loose: Sought<Option<(String, u64)>>,
    /// Whether the writer has asked for that, and waits to be told.
    pub asked_loose: bool,
    /// Models of a way, by its name.
    pub models: (String, Sought<Result<Vec<String>, String>>),
}

impl Errands {
    /// Notes that something is under way.
    pub fn begin(&mut self, errand: &Errand) {
        match errand {
            Errand::Doctor => self.doctor = Sought::Coming,
            Errand::Servers => self.servers = Sought::Coming,
            Errand::Histories => self.histories = Sought::Coming,
            Errand::Models(way) => self.models = (way.name.clone(), Sought::Coming),
            Errand::Outlet => self.outlet = Sought::Coming,
            Errand::Export(_) => self.written = Sought::Coming,
            Errand::Loose | Errand::Leave(_) => self.loose = Sought::Coming,
            Errand::Keep(_) | Errand::Recipes => {}
        }
    }

    /// Takes in what came, when it is still what is looked for.
    pub fn take(&mut self, brought: Brought) -> Option<Result<Kept, String>> {
        match brought {
            Brought::Doctor(text) => self.doctor = Sought::Here(text),
            Brought::Servers(found) => self.servers = Sought::Here(found),
            Brought::Histories(found) => self.histories = Sought::Here(found),
            Brought::Models(name, models) if name == self.models.0 => {
                self.models.1 = Sought::Here(models);
            }
            Brought::Outlet(outlet) => self.outlet = Sought::Here(outlet),
            Brought::Written(written) => self.written = Sought::Here(written),
            Brought::Loose(loose) => self.loose = Sought::Here(loose),
            // Those are kept elsewhere, or nobody waits for them.
            Brought::Models(..) | Brought::Recipes(..) => {}
            Brought::Kept(kept) => return Some(kept),
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_of_a_way_that_was_left_are_not_taken_for_another_ones() {
        let mut errands = Errands {
            models: ("b".to_owned(), Sought::Coming),
            ..Errands::default()
        };
        let late = Brought::Models("a".to_owned(), Ok(vec!["x".to_owned()]));
        assert_eq!(errands.take(late), None);
        assert_eq!(errands.models.1, Sought::Coming);
    }
}
