//! A session, or its whole family, moves to another collection: their folders move, their logs stay where they are.
//!
//! The order is what makes a crash harmless: first each log says where its folder is to be and where it is; then the
//! folders move; then each log says that it is there. What is missing of that is done when the session is opened next.

use std::sync::Arc;

use super::super::adopt::{busy, free, held, stop};
use super::super::session::blocking;
use super::super::session::still::{Held, Still};
use super::super::shared::Shared;
use super::{NOTHING, former, shelf};
use crate::config::{Collection, Drawer, collection};
use crate::domain::ask::{Busy, Reply};
use crate::domain::head::{Place, Was};
use crate::domain::kin::{Member, main_line};
use crate::domain::{Change, CollectionId, Kind, Piece, Seq, SessionId};
use crate::drafts::folder;
use crate::drafts::swap::{Names as _, OnDisk};
use crate::log::Listed;

/// Who moves where.
struct Plan {
    /// In the order in which their folders get names: the main line first. With the move that each takes back.
    who: Vec<(SessionId, Option<Seq>)>,
    to: CollectionId,
}

/// Why nothing moved.
enum Stays {
    /// A turn runs in these.
    Busy(Vec<SessionId>),
    /// Something else.
    Not(String),
}

/// Moves a session, its family with it unless it goes alone. Goes on though the window that asked for it leaves.
pub(super) async fn asked(
    shared: &Arc<Shared>,
    session: SessionId,
    to: CollectionId,
    alone: bool,
    busy: Busy,
) -> Reply {
    let at_work = shared.clone();
    let work = async move {
        let planned = || async { plan(&at_work, session, &to, alone).await };
        until_done(&at_work, planned, busy).await
    };
    let done = shared.life.actors.spawn(work).await;
    done.unwrap_or_else(|e| Reply::refused(format!("The work broke off: {e}."), NOTHING))
}

/// Undoes a move of the session, or does it again: those of its family that were moved with it go along.
pub(in crate::host) async fn go_back(
    shared: &Arc<Shared>,
    session: SessionId,
    to: CollectionId,
    again: bool,
) -> Reply {
    let planned = || async { back(shared, session, &to, again).await };
    until_done(shared, planned, Busy::Ask).await
}

async fn until_done<F>(shared: &Arc<Shared>, planned: impl Fn() -> F, busy: Busy) -> Reply
where
    F: Future<Output = Result<Plan, String>>,
{
    loop {
        let one = shared.life.one.adopting.lock().await;
        let plan = match planned().await {
            Ok(plan) => plan,
            Err(why) => return Reply::refused(why, NOTHING),
        };
        let outcome = attempt(shared, &plan).await;
        drop(one);
        let sessions = match outcome {
            Ok(()) => return Reply::Done,
            Err(Stays::Not(why)) => {
                let hint = "`fascicle list` says where each session is.";
                return Reply::refused(why, hint);
            }
            Err(Stays::Busy(sessions)) => sessions,
        };
        match busy {
            Busy::Ask | Busy::CallOff => {
                return Reply::Busy {
                    sessions,
                    waits: false,
                };
            }
            Busy::Stop => stop(shared, &sessions).await,
            Busy::Wait => {}
        }
        tokio::select! {
            () = free(shared, &sessions) => {}
            () = shared.life.closing.cancelled() => {
                return Reply::refused("The host is ending.", NOTHING);
            }
        }
    }
}

async fn plan(
    shared: &Arc<Shared>,
    session: SessionId,
    to: &CollectionId,
    alone: bool,
) -> Result<Plan, String> {
    let listed = heads(shared).await?;
    let own = listed.iter().find(|l| l.id == session);
    let own = own.ok_or_else(|| format!("There is no session {session}."))?;
    if own.in_trash {
        return Err(format!("“{}” is in the trash.", own.head.title()));
    }
    let family = own.head.kin.family_of(session);
    let mut members: Vec<&Listed> = listed
        .iter()
        .filter(|l| !l.in_trash && at(l) != Some(to))
        .filter(|l| l.id == session || (!alone && l.head.kin.family_of(l.id) == family))
        .collect();
    if members.is_empty() {
        return Err(format!(
            "“{}” is in that collection already.",
            own.head.title()
        ));
    }
    if let Some(open) = members.iter().find(|l| l.head.kin.exchange.is_some()) {
        return Err(format!(
            "“{}” is becoming the main line of its family. Open it, and move it then.",
            open.head.title()
        ));
    }
    let main = main_line(members.iter().map(|l| Member {
        id: l.id,
        kin: &l.head.kin,
        trashed: false,
    }));
    members.sort_by_key(|l| (Some(l.id) != main, l.id));
    Ok(Plan {
        who: members.iter().map(|l| (l.id, None)).collect(),
        to: to.clone(),
    })
}

