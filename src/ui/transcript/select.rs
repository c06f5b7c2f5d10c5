//! Words selected with the mouse. What is copied is the text, not the screen: rows that were broken only for want
//! of room are one line again, and what stands before them is left out.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use unicode_segmentation::UnicodeSegmentation;

use super::Transcript;
use super::page::{Doc, Place};
use super::row::Row;
use crate::domain::Seq;
use crate::domain::body::Item;
use crate::text::cells;
use crate::ui::theme::Theme;

/// A cell of an item's row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Point {
    item: Seq,
    row: usize,
    x: usize,
}

/// From the cell where the button went down to the one where it is, both with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Selection {
    from: Point,
    to: Point,
    /// It was more than a click.
    moved: bool,
    /// There are words in it: not only the lines that say who wrote and when.
    words: bool,
}

/// A selection with its ends in order, items by their place.
struct Span {
    from: (Place, usize),
    to: (Place, usize),
}

impl Span {
    /// Cells of a row that are in it, from and up to.
    fn cells(&self, at: Place) -> Option<(usize, usize)> {
        if at < self.from.0 || at > self.to.0 {
            return None;
        }
        let from = if at == self.from.0 { self.from.1 } else { 0 };
        let to = if at == self.to.0 {
            self.to.1 + 1
        } else {
            usize::MAX
        };
        (from < to).then_some((from, to))
    }
}

impl Transcript {
    /// Nothing is selected any more.
    pub fn select_nothing(&mut self) {
        self.selection = None;
    }

    /// Begins to select at a place of the screen; with `word`, the word there.
    pub fn select_from(&mut self, at: Position, word: bool) {
        let Some(point) = self.point(at) else {
            return;
        };
        let (mut from, mut to) = (point, point);
        if word && let Some((start, end)) = self.word(point) {
            (from.x, to.x) = (start, end);
        }
        self.selection = Some(Selection {
            from,
            to,
            moved: word,
            words: false,
        });
        self.look_for_words();
    }

    /// Selects on, to a place of the screen. Beyond an edge the words move.
    pub fn select_to(&mut self, at: Position) {
        if self.selection.is_none() {
            return;
        }
        if at.y < self.column.y {
            self.scroll(super::Move::Row(-1));
        } else if at.y >= self.column.bottom() {
            self.scroll(super::Move::Row(1));
        }
        let at = Position {
            y: at
                .y
                .clamp(self.column.y, self.column.bottom().saturating_sub(1)),
            ..at
        };
        let to = self.point(at);
        if let (Some(selection), Some(to)) = (&mut self.selection, to) {
            selection.moved |= to != selection.to;
            selection.to = to;
        }
        self.look_for_words();
    }

    fn look_for_words(&mut self) {
        let words = self.text_between(true).is_some();
        if let Some(selection) = &mut self.selection {
            selection.words = words;
        }
    }

    /// Whether words are selected.
    pub fn is_selected(&self) -> bool {
        self.selection.is_some_and(|s| s.words)
    }

    /// The text that is selected.
    pub fn selected_text(&mut self) -> Option<String> {
        self.text_between(false)
    }

    /// The same; with `any`, only the first of it.
    fn text_between(&mut self, any: bool) -> Option<String> {
        let span = self.span()?;
        let mut doc = self.parts().0;
        let mut out = String::new();
        for item in span.from.0.item..=span.to.0.item {
            let head = doc.shape(item).head();
            let rows = doc.height(item).saturating_sub(head);
            let first = if item == span.from.0.item {
                span.from.0.row.saturating_sub(head)
            } else {
                0
            };
            let mut part = String::new();
            for (i, row) in (first..).zip(doc.body(item, first, rows.saturating_sub(first))) {
                if let Some((from, to)) = span.cells(Place {
                    item,
                    row: head + i,
                }) {
                    part.push_str(&slice(row, from, to));
                    part.push_str(if row.soft { "" } else { "\n" });
                }
            }
            if !out.is_empty() && !part.is_empty() {
                out.push('\n');
            }
            out.push_str(&part);
            if any && !out.trim_end().is_empty() {
                break;
            }
        }
        let text = out.trim_end().to_owned();
        (!text.is_empty()).then_some(text)
    }

    /// Shows what is selected on the rows that were drawn.
    pub(super) fn draw_selection(&mut self, column: Rect, buf: &mut Buffer, theme: &Theme) {
        let Some(span) = self.span() else {
            return;
        };
        let top = self.view.top;
        let mut doc = self.parts().0;
        for (n, line) in column.rows().enumerate() {
            let at = doc.down(top, n);
            let head = doc.shape(at.item).head();
            let (Some(row), Some((from, to))) = (at.row.checked_sub(head), span.cells(at)) else {
                continue;
            };
            let Some(row) = doc.body(at.item, row, 1).next() else {
                continue;
            };
            let (lead, end) = row.extent();
            let cell = |x: usize| u16::try_from(x).unwrap_or(u16::MAX);
            let (from, to) = (cell(from.max(lead)), cell(to.min(end)));
            let area = Rect {
                x: line.x.saturating_add(from),
                width: to.saturating_sub(from),
                ..line
            };
            buf.set_style(area.intersection(line), theme.selected);
        }
    }

    /// The cell of the page at a place of the screen.
    fn point(&mut self, at: Position) -> Option<Point> {
        let (column, top) = (self.column, self.view.top);
        let rows = usize::from(at.y.checked_sub(column.y)?);
        let x = usize::from(at.x.saturating_sub(column.x));
        let mut doc = self.parts().0;
        let mut place = doc.down(top, rows);
        if place.item >= doc.items.len() {
            let end = doc.end();
            place = doc.up(end, 1);
        }
        let item = doc.items.get(place.item)?.seq();
        Some(Point {
            item,
            row: place.row,
            x,
        })
    }

    fn span(&mut self) -> Option<Span> {
        let selection = self.selection.filter(|s| s.moved)?;
        let items = self.told.items();
        let place = |p: Point| {
            let item = items.iter().rposition(|i: &Item| i.seq() == p.item)?;
            Some((Place { item, row: p.row }, p.x))
        };
        let (a, b) = (place(selection.from)?, place(selection.to)?);
        let (from, to) = if a <= b { (a, b) } else { (b, a) };
        Some(Span { from, to })
    }

    /// The cells of the word at a point: its first and its last.
    fn word(&mut self, point: Point) -> Option<(usize, usize)> {
        let item = self
            .told
            .items()
            .iter()
            .rposition(|i| i.seq() == point.item)?;
        let mut doc: Doc<'_> = self.parts().0;
        let row = point.row.checked_sub(doc.shape(item).head())?;
        let row = doc.body(item, row, 1).next()?;
        let (mut x, _) = row.extent();
        let text = row.text();
        for word in text.split_word_bounds() {
            let end = x + word.graphemes(true).map(cells).sum::<usize>();
            if (x..end).contains(&point.x) {
                return Some((x, end.saturating_sub(1)));
            }
            x = end;
        }
        None
    }
}

/// The part of a row's text between two cells of it.
fn slice(row: &Row, from: usize, to: usize) -> String {
    let (mut x, _) = row.extent();
    let mut out = String::new();
    for grapheme in row.text().graphemes(true) {
        if x >= from && x < to {
            out.push_str(grapheme);
        }
        x += cells(grapheme);
    }
    out
}
