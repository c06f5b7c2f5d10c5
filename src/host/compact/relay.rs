//! The turn itself: what the agent says goes to the session, what the session orders goes to the agent.

use super::measure::Measure;
use super::{Over, Turn, begin};
use crate::agents::backend::{Agent, AgentEvent, Order};
use crate::agents::pipe::{Came, Pipe};
use crate::domain::event::{Status, Usage};
use crate::text::tokens;

/// How the turn went.
pub(super) enum Said {
    /// It ended, and that is told.
    Ended,
    /// The model found it too long before its first word; its window, when it named it.
    Full(Option<u64>),
}

/// What comes next in the middle of a request.
pub(super) enum Next {
    Order(Order),
    Event(AgentEvent),
    Gone,
}

/// Waits for it. An agent is not listened to while the session has no room.
pub(super) async fn next(pipe: &mut Pipe, agent: &mut Agent) -> Next {
    loop {
        tokio::select! {
            biased;
            came = pipe.next() => match came {
                Came::Order(order) => return Next::Order(order),
                Came::Taken => {}
            },
            event = agent.events.recv(), if !pipe.is_full() => {
                return event.map_or(Next::Gone, Next::Event);
            }
        }
    }
}

/// The gauge of a turn, as far as it is told.
struct Gauge {
    window: Option<u64>,
    /// What the request and its answer hold, as reckoned.
    held: u64,
    told: bool,
}

impl Gauge {
    fn hear(&mut self, event: &AgentEvent) {
        self.held += match event {
            AgentEvent::Delta { text, .. } | AgentEvent::ToolDelta { text, .. } => tokens(text),
            _ => 0,
        };
    }

    /// Figures with the window in them.
    #[allow(clippy::cast_precision_loss, reason = "a share of a window")]
    fn of(&mut self, usage: Usage) -> Usage {
        self.told |= usage.in_use.is_some();
        let window = usage.window.or(self.window).filter(|w| *w > 0);
        let share = usage.in_use.zip(window);
        Usage {
            window,
            context: usage.context.or(share.map(|(n, w)| n as f64 / w as f64)),
            ..usage
        }
    }

    /// What is reckoned where the agent counted nothing.
    fn guess(&mut self) -> Option<Usage> {
        let guess = Usage {
            in_use: Some(self.held),
            guessed: true,
            ..Usage::default()
        };
        (!self.told).then(|| self.of(guess))
    }
}

impl Turn {
    /// Plays the turn. One that the model finds too long is not told of where `again` says that it can be made shorter.
    pub(super) async fn relay(&mut self, prompt: &str, again: bool) -> Result<Said, Over> {
        let measure: Measure = self.measure(prompt);
        let mut gauge = Gauge {
            window: self.window,
            held: measure.after(0, 0) + measure.summary(),
            told: false,
        };
        let agent = begin(&self.backend, self.start.clone(), prompt).await;
        let mut agent = agent.ok_or(Over::Gone)?;
        let mut full = None;
        loop {
            match next(&mut self.pipe, &mut agent).await {
                Next::Gone => return Err(Over::Gone),
                Next::Order(order) => {
                    if let Order::ToolResult { result, .. } = &order {
                        gauge.held += tokens(&result.output);
                    }
                    // One that is gone is heard of at once.
                    drop(agent.orders.send(order).await);
                }
                Next::Event(AgentEvent::Full { window }) => full = Some(window),
                Next::Event(AgentEvent::Ended { status, reason }) => {
                    let shorter = again && !self.known.talk.turns.is_empty();
                    let failed = status == Status::Failed;
                    match full.filter(|_| failed) {
                        Some(window) if shorter => return Ok(Said::Full(window)),
                        Some(_) => {
                            let told = "The model finds this too long";
                            return Err(Over::Failed(self.shorten(told, prompt)));
                        }
                        None => self.ended(&mut gauge, status, reason),
                    }
                    return Ok(Said::Ended);
                }
                Next::Event(event) => {
                    gauge.hear(&event);
                    let event = self.shifted(event);
                    self.pipe.tell(match event {
                        AgentEvent::Usage(usage) => AgentEvent::Usage(gauge.of(usage)),
                        other => other,
                    });
                }
            }
        }
    }

    fn ended(&mut self, gauge: &mut Gauge, status: Status, reason: Option<String>) {
        if status != Status::Failed
            && let Some(guess) = gauge.guess()
        {
            self.pipe.tell(AgentEvent::Usage(guess));
        }
        self.pipe.end(status, reason);
    }

    /// An event with its blocks behind those of the summaries.
    fn shifted(&self, event: AgentEvent) -> AgentEvent {
        let by = |block: u32| block.saturating_add(self.blocks);
        match event {
            AgentEvent::Delta { block, text } => AgentEvent::Delta {
                block: by(block),
                text,
            },
            AgentEvent::Message { block, text } => AgentEvent::Message {
                block: by(block),
                text,
            },
            AgentEvent::Thinking { block, text } => AgentEvent::Thinking {
                block: by(block),
                text,
            },
            AgentEvent::Abandoned { from, to } => AgentEvent::Abandoned {
                from: by(from),
                to: by(to),
            },
            other => other,
        }
    }
}
