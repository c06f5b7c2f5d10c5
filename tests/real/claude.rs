//! The real command line at the backend's seam, against a scripted service.
//!
//! It gets a made-up key and a home of its own. Nothing but loopback can be reached: all other addresses
//! go by a proxy on a port where nobody listens.
#![allow(clippy::unwrap_used, reason = "test")]

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use fascicle::agents::child::alive;
use fascicle::agents::{AgentEvent, Backend, Order, Vars, backend_in};
use fascicle::domain::agent::AgentKind;
use fascicle::domain::event::{Answer, Status};
use fascicle::domain::message::{History, Message, Said};
use serde_json::{Value, json};

use crate::parts::{Row, claude, row};
use crate::support::http::Server;
use crate::support::messages_api::{
    self as api, Part, conversation, message, numbered, text, tool,
};
use crate::support::talk::{self, Place, Talk, words};

pub(crate) const TESTS: &[Row] = &[
    row!(Claude, a_turn_with_reasoning_streams),
    row!(
        Claude,
        a_draft_streams_while_it_is_written_and_the_call_is_ours
    ),
    row!(Claude, a_web_search_is_asked_for),
    row!(
        Claude,
        an_interrupt_keeps_the_words_and_the_next_prompt_knows_them
    ),
    row!(Claude, a_rate_limit_is_shown_and_waited_out),
    row!(Claude, a_refused_key_is_said_at_once),
    row!(Claude, an_answer_that_breaks_off_begins_again),
    row!(Claude, an_answer_that_breaks_off_behind_a_block_goes_on),
    row!(Claude, a_closed_agent_is_resumed_by_its_own_record),
    row!(
        Claude,
        a_history_with_a_cut_turn_reaches_the_service_exactly
    ),
    row!(Claude, a_deleted_record_is_rendered_anew),
    row!(Claude, a_moved_folder_is_no_obstacle),
    row!(Claude, a_very_long_folder_is_no_obstacle),
    row!(Claude, a_finished_answer_is_read_back_from_the_record),
    row!(Claude, an_orphan_finishes_and_its_answer_is_read_back),
    row!(Claude, prompts_are_never_taken_for_commands),
    row!(Claude, a_killed_turn_is_known_to_the_next),
];

/// Variables the child gets beside the few: the service, the key, and the way out that leads nowhere.
const PASSED: [&str; 5] = [
    "ANTHROPIC_BASE_URL",
    "ANTHROPIC_API_KEY",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
];

fn backend(home: &Path, server: &Server) -> Arc<dyn Backend> {
    let vars = Vars::of_process()
        .with("HOME", home)
        .with("ANTHROPIC_BASE_URL", server.url())
        .with("ANTHROPIC_API_KEY", "sk-made-up")
        .with("HTTP_PROXY", "http://127.0.0.1:9")
        .with("HTTPS_PROXY", "http://127.0.0.1:9")
        .with("NO_PROXY", "127.0.0.1");
    let mut spec = talk::spec(AgentKind::Claude, claude().unwrap());
    spec.env = PASSED.map(str::to_owned).to_vec();
    spec.model = Some("claude-sonnet-5".into());
    backend_in(&spec, &vars)
}

/// A service that says this to everything.
async fn says(parts: Vec<Part>) -> Server {
    api::start(move |request, _| message(request, &parts)).await
}

/// A place, a service and a talk over an empty history.
struct Scene {
    place: Place,
    server: Server,
    backend: Arc<dyn Backend>,
}

impl Scene {
    fn new(server: Server) -> Self {
        let place = Place::new();
        let backend = backend(place.root.path(), &server);
        Self {
            place,
            server,
            backend,
        }
    }

    fn talk(&self, history: History) -> Talk {
        Talk::start(&*self.backend, self.place.start(history))
    }

    fn last(&self) -> Vec<String> {
        conversation(&api::asked(&self.server).last().unwrap().body)
    }
}

fn kinds(events: &[AgentEvent], fits: impl Fn(&AgentEvent) -> bool) -> usize {
    events.iter().filter(|e| fits(e)).count()
}

