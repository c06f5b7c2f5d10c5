//! Text of an event: in the line itself, or in a blob the line names.

use serde::{Deserialize, Serialize};

/// Payloads above this many bytes are blobs (`docs/format.md`).
pub const INLINE_MAX: usize = 64 * 1024;
/// How much of a blob stays readable in the line, in bytes.
pub const HEAD_MAX: usize = 2 * 1024;

/// A payload: a JSON string, or `{"blob":"sha256:…","len":bytes,"head":"first 2 KiB"}`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Text {
    /// The whole text.
    Inline(String),
    /// The text lies in the session's blob folder.
    Blob {
        /// `sha256:` and 64 hex digits.
        blob: String,
        /// Bytes of the whole text.
        len: u64,
        /// Its beginning.
        head: String,
    },
}

impl Text {
    /// What is readable without opening a blob.
    pub fn shown(&self) -> &str {
        match self {
            Self::Inline(s) => s,
            Self::Blob { head, .. } => head,
        }
    }

    /// Bytes of the whole text.
    pub fn len(&self) -> u64 {
        match self {
            Self::Inline(s) => s.len() as u64,
            Self::Blob { len, .. } => *len,
        }
    }

    /// Whether there is no text at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether `shown` is only a beginning.
    pub fn is_cut(&self) -> bool {
        matches!(self, Self::Blob { .. })
    }
}

impl Default for Text {
    fn default() -> Self {
        Self::Inline(String::new())
    }
}

impl From<String> for Text {
    fn from(s: String) -> Self {
        Self::Inline(s)
    }
}

impl From<&str> for Text {
    fn from(s: &str) -> Self {
        Self::Inline(s.to_owned())
    }
}