/// Who goes to where the session's newest move came from, or had gone before it was undone.
async fn back(
    shared: &Arc<Shared>,
    session: SessionId,
    to: &CollectionId,
    again: bool,
) -> Result<Plan, String> {
    let listed = heads(shared).await?;
    let own = listed.iter().find(|l| l.id == session);
    let own = own.ok_or_else(|| format!("There is no session {session}."))?;
    let family = own.head.kin.family_of(session);
    let moved = |l: &Listed| {
        let deeds = if again { &l.head.undone } else { &l.head.deeds };
        let mut places = deeds.iter().rev().filter_map(|d| match &d.was {
            Was::Place(place) => Some((d.seq, place)),
            _ => None,
        });
        let (seq, _) = places.next().filter(|(_, place)| *place == to)?;
        // One that is done again is a move like any.
        Some(Some(seq).filter(|_| !again))
    };
    let with = listed
        .iter()
        .filter(|l| !l.in_trash && l.head.kin.family_of(l.id) == family && at(l) == at(own));
    let mut who: Vec<(SessionId, Option<Seq>)> =
        with.filter_map(|l| Some((l.id, moved(l)?))).collect();
    who.sort_by_key(|(id, _)| (*id != session, *id));
    Ok(Plan {
        who,
        to: to.clone(),
    })
}

fn at(listed: &Listed) -> Option<&CollectionId> {
    listed.head.place.as_ref().map(|p| &p.collection)
}

async fn heads(shared: &Arc<Shared>) -> Result<Vec<Listed>, String> {
    let store = shared.store.clone();
    blocking(move || Ok::<_, String>(store.heads())).await
}

/// Moves them, if all hold still.
async fn attempt(shared: &Arc<Shared>, plan: &Plan) -> Result<(), Stays> {
    let target = {
        let drawer = shared.drawer_now().await;
        shelf(&drawer, &plan.to).map_err(Stays::Not)?.clone()
    };
    can_take(shared, &target).map_err(Stays::Not)?;
    let all = hold(shared, plan).await?;
    let drawer = shared.drawer_now().await;
    let pieces = taken_along(shared, &drawer, &all, &target)
        .await
        .map_err(Stays::Not)?;
    let (mut trouble, mut announced) = (None, Vec::new());
    for (still, undoes) in &all {
        let said = said_of(&drawer, still);
        let at = said.and_then(|(from, piece)| u32::try_from(from.position(piece.id)).ok());
        let wanted = former::wanted(shared, still, &target, *undoes).await;
        match announce(shared, still, (&target, &wanted), (at, *undoes)).await {
            Ok(()) => announced.push((still, wanted)),
            Err(why) => drop(trouble.get_or_insert(why)),
        }
    }
    for (still, wanted) in announced {
        if let Err(why) = carry(shared, still, (&target, wanted)).await {
            trouble.get_or_insert(why);
        }
    }
    leave(shared, pieces);
    shared.drawer_now().await;
    trouble.map_or(Ok(()), |why| Err(Stays::Not(why)))
}

/// Whether folders can be put into a collection.
fn can_take(shared: &Shared, target: &Collection) -> Result<(), String> {
    let path = shared.workspace.root().join(&target.folder);
    match path.symlink_metadata() {
        Ok(there) if there.is_dir() => Ok(()),
        Ok(_) => Err(format!("{} is no folder.", target.folder)),
        Err(_) => std::fs::create_dir_all(&path)
            .map_err(|e| format!("{} could not be made: {e}.", target.folder)),
    }
}

async fn hold(shared: &Arc<Shared>, plan: &Plan) -> Result<Vec<(Box<Still>, Option<Seq>)>, Stays> {
    // Seen before their agents are closed for nothing.
    let at_work: Vec<SessionId> = busy(shared, plan.who.iter().map(|(id, _)| *id)).collect();
    if !at_work.is_empty() {
        return Err(Stays::Busy(at_work));
    }
    let mut all = Vec::new();
    for (id, undoes) in &plan.who {
        match held(shared, *id).await {
            Held::Still(still) => all.push((still, *undoes)),
            Held::Busy => return Err(Stays::Busy(vec![*id])),
            Held::Not(why) => return Err(Stays::Not(why)),
        }
    }
    Ok(all)
}

