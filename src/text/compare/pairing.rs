//! Which paragraph of one text stands for which of the other.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

use super::{Kind, Pair, Paragraph};
use crate::text::align;
use crate::text::blocks::Block;
use crate::text::count::words;
use crate::text::like::{CHANGED, Like, Traits, in_order, likes};

/// The likeness of the same.
const ALL: u32 = 1_000;
/// From this on it is so wherever it stands.
const MOVED: u32 = 600;
/// Fewer words than this are not looked for elsewhere when they were changed.
const MOVED_WORDS: usize = 4;

/// What is paired, by left paragraph.
#[derive(Default)]
pub(super) struct Pairing {
    /// Those that keep their order, the same and the changed.
    in_order: BTreeMap<usize, usize>,
    /// Those that moved.
    moved: HashMap<usize, usize>,
}

impl Pairing {
    pub(super) fn of(old: &[Block<'_>], new: &[Block<'_>]) -> Self {
        let mut pairing = Self::default();
        pairing.in_order.extend(align::pairs(old, new));
        let likes = pairing.likes(old, new);
        pairing.order(&likes, old, new);
        pairing.move_same(old, new);
        pairing.move_like(likes, old, new);
        pairing.pair_lone(old.len(), new.len());
        pairing
    }

    /// Those of both texts that have no partner yet.
    fn free(&self, old: usize, new: usize) -> (Vec<usize>, Vec<usize>) {
        let all = || self.in_order.iter().chain(&self.moved);
        let lefts: HashSet<usize> = all().map(|(l, _)| *l).collect();
        let rights: HashSet<usize> = all().map(|(_, r)| *r).collect();
        let left = (0..old).filter(|at| !lefts.contains(at));
        let right = (0..new).filter(|at| !rights.contains(at));
        (left.collect(), right.collect())
    }

    /// The same words in another place.
    fn move_same(&mut self, old: &[Block<'_>], new: &[Block<'_>]) {
        let (left, right) = self.free(old.len(), new.len());
        let mut places: HashMap<&str, VecDeque<usize>> = HashMap::new();
        for at in right {
            if let Some(block) = new.get(at).filter(|b| has_words(b)) {
                places.entry(block.text).or_default().push_back(at);
            }
        }
        for at in left {
            let words = old.get(at).map_or("", |b| b.text);
            if let Some(to) = places.get_mut(words).and_then(VecDeque::pop_front) {
                self.moved.insert(at, to);
            }
        }
    }

    /// Pairs of those that are like each other, of those that are not the same in both texts.
    fn likes(&self, old: &[Block<'_>], new: &[Block<'_>]) -> Vec<Like> {
        let (left, right) = self.free(old.len(), new.len());
        likes(&traits(&left, old), &traits(&right, new))
    }

    /// Of the same and those that are like each other, those that keep the order of both texts and are most of them: a
    /// long paragraph that was changed is not taken for moved because of a short one that did move.
    fn order(&mut self, likes: &[Like], old: &[Block<'_>], new: &[Block<'_>]) {
        let same: Vec<(usize, usize)> = self.in_order.iter().map(|(l, r)| (*l, *r)).collect();
        let (lefts, rights): (Vec<usize>, Vec<usize>) = same.iter().copied().unzip();
        let enough = |l: &&Like| {
            let before = |of: &[usize], at| of.partition_point(|one| *one < at);
            let together = before(&lefts, l.left) == before(&rights, l.right);
            l.weight >= if together { CHANGED } else { MOVED }
        };
        let same = same.into_iter().map(|(left, right)| Like {
            left,
            right,
            weight: ALL,
        });
        let all = same.chain(likes.iter().filter(enough).copied());
        let size = |at: usize| old.get(at).map_or(0, |b| b.text.len() as u64);
        let found = in_order(all.collect(), new.len(), size);
        self.in_order = found.iter().map(|l| (l.left, l.right)).collect();
    }

    /// Those that are like each other wherever they stand, the most like first.
    fn move_like(&mut self, mut likes: Vec<Like>, old: &[Block<'_>], new: &[Block<'_>]) {
        let (left, right) = self.free(old.len(), new.len());
        let long = |at: &usize| {
            old.get(*at)
                .is_some_and(|b| words(b.text).count() >= MOVED_WORDS)
        };
        let mut left: HashSet<usize> = left.into_iter().filter(long).collect();
        let mut right: HashSet<usize> = right.into_iter().collect();
        likes.retain(|l| l.weight >= MOVED);
        likes.sort_by_key(|l| std::cmp::Reverse(l.weight));
        for one in likes {
            if left.contains(&one.left) && right.contains(&one.right) {
                left.remove(&one.left);
                right.remove(&one.right);
                self.moved.insert(one.left, one.right);
            }
        }
    }

