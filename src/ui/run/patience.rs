//! Waiting on a thread of one's own: no timer and no thread of the runtime has a part in it.

use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

/// Wakes a thread.
struct Bell(Thread);

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Waits for what comes; none when it has not come in that time.
pub(super) fn wait<T>(coming: impl Future<Output = T>, most: Option<Duration>) -> Option<T> {
    let until = most.map(|most| Instant::now() + most);
    let waker = Waker::from(Arc::new(Bell(thread::current())));
    let mut coming = pin!(coming);
    loop {
        if let Poll::Ready(come) = coming.as_mut().poll(&mut Context::from_waker(&waker)) {
            return Some(come);
        }
        match until.map(|until| until.saturating_duration_since(Instant::now())) {
            None => thread::park(),
            Some(Duration::ZERO) => return None,
            Some(left) => thread::park_timeout(left),
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::mpsc;

    use super::*;

    #[test]
    fn what_another_thread_sends_ends_the_wait_and_so_does_the_time() {
        let (sender, mut inputs) = mpsc::channel(1);
        assert_eq!(wait(inputs.recv(), Some(Duration::ZERO)), None);
        assert_eq!(wait(inputs.recv(), Some(Duration::from_millis(1))), None);
        let sending = thread::spawn(move || sender.blocking_send(7));
        assert_eq!(wait(inputs.recv(), None), Some(Some(7)));
        assert!(sending.join().is_ok_and(|sent| sent.is_ok()));
        assert_eq!(
            wait(inputs.recv(), None),
            Some(None),
            "all senders are gone"
        );
    }
}
