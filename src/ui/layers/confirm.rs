//! A yes or no: before something that no key undoes, and where something is offered.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::sheet::sheet;
use super::{Layer, Next, Wish};
use crate::domain::ask::Deed;
use crate::domain::drawer::MemoryDeed;
use crate::domain::{Request, Row};
use crate::text::{one_line, wrap};
use crate::ui::app::App;
use crate::ui::asks::Purpose;

/// Cells of its text.
const WIDTH: u16 = 58;

/// The question.
#[derive(Debug)]
pub struct Confirm {
    title: &'static str,
    text: String,
    yes: Option<Wish>,
}

impl Confirm {
    /// Whether what a damaged log still holds counts as the whole.
    pub fn accept(row: &Row, title: &str) -> Self {
        let trouble = row.trouble.as_deref().unwrap_or_default();
        let said = "The session can be written again.".to_owned();
        Self {
            title: "Sure?",
            text: format!(
                "{}\nAccept what is left of “{}”? Nothing is deleted; new events follow after what could be read.",
                one_line(trouble),
                title
            ),
            yes: Some(Wish::Do(row.id, Deed::Accept, said)),
        }
    }

    /// Whether the agent of a finished piece is asked for what is worth keeping.
    pub fn keep(row: &Row, title: &str) -> Self {
        let deed = MemoryDeed::Ask { session: row.id };
        let collection = row.collection.clone();
        let said = "Asked: what it proposes waits in the memory until you decide.".to_owned();
        Self {
            title: "Done",
            text: format!(
                "Ask {} for what is worth keeping of “{title}”: its line in the index, names, facts, terms? It proposes, you decide.",
                one_line(&row.agent)
            ),
            yes: Some(Wish::Ask(
                Request::Memory { collection, deed },
                Purpose::Say(said),
            )),
        }
    }
}

impl Confirm {
    /// Whether a deed of an earlier sitting is undone, or done again.
    pub fn older(text: String, yes: Wish) -> Self {
        Self {
            title: "Of an earlier time",
            text,
            yes: Some(yes),
        }
    }

    /// The same of one that was not done where the writer is.
    pub fn elsewhere(text: String, yes: Wish) -> Self {
        Self {
            title: "Done elsewhere",
            text,
            yes: Some(yes),
        }
    }

    /// Whether agents may do again what they may not any more.
    pub fn rights(text: String, yes: Wish) -> Self {
        Self {
            title: "What agents may do",
            text,
            yes: Some(yes),
        }
    }
}

impl Layer for Confirm {
    fn press(&mut self, key: KeyEvent, _: &App) -> Next {
        match key.code {
            KeyCode::Char('y') => self.yes.take().map_or(Next::Close, Next::Then),
            KeyCode::Char('n') | KeyCode::Esc => Next::Close,
            _ => Next::Stay,
        }
    }

    fn draw(&mut self, screen: Rect, buf: &mut Buffer, app: &App) -> Option<Position> {
        let theme = &app.settings.theme;
        let rows = wrap(&self.text, WIDTH as usize);
        let height = u16::try_from(rows.len()).unwrap_or(u16::MAX);
        let room = sheet(
            screen,
            buf,
            theme,
            (WIDTH, height),
            (self.title, "y yes · n no"),
        );
        for (range, at) in rows.into_iter().zip(room.rows()) {
            let line = self.text.get(range).unwrap_or_default();
            buf.set_stringn(at.x, at.y, line.trim_end(), at.width as usize, theme.base);
        }
        None
    }
}
