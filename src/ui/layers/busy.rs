//! A turn runs where a session is to become the main line, or to move: is its end waited for, or is it stopped?

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::sheet::sheet;
use super::{Layer, Next, Wish};
use crate::domain::ask::{Busy as Way, DrawerDeed};
use crate::domain::{CollectionId, Request, SessionId};
use crate::text::wrap;
use crate::ui::app::App;
use crate::ui::asks::{Filing, Kinship, Purpose};

/// Cells of its text.
const WIDTH: u16 = 58;

/// What is to be done when no turn runs.
#[derive(Debug)]
enum What {
    /// It becomes the main line: what is said then, and when that is undone.
    Adopt([String; 2]),
    /// It goes to that collection: what is said then.
    Move(CollectionId, String),
}

/// The question.
#[derive(Debug)]
pub struct Busy {
    session: SessionId,
    what: What,
    running: Vec<SessionId>,
}

impl Busy {
    /// For a session that is to go to another collection: what is to be said then, and where turns run.
    pub fn moving(
        session: SessionId,
        to: CollectionId,
        said: String,
        running: &[SessionId],
    ) -> Self {
        Self {
            session,
            what: What::Move(to, said),
            running: running.to_vec(),
        }
    }

    /// For a session to be adopted: what is to be said then, and when it is undone, and where turns run.
    pub fn new(session: SessionId, said: [String; 2], running: &[SessionId]) -> Self {
        Self {
            session,
            what: What::Adopt(said),
            running: running.to_vec(),
        }
    }

    fn go_on(&self, busy: Way) -> Next {
        let session = self.session;
        let (request, purpose) = match &self.what {
            What::Adopt(said) => {
                let purpose = Purpose::Kin(Kinship::Adopt(session, said.clone()));
                (Request::Adopt { session, busy }, purpose)
            }
            What::Move(to, said) => {
                let deed = DrawerDeed::Move {
                    session,
                    to: to.clone(),
                    alone: false,
                    busy,
                };
                let filing = Filing::Moved(session, to.clone(), said.clone());
                (Request::Drawer { deed }, Purpose::Drawer(filing))
            }
        };
        Next::Then(Wish::Ask(request, purpose))
    }

    fn text(&self, app: &App) -> String {
        let titles = self.running.iter().map(|s| app.title_of(*s));
        let titles: Vec<String> = titles.map(|t| format!("“{t}”")).collect();
        let runs = match titles.len() {
            1 => "a turn runs",
            _ => "turns run",
        };
        let why = match self.what {
            What::Adopt(_) => "The folders of the two change places",
            What::Move(..) => "Its folder goes to another place",
        };
        format!(
            "In {} {runs}. {why}, so it has to end first: wait for that, or stop it?",
            titles.join(" and ")
        )
    }
}

impl Layer for Busy {
    fn press(&mut self, key: KeyEvent, _: &App) -> Next {
        match key.code {
            KeyCode::Char('w') | KeyCode::Enter => self.go_on(Way::Wait),
            KeyCode::Char('s') => self.go_on(Way::Stop),
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
