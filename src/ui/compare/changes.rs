//! What a turn did to the draft, or what an agent proposes to do: each change is kept or taken back.

mod turn;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::paper::Paper;
use super::texts::Texts;
use super::view::{Taking, request};
use super::{At, Side};
use crate::domain::event::{By, TurnNo};
use crate::domain::head::Proposed;
use crate::domain::{Seq, SessionId};

/// A change, known again when the texts are compared anew: by its place in the text before, which stays as it is, and
/// its words, before and after.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Change {
    /// Paragraphs of the text before that stand before it.
    place: usize,
    /// Whether the text before has nothing in its place.
    is_new: bool,
    words: [String; 2],
    /// How many like it stand before it in the same place.
    nth: usize,
}

impl Change {
    /// Whether another one is the same but for its number: nobody can tell the two apart.
    fn is_like(&self, other: &Self) -> bool {
        let of = |c: &Self| (c.place, c.is_new);
        of(self) == of(other) && self.words == other.words
    }
}

/// What the writer decided of changes.
#[derive(Clone, Debug, Default)]
pub struct Marks(HashMap<Change, bool>);

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
    /// Of a proposal of which a part was taken.
    part: Option<Part>,
    /// What was decided of a proposal is on its way to the host.
    pub is_sent: bool,
    /// What the turn wrote stands beside the draft: another had changed the same paragraphs.
    pub is_aside: bool,
}

