//! A history of Claude Code, imported and gone on with by the real command line.
#![allow(clippy::unwrap_used, reason = "test")]

use serde_json::{Value, json};

use crate::parts::{Row, row};
use crate::stage::desk;
use crate::support::messages_api::{self as api, conversation, message, text};

pub(crate) const TESTS: &[Row] = &[row!(
    Claude,
    an_imported_history_reaches_the_service_whole_under_an_id_of_its_own
)];

const ID: &str = "00000004-0000-4000-8000-000000000004";

fn entry(uuid: &str, parent: Option<&str>, kind: &str, content: &Value) -> String {
    let message = json!({
        "id": format!("msg_{uuid}"), "role": kind, "model": "claude-sonnet-5",
        "stop_reason": "end_turn", "content": content,
    });
    let entry = json!({
        "type": kind, "uuid": uuid, "parentUuid": parent, "isSidechain": false, "cwd": "/elsewhere",
        "sessionId": ID, "timestamp": "2026-11-29T14:48:36.567Z", "message": message,
    });
    format!("{entry}\n")
}

async fn an_imported_history_reaches_the_service_whole_under_an_id_of_its_own() {
    let server = api::start(|request, _| message(request, &[text("It goes on.")])).await;
    let desk = desk(&server);
    let call = json!([{"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"command": "wc draft.md"}}]);
    let result = json!([{"type": "tool_result", "tool_use_id": "toolu_1", "content": "1 5 34"}]);
    let lines = [
        entry("a", None, "user", &json!("Write of the river.")),
        entry(
            "b",
            Some("a"),
            "assistant",
            &json!([{"type": "text", "text": "The river keeps a ledger."}]),
        ),
        entry("c", Some("b"), "user", &json!("How long is it?")),
        entry("d", Some("c"), "assistant", &call),
        entry("e", Some("d"), "user", &result),
        entry(
            "f",
            Some("e"),
            "assistant",
            &json!([{"type": "text", "text": "Five words."}]),
        ),
    ];
    let records = desk.home().join(".claude/projects/-elsewhere");
    std::fs::create_dir_all(&records).unwrap();
    let theirs = records.join(format!("{ID}.jsonl"));
    std::fs::write(&theirs, lines.concat()).unwrap();
    let done = tokio::task::spawn_blocking(move || {
        let made = desk.json(&["import", "claude", "/", "--all", "--json"]);
        let session = made[0]["session"].as_str().unwrap().to_owned();
        desk.ok(&["send", &session, "And the ending?", "--wait"]);
        let log = desk
            .logs()
            .into_iter()
            .find(|l| l.display().to_string().contains(&session));
        let log = std::fs::read_to_string(log.unwrap()).unwrap();
        (desk, log)
    });
    let (_desk, log) = done.await.unwrap();
    let asked = api::asked(&server);
    let said = conversation(&asked.last().unwrap().body).join("\n");
    for words in [
        "Write of the river.",
        "keeps a ledger.",
        "wc draft.md",
        "1 5 34",
        "Five words.",
        "And the ending?",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    assert_eq!(std::fs::read_to_string(&theirs).unwrap(), lines.concat());
    let own = log
        .lines()
        .map(|l| serde_json::from_str::<Value>(l).unwrap());
    let ids: Vec<Value> = own
        .filter(|e| e["kind"] == "agent.started")
        .map(|e| e["agent_session"].clone())
        .collect();
    assert!(!ids.is_empty() && ids.iter().all(|id| id != ID), "{ids:?}");
}
