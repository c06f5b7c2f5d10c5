//! How a pen rests between the pieces of a stream, and what ends its rest.
//!
//! To be woken costs more than to write a line, for the pen and for all who are told of it. So after a piece the pen looks away
//! for a moment, and what has come meanwhile goes into the log together, one line and one `write()` each as ever. The first
//! piece after a pause, a writer's word and the edge of a turn wait for nothing.

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

    /// Rests the calling thread.
    pub(super) fn rest(&self) {
        let until = Instant::now() + REST;
        while !self.0.swap(false, Ordering::AcqRel) {
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
    use std::sync::Arc;

    use super::*;

    #[test]
    fn a_bell_that_rang_before_the_rest_ends_it() {
        let bell = Bell::default();
        bell.ring(&std::thread::current());
        bell.rest();
        assert!(!bell.0.load(Ordering::Acquire), "heard once");
    }

    #[test]
    fn a_rest_ends_by_itself_and_at_the_bell() {
        let bell = Arc::new(Bell::default());
        let heard = Arc::clone(&bell);
        let pen = std::thread::spawn(move || {
            heard.rest();
            heard.rest();
        });
        bell.ring(pen.thread());
        pen.join().unwrap();
    }
}
