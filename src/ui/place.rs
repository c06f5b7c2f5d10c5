//! Where the window was left, to be kept by whoever opens it, and what happened since.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::desk::Unkept;
use super::draft::{Left, Owed};
use super::focus::Pane;
use super::layers::Written;
use super::rows::{Looks, Rows, Shelf};
use crate::domain::{CollectionId, Row, Seq, SessionId, State};

/// Where a window stood.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Place {
    /// The open session; none for a new one.
    pub session: Option<SessionId>,
    /// The pane.
    pub pane: Pane,
    /// The shelf of the list.
    pub shelf: Shelf,
    /// How the lists are looked at.
    pub looks: Looks,
    /// The message at the reading place; none at the end.
    pub reading: Option<Seq>,
    /// Sessions with a turn under way.
    pub busy: Vec<SessionId>,
    /// When that was, milliseconds since 1970.
    pub when: Option<i64>,
    /// Sessions whose cut turn was spoken of.
    pub cut: Vec<SessionId>,
    /// When the page of each collection was looked at, milliseconds since 1970.
    pub looked: BTreeMap<CollectionId, i64>,
    /// Words typed into drafts that the host has not said to have.
    pub owed: Vec<Owed>,
    /// How the drafts stood.
    pub drafts: Left,
    /// What was written and not sent.
    #[serde(flatten)]
    pub prompts: Prompts,
}

/// What was written in a window and not sent.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Prompts {
    /// Words that the host could not keep.
    pub unsent: Vec<Unkept>,
    /// Prompts that were left in boxes.
    pub written: Vec<Written>,
}

impl Place {
    /// Whether it is another place, whatever the time.
    pub fn differs(&self, from: &Self) -> bool {
        let at_once = Self {
            when: from.when,
            ..self.clone()
        };
        at_once != *from
    }

    /// Whether it is another place, or words that were kept with that one need not be sent again: those that are typed
    /// since can wait a moment, and so can the caret's place among them.
    pub fn differs_much(&self, from: &Self) -> bool {
        let same = |a: &Owed, b: &Owed| (a.session, a.base) == (b.session, b.base);
        let gone = |owed: &Owed| !self.owed.iter().any(|new| same(new, owed));
        let but_typed = Self {
            owed: from.owed.clone(),
            prompts: from.prompts.clone(),
            drafts: Left {
                stood: from.drafts.stood.clone(),
                ..self.drafts.clone()
            },
            ..self.clone()
        };
        but_typed.differs(from) || from.owed.iter().any(gone)
    }
}

/// Sessions with a turn under way.
pub fn busy(rows: &Rows) -> Vec<SessionId> {
    let works = |s| matches!(s, State::Writing | State::NeedsYou | State::Queued);
    let mut out: Vec<_> = rows
        .every()
        .filter(|r| works(r.state))
        .map(|r| r.id)
        .collect();
    out.sort_unstable();
    out
}

/// What happened to those that were busy, and to those whose turn was begun and ended since; and who needs
/// the writer: `2 turns finished, 1 needs you`. Of turns that were cut the window speaks by itself.
pub fn since(left: &Place, rows: &Rows) -> Option<String> {
    let was_busy = |row: &Row| left.busy.contains(&row.id);
    let is_news = |row: &&Row| {
        let shown = !row.archived && !row.trashed;
        shown && (was_busy(row) || left.when.is_some_and(|when| row.updated > when))
    };
    let news: Vec<&Row> = rows.every().filter(is_news).collect();
    let count = |states: &[State]| news.iter().filter(|r| states.contains(&r.state)).count();
    let quiet = |r: &&&Row| r.state == State::Idle && was_busy(r);
    let finished = count(&[State::Unread]) + news.iter().filter(quiet).count();
    let failed = count(&[State::Failed]);
    let stopped = count(&[State::Interrupted]);
    if finished + failed + stopped + count(&[State::NeedsYou]) == 0 {
        return None;
    }
    let needs = rows.every().filter(|r| r.state == State::NeedsYou).count();
    let parts: Vec<String> = [
        (finished, "turn finished", "turns finished"),
        (failed, "failed", "failed"),
        (stopped, "was stopped", "were stopped"),
        (needs, "needs you", "need you"),
    ]
    .into_iter()
    .filter(|p| p.0 > 0)
    .map(|(n, one, many)| format!("{n} {}", if n == 1 { one } else { many }))
    .collect();
    Some(format!("Since you were here: {}.", parts.join(", ")))
}
