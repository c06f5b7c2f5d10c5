//! Variants by the command line, and hosts that are killed while they make one.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::bench::{said, until};
use crate::desk::Desk;
use crate::play;
use crate::support::aged::aged;

/// What a kill waits for: it comes in the moment something is there, or as soon after as can be.
type Step = fn(&Desk, &str) -> bool;

/// The steps in which a variant comes to be.
const STEPS: [(&str, Step); 5] = [
    ("asked", |_, _| true),
    ("its folder", |desk, name| folder(desk, name).exists()),
    ("its log under another name", |desk, _| is_half_made(desk)),
    ("its log", |desk, name| variant(desk, name).is_some()),
    ("its draft", |desk, name| {
        folder(desk, name).join("draft.md").exists()
    }),
];

fn desk() -> (Desk, String) {
    let desk = play::desk(&[play::delta("Yes.")]);
    let id = desk.ok(&["new", "Letter"]);
    assert_eq!(desk.ok(&["send", &id, "Begin.", "--wait"]), "Yes.");
    let draft = folder(&desk, "").join("draft.md");
    std::fs::write(&draft, "One.\n\nTwo.\n").unwrap();
    assert_eq!(desk.ok(&["draft", &id]), "One.\n\nTwo.");
    (desk, id)
}

/// The folder of a variant, or of the parent.
fn folder(desk: &Desk, name: &str) -> PathBuf {
    let name = match name {
        "" => "letter".to_owned(),
        name => format!("letter~{name}"),
    };
    desk.workspace().join("inbox").join(name)
}

fn logs(desk: &Desk) -> PathBuf {
    desk.workspace().join(".fascicle/sessions/inbox")
}

fn names(path: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .filter_map(|e| e.file_name().into_string().ok())
        .collect();
    names.sort();
    names
}

fn is_half_made(desk: &Desk) -> bool {
    names(&logs(desk)).iter().any(|n| n.starts_with(".new-"))
}

/// The log of the variant of that name.
fn variant(desk: &Desk, name: &str) -> Option<PathBuf> {
    let named = format!("\"title\":\"{name}\"");
    desk.logs().into_iter().find(|log| {
        let text = std::fs::read_to_string(log).unwrap_or_default();
        let whole = !log.file_name().unwrap().to_str().unwrap().starts_with('.');
        whole && text.contains("\"kind\":\"forked\"") && text.contains(&named)
    })
}

#[test]
fn a_fork_prints_its_id_and_the_list_tells_the_family() {
    let (desk, id) = desk();
    let first = desk.ok(&["fork", "letter", "--name", "first person"]);
    assert!(first.parse::<uuid::Uuid>().is_ok(), "{first}");
    let made = desk.json(&["fork", "Letter: first person", "--name", "warmer", "--json"]);
    assert_eq!(made["parent"], first.as_str());
    assert_eq!(made["folder"], "inbox/letter~warmer");
    assert_eq!(made["title"], "warmer");
    assert!(made["seq"].as_u64().unwrap() > 5);
    let row = |id: &str| play::row(&desk, id);
    let facts = |row: Value| {
        [&row["parent"], &row["main"], &row["title"], &row["folder"]].map(Value::to_string)
    };
    assert_eq!(
        facts(row(&id)),
        ["null", "true", "\"Letter\"", "\"inbox/letter\""]
    );
    let of_first = [
        &format!("\"{id}\""),
        "false",
        "\"Letter: first person\"",
        "\"inbox/letter~first-person\"",
    ];
    assert_eq!(facts(row(&first)), of_first);
    let names = |id: &str| [&row(id)["piece"], &row(id)["variant"]].map(Value::to_string);
    assert_eq!(names(&id), ["\"Letter\"", "\"original\""]);
    assert_eq!(names(&first), ["\"Letter\"", "\"first person\""]);
    let table = desk.ok(&["list"]);
    for title in ["  Letter ★  ", "Letter: first person", "Letter: warmer"] {
        assert!(table.contains(title), "{table}");
    }
    assert_eq!(desk.ok(&["draft", "warmer"]), "One.\n\nTwo.");
    let page = desk.ok(&["show", "first person"]);
    assert!(
        page.contains("Begin.") && page.contains("A variant from here on"),
        "{page}"
    );
    // One that goes to the trash takes nobody with it.
    desk.ok(&["delete", &id]);
    assert_eq!(desk.ok(&["draft", &first]), "One.\n\nTwo.");
    assert_eq!(row(&first)["main"], true);
}

