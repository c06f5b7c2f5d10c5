//! Where a session that moves was before: what its folder was called there, and the folder that it left behind when that
//! was away. That one comes back beside the one that was made in its place, and is still marked as the session's.

use std::path::Path;
use std::sync::Arc;

use super::super::session::blocking;
use super::super::session::still::Still;
use super::super::shared::Shared;
use crate::config::Collection;
use crate::domain::head::Place;
use crate::domain::{Kind, Seq, SessionId};
use crate::drafts::{file, folder};
use crate::log::Store;
use crate::text::hash::sha256;

/// Where a session was before a move that is undone.
pub(super) async fn place(
    shared: &Arc<Shared>,
    still: &Still,
    undoes: Option<Seq>,
) -> Option<Place> {
    let (store, id, moved) = (shared.store.clone(), still.head.id?, undoes?);
    let page = blocking(move || store.before(id, moved + 1, 1))
        .await
        .ok()?;
    let event = page.events.into_iter().find(|e| e.seq == moved)?;
    match event.kind {
        Kind::Moved { was, .. } => was,
        _ => None,
    }
}

/// The folder that a session is to have, if that is free: called as it is, or, on its way back, as it was where only a
/// number was put to its name.
pub(super) async fn wanted(
    shared: &Arc<Shared>,
    still: &Still,
    target: &Collection,
    undoes: Option<Seq>,
) -> String {
    let last = |folder: &str| folder.rsplit('/').next().unwrap_or_default().to_owned();
    let name = last(&still.folder);
    let before = place(shared, still, undoes).await;
    let before = before.filter(|place| place.collection == target.id);
    let numbered = |old: &String| {
        let rest = name.strip_prefix(old.as_str());
        let number = rest.and_then(|rest| rest.strip_prefix('-'));
        number.is_some_and(|n| n.parse::<u32>().is_ok())
    };
    let old = before.map(|place| last(&place.folder)).filter(numbered);
    format!("{}/{}", target.folder, old.as_ref().unwrap_or(&name))
}

/// The name that a session's folder gets in a collection: the one that is wanted, or one like it. What it left behind
/// there goes first.
pub(super) async fn name_in(
    shared: &Arc<Shared>,
    still: &Still,
    target: &Collection,
    wanted: &str,
) -> Result<String, String> {
    let wanted = wanted.to_owned();
    let (shared, id, to) = (shared.clone(), still.head.id, target.folder.clone());
    blocking(move || {
        let root = shared.workspace.root();
        let left = id.and_then(|id| Some((id, folder::of_in(&root.join(to), id)?)));
        if let Some((id, left)) = left
            && let Err(e) = clear(&shared.store, id, &left)
        {
            tracing::warn!("{} is left where it is: {e}", left.display());
        }
        Ok::<_, String>(folder::free(root, &wanted))
    })
    .await
}

/// Takes a folder away that holds nothing but a text that the session's log has.
fn clear(store: &Store, id: SessionId, left: &Path) -> std::io::Result<()> {
    let mut names = std::fs::read_dir(left)?.flatten().map(|e| e.file_name());
    let of_ours = |name: std::ffi::OsString| name == file::NAME || name == folder::MARK;
    if !names.all(of_ours) {
        return Ok(());
    }
    if let Some(text) = file::read(left)? {
        if !text.is_empty() && store.blob_get(id, &sha256(&text)).is_err() {
            return Ok(());
        }
        std::fs::remove_file(left.join(file::NAME))?;
    }
    std::fs::remove_file(left.join(folder::MARK))?;
    std::fs::remove_dir(left)
}
