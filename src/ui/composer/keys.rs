//! What each editing key does.

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::layout::Position;

use super::layout::Spot;
use super::model::At;
use super::{Composer, chips, motion};

impl Composer {
    /// Takes an editing key; `false` when it is none, or when there is nothing for it to do: up on the first
    /// row, down on the last, left at the start, right at the end.
    pub fn press(&mut self, key: KeyEvent) -> bool {
        if key.kind == KeyEventKind::Release {
            return false;
        }
        let far = key
            .modifiers
            .intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
        let select = key.modifiers.contains(KeyModifiers::SHIFT);
        let goal = self.goal.take();
        match key.code {
            KeyCode::Char(c) if far => self.command(c, key.modifiers),
            KeyCode::Char(c) => self.type_char(c),
            KeyCode::Backspace => self.delete_back(far),
            KeyCode::Delete => self.delete_on(far),
            KeyCode::Up if !far => self.vertical(goal, false, select),
            KeyCode::Down if !far => self.vertical(goal, true, select),
            _ => match self.target(key.code, far) {
                Some(to) => self.go(to, select),
                None => false,
            },
        }
    }

    /// Puts the caret at a place of the screen; with `select`, the selection goes along.
    pub fn point(&mut self, at: Position, select: bool) {
        self.goal = None;
        let row = self.top + usize::from(at.y.saturating_sub(self.area.y));
        let x = usize::from(at.x.saturating_sub(self.area.x));
        let last = self.layout.height().saturating_sub(1);
        let spot = Spot {
            row: row.min(last),
            x,
        };
        if let Some(to) = self.layout.place(spot, &self.chips) {
            self.go(to, select);
        }
    }

    /// Types characters, none of them a control, as one step.
    pub fn type_text(&mut self, text: &str) {
        self.goal = None;
        if text.contains(chips::is_reserved) {
            for c in text.chars() {
                self.type_char(c);
            }
        } else if !text.is_empty() {
            self.model.insert(text);
        }
    }

    fn type_char(&mut self, c: char) -> bool {
        if chips::is_reserved(c) {
            self.paste(c.encode_utf8(&mut [0; 4]));
        } else {
            self.model.type_char(c);
        }
        true
    }

    fn command(&mut self, c: char, with: KeyModifiers) -> bool {
        if !with.contains(KeyModifiers::CONTROL) || with.contains(KeyModifiers::ALT) {
            return false;
        }
        match c {
            'z' => self.model.undo(),
            'y' => self.model.redo(),
            // Some terminals send this for Backspace.
            'h' => self.delete_back(false),
            'w' => self.delete_back(true),
            'k' => self.delete_to_line_end(),
            'u' => self.delete_to_line_start(),
            _ => return false,
        };
        true
    }

    fn go(&mut self, to: At, select: bool) -> bool {
        self.model.go(to, select);
        true
    }

    fn target(&mut self, code: KeyCode, far: bool) -> Option<At> {
        match code {
            KeyCode::Left if far => motion::word_left(&self.model),
            KeyCode::Right if far => motion::word_right(&self.model),
            KeyCode::Left => motion::left(&self.model, &self.chips),
            KeyCode::Right => motion::right(&self.model, &self.chips),
            KeyCode::Home if far => Some((0, 0)),
            KeyCode::End if far => Some(motion::end(&self.model)),
            KeyCode::Home => self.row_edge(0),
            KeyCode::End => self.row_edge(usize::MAX),
            _ => None,
        }
    }

    /// The start or the end of the caret's row; from there, of its line.
    fn row_edge(&mut self, x: usize) -> Option<At> {
        self.fit(self.width);
        let caret = self.model.caret();
        let row = self.layout.spot(caret, &self.chips).row;
        let edge = self.layout.place(Spot { row, x }, &self.chips)?;
        if edge != caret {
            return Some(edge);
        }
        let col = if x == 0 {
            0
        } else {
            motion::line_end(&self.model, caret.0)
        };
        Some((caret.0, col))
    }

    fn vertical(&mut self, goal: Option<usize>, down: bool, select: bool) -> bool {
        self.fit(self.width);
        let spot = self.layout.spot(self.model.caret(), &self.chips);
        let x = goal.unwrap_or(spot.x);
        let row = if down {
            Some(spot.row + 1)
        } else {
            spot.row.checked_sub(1)
        };
        let to = row.and_then(|row| self.layout.place(Spot { row, x }, &self.chips));
        self.goal = to.map(|_| x);
        to.is_some_and(|to| self.go(to, select))
    }

    fn delete_back(&mut self, word: bool) -> bool {
        if self.model.delete_selection() {
            return true;
        }
        let caret = self.model.caret();
        let from = if word {
            motion::word_left(&self.model)
        } else {
            motion::left(&self.model, &self.chips)
        };
        match from {
            // One character alone is undone together with those deleted before it.
            Some(from) if from.0 != caret.0 || from.1 + 1 == caret.1 => self.model.delete_before(),
            Some(from) => self.model.delete(from, caret),
            None => false,
        };
        true
    }

    fn delete_on(&mut self, word: bool) -> bool {
        if self.model.delete_selection() {
            return true;
        }
        let to = if word {
            motion::word_right(&self.model)
        } else {
            motion::right(&self.model, &self.chips)
        };
        if let Some(to) = to {
            self.model.delete(self.model.caret(), to);
        }
        true
    }

    fn delete_to_line_end(&mut self) -> bool {
        let caret = self.model.caret();
        let end = (caret.0, motion::line_end(&self.model, caret.0));
        if end == caret {
            return self.delete_on(false);
        }
        self.model.delete_selection() || self.model.delete(caret, end)
    }

    fn delete_to_line_start(&mut self) -> bool {
        let caret = self.model.caret();
        self.model.delete_selection() || self.model.delete((caret.0, 0), caret)
    }
}
