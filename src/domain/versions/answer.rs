//! What became of the texts that agents proposed, as far as the log tells.

use serde::{Deserialize, Serialize};

use super::{VersionRow, Versions};
use crate::domain::event::{By, Event, Forked, Kind, Origin, Seq};
use crate::domain::id::SessionId;

/// What the writer has decided on a proposal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// All of it is the draft, or was.
    Kept,
    /// Some of its words are.
    Part,
    /// The draft stayed as it was.
    Not,
    /// Another one came before an answer.
    Replaced,
}

impl Answer {
    /// It in a word or three, for a writer.
    pub fn word(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::Part => "kept in part",
            Self::Not => "not kept",
            Self::Replaced => "replaced by the next",
        }
    }
}

/// What was decided in a log so far.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Answers {
    /// Whose log it is, once that is seen.
    own: Option<SessionId>,
    /// Deeds that were undone.
    undone: Vec<Seq>,
    /// Deeds, and the proposal that waits again when one of them is undone.
    decided: Vec<(Seq, Seq)>,
}

impl Versions {
    /// Takes in what an event says of proposals.
    pub(super) fn decide(&mut self, event: &Event) {
        match &event.kind {
            Kind::Created { id, .. } | Kind::Forked(Forked { id, .. }) => {
                self.answers.own = Some(*id);
            }
            Kind::DraftProposed(_) => {
                let open = self.rows.iter_mut().filter_map(|row| row.stands.open());
                open.for_each(|answer| *answer = Some(Answer::Replaced));
            }
            Kind::DraftAnswered { proposal } => self.given(event.seq, *proposal),
            Kind::Undone { deed } => {
                self.answers.undone.push(*deed);
                let decided = self.answers.decided.iter().rfind(|d| d.0 == *deed);
                if let Some((_, proposal)) = decided.copied() {
                    self.answer(proposal, None);
                }
            }
            _ => {}
        }
    }

    /// Who made the deed that a version is again: an undone one that is brought back. None where it is not.
    pub(super) fn again(&self, by: &By, from: Option<Origin>) -> Option<By> {
        let from = from.filter(|_| *by == By::Restore)?;
        let is_own = self.answers.own == Some(from.session);
        let is_undone = is_own && self.answers.undone.contains(&from.seq);
        let row = self.rows.iter().find(|r| is_undone && r.seq == from.seq)?;
        Some(row.by.clone()).filter(|by| *by != By::Restore)
    }

    /// The answer to a proposal is given at an event: by the newest version that has its words, else by no.
    fn given(&mut self, at: Seq, proposal: Seq) {
        let has = |row: &VersionRow| {
            let (of, whole) = self.origin(row)?;
            let stands = of == proposal && !self.answers.undone.contains(&row.seq);
            stands.then_some((row.seq, whole))
        };
        let taken = self.rows.iter().rev().find_map(has);
        let answer = match taken {
            Some((_, true)) => Answer::Kept,
            Some((_, false)) => Answer::Part,
            None => Answer::Not,
        };
        // One that took all that was left decided by itself, else this does.
        let deeds = taken.map(|(seq, _)| seq).into_iter().chain([at]);
        let deeds = deeds.map(|deed| (deed, proposal));
        self.answers.decided.extend(deeds);
        self.answer(proposal, Some(answer));
    }

    /// The proposal that a version has its words from, itself or by way of one that it is again; and whether all of them.
    fn origin(&self, row: &VersionRow) -> Option<(Seq, bool)> {
        let from = row.from.filter(|from| {
            let own = self.answers.own;
            own.is_none_or(|own| own == from.session) && from.seq < row.seq
        })?;
        let source = self.rows.iter().find(|r| r.seq == from.seq)?;
        if source.is_proposed() {
            return Some((source.seq, row.by != By::Take));
        }
        self.origin(source)
    }

