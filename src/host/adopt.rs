//! Adoption: another session becomes the main line of its family, and the folders exchange their names. The former
//! main line then gets its own, where that is free.
//!
//! The order is what makes a crash harmless: first the line in the winner's log, which decides; then the folders; then
//! both logs say where their folders are, the winner's last. What is missing of that is done on the next open.

mod family;
mod names;
mod pair;
mod room;
mod waits;

use crate::domain::event::Adopted;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::oneshot;

use super::session::still::Held;
use super::session::{Msg, blocking};
use super::shared::Shared;
use crate::domain::ask::{Busy, Reply, Request};
use crate::domain::kin::NOT;
use crate::domain::{Kin, Kind, Seq, SessionId};
use crate::log::{Listed, OnDamage};
use family::{Plan, Who};
use names::Exchanged;
use pair::{Apart, Pair};
pub(super) use pair::{busy, held};
pub(super) use room::for_one_back;
use waits::Off;
pub(super) use waits::Waits;

/// How long a turn that begins or ends may take to be seen in the list.
const SEEN: Duration = Duration::from_millis(200);
/// What is left to do when something was refused.
const NOTHING: &str = "Nothing was changed.";
/// What becomes of an adoption that could not be finished.
const KEPT: &str =
    "What is under way is kept in memory, and done when the disk takes it, or on the next open.";

/// Makes a session the main line of its family. Goes on though the window that asked for it leaves.
pub(super) async fn adopt(shared: &Arc<Shared>, session: SessionId, busy: Busy) -> Reply {
    let at_work = shared.clone();
    let work = async move { until_done(&at_work, session, busy).await };
    let done = shared.life.actors.spawn(work).await;
    done.unwrap_or_else(|e| refused(format!("The work broke off: {e}.")))
}

/// Undoes an adoption: the former main line becomes it again. `deed` is the adoption in the winner's log. Gives what of it
/// did not come back, as a sentence.
pub(super) async fn take_back(
    shared: &Arc<Shared>,
    winner: SessionId,
    deed: Seq,
    was: SessionId,
) -> Result<Option<String>, Reply> {
    let _one = shared.life.one.adopting.lock().await;
    let listed = caught_up(shared, winner).await.map_err(refused)?;
    let Some(plan) = family::back(&listed, winner, deed, was)? else {
        // A crash came between the two logs.
        let logged = log(shared, winner, Kind::Undone { deed }).await;
        return logged.map(|()| None).map_err(refused);
    };
    attempt(shared, &plan).await.map_err(|apart| match apart {
        Apart::Not(why) => refused(why),
        Apart::Kept(why) => Reply::refused(why, KEPT),
        Apart::Busy(sessions) => Reply::Busy {
            sessions,
            waits: false,
        },
    })
}

/// What is said of an adoption that waited when another host died; none where none did.
pub(super) fn forgotten(shared: &Shared, kin: &Kin) -> Option<String> {
    let waited = kin.waits.is_some_and(|since| since < shared.life.since);
    waited.then(|| {
        format!("{NOT}the host ended while it waited. Adopt it again if you still want it.")
    })
}

/// Finishes an adoption whose host died in the middle of it, when no turn is in its way.
pub(super) fn finish_soon(shared: &Arc<Shared>, main: SessionId) {
    let at_work = shared.clone();
    shared.spawn(async move {
        loop {
            let one = at_work.life.one.adopting.lock().await;
            let outcome = finish(&at_work, main).await;
            drop(one);
            match outcome {
                Err(Apart::Busy(sessions)) => free(&at_work, &sessions).await,
                Err(Apart::Not(why) | Apart::Kept(why)) => {
                    return tracing::warn!("the adoption of {main} is not finished: {why}");
                }
                Ok(()) => return,
            }
        }
    });
}

