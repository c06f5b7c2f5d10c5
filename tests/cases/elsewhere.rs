//! 11: the same session from another folder, after a rename, after a move, and when the agent has forgotten it.

use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::json;

use crate::bench::{Found, REPLY, TITLE, answered};
use crate::screen::{SIZE, go, open};

const LOG: &str = "11-resume-from-elsewhere/session.jsonl";

/// A session that the agent knows: it was answered once, and the agent wrote that into its own record.
fn known() -> Found {
    let found = Found::case(LOG);
    found.answered("One.");
    remember(&found, "One.");
    found
}

/// Does what the real agent does during a turn: notes prompt and answer in its record.
fn remember(found: &Found, prompt: &str) {
    let record = found.bench.record(&found.bench.resumed());
    let mut record = std::fs::OpenOptions::new()
        .append(true)
        .open(record)
        .unwrap();
    for (who, text) in [("user", prompt), ("assistant", REPLY)] {
        let message = json!({"role": who, "content": [{"type": "text", "text": text}]});
        writeln!(record, "{}", json!({"type": who, "message": message})).unwrap();
    }
}

/// Sends by a command that may be changed before it runs.
fn send(found: &Found, text: &str, change: impl FnOnce(&mut Command)) {
    let mut command = found
        .bench
        .desk
        .command(&["send", &found.id, text, "--wait"]);
    change(&mut command);
    let done = command.stdin(Stdio::null()).output().unwrap();
    assert_eq!(answered(&done), format!("{REPLY}\n"));
}

/// The agent was given every prompt of the session before this one, once.
fn was_given(found: &Found, before: &[&str]) {
    let history = found.bench.history();
    let users = history.iter().filter(|(who, _)| who == "user");
    let users: Vec<&str> = users.map(|(_, text)| text.as_str()).collect();
    let first = [
        "Prompt 1: make paragraph 1 plainer.",
        "Prompt 2: make paragraph 2 plainer.",
    ];
    assert_eq!(users, [&first, before].concat(), "{history:?}");
}

#[test]
fn case_11_from_any_folder_the_agent_takes_up_the_same_conversation_in_the_same_place() {
    let found = known();
    let (root, home) = (found.bench.desk.workspace(), found.bench.desk.home());
    let (id, folder) = (found.bench.resumed(), found.bench.agent_folder());
    assert_eq!(folder, root.join("essays/harbour").canonicalize().unwrap());
    let from = |text: &str, change: &dyn Fn(&mut Command)| {
        send(&found, text, change);
        assert_eq!(found.bench.resumed(), id, "{text}");
        assert_eq!(found.bench.agent_folder(), folder, "{text}");
        remember(&found, text);
    };
    from("Workspace.", &|c| {
        c.env_remove("FASCICLE_WORKSPACE");
    });
    from("Below.", &|c| {
        c.env_remove("FASCICLE_WORKSPACE")
            .current_dir(root.join("essays/harbour"));
    });
    from("Elsewhere.", &|c| {
        c.env_remove("FASCICLE_WORKSPACE").current_dir(&home);
        c.arg("--workspace").arg(&root);
    });
    assert_eq!(found.row()["turns"], 6);
    was_given(&found, &["One.", "Workspace.", "Below.", "Elsewhere."]);
    found.rule();
}

#[test]
fn case_11_a_renamed_collection_is_found_and_both_names_are_said() {
    let found = known();
    let root = found.bench.desk.workspace();
    std::fs::rename(root.join("essays"), root.join("letters")).unwrap();
    assert_eq!(found.row()["folder"], "letters/harbour");
    send(&found, "Two.", |_| ());
    let new = root.join("letters/harbour").canonicalize().unwrap();
    assert_eq!(found.bench.agent_folder(), new);
    was_given(&found, &["One."]);
    let page = found.page();
    let told = "This session's folder was found at letters/harbour; it was essays/harbour.";
    assert_eq!(page.matches(told).count(), 1, "{page}");
    let row = found.row();
    assert_eq!(
        (&row["folder"], &row["collection"]),
        (&json!("letters/harbour"), &json!("essays"))
    );
    assert!(!root.join("essays").exists(), "no second folder is made");
    found.rule();
}

#[test]
fn case_11_a_moved_workspace_keeps_its_sessions() {
    let found = known();
    let moved = found.bench.desk.dir().join("moved");
    std::fs::rename(found.bench.desk.workspace(), &moved).unwrap();
    send(&found, "Two.", |c| {
        c.env_remove("FASCICLE_WORKSPACE").current_dir(&moved);
    });
    assert_eq!(
        found.bench.agent_folder(),
        moved.join("essays/harbour").canonicalize().unwrap()
    );
    was_given(&found, &["One."]);
    std::fs::rename(&moved, found.bench.desk.workspace()).unwrap();
    assert_eq!(found.row()["turns"], 4);
    found.rule();
}

#[test]
fn case_11_a_conversation_that_the_agent_forgot_is_told_to_it_again() {
    let found = known();
    let before = found.bench.resumed();
    std::fs::remove_dir_all(found.bench.desk.home().join(".claude")).unwrap();
    send(&found, "Two.", |_| ());
    assert_ne!(
        found.bench.resumed(),
        before,
        "a record that is gone is not taken up"
    );
    was_given(&found, &["One."]);
    let page = found.page();
    assert!(
        page.contains("Answer 2, part 1. Answer 2, part 2.") && page.contains("Two."),
        "{page}"
    );
    found.rule();
}

#[test]
fn case_11_the_window_shows_the_history_and_what_was_found_elsewhere() {
    let found = known();
    let root = found.bench.desk.workspace();
    std::fs::rename(root.join("essays"), root.join("letters")).unwrap();
    let mut window = open(&found.bench.desk, SIZE, TITLE);
    go(&mut window, TITLE);
    window.shows("Answer 2, part 1. Answer 2, part 2.");
    crate::screen::say(&mut window, "Two.");
    window.shows("folder was found at letters/harbour");
    window.until("its answer", |s| s.matches(REPLY).count() >= 2);
    window.signal("TERM");
    window.ended();
    was_given(&found, &["One."]);
    found.rule();
}
