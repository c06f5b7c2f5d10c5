//! The host from its beginning to its end.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::adopt::Waits;
use super::session::warm::Warm;
use crate::domain::SessionId;
use crate::domain::notice::Notice;

/// How long the end of the host waits for windows to hear of it.
pub const LEAVE: Duration = Duration::from_millis(500);
/// How long the one that started it may take to connect.
const FIRST: Duration = Duration::from_secs(20);

/// How often it is looked whether the disk has taken what waited for it.
const ROOM: Duration = Duration::from_secs(1);

/// When it begins, what keeps it alive, how it ends.
pub(super) struct Life {
    /// When it began, milliseconds since 1970.
    pub(super) since: i64,
    /// How many sessions have a turn, or one that waits for its place.
    pub(super) busy: watch::Sender<usize>,
    /// Every actor and what it started.
    pub(super) actors: TaskTracker,
    /// Cancelled when the host takes no more requests.
    pub(super) closing: CancellationToken,
    /// Whether somebody asked for its end.
    stopped: AtomicBool,
    /// Cancelled when it has ended.
    pub(super) closed: CancellationToken,
    /// Cancelled when its windows have heard of it, or had their time to.
    pub(super) gone: CancellationToken,
    /// Windows and followers attached.
    pub(super) windows: AtomicU32,
    /// Its connections.
    guests: watch::Sender<usize>,
    /// The agents that are processes.
    pub(super) warm: Warm,
    /// What is done one after the other.
    pub(super) one: OneByOne,
    /// What would be lost if it ended now.
    pub(super) unsaved: Unsaved,
}

/// What sessions hold in memory since the disk takes nothing: of each in trouble, the bytes that wait.
#[derive(Debug, Default)]
pub(super) struct Unsaved(Mutex<HashMap<SessionId, Arc<AtomicU64>>>);

impl Unsaved {
    /// A session is in trouble; `pending` counts what of it waits.
    pub(super) fn hold(&self, id: SessionId, pending: Arc<AtomicU64>) {
        self.all().insert(id, pending);
    }

    /// It is no more, or has ended. One that was opened since, and is in trouble itself, has another count.
    pub(super) fn free(&self, id: SessionId, pending: &Arc<AtomicU64>) {
        self.all()
            .retain(|of, n| *of != id || !Arc::ptr_eq(n, pending));
    }

    /// Those of which something would be lost.
    pub(super) fn sessions(&self) -> Vec<SessionId> {
        let waits = |(_, n): &(&SessionId, &Arc<AtomicU64>)| n.load(Ordering::Acquire) > 0;
        self.all().iter().filter(waits).map(|(id, _)| *id).collect()
    }

    fn all(&self) -> MutexGuard<'_, HashMap<SessionId, Arc<AtomicU64>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is done one after the other: each is held while it is done.
#[derive(Debug, Default)]
pub(super) struct OneByOne {
    /// Folders get other names.
    pub(super) adopting: Arc<tokio::sync::Mutex<()>>,
    /// Adoptions that wait for turns to end.
    pub(super) waits: Waits,
    /// A `collection.toml` is changed.
    pub(super) filing: tokio::sync::Mutex<()>,
    /// A history is imported: none comes in twice.
    pub(super) importing: Arc<tokio::sync::Mutex<()>>,
}

/// A connection, counted while it lives.
#[derive(Debug)]
pub(super) struct Guest(watch::Sender<usize>);

impl Drop for Guest {
    fn drop(&mut self) {
        self.0.send_modify(|n| *n = n.saturating_sub(1));
    }
}

impl Life {
    pub(super) fn begin() -> Self {
        Self {
            since: jiff::Timestamp::now().as_millisecond(),
            busy: watch::Sender::new(0),
            actors: TaskTracker::new(),
            closing: CancellationToken::new(),
            stopped: AtomicBool::new(false),
            closed: CancellationToken::new(),
            gone: CancellationToken::new(),
            windows: AtomicU32::new(0),
            guests: watch::Sender::new(0),
            warm: Warm::new(),
            one: OneByOne::default(),
            unsaved: Unsaved::default(),
        }
    }

    /// What windows are told of its end.
    pub(super) fn end(&self) -> Notice {
        Notice::Closing {
            stopped: self.stopped.load(Ordering::Relaxed),
        }
    }

    /// Somebody asks for its end.
    pub(super) fn ask_to_stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Counts a connection.
    pub(super) fn guest(&self) -> Guest {
        self.guests.send_modify(|n| *n += 1);
        Guest(self.guests.clone())
    }

