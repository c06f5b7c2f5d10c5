//! Variants: a session as of one of its events, with an id, a log, a folder and a draft of its own.
//!
//! The parent is read, never written, waited for or paused; only what was typed into it, or changed in its file by
//! another program, becomes a version there first when the variant is made as of now.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use tokio::sync::{mpsc, oneshot};

use super::called;
use super::create::{first_prompt, no_prompt};
use super::session::{Msg, blocking};
use super::shared::Shared;
use crate::config::collection::one_line;
use crate::domain::ask::{NewVariant, Reply, Request};
use crate::domain::kin::NAMELESS;
use crate::domain::{CollectionId, Head, Kind, Seq, SessionId};
use crate::drafts::{abandoned, file, folder};
use crate::log::{Listed, LogError, OnDamage, Sink, Store, Variant, Writer};
use crate::text::{self, hash::sha256};

/// Longest part of a folder's name that names the variant, in bytes.
pub(super) const NAME_MAX: usize = 60;
/// Longest part that names the piece: a writer may have given the folder any name.
const PIECE_MAX: usize = 120;
/// What parts them.
pub const PART: char = '~';
/// How long the parent may take to make what was typed a version: long texts are merged meanwhile, and a slow disk has
/// to take them.
const PATIENCE: Duration = Duration::from_secs(20);
/// By how many milliseconds the time of a file may lag behind the clock: Linux stamps files with the time of its last
/// tick, of which there are a hundred in a second or more.
const TICK_MS: i64 = 20;

/// Where it lies.
struct Home {
    collection: CollectionId,
    folder: String,
    /// Its parent's folder.
    of: String,
}

/// Makes a variant, and sends its first prompt when there is one.
pub(super) async fn variant(shared: &Arc<Shared>, fork: NewVariant) -> Reply {
    if let Some(no) = no_prompt(fork.prompt.as_deref()) {
        return no;
    }
    match make(shared, &fork).await {
        Err(why) => Reply::Refused { why, hint: None },
        Ok((session, said)) => {
            let made = match fork.prompt {
                None => Reply::Created { session },
                Some(text) => first_prompt(shared, session, text).await,
            };
            lacking(made, said)
        }
    }
}

/// The answer, with what the variant lacks.
fn lacking(made: Reply, said: Vec<String>) -> Reply {
    match made {
        Reply::Created { session } if !said.is_empty() => Reply::Lacking { session, said },
        Reply::Unprompted {
            session,
            prompt,
            why,
            hint,
        } => Reply::Unprompted {
            session,
            prompt,
            why: [vec![why], said].concat().join(" "),
            hint,
        },
        made => made,
    }
}

/// Gives back what the variant lacks, too.
async fn make(shared: &Arc<Shared>, fork: &NewVariant) -> Result<(SessionId, Vec<String>), String> {
    let parent = head_of(shared, fork.session).await?;
    let missed = match fork.at {
        None => settle(shared, &parent).await.err(),
        Some(_) => None,
    };
    let id = SessionId::new(uuid::Uuid::now_v7());
    let title = fork.title.as_deref().map(one_line);
    let title = title.filter(|title| !title.is_empty());
    let family = parent.head.kin.family_of(fork.session);
    let title = match title {
        Some(title) => Some(called::unlike(shared, family, title).await),
        None => None,
    };
    let home = home(shared, parent.head, fork, title.as_deref(), id).await?;
    let path = shared.workspace.root().join(&home.folder);
    let variant = Variant {
        id,
        title,
        collection: home.collection,
        folder: home.folder,
    };
    let (store, from, dir) = (shared.store.clone(), (fork.session, fork.at), path.clone());
    let like = shared.workspace.root().join(home.of);
    let (tx, told) = oneshot::channel();
    let making = move |sink| {
        let (made, told) = on_disk(&store, from, variant, [&dir, &like], sink)?;
        drop(tx.send(told));
        Ok(made)
    };
    match shared.take_in(id, making).await {
        Ok(mailbox) => {
            let told = told.await.unwrap_or_default();
            let mut said = told.unread;
            if told.torn > 0 && shared.open_mailbox(fork.session).await.is_none() {
                said.push(torn(told.torn));
            }
            said.extend(begin(&mailbox, id, missed).await);
            said.extend(without_draft(path, told.drafted).await);
            Ok((id, said))
        }
        Err(why) => {
            // Nothing but its mark lies in it; what cannot be removed now is removed by the next host.
            drop(blocking(move || abandoned::remove(&path, id)).await);
            Err(why)
        }
    }
}

