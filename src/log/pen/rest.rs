//! How a pen rests between the pieces of a stream, and what ends its rest.
//!
//! To be woken costs more than to write a line, for the pen and for all who are told of it. So after a piece the pen looks away
//! for a moment, and what has come meanwhile goes into the log together, one line and one `write()` each as ever. The first
//! piece after a pause, a writer's word and the edge of a turn wait for nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Thread;
use std::time::{Duration, Instant};

/// Less than half of the time between two frames of a stream, so that nobody sees it; at 200 pieces a second, four of them.
const REST: Duration = Duration::from_millis(20);

/// Rung by whoever gives a pen what cannot wait.
#[derive(Default)]
pub(in crate::log) struct Bell(AtomicBool);

impl Bell {
    /// Ends the pen's rest, or its next one: to be called when its message has been sent.
    pub(in crate::log) fn ring(&self, pen: &Thread) {
        self.0.store(true, Ordering::Release);
        pen.unpark();
    }
}

/// A pen's rest, taken on its own thread.
#[derive(Default)]
pub(in crate::log) struct Rest {
    bell: Arc<Bell>,
    /// What was written last were pieces of a stream alone: more will come.
    pub(super) due: bool,
}

impl Rest {
    /// What ends it.
    pub(in crate::log) fn bell(&self) -> Arc<Bell> {
        Arc::clone(&self.bell)
    }

    /// Rests until the time is over or the bell rings.
    pub(super) fn take(&mut self) {
        self.due = false;
        let until = Instant::now() + REST;
        while !self.bell.0.swap(false, Ordering::AcqRel) {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            std::thread::park_timeout(left);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bell_that_rang_before_the_rest_ends_it() {
        let mut rest = Rest::default();
        rest.bell().ring(&std::thread::current());
        rest.take();
        assert!(!rest.bell.0.load(Ordering::Acquire), "heard once");
    }

    #[test]
    fn a_rest_ends_at_the_bell_and_by_itself() {
        let mut rest = Rest::default();
        let bell = rest.bell();
        let pen = std::thread::spawn(move || {
            rest.take();
            rest.take();
        });
        bell.ring(pen.thread());
        assert!(pen.join().is_ok());
    }
}
