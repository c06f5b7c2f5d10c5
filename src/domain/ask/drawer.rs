//! What is asked about collections.

use serde::{Deserialize, Serialize};

use super::{Busy, Which};
use crate::domain::{Change, CollectionId, SessionId};

/// A deed on a collection, or between two of them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "deed", rename_all = "snake_case")]
pub enum DrawerDeed {
    /// Changes what a collection says of itself. → `Filed`, or `Done` where it says that already
    Change {
        /// Which.
        collection: CollectionId,
        /// What.
        change: Change,
    },
    /// The first lines of its profile. → `Text`
    Profile {
        /// Of which.
        collection: CollectionId,
    },
    /// Puts the collections into an order in the drawer: one step, whichever of their files it changes. → `Filed`,
    /// or `Done` where they stand so already
    Arrange {
        /// All of them, but the inbox, which stays the last.
        order: Vec<CollectionId>,
        /// The one that the writer moves: by it the step is called.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        moved: Option<CollectionId>,
    },
    /// Undoes a change of a collection. → `Refiled`
    Undo {
        /// Of which.
        collection: CollectionId,
        /// Which change.
        #[serde(flatten)]
        which: Which,
    },
    /// Makes a change of a collection again that was undone, where nothing was changed since. → `Refiled`
    Redo {
        /// Of which.
        collection: CollectionId,
        /// Which change.
        #[serde(flatten)]
        which: Which,
    },
    /// Moves a session to another collection, its family with it. → `Done`, or `Busy` when a turn runs and `busy` is
    /// [`Busy::Ask`]
    Move {
        /// Which.
        session: SessionId,
        /// Where to.
        to: CollectionId,
        /// The session alone, not its family.
        #[serde(default)]
        alone: bool,
        /// What is done with a turn that runs in one of them.
        busy: Busy,
    },
    /// Makes a collection of a folder of Markdown files, each a session with its text as the first version; the files
    /// stay as they are. → `Gathered`
    FromFolder {
        /// The folder: a whole path, or relative to the workspace.
        folder: String,
        /// Title of the collection; the folder's name when none.
        title: Option<String>,
    },
}
