//! The order of requests on one connection: those for one session run one after another, all others
//! side by side. A fork waits for what was typed before it and for the forks before it, and for nothing else.

use std::collections::HashMap;
use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::domain::SessionId;
use crate::domain::ask::{NewVariant, Request};

/// Replies of log or draft that may wait to be written on one connection: each may be megabytes.
const LARGE_AT_ONCE: usize = 4;

/// The lanes of one connection.
#[derive(Debug)]
pub(super) struct Lanes {
    /// The end of the newest request in each lane.
    newest: HashMap<Lane, CancellationToken>,
    /// The end of the newest fork of each session: several prompts that are tried begin in the order in which they stand.
    forks: HashMap<SessionId, CancellationToken>,
    /// The end of the newest change of each draft.
    drafts: HashMap<SessionId, CancellationToken>,
    large: Arc<Semaphore>,
}

/// A session, or what has no session yet.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Lane(Option<SessionId>);

/// The right to run one request in its order. The next one of its lane runs when this is dropped.
#[derive(Debug)]
pub(super) struct Place {
    before: Vec<CancellationToken>,
    _after: Option<DropGuard>,
    large: Option<Arc<Semaphore>>,
}

/// The right to have a large reply; held until it is written.
pub(super) type Large = Option<OwnedSemaphorePermit>;

impl Lanes {
    pub(super) fn new() -> Self {
        Self {
            newest: HashMap::new(),
            forks: HashMap::new(),
            drafts: HashMap::new(),
            large: Arc::new(Semaphore::new(LARGE_AT_ONCE)),
        }
    }

    /// A place behind all that came before.
    pub(super) fn enter(&mut self, request: &Request) -> Place {
        let large = is_large(request).then(|| self.large.clone());
        if let Request::Fork(NewVariant { session, .. }) = request {
            let end = CancellationToken::new();
            let before = [
                self.typed(request),
                self.forks.insert(*session, end.clone()),
            ];
            return Place {
                before: before.into_iter().flatten().collect(),
                _after: Some(end.drop_guard()),
                large,
            };
        }
        let Some(lane) = lane(request) else {
            return Place {
                before: Vec::new(),
                _after: None,
                large,
            };
        };
        let end = CancellationToken::new();
        if let Some(session) = changes_draft(request) {
            self.drafts.insert(session, end.clone());
        }
        Place {
            before: self.newest.insert(lane, end.clone()).into_iter().collect(),
            _after: Some(end.drop_guard()),
            large,
        }
    }

    /// What a fork waits for: the newest change of its parent's draft, so that it has the last words typed there.
    fn typed(&self, request: &Request) -> Option<CancellationToken> {
        match request {
            Request::Fork(NewVariant {
                session, at: None, ..
            }) => self.drafts.get(session).cloned(),
            _ => None,
        }
    }

    /// Forgets lanes; only when none is in use.
    pub(super) fn clear(&mut self) {
        self.newest.clear();
        self.forks.clear();
        self.drafts.clear();
    }
}

impl Place {
    /// Waits until it is this request's turn.
    pub(super) async fn turn(&mut self) -> Large {
        for before in std::mem::take(&mut self.before) {
            before.cancelled().await;
        }
        // The semaphore is never closed.
        self.large.take()?.acquire_owned().await.ok()
    }
}

const fn is_large(request: &Request) -> bool {
    matches!(
        request,
        Request::Page { .. }
            | Request::Blob { .. }
            | Request::Draft { .. }
            | Request::Search { .. }
    )
}

/// Whose draft a request changes.
const fn changes_draft(request: &Request) -> Option<SessionId> {
    match request {
        Request::Edit { session, .. }
        | Request::Take { session, .. }
        | Request::Settle { session } => Some(*session),
        _ => None,
    }
}

