//! 26: what the terminal is left like: suspended, ended, killed.

use std::process::Command;

use serde_json::Value;

use crate::bench::{Bench, events, input, is_delta, logged, rule_of_all, streamed, until};
use crate::screen::{SIZE, composer, go, open, say, type_words};
use crate::window::Window;

/// A window on a session whose agent writes.
fn streaming() -> (Bench, String, Window) {
    let bench = Bench::playing(&[("claude", &input("25-tiny-terminal/scenario.json"))]);
    let id = bench.session("Flow", "claude");
    let mut window = open(&bench.desk, SIZE, "Flow");
    go(&mut window, "Flow");
    say(&mut window, "Begin.");
    logged(&bench.desk, &id, "the first words", is_delta);
    (bench, id, window)
}

/// The modes of a terminal in which nothing was done yet.
fn untouched() -> String {
    let mut window = Window::open(std::path::Path::new("/bin/cat"), &[], &[], SIZE);
    let modes = window.modes();
    window.keys("\x04");
    modes
}

/// Everything that was switched on was switched off again, the modes that the model does not know among it.
fn is_given_back(window: &Window) {
    let before = untouched();
    until("the modes of before", || window.modes() == before);
    let bytes = window.bytes();
    let text = String::from_utf8_lossy(&bytes);
    for mode in [
        "?1000", "?1002", "?1003", "?1004", "?1006", "?1049", "?2004", "?2026",
    ] {
        let last = |end: char| text.rfind(&format!("\x1b[{mode}{end}"));
        assert!(last('h') <= last('l'), "{mode} is left on");
    }
    let keys = |sign: char| text.matches(&format!("\x1b[{sign}")).count();
    assert!(keys('>') <= text.matches("\x1b[<u").count() + text.matches("\x1b[>4;0m").count());
}

fn is_stopped(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let (_, rest) = stat.rsplit_once(')').unwrap();
    rest.trim_start().starts_with('T')
}

#[test]
fn case_26_suspended_three_times_it_comes_back_whole_with_what_was_written_meanwhile() {
    let (bench, id, mut window) = streaming();
    type_words(&mut window, "kept");
    for size in [(100, 30), (80, 24), (120, 40)] {
        window.signal("TSTP");
        until("the stop", || is_stopped(window.pid()));
        window.until("the shell's screen", |s| !s.contains('›'));
        is_given_back(&window);
        window.resize(size.0, size.1);
        window.signal("CONT");
        window.until("the window, without a key", |s| {
            composer(s) == "kept" && s.lines().last().unwrap_or_default().contains("F1 keys")
        });
    }
    type_words(&mut window, "!");
    let end = |e: &Value| e["kind"] == "turn.finished";
    assert_eq!(logged(&bench.desk, &id, "the end", end)["status"], "ok");
    window.shows("flow 300");
    let words: String = (1..=300).map(|i| format!("flow {i} 灯台 ")).collect();
    assert_eq!(streamed(&events(&bench.desk, &id), 1), words);
    window.signal("TERM");
    window.ended();
    is_given_back(&window);
    rule_of_all(&bench.desk);
}

#[test]
fn case_26_every_end_leaves_the_terminal_as_it_was() {
    for name in ["TERM", "INT", "HUP"] {
        let (bench, id, mut window) = streaming();
        window.signal(name);
        window.until(&format!("the shell's screen after {name}"), |s| {
            !s.contains('›')
        });
        is_given_back(&window);
        // As the host it stays until its turn has ended; a second word ends that, too.
        if is_running(window.pid()) {
            let _ended = Command::new("kill")
                .args(["-s", name, &window.pid().to_string()])
                .status();
        }
        window.ended();
        let status =
            logged(&bench.desk, &id, "an end", |e| e["kind"] == "turn.finished")["status"].clone();
        assert!(
            status == "ok" || status == "interrupted",
            "{name}: {status}"
        );
        rule_of_all(&bench.desk);
    }
}

#[test]
fn case_26_a_mouse_that_moves_while_it_ends_types_nothing_into_the_shell() {
    let bench = Bench::new();
    bench.session("Flow", "claude");
    let mut window = open(&bench.desk, SIZE, "Flow");
    for i in 0..200 {
        window.keys(&format!("\x1b[<35;{};{}M", 1 + i % 100, 1 + i % 30));
    }
    window.keys("\x04");
    assert_eq!(window.ended(), 0);
    is_given_back(&window);
    let bytes = window.bytes();
    assert!(
        !String::from_utf8_lossy(&bytes).contains("[<35;"),
        "reports are not echoed"
    );
}

fn is_running(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"));
    stat.is_ok_and(|s| {
        s.rsplit_once(')')
            .is_some_and(|(_, r)| !r.trim_start().starts_with('Z'))
    })
}

#[test]
fn case_26_suspended_from_within_it_comes_back_with_its_draft_and_its_dialogs() {
    let (bench, id, mut window) = streaming();
    window.keys("\x1b");
    window.shows("Enter write");
    window.keys("d");
    window.shows("every version of it is kept");
    window.keys("Words of the draft");
    window.shows("Words of the draft");
    // By its own command, there being no key that a writer could hit by accident.
    window.keys("\x10");
    window.shows("Commands");
    window.keys("suspend");
    window.shows("Leaves the terminal to the shell");
    window.keys("\r");
    until("the stop", || is_stopped(window.pid()));
    window.until("the shell's screen", |s| !s.contains("Words of the draft"));
    is_given_back(&window);
    window.resize(90, 30);
    window.signal("CONT");
    window.until("the draft, without a key", |s| {
        s.contains("Words of the draft") && !s.contains("Commands")
    });
    window.keys("!");
    window.shows("Words of the draft!");
    // From outside, with a dialog open.
    window.keys("\x10");
    window.shows("Commands");
    window.signal("TSTP");
    until("the stop", || is_stopped(window.pid()));
    window.until("the shell's screen", |s| !s.contains("Commands"));
    is_given_back(&window);
    window.signal("CONT");
    window.shows("Commands");
    window.keys("\x1b");
    window.until("it is closed", |s| !s.contains("Commands"));
    window.signal("TERM");
    window.ended();
    is_given_back(&window);
    assert_eq!(
        bench.desk.ok(&["draft", &id]).trim_end(),
        "Words of the draft!"
    );
    rule_of_all(&bench.desk);
}
