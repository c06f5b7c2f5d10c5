//! Two texts on a page: a paragraph is at hand, the page moves with it.

use std::sync::Arc;

use super::laid::{Both, Cells, Laid, Stand};
use crate::text::changes;
use crate::text::compare::{Kind, compare};

/// Rows above the paragraph at hand, while there is text above.
const ABOVE: usize = 2;

/// A row: its block, and which row of that.
pub type Spot = (usize, usize);

/// The page.
#[derive(Debug, Default)]
pub struct Paper {
    /// The texts.
    pub both: Both,
    /// The pair at hand.
    pub at: usize,
    /// Both texts have come.
    pub is_here: bool,
    /// Where the writer was in the left text, in bytes: the first difference from there on is shown first.
    pub near: usize,
    words: (u64, u64),
    laid: Laid,
    top: Spot,
    tall: usize,
    /// The pair at hand is to come into sight.
    follow: bool,
}

impl Paper {
    /// Whether it shows these texts.
    pub fn has(&self, left: &Arc<str>, right: &Arc<str>) -> bool {
        let same = |a: &Arc<str>, b: &Arc<str>| Arc::ptr_eq(a, b);
        self.is_here && same(&self.both.left, left) && same(&self.both.right, right)
    }

    /// Takes two texts; those it has already change nothing. The place stays.
    pub fn set(&mut self, left: &Arc<str>, right: &Arc<str>) {
        if self.has(left, right) {
            return;
        }
        let new = Both {
            left: Arc::clone(left),
            right: Arc::clone(right),
            comparison: compare(left, right),
        };
        let first = !self.is_here;
        self.at = if first {
            self.first_place(&new)
        } else {
            self.same_place(&new)
        };
        self.both = new;
        self.words = changes(left, right);
        self.is_here = true;
        self.follow = true;
        self.laid.clear();
    }

    /// The difference that is shown first.
    fn first_place(&self, new: &Both) -> usize {
        let behind = |at: &usize| {
            let pair = new.comparison.pairs.get(*at);
            let left = pair.and_then(|p| p.left.as_ref());
            left.is_some_and(|p| p.range.end >= self.near)
        };
        let all = &new.comparison;
        let near = all.differences().find(behind).filter(|_| self.near > 0);
        near.or_else(|| all.differences().next())
            .unwrap_or_default()
    }

    /// Where the pair at hand is among new ones: where its words are, else as far from the beginning.
    fn same_place(&self, new: &Both) -> usize {
        let Some(pair) = self.both.comparison.pairs.get(self.at) else {
            return 0;
        };
        let words = [
            pair.right
                .as_ref()
                .map(|p| (1, p.of_text(&self.both.right))),
            pair.left.as_ref().map(|p| (0, p.of_text(&self.both.left))),
        ];
        let pairs = &new.comparison.pairs;
        let near = |n: &usize| n.abs_diff(self.at);
        for (side, words) in words.into_iter().flatten() {
            let has = |n: &usize| {
                let pair = pairs.get(*n);
                let of = |p: &crate::text::compare::Pair| match side {
                    0 => p.left.as_ref().map(|p| p.of_text(&new.left) == words),
                    _ => p.right.as_ref().map(|p| p.of_text(&new.right) == words),
                };
                pair.and_then(of).unwrap_or_default()
            };
            if let Some(found) = (0..pairs.len()).filter(has).min_by_key(near) {
                return found;
            }
        }
        self.at.min(pairs.len().saturating_sub(1))
    }

    /// The other way round.
    pub fn turn(&mut self) {
        std::mem::swap(&mut self.both.left, &mut self.both.right);
        self.both.comparison = self.both.comparison.turned();
        self.words = (self.words.1, self.words.0);
        self.laid.clear();
    }

    /// Words that the right text has more, and that it lacks.
    pub fn words(&self) -> (u64, u64) {
        self.words
    }

    fn many(&self) -> usize {
        self.both.comparison.pairs.len()
    }

    /// Whether the pair at hand differs.
    pub fn differs(&self) -> bool {
        let pair = self.both.comparison.pairs.get(self.at);
        pair.is_some_and(|p| p.kind != Kind::Same)
    }

    /// Which difference is at hand or was passed last, from 1, and how many there are.
    pub fn count(&self) -> (usize, usize) {
        let all = self.both.comparison.differences();
        all.fold((0, 0), |(n, many), at| {
            (n + usize::from(at <= self.at), many + 1)
        })
    }

    /// Goes to a pair.
    pub fn go(&mut self, at: usize) {
        self.at = at.min(self.many().saturating_sub(1));
        self.follow = true;
    }