/// What is known of a variant when it is made.
#[derive(Default)]
struct Told {
    unread: Vec<String>,
    torn: u64,
    /// Whether it has a draft.
    drafted: bool,
}

/// Makes the log, and the draft in the folder: first its bytes, so that a disk without room for them refuses it all,
/// and its name when the log has one. `like` is its parent's folder.
fn on_disk(
    store: &Store,
    from: (SessionId, Option<Seq>),
    variant: Variant,
    [dir, like]: [&Path; 2],
    sink: Sink,
) -> Result<((Writer, Head), Told), LogError> {
    let mut staged = None;
    let stage = |text: &[u8]| {
        staged = Some(file::stage(dir, text, like)?);
        Ok(())
    };
    let made = store.fork_with(from, variant, stage, sink)?;
    if let Some(Err(e)) = staged.map(|staged| staged.name(dir)) {
        // The actor of the variant writes it then.
        tracing::warn!("the draft in {} got no name: {e}", dir.display());
    }
    let told = Told {
        unread: made.unread,
        torn: made.torn,
        drafted: made.head.draft.is_some(),
    };
    Ok(((made.writer, made.head), told))
}

fn torn(bytes: u64) -> String {
    let bytes = text::counted(bytes, "byte");
    format!(
        "Not all of the parent can be read. The last line of its log, {bytes}, is unfinished; nothing was deleted."
    )
}

/// What is said where the draft did not come into the folder.
async fn without_draft(path: PathBuf, drafted: bool) -> Option<String> {
    let at = file::path(&path);
    let looking = move || Ok::<_, String>(file::stamp(&path).is_some());
    let there = !drafted || blocking(looking).await.unwrap_or(true);
    (!there).then(|| {
        format!(
            "{} could not be written. Its words are kept, and come into the file when the disk takes them and the session is opened next.",
            at.display()
        )
    })
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

/// Waits until the variant has its draft in its file. Gives what is to be said of it.
async fn begin(
    mailbox: &mpsc::Sender<Msg>,
    session: SessionId,
    missed: Option<String>,
) -> Vec<String> {
    let mut said = Vec::new();
    if let Some(why) = missed {
        let text = format!(
            "What was typed last in the parent, or changed in its draft.md, may be missing here: {why}"
        );
        said.push(text.clone());
        let (tx, rx) = oneshot::channel();
        let kind = Kind::Note { turn: None, text };
        drop(mailbox.send(Msg::Log(kind, tx)).await);
        drop(rx.await);
    }
    if let Some(Reply::Refused { why, .. }) = ask(mailbox, Request::Settle { session }).await {
        // The log is whole all the same: what comes behind waits for the disk.
        said.push(why);
    }
    said
}

/// Makes the variant's folder beside its parent's.
async fn home(
    shared: &Arc<Shared>,
    parent: Head,
    fork: &NewVariant,
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
        Ok::<_, String>(Home {
            collection,
            folder,
            of: at,
        })
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
    let before = earlier(shared.life.since);
    let millis = u64::try_from(before).unwrap_or_default();
    let made = UNIX_EPOCH + Duration::from_millis(millis);
    let is_known = |id| shared.store.has(id);
    abandoned::sweep(shared.workspace.root(), PART, made, is_known);
    shared.store.sweep_hollow(before);
}

/// Folders made before this are not this host's, which began at `since`; both in milliseconds since 1970.
const fn earlier(since: i64) -> i64 {
    since - TICK_MS
}

/// Whether a session's folder is there without the draft that its log has: its host died in between.
pub(super) fn lacks_draft(shared: &Shared, head: &Head) -> bool {
    let (Some(id), Some(place), Some(_)) = (head.id, &head.place, &head.draft) else {
        return false;
    };
    let path = shared.workspace.root().join(&place.folder);
    file::stamp(&path).is_none() && folder::is_of(&path, id)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
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
    fn a_folder_made_right_behind_the_beginning_of_a_host_is_not_taken_for_one_that_was_left() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path(), &dir.path().join("cache")).unwrap();
        for n in 0..100 {
            let since = jiff::Timestamp::now().as_millisecond();
            let id = SessionId::new(uuid::Uuid::from_u128(n));
            let folder = dir.path().join(format!(".fascicle/sessions/inbox/{id}"));
            std::fs::create_dir_all(&folder).unwrap();
            store.sweep_hollow(earlier(since));
            assert!(folder.is_dir(), "{n}");
        }
    }

    #[test]
    fn a_variant_without_a_title_is_named_by_its_prompt() {
        assert_eq!(first_line("\n  Third person.\nNow."), Some("Third person."));
        assert_eq!(first_line(" \n"), None);
    }
}
