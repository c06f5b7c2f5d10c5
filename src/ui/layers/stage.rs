//! Where a piece stands: one of five stages, or none.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::pick::Pick;
use super::sheet::sheet;
use super::{Layer, Next, Wish};
use crate::domain::ask::Deed;
use crate::domain::{SessionId, Stage};
use crate::ui::app::App;

/// What each stage means, in the order of the stages; the last is none.
const ABOUT: [&str; 6] = [
    "a thought to be written about",
    "its parts are named",
    "it is being written",
    "it is whole, and being made better",
    "it is finished",
    "nothing is said",
];

/// The stages.
#[derive(Debug)]
pub struct Stages {
    session: SessionId,
    now: Option<Stage>,
    pick: Pick,
}

impl Stages {
    /// Of a piece that stands there.
    pub fn new(session: SessionId, now: Option<Stage>) -> Self {
        // The cursor stands on the next one: that is where a piece goes.
        let at = now.map_or(0, |now| Stage::ALL.iter().filter(|s| **s <= now).count());
        Self {
            session,
            now,
            pick: Pick::on(at.min(Stage::ALL.len() - 1)),
        }
    }

    fn choose(&self, at: usize, app: &App) -> Next {
        let stage = Stage::ALL.get(at).copied();
        let title = app.title_of(self.session);
        let said = match stage {
            Some(stage) => format!("“{title}”: {}.", stage.word()),
            None => format!("“{title}” has no stage now."),
        };
        Next::Then(Wish::Do(self.session, Deed::Stage { stage }, said))
    }
}

impl Layer for Stages {
    fn press(&mut self, key: KeyEvent, app: &App) -> Next {
        match key.code {
            KeyCode::Esc => Next::Close,
            KeyCode::Enter => self.choose(self.pick.at, app),
            KeyCode::Char(c @ '1'..='6') => {
                let at = c.to_digit(10).map_or(0, |n| n as usize - 1);
                self.choose(at, app)
            }
            KeyCode::Char('j') => {
                self.pick.at = (self.pick.at + 1).min(ABOUT.len() - 1);
                Next::Stay
            }
            KeyCode::Char('k') => {
                self.pick.at = self.pick.at.saturating_sub(1);
                Next::Stay
            }
            _ => {
                self.pick.press(key, ABOUT.len());
                Next::Stay
            }
        }
    }

    fn draw(&mut self, screen: Rect, buf: &mut Buffer, app: &App) -> Option<Position> {
        let theme = &app.settings.theme;
        let foot = "1 to 6 or Enter · Esc closes";
        let room = sheet(screen, buf, theme, (50, 6), ("Where it stands", foot));
        let now = self.now;
        self.pick.draw(room, buf, theme, ABOUT.len(), |i| {
            let stage = Stage::ALL.get(i).copied();
            let here = if stage == now { "● " } else { "  " };
            let name = stage.map_or("–", Stage::word);
            let left = vec![
                Span::styled(here, theme.accent),
                Span::raw(format!("{} {name}", i + 1)),
            ];
            let about = ABOUT.get(i).copied().unwrap_or_default();
            (Line::from(left), Line::from(Span::styled(about, theme.dim)))
        });
        None
    }
}
