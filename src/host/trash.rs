//! Deleting is a rename: log first, then the session's folder; both come back the same way.

use std::io;
use std::path::Path;
use std::sync::Arc;

use super::shared::Shared;
use crate::domain::ask::Reply;
use crate::domain::row::Row;
use crate::domain::{Head, SessionId};
use crate::drafts::folder;
use crate::drafts::swap::{Names, OnDisk};

/// Name under which a session's own folder lies in the trash.
const FOLDER: &str = "folder";

/// Moves a closed session to the trash.
pub(super) async fn into(shared: &Arc<Shared>, id: SessionId, head: Head) -> Reply {
    let (store, root) = (shared.store.clone(), shared.workspace.root().to_owned());
    let place = place(&head);
    let moved = tokio::task::spawn_blocking(move || -> Result<(), String> {
        store.trash(id).map_err(|e| e.to_string())?;
        let kept = store.folder(id).map_err(|e| e.to_string())?;
        // Its own folder and no other one's, whatever name that has now.
        let own = place.filter(|at| folder::is_of(&root.join(at), id));
        match own.or_else(|| folder::find(&root, id)) {
            Some(from) => rename(&root.join(from), &kept.join(FOLDER)).map_err(|e| e.to_string()),
            None => Ok(()),
        }
    });
    shared.forget(id);
    show(shared, &head);
    done(moved.await)
}

/// Brings a session back from the trash. Its log is closed and can be opened after. Where its folder's name is another
/// one's by now it gets a number; the session finds it there, and says so.
pub(super) async fn out_of(shared: &Arc<Shared>, id: SessionId, head: &Head) -> Reply {
    let (store, root) = (shared.store.clone(), shared.workspace.root().to_owned());
    let place = place(head);
    let moved = tokio::task::spawn_blocking(move || -> Result<(), String> {
        let kept = store.folder(id).map_err(|e| e.to_string())?.join(FOLDER);
        if let Some(place) = place.filter(|_| kept.exists()) {
            let to = root.join(folder::free(&root, &place));
            if let Some(parent) = to.parent() {
                std::fs::create_dir_all(parent).map_err(|e| e.to_string())?;
            }
            rename(&kept, &to).map_err(|e| e.to_string())?;
        }
        store.untrash(id).map_err(|e| e.to_string())
    });
    done(moved.await)
}

/// Its folder as its log has it, relative to the workspace.
fn place(head: &Head) -> Option<String> {
    head.place.as_ref().map(|p| p.folder.clone())
}

/// Gives a folder another name, which nothing has; on disk when this returns.
fn rename(from: &Path, to: &Path) -> io::Result<()> {
    match OnDisk.rename(from, to) {
        // A folder that the writer has removed leaves nothing to keep: its draft is in the log.
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(e) => Err(e),
        Ok(()) => [from, to]
            .iter()
            .filter_map(|path| path.parent())
            .try_for_each(|dir| OnDisk.sync(dir)),
    }
}

fn show(shared: &Shared, head: &Head) {
    if let Some(row) = Row::of(head, &shared.agent_of(head).0, false) {
        shared.rows.set(row);
    }
}

fn done(moved: Result<Result<(), String>, tokio::task::JoinError>) -> Reply {
    match moved {
        Ok(Ok(())) => Reply::Done,
        Ok(Err(why)) => Reply::Refused { why, hint: None },
        Err(e) => Reply::Refused {
            why: format!("the move broke off: {e}"),
            hint: None,
        },
    }
}
