//! The session's agent: started when a prompt needs one, kept warm for a while, told and listened to.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_util::sync::DropGuard;

use super::warm::Pending;
use super::{Actor, LAST_GRACE, Todo};
use crate::agents::backend::{Agent, AgentEvent, Backend, Compacts, Order, Start};
use crate::domain::brief::{Mark, changed};
use crate::domain::event::{MemoryInjected, Status};
use crate::domain::{History, Kind, TurnNo};
use crate::host::compact::{self, Known};
use crate::host::history;
use crate::host::turn::{Input, With};
use crate::memory::brief::Made;
use crate::tools;

/// How long an agent may take to end whose record another one takes up at once.
const RECORD: Duration = Duration::from_secs(2);

/// An agent that was heard so lately is at work.
const LIVELY: Duration = Duration::from_secs(2);

/// What an agent is started with; where any of it is another, so is the agent.
#[derive(Clone)]
struct Setup {
    backend: Arc<dyn Backend>,
    model: Option<String>,
    folder: PathBuf,
    allow: Vec<String>,
}

impl PartialEq for Setup {
    fn eq(&self, other: &Self) -> bool {
        // An agent that is described otherwise now has another backend.
        Arc::ptr_eq(&self.backend, &other.backend)
            && (&self.model, &self.folder, &self.allow)
                == (&other.model, &other.folder, &other.allow)
    }
}

/// The agent that is there, if one is.
#[derive(Default)]
pub(super) struct Talk {
    agent: Option<Agent>,
    /// What it was started with.
    setup: Option<Setup>,
    /// What it was told before everything else.
    told: Arc<Made>,
    /// What the turn that is about to begin tells.
    brief: Arc<Made>,
    /// What the turn that is about to begin starts with.
    planned: Option<With>,
    /// Its own id of the conversation, as it last said.
    session: Option<String>,
    /// A turn whose agent waits to be started.
    pub(super) pending: Option<Pending>,
    /// When it last said something, or was given a prompt.
    heard: Option<Instant>,
    /// There while the agent is in its start.
    pub(super) starting: Option<DropGuard>,
}

impl Talk {
    pub(super) fn is_there(&self) -> bool {
        self.agent.is_some()
    }

    /// The next thing it says. Never called without an agent; waits for ever then.
    pub(super) async fn next(&mut self) -> Option<AgentEvent> {
        match &mut self.agent {
            Some(agent) => agent.events.recv().await,
            None => std::future::pending().await,
        }
    }

    /// Whether it said something, or was given its prompt, a moment ago.
    pub(super) fn is_lively(&self) -> bool {
        self.heard.is_some_and(|at| at.elapsed() < LIVELY)
    }

    pub(super) fn heard(&mut self, event: &AgentEvent) {
        self.heard = Some(Instant::now());
        // That its process was started is not yet its word.
        let silent = matches!(
            event,
            AgentEvent::Started {
                agent_session: None,
                ..
            }
        );
        if !silent {
            self.starting = None;
        }
        if let AgentEvent::Started {
            agent_session: Some(id),
            ..
        } = event
        {
            self.session = Some(id.clone());
        }
    }

    /// Tells it. False when it is gone, or has not taken its orders for so long that it counts as gone.
    pub(super) fn tell(&mut self, order: Order) -> bool {
        let Some(agent) = &self.agent else {
            return false;
        };
        match agent.orders.try_send(order) {
            Ok(()) => true,
            Err(mpsc::error::TrySendError::Full(_) | mpsc::error::TrySendError::Closed(_)) => false,
        }
    }

    /// Lets it end after what it does, and waits so long until it has: a host that ends leaves no idle agent behind,
    /// and no two have one record.
    pub(super) async fn leave(&mut self, patience: Duration) {
        self.tell(Order::Close);
        let gone = async {
            while let Some(agent) = &mut self.agent {
                if agent.events.recv().await.is_none() {
                    return;
                }
            }
        };
        // One that does not end in its time is left: nothing more can be done about it.
        drop(tokio::time::timeout(patience, gone).await);
        self.forget();
    }

