//! A summary beside everything else that a session can do: forked, checked, told another brief, written in, full of
//! what its tools brought.

use fascicle::domain::ask::{NewVariant, Reply, Request};
use fascicle::domain::event::Status;
use fascicle::domain::{Event, Kind, SessionId};
use fascicle::log::Store;
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::bench::{events_until, is_end};
use crate::compact::{RULE, Stand, ended, is_summary, last, marks, messages, notes, says};
use crate::drafts_typed::{put, typed};
use crate::support::chat_api::{call, error, stream};
use crate::support::http::Answer;

/// What a request holds behind the brief, one text after the other.
fn said(request: &Value) -> Vec<&str> {
    messages(request)[1..]
        .iter()
        .map(|m| m["content"].as_str().unwrap())
        .collect()
}

async fn fork(stand: &Stand, at: u64) -> SessionId {
    let request = Request::Fork(NewVariant {
        session: stand.id,
        at: Some(at),
        title: None,
        prompt: None,
    });
    match stand.bench.client.ask(request).await {
        Reply::Created { session } => session,
        other => panic!("{other:?}"),
    }
}

/// What an agent of that session is sent with a prompt.
async fn sent_to(stand: &Stand, session: SessionId, text: &str) -> Value {
    stand.bench.turn(session, text).await;
    let is = |request: &Value| last(request) == text;
    stand.asked().into_iter().rev().find(is).unwrap()
}

fn verified(stand: &Stand) {
    let root = stand.bench.root();
    let store = Store::open(&root, &root.join("no-cache")).unwrap();
    let report = store.verify(None).unwrap();
    assert!(
        report.damaged.is_empty() && report.gaps.is_empty() && report.blobs.is_empty(),
        "{report:?}"
    );
}

fn yes(request: &Value) -> Answer {
    says(if is_summary(request) {
        "They began."
    } else {
        "Yes."
    })
}

