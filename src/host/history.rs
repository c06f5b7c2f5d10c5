//! The conversation an agent is given, read from the log.

use crate::domain::body::{Body, Item, Part};
use crate::domain::event::By;
use crate::domain::head::{Head, Version};
use crate::domain::message::{self, Exchanges};
use crate::domain::versions::{VersionRow, Versions};
use crate::domain::{Event, Kind, Seq, Session, SessionId, Splice, Text, TurnNo, session};
use crate::drafts::trail::Trail;
use crate::log::{Followed, LogError, Store};

/// Everything said before a turn, texts in blobs included, and the newest event before its prompt. `from` is the newest
/// event that a summary stands for: the log is read from there.
pub(super) fn before(
    store: &Store,
    id: SessionId,
    turn: TurnNo,
    from: Option<Seq>,
) -> Result<(Exchanges, Seq), LogError> {
    let mut body = match from {
        Some(from) => behind(store, id, from)?,
        None => whole(store, id)?,
    };
    // One whose summary cannot be read any more is given as it was.
    if from.is_some()
        && !body
            .items
            .iter()
            .any(|i| matches!(i, Item::Compacted { .. }))
    {
        body = whole(store, id)?;
    }
    let is_next = |i: &Item| matches!(i, Item::Prompt { turn: t, .. } if *t >= turn);
    let at = body.items.iter().position(is_next);
    let next = at.and_then(|at| body.items.get(at)).map(Item::seq);
    body.items.truncate(at.unwrap_or(body.items.len()));
    let end = next.map(|seq| seq.saturating_sub(1));
    let end = end.or(body.items.last().map(Item::seq)).unwrap_or(0);
    for item in &mut body.items {
        resolve(store, id, item)?;
    }
    Ok((message::exchanges(&body), end))
}

/// What was said behind an event.
fn behind(store: &Store, id: SessionId, from: Seq) -> Result<Body, LogError> {
    let mut body = Body::default();
    let mut log = store.follow(id, Some(from))?;
    while let Followed::Events(events) = log.read()? {
        if events.is_empty() {
            break;
        }
        for event in &events {
            body.apply(event);
        }
    }
    Ok(body)
}

/// The words of one answer or prompt, by the number of its first event; with the agent that gave it.
pub(super) fn words_at(store: &Store, id: SessionId, seq: u64) -> Result<Option<String>, LogError> {
    let mut body = whole(store, id)?;
    let Some(item) = body.items.iter_mut().find(|i| i.seq() == seq) else {
        return Ok(None);
    };
    resolve(store, id, item)?;
    Ok(match item {
        Item::Part {
            part: Part::Words { text, .. },
            ..
        }
        | Item::Prompt { text, .. } => Some(text.shown().to_owned()),
        _ => None,
    })
}

/// What a turn was asked, and how many bytes of its answer the log has.
pub(super) struct Asked {
    pub(super) prompt: String,
    pub(super) bytes: u64,
}

/// What a turn was asked, the whole of it; none where its prompt cannot be read in the log.
pub(super) fn of_turn(
    store: &Store,
    id: SessionId,
    turn: TurnNo,
) -> Result<Option<Asked>, LogError> {
    let mut prompt = None;
    let mut bytes = 0;
    for item in &whole(store, id)?.items {
        match item {
            Item::Prompt { turn: t, text, .. } if *t == turn => {
                prompt = Some(store.text(id, text)?);
            }
            Item::Part {
                turn: t,
                part: Part::Words { text, .. },
                ..
            } if *t == turn => bytes += text.len(),
            _ => {}
        }
    }
    Ok(prompt.map(|prompt| Asked { prompt, bytes }))
}

/// Number of the prompt that began a turn; none where it cannot be read in the log.
pub(super) fn prompt_of(
    store: &Store,
    id: SessionId,
    turn: TurnNo,
) -> Result<Option<u64>, LogError> {
    let body = whole(store, id)?;
    let prompt = |item: &Item| matches!(item, Item::Prompt { turn: t, .. } if *t == turn);
    Ok(body.items.iter().find(|item| prompt(item)).map(Item::seq))
}

pub(super) fn whole(store: &Store, id: SessionId) -> Result<Body, LogError> {
    let mut folded = Session::default();
    for event in store.whole(id)? {
        session::apply(&mut folded, &event?);
    }
    Ok(folded.body)
}

