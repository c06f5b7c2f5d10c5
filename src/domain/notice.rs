//! The second of the two verbs: a window attaches and is told, in order, without gap or repeat.

use serde::{Deserialize, Serialize};

use super::event::{Event, Seq};
use super::head::Head;
use super::id::{CollectionId, SessionId};
use super::row::{CollectionRow, Row};

/// What to be told of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "scope", rename_all = "snake_case")]
pub enum Scope {
    /// The list: every row as it is, then each that changes.
    Workspace,
    /// One session: history, then live.
    Session {
        /// Which.
        session: SessionId,
        /// From where.
        after: After,
    },
}

/// Where a session's history begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum After {
    /// At the first event.
    Start,
    /// Behind that event.
    Seq(Seq),
    /// About that many bytes before the end.
    Tail(u64),
}

/// A program, told apart from another build of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Build {
    /// Version of the program.
    pub app: String,
    /// When its file was written, seconds since 1970; none where the system does not tell.
    #[serde(default)]
    pub built: Option<u64>,
}

/// What a window is told. On a session: `Opened`, the events behind [`After`], `Live`, then each event as it happens. On the
/// workspace: `Host`, every row and collection, `Live`, then each that changes. As JSON the field `notice` names it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "notice", rename_all = "snake_case")]
pub enum Notice {
    /// First on a session: its head as of now. Events that follow and are older do not change it.
    Opened {
        /// The head of the whole log; of its ends, when it is long and was not read before.
        head: Box<Head>,
        /// Whether older events exist.
        more: bool,
    },
    /// The head of the whole log, before the session is live: takes the place of one made from its ends.
    Head(Box<Head>),
    /// An event, already on disk.
    Event(Event),
    /// History is told; what follows happens now.
    Live,
    /// A row is new or changed.
    Row(Box<Row>),
    /// A collection is new or changed.
    Collection(Box<CollectionRow>),
    /// A collection is gone.
    CollectionGone {
        /// Which.
        collection: CollectionId,
    },
    /// Something to know that belongs to no session.
    Banner {
        /// One line; empty takes the last one back.
        text: String,
    },
    /// What cannot be sent as it is of what the agents of a collection are told.
    BriefTrouble {
        /// Whose brief.
        collection: CollectionId,
        /// One line; empty takes the last one back.
        text: String,
    },
    /// Whether nothing can be written here for now; the banner says why.
    Reading {
        /// It cannot.
        reading: bool,
    },
    /// The writer's voice, as it is told to agents: what is never written is marked in drafts.
    Voice {
        /// The text of `VOICE.md` with that of the files it names; empty where there is none.
        text: String,
    },
    /// First on the workspace: who tells it.
    Host(Build),
    /// The host ends; attach again.
    Closing {
        /// Somebody asked it to: the next one begins when the writer wants something.
        #[serde(default)]
        stopped: bool,
    },
    /// It could not be attached.
    Refused {
        /// Why, for a writer.
        why: String,
    },
}
