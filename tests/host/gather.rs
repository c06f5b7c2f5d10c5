//! What a tool wants of the collection is gathered beside the session, which hears everything meanwhile.

use fascicle::domain::ask::{Reply, Request};
use fascicle::domain::event::Status;
use fascicle::domain::{Event, Kind};
use serde_json::json;

use crate::bench::{Bench, events_until, is_end};

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_is_heard_while_a_piece_is_read_that_takes_for_ever() {
    let script = json!({"turns": [
        [
            {"tool_call": {"call": "c", "name": "read_piece", "input": "{\"piece\":\"Slow\"}"}},
            {"await_order": "tool_result"},
            {"delta": {"block": 0, "text": "[{result}]"}},
        ],
        [{"delta": {"block": 0, "text": "Yes."}}],
    ]});
    let bench = Bench::new(&script, "");
    let slow = bench.new_session("Slow").await;
    let session = bench.new_session("Reads").await;
    let log = bench.log(slow);
    std::fs::rename(&log, log.with_extension("aside")).unwrap();
    // A log that does not give a byte before somebody writes into it.
    let made = std::process::Command::new("mkfifo").arg(&log).status();
    assert!(made.unwrap().success());
    let mut heard = bench.follow(session);
    bench.send(session, "Read.").await;
    let calls = |e: &Event| matches!(e.kind, Kind::ToolStarted { .. });
    events_until(&mut heard, "the call", calls).await;
    let stopped = bench.client.ask(Request::Stop { session }).await;
    assert_eq!(stopped, Reply::Done);
    let events = events_until(&mut heard, "the end", is_end).await;
    let end = &events.last().unwrap().kind;
    assert!(
        matches!(end, Kind::TurnFinished { status: Status::Interrupted, reason: Some(why), .. } if why == "stopped by you"),
        "{end:?}"
    );
    // What comes of it later is nobody's: the next turn has a call of the same name, or none.
    bench.turn(session, "And now?").await;
    std::fs::rename(log.with_extension("aside"), log.with_extension("back")).unwrap();
    drop(
        std::fs::OpenOptions::new()
            .read(true)
            .write(true)
            .open(&log),
    );
    std::fs::rename(log.with_extension("back"), &log).unwrap();
    let events = bench.so_far(session).await;
    let done = |e: &&Event| matches!(e.kind, Kind::ToolFinished { .. });
    assert_eq!(events.iter().filter(done).count(), 0);
}
