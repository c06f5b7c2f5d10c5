//! Changes of what collections say of themselves, taken back and made again: each is a step forward in the log.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::super::session::{SITTING, blocking};
use super::super::shared::{Shared, now};
use super::{book, put, shelf};
use crate::config::{Collection, Drawer, collection};
use crate::domain::ask::{Refiled, Reply, Which};
use crate::domain::drawer::{Binder, Changed, Filed};
use crate::domain::{Change, CollectionId, Seq};
use crate::log::Book;

/// What is left to do where something else was changed since.
const AGAIN: &str = "Ask again for what is the newest there, or change it by hand.";
/// The way out where the file says something else by now: what is undone next, and what is done again next.
const BY_HAND: [&str; 2] = [
    "Change it by hand; the next undo goes on to what was done before it.",
    "Change it by hand; the next redo goes on to what was undone before it.",
];

/// One collection of a step.
struct Part<'a> {
    shelf: &'a Collection,
    filed: Filed,
}

impl Part<'_> {
    /// What its file is to say.
    fn to(&self, again: bool) -> &Change {
        let Changed { to, was, .. } = &self.filed.says;
        if again { to } else { was }
    }

    /// What its file says, if nobody has changed that since.
    fn from(&self, again: bool) -> &Change {
        self.to(!again)
    }

    /// It cannot be taken back any more, which is said once: what was done before it is not kept by that.
    fn pass_over(&self, shared: &Shared) {
        let book = Book::Collection(self.shelf.id.clone());
        shared.desks.pass_over(&book, self.filed.seq);
    }
}

/// Undoes a change of a collection, or makes it again.
pub(super) async fn asked(
    shared: &Arc<Shared>,
    id: CollectionId,
    which: Which,
    again: bool,
) -> Result<Reply, String> {
    let _one = shared.life.one.filing.lock().await;
    let shared = shared.clone();
    blocking(move || {
        let drawer = shared.look_at_drawer();
        let reply = back(&shared, &drawer, &id, which, again);
        Ok::<_, String>(reply.unwrap_or_else(|no| no))
    })
    .await
}

fn back(
    shared: &Shared,
    drawer: &Drawer,
    id: &CollectionId,
    which: Which,
    again: bool,
) -> Result<Reply, Reply> {
    let broken = |why: String| Reply::refused(why, super::NOTHING);
    let own = shelf(drawer, id).map_err(broken)?;
    let binder = book::binder(shared, id).map_err(broken)?;
    let own = Part {
        filed: meant(shared, &binder, own, (which, again))?,
        shelf: own,
    };
    let mut refiled = Refiled {
        collection: id.clone(),
        deed: own.filed.seq,
        at: own.filed.ts,
        to: own.to(again).clone(),
        again,
        asked: false,
    };
    let parts = step(shared, drawer, own, again)?;
    let old = refiled.at < now() - SITTING;
    let gives = || parts.iter().any(|p| gives(p.shelf, p.to(again)));
    refiled.asked = which.is_asked(old || gives());
    if !refiled.asked {
        for part in parts {
            let deed = carry(shared, &part, again).map_err(broken)?;
            if part.shelf.id == *id {
                refiled.deed = deed;
            }
        }
    }
    Ok(Reply::Refiled(Box::new(refiled)))
}

/// The change that is meant, where nothing of its kind came after it.
fn meant(
    shared: &Shared,
    binder: &Binder,
    shelf: &Collection,
    (which, again): (Which, bool),
) -> Result<Filed, Reply> {
    let title = &shelf.title;
    let passed = shared.desks.passed(&Book::Collection(shelf.id.clone()));
    let (all, word) = if again {
        (&binder.undone, "do again")
    } else {
        (&binder.changes, "undo")
    };
    let Some(newest) = newest(all, &passed) else {
        let (why, hint) = (format!("There is nothing to {word} in “{title}”."), None);
        return Err(Reply::Refused { why, hint });
    };
    let Some(only) = which.only else {
        return Ok(newest.clone());
    };
    let Some(filed) = all.iter().find(|f| f.seq == only) else {
        let why = format!(
            "That change of “{title}” is not there any more to {word}; nothing was changed."
        );
        return Err(Reply::refused(why, AGAIN));
    };
    if is_newest(all, filed) {
        return Ok(filed.clone());
    }
    let what = filed.says.to.what();
    let why = format!("{what} was changed once more in “{title}” since; nothing was changed now.");
    Err(Reply::refused(why, AGAIN))
}

