//! The embedded editor at its seam.
#![allow(clippy::unwrap_used, reason = "test")]

use fascicle::agents::{AgentEvent, Order, Vars, backend_in};
use fascicle::domain::agent::AgentKind;
use fascicle::domain::event::Status;

use crate::support::talk::{Place, Talk, spec, words};

fn editor() -> (Place, Talk) {
    let place = Place::new();
    let backend = backend_in(&spec(AgentKind::Editor, ""), &Vars::default());
    let talk = Talk::start(&*backend, place.start(Vec::new()));
    (place, talk)
}

/// Waits for a call of a tool and answers it.
async fn answer(talk: &mut Talk, tool: &str, output: &str) {
    let call = talk
        .until(|e| matches!(e, AgentEvent::ToolCall { .. }))
        .await;
    let AgentEvent::ToolCall { call, name, .. } = call else {
        unreachable!()
    };
    assert_eq!(name, tool);
    talk.result(&call, output).await;
}

#[tokio::test]
async fn it_can_be_stopped_between_two_findings() {
    let (_place, mut talk) = editor();
    talk.prompt("proofread").await;
    let letter = |n: u8| char::from(b'a' + n);
    let triples =
        (0..17u8).flat_map(|a| (0..17u8).flat_map(move |b| (0..17u8).map(move |c| (a, b, c))));
    let text: String = triples
        .map(|(a, b, c)| {
            let word = format!("m{}{}{}n", letter(a), letter(b), letter(c));
            format!("He took {word} {word} along. ")
        })
        .collect();
    answer(&mut talk, "read_draft", &format!("Version 4:\n\n{text}")).await;
    talk.until(|e| matches!(e, AgentEvent::Delta { .. })).await;
    // As long as nobody takes what it says, it says no more.
    talk.order(Order::Interrupt).await;
    let (events, status, _) = talk.end().await;
    assert_eq!(status, Status::Interrupted);
    assert!(!words(&events).contains("**4900.**"));
    talk.gone().await;
}

#[tokio::test]
async fn it_is_always_there_and_says_what_it_is() {
    let backend = backend_in(&spec(AgentKind::Editor, ""), &Vars::default());
    let probe = backend.probe().await;
    assert!(probe.ok && probe.fix.is_none(), "{probe:?}");
    let (_place, mut talk) = editor();
    let (said, status, _) = talk.turn("帮助").await;
    assert_eq!(status, Status::Ok);
    assert!(
        said.contains("copy editor") && said.contains("VOICE.md"),
        "{said}"
    );
    let model = talk
        .seen
        .iter()
        .any(|e| matches!(e, AgentEvent::Started { model: Some(m), .. } if m == "editor"));
    assert!(model);
}

#[tokio::test]
async fn a_draft_that_changed_meanwhile_is_read_again() {
    let (_place, mut talk) = editor();
    talk.prompt("fix all").await;
    answer(
        &mut talk,
        "read_draft",
        "Version 4:\n\nHe took the the book.",
    )
    .await;
    let call = talk
        .until(|e| matches!(e, AgentEvent::ToolCall { .. }))
        .await;
    let AgentEvent::ToolCall { call, .. } = call else {
        unreachable!()
    };
    let output = "The draft has changed since version 4; nothing was written.".to_owned();
    let result = fascicle::domain::tool::ToolResult { ok: false, output };
    talk.order(Order::ToolResult { call, result }).await;
    answer(
        &mut talk,
        "read_draft",
        "Version 5:\n\nShe took the the book.",
    )
    .await;
    answer(&mut talk, "write_draft", "Saved as version 6, 4 words.").await;
    let (_, status, _) = talk.end().await;
    assert_eq!(status, Status::Ok);
    let said = words(&talk.seen);
    assert!(
        said.contains("read it again") && said.contains("version 6"),
        "{said}"
    );
}
