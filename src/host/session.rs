//! The actor of one session: it feeds the turn machine and carries out what that says.
//!
//! Everything about the session passes through its one mailbox; other sessions are never touched.
//! Not its job: deciding (`host::turn`), writing lines (`log`), speaking to a vendor (`agents`).

mod again;
mod asks;
mod compact;
mod draft;
mod gather;
mod ledger;
mod place;
mod recover;
mod replies;
pub(super) mod still;
mod talk;
mod todo;
mod undo;
pub(super) mod warm;
mod work;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::shared::Shared;
use super::trash;
use super::turn::{self, Act, AskNo, Effect, Input, Phase, State};
use crate::agents::backend::AgentEvent;
use crate::domain::ask::{Reply, Request};
use crate::domain::row::Row;
use crate::domain::{Event, Head, Kind, SessionId};
use crate::log::{Writer, Written};
pub(super) use asks::CONNECT;
use draft::Desk;
use ledger::Ledger;
use place::Place;
use replies::Replies;
use still::Hold;
use talk::Talk;
use todo::Todo;
pub(super) use todo::{Alone, Msg};
pub(super) use undo::SITTING;

/// Requests that may wait for one session.
const MAILBOX: usize = 64;
/// How long an agent may take to stop before its processes are ended.
const GRACE: Duration = Duration::from_secs(5);
/// How long the end of its processes may take before the turn is closed without it.
const LAST_GRACE: Duration = Duration::from_secs(3);
/// How long an agent without a turn may take to end when its session is closed: one that hangs is ended by then.
const LEAVE: Duration = Duration::from_secs(10);
/// How long a session without a turn stays open, its agent warm: the next prompt saves a start (0.5 s and more).
const COLD: Duration = Duration::from_secs(10 * 60);

/// The actor.
pub(super) struct Actor {
    id: SessionId,
    shared: Arc<Shared>,
    state: State,
    ledger: Ledger,
    talk: Talk,
    desk: Desk,
    replies: Replies,
    /// Deeds whose time has come.
    ready: VecDeque<Todo>,
    place: Place,
    hold: Hold,
    grace: Option<(Instant, bool)>,
    /// Whether the host counts this session among the busy ones.
    counted: bool,
    /// When something last happened.
    busy: Instant,
    /// Cancelled to end an orphan at once; there while one is waited for.
    orphan: Option<CancellationToken>,
    to_self: mpsc::WeakSender<Msg>,
}

/// Starts the actor of an opened log.
pub(super) fn spawn(
    id: SessionId,
    shared: &Arc<Shared>,
    (writer, head): (Writer, Head),
    written: mpsc::UnboundedReceiver<Written>,
) -> mpsc::Sender<Msg> {
    let (tx, mailbox) = mpsc::channel(MAILBOX);
    let whole = |text: &crate::domain::Text| {
        shared
            .store
            .text(id, text)
            .unwrap_or_else(|_| text.shown().to_owned())
    };
    let state = State::opened(&head, whole);
    let desk = Desk::of(&head);
    let actor = Actor {
        id,
        state,
        ledger: Ledger::new(writer, head),
        talk: Talk::default(),
        desk,
        replies: Replies::default(),
        ready: VecDeque::new(),
        place: Place::default(),
        hold: Hold::default(),
        grace: None,
        counted: false,
        busy: Instant::now(),
        orphan: None,
        to_self: tx.downgrade(),
        shared: shared.clone(),
    };
    shared.life.actors.spawn(actor.run(mailbox, written));
    tx
}

enum Next {
    Msg(Option<Msg>),
    Written(Option<Written>),
    Agent(Option<AgentEvent>),
    Order(Option<still::Order>),
    Grace,
    Pause,
    Quiet,
}

