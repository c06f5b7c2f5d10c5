//! A last look before a text becomes a prompt for a new variant, or each of its lines one for a variant of its own.

use std::ops::Range;

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Position, Rect};
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
            let text = format!(
                "At most {MOST} variants are begun at once: take {more} out. What is out stays written."
            );
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
                buf.set_stringn(at.x, at.y, more(left - n), wide, theme.dim);
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

/// What of a text no variant was made of: its lines but for those that are one's own, below the line that all of them
/// share. Nothing where one has all of it.
pub fn left<'a>(text: &str, made: impl Iterator<Item = &'a str>) -> String {
    let (all, mut lines) = parted(text);
    for own in made {
        if own == text {
            return String::new();
        }
        // Of two equal ones that one which stands first.
        if let Some(at) = lines.iter().position(|line| *line == own) {
            lines.remove(at);
        }
    }
    let all = all.filter(|_| !lines.is_empty());
    let left: Vec<&str> = all.into_iter().chain(lines).collect();
    left.join("\n")
}

/// What is told of lines that have no room in view.
fn more(below: usize) -> String {
    let lines = if below == 1 { "line" } else { "lines" };
    format!("↓ {below} more {lines}")
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
        let (list, foot) = footed(rest, each.len());
        self.pick.draw(list, buf, theme, each.len(), |i| {
            let text = each.get(i).map(|line| one_line(line)).unwrap_or_default();
            (Line::from(text), Line::default())
        });
        let below = self.pick.below(list.height, each.len());
        if below > 0 {
            buf.set_stringn(foot.x, foot.y, more(below), foot.width as usize, theme.dim);
        }
        None
    }
}

/// The room for a number of rows, and below it that for what has none.
fn footed(room: Rect, rows: usize) -> (Rect, Rect) {
    let told = u16::from(rows > room.height as usize && room.height > 1);
    let [list, foot] =
        Layout::vertical([Constraint::Fill(1), Constraint::Length(told)]).areas(room);
    (list, foot)
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
