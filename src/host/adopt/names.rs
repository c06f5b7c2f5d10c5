//! The names of the folders in an adoption.

use std::path::Path;
use std::sync::Arc;

use super::family::{Plan, Where, Who};
use super::pair::Pair;
use super::room;
use crate::domain::kin::{Exchange, FIRST, KEPT};
use crate::domain::{Head, Kind, SessionId};
use crate::drafts::folder;
use crate::drafts::swap::{self, OnDisk, SwapError};
use crate::host::fork::PART;
use crate::host::session::blocking;
use crate::host::shared::Shared;

/// What became of the folders.
pub(super) struct Exchanged {
    /// What was to be done.
    pub(super) exchange: Exchange,
    /// Whether they have their new names.
    pub(super) outcome: Result<(), SwapError>,
    /// Where the main line's folder is now.
    pub(super) main: String,
    /// Where the former one's is, as far as it is open.
    pub(super) was: String,
    /// What is said where the undo of an adoption does not give that one its old place.
    pub(super) said: Option<String>,
}

impl Exchanged {
    /// Whether nothing is left to do: it is done, or only the writer can change that it cannot be.
    pub(super) fn is_over(&self) -> bool {
        !self.outcome.as_ref().is_err_and(SwapError::may_pass)
    }
}

/// What is to be done with the names: the main line gets that of the former one, or keeps its own, and why.
pub(super) async fn wanted(
    shared: &Arc<Shared>,
    plan: &Plan,
    pair: &Pair,
) -> (Exchange, Option<SwapError>) {
    let (folder, unnamed) = if plan.nameless || pair.never_changed(plan.undoes) {
        (pair.main.folder.clone(), None)
    } else {
        match to_get(shared, plan, pair).await {
            (_, Some(taken)) if room::made(shared, &plan.main, &taken).await => {
                to_get(shared, plan, pair).await
            }
            found => found,
        }
    };
    let exchange = Exchange {
        with: plan.was.id,
        folder,
        undoes: plan.undoes,
    };
    (exchange, unnamed)
}

/// The name that the main line's folder is to get; its own, and why, where it cannot.
async fn to_get(shared: &Arc<Shared>, plan: &Plan, pair: &Pair) -> (String, Option<SwapError>) {
    let (root, was) = (shared.workspace.root().to_owned(), plan.was.clone());
    let (own, there) = (
        pair.main.folder.clone(),
        pair.was.as_ref().map(|was| name(&was.head, &was.folder)),
    );
    let looking = move || {
        let to = there
            .or_else(|| left(&root, &was))
            .unwrap_or_else(|| own.clone());
        // It has the piece's name already, whatever came between: the main line keeps that.
        let has_it = pieces(&to).is_some_and(|piece| piece == own);
        let to = if has_it { own.clone() } else { to };
        let can = swap::can(&root, &own, &to, was.id);
        Ok::<_, String>(match can {
            Ok(()) => (to, None),
            Err(e) => (own, Some(e)),
        })
    };
    let found = blocking(looking).await;
    found.unwrap_or_else(|_| (pair.main.folder.clone(), None))
}

/// The name that goes with being the main line: that of the former one's folder. Where that has one of its own, since the
/// one that had the piece's is in the trash or its log is gone, it is the piece's: else two would have each other's names.
pub(super) fn name(head: &Head, at: &str) -> String {
    let own = head.kin.own.as_deref();
    let is_own = match own {
        Some(own) => own == at,
        None => at.ends_with(&format!("{PART}{FIRST}")),
    };
    let piece = pieces(at).filter(|_| is_own);
    piece.unwrap_or_else(|| at.to_owned())
}

/// The piece's name where a folder has that of a variant of it.
fn pieces(at: &str) -> Option<String> {
    let (dir, folder) = at.rsplit_once('/')?;
    let (piece, _) = folder.split_once(PART)?;
    Some(format!("{dir}/{piece}"))
}

