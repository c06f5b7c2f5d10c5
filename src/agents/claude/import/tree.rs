//! Entries become a tree of turns.

use std::collections::{HashMap, HashSet};

use super::Gaps;
use super::entry::What;
use crate::agents::histories::Turn;

/// An entry that has an id.
pub(super) struct Node {
    /// The one it follows.
    pub(super) parent: Option<String>,
    pub(super) what: What,
    /// Number of its line.
    pub(super) line: u64,
    pub(super) ts: i64,
    /// Offset and length.
    pub(super) place: (u64, u32),
    /// The model that said it.
    pub(super) model: Option<String>,
}

/// What is known of the turn an entry belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    Not,
    /// It is being looked for: who comes here again has gone in a circle.
    Sought,
    /// None before the first prompt.
    In(Option<usize>),
}

struct Grower<'a> {
    nodes: &'a [Node],
    places: &'a HashMap<String, usize>,
    known: Vec<Known>,
    turns: Vec<Turn>,
    astray: u64,
}

/// Makes turns of entries: each belongs to the nearest prompt above it.
pub(super) fn grow(nodes: &[Node], places: &HashMap<String, usize>, gaps: &mut Gaps) -> Vec<Turn> {
    let mut grower = Grower {
        known: vec![Known::Not; nodes.len()],
        nodes,
        places,
        turns: Vec::new(),
        astray: 0,
    };
    for at in 0..nodes.len() {
        grower.settle(at);
    }
    let Grower {
        known,
        mut turns,
        astray,
        ..
    } = grower;
    gaps.astray = astray;
    for (node, known) in nodes.iter().zip(known) {
        let Known::In(Some(turn)) = known else {
            continue;
        };
        let Some(turn) = turns.get_mut(turn) else {
            continue;
        };
        turn.lines.push(node.place);
        if node.what == What::Answer {
            turn.answered = true;
            turn.model = turn.model.take().or_else(|| node.model.clone());
        }
    }
    for turn in &mut turns {
        turn.silent &= !turn.answered;
    }
    turns
}

impl Grower<'_> {
    /// Finds the turn of an entry, and of all above it that are not known yet.
    fn settle(&mut self, at: usize) {
        let mut path = Vec::new();
        let mut here = at;
        let above = loop {
            match self.known.get(here).copied() {
                Some(Known::In(turn)) => break turn,
                // A circle.
                Some(Known::Sought) | None => break self.before(here),
                Some(Known::Not) => {}
            }
            self.set(here, Known::Sought);
            path.push(here);
            let parent = self.nodes.get(here).and_then(|n| n.parent.as_ref());
            match parent.map(|p| self.places.get(p).copied()) {
                None => break None,
                Some(Some(parent)) => here = parent,
                Some(None) => break self.before(here),
            }
        };
        let mut turn = above;
        for here in path.into_iter().rev() {
            turn = self.turn_of(here, turn);
            self.set(here, Known::In(turn));
        }
    }

    /// The turn of what stands before an entry whose own predecessor is missing.
    fn before(&mut self, at: usize) -> Option<usize> {
        self.astray += 1;
        let mut known = self.known.get(..at)?.iter().rev();
        known.find_map(|k| match k {
            Known::In(turn) => Some(*turn),
            _ => None,
        })?
    }

    fn turn_of(&mut self, at: usize, above: Option<usize>) -> Option<usize> {
        let node = self.nodes.get(at)?;
        let begins = match node.what {
            What::Prompt | What::Queued | What::Command => true,
            // An answer without a prompt: that is missing.
            What::Answer | What::Results | What::Summary | What::Stopped => above.is_none(),
            What::Boundary | What::Other => false,
        };
        if !begins {
            return above;
        }
        let queued = node.what == What::Queued;
        if let Some(turn) = above.and_then(|at| self.turns.get_mut(at)) {
            turn.goes_on |= queued;
        }
        self.turns.push(Turn {
            parent: above,
            ts: node.ts,
            silent: node.what == What::Command,
            first: node.line,
            ..Turn::default()
        });
        Some(self.turns.len() - 1)
    }

    fn set(&mut self, at: usize, known: Known) {
        if let Some(place) = self.known.get_mut(at) {
            *place = known;
        }
    }
}

/// The branches of a tree of turns, the one whose prompt was written last first: that one is what the program itself
/// goes on with. Commands that nobody answered make none.
pub(super) fn branches(turns: &[Turn]) -> Vec<Vec<usize>> {
    let parents: HashSet<usize> = turns.iter().filter_map(|t| t.parent).collect();
    let mut leaves: Vec<usize> = (0..turns.len()).filter(|t| !parents.contains(t)).collect();
    let first = |at: &usize| turns.get(*at).map_or(0, |t| t.first);
    leaves.sort_by_key(first);
    // The last prompt of all has nothing behind it.
    let main = leaves.pop();
    let mut taken = HashSet::new();
    let mut all = Vec::new();
    for leaf in main.into_iter().chain(leaves) {
        let mut branch = chain(turns, leaf);
        while branch
            .last()
            .is_some_and(|at| turns.get(*at).is_some_and(|t| t.silent))
        {
            branch.pop();
        }
        let new = branch.last().is_some_and(|at| !taken.contains(at));
        if new {
            taken.extend(branch.iter().copied());
            all.push(branch);
        }
    }
    all
}

/// The turns up to one, from the first on.
fn chain(turns: &[Turn], leaf: usize) -> Vec<usize> {
    let mut chain = Vec::new();
    let mut at = Some(leaf);
    while let Some(here) = at.filter(|_| chain.len() < turns.len()) {
        chain.push(here);
        at = turns.get(here).and_then(|t| t.parent);
    }
    chain.reverse();
    chain
}
