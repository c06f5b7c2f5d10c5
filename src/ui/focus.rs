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
    /// The draft of the open session.
    Draft,
    /// A view in the place of all panes: texts compared, versions, changes.
    View,
}

impl Pane {
    /// The next one to the right, round and round; the draft only when it `stands` open.
    #[must_use]
    pub fn next(self, stands: bool) -> Self {
        match self {
            Self::Drawer => Self::List,
            Self::List | Self::View => Self::Transcript,
            Self::Transcript => Self::Composer,
            Self::Composer if stands => Self::Draft,
            Self::Composer | Self::Draft => Self::Drawer,
        }
    }

    /// The one before.
    #[must_use]
    pub fn previous(self, stands: bool) -> Self {
        match self {
            Self::Drawer if stands => Self::Draft,
            Self::Drawer | Self::Draft => Self::Composer,
            Self::Composer | Self::View => Self::Transcript,
            Self::Transcript => Self::List,
            Self::List => Self::Drawer,
        }
    }
}
