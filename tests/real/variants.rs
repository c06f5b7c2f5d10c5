//! Variants with the real command line and the real model: what is shared, what is not, and what a kill leaves.
#![allow(clippy::unwrap_used, reason = "test")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value, json};

use crate::desk::Desk;
use crate::model::Served;
use crate::parts::{Row, row};
use crate::stage::{counts, desk, ends, events, has, kill_all, local, log, open_at, until};
use crate::support::messages_api::{self as api, conversation, message, text, tool};

pub(crate) const TESTS: &[Row] = &[
    row!(
        Claude,
        the_model_hears_what_both_share_and_then_the_new_prompt
    ),
    row!(
        Claude,
        parent_and_variant_write_their_drafts_at_once_and_both_go_on_after_a_kill
    ),
    row!(Model, a_variant_of_a_local_model_gets_a_draft_of_its_own),
];

/// Every file below a folder, byte for byte.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut ahead = vec![folder.to_owned()];
    while let Some(path) = ahead.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(&path).unwrap();
            ahead.extend(entries.map(|e| e.unwrap().path()));
        } else {
            found.insert(path.clone(), std::fs::read(&path).unwrap());
        }
    }
    found
}

pub(crate) fn seq_of(log: &Path, kind: &str) -> u64 {
    let all = events(log);
    let event = all.iter().find(|e| e["kind"] == kind).unwrap();
    event["seq"].as_u64().unwrap()
}

/// The records that the program keeps of the sessions in a folder.
fn records(desk: &Desk) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = files(&desk.home().join(".claude/projects"));
    all.retain(|path, _| path.extension().is_some_and(|e| e == "jsonl"));
    all
}

