//! Two texts side by side: the paragraphs in which they differ, and the words in those.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};
use unicode_segmentation::UnicodeSegmentation;

use super::between::hunks;

/// Words of a pair, of both texts together, up to which they are compared one by one.
const COMPARED_MAX: usize = 6_000;

/// Paragraphs that differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pair {
    /// Where mine stand, in bytes.
    pub at: Range<usize>,
    /// Mine.
    pub mine: String,
    /// Theirs.
    pub theirs: String,
}

/// The paragraphs in which two texts differ, in order.
pub fn pairs(mine: &str, theirs: &str) -> Vec<Pair> {
    let part = |text: &str, at: &Range<usize>| text.get(at.clone()).unwrap_or_default().to_owned();
    let found = hunks(mine, theirs).into_iter();
    found
        .map(|(m, t)| Pair {
            mine: part(mine, &m),
            theirs: part(theirs, &t),
            at: m,
        })
        .collect()
}

/// A part of a text, and whether it is in this one alone.
pub type Word = (Range<usize>, bool);

/// The words of both texts of a pair, in bytes of each.
pub fn words(mine: &str, theirs: &str) -> [Vec<Word>; 2] {
    let split = |text: &'_ str| -> Vec<(usize, usize)> {
        let parts = text.split_word_bound_indices();
        parts.map(|(at, word)| (at, at + word.len())).collect()
    };
    let (m, t) = (split(mine), split(theirs));
    if m.len() + t.len() > COMPARED_MAX {
        return [vec![(0..mine.len(), true)], vec![(0..theirs.len(), true)]];
    }
    let texts = |text: &'_ str, of: &[(usize, usize)]| -> Vec<String> {
        let part = |(a, b): &(usize, usize)| text.get(*a..*b).unwrap_or_default().to_owned();
        of.iter().map(part).collect()
    };
    let ops = capture_diff_slices(Algorithm::Myers, &texts(mine, &m), &texts(theirs, &t));
    let side = |words: &[(usize, usize)], range: fn(&DiffOp) -> Range<usize>| -> Vec<Word> {
        let parts = ops.iter().filter_map(|op| {
            let of = words.get(range(op))?;
            let (first, last) = (of.first()?, of.last()?);
            Some((first.0..last.1, !matches!(op, DiffOp::Equal { .. })))
        });
        parts.collect()
    };
    [side(&m, DiffOp::old_range), side(&t, DiffOp::new_range)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_that_differ_stand_in_pairs_with_the_words_that_do() {
        let (mine, theirs) = ("One.\n\nIt was late.\n", "One.\n\nIt was early.\n");
        let found = pairs(mine, theirs);
        let pair = Pair {
            at: 6..19,
            mine: "It was late.\n".to_owned(),
            theirs: "It was early.\n".to_owned(),
        };
        assert_eq!(found, [pair]);
        let [m, t] = words("It was late.", "It was early.");
        assert_eq!(m, [(0..7, false), (7..11, true), (11..12, false)]);
        assert_eq!(t, [(0..7, false), (7..12, true), (12..13, false)]);
    }
}
