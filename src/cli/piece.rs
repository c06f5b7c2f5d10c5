//! A text that a word on the command line means: the draft of a session, or one of its versions.

use std::path::{Path, PathBuf};

use super::connect::Link;
use super::context::{Cx, unexpected};
use super::error::CliError;
use super::out;
use crate::domain::event::By;
use crate::domain::versions::{VersionRow, Versions};
use crate::domain::{Event, Head, Kind, Reply, Request, Seq, SessionId};
use crate::drafts::trail::Trail;
use crate::drafts::{self, decode, folder};
use crate::text::{hash::sha256, merge::merge};

/// How a version of a session is named.
const AT: char = '@';
/// What helps who named no version.
const SEE: &str = "See the versions with: fascicle draft ID --versions";

/// A text of a session.
pub(super) struct Piece {
    pub(super) session: SessionId,
    /// The draft's event that it is as of; none when nothing was written yet.
    pub(super) seq: Option<Seq>,
    /// Where the draft lies.
    pub(super) path: PathBuf,
    /// A draft need not be UTF-8.
    pub(super) bytes: Vec<u8>,
}

/// What a word means: a session's draft as it is, or one of its versions.
pub(super) struct Spec {
    pub(super) session: SessionId,
    pub(super) at: Option<String>,
}

impl Spec {
    /// Reads `ID`, or `ID@SEQ` and `ID@NAME` for a version.
    pub(super) fn of(cx: &Cx, word: &str) -> Result<Self, CliError> {
        // A title may hold the sign itself.
        match (cx.session(word), word.rsplit_once(AT)) {
            (Err(CliError::NoSession(..)), Some((id, at))) => Ok(Self {
                session: cx.session(id)?,
                at: Some(at.to_owned()),
            }),
            (session, _) => Ok(Self {
                session: session?,
                at: None,
            }),
        }
    }
}

impl Piece {
    /// The draft of a session, as it is or as of a version.
    pub(super) async fn of(cx: &Cx, spec: &Spec) -> Result<Self, CliError> {
        let link = match spec.at {
            Some(_) => None,
            None => Link::running(cx).await,
        };
        Self::by(cx, link.as_ref(), spec).await
    }

    /// The same, by a host that was asked before.
    pub(super) async fn by(cx: &Cx, link: Option<&Link>, spec: &Spec) -> Result<Self, CliError> {
        let session = spec.session;
        let Some(at) = &spec.at else {
            let live = match link {
                Some(link) => live(link, session).await?,
                None => None,
            };
            return live.map_or_else(|| now(cx, session), Ok);
        };
        let events = cx.shelf()?.events(session)?;
        let seq = version(&events, at)?;
        as_of(cx, session, &events, seq)
    }

    /// The text, of a piece that is UTF-8.
    pub(super) fn text(self) -> Result<String, CliError> {
        let (path, session) = (self.path, self.session);
        String::from_utf8(self.bytes).map_err(|wrong| {
            let hint = match decode::decode(wrong.as_bytes()) {
                Ok(_) => format!("Make it UTF-8 with: fascicle draft {session} --convert"),
                Err(why) => why.to_owned(),
            };
            CliError::refused(format!("{} is not UTF-8 text.", path.display()), hint)
        })
    }
}

/// The versions of a draft, oldest first.
pub(super) fn timeline(events: &[Event]) -> Vec<VersionRow> {
    let mut timeline = Versions::default();
    for event in events {
        timeline.take(event);
    }
    timeline.rows
}

/// The number that a word means: itself, or that of the version with that name.
pub(super) fn version(events: &[Event], word: &str) -> Result<Seq, CliError> {
    if let Ok(seq) = word.parse() {
        return Ok(seq);
    }
    let rows = timeline(events);
    let pinned = |row: &&VersionRow| row.name.as_deref() == Some(word);
    let found = rows.iter().find(pinned).map(|row| row.seq);
    found.ok_or_else(|| CliError::refused(format!("No version has the name {word:?}."), SEE))
}

/// The version that the file of a session still holds where a newer one was just made, which never came into it.
pub(super) fn lagging(cx: &Cx, session: SessionId, made: Seq) -> Result<Option<Lag>, CliError> {
    let events = cx.shelf()?.events(session)?;
    let (folder, path) = folder_of(cx, session, &head_of(&events));
    let Some(there) = folder.and_then(|at| drafts::file::read(&at).ok().flatten()) else {
        return Ok(None);
    };
    let there = sha256(&there);
    let mut saved = events.iter().filter_map(|e| match &e.kind {
        Kind::DraftSaved { sha256, .. } => Some((e.seq, sha256)),
        _ => None,
    });
    let held = saved.rfind(|(_, sha256)| **sha256 == there);
    let held = held.map(|(seq, _)| seq).filter(|seq| *seq < made);
    Ok(held.map(|holds| Lag { holds, path }))
}

/// A file that a version did not come into.
pub(super) struct Lag {
    /// The version that it holds.
    pub(super) holds: Seq,
    path: PathBuf,
}

impl Lag {
    /// Says so, behind what was done.
    pub(super) fn told(lag: Option<&Self>) -> String {
        lag.map_or_else(String::new, |Self { holds, path }| {
            let path = path.display();
            format!(
                " It is safe in the log, but {path} could not be written and still holds version {holds}; it follows when it can be written."
            )
        })
    }
}

