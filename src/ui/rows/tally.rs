//! Sums over the sessions of a shelf.

use crate::domain::{Row, State};

/// Sums over the sessions of a shelf.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Sessions.
    pub sessions: usize,
    /// Words of their drafts.
    pub words: u64,
    /// Those that write.
    pub writing: usize,
    /// Those that need the writer.
    pub needs_you: usize,
    /// Those that ended well and were not seen.
    pub unread: usize,
    /// Those whose last turn failed or was lost.
    pub failed: usize,
    /// Prompts that wait.
    pub queued: usize,
    /// Proposals for the memory that wait.
    pub proposals: usize,
}

impl Tally {
    /// Counts a session with its words.
    pub(super) fn add(&mut self, row: &Row) {
        self.add_beside(row);
        self.words += row.words;
    }

    /// Counts a session whose words stand for no piece.
    pub(super) fn add_beside(&mut self, row: &Row) {
        self.sessions += 1;
        self.writing += usize::from(row.state == State::Writing);
        self.needs_you += usize::from(row.state == State::NeedsYou);
        self.unread += usize::from(row.state == State::Unread);
        self.failed += usize::from(matches!(row.state, State::Failed | State::Lost));
        self.queued += row.queued as usize;
    }
}
