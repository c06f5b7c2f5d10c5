//! What a move that a crash broke off has left said in two collections: the one in which the session lies keeps it.

use std::collections::HashMap;
use std::sync::Arc;

use super::super::session::blocking;
use super::super::shared::Shared;
use crate::config::{Collection, Drawer, collection};
use crate::domain::{Change, CollectionId, SessionId};

/// Takes each piece that two collections name out of those in which its session does not lie. A piece that only another
/// collection names stays there: that was written by hand.
pub(in crate::host) async fn tidy(shared: &Arc<Shared>) {
    let _one = shared.life.one.adopting.lock().await;
    let at_work = shared.clone();
    let work = move || {
        let drawer = at_work.look_at_drawer();
        let twice = named_twice(&drawer);
        if twice.is_empty() {
            return Ok::<_, String>(());
        }
        for listed in at_work.store.heads() {
            let place = listed.head.place.as_ref();
            if let (Some(place), Some(shelves)) = (place, twice.get(&listed.id)) {
                take_out(&at_work, listed.id, &place.collection, shelves);
            }
        }
        at_work.look_at_drawer();
        Ok(())
    };
    if let Err(why) = blocking(work).await {
        tracing::warn!("pieces that two collections name stay there: {why}");
    }
}

fn named_twice(drawer: &Drawer) -> HashMap<SessionId, Vec<&Collection>> {
    let mut named: HashMap<SessionId, Vec<&Collection>> = HashMap::new();
    for shelf in &drawer.collections {
        for piece in &shelf.pieces {
            named.entry(piece.id).or_default().push(shelf);
        }
    }
    named.retain(|_, shelves| shelves.len() > 1);
    named
}

fn take_out(shared: &Shared, id: SessionId, lies: &CollectionId, shelves: &[&Collection]) {
    if !shelves.iter().any(|shelf| shelf.id == *lies) {
        return;
    }
    for shelf in shelves.iter().filter(|shelf| shelf.id != *lies) {
        if let Err(e) = collection::edit(&shared.workspace, shelf, &[Change::Out(id)]) {
            tracing::warn!("a piece that moved is still named in {}: {e}", shelf.folder);
        }
    }
}
