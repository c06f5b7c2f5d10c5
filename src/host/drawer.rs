//! Deeds on collections: what they say of themselves, what lies in them, what becomes one.
//!
//! The file of a collection is the truth for what it says: it is changed first, then the deed is logged, so that an
//! undo never brings back what was never there.

mod back;
mod book;
mod entry;
mod files;
mod former;
mod gather;
mod leftover;
mod moving;
mod stage;

use std::sync::Arc;

use super::create;
use super::session::blocking;
use super::shared::Shared;
use crate::config::collection::{self, one_line};
use crate::config::{Collection, Drawer, setting};
use crate::domain::ask::{DrawerDeed, Reply};
use crate::domain::drawer::Changed;
use crate::domain::{Change, CollectionId, Piece};
use crate::text;

pub(super) use leftover::tidy;
pub(super) use moving::{go_back, into, landed};
pub(super) use stage::{Over, of as stage_of, overtaken as stage_stays, set as set_stage};

/// What a collection is, in the writer's words.
const PROFILE: &str = "PROFILE.md";
/// Bytes of it that a page shows at most.
const PROFILE_MAX: usize = 2_048;
/// What is left to do when something was refused.
const NOTHING: &str = "Nothing was changed.";

/// Makes a collection.
pub(super) async fn collection(shared: &Arc<Shared>, title: String) -> Reply {
    let at_work = shared.clone();
    let made = move || Ok::<_, String>(create::collection(&at_work, &title));
    let made = blocking(made).await;
    made.unwrap_or_else(|why| Reply::refused(why, NOTHING))
}

/// Does a deed.
pub(super) async fn asked(shared: &Arc<Shared>, deed: DrawerDeed) -> Reply {
    let done = match deed {
        DrawerDeed::Change { collection, change } => change_it(shared, &collection, change).await,
        DrawerDeed::Profile { collection } => profile(shared, &collection).await,
        DrawerDeed::Arrange { order, moved } => arrange(shared, order, moved).await,
        DrawerDeed::Undo { collection, which } => {
            back::asked(shared, collection, which, false).await
        }
        DrawerDeed::Redo { collection, which } => {
            back::asked(shared, collection, which, true).await
        }
        DrawerDeed::Move {
            session,
            to,
            alone,
            busy,
        } => return moving::asked(shared, session, to, alone, busy).await,
        DrawerDeed::FromFolder { folder, title } => {
            return gather::asked(shared, folder, title).await;
        }
    };
    done.unwrap_or_else(|why| Reply::refused(why, NOTHING))
}

/// Logs that a collection was made.
pub(super) fn made(shared: &Shared, collection: &CollectionId, title: &str, folder: &str) {
    book::made(shared, collection, title, folder);
}

async fn change_it(
    shared: &Arc<Shared>,
    id: &CollectionId,
    change: Change,
) -> Result<Reply, String> {
    let _one = shared.life.one.filing.lock().await;
    let (shared, id) = (shared.clone(), id.clone());
    blocking(move || {
        let drawer = shared.look_at_drawer();
        let shelf = shelf(&drawer, &id)?;
        let change = checked(&drawer, shelf, change)?;
        entry::lies_here(&shared, &drawer, shelf, &change)?;
        let change = entry::named(&shared, shelf, change);
        if shelf.is_as(&change) {
            return Ok(Reply::Done);
        }
        put(&shared, shelf, &change)?;
        let says = Changed {
            was: shelf.standing(&change),
            to: change,
            with: Vec::new(),
        };
        let deed = book::changed(&shared, &id, says)?;
        Ok::<_, String>(Reply::Filed {
            collection: id,
            deed,
        })
    })
    .await
}

/// Gives each collection its number in the drawer. One whose number stays is left alone.
async fn arrange(
    shared: &Arc<Shared>,
    order: Vec<CollectionId>,
    named: Option<CollectionId>,
) -> Result<Reply, String> {
    let _one = shared.life.one.filing.lock().await;
    let shared = shared.clone();
    blocking(move || {
        let drawer = shared.look_at_drawer();
        let numbered = order.iter().zip(1..);
        let shelves = numbered.filter_map(|(id, n)| Some((drawer.get(id)?, n)));
        let moved: Vec<(&Collection, i64)> = shelves
            .filter(|(shelf, n)| shelf.order != Some(*n))
            .collect();
        let with: Vec<CollectionId> = moved.iter().map(|(shelf, _)| shelf.id.clone()).collect();
        let mut reply = Reply::Done;
        for (shelf, n) in moved {
            let to = Change::Order(Some(n));
            put(&shared, shelf, &to)?;
            let says = Changed {
                was: shelf.standing(&to),
                to,
                with: with.clone(),
            };
            let deed = book::changed(&shared, &shelf.id, says)?;
            // By the one that the writer moved, where its number is another one now.
            let is_named = |reply: &Reply| match reply {
                Reply::Filed { collection, .. } => named.as_ref() == Some(collection),
                _ => false,
            };
            if !is_named(&reply) {
                let collection = shelf.id.clone();
                reply = Reply::Filed { collection, deed };
            }
        }
        Ok::<_, String>(reply)
    })
    .await
}

/// The beginning of its profile; empty where it has none. A link is not followed.
async fn profile(shared: &Arc<Shared>, id: &CollectionId) -> Result<Reply, String> {
    let drawer = shared.drawer_now().await;
    let shelf = shelf(&drawer, id)?;
    let path = shared.workspace.root().join(&shelf.folder).join(PROFILE);
    let read = move || Ok::<_, String>(files::read(&path).unwrap_or_default());
    let whole = blocking(read).await?;
    let text = text::head(&whole, PROFILE_MAX).to_owned();
    Ok(Reply::Text { text })
}

/// Changes the file, and looks at it.
fn put(shared: &Shared, shelf: &Collection, change: &Change) -> Result<(), String> {
    let changes = std::slice::from_ref(change);
    collection::edit(&shared.workspace, shelf, changes).map_err(|e| e.to_string())?;
    shared.look_at_drawer();
    Ok(())
}

/// The change as it is made; the error says why it cannot be.
fn checked(drawer: &Drawer, shelf: &Collection, change: Change) -> Result<Change, String> {
    let line = |text: Option<String>| {
        let line = text.map(|t| one_line(&t));
        line.filter(|t| !t.is_empty())
    };
    let change = match change {
        Change::Title(title) => {
            let title = line(Some(title)).ok_or("A title needs at least one visible character.")?;
            let free = drawer.is_free(&title, Some(&shelf.id));
            free.map_err(|e| e.to_string())?;
            Change::Title(title)
        }
        Change::About(about) => Change::About(line(about)),
        Change::Line(id, text) => Change::Line(id, line(text)),
        Change::Allow(what) if what.iter().any(|w| w != collection::WEB) => {
            return Err(format!(
                "Agents can be allowed {:?} alone.",
                collection::WEB
            ));
        }
        Change::Target(Some(0)) => Change::Target(None),
        Change::Day(Some(0)) => Change::Day(None),
        Change::PieceTarget(id, Some(0)) => Change::PieceTarget(id, None),
        // Pieces come and go with their sessions, by a move.
        Change::In(Piece { .. }, _) | Change::Out(_) => {
            return Err("A piece goes to another collection with its session.".to_owned());
        }
        other => other,
    };
    setting::fits(&change)?;
    Ok(change)
}

fn shelf<'a>(drawer: &'a Drawer, id: &CollectionId) -> Result<&'a Collection, String> {
    let found = drawer.get(id);
    found.ok_or_else(|| format!("There is no collection {id}."))
}
