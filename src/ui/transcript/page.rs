//! All items one below the other, as tall as they are at a width. Heights are found where they are asked
//! for, never for all items at once.

use std::collections::HashSet;

use super::cell::{Cell, writes};
use super::row::Row;
use crate::domain::body::{Item, Part};
use crate::domain::event::Status;
use crate::domain::{Seq, Session, TurnNo};

/// Rows laid out before those far from the view are let go.
const LAID_MAX: usize = 3_000;
/// Rows on either side of the view that are kept then.
const KEPT_AROUND: usize = 400;
/// Rows that one look at an item is counted for at most: of a long one that grows only the end is laid out.
const LAID_AT_ONCE: usize = 100;
/// Items looked back at for what a label depends on.
const LOOK_BACK: usize = 16;

/// A row: of an item, counted from the top of that item.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) struct Place {
    pub(super) item: usize,
    pub(super) row: usize,
}

/// The layouts, one for each item.
#[derive(Debug, Default)]
pub(super) struct Page {
    pub(super) cols: usize,
    cells: Vec<Cell>,
    unfolded: HashSet<Seq>,
    laid: usize,
}

/// Rows of an item before those of its cell, and whether the cell is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Shape {
    pub(super) air: usize,
    pub(super) label: usize,
    pub(super) summary: usize,
    pub(super) body: bool,
}

/// The page together with what stands on it.
#[derive(Debug)]
pub(super) struct Doc<'a> {
    pub(super) items: &'a [Item],
    pub(super) page: &'a mut Page,
    /// The turn that has not ended.
    pub(super) open: Option<TurnNo>,
}

impl Page {
    /// Items from `from` on may have changed; there are `len` now.
    pub(super) fn touch(&mut self, from: usize, len: usize) {
        self.cells.truncate(len);
        self.cells.iter_mut().skip(from).for_each(Cell::touch);
        self.cells.resize_with(len, Cell::default);
    }

    /// The first `old` items are `new` others now.
    pub(super) fn join(&mut self, old: usize, new: usize) {
        let fresh = std::iter::repeat_with(Cell::default).take(new);
        drop(self.cells.splice(..old.min(self.cells.len()), fresh));
    }

    pub(super) fn clear(&mut self) {
        self.cells.clear();
        self.unfolded.clear();
    }

    pub(super) fn toggle(&mut self, item: Seq) {
        if !self.unfolded.remove(&item) {
            self.unfolded.insert(item);
        }
    }

    /// Lets go of rows far from a place when many were laid out.
    pub(super) fn spare(&mut self, around: Place, tall: usize) {
        if self.laid < LAID_MAX {
            return;
        }
        self.laid = 0;
        let at = around.item.min(self.cells.len());
        let (above, from) = self.cells.split_at_mut(at);
        // Of the item at the place, what is near to it.
        let (mut skip, mut left) = (around.row.saturating_sub(KEPT_AROUND), KEPT_AROUND + tall);
        let mut row = around.row;
        for cell in from {
            let height = cell.height();
            cell.let_go(&(skip..(row + left).min(height)));
            left = left.saturating_sub(height.saturating_sub(row));
            (skip, row) = (0, 0);
        }
        let mut left = KEPT_AROUND.saturating_sub(around.row);
        for cell in above.iter_mut().rev() {
            let height = cell.height();
            cell.let_go(&(height.saturating_sub(left)..height));
            left = left.saturating_sub(height.max(1));
        }
    }

    /// Lets go of all rows: nobody looks at them.
    pub(super) fn rest(&mut self) {
        self.laid = 0;
        self.cells.iter_mut().for_each(|cell| cell.let_go(&(0..0)));
    }
}

impl Shape {
    /// Rows before those of the cell.
    pub(super) const fn head(self) -> usize {
        self.air + self.label + self.summary
    }
}

impl<'a> Doc<'a> {
    pub(super) fn new(session: &'a Session, page: &'a mut Page) -> Self {
        let open = session.head.turn.as_ref().filter(|t| t.end.is_none());
        Self {
            items: &session.body.items,
            page,
            open: open.map(|t| t.no),
        }
    }
}

