//! Agents that are processes: few are in their start at once, and few are kept while they have nothing to do.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::task::AbortHandle;
use tokio_util::sync::CancellationToken;

use super::{Actor, LEAVE, Msg, talk::Talk};
use crate::agents::backend::{AgentEvent, Backend};
use crate::domain::SessionId;
use crate::domain::event::Status;
use crate::host::turn::With;

/// How many are kept: a process of half a gigabyte each is what a laptop can hold of them.
const HOT: usize = 8;
/// How many may be in their start at once: each one takes a processor for a second or more.
const STARTS: usize = 2;
/// How long a start counts as one when the agent says nothing.
const START: Duration = Duration::from_secs(3);

/// The agents of a host that are processes.
#[derive(Debug)]
pub(in crate::host) struct Warm {
    starts: Arc<Semaphore>,
    kept: Mutex<Kept<mpsc::WeakSender<Msg>>>,
}

/// Sessions with an agent, the one that has rested longest first.
#[derive(Debug)]
struct Kept<B>(Vec<One<B>>);

#[derive(Debug)]
struct One<B> {
    id: SessionId,
    works: bool,
    /// The way to its session.
    back: B,
}

impl<B> Kept<B> {
    fn put(&mut self, id: SessionId, back: B) {
        self.remove(id);
        let works = true;
        self.0.push(One { id, works, back });
    }

    fn works(&mut self, id: SessionId) {
        if let Some(one) = self.0.iter_mut().find(|one| one.id == id) {
            one.works = true;
        }
    }

    fn rests(&mut self, id: SessionId) {
        if let Some(one) = self.remove(id) {
            let works = false;
            self.0.push(One { works, ..one });
        }
    }

    fn remove(&mut self, id: SessionId) -> Option<One<B>> {
        let at = self.0.iter().position(|one| one.id == id)?;
        Some(self.0.remove(at))
    }

    /// Takes out those that are too many; one that works is never among them.
    fn too_many(&mut self) -> Vec<One<B>> {
        let mut out = Vec::new();
        while self.0.len() > HOT
            && let Some(at) = self.0.iter().position(|one| !one.works)
        {
            out.push(self.0.remove(at));
        }
        out
    }
}

impl Warm {
    pub(in crate::host) fn new() -> Self {
        Self {
            starts: Arc::new(Semaphore::new(STARTS)),
            kept: Mutex::new(Kept(Vec::new())),
        }
    }

    /// The session's agent has a turn.
    pub(super) fn works(&self, id: SessionId) {
        self.lock().works(id);
    }

    /// The session has no agent any more.
    pub(super) fn gone(&self, id: SessionId) {
        self.lock().remove(id);
    }

    /// The session's agent has nothing to do.
    fn rests(&self, id: SessionId) {
        self.lock().rests(id);
        self.cool();
    }

    /// The session has an agent, with a turn.
    fn put(&self, id: SessionId, back: mpsc::WeakSender<Msg>) {
        self.lock().put(id, back);
        self.cool();
    }

