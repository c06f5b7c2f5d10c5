//! One line asked of the writer about a collection: its title, what it is, how many words.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::field::Field;
use super::sheet::sheet;
use super::{Layer, Next, Takes, Wish};
use crate::domain::ask::DrawerDeed;
use crate::domain::{Change, CollectionId, Request, SessionId};
use crate::text::one_line;
use crate::ui::app::App;
use crate::ui::asks::{Filing, Purpose};

/// What the line is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Says {
    /// Its title.
    Title,
    /// What it is.
    About,
    /// Words of the whole.
    Target,
    /// Words a day.
    Day,
    /// Words of a piece.
    Piece(SessionId),
    /// A folder of files that becomes one.
    Folder,
}

/// The line being written.
#[derive(Debug)]
pub struct Said {
    collection: CollectionId,
    says: Says,
    field: Field,
    wrong: Option<&'static str>,
}

impl Said {
    /// With what stands there now.
    pub fn new(collection: CollectionId, says: Says, now: &str) -> Self {
        Self {
            collection,
            says,
            field: Field::new(now),
            wrong: None,
        }
    }

    fn titles(&self) -> (&'static str, &'static str) {
        match self.says {
            Says::Title => (
                "Rename the collection",
                "its title; the folder keeps its name",
            ),
            Says::About => ("What it is", "a line; empty takes it out"),
            Says::Target => ("Words of the whole", "a number; empty for none"),
            Says::Day => ("Words a day", "a number; empty for none"),
            Says::Piece(_) => ("Words of this piece", "a number; empty for none"),
            Says::Folder => (
                "A collection of a folder's Markdown files",
                "the folder; its files stay as they are",
            ),
        }
    }

    fn words(text: &str) -> Result<Option<u64>, &'static str> {
        let digits: String = text
            .chars()
            .filter(|c| !matches!(c, ',' | '.' | ' ' | '’'))
            .collect();
        match digits.as_str() {
            "" => Ok(None),
            digits => digits
                .parse()
                .map(Some)
                .map_err(|_| "It takes a number of words."),
        }
    }

    fn wish(&self) -> Result<Option<Wish>, &'static str> {
        let text = one_line(self.field.text().trim());
        let (change, said) = match self.says {
            Says::Title | Says::Folder if text.is_empty() => return Ok(None),
            Says::Title => (
                Change::Title(text.clone()),
                format!("It is called “{text}” now."),
            ),
            Says::About => (
                Change::About(Some(text)),
                "Its description is written.".to_owned(),
            ),
            Says::Target => {
                let n = Self::words(&text)?;
                (Change::Target(n), "The target is set.".to_owned())
            }
            Says::Day => {
                let n = Self::words(&text)?;
                (Change::Day(n), "The words a day are set.".to_owned())
            }
            Says::Piece(id) => {
                let n = Self::words(&text)?;
                (
                    Change::PieceTarget(id, n),
                    "The target of the piece is set.".to_owned(),
                )
            }
            Says::Folder => {
                let (folder, title) = (text, None);
                let deed = DrawerDeed::FromFolder { folder, title };
                let purpose = Purpose::Drawer(Filing::Gathered);
                return Ok(Some(Wish::Ask(Request::Drawer { deed }, purpose)));
            }
        };
        let collection = self.collection.clone();
        let purpose = Purpose::Drawer(Filing::Changed(said));
        let deed = DrawerDeed::Change { collection, change };
        Ok(Some(Wish::Ask(Request::Drawer { deed }, purpose)))
    }
}

impl Layer for Said {
    fn press(&mut self, key: KeyEvent, _: &App) -> Next {
        self.wrong = None;
        match key.code {
            KeyCode::Esc => Next::Close,
            KeyCode::Enter => match self.wish() {
                Ok(wish) => wish.map_or(Next::Stay, Next::Then),
                Err(why) => {
                    self.wrong = Some(why);
                    Next::Stay
                }
            },
            _ => {
                self.field.press(key);
                Next::Stay
            }
        }
    }

    fn takes(&self) -> Takes {
        Takes::Line
    }

    fn field(&self) -> Option<&Field> {
        Some(&self.field)
    }

    fn paste(&mut self, text: &str) {
        self.field.paste(text);
    }

    fn draw(&mut self, screen: Rect, buf: &mut Buffer, app: &App) -> Option<Position> {
        let theme = &app.settings.theme;
        let (title, hint) = self.titles();
        let foot = self.wrong.unwrap_or("Enter · Esc closes");
        let room = sheet(screen, buf, theme, (60, 1), (title, foot));
        self.field.draw(room, buf, theme, hint)
    }
}
