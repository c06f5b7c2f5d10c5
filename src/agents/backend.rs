//! The seam between host and agents: orders go in, events come out, vendor formats stay inside.

use std::future::Future;
use std::path::{Path, PathBuf};
use std::pin::Pin;

use serde::Deserialize;
use tokio::sync::mpsc;

use crate::domain::event::{Answer, Compacted, Limit, Process, Status, Usage};
use crate::domain::tool::{ToolResult, ToolSpec};
use crate::domain::{History, SessionId};

/// Events that may wait for the host before the agent's pipe is read no further.
const EVENTS_WAITING: usize = 256;
/// Orders that may wait for the agent.
const ORDERS_WAITING: usize = 16;

/// What a backend answers after a while; boxed, since the host knows backends by their trait alone.
pub type Later<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Speaks to one kind of agent.
pub trait Backend: Send + Sync {
    /// Starts an agent for one session. Never fails at once: what goes wrong comes as
    /// [`AgentEvent::Ended`] with a reason, after the first prompt, and the events end.
    fn start(&self, start: Start) -> Agent;

    /// Whether this agent could be used, for `doctor`.
    fn probe(&self) -> Later<'_, Probe>;

    /// The answer to the newest prompt as a process that outlived its host saved it, when it saved
    /// a whole one. `prompt` is that prompt, so that an older answer is not taken for it. Of an agent that ends
    /// with its host there is nothing to read back.
    fn salvage(&self, _agent_session: &str, _folder: &Path, _prompt: &str) -> Option<String> {
        None
    }

    /// Whether it can do what a prompt wants; one that is asked anything can do anything.
    fn does(&self, _prompt: &str) -> bool {
        true
    }

    /// How the conversation that its model is sent is made shorter.
    fn compacts(&self) -> Compacts {
        Compacts::Never
    }

    /// Tokens that a model's window holds, of the configured model when none is named: what is set, what the server
    /// tells, what is known. Asked as part of a turn and never before. None when nobody knows.
    fn window<'a>(&'a self, _model: Option<&'a str>) -> Later<'a, Option<u64>> {
        Box::pin(std::future::ready(None))
    }

    /// Whether each of its agents is a process of its own on this machine: heavy to start and to keep.
    fn is_process(&self) -> bool {
        false
    }
}

/// How the conversation that a model is sent is made shorter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compacts {
    /// By the host: the conversation is built from our log for each turn, and a started agent serves one.
    Here,
    /// By the agent, which keeps a record of its own, when it is sent the order for it (`domain::compact`).
    Itself,
    /// Not at all: nothing of a conversation is sent anywhere.
    Never,
}

/// All that an agent is told when it is started.
#[derive(Clone, Debug)]
pub struct Start {
    /// The session.
    pub session: SessionId,
    /// The agent's own id of this conversation, from the newest turn it took part in.
    pub agent_session: Option<String>,
    /// Whether the agent's own record holds all that our log holds: its turn was the newest one and ended
    /// well or by an interrupt it took part in. When not, the record is rendered anew from `history`.
    pub in_step: bool,
    /// The conversation so far, without the prompt to come.
    pub history: History,
    /// What it is told before everything else.
    pub brief: String,
    /// What the writer's `VOICE.md` says; empty where there is none.
    pub voice: String,
    /// The tools we serve.
    pub tools: &'static [ToolSpec],
    /// What the collection allows beyond them: `web`.
    pub allow: Vec<String>,
    /// The session's folder, absolute: the agent's working directory.
    pub folder: PathBuf,
    /// A private folder for files the agent must be given by name. Exists.
    pub scratch: PathBuf,
    /// Model asked for, before the configured one.
    pub model: Option<String>,
}

/// A started agent. Dropping `orders` closes it.
#[derive(Debug)]
pub struct Agent {
    /// What it says. The channel ends when the agent is gone.
    pub events: mpsc::Receiver<AgentEvent>,
    /// What it is told.
    pub orders: mpsc::Sender<Order>,
}

impl Agent {
    /// One that a driver plays, which hears its orders and tells its events until it ends.
    pub fn driven<F>(
        drive: impl FnOnce(mpsc::Receiver<Order>, mpsc::Sender<AgentEvent>) -> F,
    ) -> Self
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let (tell, events) = mpsc::channel(EVENTS_WAITING);
        let (orders, told) = mpsc::channel(ORDERS_WAITING);
        tokio::spawn(drive(told, tell));
        Self { events, orders }
    }
}

