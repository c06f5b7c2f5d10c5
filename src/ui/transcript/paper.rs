//! The visible rows, put on the screen.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Modifier;
use ratatui::text::Line;

use super::cell::writes;
use super::page::{Doc, Place, Shape};
use super::row::Row;
use super::sought::Rows;
use super::summary::Telling;
use crate::domain::body::{Item, Part};
use crate::text::find::Query;
use crate::ui::theme::Theme;

const CARET: &str = "▍";
const HERE: &str = "▎";

/// Where rows are drawn, from the top down.
#[derive(Debug)]
pub(super) struct Paper<'b> {
    area: Rect,
    column: Rect,
    buf: &'b mut Buffer,
    /// The next row.
    y: u16,
    /// Behind the last word drawn.
    end: Option<Position>,
}

impl<'b> Paper<'b> {
    pub(super) fn new(area: Rect, column: Rect, buf: &'b mut Buffer) -> Self {
        Self {
            area,
            column,
            buf,
            y: column.y,
            end: None,
        }
    }

    /// Draws from a place on until the paper is full. The item `here` gets a bar beside it.
    pub(super) fn rows(
        &mut self,
        doc: &mut Doc<'_>,
        telling: &Telling<'_>,
        top: Place,
        here: Option<usize>,
    ) {
        let mut skip = top.row;
        for i in top.item..doc.items.len() {
            if self.is_full() {
                return;
            }
            let from = self.y;
            let shape = doc.shape(i);
            self.head(doc, telling, i, shape, skip);
            self.body(doc, telling, i, shape, skip.saturating_sub(shape.head()));
            if here == Some(i) {
                self.mark(from + u16::from(shape.air > skip), telling.cx.theme);
            }
            skip = 0;
        }
    }

    fn is_full(&self) -> bool {
        self.y >= self.column.bottom()
    }

    fn head(&mut self, doc: &Doc<'_>, telling: &Telling<'_>, i: usize, shape: Shape, skip: usize) {
        let Some(item) = doc.items.get(i) else {
            return;
        };
        let newest = i + 1 == doc.items.len();
        for row in skip..shape.head() {
            if self.is_full() {
                return;
            }
            let line = if row < shape.air {
                Line::default()
            } else if row < shape.air + shape.label {
                telling.label(item)
            } else {
                telling.summary(item, shape.body, newest)
            };
            let (x, y) = self
                .buf
                .set_line(self.column.x, self.y, &line, self.column.width);
            self.end = Some(Position { x, y });
            self.y += 1;
        }
    }

    fn body(
        &mut self,
        doc: &mut Doc<'_>,
        telling: &Telling<'_>,
        i: usize,
        shape: Shape,
        skip: usize,
    ) {
        let room = usize::from(self.column.bottom().saturating_sub(self.y));
        if !shape.body {
            return;
        }
        let from = self.y;
        for row in doc.body(i, skip, room) {
            let at = Position {
                x: self.column.x,
                y: self.y,
            };
            let x = row.draw(self.buf, at, telling.cols, telling.cx.theme);
            row.link(self.buf, at, telling.cols, telling.cx.links);
            self.end = Some(Position { x, y: self.y });
            self.y += 1;
        }
        if let Some(query) = telling.cx.sought {
            self.mark_words(doc.body(i, skip, room), from, query, telling);
        }
    }

    /// Marks the words that were looked for in rows that were drawn.
    fn mark_words<'r>(
        &mut self,
        rows: impl Iterator<Item = &'r Row>,
        from: u16,
        query: &Query,
        telling: &Telling<'_>,
    ) {
        let rows = Rows::of(rows);
        let style = telling.cx.theme.accent.add_modifier(Modifier::UNDERLINED);
        for (row, cells) in rows.marks(query) {
            let y = from.saturating_add(u16::try_from(row).unwrap_or(u16::MAX));
            for x in cells.start..cells.end.min(telling.cols) {
                let x = self
                    .column
                    .x
                    .saturating_add(u16::try_from(x).unwrap_or(u16::MAX));
                if let Some(cell) = self.buf.cell_mut((x, y)) {
                    cell.set_style(style);
                }
            }
        }
    }

    /// A bar beside the message at the reading place, in the accent where it begins to be seen.
    fn mark(&mut self, from: u16, theme: &Theme) {
        if let Some(x) = self.column.x.checked_sub(2).filter(|x| *x >= self.area.x) {
            for y in from..self.y {
                let style = if y == from { theme.accent } else { theme.dim };
                self.buf.set_stringn(x, y, HERE, 1, style);
            }
        }
    }

    /// The sign that more comes: behind the newest words, or where the answer will begin.
    pub(super) fn caret(&mut self, doc: &Doc<'_>, telling: &Telling<'_>) {
        match doc.items.last() {
            Some(Item::Part {
                part: Part::Words { open: true, .. },
                ..
            }) => self.sign(self.end, telling),
            Some(Item::Part {
                part: Part::Call {
                    name, done: None, ..
                },
                ..
            }) if writes(name) => self.sign(self.end, telling),
            Some(Item::Prompt { ts, turn, .. }) if self.y + 1 < self.column.bottom() => {
                let (x, y) = (self.column.x, self.y + 1);
                let label = telling.agent(*turn, *ts, None);
                self.buf.set_line(x, y, &label, self.column.width);
                self.sign(Some(Position { x, y: y + 1 }), telling);
            }
            _ => {}
        }
    }

    fn sign(&mut self, at: Option<Position>, telling: &Telling<'_>) {
        if let Some(at) = at.filter(|at| self.area.contains(*at)) {
            self.buf
                .set_stringn(at.x, at.y, CARET, 1, telling.cx.theme.accent);
        }
    }
}
