//! One text made as the other, paragraph by paragraph: what is not taken keeps its bytes.

use std::ops::Range;

use super::{Comparison, Kind, Pair, Paragraph};
use crate::domain::splice::{self, Splice};
use crate::text::blocks::{line_end, parts};

impl Comparison {
    /// The changes that make some of the left paragraphs as the right ones are, by their places in
    /// [`pairs`](Comparison::pairs), in any order; a paragraph that moved moves whole, whichever of its places is named.
    /// All of them make the left text the right one, byte for byte; none change nothing. `left` and `right` are the two
    /// texts that were compared.
    pub fn take(&self, left: &str, right: &str, which: &[usize]) -> Vec<Splice> {
        let mut taken = vec![false; self.pairs.len()];
        for at in which {
            let other = match self.pairs.get(*at).map(|p| p.kind) {
                Some(Kind::Moved(other)) => other,
                _ => *at,
            };
            for at in [*at, other] {
                if let Some(taken) = taken.get_mut(at) {
                    *taken = true;
                }
            }
        }
        if taken.iter().all(|t| *t) {
            return self.take_all(left, right);
        }
        self.making(left, right, &taken).run()
    }

    /// The changes that make the left text the right one, byte for byte.
    pub fn take_all(&self, left: &str, right: &str) -> Vec<Splice> {
        self.making(left, right, &vec![true; self.pairs.len()])
            .run()
    }

    fn making<'a>(&'a self, left: &'a str, right: &'a str, taken: &[bool]) -> Making<'a> {
        let chosen = self.pairs.iter().zip(taken);
        let side = |text: &'a str, of: fn(&Pair) -> Option<&Paragraph>| {
            Side::of(text, self.pairs.iter().filter_map(of))
        };
        Making {
            pieces: chosen
                .filter_map(|(pair, taken)| Piece::of(pair, *taken))
                .collect(),
            left: side(left, |p| p.left.as_ref()),
            right: side(right, |p| p.right.as_ref()),
            whole: taken.iter().all(|t| *t),
            done: Done::default(),
        }
    }
}

/// A text and its paragraphs.
struct Side<'a> {
    text: &'a str,
    paragraphs: Vec<Range<usize>>,
}

impl<'a> Side<'a> {
    fn of<'b>(text: &'a str, paragraphs: impl Iterator<Item = &'b Paragraph>) -> Self {
        Self {
            text,
            paragraphs: paragraphs.map(|p| p.range.clone()).collect(),
        }
    }

    fn words(&self, n: usize) -> &'a str {
        let range = self.paragraphs.get(n).cloned().unwrap_or_default();
        self.text.get(range).unwrap_or_default()
    }

    /// What stands before a paragraph, up to the one before it; behind the last for the number of them all.
    fn gap(&self, before: usize) -> &'a str {
        let from = before.checked_sub(1).and_then(|n| self.paragraphs.get(n));
        let from = from.map_or(0, |p| p.end);
        let to = self
            .paragraphs
            .get(before)
            .map_or(self.text.len(), |p| p.start);
        self.text.get(from..to).unwrap_or_default()
    }

    fn lead(&self) -> &'a str {
        self.gap(0)
    }

    fn trail(&self) -> &'a str {
        if self.paragraphs.is_empty() {
            ""
        } else {
            self.gap(self.paragraphs.len())
        }
    }
}

/// A paragraph of the text to be.
#[derive(Clone, Copy)]
struct Piece {
    /// The words are those of the left text as well.
    kept: bool,
    /// Its number in each text.
    left: Option<usize>,
    right: Option<usize>,
}

impl Piece {
    fn of(pair: &Pair, taken: bool) -> Option<Self> {
        let n = |p: &Option<Paragraph>| p.as_ref().map(|p| p.n);
        let piece = Self {
            kept: !taken || pair.kind == Kind::Same,
            left: n(&pair.left),
            right: n(&pair.right),
        };
        let there = if taken { piece.right } else { piece.left };
        there.is_some().then_some(piece)
    }
}