    /// Waits until no turn runs and none waits for its place.
    pub(super) async fn idle(&self) {
        none(&self.busy).await;
    }

    /// Waits until somebody connects, but not for ever.
    pub(super) async fn visited(&self) {
        let mut guests = self.guests.subscribe();
        drop(tokio::time::timeout(FIRST, guests.wait_for(|n| *n > 0)).await);
    }

    /// Waits until nobody has been connected and no turn has run for so long, and nothing waits in memory for the disk.
    pub(super) async fn alone(&self, stay: Duration) {
        let mut wait = stay;
        loop {
            let (mut busy, mut guests) = (self.busy.subscribe(), self.guests.subscribe());
            let still = *busy.borrow_and_update() + *guests.borrow_and_update() == 0;
            // The senders live as long as the host. Each change counts, one that is over at once too.
            tokio::select! {
                _ = busy.changed() => wait = stay,
                _ = guests.changed() => wait = stay,
                () = tokio::time::sleep(wait), if still => {
                    if self.unsaved.sessions().is_empty() {
                        return;
                    }
                    wait = ROOM;
                }
            }
        }
    }

    /// Says that it has ended. What was answered shall be heard; a window that does not listen is not waited for.
    pub(super) async fn over(&self) {
        self.closed.cancel();
        drop(tokio::time::timeout(LEAVE, none(&self.guests)).await);
        self.gone.cancel();
    }
}

async fn none(count: &watch::Sender<usize>) {
    // The sender lives as long as the host.
    drop(count.subscribe().wait_for(|n| *n == 0).await);
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAY: Duration = Duration::from_secs(60);

    async fn ends_within(life: &Life, secs: u64) -> bool {
        let waited = tokio::time::timeout(Duration::from_secs(secs), life.alone(STAY));
        waited.await.is_ok()
    }

    #[tokio::test(start_paused = true)]
    async fn it_stays_while_a_window_is_there_or_a_turn_runs_and_a_while_after() {
        let life = Life::begin();
        let window = life.guest();
        life.busy.send_modify(|n| *n += 1);
        assert!(!ends_within(&life, 3_600).await);
        drop(window);
        assert!(!ends_within(&life, 3_600).await, "a turn runs");
        life.busy.send_modify(|n| *n -= 1);
        assert!(!ends_within(&life, 59).await);
        assert!(ends_within(&life, 61).await);
    }

    #[tokio::test(start_paused = true)]
    async fn it_stays_while_words_wait_in_memory_for_the_disk() {
        let (life, pending) = (Life::begin(), Arc::new(AtomicU64::new(7)));
        let id = SessionId::new(uuid::Uuid::from_u128(1));
        life.unsaved.hold(id, pending.clone());
        assert_eq!(life.unsaved.sessions(), [id]);
        assert!(!ends_within(&life, 3_600).await);
        pending.store(0, Ordering::Release);
        assert!(ends_within(&life, 62).await);
    }

    #[tokio::test(start_paused = true)]
    async fn it_ends_soon_when_the_disk_has_taken_what_waited() {
        let (life, pending) = (Life::begin(), Arc::new(AtomicU64::new(7)));
        let id = SessionId::new(uuid::Uuid::from_u128(1));
        life.unsaved.hold(id, pending.clone());
        let taken = async {
            tokio::time::sleep(Duration::from_secs(3_600)).await;
            pending.store(0, Ordering::Release);
        };
        let begun = tokio::time::Instant::now();
        tokio::join!(taken, life.alone(STAY));
        assert!(begun.elapsed() <= Duration::from_secs(3_601));
    }

    #[test]
    fn a_session_that_is_opened_again_in_trouble_is_not_freed_by_the_end_of_the_one_before() {
        let count = |n| Arc::new(AtomicU64::new(n));
        let (unsaved, one, two) = (Unsaved::default(), count(1), count(2));
        let id = SessionId::new(uuid::Uuid::from_u128(1));
        unsaved.hold(id, one.clone());
        unsaved.hold(id, two.clone());
        unsaved.free(id, &one);
        assert_eq!(unsaved.sessions(), [id]);
        unsaved.free(id, &two);
        assert_eq!(unsaved.sessions(), []);
    }

    #[tokio::test(start_paused = true)]
    async fn a_window_that_comes_back_in_time_begins_the_wait_anew() {
        let life = Life::begin();
        let coming = async {
            tokio::time::sleep(Duration::from_secs(50)).await;
            drop(life.guest());
        };
        let begun = tokio::time::Instant::now();
        tokio::join!(coming, life.alone(STAY));
        assert_eq!(begun.elapsed(), Duration::from_secs(110));
    }
}
