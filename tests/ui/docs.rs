//! The page of keys is made from the table; every command can be found.

use std::fmt::Write as _;
use std::path::Path;

use fascicle::domain::State;
use fascicle::ui::commands::fixed::fixed;
use fascicle::ui::commands::{self, Place};
use fascicle::ui::keymap::Keymap;

use crate::frames;
use crate::stage::{Stage, row};

/// The page, from the table.
fn page() -> String {
    let keys = Keymap::default();
    let mut out = String::from(
        "# Keys\n\nMade from the table of commands by `UPDATE_DOCS=1 cargo test`. Each can be changed in the \
         configuration:\n\n```toml\n[keys]\n\"palette.open\" = \"ctrl-p f3\"\n```\n\nCtrl-A, Ctrl-B, Ctrl-Q and \
         Ctrl-S are left to your terminal.\n",
    );
    for place in Place::ALL {
        let mut rows = String::new();
        for command in commands::all() {
            let names = keys.keys_at(command, place);
            if !names.is_empty() {
                let shown: Vec<String> = names.iter().map(|n| format!("`{n}`")).collect();
                writeln!(
                    rows,
                    "| {} | {} | `{}` |",
                    shown.join(" "),
                    command.doc,
                    command.name
                )
                .unwrap();
            }
        }
        write!(
            out,
            "\n## {}\n\n| key | what it does | name |\n|---|---|---|\n{rows}",
            place.name()
        )
        .unwrap();
        out.push_str(&caret(place, &keys));
    }
    let bare: Vec<_> = commands::all().filter(|c| c.keys.is_empty()).collect();
    out.push_str("\n## Without a key\n\nIn the palette, and to be given a key.\n\n| what it does | name |\n|---|---|\n");
    for command in bare {
        writeln!(out, "| {} | `{}` |", command.doc, command.name).unwrap();
    }
    out
}

/// The keys of the caret in a place.
fn caret(place: Place, keys: &Keymap) -> String {
    let rows = fixed(place, keys);
    if rows.is_empty() {
        return String::new();
    }
    let mut out =
        String::from("\nThe keys of the caret are fixed:\n\n| key | what it does |\n|---|---|\n");
    for (names, row) in rows {
        let shown: Vec<String> = names.iter().map(|n| format!("`{n}`")).collect();
        writeln!(out, "| {} | {} |", shown.join(" "), row.doc).unwrap();
    }
    out
}

#[test]
fn the_help_of_a_text_tells_the_keys_of_the_caret_but_those_given_to_a_command() {
    let mut stage = crate::draft::writing("One.\n");
    stage.press("f1");
    let frame = stage.frame(200, 60);
    for told in ["Ctrl-W", "Delete the word before", "Ctrl-Home", "Ctrl-K"] {
        assert!(frame.contains(told), "{told}: {frame}");
    }
    let change = fascicle::config::Rebound {
        command: "draft.find".to_owned(),
        keys: vec!["ctrl-w".to_owned()],
        at: None,
    };
    let (keys, _) = fascicle::ui::keymap::build(&[change]);
    let told = fixed(Place::Draft, &keys);
    let names = told.iter().flat_map(|(names, _)| names);
    assert!(!names.clone().any(|name| name == "Ctrl-W"));
    assert!(names.clone().any(|name| name == "Alt-Backspace"));
}

#[test]
fn the_page_of_keys_is_fresh() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/keys.md");
    let page = page();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &page).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == page,
        "docs/keys.md is stale: run UPDATE_DOCS=1 cargo test --test ui"
    );
}

/// What stands at the top of the palette for these words.
fn first_for(stage: fn() -> Stage, words: &str) -> String {
    let mut stage = stage();
    stage.press("ctrl-p");
    stage.type_text(words);
    first_row(&stage.frame(120, 40))
}

fn first_row(frame: &str) -> String {
    let rows = frame
        .lines()
        .skip_while(|line| !line.contains("╭ Commands"));
    let mut rows = rows.skip(3);
    let row = rows.next().unwrap_or_default();
    row.split('│')
        .rev()
        .nth(1)
        .unwrap_or_default()
        .trim()
        .to_owned()
}

#[test]
fn words_that_people_use_find_the_command_they_mean_first() {
    for (words, title) in [
        ("quit", "Close the window"),
        ("Exit", "Close the window"),
        ("close", "Close the window"),
        ("delete", "Into the trash"),
        ("remove", "Into the trash"),
        ("help", "Keys of this place"),
        ("shortcuts", "Keys of this place"),
        ("settings", "Doctor"),
        ("preferences", "Doctor"),
        ("create", "New session"),
        ("folder", "New collection"),
        ("model", "Choose the agent"),
        ("summarize", "Compact the conversation"),
        ("branch", "Try a variant"),
        ("duplicate", "Try a variant"),
        ("print", "Export…"),
        ("PDF", "Export…"),
        ("search", "Search everything"),
        ("find", "Search everything"),
        ("jump", "Go to a session"),
        ("goal", "Words of this piece"),
        ("history", "Versions of the draft"),
        ("remember", "The memory of a collection"),
        ("api", "Connect an agent…"),
        ("delet", "Into the trash"),
        ("theme", "Doctor"),
        ("color", "Doctor"),
        ("colours", "Doctor"),
        ("count", "The page of a collection"),
        ("save", "Versions of the draft"),
        ("copy", "Copy this message"),
        ("paste", "Paste"),
        ("export", "Export…"),
        ("mouse", "Take or leave the mouse"),
    ] {
        let first = first_for(frames::reading, words);
        assert!(first.starts_with(title), "{words}: {first}");
    }
    let stopped = first_for(frames::writing, "cancel");
    assert!(stopped.starts_with("Stop this turn"), "{stopped}");
}

#[test]
fn what_cannot_be_done_stands_behind_what_can_and_nothing_moves_under_the_cursor() {
    let first = first_for(frames::reading, "stop");
    assert!(first.starts_with("Copy, stop or close"), "{first}");
    let named = first_for(frames::reading, "stop this turn");
    assert!(named.contains("No turn runs here."), "{named}");
    let mut stage = frames::writing();
    stage.press("ctrl-p");
    stage.type_text("stop");
    stage.tell_row(row(3, "Session", State::Idle, 0));
    let moved = first_row(&stage.frame(120, 40));
    assert!(moved.starts_with("Stop this turn · No turn"), "{moved}");
}

#[test]
fn every_command_is_found_in_the_palette() {
    for command in commands::all() {
        let mut stage = Stage::empty();
        stage.press("ctrl-p");
        stage.type_text(command.title);
        let frame = stage.frame(120, 40);
        assert!(frame.contains(command.title), "{}:\n{frame}", command.name);
    }
}
