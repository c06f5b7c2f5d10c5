//! What can be undone: the writer's own changes, by words and pauses. What others change passes through: own changes
//! keep their places, and one that others wrote over is forgotten.

use crate::domain::Splice;

/// A pause after which typing is a step of its own, milliseconds.
const PAUSE: i64 = 2_000;
/// Steps that are kept.
const STEPS_MAX: usize = 10_000;
/// Changes of others that a step is carried over at most.
const CARRIED_MAX: usize = 256;

/// What kind of change it is: steps are made of one kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sort {
    /// Letters, one after the other.
    Typing,
    /// Letters taken away.
    Deleting,
    /// Anything else: a step of its own.
    Whole,
}

/// One change of the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Change {
    pub(super) at: usize,
    pub(super) removed: String,
    pub(super) inserted: String,
}

/// Changes that are undone together.
#[derive(Clone, Debug)]
struct Step {
    changes: Vec<Change>,
    sort: Sort,
    when: i64,
}

/// The writer's own changes.
#[derive(Debug, Default)]
pub(super) struct History {
    done: Vec<Step>,
    undone: Vec<Step>,
    /// The newest step may grow.
    open: bool,
}

impl History {
    /// Takes in a change that was made.
    pub(super) fn record(&mut self, change: Change, sort: Sort, now: i64) {
        self.undone.clear();
        let open = std::mem::replace(&mut self.open, sort != Sort::Whole);
        let last = self.done.last_mut().filter(|_| open);
        if let Some(step) = last.filter(|s| s.sort == sort && now - s.when < PAUSE)
            && let Some(before) = step.changes.last_mut()
            && joined(before, &change, sort)
        {
            step.when = now;
            return;
        }
        self.push(vec![change], sort, now);
    }

    /// Takes in changes that were made together.
    pub(super) fn record_all(&mut self, changes: Vec<Change>, now: i64) {
        self.undone.clear();
        self.open = false;
        self.push(changes, Sort::Whole, now);
    }

    fn push(&mut self, changes: Vec<Change>, sort: Sort, when: i64) {
        if self.done.len() >= STEPS_MAX {
            self.done.remove(0);
        }
        self.done.push(Step {
            changes,
            sort,
            when,
        });
    }

    /// The caret went elsewhere: what comes next is another step.
    pub(super) fn close(&mut self) {
        self.open = false;
    }

    /// The changes that take the newest step back, in order.
    pub(super) fn undo(&mut self) -> Option<Vec<Change>> {
        self.open = false;
        let step = self.done.pop()?;
        let back = step.changes.iter().rev().map(inverse).collect();
        self.undone.push(step);
        Some(back)
    }

    /// The changes that make it again.
    pub(super) fn redo(&mut self) -> Option<Vec<Change>> {
        self.open = false;
        let step = self.undone.pop()?;
        let changes = step.changes.clone();
        self.done.push(step);
        Some(changes)
    }

    /// Others changed the text as it is now.
    pub(super) fn carry(&mut self, others: &[Splice]) {
        self.open = false;
        let moves = others.iter().map(|s| Move {
            at: s.at,
            remove: s.remove,
            insert: s.insert.len(),
        });
        let moves: Vec<Move> = moves.collect();
        carry(&mut self.done, moves.clone(), true);
        carry(&mut self.undone, moves, false);
    }
}

fn inverse(change: &Change) -> Change {
    Change {
        at: change.at,
        removed: change.inserted.clone(),
        inserted: change.removed.clone(),
    }
}

/// Makes two changes one, when they belong to one word.
fn joined(before: &mut Change, next: &Change, sort: Sort) -> bool {
    let ends_word = |text: &str| text.ends_with(char::is_whitespace);
    match sort {
        Sort::Typing => {
            let follows = next.removed.is_empty() && next.at == before.at + before.inserted.len();
            let new_word = ends_word(&before.inserted) && !ends_word(&next.inserted);
            if !follows || new_word || before.inserted.ends_with('\n') {
                return false;
            }
            before.inserted.push_str(&next.inserted);
            true
        }
        Sort::Deleting => {
            if !before.inserted.is_empty()
                || ends_word(&next.removed) && !ends_word(&before.removed)
            {
                return false;
            }
            if next.at + next.removed.len() == before.at {
                before.removed.insert_str(0, &next.removed);
                before.at = next.at;
            } else if next.at == before.at {
                before.removed.push_str(&next.removed);
            } else {
                return false;
            }
            true
        }
        Sort::Whole => false,
    }
}

