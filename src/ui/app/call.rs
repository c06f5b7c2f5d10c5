//! Calling the writer: once for a question, once for an end that nobody saw.

use super::App;
use crate::domain::{Row, SessionId, State};
use crate::ui::input::Effect;

impl App {
    /// The terminal says whether it is looked at.
    pub(super) fn focus(&mut self, watched: bool) -> Vec<Effect> {
        self.list.unwatched = !watched;
        Vec::new()
    }

    /// Calls for a question of a session.
    pub(super) fn call_for_question(&self, session: SessionId, what: &str) -> Option<Effect> {
        let title = self.title_of(session);
        self.call(&format!("“{title}” asks: {what}"))
    }

    /// Calls for the end of a turn, when it was not on screen; `was` is the state before.
    pub(super) fn call_for_end(&self, was: Option<State>, row: &Row) -> Option<Effect> {
        let ran = matches!(was, Some(State::Writing | State::NeedsYou));
        let what = match row.state {
            State::Unread => "has ended its turn.",
            State::Failed => "failed.",
            State::Lost => "was cut.",
            _ => return None,
        };
        if !ran || !self.list.live || self.is_watched(row.id) {
            return None;
        }
        self.call(&format!("“{}” {what}", self.title_of(row.id)))
    }

    fn call(&self, text: &str) -> Option<Effect> {
        self.settings.caller.bytes(text).map(Effect::Call)
    }

    /// Whether the end of a session is before the writer's eyes, as far as the terminal tells.
    fn is_watched(&self, session: SessionId) -> bool {
        let open = self.desks.at() == Some(session);
        open && !self.list.unwatched && self.desk().transcript.at_end()
    }
}
