//! A session that holds still while its folder gets another name: nothing is typed, no agent is there, and what is
//! to be logged comes from whoever asked for it.

use tokio::sync::{mpsc, oneshot};

use super::{Actor, LEAVE, Todo};
use crate::domain::{Head, Kind};

/// What a session says that was asked to hold still.
pub(in crate::host) enum Held {
    /// It does, until this is dropped.
    Still(Box<Still>),
    /// A turn runs.
    Busy,
    /// It cannot, and why.
    Not(String),
}

/// A session that holds still.
pub(in crate::host) struct Still {
    /// What its log says, all of it on disk.
    pub(in crate::host) head: Head,
    /// Where its folder is, relative to the workspace.
    pub(in crate::host) folder: String,
    orders: mpsc::Sender<Order>,
}

/// Events to be logged, and who waits until they are on disk.
pub(super) type Order = (Vec<Kind>, oneshot::Sender<Result<(), String>>);

impl Still {
    /// Logs events; they are durable when this returns.
    pub(in crate::host) async fn log(&self, kinds: Vec<Kind>) -> Result<(), String> {
        let (done, outcome) = oneshot::channel();
        let ended = || "The session was closed in this moment.".to_owned();
        let sent = self.orders.send((kinds, done)).await;
        sent.map_err(|_| ended())?;
        outcome.await.map_err(|_| ended())?
    }
}

/// The session's end of it.
#[derive(Default)]
pub(super) struct Hold {
    /// Who wants it to hold still, until it does.
    asked: Option<oneshot::Sender<Held>>,
    orders: Option<mpsc::Receiver<Order>>,
    /// Who waits for events to be on disk.
    logging: Option<oneshot::Sender<Result<(), String>>>,
}

impl Hold {
    /// Whether it holds still, or is about to: it hears nobody else.
    pub(super) fn is_on(&self) -> bool {
        self.asked.is_some() || self.orders.is_some()
    }

    /// The next order; none when it may go on. Waits for ever when it does not hold still.
    pub(super) async fn next(&mut self) -> Option<Order> {
        match &mut self.orders {
            Some(orders) => orders.recv().await,
            None => std::future::pending().await,
        }
    }

    /// The disk takes nothing: who waits for it hears of that.
    pub(super) fn fail(&mut self, why: &str) {
        // Whoever asked may be gone.
        if let Some(asked) = self.asked.take() {
            drop(asked.send(Held::Not(why.to_owned())));
        }
        if let Some(logging) = self.logging.take() {
            drop(logging.send(Err(why.to_owned())));
        }
    }
}

impl Actor {
    /// Is asked to hold still: what was typed becomes a version, the agent ends, then it says so.
    pub(super) async fn hold(&mut self, asked: oneshot::Sender<Held>) {
        let no = match &self.ledger.trouble {
            _ if self.works() => Some(Held::Busy),
            trouble => trouble.clone().map(Held::Not),
        };
        if let Some(no) = no {
            // Whoever asked may be gone.
            return drop(asked.send(no));
        }
        self.hold.asked = Some(asked);
        let mut talk = std::mem::take(&mut self.talk);
        talk.leave(LEAVE).await;
        self.shared.life.warm.gone(self.id);
        self.settle().await;
        self.then(Todo::Still);
    }

    /// All of it is on disk, and in the file.
    pub(super) fn still(&mut self) {
        let Some(asked) = self.hold.asked.take() else {
            return;
        };
        if self.works() {
            return drop(asked.send(Held::Busy));
        }
        self.desk.unwatch();
        let (orders, hears) = mpsc::channel(1);
        let still = Still {
            head: self.ledger.head.clone(),
            folder: self.desk.folder.clone(),
            orders,
        };
        self.hold.orders = Some(hears);
        // Where nobody hears it the orders have ended, and it goes on.
        drop(asked.send(Held::Still(Box::new(still))));
    }

    /// Does what it is told while it holds still, and goes on when there is no more.
    pub(super) async fn ordered(&mut self, order: Option<Order>) {
        let Some((kinds, done)) = order else {
            self.hold = Hold::default();
            return self.look_at_draft().await;
        };
        if let Some(why) = self.ledger.trouble.clone() {
            // Its trouble was told before anybody waited here.
            return drop(done.send(Err(why)));
        }
        for kind in kinds {
            self.ledger.append(kind);
        }
        self.hold.logging = Some(done);
        // What follows, names of folders, is durable by itself.
        let logged = self.ledger.gate_durable(Todo::Logged);
        self.ready.extend(logged);
    }

    /// What it was told to log is on disk.
    pub(super) fn logged(&mut self) {
        if let Some(done) = self.hold.logging.take() {
            // Whoever asked may be gone.
            drop(done.send(Ok(())));
        }
    }

    /// Whether a turn runs, or the agent of one that was cut is waited for.
    fn works(&self) -> bool {
        self.state.runs() || self.orphan.is_some()
    }
}
