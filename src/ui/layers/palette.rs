//! Every command, found by a few letters, with its key, and the reason when it cannot be done.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::field::Field;
use super::pick::{Pick, ranked};
use super::sheet::sheet;
use super::{Layer, Next, Wish};
use crate::ui::app::App;
use crate::ui::commands::{self, Command, Place};
use crate::ui::keymap::Keymap;

/// The palette.
#[derive(Debug, Default)]
pub struct Palette {
    field: Field,
    pick: Pick,
}

impl Palette {
    fn found(&self) -> Vec<&'static Command> {
        let all: Vec<&'static Command> = commands::all().collect();
        ranked(&self.field.text(), all.iter().map(|c| c.title))
            .into_iter()
            .filter_map(|i| all.get(i).copied())
            .collect()
    }
}

impl Layer for Palette {
    fn press(&mut self, key: KeyEvent, app: &App) -> Next {
        let found = self.found();
        match key.code {
            KeyCode::Esc => return Next::Close,
            KeyCode::Enter => {
                return match found.get(self.pick.at) {
                    Some(command) => match (command.disabled)(app) {
                        Some(why) => Next::Keep(Wish::Say(why.to_owned())),
                        None => Next::Then(Wish::Run(command)),
                    },
                    None => Next::Stay,
                };
            }
            _ if self.pick.press(key, found.len()) => {}
            _ => {
                if self.field.press(key) {
                    self.pick = Pick::default();
                }
            }
        }
        Next::Stay
    }

    fn paste(&mut self, text: &str) {
        self.field.paste(text);
    }

    fn draw(&mut self, screen: Rect, buf: &mut Buffer, app: &App) -> Option<Position> {
        let theme = &app.settings.theme;
        let found = self.found();
        let foot = "Enter runs · Esc closes";
        let room = sheet(screen, buf, theme, (68, 18), ("Commands", foot));
        let [top, rest] = super::split_first(room);
        let caret = self
            .field
            .draw(top, buf, theme, "a few letters of what you want to do");
        if found.is_empty() {
            let text = "No command is called that. Fewer letters find more.";
            buf.set_stringn(rest.x, rest.y, text, rest.width as usize, theme.dim);
        }
        self.pick.draw(rest, buf, theme, found.len(), |i| {
            let Some(command) = found.get(i) else {
                return (Line::default(), Line::default());
            };
            let key = any_key(&app.settings.keys, command, app.place());
            match (command.disabled)(app) {
                None => (Line::from(command.title), Line::from(key)),
                Some(why) => (
                    Line::from(Span::styled(format!("{}  {why}", command.title), theme.dim)),
                    Line::from(Span::styled(key, theme.dim)),
                ),
            }
        });
        caret
    }
}

/// The key of a command here, else where it has one.
fn any_key(keys: &Keymap, command: &Command, place: Place) -> String {
    if let Some(key) = keys.key_in(command, place) {
        return key.shown();
    }
    match keys.places(command).first() {
        Some(&at) => {
            let names = keys.keys_at(command, at);
            format!("{}: {}", at.name(), super::help::joined(&names))
        }
        None => String::new(),
    }
}
