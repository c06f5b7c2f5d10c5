//! A real local model behind the chat completions backend.
#![allow(clippy::unwrap_used, reason = "test")]

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use fascicle::agents::{AgentEvent, Backend, Order, Vars, backend_in};
use fascicle::domain::agent::{AgentKind, AgentSpec};
use fascicle::domain::event::Status;
use fascicle::domain::message::{Message, Said};

use crate::parts::{Row, row, server, weights};
use crate::support::talk::{self, Place, Talk, words};

pub(crate) const TESTS: &[Row] = &[
    row!(Model, two_turns_stream_at_once_and_one_is_stopped),
    row!(Model, a_history_is_known_to_the_model),
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
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/serve.mjs");
        let mut child = Command::new("node")
            .arg(script)
            .arg(server())
            .arg(weights().unwrap())
            .arg("0")
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
