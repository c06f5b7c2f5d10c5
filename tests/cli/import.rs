//! `import claude` as a script sees it, and what the agent that goes on is given.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::{Machine, said};

/// Our stand-in for the program.
fn fake_agent() -> PathBuf {
    let own = std::env::current_exe().unwrap();
    let found = own
        .ancestors()
        .skip(1)
        .map(|dir| dir.join("examples/fake_agent"));
    found.into_iter().find(|path| path.is_file()).unwrap()
}

fn history(cwd: &str, words: &str) -> String {
    let line = |uuid: &str, parent: Value, kind: &str, content: Value| {
        json!({
            "type": kind, "uuid": uuid, "parentUuid": parent, "cwd": cwd, "sessionId": "s",
            "timestamp": "2026-11-29T14:48:36.567Z",
            "message": {"role": kind, "id": uuid, "content": content},
        })
    };
    let answer = json!([{"type": "text", "text": "The river keeps a ledger."}]);
    let lines = [
        line("a", Value::Null, "user", json!(words)),
        line("b", json!("a"), "assistant", answer),
        json!({"type": "ai-title", "aiTitle": format!("About: {words}")}),
    ];
    lines.map(|l| format!("{l}\n")).concat()
}

impl Machine {
    fn history(&self, key: &str, id: &str, cwd: &str, words: &str) {
        let name = format!("home/.claude/projects/{key}/{id}.jsonl");
        self.write(&name, &history(cwd, words));
    }
}

#[test]
fn histories_of_a_folder_are_listed_and_nothing_is_made() {
    let machine = Machine::new();
    std::fs::create_dir_all(machine.path("work/essays")).unwrap();
    let work = machine.path("work").canonicalize().unwrap();
    let inside = work.join("essays");
    machine.history("-one", "aaaa-1", inside.to_str().unwrap(), "Of the river.");
    machine.history("-two", "aaaa-2", "/somewhere/else", "Of the sea.");
    let listed = machine.json(&["import", "claude", "--json"]);
    assert_eq!(listed.as_array().unwrap().len(), 1);
    let one = &listed[0];
    assert_eq!(
        (&one["id"], &one["state"], &one["messages"]),
        (&json!("aaaa-1"), &json!("new"), &json!(2))
    );
    assert_eq!(one["title"], "About: Of the river.");
    let all = machine.json(&["import", "claude", "/", "--json"]);
    assert_eq!(all.as_array().unwrap().len(), 2);
    let done = machine.run(&["import", "claude"]);
    let shown = String::from_utf8_lossy(&done.stdout);
    assert!(
        shown.contains("2 messages") && shown.contains("About: Of the river."),
        "{shown}"
    );
    let dry = machine.run(&["import", "claude", "/", "--all", "--dry-run"]);
    assert!(
        said(&dry).contains("2 sessions would be made"),
        "{}",
        said(&dry)
    );
    assert!(!machine.path("work/.fascicle").exists());
    let none = machine.run(&["import", "claude", "--from", "nowhere"]);
    assert_eq!(none.status.code(), Some(1));
    assert!(said(&none).contains("--from FOLDER"), "{}", said(&none));
}

#[test]
fn histories_that_are_empty_or_hold_nothing_but_zeros_are_named_and_not_left_out() {
    let machine = Machine::new();
    std::fs::create_dir_all(machine.path("work")).unwrap();
    let work = machine.path("work").canonicalize().unwrap();
    let key = work
        .to_str()
        .unwrap()
        .replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    let name = |id: &str| format!("home/.claude/projects/{key}/{id}.jsonl");
    machine.write(&name("empty"), "");
    machine.write(&name("zeros"), &"\0".repeat(9_000));
    machine.write(&name("torn"), "{\"type\":\"user\",\"uu");
    machine.write(
        &name("titled"),
        "{\"type\":\"ai-title\",\"aiTitle\":\"None\"}\n",
    );
    machine.history(&key, "whole", work.to_str().unwrap(), "Of the river.");
    let done = machine.run(&["import", "claude"]);
    let told = said(&done);
    assert!(
        told.contains("empty.jsonl could not be read: it is empty."),
        "{told}"
    );
    for id in ["zeros", "torn"] {
        assert!(
            told.contains(&format!("{id}.jsonl could not be read: nothing")),
            "{told}"
        );
    }
    assert!(!told.contains("titled"), "{told}");
    let all = machine.run(&["import", "claude", "--all"]);
    assert!(String::from_utf8_lossy(&all.stdout).contains("Of the river."));
    assert!(said(&all).contains("zeros.jsonl"), "{}", said(&all));
}