impl Doc<'_> {
    pub(super) fn end(&self) -> Place {
        Place {
            item: self.items.len(),
            row: 0,
        }
    }

    /// Lays everything out anew at another width.
    pub(super) fn resize(&mut self, cols: usize) {
        self.page.cols = cols;
        self.page.cells.fill_with(Cell::default);
    }

    /// How far into the words of its item a row begins, whatever the width; none for rows before an item's own.
    pub(super) fn depth(&mut self, at: Place) -> Option<usize> {
        let row = at.row.checked_sub(self.shape(at.item).head())?;
        self.height(at.item);
        Some(self.body(at.item, 0, row).map(Row::span).sum())
    }

    /// The row with that part of an item's words.
    pub(super) fn at_depth(&mut self, item: usize, depth: usize) -> Place {
        let head = self.shape(item).head();
        let own = self.height(item).saturating_sub(head);
        let mut left = depth;
        let above = self.body(item, 0, own).take_while(|row| {
            let is_above = row.span() <= left;
            left = left.saturating_sub(row.span());
            is_above
        });
        let row = head + above.count().min(own.saturating_sub(1));
        Place { item, row }
    }

    /// The layout of an item, made if need be.
    fn cell(&mut self, i: usize) -> Option<&mut Cell> {
        let (item, cell) = (self.items.get(i)?, self.page.cells.get_mut(i)?);
        if let Some(rows) = cell.lay(item, self.page.cols) {
            // Of a long one only the end was laid out.
            self.page.laid += rows.min(LAID_AT_ONCE);
        }
        Some(cell)
    }

    /// Rows of an item's own, so many from that one on.
    pub(super) fn body(
        &mut self,
        i: usize,
        from: usize,
        rows: usize,
    ) -> impl Iterator<Item = &Row> {
        let (item, cols) = (self.items.get(i), self.page.cols);
        let cell = self.cell(i).zip(item).map(|(cell, item)| {
            cell.lay_again(item, cols, &(from..from + rows));
            &*cell
        });
        (from..from + rows).map_while(move |n| cell?.row(n))
    }

    pub(super) fn height(&mut self, i: usize) -> usize {
        let shape = self.shape(i);
        let head = shape.head();
        if shape.body {
            head + self.cell(i).map_or(0, |c| c.height())
        } else {
            head
        }
    }

    /// The place so many rows below; the end when there are fewer.
    pub(super) fn down(&mut self, from: Place, rows: usize) -> Place {
        let mut at = Place {
            item: from.item,
            row: from.row + rows,
        };
        while at.item < self.items.len() {
            let height = self.height(at.item);
            if at.row < height {
                return at;
            }
            at = Place {
                item: at.item + 1,
                row: at.row - height,
            };
        }
        self.end()
    }

    /// The place so many rows above; the start when there are fewer.
    pub(super) fn up(&mut self, from: Place, rows: usize) -> Place {
        let (mut at, mut left) = (from, rows);
        while at.row < left {
            left -= at.row;
            let Some(item) = at.item.checked_sub(1) else {
                return Place::default();
            };
            let row = self.height(item);
            at = Place { item, row };
        }
        Place {
            item: at.item,
            row: at.row - left,
        }
    }

    /// Rows between two places, counted up to a limit.
    pub(super) fn rows(&mut self, from: Place, limit: usize) -> usize {
        let (mut item, mut sum) = (from.item, 0_usize);
        while item < self.items.len() && sum < limit + from.row {
            sum += self.height(item);
            item += 1;
        }
        sum.saturating_sub(from.row).min(limit)
    }

    pub(super) fn shape(&self, i: usize) -> Shape {
        let Some(item) = self.items.get(i) else {
            return Shape {
                air: 0,
                label: 0,
                summary: 0,
                body: false,
            };
        };
        let label = self.has_label(i);
        let before = self.before(i).next();
        let close = before.is_none_or(|b| !label && is_line(b) && is_line(item));
        let empty = takes_no_row(item);
        Shape {
            air: usize::from(!close && !empty),
            label: usize::from(label),
            summary: usize::from(has_summary(item)),
            body: !empty && self.has_body(item),
        }
    }

    /// The items before one, newest first, without those that take no row.
    fn before(&self, i: usize) -> impl Iterator<Item = &Item> {
        let (before, _) = self.items.split_at(i.min(self.items.len()));
        before
            .iter()
            .rev()
            .take(LOOK_BACK)
            .filter(|b| !takes_no_row(b))
    }

    /// Whether someone begins to speak here.
    fn has_label(&self, i: usize) -> bool {
        match self.items.get(i) {
            Some(Item::Prompt { .. }) => true,
            Some(Item::Part { turn, .. }) => {
                let spoke = self.before(i).find(|b| {
                    matches!(
                        b,
                        Item::Part { .. } | Item::Prompt { .. } | Item::End { .. }
                    )
                });
                !matches!(spoke, Some(Item::Part { turn: t, .. }) if t == turn)
            }
            _ => false,
        }
    }

    fn has_body(&self, item: &Item) -> bool {
        if let Item::Compacted { seq, .. } = item {
            return self.page.unfolded.contains(seq);
        }
        let Item::Part {
            seq, turn, part, ..
        } = item
        else {
            return true;
        };
        let runs = self.open == Some(*turn);
        match part {
            Part::Words { .. } => true,
            Part::Asked { answer, .. } => answer.is_none() && runs,
            Part::Thinking { .. } => self.page.unfolded.contains(seq),
            Part::Call { name, done, .. } => {
                let writing = runs && done.is_none() && writes(name);
                writing != self.page.unfolded.contains(seq)
            }
        }
    }
}

