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
}

impl Page {
    /// Rows above the caret.
    pub(super) fn above(&self) -> usize {
        self.wanted.unwrap_or(self.above)
    }
}

impl Editor {
    /// The writer comes back: the text is shown from its top when the caret is in sight there.
    pub fn come_back(&mut self) {
        self.caret.rests = true;
    }

    /// The caret stands where it stood in an earlier window, with as many rows above it.
    pub(super) fn stand(&mut self, at: usize, above: usize) {
        self.go(at, false);
        self.page.wanted = Some(above);
    }
}
