//! A backend's end of the seam: orders come in, events go out, neither waits for the other.

use std::collections::VecDeque;

use tokio::sync::mpsc;

use super::backend::{AgentEvent, Order};
use crate::domain::event::Status;

/// Orders, events, and the events that the host has no room for yet.
#[derive(Debug)]
pub(crate) struct Pipe {
    orders: mpsc::Receiver<Order>,
    events: mpsc::Sender<AgentEvent>,
    waiting: VecDeque<AgentEvent>,
    /// The host wants no further turn.
    pub(crate) closing: bool,
}

/// What came over the pipe.
#[derive(Debug)]
pub(crate) enum Came {
    /// An order; dropped orders are a close.
    Order(Order),
    /// An event was taken.
    Taken,
}

/// How a running turn shall stop before its agent is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stop {
    /// The turn.
    Turn,
    /// The agent.
    Agent,
}

impl Pipe {
    pub(crate) const fn new(
        orders: mpsc::Receiver<Order>,
        events: mpsc::Sender<AgentEvent>,
    ) -> Self {
        Self {
            orders,
            events,
            waiting: VecDeque::new(),
            closing: false,
        }
    }

    /// Tells the host, now or when it has room.
    pub(crate) fn tell(&mut self, event: AgentEvent) {
        if !self.events.is_closed() {
            self.waiting.push_back(event);
        }
    }

    /// Tells the host how the turn ended.
    pub(crate) fn end(&mut self, status: Status, reason: Option<String>) {
        self.tell(AgentEvent::Ended { status, reason });
    }

    /// Whether nobody listens any more.
    pub(crate) fn is_alone(&self) -> bool {
        self.events.is_closed()
    }

    /// Whether the host has no room: then an agent's output is read no further.
    pub(crate) fn is_full(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// The next order, or an event taken. Nothing is lost when the wait is given up.
    pub(crate) async fn next(&mut self) -> Came {
        tokio::select! {
            biased;
            order = self.orders.recv(), if !self.closing || !self.orders.is_closed() => {
                if matches!(order, None | Some(Order::Close)) {
                    self.closing = true;
                }
                Came::Order(order.unwrap_or(Order::Close))
            }
            room = self.events.reserve(), if !self.waiting.is_empty() => {
                match (room, self.waiting.pop_front()) {
                    (Ok(room), Some(event)) => room.send(event),
                    // The host is gone: nobody is told.
                    _ => self.waiting.clear(),
                }
                Came::Taken
            }
            else => std::future::pending().await,
        }
    }

    /// The next prompt; none when the agent shall end. Events that wait are taken meanwhile.
    pub(crate) async fn prompt(&mut self) -> Option<String> {
        while !self.closing {
            match self.next().await {
                Came::Order(Order::Prompt(text)) => return Some(text),
                Came::Order(Order::Kill) => self.closing = true,
                Came::Order(_) | Came::Taken => {}
            }
        }
        self.flush().await;
        None
    }

    /// Waits until the turn shall stop.
    pub(crate) async fn stop(&mut self) -> Stop {
        loop {
            match self.next().await {
                Came::Order(Order::Interrupt) => return Stop::Turn,
                Came::Order(Order::Kill) => {
                    self.closing = true;
                    return Stop::Agent;
                }
                Came::Order(_) | Came::Taken => {}
            }
        }
    }

    /// Gives the host what waits.
    pub(crate) async fn flush(&mut self) {
        while let Some(event) = self.waiting.pop_front() {
            if self.events.send(event).await.is_err() {
                self.waiting.clear();
            }
        }
    }
}
