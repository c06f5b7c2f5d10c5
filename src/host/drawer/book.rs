//! The log of a collection's own deeds, as far as they change what it says of itself.

use super::super::shared::Shared;
use crate::domain::drawer::{Act, Binder, Changed, Made};
use crate::domain::{Change, CollectionId, Seq};
use crate::log::Book;

/// A change that can be undone.
pub(super) struct Done {
    pub(super) seq: Seq,
    pub(super) to: Change,
    pub(super) was: Change,
}

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

pub(super) fn changed(
    shared: &Shared,
    id: &CollectionId,
    to: Change,
    was: Change,
) -> Result<(), String> {
    note(shared, id, Act::Changed(Changed { to, was }))
}

pub(super) fn undone(shared: &Shared, id: &CollectionId, act: Seq) -> Result<(), String> {
    note(shared, id, Act::Undone { act })
}

/// The newest change that was not undone.
pub(super) fn newest(shared: &Shared, id: &CollectionId) -> Result<Option<Done>, String> {
    let book = Book::Collection(id.clone());
    let deeds = shared.store.deeds(&book).map_err(|e| e.to_string())?;
    let done = Binder::of(&deeds.entries).changes.pop();
    Ok(done.map(|(seq, Changed { to, was })| Done { seq, to, was }))
}

pub(super) fn note(shared: &Shared, id: &CollectionId, act: Act) -> Result<(), String> {
    let book = Book::Collection(id.clone());
    let noted = shared.store.note(&book, vec![act]);
    noted.map(drop).map_err(|e| e.to_string())
}