async fn a_turn_with_reasoning_streams() {
    let parts = vec![
        Part::Thinking(vec!["One ".into(), "image.".into()], 0),
        text("The river keeps a ledger."),
    ];
    let scene = Scene::new(says(parts).await);
    let mut talk = scene.talk(Vec::new());
    talk.prompt("Write one sentence.").await;
    let (events, status, _) = talk.end().await;
    assert_eq!(
        (words(&events).as_str(), status),
        ("The river keeps a ledger.", Status::Ok)
    );
    let whole = |e: &AgentEvent| {
        matches!(
            e,
            AgentEvent::Started {
                process: Some(_),
                agent_session: Some(_),
                model: Some(_)
            }
        )
    };
    assert!(talk.seen.iter().any(whole));
    assert!(kinds(&events, |e| matches!(e, AgentEvent::Thinking { .. })) > 0);
    assert!(kinds(&events, |e| matches!(e, AgentEvent::Delta { .. })) > 1);
    assert_eq!(kinds(&events, |e| matches!(e, AgentEvent::Raw { .. })), 0);
    let usage = events.iter().find_map(|e| match e {
        AgentEvent::Usage(u) => Some(*u),
        _ => None,
    });
    assert!(usage.unwrap().cost_usd.unwrap() > 0.0);
    let request = &api::asked(&scene.server)[0];
    let names: Vec<_> = request.body["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|t| t["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        ["mcp__fascicle__read_draft", "mcp__fascicle__write_draft"]
    );
    assert!(
        request.body["system"]
            .to_string()
            .contains("You write with a writer.")
    );
    assert_eq!(scene.last(), ["user: Write one sentence."]);
}

async fn a_draft_streams_while_it_is_written_and_the_call_is_ours() {
    let input = json!({"text": "A new draft, written word by word.", "base_version": 1});
    let call = tool("toolu_1", "mcp__fascicle__write_draft", &input);
    let server = api::start(move |request, n| match n {
        0 => message(request, &[text("I write."), call.clone()]),
        _ => message(request, &[text("Saved.")]),
    })
    .await;
    let scene = Scene::new(server);
    let mut talk = scene.talk(Vec::new());
    talk.prompt("Rewrite.").await;
    let called = talk
        .until(|e| matches!(e, AgentEvent::ToolCall { .. }))
        .await;
    let AgentEvent::ToolCall { call, name, input } = called else {
        unreachable!()
    };
    assert_eq!((call.as_str(), name.as_str()), ("toolu_1", "write_draft"));
    let streamed: Vec<&str> = talk
        .seen
        .iter()
        .filter_map(|e| match e {
            AgentEvent::ToolDelta { call, text, .. } if call == "toolu_1" => Some(text.as_str()),
            _ => None,
        })
        .collect();
    assert!(streamed.len() > 3);
    let parsed = |s: &str| serde_json::from_str::<Value>(s).unwrap();
    assert_eq!(parsed(&streamed.concat()), parsed(&input));
    talk.result("toolu_1", "saved as version 2").await;
    let (events, status, _) = talk.end().await;
    assert_eq!((words(&events).as_str(), status), ("Saved.", Status::Ok));
    assert_eq!(scene.last()[3], "user: result saved as version 2");
    assert_eq!(
        kinds(&talk.seen, |e| matches!(e, AgentEvent::Asked { .. })),
        0
    );
}

async fn a_web_search_is_asked_for() {
    let search = tool("toolu_w", "WebSearch", &json!({"query": "tide tables"}));
    let server = api::start(move |request, n| match n {
        0 => message(request, &[text("I look."), search.clone()]),
        _ => message(request, &[text("High water at six.")]),
    })
    .await;
    let scene = Scene::new(server);
    let mut start = scene.place.start(Vec::new());
    start.allow = vec!["web".into()];
    let mut talk = Talk::start(&*scene.backend, start);
    talk.prompt("When is high water?").await;
    let asked = talk.until(|e| matches!(e, AgentEvent::Asked { .. })).await;
    let AgentEvent::Asked { call, what, .. } = asked else {
        unreachable!()
    };
    assert_eq!(
        (call.as_str(), what.as_str()),
        ("toolu_w", "Search the web for \"tide tables\"")
    );
    talk.answer("toolu_w", Answer::Once).await;
    let (events, status, _) = talk.end().await;
    assert_eq!(
        (words(&events).as_str(), status),
        ("High water at six.", Status::Ok)
    );
    assert_eq!(
        kinds(
            &events,
            |e| matches!(e, AgentEvent::ToolFinished { call, ok: true, .. } if call == "toolu_w")
        ),
        1
    );
}

