//! 10: the window is closed or killed in the middle of a turn.

use serde_json::Value;

use crate::bench::{Bench, events, input, logged, rule_of_all, streamed, until};
use crate::process::cpu;
use crate::screen::{SIZE, go, open, say};
use crate::window::Window;

/// Pieces that the agent writes.
const PIECES: u32 = 1_200;

fn words(upto: u32) -> String {
    (1..=upto).map(|i| format!("w{i} ")).collect()
}

/// A window on a session whose agent has written a hundred pieces.
fn writing() -> (Bench, String, Window) {
    // Nearly twice as fast as it was recorded.
    let text = std::fs::read_to_string(input("10-close-window-mid-turn/scenario.json")).unwrap();
    let mut scenario: Value = serde_json::from_str(&text).unwrap();
    scenario["steps"][1]["each"]["ms"] = 15.into();
    let mut bench = Bench::new();
    bench.play(&scenario);
    let id = bench.session("Harbour", "claude");
    let mut window = open(&bench.desk, SIZE, "Harbour");
    go(&mut window, "Harbour");
    say(&mut window, "Begin.");
    window.shows("w100 ");
    (bench, id, window)
}

/// The turn goes on without the window, can be attached again, and ends whole.
fn goes_on(bench: &Bench, id: &str) {
    let desk = &bench.desk;
    assert_eq!(desk.json(&["list", "--json"])[0]["state"], "writing");
    let again = open(desk, SIZE, "Harbour");
    let end = format!("w{PIECES}");
    again.shows(&end);
    let end = |e: &Value| e["kind"] == "turn.finished";
    assert_eq!(logged(desk, id, "the end", end)["status"], "ok");
    assert_eq!(streamed(&events(desk, id), 1), words(PIECES));
    rule_of_all(desk);
}

#[test]
fn case_10_a_a_closed_terminal_costs_no_word_and_no_processor() {
    let (bench, id, mut window) = writing();
    window.hang_up();
    let host = bench.desk.host().unwrap();
    goes_on(&bench, &id);
    assert!(cpu(host) < 30.0, "the host does not spin");
}

#[test]
fn case_10_c_a_window_that_is_told_to_end_leaves_its_turn_which_can_be_stopped() {
    let (bench, id, mut window) = writing();
    window.signal("TERM");
    assert_eq!(window.ended(), 0);
    let desk = &bench.desk;
    assert_eq!(desk.json(&["list", "--json"])[0]["state"], "writing");
    desk.ok(&["stop", &id]);
    until("the end of the turn", || {
        desk.json(&["list", "--json"])[0]["state"] != "writing"
    });
    let kept = streamed(&events(desk, &id), 1);
    assert!(
        kept.contains("w100 ") && words(PIECES).starts_with(&kept),
        "{kept}"
    );
    until("the end of the host", || desk.host().is_none());
    rule_of_all(desk);
}

#[test]
fn case_10_b_when_everything_is_killed_what_was_shown_is_there_and_the_session_goes_on() {
    let (mut bench, id, mut window) = writing();
    let shown = window.screen();
    window.signal("KILL");
    window.ended();
    bench.desk.kill_host();
    let desk = &bench.desk;
    assert_eq!(desk.json(&["list", "--json"])[0]["state"], "lost");
    let kept = streamed(&events(desk, &id), 1);
    assert!(words(PIECES).starts_with(&kept), "{kept}");
    let numbered = |w: &&str| {
        w.strip_prefix('w')
            .is_some_and(|n| n.parse::<u32>().is_ok())
    };
    let last = shown.split_whitespace().rev().find(numbered).unwrap();
    assert!(
        kept.contains(&format!("{last} ")),
        "{last} was shown, not kept"
    );
    let again = open(desk, SIZE, "Harbour");
    again.shows("lost: the program ended");
    drop(again);
    let reply =
        serde_json::json!({"turns": [[crate::bench::delta("Here."), crate::bench::result()]]});
    bench.play(&reply);
    assert_eq!(
        crate::bench::answered(&bench.send(&id, "Go on.")),
        "Here.\n"
    );
    assert!(
        bench
            .history()
            .iter()
            .any(|(_, text)| text.contains("w100")),
        "the agent knows the words of the cut turn"
    );
    rule_of_all(&bench.desk);
}
