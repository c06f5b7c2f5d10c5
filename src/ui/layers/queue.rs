//! The prompts that wait in the open session: to look at, to take one back.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

use super::pick::Pick;
use super::sheet::sheet;
use super::{Layer, Next, Wish};
use crate::domain::Request;
use crate::text::one_line;
use crate::ui::app::App;
use crate::ui::asks::Purpose;
use crate::ui::commands;

/// The list of waiting prompts.
#[derive(Debug, Default)]
pub struct Queue {
    pick: Pick,
}

impl Layer for Queue {
    fn press(&mut self, key: KeyEvent, app: &App) -> Next {
        let waiting = app.waiting();
        match key.code {
            KeyCode::Delete | KeyCode::Backspace | KeyCode::Char('x') => {
                let at = waiting.get(self.pick.at).zip(app.desks.at());
                match at {
                    Some((prompt, session)) => Next::Then(Wish::Ask(
                        Request::Unqueue {
                            session,
                            n: prompt.n,
                        },
                        Purpose::Unqueue(session),
                    )),
                    None => Next::Close,
                }
            }
            KeyCode::Enter if app.is_held() => match commands::named("queue.continue") {
                Some(command) => Next::Then(Wish::Run(command)),
                None => Next::Close,
            },
            KeyCode::Esc | KeyCode::Enter => Next::Close,
            _ => {
                self.pick.press(key, waiting.len());
                Next::Stay
            }
        }
    }

    fn draw(&mut self, screen: Rect, buf: &mut Buffer, app: &App) -> Option<Position> {
        let theme = &app.settings.theme;
        let waiting = app.waiting();
        let rows = u16::try_from(waiting.len())
            .unwrap_or(u16::MAX)
            .clamp(1, 12);
        let foot = if app.is_held() {
            "Del takes one back · Enter lets them run · Esc closes"
        } else {
            "Del takes one back · Esc closes"
        };
        let room = sheet(screen, buf, theme, (64, rows), ("Prompts that wait", foot));
        self.pick.draw(room, buf, theme, waiting.len(), |i| {
            let text = waiting.get(i).map(|w| one_line(w.text.shown()));
            (Line::from(text.unwrap_or_default()), Line::default())
        });
        None
    }
}
