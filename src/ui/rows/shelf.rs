//! Which sessions lie where.

use crate::domain::{CollectionId, Row};

/// Which sessions the list shows.
#[derive(
    Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Shelf {
    /// Those of every collection.
    #[default]
    All,
    /// Those of one.
    Collection(CollectionId),
    /// Those out of the list.
    Archive,
    /// Those in the trash.
    Trash,
}

/// Whether a session lies on a shelf.
pub(super) fn belongs(row: &Row, shelf: &Shelf) -> bool {
    match shelf {
        Shelf::All => !row.archived && !row.trashed,
        Shelf::Collection(id) => !row.archived && !row.trashed && row.collection == *id,
        Shelf::Archive => row.archived && !row.trashed,
        Shelf::Trash => row.trashed,
    }
}
