//! How many words came and went between two texts.

use std::collections::HashMap;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::count::words;
use super::export::body;

/// Changed words, old and new together, up to which the order of words is looked at.
const ORDERED_MAX: usize = 6_000;

/// Words that came and words that went: `(added, removed)`. Between two large rewrites words are only
/// counted, so that a word that moved is no change. Front matter has no words, as in [`count`](super::count()).
pub fn changes(old: &str, new: &str) -> (u64, u64) {
    let old: Vec<&str> = words(body(old)).collect();
    let new: Vec<&str> = words(body(new)).collect();
    let (old, new) = differing(&old, &new);
    if old.is_empty() || new.is_empty() {
        return (new.len() as u64, old.len() as u64);
    }
    if old.len() + new.len() > ORDERED_MAX {
        return counted(old, new);
    }
    capture_diff_slices(Algorithm::Myers, old, new)
        .iter()
        .filter(|op| !matches!(op, DiffOp::Equal { .. }))
        .fold((0, 0), |(added, removed), op| {
            (
                added + op.new_range().len() as u64,
                removed + op.old_range().len() as u64,
            )
        })
}

/// The two lists without what they begin and end with in common.
fn differing<'a, 'b>(old: &'a [&'b str], new: &'a [&'b str]) -> (&'a [&'b str], &'a [&'b str]) {
    let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (_, old) = old.split_at(head);
    let (_, new) = new.split_at(head);
    let same = |(a, b): &(&&str, &&str)| a == b;
    let tail = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take_while(same)
        .count();
    (
        old.split_at(old.len() - tail).0,
        new.split_at(new.len() - tail).0,
    )
}

fn counted(old: &[&str], new: &[&str]) -> (u64, u64) {
    let mut balance: HashMap<&str, i64> = HashMap::new();
    for word in new {
        *balance.entry(word).or_default() += 1;
    }
    for word in old {
        *balance.entry(word).or_default() -= 1;
    }
    let sum = |sign: i64| {
        balance
            .values()
            .map(|n| (n * sign).max(0).unsigned_abs())
            .sum()
    };
    (sum(1), sum(-1))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use proptest::prelude::*;

    use super::super::count;
    use super::*;

    #[test]
    fn only_words_that_differ_are_counted() {
        assert_eq!(changes("the old house", "the new house"), (1, 1));
        assert_eq!(changes("", "one two"), (2, 0));
        assert_eq!(changes("one two", ""), (0, 2));
        assert_eq!(changes("one, two", "one two!"), (0, 0));
        assert_eq!(changes("灯台の手紙", "灯台の朝"), (1, 2));
        assert_eq!(changes("one", "---\na b\n---\none two"), (1, 0));
    }

    #[test]
    fn two_long_texts_are_compared_by_their_words_alone() {
        let old = "first second third ".repeat(3_000);
        let new = format!("zero {}", "third second first ".repeat(3_000));
        assert_eq!(changes(&old, &new), (1, 0));
    }

    proptest! {
        #[test]
        fn what_came_minus_what_went_is_the_difference_of_the_counts(
            a in "(---\na b\n---\n)?[a-d 灯台]{0,40}", b in "(---\na b\n---\n)?[a-d 灯台]{0,40}",
        ) {
            let (added, removed) = changes(&a, &b);
            prop_assert_eq!(count(&a) + added, count(&b) + removed);
            prop_assert_eq!(changes(&b, &a), (removed, added));
        }
    }
}
