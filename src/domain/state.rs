//! The state of a session, in one word.

use serde::{Deserialize, Serialize};

/// State of a session, most urgent first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// A question waits for the writer.
    NeedsYou,
    /// A turn runs.
    Writing,
    /// A prompt waits for its turn.
    Queued,
    /// A turn ended well and no window has shown its end.
    Unread,
    /// The newest turn failed.
    Failed,
    /// The newest turn ended with its host.
    Lost,
    /// The newest turn was stopped.
    Interrupted,
    /// Nothing happens.
    Idle,
}

impl State {
    /// The word for it, as `list --json` writes it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::NeedsYou => "needs_you",
            Self::Writing => "writing",
            Self::Queued => "queued",
            Self::Unread => "unread",
            Self::Failed => "failed",
            Self::Lost => "lost",
            Self::Interrupted => "interrupted",
            Self::Idle => "idle",
        }
    }
}
