//! Who of a family has the folder with the piece's name, when a session comes back from the trash or another one stands
//! in for it.

use std::sync::Arc;

use super::family::{self, Where, Who};
use super::names::{self, own_name};
use super::{heads, held, known};
use crate::domain::{Head, SessionId};
use crate::drafts::folder;
use crate::drafts::swap::{self, OnDisk, SwapError};
use crate::host::session::blocking;
use crate::host::session::still::Held;
use crate::host::shared::Shared;
use crate::log::Listed;

/// The names for the folder of a session that comes back from the trash, which was at `place`; the best first. The main
/// line gets its own again: whoever of the family stands there makes room. Another one leaves the piece's name alone.
pub(in crate::host) async fn for_one_back(
    shared: &Arc<Shared>,
    id: SessionId,
    head: &Head,
    place: &str,
) -> Vec<String> {
    let mut listed = heads(shared).await.unwrap_or_default();
    for one in listed.iter_mut().filter(|l| l.id == id) {
        one.in_trash = false;
    }
    let beside = own_name(head, place);
    // The one that its family began with has such a name beside a main line alone.
    let or_own = head.kin.own.as_ref().map(|_| beside.clone());
    let Some(main) = family::overtaken(&listed, id) else {
        if let Some(there) = stands_at(&listed, id, place)
            && let Err(why) = make(shared, there, place, head.title()).await
        {
            tracing::warn!("the folder of {there} keeps the name {place}: {why}");
        }
        return std::iter::once(place.to_owned()).chain(or_own).collect();
    };
    if is_pieces(&listed, &main, place) {
        return vec![beside];
    }
    std::iter::once(place.to_owned()).chain(or_own).collect()
}

/// Whether a folder's name is the one that goes with being this main line.
fn is_pieces(listed: &[Listed], main: &Who, place: &str) -> bool {
    let head = listed.iter().find(|l| l.id == main.id).map(|l| &l.head);
    let name = head.zip(main.folder.as_ref());
    name.is_some_and(|(head, at)| names::name(head, at) == place)
}

/// The other one of a session's family whose folder has this name, as its log has it.
fn stands_at(listed: &[Listed], id: SessionId, place: &str) -> Option<SessionId> {
    let own = listed.iter().find(|l| l.id == id)?;
    let family = own.head.kin.family_of(id);
    let others = listed.iter().filter(|l| l.id != id && !l.in_trash);
    let mut there = others.filter(|l| {
        let at = l.head.place.as_ref().map(|p| p.folder.as_str());
        l.head.kin.family_of(l.id) == family && at == Some(place)
    });
    there.next().map(|l| l.id)
}

/// Has a third one of the family that has the name which `main` is to get make room for it; false where it is no such.
pub(super) async fn made(shared: &Arc<Shared>, main: &Who, taken: &SwapError) -> bool {
    let SwapError::Taken(at, Some(of)) = taken else {
        return false;
    };
    let listed = heads(shared).await.unwrap_or_default();
    let there = Who::of(&listed, *of);
    let family = |id: SessionId| {
        let found = listed.iter().find(|l| l.id == id);
        found.map(|l| l.head.kin.family_of(id))
    };
    if there.at != Where::Here || family(*of) != family(main.id) {
        return false;
    }
    match make(shared, *of, at, &main.title).await {
        Ok(()) => true,
        Err(why) => {
            tracing::warn!("the folder of {of} keeps the name {at}: {why}");
            false
        }
    }
}

/// The folder of a session gets the name that it has beside the main line, for `now` is to get the one it has.
async fn make(shared: &Arc<Shared>, id: SessionId, at: &str, now: &str) -> Result<(), String> {
    let still = match held(shared, id).await {
        Held::Still(still) => still,
        Held::Busy => return Err("a turn runs in it".to_owned()),
        Held::Not(why) => return Err(why),
    };
    if still.folder != at || still.head.kin.exchange.is_some() {
        return Ok(());
    }
    let (root, from) = (shared.workspace.root().to_owned(), at.to_owned());
    let wanted = own_name(&still.head, at);
    let renamed = blocking(move || {
        let to = folder::free(&root, &wanted);
        let done = swap::rename(&OnDisk, &root, (id, &from), &to)?;
        Ok::<_, std::io::Error>(done.then_some(to))
    });
    let Some(to) = renamed.await? else {
        return Ok(());
    };
    // The adoption is not in its log yet: what is said here is true also when it never comes there.
    let note = format!("This folder made room for that of “{now}”, and is {to} now.");
    let kinds = vec![known(note), names::at(shared, &to).await];
    if let Err(why) = still.log(kinds).await {
        // It is found there by its mark, as one that the writer renamed.
        tracing::warn!("the log of {id} could not say that its folder is {to}: {why}");
    }
    Ok(())
}
