//! Adoptions that wait for turns to end: one in a family, until it is done or called off.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use tokio::sync::oneshot;

use crate::domain::SessionId;

/// How the waiting ends before the turn does.
#[derive(Debug)]
pub(super) enum Off {
    /// It is the main line by another way.
    Done,
    /// It does not become it: why, for a writer.
    Not(String),
}

/// Those that wait, by their family.
#[derive(Debug, Default)]
pub(in crate::host) struct Waits(Mutex<BTreeMap<SessionId, Waiting>>);

#[derive(Debug)]
struct Waiting {
    session: SessionId,
    off: oneshot::Sender<Off>,
}

impl Waits {
    /// One begins to wait; another of its family does so no more.
    pub(super) fn begin(&self, family: SessionId, session: SessionId) -> oneshot::Receiver<Off> {
        let (off, called_off) = oneshot::channel();
        let was = self.all().insert(family, Waiting { session, off });
        if let Some(was) = was {
            was.end(Off::Not(
                "Another one of its family is to become the main line.".to_owned(),
            ));
        }
        called_off
    }

    /// Whether one waits.
    pub(super) fn has(&self, session: SessionId) -> bool {
        self.all().values().any(|w| w.session == session)
    }

    /// One that waits is called off; false when it did not.
    pub(super) fn call_off(&self, session: SessionId) -> bool {
        let mut all = self.all();
        let family = all.iter().find(|(_, w)| w.session == session);
        let Some(family) = family.map(|(family, _)| *family) else {
            return false;
        };
        let was = all.remove(&family);
        if let Some(was) = was {
            was.end(Off::Not("It was called off.".to_owned()));
        }
        true
    }

    /// One of a family is its main line now: nobody waits for that any more.
    pub(super) fn adopted(&self, family: SessionId, session: SessionId) {
        if let Some(was) = self.all().remove(&family) {
            let same = was.session == session;
            was.end(if same {
                Off::Done
            } else {
                Off::Not("Another one was adopted meanwhile.".to_owned())
            });
        }
    }

    /// One does not wait any more.
    pub(super) fn end(&self, session: SessionId) {
        self.all().retain(|_, w| w.session != session);
    }

    fn all(&self) -> std::sync::MutexGuard<'_, BTreeMap<SessionId, Waiting>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiting {
    /// Tells the one that waits; it may have gone.
    fn end(self, how: Off) {
        drop(self.off.send(how));
    }
}
