//! How everything is: agents, workspace, settings, and what would mend what is not well.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use super::sheet::sheet;
use super::{Layer, Next, Wish};
use crate::text::{clean, wrap};
use crate::ui::app::App;
use crate::ui::errand::{Errand, Sought};
use crate::ui::theme::Theme;

/// Cells of its text.
const WIDTH: u16 = 76;

/// Rows of a screen that are none of its own.
const FRAME: u16 = 3;

/// The page.
#[derive(Debug, Default)]
pub struct Doctor {
    top: usize,
    page: usize,
}

impl Layer for Doctor {
    fn press(&mut self, key: KeyEvent, app: &App) -> Next {
        self.top = match key.code {
            KeyCode::Esc | KeyCode::Char('q') => return Next::Close,
            KeyCode::Char('r') => return Next::Keep(Wish::Errand(Errand::Doctor)),
            KeyCode::Char('y') => {
                return match &app.settings.first.errands.doctor {
                    Sought::Here(text) => Next::Keep(Wish::Copy(text.clone())),
                    _ => Next::Stay,
                };
            }
            KeyCode::Down | KeyCode::Char('j') => self.top.saturating_add(1),
            KeyCode::Up | KeyCode::Char('k') => self.top.saturating_sub(1),
            KeyCode::PageDown | KeyCode::Char(' ') => self.top.saturating_add(self.page),
            KeyCode::PageUp => self.top.saturating_sub(self.page),
            KeyCode::Home => 0,
            KeyCode::End => usize::MAX,
            _ => self.top,
        };
        Next::Stay
    }

    fn draw(&mut self, screen: Rect, buf: &mut Buffer, app: &App) -> Option<Position> {
        let theme = &app.settings.theme;
        let cols = WIDTH.min(screen.width.saturating_sub(4)) as usize;
        let rows = match &app.settings.first.errands.doctor {
            Sought::Here(text) => rows(text, cols, theme),
            _ => vec![("Looking…".to_owned(), theme.dim)],
        };
        let height = u16::try_from(rows.len()).unwrap_or(u16::MAX);
        let foot = "r looks again · y copies · Esc closes";
        let longer = "r looks again · y copies · ↑↓ more · Esc closes";
        let fits = screen.height >= height.saturating_add(FRAME);
        let foot = if fits { foot } else { longer };
        let room = sheet(screen, buf, theme, (WIDTH, height), ("Doctor", foot));
        self.page = (room.height as usize).max(1);
        self.top = self.top.min(rows.len().saturating_sub(self.page));
        for ((line, style), at) in rows.iter().skip(self.top).zip(room.rows()) {
            buf.set_stringn(at.x, at.y, line, at.width as usize, *style);
        }
        None
    }
}

/// The lines as they fit, what continues one under its own indent.
fn rows(text: &str, cols: usize, theme: &Theme) -> Vec<(String, Style)> {
    let mut out = Vec::new();
    for line in clean(text.trim_end()).lines() {
        let words = line.trim_start();
        let indent = line.len() - words.len();
        let style = match words.chars().next() {
            Some('✗') => theme.warn,
            Some('✓') => theme.ok,
            Some('–') => theme.dim,
            _ if indent == 0 => theme.heading,
            _ => theme.base,
        };
        if words.is_empty() {
            out.push((String::new(), style));
            continue;
        }
        let hang = indent + 2 * usize::from(matches!(words.chars().next(), Some('✗' | '✓' | '–')));
        for (i, range) in wrap(words, cols.saturating_sub(hang).max(1))
            .into_iter()
            .enumerate()
        {
            let lead = " ".repeat(if i == 0 { indent } else { hang });
            let part = words.get(range).unwrap_or_default().trim_end();
            out.push((format!("{lead}{part}"), style));
        }
    }
    out
}
