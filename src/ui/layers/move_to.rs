//! To which collection a session goes.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::field::Field;
use super::pick::{Pick, ranked};
use super::sheet::sheet;
use super::{Layer, Next, Takes, Wish};
use crate::domain::ask::{Busy, DrawerDeed};
use crate::domain::{CollectionId, Request, SessionId};
use crate::text::{counted, one_line};
use crate::ui::app::App;
use crate::ui::asks::{Filing, Purpose};
use crate::ui::panes::headed;

/// The collections, as they were when it opened.
#[derive(Debug)]
pub struct MoveTo {
    session: SessionId,
    title: String,
    field: Field,
    pick: Pick,
    all: Vec<(CollectionId, String, u64)>,
    found: Vec<usize>,
}

impl MoveTo {
    /// For a session, over all collections but its own.
    pub fn new(session: SessionId, app: &App) -> Self {
        let own = app.rows.get(session).map(|r| r.collection.clone());
        let others = app.rows.drawer().filter(|c| Some(&c.id) != own.as_ref());
        let all: Vec<_> = others
            .map(|c| {
                let many = app.rows.pieces(&c.id).len() as u64;
                (c.id.clone(), one_line(&c.title), many)
            })
            .collect();
        Self {
            session,
            title: app.title_of(session),
            field: Field::default(),
            pick: Pick::default(),
            found: (0..all.len()).collect(),
            all,
        }
    }

    fn chosen(&self) -> Option<&(CollectionId, String, u64)> {
        self.all.get(*self.found.get(self.pick.at)?)
    }

    fn look(&mut self) {
        let titles = self.all.iter().map(|c| c.1.as_str());
        self.found = ranked(&self.field.text(), titles);
        self.pick = Pick::default();
    }
}

impl Layer for MoveTo {
    fn press(&mut self, key: KeyEvent, _: &App) -> Next {
        match key.code {
            KeyCode::Esc => return Next::Close,
            KeyCode::Enter => {
                let Some((to, title, _)) = self.chosen() else {
                    return Next::Stay;
                };
                let deed = DrawerDeed::Move {
                    session: self.session,
                    to: to.clone(),
                    alone: false,
                    busy: Busy::Ask,
                };
                let said = format!("“{}” lies in “{title}” now.", self.title);
                let purpose = Purpose::Drawer(Filing::Moved(self.session, to.clone(), said));
                return Next::Then(Wish::Ask(Request::Drawer { deed }, purpose));
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

    fn takes(&self) -> Takes {
        Takes::Line
    }

    fn field(&self) -> Option<&Field> {
        Some(&self.field)
    }

    fn paste(&mut self, text: &str) {
        self.field.paste(text);
    }

    fn pasted(&mut self, _: &App) -> Option<Wish> {
        self.look();
        None
    }

    fn draw(&mut self, screen: Rect, buf: &mut Buffer, app: &App) -> Option<Position> {
        let theme = &app.settings.theme;
        let rows = u16::try_from(self.all.len())
            .unwrap_or(u16::MAX)
            .clamp(1, 12);
        let title = format!("Move “{}” to", one_line(&self.title));
        let foot = "Enter moves it and its variants · Esc closes";
        let room = sheet(screen, buf, theme, (56, rows + 2), (&title, foot));
        let (line, rest) = headed(room);
        let caret = self.field.draw(line, buf, theme, "letters of a collection");
        if self.found.is_empty() {
            let text = "No other collection has these letters; N makes a new one.";
            buf.set_stringn(rest.x, rest.y, text, rest.width as usize, theme.dim);
        }
        let (all, found) = (&self.all, &self.found);
        self.pick.draw(rest, buf, theme, found.len(), |i| {
            let Some((_, title, many)) = found.get(i).and_then(|i| all.get(*i)) else {
                return (Line::default(), Line::default());
            };
            let many = Span::styled(counted(*many, "piece"), theme.dim);
            (Line::from(title.clone()), Line::from(many))
        });
        caret
    }
}
