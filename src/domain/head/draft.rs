//! What a log says of its draft: the newest version, what stands beside it, what waits for a word.

use serde::{Deserialize, Serialize};

use super::Head;
use crate::domain::event::By;
use crate::domain::{Seq, TurnNo};

/// A version of the draft.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Version {
    /// The event that made it; the number by which tools and commands name it.
    pub seq: Seq,
    /// Hash of its text.
    pub sha256: String,
    /// Bytes.
    pub bytes: u64,
    /// Words.
    pub words: u64,
    /// Who made it.
    pub by: By,
    /// A version that stands beside it: both changed the same paragraphs.
    #[serde(default)]
    pub beside: Option<Seq>,
}

impl Version {
    /// Whether two drafts have the same text; none is one without words.
    pub fn are_same(one: Option<&Self>, other: Option<&Self>) -> bool {
        let text = |v: Option<&Self>| v.filter(|v| v.bytes > 0).map(|v| v.sha256.clone());
        text(one) == text(other)
    }
}

impl Head {
    /// Whether a file with a text of that hash is only behind, and nobody wrote into it: it is known to hold that text
    /// still, or it is the version before the newest (`before`), and a host died between the log and the file.
    pub fn lags(&self, hash: &str, before: Option<&str>) -> bool {
        let newest = self.draft.as_ref();
        let is_ours = newest.is_some_and(|d| d.by != By::Outside && d.sha256 != hash);
        is_ours && [self.holds.as_deref(), before].contains(&Some(hash))
    }
}

/// A version that changed the same paragraphs as the draft it stands beside.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Beside {
    /// The version.
    pub seq: Seq,
    /// Who made it.
    pub by: By,
    /// The version that was the draft then, and stayed it.
    pub at: Seq,
    /// Who made that.
    pub over: By,
}

/// An agent's text that waits for the writer's word.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Proposed {
    /// The event.
    pub seq: Seq,
    /// The turn that made it.
    #[serde(default)]
    pub turn: TurnNo,
    /// Hash of its text.
    pub sha256: String,
    /// The agent's name.
    pub agent: String,
    /// The version it was made from.
    pub base: Option<Seq>,
    /// Words that come.
    pub added: u64,
    /// Words that go.
    pub removed: u64,
    /// A part of it was taken, and the rest goes on to wait.
    #[serde(default)]
    pub part: bool,
}

/// What the writer typed since the newest version of the draft.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Typed {
    /// The newest edit.
    pub at: Seq,
    /// How many there are.
    pub edits: u64,
}