/// The name of a former main line that is not open: where its folder is, else where it was.
fn left(root: &Path, was: &Who) -> Option<String> {
    let place = was.folder.clone();
    let is_there = |at: &String| folder::is_of(&root.join(at), was.id);
    match was.at {
        Where::Trash => place,
        Where::Here | Where::Gone => place
            .filter(is_there)
            .or_else(|| folder::find(root, was.id)),
    }
}

/// Exchanges the names; where that was done already nothing is done.
pub(super) async fn exchange(
    shared: &Arc<Shared>,
    main: SessionId,
    pair: &Pair,
    exchange: Exchange,
) -> Exchanged {
    let root = shared.workspace.root().to_owned();
    let (at, to, with) = (
        pair.main.folder.clone(),
        exchange.folder.clone(),
        exchange.with,
    );
    let work = move || {
        let given = swap::give(&OnDisk, &root, (main, &at), (with, &to));
        Ok::<_, String>(given)
    };
    let outcome = blocking(work).await.unwrap_or_else(|why| {
        Err(SwapError::Disk {
            folder: pair.main.folder.clone(),
            source: std::io::Error::other(why),
        })
    });
    let was = pair.was.as_ref().map_or("", |was| &was.folder);
    let gave = outcome.is_ok() && was == exchange.folder && pair.main.folder != exchange.folder;
    let mut was = if gave { &pair.main.folder } else { was }.to_owned();
    let mut said = None;
    if outcome.is_ok() && is_named(pair, &exchange) {
        was = with_own_name(shared, pair, &exchange, was).await;
        said = not_back(shared, pair, &exchange, &was).await;
    }
    Exchanged {
        main: match outcome {
            Ok(()) => exchange.folder.clone(),
            Err(_) => pair.main.folder.clone(),
        },
        was,
        said,
        exchange,
        outcome,
    }
}

/// The adoption of the former main line is taken away, for one that stands in again: that keeps its folder, and the
/// former one gets its own.
pub(super) async fn withdrawn(shared: &Arc<Shared>, plan: &Plan, pair: &Pair) -> Exchanged {
    let exchange = Exchange {
        with: plan.was.id,
        folder: pair.main.folder.clone(),
        undoes: plan.undoes,
    };
    let at = pair.was.as_ref().map_or("", |was| &was.folder).to_owned();
    let (mut was, mut said) = (at, None);
    if !plan.nameless && !pair.never_changed(plan.undoes) {
        was = with_own_name(shared, pair, &exchange, was).await;
        said = not_back(shared, pair, &exchange, &was).await;
    }
    Exchanged {
        main: exchange.folder.clone(),
        outcome: Ok(()),
        was,
        said,
        exchange,
    }
}

/// Whether the main line's folder gets another name, or has got it before a crash came.
fn is_named(pair: &Pair, exchange: &Exchange) -> bool {
    let kin = &pair.main.head.kin;
    let begun = kin.exchange.is_some() && kin.own.as_ref() != Some(&exchange.folder);
    begun || pair.main.folder != exchange.folder
}

/// The former main line gets the name that is its own, where nothing has it: else the names of a family would be mixed
/// up a little more with each adoption. A crash before or behind it leaves a folder that is found by its mark, as one
/// that the writer renamed.
async fn with_own_name(
    shared: &Arc<Shared>,
    pair: &Pair,
    exchange: &Exchange,
    at: String,
) -> String {
    let Some(was) = &pair.was else { return at };
    let before = before(&was.head, exchange);
    let beside = own_name(&was.head, &exchange.folder);
    if before.as_ref().unwrap_or(&beside) == &at {
        return at;
    }
    // Where its old place is another one's it lies in that collection all the same: a move that was done before the
    // adoption is undone from there.
    let wanted = move |root: &Path| {
        let numbered = before.as_ref().map(|before| folder::free(root, before));
        before.into_iter().chain(numbered).chain([beside])
    };
    let (root, id, from) = (
        shared.workspace.root().to_owned(),
        exchange.with,
        at.clone(),
    );
    let work = move || {
        let mut why = None;
        for to in wanted(&root) {
            match swap::rename(&OnDisk, &root, (id, &from), &to) {
                Ok(true) => return Ok(Some(to)),
                Ok(false) => {}
                Err(e) => why = Some(e.to_string()),
            }
        }
        why.map_or(Ok(None), Err)
    };
    match blocking(work).await {
        Ok(to) => to.unwrap_or(at),
        Err(why) => {
            tracing::warn!("the folder of {id} keeps its name: {why}");
            at
        }
    }
}

