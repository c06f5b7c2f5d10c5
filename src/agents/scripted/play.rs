//! Playing a written stream.

use std::path::PathBuf;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

use super::steps::{self, Script, Step};
use crate::agents::backend::{AgentEvent, Order, Start};
use crate::agents::pipe::{Came, Pipe};
use crate::domain::event::Status;

/// Why a turn is not played on.
enum Halt {
    /// It ended.
    Turn,
    /// The agent is gone.
    Agent,
}

/// Plays the file until it is closed.
pub(super) async fn run(
    path: PathBuf,
    start: Start,
    orders: mpsc::Receiver<Order>,
    events: mpsc::Sender<AgentEvent>,
) {
    let mut pipe = Pipe::new(orders, events);
    let script = steps::read(&path);
    let mut player = Player {
        messages: start.history.len(),
        brief: start.brief,
        ..Player::default()
    };
    while let Some(prompt) = pipe.prompt().await {
        let halt = match &script {
            Ok(script) => player.turn(script, prompt, &mut pipe).await,
            Err(why) => {
                pipe.end(Status::Failed, Some(format!("{why}.")));
                Halt::Turn
            }
        };
        if let Halt::Agent = halt {
            pipe.flush().await;
            return;
        }
    }
}

#[derive(Default)]
struct Player {
    /// Turns played.
    turns: usize,
    messages: usize,
    brief: String,
    prompt: String,
    result: String,
    started: bool,
    deaf: bool,
}

impl Player {
    async fn turn(&mut self, script: &Script, prompt: String, pipe: &mut Pipe) -> Halt {
        let last = script.turns.len().saturating_sub(1);
        let steps = script.turns.get(self.turns.min(last));
        self.turns += 1;
        self.prompt = prompt;
        for step in steps.into_iter().flatten() {
            if let Err(halt) = self.step(step, "", pipe).await {
                self.messages += 2;
                return halt;
            }
        }
        self.messages += 2;
        pipe.end(Status::Ok, None);
        Halt::Turn
    }

    async fn step(&mut self, step: &Value, i: &str, pipe: &mut Pipe) -> Result<(), Halt> {
        let messages = self.messages.to_string();
        let fill = [
            ("{prompt}", self.prompt.as_str()),
            ("{history}", &messages),
            ("{brief}", &self.brief),
            ("{result}", &self.result),
            ("{i}", i),
        ];
        let step = match Step::read(step, &fill) {
            Ok(step) => step,
            Err(why) => {
                pipe.end(Status::Failed, Some(format!("{why}.")));
                return Err(Halt::Turn);
            }
        };
        match step {
            Step::Each { n, ms, step } => {
                for i in 1..=n {
                    Box::pin(self.step(&step, &i.to_string(), pipe)).await?;
                    self.wait(Duration::from_millis(ms), pipe).await?;
                }
                Ok(())
            }
            Step::Wait(ms) => self.wait(Duration::from_millis(ms), pipe).await,
            Step::AwaitOrder(name) => self.order(&name, pipe).await,
            Step::Hang(_) => self.order("", pipe).await,
            Step::Deaf(_) => {
                self.deaf = true;
                Ok(())
            }
            Step::Exit(_) => Err(Halt::Agent),
            Step::Raw { why, base64 } => {
                let bytes = STANDARD.decode(base64).unwrap_or_default();
                self.tell(AgentEvent::Raw { why, bytes }, pipe).await
            }
            Step::Event(event) => self.tell(event, pipe).await,
        }
    }

    async fn tell(&mut self, event: AgentEvent, pipe: &mut Pipe) -> Result<(), Halt> {
        if !self.started && !matches!(event, AgentEvent::Started { .. }) {
            pipe.tell(AgentEvent::Started {
                process: None,
                agent_session: None,
                model: None,
            });
        }
        self.started = true;
        let ended = matches!(event, AgentEvent::Ended { .. });
        pipe.tell(event);
        while pipe.is_full() {
            let came = pipe.next().await;
            self.came(came, pipe)?;
        }
        if ended { Err(Halt::Turn) } else { Ok(()) }
    }

    async fn wait(&mut self, time: Duration, pipe: &mut Pipe) -> Result<(), Halt> {
        let until = Instant::now() + time;
        // The clock counts milliseconds: it makes the shortest wait one of them.
        let over = async || {
            if !time.is_zero() {
                sleep_until(until).await;
            }
        };
        loop {
            let came = tokio::select! {
                biased;
                came = pipe.next() => came,
                () = over() => return Ok(()),
            };
            self.came(came, pipe)?;
        }
    }

    /// Waits for an order of that name; for none, for ever.
    async fn order(&mut self, name: &str, pipe: &mut Pipe) -> Result<(), Halt> {
        loop {
            let came = pipe.next().await;
            let found = matches!(&came, Came::Order(order) if self::name(order) == name);
            let interrupt = matches!(came, Came::Order(Order::Interrupt));
            if !(found && interrupt) {
                self.came(came, pipe)?;
            }
            if found {
                return Ok(());
            }
        }
    }

    fn came(&mut self, came: Came, pipe: &mut Pipe) -> Result<(), Halt> {
        match came {
            Came::Order(Order::ToolResult { result, .. }) => {
                self.result = result.output;
                Ok(())
            }
            Came::Order(Order::Interrupt) if !self.deaf => {
                pipe.end(Status::Interrupted, None);
                Err(Halt::Turn)
            }
            Came::Order(Order::Kill) => {
                pipe.end(Status::Interrupted, None);
                Err(Halt::Agent)
            }
            Came::Order(_) | Came::Taken => Ok(()),
        }
    }
}

const fn name(order: &Order) -> &'static str {
    match order {
        Order::Prompt(_) => "prompt",
        Order::Answer { .. } => "answer",
        Order::ToolResult { .. } => "tool_result",
        Order::Interrupt => "interrupt",
        Order::Close => "close",
        Order::Kill => "kill",
    }
}
