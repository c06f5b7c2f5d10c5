//! One line of text to write in, edited by whole characters.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use unicode_segmentation::UnicodeSegmentation;

use crate::text::{one_line, width};
use crate::ui::theme::Theme;

/// A line being written: the text before the caret and the text behind it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Field {
    before: String,
    behind: String,
    /// All of it is selected: what is typed stands in its place.
    selected: bool,
    /// Line ends of a paste stay.
    lines: bool,
}

/// The key that takes everything out of a line, whichever the writer presses for it.
pub const CUT: KeyEvent = KeyEvent::new(KeyCode::Char('x'), KeyModifiers::CONTROL);
/// What a line end is drawn as.
const LINE_END: &str = "¶";

impl Field {
    /// With a text to begin with, the caret behind it.
    pub fn new(text: &str) -> Self {
        Self {
            before: one_line(text),
            ..Self::default()
        }
    }

    /// With a text that the first letter typed replaces.
    pub fn selected(text: &str) -> Self {
        Self {
            selected: !text.is_empty(),
            ..Self::new(text)
        }
    }

    /// With a text of several lines, which a prompt may be; the caret stands behind it.
    pub fn of_lines(text: &str) -> Self {
        let mut field = Self {
            lines: true,
            ..Self::default()
        };
        field.paste(text);
        field
    }

    /// What is written.
    pub fn text(&self) -> String {
        format!("{}{}", self.before, self.behind)
    }

    /// Takes an editing key. True when the text changed.
    pub fn press(&mut self, key: KeyEvent) -> bool {
        let plain = !key
            .modifiers
            .intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
        if std::mem::take(&mut self.selected) {
            match key.code {
                KeyCode::Char(_) if plain => self.before.clear(),
                KeyCode::Backspace | KeyCode::Delete => {
                    self.before.clear();
                    return true;
                }
                _ => {}
            }
            return self.edit(key, plain) || plain && matches!(key.code, KeyCode::Char(_));
        }
        self.edit(key, plain)
    }

    fn edit(&mut self, key: KeyEvent, plain: bool) -> bool {
        let was = self.before.len() + self.behind.len();
        match key.code {
            KeyCode::Char(c) if plain => self.before.push(c),
            _ if (key.code, key.modifiers) == (CUT.code, CUT.modifiers) => {
                self.before.clear();
                self.behind.clear();
            }
            KeyCode::Char('u') => self.before.clear(),
            KeyCode::Char('w') => self.cut_word(),
            KeyCode::Backspace => drop(self.take_before()),
            KeyCode::Delete => drop(self.take_behind()),
            KeyCode::Left => {
                let taken = self.take_before();
                self.behind.insert_str(0, &taken);
            }
            KeyCode::Right => {
                let taken = self.take_behind();
                self.before.push_str(&taken);
            }
            KeyCode::Home => {
                self.behind.insert_str(0, &std::mem::take(&mut self.before));
            }
            KeyCode::End => self.before.push_str(&std::mem::take(&mut self.behind)),
            _ => {}
        }
        was != self.before.len() + self.behind.len()
    }

    /// Takes a text, line ends as spaces where it is a line; one without any as it is.
    pub fn paste(&mut self, text: &str) {
        if std::mem::take(&mut self.selected) {
            self.before.clear();
        }
        if !text.contains(['\n', '\r']) {
            return self.before.push_str(text);
        }
        if self.lines {
            let plain = text.replace("\r\n", "\n").replace('\r', "\n");
            return self.before.push_str(&plain);
        }
        let words: Vec<&str> = text
            .split(['\n', '\r'])
            .map(str::trim)
            .filter(|l| !l.is_empty())
            .collect();
        self.before.push_str(&words.join(" "));
    }

    fn take_before(&mut self) -> String {
        let at = self
            .before
            .grapheme_indices(true)
            .next_back()
            .map_or(0, |g| g.0);
        self.before.split_off(at)
    }

    fn take_behind(&mut self) -> String {
        let len = self.behind.graphemes(true).next().map_or(0, str::len);
        let rest = self.behind.split_off(len);
        std::mem::replace(&mut self.behind, rest)
    }

