//! What the host tells of itself.

use std::sync::atomic::Ordering;

use super::shared::{Shared, now};
use crate::config::build;
use crate::domain::State::{NeedsYou, Writing};
use crate::domain::ask::Status;
use crate::domain::{Row, SessionId};

/// Rows of the sessions with a running turn, or one that is about to begin.
pub(super) fn running(shared: &Shared) -> Vec<Row> {
    let runs = |r: &Row| matches!(r.state, NeedsYou | Writing);
    shared.rows.those(runs)
}

pub(super) fn turns(shared: &Shared) -> Vec<SessionId> {
    running(shared).into_iter().map(|row| row.id).collect()
}

/// What is lost where the host ends now, as the beginning of a sentence; none where nothing is.
pub(super) fn waits(shared: &Shared) -> Option<String> {
    let unsaved = shared.life.unsaved.sessions();
    let named = |id: &SessionId| match shared.rows.get(*id) {
        Some(row) => format!("“{}”", row.title),
        None => id.to_string(),
    };
    let titles: Vec<String> = unsaved.iter().map(named).collect();
    let what = "is kept in memory until the disk has room";
    (!titles.is_empty()).then(|| format!("What was done last in {} {what}", titles.join(", ")))
}

pub(super) fn of(shared: &Shared) -> Status {
    Status {
        pid: std::process::id(),
        build: build(),
        since: shared.life.since,
        turns: turns(shared),
        windows: shared.life.windows.load(Ordering::Relaxed),
        memory: memory(),
        reading: shared.access.why(now()),
        unsaved: waits(shared),
    }
}

/// Resident bytes of this process (`/proc/self/statm`, second field, in pages).
fn memory() -> Option<u64> {
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * rustix::param::page_size() as u64)
}