/// Two turns, a summary by hand, one turn more; the events of the second turn and of the summary's.
async fn with_summary() -> (Stand, Vec<Event>, Vec<Event>) {
    let mut stand = Stand::new("", |request, _| yes(request)).await;
    stand.turn("One.").await;
    let second = stand.turn("Two.").await;
    stand.compact(None).await;
    let made = events_until(&mut stand.heard, "the end", is_end).await;
    stand.turn("Three.").await;
    (stand, second, made)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_variant_from_before_a_summary_has_every_word_and_one_from_behind_it_the_summary() {
    let (stand, second, made) = with_summary().await;
    let before = fork(&stand, second.last().unwrap().seq).await;
    let behind = fork(&stand, made.last().unwrap().seq).await;
    let sent = sent_to(&stand, before, "As a letter.").await;
    assert_eq!(
        said(&sent),
        ["One.", "Yes.", "Two.", "Yes.", "As a letter."]
    );
    let sent = sent_to(&stand, behind, "As a play.").await;
    let said = said(&sent);
    assert!(said[0].ends_with("They began."), "{said:?}");
    assert_eq!(said[2..], ["Two.", "Yes.", "As a play."]);
    for request in stand.asked() {
        let brief = messages(&request)[0]["content"].as_str().unwrap();
        assert!(brief.contains(RULE), "{brief}");
    }
    verified(&stand);
}

/// A conversation of one turn whose summary has begun; it ends when the gate is opened.
async fn summarising() -> (watch::Sender<bool>, Stand) {
    let (open, gate) = watch::channel(false);
    let mut stand = Stand::new("", move |request, _| {
        let mut answer = yes(request);
        if is_summary(request) {
            answer.frames[1].gate = Some(gate.clone());
        }
        answer
    })
    .await;
    stand.turn("One.").await;
    stand.compact(None).await;
    let streams = |e: &Event| matches!(e.kind, Kind::Thinking { .. });
    events_until(&mut stand.heard, "the summary", streams).await;
    (open, stand)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_variant_made_while_a_summary_is_made_has_every_word_and_the_parent_goes_on() {
    let (open, mut stand) = summarising().await;
    let variant = stand.bench.fork(stand.id, "Aside").await;
    let sent = sent_to(&stand, variant, "And?").await;
    assert_eq!(said(&sent), ["One.", "Yes.", "And?"]);
    open.send(true).unwrap();
    let made = events_until(&mut stand.heard, "the end", is_end).await;
    assert_eq!((marks(&made).len(), ended(&made).0), (1, Status::Ok));
    verified(&stand);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_brief_that_changes_while_a_summary_is_made_is_in_force_from_the_next_turn_on() {
    let (open, gate) = watch::channel(false);
    let mut stand = Stand::new("context = 3000", move |request, _| {
        let mut answer = if is_summary(request) {
            says("They speak of the ferry.")
        } else {
            says(&"The river is slow. ".repeat(120))
        };
        if is_summary(request) {
            answer.frames[1].gate = Some(gate.clone());
        }
        answer
    })
    .await;
    let streams = |e: &Event| matches!(e.kind, Kind::Thinking { .. }) || is_end(e);
    loop {
        stand.bench.send(stand.id, "More.").await;
        let events = events_until(&mut stand.heard, "the summary or the end", streams).await;
        if !is_end(events.last().unwrap()) {
            break;
        }
    }
    let rules = stand.bench.root().join("CLAUDE.md");
    std::fs::write(rules, "Write in the present tense.").unwrap();
    open.send(true).unwrap();
    let events = events_until(&mut stand.heard, "the end", is_end).await;
    assert_eq!(marks(&events).len(), 1);
    let brief = |request: &Value| messages(request)[0]["content"].as_str().unwrap().to_owned();
    let asked = stand.asked();
    assert!(asked.iter().all(|r| brief(r).contains(RULE)));
    stand.turn("And now?").await;
    let sent = stand.asked().pop().unwrap();
    assert!(brief(&sent).contains("present tense") && !brief(&sent).contains(RULE));
    assert!(said(&sent)[0].contains("They speak of the ferry."));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_typed_while_a_summary_is_made_is_kept() {
    let (open, mut stand) = summarising().await;
    let (at, _, _) = typed(&stand.bench, stand.id, 0, &[put(0, "By hand.")]).await;
    open.send(true).unwrap();
    let made = events_until(&mut stand.heard, "the end", is_end).await;
    assert_eq!(marks(&made).len(), 1);
    typed(&stand.bench, stand.id, at, &[put(8, " And on.")]).await;
    assert_eq!(stand.bench.draft(stand.id).await.0, "By hand. And on.");
    stand.turn("Two.").await;
    verified(&stand);
}

#[tokio::test(flavor = "multi_thread")]
async fn results_that_outgrow_the_window_in_a_turn_are_whole_in_the_log_and_the_next_turn_begins_with_a_summary()
 {
    let text = "The river is slow. ".repeat(150);
    let mut stand = Stand::new("context = 4000", move |request, n| {
        if is_summary(request) {
            return says("They read.");
        }
        match n {
            0..5 => stream(
                vec![call(0, &format!("c{n}"), "read_draft", &json!({}))],
                "tool_calls",
            ),
            _ => says("Read."),
        }
    })
    .await;
    typed(&stand.bench, stand.id, 0, &[put(0, &text)]).await;
    let events = stand.turn("Read it five times.").await;
    assert_eq!(ended(&events), (Status::Ok, None));
    let whole = events.iter().filter(
        |e| matches!(&e.kind, Kind::ToolFinished { output, ok: true, .. } if output.len() > 2_800),
    );
    assert_eq!(whole.count(), 5, "the log has them whole");
    let shortened = notes(&events)
        .into_iter()
        .filter(|n| n.contains("sent shortened"));
    assert_eq!(shortened.count(), 1);
    for request in stand.asked() {
        assert!(request["messages"].to_string().len() / 4 < 4_000);
    }
    let events = stand.turn("Go on.").await;
    assert_eq!((marks(&events).len(), ended(&events).0), (1, Status::Ok));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_too_long_in_its_middle_is_followed_by_one_that_begins_with_a_summary() {
    let mut stand = Stand::new("", |request, n| match n {
        _ if is_summary(request) => says("They read."),
        0 => stream(vec![call(0, "c", "read_draft", &json!({}))], "tool_calls"),
        _ if request["messages"].to_string().contains("\"tool\"") => {
            error(400, "prompt is too long: 9000 tokens > 4000 maximum")
        }
        _ => says("Yes."),
    })
    .await;
    let events = stand.turn("Read.").await;
    let (status, reason) = ended(&events);
    assert_eq!(status, Status::Failed);
    assert!(reason.unwrap().contains("begins with a summary"));
    let events = stand.turn("Go on.").await;
    assert_eq!((marks(&events).len(), ended(&events).0), (1, Status::Ok));
}
