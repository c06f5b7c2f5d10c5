//! From one text to another: the changes that lead there, paragraph by paragraph, as small as is cheap.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::domain::Splice;

/// Lines that differ, of both texts together, up to which they are compared one by one.
const COMPARED_MAX: usize = 4_000;

/// Lines of an old text that gave way to lines of a new one, in bytes.
type Hunk = (Range<usize>, Range<usize>);

/// The lines that differ between two texts.
fn hunks(old: &str, new: &str) -> Vec<Hunk> {
    let (a, b) = (Lines::of(old), Lines::of(new));
    let head = a.texts.iter().zip(&b.texts).take_while(|(a, b)| a == b);
    let head = head.count();
    let (rest_a, rest_b) = (a.from(head), b.from(head));
    let tail = rest_a.iter().rev().zip(rest_b.iter().rev());
    let tail = tail.take_while(|(a, b)| a == b).count();
    let (mid_a, mid_b) = (rest_a.len() - tail, rest_b.len() - tail);
    let span = |ops: &Range<usize>, of: &Lines<'_>| of.at(head + ops.start)..of.at(head + ops.end);
    if mid_a + mid_b > COMPARED_MAX || mid_a == 0 || mid_b == 0 {
        let all = (span(&(0..mid_a), &a), span(&(0..mid_b), &b));
        return if mid_a + mid_b == 0 {
            Vec::new()
        } else {
            vec![all]
        };
    }
    let (mid_a, mid_b) = (rest_a.split_at(mid_a).0, rest_b.split_at(mid_b).0);
    capture_diff_slices(Algorithm::Myers, mid_a, mid_b)
        .iter()
        .filter(|op| !matches!(op, DiffOp::Equal { .. }))
        .map(|op| (span(&op.old_range(), &a), span(&op.new_range(), &b)))
        .collect()
}

/// The changes that make a text another one, in the order in which they are made.
pub(super) fn splices(old: &str, new: &str) -> Vec<Splice> {
    let mut out = Vec::new();
    let mut shift = 0isize;
    for (was, now) in hunks(old, new) {
        let (from, to) = (part(old, &was), part(new, &now));
        let head = same_start(from, to);
        let (from, to) = (part(from, &(head..from.len())), part(to, &(head..to.len())));
        let tail = same_end(from, to);
        let insert = part(to, &(0..to.len() - tail)).to_owned();
        let remove = from.len() - tail;
        let at = (was.start + head).saturating_add_signed(shift);
        shift += signed(insert.len()) - signed(remove);
        out.push(Splice { at, remove, insert });
    }
    out
}

/// A length, as a difference.
pub(super) fn signed(n: usize) -> isize {
    isize::try_from(n).unwrap_or(isize::MAX)
}

fn part<'a>(text: &'a str, range: &Range<usize>) -> &'a str {
    text.get(range.clone()).unwrap_or_default()
}

fn same_start(a: &str, b: &str) -> usize {
    let same = a.chars().zip(b.chars()).take_while(|(a, b)| a == b);
    same.map(|(c, _)| c.len_utf8()).sum()
}

fn same_end(a: &str, b: &str) -> usize {
    let same = a
        .chars()
        .rev()
        .zip(b.chars().rev())
        .take_while(|(a, b)| a == b);
    same.map(|(c, _)| c.len_utf8()).sum()
}

/// A text by its lines, ends included.
struct Lines<'a> {
    texts: Vec<&'a str>,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Self {
        let texts: Vec<&str> = text.split_inclusive('\n').collect();
        let mut starts = vec![0];
        let mut at = 0;
        for line in &texts {
            at += line.len();
            starts.push(at);
        }
        Self { texts, starts }
    }

    fn from(&self, n: usize) -> &[&'a str] {
        self.texts.get(n..).unwrap_or_default()
    }

    fn at(&self, line: usize) -> usize {
        self.starts
            .get(line)
            .or(self.starts.last())
            .copied()
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use proptest::prelude::*;

    use super::*;
    use crate::domain::splice::spliced;

    #[test]
    fn only_what_differs_is_changed() {
        let old = "One.\r\n\r\nTwo words.\r\nThree.";
        let new = "One.\r\n\r\nTwo more words.\r\nThree.";
        let insert = "more ".to_owned();
        let (at, remove) = (12, 0);
        assert_eq!(splices(old, new), [Splice { at, remove, insert }]);
    }

    proptest! {
        #[test]
        fn the_changes_lead_from_one_text_to_the_other(
            a in "([ab]{0,3}\n|é|👩\u{200d}🔬){0,12}", b in "([ab]{0,3}\n|é|👩\u{200d}🔬){0,12}",
        ) {
            prop_assert_eq!(spliced(&a, &splices(&a, &b)), Some(b));
        }
    }
}
