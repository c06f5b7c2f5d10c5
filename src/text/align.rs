//! Which paragraphs of two texts are the same, and what changed between them.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::blocks::Block;

/// Paragraphs of one text that stand for others of another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Change {
    /// Those that went.
    pub(super) old: Range<usize>,
    /// Those that came.
    pub(super) new: Range<usize>,
}

/// What changed, in order. As many paragraphs for as many are changes of one each.
pub(super) fn changes(old: &[Block<'_>], new: &[Block<'_>]) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut at = (0, 0);
    for (o, n) in pairs(old, new).into_iter().chain([(old.len(), new.len())]) {
        let change = Change {
            old: at.0..o,
            new: at.1..n,
        };
        if change.old.len() == change.new.len() {
            changes.extend(change.old.zip(change.new).map(|(o, n)| Change {
                old: o..o + 1,
                new: n..n + 1,
            }));
        } else {
            changes.push(change);
        }
        at = (o + 1, n + 1);
    }
    changes
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