async fn an_interrupt_keeps_the_words_and_the_next_prompt_knows_them() {
    let server = api::start(|request, n| match n {
        0 => message(request, &[numbered(2000, 20)]),
        _ => message(request, &[text("Shorter.")]),
    })
    .await;
    let scene = Scene::new(server);
    let mut talk = scene.talk(Vec::new());
    talk.prompt("Write at length.").await;
    talk.until(|e| matches!(e, AgentEvent::Delta { text, .. } if text.contains("w5 ")))
        .await;
    talk.order(Order::Interrupt).await;
    let (events, status, _) = talk.end().await;
    assert_eq!(status, Status::Interrupted);
    let kept = events.iter().find_map(|e| match e {
        AgentEvent::Message { text, .. } => Some(text.clone()),
        _ => None,
    });
    let kept = kept.unwrap();
    assert!(kept.starts_with("w1 w2 w3 w4 w5 "), "{kept}");
    assert_eq!(
        talk.turn("Shorter, please.").await,
        ("Shorter.".into(), Status::Ok, None)
    );
    let last = scene.last();
    assert_eq!(last[0], "user: Write at length.");
    assert_eq!(
        last[1].trim_end(),
        format!("assistant: {}", kept.trim_end())
    );
    assert_eq!(last.last().unwrap(), "user: Shorter, please.");
}

async fn a_rate_limit_is_shown_and_waited_out() {
    let server = api::start(|request, n| match n {
        0 => api::error(429, "rate_limit_error").with("retry-after", 1),
        1 => api::error(529, "overloaded_error"),
        _ => message(request, &[text("At last.")]),
    })
    .await;
    let scene = Scene::new(server);
    let mut talk = scene.talk(Vec::new());
    assert_eq!(
        talk.turn("Write.").await,
        ("At last.".into(), Status::Ok, None)
    );
    let retries: Vec<_> = talk
        .seen
        .iter()
        .filter_map(|e| match e {
            AgentEvent::Retry {
                attempt,
                wait_ms,
                why,
            } => Some((*attempt, *wait_ms, why.as_str())),
            _ => None,
        })
        .collect();
    assert_eq!(
        (retries[0].0, retries[0].2),
        (1, "The rate limit is reached (429)")
    );
    assert!(retries[0].1 >= 1000, "{retries:?}");
    assert_eq!(
        (retries[1].0, retries[1].2),
        (2, "The service is overloaded (529)")
    );
}

async fn a_refused_key_is_said_at_once() {
    let server = api::start(|_, _| api::error(401, "authentication_error")).await;
    let scene = Scene::new(server);
    let mut talk = scene.talk(Vec::new());
    talk.prompt("Write.").await;
    let told = |e: &AgentEvent| matches!(e, AgentEvent::Retry { .. } | AgentEvent::Ended { .. });
    let why = match talk.until(told).await {
        AgentEvent::Retry { why, .. } => why,
        AgentEvent::Ended { reason, .. } => reason.unwrap(),
        _ => unreachable!(),
    };
    assert!(why.contains("run `claude` once to log in"), "{why}");
    talk.order(Order::Kill).await;
    talk.gone().await;
}

async fn an_answer_that_breaks_off_begins_again() {
    let server = api::start(|request, n| match n {
        0 => message(
            request,
            &[
                Part::Text(vec!["Wrong ".into(), "start ".into()], 20),
                Part::Cut,
            ],
        ),
        _ => message(request, &[text("Right.")]),
    })
    .await;
    let scene = Scene::new(server);
    assert_eq!(scene.talk(Vec::new()).turn("Write.").await.0, "Right.");
}

/// What was whole before the break is kept, and the program asks the model to go on from there.
async fn an_answer_that_breaks_off_behind_a_block_goes_on() {
    let server = api::start(|request, n| match n {
        0 => message(
            request,
            &[
                text("Whole."),
                Part::Text(vec!["Ha".into(), "lf".into()], 20),
                Part::Cut,
            ],
        ),
        _ => message(request, &[text("The rest.")]),
    })
    .await;
    let scene = Scene::new(server);
    assert_eq!(
        scene.talk(Vec::new()).turn("Write.").await.0,
        "Whole.|The rest."
    );
}

