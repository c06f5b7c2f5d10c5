//! A history that is here already: it comes in no second time, and what of it is missing is made.
//!
//! The main line and each variant are made whole or not at all; a program that was ended between them has left some out.

use super::scribe::{self, NO_PROMPT, Place};
use super::{No, Work, add, goes_on, parted, start};
use crate::agents::histories::History;
use crate::domain::ask::Brought;
use crate::domain::event::{Forked, Seq};
use crate::domain::{Kind, SessionId};
use crate::host::shared::Shared;
use crate::log::{Inlet, Listed, LogError};
use crate::text;

/// How what is a variant's own begins.
struct Begins {
    variant: SessionId,
    /// Its first event behind the fork.
    seq: Seq,
    ts: i64,
    words: String,
}

/// Makes the variants of a history that are missing; refused where none is. `before` is the session of its main line.
pub(super) fn finish(
    shared: &Shared,
    history: History,
    branches: &[Vec<usize>],
    (before, all): (&Listed, &[Listed]),
) -> Result<Brought, No> {
    let refused = twice(before, &history);
    let shelf = before.head.place.as_ref().map(|p| &p.collection);
    let shelf = shelf.and_then(|id| shared.look_at_drawer().get(id).cloned());
    let (Some(shelf), Some((main, others))) = (shelf, branches.split_first()) else {
        return Err(refused);
    };
    if others.is_empty() || !is_same(before, &history) {
        return Err(refused);
    }
    let work = Work {
        shelf,
        agent: goes_on(&shared.config()),
        shared,
        history,
    };
    let mut places = vec![None; work.history.turns.len()];
    let from = start(before.id);
    let turns = work.write(&mut Inlet::nowhere(from.seq + 1), main, from, &mut places)?;
    if !work.holds(before.id, &places)? {
        return Err(refused);
    }
    let title = text::one_line(before.head.title());
    let mut brought = work.brought((before.id, title, turns));
    let notes = brought.notes.len();
    let mut here = work.variants(before.id, all)?;
    for branch in others {
        if !work.is_here(branch, &mut here, &mut places)? {
            let made = work.variant(before.id, branch, &mut places);
            add(&mut brought, made);
        }
    }
    if brought.variants.is_empty() && brought.notes.len() == notes {
        return Err(refused);
    }
    let said = "It was here already; only the variants that were missing were made.";
    brought.notes.push(said.to_owned());
    Ok(brought)
}

/// Whether it is byte for byte what it was when it came in.
fn is_same(before: &Listed, history: &History) -> bool {
    let (about, was) = (&history.about, before.head.imported.as_ref());
    let crc32 = format!("{:08x}", about.crc32);
    !before.in_trash && was.is_some_and(|was| was.bytes == about.bytes && was.crc32 == crc32)
}

/// A history comes in once.
fn twice(before: &Listed, history: &History) -> No {
    let title = text::one_line(before.head.title());
    let trash = if before.in_trash {
        ", in the trash"
    } else {
        ""
    };
    let bytes = before.head.imported.as_ref().map_or(0, |i| i.bytes);
    let grown = (history.about.bytes > bytes).then(|| History::grown(&history.about, bytes));
    let grew = match grown {
        None | Some(Ok(0)) => String::new(),
        Some(Ok(n)) => format!(
            " It has grown by {} since then.",
            text::counted(n, "message")
        ),
        Some(Err(_)) => " It has grown since then.".to_owned(),
    };
    No {
        why: format!("This history is here already, as “{title}”{trash}.{grew}"),
        hint: Some("`fascicle import claude --again` makes another session of all of it; the one that is here stays as it is.".to_owned()),
    }
}

impl Work<'_> {
    /// Whether the turns end in a session's log where they would if they were written now: another version may have
    /// written them otherwise.
    fn holds(&self, session: SessionId, places: &[Option<Place>]) -> Result<bool, LogError> {
        let mut ends = std::collections::HashMap::new();
        for event in self.shared.store.whole(session)? {
            let event = event?;
            if let Kind::TurnFinished { turn, .. } = event.kind {
                ends.insert(event.seq, turn);
            }
        }
        let mut turns = self.history.turns.iter().zip(places);
        Ok(turns.all(|(turn, place)| {
            place.is_none_or(|p| turn.silent || ends.get(&p.seq) == Some(&p.turn))
        }))
    }

    /// How the variants of a session begin, also those in the trash.
    fn variants(&self, main: SessionId, all: &[Listed]) -> Result<Vec<Begins>, LogError> {
        let kin = |one: &&Listed| one.head.kin.is_variant() && one.head.kin.family == Some(main);
        let begins = all.iter().filter(kin).map(|one| self.begins(one.id));
        Ok(begins
            .collect::<Result<Vec<_>, _>>()?
            .into_iter()
            .flatten()
            .collect())
    }

    fn begins(&self, variant: SessionId) -> Result<Option<Begins>, LogError> {
        let store = &self.shared.store;
        let mut forked = false;
        for event in store.whole(variant)? {
            let event = event?;
            let words = match &event.kind {
                Kind::Forked(Forked { id, .. }) => {
                    forked |= *id == variant;
                    continue;
                }
                Kind::Prompt { text, .. } if forked => store.text(variant, text)?,
                Kind::Note { turn: None, text } if forked => text.clone(),
                _ => continue,
            };
            let (seq, ts) = (event.seq, event.ts);
            return Ok(Some(Begins {
                variant,
                seq,
                ts,
                words,
            }));
        }
        Ok(None)
    }

    /// Whether a branch is a variant already; its turns have their places then.
    fn is_here(
        &self,
        branch: &[usize],
        here: &mut Vec<Begins>,
        places: &mut [Option<Place>],
    ) -> Result<bool, LogError> {
        let (before, own) = parted(branch, places);
        let from = before.last().and_then(|at| places.get(*at).copied()?);
        let Some(first) = own.first().and_then(|at| self.turn(*at)) else {
            return Ok(true);
        };
        let mut words = scribe::prompt(&self.history, first)?;
        if words.is_empty() {
            NO_PROMPT.clone_into(&mut words);
        }
        let is_it = |b: &Begins| b.ts == first.ts && b.words == words;
        let Some(at) = here.iter().position(is_it) else {
            return Ok(false);
        };
        let Begins { variant, seq, .. } = here.remove(at);
        let from = Place {
            session: variant,
            ..from.unwrap_or(start(variant))
        };
        self.write(&mut Inlet::nowhere(seq), own, from, places)?;
        Ok(true)
    }
}
