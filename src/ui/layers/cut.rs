//! The turns that were cut with their host: to go on with one or with all, to look at one, or to leave for later.

use std::collections::HashSet;

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::pick::Pick;
use super::sheet::sheet;
use super::{Layer, Next, Wish};
use crate::domain::{Row, SessionId, State};
use crate::text::{one_line, thousands};
use crate::ui::app::App;
use crate::ui::panes::{headed, sign};
use crate::ui::transcript::clock;

/// Cells of its rows, and the most of them.
const SIZE: (u16, u16) = (68, 12);

/// The list of cut turns.
#[derive(Debug, Default)]
pub struct Cut {
    pick: Pick,
    /// Those that were told to go on and have not begun yet.
    sent: HashSet<SessionId>,
}

impl Cut {
    fn rows<'a>(&self, app: &'a App) -> Vec<&'a Row> {
        let mut rows = app.cut_turns();
        rows.retain(|r| !self.sent.contains(&r.id));
        rows
    }

    /// Goes on with sessions; with the last of them there is nothing more to choose.
    fn again(&mut self, sessions: Vec<SessionId>, all: usize) -> Next {
        if sessions.is_empty() {
            return Next::Stay;
        }
        let last = sessions.len() == all;
        self.sent.extend(&sessions);
        let wish = Wish::Again(sessions);
        if last {
            Next::Then(wish)
        } else {
            Next::Keep(wish)
        }
    }
}

impl Layer for Cut {
    fn press(&mut self, key: KeyEvent, app: &App) -> Next {
        let rows: Vec<SessionId> = self.rows(app).iter().map(|r| r.id).collect();
        // The row under the cursor may have been the last.
        self.pick.at = self.pick.at.min(rows.len().saturating_sub(1));
        let here = rows.get(self.pick.at).copied();
        match key.code {
            KeyCode::Esc => Next::Close,
            KeyCode::Enter => self.again(here.into_iter().collect(), rows.len()),
            KeyCode::Char('a') => {
                let all = rows.len();
                self.again(rows, all)
            }
            KeyCode::Char('o') | KeyCode::Right => match here {
                Some(session) => Next::Then(Wish::Open(session)),
                None => Next::Stay,
            },
            _ => {
                self.pick.press(key, rows.len());
                Next::Stay
            }
        }
    }

    fn draw(&mut self, screen: Rect, buf: &mut Buffer, app: &App) -> Option<Position> {
        let theme = &app.settings.theme;
        let rows = self.rows(app);
        let height = u16::try_from(rows.len())
            .unwrap_or(u16::MAX)
            .clamp(1, SIZE.1);
        let foot = "Enter goes on · a all · o opens · Esc later";
        let size = (SIZE.0, height + 2);
        let room = sheet(screen, buf, theme, size, ("Turns that were cut", foot));
        let (top, rest) = headed(room);
        let text = if rows.is_empty() {
            "No turn is cut any more."
        } else {
            "What came before is kept. Going on asks the agent for the rest."
        };
        buf.set_stringn(top.x, top.y, text, top.width as usize, theme.dim);
        let (mark, style) = sign(State::Lost, theme);
        self.pick.draw(rest, buf, theme, rows.len(), |i| {
            let Some(row) = rows.get(i) else {
                return (Line::default(), Line::default());
            };
            let left = vec![
                Span::styled(mark, style),
                Span::raw(format!(" {}", app.title_of(row.id))),
                Span::styled(format!(" · {}", one_line(&row.agent)), theme.dim),
            ];
            let words = match row.words {
                0 => String::new(),
                n => format!("{} w · ", thousands(n)),
            };
            let when = clock(row.updated, app.now(), &app.settings.zone);
            let right = Span::styled(format!("{words}{when}"), theme.dim);
            (Line::from(left), Line::from(right))
        });
        None
    }
}