fn resolve(store: &Store, id: SessionId, item: &mut Item) -> Result<(), LogError> {
    let texts: [Option<&mut Text>; 2] = match item {
        Item::Prompt { text, .. }
        | Item::Part {
            part: Part::Words { text, .. },
            ..
        } => [Some(text), None],
        Item::Part {
            part: Part::Call { input, done, .. },
            ..
        } => [Some(input), done.as_mut().map(|d| &mut d.output)],
        Item::Compacted { what, .. } => [Some(&mut what.summary), None],
        _ => [None, None],
    };
    for text in texts.into_iter().flatten().filter(|t| t.is_cut()) {
        *text = Text::Inline(store.text(id, text)?);
    }
    Ok(())
}

/// The draft as of an event.
pub(super) struct Drafted {
    pub(super) bytes: Vec<u8>,
    /// Its event; none when there was no draft.
    pub(super) at: Option<Seq>,
    /// What was typed and has no place.
    pub(super) unfit: Vec<Seq>,
}

/// The draft as of an event, as it is when none is named; of a proposal, what was proposed. `near` is a version at or before it: the log is read from
/// there.
pub(super) fn draft(
    store: &Store,
    id: SessionId,
    near: Option<Seq>,
    at: Option<Seq>,
) -> Result<Drafted, LogError> {
    let mut trail = Trail::default();
    match near {
        Some(near) => {
            let mut log = store.follow(id, near.checked_sub(1))?;
            while let Followed::Events(events) = log.read()? {
                if events.is_empty() || !take(&mut trail, &events, at) {
                    break;
                }
            }
        }
        None => {
            for event in store.whole(id)? {
                if !take(&mut trail, &[event?], at) {
                    break;
                }
            }
        }
    }
    if let Some(proposed) = trail.proposed(at) {
        let (bytes, unfit) = (store.blob_get(id, proposed)?, Vec::new());
        return Ok(Drafted { bytes, at, unfit });
    }
    let version = trail.version.as_ref();
    let bytes = version.map_or(Ok(Vec::new()), |(_, sha)| store.blob_get(id, sha))?;
    let at = trail.at();
    if !trail.is_typed() {
        let unfit = Vec::new();
        return Ok(Drafted { bytes, at, unfit });
    }
    let found = trail.text(String::from_utf8_lossy(&bytes).into_owned());
    Ok(Drafted {
        bytes: found.text.into_bytes(),
        at,
        unfit: found.unfit,
    })
}

/// What was made of a draft since one of its events: typed changes; none of them where it became a version as it was.
/// It ends where another text came in.
pub(super) fn steps(
    store: &Store,
    id: SessionId,
    since: Seq,
) -> Result<Vec<(Seq, Vec<Splice>)>, LogError> {
    let mut out = Vec::new();
    let mut log = store.follow(id, Some(since).filter(|seq| *seq > 0))?;
    while let Followed::Events(events) = log.read()? {
        if events.is_empty() {
            break;
        }
        for event in events {
            match event.kind {
                Kind::DraftEdited { splices, .. } => out.push((event.seq, splices)),
                Kind::DraftSaved {
                    by: By::You,
                    beside: None,
                    from: None,
                    ..
                } => out.push((event.seq, Vec::new())),
                Kind::DraftSaved { .. } => return Ok(out),
                _ => {}
            }
        }
    }
    Ok(out)
}

/// Whether there may be more to take.
fn take(trail: &mut Trail, events: &[Event], upto: Option<Seq>) -> bool {
    for event in events {
        if upto.is_some_and(|upto| event.seq > upto) {
            return false;
        }
        trail.take(event);
    }
    true
}

/// The versions of the draft as a timeline, oldest first.
pub(super) fn timeline(store: &Store, id: SessionId) -> Result<Vec<VersionRow>, LogError> {
    let mut timeline = Versions::default();
    for event in store.whole(id)? {
        timeline.take(&event?);
    }
    Ok(timeline.rows)
}

/// Every version of the draft, oldest first.
pub(super) fn versions(store: &Store, id: SessionId) -> Result<Vec<Version>, LogError> {
    let (mut head, mut versions) = (Head::default(), Vec::new());
    for event in store.whole(id)? {
        let event = event?;
        head.apply(&event);
        if matches!(event.kind, Kind::DraftSaved { .. }) {
            versions.extend(head.draft.clone());
        }
    }
    Ok(versions)
}
