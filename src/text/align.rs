//! Which paragraphs of two texts are the same, and what changed between them.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::blocks::Block;
use super::like::{CHANGED, Traits, in_order, likes};

/// Paragraphs of one text that stand for others of another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Change {
    /// Those that went.
    pub(super) old: Range<usize>,
    /// Those that came.
    pub(super) new: Range<usize>,
}

/// What changed, in order. As many paragraphs for as many are changes of one each; of others, those that are like each
/// other are.
pub(super) fn changes(old: &[Block<'_>], new: &[Block<'_>]) -> Vec<Change> {
    let whole = Change {
        old: 0..old.len(),
        new: 0..new.len(),
    };
    let mut changes = Vec::new();
    for change in whole.without(&pairs(old, new)) {
        if change.old.len() == change.new.len() {
            changes.extend(change.each());
        } else {
            changes.extend(change.parted(old, new));
        }
    }
    changes
}

impl Change {
    /// A paragraph that one stands for.
    const fn one(old: usize, new: usize) -> Self {
        Self {
            old: old..old + 1,
            new: new..new + 1,
        }
    }

    /// What lies before, between and behind paragraphs that have a partner.
    fn without(&self, pairs: &[(usize, usize)]) -> Vec<Self> {
        let mut at = (self.old.start, self.new.start);
        let mut rest = Vec::with_capacity(pairs.len() + 1);
        for (o, n) in pairs.iter().copied().chain([(self.old.end, self.new.end)]) {
            rest.push(Self {
                old: at.0..o,
                new: at.1..n,
            });
            at = (o + 1, n + 1);
        }
        rest.retain(|c| !c.old.is_empty() || !c.new.is_empty());
        rest
    }

    /// Paragraph for paragraph.
    fn each(self) -> impl Iterator<Item = Self> {
        self.old.zip(self.new).map(|(o, n)| Self::one(o, n))
    }

    /// Those that are like each other by themselves: what came or went between them is a change of its own.
    fn parted(self, old: &[Block<'_>], new: &[Block<'_>]) -> Vec<Self> {
        let traits = |of: &[Block<'_>], range: &Range<usize>| -> Vec<(usize, Traits)> {
            let blocks = of.iter().enumerate().take(range.end).skip(range.start);
            blocks.map(|(at, block)| (at, Traits::of(block))).collect()
        };
        let mut like = likes(&traits(old, &self.old), &traits(new, &self.new));
        like.retain(|l| l.weight >= CHANGED);
        let size = |at: usize| old.get(at).map_or(0, |b| b.text.len() as u64);
        let pairs = in_order(like, new.len(), size).into_iter();
        let pairs: Vec<(usize, usize)> = pairs.map(|l| (l.left, l.right)).collect();
        let mut parts = self.without(&pairs);
        parts.extend(pairs.into_iter().map(|(o, n)| Self::one(o, n)));
        parts.sort_unstable_by_key(|c| (c.old.start, c.old.end, c.new.start));
        parts
    }
}

/// The paragraphs that are in both, in order.
pub(super) fn pairs(old: &[Block<'_>], new: &[Block<'_>]) -> Vec<(usize, usize)> {
    let mut numbers = HashMap::new();
    let (old, new) = (numbered(old, &mut numbers), numbered(new, &mut numbers));
    // One that is in one text alone has no pair: without those, a rewrite from end to end is quickly compared.
    let (old, new) = (shared(&old, &new), shared(&new, &old));
    let keys = |of: &[(usize, usize)]| of.iter().map(|(_, key)| *key).collect::<Vec<_>>();
    let ops = capture_diff_slices(Algorithm::Myers, &keys(&old), &keys(&new));
    let mut pairs = Vec::new();
    for op in ops {
        if let DiffOp::Equal {
            old_index,
            new_index,
            len,
        } = op
        {
            let (o, n) = (old.iter().skip(old_index), new.iter().skip(new_index));
            pairs.extend(o.zip(n).take(len).map(|((o, _), (n, _))| (*o, *n)));
        }
    }
    pairs
}

/// Each paragraph as a number; the same words have the same one.
fn numbered<'a>(blocks: &[Block<'a>], numbers: &mut HashMap<&'a str, usize>) -> Vec<usize> {
    let mut number = |text| {
        let next = numbers.len();
        *numbers.entry(text).or_insert(next)
    };
    blocks.iter().map(|b| number(b.text)).collect()
}

/// Places and numbers of those that are in both.
fn shared(own: &[usize], others: &[usize]) -> Vec<(usize, usize)> {
    let others: HashSet<usize> = others.iter().copied().collect();
    let shared = own.iter().copied().enumerate();
    shared.filter(|(_, key)| others.contains(key)).collect()
}
