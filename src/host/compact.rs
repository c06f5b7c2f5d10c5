//! A turn whose conversation is built from our log: before it fills the model's window a summary takes the place of its
//! beginning. It stands between the session and its agent and looks to the session like the agent.
//!
//! Everything happens inside the turn that needs it: a host that dies meanwhile has lost that turn and nothing else.
//! Why: `docs/decisions/0012-compaction.md`. Not its job: what a conversation is (`domain::message`).

mod measure;
mod relay;
mod summary;

use std::sync::Arc;

use crate::agents::backend::{Agent, AgentEvent, Backend, Compacts, Order, Start};
use crate::agents::pipe::Pipe;
use crate::domain::Exchanges;
use crate::domain::compact::{self, NO_SHORTER};
use crate::domain::event::{Compacted, Seq, Status};
use crate::text::{counted, thousands, tokens};
use measure::Measure;
use relay::Said;
use summary::Ask;

/// Per cent of the window at which a summary is made, where the writer says nothing.
const AT: u64 = 80;

/// Why there is nothing to do.
const NOTHING_SAID: &str =
    "There is nothing to summarise: what was said is a summary already, or nothing was said yet.";
const UNANSWERED: &str = "There is nothing to summarise: what is not a summary already has no whole answer yet, and stays as it is.";

/// What is known of a conversation.
#[derive(Clone, Debug)]
pub(super) struct Known {
    /// The conversation.
    pub(super) talk: Exchanges,
    /// The newest event before the prompt.
    pub(super) end: Seq,
    /// Tokens that the agent counted in its newest turn, where that was the one before.
    pub(super) counted: Option<u64>,
    /// Per cent of the window at which a summary is made.
    pub(super) at: Option<u64>,
}

/// Why a turn is over before its agent ended it.
enum Over {
    Stopped,
    Failed(String),
    /// The agent is gone.
    Gone,
}

/// Starts an agent with what is known of its conversation; one whose conversation is built here serves one turn.
pub(super) fn start(backend: &Arc<dyn Backend>, mut start: Start, known: Known) -> Agent {
    if backend.compacts() != Compacts::Here {
        start.history = known.talk.into_history();
        return backend.start(start);
    }
    start.history = known.talk.history();
    let backend = Arc::clone(backend);
    Agent::driven(|orders, events| {
        let turn = Turn {
            backend,
            start,
            known,
            window: None,
            pipe: Pipe::new(orders, events),
            blocks: 0,
        };
        turn.run()
    })
}

/// Why no summary can be made of a conversation by hand.
pub(super) fn nothing_in(talk: &Exchanges) -> Option<&'static str> {
    if talk.turns.is_empty() {
        Some(NOTHING_SAID)
    } else if whole(talk) == 0 {
        Some(UNANSWERED)
    } else {
        None
    }
}

/// How many of its turns can be summarised by hand: a prompt that still waits for its answer stays as it was written.
fn whole(talk: &Exchanges) -> usize {
    talk.turns.len() - talk.unanswered()
}

struct Turn {
    backend: Arc<dyn Backend>,
    start: Start,
    known: Known,
    /// Tokens that the model's window holds.
    window: Option<u64>,
    pipe: Pipe,
    /// Blocks used by summaries: the agent's own are numbered behind them.
    blocks: u32,
}

impl Turn {
    async fn run(mut self) {
        let Some(prompt) = self.pipe.prompt().await else {
            return;
        };
        match self.play(&prompt).await {
            Ok(()) | Err(Over::Gone) => {}
            Err(Over::Stopped) => self.pipe.end(Status::Interrupted, None),
            Err(Over::Failed(why)) => self.pipe.end(Status::Failed, Some(why)),
        }
        self.pipe.flush().await;
    }

    async fn play(&mut self, prompt: &str) -> Result<(), Over> {
        let backend = Arc::clone(&self.backend);
        let model = self.start.model.clone();
        self.window = tokio::select! {
            window = backend.window(model.as_deref()) => window,
            _ = self.pipe.stop() => return Err(Over::Stopped),
        };
        if let Some(focus) = compact::focus(prompt) {
            return self.by_hand(focus).await;
        }
        // Known before anything is asked: no summary is made for nothing.
        self.too_large(prompt)?;
        let measure = self.measure(prompt);
        if measure.is_full() && !self.known.talk.turns.is_empty() {
            self.before_full(&measure).await?;
        }
        let mut again = true;
        while let Said::Full(window) = self.relay(prompt, again).await? {
            again = false;
            let measure = self.measure(prompt);
            self.window = window.or(self.window);
            // What was refused is larger than the window, whatever else is believed of it.
            let most = measure.need().saturating_mul(9) / 10;
            self.window = Some(self.window.map_or(most, |w| w.min(most)));
            let told = "The model finds the conversation too long";
            let measure = self.measure(prompt);
            let cut = measure.cut();
            self.compact(&measure, cut, ("refused", told, "")).await?;
        }
        Ok(())
    }

