//! The log of a collection's own deeds, as far as they change what it says of itself.

use super::super::shared::Shared;
use crate::domain::drawer::{Act, Binder, Changed, Made};
use crate::domain::{CollectionId, Seq};
use crate::log::Book;

/// A collection was made. It is there whether or not this can be written.
pub(super) fn made(shared: &Shared, id: &CollectionId, title: &str, folder: &str) {
    let act = Act::Made(Made {
        title: title.to_owned(),
        folder: folder.to_owned(),
    });
    if let Err(why) = note(shared, id, act) {
        tracing::warn!("the log of the collection {id} could not be written: {why}");
    }
}

/// A change was made. Gives its number.
pub(super) fn changed(shared: &Shared, id: &CollectionId, says: Changed) -> Result<Seq, String> {
    let book = Book::Collection(id.clone());
    let noted = shared.store.note(&book, vec![Act::Changed(says)]);
    let noted = noted.map_err(|e| e.to_string())?;
    Ok(noted.last().map_or(0, |entry| entry.seq))
}

pub(super) fn undone(shared: &Shared, id: &CollectionId, act: Seq) -> Result<(), String> {
    note(shared, id, Act::Undone { act })
}

/// What its deeds come to.
pub(super) fn binder(shared: &Shared, id: &CollectionId) -> Result<Binder, String> {
    let book = Book::Collection(id.clone());
    let deeds = shared.store.deeds(&book).map_err(|e| e.to_string())?;
    Ok(Binder::of(&deeds.entries))
}

pub(super) fn note(shared: &Shared, id: &CollectionId, act: Act) -> Result<(), String> {
    let book = Book::Collection(id.clone());
    let noted = shared.store.note(&book, vec![act]);
    noted.map(drop).map_err(|e| e.to_string())
}
