//! The rows of the text at a width. Only lines that changed are laid out again.

use std::ops::Range;

use super::chips::{Chips, is_reserved};
use super::glyph::{Glyph, glyphs};
use super::model::{At, Model};
use crate::text::{clean, wrap};

/// The rows of all lines.
#[derive(Debug, Default)]
pub(super) struct Layout {
    cols: usize,
    lines: Vec<Laid>,
}

#[derive(Debug, Default)]
struct Laid {
    text: String,
    /// Byte ranges of its rows.
    rows: Vec<Range<usize>>,
}

/// A row of the screen: a row of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Spot {
    /// Rows from the top of the text.
    pub(super) row: usize,
    /// Cells from the left.
    pub(super) x: usize,
}

/// A row with its line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Row {
    pub(super) line: usize,
    pub(super) bytes: Range<usize>,
    /// Whether it is the last of its line.
    pub(super) last: bool,
}

impl Layout {
    /// Brings the rows up to date. One cell is kept free for the caret behind the last word.
    pub(super) fn update(&mut self, model: &Model, chips: &Chips, width: usize) {
        let cols = width.saturating_sub(1).max(1);
        if std::mem::replace(&mut self.cols, cols) != cols {
            self.lines.clear();
        }
        self.lines.resize_with(model.lines().len(), Laid::default);
        for (laid, line) in self.lines.iter_mut().zip(model.lines()) {
            if laid.rows.is_empty() || laid.text != *line {
                laid.text.clone_from(line);
                laid.rows = rows(line, chips, cols);
            }
        }
    }

    /// Rows of the whole text, at least one.
    pub(super) fn height(&self) -> usize {
        self.lines
            .iter()
            .map(|l| l.rows.len())
            .sum::<usize>()
            .max(1)
    }

    /// Rows from one on.
    pub(super) fn rows_from(&self, first: usize) -> impl Iterator<Item = Row> {
        let all = self.lines.iter().enumerate().flat_map(|(line, laid)| {
            let count = laid.rows.len();
            laid.rows.iter().enumerate().map(move |(i, bytes)| Row {
                line,
                bytes: bytes.clone(),
                last: i + 1 == count,
            })
        });
        all.skip(first)
    }

    /// Where a place of the text is on the page.
    pub(super) fn spot(&self, (line, col): At, chips: &Chips) -> Spot {
        let before: usize = self.lines.iter().take(line).map(|l| l.rows.len()).sum();
        let Some(laid) = self.lines.get(line) else {
            return Spot { row: before, x: 0 };
        };
        let byte = byte_of(&laid.text, col);
        let row = laid.rows.iter().rposition(|r| r.start <= byte).unwrap_or(0);
        let start = laid.rows.get(row).map_or(0, |r| r.start);
        let x = glyphs(laid.text.get(start..byte).unwrap_or_default(), start, chips)
            .map(|g| g.cells)
            .sum();
        let row = before + row;
        Spot { row, x }
    }

    /// The place of the text nearest to a spot on the page.
    pub(super) fn place(&self, spot: Spot, chips: &Chips) -> Option<At> {
        let row = self.rows_from(spot.row).next()?;
        let laid = self.lines.get(row.line)?;
        let mut x = 0;
        let mut byte = row.bytes.start;
        for glyph in glyphs(laid.text.get(row.bytes.clone())?, row.bytes.start, chips) {
            let end = glyph.at + glyph.raw.len();
            // The end of a row that goes on is the start of the next one.
            if x + glyph.cells > spot.x || end == row.bytes.end && !row.last {
                break;
            }
            x += glyph.cells;
            byte = end;
        }
        Some((row.line, laid.text.get(..byte)?.chars().count()))
    }

    /// The glyphs of a row.
    pub(super) fn glyphs<'a>(
        &'a self,
        row: &Row,
        chips: &'a Chips,
    ) -> impl Iterator<Item = Glyph<'a>> {
        let text = self
            .lines
            .get(row.line)
            .and_then(|l| l.text.get(row.bytes.clone()));
        glyphs(text.unwrap_or_default(), row.bytes.start, chips)
    }
}

/// Where a column begins in its line, in bytes.
pub(super) fn byte_of(line: &str, col: usize) -> usize {
    line.char_indices()
        .nth(col)
        .map_or(line.len(), |(at, _)| at)
}

fn rows(line: &str, chips: &Chips, cols: usize) -> Vec<Range<usize>> {
    let as_it_is = !line.contains(is_reserved) && clean(line) == line;
    if as_it_is {
        return wrap(line, cols);
    }
    // Break what is shown, then find the same places in the line.
    let glyphs: Vec<Glyph<'_>> = glyphs(line, 0, chips).collect();
    // A label has spaces, but is not broken there.
    let whole = |g: &Glyph<'_>| {
        let shown = g.shown.to_string();
        if g.chip {
            shown.replace(' ', "_")
        } else {
            shown
        }
    };
    let shown: String = glyphs.iter().map(whole).collect();
    let mut out = Vec::new();
    let (mut next, mut seen, mut start) = (glyphs.iter().peekable(), 0, 0);
    for row in wrap(&shown, cols) {
        // A label wider than a row is not broken: it is one glyph.
        while next.peek().is_some_and(|_| seen < row.end) {
            seen += next.next().map_or(0, |g| g.shown.len());
        }
        let end = next.peek().map_or(line.len(), |g| g.at);
        if end > start || out.is_empty() {
            out.push(start..end);
            start = end;
        }
    }
    out
}
