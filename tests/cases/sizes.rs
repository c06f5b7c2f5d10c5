//! 25: a terminal of every size while text streams.

use serde_json::Value;

use crate::bench::{Bench, events, input, is_delta, logged, rule_of_all, streamed};
use crate::screen::{composer, go, open, say, type_words};
use crate::window::Window;

const HOME: (u16, u16) = (80, 24);

/// The sizes of the case: columns and rows.
fn sizes() -> Vec<(u16, u16)> {
    let text = std::fs::read_to_string(input("25-tiny-terminal/sizes.txt")).unwrap();
    let lines = text.lines().filter(|l| !l.starts_with('#'));
    let sizes = lines.map(|l| {
        let mut numbers = l.split_whitespace().map(|n| n.parse().unwrap());
        (numbers.next().unwrap(), numbers.next().unwrap())
    });
    sizes.collect()
}

/// Takes every size, waiting for what is drawn at those that have room for a message, and ends at 80 by 24.
fn through(window: &Window, what: &str) {
    for (cols, rows) in sizes() {
        window.resize(cols, rows);
        if cols >= 20 && rows >= 6 {
            window.until(&format!("{what} at {cols} by {rows}"), |s| {
                !s.trim().is_empty()
            });
        }
    }
    window.until(&format!("{what} at the end"), is_whole);
}

#[test]
fn case_25_no_size_loses_a_word_or_leaves_a_trace() {
    let bench = Bench::playing(&[("claude", &input("25-tiny-terminal/scenario.json"))]);
    let desk = &bench.desk;
    let id = bench.session("Flow", "claude");
    bench.session("Other", "claude");
    let mut window = open(desk, HOME, "Flow");
    go(&mut window, "Flow");
    say(&mut window, "Begin.");
    logged(desk, &id, "the first words", is_delta);
    type_words(&mut window, "kept text");
    through(&window, "the composer");
    window.until("the text at the end", |s| composer(s) == "kept text");
    let views = [
        ("\x1b", "the transcript", "Enter write"),
        ("\x1bOP", "the keys", " closes ╯"),
        ("\x10", "the commands", " closes ╯"),
        ("\x07", "a dialog", "Go to a session"),
    ];
    for (keys, what, sign) in views {
        window.keys(keys);
        window.shows(sign);
        through(&window, what);
        window.shows(sign);
        if sign != "Enter write" {
            window.keys("\x1b");
            window.until("it is closed", |s| is_whole(s) && !s.contains(sign));
        }
    }
    for _ in 0..50 {
        for (cols, rows) in sizes() {
            window.resize(cols, rows);
        }
    }
    let end = |e: &Value| e["kind"] == "turn.finished";
    assert_eq!(logged(desk, &id, "the end", end)["status"], "ok");
    let words: String = (1..=300).map(|i| format!("flow {i} 灯台 ")).collect();
    assert_eq!(streamed(&events(desk, &id), 1), words);
    window.until("the end on the screen", |s| {
        s.contains("flow 300") && !s.contains("writing")
    });
    // A window that was never another size shows the same.
    window.until("the text at the end", |s| composer(s) == "kept text");
    let here = at_the_end(&mut window);
    window.signal("TERM");
    window.ended();
    let mut fresh = open(desk, HOME, "Flow");
    fresh.until("the same place", |s| {
        composer(s) == "kept text" && s.contains("flow 300")
    });
    assert_eq!(at_the_end(&mut fresh), here);
    drop(fresh);
    rule_of_all(desk);
}

/// Whether a frame for 80 by 24 is there: its edges.
fn is_whole(screen: &str) -> bool {
    let rows: Vec<&str> = screen.lines().collect();
    rows.len() == 24 && rows[0].starts_with(" A") && rows[23].ends_with("keys")
}

/// The screen with the end of the transcript on it, blank cells behind each row left out.
fn at_the_end(window: &mut Window) -> String {
    window.keys("\x1b[H");
    window.shows("Begin.");
    window.keys("\x1b[F");
    let screen = window.until("the end", |s| {
        s.contains("flow 300") && s.contains("Enter write")
    });
    let rows: Vec<&str> = screen.lines().map(str::trim_end).collect();
    rows.join("\n")
}
