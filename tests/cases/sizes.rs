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
        s.contains("flow 300") && !s.contains("writing") && !s.contains("unread")
    });
    // A window that was never another size shows the same.
    window.until("the text at the end", |s| composer(s) == "kept text");
    let here = at_the_end(&mut window);
    window.signal("TERM");
    window.ended();
    let mut fresh = open(desk, HOME, "Flow");
    fresh.until("the same place", |s| {
        composer(s) == "kept text" && s.contains("flow 300") && !s.contains("unread")
    });
    assert_eq!(at_the_end(&mut fresh), here);
    drop(fresh);
    rule_of_all(desk);
}

/// Whether a frame for 80 by 24 is there: its edges. The keys stand in the last row, or on the edge of what is on top.
fn is_whole(screen: &str) -> bool {
    let rows: Vec<&str> = screen.lines().collect();
    rows.len() == 24
        && !rows[0].trim().is_empty()
        && (rows[23].ends_with("keys") || screen.contains('╯'))
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

/// A stream that lasts: it is stopped in the end.
fn lasting() -> Bench {
    let text = std::fs::read_to_string(input("25-tiny-terminal/scenario.json")).unwrap();
    let mut scenario: Value = serde_json::from_str(&text).unwrap();
    let steps = scenario["steps"].as_array_mut().unwrap();
    for each in steps.iter_mut().filter_map(|s| s.get_mut("each")) {
        each["n"] = 20_000.into();
    }
    let mut bench = Bench::new();
    bench.play(&scenario);
    bench
}

#[test]
fn case_25_the_draft_the_lists_and_every_dialog_stand_any_size_while_text_streams() {
    let bench = lasting();
    let desk = &bench.desk;
    let id = bench.session("Flow", "claude");
    bench.session("Other", "claude");
    let mut window = open(desk, HOME, "Flow");
    go(&mut window, "Flow");
    say(&mut window, "Begin.");
    logged(desk, &id, "the first words", is_delta);
    type_words(&mut window, "kept text");
    window.keys("\x1b");
    window.shows("Enter write");
    // The draft, with words in it, then with a search in it, then beside the page.
    window.keys("d");
    window.shows("every version of it is kept");
    window.keys("Words of the draft");
    window.shows("Words of the draft");
    storm(&window, "Words of the draft");
    window.keys("\x06");
    window.shows("Find");
    storm(&window, "Find");
    window.keys("\x1b");
    window.until("no search", |s| !s.contains("Find"));
    window.resize(150, 40);
    window.until("the draft beside the page", |s| {
        s.contains("Words of the draft") && composer(s).contains("kept text")
    });
    storm(&window, "Words of the draft");
    // To the prompt, then to the words above it.
    window.keys("\x1b");
    window.shows("Enter send");
    window.keys("\x1b");
    window.shows("Enter write");
    // From the words to the list and the drawer, each with what opens there.
    let views = [
        ("R", "Run a recipe"),
        ("\x1b[D", "Enter open"),
        ("r", "Rename"),
        ("t", "Tags"),
        ("/", "title, #tag"),
    ];
    for (keys, sign) in views {
        window.keys(keys);
        window.shows(sign);
        storm(&window, sign);
        if sign != "Enter open" {
            window.keys("\x1b");
            window.until("it is closed", |s| !s.contains(sign));
        }
    }
    go(&mut window, "Flow");
    window.until("the text at the end", |s| composer(s) == "kept text");
    desk.ok(&["stop", &id]);
    window.until("the end on the screen", |s| !s.contains("writing"));
    let kept = streamed(&events(desk, &id), 1);
    let words: String = (1..=20_000).map(|i| format!("flow {i} 灯台 ")).collect();
    assert!(
        words.starts_with(&kept) && kept.len() > 200,
        "{} bytes",
        kept.len()
    );
    assert_eq!(desk.ok(&["draft", &id]).trim_end(), "Words of the draft");
    window.signal("TERM");
    window.ended();
    rule_of_all(desk);
}

/// Takes every size, several times fast and once with a wait at the end, and has the sign on it again.
fn storm(window: &Window, sign: &str) {
    for _ in 0..4 {
        for (cols, rows) in sizes() {
            window.resize(cols, rows);
        }
    }
    window.until(&format!("{sign:?} after the storm"), |s| {
        s.lines().count() == usize::from(HOME.1) && s.contains(sign)
    });
}