/// A text being made of two.
struct Making<'a> {
    left: Side<'a>,
    right: Side<'a>,
    pieces: Vec<Piece>,
    /// Everything is taken: what stands between paragraphs, too.
    whole: bool,
    done: Done,
}

/// What of the left text lies behind, and the changes up to there.
#[derive(Default)]
struct Done {
    /// Bytes of the left text.
    passed: usize,
    /// Bytes of the text that is made.
    made: usize,
    /// What comes next in it and is not of the left text.
    pending: String,
    splices: Vec<Splice>,
}

impl<'a> Making<'a> {
    fn run(mut self) -> Vec<Splice> {
        let pieces = std::mem::take(&mut self.pieces);
        // What stands before the first paragraph and behind the last is the text's, not a paragraph's.
        let others = self.left.paragraphs.is_empty() && !pieces.is_empty();
        let frame = if self.whole || others {
            &self.right
        } else {
            &self.left
        };
        let (lead, trail) = (frame.lead(), frame.trail());
        self.done.pending.push_str(lead);
        let mut before: Option<Piece> = None;
        for piece in pieces {
            if let Some(before) = before {
                let between = self.between(before, piece);
                self.done.pending.push_str(&between);
            }
            self.put(piece);
            before = Some(piece);
        }
        let end = if before.is_some() { trail } else { "" };
        self.done.pending.push_str(end);
        self.done.up_to(self.left.text, self.left.text.len());
        self.done.splices
    }

    /// What parts two paragraphs: as in the text that is changed where they or one of them stand there, else as in the
    /// other.
    fn between(&self, before: Piece, after: Piece) -> String {
        let lefts = (before.left, after.left);
        let rights = (before.right, after.right);
        if let (Some(a), Some(b)) = lefts
            && a + 1 == b
            && !self.whole
        {
            return self.left.gap(b).to_owned();
        }
        let around = |side: &Side<'a>, of: (Option<usize>, Option<usize>)| {
            let behind = of.0.map(|n| side.gap(n + 1));
            [behind, of.1.map(|n| side.gap(n))]
        };
        let left = around(&self.left, lefts).into_iter();
        let right = around(&self.right, rights).into_iter();
        let mut gaps = left.filter(|_| !self.whole).chain(right).flatten();
        match gaps.find(|gap| parts(gap) || self.whole) {
            Some(gap) => gap.trim_start_matches('\u{feff}').to_owned(),
            None => self.line_end().repeat(2),
        }
    }

    /// As the lines of these texts end.
    fn line_end(&self) -> &'a str {
        let first = |text: &'a str| {
            let rest = text.get(text.find(['\r', '\n'])?..)?;
            rest.get(..line_end(rest))
        };
        first(self.left.text)
            .or_else(|| first(self.right.text))
            .unwrap_or("\n")
    }

    fn put(&mut self, piece: Piece) {
        let left = piece.left.filter(|_| piece.kept);
        let kept = left.and_then(|n| self.left.paragraphs.get(n).cloned());
        match (kept, piece.right) {
            (Some(range), _) => self.done.keep(self.left.text, range),
            (None, Some(n)) => self.done.pending.push_str(self.right.words(n)),
            (None, None) => {}
        }
    }
}

impl Done {
    /// Bytes of the left text that stay.
    fn keep(&mut self, left: &str, range: Range<usize>) {
        self.up_to(left, range.start);
        self.passed = range.end;
        self.made += range.len();
    }