    fn cut_word(&mut self) {
        let kept = self.before.trim_end();
        let at = kept.char_indices().rev().find(|(_, c)| c.is_whitespace());
        let at = at.map_or(0, |(i, c)| i + c.len_utf8());
        self.before.truncate(at);
    }

    /// Draws, with the caret in sight, and says where it is.
    pub fn draw(
        &self,
        area: Rect,
        buf: &mut Buffer,
        theme: &Theme,
        hint: &str,
    ) -> Option<Position> {
        if area.is_empty() {
            return None;
        }
        if self.before.is_empty() && self.behind.is_empty() {
            buf.set_stringn(area.x, area.y, hint, area.width as usize, theme.dim);
            return Some(area.as_position());
        }
        let room = (area.width as usize).saturating_sub(1);
        let mut shown: Vec<&str> = Vec::new();
        let mut used = 0;
        for grapheme in self.before.graphemes(true).rev() {
            let grapheme = if grapheme == "\n" { LINE_END } else { grapheme };
            used += width(grapheme);
            if used > room {
                used -= width(grapheme);
                break;
            }
            shown.push(grapheme);
        }
        let mut line: String = shown.into_iter().rev().collect();
        line.push_str(&self.behind.replace('\n', LINE_END));
        let style = if self.selected {
            theme.selected
        } else {
            theme.base
        };
        buf.set_stringn(area.x, area.y, line, area.width as usize, style);
        let x = u16::try_from(used).unwrap_or(0);
        Some(Position::new(area.x + x, area.y))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(field: &mut Field, code: KeyCode) {
        field.press(KeyEvent::new(code, KeyModifiers::NONE));
    }

    #[test]
    fn a_family_is_one_character() {
        let mut field = Field::new("a👩‍👩‍👧b");
        press(&mut field, KeyCode::Left);
        press(&mut field, KeyCode::Backspace);
        assert_eq!(field.text(), "ab");
    }

    #[test]
    fn the_caret_moves_and_deletes_on_both_sides() {
        let mut field = Field::new("one two");
        field.press(KeyEvent::new(KeyCode::Char('w'), KeyModifiers::CONTROL));
        assert_eq!(field.text(), "one ");
        press(&mut field, KeyCode::Home);
        press(&mut field, KeyCode::Delete);
        press(&mut field, KeyCode::Char('O'));
        press(&mut field, KeyCode::End);
        press(&mut field, KeyCode::Char('!'));
        assert_eq!(field.text(), "One !");
    }

    #[test]
    fn a_selected_text_is_replaced_by_what_is_typed_unless_the_caret_is_moved_first() {
        let mut field = Field::selected("x");
        assert!(field.press(KeyEvent::new(KeyCode::Char('y'), KeyModifiers::NONE)));
        assert_eq!(field.text(), "y");
        let mut field = Field::selected("one");
        press(&mut field, KeyCode::End);
        press(&mut field, KeyCode::Char('s'));
        assert_eq!(field.text(), "ones");
        let mut field = Field::selected("one");
        field.paste("two");
        assert_eq!(field.text(), "two");
    }

    #[test]
    fn the_line_ends_of_a_prompt_stay_and_are_seen() {
        let mut field = Field::of_lines("");
        field.paste("One.\r\n\r\nTwo.");
        assert_eq!(field.text(), "One.\n\nTwo.");
        press(&mut field, KeyCode::Home);
        let mut buf = Buffer::empty(Rect::new(0, 0, 20, 1));
        field.draw(buf.area, &mut buf, &Theme::default(), "");
        let row: String = buf
            .content
            .iter()
            .map(ratatui::buffer::Cell::symbol)
            .collect();
        assert_eq!(row.trim_end(), "One.¶¶Two.");
        assert_eq!(Field::of_lines("a\nb").text(), "a\nb");
    }

    #[test]
    fn a_pasted_line_end_is_a_space() {
        let mut field = Field::default();
        field.paste("a\r\nb\n");
        assert_eq!(field.text(), "a b");
    }
}