    fn answer(&mut self, proposal: Seq, answer: Option<Answer>) {
        let mut rows = self.rows.iter_mut();
        if let Some(row) = rows.find(|r| r.seq == proposal && r.is_proposed()) {
            row.stands.answer = answer;
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;
    use crate::domain::event::DraftProposed;

    fn id() -> SessionId {
        SessionId::new(uuid::Uuid::from_u128(1))
    }

    fn proposed() -> Kind {
        Kind::DraftProposed(DraftProposed {
            turn: 1,
            sha256: String::new(),
            bytes: 1,
            words: 1,
            agent: "claude".to_owned(),
            base: None,
            added: 1,
            removed: 0,
        })
    }

    fn saved(by: By, from: Option<Seq>) -> Kind {
        let session = id();
        Kind::DraftSaved {
            turn: None,
            sha256: String::new(),
            bytes: 1,
            words: 1,
            by,
            base: None,
            added: 1,
            removed: 0,
            beside: None,
            from: from.map(|seq| Origin { session, seq }),
            rest: false,
        }
    }

    #[test]
    fn a_take_that_is_undone_and_done_again_is_a_take_again_and_what_is_restored_is_restored() {
        let mut kinds = vec![saved(By::You, None), saved(By::Take, Some(1))];
        kinds.extend([saved(By::Undo, None), Kind::Undone { deed: 2 }]);
        kinds.extend([saved(By::Restore, Some(2)), saved(By::Restore, Some(1))]);
        let mut versions = Versions::default();
        versions.answers.own = Some(id());
        for (seq, kind) in (1..).zip(kinds) {
            versions.take(&Event { seq, ts: 0, kind });
        }
        let made = versions.rows.iter().map(|r| (r.by.clone(), r.stands.again));
        let want = [
            (By::You, false),
            (By::Take, false),
            (By::Undo, false),
            (By::Take, true),
            (By::Restore, false),
        ];
        assert_eq!(made.collect::<Vec<_>>(), want);
    }

    /// What the timeline says of each proposal after these events, numbered from 1.
    fn told(kinds: Vec<Kind>) -> Vec<Option<Answer>> {
        let mut versions = Versions::default();
        versions.answers.own = Some(id());
        for (seq, kind) in (1..).zip(kinds) {
            versions.take(&Event { seq, ts: 0, kind });
        }
        let rows = versions.rows.iter().filter(|r| r.is_proposed());
        rows.map(|r| r.stands.answer).collect()
    }

    fn answered(proposal: Seq) -> Kind {
        Kind::DraftAnswered { proposal }
    }

    #[test]
    fn a_proposal_waits_is_kept_whole_or_in_part_or_not_at_all() {
        let agent = || By::Agent("claude".to_owned());
        assert_eq!(told(vec![proposed()]), [None]);
        let whole = vec![proposed(), saved(agent(), Some(1)), answered(1)];
        assert_eq!(told(whole), [Some(Answer::Kept)]);
        let part = vec![proposed(), saved(By::Take, Some(1)), answered(1)];
        assert_eq!(told(part), [Some(Answer::Part)]);
        let none = vec![proposed(), saved(By::You, None), answered(1)];
        assert_eq!(told(none), [Some(Answer::Not)]);
        let next = vec![proposed(), proposed(), answered(2)];
        assert_eq!(told(next), [Some(Answer::Replaced), Some(Answer::Not)]);
    }

    #[test]
    fn an_undo_of_the_decision_leaves_it_to_be_decided_and_a_redo_decides_again() {
        let agent = || By::Agent("claude".to_owned());
        let mut kinds = vec![proposed(), saved(agent(), Some(1)), answered(1)];
        kinds.extend([saved(By::Undo, None), Kind::Undone { deed: 2 }]);
        assert_eq!(told(kinds.clone()), [None]);
        let mut again = kinds.clone();
        again.extend([saved(By::Restore, Some(2)), answered(1)]);
        assert_eq!(told(again), [Some(Answer::Kept)]);
        kinds.push(answered(1));
        assert_eq!(told(kinds.clone()), [Some(Answer::Not)]);
        kinds.push(Kind::Undone { deed: 6 });
        assert_eq!(told(kinds), [None]);
    }
}
