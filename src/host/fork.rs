//! Variants: a session as of one of its events, with an id, a log, a folder and a draft of its own.
//!
//! The parent is read, never written, waited for or paused; only what was typed into it, or changed in its file by
//! another program, becomes a version there first when the variant is made as of now.

use std::path::{Component, Path};
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use tokio::sync::{mpsc, oneshot};

use super::create::{first_prompt, no_prompt};
use super::session::{Msg, blocking};
use super::shared::Shared;
use crate::config::collection::one_line;
use crate::domain::ask::{Reply, Request};
use crate::domain::{CollectionId, Head, Kind, Seq, SessionId};
use crate::drafts::{abandoned, file, folder};
use crate::log::{Listed, OnDamage, Variant};
use crate::text::{self, hash::sha256};

/// Longest part of a folder's name that names the variant, in bytes.
pub(super) const NAME_MAX: usize = 60;
/// Longest part that names the piece: a writer may have given the folder any name.
const PIECE_MAX: usize = 120;
/// What parts them.
pub(super) const PART: char = '~';
/// What a variant without a name is called.
pub(super) const NAMELESS: &str = "variant";
/// How long the parent may take to make what was typed a version: long texts are merged meanwhile, and a slow disk has
/// to take them.
const PATIENCE: Duration = Duration::from_secs(20);

/// What a variant is made from.
struct Fork {
    session: SessionId,
    at: Option<Seq>,
    title: Option<String>,
    prompt: Option<String>,
}

/// Where it lies.
struct Home {
    collection: CollectionId,
    folder: String,
}

/// Makes a variant as a window asks for it.
pub(super) async fn asked(shared: &Arc<Shared>, request: Request) -> Reply {
    let Request::Fork {
        session,
        at,
        title,
        prompt,
    } = request
    else {
        let why = "That is no fork.".to_owned();
        return Reply::Refused { why, hint: None };
    };
    let fork = Fork {
        session,
        at,
        title,
        prompt,
    };
    variant(shared, fork).await
}

/// Makes a variant, and sends its first prompt when there is one.
async fn variant(shared: &Arc<Shared>, fork: Fork) -> Reply {
    if let Some(no) = no_prompt(fork.prompt.as_deref()) {
        return no;
    }
    match make(shared, &fork).await {
        Err(why) => Reply::Refused { why, hint: None },
        Ok(session) => match fork.prompt {
            None => Reply::Created { session },
            Some(text) => first_prompt(shared, session, text).await,
        },
    }
}

async fn make(shared: &Arc<Shared>, fork: &Fork) -> Result<SessionId, String> {
    let parent = head_of(shared, fork.session).await?;
    let missed = match fork.at {
        None => settle(shared, &parent).await.err(),
        Some(_) => None,
    };
    let id = SessionId::new(uuid::Uuid::now_v7());
    let title = fork.title.as_deref().map(one_line);
    let title = title.filter(|title| !title.is_empty());
    let home = home(shared, parent.head, fork, title.as_deref(), id).await?;
    let path = shared.workspace.root().join(&home.folder);
    let variant = Variant {
        id,
        title,
        collection: home.collection,
        folder: home.folder,
    };
    let (store, from, at) = (shared.store.clone(), fork.session, fork.at);
    let made = move |sink| store.fork(from, at, variant, sink);
    match shared.take_in(id, made).await {
        Ok(mailbox) => {
            begin(&mailbox, id, missed).await;
            Ok(id)
        }
        Err(why) => {
            // Nothing but its mark lies in it; what cannot be removed now is removed by the next host.
            drop(blocking(move || abandoned::remove(&path, id)).await);
            Err(why)
        }
    }
}

async fn head_of(shared: &Shared, id: SessionId) -> Result<Listed, String> {
    let store = shared.store.clone();
    blocking(move || store.head(id)).await
}

/// Has the parent make a version of what was typed, and of what another program wrote, where there is any of it.
async fn settle(shared: &Arc<Shared>, parent: &Listed) -> Result<(), String> {
    if parent.in_trash {
        return Ok(());
    }
    let id = parent.id;
    if shared.open_mailbox(id).await.is_none() && !is_changed(shared, &parent.head).await {
        return Ok(());
    }
    let mailbox = shared.mailbox(id, OnDamage::Refuse).await?;
    let settled = ask(&mailbox, Request::Settle { session: id });
    match tokio::time::timeout(PATIENCE, settled).await {
        Ok(Some(Reply::Refused { why, .. })) => Err(why),
        // One that closes in this moment has made it a version by itself.
        Ok(_) => Ok(()),
        Err(_) => Err("it was busy with its draft.".to_owned()),
    }
}

/// Whether another text than the newest version stands in the session's folder.
async fn is_changed(shared: &Shared, head: &Head) -> bool {
    let Some(place) = &head.place else {
        return false;
    };
    let path = shared.workspace.root().join(&place.folder);
    let known = head.draft.as_ref().map(|d| d.sha256.clone());
    let changed = blocking(move || {
        let text = file::read(&path)?;
        Ok::<_, std::io::Error>(text.is_some_and(|text| Some(sha256(&text)) != known))
    });
    // What cannot be read is for the parent's actor to say.
    changed.await.unwrap_or(true)
}

