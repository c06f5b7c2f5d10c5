//! What a search of all drafts, prompts and replies finds.

use serde::{Deserialize, Serialize};

use super::event::Seq;
use super::id::{CollectionId, SessionId};

/// A place where the words stand.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Hit {
    /// The session.
    pub session: SessionId,
    /// Its title.
    pub title: String,
    /// Its collection.
    pub collection: CollectionId,
    /// Which of its texts.
    pub text: Found,
    /// The prompt, the beginning of the reply, or the draft's newest event.
    pub seq: Seq,
    /// When that was, milliseconds since 1970.
    pub ts: i64,
    /// What stands before the first of the words, on one line.
    pub before: String,
    /// The first of the words as it stands there.
    pub found: String,
    /// What stands behind it, on one line.
    pub after: String,
    /// Where it stands in the draft, in bytes; 0 in other texts.
    #[serde(default)]
    pub at: usize,
}

/// A text of a session.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Found {
    /// Its draft.
    Draft,
    /// What the writer said.
    Prompt,
    /// What the agent said.
    Reply,
}

/// Where a search goes on: sessions are searched from the newest.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct From {
    /// When the session was made, milliseconds since 1970.
    pub created: i64,
    /// The session.
    pub session: SessionId,
    /// Byte of its log, behind the end of a turn; 0 with its draft first.
    pub at: u64,
    /// How much is searched, in percent.
    #[serde(default)]
    pub percent: u8,
}
