//! A session's place among the turns that may run at once.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

use super::Msg;

/// Held, waited for, or neither.
#[derive(Default)]
pub(super) struct Place {
    held: Option<OwnedSemaphorePermit>,
    waiting: Option<tokio::task::AbortHandle>,
}

impl Place {
    /// Takes a place that was waited for; false when there is one already.
    pub(super) fn grant(&mut self, permit: OwnedSemaphorePermit) -> bool {
        let new = self.held.is_none();
        if new {
            self.release();
            self.held = Some(permit);
        }
        new
    }

    /// Waits in line; the session is told when its turn has come.
    pub(super) fn wanted(places: &Arc<Semaphore>, back: mpsc::WeakSender<Msg>) -> Self {
        let places = places.clone();
        let waiting = tokio::spawn(async move {
            let Ok(permit) = places.acquire_owned().await else {
                return;
            };
            if let Some(back) = back.upgrade() {
                // A session that has closed in the meantime gives the place back by dropping it.
                drop(back.send(Msg::Granted(permit)).await);
            }
        });
        Self {
            held: None,
            waiting: Some(waiting.abort_handle()),
        }
    }

    /// Takes a place at once, if there is one.
    pub(super) fn take(&mut self, places: &Arc<Semaphore>) -> bool {
        if let Ok(permit) = places.clone().try_acquire_owned() {
            self.held = Some(permit);
        }
        self.held.is_some()
    }

    pub(super) fn release(&mut self) {
        self.held = None;
        if let Some(waiting) = self.waiting.take() {
            waiting.abort();
        }
    }
}
