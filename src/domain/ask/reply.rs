//! The host's answers.

use serde::{Deserialize, Serialize};

use crate::domain::brief::Briefing;
use crate::domain::change::Change;
use crate::domain::drawer::Sheet;
use crate::domain::event::{Event, Seq, TurnNo, Unread};
use crate::domain::head::{Deed, Head, Was};
use crate::domain::id::{CollectionId, SessionId};
use crate::domain::notice::Build;
use crate::domain::search::{From, Hit};
use crate::domain::versions::VersionRow;

/// The host's answer; which one a request gets is said there. As JSON the field `reply` names it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "reply", rename_all = "snake_case")]
pub enum Reply {
    /// It is done, and in the log.
    Done,
    /// The session exists.
    Created {
        /// Its id.
        session: SessionId,
    },
    /// The session exists, and not all that it was to have.
    Lacking {
        /// Its id.
        session: SessionId,
        /// What it lacks and why, one sentence each, for a writer.
        said: Vec<String>,
    },
    /// The session exists, and what it was to begin with was not taken.
    Unprompted {
        /// Its id.
        session: SessionId,
        /// Its first prompt, whose place is where the next one is written; empty where it was none.
        prompt: String,
        /// Why, for a writer.
        why: String,
        /// What to do about it.
        hint: Option<String>,
    },
    /// The collection exists.
    Collection {
        /// Its id.
        collection: CollectionId,
    },
    /// A collection says something else of itself, and that is in its log.
    Filed {
        /// Which.
        collection: CollectionId,
        /// Number of the deed: by which it is undone.
        deed: Seq,
    },
    /// A change of a collection was undone, or made again; or the writer is to be asked first.
    Refiled(Box<Refiled>),
    /// A folder of files has become a collection.
    Gathered(Gathered),
    /// The prompt is in the log.
    Accepted {
        /// The turn it began; none when it waits.
        turn: Option<TurnNo>,
        /// Its number in the queue when it waits.
        queued: Option<u32>,
    },
    /// Part of a log, oldest first.
    Page {
        /// The head, of the whole log.
        head: Box<Head>,
        /// The events.
        events: Vec<Event>,
        /// Whether there are older ones.
        more: bool,
    },
    /// What a search found in its moment.
    Hits {
        /// The places.
        hits: Vec<Hit>,
        /// Where it goes on; none when all is searched.
        next: Option<From>,
    },
    /// A text.
    Text {
        /// The text.
        text: String,
    },
    /// A draft.
    Draft {
        /// The text.
        text: String,
        /// The draft's newest event, a version or an edit; none when nothing was written yet.
        version: Option<Seq>,
        /// Path of `draft.md`.
        path: String,
        /// Why it can only be read, and what to do; none when it can be written.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        locked: Option<String>,
    },
    /// What was typed is in the log.
    Edited {
        /// The draft's newest event.
        version: Seq,
        /// The draft, when it is not what the window made: the changes were merged with those of somebody else.
        text: Option<String>,
        /// A version that changed the same paragraphs and stands beside; the writer's words are the draft.
        beside: Option<Seq>,
        /// What `text` has besides was typed in other windows.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        typed: bool,
    },
    /// A history from elsewhere is a session here.
    Imported(Box<Brought>),
    /// The versions of a draft.
    Versions {
        /// Oldest first.
        versions: Vec<VersionRow>,
    },
    /// A brief.
    Brief(Box<Briefing>),
    /// The memory of a collection.
    Memory {
        /// As it is now.
        sheet: Box<Sheet>,
    },
    /// A turn runs in these sessions: wait for it, or stop it?
    Busy {
        /// Which.
        sessions: Vec<SessionId>,
        /// It waits for that already, and can be called off.
        #[serde(default)]
        waits: bool,
    },
    /// A deed was undone, or done again; or the writer is to be asked first.
    Undone(Box<Undone>),
    /// How the host is.
    Status(Box<Status>),
    /// It was not done, nothing changed.
    Refused {
        /// Why, for a writer.
        why: String,
        /// What to do about it.
        hint: Option<String>,
    },
}

impl Reply {
    /// A refusal with the way out.
    pub fn refused(
        why: impl std::convert::Into<String>,
        hint: impl std::convert::Into<String>,
    ) -> Self {
        Self::Refused {
            why: why.into(),
            hint: Some(hint.into()),
        }
    }
}

/// A deed that was undone, or done again.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Undone {
    /// The deed, as it was before: it says what is brought back.
    pub deed: Deed,
    /// It was done again.
    pub again: bool,
    /// Nothing was done: it is of an earlier sitting, and the writer is to be asked first.
    #[serde(default)]
    pub asked: bool,
    /// What of it did not come back, as a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub said: Option<String>,
}

impl Undone {
    /// Whether a stage that was written by hand since stays in its place.
    pub fn leaves_stage(&self) -> bool {
        matches!(self.deed.was, Was::Stage(_)) && self.said.is_some()
    }
}

/// A change of a collection that was undone, or made again.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Refiled {
    /// The collection.
    pub collection: CollectionId,
    /// Number of the deed: by which it is done the other way round, or by which it is meant when the writer is asked.
    pub deed: Seq,
    /// When that was done, or undone; milliseconds since 1970.
    pub at: i64,
    /// What the collection says of itself then.
    pub to: Change,
    /// It was made again.
    pub again: bool,
    /// Nothing was done, and the writer is to be asked first: it is of an earlier sitting, or it lets agents do more.
    #[serde(default)]
    pub asked: bool,
}

/// What became of a folder of files.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Gathered {
    /// The collection.
    pub collection: CollectionId,
    /// The sessions that were made, in the order of the files.
    pub made: Vec<SessionId>,
    /// How many files were there already as sessions.
    pub known: u64,
    /// What was left out, and why: a line for each file.
    pub skipped: Vec<String>,
}

/// What came of a history from elsewhere.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Brought {
    /// The session; the main line, where the history had branches.
    pub session: SessionId,
    /// Its title.
    pub title: String,
    /// One variant for each further branch.
    pub variants: Vec<SessionId>,
    /// Turns of the main line.
    pub turns: u32,
    /// Lines that could not be read, the first hundred.
    pub unread: Vec<Unread>,
    /// How many there are of them.
    pub unread_all: u64,
    /// What else is to be known, a line each.
    pub notes: Vec<String>,
}

/// How the host is.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Status {
    /// Its process.
    pub pid: u32,
    /// The program it runs.
    #[serde(flatten)]
    pub build: Build,
    /// When it began, milliseconds since 1970.
    pub since: i64,
    /// Sessions with a running turn.
    pub turns: Vec<SessionId>,
    /// Windows and followers attached.
    pub windows: u32,
    /// Bytes of memory in use, where the system tells.
    pub memory: Option<u64>,
    /// Why nothing can be written here, when that is so.
    #[serde(default)]
    pub reading: Option<String>,
    /// What would be lost if it ended now, as the beginning of a sentence.
    #[serde(default)]
    pub unsaved: Option<String>,
}
