//! `adopt`: another main line for a family.

use serde::Serialize;

use super::args::Adopt;
use super::connect::stop_asked;
use super::context::{Cx, unexpected};
use super::error::CliError;
use super::{find, out};
use crate::domain::ask::Busy;
use crate::domain::head::{Place, Was};
use crate::domain::kin::KEPT;
use crate::domain::{Head, Kind, Reply, Request, SessionId};
use crate::text::one_line;

/// An adoption, for scripts.
#[derive(Serialize)]
struct Adopted {
    id: SessionId,
    title: String,
    /// The main line before.
    was: Option<SessionId>,
    folder: String,
}

/// Makes a session the main line, or calls off that it becomes it.
pub(super) async fn run(cx: &Cx, asked: &Adopt) -> Result<(), CliError> {
    let session = cx.session(&asked.id)?;
    let busy = match asked {
        Adopt { wait: true, .. } => Busy::Wait,
        Adopt { stop: true, .. } => Busy::Stop,
        Adopt { call_off: true, .. } => Busy::CallOff,
        _ => Busy::Ask,
    };
    let before = cx.shelf()?.head(session)?.place;
    let link = cx.link().await?;
    let asking = link.ask(Request::Adopt { session, busy });
    let reply = if busy == Busy::Wait {
        tokio::select! {
            reply = asking => reply?,
            () = stop_asked() => return Err(left(cx, session, link.is_host())),
        }
    } else {
        asking.await?
    };
    match reply {
        Reply::Done if busy == Busy::CallOff => called_off(cx, session)?,
        Reply::Done if cx.out.json() => cx.out.value(&adopted(cx, session)?)?,
        Reply::Done => {
            let short = find::short(&cx.shelf()?.heads(), session);
            out::say(now(&adopted(cx, session)?, &short));
            left_for(
                cx,
                before.as_ref(),
                cx.shelf()?.head(session)?.place.as_ref(),
            )
            .into_iter()
            .for_each(out::say);
            kept(cx, session)?.into_iter().for_each(out::say);
        }
        Reply::Busy { sessions, .. } => return Err(is_busy(cx, &sessions)),
        other => return Err(unexpected(&other)),
    }
    link.stay().await
}

/// The wait was broken off: what goes on all the same, and what ends it.
fn left(cx: &Cx, id: SessionId, is_host: bool) -> CliError {
    let title = cx.shelf().and_then(|shelf| shelf.head(id));
    let title = title.map_or_else(|_| id.to_string(), |h| h.whole_title().into_owned());
    if is_host {
        let why = format!("“{title}” is not adopted: it waited in this process, which ends.");
        return CliError::Refused { why, hint: None };
    }
    let heads = cx.shelf().map(|shelf| shelf.heads()).unwrap_or_default();
    let short = find::short(&heads, id);
    CliError::refused(
        format!("“{title}” goes on waiting: it becomes the main line when the turn has ended."),
        format!("`fascicle adopt {short} --call-off` calls it off."),
    )
}

fn called_off(cx: &Cx, id: SessionId) -> Result<(), CliError> {
    let title = cx.shelf()?.head(id)?.whole_title().into_owned();
    if cx.out.json() {
        let told = serde_json::json!({"id": id, "title": title, "called_off": true});
        return cx.out.value(&told);
    }
    out::say(format!(
        "“{title}” does not wait any more; the main line stays what it is."
    ));
    Ok(())
}

/// Why its folder has kept its name, where it has: what its log notes behind the adoption.
fn kept(cx: &Cx, id: SessionId) -> Result<Option<String>, CliError> {
    let events = cx.shelf()?.events(id)?;
    let since = events.iter().rev();
    let since = since.take_while(|e| !matches!(e.kind, Kind::Adopted(_)));
    Ok(since.into_iter().find_map(|e| match &e.kind {
        Kind::Note { text, .. } if text.starts_with(KEPT) => Some(text.clone()),
        _ => None,
    }))
}

/// That it has left its collection, where it has: the main line lies where that before it lay.
fn left_for(cx: &Cx, before: Option<&Place>, now: Option<&Place>) -> Option<String> {
    let (was, is) = (&before?.collection, &now?.collection);
    let (from, to) = (cx.title_of(was), cx.title_of(is));
    (was != is)
        .then(|| format!("It has left “{from}” for “{to}”, where the main line of its family lay."))
}

/// What is said of it: an undo says what came back, too.
fn now(adopted: &Adopted, short: &str) -> String {
    let (title, folder) = (&adopted.title, &adopted.folder);
    format!(
        "“{title}” is the main line now; its draft is {folder}/draft.md. `fascicle undo {short}` takes it back."
    )
}

fn adopted(cx: &Cx, id: SessionId) -> Result<Adopted, CliError> {
    let head = cx.shelf()?.head(id)?;
    let was = head.deeds.iter().rev().find_map(|d| match d.was {
        Was::Main(was) => Some(was),
        _ => None,
    });
    Ok(Adopted {
        id,
        title: head.title().to_owned(),
        was,
        folder: head.place.map(|p| p.folder).unwrap_or_default(),
    })
}

/// Says where a turn runs, and what can be done about it.
fn is_busy(cx: &Cx, sessions: &[SessionId]) -> CliError {
    let title = |id: &SessionId| {
        let head: Option<Head> = cx.shelf().and_then(|shelf| shelf.head(*id)).ok();
        head.map_or_else(|| id.to_string(), |h| h.whole_title().into_owned())
    };
    let titles: Vec<String> = sessions
        .iter()
        .map(|id| format!("“{}”", one_line(&title(id))))
        .collect();
    CliError::refused(
        format!(
            "A turn runs in {}; nothing was adopted.",
            titles.join(" and in ")
        ),
        "--wait waits for its end, --stop stops it.",
    )
}
