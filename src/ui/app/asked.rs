//! The question that is seen, and the keys that answer it.

use super::App;
use crate::domain::SessionId;
use crate::domain::head::Question;
use crate::ui::commands;
use crate::ui::focus::Pane;
use crate::ui::input::Effect;
use crate::ui::keymap::Key;

impl App {
    /// An answer, where a question is seen and a key can be one.
    pub(super) fn question_key(&mut self, key: Key) -> Option<Vec<Effect>> {
        let command = self.settings.keys.find(commands::Place::Question, key)?;
        let (session, question) = self.question()?;
        if self.pane == Pane::Draft
            || self.pane == Pane::Composer
                && (!self.desk().composer.is_empty() || key.digit().is_none())
        {
            return None;
        }
        if self
            .questions
            .is_armed(session, &question.call, self.clock.now)
        {
            return Some(self.run_key(command, key));
        }
        if self.pane == Pane::Composer {
            return None;
        }
        self.voice.say(
            "The question has only just come: press again to answer it.",
            self.clock.now,
        );
        Some(Vec::new())
    }

    /// The question that is seen: of the row under the cursor, else of the open session.
    pub(in crate::ui) fn question(&self) -> Option<(SessionId, &Question)> {
        let session = self.at_hand()?;
        let open = self.desks.get(session).filter(|d| d.is_live());
        let asked = match open {
            Some(desk) => &desk.transcript.head().asked,
            None => &self.rows.get(session)?.asked,
        };
        let question = self.questions.open(session, asked)?;
        Some((session, question))
    }

    /// Whether a question of a session waits still.
    pub(in crate::ui) fn still_asks(&self, session: SessionId, call: &str) -> bool {
        let desk = self.desks.get(session).filter(|d| d.is_live());
        let asked = match desk {
            Some(desk) => &desk.transcript.head().asked,
            None => self.rows.get(session).map_or(&[][..], |r| &r.asked),
        };
        asked.iter().any(|q| q.call == call)
    }
}