async fn until_done(shared: &Arc<Shared>, session: SessionId, busy: Busy) -> Reply {
    let waits = &shared.life.one.waits;
    if busy == Busy::CallOff {
        return called_off(waits, session);
    }
    let (mut off, mut tried) = (None, false);
    let no = loop {
        let one = shared.life.one.adopting.lock().await;
        let plan = match planned(shared, session).await {
            Ok(plan) => plan,
            // Another request for the same has done it while this one waited for turns to end.
            Err(_) if tried && is_main(shared, session).await => return Reply::Done,
            Err(no) => break no,
        };
        tried = true;
        let outcome = attempt(shared, &plan).await;
        drop(one);
        let sessions = match outcome {
            Ok(_) => {
                waits.adopted(plan.family, session);
                return Reply::Done;
            }
            Err(Apart::Not(why)) => break refused(why),
            Err(Apart::Kept(why)) => return Reply::refused(why, KEPT),
            Err(Apart::Busy(sessions)) => sessions,
        };
        let waits_already = waits.has(session);
        match busy {
            Busy::Ask | Busy::CallOff => {
                return Reply::Busy {
                    sessions,
                    waits: waits_already,
                };
            }
            Busy::Stop => stop(shared, &sessions).await,
            Busy::Wait if off.is_some() => {}
            Busy::Wait if waits_already => return refused("It waits for that already.".to_owned()),
            Busy::Wait => {
                off = Some(waits.begin(plan.family, session));
                note(shared, session, plan.waits(&sessions)).await;
            }
        }
        tokio::select! {
            () = free(shared, &sessions) => {}
            how = called(&mut off) => match how {
                Off::Done => return Reply::Done,
                Off::Not(why) => break refused(why),
            },
            () = trashed(shared, session), if off.is_some() => break refused("It is in the trash.".to_owned()),
            () = shared.life.closing.cancelled() => break refused("The host is ending.".to_owned()),
        }
    };
    let Some(_) = off else { return no };
    waits.end(session);
    if let Reply::Refused { why, .. } = &no {
        // The window that asked may be gone long since.
        note(shared, session, format!("{NOT}{why}")).await;
    }
    no
}

/// An adoption that waits does so no more.
fn called_off(waits: &Waits, session: SessionId) -> Reply {
    if waits.call_off(session) {
        Reply::Done
    } else {
        refused("No adoption of it waits any more.".to_owned())
    }
}

/// How one that waits is called off; never for one that does not wait.
async fn called(off: &mut Option<oneshot::Receiver<Off>>) -> Off {
    match off {
        // Nobody ends it without a word but this one itself.
        Some(off) => off.await.unwrap_or(Off::Done),
        None => std::future::pending().await,
    }
}

/// Waits until a session is in the trash.
async fn trashed(shared: &Shared, session: SessionId) {
    let mut changes = shared.rows.changes();
    while shared.rows.get(session).is_some_and(|row| !row.trashed) {
        drop(changes.changed().await);
    }
}

/// What is to be done.
async fn planned(shared: &Arc<Shared>, session: SessionId) -> Result<Plan, Reply> {
    let listed = caught_up(shared, session).await.map_err(refused)?;
    family::plan(&listed, session)
}

/// Whether a session is the main line of its family.
async fn is_main(shared: &Arc<Shared>, session: SessionId) -> bool {
    let listed = heads(shared).await;
    listed.is_ok_and(|listed| family::overtaken(&listed, session).is_none())
}

/// The sessions, when what an earlier adoption in the family of one has left undone is done, as far as that goes.
async fn caught_up(shared: &Arc<Shared>, session: SessionId) -> Result<Vec<Listed>, String> {
    let listed = heads(shared).await?;
    let begun = family::begun(&listed, session);
    for main in &begun {
        if let Err(Apart::Not(why) | Apart::Kept(why)) = finish(shared, *main).await {
            // Its folder keeps its name, and the next open tries again.
            tracing::warn!("the adoption of {main} is not finished: {why}");
        }
    }
    match begun.as_slice() {
        [] => Ok(listed),
        _ => heads(shared).await,
    }
}

/// Does it, if both hold still. Gives what of an undo did not come back.
async fn attempt(shared: &Arc<Shared>, plan: &Plan) -> Result<Option<String>, Apart> {
    let pair = Pair::hold(shared, plan.main.id, &plan.was).await?;
    if plan.stands_in && pair.was.is_some() {
        let done = names::withdrawn(shared, plan, &pair).await;
        settle(shared, &pair, &done, None).await?;
        return Ok(done.said);
    }
    let (exchange, unnamed) = names::wanted(shared, plan, &pair).await;
    let adopted = Kind::Adopted(Adopted {
        family: plan.family,
        main: plan.main.id,
        was: plan.was.id,
        n: plan.n,
        folder: exchange.folder.clone(),
        other: pair.main.folder.clone(),
        undoes: plan.undoes,
    });
    let note = unnamed.map(|e| known(names::kept(shared, &e)));
    let kinds = std::iter::once(adopted).chain(note).collect();
    pair.main.log(kinds).await.map_err(Apart::Kept)?;
    let done = names::exchange(shared, plan.main.id, &pair, exchange).await;
    let note = done.outcome.as_ref().err().map(|e| names::kept(shared, e));
    settle(shared, &pair, &done, note).await?;
    Ok(done.said)
}

