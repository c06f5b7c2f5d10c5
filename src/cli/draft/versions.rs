//! The versions of a draft: listed, restored, named.

use jiff::tz::TimeZone;
use serde_json::json;

use super::super::context::{Cx, unexpected};
use super::super::deeds::taken_back;
use super::super::error::CliError;
use super::super::markdown::who;
use super::super::out;
use super::super::piece::{Lag, lagging, timeline, version};
use super::super::table::{columns, when};
use crate::domain::ask::Deed;
use crate::domain::event::By;
use crate::domain::versions::VersionRow;
use crate::domain::{Reply, Request, Seq, SessionId};
use crate::text::{counted, one_line, thousands};

/// Lists the versions, oldest first.
pub(super) fn list(cx: &Cx, session: SessionId) -> Result<(), CliError> {
    let shelf = cx.shelf()?;
    let rows = timeline(&shelf.events(session)?);
    if cx.out.json() {
        return cx.out.value(&rows);
    }
    if rows.is_empty() {
        out::say("No version of this draft yet.");
    }
    let zone = TimeZone::system();
    let waits = shelf.head(session)?.proposed.map(|p| p.seq);
    let cells: Vec<Vec<String>> = rows
        .iter()
        .map(|row| {
            let from = row.from.map(|from| {
                if from.session == session {
                    return own(row, from.seq);
                }
                let title = shelf.head(from.session).ok();
                let title = title.map(|head| format!("“{}” ", one_line(&head.whole_title())));
                let title = title.unwrap_or_default();
                format!(" from {title}{}@{}", from.session, from.seq)
            });
            cells(row, from, waits, &zone)
        })
        .collect();
    out::page(&columns(&cells))
}

/// Where words of the same session come from: behind a word that says how they came, or behind who made the version.
fn own(row: &VersionRow, seq: Seq) -> String {
    match row.by {
        _ if row.stands.again => format!(", again as {seq}"),
        By::You | By::Agent(_) | By::Outside => format!(", from {seq}"),
        By::Undo | By::Restore | By::Take => format!(" {seq}"),
    }
}

/// What an agent proposed, from which version, and whether the writer has still to decide, or how that was.
fn proposed(row: &VersionRow, base: Seq, waits: Option<Seq>) -> String {
    let made = match base {
        0 => "proposed".to_owned(),
        base => format!("proposed for {base}"),
    };
    match row.stands.answer {
        _ if waits == Some(row.seq) => format!("{made}, waits"),
        Some(answer) => format!("{made}, {}", answer.word()),
        None => made,
    }
}

fn cells(
    row: &VersionRow,
    from: Option<String>,
    waits: Option<Seq>,
    zone: &TimeZone,
) -> Vec<String> {
    let mut notes = Vec::new();
    notes.extend(
        row.name
            .as_deref()
            .map(|name| format!("“{}”", one_line(name))),
    );
    notes.extend(row.turn.map(|turn| format!("turn {turn}")));
    notes.extend(row.stands.beside.map(|other| format!("beside {other}")));
    notes.extend(row.stands.proposed.map(|base| proposed(row, base, waits)));
    vec![
        row.seq.to_string(),
        when(row.ts, zone),
        format!("{} w", thousands(row.words)),
        format!("+{} −{}", thousands(row.added), thousands(row.removed)),
        format!("{}{}", who(&row.by), from.unwrap_or_default()),
        notes.join(" · "),
    ]
}

/// Makes a version the draft again.
pub(super) async fn restore(cx: &Cx, session: SessionId, word: &str) -> Result<(), CliError> {
    let seq = version(&cx.shelf()?.events(session)?, word)?;
    let made = made(cx, session, Deed::RestoreDraft { seq }).await?;
    let Some(new) = made.filter(|new| new.from.is_some_and(|from| from.seq == seq)) else {
        let what = format!("The draft is the text of version {seq} already.");
        return told(cx, (session, None), &what);
    };
    let words = counted(new.words, "word");
    let what = format!(
        "The draft is that of version {seq} again: version {}, {words}.",
        new.seq
    );
    told(cx, (session, Some(new.seq)), &what)
}

/// Makes the draft UTF-8.
pub(super) async fn convert(cx: &Cx, session: SessionId) -> Result<(), CliError> {
    let Some(new) = made(cx, session, Deed::Convert).await? else {
        return Err(CliError::Bug("a converted draft is no version".to_owned()));
    };
    let original = new.from.map_or(0, |from| from.seq);
    let what = format!("The draft is UTF-8 now. The original is version {original}.");
    told(cx, (session, Some(new.seq)), &what)
}

/// Gives a version a name, or takes it off.
pub(super) async fn pin(
    cx: &Cx,
    session: SessionId,
    word: &str,
    name: &str,
) -> Result<(), CliError> {
    let version = version(&cx.shelf()?.events(session)?, word)?;
    let name = Some(name.to_owned()).filter(|name| !name.is_empty());
    let now = match &name {
        Some(name) => format!("Version {version} is called “{}” now.", one_line(name)),
        None => format!("Version {version} has no name now."),
    };
    let deed = Deed::Pin { version, name };
    cx.done(Request::Do { session, deed }).await?;
    cx.out.now(&now)
}

/// Answers what an agent has proposed by no.
pub(super) async fn dismiss(cx: &Cx, session: SessionId) -> Result<(), CliError> {
    let heads = cx.shelf()?.heads();
    let head = heads.into_iter().find(|h| h.id == Some(session));
    let Some(proposed) = head.and_then(|h| h.proposed) else {
        return Err(CliError::Refused {
            why: "Nothing is proposed for this draft.".to_owned(),
            hint: None,
        });
    };
    let proposal = proposed.seq;
    let deed = Deed::Dismiss { proposal };
    cx.done(Request::Do { session, deed }).await?;
    let back = taken_back(session);
    let now = format!("What was proposed is dismissed; the draft stays as it is.{back}");
    cx.out.now(&now)
}

/// Does a deed; gives back the version it made, if it made one.
async fn made(cx: &Cx, session: SessionId, deed: Deed) -> Result<Option<VersionRow>, CliError> {
    let link = cx.link().await?;
    let before = newest(&link.ask(Request::Versions { session }).await?)?;
    match link.ask(Request::Do { session, deed }).await? {
        Reply::Done => {}
        other => return Err(unexpected(&other)),
    }
    let after = newest(&link.ask(Request::Versions { session }).await?)?;
    link.stay().await?;
    let seq = |row: &Option<VersionRow>| row.as_ref().map(|row| row.seq);
    Ok(if seq(&before) == seq(&after) {
        None
    } else {
        after
    })
}

fn newest(reply: &Reply) -> Result<Option<VersionRow>, CliError> {
    match reply {
        Reply::Versions { versions } => {
            Ok(versions.iter().rfind(|row| !row.is_proposed()).cloned())
        }
        other => Err(unexpected(other)),
    }
}

fn told(cx: &Cx, (session, version): (SessionId, Option<Seq>), what: &str) -> Result<(), CliError> {
    let lag = match version {
        Some(made) => lagging(cx, session, made)?,
        None => None,
    };
    if cx.out.json() {
        let file = lag.map(|lag| lag.holds).or(version);
        return cx.out.value(&json!({ "version": version, "file": file }));
    }
    out::line(&format!("{what}{}", Lag::told(lag.as_ref())))
}