/// From the host. None when it does not answer: where it only reads, it takes in no text from outside.
async fn live(link: &Link, session: SessionId) -> Result<Option<Piece>, CliError> {
    match link.ask(Request::Draft { session, at: None }).await {
        Ok(Reply::Draft {
            text,
            version,
            path,
            ..
        }) => {
            let path = PathBuf::from(path);
            // A text that is not UTF-8 is in the file as it is.
            let folder = path.parent().unwrap_or(Path::new(""));
            let on_disk = drafts::file::read(folder).ok().flatten();
            let same = on_disk.filter(|bytes| String::from_utf8_lossy(bytes) == text);
            let bytes = same.unwrap_or_else(|| text.into_bytes());
            Ok(Some(Piece {
                session,
                seq: version,
                path,
                bytes,
            }))
        }
        Ok(other) => Err(unexpected(&other)),
        Err(CliError::Refused { .. }) => Ok(None),
        Err(other) => Err(other),
    }
}

/// From disk: `draft.md` as it stands, with what was typed and is not in it yet. What another program wrote there
/// counts; an older version that stands there since the newest could not be written does not.
fn now(cx: &Cx, session: SessionId) -> Result<Piece, CliError> {
    let shelf = cx.shelf()?;
    let events = shelf.events(session)?;
    let (trail, head) = (trail(&events, None), head_of(&events));
    let (folder, path) = folder_of(cx, session, &head);
    let version = match &trail.version {
        Some((_, sha256)) => shelf.bytes(session, sha256),
        None => Ok(Vec::new()),
    };
    let on_disk = folder.and_then(|at| drafts::file::read(&at).ok().flatten());
    let bytes = match (version, on_disk) {
        (Ok(version), Some(text)) if head.lags(&sha256(&text), before(&events)) => {
            out::say(format!(
                "{} still holds an older version. What is printed is the newest, from the log; it comes into the file when the piece is opened and the file can be written.",
                path.display()
            ));
            as_typed(&trail, version, None)
        }
        (Ok(version), Some(text)) => {
            let older = head.holds.as_ref().filter(|_| text != version);
            match older.and_then(|sha256| shelf.bytes(session, sha256).ok()) {
                Some(older) => as_met(&trail, &head, [older, version, text]),
                None => as_typed(&trail, version, Some(text)),
            }
        }
        (Ok(version), None) => as_typed(&trail, version, None),
        // The file is there, whatever became of the version.
        (Err(_), Some(on_disk)) => on_disk,
        (Err(e), None) => return Err(e),
    };
    Ok(Piece {
        session,
        seq: trail.at(),
        path,
        bytes,
    })
}

/// Hash of the version before the newest.
fn before(events: &[Event]) -> Option<&str> {
    let mut saved = events.iter().rev().filter_map(|e| match &e.kind {
        Kind::DraftSaved { sha256, .. } => Some(sha256.as_str()),
        _ => None,
    });
    saved.nth(1)
}

/// The draft as of an event; of a proposal, what was proposed.
fn as_of(cx: &Cx, session: SessionId, events: &[Event], at: Seq) -> Result<Piece, CliError> {
    let shelf = cx.shelf()?;
    if events.last().is_none_or(|e| e.seq < at) {
        return Err(CliError::refused(
            format!("There is no event {at} yet."),
            SEE,
        ));
    }
    let trail = trail(events, Some(at));
    let (seq, bytes) = match (trail.proposed(Some(at)), &trail.version, trail.at()) {
        (Some(sha256), ..) => (at, shelf.bytes(session, sha256)?),
        (None, _, None) => {
            let why = format!("There was no draft yet at event {at}.");
            return Err(CliError::refused(why, SEE));
        }
        (None, None, Some(seq)) => (seq, as_typed(&trail, Vec::new(), None)),
        (None, Some((_, sha256)), Some(seq)) => {
            let version = shelf.bytes(session, sha256)?;
            (seq, as_typed(&trail, version, None))
        }
    };
    Ok(Piece {
        session,
        seq: Some(seq),
        path: folder_of(cx, session, &head_of(events)).1,
        bytes,
    })
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

/// The newest version, which never came into the file, with what another program wrote into the older text there: as the
/// host will merge it.
fn as_met(trail: &Trail, head: &Head, [older, version, on_disk]: [Vec<u8>; 3]) -> Vec<u8> {
    let texts = [older, version, on_disk.clone()].map(|text| String::from_utf8(text).ok());
    let [Some(older), Some(version), Some(theirs)] = texts else {
        return on_disk;
    };
    let is_agents = head
        .draft
        .as_ref()
        .is_some_and(|d| matches!(d.by, By::Agent(_)));
    let mine = trail.text(version).text;
    let both = if is_agents && !trail.is_typed() {
        merge(&older, &theirs, &mine)
    } else {
        merge(&older, &mine, &theirs)
    };
    both.text.into_bytes()
}

/// The session's folder, if there is one, and the path its draft has or had: the name of a folder may be another
/// session's since.
fn folder_of(cx: &Cx, session: SessionId, head: &Head) -> (Option<PathBuf>, PathBuf) {
    let root = cx.workspace.root();
    let logged = head.place.as_ref().map_or("", |p| p.folder.as_str());
    let folder = folder::whereabouts(root, session, logged);
    let path = drafts::file::path(&root.join(folder.as_deref().unwrap_or(logged)));
    (folder.map(|at| root.join(at)), path)
}

/// What the log says of the session.
fn head_of(events: &[Event]) -> Head {
    let mut head = Head::default();
    for event in events {
        head.apply(event);
    }
    head
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Splice;

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
                rest: false,
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
