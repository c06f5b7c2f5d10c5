//! A collection's own deeds and the workspace's: what their logs say, and the one fold over them.
//!
//! A session's log tells of one piece of writing ([`super::event`]). What belongs to a whole drawer, or to the
//! writer, has a log of its own with the same lines and other kinds (`docs/format.md`).

mod binder;
mod filed;
mod lines;
mod sheet;
mod word;

use serde::{Deserialize, Serialize};

use super::event::{Damage, Seq};

pub use binder::{Binder, FileVersion, Filed, Open, Proposal, Standing};
pub use filed::{Changed, FileTaken, Made};
pub use lines::{Answered, FileSaved, Proposed};
pub use sheet::{Diff, FileRow, Kept, MemoryDeed, Offer, Sheet};
pub use word::{Answer, Hand, What};

/// One line of such a log, decoded.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// Place in the log.
    pub seq: Seq,
    /// Milliseconds since 1970, information only: order is by `seq`.
    pub ts: i64,
    /// What was done.
    #[serde(flatten)]
    pub act: Act,
}

/// What was done. Kinds that this version does not know become [`Act::Unknown`] and stay in the log.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind")]
pub enum Act {
    /// An agent thinks something worth keeping; it waits for the writer.
    #[serde(rename = "memory.proposed")]
    Proposed(Proposed),
    /// The writer has decided on it. What is written because of that comes after this line.
    #[serde(rename = "memory.answered")]
    Answered(Answered),
    /// A version of a file that belongs to the drawer or to the writer; its text is the blob of that name.
    #[serde(rename = "file.saved")]
    FileSaved(FileSaved),
    /// The collection was made.
    #[serde(rename = "collection.created")]
    Made(Made),
    /// What the collection says of itself was changed, in its `collection.toml`.
    #[serde(rename = "collection.changed")]
    Changed(Changed),
    /// A file becomes a session of the collection.
    #[serde(rename = "file.taken")]
    FileTaken(FileTaken),
    /// A deed was undone.
    #[serde(rename = "undone")]
    Undone {
        /// Number of the deed.
        act: Seq,
    },
    /// What was found in the log before this line was appended.
    #[serde(rename = "recovered")]
    Recovered {
        /// Bytes that are no deed.
        damage: Vec<Damage>,
        /// Numbers that are missing, first and last of each run.
        missing: Vec<(Seq, Seq)>,
    },
    /// A kind of a later version, or a line whose fields this version cannot read.
    #[serde(rename = "unknown")]
    Unknown {
        /// Its name.
        name: String,
    },
}

impl Act {
    /// The blob it names.
    pub fn blob(&self) -> Option<&str> {
        match self {
            Self::FileSaved(saved) => Some(&saved.sha256),
            _ => None,
        }
    }
}
