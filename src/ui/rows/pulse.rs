//! Rows that change with the clock alone: agents that wait, and money that was spent today.

use std::collections::{HashMap, HashSet};

use super::Rows;
use crate::domain::{Row, SessionId, Spent};

/// Which rows those are.
#[derive(Debug, Default)]
pub(super) struct Pulse {
    /// Sessions whose agent waits, and until when, milliseconds since 1970.
    waits: HashMap<SessionId, i64>,
    /// Sessions that spent something in the last day.
    spenders: HashSet<SessionId>,
}

impl Pulse {
    /// Takes in a row.
    pub(super) fn put(&mut self, row: &Row) {
        match &row.pause {
            Some(pause) => self.waits.insert(row.id, pause.until),
            None => self.waits.remove(&row.id),
        };
        if row.money.lately.is_empty() {
            self.spenders.remove(&row.id);
        } else {
            self.spenders.insert(row.id);
        }
    }
}

impl Rows {
    /// Whether an agent waits at a time, milliseconds since 1970: its row counts the seconds.
    pub fn any_waits(&self, now: i64) -> bool {
        self.pulse.waits.values().any(|until| *until > now)
    }

    /// What was spent between two times, milliseconds since 1970, over all sessions.
    pub fn spent(&self, from: i64, to: i64) -> Spent {
        let mut sum = Spent::default();
        for row in self.pulse.spenders.iter().filter_map(|s| self.get(*s)) {
            sum.add(&row.money.between(from, to));
        }
        sum
    }
}
