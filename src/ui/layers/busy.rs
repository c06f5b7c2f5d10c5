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
/// A key pressed so soon after it came into sight was meant for what stood there before, milliseconds.
const GUARD: i64 = 300;

/// What is to be done when no turn runs.
#[derive(Debug)]
enum What {
    /// It becomes the main line: what is said then.
    Adopt(String),
    /// It goes to that collection: what is said then.
    Move(CollectionId, String),
}

/// The question.
#[derive(Debug)]
pub struct Busy {
    session: SessionId,
    what: What,
    running: Vec<SessionId>,
    /// It waits for that turn already.
    waits: bool,
    /// When it came into sight.
    since: Option<i64>,
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
            waits: false,
            since: None,
        }
    }

    /// For a session to be adopted: what is to be said then, and where turns run.
    pub fn adopting(session: SessionId, said: String, running: &[SessionId]) -> Self {
        Self {
            session,
            what: What::Adopt(said),
            running: running.to_vec(),
            waits: false,
            since: None,
        }
    }

    /// The same for one that waits for these turns already.
    #[must_use]
    pub fn waiting(self) -> Self {
        Self {
            waits: true,
            ..self
        }
    }

    /// It waits no more.
    fn call_off(&self, app: &App) -> Next {
        let session = self.session;
        let busy = Way::CallOff;
        let title = app.title_of(session);
        let said = format!("Called off: “{title}” stays a variant.");
        Next::Then(Wish::Ask(
            Request::Adopt { session, busy },
            Purpose::Say(said),
        ))
    }

    fn is_new(&self, now: i64) -> bool {
        self.since.is_none_or(|since| now < since + GUARD)
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
        if self.waits {
            return format!(
                "It waits already to become the main line: in {} {runs} still. You can stop that, or call it off.",
                titles.join(" and ")
            );
        }
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
    fn press(&mut self, key: KeyEvent, app: &App) -> Next {
        match key.code {
            _ if self.is_new(app.now()) => Next::Stay,
            KeyCode::Char('c') if self.waits => self.call_off(app),
            KeyCode::Char('w') | KeyCode::Enter if self.waits => Next::Close,
            KeyCode::Char('w') | KeyCode::Enter => self.go_on(Way::Wait),
            KeyCode::Char('s') => self.go_on(Way::Stop),
            KeyCode::Char('n') | KeyCode::Esc => Next::Close,
            _ => Next::Stay,
        }
    }

    fn draw(&mut self, screen: Rect, buf: &mut Buffer, app: &App) -> Option<Position> {
        self.since.get_or_insert(app.now());
        let theme = &app.settings.theme;
        let text = self.text(app);
        let rows = wrap(&text, WIDTH as usize);
        let height = u16::try_from(rows.len()).unwrap_or(u16::MAX);
        let foot = if self.waits {
            "w waits on · s stop it · c call it off · Esc"
        } else {
            "w wait · s stop it · Esc leaves it as it is"
        };
        let title = "A turn runs";
        let room = sheet(screen, buf, theme, (WIDTH, height), (title, foot));
        for (range, at) in rows.into_iter().zip(room.rows()) {
            let line = text.get(range).unwrap_or_default();
            buf.set_stringn(at.x, at.y, line.trim_end(), at.width as usize, theme.base);
        }
        None
    }
}
