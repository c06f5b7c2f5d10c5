//! The brief with the real command line: each request that it makes carries the newest one.
#![allow(clippy::unwrap_used, reason = "test")]

use serde_json::{Value, json};

use crate::parts::{Row, row};
use crate::stage::{desk, ends, events, log, open_at};
use crate::support::http::Answer;
use crate::support::messages_api::{self as api, conversation, message, text, tool};

pub(crate) const TESTS: &[Row] = &[
    row!(
        Claude,
        each_request_carries_the_brief_as_it_is_then_and_the_conversation_goes_on
    ),
    row!(
        Claude,
        the_programs_own_summary_is_shown_with_its_figures_and_the_brief_stays_in_force
    ),
    row!(
        Claude,
        a_conversation_that_the_service_finds_too_long_is_made_shorter_by_the_program
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

/// What the service says when the program asks it for a summary.
const SUMMARY: &str = "They wrote of the ferry.";

/// Whether a request asks for a summary: the program's own words for it, in a prompt nobody wrote.
fn is_summary(request: &Value) -> bool {
    let asked = conversation(request).pop().unwrap_or_default();
    asked.starts_with("user: ") && asked.contains("summary of the conversation")
}

/// A summary where the program wants one, else a numbered answer.
fn answered(request: &Value, n: usize) -> Answer {
    let said = if is_summary(request) {
        format!("<summary>{SUMMARY}</summary>")
    } else {
        format!("Answer {n}.")
    };
    message(request, &[text(&said)])
}

/// The marks in a log.
fn marks(log: &std::path::Path) -> Vec<Value> {
    let mut all = events(log);
    all.retain(|e| e["kind"] == "compacted");
    all
}

async fn the_programs_own_summary_is_shown_with_its_figures_and_the_brief_stays_in_force() {
    let server = api::start(answered).await;
    let desk = desk(&server);
    let rule = |text: &str| std::fs::write(desk.workspace().join("CLAUDE.md"), text).unwrap();
    rule("Never write the word suddenly.");
    let id = desk.ok(&["new", "Rivers"]);
    for prompt in ["One.", "Two.", "Three."] {
        desk.ok(&["send", &id, prompt, "--wait"]);
    }
    desk.ok(&["compact", &id, "--focus", "the ferry", "--wait"]);
    let asked = api::asked(&server);
    let order = asked.iter().rfind(|r| is_summary(&r.body)).unwrap();
    let order = conversation(&order.body).pop().unwrap();
    assert!(order.contains("the ferry"), "{order}");
    let log = log(&desk, &id);
    let mark = marks(&log).pop().unwrap();
    assert_eq!(mark["why"], "agent");
    let figures = [&mark["before"], &mark["after"]].map(|n| n.as_u64().unwrap());
    let figures = format!(
        "compacted by the agent: {} → {} tokens",
        figures[0], figures[1]
    );
    assert!(desk.ok(&["show", &id]).contains(&figures), "{mark}");
    open_at(&desk, &id).shows(&figures);
    desk.ok(&["send", &id, "Go on.", "--wait"]);
    let same = api::asked(&server).last().unwrap().body.clone();
    rule("Write in the present tense.");
    desk.ok(&["host", "stop"]);
    desk.ok(&["send", &id, "Go on still.", "--wait"]);
    let resumed = api::asked(&server).last().unwrap().body.clone();
    for request in [&same, &resumed] {
        let said = conversation(request).join("\n");
        assert!(said.contains(SUMMARY), "{said}");
        assert!(!said.contains("user: Two."), "{said}");
    }
    for request in api::asked(&server).iter().filter(|r| !is_summary(&r.body)) {
        let system = system(&request.body);
        let new = system.contains("present tense");
        assert_eq!(new, request.body == resumed, "{system}");
        assert_ne!(new, system.contains("the word suddenly"), "{system}");
    }
    let whole = std::fs::read_to_string(&log).unwrap();
    assert!(whole.contains("\"Two.\""), "the log keeps everything");
}

async fn a_conversation_that_the_service_finds_too_long_is_made_shorter_by_the_program() {
    let server = api::start(|request, n| {
        let said = conversation(request).join("\n");
        if said.contains("user: One.") && said.contains("user: Four.") && !is_summary(request) {
            let error = json!({"type": "invalid_request_error", "message": "prompt is too long: 210000 tokens > 200000 maximum"});
            return Answer::json(400, &json!({"type": "error", "error": error}));
        }
        answered(request, n)
    })
    .await;
    let desk = desk(&server);
    let id = desk.ok(&["new", "Rivers"]);
    for prompt in ["One.", "Two.", "Three.", "Four."] {
        desk.ok(&["send", &id, prompt, "--wait"]);
    }
    let log = log(&desk, &id);
    assert_eq!(ends(&events(&log)), ["ok"; 4]);
    let marks = marks(&log);
    assert_eq!(marks.len(), 1);
    assert_eq!(
        (&marks[0]["turn"], &marks[0]["why"]),
        (&json!(4), &json!("agent"))
    );
    let shown = desk.ok(&["show", &id]);
    assert!(shown.contains("compacted by the agent"), "{shown}");
    let said = conversation(&api::asked(&server).last().unwrap().body).join("\n");
    assert!(
        said.contains(SUMMARY) && said.contains("user: Four."),
        "{said}"
    );
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
