//! The lines of a drawer's log that say the most, each as a type of its own.

use serde::{Deserialize, Serialize};

use super::{Answer, Hand, What};
use crate::domain::SessionId;
use crate::domain::event::{Seq, TurnNo};

/// What `memory.proposed` says: a line for the memory, as an agent worded it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Proposed {
    /// The session whose agent proposes it.
    pub session: SessionId,
    /// The turn.
    pub turn: TurnNo,
    /// The tool call.
    pub call: String,
    /// What it is.
    pub what: What,
    /// One line, invisible characters made visible.
    pub text: String,
    /// Why it is worth keeping, one line.
    pub reason: String,
    /// The name or term it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
}

/// What `memory.answered` says of the writer's decision, and of what is written because of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Answered {
    /// Number of the proposal in the same log.
    pub proposal: Seq,
    /// Yes or no.
    pub answer: Answer,
    /// The text as the writer changed it; none when it was taken, or refused, as it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The whole line that goes into the file, without a line end; none when it was refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
    /// What stood in its place: the line of the memory that goes into the archive, the piece's own line before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub was: Option<String>,
}

/// What `file.saved` says of a version of a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FileSaved {
    /// The file, relative to the drawer's folder (or to the workspace), with `/`.
    pub file: String,
    /// Hash of the text: 64 hex digits, the blob's name.
    pub sha256: String,
    /// Bytes.
    pub bytes: u64,
    /// Whose hand.
    pub by: Hand,
    /// The version it was made from; none for the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<Seq>,
    /// The deed it carries out: an answer, an undo, the version that was restored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub act: Option<Seq>,
    /// Whether the file was gone; its text is empty then.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub gone: bool,
}
