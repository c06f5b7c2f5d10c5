//! The windows that wait for an answer of this session.

use std::collections::HashMap;

use tokio::sync::oneshot;

use crate::domain::ask::Reply;
use crate::host::turn::AskNo;

/// Where each open request's reply goes.
#[derive(Default)]
pub(super) struct Replies {
    open: HashMap<AskNo, oneshot::Sender<Reply>>,
    /// Highest number given.
    ever: AskNo,
}

impl Replies {
    /// Numbers a request; without a window nobody waits for its reply.
    pub(super) fn number(&mut self, window: Option<oneshot::Sender<Reply>>) -> AskNo {
        self.ever += 1;
        if let Some(window) = window {
            self.open.insert(self.ever, window);
        }
        self.ever
    }

    /// The window that waits for a reply.
    pub(super) fn take(&mut self, to: AskNo) -> Option<oneshot::Sender<Reply>> {
        self.open.remove(&to)
    }

    pub(super) fn give(&mut self, to: AskNo, reply: Reply) {
        if let Some(window) = self.take(to) {
            // The window may be gone; nobody waits for the reply then.
            drop(window.send(reply));
        }
    }

    /// Gives every window that waits the same reply.
    pub(super) fn give_all(&mut self, reply: &Reply) {
        for (_, window) in self.open.drain() {
            // The window may be gone; nobody waits for the reply then.
            drop(window.send(reply.clone()));
        }
    }
}
