//! Makes appended lines durable in the background, so that no writer waits for the disk.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use super::disk::DiskFile;

/// How soon bytes must be durable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Hurry {
    /// With the others of its quarter of a second.
    Soon = 1,
    /// At once.
    Now = 2,
}

/// A file whose new bytes are to be made durable.
pub(crate) struct Dirty {
    file: Arc<dyn DiskFile>,
    /// Highest hurry asked for and not yet served; 0 when clean.
    asked: AtomicU8,
    /// Told when it was done, or failed. Then the bytes may be lost: trying again would hide that.
    done: Box<dyn Fn(io::Result<()>) + Send + Sync>,
}

impl Dirty {
    /// A clean file.
    pub(crate) fn new(
        file: Arc<dyn DiskFile>,
        done: impl Fn(io::Result<()>) + Send + Sync + 'static,
    ) -> Arc<Self> {
        Arc::new(Self {
            file,
            asked: AtomicU8::new(0),
            done: Box::new(done),
        })
    }
}

/// One thread for all open logs: what is dirty together is synced one after the other, and the
/// disk's journal merges it.
#[derive(Clone)]
pub(crate) struct Syncer(Sender<(Arc<Dirty>, Hurry)>);

impl Syncer {
    /// Starts the thread; it ends with the last clone.
    pub(crate) fn start(every: Duration) -> io::Result<Self> {
        let (to, jobs) = mpsc::channel();
        std::thread::Builder::new()
            .name("log-sync".to_owned())
            .spawn(move || run(&jobs, every))?;
        Ok(Self(to))
    }

    /// Asks for a sync; costs one atomic operation when it is asked for already.
    pub(crate) fn mark(&self, file: &Arc<Dirty>, hurry: Hurry) {
        if file.asked.fetch_max(hurry as u8, Ordering::AcqRel) < hurry as u8 {
            // Fails only when the thread is gone, which it is not while `self` lives.
            let _sent = self.0.send((Arc::clone(file), hurry));
        }
    }
}

fn run(jobs: &Receiver<(Arc<Dirty>, Hurry)>, every: Duration) {
    let mut due: HashMap<*const Dirty, (Instant, Arc<Dirty>)> = HashMap::new();
    loop {
        let job = match due.values().map(|(when, _)| *when).min() {
            None => jobs.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(when) => jobs.recv_timeout(when.saturating_duration_since(Instant::now())),
        };
        match job {
            Ok((file, hurry)) => {
                let now = Instant::now();
                let when = if hurry == Hurry::Now {
                    now
                } else {
                    now + every
                };
                let entry = due.entry(Arc::as_ptr(&file)).or_insert((when, file));
                entry.0 = entry.0.min(when);
            }
            Err(RecvTimeoutError::Timeout) => {
                let now = Instant::now();
                for (_, (_, file)) in due.extract_if(|_, (when, _)| *when <= now) {
                    sync(&file);
                }
            }
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

fn sync(file: &Dirty) {
    // Cleared first: a line written from here on asks again.
    file.asked.store(0, Ordering::Release);
    (file.done)(file.file.sync());
}
