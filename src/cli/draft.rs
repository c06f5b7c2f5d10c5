//! `draft`: the text of the piece, now or as of an event.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::args;
use super::connect::Link;
use super::context::{Cx, unexpected};
use super::error::CliError;
use crate::domain::event::Kind;
use crate::domain::{Event, Reply, Request, Seq, SessionId};
use crate::drafts::{self, folder};

/// A draft, for scripts.
#[derive(Serialize)]
struct Printed {
    text: String,
    version: Option<Seq>,
    path: String,
}

/// Prints the draft.
pub(super) async fn run(cx: &Cx, asked: &args::Draft) -> Result<(), CliError> {
    let session = cx.session(&asked.id)?;
    let live = match Link::running(cx).await {
        Some(link) if asked.at.is_none() => live(&link, session).await?,
        _ => None,
    };
    let (printed, bytes) = match live {
        Some(found) => found,
        None => saved(cx, session, asked.at)?,
    };
    if cx.out.json() {
        return cx.out.value(&printed);
    }
    cx.out.bytes(&bytes)
}

/// With the text as its bytes beside it: a draft need not be UTF-8, and JSON must.
type Found = (Printed, Vec<u8>);

/// From the host. None when it does not answer: where it only reads, it takes in no text from outside.
async fn live(link: &Link, session: SessionId) -> Result<Option<Found>, CliError> {
    match link.ask(Request::Draft { session, at: None }).await {
        Ok(Reply::Draft {
            text,
            version,
            path,
        }) => {
            // The host has just looked at the file: it holds the newest version, byte for byte.
            let folder = Path::new(&path).parent().unwrap_or(Path::new(""));
            let on_disk = drafts::file::read(folder).ok().flatten();
            let bytes = on_disk.unwrap_or_else(|| text.clone().into_bytes());
            let printed = Printed {
                text,
                version,
                path,
            };
            Ok(Some((printed, bytes)))
        }
        Ok(other) => Err(unexpected(&other)),
        Err(CliError::Refused { .. }) => Ok(None),
        Err(other) => Err(other),
    }
}

/// From disk. Without a number, `draft.md` as it stands: what another program wrote there counts.
fn saved(cx: &Cx, session: SessionId, at: Option<Seq>) -> Result<Found, CliError> {
    let shelf = cx.shelf()?;
    let events = shelf.events(session)?;
    if let Some(at) = at.filter(|at| events.last().is_none_or(|e| e.seq < *at)) {
        return Err(CliError::refused(
            format!("There is no event {at} yet."),
            "See the events with: fascicle show ID --json",
        ));
    }
    let version = version(&events, at);
    if let (Some(at), None) = (at, &version) {
        return Err(CliError::refused(
            format!("There was no draft yet at event {at}."),
            "See the events with: fascicle show ID --json",
        ));
    }
    let folder = folder_of(cx, session, &events);
    let on_disk = match at {
        None => drafts::file::read(&folder).ok().flatten(),
        Some(_) => None,
    };
    let bytes = match (on_disk, &version) {
        (Some(bytes), _) => bytes,
        (None, Some((_, sha256))) => shelf.bytes(session, sha256)?,
        (None, None) => Vec::new(),
    };
    let printed = Printed {
        text: String::from_utf8_lossy(&bytes).into_owned(),
        version: version.map(|(seq, _)| seq),
        path: drafts::file::path(&folder).display().to_string(),
    };
    Ok((printed, bytes))
}

/// The newest version at or before an event, with the name of its text.
fn version(events: &[Event], at: Option<Seq>) -> Option<(Seq, String)> {
    events
        .iter()
        .rev()
        .filter(|e| at.is_none_or(|at| e.seq <= at))
        .find_map(|e| match &e.kind {
            Kind::DraftSaved { sha256, .. } => Some((e.seq, sha256.clone())),
            _ => None,
        })
}

fn folder_of(cx: &Cx, session: SessionId, events: &[Event]) -> PathBuf {
    let root = cx.workspace.root();
    let logged = events.iter().rev().find_map(|e| match &e.kind {
        Kind::Created { folder, .. } | Kind::Moved { folder, .. } => Some(folder.clone()),
        _ => None,
    });
    let logged = logged.filter(|f| root.join(f).is_dir());
    let folder = logged.or_else(|| folder::find(root, session));
    root.join(folder.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::event::By;

    fn saved_at(seq: Seq) -> Event {
        Event {
            seq,
            ts: 0,
            kind: Kind::DraftSaved {
                turn: None,
                sha256: format!("{seq}"),
                bytes: 0,
                words: 0,
                by: By::You,
                base: None,
                added: 0,
                removed: 0,
                beside: None,
            },
        }
    }

    #[test]
    fn a_version_is_the_draft_as_of_an_event() {
        let events = [saved_at(3), saved_at(7)];
        let seq = |at| version(&events, at).map(|(seq, _)| seq);
        assert_eq!(seq(None), Some(7));
        assert_eq!(seq(Some(7)), Some(7));
        assert_eq!(seq(Some(6)), Some(3));
        assert_eq!(seq(Some(2)), None);
    }
}