    /// One that stands alone in the place of one is a change of it.
    fn pair_lone(&mut self, old: usize, new: usize) {
        let (left, right) = self.free(old, new);
        let between = |at: (usize, usize), to: (usize, usize)| {
            let free = |of: &[usize], from, to| {
                let start = of.partition_point(|one| *one < from);
                let end = of.partition_point(|one| *one < to);
                (end - start == 1).then(|| of.get(start).copied()).flatten()
            };
            Some((free(&left, at.0, to.0)?, free(&right, at.1, to.1)?))
        };
        let mut lone = Vec::new();
        let mut at = (0, 0);
        let pairs = self.in_order.iter().map(|(l, r)| (*l, *r));
        for to in pairs.chain([(old, new)]) {
            lone.extend(between(at, to));
            at = (to.0 + 1, to.1 + 1);
        }
        self.in_order.extend(lone);
    }

    /// All of it as pairs: between two that keep their order first what is in the left text, then what is in the right.
    pub(super) fn pairs(&self, old: &[Block<'_>], new: &[Block<'_>]) -> Vec<Pair> {
        let mut out = Laying {
            old,
            new,
            out: Vec::with_capacity(old.len().max(new.len())),
            at: (0, 0),
        };
        for (l, r) in &self.in_order {
            out.alone(*l, *r);
            out.both(*l, *r);
        }
        out.alone(old.len(), new.len());
        let mut out = out.out;
        self.name_moved(&mut out);
        out
    }

    fn name_moved(&self, out: &mut [Pair]) {
        let place =
            |side: fn(&Pair) -> Option<&Paragraph>, out: &[Pair]| -> HashMap<usize, usize> {
                let all = out.iter().enumerate();
                all.filter_map(|(at, pair)| Some((side(pair)?.n, at)))
                    .collect()
            };
        let (left, right) = (
            place(|p| p.left.as_ref(), out),
            place(|p| p.right.as_ref(), out),
        );
        for (l, r) in &self.moved {
            let (Some(from), Some(to)) = (left.get(l).copied(), right.get(r).copied()) else {
                continue;
            };
            for (at, other) in [(from, to), (to, from)] {
                if let Some(pair) = out.get_mut(at) {
                    pair.kind = Kind::Moved(other);
                }
            }
        }
    }
}

/// Paragraphs being laid out as pairs.
struct Laying<'a> {
    old: &'a [Block<'a>],
    new: &'a [Block<'a>],
    out: Vec<Pair>,
    /// How many of each lie behind.
    at: (usize, usize),
}

impl Laying<'_> {
    /// Those before a place that keep no order.
    fn alone(&mut self, old: usize, new: usize) {
        for n in self.at.0..old {
            self.push(Some(n), None, Kind::Left);
        }
        for n in self.at.1..new {
            self.push(None, Some(n), Kind::Right);
        }
        self.at = (old, new);
    }

    fn both(&mut self, old: usize, new: usize) {
        let words = |of: &[Block<'_>], n| of.get(n).map(|b: &Block<'_>| b.text.to_owned());
        let kind = if words(self.old, old) == words(self.new, new) {
            Kind::Same
        } else {
            Kind::Changed
        };
        self.push(Some(old), Some(new), kind);
        self.at = (old + 1, new + 1);
    }

    fn push(&mut self, old: Option<usize>, new: Option<usize>, kind: Kind) {
        let paragraph = |of: &[Block<'_>], n: usize| Some(Paragraph::of(of.get(n)?, n));
        self.out.push(Pair {
            left: old.and_then(|n| paragraph(self.old, n)),
            right: new.and_then(|n| paragraph(self.new, n)),
            kind,
        });
    }
}

fn traits(which: &[usize], of: &[Block<'_>]) -> Vec<(usize, Traits)> {
    let known = |at: &usize| Some((*at, Traits::of(of.get(*at)?)));
    which.iter().filter_map(known).collect()
}

fn has_words(block: &Block<'_>) -> bool {
    block.text.chars().any(char::is_alphanumeric)
}
