//! 31: an agent in the background asks, and waits.

use serde_json::Value;

use crate::bench::{Bench, events, input, is_delta, logged, rule_of_all, until};
use crate::screen::{SIZE, go, open, say, title};
use crate::window::Window;

/// Goes to the next session that needs the writer (`Ctrl-N`).
const NEXT: &str = "\x0e";

fn bench() -> (Bench, [String; 3]) {
    let bench = Bench::playing(&[("claude", &input("31-unseen-question/scenario.json"))]);
    let ids = ["Alder", "Birch", "Cedar"].map(|name| bench.session(name, "claude"));
    (bench, ids)
}

/// How often the terminal was rung: the sign that ends a title is no ring.
fn rings(window: &Window) -> usize {
    let bytes = window.bytes();
    let text = String::from_utf8_lossy(&bytes);
    let mut rest = text.as_ref();
    let mut rings = 0;
    while let Some((before, after)) = rest.split_once("\x1b]") {
        rings += before.matches('\x07').count();
        let end = after
            .find(['\x07', '\x1b'])
            .map_or(after.len(), |at| at + 1);
        rest = after.get(end..).unwrap_or_default();
    }
    rings + rest.matches('\x07').count()
}

/// Presses a key until the question is answered: one that is pressed right after a question appears is taken for
/// typing.
fn answer(window: &mut Window, key: &str) {
    until("the answer", || {
        let answered = window.screen().contains("Thank you.");
        if !answered {
            window.keys(key);
        }
        answered
    });
}

fn state(bench: &Bench, id: &str) -> Value {
    let all = bench.desk.json(&["list", "--json"]);
    let row = all.as_array().unwrap().iter().find(|r| r["id"] == id);
    row.unwrap()["state"].clone()
}

fn answers(bench: &Bench, id: &str) -> Vec<Value> {
    let all = events(&bench.desk, id);
    let answers = all.iter().filter(|e| e["kind"] == "permission.answered");
    answers.map(|e| e["answer"].clone()).collect()
}

#[test]
fn case_31_a_question_in_the_background_is_seen_rung_once_and_answered_from_the_list() {
    let (bench, [alder, ..]) = bench();
    let mut window = open(&bench.desk, SIZE, "Alder");
    go(&mut window, "Alder");
    say(&mut window, "Begin.");
    logged(&bench.desk, &alder, "the first words", is_delta);
    go(&mut window, "Birch");
    window.shows("needs you");
    window.until("who needs the writer in the line below", |s| {
        s.contains("! 1 needs you")
    });
    assert_eq!(state(&bench, &alder), "needs_you");
    // Words typed now answer nothing.
    window.keys("1 2 3");
    window.shows("1 2 3");
    assert_eq!(answers(&bench, &alder), [] as [Value; 0]);
    window.keys(NEXT);
    window.until("the session that asks", |s| title(s).starts_with("Alder"));
    // In the transcript keys are no text.
    window.keys("\x1b");
    window.shows("Enter write");
    answer(&mut window, "1");
    assert_eq!(answers(&bench, &alder), ["once"]);
    assert_eq!(rings(&window), 1);
    rule_of_all(&bench.desk);
}

#[test]
fn case_31_two_that_ask_ring_once_each_and_wait_through_a_closed_window() {
    let (bench, [alder, birch, _]) = bench();
    let mut window = open(&bench.desk, SIZE, "Alder");
    // The terminal is out of sight.
    window.keys("\x1b[O");
    for name in ["Alder", "Birch"] {
        go(&mut window, name);
        say(&mut window, "Begin.");
    }
    go(&mut window, "Cedar");
    window.shows("! 2 need you");
    until("two rings", || rings(&window) == 2);
    window.signal("TERM");
    window.ended();
    assert_eq!(rings(&window), 2);
    let mut again = open(&bench.desk, SIZE, "Alder");
    again.shows("! 2 need you");
    for id in [&alder, &birch] {
        assert_eq!(state(&bench, id), "needs_you");
    }
    go(&mut again, "Alder");
    again.until("the end of the jump", |s| title(s).starts_with("Alder"));
    again.keys("\x1b");
    again.shows("Enter write");
    answer(&mut again, "3");
    assert_eq!(answers(&bench, &alder), ["deny"]);
    assert_eq!(
        state(&bench, &birch),
        "needs_you",
        "an answer is for one question"
    );
    bench.desk.ok(&["answer", &birch, "once"]);
    until("the end of the other", || state(&bench, &birch) == "unread");
    rule_of_all(&bench.desk);
}
