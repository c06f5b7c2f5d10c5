//! What the writer has set: where things lie, which agents there are, how the window behaves,
//! which recipes there are, and which folders of a workspace are collections.
//!
//! Reads files when asked and remembers nothing. A file with mistakes is never a reason to stop:
//! what can be used is used, and each mistake is named with its file and line.

mod build;
pub mod choose;
pub mod collection;
mod current;
pub mod edit;
pub mod file;
pub mod found;
pub mod load;
pub mod nearest;
pub mod paths;
mod plain;
pub mod problem;
pub mod recipe;
pub mod setting;
pub mod theme;
pub mod workspace;

use std::path::PathBuf;
use std::time::Duration;

use crate::domain::{AgentKind, AgentSpec};

pub use build::{build, program};
pub use collection::{Collection, Drawer};
pub use current::Current;
pub use load::{Loaded, load};
pub use nearest::nearest;
pub use paths::Places;
pub use problem::Problem;
pub use workspace::{Asked, Workspace};

/// The agents that are there without any configuration, under the names of their kinds.
pub const BUILT_IN: [AgentKind; 2] = [AgentKind::Claude, AgentKind::Editor];

/// Everything set, merged: built-in values, then the writer's file, then the workspace's.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// The agent of a session that has none of its own.
    pub default_agent: String,
    /// Turns that may run at once in one workspace; the rest wait in order.
    pub turns_at_once: usize,
    /// How long the host stays after the last window has left and the last turn has ended.
    pub host_stays: Duration,
    /// What becomes of an agent's change of the draft.
    pub changes: Changes,
    /// The agents a writer can choose, by name, sorted.
    pub agents: Vec<AgentSpec>,
    /// Whether the window may offer agents, keys and servers that it finds.
    pub offer: bool,
    /// Whether a file defines an agent.
    pub defined: bool,
    /// How the window behaves.
    pub window: Window,
    /// Commands of the window that the writer gave other keys.
    pub keys: Vec<Rebound>,
}

/// What becomes of an agent's change of the draft.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Changes {
    /// It is the draft at once.
    #[default]
    Apply,
    /// It waits until the writer says so.
    Ask,
}

impl Changes {
    /// By its word in a file.
    pub(crate) fn of(word: &str) -> Self {
        match word {
            "ask" => Self::Ask,
            _ => Self::Apply,
        }
    }
}

/// A command of the window, and the keys that run it in place of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rebound {
    /// Name of the command.
    pub command: String,
    /// The keys, as they are written; none takes its keys away.
    pub keys: Vec<String>,
    /// Where that stands; none when no file says so.
    pub at: Option<(PathBuf, usize)>,
}

impl Rebound {
    /// What is wrong with it, with the place where it can be mended.
    pub fn wrong(&self, what: &str) -> String {
        match &self.at {
            Some((file, line)) => format!("{}:{line}: {what}", file.display()),
            None => what.to_owned(),
        }
    }
}

impl Config {
    /// The agent of that name.
    pub fn agent(&self, name: &str) -> Option<&AgentSpec> {
        self.agents.iter().find(|a| a.name == name)
    }
}

/// How the window behaves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Window {
    /// What `Enter` does in the composer.
    pub enter: Enter,
    /// How the window calls a writer who looks elsewhere.
    pub notify: Notify,
    /// Colours for a light page; when unset, the window goes by the terminal's own word.
    pub light: Option<bool>,
    /// Name of the theme.
    pub theme: String,
    /// Whether the window takes the mouse.
    pub mouse: bool,
    /// Whether addresses in a transcript are links.
    pub links: bool,
    /// Program for `e`; when unset, `$VISUAL`, then `$EDITOR`.
    pub editor: Option<String>,
    /// Whether the page follows a stream row by row, not a quarter of the pane at a time.
    pub smooth: bool,
}

/// What `Enter` does in the composer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Enter {
    /// Sends; `Alt-Enter` makes a line.
    Send,
    /// Makes a line; `Alt-Enter` sends.
    NewLine,
}

/// How a question and an end that nobody saw are told, once each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notify {
    /// As the terminal can: its own notification where it is known for one, else the bell.
    Auto,
    /// The bell.
    Bell,
    /// The notification of iTerm2.
    Osc9,
    /// The notification of rxvt-unicode.
    Osc777,
    /// The notification of kitty.
    Osc99,
    /// Not at all.
    Off,
}

impl Notify {
    /// The words of the setting, each with what it means.
    pub const WORDS: [(&'static str, Self); 6] = [
        ("auto", Self::Auto),
        ("bell", Self::Bell),
        ("osc9", Self::Osc9),
        ("osc777", Self::Osc777),
        ("osc99", Self::Osc99),
        ("off", Self::Off),
    ];
}

/// Why something about places, settings or collections could not be done.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The system names no home folder.
    #[error("No home folder is known. Set HOME, or name the workspace with --workspace.")]
    NoHome,
    /// A folder that was asked for is not there.
    #[error("There is no folder {}. Make it first, or name another.", .0.display())]
    NoFolder(PathBuf),
    /// A file or folder could not be read.
    #[error("{} could not be read: {source}.", path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A file or folder could not be written.
    #[error("{} could not be written: {source}.", path.display())]
    Write {
        /// Which.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A title without a visible letter.
    #[error("A title needs at least one visible character.")]
    NoTitle,
    /// A second collection of one title could not be told from the first.
    #[error(
        "There is a collection {title:?} already, in the folder {folder:?}.{}",
        if *archived { " It is archived; `fascicle collection restore` brings it back." } else { "" }
    )]
    TitleTaken {
        /// The title of the one that is there.
        title: String,
        /// Its folder.
        folder: String,
        /// Whether it is out of the drawer.
        archived: bool,
    },
    /// No collection of that name.
    #[error("There is no collection {0:?}.")]
    NoCollection(String),
    /// `collection.toml` cannot be changed as it stands.
    #[error("{0}")]
    Broken(Problem),
}