    fn measure(&self, prompt: &str) -> Measure {
        let window = self.window;
        Measure::of(&self.start, &self.known, window, prompt)
    }

    /// The window is nearly full. A summary that fails stops nothing that still fits.
    async fn before_full(&mut self, measure: &Measure) -> Result<(), Over> {
        let told = match measure.share() {
            Some(share) => format!("The conversation fills about {share} % of the model's window"),
            None => "The conversation fills the model's window".to_owned(),
        };
        let cut = measure.cut();
        match self.compact(measure, cut, ("full", &told, "")).await {
            Err(Over::Failed(why)) if measure.fits() => {
                let goes = "The turn goes on with the whole conversation, which still fits.";
                self.note(format!("{why} {goes}"));
                Ok(())
            }
            other => other,
        }
    }

    /// The writer ordered it.
    async fn by_hand(&mut self, focus: &str) -> Result<(), Over> {
        if let Some(why) = nothing_in(&self.known.talk) {
            self.note(why.to_owned());
        } else {
            let measure = self.measure("");
            // All but the newest, however much there is room for, and of that no more than is kept by itself.
            let whole = whole(&self.known.talk);
            let cut = measure.cut().max(whole.saturating_sub(1)).min(whole);
            self.compact(&measure, cut, ("asked", "As you asked", focus))
                .await?;
        }
        self.pipe.end(Status::Ok, None);
        Ok(())
    }

    /// Makes a summary of so many of the turns, and puts it in their place.
    async fn compact(
        &mut self,
        measure: &Measure,
        cut: usize,
        (why, told, focus): (&str, &str, &str),
    ) -> Result<(), Over> {
        let turns = &self.known.talk.turns;
        let (old, kept) = turns.split_at(cut.min(turns.len()));
        let upto = kept
            .first()
            .map_or(self.known.end, |t| t.from.saturating_sub(1));
        let messages = old.iter().map(|t| t.said.len() as u64).sum();
        let what = counted(messages, "message");
        let ask = Ask {
            summary: self.known.talk.summary.clone().unwrap_or_default(),
            parts: old
                .iter()
                .flat_map(|t| &t.said)
                .map(summary::told)
                .collect(),
            focus: focus.to_owned(),
            room: measure.room(),
            most: measure.summary_max(),
        };
        let kept = kept.to_vec();
        self.note(format!("{told}: a summary of {what} is being made."));
        let summary = self.summarise(ask).await?;
        let (before, after) = (measure.need(), measure.after(tokens(&summary), cut));
        self.known.talk = Exchanges {
            summary: Some(summary.clone()),
            turns: kept,
        };
        self.known.counted = None;
        self.start.history = self.known.talk.history();
        self.pipe.tell(AgentEvent::Compacted(Box::new(Compacted {
            turn: 0,
            upto,
            summary: summary.into(),
            why: why.to_owned(),
            before: Some(before),
            after: Some(after),
            messages: Some(messages),
        })));
        Ok(())
    }

    /// What no summary makes small enough.
    fn too_large(&self, prompt: &str) -> Result<(), Over> {
        let measure = self.measure(prompt);
        match self.window {
            // The measure is a rule: one that is just above is sent, and the model may say so itself.
            Some(window) if measure.fixed() > window + window / 4 => Err(Over::Failed(
                self.shorten("This is too long for the model", prompt),
            )),
            _ => Ok(()),
        }
    }

    /// What to do where nothing is left to be summarised.
    fn shorten(&self, told: &str, prompt: &str) -> String {
        let about = thousands(self.measure(prompt).fixed());
        let window = match self.window {
            Some(window) => format!("; the model's window holds {}", thousands(window)),
            None => String::new(),
        };
        format!(
            "{told}, {NO_SHORTER}: the brief and the prompt alone are about {about} tokens{window}. Shorten the prompt or the files of the brief, or choose a model with a larger window."
        )
    }

    fn note(&mut self, text: String) {
        self.pipe.tell(AgentEvent::Note(text));
    }
}

/// Starts an agent with its prompt; none when it is gone at once.
async fn begin(backend: &Arc<dyn Backend>, start: Start, prompt: &str) -> Option<Agent> {
    let agent = backend.start(start);
    let order = Order::Prompt(prompt.to_owned());
    agent.orders.send(order).await.ok()?;
    Some(agent)
}