/// The very folder that a session had before the adoption that is undone, in whichever collection.
fn before(head: &Head, exchange: &Exchange) -> Option<String> {
    head.kin.own.clone().filter(|_| exchange.undoes.is_some())
}

/// What is said where it does not get that.
async fn not_back(
    shared: &Arc<Shared>,
    pair: &Pair,
    exchange: &Exchange,
    at: &str,
) -> Option<String> {
    let was = pair.was.as_ref()?;
    let before = before(&was.head, exchange).filter(|before| before != at)?;
    let there = shared.workspace.root().join(&before);
    let looking = move || {
        let is_taken = there.symlink_metadata().is_ok();
        Ok::<_, String>((is_taken, folder::owner(&there)))
    };
    let (is_taken, owner) = blocking(looking).await.unwrap_or_default();
    let of = owner.and_then(|of| shared.rows.get(of));
    let why = match of {
        Some(row) => format!("is the folder of “{}” by now", row.title),
        None if is_taken => "is taken by something else by now".to_owned(),
        None => "could not be made again".to_owned(),
    };
    let title = was.head.title();
    Some(format!(
        "The folder of “{title}” is {at}: {before}, where it was, {why}."
    ))
}

/// What the folder of a session is called that is not the main line: as it was before it became that.
pub(super) fn own_name(head: &Head, main: &str) -> String {
    let (dir, piece) = main.rsplit_once('/').unwrap_or_default();
    let own = head.kin.own.as_deref();
    let own = own
        .and_then(|own| own.rsplit('/').next())
        .map(str::to_owned);
    let name = own.unwrap_or_else(|| format!("{piece}~{FIRST}"));
    format!("{dir}/{name}")
}

/// The line that says where a folder is; none where the log says so already. One whose own adoption was not finished
/// says it all the same: that is void now.
pub(super) async fn moved(shared: &Arc<Shared>, head: &Head, folder: &str) -> Option<Kind> {
    let place = head.place.as_ref().map(|p| p.folder.as_str());
    if place == Some(folder) && head.kin.exchange.is_none() {
        return None;
    }
    Some(at(shared, folder).await)
}

/// The line that says where a folder is.
pub(super) async fn at(shared: &Arc<Shared>, folder: &str) -> Kind {
    Kind::Moved {
        collection: shared.collection_now_at(folder).await,
        folder: folder.to_owned(),
        was: None,
        undoes: None,
    }
}

/// What is said of an adoption that was broken off and is finished.
pub(super) fn finished(was: &str, folder: &str) -> String {
    format!(
        "The adoption that was broken off is finished: {folder} is this session's folder, and no longer that of “{was}”."
    )
}

/// What is said of an adoption that was not finished before another session became the main line.
pub(super) fn void(now: &str) -> String {
    format!(
        "The adoption that was broken off is not finished: “{now}” is the main line by now. This folder keeps its name."
    )
}

/// What is said where a folder keeps its name: a session that has the wanted one is named.
pub(super) fn kept(shared: &Shared, e: &SwapError) -> String {
    if let SwapError::Taken(at, Some(of)) = e
        && let Some(row) = shared.rows.get(*of)
    {
        let title = row.title;
        return format!(
            "{KEPT}{at} is the folder of “{title}”: give that another name to have this one free."
        );
    }
    let then = if e.may_pass() {
        " It is tried again when this session is opened next."
    } else {
        ""
    };
    format!("{KEPT}{e}{then}")
}