impl Actor {
    async fn run(
        mut self,
        mut mailbox: mpsc::Receiver<Msg>,
        mut written: mpsc::UnboundedReceiver<Written>,
    ) {
        self.opened().await;
        let trashed = loop {
            if let Some(to) = self.work().await {
                break Some(to);
            }
            if self.count_as_busy() && self.shared.life.closing.is_cancelled() {
                break None;
            }
            let (grace, quiet) = (self.grace.map(|(at, _)| at), self.cold_at());
            let pause = self.desk.pause_at();
            let next = tokio::select! {
                biased;
                msg = mailbox.recv(), if !self.hold.is_on() => Next::Msg(msg),
                w = written.recv() => Next::Written(w),
                event = self.talk.next(), if self.talk.is_there() && self.ledger.has_room() => Next::Agent(event),
                order = self.hold.next() => Next::Order(order),
                () = at(grace) => Next::Grace,
                () = at(pause) => Next::Pause,
                () = at(quiet) => Next::Quiet,
            };
            if !matches!(next, Next::Msg(Some(Msg::Look))) {
                self.busy = Instant::now();
            }
            match next {
                Next::Msg(Some(msg)) => self.message(msg).await,
                Next::Msg(None) | Next::Written(None) | Next::Quiet => break None,
                Next::Written(Some(w)) => self.written(w),
                Next::Agent(Some(event)) => self.said(event),
                Next::Agent(None) => self.agent_gone(),
                Next::Order(order) => self.ordered(order).await,
                Next::Grace => self.grace_over(),
                Next::Pause => self.paused().await,
            }
        };
        drop(mailbox);
        // The next host puts it into the file.
        self.snapshot().await;
        let trashed = trashed.map(|(to, one)| (self.replies.take(to), one));
        self.count(false);
        // Before the log is free: an actor that opens it next counts its own agent.
        self.shared.life.warm.gone(self.id);
        let (wrong, pending) = (Wrong::of(&self.ledger, &self.desk), self.ledger.pending());
        let head = self.ledger.close(&mut written).await;
        self.shared.life.unsaved.free(self.id, &pending);
        // What ended in the last moment is seen in the list, also of a host that ends.
        show(&self.shared, &head, wrong, None);
        if let Some((waiting, one)) = trashed {
            let reply = trash::into(&self.shared, self.id, head, one).await;
            if let Some(window) = waiting {
                // The window may be gone; nobody waits for the reply then.
                drop(window.send(reply));
            }
        }
        self.talk.leave(LEAVE).await;
    }

    /// Tells the host whether something happens here; gives back whether nothing does.
    fn count_as_busy(&mut self) -> bool {
        let still = self.quiet_at().is_some();
        self.count(!still);
        still
    }

    fn count(&mut self, busy: bool) {
        if std::mem::replace(&mut self.counted, busy) != busy {
            let counted = &self.shared.life.busy;
            counted.send_modify(|n| *n = if busy { *n + 1 } else { n.saturating_sub(1) });
        }
    }

    /// When a session in which nothing happens is closed. It is opened again when it is asked something.
    fn quiet_at(&self) -> Option<Instant> {
        let at_rest =
            self.state.phase == Phase::Idle && self.orphan.is_none() && !self.hold.is_on();
        // On a disk in trouble what was typed becomes no version: it waits in the log.
        let settled = !self.desk.is_typed() || self.ledger.trouble.is_some();
        let still = at_rest && settled && self.ready.is_empty() && self.ledger.is_settled();
        still.then(|| self.busy + COLD)
    }

    /// The same of one that keeps nothing in memory: that is not given up while the host lives.
    fn cold_at(&self) -> Option<Instant> {
        self.quiet_at().filter(|_| !self.ledger.holds_back())
    }

    async fn message(&mut self, msg: Msg) {
        match msg {
            Msg::Ask(request, reply) => self.asked(request, reply).await,
            Msg::Granted(permit) => self.granted(permit),
            Msg::MayStart(permit) => self.may_start(permit).await,
            Msg::Cool => self.cool(),
            Msg::Look => self.look_at_draft().await,
            Msg::MayTrash(to, one) => self.may_trash(to, one).await,
            Msg::Hold(asked) => self.hold(asked).await,
            Msg::Recovered(text) => {
                self.orphan = None;
                self.feed(Input::Lost { text });
            }
            Msg::Gathered(turn, call, result) => self.gathered(turn, call, result),
            Msg::Log(kind, reply) => {
                let to = self.replies.number(Some(reply));
                self.ledger.append(kind);
                self.then(Todo::Act(Act::Reply(to, Reply::Done)));
            }
            Msg::Close { now } => {
                self.feed(Input::Closing);
                self.settle().await;
                if now && self.state.runs() {
                    let to = self.replies.number(None);
                    self.feed(Input::Stop { to });
                }
            }
        }
    }

