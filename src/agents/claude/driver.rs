//! One session's agent: starts the program when there is a prompt, and again when it is gone.

use tokio::sync::mpsc;

use super::heard::Heard;
use super::launch::{self, Known, Ready, Shared, Slot};
use super::live::Live;
use crate::agents::backend::{AgentEvent, Order, Start};
use crate::agents::child::Child;
use crate::agents::error::AgentError;
use crate::agents::pipe::Pipe;
use crate::domain::event::Status;

/// Serves one session until it is closed.
pub(super) async fn run(
    setup: Shared,
    mut start: Start,
    orders: mpsc::Receiver<Order>,
    events: mpsc::Sender<AgentEvent>,
) {
    let heard = Heard::new(std::mem::take(&mut start.history));
    let known = start.agent_session.take().filter(|_| start.in_step);
    let mut driver = Driver {
        setup,
        start,
        pipe: Pipe::new(orders, events),
        heard,
        known: known.map(|id| Known { id, seen: false }),
    };
    let mut again = None;
    loop {
        let prompt = match again.take() {
            Some(prompt) => prompt,
            None => match driver.pipe.prompt().await {
                Some(prompt) => prompt,
                None => return,
            },
        };
        again = driver.turns(prompt).await;
    }
}

struct Driver {
    setup: Shared,
    start: Start,
    pipe: Pipe,
    heard: Heard,
    known: Option<Known>,
}

impl Driver {
    /// Starts the program and plays turns until it is gone. Gives back a prompt that it did not get.
    async fn turns(&mut self, prompt: String) -> Option<String> {
        let (opened, child) = self.open().await;
        match (opened, child) {
            (Some(Ok(ready)), Some(child)) => self.serve(prompt, child, ready).await,
            (opened, child) => {
                launch::end(&self.setup, child).await;
                self.unopened(&prompt, opened.and_then(Result::err));
                None
            }
        }
    }

    /// Starts the program and waits until it is ready; none when the turn shall stop before. Each process is
    /// told at once, so that the log knows whom a host that dies leaves behind.
    async fn open(&mut self) -> (Option<Result<Ready, AgentError>>, Option<Child>) {
        let (tell, mut told) = mpsc::unbounded_channel();
        let mut slot = Slot::new(tell);
        let opened = {
            let opening = launch::open(
                &self.setup,
                &self.start,
                self.heard.history(),
                self.known.as_ref(),
                &mut slot,
            );
            tokio::pin!(opening);
            loop {
                tokio::select! {
                    biased;
                    Some(event) = told.recv() => self.pipe.tell(event),
                    _ = self.pipe.stop() => break None,
                    opened = &mut opening => break Some(opened),
                }
            }
        };
        (opened, slot.take())
    }

    async fn serve(&mut self, prompt: String, child: Child, ready: Ready) -> Option<String> {
        let id = ready.id.clone();
        self.pipe.tell(AgentEvent::Started {
            process: child.process(),
            agent_session: Some(id.clone()),
            model: ready.model.clone(),
        });
        let patience = self.setup.patience;
        let live = Live::new(child, ready, patience, &mut self.pipe, &mut self.heard);
        let gone = live.serve(prompt).await;
        self.known = gone.whole.then_some(Known { id, seen: true });
        gone.again
    }

    /// The program was not there for this prompt.
    fn unopened(&mut self, prompt: &str, why: Option<AgentError>) {
        let (status, reason) = match why {
            Some(e) => (Status::Failed, Some(e.told())),
            None => (Status::Interrupted, None),
        };
        self.heard.prompt(prompt);
        let ended = AgentEvent::Ended { status, reason };
        self.heard.event(&ended);
        self.pipe.tell(ended);
    }
}
