//! The lines of a collection's log about the collection itself: what it says, and what became of files.

use serde::{Deserialize, Serialize};

use crate::domain::{Change, CollectionId, SessionId};

/// What `collection.created` says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Made {
    /// Its title.
    pub title: String,
    /// Its folder, relative to the workspace.
    pub folder: String,
}

/// What `collection.changed` says: what its file says now, and what would bring back what it said before.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Changed {
    /// What was changed, and to what.
    pub to: Change,
    /// What stood there.
    pub was: Change,
    /// All collections that were changed in one step, this one too: they are undone together.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub with: Vec<CollectionId>,
}

impl Changed {
    /// Whether it does once more what another did.
    pub fn is_again(&self, other: &Self) -> bool {
        self.to == other.to && self.was == other.was
    }
}

/// What `file.taken` says of a Markdown file that becomes a session: written before the session is made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FileTaken {
    /// The file, relative to the folder, with `/`.
    pub file: String,
    /// The folder, whole.
    pub from: String,
    /// Hash of its text.
    pub sha256: String,
    /// The session.
    pub session: SessionId,
}