async fn ask(mailbox: &mpsc::Sender<Msg>, request: Request) -> Option<Reply> {
    let (tx, rx) = oneshot::channel();
    // An actor that ends in this moment drops the sender: the wait ends at once.
    drop(mailbox.send(Msg::Ask(request, tx)).await);
    rx.await.ok()
}

/// Waits until the variant has its draft in its file, and says what it has not.
async fn begin(mailbox: &mpsc::Sender<Msg>, session: SessionId, missed: Option<String>) {
    if let Some(why) = missed {
        let text = format!(
            "What was typed last in the parent, or changed in its draft.md, may be missing here: {why}"
        );
        let (tx, rx) = oneshot::channel();
        let kind = Kind::Note { turn: None, text };
        drop(mailbox.send(Msg::Log(kind, tx)).await);
        drop(rx.await);
    }
    // On a disk that takes nothing more its log is whole all the same, and it says so itself.
    drop(ask(mailbox, Request::Settle { session }).await);
}

/// Makes the variant's folder beside its parent's.
async fn home(
    shared: &Arc<Shared>,
    parent: Head,
    fork: &Fork,
    title: Option<&str>,
    id: SessionId,
) -> Result<Home, String> {
    let name = title.or(fork.prompt.as_deref().and_then(first_line));
    let slug = text::slug(name.unwrap_or(NAMELESS), NAME_MAX);
    let (shared, from) = (shared.clone(), fork.session);
    let making = move || {
        let place = parent.place.ok_or("its log does not say where it lies")?;
        let root = shared.workspace.root();
        let found = folder::whereabouts(root, from, &place.folder);
        let at = found.unwrap_or_else(|| place.folder.clone());
        let collection = if at == place.folder {
            place.collection
        } else {
            shared.collection_at(&at)
        };
        let dir = dir_of(&at).map_or_else(|| shelf(&shared, &collection), str::to_owned);
        let name = format!("{}{PART}{slug}", piece(&at));
        let made = folder::make(root, &dir, &name, id);
        let folder = made.map_err(|e| format!("{}: {e}", root.join(&dir).display()))?;
        Ok::<_, String>(Home { collection, folder })
    };
    let made = blocking(making).await;
    made.map_err(|why| format!("No folder could be made for the variant: {why}."))
}

pub(super) fn first_line(prompt: &str) -> Option<&str> {
    prompt.lines().map(str::trim).find(|line| !line.is_empty())
}

/// The folder that a session's folder lies in; none where a log names a place that is not in the workspace.
pub(super) fn dir_of(folder: &str) -> Option<&str> {
    let inner = Path::new(folder)
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    let (dir, _) = folder.trim_end_matches('/').rsplit_once('/')?;
    Some(dir).filter(|_| inner)
}

/// The folder of a collection.
fn shelf(shared: &Shared, collection: &CollectionId) -> String {
    let drawer = shared.look_at_drawer();
    let found = drawer.get(collection).map(|c| c.folder.clone());
    found.unwrap_or_else(|| collection.to_string())
}

/// The part of a folder's name that names the piece.
pub(super) fn piece(folder: &str) -> String {
    let name = folder.trim_end_matches('/').rsplit('/').next();
    let name = name.unwrap_or_default();
    let piece = match name.split_once(PART) {
        Some((piece, _)) if !piece.is_empty() => piece,
        _ => name,
    };
    let mut short = String::new();
    for c in piece.chars() {
        if short.len() + c.len_utf8() > PIECE_MAX {
            break;
        }
        short.push(c);
    }
    short
}

/// Removes folders of variants that never came to be: their host died before their logs had a name.
pub(super) fn sweep(shared: &Shared) {
    let since = u64::try_from(shared.life.since).unwrap_or_default();
    let begun = UNIX_EPOCH + Duration::from_millis(since);
    let is_known = |id| shared.store.has(id);
    abandoned::sweep(shared.workspace.root(), PART, begun, is_known);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variant_lies_beside_its_parent_and_is_named_after_the_piece() {
        assert_eq!(dir_of("essays/03-session"), Some("essays"));
        assert_eq!(dir_of("a/b/c"), Some("a/b"));
        assert_eq!(piece("essays/03-session"), "03-session");
        assert_eq!(piece("essays/03-session~first-person"), "03-session");
        assert_eq!(piece("essays/~"), "~");
        assert!(piece(&format!("essays/{}", "é".repeat(200))).len() <= PIECE_MAX);
    }

    #[test]
    fn a_place_outside_the_workspace_is_no_place_beside() {
        for folder in ["../other", "/etc/x", "essays/../../x", "alone", ""] {
            assert_eq!(dir_of(folder), None, "{folder}");
        }
    }

    #[test]
    fn a_variant_without_a_title_is_named_by_its_prompt() {
        assert_eq!(first_line("\n  Third person.\nNow."), Some("Third person."));
        assert_eq!(first_line(" \n"), None);
    }
}