/// The newest that is not passed over. What was done before one that is, and is of its kind, cannot be taken back either.
fn newest<'a>(all: &'a [Filed], passed: &BTreeSet<Seq>) -> Option<&'a Filed> {
    let mut left: Vec<&Change> = Vec::new();
    all.iter().rev().find(|filed| {
        let to = &filed.says.to;
        let stays = passed.contains(&filed.seq) || left.iter().any(|one| one.is_kin(to));
        if stays {
            left.push(to);
        }
        !stays
    })
}

/// Whether nothing of the same kind came after it.
fn is_newest(all: &[Filed], filed: &Filed) -> bool {
    let newest = all.iter().rfind(|f| f.says.to.is_kin(&filed.says.to));
    newest.is_some_and(|f| f.seq == filed.seq)
}

/// All that was changed in the same step, each as it was left.
fn step<'a>(
    shared: &Shared,
    drawer: &'a Drawer,
    own: Part<'a>,
    again: bool,
) -> Result<Vec<Part<'a>>, Reply> {
    let says = own.filed.says.clone();
    let mut parts = vec![own];
    let of_step = |f: &&Filed| f.says.to.is_kin(&says.to);
    for id in &says.with {
        // One that is gone has no place in the drawer.
        let Some(shelf) = drawer.get(id) else {
            continue;
        };
        if parts.iter().any(|p| p.shelf.id == *id) {
            continue;
        }
        let binder = book::binder(shared, id).map_err(|why| Reply::refused(why, super::NOTHING))?;
        let all = if again { binder.undone } else { binder.changes };
        let newest = all
            .iter()
            .rfind(of_step)
            .filter(|f| f.says.with == says.with);
        let Some(filed) = newest.cloned() else {
            // By way of that one it may still be taken back, when what came after it is.
            if let Some(own) = parts.first() {
                own.pass_over(shared);
            }
            return Err(overtaken(shelf, &says.to, again));
        };
        parts.push(Part { shelf, filed });
    }
    let Some(part) = parts.iter().find(|p| !p.shelf.is_as(p.from(again))) else {
        return Ok(parts);
    };
    for part in &parts {
        part.pass_over(shared);
    }
    Err(overtaken(part.shelf, &part.filed.says.to, again))
}

fn overtaken(shelf: &Collection, change: &Change, again: bool) -> Reply {
    let (what, title, file) = (change.what(), &shelf.title, collection::FILE);
    let why = format!("{what} was changed in the {file} of “{title}” since.");
    let [undo, redo] = BY_HAND;
    Reply::refused(why, if again { redo } else { undo })
}

/// Whether agents may do more by it than now.
fn gives(shelf: &Collection, change: &Change) -> bool {
    match change {
        Change::Allow(what) => what.iter().any(|w| !shelf.rights.allow.contains(w)),
        _ => false,
    }
}

/// Changes the file, and says so in the log. Gives the number by which that is done the other way round.
fn carry(shared: &Shared, part: &Part<'_>, again: bool) -> Result<Seq, String> {
    let (id, seq) = (&part.shelf.id, part.filed.seq);
    put(shared, part.shelf, part.to(again))?;
    if again {
        return book::changed(shared, id, part.filed.says.clone());
    }
    book::undone(shared, id, seq)?;
    Ok(seq)
}
