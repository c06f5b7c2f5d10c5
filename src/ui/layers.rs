//! Small boxes above the panes, one on top of the other: the topmost gets the keys.

pub mod agents;
pub mod busy;
pub mod confirm;
pub mod connect;
pub mod cut;
pub mod doctor;
pub mod export;
pub mod field;
pub mod filter;
pub mod go_to;
pub mod help;
pub mod import;
pub mod line;
pub mod move_to;
pub mod palette;
pub mod pick;
pub mod prompt;
pub mod queue;
pub mod recipes;
pub mod reply;
pub mod said;
pub mod search;
pub mod sheet;
pub mod stage;
pub mod variants;
pub mod view;

use std::fmt::Debug;

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use serde::{Deserialize, Serialize};

use super::app::{App, Try};
use super::asks::Purpose;
use super::commands::Command;
use super::errand::{Errand, History};
use super::settings::Choice;
use crate::domain::ask::Deed;
use crate::domain::event::Answer;
use crate::domain::search::Hit;
use crate::domain::{Recipe, Request, SessionId};
use field::Field;

/// A box above the panes.
pub trait Layer: Debug {
    /// Takes a key; no key goes past the topmost layer.
    fn press(&mut self, key: KeyEvent, app: &App) -> Next;

    /// Takes a text that came in one piece.
    fn paste(&mut self, _text: &str) {}

    /// The line that is written in it.
    fn field(&self) -> Option<&Field> {
        None
    }

    /// What stands in that line.
    fn line(&self, _app: &App) -> Option<String> {
        self.field().map(Field::text)
    }

    /// What letters are to it.
    fn takes(&self) -> Takes {
        Takes::Keys
    }

    /// The prompt that is written in it, which is there again when it is opened the next time.
    fn written(&self) -> Option<Written> {
        None
    }

    /// Looks again after a text came in; gives what is to be done then.
    fn pasted(&mut self, _app: &App) -> Option<Wish> {
        None
    }

    /// Keys for the line of hints, where it has no foot that names them.
    fn hints(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Whether what it is about is no more.
    fn is_void(&self, _app: &App) -> bool {
        false
    }

    /// Draws itself on a screen, and says where the caret belongs.
    fn draw(&mut self, screen: Rect, buf: &mut Buffer, app: &App) -> Option<Position>;
}

/// A prompt that was written in a box and not sent.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Written {
    /// To.
    pub session: SessionId,
    /// It is for a new variant.
    pub is_variant: bool,
    /// As it was left.
    pub text: String,
}

/// What letters are to a layer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Takes {
    /// Keys, each of which may do something.
    Keys,
    /// Text, in which a line can end.
    Text,
    /// One line: a line end behind it is Enter.
    Line,
}

/// What becomes of a layer after a key.
#[derive(Debug)]
pub enum Next {
    /// It stays.
    Stay,
    /// It goes.
    Close,
    /// It goes, and this is to be done.
    Then(Wish),
    /// It stays, and this is to be done.
    Keep(Wish),
}

/// What a layer can want of the window: a closed list, so that each can be found.
#[derive(Debug)]
pub enum Wish {
    /// A command.
    Run(&'static Command),
    /// The list is filtered.
    Filter(String),
    /// A session is opened.
    Open(SessionId),
    /// Words are looked for in everything.
    Look(String),
    /// The search of everything opens with these words.
    Search(String),
    /// No more is looked for.
    LookNoMore,
    /// A session is opened at a place that was found.
    Hit(Box<Hit>),
    /// Another agent from the next turn on.
    Choose(Choice),
    /// The host is asked.
    Ask(Request, Purpose),
    /// A deed on a session, and what to say when it is done.
    Do(SessionId, Deed, String),
    /// A question is answered.
    Answer(SessionId, String, Answer),
    /// Turns that ended before their time go on.
    Again(Vec<SessionId>),
    /// Histories from elsewhere become sessions.
    Import(Vec<History>),
    /// A recipe runs.
    Follow(Recipe),
    /// A waiting prompt, by its number, gets other words than these.
    Edit(SessionId, u32, String),
    /// A text is read, under a title.
    View(String, String),
    /// What is written in a session's composer is tried in variants of it.
    Try(SessionId, String, Vec<Try>),
    /// A text goes to the clipboard.
    Copy(String),
    /// Something is done outside the host.
    Errand(Errand),
    /// How everything is.
    Doctor,
    /// Something is said.
    Say(String),
}
