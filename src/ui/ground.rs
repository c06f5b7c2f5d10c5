//! What lies where on the screen, as the last frame drew it: so a click finds what was under it.
//!
//! Whoever draws something that takes the mouse lays its ground while drawing, and has an arm in `app/mouse.rs`.

use std::cell::{Cell, RefCell};

use ratatui::layout::{Position, Rect};

use super::links::Links;
use super::rows::Shelf;
use crate::domain::SessionId;

/// Something that takes the mouse.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Spot {
    /// The drawer, beside its rows.
    Drawer,
    /// A row of the drawer.
    Shelf(Shelf),
    /// The list, beside its rows.
    List,
    /// A row of the list.
    Session(SessionId),
    /// The words of the open session.
    Transcript,
    /// Where prompts are written.
    Composer,
    /// The text of the draft.
    Draft,
    /// A view in the place of the panes.
    View,
    /// A layer: nothing below it takes the mouse.
    Layer,
}

/// What the mouse began and has not ended.
#[derive(Clone, Debug, Default)]
pub(super) struct Touch {
    /// Where the button went down: what follows belongs to it.
    pub(super) on: Option<(Rect, Spot)>,
    /// When and where that was the time before.
    pub(super) last: Option<(i64, Position)>,
}

/// The screen's areas, later ones upon earlier ones. Drawing only reads the window, so this is its own to change.
#[derive(Clone, Debug, Default)]
pub struct Ground {
    laid: RefCell<Vec<(Rect, Spot)>>,
    /// The whole of it.
    screen: Cell<Rect>,
    /// What the mouse does upon it.
    pub(super) touch: Touch,
    /// The addresses that lie on it.
    pub(super) links: Links,
}

impl Ground {
    /// Begins a frame.
    pub fn begin(&self, screen: Rect) {
        self.screen.set(screen);
        self.laid.borrow_mut().clear();
    }

    /// The screen as it was drawn last.
    pub fn screen(&self) -> Rect {
        self.screen.get()
    }

    /// Lays an area.
    pub fn lay(&self, area: Rect, spot: Spot) {
        self.laid.borrow_mut().push((area, spot));
    }

    /// What lies at a place, and its area.
    pub fn at(&self, at: Position) -> Option<(Rect, Spot)> {
        let laid = self.laid.borrow();
        laid.iter().rev().find(|l| l.0.contains(at)).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_laid_last_is_on_top() {
        let ground = Ground::default();
        ground.lay(Rect::new(0, 0, 10, 5), Spot::List);
        ground.lay(Rect::new(0, 2, 10, 1), Spot::Shelf(Shelf::All));
        let at = |x, y| ground.at(Position { x, y }).map(|l| l.1);
        assert_eq!(at(3, 1), Some(Spot::List));
        assert_eq!(at(3, 2), Some(Spot::Shelf(Shelf::All)));
        assert_eq!(at(10, 2), None);
        ground.begin(Rect::new(0, 0, 10, 5));
        assert_eq!(at(3, 1), None);
    }
}
