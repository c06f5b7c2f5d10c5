//! The same folder on another machine: what its host says of itself decides who writes.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::bench::{said, until};
use crate::desk::Desk;
use crate::play;

/// Milliseconds since 1970.
fn now() -> i64 {
    jiff::Timestamp::now().as_millisecond()
}

/// Puts the word of another machine's host where a sync tool would: begun and last said at these times.
fn says(desk: &Desk, since: i64, at: i64) -> PathBuf {
    let hosts = desk.workspace().join(".fascicle/hosts");
    std::fs::create_dir_all(&hosts).unwrap();
    let word = json!({
        "pid": 1, "app": "0.1.0", "since": since, "socket": "/home/ann/words/.fascicle/host.sock",
        "host": "other", "boot": "a-boot-of-that-machine", "at": at
    });
    let file = hosts.join("other-12345678.json");
    let new = hosts.join(".other-12345678.json.tmp");
    std::fs::write(&new, word.to_string()).unwrap();
    std::fs::rename(new, &file).unwrap();
    file
}

fn desk(steps: &[Value]) -> (Desk, String) {
    let desk = play::desk(steps);
    let id = desk.ok(&["new", "Letter", "--prompt", "First."]);
    assert_eq!(play::ended(&play::log(&desk, &id), 1), "ok");
    desk.ok(&["host", "stop"]);
    (desk, id)
}

#[test]
fn where_another_machine_writes_there_is_reading_and_every_writer_is_told_who() {
    let (desk, id) = desk(&[play::delta("Yes.")]);
    let log = play::log(&desk, &id);
    let before = std::fs::read(&log).unwrap();
    let file = says(&desk, now() - 60_000, now());
    let why = play::refused(&desk.run(&["send", &id, "Begin."]));
    assert!(why.contains("Another machine, other, writes here"), "{why}");
    let why = play::refused(&desk.run(&["host", "take"]));
    assert!(why.contains("other"), "{why}");
    for verb in [vec!["list"], vec!["show", &id], vec!["draft", &id]] {
        let done = desk.run(&verb);
        assert!(done.status.success(), "{verb:?}: {}", said(&done));
    }
    let window = play::window(&desk, &id, "Yes.");
    window.shows("other");
    drop(window);
    assert_eq!(std::fs::read(&log).unwrap(), before, "nothing was written");
    assert!(file.exists());
}

#[test]
fn what_another_machine_left_without_a_word_can_be_taken_over() {
    let (desk, id) = desk(&[play::delta("Yes.")]);
    let file = says(&desk, now() - 3_600_000, now() - 600_000);
    let why = play::refused(&desk.run(&["send", &id, "Begin."]));
    assert!(
        why.contains("other") && why.contains("10 min ago") && why.contains("fascicle host take"),
        "{why}"
    );
    desk.ok(&["host", "take"]);
    assert!(!file.exists(), "its word is taken away");
    assert_eq!(desk.ok(&["send", &id, "Begin.", "--wait"]), "Yes.");
}

#[test]
fn a_machine_that_falls_silent_while_we_read_can_be_taken_over_too() {
    let (desk, id) = desk(&[play::delta("Yes.")]);
    says(&desk, now() - 3_600_000, now());
    let refusal = || play::refused(&desk.run(&["send", &id, "Begin."]));
    assert!(refusal().contains("other"));
    let host = desk.host();
    says(&desk, now() - 3_600_000, now() - 600_000);
    until("its silence is noticed", || {
        refusal().contains("fascicle host take")
    });
    desk.ok(&["host", "take"]);
    assert_eq!(desk.ok(&["send", &id, "Begin.", "--wait"]), "Yes.");
    assert_eq!(desk.host(), host, "the same host goes on");
}

#[test]
fn a_machine_that_ends_while_we_read_lets_us_write() {
    let (desk, id) = desk(&[play::delta("Yes.")]);
    let file = says(&desk, now() - 60_000, now());
    play::refused(&desk.run(&["send", &id, "Begin."]));
    std::fs::remove_file(file).unwrap();
    until("it writes", || {
        desk.run(&["send", &id, "Begin.", "--wait"])
            .status
            .success()
    });
    assert_eq!(play::count(&play::log(&desk, &id), "user.prompt"), 2);
}

#[test]
fn one_that_begins_to_write_later_stops_ours_and_the_running_turn_ends_whole() {
    let desk = play::desk(&[play::numbered(3_000, 5)]);
    let id = desk.ok(&["new", "Letter", "--prompt", "Begin."]);
    let other = desk.ok(&["new", "Another"]);
    let log = play::log(&desk, &id);
    play::deltas(&log, 20);
    says(&desk, now() + 1_000, now() + 1_000);
    let attempt = || desk.run(&["rename", &other, "Renamed"]);
    until("nothing new is begun", || !attempt().status.success());
    let why = play::refused(&attempt());
    assert!(why.contains("Another machine, other,"), "{why}");
    assert_eq!(play::state(&desk, &id), "writing", "it came too late");
    let why = play::refused(&desk.run(&["send", &other, "Begin."]));
    assert!(why.contains("other"), "{why}");
    play::whole(&log, 1, 3_000);
    assert_eq!(play::count(&play::log(&desk, &other), "user.prompt"), 0);
}