    pub(super) fn forget(&mut self) {
        self.agent = None;
        self.setup = None;
        self.heard = None;
        self.session = None;
        self.starting = None;
    }

    fn fits(&self, setup: Option<&Setup>) -> bool {
        self.is_there() && setup.is_some() && self.setup.as_ref() == setup
    }

    /// Whether the next turn needs another one in any case.
    fn serves_one_turn(&self) -> bool {
        let here = |s: &Setup| s.backend.compacts() == Compacts::Here;
        self.setup.as_ref().is_some_and(here)
    }

    /// Whether it was told what this turn tells.
    fn knows(&self) -> bool {
        self.told.brief.text == self.brief.brief.text && self.told.voice == self.brief.voice
    }
}

impl Actor {
    /// What an agent would be started with now; none when no agent of that name is configured.
    fn setup(&self, agent: &str, model: Option<&str>) -> Option<Setup> {
        Some(Setup {
            backend: self.shared.backend(agent)?,
            model: model.map(str::to_owned),
            folder: self.shared.workspace.root().join(&self.desk.folder),
            allow: self.shared.allowed(&self.ledger.head),
        })
    }

    /// What `turn.started` says if a turn begins now. Read before the prompt is logged: the head then
    /// still tells of the turn before.
    pub(super) fn with(&mut self) -> With {
        let (agent, model) = self.shared.agent_of(&self.ledger.head);
        let before = self
            .ledger
            .head
            .turn
            .as_ref()
            .filter(|t| t.agent.as_ref() == Some(&agent));
        let hot = self
            .talk
            .fits(self.setup(&agent, model.as_deref()).as_ref());
        let in_step = before.is_some_and(|t| matches!(t.end, Some((Status::Ok, _))));
        let last = before.and_then(|t| t.agent_session.clone());
        let with = With {
            agent_session: self.talk.session.clone().filter(|_| hot).or(last),
            resume: hot || in_step,
            agent,
            model,
        };
        self.talk.planned = Some(with.clone());
        with
    }

    /// Makes the brief, and gives the prompt to the agent when the log has it.
    pub(super) async fn prompt(&mut self, text: String) {
        self.settle().await;
        let Some(with) = &self.talk.planned else {
            return;
        };
        let setup = self.setup(&with.agent, with.model.as_deref());
        self.talk.brief = self.make_brief().await;
        if !(self.talk.fits(setup.as_ref()) && self.talk.knows()) {
            // Before the log has it: a turn that is stopped meanwhile finds no agent to be stopped.
            self.talk.leave(RECORD).await;
        }
        let turn = self.state.turn;
        match self.injected() {
            Some(kind) => {
                self.ledger.append(kind);
                self.then(Todo::Brief { turn, text });
            }
            None => self.briefed(turn, text).await,
        }
    }

    /// Gives the prompt to the agent, starting one when none fits.
    pub(super) async fn briefed(&mut self, turn: TurnNo, text: String) {
        // It was stopped while it waited for the disk.
        if self.state.turn != turn || !self.state.runs() {
            return;
        }
        let Some(with) = self.talk.planned.take() else {
            return;
        };
        if self.talk.is_there() {
            self.shared.life.warm.works(self.id);
            return self.give(text);
        }
        self.in_line(with, text).await;
    }

    async fn make_brief(&self) -> Arc<Made> {
        let of = self.shared.brief_of(self.id, &self.ledger.head);
        let shared = self.shared.clone();
        let made = super::blocking(move || Ok::<_, String>(of.make(&shared))).await;
        Arc::new(made.unwrap_or_default())
    }

