//! Going to a session by a few letters of its title.

use std::cmp::Reverse;

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::field::Field;
use super::pick::{Pick, ranked};
use super::sheet::sheet;
use super::{Layer, Next, Takes, Wish};
use crate::domain::{Row, SessionId, State};
use crate::text::one_line;
use crate::ui::app::App;
use crate::ui::panes::{MAIN, age, headed, sign, word};

/// Cells of a title.
const TITLE: usize = 40;

/// The sessions as they were when it opened, so that nothing moves under the cursor; while the list is still on its
/// way, those that have come.
#[derive(Debug)]
pub struct GoTo {
    field: Field,
    pick: Pick,
    sessions: Vec<SessionId>,
    found: Vec<usize>,
    /// The list was whole when the sessions were taken.
    whole: bool,
}

impl GoTo {
    /// Over every session but those in the trash.
    pub fn new(app: &App) -> Self {
        let sessions = sessions(app);
        Self {
            field: Field::default(),
            pick: Pick::default(),
            found: (0..sessions.len()).collect(),
            sessions,
            whole: app.has_host(),
        }
    }

    /// Takes in what has come since; a cursor that was moved stays on its session.
    fn fill(&mut self, app: &App) {
        if self.whole {
            return;
        }
        let kept = self.chosen(self.pick.at).filter(|_| self.pick.at > 0);
        self.whole = app.has_host();
        self.sessions = sessions(app);
        self.look(app);
        let place = kept.and_then(|s| (0..self.found.len()).find(|i| self.chosen(*i) == Some(s)));
        self.pick = Pick::on(place.unwrap_or_default());
    }

    /// What stands where no session does.
    fn nothing(&self) -> &'static str {
        if !self.whole {
            "The list is coming…"
        } else if self.sessions.is_empty() {
            "There is no session yet."
        } else {
            "No session has these letters in its title or tags."
        }
    }

    fn look(&mut self, app: &App) {
        let texts = self.sessions.iter().map(|s| app.rows.hay(*s));
        self.found = ranked(&self.field.text(), texts);
        self.pick = Pick::default();
    }

    fn chosen(&self, at: usize) -> Option<SessionId> {
        let found = self.found.get(at)?;
        self.sessions.get(*found).copied()
    }
}

impl Layer for GoTo {
    fn press(&mut self, key: KeyEvent, app: &App) -> Next {
        self.fill(app);
        match key.code {
            KeyCode::Esc => return Next::Close,
            KeyCode::Enter => {
                return match self.chosen(self.pick.at) {
                    Some(session) => Next::Then(Wish::Open(session)),
                    None => Next::Stay,
                };
            }
            _ if self.pick.press(key, self.found.len()) => {}
            _ => {
                if self.field.press(key) {
                    self.look(app);
                }
            }
        }
        Next::Stay
    }

    fn takes(&self) -> Takes {
        Takes::Line
    }

    fn field(&self) -> Option<&Field> {
        Some(&self.field)
    }

    fn paste(&mut self, text: &str) {
        self.field.paste(text);
    }

    fn pasted(&mut self, app: &App) -> Option<Wish> {
        self.fill(app);
        self.look(app);
        None
    }

    fn draw(&mut self, screen: Rect, buf: &mut Buffer, app: &App) -> Option<Position> {
        self.fill(app);
        let theme = &app.settings.theme;
        let foot = "Enter opens · Esc closes";
        let room = sheet(screen, buf, theme, (72, 14), ("Go to a session", foot));
        let (top, rest) = headed(room);
        let caret = self
            .field
            .draw(top, buf, theme, "a few letters of its title or tags");
        if self.found.is_empty() {
            let text = self.nothing();
            buf.set_stringn(rest.x, rest.y, text, rest.width as usize, theme.dim);
        }
        let mut pick = self.pick;
        pick.draw(rest, buf, theme, self.found.len(), |i| {
            let row = self.chosen(i).and_then(|s| app.rows.get(s));
            row.map_or_else(Default::default, |row| cells(app, row))
        });
        self.pick = pick;
        caret
    }
}

/// Those that need the writer first, then the newest; the archive last.
fn sessions(app: &App) -> Vec<SessionId> {
    let rows = app.rows.every().filter(|r| !r.trashed);
    let mut rows: Vec<_> = rows
        .map(|r| {
            let needs = r.state == State::NeedsYou;
            (r.archived, !needs, Reverse(r.updated), r.id)
        })
        .collect();
    rows.sort_unstable();
    rows.into_iter().map(|r| r.3).collect()
}

/// Sign, title and tags; state, collection and age.
fn cells(app: &App, row: &Row) -> (Line<'static>, Line<'static>) {
    let theme = &app.settings.theme;
    let (mark, style) = sign(row.state, theme);
    let mut left = vec![
        Span::styled(mark, style),
        Span::raw(format!(" {}", app.rows.title_in(row, TITLE))),
    ];
    if app.rows.is_main(row.id) {
        left.push(Span::styled(MAIN, theme.dim));
    }
    for tag in &row.tags {
        left.push(Span::styled(format!(" #{}", one_line(tag)), theme.dim));
    }
    let place = if row.archived {
        "Archive"
    } else {
        app.rows.collection_title(&row.collection)
    };
    let place = super::super::panes::cut(&one_line(place), 16);
    let age = age(app.now() - row.updated);
    let state = word(row.state).map(|w| Span::styled(format!("{w}  "), style));
    let mut right: Vec<Span<'static>> = state.into_iter().collect();
    right.push(Span::styled(format!("{place}{age:>5}"), theme.dim));
    (Line::from(left), Line::from(right))
}
