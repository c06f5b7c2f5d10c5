//! The brief with the real command line: each request that it makes carries the newest one.
#![allow(clippy::unwrap_used, reason = "test")]

use serde_json::{Value, json};

use crate::parts::{Row, row};
use crate::stage::{desk, events, log};
use crate::support::messages_api::{self as api, conversation, message, text, tool};

pub(crate) const TESTS: &[Row] = &[
    row!(
        Claude,
        each_request_carries_the_brief_as_it_is_then_and_the_conversation_goes_on
    ),
    row!(Claude, a_line_that_the_agent_proposes_waits_for_the_writer),
];

/// The system prompt of a request.
fn system(request: &Value) -> String {
    let parts = request["system"].as_array().unwrap().iter();
    let texts = parts.map(|part| part["text"].as_str().unwrap());
    texts.collect::<Vec<_>>().join("\n")
}

async fn each_request_carries_the_brief_as_it_is_then_and_the_conversation_goes_on() {
    let server = api::start(|request, n| message(request, &[text(&format!("Answer {n}."))])).await;
    let desk = desk(&server);
    let memory =
        |text: &str| std::fs::write(desk.workspace().join("essays/MEMORY.md"), text).unwrap();
    desk.ok(&["collection", "new", "Essays"]);
    memory("- The boat is the chain ferry.");
    let id = desk.ok(&["new", "-c", "essays", "Rivers"]);
    let send = |session: &str, prompt: &str| {
        desk.ok(&["send", session, prompt, "--wait"]);
        api::asked(&server).last().unwrap().body.clone()
    };
    let first = send(&id, "One.");
    let second = send(&id, "Two.");
    memory("- The boat is the rowing boat.");
    let third = send(&id, "Three.");
    let bold = desk.ok(&["fork", &id, "--name", "bold"]);
    let fourth = send(&bold, "Four.");
    for (request, new) in [
        (&first, false),
        (&second, false),
        (&third, true),
        (&fourth, true),
    ] {
        let system = system(request);
        assert!(
            system.contains("# Memory of the collection \"Essays\""),
            "{system}"
        );
        assert_eq!(system.contains("the chain ferry"), !new, "{system}");
        assert_eq!(system.contains("the rowing boat"), new, "{system}");
    }
    let last = conversation(&fourth);
    for said in ["user: One.", "user: Two.", "user: Three.", "user: Four."] {
        assert!(last.iter().any(|m| m == said), "{said}: {last:?}");
    }
    let third = conversation(&third);
    assert_eq!(
        third.iter().filter(|m| m.starts_with("user: ")).count(),
        3,
        "{third:?}"
    );
    let logged = events(&log(&desk, &id));
    let turns: Vec<_> = logged
        .iter()
        .filter(|e| e["kind"] == "memory.injected")
        .map(|e| e["turn"].as_u64().unwrap())
        .collect();
    assert_eq!(turns, [1, 3]);
    assert!(
        desk.ok(&["brief", &id, "--turn", "2"])
            .contains("the chain ferry")
    );
    assert!(desk.ok(&["brief", &bold]).contains("the rowing boat"));
}

async fn a_line_that_the_agent_proposes_waits_for_the_writer() {
    let server = api::start(|request, _| {
        let answered = conversation(request).iter().any(|m| m.contains("writer"));
        let line = json!({
            "what": "name", "text": "The ferryman is Matthias.", "about": "ferryman",
            "reason": "He is in two pieces.",
        });
        let said = if answered {
            text("It is proposed.")
        } else {
            tool("t1", "mcp__fascicle__propose_memory", &line)
        };
        message(request, &[said])
    })
    .await;
    let desk = desk(&server);
    desk.ok(&["collection", "new", "Essays"]);
    let id = desk.ok(&["new", "-c", "essays", "Rivers"]);
    desk.ok(&["send", &id, "Who is he?", "--wait"]);
    let listed = desk.ok(&["memory", "list", "-c", "essays", "--json"]);
    assert!(listed.contains("The ferryman is Matthias."), "{listed}");
    let memory = desk.workspace().join("essays/MEMORY.md");
    assert!(
        !memory.exists(),
        "nothing is kept before the writer says so"
    );
    let value: Value = serde_json::from_str(&listed).unwrap();
    let n = value["offers"][0]["seq"].to_string();
    desk.ok(&["memory", "accept", &n, "-c", "essays"]);
    assert!(
        std::fs::read_to_string(&memory)
            .unwrap()
            .contains("Matthias")
    );
    desk.ok(&["send", &id, "Go on, writer.", "--wait"]);
    let request = api::asked(&server).last().unwrap().body.clone();
    assert!(system(&request).contains("The ferryman is Matthias."));
}
