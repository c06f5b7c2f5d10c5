//! What a window asks about the memory of a collection, and what it is shown.

use serde::{Deserialize, Serialize};

use super::{FileVersion, Proposal};
use crate::domain::event::Seq;
use crate::domain::{CollectionId, SessionId};

/// What is asked of the memory of a collection. Each is answered with the [`Sheet`] as it is then; `Version` with a text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "memory", rename_all = "snake_case")]
pub enum MemoryDeed {
    /// The sheet; looks at the files first, so that an outside change is a version.
    Show,
    /// A proposal becomes a line of the memory.
    Accept {
        /// Its number.
        proposal: Seq,
        /// The text as the writer changed it; none when it is taken as it is.
        text: Option<String>,
        /// A line of the memory that goes into the archive for it, whole.
        instead: Option<String>,
    },
    /// A proposal does not, and is not made again.
    Refuse {
        /// Its number.
        proposal: Seq,
    },
    /// Takes an answer back, or the newest deed when none is named.
    Undo {
        /// The proposal whose answer it was.
        proposal: Option<Seq>,
    },
    /// Lines go into the archive, which is not sent, or come back out of it.
    Fold {
        /// The lines, whole.
        lines: Vec<String>,
        /// In, or out.
        archived: bool,
    },
    /// Asks the agent of a finished piece for its line in the index and for what is worth keeping: a prompt like any
    /// other. → `Accepted`
    Ask {
        /// The piece.
        session: SessionId,
    },
    /// The text of a version.
    Version {
        /// The file.
        file: String,
        /// The version.
        seq: Seq,
    },
    /// Puts accepted lines back that are missing since another program saved the memory.
    PutBack,
    /// Lets them go: the memory is meant as it is.
    LetGo,
    /// Makes an older version of a file its text again, as a new version.
    Restore {
        /// The file.
        file: String,
        /// The version.
        seq: Seq,
    },
}

impl MemoryDeed {
    /// Whether it changes anything.
    pub fn writes(&self) -> bool {
        !matches!(self, Self::Show | Self::Version { .. })
    }
}

/// The memory of a collection as a window shows it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Sheet {
    /// Whose.
    pub collection: CollectionId,
    /// The proposals that wait, oldest first.
    pub offers: Vec<Offer>,
    /// The lines of the memory, in their order, those in the archive as well.
    pub lines: Vec<Kept>,
    /// The files with versions.
    pub files: Vec<FileRow>,
    /// What is wrong, for a writer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// How many accepted lines are missing, for the writer to put back or to let go.
    #[serde(default, skip_serializing_if = "crate::domain::is_zero")]
    pub lost: usize,
    /// What an undo has just taken back, for a writer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undone: Option<String>,
}

impl Sheet {
    /// That of a collection of which nothing is known.
    pub const fn empty(collection: CollectionId) -> Self {
        Self {
            collection,
            offers: Vec::new(),
            lines: Vec::new(),
            files: Vec::new(),
            problem: None,
            lost: 0,
            undone: None,
        }
    }
}

/// A proposal that waits.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Offer {
    /// The proposal.
    #[serde(flatten)]
    pub proposal: Proposal,
    /// Title of the session whose agent proposes it.
    pub title: String,
    /// The file it would go into, relative to the collection's folder.
    pub file: String,
    /// What it would change there, with the lines around it.
    pub diff: Vec<Diff>,
    /// The lines of the memory that say something else about the same name or term, whole.
    pub against: Vec<String>,
}

/// A line of a difference.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Diff {
    /// It stays.
    Same(String),
    /// It comes.
    In(String),
    /// It goes.
    Out(String),
}

/// A line of the memory.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Kept {
    /// The whole of it as it stands in the file, marker and source included: the name by which deeds mean it.
    pub line: String,
    /// Its words.
    pub text: String,
    /// The heading it stands under.
    pub heading: Option<String>,
    /// It stands in the archive and is not sent.
    pub archived: bool,
    /// Title of the session it comes from; none for the writer's own.
    pub from: Option<String>,
    /// The day it was accepted, `2026-11-30`.
    pub date: Option<String>,
    /// Days since.
    pub days: Option<i64>,
}

/// A file with versions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FileRow {
    /// Its name.
    pub file: String,
    /// Where it is, relative to the workspace.
    pub path: String,
    /// Its versions, oldest first.
    pub versions: Vec<FileVersion>,
    /// Why it has none now, for a writer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub odd: Option<String>,
}