async fn the_model_hears_what_both_share_and_then_the_new_prompt() {
    let server = api::start(|request, n| message(request, &[text(&format!("Answer {n}."))])).await;
    let desk = desk(&server);
    let id = desk.ok(&["new", "Rivers"]);
    assert_eq!(desk.ok(&["send", &id, "One.", "--wait"]), "Answer 0.");
    assert_eq!(desk.ok(&["send", &id, "Two.", "--wait"]), "Answer 1.");
    let end = seq_of(&log(&desk, &id), "turn.finished").to_string();
    let theirs = records(&desk);
    assert_eq!(theirs.len(), 1);
    let heard = |session: &str, prompt: &str, answer: &str| {
        assert_eq!(desk.ok(&["send", session, prompt, "--wait"]), answer);
        conversation(&api::asked(&server).last().unwrap().body)
    };
    let early = desk.ok(&["fork", &id, "--at", &end, "--name", "early"]);
    assert_eq!(
        heard(&early, "Instead.", "Answer 2."),
        ["user: One.", "assistant: Answer 0.", "user: Instead."]
    );
    let late = desk.ok(&["fork", &id, "--name", "late"]);
    let shared = [
        "user: One.",
        "assistant: Answer 0.",
        "user: Two.",
        "assistant: Answer 1.",
    ];
    let with = |more: &[&'static str]| [&shared, more].concat();
    assert_eq!(
        heard(&late, "And then?", "Answer 3."),
        with(&["user: And then?"])
    );
    let now = records(&desk);
    for (path, bytes) in &theirs {
        assert!(
            now.get(path) == Some(bytes),
            "the parent's record was touched"
        );
    }
    assert_eq!(now.len(), 3, "{:?}", now.keys());
    assert_eq!(heard(&id, "Three.", "Answer 4."), with(&["user: Three."]));
    let third = desk.ok(&["fork", &late, "--name", "of the late one"]);
    assert_eq!(
        heard(&third, "More.", "Answer 5."),
        with(&["user: And then?", "assistant: Answer 3.", "user: More."])
    );
    assert_eq!(
        heard(&early, "Go on.", "Answer 6.")[2..],
        ["user: Instead.", "assistant: Answer 2.", "user: Go on."]
    );
    assert_eq!(desk.json(&["verify", "--json"])["damaged"], json!([]));
}

/// The newest prompt in a request.
pub(crate) fn prompted(request: &Value) -> String {
    let all = conversation(request).into_iter().rev();
    let mut prompts = all.filter(|m| m.starts_with("user: ") && !m.starts_with("user: result "));
    prompts.next().unwrap_or_default()
}

/// Whether the newest message of a request is a prompt of the writer.
pub(crate) fn is_prompted(request: &Value) -> bool {
    let all = conversation(request);
    all.last().is_some_and(|m| !m.starts_with("user: result "))
}

async fn parent_and_variant_write_their_drafts_at_once_and_both_go_on_after_a_kill() {
    let version = Arc::new(AtomicU64::new(0));
    let base = version.clone();
    let server = api::start(move |request, n| {
        let prompt = prompted(request);
        let mut names = ["Parent", "Variant"].into_iter();
        let name = names.find(|name| prompt.contains(name));
        let write = |text: &str| {
            let input = json!({"text": text, "base_version": base.load(Ordering::Relaxed)});
            tool(&format!("toolu_{n}"), "mcp__fascicle__write_draft", &input)
        };
        let parts = match name {
            _ if prompt.contains("Go on") => vec![text("Gone on.")],
            None if is_prompted(request) => vec![write("Shared.\n")],
            None => vec![text("It is in the draft.")],
            Some(name) if is_prompted(request) => vec![write(&format!("By the {name}.\n"))],
            Some(name) => vec![counts(name.chars().next().unwrap(), 1..=3_000, 20)],
        };
        message(request, &parts)
    })
    .await;
    let desk = desk(&server);
    let id = desk.ok(&["new", "Rivers"]);
    assert_eq!(
        desk.ok(&["send", &id, "Begin.", "--wait"]),
        "It is in the draft."
    );
    version.store(seq_of(&log(&desk, &id), "draft.saved"), Ordering::Relaxed);
    let other = desk.ok(&["fork", &id, "--name", "other"]);
    let both = [(&id, "Parent", 'P'), (&other, "Variant", 'V')];
    for (session, name, _) in both {
        desk.ok(&["send", session, &format!("{name}, write.")]);
    }
    for (session, name, initial) in both {
        let log = log(&desk, session);
        until("its words", || {
            has(&log, &format!("\"{initial}40 \"")).then_some(())
        });
        assert_eq!(desk.ok(&["draft", session]), format!("By the {name}."));
    }
    kill_all(&desk);
    for (session, name, _) in both {
        assert_eq!(desk.ok(&["send", session, "Go on.", "--wait"]), "Gone on.");
        assert_eq!(desk.ok(&["draft", session]), format!("By the {name}."));
        let all = events(&log(&desk, session));
        assert_eq!(ends(&all), ["ok", "lost", "ok"]);
        let heard = conversation(&api::asked(&server).last().unwrap().body).join("\n");
        let others = if name == "Parent" {
            "Variant"
        } else {
            "Parent"
        };
        assert!(heard.contains(&format!("{name}, write.")), "{heard}");
        assert!(!heard.contains(others), "{heard}");
    }
    assert_eq!(desk.json(&["verify", "--json"])["damaged"], json!([]));
}

async fn a_variant_of_a_local_model_gets_a_draft_of_its_own() {
    let served = Served::new();
    let desk = local(&served);
    let id = desk.ok(&[
        "new",
        "River",
        "--prompt",
        "Write two sentences about a river.",
    ]);
    let parent = log(&desk, &id);
    until("its end", || has(&parent, "turn.finished").then_some(()));
    let before = std::fs::read(&parent).unwrap();
    let prompt = "Write two sentences about a notebook.";
    let variant = desk.ok(&["fork", &id, "--prompt", prompt]);
    let own = log(&desk, &variant);
    until("its end", || (ends(&events(&own)).len() == 2).then_some(()));
    let mut window = open_at(&desk, &variant);
    window.shows("Ctrl-P");
    window.keys("\x1b");
    window.shows("w into the draft");
    window.keys("w");
    window.shows("Replace the draft");
    window.keys("r");
    until("the draft", || has(&own, "\"draft.saved\"").then_some(()));
    drop(window);
    assert!(!desk.ok(&["draft", &variant]).is_empty());
    assert!(desk.ok(&["draft", &id]).is_empty());
    let after = std::fs::read(&parent).unwrap();
    assert!(after.starts_with(&before) && !has(&parent, "notebook"));
}
