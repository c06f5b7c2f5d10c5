//! The rows of a draft at a width. A line is laid out when it is looked at, and again when it changes; a very long
//! one only around the change.

use std::ops::Range;

use super::glyph::{glyphs, row_starts};
use super::words::Words;

/// Bytes from which a line is laid out piece by piece.
const LONG: usize = 8 * 1024;
/// Rows before a change that may break anew.
const BEFORE: usize = 2;

/// The rows of lines that were looked at.
#[derive(Debug, Default)]
pub(super) struct Layout {
    cols: usize,
    /// For each line where its rows begin, in bytes from the line's start; none when that is not known.
    lines: Vec<Option<Vec<usize>>>,
}

/// A row of the screen.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) struct RowAt {
    pub(super) line: usize,
    /// Row of the line.
    pub(super) row: usize,
}

/// A place on the page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Spot {
    pub(super) at: RowAt,
    /// Cells from the left.
    pub(super) x: usize,
}

impl Layout {
    /// Sets the width; one cell is kept free for the caret behind the last word.
    pub(super) fn fit(&mut self, width: usize, words: &Words) {
        let cols = width.saturating_sub(1).max(1);
        if self.cols != cols || self.lines.len() != words.lines() {
            self.cols = cols;
            self.lines.clear();
            self.lines.resize(words.lines(), None);
        }
    }

    /// A change was made: `removed` bytes of the text as it was gave way to `inserted` bytes at `at`; lines
    /// `first..=last` of that text are what it touched.
    pub(super) fn changed(
        &mut self,
        words: &Words,
        (at, removed, inserted): (usize, usize, usize),
        (first, last): (usize, usize),
    ) {
        let now_last = words.line_of(at + inserted);
        if first == last && first == now_last && self.relay(words, first, (at, removed, inserted)) {
            return;
        }
        let end = (last + 1).min(self.lines.len());
        let new = std::iter::repeat_n(None, now_last + 1 - first);
        self.lines.splice(first.min(end)..end, new);
    }

    /// Lays a long line out anew around a change; false when it is not long, or was not laid out.
    fn relay(
        &mut self,
        words: &Words,
        n: usize,
        (at, removed, inserted): (usize, usize, usize),
    ) -> bool {
        let line = words.line(n);
        let cols = self.cols;
        let Some(starts) = self.lines.get_mut(n).and_then(Option::as_mut) else {
            return false;
        };
        if line.len() < LONG || starts.len() < BEFORE || at < line.start {
            return false;
        }
        let at = at - line.start;
        let keep = starts
            .partition_point(|s| *s <= at)
            .saturating_sub(BEFORE + 1);
        let old = starts.split_off(keep + 1);
        let from = starts.pop().unwrap_or_default();
        let met = |start: usize| {
            let was = start.checked_sub(inserted).map(|s| s + removed);
            let was = was.filter(|_| start > at + inserted)?;
            old.binary_search(&was).ok()
        };
        let met = lay(words, &line, (from, cols), starts, met);
        if let Some(same) = met {
            let rest = old.iter().skip(same + 1);
            starts.extend(rest.map(|s| s + inserted - removed));
        }
        true
    }

    /// Where the rows of a line begin.
    pub(super) fn rows(&mut self, words: &Words, n: usize) -> &[usize] {
        let cols = self.cols;
        let Some(slot) = self.lines.get_mut(n) else {
            return &[0];
        };
        slot.get_or_insert_with(|| {
            let mut starts = Vec::new();
            lay(words, &words.line(n), (0, cols), &mut starts, |_| None);
            starts
        })
    }

    /// The bytes of a row in the text.
    pub(super) fn bytes(&mut self, words: &Words, at: RowAt) -> Range<usize> {
        let line = words.line(at.line);
        let rows = self.rows(words, at.line);
        let start = line.start + rows.get(at.row).copied().unwrap_or_default();
        let end = rows.get(at.row + 1).map_or(line.end, |s| line.start + s);
        start.min(end)..end
    }

    /// Whether a row is the last of its line.
    pub(super) fn is_last(&mut self, words: &Words, at: RowAt) -> bool {
        at.row + 1 >= self.rows(words, at.line).len()
    }

    /// Where a byte of the text is on the page. `hangs`: at the end of the row before, when a row begins there.
    pub(super) fn spot(&mut self, words: &Words, at: usize, hangs: bool) -> Spot {
        let n = words.line_of(at);
        let line = words.line(n);
        let inside = at.saturating_sub(line.start).min(line.len());
        let rows = self.rows(words, n);
        let mut row = rows.partition_point(|s| *s <= inside).saturating_sub(1);
        let begins = rows.get(row) == Some(&inside);
        if hangs && begins {
            row = row.saturating_sub(1);
        }
        let start = line.start + rows.get(row).copied().unwrap_or_default();
        let x = glyphs(&words.slice(start..line.start + inside))
            .map(|g| g.cells)
            .sum();
        let at = RowAt { line: n, row };
        Spot { at, x }
    }