    /// What the log is to say of the brief; none when it says so already.
    fn injected(&self) -> Option<Kind> {
        let brief = &self.talk.brief.brief;
        let marks = Mark::all(&brief.parts);
        let last = self.ledger.head.brief.as_ref();
        if last.is_some_and(|last| last.marks == marks) {
            return None;
        }
        Some(Kind::MemoryInjected(MemoryInjected {
            turn: self.state.turn,
            text: brief.text.as_str().into(),
            parts: brief.parts.clone(),
            changed: last.map_or_else(Vec::new, |last| changed(&last.marks, &marks)),
        }))
    }

    /// Starts the agent and gives it the prompt.
    pub(super) async fn start_and_give(&mut self, with: With, text: String) {
        match self.start(with).await {
            Ok(()) => self.give(text),
            Err(why) => self.said(AgentEvent::Ended {
                status: Status::Failed,
                reason: Some(why),
            }),
        }
    }

    fn give(&mut self, text: String) {
        self.talk.heard = Some(Instant::now());
        if !self.talk.tell(Order::Prompt(text)) {
            self.agent_gone();
        }
    }

    async fn start(&mut self, with: With) -> Result<(), String> {
        let Some(setup) = self.setup(&with.agent, with.model.as_deref()) else {
            return Err(format!(
                "no agent {:?} is configured; choose another for this session, or add [agents.{}] to the configuration",
                with.agent, with.agent
            ));
        };
        let (store, id, turn) = (self.shared.store.clone(), self.id, self.state.turn);
        let from = self.ledger.head.compacted;
        let read = move || {
            let said = history::before(&store, id, turn, from)?;
            Ok::<_, crate::log::LogError>((said, store.scratch(id)?))
        };
        let ((talk, end), scratch) = super::blocking(read)
            .await
            .map_err(|e| format!("the history could not be read: {e}"))?;
        let made = self.talk.brief.clone();
        let spent = self.ledger.head.spent;
        let known = Known {
            counted: spent.in_use.filter(|_| with.resume && !spent.guessed),
            at: self
                .shared
                .config()
                .agent(&with.agent)
                .and_then(|a| a.compact_at),
            end,
            talk,
        };
        let start = Start {
            session: self.id,
            agent_session: with.agent_session,
            in_step: with.resume,
            history: History::new(),
            brief: made.brief.text.clone(),
            voice: made.voice.clone(),
            tools: tools::SPECS,
            allow: setup.allow.clone(),
            folder: setup.folder.clone(),
            scratch,
            model: setup.model.clone(),
        };
        self.talk.agent = Some(compact::start(&setup.backend, start, known));
        self.talk.setup = Some(setup);
        self.talk.told = made;
        Ok(())
    }

    pub(super) fn said(&mut self, event: AgentEvent) {
        let ended = matches!(event, AgentEvent::Ended { .. });
        if ended {
            self.grace = None;
        }
        self.talk.heard(&event);
        if ended && self.talk.serves_one_turn() {
            // A prompt that comes before it is gone must not be given to it.
            self.talk.forget();
        }
        self.feed(Input::Agent(event));
    }

    pub(super) fn agent_gone(&mut self) {
        self.talk.forget();
        self.shared.life.warm.gone(self.id);
        self.grace = None;
        self.feed(Input::Gone);
    }

    pub(super) fn grace_over(&mut self) {
        match self.grace.take() {
            Some((_, false)) => {
                self.grace = Some((Instant::now() + LAST_GRACE, true));
                self.feed(Input::Grace);
            }
            _ => self.agent_gone(),
        }
    }

    pub(super) fn order(&mut self, order: Order) {
        let ends = matches!(order, Order::Interrupt | Order::Kill);
        if ends && self.talk.start_waits() {
            return self.not_started();
        }
        if let Some(orphan) = self.orphan.as_ref().filter(|_| ends) {
            orphan.cancel();
            return;
        }
        if !self.talk.tell(order) {
            self.agent_gone();
        }
    }
}
