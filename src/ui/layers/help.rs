//! The keys of the place the writer is in: those that work here, by group, in two columns where there is room.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::sheet::sheet;
use super::{Layer, Next};
use crate::text::width;
use crate::ui::app::App;
use crate::ui::commands::fixed::fixed;
use crate::ui::commands::{self, Place};
use crate::ui::panes::row;
use crate::ui::theme::Theme;

/// Cells for keys, and for a column with what they do.
const KEYS: usize = 14;
const COLUMN: u16 = 46;
/// Cells between two columns.
const GAP: u16 = 3;
/// A screen that is narrower has one column.
const TWO_FROM: u16 = 2 * COLUMN + GAP + 8;

/// The page of keys.
#[derive(Debug)]
pub struct Help {
    place: Place,
    /// A question is open.
    asked: bool,
    top: usize,
    page: usize,
}

impl Help {
    /// For a place; with the keys that answer, when a question is open there.
    pub fn new(place: Place, asked: bool) -> Self {
        Self {
            place,
            asked,
            top: 0,
            page: 1,
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
            KeyCode::Down | KeyCode::Char('j') => self.top.saturating_add(1),
            KeyCode::Up | KeyCode::Char('k') => self.top.saturating_sub(1),
            KeyCode::PageDown | KeyCode::Char(' ') => self.top.saturating_add(self.page),
            KeyCode::PageUp => self.top.saturating_sub(self.page),
            KeyCode::Home => 0,
            KeyCode::End => usize::MAX,
            _ => return Next::Close,
        };
        Next::Stay
    }

    fn draw(&mut self, screen: Rect, buf: &mut Buffer, app: &App) -> Option<Position> {
        let lines = lines(app, &self.listed());
        let two = screen.width >= TWO_FROM;
        let rows = if two {
            lines.len().div_ceil(2)
        } else {
            lines.len()
        };
        let wide = if two { 2 * COLUMN + GAP } else { COLUMN + 18 };
        let size = (wide, u16::try_from(rows).unwrap_or(u16::MAX));
        let theme = &app.settings.theme;
        let fits = size.1.saturating_add(3) <= screen.height;
        let foot = foot(app, fits);
        let title = format!("Keys here · {}", self.place.name());
        let room = sheet(screen, buf, theme, size, (&title, &foot));
        self.page = (room.height as usize).max(1);
        self.top = self.top.min(rows.saturating_sub(self.page));
        let (left, right) = columns(room, two);
        let second = lines.get(rows..).unwrap_or_default();
        for (lines, area) in [(lines.as_slice(), left), (second, right)] {
            let shown = lines.iter().take(rows).skip(self.top);
            for (line, at) in shown.zip(area.rows()) {
                row(at, buf, line.clone(), &Line::default());
            }
        }
        None
    }
}

/// The two columns of a room; where there is one, the second is empty.
fn columns(room: Rect, two: bool) -> (Rect, Rect) {
    if !two {
        return (
            room,
            Rect {
                width: 0,
                height: 0,
                ..room
            },
        );
    }
    let width = room.width.saturating_sub(GAP) / 2;
    let right = Rect {
        x: room.right() - width,
        width,
        ..room
    };
    (Rect { width, ..room }, right)
}

/// How to find all commands, and how this goes on.
fn foot(app: &App, fits: bool) -> String {
    let all = app.key_of_here("palette.open");
    let all = all.map(|key| format!("{key} searches every command"));
    let more = (!fits).then(|| "↑↓ more".to_owned());
    let parts: Vec<String> = [all, more, Some("Esc closes".to_owned())]
        .into_iter()
        .flatten()
        .collect();
    parts.join(" · ")
}

fn lines(app: &App, places: &[Place]) -> Vec<Line<'static>> {
    let theme = &app.settings.theme;
    let mut out: Vec<Line<'static>> = Vec::new();
    for (i, &at) in places.iter().enumerate() {
        let group = group(app, at, places.get(..i).unwrap_or_default(), theme);
        if group.is_empty() {
            continue;
        }
        if !out.is_empty() {
            out.push(Line::default());
        }
        out.push(Line::from(Span::styled(at.name(), theme.accent)));
        out.extend(group);
        out.extend(of_caret(app, at, theme));
    }
    out
}

/// The keys of the caret, where text is written.
fn of_caret(app: &App, at: Place, theme: &Theme) -> Vec<Line<'static>> {
    let rows = fixed(at, &app.settings.keys);
    if rows.is_empty() {
        return Vec::new();
    }
    let head = Line::from(Span::styled("The caret", theme.accent));
    let told = rows.into_iter().map(|(mut names, row)| {
        // What other terminals send is left to the page of keys.
        while names.len() > 1 && width(&joined(&names)) > KEYS {
            names.pop();
        }
        Line::from(vec![
            Span::styled(pad(&joined(&names)), theme.heading),
            Span::styled(row.title, theme.base),
        ])
    });
    [Line::default(), head].into_iter().chain(told).collect()
}

/// The rows of a place: keys that a nearer place has for something else do not work here.
fn group(app: &App, at: Place, nearer: &[Place], theme: &Theme) -> Vec<Line<'static>> {
    let keys = &app.settings.keys;
    let mut out = Vec::new();
    for command in commands::all() {
        let mut names = keys.keys_at(command, at);
        names.retain(|name| !nearer.iter().any(|&p| keys.takes(p, name)));
        if names.is_empty() {
            continue;
        }
        let can = command.why_not(app).is_none();
        let (key, title) = if can {
            (theme.heading, theme.base)
        } else {
            (theme.dim, theme.dim)
        };
        out.push(Line::from(vec![
            Span::styled(pad(&joined(&names)), key),
            Span::styled(command.title, title),
        ]));
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
