//! The names of the folders in an adoption.

use std::sync::Arc;

use super::family::{Plan, Where, Who};
use super::pair::Pair;
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
    let own = || (pair.main.folder.clone(), None);
    let (folder, unnamed) = if plan.nameless || pair.never_changed(plan.undoes) {
        own()
    } else {
        blocking(looking).await.unwrap_or_else(|_| own())
    };
    let exchange = Exchange {
        with: plan.was.id,
        folder,
        undoes: plan.undoes,
    };
    (exchange, unnamed)
}

/// The name that goes with being the main line: that of the former one's folder. Where that has one of its own, since the
/// one that had the piece's is in the trash or its log is gone, it is the piece's: else two would have each other's names.
fn name(head: &Head, at: &str) -> String {
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
fn left(root: &std::path::Path, was: &Who) -> Option<String> {
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
    if outcome.is_ok() && is_named(pair, &exchange) {
        was = with_own_name(shared, pair, &exchange, was).await;
    }
    Exchanged {
        main: match outcome {
            Ok(()) => exchange.folder.clone(),
            Err(_) => pair.main.folder.clone(),
        },
        was,
        exchange,
        outcome,
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
    let wanted = own_names(&was.head, exchange);
    if wanted.first() == Some(&at) {
        return at;
    }
    let (root, id, from) = (
        shared.workspace.root().to_owned(),
        exchange.with,
        at.clone(),
    );
    let work = move || {
        let mut why = None;
        for to in wanted {
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

/// The names for the folder of a session that is the main line no more, the best first: where its adoption is undone the
/// very one that it had before, in whichever collection, else what it is called beside the main line.
fn own_names(head: &Head, exchange: &Exchange) -> Vec<String> {
    let before = head.kin.own.clone().filter(|_| exchange.undoes.is_some());
    let beside = own_name(head, &exchange.folder);
    before.into_iter().chain([beside]).collect()
}

/// What the folder of a session is called that is not the main line: as it was before it became that.
fn own_name(head: &Head, main: &str) -> String {
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

/// What is said where a folder keeps its name.
pub(super) fn kept(e: &SwapError) -> String {
    let then = if e.may_pass() {
        " It is tried again when this session is opened next."
    } else {
        ""
    };
    format!("{KEPT}{e}{then}")
}
