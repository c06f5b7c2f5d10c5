//! Turns that ended before their time, and going on with them: only ever by a key.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::HashSet;

use super::{App, NO_SESSION};
use crate::domain::event::Status;
use crate::domain::{Head, Request, Row, SessionId, State};
use crate::ui::asks::Purpose;
use crate::ui::focus::Pane;
use crate::ui::input::Effect;

/// A turn that has told nothing for so long says so, milliseconds.
const SILENT: i64 = 20_000;
/// A line that came under the writer's fingers stays so long at least, milliseconds.
const READ: i64 = 1_500;

/// Sessions whose turn was cut, as far as they were spoken of.
#[derive(Debug, Default)]
pub(super) struct Cut {
    /// Said, and cut still.
    said: HashSet<SessionId>,
    /// Being said.
    telling: HashSet<SessionId>,
    /// Since when, milliseconds since 1970.
    since: i64,
}

impl Cut {
    /// Of these it was spoken before.
    pub(super) fn said_before(sessions: &[SessionId]) -> Self {
        Self {
            said: sessions.iter().copied().collect(),
            ..Self::default()
        }
    }
}

impl App {
    /// Takes in a session's state, for what is to be said of cut turns.
    pub(super) fn mark_cut(&mut self, session: SessionId, state: State) {
        let cut = &mut self.list.cut;
        if state != State::Lost {
            cut.said.remove(&session);
            cut.telling.remove(&session);
        } else if !cut.said.contains(&session) && cut.telling.insert(session) {
            cut.since = self.clock.now;
        }
    }

    /// A key was pressed: what could be read of cut turns has been said.
    pub(super) fn cut_is_said(&mut self) {
        let cut = &mut self.list.cut;
        if self.list.live && cut.since + READ <= self.clock.now {
            let telling = std::mem::take(&mut cut.telling);
            cut.said.extend(telling);
        }
    }

    /// Sessions whose cut turn this window has spoken of.
    pub(super) fn cut_told(&self) -> Vec<SessionId> {
        let cut = &self.list.cut;
        let mut told: Vec<_> = cut.said.union(&cut.telling).copied().collect();
        told.sort_unstable();
        told
    }

    /// What is to be said of turns that were cut.
    pub(in crate::ui) fn cut_line(&self) -> Option<String> {
        let many = self.list.cut.telling.len();
        if many == 0 || !self.list.live {
            return None;
        }
        let key = self.key_of("turn.cut");
        let way = match self.key_of_here("composer.leave") {
            Some(leave) if self.pane == Pane::Composer => format!("{leave}, then {key}"),
            _ => key,
        };
        Some(if many == 1 {
            format!("1 turn was cut when the host ended: {way} shows it.")
        } else {
            format!("{many} turns were cut when the host ended: {way} lists them.")
        })
    }

    /// The sessions whose turn was cut, the newest first.
    pub(in crate::ui) fn cut_turns(&self) -> Vec<&Row> {
        let lost = |r: &&Row| r.state == State::Lost && !r.trashed;
        let mut rows: Vec<_> = self.rows.every().filter(lost).collect();
        rows.sort_unstable_by_key(|r| (Reverse(r.updated), r.id));
        rows
    }

    /// Goes on with sessions where their turn ended.
    pub(super) fn again(&mut self, sessions: &[SessionId]) -> Vec<Effect> {
        let ask = |&session: &SessionId| {
            let title = self.title_of(session);
            self.ask(Request::Again { session }, Purpose::Again(title))
        };
        sessions.iter().map(ask).collect()
    }

    /// Goes on with the session at hand.
    pub(in crate::ui) fn again_here(&mut self) -> Vec<Effect> {
        let session = self.at_hand();
        self.again(session.as_slice())
    }

    /// Why the session at hand cannot go on from where it is.
    pub(in crate::ui) fn why_not_again(&self) -> Option<&'static str> {
        let Some(row) = self.row_at_hand() else {
            return Some(NO_SESSION);
        };
        match row.state {
            State::Lost | State::Failed | State::Interrupted => None,
            State::Queued if self.ended_badly(row.id) => None,
            State::Writing if self.silence_of(row.id).is_some() => None,
            State::Writing | State::NeedsYou => Some("Its turn runs."),
            _ => Some("Its last turn ended well: write what comes next."),
        }
    }

    fn ended_badly(&self, session: SessionId) -> bool {
        let turn = self.head_of(session).and_then(|h| h.turn.as_ref());
        let end = turn.and_then(|t| t.end.as_ref());
        end.is_some_and(|e| e.0 != Status::Ok)
    }

    /// The head of a session that is attached.
    fn head_of(&self, session: SessionId) -> Option<&Head> {
        let desk = self.desks.get(session)?;
        desk.link?;
        Some(desk.transcript.head())
    }

    /// How long the open session's turn has told nothing, when that is long, in milliseconds in which the machine
    /// was awake; and how long it slept in that time.
    pub(in crate::ui) fn silence(&self) -> Option<(i64, i64)> {
        self.silence_of(self.desks.at()?)
    }

    fn silence_of(&self, session: SessionId) -> Option<(i64, i64)> {
        let head = self.head_of(session)?;
        let turn = head.turn.as_ref().filter(|t| t.end.is_none())?;
        if !head.asked.is_empty() || self.is_stopping(session) {
            return None;
        }
        let waited = turn.pause.as_ref().map_or(0, |p| p.until);
        let last = turn.heard.max(waited);
        let sleeps = &self.clock.sleeps;
        let silent = sleeps.awake(last, self.clock.now);
        (silent >= SILENT).then(|| (silent, sleeps.since(last)))
    }

    /// Title of a session, for a line that is said.
    pub(in crate::ui) fn title_of(&self, session: SessionId) -> String {
        let row = self.rows.get(session).map(|row| self.rows.title_of(row));
        let head = || Some(self.desks.get(session)?.transcript.head().whole_title());
        let title = row.or_else(|| head().map(Cow::into_owned));
        crate::text::one_line(title.as_deref().unwrap_or("Untitled"))
    }
}
