//! The prompts that wait in the open session: to look at, to change one, to take one back.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

use super::pick::Pick;
use super::sheet::sheet;
use super::{Layer, Next, Wish};
use crate::domain::{Request, Text};
use crate::text::one_line;
use crate::ui::app::App;
use crate::ui::asks::Purpose;
use crate::ui::commands;

/// The list of waiting prompts.
#[derive(Debug, Default)]
pub struct Queue {
    pick: Pick,
}

impl Queue {
    /// Opens the prompt under the cursor to be changed.
    fn edit(&self, app: &App) -> Next {
        match app.waiting().get(self.pick.at).zip(app.desks.at()) {
            None => Next::Close,
            Some((prompt, session)) => match &prompt.text {
                Text::Inline(text) => Next::Then(Wish::Edit(session, prompt.n, text.clone())),
                Text::Blob { .. } => {
                    let way = "It is too long to be changed here; Del takes it back.";
                    Next::Keep(Wish::Say(way.to_owned()))
                }
            },
        }
    }
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
            KeyCode::Enter | KeyCode::Char('e') => self.edit(app),
            KeyCode::Esc => Next::Close,
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
            "Enter lets them run · e changes one · Del takes it back · Esc"
        } else {
            "Enter changes one · Del takes it back · Esc closes"
        };
        let room = sheet(screen, buf, theme, (64, rows), ("Prompts that wait", foot));
        self.pick.draw(room, buf, theme, waiting.len(), |i| {
            let text = waiting.get(i).map(|w| one_line(w.text.shown()));
            (Line::from(text.unwrap_or_default()), Line::default())
        });
        None
    }
}