async fn a_closed_agent_is_resumed_by_its_own_record() {
    let scene = Scene::new(says(vec![text("Yes.")]).await);
    let mut talk = scene.talk(Vec::new());
    talk.turn("One.").await;
    let id = talk.agent_session();
    talk.order(Order::Close).await;
    talk.gone().await;
    let mut start = scene.place.start(said(&[("One.", "Yes.")]));
    start.agent_session.clone_from(&id);
    start.in_step = true;
    let mut talk = Talk::start(&*scene.backend, start);
    talk.turn("Two.").await;
    assert_eq!(talk.agent_session(), id);
    assert_eq!(
        scene.last(),
        ["user: One.", "assistant: Yes.", "user: Two."]
    );
}

fn said(turns: &[(&str, &str)]) -> History {
    let turn = |(prompt, answer): &(&str, &str)| {
        let words = Said::Words((*answer).to_owned());
        [
            Message::User((*prompt).to_owned()),
            Message::Agent(vec![words]),
        ]
    };
    turns.iter().flat_map(turn).collect()
}

async fn a_history_with_a_cut_turn_reaches_the_service_exactly() {
    let scene = Scene::new(says(vec![text("Yes.")]).await);
    let history = vec![
        Message::User("Rewrite \"it\".\nAll of it.".into()),
        Message::Agent(vec![
            Said::Words("I will.".into()),
            Said::Call {
                call: "call 0".into(),
                name: "write_draft".into(),
                input: r#"{"text":"New."}"#.into(),
                output: "saved as version 2".into(),
                ok: true,
            },
            Said::Words("Done.".into()),
        ]),
        Message::User("Now the ending.".into()),
        Message::Agent(vec![Said::Words("The river, when it".into())]),
    ];
    let mut talk = scene.talk(history);
    assert_eq!(talk.turn("Go on.").await, ("Yes.".into(), Status::Ok, None));
    let want = [
        "user: Rewrite \"it\".\nAll of it.",
        "assistant: I will.",
        "assistant: call mcp__fascicle__write_draft {\"text\":\"New.\"}",
        "user: result saved as version 2",
        "assistant: Done.",
        "user: Now the ending.",
        "assistant: The river, when it",
        "user: Go on.",
    ];
    assert_eq!(scene.last(), want);
    assert_eq!(talk.turn("And on.").await.1, Status::Ok);
    assert_eq!(scene.last()[8..], ["assistant: Yes.", "user: And on."]);
}

async fn a_deleted_record_is_rendered_anew() {
    let scene = Scene::new(says(vec![text("Yes.")]).await);
    let mut talk = scene.talk(Vec::new());
    talk.turn("One.").await;
    talk.order(Order::Close).await;
    talk.gone().await;
    std::fs::remove_dir_all(scene.place.root.path().join(".claude/projects")).unwrap();
    let mut start = scene.place.start(said(&[("One.", "Yes.")]));
    start.agent_session = talk.agent_session();
    start.in_step = true;
    let mut again = Talk::start(&*scene.backend, start);
    again.turn("Two.").await;
    assert_ne!(again.agent_session(), talk.agent_session());
    assert_eq!(
        scene.last(),
        ["user: One.", "assistant: Yes.", "user: Two."]
    );
}

async fn a_moved_folder_is_no_obstacle() {
    let scene = Scene::new(says(vec![text("Yes.")]).await);
    let mut talk = scene.talk(Vec::new());
    talk.turn("One.").await;
    talk.order(Order::Close).await;
    talk.gone().await;
    let moved = scene.place.root.path().join("elsewhere");
    std::fs::rename(&scene.place.folder, &moved).unwrap();
    let mut start = scene.place.start(said(&[("One.", "Yes.")]));
    start.folder = moved;
    start.agent_session = talk.agent_session();
    start.in_step = true;
    let mut talk = Talk::start(&*scene.backend, start);
    talk.turn("Two.").await;
    assert_eq!(
        scene.last(),
        ["user: One.", "assistant: Yes.", "user: Two."]
    );
}

