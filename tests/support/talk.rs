//! An agent at the seam: orders in, events out, each wait with a bound.

use std::path::{Path, PathBuf};
use std::time::Duration;

use fascicle::agents::{Agent, AgentEvent, Backend, Order, Start};
use fascicle::domain::SessionId;
use fascicle::domain::agent::{AgentKind, AgentSpec};
use fascicle::domain::event::{Answer, Status};
use fascicle::domain::message::History;
use fascicle::domain::tool::{ToolResult, ToolSpec};
use tempfile::TempDir;

/// Longest wait for anything; a loaded machine is slow.
pub const BOUND: Duration = Duration::from_secs(120);

/// Two tools, as a host would serve them.
pub const TOOLS: &[ToolSpec] = &[
    ToolSpec {
        name: "read_draft",
        about: "Gives the draft and its version.",
        schema: r#"{"type":"object","properties":{}}"#,
    },
    ToolSpec {
        name: "write_draft",
        about: "Replaces the draft.",
        schema: r#"{"type":"object","properties":{"text":{"type":"string"},"base_version":{"type":"integer"}},"required":["text"]}"#,
    },
];

/// An agent as a configuration would describe it.
pub fn spec(kind: AgentKind, command: impl AsRef<Path>) -> AgentSpec {
    AgentSpec {
        name: "test".into(),
        kind,
        command: command.as_ref().to_str().unwrap().to_owned(),
        args: Vec::new(),
        env: Vec::new(),
        model: Some("test-model".into()),
        base_url: None,
        api_key_env: None,
        api_key_command: Vec::new(),
        context: None,
        compact_at: None,
    }
}

/// Folders of a session that go with the test.
#[derive(Debug)]
pub struct Place {
    pub root: TempDir,
    pub folder: PathBuf,
}

impl Place {
    pub fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("essays/01-session");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::create_dir_all(root.path().join("scratch")).unwrap();
        Self { root, folder }
    }

    pub fn start(&self, history: History) -> Start {
        Start {
            session: SessionId::new(uuid::Uuid::now_v7()),
            agent_session: None,
            in_step: false,
            history,
            brief: "You write with a writer.".into(),
            voice: String::new(),
            tools: TOOLS,
            allow: Vec::new(),
            folder: self.folder.clone(),
            scratch: self.root.path().join("scratch"),
            model: None,
        }
    }
}

impl Default for Place {
    fn default() -> Self {
        Self::new()
    }
}

/// A running agent and what it said.
#[derive(Debug)]
pub struct Talk {
    agent: Agent,
    /// Everything so far.
    pub seen: Vec<AgentEvent>,
}

impl Talk {
    pub fn start(backend: &dyn Backend, start: Start) -> Self {
        Self {
            agent: backend.start(start),
            seen: Vec::new(),
        }
    }

    pub async fn order(&self, order: Order) {
        self.agent.orders.send(order).await.unwrap();
    }

    pub async fn prompt(&self, text: &str) {
        self.order(Order::Prompt(text.into())).await;
    }

    pub async fn answer(&self, call: &str, answer: Answer) {
        let call = call.to_owned();
        self.order(Order::Answer { call, answer }).await;
    }

    pub async fn result(&self, call: &str, output: &str) {
        let (call, output) = (call.to_owned(), output.to_owned());
        let result = ToolResult { ok: true, output };
        self.order(Order::ToolResult { call, result }).await;
    }

    /// The next event; none when the agent is gone.
    pub async fn next(&mut self) -> Option<AgentEvent> {
        let next = tokio::time::timeout(BOUND, self.agent.events.recv()).await;
        let event = next.unwrap_or_else(|_| panic!("nothing more came after {:?}", self.newest()));
        self.seen.extend(event.clone());
        event
    }

    /// The newest events, for a failed test.
    fn newest(&self) -> &[AgentEvent] {
        &self.seen[self.seen.len().saturating_sub(5)..]
    }

    /// Reads up to the first event that fits.
    pub async fn until(&mut self, fits: impl Fn(&AgentEvent) -> bool) -> AgentEvent {
        loop {
            match self.next().await {
                Some(event) if fits(&event) => return event,
                Some(_) => {}
                None => panic!("the agent is gone after {:?}", self.newest()),
            }
        }
    }

    /// Reads to the end of the turn: what came from here on, and how it ended.
    pub async fn end(&mut self) -> (Vec<AgentEvent>, Status, Option<String>) {
        let from = self.seen.len();
        let end = self.until(|e| matches!(e, AgentEvent::Ended { .. })).await;
        let AgentEvent::Ended { status, reason } = end else {
            unreachable!()
        };
        (self.seen[from..].to_vec(), status, reason)
    }

    /// A whole turn: the words a reader is left with, and how it ended.
    pub async fn turn(&mut self, text: &str) -> (String, Status, Option<String>) {
        self.prompt(text).await;
        let (events, status, reason) = self.end().await;
        (words(&events), status, reason)
    }

    /// Reads until the agent is gone.
    pub async fn gone(&mut self) {
        while self.next().await.is_some() {}
    }

    /// The agent's own id of the conversation, from its newest start.
    pub fn agent_session(&self) -> Option<String> {
        self.seen.iter().rev().find_map(|e| match e {
            AgentEvent::Started { agent_session, .. } => agent_session.clone(),
            _ => None,
        })
    }
}

/// What a reader is left with: blocks in order, abandoned ones gone.
pub fn words(events: &[AgentEvent]) -> String {
    let mut blocks = std::collections::BTreeMap::<u32, String>::new();
    for event in events {
        match event {
            AgentEvent::Delta { block, text } => blocks.entry(*block).or_default().push_str(text),
            AgentEvent::Message { block, text } => {
                blocks.insert(*block, text.clone());
            }
            AgentEvent::Abandoned { from, to } => blocks.retain(|b, _| !(from..=to).contains(&b)),
            _ => {}
        }
    }
    blocks.into_values().collect::<Vec<_>>().join("|")
}

/// A program built with the tests.
pub fn fake_agent() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let profile = test.parent().unwrap().parent().unwrap();
    let path = profile.join("examples/fake_agent");
    assert!(
        path.is_file(),
        "build it first: cargo build --example fake_agent"
    );
    path
}