    /// The place of the text nearest to a spot, and whether it hangs at the row's end.
    pub(super) fn place(&mut self, words: &Words, spot: Spot) -> (usize, bool) {
        let row = self.bytes(words, spot.at);
        let last = self.is_last(words, spot.at);
        let text = words.slice(row.clone());
        let (mut x, mut to) = (0, 0);
        for glyph in glyphs(&text) {
            // Behind a space at its end a row is over: the next one begins there.
            let over = !last && glyph.end() == text.len() && glyph.raw.trim().is_empty();
            if x + glyph.cells > spot.x || over {
                break;
            }
            x += glyph.cells;
            to = glyph.end();
        }
        (row.start + to, !last && to == text.len() && to > 0)
    }

    /// The row above.
    pub(super) fn above(&mut self, words: &Words, at: RowAt) -> Option<RowAt> {
        if let Some(row) = at.row.checked_sub(1) {
            return Some(RowAt { row, ..at });
        }
        let line = at.line.checked_sub(1)?;
        let row = self.rows(words, line).len().saturating_sub(1);
        Some(RowAt { line, row })
    }

    /// The row below.
    pub(super) fn below(&mut self, words: &Words, at: RowAt) -> Option<RowAt> {
        if at.row + 1 < self.rows(words, at.line).len() {
            let row = at.row + 1;
            return Some(RowAt { row, ..at });
        }
        let line = at.line + 1;
        (line < words.lines()).then_some(RowAt { line, row: 0 })
    }

    /// Rows from one to another further down; none when there are more than `most`.
    pub(super) fn between(
        &mut self,
        words: &Words,
        from: RowAt,
        to: RowAt,
        most: usize,
    ) -> Option<usize> {
        let (mut at, mut n) = (from, 0);
        while at < to {
            if n >= most {
                return None;
            }
            if at.line == to.line {
                return (to.row - at.row + n <= most).then_some(to.row - at.row + n);
            }
            n += self.rows(words, at.line).len().saturating_sub(at.row);
            at = RowAt {
                line: at.line + 1,
                row: 0,
            };
        }
        (at == to && n <= most).then_some(n)
    }
}

/// Lays a line out from a row's start on, until its end or until a row `met` one that was known. Gives back what it met.
fn lay(
    words: &Words,
    line: &Range<usize>,
    (from, cols): (usize, usize),
    out: &mut Vec<usize>,
    met: impl Fn(usize) -> Option<usize>,
) -> Option<usize> {
    let mut from = from;
    loop {
        let rest = line.len() - from.min(line.len());
        let piece = if rest > LONG {
            let cut = words.floor(line.start + from + LONG);
            from + line.start..cut
        } else {
            from + line.start..line.end
        };
        let whole = piece.end >= line.end;
        let mut starts = row_starts(&words.slice(piece), cols);
        // The last row of a piece goes on in the next one.
        let next = if whole || starts.len() < 2 {
            None
        } else {
            starts.pop()
        };
        for start in starts {
            if let Some(found) = met(from + start) {
                out.push(from + start);
                return Some(found);
            }
            out.push(from + start);
        }
        match next {
            Some(next) => from += next,
            None if whole => return None,
            // A row longer than a piece: wider than any screen.
            None => from += LONG,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    fn starts(words: &Words, cols: usize) -> Vec<usize> {
        let mut layout = Layout::default();
        layout.fit(cols, words);
        layout.rows(words, 0).to_vec()
    }

    #[test]
    fn a_long_line_is_broken_in_pieces_as_it_is_in_one() {
        let text = "The window closed, and with it the morning’s last good sentence 灯台の手紙。 "
            .repeat(900);
        let words = Words::new(&text);
        assert_eq!(starts(&words, 41), row_starts(&text, 40));
    }

    #[test]
    fn a_change_in_a_long_line_breaks_only_what_it_must_and_all_of_that() {
        let mut words = Words::new(&"one two three four ".repeat(4_000));
        let mut layout = Layout::default();
        layout.fit(31, &words);
        layout.rows(&words, 0);
        let middle = words.len() / 2;
        for (at, removed, insert) in [
            (middle, 0, "x"),
            (40, 7, ""),
            (0, 0, "longer words "),
            (middle, 3, "灯"),
        ] {
            assert!(words.replace(at..at + removed, insert));
            layout.changed(&words, (at, removed, insert.len()), (0, 0));
            assert_eq!(layout.rows(&words, 0), starts(&words, 31), "{insert}");
        }
    }

    #[test]
    fn a_place_and_its_spot_are_each_others() {
        let words = Words::new("one two three 灯台の手紙。\n\nlast");
        let mut layout = Layout::default();
        layout.fit(9, &words);
        let mut at = 0;
        while at < words.len() {
            let spot = layout.spot(&words, at, false);
            assert_eq!(layout.place(&words, spot).0, at);
            at = words.after(at);
        }
    }
}