    /// Goes to the next difference, or to the one before; false when there is none.
    pub fn go_difference(&mut self, on: bool) -> bool {
        let all = &self.both.comparison;
        let found = if on {
            all.differences().find(|at| *at > self.at)
        } else {
            all.differences().rfind(|at| *at < self.at)
        };
        if let Some(at) = found {
            self.go(at);
        }
        found.is_some()
    }

    /// To the next paragraph or the one before; through one that is longer than the page by half pages.
    pub fn step(&mut self, on: bool) {
        let half = (self.tall / 2).max(1);
        let height = self.laid.height(&self.both, self.at);
        if self.tall > 0 && on && self.top.0 == self.at && self.top.1 + self.tall < height {
            self.top.1 += half;
            return;
        }
        if self.tall > 0 && !on && self.top.0 == self.at && self.top.1 > 0 {
            self.top = self.back(self.top, half.min(self.top.1));
            return;
        }
        let last = self.many().saturating_sub(1);
        let at = if on {
            (self.at + 1).min(last)
        } else {
            self.at.saturating_sub(1)
        };
        if at != self.at {
            self.go(at);
        }
    }

    /// Moves by pages; the paragraph at hand is the first that begins there.
    pub fn page(&mut self, on: bool) {
        let by = self.tall.saturating_sub(2).max(1);
        self.scroll(on, by);
        let (block, row) = self.top;
        let at = if row == 0 { block } else { block + 1 };
        self.at = at.min(self.many().saturating_sub(1));
        if self.at < block || row > 0 && self.at == block {
            self.at = block;
        }
        self.follow = false;
    }

    /// Moves by rows, the paragraph at hand stays.
    pub fn scroll(&mut self, on: bool, by: usize) {
        self.top = if on {
            self.forth(self.top, by)
        } else {
            self.back(self.top, by)
        };
        self.follow = false;
    }

    /// Some rows up, as far as there are any.
    fn back(&mut self, from: Spot, by: usize) -> Spot {
        let ((mut block, mut row), mut left) = (from, by);
        while left > row {
            let Some(above) = block.checked_sub(1) else {
                return (0, 0);
            };
            left -= row + 1;
            (block, row) = (above, self.laid.height(&self.both, above) - 1);
        }
        (block, row - left)
    }

    /// Some rows down, as far as the page stays full.
    fn forth(&mut self, from: Spot, by: usize) -> Spot {
        let ((mut block, mut row), mut left) = (from, by);
        while block < self.many() {
            let height = self.laid.height(&self.both, block);
            if row + left < height {
                row += left;
                break;
            }
            left -= height - row;
            (block, row) = (block + 1, 0);
        }
        (block, row).min(self.lowest()).max(from.min(self.lowest()))
    }

    /// The last row that may stand at the top.
    fn lowest(&mut self) -> Spot {
        let end = (self.many(), 0);
        self.back(end, self.tall.max(1))
    }

    /// Brings the pair at hand into sight, moving as little as can be.
    fn settle(&mut self) {
        self.at = self.at.min(self.many().saturating_sub(1));
        self.top.0 = self.top.0.min(self.many().saturating_sub(1));
        let rows = self.laid.height(&self.both, self.top.0);
        self.top.1 = self.top.1.min(rows - 1);
        if !std::mem::take(&mut self.follow) {
            return;
        }
        let begin = (self.at, 0);
        let tall = self.laid.height(&self.both, self.at).min(self.tall);
        let highest = self.back(begin, ABOVE);
        let lowest = self.back(begin, self.tall.saturating_sub(tall).max(ABOVE));
        if self.top > begin || self.top < lowest {
            let third = self.tall.saturating_sub(tall).min(self.tall / 3);
            self.top = self.back(begin, third.max(ABOVE.min(self.tall / 4)));
        } else if self.top > highest && self.top.0 == self.at {
            self.top = highest;
        }
        let last = self.lowest();
        self.top = self.top.min(last);
    }

    /// The rows of a page, each with its block; the last of a block is empty.
    pub fn rows(&mut self, stand: Stand, cols: usize, tall: usize) -> Vec<(usize, Cells)> {
        let moved = self.tall != tall;
        self.laid.fit(stand, cols);
        self.tall = tall;
        self.follow |= moved;
        if self.many() == 0 {
            return Vec::new();
        }
        self.settle();
        let (mut block, mut row) = self.top;
        let mut out = Vec::with_capacity(tall);
        while out.len() < tall && block < self.many() {
            let cells = self.laid.block(&self.both, block);
            if let Some(cells) = cells.get(row) {
                out.push((block, cells.clone()));
                row += 1;
            } else {
                out.push((block, Cells::default()));
                (block, row) = (block + 1, 0);
            }
        }
        out
    }
}