#[test]
fn a_fork_at_an_event_has_what_was_there_and_an_unknown_one_is_refused() {
    let (desk, id) = desk();
    let log = play::log(&desk, &id);
    let end = play::logged(&log, "the end", |e| e["kind"] == "turn.finished");
    let seq = end["seq"].to_string();
    let early = desk.ok(&["fork", &id, "--at", &seq, "--prompt", "Third person.\nNow."]);
    assert_eq!(play::ended(&play::log(&desk, &early), 2), "ok");
    assert_eq!(play::row(&desk, &early)["variant"], "Third person.");
    assert!(folder(&desk, "third-person").is_dir());
    assert_eq!(play::row(&desk, &early)["words"], 0);
    let unknown = desk.run(&["fork", &id, "--at", "9999"]);
    assert_eq!(unknown.status.code(), Some(1));
    assert!(
        said(&unknown).contains("has no event 9999"),
        "{}",
        said(&unknown)
    );
    assert!(unknown.stdout.is_empty());
    assert_eq!(names(&desk.workspace().join("inbox")).len(), 2);
}

#[test]
fn a_host_killed_while_it_forks_leaves_a_whole_variant_or_none_and_the_parent_as_it_was() {
    let (desk, id) = desk();
    let log = play::log(&desk, &id);
    let before = (
        std::fs::read(&log).unwrap(),
        std::fs::read(folder(&desk, "").join("draft.md")).unwrap(),
    );
    for (n, (step, is_there)) in STEPS.iter().cycle().take(15).enumerate() {
        let name = format!("v{n}");
        // A host that runs: the kill comes as soon as its work is seen.
        let warm = desk.ok(&["new", &format!("Warm {n}")]);
        let host = desk.host().unwrap();
        let mut asks = desk.start(&["fork", &id, "--name", &name]);
        until(step, || {
            is_there(&desk, &name) || asks.try_wait().unwrap().is_some()
        });
        kill(host);
        asks.wait().unwrap();
        until("its end", || play::is_gone(host));
        let after = (
            std::fs::read(&log).unwrap(),
            std::fs::read(folder(&desk, "").join("draft.md")).unwrap(),
        );
        assert!(after == before, "{name}: the parent was changed");
        // What the next host takes away is no damage.
        let report = desk.json(&["verify", "--json"]);
        assert_eq!(report["logless"], serde_json::json!([]), "{name} at {step}");
        // The next host puts right what is left, unless it was made within a tick of its beginning.
        aged(&folder(&desk, &name));
        for name in names(&logs(&desk)) {
            aged(&logs(&desk).join(name));
        }
        desk.ok(&["archive", &warm]);
        assert!(!is_half_made(&desk), "{name} at {step}");
        let found = variant(&desk, &name);
        if let Some(log) = &found {
            let id = log.file_stem().unwrap().to_str().unwrap();
            let row = play::row(&desk, id);
            assert_eq!(row["folder"], format!("inbox/letter~{name}"), "{row}");
            until("its draft, though nobody opens it", || {
                folder(&desk, &name).join("draft.md").is_file()
            });
            desk.ok(&["tag", id, "seen"]);
            assert_eq!(desk.ok(&["draft", id]), "One.\n\nTwo.");
            assert!(folder(&desk, &name).join("draft.md").is_file());
        } else {
            until("the folder is taken away", || {
                !folder(&desk, &name).exists()
            });
        }
        let report = desk.json(&["verify", "--json"]);
        assert_eq!(report["damaged"], serde_json::json!([]), "{name} at {step}");
        assert_eq!(report["gaps"], serde_json::json!([]), "{name} at {step}");
        assert_eq!(report["blobs"], serde_json::json!([]), "{name} at {step}");
        let count = desk.logs().len();
        let folders = || {
            names(&logs(&desk))
                .iter()
                .filter(|n| !n.contains('.'))
                .count()
        };
        until("no folder without a log", || folders() == count);
    }
}

#[test]
fn a_fork_of_a_damaged_log_says_what_it_could_not_read() {
    let (desk, id) = desk();
    desk.ok(&["host", "stop"]);
    let log = play::log(&desk, &id);
    let whole = std::fs::read(&log).unwrap();
    std::fs::write(
        &log,
        [&whole[..], b"{garbage\n\0\0\0\0\n{\"seq\":"].concat(),
    )
    .unwrap();
    let made = desk.run(&["fork", &id, "--name", "one"]);
    assert!(made.status.success());
    let stderr = String::from_utf8(made.stderr).unwrap();
    for what in [
        "1 unreadable line",
        "1 run of zero bytes",
        "7 bytes, is unfinished",
    ] {
        assert!(stderr.contains(what), "{stderr}");
    }
    assert!(
        String::from_utf8(made.stdout)
            .unwrap()
            .trim()
            .parse::<uuid::Uuid>()
            .is_ok()
    );
    let json = desk.json(&["fork", &id, "--name", "two", "--json"]);
    assert!(
        json["lacks"][0]
            .as_str()
            .unwrap()
            .contains("1 unreadable line"),
        "{json}"
    );
    let early = desk.json(&["fork", &id, "--at", "1", "--json"]);
    assert_eq!(early["lacks"], serde_json::json!([]));
}

fn kill(pid: u32) {
    let process = rustix::process::Pid::from_raw(pid.try_into().unwrap()).unwrap();
    rustix::process::kill_process(process, rustix::process::Signal::KILL).unwrap();
}
