//! How like two paragraphs are, and which are like enough to be looked at.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::text::blocks::Block;
use crate::text::count::words;

/// From this likeness on, of 1,000, one is the other with changes where both stand between the same neighbours.
pub(super) const CHANGED: u32 = 300;
/// A trait that more paragraphs than this have tells nothing.
const RARE: usize = 16;
/// Of one paragraph, so many others are looked at.
const LOOKED_AT: usize = 8;

/// What a paragraph is known by: its words, and which stands behind which.
pub(super) struct Traits {
    /// In order, each as often as it is there.
    all: Vec<u64>,
}

/// Two paragraphs that are like each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Like {
    /// Of the left text.
    pub(super) left: usize,
    /// Of the right text.
    pub(super) right: usize,
    /// How like, from 0 to 1,000.
    pub(super) weight: u32,
}

impl Traits {
    pub(super) fn of(block: &Block<'_>) -> Self {
        let mut all = Vec::new();
        let mut before: Option<&str> = None;
        for word in words(block.text) {
            all.push(number(&word));
            all.extend(before.map(|before| number(&(before, word))));
            before = Some(word);
        }
        all.sort_unstable();
        Self { all }
    }

    fn likeness(&self, other: &Self) -> u32 {
        let (mut a, mut b) = (self.all.iter().peekable(), other.all.iter().peekable());
        let mut shared = 0;
        while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
            let order = x.cmp(y);
            shared += usize::from(order.is_eq());
            if order.is_le() {
                a.next();
            }
            if order.is_ge() {
                b.next();
            }
        }
        let both = (self.all.len() + other.all.len()).max(1);
        u32::try_from(shared * 2_000 / both).unwrap_or_default()
    }
}

fn number(of: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

/// Pairs of paragraphs that are like each other, of those that are looked at at all: they have a rare trait in shared.
pub(super) fn likes(left: &[(usize, Traits)], right: &[(usize, Traits)]) -> Vec<Like> {
    let mut having: HashMap<u64, Vec<usize>> = HashMap::new();
    for (place, (_, traits)) in right.iter().enumerate() {
        for one in distinct(&traits.all) {
            having.entry(one).or_default().push(place);
        }
    }
    let mut out = Vec::new();
    for (l, traits) in left {
        let nearest = nearest(traits, &having);
        let found = nearest.iter().filter_map(|place| right.get(*place));
        out.extend(found.map(|(r, other)| Like {
            left: *l,
            right: *r,
            weight: traits.likeness(other),
        }));
    }
    out
}

/// The places of those that have most rare traits in shared with one.
fn nearest(traits: &Traits, having: &HashMap<u64, Vec<usize>>) -> Vec<usize> {
    let mut shared: HashMap<usize, usize> = HashMap::new();
    let rare = distinct(&traits.all).filter_map(|one| having.get(&one));
    for place in rare.filter(|all| all.len() <= RARE).flatten() {
        *shared.entry(*place).or_default() += 1;
    }
    let mut order: Vec<(Reverse<usize>, usize)> = shared
        .into_iter()
        .map(|(place, n)| (Reverse(n), place))
        .collect();
    order.sort_unstable();
    order.into_iter().take(LOOKED_AT).map(|o| o.1).collect()
}

fn distinct(sorted: &[u64]) -> impl Iterator<Item = u64> + '_ {
    sorted
        .chunk_by(|a, b| a == b)
        .filter_map(|same| same.first().copied())
}

/// Of pairs that are like each other those that keep the order of both texts and are most together, each counted by the
/// size of its left paragraph.
pub(super) fn in_order(
    mut likes: Vec<Like>,
    rights: usize,
    size: impl Fn(usize) -> u64,
) -> Vec<Like> {
    // Of one left paragraph the later right ones first: none of them then stands before another.
    likes.sort_unstable_by_key(|l| (l.left, Reverse(l.right)));
    let mut best = Best::new(rights);
    let mut before = Vec::with_capacity(likes.len());
    for (at, one) in likes.iter().enumerate() {
        let (sum, last) = best.before(one.right);
        best.raise(
            one.right,
            (
                sum + u64::from(one.weight) * size(one.left).max(1),
                Some(at),
            ),
        );
        before.push(last);
    }
    let mut chain = Vec::new();
    let mut next = best.before(rights).1;
    while let Some((at, one)) = next.and_then(|at| Some((at, likes.get(at)?))) {
        chain.push(*one);
        next = before.get(at).copied().flatten();
    }
    chain.reverse();
    chain
}

/// The best chain that ends before a right paragraph: a tree of maxima (Fenwick).
struct Best(Vec<(u64, Option<usize>)>);

impl Best {
    fn new(rights: usize) -> Self {
        Self(vec![(0, None); rights + 1])
    }

    fn before(&self, right: usize) -> (u64, Option<usize>) {
        let (mut at, mut best) = (right, (0, None));
        while at > 0 {
            best = best.max(self.0.get(at).copied().unwrap_or_default());
            at &= at - 1;
        }
        best
    }

    fn raise(&mut self, right: usize, to: (u64, Option<usize>)) {
        let mut at = right + 1;
        while let Some(one) = self.0.get_mut(at) {
            *one = to.max(*one);
            at += at & at.wrapping_neg();
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::super::blocks::blocks;
    use super::*;

    fn like(a: &str, b: &str) -> u32 {
        let traits = |text| Traits::of(blocks(text).1.first().unwrap());
        traits(a).likeness(&traits(b))
    }

    #[test]
    fn words_in_their_order_are_what_makes_paragraphs_alike() {
        assert_eq!(like("one two three", "one two three"), 1_000);
        assert_eq!(like("one two", "three four"), 0);
        assert!(like("one two three four", "one two three four five") > 800);
        assert!(like("four three two one", "one two three four") < 700);
        assert!(like("灯台の手紙は朝に届いた", "灯台の手紙は夜に届いた") > 700);
    }

    #[test]
    fn a_chain_keeps_the_order_of_both() {
        let one = |left, right, weight| Like {
            left,
            right,
            weight,
        };
        let likes = vec![
            one(0, 2, 900),
            one(0, 0, 500),
            one(1, 1, 600),
            one(2, 2, 700),
        ];
        assert_eq!(
            in_order(likes, 3, |_| 1),
            [one(0, 0, 500), one(1, 1, 600), one(2, 2, 700)]
        );
        assert_eq!(
            in_order(vec![one(0, 0, 400), one(0, 1, 500)], 2, |_| 1),
            [one(0, 1, 500)]
        );
        assert_eq!(in_order(Vec::new(), 0, |_| 1), []);
    }
}