    /// Lets those end that are too many.
    fn cool(&self) {
        let many = self.lock().too_many();
        for mailbox in many.into_iter().filter_map(|one| one.back.upgrade()) {
            // At once where it can be: the session shall hear it before anything that comes now.
            if let Err(mpsc::error::TrySendError::Full(cool)) = mailbox.try_send(Msg::Cool) {
                // A session that closes meanwhile lets its agent end.
                tokio::spawn(async move { drop(mailbox.send(cool).await) });
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Kept<mpsc::WeakSender<Msg>>> {
        // A panic elsewhere leaves the list whole: every change is one call.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A turn whose agent waits to be started.
pub(super) struct Pending {
    with: With,
    text: String,
    waiting: AbortHandle,
}

impl Talk {
    /// Whether the turn's agent waits to be started.
    pub(super) fn start_waits(&self) -> bool {
        self.pending.is_some()
    }
}

impl Actor {
    /// Starts the turn's agent; one that is a process when few others are in their start.
    pub(super) async fn in_line(&mut self, with: With, text: String) {
        let warm = &self.shared.life.warm;
        let backend = self.shared.backend(&with.agent);
        if !backend.is_some_and(|b: Arc<dyn Backend>| b.is_process()) {
            warm.gone(self.id);
            return self.start_and_give(with, text).await;
        }
        let starts = warm.starts.clone();
        if let Ok(permit) = starts.clone().try_acquire_owned() {
            return self.start_process(permit, with, text).await;
        }
        let back = self.to_self.clone();
        let wait = tokio::spawn(async move {
            let permit = starts.acquire_owned().await;
            if let (Ok(permit), Some(back)) = (permit, back.upgrade()) {
                // A session that has closed gives the permit back by dropping it.
                drop(back.send(Msg::MayStart(permit)).await);
            }
        });
        let waiting = wait.abort_handle();
        self.talk.pending = Some(Pending {
            with,
            text,
            waiting,
        });
    }

    /// The agent that waits may be started; the permit is given back when none does any more.
    pub(super) async fn may_start(&mut self, permit: OwnedSemaphorePermit) {
        if let Some(pending) = self.talk.pending.take() {
            self.start_process(permit, pending.with, pending.text).await;
        }
    }

    async fn start_process(&mut self, permit: OwnedSemaphorePermit, with: With, text: String) {
        let warm = &self.shared.life.warm;
        warm.put(self.id, self.to_self.clone());
        self.start_and_give(with, text).await;
        if self.talk.is_there() {
            let begun = CancellationToken::new();
            self.talk.starting = Some(begun.clone().drop_guard());
            tokio::spawn(async move {
                let spoke = tokio::time::timeout(START, begun.cancelled()).await;
                drop((permit, spoke));
            });
        } else {
            self.shared.life.warm.gone(self.id);
        }
    }

    /// The turn is stopped before its agent was started.
    pub(super) fn not_started(&mut self) {
        if let Some(pending) = self.talk.pending.take() {
            pending.waiting.abort();
        }
        self.said(AgentEvent::Ended {
            status: Status::Interrupted,
            reason: None,
        });
    }

    /// The turn gives its place back.
    pub(super) fn release(&mut self) {
        self.place.release();
        if !self.state.runs() {
            // However it ended: the time it had to stop is not the next one's.
            self.grace = None;
            self.shared.life.warm.rests(self.id);
        }
    }

    /// Others need the room: the agent may end. The session goes on with it by its id.
    pub(super) fn cool(&mut self) {
        if self.state.runs() {
            // It has got a turn in this moment.
            let warm = &self.shared.life.warm;
            return warm.put(self.id, self.to_self.clone());
        }
        let mut talk = std::mem::take(&mut self.talk);
        let leaving = async move { talk.leave(LEAVE).await };
        self.shared.life.actors.spawn(leaving);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(n: u128) -> SessionId {
        SessionId::new(uuid::Uuid::from_u128(n))
    }

    fn eight() -> Kept<()> {
        let mut kept = Kept(Vec::new());
        for n in 1..=8 {
            kept.put(id(n), ());
        }
        kept
    }

    fn cooled(kept: &mut Kept<()>) -> Vec<SessionId> {
        kept.too_many().into_iter().map(|one| one.id).collect()
    }

    #[test]
    fn a_ninth_agent_lets_the_one_end_that_has_rested_longest() {
        let mut kept = eight();
        for n in [3, 1, 2] {
            kept.rests(id(n));
        }
        kept.works(id(3));
        assert_eq!(cooled(&mut kept), []);
        kept.put(id(9), ());
        assert_eq!(cooled(&mut kept), [id(1)]);
        assert_eq!(kept.0.len(), HOT);
    }

    #[test]
    fn agents_that_all_work_are_kept_until_one_rests() {
        let mut kept = eight();
        kept.put(id(9), ());
        assert_eq!(cooled(&mut kept), []);
        kept.rests(id(5));
        assert_eq!(cooled(&mut kept), [id(5)]);
    }

    #[test]
    fn an_agent_that_is_gone_makes_room() {
        let mut kept = eight();
        kept.rests(id(1));
        kept.remove(id(2));
        kept.put(id(9), ());
        assert_eq!(cooled(&mut kept), []);
    }
}
