//! Where each session's actor is: its mailbox, opened when it is asked for, and who hears of its events.

use std::sync::{Arc, PoisonError};

use tokio::sync::{broadcast, mpsc};

use super::{Shared, now};
use crate::domain::{Event, Head, SessionId};
use crate::host::session::{self, Msg, blocking};
use crate::host::sink::sink;
use crate::log::{LogError, OnDamage, Sink, Writer};

/// Events a window may be behind before it re-reads the log.
const BEHIND: usize = 1_024;

/// Where a session's events go and where its actor is, if it is open.
pub(in crate::host) struct Slot {
    pub(in crate::host) hub: broadcast::Sender<Arc<Event>>,
    mailbox: tokio::sync::Mutex<Option<mpsc::Sender<Msg>>>,
}

impl Shared {
    pub(in crate::host) fn slot(&self, id: SessionId) -> Arc<Slot> {
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || {
            Arc::new(Slot {
                hub: broadcast::Sender::new(BEHIND),
                mailbox: tokio::sync::Mutex::default(),
            })
        };
        sessions.entry(id).or_insert_with(new).clone()
    }

    /// Forgets a session that was moved away.
    pub(in crate::host) fn forget(&self, id: SessionId) {
        self.sessions
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(&id);
    }

    /// The mailbox of an open session; none when it is not open.
    pub(in crate::host) async fn open_mailbox(&self, id: SessionId) -> Option<mpsc::Sender<Msg>> {
        let slot = self.slot(id);
        let mailbox = slot.mailbox.lock().await;
        mailbox.as_ref().filter(|m| !m.is_closed()).cloned()
    }

    /// The mailbox of a session, opened for writing when it is not yet. `accept` takes a damaged log as it is.
    pub(in crate::host) async fn mailbox(
        self: &Arc<Self>,
        id: SessionId,
        accept: OnDamage,
    ) -> Result<mpsc::Sender<Msg>, String> {
        let slot = self.slot(id);
        let mut mailbox = slot.mailbox.lock().await;
        if let Some(open) = mailbox.as_ref().filter(|m| !m.is_closed()) {
            return Ok(open.clone());
        }
        let (shared, hub) = (self.clone(), slot.hub.clone());
        let (tx, rx) = mpsc::unbounded_channel();
        let opening = move || {
            shared.access.at_home(now())?;
            let opened = shared.store.writer(id, accept, sink(hub, tx));
            opened.map_err(|e| e.to_string())
        };
        let opened = blocking(opening).await?;
        let new = session::spawn(id, self, opened, rx);
        *mailbox = Some(new.clone());
        Ok(new)
    }

    /// Takes in a session that was just made.
    pub(in crate::host) async fn take_in(
        self: &Arc<Self>,
        id: SessionId,
        make: impl FnOnce(Sink) -> Result<(Writer, Head), LogError> + Send + 'static,
    ) -> Result<mpsc::Sender<Msg>, String> {
        let slot = self.slot(id);
        let mut mailbox = slot.mailbox.lock().await;
        let (tx, rx) = mpsc::unbounded_channel();
        let hub = slot.hub.clone();
        let opened = blocking(move || make(sink(hub, tx))).await?;
        let new = session::spawn(id, self, opened, rx);
        *mailbox = Some(new.clone());
        Ok(new)
    }

    /// The mailboxes of all open sessions.
    pub(in crate::host) async fn open_mailboxes(&self) -> Vec<mpsc::Sender<Msg>> {
        let slots: Vec<Arc<Slot>> = {
            let sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
            sessions.values().cloned().collect()
        };
        let mut open = Vec::new();
        for slot in slots {
            open.extend(slot.mailbox.lock().await.clone().filter(|m| !m.is_closed()));
        }
        open
    }
}
