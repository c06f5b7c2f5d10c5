//! The scripted backend plays its file, in the test's own time.
#![allow(clippy::unwrap_used, reason = "test")]

use fascicle::agents::{AgentEvent, Order, Vars, backend_in};
use fascicle::domain::agent::AgentKind;
use fascicle::domain::event::{Answer, Status};
use serde_json::{Value, json};

use crate::support::talk::{Place, Talk, spec, words};

fn play(script: &Value) -> (Place, Talk) {
    let place = Place::new();
    let path = place.root.path().join("script.json");
    std::fs::write(&path, script.to_string()).unwrap();
    let backend = backend_in(&spec(AgentKind::Scripted, &path), &Vars::default());
    let talk = Talk::start(&*backend, place.start(Vec::new()));
    (place, talk)
}

fn numbered(n: u64, ms: u64) -> Value {
    json!({"each": {"n": n, "ms": ms, "step": {"delta": {"block": 0, "text": "w{i} "}}}})
}

#[tokio::test(start_paused = true)]
async fn each_prompt_plays_the_next_turn_and_the_last_repeats() {
    let turn = |text: &str| json!([{"delta": {"block": 0, "text": text}}]);
    let (_place, mut talk) = play(&json!({"turns": [turn("one"), turn("{history}: {prompt}")]}));
    assert_eq!(talk.turn("a").await, ("one".into(), Status::Ok, None));
    assert_eq!(talk.turn("b").await.0, "2: b");
    assert_eq!(talk.turn("c").await.0, "4: c");
    assert!(matches!(talk.seen[0], AgentEvent::Started { .. }));
}

#[tokio::test(start_paused = true)]
async fn time_is_the_tests_own() {
    let (_place, mut talk) = play(
        &json!({"steps": [numbered(1000, 5), {"wait": 60_000}, {"ended": {"status": "failed", "reason": "x"}}]}),
    );
    let from = tokio::time::Instant::now();
    let (words, status, reason) = talk.turn("a").await;
    assert_eq!((status, reason.as_deref()), (Status::Failed, Some("x")));
    assert!(words.ends_with("w1000 "));
    assert!(from.elapsed().as_secs() >= 65);
}

#[tokio::test(start_paused = true)]
async fn orders_are_waited_for() {
    let steps = json!([
        {"asked": {"call": "q", "what": "May I?"}},
        {"await_order": "answer"},
        {"tool_call": {"call": "c", "name": "read_draft", "input": "{}"}},
        {"await_order": "tool_result"},
        {"delta": {"block": 0, "text": "got {result}"}},
    ]);
    let (_place, mut talk) = play(&json!({"steps": steps}));
    talk.prompt("a").await;
    talk.until(|e| matches!(e, AgentEvent::Asked { .. })).await;
    talk.answer("q", Answer::Once).await;
    talk.until(|e| matches!(e, AgentEvent::ToolCall { .. }))
        .await;
    talk.result("c", "text").await;
    let (events, status, _) = talk.end().await;
    assert_eq!((words(&events).as_str(), status), ("got text", Status::Ok));
}

#[tokio::test(start_paused = true)]
async fn a_hang_can_be_interrupted_and_a_deaf_agent_only_killed() {
    let (_place, mut talk) = play(
        &json!({"turns": [[numbered(2, 0), {"hang": true}], [{"deaf": true}, numbered(2, 0), {"hang": true}]]}),
    );
    talk.prompt("a").await;
    talk.until(|e| matches!(e, AgentEvent::Delta { text, .. } if text == "w2 "))
        .await;
    talk.order(Order::Interrupt).await;
    assert_eq!(talk.end().await.1, Status::Interrupted);
    talk.prompt("b").await;
    talk.until(|e| matches!(e, AgentEvent::Delta { text, .. } if text == "w2 "))
        .await;
    talk.order(Order::Interrupt).await;
    talk.order(Order::Kill).await;
    assert_eq!(talk.end().await.1, Status::Interrupted);
    assert_eq!(talk.next().await, None);
}

#[tokio::test(start_paused = true)]
async fn an_exit_ends_the_events_without_an_end_of_the_turn() {
    let (_place, mut talk) = play(&json!({"steps": [numbered(3, 0), {"exit": true}]}));
    talk.prompt("a").await;
    talk.gone().await;
    assert_eq!(words(&talk.seen), "w1 w2 w3 ");
    assert!(
        !talk
            .seen
            .iter()
            .any(|e| matches!(e, AgentEvent::Ended { .. }))
    );
}

#[tokio::test(start_paused = true)]
async fn a_file_that_is_none_is_named() {
    let (_place, mut talk) = play(&json!({"steps": [{"nonsense": 1}]}));
    let (_, status, reason) = talk.turn("a").await;
    assert_eq!(status, Status::Failed);
    assert!(reason.unwrap().contains("nonsense"));
}
