//! A last look before a text becomes a prompt for a new variant, or each of its lines one for a variant of its own.

use std::ops::Range;

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

use super::pick::Pick;
use super::sheet::sheet;
use super::{Layer, Next, Wish};
use crate::domain::SessionId;
use crate::text::{one_line, wrap};
use crate::ui::app::{App, Try};
use crate::ui::commands::Place;
use crate::ui::keymap::Key;
use crate::ui::panes::{cut, headed};
use crate::ui::theme::Theme;

/// Cells of its rows, and the most of them.
const SIZE: (u16, u16) = (68, 12);
/// The most variants that are begun at once.
const MOST: usize = 12;
/// Cells of a variant's name that comes from its line.
const NAME: usize = 48;

/// The text, and what becomes of it.
#[derive(Debug)]
pub struct Variants {
    session: SessionId,
    text: String,
    /// A variant for each of these; one for the whole text when none.
    each: Option<Vec<String>>,
    pick: Pick,
}

impl Variants {
    /// For what is written in the composer of a session.
    pub fn new(session: SessionId, text: &str) -> Self {
        Self {
            session,
            text: text.to_owned(),
            each: None,
            pick: Pick::default(),
        }
    }

    /// One for each line, or one for the whole text again.
    fn turn(&mut self) -> Next {
        self.pick = Pick::default();
        if self.each.take().is_some() {
            return Next::Stay;
        }
        let (_, lines) = parted(&self.text);
        self.each = Some(lines.into_iter().map(str::to_owned).collect());
        Next::Stay
    }

    fn take_out(&mut self) {
        if let Some(each) = &mut self.each
            && self.pick.at < each.len()
        {
            each.remove(self.pick.at);
            self.pick.at = self.pick.at.min(each.len().saturating_sub(1));
        }
    }

    fn begin(&self) -> Next {
        let Some(each) = &self.each else {
            return self.tries(vec![Try::whole(self.text.clone())]);
        };
        if each.is_empty() {
            return Next::Close;
        }
        if each.len() > MOST {
            let more = each.len() - MOST;
            let text = format!("At most {MOST} variants are begun at once: take {more} out.");
            return Next::Keep(Wish::Say(text));
        }
        let (all, _) = parted(&self.text);
        let tries = each.iter().map(|line| match all {
            None => Try::whole(line.clone()),
            Some(all) => Try {
                name: Some(cut(&one_line(line), NAME)),
                prompt: format!("{all}\n{line}"),
                own: line.clone(),
            },
        });
        self.tries(tries.collect())
    }

    fn tries(&self, tries: Vec<Try>) -> Next {
        Next::Then(Wish::Try(self.session, self.text.clone(), tries))
    }

    /// The rows of the whole text.
    fn rows(&self) -> Vec<Range<usize>> {
        wrap(&self.text, SIZE.0 as usize)
    }

    /// The whole text, from the first row in view. What is below it is told in the last row.
    fn draw_whole(&self, room: Rect, buf: &mut Buffer, theme: &Theme) {
        let rows = self.rows();
        let (high, wide) = (room.height as usize, room.width as usize);
        let top = self.pick.at.min(rows.len().saturating_sub(high));
        let left = rows.len() - top;
        for ((n, range), at) in rows.into_iter().skip(top).enumerate().zip(room.rows()) {
            if n + 1 == high && left > high {
                let more = format!("↓ {} more lines", left - n);
                buf.set_stringn(at.x, at.y, more, wide, theme.dim);
            } else {
                let line = one_line(self.text.get(range).unwrap_or_default());
                buf.set_stringn(at.x, at.y, line, wide, theme.base);
            }
        }
    }

    fn title(&self) -> String {
        match self.each.as_ref().map(Vec::len) {
            None => "Send to a new variant".to_owned(),
            Some(1) => "One new variant".to_owned(),
            Some(n) if n > MOST => format!("{n} lines, at most {MOST} variants at once"),
            Some(n) => format!("{n} new variants, side by side"),
        }
    }
}

/// What is common to all lines, a first one that ends in a colon, and the others; empty ones are nothing.
fn parted(text: &str) -> (Option<&str>, Vec<&str>) {
    let lines = text.lines().map(str::trim).filter(|l| !l.is_empty());
    let mut lines: Vec<&str> = lines.collect();
    let all = lines.first().copied();
    let all = all.filter(|l| l.ends_with([':', '：']) && lines.len() > 1);
    if all.is_some() {
        lines.remove(0);
    }
    (all, lines)
}

/// The line that all variants of a text share; none where each has its own alone.
pub fn shared_line(text: &str) -> Option<&str> {
    parted(text).0
}

impl Layer for Variants {
    fn press(&mut self, key: KeyEvent, app: &App) -> Next {
        let command = app.settings.keys.find(Place::Composer, Key::from(key));
        match (command.map(|c| c.name), key.code) {
            (Some("composer.send_to_variant"), _) => self.turn(),
            (Some("composer.send"), _) | (_, KeyCode::Enter) => self.begin(),
            (_, KeyCode::Esc) => Next::Close,
            (_, KeyCode::Delete | KeyCode::Backspace | KeyCode::Char('x')) => {
                self.take_out();
                Next::Stay
            }
            _ => {
                let many = match &self.each {
                    Some(each) => each.len(),
                    // The first row in view moves.
                    None => self.rows().len().saturating_sub(SIZE.1 as usize) + 1,
                };
                self.pick.press(key, many);
                Next::Stay
            }
        }
    }

    fn draw(&mut self, screen: Rect, buf: &mut Buffer, app: &App) -> Option<Position> {
        let theme = &app.settings.theme;
        let key = app.key_of("composer.send_to_variant");
        let title = self.title();
        let height = |n: usize| u16::try_from(n).unwrap_or(SIZE.1).clamp(1, SIZE.1);
        let Some(each) = &self.each else {
            let foot = format!("Enter sends it · {key} one for each line · Esc");
            let size = (SIZE.0, height(self.rows().len()));
            let room = sheet(screen, buf, theme, size, (&title, &foot));
            self.draw_whole(room, buf, theme);
            return None;
        };
        let foot = format!("Enter starts them · Del takes one out · {key} all as one · Esc");
        let size = (SIZE.0, height(each.len() + 2));
        let room = sheet(screen, buf, theme, size, (&title, &foot));
        let rest = shared(&self.text, room, buf, theme);
        self.pick.draw(rest, buf, theme, each.len(), |i| {
            let text = each.get(i).map(|line| one_line(line)).unwrap_or_default();
            (Line::from(text), Line::default())
        });
        None
    }
}

/// The line that is common to all, above the others.
fn shared(text: &str, room: Rect, buf: &mut Buffer, theme: &Theme) -> Rect {
    let (top, rest) = headed(room);
    let told = match parted(text).0 {
        Some(all) => one_line(all),
        None => "A variant for each line:".to_owned(),
    };
    buf.set_stringn(top.x, top.y, told, top.width as usize, theme.dim);
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_first_line_that_ends_in_a_colon_is_common_to_all() {
        let text = "Open it in another way:\n first person\n\nthird person \n";
        let both = vec!["first person", "third person"];
        assert_eq!(
            parted(text),
            (Some("Open it in another way:"), both.clone())
        );
        assert_eq!(parted("first person\nthird person"), (None, both));
        assert_eq!(parted("Alone:\n\n"), (None, vec!["Alone:"]));
    }
}