async fn a_very_long_folder_is_no_obstacle() {
    let scene = Scene::new(says(vec![text("Yes.")]).await);
    let long = scene
        .place
        .root
        .path()
        .join("é".repeat(120))
        .join("x".repeat(200));
    std::fs::create_dir_all(&long).unwrap();
    let mut start = scene.place.start(said(&[("One.", "Yes.")]));
    start.folder.clone_from(&long);
    let mut talk = Talk::start(&*scene.backend, start);
    talk.turn("Two.").await;
    assert_eq!(
        scene.last(),
        ["user: One.", "assistant: Yes.", "user: Two."]
    );
    talk.order(Order::Close).await;
    talk.gone().await;
    let mut start = scene
        .place
        .start(said(&[("One.", "Yes."), ("Two.", "Yes.")]));
    start.folder = long;
    start.agent_session = talk.agent_session();
    start.in_step = true;
    let mut again = Talk::start(&*scene.backend, start);
    again.turn("Three.").await;
    assert_eq!(again.agent_session(), talk.agent_session());
    assert_eq!(scene.last()[4], "user: Three.");
}

async fn a_finished_answer_is_read_back_from_the_record() {
    let scene = Scene::new(says(vec![text("A whole answer.")]).await);
    let mut talk = scene.talk(Vec::new());
    talk.turn("One.").await;
    let id = talk.agent_session().unwrap();
    talk.order(Order::Close).await;
    talk.gone().await;
    let read = |prompt: &str| scene.backend.salvage(&id, &scene.place.folder, prompt);
    assert_eq!(read("One."), Some("A whole answer.".into()));
    assert_eq!(read("Two."), None);
}

/// A host that dies closes its pipes and signals nobody.
async fn an_orphan_finishes_and_its_answer_is_read_back() {
    let scene = Scene::new(says(vec![numbered(40, 20)]).await);
    let backend = Arc::clone(&scene.backend);
    let start = scene.place.start(Vec::new());
    let host = std::thread::spawn(move || {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let seen = runtime.block_on(async {
            let mut talk = Talk::start(&*backend, start);
            talk.prompt("Write.").await;
            talk.until(|e| matches!(e, AgentEvent::Delta { .. })).await;
            talk.seen
        });
        runtime.shutdown_background();
        seen
    });
    let seen = host.join().unwrap();
    let started = seen.iter().find_map(|e| match e {
        AgentEvent::Started {
            process: Some(process),
            agent_session: Some(id),
            ..
        } => Some((process, id)),
        _ => None,
    });
    let (process, id) = started.unwrap();
    assert!(alive(process));
    let over = async {
        while alive(process) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(talk::BOUND, over).await.unwrap();
    let whole: Vec<String> = (1..=40).map(|i| format!("w{i} ")).collect();
    let saved = scene
        .backend
        .salvage(id, &scene.place.folder, "Write.")
        .unwrap();
    assert_eq!(saved.trim_end(), whole.concat().trim_end());
}

async fn prompts_are_never_taken_for_commands() {
    let scene = Scene::new(says(vec![text("Yes.")]).await);
    let mut talk = scene.talk(Vec::new());
    let prompts = [
        "/etc is a folder: why?",
        "/compacted twice",
        " /clear",
        "/deep-research x",
        "#note",
        "!ls",
        "@draft.md please",
    ];
    for prompt in prompts {
        assert_eq!(
            talk.turn(prompt).await,
            ("Yes.".into(), Status::Ok, None),
            "{prompt}"
        );
        let last = scene.last();
        let answer = last
            .iter()
            .rposition(|l| l.starts_with("assistant: "))
            .map_or(0, |at| at + 1);
        let sent: String = last[answer..]
            .iter()
            .map(|l| l.strip_prefix("user: ").unwrap())
            .collect();
        assert_eq!(sent, prompt);
    }
}

async fn a_killed_turn_is_known_to_the_next() {
    let server = api::start(|request, n| match n {
        0 => message(request, &[numbered(2000, 20)]),
        _ => message(request, &[text("Yes.")]),
    })
    .await;
    let scene = Scene::new(server);
    let mut talk = scene.talk(Vec::new());
    talk.prompt("Begin.").await;
    talk.until(|e| matches!(e, AgentEvent::Delta { text, .. } if text.contains("w9 ")))
        .await;
    talk.order(Order::Kill).await;
    talk.gone().await;
    let mut start = scene
        .place
        .start(said(&[("Begin.", "w1 w2 w3 w4 w5 w6 w7 w8 w9 ")]));
    start.agent_session = talk.agent_session();
    let mut talk = Talk::start(&*scene.backend, start);
    talk.turn("Go on.").await;
    let want = [
        "user: Begin.",
        "assistant: w1 w2 w3 w4 w5 w6 w7 w8 w9 ",
        "user: Go on.",
    ];
    assert_eq!(scene.last(), want);
}
