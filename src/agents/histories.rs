//! Histories that other programs keep of what was said to them: found, and read without ever being held whole.
//!
//! What a file looks like is its vendor's affair; what comes out here is the same for all.

use crate::domain::event::{Status, Usage};

pub use super::claude::import::{Found, History, Unreadable, find};

/// Something in a turn, in the order of the file.
#[derive(Clone, PartialEq, Debug)]
pub enum Told {
    /// The writer's words.
    Prompt(String),
    /// A block of the answer.
    Words(String),
    /// A piece of reasoning.
    Thinking(String),
    /// A tool call.
    Call {
        /// Its id.
        call: String,
        /// The tool.
        name: String,
        /// Its argument as JSON.
        input: String,
    },
    /// What came of one.
    Result {
        /// The call.
        call: String,
        /// Whether it did what was asked.
        ok: bool,
        /// What the agent was told.
        output: String,
    },
    /// From here on a summary stood for what was before.
    Compacted {
        /// The summary.
        summary: String,
        /// The writer asked for it.
        asked: bool,
        /// Tokens before.
        before: Option<u64>,
        /// Tokens after.
        after: Option<u64>,
    },
    /// Something to know.
    Note(String),
}

/// How a turn ended.
#[derive(Clone, PartialEq, Debug)]
pub struct Ended {
    /// How.
    pub status: Status,
    /// Why, for a writer.
    pub reason: Option<String>,
    /// What it cost, as far as the history says.
    pub usage: Usage,
    /// When its newest entry was written, milliseconds since 1970.
    pub ts: i64,
}

/// A turn of a history.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Turn {
    /// The turn it goes on from; none for a first one.
    pub parent: Option<usize>,
    /// When it began, milliseconds since 1970; 0 when unknown.
    pub ts: i64,
    /// The model that answered.
    pub model: Option<String>,
    /// A command to the program itself, answered by no agent: nothing of the conversation.
    pub silent: bool,
    /// Its lines: offset and length.
    pub(super) lines: Vec<(u64, u32)>,
    /// Whether an agent answered.
    pub(super) answered: bool,
    /// The writer's next words came while it ran.
    pub(super) goes_on: bool,
    /// Its first line's number.
    pub(super) first: u64,
}
