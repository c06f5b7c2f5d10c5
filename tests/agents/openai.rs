//! Chat completions against servers that stream, stall, cut and refuse.
#![allow(clippy::unwrap_used, reason = "test")]

use std::sync::Arc;

use fascicle::agents::{AgentEvent, Backend, Order, Vars, backend_in};
use fascicle::domain::agent::{AgentKind, AgentSpec};
use fascicle::domain::event::Status;
use fascicle::domain::message::{Message, Said};
use serde_json::{Value, json};

use crate::support::chat_api::{self, call, cut, error, numbered, stream, thinking, words};
use crate::support::http::{Answer, Frame, Server};
use crate::support::talk::{self, Place, Talk};

fn spec(server: &Server) -> AgentSpec {
    AgentSpec {
        base_url: Some(format!("{}/v1/", server.url())),
        ..talk::spec(AgentKind::Openai, "")
    }
}

fn backend(server: &Server) -> Arc<dyn Backend> {
    backend_in(&spec(server), &Vars::default())
}

async fn one(script: impl Fn(&Value, usize) -> Answer + Send + Sync + 'static) -> (Server, Talk) {
    let server = chat_api::start(&["test-model"], script).await;
    let talk = Talk::start(&*backend(&server), Place::new().start(Vec::new()));
    (server, talk)
}

#[tokio::test]
async fn a_turn_streams_and_then_the_agent_is_gone() {
    let (server, mut talk) =
        one(|_, _| stream(vec![thinking("hm"), words("A slow river.")], "stop")).await;
    assert_eq!(
        talk.turn("Write.").await,
        ("A slow river.".into(), Status::Ok, None)
    );
    assert_eq!(talk.next().await, None);
    assert!(
        matches!(&talk.seen[0], AgentEvent::Started { model: Some(m), .. } if m == "test-model")
    );
    assert!(matches!(&talk.seen[1], AgentEvent::Thinking { block: 0, text } if text == "hm"));
    let usage = talk.seen.iter().find_map(|e| match e {
        AgentEvent::Usage(u) => Some((u.input, u.output)),
        _ => None,
    });
    assert_eq!(usage, Some((Some(10), Some(4))));
    let body = &server.bodies("completions")[0];
    assert_eq!(body["stream_options"]["include_usage"], true);
    assert_eq!(body["tools"][1]["function"]["name"], "write_draft");
    assert_eq!(
        body["messages"][0],
        json!({"role": "system", "content": "You write with a writer."})
    );
}

#[tokio::test]
async fn a_history_with_a_cut_answer_is_sent_exactly() {
    let server = chat_api::start(&[], |_, _| stream(vec![words("Yes.")], "stop")).await;
    let history = vec![
        Message::User("Begin.".into()),
        Message::Agent(vec![Said::Words("The mor".into())]),
    ];
    let mut talk = Talk::start(&*backend(&server), Place::new().start(history));
    talk.turn("Go on\u{2028}.").await;
    let want = json!([{"role": "user", "content": "Begin."}, {"role": "assistant", "content": "The mor"}, {"role": "user", "content": "Go on\u{2028}."}]);
    let sent = server.bodies("completions")[0]["messages"]
        .as_array()
        .unwrap()[1..]
        .to_vec();
    assert_eq!(json!(sent), want);
}

