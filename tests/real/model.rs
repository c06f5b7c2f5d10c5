//! A real local model behind the chat completions backend.
#![allow(clippy::unwrap_used, reason = "test")]

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use fascicle::agents::{AgentEvent, Backend, Order, Vars, backend_in};
use fascicle::domain::agent::{AgentKind, AgentSpec};
use fascicle::domain::event::Status;
use fascicle::domain::message::{Message, Said};
use serde_json::Value;

use crate::desk::Desk;
use crate::parts::{Row, row, server, weights};
use crate::stage::{ends, events, local, local_with, log};
use crate::support::talk::{self, Place, Talk, words};

pub(crate) const TESTS: &[Row] = &[
    row!(Model, two_turns_stream_at_once_and_one_is_stopped),
    row!(Model, a_history_is_known_to_the_model),
    row!(Model, a_small_window_is_compacted_by_the_model_itself),
    row!(
        Model,
        a_model_that_finds_it_too_long_is_sent_a_summary_of_its_own
    ),
];

/// The server; it ends with the test.
pub(crate) struct Served {
    child: Child,
    pub(crate) port: u16,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _gone = self.child.kill();
        let _gone = self.child.wait();
    }
}

impl Served {
    pub(crate) fn new() -> Self {
        Self::with(&[])
    }

    /// With a window of so many tokens; a request that is longer is refused.
    pub(crate) fn with_window(tokens: u32) -> Self {
        Self::with(&[tokens.to_string()])
    }

    fn with(more: &[String]) -> Self {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/serve.mjs");
        let mut child = Command::new("node")
            .arg(script)
            .arg(server())
            .arg(weights().unwrap())
            .arg("0")
            .args(more)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let port = lines.find_map(|l| l.unwrap().strip_prefix("listening ")?.parse().ok());
        Self {
            child,
            port: port.unwrap(),
        }
    }

    fn backend(&self) -> Arc<dyn Backend> {
        let spec = AgentSpec {
            base_url: Some(format!("http://127.0.0.1:{}/v1", self.port)),
            model: Some("smollm2-135m".into()),
            ..talk::spec(AgentKind::Openai, "")
        };
        backend_in(&spec, &Vars::of_process())
    }
}

async fn two_turns_stream_at_once_and_one_is_stopped() {
    let served = Served::new();
    let backend = served.backend();
    assert_eq!(backend.probe().await.models, ["smollm2-135m"]);
    let place = Place::new();
    let start = || Talk::start(&*backend, place.start(Vec::new()));
    let (mut stopped, mut whole) = (start(), start());
    let delta = |e: &AgentEvent| matches!(e, AgentEvent::Delta { .. });
    stopped.prompt("Write ten sentences about a river.").await;
    whole
        .prompt("Write three sentences about a notebook.")
        .await;
    stopped.until(delta).await;
    whole.until(delta).await;
    stopped.order(Order::Interrupt).await;
    assert_eq!(stopped.end().await.1, Status::Interrupted);
    let (_, status, reason) = whole.end().await;
    assert_eq!((status, reason), (Status::Ok, None));
    assert!(!words(&whole.seen).is_empty() && !words(&stopped.seen).is_empty());
}

/// So small a model need not find the colour again, and what it says differs between processors; with one seed it says the
/// same to the same words.
async fn a_history_is_known_to_the_model() {
    let served = Served::new();
    let backend = served.backend();
    let history = vec![
        Message::User("My notebook is red.".into()),
        Message::Agent(vec![Said::Words("A red notebook, noted.".into())]),
    ];
    let mut said = Vec::new();
    for history in [Vec::new(), history.clone(), history] {
        let place = Place::new();
        let mut start = place.start(history);
        start.brief = "You are a helpful writing assistant.".into();
        let mut talk = Talk::start(&*backend, start);
        let (words, status, _) = talk.turn("What colour is my notebook?").await;
        assert_eq!(status, Status::Ok);
        said.push(words);
    }
    assert_ne!(said[0], said[1]);
    assert_eq!(said[1], said[2]);
}

/// Sends long prompts until the conversation is made shorter: the mark, and all that was said. Then one more turn goes well.
fn compacted(desk: &Desk, prompt: &str) -> (Value, Vec<Value>) {
    let id = desk.ok(&["new", "Rivers"]);
    let log = || events(&log(desk, &id));
    let mark = (0..8).find_map(|_| {
        desk.ok(&["send", &id, prompt, "--wait"]);
        log().into_iter().find(|e| e["kind"] == "compacted")
    });
    desk.ok(&["send", &id, "What was said of the river?", "--wait"]);
    let shown = desk.ok(&["show", &id]);
    assert!(shown.contains("── compacted: "), "{shown}");
    (mark.unwrap(), log())
}

/// It stands for what was said, in the model's own words, and takes less room.
fn stands(mark: &Value, why: &str, all: &[Value]) {
    assert_eq!(mark["why"], why);
    assert!(!mark["summary"].as_str().unwrap().trim().is_empty());
    assert!(mark["after"].as_u64() < mark["before"].as_u64(), "{mark}");
    assert!(ends(all).iter().all(|end| *end == "ok"));
    let turn = mark["turn"].as_u64().unwrap();
    let model = |e: &&Value| e["kind"] == "delta" && e["turn"] == turn;
    assert!(all.iter().any(|e| model(&e)), "the turn was answered");
}

const SENTENCE: &str =
    "The river is slow and the ferryman waits at the landing for the last traveller. ";

async fn a_small_window_is_compacted_by_the_model_itself() {
    let served = Served::with_window(2_000);
    let desk = local_with(&served, "context = 2000\n");
    let (mark, all) = compacted(&desk, &SENTENCE.repeat(6));
    stands(&mark, "full", &all);
}

async fn a_model_that_finds_it_too_long_is_sent_a_summary_of_its_own() {
    let served = Served::with_window(1_200);
    let desk = local(&served);
    let (mark, all) = compacted(&desk, &SENTENCE.repeat(14));
    stands(&mark, "refused", &all);
}
