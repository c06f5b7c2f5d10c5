//! Going to a session by a few letters of its title.

use std::cmp::Reverse;

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::field::Field;
use super::pick::{Pick, ranked};
use super::sheet::sheet;
use super::{Layer, Next, Wish};
use crate::domain::{Row, SessionId, State};
use crate::text::one_line;
use crate::ui::app::App;
use crate::ui::panes::sign;

/// The sessions as they were when it opened, so that nothing moves under the cursor.
#[derive(Debug)]
pub struct GoTo {
    field: Field,
    pick: Pick,
    sessions: Vec<(SessionId, String)>,
    found: Vec<usize>,
}

impl GoTo {
    /// Over every session but those in the trash: those that need the writer first, then the newest.
    pub fn new(app: &App) -> Self {
        let mut rows: Vec<_> = app.rows.every().filter(|r| !r.trashed).collect();
        rows.sort_by_key(|r| {
            (
                r.archived,
                r.state != State::NeedsYou,
                Reverse(r.updated),
                r.id,
            )
        });
        let sessions: Vec<_> = rows.into_iter().map(|r| (r.id, named(r))).collect();
        Self {
            field: Field::default(),
            pick: Pick::default(),
            found: (0..sessions.len()).collect(),
            sessions,
        }
    }

    fn look(&mut self) {
        let titles = self.sessions.iter().map(|s| s.1.as_str());
        self.found = ranked(&self.field.text(), titles);
        self.pick = Pick::default();
    }

    fn chosen(&self, at: usize) -> Option<&(SessionId, String)> {
        self.found.get(at).and_then(|&i| self.sessions.get(i))
    }
}

/// A title with its tags behind it, so that both are found.
fn named(row: &Row) -> String {
    let tags: String = row.tags.iter().map(|t| format!(" #{t}")).collect();
    one_line(&format!("{}{tags}", row.title))
}

impl Layer for GoTo {
    fn press(&mut self, key: KeyEvent, _: &App) -> Next {
        match key.code {
            KeyCode::Esc => return Next::Close,
            KeyCode::Enter => {
                return match self.chosen(self.pick.at) {
                    Some((session, _)) => Next::Then(Wish::Open(*session)),
                    None => Next::Stay,
                };
            }
            _ if self.pick.press(key, self.found.len()) => {}
            _ => {
                if self.field.press(key) {
                    self.look();
                }
            }
        }
        Next::Stay
    }

    fn paste(&mut self, text: &str) {
        self.field.paste(text);
        self.look();
    }

    fn draw(&mut self, screen: Rect, buf: &mut Buffer, app: &App) -> Option<Position> {
        let theme = &app.settings.theme;
        let foot = "Enter opens · Esc closes";
        let room = sheet(screen, buf, theme, (64, 14), ("Go to a session", foot));
        let [top, rest] = super::split_first(room);
        let caret = self
            .field
            .draw(top, buf, theme, "a few letters of its title or tags");
        if self.found.is_empty() {
            let text = "No session has these letters in its title or tags.";
            buf.set_stringn(rest.x, rest.y, text, rest.width as usize, theme.dim);
        }
        let mut pick = self.pick;
        pick.draw(rest, buf, theme, self.found.len(), |i| {
            let Some((session, title)) = self.chosen(i) else {
                return (Line::default(), Line::default());
            };
            let row = app.rows.get(*session);
            let state = row.map_or(State::Idle, |r| r.state);
            let place = row.map_or("", |r| app.rows.collection_title(&r.collection));
            let (mark, style) = sign(state, theme);
            (
                Line::from(vec![
                    Span::styled(mark, style),
                    Span::raw(format!(" {title}")),
                ]),
                Line::from(Span::styled(one_line(place), theme.dim)),
            )
        });
        self.pick = pick;
        caret
    }
}