/// What an agent is told.
#[derive(Clone, PartialEq, Debug)]
pub enum Order {
    /// A turn begins; sent only when none runs.
    Prompt(String),
    /// The writer's answer to [`AgentEvent::Asked`].
    Answer {
        /// The call it was about.
        call: String,
        /// The answer.
        answer: Answer,
    },
    /// The result of [`AgentEvent::ToolCall`].
    ToolResult {
        /// The call.
        call: String,
        /// The result.
        result: ToolResult,
    },
    /// Stop this turn and keep what was said; `Ended` follows.
    Interrupt,
    /// End after the running turn, if any.
    Close,
    /// End now, by signals if need be.
    Kill,
}

/// What an agent says. Blocks are numbered from 0 in each turn and a number is never used twice in one. A written
/// stream names them in snake case.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum AgentEvent {
    /// It runs; sent for each process or connection after the first prompt, and again when the process has
    /// said who it is.
    Started {
        /// Its process, when it is one.
        process: Option<Process>,
        /// Its own id of this conversation.
        agent_session: Option<String>,
        /// The model as it names it.
        model: Option<String>,
    },
    /// Reasoning.
    Thinking {
        /// Block.
        block: u32,
        /// Piece.
        text: String,
    },
    /// Words.
    Delta {
        /// Block.
        block: u32,
        /// Piece.
        text: String,
    },
    /// A finished block of words.
    Message {
        /// Block.
        block: u32,
        /// Whole text.
        text: String,
    },
    /// Blocks that no longer count: the answer begins again.
    Abandoned {
        /// First.
        from: u32,
        /// Last.
        to: u32,
    },
    /// A piece of a call's argument.
    ToolDelta {
        /// The call.
        call: String,
        /// Name of the tool, without a vendor's prefix.
        name: String,
        /// Raw JSON of the argument.
        text: String,
    },
    /// A call of one of our tools: the host runs it and sends [`Order::ToolResult`].
    ToolCall {
        /// The call.
        call: String,
        /// Name of the tool, without a vendor's prefix.
        name: String,
        /// Argument as JSON.
        input: String,
    },
    /// A call of one of the agent's own tools.
    ToolStarted {
        /// The call.
        call: String,
        /// Name.
        name: String,
        /// Argument as JSON.
        input: String,
    },
    /// Its end.
    ToolFinished {
        /// The call.
        call: String,
        /// Whether it did what was asked.
        ok: bool,
        /// What the agent was told.
        output: String,
    },
    /// It may not go on without an answer.
    Asked {
        /// The call it is about.
        call: String,
        /// One line for the writer.
        what: String,
        /// The whole request as JSON.
        #[serde(default)]
        input: String,
    },
    /// It no longer waits for that answer.
    AskGone {
        /// The call it was about.
        call: String,
    },
    /// It waits before it tries again.
    Retry {
        /// Which try failed, from 1.
        attempt: u32,
        /// Milliseconds until the next.
        wait_ms: u64,
        /// Why, for a writer: a clause, without a full stop.
        why: String,
    },
    /// The model finds the conversation longer than its window, and said nothing yet; the end of the turn follows.
    Full {
        /// The window in tokens, when it names it.
        window: Option<u64>,
    },
    /// A summary stands for the beginning from now on; `turn` is filled in by the host.
    Compacted(Box<Compacted>),
    /// What the turn cost.
    Usage(Usage),
    /// How much of the limit of its login or key is used.
    Limit(Limit),
    /// Bytes that are no valid line.
    Raw {
        /// What is wrong.
        why: String,
        /// As they came.
        bytes: Vec<u8>,
    },
    /// Something to know, one line.
    Note(String),
    /// The turn is over. The agent may live on and take the next prompt.
    Ended {
        /// How: `Ok`, `Interrupted` or `Failed`.
        status: Status,
        /// Why, for a writer.
        reason: Option<String>,
    },
}

/// What `doctor` says of an agent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Probe {
    /// Whether it could be used now.
    pub ok: bool,
    /// What was found, or what is missing.
    pub why: String,
    /// The one line that would fix it.
    pub fix: Option<String>,
    /// Models it offers, when it tells.
    pub models: Vec<String>,
}