/// Whether an item can be folded to one line.
pub(super) fn folds(item: &Item) -> bool {
    match item {
        Item::Compacted { what, .. } => !what.summary.is_empty(),
        Item::Part { part, .. } => matches!(part, Part::Thinking { .. } | Part::Call { .. }),
        _ => false,
    }
}

fn has_summary(item: &Item) -> bool {
    folds(item)
        || matches!(
            item,
            Item::Part {
                part: Part::Asked { .. },
                ..
            } | Item::Compacted { .. }
        )
}

/// Whether an item is the end of a turn that went as it should, which is not told.
fn takes_no_row(item: &Item) -> bool {
    matches!(
        item,
        Item::End {
            status: Status::Ok,
            reason: None,
            ..
        }
    )
}

/// Whether an item is a line beside the words, so that several of them stand close together.
fn is_line(item: &Item) -> bool {
    folds(item)
        || matches!(
            item,
            Item::End { .. }
                | Item::Draft { .. }
                | Item::Note { .. }
                | Item::Compacted { .. }
                | Item::Unknown { .. }
        )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::event::{Event, Kind};
    use crate::domain::session;

    fn prompts(n: u32) -> Session {
        let events: Vec<Event> = (0..n)
            .map(|turn| Event {
                seq: u64::from(turn),
                ts: 0,
                kind: Kind::Prompt {
                    turn,
                    text: "some words on a row".into(),
                    queued: None,
                },
            })
            .collect();
        session::replay(&events)
    }

    fn laid(page: &Page) -> usize {
        page.cells.iter().filter(|c| c.height() > 0).count()
    }

    #[test]
    fn only_what_is_asked_for_is_laid_out_and_what_is_far_is_let_go() {
        let session = prompts(8_000);
        let mut page = Page::default();
        page.touch(0, session.body.items.len());
        let mut doc = Doc::new(&session, &mut page);
        doc.resize(40);
        let end = doc.end();
        doc.up(end, 30);
        assert!(laid(doc.page) < 20);
        doc.up(end, 15_000);
        assert!(laid(doc.page) > LAID_MAX);
        page.spare(
            Place {
                item: 1_500,
                row: 0,
            },
            30,
        );
        assert!(laid(&page) <= 2 * KEPT_AROUND + 60);
    }

    #[test]
    fn up_and_down_are_each_others_way_back() {
        let session = prompts(50);
        let mut page = Page::default();
        page.touch(0, session.body.items.len());
        let mut doc = Doc::new(&session, &mut page);
        doc.resize(12);
        let start = Place::default();
        let total = doc.rows(start, 10_000);
        for rows in 0..200 {
            let down = doc.down(start, rows);
            assert_eq!(total - doc.rows(down, 10_000), rows.min(total));
            if down < doc.end() {
                assert_eq!(doc.up(down, rows), start);
            }
        }
    }
}
