//! The one that waits for what the system tells, and lets look whoever it is about.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};

use super::of::Of;
use super::{PATIENCE, QUIET, SLOW, lock, said};
use crate::config::Collection;
use crate::domain::SessionId;
use crate::drafts::folder;
use crate::host::session::Msg;
use crate::host::shared::Shared;
use crate::log::OnDamage;

/// Waits for hints and lets the sessions look, for as long as the host lives.
pub(in crate::host) async fn run(shared: Arc<Shared>) {
    let Some(mut hints) = lock(&shared.watch.folders).hints.take() else {
        return;
    };
    loop {
        let slow = shared.watch.slow();
        let heard = if slow.is_some() {
            timeout(SLOW, hints.recv()).await.ok()
        } else {
            Some(hints.recv().await)
        };
        shared
            .rows
            .banner("watch", slow.map_or_else(String::new, |why| said(&why)));
        let looks = match heard {
            None => shared.watch.changed(),
            Some(None) => return,
            // Nobody's file, as the word that this host gives with each beat: not worth waiting for what follows it.
            Some(Some(first)) if shared.watch.about(&first).is_empty() => continue,
            Some(Some(first)) => shared.watch.about(&settled(first, &mut hints).await),
        };
        look(&shared, looks).await;
    }
}

/// Lets look whoever something is told of: the drawer first, since with a folder of it sessions may have moved.
async fn look(shared: &Arc<Shared>, looks: HashSet<Of>) {
    if looks.iter().any(Of::is_of_host) {
        shared.watch.door.news.notify_one();
    }
    let session = |of: &Of| match of {
        Of::Session(session) => Some(*session),
        _ => None,
    };
    let mut sessions: HashSet<SessionId> = looks.iter().filter_map(session).collect();
    let drawer: Vec<Of> = looks
        .into_iter()
        .filter(|of| matches!(of, Of::Drawer(_) | Of::Root))
        .collect();
    if !drawer.is_empty() {
        look_at_drawer(shared, drawer).await;
        sessions.extend(astray(shared).await);
        if shared.life.closing.is_cancelled() {
            return;
        }
        // Those whose folder was nowhere are not watched, and may be back.
        for mailbox in shared.open_mailboxes().await {
            send_look(mailbox);
        }
    }
    for session in sessions {
        nudge(shared, session).await;
    }
}

/// The sessions that are only shown and are where they were no more.
async fn astray(shared: &Arc<Shared>) -> Vec<SessionId> {
    let mut astray = Vec::new();
    for (session, path) in shared.watch.sessions() {
        if !folder::is_of(&path, session) && shared.open_mailbox(session).await.is_none() {
            astray.push(session);
        }
    }
    astray
}

/// All hints until it is quiet.
async fn settled(
    first: Vec<PathBuf>,
    hints: &mut mpsc::UnboundedReceiver<Vec<PathBuf>>,
) -> Vec<PathBuf> {
    let (mut paths, mut lost) = (HashSet::new(), first.is_empty());
    paths.extend(first);
    let patience = sleep(PATIENCE);
    tokio::pin!(patience);
    loop {
        tokio::select! {
            more = timeout(QUIET, hints.recv()) => match more {
                Ok(Some(more)) => {
                    lost |= more.is_empty();
                    paths.extend(more);
                }
                Ok(None) | Err(_) => break,
            },
            () = &mut patience => break,
        }
    }
    if lost {
        Vec::new()
    } else {
        paths.into_iter().collect()
    }
}

/// Looks at which collections there are and what the writer has set for them, at the memory of those that changed, and
/// at the writer's voice.
async fn look_at_drawer(shared: &Arc<Shared>, changed: Vec<Of>) {
    let shared = shared.clone();
    let look = move || {
        let drawer = shared.look_at_drawer();
        let root = shared.workspace.root();
        if changed.contains(&Of::Root) {
            shared.tell_voice();
            shared.look_at_memory(None);
        }
        let is_changed = |c: &&Collection| changed.contains(&Of::Drawer(root.join(&c.folder)));
        for collection in drawer.collections.iter().filter(is_changed) {
            shared.look_at_memory(Some(collection));
        }
        // Rules of the workspace are in the brief of each.
        let all = changed.contains(&Of::Root);
        let of_brief = |c: &&Collection| all || is_changed(c);
        for collection in drawer.collections.iter().filter(of_brief) {
            shared.look_at_brief(collection);
        }
    };
    // It never fails; a panic there is told by the runtime.
    drop(tokio::task::spawn_blocking(look).await);
}

/// Lets a session look at its draft. One that is only shown is opened for that.
async fn nudge(shared: &Arc<Shared>, session: SessionId) {
    if shared.access.is_reading() || shared.life.closing.is_cancelled() {
        return;
    }
    if let Some(mailbox) = shared.open_mailbox(session).await {
        send_look(mailbox);
    } else if let Err(why) = shared.mailbox(session, OnDamage::Refuse).await {
        tracing::warn!("session {session} could not be opened: {why}");
    }
}

fn send_look(mailbox: mpsc::Sender<Msg>) {
    // A session that closes meanwhile looks when it is opened again.
    tokio::spawn(async move { drop(mailbox.send(Msg::Look).await) });
}
