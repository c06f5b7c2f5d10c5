//! A yes before something that no key undoes.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::sheet::sheet;
use super::{Layer, Next, Wish};
use crate::domain::ask::Deed;
use crate::domain::{Row, SessionId};
use crate::text::{one_line, wrap};
use crate::ui::app::App;

/// Cells of its text.
const WIDTH: u16 = 58;

/// The question.
#[derive(Debug)]
pub struct Confirm {
    session: SessionId,
    text: String,
}

impl Confirm {
    /// Whether what a damaged log still holds counts as the whole.
    pub fn accept(row: &Row, title: &str) -> Self {
        let trouble = row.trouble.as_deref().unwrap_or_default();
        Self {
            session: row.id,
            text: format!(
                "{}\nAccept what is left of “{}”? Nothing is deleted; new events follow after what could be read.",
                one_line(trouble),
                title
            ),
        }
    }
}

impl Layer for Confirm {
    fn press(&mut self, key: KeyEvent, _: &App) -> Next {
        match key.code {
            KeyCode::Char('y') => {
                let said = "The session can be written again.".to_owned();
                Next::Then(Wish::Do(self.session, Deed::Accept, said))
            }
            KeyCode::Char('n') | KeyCode::Esc => Next::Close,
            _ => Next::Stay,
        }
    }

    fn draw(&mut self, screen: Rect, buf: &mut Buffer, app: &App) -> Option<Position> {
        let theme = &app.settings.theme;
        let rows = wrap(&self.text, WIDTH as usize);
        let height = u16::try_from(rows.len()).unwrap_or(u16::MAX);
        let room = sheet(
            screen,
            buf,
            theme,
            (WIDTH, height),
            ("Sure?", "y yes · n no"),
        );
        for (range, at) in rows.into_iter().zip(room.rows()) {
            let line = self.text.get(range).unwrap_or_default();
            buf.set_stringn(at.x, at.y, line.trim_end(), at.width as usize, theme.base);
        }
        None
    }
}
