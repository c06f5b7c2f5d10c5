//! Other words for a prompt that waits, written as in the composer.

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::sheet::sheet;
use super::{Layer, Next, Takes, Wish};
use crate::domain::{Request, SessionId};
use crate::ui::app::App;
use crate::ui::asks::Purpose;
use crate::ui::commands::Place;
use crate::ui::composer::Composer;
use crate::ui::keymap::Key;

/// Cells of its text.
const WIDTH: u16 = 64;
/// The most rows of it.
const ROWS: u16 = 12;

/// The prompt being changed.
#[derive(Debug)]
pub struct Prompt {
    session: SessionId,
    n: u32,
    was: String,
    composer: Composer,
}

impl Prompt {
    /// A waiting prompt of a session, by its number.
    pub fn new(session: SessionId, n: u32, text: &str) -> Self {
        let mut composer = Composer::new();
        composer.set_text(text);
        Self {
            session,
            n,
            was: text.to_owned(),
            composer,
        }
    }

    fn save(&self) -> Next {
        let text = self.composer.text();
        if text.trim().is_empty() {
            let way = "A prompt needs words; Esc, then Del takes it back.";
            return Next::Keep(Wish::Say(way.to_owned()));
        }
        if text == self.was {
            return Next::Close;
        }
        let (session, n) = (self.session, self.n);
        let purpose = Purpose::Requeue(session, text.clone());
        Next::Then(Wish::Ask(Request::Requeue { session, n, text }, purpose))
    }
}

impl Layer for Prompt {
    fn press(&mut self, key: KeyEvent, app: &App) -> Next {
        let keys = &app.settings.keys;
        let command = keys.find(Place::Composer, Key::from(key));
        match command.map(|c| c.name) {
            Some("composer.send") => return self.save(),
            Some("composer.leave") => return Next::Close,
            Some("composer.line") => self.composer.newline(),
            _ => drop(self.composer.press(key)),
        }
        Next::Stay
    }

    fn takes(&self) -> Takes {
        Takes::Text
    }

    fn paste(&mut self, text: &str) {
        self.composer.paste(text);
    }

    fn draw(&mut self, screen: Rect, buf: &mut Buffer, app: &App) -> Option<Position> {
        let theme = &app.settings.theme;
        let cols = WIDTH.min(screen.width.saturating_sub(4)).max(1);
        let rows = self.composer.height(cols, ROWS);
        let [save, close] = ["composer.send", "composer.leave"].map(|name| app.key_of(name));
        let foot = format!("{save} keeps it · {close} leaves it as it was");
        let title = "A prompt that waits";
        let room = sheet(screen, buf, theme, (WIDTH, rows), (title, &foot));
        self.composer.draw(room, buf, theme, true)
    }
}
