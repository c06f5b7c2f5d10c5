//! The question that is seen, and the keys that answer it.

use super::App;
use crate::domain::SessionId;
use crate::domain::head::Question;
use crate::ui::commands;
use crate::ui::focus::Pane;
use crate::ui::input::Effect;
use crate::ui::keymap::Key;

/// A digit in the composer answers only after nothing was typed for so long, milliseconds: whoever writes on while a
/// question comes answers nothing.
const PAUSE: i64 = 2_000;

/// When a key was last typed where the writer has just gone to a question on purpose.
const ON_PURPOSE: i64 = i64::MIN;

/// Whether keys are answers to the question that is seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::ui) enum Answering {
    /// They are.
    Now,
    /// They are once nothing was typed for a while.
    AfterPause,
    /// They are text here.
    Outside,
}

impl App {
    /// Whether keys are answers now.
    pub(in crate::ui) fn answering(&self) -> Answering {
        if matches!(self.pane, Pane::Draft | Pane::View) {
            Answering::Outside
        } else if self.pane != Pane::Composer {
            Answering::Now
        } else if !self.desk().composer.is_empty() {
            Answering::Outside
        } else if self.clock.now < self.digits_from() {
            Answering::AfterPause
        } else {
            Answering::Now
        }
    }

    /// From when on a digit in the composer is an answer: nothing was typed for a while, and the question was seen for
    /// one. Whoever has gone to it on purpose waits for neither.
    fn digits_from(&self) -> i64 {
        if self.clock.typed == ON_PURPOSE {
            return ON_PURPOSE;
        }
        let asked = self.question();
        let armed = asked.and_then(|(s, q)| self.questions.armed_at(s, &q.call));
        let typed = self.clock.typed.saturating_add(PAUSE);
        typed.max(armed.unwrap_or(typed))
    }

    /// When a digit becomes an answer by itself.
    pub(super) fn answers_at(&self) -> Option<i64> {
        let waits = self.answering() == Answering::AfterPause && self.question().is_some();
        waits.then(|| self.digits_from())
    }

    /// The writer has gone to who needs an answer: a digit is meant as one there, and never as the beginning of a text.
    pub(in crate::ui) fn went_to_answer(&mut self) {
        if self.question().is_some() {
            self.clock.typed = ON_PURPOSE;
        }
    }

    /// The question at hand is before the writer's eyes.
    pub(super) fn see_question(&mut self) {
        let seen = self.question().map(|(s, q)| (s, q.call.clone()));
        if let Some((session, call)) = seen {
            self.questions.see(session, &call, self.clock.now);
        }
    }

    /// An answer, where a question is seen and a key can be one.
    pub(super) fn question_key(&mut self, key: Key) -> Option<Vec<Effect>> {
        let command = self.settings.keys.find(commands::Place::Question, key)?;
        let (session, question) = self.question()?;
        let typed = match self.pane {
            Pane::Draft | Pane::View => true,
            Pane::Composer => key.digit().is_none(),
            _ => false,
        };
        if typed || self.answering() != Answering::Now {
            return None;
        }
        if self
            .questions
            .is_armed(session, &question.call, self.clock.now)
        {
            return Some(self.run_key(command, key));
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
