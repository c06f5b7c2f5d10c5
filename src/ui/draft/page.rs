//! The page that a draft is seen on, and what puts the caret's row on it.

use super::editor::Editor;
use super::layout::RowAt;

/// The page that a draft is seen on.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Page {
    /// Its first row.
    pub(super) top: RowAt,
    /// Its rows, when it was drawn last.
    pub(super) tall: usize,
    /// Rows above the caret then.
    pub(super) above: usize,
    /// So many there are to be with the next frame.
    pub(super) wanted: Option<usize>,
    /// It was turned away from the caret, which is not moved; and how many changes of others were marked then.
    pub(super) turned: Option<usize>,
}

impl Page {
    /// Rows above the caret.
    pub(super) fn above(&self) -> usize {
        self.wanted.unwrap_or(self.above)
    }

    /// Rows above the lowest one on which the caret is kept: a third of the page is below it.
    pub(super) fn lowest(&self) -> usize {
        self.tall.saturating_sub(1 + self.tall / 3)
    }
}

impl Editor {
    /// The writer comes back: the text is shown from its top when the caret is in sight there.
    pub fn come_back(&mut self) {
        self.caret.rests = true;
    }

    /// Turns the page by some rows, the caret stays. The last row goes no higher than typing has it.
    pub fn turn(&mut self, by: i32) {
        let last = self.words.lines().saturating_sub(1);
        let row = self.layout.rows(&self.words, last).len().saturating_sub(1);
        let lowest = self.back(RowAt { line: last, row }, self.page.lowest());
        for _ in 0..by.unsigned_abs() {
            let next = if by < 0 {
                self.layout.above(&self.words, self.page.top)
            } else {
                let below = self.layout.below(&self.words, self.page.top);
                below.filter(|at| *at <= lowest)
            };
            let Some(next) = next else { break };
            self.page.top = next;
        }
        self.page.turned = Some(self.news.len());
    }

    /// The caret stands where it stood in an earlier window, with as many rows above it.
    pub(super) fn stand(&mut self, at: usize, above: usize) {
        self.go(at, false);
        self.page.wanted = Some(above);
    }
}
