//! The keys of the place the writer is in.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::sheet::sheet;
use super::{Layer, Next};
use crate::text::width;
use crate::ui::app::App;
use crate::ui::commands::{self, Place};
use crate::ui::keymap::Keymap;
use crate::ui::theme::Theme;

/// Cells for keys.
const KEYS: usize = 20;
/// Cells for all.
const WIDTH: u16 = 70;

/// The page of keys.
#[derive(Debug)]
pub struct Help {
    place: Place,
    /// A question is open.
    asked: bool,
    top: usize,
}

impl Help {
    /// For a place; with the keys that answer, when a question is open there.
    pub fn new(place: Place, asked: bool) -> Self {
        Self {
            place,
            asked,
            top: 0,
        }
    }

    /// The places to list: its own first, then the question's.
    fn listed(&self) -> Vec<Place> {
        let mut out = self.place.within().to_vec();
        if self.asked {
            out.insert(1, Place::Question);
        }
        out
    }
}

impl Layer for Help {
    fn press(&mut self, key: KeyEvent, _: &App) -> Next {
        self.top = match key.code {
            KeyCode::Down | KeyCode::Char('j') => self.top + 1,
            KeyCode::Up | KeyCode::Char('k') => self.top.saturating_sub(1),
            KeyCode::PageDown | KeyCode::Char(' ') => self.top + 10,
            KeyCode::PageUp => self.top.saturating_sub(10),
            _ => return Next::Close,
        };
        Next::Stay
    }

    fn draw(&mut self, screen: Rect, buf: &mut Buffer, app: &App) -> Option<Position> {
        let theme = &app.settings.theme;
        let lines = lines(&app.settings.keys, &self.listed(), theme);
        let height = u16::try_from(lines.len()).unwrap_or(u16::MAX);
        let foot = "↑↓ more · any other key closes";
        let room = sheet(screen, buf, theme, (WIDTH, height), ("Keys here", foot));
        let last = lines.len().saturating_sub(room.height as usize);
        self.top = self.top.min(last);
        for (line, at) in lines.iter().skip(self.top).zip(room.rows()) {
            buf.set_line(at.x, at.y, line, at.width);
        }
        None
    }
}

fn lines(keys: &Keymap, places: &[Place], theme: &Theme) -> Vec<Line<'static>> {
    let mut out = Vec::new();
    for &at in places {
        if !out.is_empty() {
            out.push(Line::default());
        }
        out.push(Line::from(Span::styled(at.name(), theme.accent)));
        for command in commands::all() {
            let names = keys.keys_at(command, at);
            if names.is_empty() {
                continue;
            }
            out.push(Line::from(vec![
                Span::styled(pad(&joined(&names)), theme.heading),
                Span::raw(command.title),
            ]));
        }
    }
    out
}

/// Keys in one short line: `Alt-1 … Alt-9` for a run.
pub fn joined(names: &[String]) -> String {
    match names {
        [first, .., last] if names.len() > 3 => format!("{first} … {last}"),
        names => names.join("  "),
    }
}

fn pad(text: &str) -> String {
    let missing = KEYS.saturating_sub(width(text)).max(1);
    format!("{text}{}", " ".repeat(missing))
}
