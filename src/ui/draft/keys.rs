//! What each editing key does; keys that are commands are in the table.

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::editor::Editor;
use super::layout::{RowAt, Spot};
use super::motion;

impl Editor {
    /// Takes an editing key; false when it is none. `now` is in milliseconds.
    pub fn press(&mut self, key: KeyEvent, now: i64) -> bool {
        if key.kind == KeyEventKind::Release {
            return false;
        }
        self.news.clear();
        let far = key
            .modifiers
            .intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
        let select = key.modifiers.contains(KeyModifiers::SHIFT);
        match key.code {
            KeyCode::Char(c) if far => return self.letter(c, key.modifiers, now),
            KeyCode::Char(c) => self.type_text(c.encode_utf8(&mut [0; 4]), now),
            KeyCode::Enter => self.newline(now),
            KeyCode::Backspace if far => self.delete_word_back(now),
            KeyCode::Backspace => self.delete_to(self.words.before(self.caret.at), now),
            KeyCode::Delete if far => {
                self.delete_to(motion::word_right(&self.words, self.caret.at), now);
            }
            KeyCode::Delete => self.delete_to(self.words.after(self.caret.at), now),
            code => return self.travel(code, far, select),
        }
        true
    }

    fn letter(&mut self, c: char, with: KeyModifiers, now: i64) -> bool {
        if with.contains(KeyModifiers::ALT) == with.contains(KeyModifiers::CONTROL) {
            return false;
        }
        let at = self.caret.at;
        match c {
            // Some terminals send this for Backspace.
            'h' if with == KeyModifiers::CONTROL => self.delete_to(self.words.before(at), now),
            'w' if with == KeyModifiers::CONTROL => self.delete_word_back(now),
            'j' if with == KeyModifiers::CONTROL => self.newline(now),
            'k' if with == KeyModifiers::CONTROL => self.delete_to_end(now),
            'u' if with == KeyModifiers::CONTROL => {
                let start = self.row_end(false);
                self.delete_to(start, now);
            }
            _ => return false,
        }
        true
    }

    fn delete_word_back(&mut self, now: i64) {
        self.delete_to(motion::word_left(&self.words, self.caret.at), now);
    }

    /// To the end of the row; at the end of the paragraph, what parts it from the next.
    fn delete_to_end(&mut self, now: i64) {
        let at = self.caret.at;
        let end = self.row_end(true);
        let to = if end == at { self.words.after(at) } else { end };
        self.delete_to(to, now);
    }

    /// The start or the end of the caret's row; from there, of the next row that way in its paragraph: a paragraph that
    /// fills the screen does not go at one key.
    fn row_end(&mut self, on: bool) -> usize {
        let spot = self.spot();
        let x = if on { usize::MAX } else { 0 };
        let (to, _) = self.layout.place(&self.words, Spot { x, ..spot });
        if to != self.caret.at {
            return to;
        }
        let next = self.beside(spot.at, on);
        match next.filter(|row| row.line == spot.at.line) {
            Some(at) => self.layout.place(&self.words, Spot { at, x }).0,
            None => to,
        }
    }

    fn travel(&mut self, code: KeyCode, far: bool, select: bool) -> bool {
        let at = self.caret.at;
        let words = &self.words;
        let to = match code {
            KeyCode::Left if far => motion::word_left(words, at),
            KeyCode::Right if far => motion::word_right(words, at),
            KeyCode::Up if far => motion::paragraph_up(words, at),
            KeyCode::Down if far => motion::paragraph_down(words, at),
            KeyCode::Left | KeyCode::Right => return self.step(code == KeyCode::Right, select),
            KeyCode::Up => return self.rows(-1, select),
            KeyCode::Down => return self.rows(1, select),
            KeyCode::PageUp => return self.rows(-self.page(), select),
            KeyCode::PageDown => return self.rows(self.page(), select),
            KeyCode::Home if far => words.start(),
            KeyCode::End if far => words.len(),
            KeyCode::Home => return self.row_edge(false, select),
            KeyCode::End => return self.row_edge(true, select),
            _ => return false,
        };
        self.go(to, select);
        true
    }

    /// One cluster on or back; out of a selection to its edge.
    fn step(&mut self, on: bool, select: bool) -> bool {
        let at = self.caret.at;
        let to = match self.selection().filter(|_| !select && !self.caret.marking) {
            Some(range) if on => range.end,
            Some(range) => range.start,
            None if on => self.words.after(at),
            None => self.words.before(at),
        };
        self.go(to, select);
        true
    }

    /// Rows that a page turns: a few stay in sight.
    fn page(&self) -> isize {
        isize::try_from(self.page.tall.saturating_sub(2).max(1)).unwrap_or(1)
    }

    /// Moves by rows, keeping to the column; from the first and the last row to the ends of the text.
    pub fn rows(&mut self, by: isize, select: bool) -> bool {
        let spot = self.spot();
        let x = self.caret.goal.unwrap_or(spot.x);
        let mut row = Some(spot.at);
        for _ in 0..by.unsigned_abs() {
            let Some(at) = row else { break };
            let next = self.beside(at, by > 0);
            row = match next {
                // A page goes as far as it can.
                None if by.unsigned_abs() > 1 && at != spot.at => break,
                next => next,
            };
        }
        let Some(at) = row else {
            let end = if by > 0 {
                self.words.len()
            } else {
                self.words.start()
            };
            self.go(end, select);
            return true;
        };
        self.go_to_spot(Spot { at, x }, select);
        self.caret.goal = Some(x);
        true
    }

    fn beside(&mut self, at: RowAt, below: bool) -> Option<RowAt> {
        if below {
            self.layout.below(&self.words, at)
        } else {
            self.layout.above(&self.words, at)
        }
    }

    fn go_to_spot(&mut self, spot: Spot, select: bool) {
        let (at, hangs) = self.layout.place(&self.words, spot);
        self.go(at, select);
        self.caret.hangs = hangs;
    }

    /// The start or the end of the caret's row; from there, of its paragraph.
    fn row_edge(&mut self, end: bool, select: bool) -> bool {
        let spot = self.spot();
        let was = (self.caret.at, self.caret.hangs);
        let x = if end { usize::MAX } else { 0 };
        self.go_to_spot(Spot { x, ..spot }, select);
        if (self.caret.at, self.caret.hangs) == was {
            let line = self.words.line(spot.at.line);
            self.go(if end { line.end } else { line.start }, select);
        }
        true
    }

    /// Moves by a sentence.
    pub fn sentence(&mut self, on: bool, select: bool) {
        let at = self.caret.at;
        let to = if on {
            motion::sentence_right(&self.words, at)
        } else {
            motion::sentence_left(&self.words, at)
        };
        self.go(to, select);
    }
}
