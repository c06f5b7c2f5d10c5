//! What was typed before the draft came: it waits, in order, and goes in once the text is there.

use std::collections::HashMap;

use crossterm::event::KeyEvent;

use super::{Draft, Editor};
use crate::domain::SessionId;

/// One thing that was pressed or pasted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Early {
    /// A key.
    Key(KeyEvent),
    /// Letters that came together.
    Typed(String),
    /// A text that came in one piece.
    Paste(String),
}

impl Early {
    fn put(&self, editor: &mut Editor, now: i64) {
        match self {
            Self::Key(event) => drop(editor.press(*event, now)),
            Self::Typed(text) => editor.type_text(text, now),
            Self::Paste(text) => editor.paste(text, now),
        }
    }
}

/// What waits, by the session whose draft it is for.
#[derive(Debug, Default)]
pub struct Earlies(HashMap<SessionId, Vec<Early>>);

impl Earlies {
    /// Keeps one behind those that wait already.
    pub fn keep(&mut self, session: SessionId, early: Early) {
        self.0.entry(session).or_default().push(early);
    }

    /// Whether anything waits.
    pub fn any(&self) -> bool {
        !self.0.is_empty()
    }

    /// The sessions whose drafts are waited for.
    pub fn sessions(&self) -> Vec<SessionId> {
        self.0.keys().copied().collect()
    }

    /// Takes what waits for a draft, oldest first.
    pub fn take(&mut self, session: SessionId) -> Vec<Early> {
        self.0.remove(&session).unwrap_or_default()
    }

    /// What it comes to where nothing else is written.
    pub fn text(&self, session: SessionId) -> String {
        let Some(early) = self.0.get(&session) else {
            return String::new();
        };
        let mut editor = Editor::new("");
        for one in early {
            one.put(&mut editor, 0);
        }
        editor.words().text()
    }
}

impl Draft {
    /// Takes in what was typed before it came.
    pub fn take_early(&mut self, early: &[Early], now: i64) {
        for one in early {
            one.put(&mut self.editor, now);
        }
        self.changed(now);
    }
}
