//! What holds now, for panes and conditions of commands.

use ratatui::layout::Rect;

use super::App;
use crate::domain::head::Waiting;
use crate::domain::{Row, SessionId, State};
use crate::ui::transcript::Selected;

impl App {
    /// Prompts that wait in the open session.
    pub(in crate::ui) fn waiting(&self) -> &[Waiting] {
        &self.desk().transcript.head().queue
    }

    /// Whether prompts wait though no turn runs: the host ended in between.
    pub(in crate::ui) fn is_held(&self) -> bool {
        let row = self.desks.at().and_then(|s| self.rows.get(s));
        row.is_some_and(|r| r.held || (r.state == State::Lost && r.queued > 0))
    }

    /// Whether a session's turn was told to stop and has not ended yet.
    pub(in crate::ui) fn is_stopping(&self, session: SessionId) -> bool {
        let runs = |r: &Row| matches!(r.state, State::Writing | State::NeedsYou);
        let row = self.rows.get(session).filter(|r| runs(r));
        row.is_some_and(|r| self.list.stopping.get(&session) == Some(&r.since))
    }

    /// The message at the reading place, and its session.
    pub(in crate::ui) fn message_at_hand(&self) -> Option<(SessionId, Selected)> {
        let message = self.desk().transcript.selected_message()?;
        Some((self.desks.at()?, message))
    }

    /// Where the list was drawn last; none when it is not shown.
    pub(in crate::ui) fn list_at(&self) -> Option<Rect> {
        self.list.at
    }

    /// Whether nothing can be written in this workspace for now.
    pub(in crate::ui) fn is_reading(&self) -> bool {
        self.list.reading
    }
}
