//! Who needs the writer, in the order in which to go there.

use super::Rows;
use crate::domain::{SessionId, State};

impl Rows {
    /// The next session that needs the writer after another one, round and round: questions first,
    /// longest waiting first; then what is unread, then what ended badly.
    pub fn next_in_need(&self, after: Option<SessionId>) -> Option<SessionId> {
        let mut calls: Vec<_> = self
            .all
            .values()
            .filter(|r| !r.row.archived && !r.row.trashed)
            .filter_map(|r| need(r.row.state).map(|n| (n, r.changed, r.row.id)))
            .collect();
        calls.sort_unstable();
        let here = calls.iter().position(|c| Some(c.2) == after);
        let next = here.map_or(0, |i| (i + 1) % calls.len());
        calls.get(next).map(|c| c.2).filter(|&s| Some(s) != after)
    }
}

fn need(state: State) -> Option<u8> {
    match state {
        State::NeedsYou => Some(0),
        State::Unread => Some(1),
        State::Failed | State::Lost => Some(2),
        State::Writing | State::Queued | State::Interrupted | State::Idle => None,
    }
}
