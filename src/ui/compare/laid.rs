//! The paragraphs of two texts on rows: laid out as they are looked at, so that a long text costs what is on screen.

use std::collections::HashMap;
use std::sync::Arc;

use super::runs::{self, Look, Row, Run};
use crate::text::compare::{Comparison, Kind, Pair};

/// How two texts stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Stand {
    /// Side by side.
    #[default]
    Beside,
    /// Paragraph below paragraph.
    Below,
    /// As one text, with what went and what came.
    InOne,
}

/// A row of a block.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cells {
    /// What stands before it.
    pub sign: &'static str,
    /// The words of the left column, or of the only one.
    pub left: Row,
    /// The words of the right column.
    pub right: Row,
}

/// Two texts and what they have in common.
#[derive(Clone, Debug, Default)]
pub struct Both {
    /// The left text.
    pub left: Arc<str>,
    /// The right text.
    pub right: Arc<str>,
    /// What they have in common.
    pub comparison: Comparison,
}

impl Both {
    fn words(&self, pair: &Pair) -> [&str; 2] {
        let left = pair.left.as_ref().map(|p| p.of_text(&self.left));
        let right = pair.right.as_ref().map(|p| p.of_text(&self.right));
        [left.unwrap_or_default(), right.unwrap_or_default()]
    }

    /// The words of a pair, those of a moved one from both its places.
    pub fn whole(&self, at: usize) -> Option<[&str; 2]> {
        let (left, right) = self.comparison.both(at)?;
        Some([left.of_text(&self.left), right.of_text(&self.right)])
    }

    /// `moved: it is paragraph 4 there`, said of a paragraph that stands elsewhere.
    fn whereto(&self, pair: &Pair, other: usize) -> String {
        let n = self.comparison.there(other);
        if pair.left.is_some() {
            format!("moved: paragraph {n} there")
        } else {
            format!("moved: paragraph {n} here")
        }
    }
}

/// The rows of some blocks at a width.
#[derive(Debug, Default)]
pub struct Laid {
    stand: Stand,
    cols: usize,
    blocks: HashMap<usize, Vec<Cells>>,
}

impl Laid {
    /// Forgets what was laid out when it is to stand otherwise.
    pub fn fit(&mut self, stand: Stand, cols: usize) {
        if (self.stand, self.cols) != (stand, cols) {
            (self.stand, self.cols) = (stand, cols);
            self.blocks.clear();
        }
    }

    /// Forgets everything: the texts are others.
    pub fn clear(&mut self) {
        self.blocks.clear();
    }

    /// Rows of a block, the empty one behind it counted.
    pub fn height(&mut self, both: &Both, at: usize) -> usize {
        self.block(both, at).len() + 1
    }

    /// A block's rows.
    pub fn block(&mut self, both: &Both, at: usize) -> &[Cells] {
        let (stand, cols) = (self.stand, self.cols);
        let lay = || {
            let pair = both.comparison.pairs.get(at);
            pair.map_or_else(Vec::new, |pair| match stand {
                Stand::Beside => beside(both, pair, at, cols),
                Stand::Below => below(both, pair, at, cols),
                Stand::InOne => in_one(both, pair, at, cols),
            })
        };
        self.blocks.entry(at).or_insert_with(lay)
    }
}

fn sign(pair: &Pair) -> &'static str {
    match pair.kind {
        Kind::Same => " ",
        Kind::Changed => "~",
        Kind::Left => "−",
        Kind::Right => "+",
        Kind::Moved(_) => "↕",
    }
}

/// The runs of both columns.
fn columns(both: &Both, pair: &Pair, at: usize) -> [Vec<Run>; 2] {
    let [left, right] = both.words(pair);
    match pair.kind {
        Kind::Same => [
            runs::plain(left, Look::Plain),
            runs::plain(right, Look::Plain),
        ],
        Kind::Changed => runs::side_by_side(left, right),
        Kind::Left => [runs::plain(left, Look::Plain), runs::note("—")],
        Kind::Right => [runs::note("—"), runs::plain(right, Look::Plain)],
        Kind::Moved(other) => {
            let [l, r] = both.whole(at).unwrap_or_default();
            let [l, r] = runs::side_by_side(l, r);
            let said = runs::note(&both.whereto(pair, other));
            if pair.left.is_some() {
                [l, said]
            } else {
                [said, r]
            }
        }
    }
}

fn beside(both: &Both, pair: &Pair, at: usize, cols: usize) -> Vec<Cells> {
    let [left, right] = columns(both, pair, at).map(|c| runs::rows(&c, cols));
    let many = left.len().max(right.len());
    let (mut left, mut right) = (left.into_iter(), right.into_iter());
    let row = |n: usize| Cells {
        sign: if n == 0 { sign(pair) } else { " " },
        left: left.next().unwrap_or_default(),
        right: right.next().unwrap_or_default(),
    };
    (0..many).map(row).collect()
}

/// The left paragraph, then the right one, each with the sign of its text.
fn below(both: &Both, pair: &Pair, at: usize, cols: usize) -> Vec<Cells> {
    let [left, right] = columns(both, pair, at);
    if pair.kind == Kind::Same {
        return marked(" ", &left, cols);
    }
    let mut out = Vec::new();
    for (sign, column, there) in [
        ("‹", left, pair.left.is_some()),
        ("›", right, pair.right.is_some()),
    ] {
        let says = matches!(pair.kind, Kind::Moved(_));
        if there || says {
            out.extend(marked(sign, &column, cols));
        }
    }
    out
}

fn in_one(both: &Both, pair: &Pair, at: usize, cols: usize) -> Vec<Cells> {
    let [left, right] = both.words(pair);
    let runs = match pair.kind {
        Kind::Same => runs::plain(right, Look::Plain),
        Kind::Changed => runs::in_one(left, right),
        Kind::Left => runs::plain(left, Look::Gone),
        Kind::Right => runs::plain(right, Look::Came),
        Kind::Moved(other) if pair.left.is_some() => {
            let n = both.comparison.there(other);
            let first = runs::first_words(left);
            runs::note(&format!("“{first}” moved: it is paragraph {n} now"))
        }
        Kind::Moved(_) => {
            let [l, r] = both.whole(at).unwrap_or_default();
            runs::in_one(l, r)
        }
    };
    marked(sign(pair), &runs, cols)
}

/// Rows of one column, the sign before the first.
fn marked(sign: &'static str, runs: &[Run], cols: usize) -> Vec<Cells> {
    let rows = runs::rows(runs, cols).into_iter().enumerate();
    rows.map(|(n, left)| Cells {
        sign: if n == 0 { sign } else { " " },
        left,
        right: Row::new(),
    })
    .collect()
}
