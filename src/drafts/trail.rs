//! The draft as of an event: the newest version with what was typed behind it.

use crate::domain::event::{Event, Kind, Seq};
use crate::domain::splice::{Splice, splice};

/// What a log says of the draft, up to an event. Fed with the events in their order.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Trail {
    /// The newest version, and the name of its text.
    pub version: Option<(Seq, String)>,
    /// What was typed behind it: the edit, the draft's event it was made on, what changed.
    edits: Vec<(Seq, Seq, Vec<Splice>)>,
    /// The newest text that an agent proposed, and its name: no version, and asked for by its own number alone.
    proposed: Option<(Seq, String)>,
}

/// The draft as of an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The text.
    pub text: String,
    /// Edits that do not fit the text before them, or whose neighbour is missing: left out.
    pub unfit: Vec<Seq>,
}

impl Trail {
    /// Takes in an event.
    pub fn take(&mut self, event: &Event) {
        match &event.kind {
            Kind::DraftSaved { sha256, .. } => {
                self.version = Some((event.seq, sha256.clone()));
                self.edits.clear();
            }
            Kind::DraftProposed(what) => {
                self.proposed = Some((event.seq, what.sha256.clone()));
            }
            Kind::DraftEdited { base, splices } => {
                self.edits.push((event.seq, *base, splices.clone()));
            }
            _ => {}
        }
    }

    /// The draft's newest event; none when there is no draft.
    pub fn at(&self) -> Option<Seq> {
        let version = self.version.as_ref().map(|(seq, _)| *seq);
        self.edits.last().map(|(seq, ..)| *seq).or(version)
    }

    /// The name of the text that an agent proposed with this very event.
    pub fn proposed(&self, at: Option<Seq>) -> Option<&str> {
        let found = self.proposed.as_ref().filter(|(seq, _)| Some(*seq) == at);
        found.map(|(_, sha256)| sha256.as_str())
    }

    /// Whether something was typed behind the version.
    pub fn is_typed(&self) -> bool {
        !self.edits.is_empty()
    }

    /// The text, from that of the version (empty when there is none). What was typed behind a hole in the log is put
    /// where it says, as far as it fits: words in a wrong place are better than none.
    pub fn text(&self, version: String) -> Found {
        let (mut text, mut unfit) = (version, Vec::new());
        let mut at = self.version.as_ref().map_or(0, |(seq, _)| *seq);
        for (seq, base, splices) in &self.edits {
            let fits = splice(&mut text, splices).is_some();
            if !fits || *base != at {
                unfit.push(*seq);
            }
            at = *seq;
        }
        Found { text, unfit }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    fn typed(seq: Seq, base: Seq, at: usize, insert: &str) -> Event {
        let (remove, insert) = (0, insert.to_owned());
        let splices = vec![Splice { at, remove, insert }];
        let kind = Kind::DraftEdited { base, splices };
        Event { seq, ts: 0, kind }
    }

    fn trail(events: &[Event]) -> Trail {
        let mut trail = Trail::default();
        for event in events {
            trail.take(event);
        }
        trail
    }

    #[test]
    fn what_was_typed_follows_the_version() {
        let trail = trail(&[typed(2, 0, 0, "One"), typed(5, 2, 3, " two")]);
        let found = trail.text(String::new());
        assert_eq!((found.text.as_str(), found.unfit.len()), ("One two", 0));
        assert_eq!((trail.at(), trail.is_typed()), (Some(5), true));
    }

    #[test]
    fn an_edit_that_does_not_fit_is_named_and_the_rest_is_kept() {
        let trail = trail(&[
            typed(2, 0, 0, "One"),
            typed(3, 2, 9, "!"),
            typed(4, 3, 3, "."),
            typed(9, 8, 0, "_"),
        ]);
        let found = trail.text(String::new());
        assert_eq!((found.text.as_str(), found.unfit), ("_One.", vec![3, 9]));
    }
}
