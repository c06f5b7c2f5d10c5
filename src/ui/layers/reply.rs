//! Putting what was said into the draft: in its place, behind it, or before it.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::pick::Pick;
use super::sheet::sheet;
use super::{Layer, Next, Wish};
use crate::domain::ask::{Deed, Into};
use crate::domain::{Seq, SessionId};
use crate::ui::app::App;
use crate::ui::transcript::Selected;

/// Key, words, where it goes, what is said then.
const WAYS: [(char, &str, Into, &str); 3] = [
    (
        'r',
        "Replace the draft",
        Into::Replace,
        "It is the draft now.",
    ),
    (
        'a',
        "Append to the draft",
        Into::Append,
        "It stands at the end of the draft.",
    ),
    (
        'i',
        "Insert before the draft",
        Into::Insert,
        "It stands at the head of the draft.",
    ),
];

/// The choice.
#[derive(Debug)]
pub struct ReplyToDraft {
    session: SessionId,
    seq: Seq,
    title: &'static str,
    pick: Pick,
}

impl ReplyToDraft {
    /// For a message of a session.
    pub fn new(session: SessionId, message: &Selected) -> Self {
        Self {
            session,
            seq: message.seq,
            title: if message.is_reply {
                "This reply into the draft"
            } else {
                "Your own words into the draft"
            },
            pick: Pick::default(),
        }
    }

    fn wish(&self, how: Into, said: &str) -> Next {
        let deed = Deed::ReplyToDraft { seq: self.seq, how };
        Next::Then(Wish::Do(self.session, deed, said.to_owned()))
    }
}

impl Layer for ReplyToDraft {
    fn press(&mut self, key: KeyEvent, _: &App) -> Next {
        let way = match key.code {
            KeyCode::Esc => return Next::Close,
            KeyCode::Enter => WAYS.get(self.pick.at),
            KeyCode::Char(c) => WAYS.iter().find(|w| w.0 == c),
            _ => None,
        };
        if let Some(way) = way {
            return self.wish(way.2, way.3);
        }
        self.pick.press(key, WAYS.len());
        Next::Stay
    }

    fn draw(&mut self, screen: Rect, buf: &mut Buffer, app: &App) -> Option<Position> {
        let theme = &app.settings.theme;
        let undo = app.key_or_title("session.undo");
        let foot = format!("{undo} undoes it later · Esc closes");
        let rows = u16::try_from(WAYS.len()).unwrap_or(1);
        let room = sheet(screen, buf, theme, (40, rows), (self.title, &foot));
        self.pick.draw(room, buf, theme, WAYS.len(), |i| {
            let way = WAYS.get(i).map_or((' ', ""), |w| (w.0, w.1));
            (
                Line::from(way.1),
                Line::from(Span::styled(way.0.to_string(), theme.heading)),
            )
        });
        None
    }
}
