//! 22, 23: drafts in many scripts and from other systems, written in the window; and a window that is killed while one
//! writes in it.

use std::path::PathBuf;
use std::time::Instant;

use base64::Engine;
use serde_json::Value;

use crate::bench::{Bench, PATIENCE, input, logged, until};
use crate::screen::{SIZE, go, open};
use crate::window::Window;

const MIXED: &str = include_str!("../fixtures/mixed-script.md");

/// A session whose draft is a text, and where the draft lies.
pub fn with_draft(bench: &Bench, title: &str, text: &[u8]) -> (String, PathBuf) {
    let id = bench.session(title, "claude");
    let listed = bench.desk.json(&["list", "--json"]);
    let rows = listed.as_array().unwrap();
    let row = rows.iter().find(|r| r["id"] == id.as_str()).unwrap();
    let folder = bench.desk.workspace().join(row["folder"].as_str().unwrap());
    let path = folder.join("draft.md");
    std::fs::write(&path, text).unwrap();
    (id, path)
}

/// Opens a window in the draft of a session.
pub fn in_draft(bench: &Bench, title: &str) -> Window {
    let mut window = open(&bench.desk, SIZE, title);
    go(&mut window, title);
    window.keys("\x1b");
    window.shows("Enter write");
    window.keys("d");
    window.shows("Draft · ");
    window.until("the draft", |s| !s.contains("The draft is being read"));
    window
}

/// Leaves the draft and waits for its version.
pub fn leave(window: &mut Window, bench: &Bench, id: &str) {
    window.keys("\x1b");
    logged(&bench.desk, id, "the version by you", |e| {
        e["kind"] == "draft.saved" && e["by"] == "you"
    });
}

/// Waits until a file holds these bytes.
fn holds(path: &PathBuf, wanted: &[u8]) {
    let end = Instant::now() + PATIENCE;
    loop {
        let now = std::fs::read(path).unwrap_or_default();
        if now == wanted {
            return;
        }
        assert!(
            Instant::now() < end,
            "{} holds {:?}",
            path.display(),
            String::from_utf8_lossy(&now)
        );
        std::thread::yield_now();
    }
}

#[test]
fn case_22_a_draft_in_many_scripts_is_shown_walked_copied_and_kept_byte_for_byte() {
    let bench = Bench::new();
    let (id, path) = with_draft(&bench, "Scripts", MIXED.as_bytes());
    let mut window = in_draft(&bench, "Scripts");
    window.shows("79 words");
    for cols in [20, 37, 60, 80, 90, 101, 120] {
        window.resize(cols, 40);
        window.until(&format!("straight borders at {cols}"), |s| {
            let mut rows = s.lines().filter(|r| !r.trim().is_empty());
            let first = rows.next().unwrap_or_default();
            let rules = |row: &str| row.matches(['│', '├', '┤']).count();
            let many = rules(first);
            let last = s.lines().count().saturating_sub(1);
            s.contains("seven")
                && rows
                    .take(last.saturating_sub(1))
                    .filter(|r| rules(r) != many)
                    .count()
                    <= 1
        });
    }
    window.resize(SIZE.0, SIZE.1);
    // Everything, whatever is at the caret: word, sentence, paragraph, all.
    window.keys("\x0c\x0c\x0c\x0c\x0c\x03");
    let copied = base64::engine::general_purpose::STANDARD.encode(MIXED);
    until("the copy", || {
        let text = window.bytes();
        text.windows(copied.len()).any(|w| w == copied.as_bytes())
    });
    // To the end of the last line, one character there and back.
    window.keys("\x1b[1;5F");
    window.keys("é");
    window.shows("80 words · +1");
    window.keys("\x7f");
    window.shows("79 words");
    leave(&mut window, &bench, &id);
    holds(&path, MIXED.as_bytes());
}

#[test]
fn case_23_only_the_bytes_that_were_typed_over_change() {
    for name in ["crlf-bom.md", "mixed-endings.md"] {
        let bench = Bench::new();
        let text = std::fs::read(input("23-crlf-bom-draft").join(name)).unwrap();
        let (id, path) = with_draft(&bench, "Dos", &text);
        let mut window = in_draft(&bench, "Dos");
        window.shows("REPLACEME");
        assert!(!window.screen().contains('\u{feff}'));
        window.keys("\x06");
        window.shows("Find ");
        window.keys("REPLACEME");
        window.shows("1 of 1");
        window.keys("\x1b");
        window.until("the line closed", |s| !s.contains("1 of 1"));
        window.keys("DONE");
        window.until("the word", |s| !s.contains("REPLACEME"));
        leave(&mut window, &bench, &id);
        let text = String::from_utf8(text).unwrap();
        holds(&path, text.replace("REPLACEME", "DONE").as_bytes());
    }
}

#[test]
fn words_typed_into_a_draft_survive_a_window_that_is_killed() {
    let bench = Bench::new();
    let (id, _) = with_draft(&bench, "Killed", b"It was late.\n");
    let mut window = in_draft(&bench, "Killed");
    window.shows("It was late.");
    window.keys("Once more: ");
    logged(&bench.desk, &id, "what was typed", |e: &Value| {
        e["kind"] == "draft.edited"
    });
    window.signal("KILL");
    window.ended();
    let mut window = open(&bench.desk, SIZE, "Killed");
    window.shows("Once more: It was late.");
    // To the beginning: the caret is where it was when the words were kept.
    window.keys("\x1b[1;5HAnd ");
    window.shows("And Once more:");
    leave(&mut window, &bench, &id);
    assert!(
        bench
            .desk
            .ok(&["draft", &id])
            .contains("And Once more: It was late.")
    );
}
