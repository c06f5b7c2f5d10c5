//! Lines, caret, selection and undo: the only module that names the text widget. It is never drawn; the
//! composer has its own rows.

use tui_textarea::{CursorMove, TextArea};

/// Edits that can be undone.
const UNDO_MAX: usize = 200;

/// The text as lines without their newlines. Columns are counted in characters.
#[derive(Debug)]
pub(super) struct Model {
    area: TextArea<'static>,
}

/// A line and a column.
pub(super) type At = (usize, usize);

impl Default for Model {
    fn default() -> Self {
        let mut area = TextArea::default();
        area.set_max_histories(UNDO_MAX);
        area.set_undo_coalescing(true);
        Self { area }
    }
}

impl Model {
    /// Begins anew; the caret stands behind the text.
    pub(super) fn set(&mut self, text: &str) {
        let lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
        self.area.set_lines(lines, (usize::MAX, usize::MAX));
    }

    pub(super) fn lines(&self) -> &[String] {
        self.area.lines()
    }

    pub(super) fn line(&self, row: usize) -> &str {
        self.lines().get(row).map_or("", String::as_str)
    }

    pub(super) fn caret(&self) -> At {
        self.area.cursor()
    }

    /// What is selected, first place first; nothing when that is empty.
    pub(super) fn selection(&self) -> Option<(At, At)> {
        self.area.selection_range().filter(|(from, to)| from != to)
    }

    /// Moves the caret, drawing the selection along or dropping it.
    pub(super) fn go(&mut self, to: At, select: bool) {
        if !select {
            self.area.cancel_selection();
        } else if !self.area.is_selecting() {
            self.area.start_selection();
        }
        self.jump(to);
    }

    /// The widget jumps by 16 bits; beyond them it walks.
    fn jump(&mut self, (row, col): At) {
        let far = usize::from(u16::MAX);
        let (here, now) = self.caret();
        if row <= far && col > far && here == row {
            return self.walk(now, col);
        }
        let short = |n: usize| u16::try_from(n).unwrap_or(u16::MAX);
        self.area
            .move_cursor(CursorMove::Jump(short(row), short(col)));
        for _ in far..row {
            self.area.move_cursor(CursorMove::Down);
        }
        if col > far && col == self.line(row).chars().count() {
            self.area.move_cursor(CursorMove::End);
        } else if col > far {
            self.walk(far, col);
        }
    }

    fn walk(&mut self, from: usize, to: usize) {
        for _ in to..from {
            self.area.move_cursor(CursorMove::Back);
        }
        for _ in from..to {
            self.area.move_cursor(CursorMove::Forward);
        }
    }

    pub(super) fn insert(&mut self, text: &str) {
        self.area.insert_str(text);
    }

    pub(super) fn type_char(&mut self, c: char) {
        self.area.insert_char(c);
    }

    pub(super) fn newline(&mut self) {
        self.area.insert_newline();
    }

    /// Deletes the selection, if there is one.
    pub(super) fn delete_selection(&mut self) -> bool {
        self.selection().is_some() && self.area.delete_str(1)
    }

    /// Deletes one character before the caret, or the newline. Runs of these are undone together.
    pub(super) fn delete_before(&mut self) -> bool {
        self.area.delete_char()
    }

    /// Deletes the text between two places.
    pub(super) fn delete(&mut self, from: At, to: At) -> bool {
        let chars = self.chars_between(from, to);
        if chars == 0 {
            return false;
        }
        self.go(from, false);
        self.area.delete_str(chars)
    }

    /// Characters between two places, newlines included.
    fn chars_between(&self, from: At, to: At) -> usize {
        if from.0 == to.0 {
            return to.1.saturating_sub(from.1);
        }
        let lines = self.lines().iter().enumerate();
        lines
            .skip(from.0)
            .take_while(|(row, _)| *row < to.0)
            .map(|(_, line)| line.chars().count() + 1)
            .sum::<usize>()
            .saturating_sub(from.1)
            + to.1
    }

    pub(super) fn undo(&mut self) -> bool {
        self.area.undo()
    }

    pub(super) fn redo(&mut self) -> bool {
        self.area.redo()
    }
}
