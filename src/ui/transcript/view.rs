//! The part of the page that is on screen: where its first row is, and how it moves.

use super::Move;
use super::page::{Doc, Place, folds};
use crate::domain::Seq;
use crate::domain::body::{Item, Part};

/// Rows up to which new ones are counted: more than that is many.
const BELOW_MAX: usize = 999;

/// Folded rows shown above a message that is gone to, at most.
const FOLDED_MAX: usize = 6;

/// The window onto the page.
#[derive(Debug)]
pub(super) struct View {
    /// What the first row shows.
    pub(super) top: Place,
    /// Where a change of the width has put it, and how far into its item the reader was before: at the next change that
    /// part comes to the top again, and not the row it happened to stand in.
    held: Option<(Place, usize)>,
    pub(super) rows: usize,
    /// New words are followed.
    pub(super) follow: bool,
    /// The end was on screen at the last drawing.
    pub(super) end_seen: bool,
    /// Where the end was when the view left it.
    pub(super) left: Option<Place>,
    /// Rows that came since.
    pub(super) below: usize,
    /// The message gone to by name of message keys.
    pub(super) picked: Option<Seq>,
}

impl Default for View {
    fn default() -> Self {
        Self {
            top: Place::default(),
            held: None,
            rows: 0,
            follow: true,
            end_seen: true,
            left: None,
            below: 0,
            picked: None,
        }
    }
}

impl View {
    /// Finds the first row for this drawing. While words are followed the page stands still until they reach
    /// its foot, then moves up by `step` rows more than it must.
    pub(super) fn settle(&mut self, doc: &mut Doc<'_>, step: usize) {
        let height = doc.height(self.top.item);
        self.top.row = self.top.row.min(height.saturating_sub(1));
        self.top = doc.down(self.top, 0);
        let seen = doc.rows(self.top, self.rows + 1);
        if self.follow && seen > self.rows {
            let step = step.min(self.rows.saturating_sub(1));
            self.top = doc.up(doc.end(), self.rows - step);
        } else if self.rows - seen.min(self.rows) > self.rows / 4 {
            // What stood here shrank: no page is left emptier than a quarter while there is more above.
            self.top = self.top.min(doc.up(doc.end(), self.rows));
        }
        self.end_seen = doc.rows(self.top, self.rows + 1) <= self.rows;
        self.count_below(doc);
    }

    /// Another width: the words that the first row began with stay in the first row.
    pub(super) fn resize(&mut self, doc: &mut Doc<'_>, cols: usize) {
        let held = self.held.take().filter(|held| held.0 == self.top);
        let depth = match held {
            Some((_, depth)) => Some(depth),
            None if doc.page.cols > 0 => doc.depth(self.top),
            None => None,
        };
        doc.resize(cols);
        if let Some(depth) = depth {
            self.top = doc.at_depth(self.top.item, depth);
            self.held = Some((self.top, depth));
        }
    }

    fn count_below(&mut self, doc: &mut Doc<'_>) {
        if self.end_seen {
            (self.follow, self.left, self.below) = (true, None, 0);
        } else if let Some(left) = self.left {
            self.below = doc.rows(left, BELOW_MAX);
        }
    }

    /// Stops following.
    pub(super) fn leave(&mut self, doc: &mut Doc<'_>) {
        if std::mem::take(&mut self.follow) {
            let item = doc.items.len().saturating_sub(1);
            let row = doc.height(item);
            self.left = Some(Place { item, row });
        }
    }

    pub(super) fn scroll(&mut self, doc: &mut Doc<'_>, to: Move) {
        let page = i32::try_from(self.rows.saturating_sub(2).max(1)).unwrap_or(i32::MAX);
        match to {
            Move::Row(n) => self.by(doc, n),
            Move::Page(n) => self.by(doc, n.saturating_mul(page)),
            Move::Top => {
                self.leave(doc);
                (self.top, self.picked) = (Place::default(), None);
            }
            Move::End => self.end(doc),
            Move::Message(n) => {
                for _ in 0..n.unsigned_abs() {
                    self.message(doc, n > 0);
                }
            }
        }
    }

    fn by(&mut self, doc: &mut Doc<'_>, rows: i32) {
        self.picked = None;
        let far = usize::try_from(rows.unsigned_abs()).unwrap_or(usize::MAX);
        if rows < 0 {
            self.leave(doc);
            self.top = doc.up(self.top, far);
        } else if !self.follow {
            let to = doc.down(self.top, far);
            self.go(doc, to);
        }
    }