/// A change without its words.
#[derive(Clone, Copy, Debug)]
struct Move {
    at: usize,
    remove: usize,
    insert: usize,
}

impl Move {
    fn of(change: &Change, back: bool) -> Self {
        let (remove, insert) = (change.removed.len(), change.inserted.len());
        let (remove, insert) = if back {
            (insert, remove)
        } else {
            (remove, insert)
        };
        Self {
            at: change.at,
            remove,
            insert,
        }
    }
}

/// Carries steps, the newest last, over what others changed. `back`: the steps are to be taken back, not made.
fn carry(steps: &mut Vec<Step>, mut others: Vec<Move>, back: bool) {
    let mut kept = Vec::new();
    while let Some(mut step) = steps.pop() {
        if others.len() > CARRIED_MAX {
            break;
        }
        let was = step.clone();
        match carried(&mut step, others.clone(), back) {
            Some(next) => {
                others = next;
                kept.push(step);
            }
            None => others.splice(0..0, unmade(&was, back)).for_each(drop),
        }
    }
    kept.reverse();
    *steps = kept;
}

/// Moves a step's changes; gives back what others changed, as it looks behind them. None where they overlap.
fn carried(step: &mut Step, mut others: Vec<Move>, back: bool) -> Option<Vec<Move>> {
    let mut order: Vec<&mut Change> = step.changes.iter_mut().collect();
    if back {
        order.reverse();
    }
    for change in order {
        let mut own = Move::of(change, back);
        for other in &mut others {
            if other.at + other.remove <= own.at
                && (other.remove > 0 || other.at < own.at || own.remove > 0)
            {
                own.at = own.at + other.insert - other.remove;
            } else if own.at + own.remove <= other.at {
                other.at = other.at + own.insert - own.remove;
            } else {
                return None;
            }
        }
        change.at = own.at;
    }
    Some(others)
}

/// What leads back from where a step would have led.
fn unmade(step: &Step, back: bool) -> Vec<Move> {
    let moves = step.changes.iter().map(|c| Move::of(c, !back));
    if back {
        moves.collect()
    } else {
        moves.rev().collect()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    fn change(at: usize, removed: &str, inserted: &str) -> Change {
        let (removed, inserted) = (removed.to_owned(), inserted.to_owned());
        Change {
            at,
            removed,
            inserted,
        }
    }

    fn typed(history: &mut History, at: usize, text: &str, now: i64) {
        for (i, c) in text.char_indices() {
            history.record(change(at + i, "", &c.to_string()), Sort::Typing, now);
        }
    }

    #[test]
    fn typing_is_undone_by_words_and_pauses() {
        let mut history = History::default();
        typed(&mut history, 0, "one two", 0);
        typed(&mut history, 7, "s", PAUSE);
        let undone: Vec<String> = std::iter::from_fn(|| history.undo())
            .map(|c| c[0].removed.clone())
            .collect();
        assert_eq!(undone, ["s", "two", "one "]);
    }

    #[test]
    fn letters_taken_away_come_back_by_words() {
        let mut history = History::default();
        for (at, c) in "two three".char_indices().rev() {
            history.record(change(at, &c.to_string(), ""), Sort::Deleting, 0);
        }
        assert_eq!(history.undo().unwrap(), [change(0, "", "two ")]);
        assert_eq!(history.undo().unwrap(), [change(4, "", "three")]);
    }

    #[test]
    fn own_changes_keep_their_places_when_others_write() {
        let mut history = History::default();
        typed(&mut history, 10, "mine", 0);
        let insert = "theirs".to_owned();
        history.carry(&[Splice {
            at: 2,
            remove: 1,
            insert: insert.clone(),
        }]);
        assert_eq!(history.undo().unwrap(), [change(15, "mine", "")]);
        history.carry(&[Splice {
            at: 40,
            remove: 0,
            insert,
        }]);
        assert_eq!(history.redo().unwrap(), [change(15, "", "mine")]);
    }

    #[test]
    fn a_change_that_others_wrote_over_is_forgotten_and_older_ones_stay() {
        let mut history = History::default();
        history.record(change(0, "", "old "), Sort::Whole, 0);
        history.record(change(20, "", "mine"), Sort::Whole, 0);
        history.carry(&[Splice {
            at: 19,
            remove: 6,
            insert: String::new(),
        }]);
        assert_eq!(history.undo().unwrap(), [change(0, "old ", "")]);
        assert_eq!(history.undo(), None);
    }
}
