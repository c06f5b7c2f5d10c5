//! 07: two programs at one session, and locks left by the dead.

use serde_json::{Value, json};

use crate::bench::{
    Bench, Found, REPLY, answered, delta, input, is_delta, logged, result, said, streamed,
};
use crate::process::gone;

const LOG: &str = "07-two-writers/session.jsonl";

fn found() -> Found {
    let before = std::fs::read(input(LOG)).unwrap();
    let scenario = input("07-two-writers/scenario.json");
    Found::at(Bench::playing(&[("claude", &scenario)]), &before)
}

/// What a turn of the stream says.
fn lines(upto: usize) -> String {
    use std::fmt::Write as _;
    (1..=upto).fold(String::new(), |mut all, i| {
        write!(all, "line {i} ").unwrap();
        all
    })
}

#[test]
fn case_07_a_second_program_reads_queues_and_never_writes_the_log() {
    let found = found();
    let desk = &found.bench.desk;
    let first = desk.start(&["send", &found.id, "One more.", "--wait"]);
    let third = |e: &Value| is_delta(e) && e["turn"] == 3;
    logged(desk, &found.id, "the first words", third);
    let holder = desk.json(&["host", "status", "--json"]);
    let host = desk.host().unwrap();
    assert_eq!(holder["pid"], host);
    assert!(holder["since"].as_i64().unwrap() > 0);
    assert_eq!(found.row()["state"], "writing");
    // A program that wants to be alone is told who is there.
    let alone = desk.run(&["--inline", "send", &found.id, "Mine!"]);
    assert_eq!(alone.status.code(), Some(1), "{}", said(&alone));
    let pid = format!("Process {host} ");
    assert!(said(&alone).contains(&pid), "{}", said(&alone));
    // Any other sends through the holder, and its prompt waits.
    let second = desk.run(&["send", &found.id, "From the second."]);
    assert!(second.status.success(), "{}", said(&second));
    assert!(
        said(&second).contains("waits for its end"),
        "{}",
        said(&second)
    );
    let page = found.page();
    assert!(
        page.contains("Waits for its turn: From the second."),
        "{page}"
    );
    let first = first.wait_with_output().unwrap();
    assert_eq!(answered(&first), format!("{}\n", lines(300)));
    let fourth = |e: &Value| e["kind"] == "turn.finished" && e["turn"] == 4;
    logged(desk, &found.id, "the end of the queued turn", fourth);
    let events = found.events();
    for turn in [3, 4] {
        assert_eq!(streamed(&events, turn), lines(300));
    }
    let opened = |e: &&Value| e["kind"] == "opened";
    assert_eq!(events.iter().filter(opened).count(), 1, "one program wrote");
    assert_eq!(found.bench.prompts(), ["One more.", "From the second."]);
    found.rule();
}

#[test]
fn case_07_after_a_kill_the_next_program_writes_at_once() {
    let mut found = found();
    let mut first = found
        .bench
        .desk
        .start(&["send", &found.id, "One more.", "--wait"]);
    let fifty = |e: &Value| e["text"] == "line 50 ";
    logged(&found.bench.desk, &found.id, "fifty lines", fifty);
    found.bench.desk.kill_host();
    assert!(!first.wait().unwrap().success(), "its host is gone");
    let reply = json!({"turns": [[delta(REPLY), result()]]});
    found.bench.play(&reply);
    assert_eq!(found.answered("Go on."), format!("{REPLY}\n"));
    let events = found.events();
    let cut = streamed(&events, 3);
    assert!(lines(300).starts_with(&cut) && cut.contains("line 50 "));
    let end = |e: &&Value| e["kind"] == "turn.finished" && e["turn"] == 3;
    assert_eq!(events.iter().find(end).unwrap()["status"], "lost");
    let history = found.bench.history();
    assert!(
        history
            .iter()
            .any(|(_, text)| text.contains(cut.trim_end())),
        "the words of the cut turn are not lost on the agent: {history:?}"
    );
    let started = |e: &&Value| e["kind"] == "agent.started";
    for event in events.iter().filter(started) {
        gone(event["pid"].as_u64().unwrap());
    }
    found.rule();
}

#[test]
fn case_07_a_lock_file_that_names_a_living_stranger_holds_up_nobody() {
    let found = Found::case(LOG);
    let private = found.bench.desk.workspace().join(".fascicle");
    let stranger = std::process::id();
    let host =
        json!({"pid": stranger, "app": "0.1.0", "since": 1, "socket": private.join("host.sock")});
    std::fs::write(private.join("host.lock"), host.to_string()).unwrap();
    std::fs::write(private.join("host.sock"), "").unwrap();
    let folder = found.log.with_extension("");
    std::fs::create_dir_all(&folder).unwrap();
    let holder = json!({"pid": stranger, "host": "desk", "since": 1});
    std::fs::write(folder.join("lock"), holder.to_string()).unwrap();
    assert_eq!(
        found.bench.desk.json(&["host", "status", "--json"]),
        json!({})
    );
    assert_eq!(found.row()["state"], "unread");
    assert_eq!(found.answered("Go on."), format!("{REPLY}\n"));
    found.rule();
}
