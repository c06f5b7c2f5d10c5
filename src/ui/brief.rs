//! The brief of a session: as the next turn gets it, and as earlier ones were sent it, each beside the one before.

use std::collections::HashMap;
use std::sync::Arc;

use super::compare::paper::Paper;
use crate::domain::brief::Briefing;
use crate::domain::{Piece, SessionId, TurnNo};

/// Which brief: the one a turn was first sent, or the one that the next turn gets.
pub type Which = Option<TurnNo>;

/// What is known of a brief.
#[derive(Debug)]
enum Known {
    /// It was asked for.
    Asked,
    /// It is here: what was told of it, its text, and the text before it.
    Here(Box<Briefing>, [Arc<str>; 2]),
    /// It cannot be had.
    Wrong(String),
}

/// The view.
#[derive(Debug)]
pub struct BriefView {
    /// The session.
    pub session: SessionId,
    /// The text at hand, with what changed in it.
    pub paper: Paper,
    at: Which,
    known: HashMap<Which, Known>,
    shown: Option<Which>,
    /// What was known of its collection when it was looked at last.
    seen: Option<Seen>,
}

/// What is known of a collection, as far as briefs tell of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seen {
    /// How many deeds its files have.
    pub deeds: u64,
    /// Where it lies.
    pub folder: String,
    /// What it says of its pieces.
    pub said: Vec<Piece>,
    /// What they are called, in order.
    pub titles: Vec<String>,
}

impl BriefView {
    /// The brief that the next turn of a session gets.
    pub fn new(session: SessionId) -> Self {
        Self {
            session,
            paper: Paper::default(),
            at: None,
            known: HashMap::new(),
            shown: None,
            seen: None,
        }
    }

    /// That is known of its collection now: where it is news, what the next turn gets is stale.
    pub fn look_at(&mut self, now: Seen) {
        let is_so = self.seen.as_ref() == Some(&now);
        if !is_so && self.seen.replace(now).is_some() {
            self.stale();
        }
    }

    /// The brief to ask the host for; from now on it is on its way.
    pub fn wanted(&mut self) -> Option<Which> {
        if self.known.contains_key(&self.at) {
            return None;
        }
        self.known.insert(self.at, Known::Asked);
        Some(self.at)
    }

    /// A brief came.
    pub fn came(&mut self, which: Which, briefing: Briefing) {
        let text: Arc<str> = Arc::from(briefing.brief.text.as_str());
        // The first one has nothing to differ from.
        let was = briefing.was.as_deref();
        let was = was.map_or_else(|| Arc::clone(&text), Arc::from);
        self.known
            .insert(which, Known::Here(Box::new(briefing), [was, text]));
        if self.shown == Some(which) {
            self.shown = None;
        }
    }

    /// It cannot be had.
    pub fn refused(&mut self, which: Which, why: String) {
        self.known.insert(which, Known::Wrong(why));
    }

    /// Another brief was sent, another host answers, or its files are others: what the next turn gets is asked for anew.
    pub fn stale(&mut self) {
        self.known
            .retain(|which, known| which.is_some() && matches!(known, Known::Here(..)));
    }

    /// What is told of it; none until it has come.
    pub fn briefing(&self) -> Option<&Briefing> {
        match self.known.get(&self.at)? {
            Known::Here(briefing, _) => Some(briefing),
            _ => None,
        }
    }

    /// Why it cannot be had.
    pub fn wrong(&self) -> Option<&str> {
        match self.known.get(&self.at)? {
            Known::Wrong(why) => Some(why),
            _ => None,
        }
    }

    /// Every brief, oldest first: those that were sent, then the one that the next turn gets.
    fn all(&self) -> Vec<Which> {
        let briefings = self.known.values().filter_map(|known| match known {
            Known::Here(briefing, _) => Some(&briefing.sent),
            _ => None,
        });
        let sent = briefings.max_by_key(|sent| sent.len());
        let turns = sent.into_iter().flatten().map(|s| Some(s.turn));
        turns.chain([None]).collect()
    }

    /// Which of them is at hand, from 1, and how many there are.
    pub fn count(&self) -> (usize, usize) {
        let all = self.all();
        let at = all.iter().position(|which| *which == self.at);
        (at.map_or(all.len(), |at| at + 1), all.len())
    }

    /// Goes some briefs towards the next turn, or back; false when there is none further on.
    pub fn walk(&mut self, by: isize) -> bool {
        let all = self.all();
        let (at, _) = self.count();
        let to = (at - 1).checked_add_signed(by).and_then(|to| all.get(to));
        if let Some(to) = to {
            self.at = *to;
        }
        to.is_some()
    }

    /// Takes in what has come.
    pub fn look(&mut self) {
        if self.shown != Some(self.at) {
            self.paper = Paper::default();
        }
        if let Some(Known::Here(_, [was, text])) = self.known.get(&self.at) {
            self.paper.set(was, text);
            if self.shown != Some(self.at) && was == text {
                self.paper.go(0);
            }
            self.shown = Some(self.at);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;
    use crate::domain::brief::{Brief, Sent};

    fn briefing(turn: Which, text: &str, was: Option<&str>, turns: &[TurnNo]) -> Briefing {
        let brief = Brief {
            text: text.to_owned(),
            ..Brief::default()
        };
        Briefing {
            brief,
            turn,
            was: was.map(str::to_owned),
            changed: Vec::new(),
            sent: turns
                .iter()
                .map(|turn| Sent { turn: *turn, ts: 0 })
                .collect(),
        }
    }

    #[test]
    fn every_brief_is_asked_for_once_and_walked_to_its_ends() {
        let session = "0197c0de-7a10-7c3e-9b55-000000000001".parse().unwrap();
        let mut view = BriefView::new(session);
        assert_eq!((view.wanted(), view.wanted()), (Some(None), None));
        view.came(None, briefing(None, "c", Some("b"), &[1, 4]));
        view.look();
        assert_eq!((view.count(), view.paper.differs()), ((3, 3), true));
        assert!(!view.walk(1) && view.walk(-1));
        assert_eq!((view.at, view.wanted()), (Some(4), Some(Some(4))));
        view.came(Some(4), briefing(Some(4), "b", Some("a"), &[1, 4]));
        assert!(view.walk(-1) && !view.walk(-1));
        view.refused(Some(1), "It is damaged.".to_owned());
        assert_eq!(view.wrong(), Some("It is damaged."));
        view.stale();
        assert!(view.walk(2));
        assert_eq!(view.wanted(), Some(None));
    }
}
