//! What a turn did to the draft, or what an agent proposes to do: each change is kept or taken back.

use std::collections::{HashMap, HashSet};

use super::paper::Paper;
use super::texts::Texts;
use super::view::{Taking, request};
use super::{At, Side};
use crate::domain::event::{By, TurnNo};
use crate::domain::versions::VersionRow;
use crate::domain::{Seq, SessionId};

/// A change by its words, before and after: so that it is known again when the texts are compared anew.
type Change = (String, String);

/// What a turn did.
#[derive(Debug)]
pub struct Changes {
    /// The session.
    pub session: SessionId,
    /// What is looked at.
    pub what: What,
    /// The text before and the text after; none until that is known, or when nothing changed.
    pub sides: Option<[Side; 2]>,
    /// Them on a page.
    pub paper: Paper,
    /// Who wrote it.
    pub by: Option<By>,
    /// The versions have come.
    pub is_known: bool,
    /// What the writer decided.
    decided: HashMap<Change, bool>,
    /// Changes that are on their way back, or are back.
    back: HashSet<Change>,
}

/// What is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// The changes of a turn; of the newest that changed anything when none.
    Turn(Option<TurnNo>),
    /// A proposal.
    Proposal(Seq),
}

impl Changes {
    /// The changes of a turn.
    pub fn of_turn(session: SessionId, turn: Option<TurnNo>) -> Self {
        Self {
            session,
            what: What::Turn(turn),
            sides: None,
            paper: Paper::default(),
            by: None,
            is_known: false,
            decided: HashMap::new(),
            back: HashSet::new(),
        }
    }

    /// A proposal that waits, against the version it was made from; against the draft where that is not known.
    pub fn of_proposal(session: SessionId, proposal: Seq, agent: &str, base: Option<Seq>) -> Self {
        let at = At::Proposed(proposal);
        let old = base.map_or(Side::draft(session), |seq| Side::version(session, seq));
        Self {
            what: What::Proposal(proposal),
            sides: Some([old, Side { session, at }]),
            by: Some(By::Agent(agent.to_owned())),
            is_known: true,
            ..Self::of_turn(session, None)
        }
    }

    /// The texts it shows.
    pub fn sides(&self) -> Vec<Side> {
        self.sides.into_iter().flatten().collect()
    }

    /// Takes in the versions: those of the turn, and the one before. `newest` is the draft's newest event.
    pub fn versions(&mut self, rows: &[VersionRow], newest: Seq) {
        let What::Turn(turn) = self.what else {
            return;
        };
        self.is_known = true;
        let turn = turn.or_else(|| rows.iter().rev().find_map(|r| r.turn));
        let is_its = |r: &VersionRow| r.turn.is_some() && r.turn == turn;
        let first = rows.iter().position(is_its);
        let last = rows.iter().rfind(|r| is_its(r));
        let (Some(first), Some(last)) = (first, last) else {
            return;
        };
        let session = self.session;
        let before = first.checked_sub(1).and_then(|n| rows.get(n));
        let at = before.map_or(At::Nothing, |r| At::Version(r.seq));
        let old = Side { session, at };
        // Where nothing was written since, it is the draft itself, and what is taken back is gone from it at once.
        let new = if last.seq == newest {
            Side::draft(session)
        } else {
            Side::version(session, last.seq)
        };
        self.what = What::Turn(turn);
        self.by = Some(last.by.clone());
        if self.sides.is_none() {
            self.sides = Some([old, new]);
        }
    }

    /// Takes in the texts that have come.
    pub fn look(&mut self, texts: &Texts) {
        let Some(sides) = self.sides else {
            return;
        };
        let [left, right] = sides.map(|side| texts.text(side));
        if let (Some(left), Some(right)) = (left, right) {
            self.paper.set(&left, &right);
        }
    }

    fn change(&self, at: usize) -> Option<Change> {
        let both = &self.paper.both;
        let pair = both.comparison.pairs.get(at)?;
        let of = |p: Option<&str>| p.unwrap_or_default().to_owned();
        match both.whole(at) {
            Some([left, right]) => Some((left.to_owned(), right.to_owned())),
            None => Some((
                of(pair.left.as_ref().map(|p| p.of_text(&both.left))),
                of(pair.right.as_ref().map(|p| p.of_text(&both.right))),
            )),
        }
    }

    /// What was decided of a change: kept or taken back; none when nothing was.
    pub fn decided(&self, at: usize) -> Option<bool> {
        let change = self.change(at)?;
        if self.back.contains(&change) {
            return Some(false);
        }
        self.decided.get(&change).copied()
    }

    /// Decides on the change at hand; goes on to the next that is not decided.
    pub fn decide(&mut self, keep: bool) {
        if let Some(change) = self.change(self.paper.at) {
            self.decided.insert(change, keep);
        }
        let all: Vec<usize> = self.paper.both.comparison.differences().collect();
        let open = |at: &&usize| self.decided(**at).is_none();
        let next = all.iter().filter(open).find(|at| **at > self.paper.at);
        if let Some(at) = next.or_else(|| all.iter().find(open)) {
            self.paper.go(*at);
        }
    }

    /// Decides on every change.
    pub fn decide_all(&mut self, keep: bool) {
        for at in self.paper.both.comparison.differences() {
            if let Some(change) = self.change(at) {
                self.decided.insert(change, keep);
            }
        }
    }

    /// What was decided is open again: the host did not do it.
    pub fn reopen(&mut self) {
        self.decided.clear();
        self.back.clear();
    }

    /// The changes of a proposal that are kept, once every one is decided.
    pub fn kept(&self) -> Option<Vec<usize>> {
        let all = self.paper.both.comparison.differences();
        let decided: Option<Vec<(usize, bool)>> =
            all.map(|at| Some((at, self.decided(at)?))).collect();
        let kept = decided?.into_iter().filter(|(_, keep)| *keep);
        Some(kept.map(|(at, _)| at).collect())
    }

    /// What taking the kept changes of a proposal asks of the host.
    pub fn take(&self, kept: &[usize], texts: &Texts) -> Option<Taking> {
        let [target, source] = self.sides?;
        let both = &self.paper.both;
        let all = both.comparison.differences().count();
        let splices = if kept.len() == all {
            both.comparison.take_all(&both.left, &both.right)
        } else {
            both.comparison.take(&both.left, &both.right, kept)
        };
        Some(Taking {
            request: request(target, source, texts, splices),
            many: kept.len(),
        })
    }

    /// What taking the change at hand back asks of the host.
    pub fn take_back(&mut self, texts: &Texts) -> Option<Taking> {
        let [old, new] = self.sides?;
        let change = self
            .change(self.paper.at)
            .filter(|_| self.paper.differs())?;
        if !self.back.insert(change) {
            return None;
        }
        let both = &self.paper.both;
        let turned = both.comparison.turned();
        let splices = turned.take(&both.right, &both.left, &[self.paper.at]);
        let base = texts.version(new).unwrap_or_default();
        let target = Side::draft(self.session);
        let mut request = request(target, old, texts, splices);
        if let crate::domain::Request::Take { base: at, .. } = &mut request {
            *at = base;
        }
        Some(Taking { request, many: 1 })
    }
}
