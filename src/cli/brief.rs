//! `brief`: what an agent is told, exactly as it is sent; what it was made of is said beside it.

use serde::Serialize;

use super::context::Cx;
use super::error::CliError;
use super::{args, out};
use crate::domain::brief::{Briefing, called};
use crate::domain::event::BriefPart;
use crate::domain::{Head, SessionId};
use crate::memory::brief::{Entry, gone, make};
use crate::text::size;

/// A brief, for scripts.
#[derive(Serialize)]
struct Printed<'a> {
    session: SessionId,
    #[serde(flatten)]
    briefing: &'a Briefing,
}

/// Prints a brief.
pub(super) fn run(cx: &Cx, asked: &args::Brief) -> Result<(), CliError> {
    let session = cx.session(&asked.id)?;
    let briefing = briefing(cx, session, asked.turn)?;
    if cx.out.json() {
        let briefing = &briefing;
        return cx.out.value(&Printed { session, briefing });
    }
    for part in &briefing.brief.parts {
        out::say(told(part, &briefing));
    }
    for problem in &briefing.brief.problems {
        out::say(format!("! {problem}"));
    }
    out::say(since(&briefing));
    cx.out.exact(&briefing.brief.text)
}

fn briefing(cx: &Cx, session: SessionId, turn: Option<u32>) -> Result<Briefing, CliError> {
    let shelf = cx.shelf()?;
    let (trail, store) = shelf.briefs(session)?;
    if let Some(turn) = turn {
        let found = trail.at(store, session, turn)?;
        return found.ok_or_else(|| {
            CliError::refused(
                trail.none_for(turn),
                "`fascicle show ID` shows its turns; without --turn the brief of the next one is printed.",
            )
        });
    }
    let heads = shelf.heads();
    let own = heads.iter().find(|h| h.id == Some(session));
    let place = own.and_then(|h| h.place.as_ref());
    let collection = place.map(|p| &p.collection);
    let drawer = cx.drawer();
    let found = collection.and_then(|id| drawer.get(id));
    let beside = |h: &&Head| h.place.as_ref().map(|p| &p.collection) == collection;
    let entries: Vec<Entry> = heads.iter().filter(beside).filter_map(Entry::of).collect();
    let mut made = make(cx.workspace.root(), found, session, &entries);
    if let (Some(place), None) = (place, found) {
        made.brief.problems.push(gone(place.shelf()));
    }
    Ok(trail.now(store, session, made.brief)?)
}

/// `~ Memory of the collection: essays/MEMORY.md, 1.2 KiB`.
fn told(part: &BriefPart, briefing: &Briefing) -> String {
    let changed = briefing.changed.contains(&part.part);
    let sign = if changed { "~ " } else { "  " };
    let path = part.path.as_ref().map(|p| format!("{p}, "));
    let left = match part.left_out {
        0 => String::new(),
        n => format!("; {} left out", size(n)),
    };
    let (called, path) = (called(&part.part), path.unwrap_or_default());
    format!("{sign}{called}: {path}{}{left}", size(part.bytes))
}

/// What became of it since it was sent last.
fn since(briefing: &Briefing) -> String {
    let names: Vec<&str> = briefing.changed.iter().map(|part| called(part)).collect();
    match (briefing.turn, briefing.sent.last()) {
        (Some(turn), _) if names.is_empty() => format!("Sent from turn {turn} on."),
        (Some(turn), _) => format!(
            "Sent from turn {turn} on; changed then: {}.",
            names.join(", ")
        ),
        (None, None) => "Nothing was sent here yet.".to_owned(),
        (None, Some(last)) if names.is_empty() => format!("Unchanged since turn {}.", last.turn),
        (None, Some(last)) => format!("Changed since turn {}: {}.", last.turn, names.join(", ")),
    }
}
