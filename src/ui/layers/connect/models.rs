//! The models of one way, found by a few letters.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

use super::text;
use crate::config::edit::Answer;
use crate::config::found::Way;
use crate::text::one_line;
use crate::ui::app::App;
use crate::ui::errand::{Errand, Sought};
use crate::ui::layers::field::Field;
use crate::ui::layers::pick::{Pick, ranked};
use crate::ui::layers::sheet::sheet;
use crate::ui::layers::{Next, Wish};
use crate::ui::panes::headed;

/// Cells and rows.
const SIZE: (u16, u16) = (68, 14);

/// The list of models.
#[derive(Debug)]
pub(super) struct Models {
    way: Way,
    /// Those that are known already; what the errand brings, else.
    known: Option<Vec<String>>,
    pub(super) field: Field,
    pick: Pick,
}

impl Models {
    pub(super) fn of(way: Way, known: Option<Vec<String>>) -> Self {
        Self {
            way,
            known,
            field: Field::default(),
            pick: Pick::default(),
        }
    }

    /// The models, or what is to be said in their place.
    fn all<'a>(&'a self, app: &'a App) -> Result<&'a [String], String> {
        if let Some(known) = &self.known {
            return Ok(known);
        }
        match &app.settings.first.errands.models.1 {
            Sought::Here(Ok(models)) => Ok(models),
            Sought::Here(Err(why)) => Err(why.clone()),
            _ => Err(format!("Asking {}…", self.way.title)),
        }
    }

    fn found<'a>(&self, all: &'a [String]) -> Vec<&'a String> {
        ranked(&self.field.text(), all.iter().map(String::as_str))
            .into_iter()
            .filter_map(|i| all.get(i))
            .collect()
    }

    pub(super) fn press(&mut self, key: KeyEvent, app: &App) -> Next {
        let all = self.all(app).map(<[String]>::to_vec).unwrap_or_default();
        let found = self.found(&all);
        if key.code == KeyCode::Enter {
            return match found.get(self.pick.at) {
                Some(model) => {
                    let answer = Answer::Take(self.way.clone(), Some((*model).clone()));
                    Next::Then(Wish::Errand(Errand::Keep(answer)))
                }
                None => Next::Stay,
            };
        }
        if !self.pick.press(key, found.len()) && self.field.press(key) {
            self.pick = Pick::default();
        }
        Next::Stay
    }

    pub(super) fn paste(&mut self, text: &str) {
        self.field.paste(text);
        self.pick = Pick::default();
    }

    pub(super) fn draw(&mut self, screen: Rect, buf: &mut Buffer, app: &App) -> Option<Position> {
        let theme = &app.settings.theme;
        let title = format!("A model of {}", one_line(&self.way.title));
        let all = self.all(app);
        let foot = match &all {
            Ok([_, ..]) => "Enter chooses · Esc goes back",
            Ok([]) | Err(_) => "Esc goes back",
        };
        let room = sheet(screen, buf, theme, SIZE, (&title, foot));
        let all = match all {
            Ok(all) => all.to_vec(),
            Err(why) => {
                text(room, buf, theme, &why);
                return None;
            }
        };
        let (top, rest) = headed(room);
        let caret = self
            .field
            .draw(top, buf, theme, "a few letters of its name");
        let found = self.found(&all);
        if found.is_empty() {
            let why = if all.is_empty() {
                "It has no model yet."
            } else {
                "No model is called that. Fewer letters find more."
            };
            text(rest, buf, theme, why);
        }
        self.pick.draw(rest, buf, theme, found.len(), |i| {
            let name = found.get(i).map(|m| one_line(m)).unwrap_or_default();
            (Line::from(name), Line::default())
        });
        caret
    }
}
