//! Hosts, windows and agents that are killed in the middle: what was read is kept, and nothing is sent again.

use serde_json::{Value, json};

use crate::bench::{Bench, REPLY, delta, once, result, streamed, until};
use crate::play::{self, newest};
use crate::process::gone;
use crate::screen::say;
use crate::window::Window;

/// A bench with a session whose agent writes without an end.
fn writing() -> (Bench, String, Window) {
    let mut bench = Bench::new();
    let words = delta("w{i} ");
    let endless = json!({"each": {"n": 1_000_000, "ms": 5, "json": words["json"]}});
    bench.play(&json!({"turns": [[endless, result()]]}));
    let id = bench.session("Letter", "claude");
    let mut window = play::window(&bench.desk, &id, "Letter");
    say(&mut window, "Begin.");
    window.until("some words", |s| newest(s) > 50);
    (bench, id, window)
}

/// The turn is lost with every word that was read, and its agent is gone; how many words.
fn lost(bench: &Bench, id: &str) -> u64 {
    let log = play::log(&bench.desk, id);
    assert_eq!(play::ended(&log, 1), "lost");
    until("the list says it", || {
        play::state(&bench.desk, id) == "lost"
    });
    let events = play::lines(&log);
    once(&events);
    let words = streamed(&events, 1);
    let n = newest(&words);
    assert!(words == play::words(n), "a gap or a repeat: {words}");
    for event in events.iter().filter(|e| e["kind"] == "agent.started") {
        gone(event["pid"].as_u64().unwrap());
    }
    n
}

/// Nothing was sent but what the writer sent; then the next prompt is answered.
fn goes_on(bench: &mut Bench, id: &str, window: &mut Window) {
    assert_eq!(bench.prompts(), ["Begin."], "nothing is sent again");
    assert_eq!(bench.heard("start").len(), 1, "nothing is started again");
    bench.play(&json!({"turns": [[delta(REPLY), result()]]}));
    say(window, "Go on.");
    window.shows(REPLY);
    let log = play::log(&bench.desk, id);
    assert_eq!(play::ended(&log, 2), "ok");
    assert_eq!(bench.prompts(), ["Begin.", "Go on."]);
    assert_eq!(play::count(&log, "turn.started"), 2);
    once(&play::lines(&log));
}

#[test]
fn a_killed_host_costs_the_window_nothing_and_the_turn_keeps_what_was_read() {
    let (mut bench, id, mut window) = writing();
    let first = bench.desk.host().unwrap();
    let seen = newest(&window.screen());
    bench.desk.kill_host();
    let kept = lost(&bench, &id);
    assert!(kept >= seen, "{seen} were shown, {kept} are kept");
    window.until("the end of the turn, with its words", |s| {
        s.contains("lost") && newest(s) == kept && !s.contains("cannot be heard")
    });
    let second = bench.desk.host().unwrap();
    assert_ne!(first, second);
    goes_on(&mut bench, &id, &mut window);
}

#[test]
fn after_a_kill_of_every_process_the_workspace_opens_where_it_was() {
    let (mut bench, id, mut window) = writing();
    let log = play::log(&bench.desk, &id);
    let seen = newest(&window.screen());
    let started = |e: &Value| e["kind"] == "agent.started";
    let agent = play::logged(&log, "the agent", started)["pid"].clone();
    let all = bench.desk.processes();
    for pid in [
        u64::from(window.pid()),
        bench.desk.host().unwrap().into(),
        agent.as_u64().unwrap(),
    ] {
        assert!(all.contains(&u32::try_from(pid).unwrap()), "{pid}: {all:?}");
    }
    for pid in all {
        // Some end by themselves when the first of them is killed.
        let _gone = std::process::Command::new("kill")
            .args(["-s", "KILL", &pid.to_string()])
            .output();
    }
    window.ended();
    until("nothing runs", || bench.desk.processes().is_empty());
    // A process that ends has no name any more a moment before it lets go of its locks.
    until("it is lost, without a host", || {
        play::state(&bench.desk, &id) == "lost"
    });
    let mut window = play::window(&bench.desk, &id, "lost");
    let kept = lost(&bench, &id);
    assert!(kept >= seen, "{seen} were shown, {kept} are kept");
    window.until("its words", |s| newest(s) == kept);
    goes_on(&mut bench, &id, &mut window);
}
