//! Deleting is a rename: log first, then the session's folder; both come back the same way.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::shared::Shared;
use crate::domain::ask::Reply;
use crate::domain::row::Row;
use crate::domain::{Head, SessionId};

/// Name under which a session's own folder lies in the trash.
const FOLDER: &str = "folder";

/// Moves a closed session to the trash.
pub(super) async fn into(shared: &Arc<Shared>, id: SessionId, head: Head) -> Reply {
    let (store, from) = (shared.store.clone(), folder(shared, &head));
    let moved = tokio::task::spawn_blocking(move || -> Result<(), String> {
        store.trash(id).map_err(|e| e.to_string())?;
        let kept = store.folder(id).map_err(|e| e.to_string())?;
        match from {
            Some(from) => rename(&from, &kept.join(FOLDER)).map_err(|e| e.to_string()),
            None => Ok(()),
        }
    });
    shared.forget(id);
    show(shared, &head);
    done(moved.await)
}

/// Brings a session back from the trash. Its log is closed and can be opened after.
pub(super) async fn out_of(shared: &Arc<Shared>, id: SessionId, head: &Head) -> Reply {
    let (store, to) = (shared.store.clone(), folder(shared, head));
    let moved = tokio::task::spawn_blocking(move || -> Result<(), String> {
        let kept = store.folder(id).map_err(|e| e.to_string())?;
        if let Some(to) = to.filter(|to| !to.exists() && kept.join(FOLDER).exists()) {
            if let Some(parent) = to.parent() {
                std::fs::create_dir_all(parent).map_err(|e| e.to_string())?;
            }
            rename(&kept.join(FOLDER), &to).map_err(|e| e.to_string())?;
        }
        store.untrash(id).map_err(|e| e.to_string())
    });
    done(moved.await)
}

fn folder(shared: &Shared, head: &Head) -> Option<PathBuf> {
    head.place
        .as_ref()
        .map(|p| shared.workspace.root().join(&p.folder))
}

fn rename(from: &Path, to: &Path) -> io::Result<()> {
    match std::fs::rename(from, to) {
        // A folder that the writer has removed leaves nothing to keep: its draft is in the log.
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
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
