//! A list to pick from: the cursor, the part in view, and matching by a few letters.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::text::folded;
use crate::ui::panes::row;
use crate::ui::theme::Theme;

/// Rows a page key moves.
const PAGE: usize = 10;

/// The cursor of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pick {
    /// The row under the cursor.
    pub at: usize,
    top: usize,
}

impl Pick {
    /// With the cursor on a row.
    pub fn on(at: usize) -> Self {
        Self { at, top: 0 }
    }

    /// Moves by a key; false when it is none that moves.
    pub fn press(&mut self, key: KeyEvent, len: usize) -> bool {
        let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
        let last = len.saturating_sub(1);
        self.at = match key.code {
            KeyCode::Down => self.at + 1,
            KeyCode::Up => self.at.saturating_sub(1),
            KeyCode::Char('n') if ctrl => self.at + 1,
            KeyCode::Char('p') if ctrl => self.at.saturating_sub(1),
            KeyCode::PageDown => self.at + PAGE,
            KeyCode::PageUp => self.at.saturating_sub(PAGE),
            _ => return false,
        }
        .min(last);
        true
    }

    /// How many of them lie below what was drawn in that many rows.
    pub fn below(&self, rows: u16, len: usize) -> usize {
        len.saturating_sub(self.top + rows as usize)
    }

    /// Draws the rows in view; each is a left and a right part.
    pub fn draw<'a>(
        &mut self,
        area: Rect,
        buf: &mut Buffer,
        theme: &Theme,
        len: usize,
        mut of: impl FnMut(usize) -> (Line<'a>, Line<'a>),
    ) {
        let rows = area.height as usize;
        self.at = self.at.min(len.saturating_sub(1));
        self.top = in_view(self.top, self.at, rows, len);
        for (i, line) in (self.top..len).take(rows).zip(area.rows()) {
            let (left, right) = of(i);
            row(line, buf, left, &right);
            if i == self.at {
                buf.set_style(line, theme.selected);
            }
        }
    }
}

/// The first row to show so that the cursor is in view and no room is left empty.
pub fn in_view(top: usize, at: usize, rows: usize, len: usize) -> usize {
    let top = top.min(len.saturating_sub(rows));
    if at < top {
        at
    } else if rows > 0 && at >= top + rows {
        at + 1 - rows
    } else {
        top
    }
}

/// The indexes of those that match a few letters: the one that is just these first, then those that begin with them,
/// then the best; all in their order when nothing is asked.
pub fn ranked<'a>(query: &str, texts: impl Iterator<Item = &'a str>) -> Vec<usize> {
    if query.trim().is_empty() {
        return (0..texts.count()).collect();
    }
    let wanted = folded(query.trim());
    let pattern = Pattern::parse(&wanted, CaseMatching::Ignore, Normalization::Smart);
    let mut matcher = Matcher::new(Config::DEFAULT);
    let mut chars = Vec::new();
    let mut found: Vec<_> = texts
        .enumerate()
        .filter_map(|(i, text)| {
            let text = folded(text);
            let score = pattern.score(Utf32Str::new(&text, &mut chars), &mut matcher)?;
            Some((nearness(&text, &wanted), std::cmp::Reverse(score), i))
        })
        .collect();
    found.sort_unstable();
    found.into_iter().map(|f| f.2).collect()
}

/// A text that is just what is wanted, but for its tags, comes before one that begins with it, and that before all others.
fn nearness(text: &str, wanted: &str) -> u8 {
    let title = text.lines().next().unwrap_or_default();
    match title.strip_prefix(wanted) {
        Some(rest) if rest.is_empty() || rest.starts_with(" #") => 0,
        Some(_) => 1,
        None => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_letters_find_a_title() {
        let titles = ["The lost afternoon", "Harbour lights", "Letters home"];
        assert_eq!(ranked("hl", titles.into_iter()).first(), Some(&1));
        assert_eq!(ranked("", titles.into_iter()), [0, 1, 2]);
        let longer = ["Open the draft", "Draft"];
        assert_eq!(ranked("draft", longer.into_iter()), [1, 0]);
        let tagged = ["Iso: other", "Iso #ferry"];
        assert_eq!(ranked("iso", tagged.into_iter()), [1, 0]);
        let inside = ["The compact", "A letter", "Compact and other tales"];
        assert_eq!(ranked("comp", inside.into_iter()), [2, 0]);
        assert_eq!(ranked("zzz", titles.into_iter()), Vec::<usize>::new());
        let marked = ["A day", "Ilse’s caf\u{e9}", "Die Straße"];
        for (query, at) in [
            ("ilse's", 1),
            ("CAFE\u{301}", 1),
            ("cafe", 1),
            ("STRASSE", 2),
        ] {
            assert_eq!(ranked(query, marked.into_iter()), [at], "{query}");
        }
    }

    #[test]
    fn the_cursor_stays_in_view() {
        assert_eq!(in_view(0, 9, 5, 20), 5);
        assert_eq!(in_view(8, 3, 5, 20), 3);
        assert_eq!(in_view(18, 19, 5, 20), 15);
        assert_eq!(in_view(4, 0, 0, 0), 0);
    }
}
