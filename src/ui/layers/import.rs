//! Histories of Claude Code on this machine: marked, and made sessions of.

use std::collections::BTreeSet;

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::pick::Pick;
use super::sheet::sheet;
use super::{Layer, Next, Wish};
use crate::text::{counted, one_line, size};
use crate::ui::app::App;
use crate::ui::errand::{History, Sought};
use crate::ui::transcript::clock;

/// Cells of a row.
const WIDTH: u16 = 72;
/// Rows in view at once.
const SHOWN: usize = 12;
/// Rows about the one under the cursor.
const ABOUT: u16 = 3;

/// The list of histories.
#[derive(Debug, Default)]
pub struct Import {
    pick: Pick,
    /// Files of those that are marked.
    marked: BTreeSet<String>,
}

/// Those that were found, once they are.
fn found(app: &App) -> &[History] {
    match &app.settings.first.errands.histories {
        Sought::Here(Ok(found)) => found,
        _ => &[],
    }
}

impl Import {
    /// Marks one, or takes the mark off. One that is here already is not marked.
    fn mark(&mut self, one: &History) {
        if one.here.is_none() && !self.marked.remove(&one.path) {
            self.marked.insert(one.path.clone());
        }
    }

    /// Marks all of this workspace that are not here; with all of them marked, takes the marks off.
    fn mark_all(&mut self, all: &[History]) {
        let new = all.iter().filter(|one| one.near && one.here.is_none());
        let new: BTreeSet<String> = new.map(|one| one.path.clone()).collect();
        if new.is_subset(&self.marked) {
            self.marked.clear();
        } else {
            self.marked.extend(new);
        }
    }

    /// What Enter imports: the marked ones, else the one under the cursor.
    fn chosen(&self, all: &[History]) -> Vec<History> {
        let marked = |one: &&History| self.marked.contains(&one.path);
        let chosen: Vec<History> = all.iter().filter(marked).cloned().collect();
        if !chosen.is_empty() {
            return chosen;
        }
        let here = all.get(self.pick.at).filter(|one| one.here.is_none());
        here.cloned().into_iter().collect()
    }
}

impl Layer for Import {
    fn press(&mut self, key: KeyEvent, app: &App) -> Next {
        let all = found(app);
        match key.code {
            KeyCode::Esc => Next::Close,
            KeyCode::Enter => {
                let chosen = self.chosen(all);
                if chosen.is_empty() {
                    Next::Stay
                } else {
                    Next::Then(Wish::Import(chosen))
                }
            }
            KeyCode::Char(' ') => {
                if let Some(one) = all.get(self.pick.at) {
                    self.mark(one);
                    self.pick.at = (self.pick.at + 1).min(all.len().saturating_sub(1));
                }
                Next::Stay
            }
            KeyCode::Char('a') => {
                self.mark_all(all);
                Next::Stay
            }
            _ => {
                self.pick.press(key, all.len());
                Next::Stay
            }
        }
    }

    fn draw(&mut self, screen: Rect, buf: &mut Buffer, app: &App) -> Option<Position> {
        let theme = &app.settings.theme;
        let all = found(app);
        let many = all.len().clamp(1, SHOWN);
        let rows = u16::try_from(many).unwrap_or(u16::MAX) + ABOUT;
        let foot = "Space marks · a marks this workspace's · Enter imports · Esc closes";
        let head = ("Import from Claude Code", foot);
        let room = sheet(screen, buf, theme, (WIDTH, rows), head);
        if let Some(said) = silence(app) {
            let said = one_line(&said);
            buf.set_stringn(room.x, room.y, said, room.width as usize, theme.dim);
            return None;
        }
        let list = Rect {
            height: room.height.saturating_sub(ABOUT).max(1).min(room.height),
            ..room
        };
        self.pick.draw(list, buf, theme, all.len(), |i| {
            let Some(one) = all.get(i) else {
                return (Line::default(), Line::default());
            };
            let mark = if self.marked.contains(&one.path) {
                "✓ "
            } else {
                "  "
            };
            let plain = if one.here.is_some() {
                theme.dim
            } else {
                theme.base
            };
            let left = vec![
                Span::styled(mark, theme.accent),
                Span::styled(one_line(&one.title), plain),
            ];
            let here = if one.here.is_some() { "here · " } else { "" };
            let right = format!("{here}{}", figures(one, app));
            let right = Span::styled(right, theme.dim);
            (Line::from(left), Line::from(right))
        });
        let about = room.rows().skip(list.height as usize + 1);
        let here = all.get(self.pick.at).map(about_one).unwrap_or_default();
        for (at, text) in about.zip(here) {
            buf.set_stringn(at.x, at.y, text, at.width as usize, theme.dim);
        }
        None
    }
}

/// What stands in the place of the list while there is none.
fn silence(app: &App) -> Option<String> {
    match &app.settings.first.errands.histories {
        Sought::Not | Sought::Coming => Some("Looking for histories…".to_owned()),
        Sought::Here(Err(why)) => Some(why.clone()),
        Sought::Here(Ok(found)) if found.is_empty() => {
            Some("Claude Code has no histories on this machine.".to_owned())
        }
        Sought::Here(Ok(_)) => None,
    }
}

/// `28 Nov 14:02 · 34 messages · 1.2 MiB`
fn figures(one: &History, app: &App) -> String {
    let messages = one
        .messages
        .map(|n| format!(" · {}", counted(n, "message")));
    let when = clock(one.when, app.now(), &app.settings.zone);
    format!(
        "{when}{} · {}",
        messages.unwrap_or_default(),
        size(one.bytes)
    )
}

/// Where it was written, and what becomes of it.
fn about_one(one: &History) -> [String; 2] {
    let place = one_line(&one.folder);
    let becomes = match (&one.here, one.branches) {
        (Some(here), _) => one_line(here),
        (None, 0) => "Becomes a session of its own; its file stays as it is.".to_owned(),
        (None, n) => {
            let variants = counted(n, "variant");
            format!("Becomes a session and {variants}; its file stays as it is.")
        }
    };
    [place, becomes]
}
