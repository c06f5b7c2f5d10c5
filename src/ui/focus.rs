//! Where the writer is: the pane, and the place whose keys apply.

use serde::{Deserialize, Serialize};

/// A pane that can have the focus. Transcript and composer share one column.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pane {
    /// Collections.
    Drawer,
    /// Sessions.
    List,
    /// The words of the open session.
    Transcript,
    /// The words to be sent.
    #[default]
    Composer,
}

impl Pane {
    /// The next one to the right, round and round.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Drawer => Self::List,
            Self::List => Self::Transcript,
            Self::Transcript => Self::Composer,
            Self::Composer => Self::Drawer,
        }
    }

    /// The one before.
    #[must_use]
    pub fn previous(self) -> Self {
        self.next().next().next()
    }
}
