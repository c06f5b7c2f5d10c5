//! Where events go when they are on disk: to every window that follows, and to the session's actor.

use std::sync::Arc;

use tokio::sync::{broadcast, mpsc};

use crate::domain::Event;
use crate::log::{Sink, Written};

/// Pieces of an answer that are kept back from the actor. They change nothing that it acts on but the number of the
/// newest event, and one wake for each of them costs more than all else that is done with it.
const KEPT_BACK: usize = 16;

/// The way to the actor. The channel needs no bound of its own: the actor hands over a bounded number of lines.
struct Actor {
    to: mpsc::UnboundedSender<Written>,
    kept_back: Vec<Written>,
    /// The newest event told was a piece.
    streams: bool,
}

/// The sink of a session's log.
pub(super) fn sink(hub: broadcast::Sender<Arc<Event>>, to: mpsc::UnboundedSender<Written>) -> Sink {
    let mut actor = Actor {
        to,
        kept_back: Vec::new(),
        streams: false,
    };
    Box::new(move |written| {
        if let Written::Event(event) = &written {
            // No window follows: nobody to tell.
            drop(hub.send(event.clone()));
        }
        actor.tell(written);
    })
}

impl Actor {
    fn tell(&mut self, written: Written) {
        let piece = matches!(&written, Written::Event(event) if event.kind.is_piece());
        // The first piece ends a wait.
        let streams = std::mem::replace(&mut self.streams, piece);
        self.kept_back.push(written);
        if !(piece && streams) || self.kept_back.len() > KEPT_BACK {
            self.flush();
        }
    }

    fn flush(&mut self) {
        for written in self.kept_back.drain(..) {
            // The actor has ended: the log is complete all the same.
            drop(self.to.send(written));
        }
    }
}

/// What was kept back is told when the log is closed.
impl Drop for Actor {
    fn drop(&mut self) {
        self.flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Kind;

    fn event(seq: u64, kind: Kind) -> Written {
        Written::Event(Arc::new(Event { seq, ts: 0, kind }))
    }

    fn piece(seq: u64) -> Written {
        let text = "lemon ".into();
        let kind = Kind::Delta {
            turn: 1,
            block: 0,
            text,
        };
        event(seq, kind)
    }

    #[test]
    fn pieces_of_a_stream_reach_the_actor_with_what_ends_it_in_order() {
        let (to, mut actor) = mpsc::unbounded_channel();
        let mut sink = sink(broadcast::Sender::new(4), to);
        let mut told = || std::iter::from_fn(|| actor.try_recv().ok()).count();
        sink(piece(0));
        assert_eq!(told(), 1, "the first word is told at once");
        (1..=4).for_each(|seq| sink(piece(seq)));
        assert_eq!(told(), 0);
        sink(event(5, Kind::Archived));
        assert_eq!(told(), 5);
        sink(piece(6));
        (7..=100).for_each(|seq| sink(piece(seq)));
        assert!(
            (80..=95).contains(&told()),
            "no more than some are kept back"
        );
        let before = told();
        drop(sink);
        let after = told();
        assert!(before == 0 && after <= KEPT_BACK && after > 0, "{after}");
    }
}
