//! Deleting is a rename: log first, then the session's folder; both come back the same way.

use std::io;
use std::path::Path;
use std::sync::Arc;

use tokio::sync::oneshot;

use super::session::{Alone, Msg};
use super::shared::Shared;
use super::{Host, adopt, refused};
use crate::domain::ask::{Deed, Reply, Request};
use crate::domain::row::Row;
use crate::domain::{Head, Kind, SessionId};
use crate::drafts::folder;
use crate::drafts::swap::{Names, OnDisk};
use crate::log::{Listed, OnDamage, Store};

/// Name under which a session's own folder lies in the trash.
const FOLDER: &str = "folder";

/// Moves a closed session to the trash.
pub(super) async fn into(shared: &Arc<Shared>, id: SessionId, head: Head, one: Alone) -> Reply {
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
    let reply = done(moved.await);
    drop(one);
    reply
}

/// Moves the folders that a crash left behind after their logs, which are in the trash.
pub(super) fn follow(shared: &Shared, listed: &[Listed]) {
    let root = shared.workspace.root();
    for log in listed.iter().filter(|l| l.in_trash) {
        let own = place(&log.head).filter(|at| folder::is_of(&root.join(at), log.id));
        let (Some(from), Ok(kept)) = (own, shared.store.folder(log.id)) else {
            continue;
        };
        let to = kept.join(FOLDER);
        if to.symlink_metadata().is_err()
            && let Err(why) = rename(&root.join(&from), &to)
        {
            tracing::warn!("{from} is not in the trash with its log: {why}");
        }
    }
}

impl Host {
    /// Brings a session out of the trash when the request is to restore it or to undo its deletion.
    pub(super) async fn out_of_trash(
        &self,
        session: SessionId,
        request: &Request,
    ) -> Option<Reply> {
        if self.0.open_mailbox(session).await.is_some() {
            return None;
        }
        let listed = match self.read(move |store| store.head(session)).await {
            Ok(listed) => listed,
            Err(why) => return Some(refused(why)),
        };
        if !listed.in_trash {
            return None;
        }
        if !matches!(
            request,
            Request::Do {
                deed: Deed::Restore | Deed::Undo(_),
                ..
            }
        ) {
            let why = "This session is in the trash.";
            return Some(Reply::refused(why, "`fascicle restore` brings it back."));
        }
        match out_of(&self.0, session, &listed.head).await {
            Reply::Done => {}
            other => return Some(other),
        }
        let kind = Kind::Untrashed;
        match self.0.mailbox(session, OnDamage::Refuse).await {
            Ok(mailbox) => {
                let (tx, rx) = oneshot::channel();
                drop(mailbox.send(Msg::Log(kind, tx)).await);
                Some(rx.await.unwrap_or(Reply::Done))
            }
            Err(why) => Some(refused(why)),
        }
    }
}

/// Brings a session back from the trash. Its log is closed and can be opened after. Where its folder's name is another
/// one's by now it gets the one that it has beside the main line, else a number; the session finds it there, and says so.
async fn out_of(shared: &Arc<Shared>, id: SessionId, head: &Head) -> Reply {
    let (at_work, head) = (shared.clone(), head.clone());
    let work = async move {
        let _one = at_work.life.one.adopting.lock().await;
        let names = match place(&head) {
            Some(place) => adopt::for_one_back(&at_work, id, &head, &place).await,
            None => Vec::new(),
        };
        let (store, root) = (at_work.store.clone(), at_work.workspace.root().to_owned());
        done(tokio::task::spawn_blocking(move || back(&store, &root, id, &names)).await)
    };
    // Goes on though the window that asked for it leaves: somebody else's folder may get another name with it.
    let done = shared.life.actors.spawn(work).await;
    done.unwrap_or_else(|e| refused(format!("the work broke off: {e}")))
}

/// Puts the folder of a session where it gets the first of these names that is free, and its log among the others.
fn back(store: &Store, root: &Path, id: SessionId, names: &[String]) -> Result<(), String> {
    let kept = store.folder(id).map_err(|e| e.to_string())?.join(FOLDER);
    if let Some(first) = names.first().filter(|_| kept.exists()) {
        let is_free = |at: &&String| root.join(at).symlink_metadata().is_err();
        let free = names.iter().find(is_free).cloned();
        let to = root.join(free.unwrap_or_else(|| folder::free(root, first)));
        if let Some(parent) = to.parent() {
            std::fs::create_dir_all(parent).map_err(|e| e.to_string())?;
        }
        rename(&kept, &to).map_err(|e| e.to_string())?;
    }
    store.untrash(id).map_err(|e| e.to_string())
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