    /// Puts a place at the top, or as near to it as the end allows.
    fn go(&mut self, doc: &mut Doc<'_>, to: Place) {
        let last = doc.up(doc.end(), self.rows);
        if to < last {
            self.leave(doc);
            self.top = to;
        } else {
            self.top = last;
            (self.follow, self.left, self.below) = (true, None, 0);
        }
    }

    /// Goes to the message that an event belongs to: the last one that began no later, else the first.
    pub(super) fn seek_message(&mut self, doc: &mut Doc<'_>, seq: Seq) {
        let mut all = doc.items.iter().enumerate();
        let is = |item: &Item| is_message(Some(item));
        let before = all.rfind(|(_, item)| is(item) && item.seq() <= seq);
        let found = before.or_else(|| doc.items.iter().enumerate().find(|(_, item)| is(item)));
        if let Some((i, item)) = found {
            let picked = item.seq();
            let to = start(doc, i);
            self.go(doc, to);
            self.picked = Some(picked);
        }
    }

    /// Shows a row that is not on the page, a third of it above.
    pub(super) fn reveal(&mut self, doc: &mut Doc<'_>, at: Place) {
        let last = doc.down(self.top, self.rows.saturating_sub(2));
        if at < self.top || at >= last {
            let to = doc.up(at, self.rows / 3);
            self.go(doc, to);
        }
    }

    fn end(&mut self, doc: &mut Doc<'_>) {
        self.picked = None;
        let end = doc.end();
        self.go(doc, end);
    }

    fn message(&mut self, doc: &mut Doc<'_>, on: bool) {
        let Some(here) = self.reading(doc.items) else {
            return;
        };
        let start = start(doc, here);
        let next = if on {
            (here + 1..doc.items.len()).find(|i| is_message(doc.items.get(*i)))
        } else if self.picked.is_none() && start < self.top {
            Some(here)
        } else {
            (0..here).rev().find(|i| is_message(doc.items.get(*i)))
        };
        match next.or((!on).then_some(here)) {
            None => self.end(doc),
            Some(i) => {
                let to = self::start(doc, i);
                self.go(doc, to);
                self.picked = doc.items.get(i).map(Item::seq);
            }
        }
    }

    /// The message to be marked as the one that keys act on; none where that is plain to see.
    pub(super) fn marked(&self, items: &[Item]) -> Option<usize> {
        let marked = !self.follow || self.picked.is_some();
        marked.then(|| self.reading(items)).flatten()
    }

    /// The message at the reading place: the one gone to, else the newest while words are followed,
    /// else the one the first row belongs to.
    pub(super) fn reading(&self, items: &[Item]) -> Option<usize> {
        if let Some(picked) = self.picked {
            let at = items.iter().rposition(|i| i.seq() == picked);
            if at.is_some() {
                return at;
            }
        }
        let from = if self.follow {
            items.len()
        } else {
            self.top.item + 1
        };
        let up = (0..from.min(items.len())).rev();
        let down = from..items.len();
        up.chain(down).find(|i| is_message(items.get(*i)))
    }

    /// The item that folds at the reading place.
    pub(super) fn foldable(&self, doc: &mut Doc<'_>) -> Option<usize> {
        let last = doc.down(self.top, self.rows.saturating_sub(1)).item;
        let seen = self.top.item..(last + 1).min(doc.items.len());
        let mut seen = seen.filter(|i| doc.items.get(*i).is_some_and(folds));
        if self.follow {
            seen.next_back()
        } else {
            seen.next()
        }
    }
}

/// Where a message begins: at the row that says who speaks, when only folded rows stand between.
fn start(doc: &Doc<'_>, item: usize) -> Place {
    let at = |item: usize| Place {
        item,
        row: doc.shape(item).air,
    };
    let folded = |i: &usize| doc.items.get(*i).is_some_and(folds) && !doc.shape(*i).body;
    let mut from = item;
    for before in (0..item).rev().take(FOLDED_MAX).take_while(folded) {
        if doc.shape(from).label > 0 {
            break;
        }
        from = before;
    }
    at(if doc.shape(from).label > 0 {
        from
    } else {
        item
    })
}

fn is_message(item: Option<&Item>) -> bool {
    matches!(
        item,
        Some(
            Item::Prompt { .. }
                | Item::Part {
                    part: Part::Words { .. },
                    ..
                }
        )
    )
}