#[tokio::test]
async fn calls_of_tools_are_answered_and_the_turn_goes_on() {
    let input = json!({"text": "A new draft."});
    let (server, mut talk) = one(move |_, n| match n {
        0 => stream(
            vec![
                words("I write."),
                call(0, "c1", "write_draft", &input),
                call(1, "c2", "read_draft", &json!({})),
            ],
            "tool_calls",
        ),
        _ => stream(vec![words("Done.")], "stop"),
    })
    .await;
    talk.prompt("Rewrite.").await;
    talk.until(|e| matches!(e, AgentEvent::ToolCall { call, .. } if call == "c2"))
        .await;
    let streamed: String = talk
        .seen
        .iter()
        .filter_map(|e| match e {
            AgentEvent::ToolDelta { call, text, .. } if call == "c1" => Some(text.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(streamed, r#"{"text":"A new draft."}"#);
    talk.result("c2", "old").await;
    talk.result("c1", "saved as version 2").await;
    let (events, status, _) = talk.end().await;
    assert_eq!(
        (talk::words(&events).as_str(), status),
        ("Done.", Status::Ok)
    );
    let sent = &server.bodies("completions")[1]["messages"];
    assert_eq!(sent[2]["content"], "I write.");
    assert_eq!(
        sent[2]["tool_calls"][0]["function"]["arguments"],
        r#"{"text":"A new draft."}"#
    );
    assert_eq!(
        sent[3],
        json!({"role": "tool", "tool_call_id": "c1", "content": "saved as version 2"})
    );
    assert_eq!(
        sent[4],
        json!({"role": "tool", "tool_call_id": "c2", "content": "old"})
    );
    let blocks: Vec<u32> = talk
        .seen
        .iter()
        .filter_map(|e| match e {
            AgentEvent::Message { block, .. } => Some(*block),
            _ => None,
        })
        .collect();
    assert_eq!(blocks, [0, 1]);
}

#[tokio::test]
async fn an_interrupt_closes_the_connection_and_keeps_the_words() {
    let (server, mut talk) = one(|_, _| stream(vec![numbered(100_000, 5)], "stop")).await;
    talk.prompt("Write.").await;
    talk.until(|e| matches!(e, AgentEvent::Delta { text, .. } if text == "w3 "))
        .await;
    talk.order(Order::Interrupt).await;
    let (events, status, reason) = talk.end().await;
    assert_eq!((status, reason), (Status::Interrupted, None));
    let partial = events.iter().find_map(|e| match e {
        AgentEvent::Message { text, .. } => Some(text.clone()),
        _ => None,
    });
    assert!(partial.unwrap().starts_with("w1 w2 w3 "));
    assert_eq!(talk.next().await, None);
    let sent = server.requests()[0].sent;
    assert!(sent < 10_000, "{sent}");
}

#[tokio::test]
async fn a_rate_limit_is_waited_out_with_the_servers_own_delay() {
    let (_server, mut talk) = one(|_, n| match n {
        0 => error(429, "slow down").with("retry-after-ms", 30),
        1 => error(503, "busy").with("retry-after", 0),
        _ => stream(vec![words("Yes.")], "stop"),
    })
    .await;
    assert_eq!(talk.turn("Write.").await.0, "Yes.");
    let retries: Vec<_> = talk
        .seen
        .iter()
        .filter_map(|e| match e {
            AgentEvent::Retry {
                attempt,
                wait_ms,
                why,
            } => Some((*attempt, *wait_ms, why.clone())),
            _ => None,
        })
        .collect();
    assert_eq!(
        retries[0],
        (1, 30, "The server's rate limit is reached (429)".into())
    );
    assert_eq!(retries[1], (2, 0, "The server failed (503)".into()));
}

#[tokio::test]
async fn waiting_ends_after_five_tries() {
    let (server, mut talk) = one(|_, _| error(500, "boom").with("retry-after", 0)).await;
    let (_, status, reason) = talk.turn("Write.").await;
    assert_eq!(status, Status::Failed);
    assert!(reason.unwrap().contains("failed (500): boom"));
    assert_eq!(server.requests().len(), 6);
}

#[tokio::test]
async fn a_wait_can_be_stopped() {
    let (_server, mut talk) = one(|_, _| error(429, "x").with("retry-after", 1000)).await;
    talk.prompt("Write.").await;
    talk.until(|e| matches!(e, AgentEvent::Retry { .. })).await;
    talk.order(Order::Interrupt).await;
    assert_eq!(talk.end().await.1, Status::Interrupted);
}

#[track_caller]
fn has(reason: Option<String>, wants: &[&str]) {
    let reason = reason.unwrap();
    for want in wants {
        assert!(reason.contains(want), "{reason}");
    }
}

async fn fails(answer: Answer, wants: &[&str]) {
    let (server, mut talk) = one(move |_, _| answer.clone()).await;
    let (_, status, reason) = talk.turn("Write.").await;
    assert_eq!(status, Status::Failed);
    has(reason, wants);
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn each_refusal_says_what_to_do() {
    fails(
        error(401, "bad key"),
        &["refused the key (401): bad key", "api_key_env"],
    )
    .await;
    fails(
        error(404, "model 'test-model' not found"),
        &[
            "(404): model 'test-model' not found",
            "`model` (test-model)",
        ],
    )
    .await;
    fails(error(400, "context too long"), &["(400): context too long"]).await;
}

#[tokio::test]
async fn an_answer_that_is_no_stream_is_named() {
    let page = Answer {
        status: 200,
        headers: vec![("content-type", "text/html".into())],
        frames: vec![Frame::new("<html>hello</html>")],
    };
    fails(
        page,
        &["did not answer with a stream (text/html)", "base_url"],
    )
    .await;
    let nothing = Answer {
        status: 200,
        headers: vec![],
        frames: vec![Frame::new("hello")],
    };
    fails(nothing, &["did not answer with a stream"]).await;
}

#[tokio::test]
async fn an_error_in_the_body_is_shown() {
    let (_server, mut talk) = one(|_, _| {
        let mut frames = words("Half ");
        frames.push(Frame::new(chat_api::data(
            &json!({"error": {"message": "out of memory"}}),
        )));
        Answer::events(frames)
    })
    .await;
    let (words, status, reason) = talk.turn("Write.").await;
    assert_eq!((words.as_str(), status), ("Half ", Status::Failed));
    has(reason, &["gave up: out of memory"]);
    fails(
        Answer::json(200, &json!({"error": "no GPU"})),
        &["gave up: no GPU"],
    )
    .await;
}

#[tokio::test]
async fn a_cut_stream_keeps_its_words_and_is_not_tried_again() {
    let (server, mut talk) = one(|_, _| cut(vec![words("Half an ")])).await;
    let (words, status, reason) = talk.turn("Write.").await;
    assert_eq!((words.as_str(), status), ("Half an ", Status::Failed));
    has(
        reason,
        &["closed the connection before the answer was whole"],
    );
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn a_server_that_is_not_there_is_named() {
    let server = chat_api::start(&[], |_, _| error(500, "")).await;
    let backend = backend(&server);
    let root = server.url();
    drop(server);
    let mut talk = Talk::start(&*backend, Place::new().start(Vec::new()));
    let (_, status, reason) = talk.turn("Write.").await;
    assert_eq!(status, Status::Failed);
    has(reason, &[&root, "was not reached", "Start the server"]);
    assert!(!backend.probe().await.ok);
}

#[tokio::test]
async fn a_server_without_tools_or_usage_is_asked_without_them() {
    let server = chat_api::start(&[], |request, _| {
        if request.get("stream_options").is_some() {
            error(400, "Unrecognized argument: stream_options")
        } else if request.get("tools").is_some() {
            error(400, "test-model does not support tools")
        } else {
            stream(vec![words("Yes.")], "stop")
        }
    })
    .await;
    let backend = backend(&server);
    for turn in 0..2 {
        let mut talk = Talk::start(&*backend, Place::new().start(Vec::new()));
        assert_eq!(talk.turn("Write.").await.0, "Yes.");
        let notes = talk
            .seen
            .iter()
            .filter(|e| matches!(e, AgentEvent::Note(_)));
        assert_eq!(notes.count(), usize::from(turn == 0));
    }
    assert_eq!(server.requests().len(), 4);
}

#[tokio::test]
async fn a_key_is_sent_and_never_told() {
    let server = chat_api::start(&["other"], |_, _| {
        error(401, "Incorrect API key provided: sk-abc")
    })
    .await;
    let spec = AgentSpec {
        api_key_env: Some("K".into()),
        ..spec(&server)
    };
    let backend = backend_in(&spec, &Vars::default().with("K", "sk-abc"));
    let mut talk = Talk::start(&*backend, Place::new().start(Vec::new()));
    talk.turn("Write.").await;
    assert_eq!(
        server.requests()[0].headers["authorization"],
        "Bearer sk-abc"
    );
    assert!(!format!("{:?} {backend:?}", talk.seen, backend = spec).contains("sk-abc"));
}

#[tokio::test]
async fn doctor_lists_the_models_and_misses_the_one_that_is_not_there() {
    let server = chat_api::start(&["test-model", "other"], |_, _| error(500, "")).await;
    let probe = backend(&server).probe().await;
    assert!(probe.ok, "{probe:?}");
    assert_eq!(probe.models, ["test-model", "other"]);
    let spec = AgentSpec {
        model: Some("third".into()),
        ..spec(&server)
    };
    let probe = backend_in(&spec, &Vars::default()).probe().await;
    assert!(!probe.ok && probe.why.contains("third"), "{probe:?}");
}

#[tokio::test]
async fn what_doctor_says_to_do_fits_what_the_server_said() {
    for (status, variable, fix) in [
        (401, Some("K"), "`api_key_command`"),
        (401, None, "`api_key_env`"),
        (404, None, "`base_url`"),
        (500, None, "that server's own log"),
    ] {
        let server = Server::start(move |_, _| error(status, "no")).await;
        let spec = AgentSpec {
            api_key_env: variable.map(str::to_owned),
            ..spec(&server)
        };
        let probe = backend_in(&spec, &Vars::default()).probe().await;
        assert!(
            !probe.ok && probe.fix.as_ref().unwrap().contains(fix),
            "{probe:?}"
        );
        assert!(!probe.fix.unwrap().contains("Start the server"));
    }
    let server = chat_api::start(&["test-model"], |_, _| error(500, "")).await;
    let unset = AgentSpec {
        api_key_env: Some("NOT_SET".into()),
        ..spec(&server)
    };
    let probe = backend_in(&unset, &Vars::default()).probe().await;
    assert!(probe.ok && probe.why.contains("1 model at"), "{probe:?}");
    assert!(probe.why.contains("`NOT_SET` is not set"), "{probe:?}");
}

#[tokio::test]
async fn a_refusal_that_never_ends_can_be_stopped() {
    let forever = |n| Frame::delta("x".repeat(n), 50);
    let (_server, mut talk) = one(move |_, _| Answer {
        status: 400,
        ..Answer::events((0..10_000).map(|_| forever(8)).collect())
    })
    .await;
    talk.prompt("Write.").await;
    talk.until(|e| matches!(e, AgentEvent::Started { .. }))
        .await;
    talk.order(Order::Interrupt).await;
    assert_eq!(talk.end().await.1, Status::Interrupted);
}

#[tokio::test]
async fn what_is_not_configured_is_named() {
    let spec = talk::spec(AgentKind::Openai, "");
    let mut talk = Talk::start(
        &*backend_in(&spec, &Vars::default()),
        Place::new().start(Vec::new()),
    );
    has(talk.turn("Write.").await.2, &["`base_url`"]);
}

/// What a backend finds out about the window of `test-model`, and what it asked for that.
async fn window(answers: &'static [(&'static str, &'static str)]) -> (Option<u64>, Vec<String>) {
    let server = Server::start(move |request, _| {
        let told = answers.iter().find(|(path, _)| *path == request.path);
        told.map_or_else(
            || error(404, "no such address"),
            |(_, body)| Answer::json(200, &serde_json::from_str(body).unwrap()),
        )
    })
    .await;
    let backend = backend(&server);
    let window = backend.window(None).await;
    // Asked once, not in every turn.
    assert_eq!(backend.window(Some("test-model")).await, window);
    let paths = server.requests().iter().map(|r| r.path.clone()).collect();
    (window, paths)
}

#[tokio::test]
async fn the_window_is_what_each_server_says_in_its_own_way() {
    const MODELS: &str = "/v1/models";
    let listed = r#"{"data":[{"id":"test-model","context_length":32768}]}"#;
    let listed: &'static [_] = Box::leak(Box::new([(MODELS, listed)]));
    assert_eq!(
        window(listed).await,
        (Some(32_768), vec![MODELS.to_owned()])
    );
    let llama: &'static [_] = &[
        (
            MODELS,
            r#"{"data":[{"id":"gguf","owned_by":"llamacpp","meta":{"n_ctx_train":8192}}]}"#,
        ),
        (
            "/props",
            r#"{"default_generation_settings":{"n_ctx":4096}}"#,
        ),
    ];
    assert_eq!(window(llama).await.0, Some(4_096));
    let ollama: &'static [_] = &[
        (
            MODELS,
            r#"{"data":[{"id":"test-model","owned_by":"library"},{"id":"x","owned_by":"library"}]}"#,
        ),
        ("/api/ps", r#"{"models":[]}"#),
        (
            "/api/show",
            r#"{"parameters":"num_ctx 16384","model_info":{"q.context_length":40960}}"#,
        ),
    ];
    let (found, asked) = window(ollama).await;
    assert_eq!((found, asked.len()), (Some(16_384), 3));
    let silent: &'static [_] = &[(MODELS, r#"{"data":[{"id":"test-model","owned_by":"me"}]}"#)];
    assert_eq!(window(silent).await, (None, vec![MODELS.to_owned()]));
}

#[tokio::test]
async fn a_window_that_is_set_is_asked_of_nobody() {
    let server = chat_api::start(&["test-model"], |_, _| error(500, "")).await;
    let spec = AgentSpec {
        context: Some(9_000),
        ..spec(&server)
    };
    let backend = backend_in(&spec, &Vars::default());
    assert_eq!(backend.window(None).await, Some(9_000));
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn a_conversation_that_is_too_long_is_told_before_the_end_and_its_window_learnt() {
    let (_server, mut talk) = one(|_, _| {
        error(
            400,
            "This model's maximum context length is 8192 tokens. Please reduce the length.",
        )
    })
    .await;
    let (_, status, _) = talk.turn("Write.").await;
    assert_eq!(status, Status::Failed);
    let full = talk
        .seen
        .iter()
        .find(|e| matches!(e, AgentEvent::Full { .. }));
    assert_eq!(
        full,
        Some(&AgentEvent::Full {
            window: Some(8_192)
        })
    );
}

/// Lengths of the results that a request carries.
fn results(request: &Value) -> Vec<usize> {
    let all = request["messages"].as_array().unwrap().iter();
    let results = all.filter(|m| m["role"] == "tool");
    results
        .map(|m| m["content"].as_str().unwrap().len())
        .collect()
}

/// Plays a turn in which each call is answered with the same long text.
async fn long_results(talk: &mut Talk, text: &str) -> (Status, Option<String>) {
    talk.prompt("Read.").await;
    loop {
        let ends =
            |e: &AgentEvent| matches!(e, AgentEvent::ToolCall { .. } | AgentEvent::Ended { .. });
        match talk.until(ends).await {
            AgentEvent::ToolCall { call, .. } => talk.result(&call, text).await,
            AgentEvent::Ended { status, reason } => return (status, reason),
            _ => unreachable!(),
        }
    }
}

fn shortened(talk: &Talk) -> usize {
    let said = |e: &&AgentEvent| matches!(e, AgentEvent::Note(n) if n.contains("sent shortened"));
    talk.seen.iter().filter(said).count()
}

fn reads(n: usize) -> Answer {
    let id = format!("c{n}");
    stream(vec![call(0, &id, "read_draft", &json!({}))], "tool_calls")
}

#[tokio::test]
async fn results_that_outgrow_the_window_within_a_turn_are_shortened_oldest_first() {
    let server = chat_api::start(&["test-model"], |_, n| match n {
        0..6 => reads(n),
        _ => stream(vec![words("All six are read.")], "stop"),
    })
    .await;
    let spec = AgentSpec {
        context: Some(4_000),
        ..spec(&server)
    };
    let backend = backend_in(&spec, &Vars::default());
    let mut talk = Talk::start(&*backend, Place::new().start(Vec::new()));
    let text = "The river is slow. ".repeat(200);
    let (status, reason) = long_results(&mut talk, &text).await;
    assert_eq!((status, reason), (Status::Ok, None));
    let asked = server.bodies("completions");
    assert_eq!(asked.len(), 7);
    assert_eq!(results(&asked[2]), [3_800, 3_800], "what fits is whole");
    let last = results(&asked[6]);
    assert!(last[..3].iter().all(|n| *n < 700), "{last:?}");
    assert_eq!(last[3..], [3_800; 3], "what fits stays whole");
    for request in &asked {
        assert!(request["messages"].to_string().len() / 4 < 4_000);
    }
    assert_eq!(shortened(&talk), 1, "said once");
}

#[tokio::test]
async fn a_refusal_in_the_middle_of_a_turn_is_answered_with_a_shorter_request() {
    for in_stream in [false, true] {
        let server = chat_api::start(&["test-model"], move |request, n| {
            let long = request["messages"].to_string().len() > 9_000;
            let said = json!({"error": {"message": "input length exceeds the context length"}});
            match n {
                _ if long && in_stream => Answer::events(vec![Frame::new(chat_api::data(&said))]),
                _ if long => Answer::json(400, &said),
                _ if results(request).len() < 4 => reads(n),
                _ => stream(vec![words("All are read.")], "stop"),
            }
        })
        .await;
        let mut talk = Talk::start(&*backend(&server), Place::new().start(Vec::new()));
        let text = "The river is slow. ".repeat(200);
        let ended = long_results(&mut talk, &text).await;
        assert_eq!(ended, (Status::Ok, None), "{in_stream}");
        assert_eq!(shortened(&talk), 1);
        let full = |e: &AgentEvent| matches!(e, AgentEvent::Full { .. });
        assert!(!talk.seen.iter().any(full), "the turn is not begun again");
    }
}

#[tokio::test]
async fn a_turn_that_no_shortening_saves_ends_with_what_to_do() {
    let server = chat_api::start(&["test-model"], |_, n| match n {
        0 => reads(n),
        _ => error(400, "prompt is too long: 9000 tokens > 4000 maximum"),
    })
    .await;
    let mut talk = Talk::start(&*backend(&server), Place::new().start(Vec::new()));
    let (status, reason) = long_results(&mut talk, &"river ".repeat(2_000)).await;
    assert_eq!(status, Status::Failed);
    let reason = reason.unwrap();
    assert!(reason.contains("begins with a summary") && !reason.contains("9000"));
    assert!(server.bodies("completions").len() < 20);
}
