//! `show`: a transcript to read, or the events for scripts; with `--follow`, what comes after, too.

use std::collections::BTreeMap;

use jiff::tz::TimeZone;
use serde::Serialize;

use super::args;
use super::context::Cx;
use super::error::CliError;
use super::find;
use super::follow::Following;
use super::list::live;
use super::markdown::{Page, render};
use super::out;
use super::shelf::Shelf;
use crate::domain::event::Kind;
use crate::domain::session::replay;
use crate::domain::{Event, SessionId, Text, TurnNo};

/// The version of the line format (`docs/format.md`).
const FORMAT: u32 = 1;

/// One event as its log has it.
#[derive(Serialize)]
struct Line<'a> {
    v: u32,
    #[serde(flatten)]
    event: &'a Event,
}

/// Prints a session.
pub(super) async fn run(cx: &Cx, asked: &args::Show) -> Result<(), CliError> {
    let shelf = cx.shelf()?;
    let id = find::session(&shelf.heads(), &asked.id)?;
    let events = shelf.events(id)?;
    if let Some(trouble) = shelf.trouble(id) {
        out::say(trouble);
    }
    if cx.out.json() {
        for event in &events {
            line(cx, event)?;
        }
    } else {
        out::page(&page(cx, &shelf, id, &events).await)?;
    }
    if asked.follow {
        follow(cx, &shelf, id, &events).await?;
    }
    Ok(())
}

fn line(cx: &Cx, event: &Event) -> Result<(), CliError> {
    cx.out.value(&Line { v: FORMAT, event })
}

/// The transcript of a session.
pub(super) async fn page(cx: &Cx, shelf: &Shelf, id: SessionId, events: &[Event]) -> String {
    let session = replay(events);
    // A turn that is open in the log and runs nowhere was cut; the next host closes it.
    let cut = session.head.is_open() && !live(cx).await.contains(&id);
    render(&Page {
        session: &session,
        cut,
        agents: &agents(events),
        text: &|text| whole(shelf, id, text),
        zone: &TimeZone::system(),
    })
}

/// Which agent wrote which turn.
fn agents(events: &[Event]) -> BTreeMap<TurnNo, String> {
    let started = events.iter().filter_map(|e| match &e.kind {
        Kind::TurnStarted { turn, agent, .. } => Some((*turn, agent.clone())),
        _ => None,
    });
    started.collect()
}

/// A text in full, from its blob where it lies in one. One that cannot be read is cut, and says so.
fn whole(shelf: &Shelf, id: SessionId, text: &Text) -> String {
    let Text::Blob { blob, head, .. } = text else {
        return text.shown().to_owned();
    };
    shelf
        .blob(id, blob)
        .unwrap_or_else(|e| format!("{head}…\n\n*The rest cannot be shown: {e}*"))
}

/// Goes on until the reader has enough: a closed pipe, or Ctrl-C.
async fn follow(cx: &Cx, shelf: &Shelf, id: SessionId, before: &[Event]) -> Result<(), CliError> {
    let mut growing = shelf.follow(id, before.last().map(|e| e.seq))?;
    let mut following = Following::after(before);
    let zone = TimeZone::system();
    loop {
        let Some(events) = growing.read()? else {
            out::say(
                "The log was cut or replaced by something else; it is read again from its start.",
            );
            following = Following::default();
            continue;
        };
        if events.is_empty() {
            growing.wait().await;
        }
        for event in &events {
            if cx.out.json() {
                line(cx, event)?;
            } else {
                let piece = following.feed(event, &zone, &|text| whole(shelf, id, text));
                out::page(&piece)?;
            }
        }
    }
}
