//! Agents that are processes: how many are kept, how many are in their start.

use std::time::{Duration, Instant};

use fascicle::domain::State;
use fascicle::domain::ask::{Reply, Request};
use serde_json::json;

use crate::bench::{Bench, words};

#[tokio::test(flavor = "multi_thread")]
async fn a_ninth_agent_lets_the_oldest_idle_one_end_and_its_session_goes_on_all_the_same() {
    let say = |text: &str| json!([{"delta": {"block": 0, "text": text}}]);
    // An agent that is started anew plays the first turn again.
    let script = json!({"turns": [say("new "), say("kept ")], "process": true});
    let bench = Bench::new(&script, "");
    let mut sessions = Vec::new();
    for n in 1..=9 {
        sessions.push(bench.new_session(&format!("Session {n}")).await);
    }
    // A session that is made is a new piece in the brief of all others: it would begin their agents anew.
    for id in &sessions {
        bench.turn(*id, "Begin.").await;
    }
    for (session, said) in [
        (sessions[8], "new kept "),
        (sessions[2], "new kept "),
        (sessions[0], "new new "),
        (sessions[1], "new new "),
    ] {
        assert_eq!(words(&bench.turn(session, "More.").await), said);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_whose_agent_waits_for_its_start_is_stopped_at_once() {
    // Once started it hears no interrupt, and is ended after five seconds.
    let script = json!({"steps": [{"deaf": true}, {"hang": true}], "process": true});
    let bench = Bench::new(&script, "");
    let begun = Instant::now();
    for title in ["One", "Two"] {
        let id = bench.new_session(title).await;
        bench.send(id, "Begin.").await;
        bench
            .row(id, "writing", |r| r.state == State::Writing)
            .await;
    }
    let third = bench.new_session("Three").await;
    bench.send(third, "Begin.").await;
    let in_time = begun.elapsed() < Duration::from_secs(2);
    let stopped = Instant::now();
    let stop = Request::Stop { session: third };
    assert_eq!(bench.client.ask(stop).await, Reply::Done);
    bench
        .row(third, "interrupted", |r| r.state == State::Interrupted)
        .await;
    // A machine so slow that the others' time had come says nothing about ours.
    assert!(!in_time || stopped.elapsed() < Duration::from_secs(4));
}
