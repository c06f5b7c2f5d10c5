//! A turn runs where a session is to become the main line: is its end waited for, or is it stopped?

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::sheet::sheet;
use super::{Layer, Next, Wish};
use crate::domain::ask::Busy as Way;
use crate::domain::{Request, SessionId};
use crate::text::wrap;
use crate::ui::app::App;
use crate::ui::asks::{Kinship, Purpose};

/// Cells of its text.
const WIDTH: u16 = 58;

/// The question.
#[derive(Debug)]
pub struct Busy {
    session: SessionId,
    said: [String; 2],
    running: Vec<SessionId>,
}

impl Busy {
    /// For a session to be adopted: what is to be said then, and when it is undone, and where turns run.
    pub fn new(session: SessionId, said: [String; 2], running: &[SessionId]) -> Self {
        Self {
            session,
            said,
            running: running.to_vec(),
        }
    }

    fn adopt(&self, busy: Way) -> Next {
        let session = self.session;
        let purpose = Purpose::Kin(Kinship::Adopt(session, self.said.clone()));
        Next::Then(Wish::Ask(Request::Adopt { session, busy }, purpose))
    }

    fn text(&self, app: &App) -> String {
        let titles = self.running.iter().map(|s| app.title_of(*s));
        let titles: Vec<String> = titles.map(|t| format!("“{t}”")).collect();
        let runs = match titles.len() {
            1 => "a turn runs",
            _ => "turns run",
        };
        format!(
            "In {} {runs}. The folders of the two change places, so it has to end first: wait for that, or stop it?",
            titles.join(" and ")
        )
    }
}

impl Layer for Busy {
    fn press(&mut self, key: KeyEvent, _: &App) -> Next {
        match key.code {
            KeyCode::Char('w') | KeyCode::Enter => self.adopt(Way::Wait),
            KeyCode::Char('s') => self.adopt(Way::Stop),
            KeyCode::Char('n') | KeyCode::Esc => Next::Close,
            _ => Next::Stay,
        }
    }

    fn draw(&mut self, screen: Rect, buf: &mut Buffer, app: &App) -> Option<Position> {
        let theme = &app.settings.theme;
        let text = self.text(app);
        let rows = wrap(&text, WIDTH as usize);
        let height = u16::try_from(rows.len()).unwrap_or(u16::MAX);
        let foot = "w wait · s stop it · Esc leaves it as it is";
        let title = "A turn runs";
        let room = sheet(screen, buf, theme, (WIDTH, height), (title, foot));
        for (range, at) in rows.into_iter().zip(room.rows()) {
            let line = text.get(range).unwrap_or_default();
            buf.set_stringn(at.x, at.y, line.trim_end(), at.width as usize, theme.base);
        }
        None
    }
}