    fn granted(&mut self, permit: OwnedSemaphorePermit) {
        // One that was wanted before, and is wanted no more, comes late and is dropped.
        if self.place.grant(permit) {
            let with = self.with();
            self.feed(Input::Granted(with));
        }
    }

    /// One step of the machine; its deeds become ready when the log has what comes before them.
    fn feed(&mut self, input: Input) {
        let held = self.state.is_held();
        let (state, effects) = turn::handle(std::mem::take(&mut self.state), input);
        self.state = state;
        if held != self.state.is_held() {
            self.show_row();
        }
        let mut at_once = Vec::new();
        for effect in effects {
            match effect {
                Effect::Append(kind) => self.ledger.append(kind),
                Effect::Then(act) => self.then(Todo::Act(act)),
                Effect::Now(act) => at_once.push(Todo::Act(act)),
            }
        }
        for todo in at_once.into_iter().rev() {
            self.ready.push_front(todo);
        }
    }

    fn written(&mut self, written: Written) {
        match written {
            Written::Event(event) => {
                let waited = self.ledger.head.pause().cloned();
                self.ledger.written(&event);
                self.desk.written(&event, self.ledger.head.draft.as_ref());
                if let Kind::Moved { folder, .. } = &event.kind {
                    self.desk.folder.clone_from(folder);
                }
                // The first word after a wait is no edge, but it ends the wait.
                if matters(&event) || self.ledger.head.pause() != waited.as_ref() {
                    self.show_row();
                }
            }
            Written::Reached(mark) => self.ready.extend(self.ledger.reached(mark)),
            Written::Trouble(why) => self.trouble(why),
            Written::Fine => {
                self.ledger.trouble = None;
                let unsaved = &self.shared.life.unsaved;
                unsaved.free(self.id, &self.ledger.pending());
                self.show_row();
            }
        }
    }

    /// The disk takes nothing: nobody is left waiting, what was asked is done when it does.
    fn trouble(&mut self, why: String) {
        let hint = "What you sent is kept in memory, in order, and done when the disk takes it.";
        self.shared
            .life
            .unsaved
            .hold(self.id, self.ledger.pending());
        self.replies.give_all(&Reply::refused(&why, hint));
        self.hold.fail(&why);
        self.ledger.trouble = Some(why);
        self.show_row();
    }

    fn reply(&mut self, to: AskNo, reply: Reply) {
        self.replies.give(to, reply);
    }

    /// Sets this session's row as it is now.
    fn show_row(&self) {
        show(
            &self.shared,
            &self.ledger.head,
            Wrong::of(&self.ledger, &self.desk),
            Some(&self.state),
        );
    }
}

/// What is wrong with a session, for its row.
struct Wrong {
    log: Option<String>,
    draft: Option<String>,
}

impl Wrong {
    fn of(ledger: &Ledger, desk: &Desk) -> Self {
        Self {
            log: ledger.trouble.clone(),
            draft: desk.trouble().map(str::to_owned),
        }
    }
}

/// Sets a session's row.
fn show(shared: &Shared, head: &Head, wrong: Wrong, state: Option<&State>) {
    if let Some(mut row) = Row::of(head, &shared.agent_of(head).0, true) {
        row.held = state.map_or(row.held, State::is_held);
        (row.trouble, row.draft_trouble) = (wrong.log, wrong.draft);
        shared.rows.set(row);
    }
}

/// Whether an event can change the row: pieces of a stream do not.
fn matters(event: &Event) -> bool {
    event.kind.is_edge() || matches!(event.kind, Kind::Seen { .. })
}

/// Runs what waits for the disk on a thread that may wait.
pub(super) async fn blocking<T: Send + 'static, E: ToString>(
    work: impl FnOnce() -> Result<T, E> + Send + 'static,
) -> Result<T, String> {
    match tokio::task::spawn_blocking(move || work().map_err(|e| e.to_string())).await {
        Ok(done) => done,
        Err(e) => Err(format!("the work broke off: {e}")),
    }
}

async fn at(when: Option<Instant>) {
    match when {
        Some(when) => tokio::time::sleep_until(when).await,
        None => std::future::pending().await,
    }
}
