//! The draft while it is typed into: the text in memory, and the way back to what it was a moment ago.

use std::collections::VecDeque;

use crate::domain::Seq;
use crate::domain::splice::{Splice, rest, splice};

/// Edits that are remembered: a window may be behind by as many.
const EDITS: usize = 512;
/// Bytes of text that are remembered with them.
const BYTES: usize = 4 * 1024 * 1024;

/// The draft in memory.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(in crate::host) struct Live {
    /// The text, with what is on its way to the log.
    pub(in crate::host) text: String,
    /// The text of the newest version.
    pub(in crate::host) version: String,
    /// Whether something was typed since that version.
    pub(in crate::host) typed: bool,
    /// The draft's event that the way back ends at.
    oldest: Seq,
    /// What was made of it since, oldest first.
    past: VecDeque<Step>,
    /// What is on its way to the log.
    coming: Option<(Vec<Splice>, Vec<Splice>)>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Step {
    seq: Seq,
    /// What changed; nothing where it became a version as it was.
    splices: Vec<Splice>,
    back: Vec<Splice>,
}

impl Live {
    /// A draft as of its event.
    pub(in crate::host) fn new(version: String, at: Seq) -> Self {
        Self {
            text: version.clone(),
            version,
            oldest: at,
            ..Self::default()
        }
    }

    /// Changes the text; false when the changes do not fit it.
    pub(in crate::host) fn change(&mut self, splices: Vec<Splice>) -> bool {
        let Some(back) = splice(&mut self.text, &splices) else {
            return false;
        };
        self.typed = true;
        self.coming = Some((splices, back));
        true
    }

    /// The text as it is becomes a version.
    pub(in crate::host) fn settle(&mut self) -> Vec<u8> {
        self.typed = false;
        self.version.clone_from(&self.text);
        // A change too long for a line of the log is on its way with the version.
        self.coming.get_or_insert_default();
        self.text.clone().into_bytes()
    }

    /// What was on its way is in the log. False when nothing was: somebody else's text is there.
    pub(in crate::host) fn written(&mut self, seq: Seq) -> bool {
        let Some((splices, back)) = self.coming.take() else {
            return false;
        };
        self.past.push_back(Step { seq, splices, back });
        while self.past.len() > EDITS || self.weight() > BYTES {
            if let Some(step) = self.past.pop_front() {
                self.oldest = step.seq;
            }
        }
        true
    }

    fn weight(&self) -> usize {
        let all = self
            .past
            .iter()
            .flat_map(|s| s.splices.iter().chain(&s.back));
        all.map(|s| s.insert.len()).sum()
    }

    /// The steps behind an event of the draft; none when it is not remembered.
    fn behind(&self, at: Seq) -> Option<usize> {
        if at == self.oldest {
            return Some(0);
        }
        Some(self.past.iter().position(|s| s.seq == at)? + 1)
    }

    /// The text as of an event of the draft.
    pub(in crate::host) fn as_of(&self, at: Seq) -> Option<String> {
        let behind = self.behind(at)?;
        let mut text = self.text.clone();
        for step in self.past.range(behind..).rev() {
            splice(&mut text, &step.back)?;
        }
        Some(text)
    }

    /// Whether an event of the draft is remembered.
    pub(in crate::host) fn knows(&self, at: Seq) -> bool {
        self.behind(at).is_some()
    }

    /// What of some changes is not in the draft yet: a window that did not hear of what was taken in sends it again.
    /// Gives the event that the rest was made on.
    pub(in crate::host) fn rest(&self, base: Seq, mut splices: Vec<Splice>) -> (Seq, Vec<Splice>) {
        let mut at = base;
        let steps = self.behind(base).map(|n| self.past.range(n..));
        for step in steps.into_iter().flatten() {
            let Some(left) = rest(&splices, &step.splices) else {
                break;
            };
            (at, splices) = (step.seq, left);
        }
        (at, splices)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    fn put(at: usize, insert: &str) -> Vec<Splice> {
        let (remove, insert) = (0, insert.to_owned());
        vec![Splice { at, remove, insert }]
    }

    fn typed(live: &mut Live, seq: Seq, splices: Vec<Splice>) {
        assert!(live.change(splices) && live.written(seq));
    }

    #[test]
    fn the_text_of_a_moment_ago_is_found_again() {
        let mut live = Live::new("One.".into(), 3);
        typed(&mut live, 5, put(4, " Two."));
        live.settle();
        assert!(live.written(6));
        typed(&mut live, 9, put(0, "Zero. "));
        let texts = [3, 5, 6, 9].map(|at| live.as_of(at).unwrap());
        assert_eq!(texts, ["One.", "One. Two.", "One. Two.", "Zero. One. Two."]);
        assert_eq!(live.as_of(4), None);
        assert!(live.typed && !live.written(10));
    }

    #[test]
    fn what_was_taken_in_already_is_not_taken_in_twice() {
        let mut live = Live::new("One.".into(), 3);
        typed(&mut live, 5, put(4, " Two."));
        live.settle();
        live.written(6);
        let again: Vec<Splice> = [put(4, " Two."), put(0, "!")].concat();
        assert_eq!(live.rest(3, again.clone()), (6, put(0, "!")));
        assert_eq!(live.rest(3, put(0, "?")), (3, put(0, "?")));
        assert_eq!(live.rest(3, put(4, " Two.!")), (6, put(9, "!")));
        assert_eq!(live.rest(6, again.clone()), (6, again));
    }

    #[test]
    fn what_is_remembered_has_a_bound() {
        let mut live = Live::new(String::new(), 0);
        for seq in 1..=600 {
            typed(&mut live, seq, put(0, "a"));
        }
        assert_eq!(live.as_of(87), None);
        assert_eq!(live.as_of(88).unwrap().len(), 88);
    }
}