    /// What stands before a place of the left text becomes what was to come.
    fn up_to(&mut self, left: &str, at: usize) {
        let old = left.get(self.passed..at).unwrap_or_default();
        let new = std::mem::take(&mut self.pending);
        if let Some(change) = splice::between(old, &new) {
            self.splices.push(Splice {
                at: self.made + change.at,
                ..change
            });
        }
        self.passed = at;
        self.made += new.len();
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use proptest::prelude::*;

    use super::super::tests::draft;
    use super::super::{Kind, compare};
    use crate::domain::splice::spliced;

    fn taken(left: &str, right: &str, which: &[usize]) -> String {
        let splices = compare(left, right).take(left, right, which);
        spliced(left, &splices).unwrap()
    }

    #[test]
    fn one_paragraph_is_taken_and_the_others_keep_their_bytes() {
        let left = "\u{feff}One.\r\n\r\nTwo is here.\r\n\r\n\r\nThree.";
        let right = "One.\n\nTwo is there.\n\nAnd more words.\n\nThree.\n";
        assert_eq!(
            taken(left, right, &[1]),
            "\u{feff}One.\r\n\r\nTwo is there.\r\n\r\n\r\nThree."
        );
        assert_eq!(
            taken(left, right, &[2]),
            "\u{feff}One.\r\n\r\nTwo is here.\r\n\r\n\r\nAnd more words.\r\n\r\n\r\nThree."
        );
    }

    #[test]
    fn taking_one_that_is_not_there_takes_it_away() {
        assert_eq!(
            taken("One.\n\nTwo.\n\nThree.\n", "One.\n\nThree.\n", &[1]),
            "One.\n\nThree.\n"
        );
        assert_eq!(taken("One.\n\nTwo.\n", "One.\n", &[1]), "One.\n");
        assert_eq!(taken("One.\n", "", &[0]), "");
    }

    #[test]
    fn into_an_empty_draft_a_paragraph_comes_with_its_line_end() {
        assert_eq!(taken("", "One.\n\nTwo.\n", &[0]), "One.\n");
        assert_eq!(
            taken("", "One.\r\n\r\nTwo.\r\n", &[0, 1]),
            "One.\r\n\r\nTwo.\r\n"
        );
    }

    #[test]
    fn one_that_moved_moves_whole_from_either_of_its_places() {
        let left = "First of all.\n\nSecond one.\n\nThird one here.\n";
        let right = "Second one.\n\nThird one here.\n\nFirst of all.\n";
        let comparison = compare(left, right);
        let moved: Vec<usize> = comparison.differences().collect();
        assert!(matches!(
            comparison.pairs.first().unwrap().kind,
            Kind::Moved(_)
        ));
        for at in moved {
            assert_eq!(taken(left, right, &[at]), right);
        }
    }

    proptest! {
        #[test]
        fn all_taken_is_the_right_text_and_none_the_left(left in draft(), right in draft()) {
            let comparison = compare(&left, &right);
            let all: Vec<usize> = (0..comparison.pairs.len()).collect();
            let made = |splices: Vec<_>| spliced(&left, &splices).unwrap();
            prop_assert_eq!(made(comparison.take(&left, &right, &all)), right.clone());
            prop_assert_eq!(made(comparison.take_all(&left, &right)), right.clone());
            if !comparison.pairs.is_empty() {
                prop_assert_eq!(comparison.take(&left, &right, &[]), []);
            }
            let back = comparison.turned().take_all(&right, &left);
            prop_assert_eq!(spliced(&right, &back).unwrap(), left);
        }

        #[test]
        fn what_is_taken_is_as_right_and_all_else_as_left(
            left in draft(), right in draft(), pick in proptest::collection::vec(any::<bool>(), 20),
        ) {
            let comparison = compare(&left, &right);
            let which: Vec<usize> = (0..comparison.pairs.len()).filter(|at| pick.get(*at) == Some(&true)).collect();
            let text = spliced(&left, &comparison.take(&left, &right, &which)).unwrap();
            let taken = |at: usize| which.contains(&at) || matches!(
                comparison.pairs.get(at).unwrap().kind, Kind::Moved(other) if which.contains(&other));
            let want: Vec<&str> = comparison.pairs.iter().enumerate().filter_map(|(at, pair)| {
                if taken(at) {
                    pair.right.as_ref().map(|p| p.of_text(&right))
                } else {
                    pair.left.as_ref().map(|p| p.of_text(&left))
                }
            }).collect();
            let (_, got) = crate::text::blocks::blocks(&text);
            prop_assert_eq!(got.iter().map(|b| b.text).collect::<Vec<_>>(), want);
        }
    }
}