/// What the collection they come from says of them is said in the other one, before anything moves: on the way back
/// where it was said before. Gives what is to be taken out of the first.
async fn taken_along(
    shared: &Arc<Shared>,
    drawer: &Drawer,
    all: &[(Box<Still>, Option<Seq>)],
    target: &Collection,
) -> Result<Vec<(Collection, Vec<Change>)>, String> {
    let mut gone: Vec<(Collection, Vec<Change>)> = Vec::new();
    let mut come: Vec<Change> = Vec::new();
    for (still, undoes) in all {
        let Some((from, piece)) = said_of(drawer, still) else {
            continue;
        };
        let out = Change::Out(piece.id);
        match gone.iter_mut().find(|(c, _)| c.id == from.id) {
            Some((_, outs)) => outs.push(out),
            None => gone.push((from.clone(), vec![out])),
        }
        let before = former::place(shared, still, *undoes).await;
        let place = before.and_then(|place| usize::try_from(place.at?).ok());
        let known: Option<Piece> = target.piece(piece.id).cloned();
        come.push(Change::In(known.unwrap_or_else(|| piece.clone()), place));
    }
    if !come.is_empty() {
        let from: Vec<&Collection> = gone.iter().map(|(from, _)| from).collect();
        collection::take_in(&shared.workspace, target, &from, &come).map_err(|e| e.to_string())?;
    }
    Ok(gone)
}

/// What the collection in which a session lies says of it.
fn said_of<'a>(drawer: &'a Drawer, still: &Still) -> Option<(&'a Collection, &'a Piece)> {
    let from = drawer.get(&still.head.place.as_ref()?.collection)?;
    Some((from, from.piece(still.head.id?)?))
}

/// What moved is taken out of the files it came from. One that cannot be changed says it for nothing: a piece counts
/// where its session is.
fn leave(shared: &Shared, gone: Vec<(Collection, Vec<Change>)>) {
    for (from, outs) in gone {
        if let Err(e) = collection::edit(&shared.workspace, &from, &outs) {
            tracing::warn!(
                "the pieces that moved are still named in {}: {e}",
                from.folder
            );
        }
    }
}

/// Says in the log where the folder goes.
async fn announce(
    shared: &Arc<Shared>,
    still: &Still,
    (target, wanted): (&Collection, &str),
    (at, undoes): (Option<u32>, Option<Seq>),
) -> Result<(), String> {
    let to = former::name_in(shared, still, target, wanted).await?;
    let place = still.head.place.as_ref();
    let was = Place {
        collection: place.map_or_else(CollectionId::inbox, |p| p.collection.clone()),
        folder: still.folder.clone(),
        at,
    };
    let moved = Kind::Moved {
        collection: target.id.clone(),
        folder: to,
        was: Some(was),
        undoes,
    };
    still.log(vec![moved]).await
}

/// Moves the folder of a session that was announced, and says so.
async fn carry(
    shared: &Arc<Shared>,
    still: &Still,
    (target, wanted): (&Collection, String),
) -> Result<(), String> {
    let Some(id) = still.head.id else {
        return Ok(());
    };
    let (root, from) = (shared.workspace.root().to_owned(), still.folder.clone());
    let moved = blocking(move || into(&root, id, &from, &wanted)).await;
    let (kinds, outcome) = match moved {
        Ok(folder) => (vec![landed(target.id.clone(), folder)], Ok(())),
        Err(why) => {
            let place = still.head.place.clone();
            let back = place.map(|p| landed(p.collection, still.folder.clone()));
            let why = format!("“{}” stays where it is: {why}.", still.head.title());
            let text = why.clone();
            let note = Kind::Note { turn: None, text };
            (back.into_iter().chain([note]).collect(), Err(why))
        }
    };
    still.log(kinds).await?;
    outcome
}

/// The line that says where a folder is.
pub(in crate::host) fn landed(collection: CollectionId, folder: String) -> Kind {
    Kind::Moved {
        collection,
        folder,
        was: None,
        undoes: None,
    }
}

/// Gives a session's folder a name in another folder, or one like it that is free. On disk when this returns.
pub(in crate::host) fn into(
    root: &std::path::Path,
    id: SessionId,
    from: &str,
    wanted: &str,
) -> Result<String, std::io::Error> {
    let to = folder::free(root, wanted);
    let (old, new) = (root.join(from), root.join(&to));
    if !folder::is_of(&old, id) {
        if old.symlink_metadata().is_err() && folder::find(root, id).is_none() {
            // It is nowhere, with its collection's: what its log has comes into a new one.
            return folder::remake(root, &to, id);
        }
        return Err(std::io::Error::other(format!(
            "{from} is not its folder any more"
        )));
    }
    if let Some(parent) = new.parent() {
        std::fs::create_dir_all(parent)?;
    }
    OnDisk.rename(&old, &new)?;
    for dir in [&old, &new].into_iter().filter_map(|p| p.parent()) {
        OnDisk.sync(dir)?;
    }
    Ok(to)
}
