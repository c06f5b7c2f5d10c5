//! Looks around while the host lives: whether its folder is where it was, and whether another machine writes there.

use std::sync::Arc;
use std::time::Duration;

use super::Host;
use super::presence::BEAT;
use super::shared::{Shared, now};

/// How often it looks where nothing tells of changes.
const LOOK: Duration = Duration::from_secs(5);

/// Looks until the host ends: when the system tells of something, with each beat and, where it tells nothing, often.
/// Where the folder went away the host ends by itself, as soon as no turn runs: a window that finds the folder again
/// needs a host that knows its new place.
pub(super) async fn watch(host: Host) {
    let shared = &host.0;
    loop {
        let rest = if shared.watch.tells_of_door() {
            BEAT
        } else {
            LOOK
        };
        tokio::select! {
            () = tokio::time::sleep(rest) => {}
            () = shared.watch.door.news.notified() => {}
            () = shared.life.closing.cancelled() => return,
        }
        look(shared).await;
        shared.watch.door.looked.notify_one();
        if !at_home(shared) {
            return host.close(false).await;
        }
    }
}

/// Whether the host still is where its windows look for it, or has turns to bring to their end.
pub(super) fn at_home(shared: &Shared) -> bool {
    *shared.life.busy.borrow() > 0 || !shared.access.is_away()
}

/// One look, and what follows from it.
pub(super) async fn look(shared: &Arc<Shared>) {
    let (looking, before) = (shared.clone(), shared.access.is_reading());
    // A folder that hangs holds up a thread of its own. One that panics has seen nothing.
    let look = move || {
        looking.access.look(now());
        looking.access.hold_door(&looking.watch);
    };
    drop(tokio::task::spawn_blocking(look).await);
    tell(shared);
    if before && !shared.access.is_reading() {
        super::recover(shared).await;
    }
}

/// Says on every window what may be done here.
pub(super) fn tell(shared: &Arc<Shared>) {
    let why = shared.access.why(now()).unwrap_or_default();
    shared.rows.reading(!why.is_empty());
    shared.rows.banner("workspace", why);
}