/// Does what is left of an adoption that is in the log, and says so. Where another session has become the main line
/// since nothing is left to do.
async fn finish(shared: &Arc<Shared>, main: SessionId) -> Result<(), Apart> {
    let listed = heads(shared).await.map_err(Apart::Not)?;
    let Some(exchange) = family::exchange(&listed, main) else {
        return Ok(());
    };
    if let Some(now) = family::overtaken(&listed, main) {
        return call_off(shared, main, &now).await;
    }
    let was = Who::of(&listed, exchange.with);
    let pair = Pair::hold(shared, main, &was).await?;
    let Some(exchange) = pair.main.head.kin.exchange.clone() else {
        return Ok(());
    };
    let done = names::exchange(shared, main, &pair, exchange).await;
    let note = match &done.outcome {
        Ok(()) => Some(names::finished(&was.title, &done.exchange.folder)),
        Err(e) if done.is_over() => Some(names::kept(shared, e)),
        // It is tried again on the next open, and was said when it did not go the first time.
        Err(e) => {
            tracing::warn!("the folder of {main} keeps its name: {e}");
            None
        }
    };
    settle(shared, &pair, &done, note).await
}

/// The log of one that is the main line no more says that its folder stays where it is.
async fn call_off(shared: &Arc<Shared>, session: SessionId, now: &Who) -> Result<(), Apart> {
    let still = match held(shared, session).await {
        Held::Still(still) => still,
        Held::Busy => return Err(Apart::Busy(vec![session])),
        Held::Not(why) => return Err(Apart::Not(why)),
    };
    let kinds = vec![
        known(names::void(&now.title)),
        names::at(shared, &still.folder).await,
    ];
    still.log(kinds).await.map_err(Apart::Kept)
}

/// Both logs say where their folders are.
async fn settle(
    shared: &Arc<Shared>,
    pair: &Pair,
    done: &Exchanged,
    note: Option<String>,
) -> Result<(), Apart> {
    if let Some(was) = &pair.was {
        let undone = done.exchange.undoes.filter(|deed| {
            let deeds = &was.head.deeds;
            deeds.iter().any(|d| d.seq == *deed)
        });
        let undone = undone.map(|deed| Kind::Undone { deed });
        let moved = names::moved(shared, &was.head, &done.was).await;
        let said = done.said.clone().map(known);
        let kinds: Vec<Kind> = undone.into_iter().chain(said).chain(moved).collect();
        if !kinds.is_empty() {
            was.log(kinds).await.map_err(Apart::Kept)?;
        }
    }
    let mut moved = None;
    if done.is_over() {
        moved = Some(names::at(shared, &done.main).await);
    }
    let kinds: Vec<Kind> = note.map(known).into_iter().chain(moved).collect();
    pair.main.log(kinds).await.map_err(Apart::Kept)
}

async fn heads(shared: &Arc<Shared>) -> Result<Vec<Listed>, String> {
    let store = shared.store.clone();
    blocking(move || Ok::<_, String>(store.heads())).await
}

/// Waits until no turn runs in these sessions, as far as the list says; a change of it at least.
pub(super) async fn free(shared: &Shared, sessions: &[SessionId]) {
    let mut changes = shared.rows.changes();
    // The table lives as long as the host. A turn that just began or ended may not be listed yet.
    drop(tokio::time::timeout(SEEN, changes.changed()).await);
    while pair::busy(shared, sessions.iter().copied())
        .next()
        .is_some()
    {
        drop(changes.changed().await);
    }
}

pub(super) async fn stop(shared: &Shared, sessions: &[SessionId]) {
    for session in sessions.iter().copied() {
        if let Some(mailbox) = shared.open_mailbox(session).await {
            let (tx, stopped) = oneshot::channel();
            // One that has ended has stopped.
            drop(mailbox.send(Msg::Ask(Request::Stop { session }, tx)).await);
            drop(stopped.await);
        }
    }
}

/// Says something in a session.
async fn note(shared: &Arc<Shared>, session: SessionId, text: String) {
    if let Err(why) = log(shared, session, known(text)).await {
        tracing::warn!("a note of session {session} could not be written: {why}");
    }
}

/// Logs something; on disk when this returns.
async fn log(shared: &Arc<Shared>, session: SessionId, kind: Kind) -> Result<(), String> {
    let mailbox = shared.mailbox(session, OnDamage::Refuse).await?;
    let (tx, logged) = oneshot::channel();
    drop(mailbox.send(Msg::Log(kind, tx)).await);
    match logged.await {
        Ok(Reply::Refused { why, .. }) => Err(why),
        Ok(_) => Ok(()),
        Err(_) => Err("The session was closed in this moment.".to_owned()),
    }
}

fn known(text: String) -> Kind {
    Kind::Note { turn: None, text }
}

fn refused(why: String) -> Reply {
    Reply::refused(why, NOTHING)
}