/// What of a proposal is in the draft already: the draft, once it has come, and the changes that it has.
#[derive(Debug, Default)]
struct Part {
    draft: Option<Arc<str>>,
    has: HashSet<Change>,
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
            part: None,
            is_sent: false,
            is_aside: false,
        }
    }

    /// A proposal that waits, against the version it was made from: the head of the session tells which.
    pub fn of_proposal(session: SessionId, proposal: Seq, agent: &str) -> Self {
        Self {
            what: What::Proposal(proposal),
            by: Some(By::Agent(agent.to_owned())),
            is_known: true,
            ..Self::of_turn(session, None)
        }
    }

    /// What is decided until now.
    pub fn marks(&self) -> Marks {
        Marks(self.decided.clone())
    }

    /// With what was decided when it was looked at before.
    #[must_use]
    pub fn marked(mut self, marks: Marks) -> Self {
        self.decided = marks.0;
        self
    }

    /// The texts it shows, and the draft where a part of the proposal is in it.
    pub fn sides(&self) -> Vec<Side> {
        let draft = self.part.as_ref().map(|_| Side::draft(self.session));
        self.sides.into_iter().flatten().chain(draft).collect()
    }

    /// Takes in the texts that have come.
    pub fn look(&mut self, texts: &Texts) {
        if self.sides.is_none() {
            self.sides = self.proposed(texts);
        }
        let Some(sides) = self.sides else {
            return;
        };
        let [left, right] = sides.map(|side| texts.text(side));
        if let (Some(left), Some(right)) = (left, right) {
            self.look_for_part(&left, texts);
            self.set(&left, &right);
        }
    }

    /// Takes in what of a proposal the draft has already, where a part of it was taken.
    fn look_for_part(&mut self, left: &Arc<str>, texts: &Texts) {
        let waits = texts.head(self.session).and_then(|h| h.proposed.as_ref());
        if !waits.is_some_and(|p| p.part && self.what == What::Proposal(p.seq)) {
            return;
        }
        let session = self.session;
        let part = self.part.get_or_insert_default();
        let draft = texts.text(Side::draft(session));
        let Some(draft) = draft.filter(|draft| part.draft.as_ref() != Some(draft)) else {
            return;
        };
        let mut made = Self::of_turn(session, None);
        made.paper.set(left, &draft);
        part.has = made.all().into_iter().collect();
        part.draft = Some(draft);
        if self.decided(self.paper.at).is_some() {
            self.go_on();
        }
    }

    /// Whether the draft has a change already.
    pub fn is_in(&self, at: usize) -> bool {
        let change = self.part.as_ref().zip(self.change(at));
        change.is_some_and(|(part, change)| part.has.contains(&change))
    }

    /// What a proposal was made from, and what it is. The draft as it is now is no side of it: what the writer has
    /// changed since is no change of the agent's.
    fn proposed(&self, texts: &Texts) -> Option<[Side; 2]> {
        let waits = texts.head(self.session)?.proposed.as_ref()?;
        if self.what != What::Proposal(waits.seq) {
            return None;
        }
        let session = self.session;
        let at = waits.base.map_or(At::Nothing, At::Version);
        let new = At::Proposed(waits.seq);
        Some([Side { session, at }, Side { session, at: new }])
    }

    /// The proposal that took the place of the one that is looked at.
    pub fn newer(&self, texts: &Texts) -> Option<Seq> {
        let What::Proposal(shown) = self.what else {
            return None;
        };
        let waits = texts.head(self.session)?.proposed.as_ref()?;
        Some(waits.seq).filter(|seq| *seq > shown)
    }

    /// Whether the proposal was decided in another window.
    pub fn is_elsewhere(&self, texts: &Texts) -> bool {
        let What::Proposal(shown) = self.what else {
            return false;
        };
        let head = texts.head(self.session).filter(|h| h.id.is_some());
        let waits = |p: &Proposed| p.seq >= shown;
        !self.is_sent && head.is_some_and(|h| !h.proposed.as_ref().is_some_and(waits))
    }

    fn set(&mut self, left: &Arc<str>, right: &Arc<str>) {
        if self.paper.has(left, right) {
            return;
        }
        let (before, first) = (self.all(), !self.paper.is_here);
        self.paper.set(left, right);
        self.forget(&before, &self.all());
        // What was decided when it was looked at before is not where the writer goes on.
        if first && self.decided(self.paper.at).is_some() {
            self.go_on();
        }
    }

    /// Of several like changes in one place some are gone: those that are left are open again, as no number says which.
    fn forget(&mut self, before: &[Change], now: &[Change]) {
        let many = |all: &[Change], like: &Change| all.iter().filter(|c| c.is_like(like)).count();
        let fewer = |c: &Change| {
            let left = many(now, c);
            left > 0 && left < many(before, c)
        };
        let gone: Vec<&Change> = before.iter().filter(|c| c.nth > 0 && fewer(c)).collect();
        let stays = |c: &Change| !gone.iter().any(|gone| gone.is_like(c));
        self.decided.retain(|c, _| stays(c));
        self.back.retain(stays);
    }

    /// Every change.
    fn all(&self) -> Vec<Change> {
        let differences = self.paper.both.comparison.differences();
        differences.filter_map(|at| self.change(at)).collect()
    }

    fn change(&self, at: usize) -> Option<Change> {
        let pairs = &self.paper.both.comparison.pairs;
        let words = self.words(at)?;
        if let Some(left) = &pairs.get(at)?.left {
            return Some(Change {
                place: left.n,
                is_new: false,
                words,
                nth: 0,
            });
        }
        let (mut place, mut nth) = (0, 0);
        for before in (0..at).rev() {
            if let Some(left) = pairs.get(before).and_then(|p| p.left.as_ref()) {
                place = left.n + 1;
                break;
            }
            nth += usize::from(self.words(before).as_ref() == Some(&words));
        }
        Some(Change {
            place,
            is_new: true,
            words,
            nth,
        })
    }

    /// The words of a pair, before and after.
    fn words(&self, at: usize) -> Option<[String; 2]> {
        let both = &self.paper.both;
        let pair = both.comparison.pairs.get(at)?;
        let left = || pair.left.as_ref().map(|p| p.of_text(&both.left));
        let right = || pair.right.as_ref().map(|p| p.of_text(&both.right));
        let words = both.whole(at);
        let words = words.unwrap_or_else(|| [left(), right()].map(Option::unwrap_or_default));
        Some(words.map(str::to_owned))
    }

    /// What was decided of a change: kept or taken back; none when nothing was.
    pub fn decided(&self, at: usize) -> Option<bool> {
        let change = self.change(at)?;
        if self.back.contains(&change) {
            return Some(false);
        }
        if self.is_in(at) {
            return Some(true);
        }
        self.decided.get(&change).copied()
    }

    /// Decides on the change at hand; goes on to the next that is not decided.
    pub fn decide(&mut self, keep: bool) {
        if let Some(change) = self.change(self.paper.at) {
            self.decided.insert(change, keep);
        }
        self.go_on();
    }

    /// Goes to the next change that is not decided.
    fn go_on(&mut self) {
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
        self.is_sent = false;
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
            out: 0,
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
        self.go_on();
        Some(Taking {
            request,
            many: 1,
            out: 0,
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;
    use crate::domain::versions::{Stands, VersionRow};

    fn view(left: &str, right: &str) -> Changes {
        let session = SessionId::new(uuid::Uuid::from_u128(1));
        let mut view = Changes::of_turn(session, None);
        set(&mut view, left, right);
        view
    }

    fn set(view: &mut Changes, left: &str, right: &str) {
        view.set(&Arc::from(left), &Arc::from(right));
    }

    fn decided(view: &Changes) -> Vec<Option<bool>> {
        let all = view.paper.both.comparison.differences();
        all.map(|at| view.decided(at)).collect()
    }

    #[test]
    fn two_equal_lines_that_came_are_decided_each_by_itself() {
        let mut changes = view("One.\n\nTwo.\n", "New.\n\nOne.\n\nNew.\n\nTwo.\n");
        assert_eq!(decided(&changes), [None, None]);
        changes.decide(false);
        assert_eq!(decided(&changes), [Some(false), None]);
        changes.decide(true);
        assert_eq!(decided(&changes), [Some(false), Some(true)]);
        assert_eq!(changes.kept().unwrap().len(), 1);
        // The first is gone from the draft: what was said of the second still holds.
        set(&mut changes, "One.\n\nTwo.\n", "One.\n\nNew.\n\nTwo.\n");
        assert_eq!(decided(&changes), [Some(true)]);
    }

    #[test]
    fn of_equal_lines_in_one_place_one_is_decided_and_the_one_that_is_left_is_open() {
        let mut changes = view("One.\n", "One.\n\nNew.\n\nNew.\n");
        changes.decide(false);
        assert_eq!(decided(&changes), [Some(false), None]);
        set(&mut changes, "One.\n", "One.\n\nNew.\n");
        assert_eq!(decided(&changes), [None]);
    }

    #[test]
    fn what_was_decided_is_known_again_when_other_words_change() {
        let mut changes = view("One.\n\nTwo.\n", "One!\n\nTwo!\n");
        changes.decide(true);
        set(&mut changes, "One.\n\nTwo.\n", "One!\n\nTwo and three.\n");
        assert_eq!(decided(&changes), [Some(true), None]);
    }

    fn row(seq: Seq, by: By, turn: Option<TurnNo>, beside: Option<Seq>) -> VersionRow {
        let words = u64::from(beside.is_none());
        let stands = Stands {
            beside,
            ..Default::default()
        };
        VersionRow {
            seq,
            ts: 0,
            by,
            turn,
            words,
            bytes: 0,
            added: words,
            removed: 0,
            from: None,
            stands,
            name: None,
            prompt: None,
        }
    }

    #[test]
    fn what_an_agent_wrote_and_stands_beside_the_draft_is_what_its_turn_did() {
        let claude = By::Agent("claude".to_owned());
        let rows = [
            row(3, By::You, None, None),
            row(5, By::Outside, None, None),
            row(7, claude.clone(), Some(5), None),
            row(8, By::Outside, Some(5), Some(7)),
        ];
        let session = SessionId::new(uuid::Uuid::from_u128(1));
        let mut view = Changes::of_turn(session, None);
        view.versions(&rows, 8);
        assert_eq!(view.by, Some(claude));
        let sides = [5, 7].map(|seq| Side::version(session, seq));
        assert_eq!(view.sides, Some(sides));
        assert!(view.is_aside);
    }
}