/// The lane of a request. None for what only reads the log and what ends something: a *stop* waits for
/// nothing.
const fn lane(request: &Request) -> Option<Lane> {
    match request {
        Request::Send { session, .. }
        | Request::Continue { session }
        | Request::Unqueue { session, .. }
        | Request::Requeue { session, .. }
        | Request::Again { session }
        | Request::Follow { session, .. }
        | Request::Compact { session, .. }
        | Request::Answer { session, .. }
        | Request::Do { session, .. }
        | Request::Edit { session, .. }
        | Request::Settle { session }
        | Request::Take { session, .. }
        | Request::Draft { session, .. } => Some(Lane(Some(*session))),
        Request::KeepUnsent { session, .. } | Request::Unsent { session, .. } => {
            Some(Lane(*session))
        }
        Request::New(_)
        | Request::NewCollection { .. }
        | Request::Drawer { .. }
        | Request::Memory { .. }
        | Request::TakeOver => Some(Lane(None)),
        // A fork reads what is there: nothing that is under way in its parent holds it up but what is typed. An adoption may wait for a
        // turn, which may wait for an answer.
        Request::Fork(_)
        | Request::Import(_)
        | Request::Adopt { .. }
        | Request::Versions { .. }
        | Request::Brief { .. }
        | Request::Search { .. }
        | Request::Stop { .. }
        | Request::Page { .. }
        | Request::Blob { .. }
        | Request::Status
        | Request::Shutdown { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;
    use futures_util::FutureExt;

    fn session(n: u128) -> SessionId {
        SessionId::new(uuid::Uuid::from_u128(n))
    }

    fn go_on(n: u128) -> Request {
        Request::Continue {
            session: session(n),
        }
    }

    #[test]
    fn each_session_has_its_order_and_a_stop_waits_for_nothing() {
        let mut lanes = Lanes::new();
        let mut first = lanes.enter(&go_on(1));
        let mut second = lanes.enter(&go_on(1));
        let mut other = lanes.enter(&go_on(2));
        let mut stop = lanes.enter(&Request::Stop {
            session: session(1),
        });
        assert!(first.turn().now_or_never().is_some());
        assert!(other.turn().now_or_never().is_some());
        assert!(stop.turn().now_or_never().is_some());
        let mut turn = Box::pin(second.turn());
        assert!(turn.as_mut().now_or_never().is_none());
        drop(first);
        assert!(turn.now_or_never().is_some());
    }

    #[test]
    fn a_fork_waits_for_what_was_typed_before_it_and_holds_up_nobody() {
        let fork = |at| {
            Request::Fork(NewVariant {
                session: session(1),
                at,
                title: None,
                prompt: None,
            })
        };
        let edit = Request::Edit {
            session: session(1),
            base: 0,
            splices: Vec::new(),
            late: false,
        };
        let mut lanes = Lanes::new();
        let before = lanes.enter(&go_on(1));
        assert!(lanes.enter(&fork(None)).turn().now_or_never().is_some());
        let edit = lanes.enter(&edit);
        let mut later = lanes.enter(&go_on(1));
        assert!(lanes.enter(&fork(Some(3))).turn().now_or_never().is_some());
        let forks = [fork(None), fork(None)].map(|f| lanes.enter(&f));
        for fork in &forks {
            assert!(fork.before.iter().any(|before| !before.is_cancelled()));
        }
        drop(before);
        drop(edit);
        for mut fork in forks {
            assert!(fork.turn().now_or_never().is_some());
        }
        assert!(later.turn().now_or_never().is_some());
    }

    #[test]
    fn forks_of_a_session_are_made_in_the_order_in_which_they_were_asked_for() {
        let fork = |n| {
            Request::Fork(NewVariant {
                session: session(n),
                at: Some(3),
                title: None,
                prompt: Some("Try it.".to_owned()),
            })
        };
        let mut lanes = Lanes::new();
        let mut first = lanes.enter(&fork(1));
        let mut second = lanes.enter(&fork(1));
        assert!(first.turn().now_or_never().is_some());
        assert!(lanes.enter(&fork(2)).turn().now_or_never().is_some());
        let mut turn = Box::pin(second.turn());
        assert!(turn.as_mut().now_or_never().is_none());
        drop(first);
        assert!(turn.now_or_never().is_some());
    }

    #[test]
    fn few_large_replies_wait_to_be_written() {
        let mut lanes = Lanes::new();
        let page = Request::Page {
            session: session(1),
            before: None,
            bytes: 1,
        };
        let mut held: Vec<Large> = (0..LARGE_AT_ONCE)
            .map(|_| lanes.enter(&page).turn().now_or_never().unwrap())
            .collect();
        assert!(held.iter().all(Option::is_some));
        let mut next = lanes.enter(&page);
        let mut turn = Box::pin(next.turn());
        assert!(turn.as_mut().now_or_never().is_none());
        held.pop();
        assert!(turn.now_or_never().unwrap().is_some());
    }
}
