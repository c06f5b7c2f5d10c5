//! `draft`: the text of the piece, now or as of an event.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::args;
use super::connect::Link;
use super::context::{Cx, unexpected};
use super::error::CliError;
use crate::domain::event::Kind;
use crate::domain::{Event, Reply, Request, Seq, SessionId};
use crate::drafts::trail::Trail;
use crate::drafts::{self, folder};
use crate::text::merge::merge;

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
            ..
        }) => {
            // A text that is not UTF-8 is in the file as it is.
            let folder = Path::new(&path).parent().unwrap_or(Path::new(""));
            let on_disk = drafts::file::read(folder).ok().flatten();
            let same = on_disk.filter(|bytes| String::from_utf8_lossy(bytes) == text);
            let bytes = same.unwrap_or_else(|| text.clone().into_bytes());
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

/// From disk. Without a number, `draft.md` as it stands, with what was typed and is not in it yet: what another
/// program wrote there counts.
fn saved(cx: &Cx, session: SessionId, at: Option<Seq>) -> Result<Found, CliError> {
    let shelf = cx.shelf()?;
    let events = shelf.events(session)?;
    if let Some(at) = at.filter(|at| events.last().is_none_or(|e| e.seq < *at)) {
        return Err(CliError::refused(
            format!("There is no event {at} yet."),
            "See the events with: fascicle show ID --json",
        ));
    }
    let trail = trail(&events, at);
    if let (Some(at), None) = (at, trail.at()) {
        return Err(CliError::refused(
            format!("There was no draft yet at event {at}."),
            "See the events with: fascicle show ID --json",
        ));
    }
    let folder = folder_of(cx, session, &events);
    let version = match &trail.version {
        Some((_, sha256)) => shelf.bytes(session, sha256),
        None => Ok(Vec::new()),
    };
    let on_disk = match at {
        None => drafts::file::read(&folder).ok().flatten(),
        Some(_) => None,
    };
    let bytes = match (version, on_disk) {
        (Ok(version), on_disk) => as_typed(&trail, version, on_disk),
        // The file is there, whatever became of the version.
        (Err(_), Some(on_disk)) => on_disk,
        (Err(e), None) => return Err(e),
    };
    let printed = Printed {
        text: String::from_utf8_lossy(&bytes).into_owned(),
        version: trail.at(),
        path: drafts::file::path(&folder).display().to_string(),
    };
    Ok((printed, bytes))
}

/// What the log says of the draft, as of an event.
fn trail(events: &[Event], at: Option<Seq>) -> Trail {
    let mut trail = Trail::default();
    let upto = events.iter().filter(|e| at.is_none_or(|at| e.seq <= at));
    for event in upto {
        trail.take(event);
    }
    trail
}

/// The text with what was typed behind the version; another program's is merged as the host will do it.
fn as_typed(trail: &Trail, version: Vec<u8>, on_disk: Option<Vec<u8>>) -> Vec<u8> {
    let on_disk = on_disk.unwrap_or_else(|| version.clone());
    let texts = (
        String::from_utf8(version),
        String::from_utf8(on_disk.clone()),
    );
    match texts {
        (Ok(version), Ok(on_disk)) if trail.is_typed() => {
            let typed = trail.text(version.clone()).text;
            merge(&version, &typed, &on_disk).text.into_bytes()
        }
        _ => on_disk,
    }
}

fn folder_of(cx: &Cx, session: SessionId, events: &[Event]) -> PathBuf {
    let root = cx.workspace.root();
    let logged = events.iter().rev().find_map(|e| match &e.kind {
        Kind::Created { folder, .. } | Kind::Forked { folder, .. } | Kind::Moved { folder, .. } => {
            Some(folder.clone())
        }
        _ => None,
    });
    let logged = logged.filter(|f| root.join(f).is_dir());
    let folder = logged.or_else(|| folder::find(root, session));
    root.join(folder.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Splice;
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
                from: None,
            },
        }
    }

    #[test]
    fn a_version_is_the_draft_as_of_an_event() {
        let events = [saved_at(3), saved_at(7)];
        let seq = |at| trail(&events, at).at();
        assert_eq!(seq(None), Some(7));
        assert_eq!(seq(Some(7)), Some(7));
        assert_eq!(seq(Some(6)), Some(3));
        assert_eq!(seq(Some(2)), None);
    }

    #[test]
    fn what_was_typed_behind_a_version_is_shown_with_what_another_program_wrote() {
        let kind = Kind::DraftEdited {
            base: 3,
            splices: vec![Splice {
                at: 4,
                remove: 0,
                insert: " Two.".into(),
            }],
        };
        let typed = Event {
            seq: 5,
            ts: 0,
            kind,
        };
        let trail = trail(&[saved_at(3), typed], None);
        let shown = |on_disk: Option<&[u8]>| {
            as_typed(&trail, b"One.".to_vec(), on_disk.map(<[u8]>::to_vec))
        };
        assert_eq!(trail.at(), Some(5));
        assert_eq!(shown(None), b"One. Two.");
        assert_eq!(shown(Some(b"One.")), b"One. Two.");
        assert_eq!(shown(Some(b"One.\n\nEnd.")), b"One. Two.\n\nEnd.");
        assert_eq!(shown(Some(b"\xff")), b"\xff");
    }
}
