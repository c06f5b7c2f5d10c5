//! The folder that a session left behind when it moved while that was away: it comes back beside the one that was made
//! in its place, and is still marked as the session's.

use std::path::Path;
use std::sync::Arc;

use super::super::session::blocking;
use super::super::session::still::Still;
use super::super::shared::Shared;
use crate::config::Collection;
use crate::domain::SessionId;
use crate::drafts::{file, folder};
use crate::log::Store;
use crate::text::hash::sha256;

/// The name that a session's folder gets in a collection: its own, or one like it. What it left behind there goes first.
pub(super) async fn name_in(
    shared: &Arc<Shared>,
    still: &Still,
    target: &Collection,
) -> Result<String, String> {
    let name = still.folder.rsplit('/').next().unwrap_or_default();
    let wanted = format!("{}/{name}", target.folder);
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