#[test]
fn a_picked_history_goes_on_with_all_that_was_said_in_it_under_another_id() {
    let machine = Machine::new();
    let scenario = json!({"turns": [[
        {"json": {"type": "assistant", "message": {"id": "m", "content": [{"type": "text", "text": "Done."}]}}},
        {"json": {"type": "result", "subtype": "success", "is_error": false, "result": "Done."}},
    ]]});
    machine.write("scenario.json", &scenario.to_string());
    let config = format!(
        "default_agent = \"claude\"\n[agents.claude]\nkind = \"claude\"\ncommand = {:?}\nargs = [\"--scenario\", {:?}]\n",
        fake_agent(),
        machine.path("scenario.json"),
    );
    machine.write("home/.config/fascicle/config.toml", &config);
    machine.history("-one", "aaaa-1", "/essays", "Of the river.");
    machine.history("-one", "bbbb-2", "/essays", "Of the sea.");
    machine.write("work/.fascicle/made", "");
    let theirs = machine.path("home/.claude/projects/-one/aaaa-1.jsonl");
    let before = std::fs::read(&theirs).unwrap();
    let made = machine.json(&[
        "--inline", "import", "claude", "/", "--pick", "aaaa", "--json",
    ]);
    let session = made[0]["session"].as_str().unwrap();
    let again = machine.json(&[
        "--inline", "import", "claude", "/", "--pick", "aaaa", "--json",
    ]);
    assert_eq!(again, json!([]));
    let listed = machine.json(&["import", "claude", "/", "--json"]);
    let here = listed
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["id"] == "aaaa-1")
        .unwrap();
    assert_eq!(
        (&here["state"], &here["session"]),
        (&json!("here"), &json!(session))
    );
    let sent = machine.run(&["--inline", "send", session, "And its mouth?", "--wait"]);
    assert!(sent.status.success(), "{}", said(&sent));
    assert_eq!(std::fs::read(&theirs).unwrap(), before);
    let mut rendered = Vec::new();
    for key in std::fs::read_dir(machine.path("home/.claude/projects")).unwrap() {
        for file in std::fs::read_dir(key.unwrap().path()).unwrap() {
            rendered.push(file.unwrap().path());
        }
    }
    rendered.retain(|path| {
        !["aaaa-1", "bbbb-2"]
            .iter()
            .any(|id| path.ends_with(format!("{id}.jsonl")))
    });
    assert_eq!(rendered.len(), 1, "{rendered:?}");
    let text = std::fs::read_to_string(&rendered[0]).unwrap();
    assert!(
        text.contains("Of the river.") && text.contains("The river keeps a ledger."),
        "{text}"
    );
}

#[test]
fn a_history_that_has_grown_says_by_how_much_and_how_to_get_the_rest() {
    let machine = Machine::new();
    std::fs::create_dir_all(machine.path("work")).unwrap();
    let work = machine.path("work").canonicalize().unwrap();
    let cwd = work.to_str().unwrap();
    machine.history("-one", "aaaa-1", cwd, "Of the river.");
    let import = |more: &[&str]| {
        let words = [&["--inline", "import", "claude", "--all"], more].concat();
        let done = machine.run(&words);
        assert_eq!(done.status.code(), Some(0), "{}", said(&done));
        said(&done)
    };
    import(&[]);
    let path = machine.path("home/.claude/projects/-one/aaaa-1.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    let title = "{\"type\":\"ai-title\",\"aiTitle\":\"Water\"}\n";
    let state = || machine.json(&["import", "claude", "--json"])[0].clone();
    std::fs::write(&path, format!("{text}{title}")).unwrap();
    assert_eq!(state()["state"], "here", "nothing more was said");
    let more = json!({
        "type": "user", "uuid": "c", "parentUuid": "b", "cwd": cwd, "sessionId": "s",
        "timestamp": "2026-11-29T14:50:36.567Z", "message": {"role": "user", "content": "More."},
    });
    std::fs::write(&path, format!("{text}{title}{more}\n")).unwrap();
    let one = state();
    assert_eq!((&one["state"], &one["grown"]), (&json!("grown"), &json!(1)));
    let told = import(&[]);
    assert!(
        told.contains("has grown by 1 message since; --again makes"),
        "{told}"
    );
    let sessions = || machine.json(&["list", "--json"]).as_array().unwrap().len();
    assert_eq!(sessions(), 1);
    import(&["--again"]);
    assert_eq!((sessions(), &state()["state"]), (2, &json!("here")));
}
