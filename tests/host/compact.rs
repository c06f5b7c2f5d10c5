//! Conversations that outgrow the model's window, with a server that plays a script.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use fascicle::domain::ask::{NewSession, Reply, Request};
use fascicle::domain::event::{Compacted, Status, Usage};
use fascicle::domain::notice::Notice;
use fascicle::domain::{Event, Kind, SessionId, State};
use serde_json::{Value, json};
use tokio::sync::mpsc::Receiver;

use crate::bench::{Bench, events_until, is_end, next, prompts};
use crate::support::chat_api::{self, call, error, numbered, stream, words};
use crate::support::http::{Answer, Frame, Server};

/// What stands in the brief and must stand in every request.
pub(crate) const RULE: &str = "Never write the word suddenly.";

/// Whether a request asks for a summary.
pub(crate) fn is_summary(request: &Value) -> bool {
    last(request).contains("[What was said:]")
}

pub(crate) fn messages(request: &Value) -> &[Value] {
    request["messages"].as_array().unwrap()
}

pub(crate) fn last(request: &Value) -> &str {
    messages(request).last().unwrap()["content"]
        .as_str()
        .unwrap()
}

/// A desk with a server for its agent.
pub(crate) struct Stand {
    pub(crate) bench: Bench,
    pub(crate) server: Server,
    pub(crate) id: SessionId,
    pub(crate) heard: Receiver<Notice>,
}

impl Stand {
    pub(crate) async fn new(
        more: &str,
        script: impl Fn(&Value, usize) -> Answer + Send + Sync + 'static,
    ) -> Self {
        let server = chat_api::start(&["m"], script).await;
        let url = server.url();
        let agent = format!(
            "[agents.local]\nkind = \"openai\"\nbase_url = \"{url}/v1\"\nmodel = \"m\"\n{more}\n"
        );
        let bench = Bench::new(&json!({"steps": []}), &agent);
        std::fs::write(bench.root().join("CLAUDE.md"), RULE).unwrap();
        let request = Request::New(NewSession {
            collection: None,
            title: Some("The ferry".into()),
            agent: Some("local".into()),
            prompt: None,
            recipe: None,
        });
        let Reply::Created { session: id } = bench.client.ask(request).await else {
            panic!("no session");
        };
        let heard = bench.follow(id);
        Self {
            bench,
            server,
            id,
            heard,
        }
    }

    /// Sends a prompt and reads to the end of its turn.
    pub(crate) async fn turn(&mut self, text: &str) -> Vec<Event> {
        self.bench.send(self.id, text).await;
        events_until(&mut self.heard, "the end of the turn", is_end).await
    }

    pub(crate) async fn compact(&self, focus: Option<&str>) -> Reply {
        let focus = focus.map(str::to_owned);
        let session = self.id;
        self.bench
            .client
            .ask(Request::Compact { session, focus })
            .await
    }

    pub(crate) fn asked(&self) -> Vec<Value> {
        self.server.bodies("completions")
    }
}

pub(crate) fn marks(events: &[Event]) -> Vec<&Compacted> {
    events
        .iter()
        .filter_map(|e| match &e.kind {
            Kind::Compacted(what) => Some(what),
            _ => None,
        })
        .collect()
}

pub(crate) fn notes(events: &[Event]) -> Vec<&str> {
    events
        .iter()
        .filter_map(|e| match &e.kind {
            Kind::Note { text, .. } => Some(text.as_str()),
            _ => None,
        })
        .collect()
}

pub(crate) fn ended(events: &[Event]) -> (Status, Option<&str>) {
    match &events.last().unwrap().kind {
        Kind::TurnFinished { status, reason, .. } => (*status, reason.as_deref()),
        other => panic!("{other:?}"),
    }
}

fn usage(events: &[Event]) -> Usage {
    let figures = events.iter().rev().find_map(|e| match &e.kind {
        Kind::Usage { usage, .. } if usage.in_use.is_some() => Some(*usage),
        _ => None,
    });
    figures.unwrap()
}

pub(crate) fn says(text: &str) -> Answer {
    stream(vec![words(text)], "stop")
}

#[tokio::test(flavor = "multi_thread")]
async fn two_thousand_turns_compact_by_themselves_and_still_carry_a_rule() {
    const TURNS: usize = 2_000;
    // So many prompts wait at a time: a window is told of what streams at moments of its own, and with one prompt after the
    // other two thousand of these would be waited for.
    const SHEAF: usize = 25;
    let summaries = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&summaries);
    // One piece for a reply: what two thousand turns say is not what is looked at here. The window is so small that what is
    // read again for each turn, and compared below, is little.
    let says = |text: &str| {
        let piece = chat_api::chunk(&json!({"content": text}), None);
        stream(vec![vec![Frame::delta(piece, 0)]], "stop")
    };
    let mut stand = Stand::new("context = 2000", move |request, _| {
        if is_summary(request) {
            let n = count.fetch_add(1, Ordering::SeqCst) + 1;
            return says(&format!("Summary {n}: the ferry waits."));
        }
        says(&format!("Line for {}", last(request)))
    })
    .await;
    let (mut compacted, mut sent) = (0, 0);
    while sent < TURNS {
        for _ in 0..SHEAF {
            sent += 1;
            stand.bench.send(stand.id, &format!("Go on {sent}.")).await;
        }
        for _ in 0..SHEAF {
            let events = events_until(&mut stand.heard, "the end of the turn", is_end).await;
            assert_eq!(ended(&events).0, Status::Ok, "{events:?}");
            compacted += marks(&events).len();
        }
    }
    assert!((20..200).contains(&compacted), "{compacted}");
    let asked = stand.asked();
    assert_eq!(asked.len(), TURNS + summaries.load(Ordering::SeqCst));
    let (mut made, mut latest) = (0, String::new());
    for request in &asked {
        let system = &messages(request)[0];
        assert_eq!(system["role"], "system");
        assert!(system["content"].as_str().unwrap().contains(RULE));
        let size = request.to_string().len() / 4;
        assert!(size < 3_600, "{size}");
        if is_summary(request) {
            assert!(request.get("tools").is_none());
            assert!(
                latest.is_empty() || last(request).contains(&latest),
                "{latest}"
            );
            made += 1;
            latest = format!("Summary {made}:");
        } else if !latest.is_empty() {
            let first = messages(request)[1]["content"].as_str().unwrap();
            assert!(first.contains(&latest), "{first}");
        }
    }
    // Nothing was left out: each prompt went into a summary or is still there word for word.
    let whole: Vec<&str> = asked.iter().filter(|r| is_summary(r)).map(last).collect();
    let end = asked.last().unwrap().to_string();
    for n in 1..=TURNS {
        let prompt = format!("The writer: Go on {n}.\n");
        let kept = end.contains(&format!("\"Go on {n}.\""));
        assert!(kept || whole.iter().any(|s| s.contains(&prompt)), "{n}");
    }
    let log = std::fs::read_to_string(stand.bench.log(stand.id)).unwrap();
    assert!(
        log.contains("Line for Go on 1."),
        "the log keeps everything"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_summary_is_announced_made_and_logged_before_the_prompt_is_sent() {
    let mut stand = Stand::new("context = 3000", |request, _| {
        if is_summary(request) {
            says("They speak of the ferry.")
        } else {
            says(&"The river is slow. ".repeat(120))
        }
    })
    .await;
    let first = stand.turn("Begin.").await;
    assert!(marks(&first).is_empty());
    let (mut turns, mut events) = (1, first);
    while marks(&events).is_empty() {
        events = stand.turn("More.").await;
        turns += 1;
        assert!(turns < 20);
    }
    let what = marks(&events)[0].clone();
    assert_eq!(what.why, "full");
    assert_eq!(what.summary.shown(), "They speak of the ferry.");
    assert!(
        what.after < what.before && what.messages >= Some(2),
        "{what:?}"
    );
    let note = notes(&events)[0];
    assert!(
        note.contains("% of the model's window: a summary of"),
        "{note}"
    );
    let kinds: Vec<&str> = events
        .iter()
        .filter_map(|e| match &e.kind {
            Kind::Prompt { .. } => Some("prompt"),
            Kind::Note { .. } => Some("note"),
            Kind::Thinking { .. } => Some("thinking"),
            Kind::Compacted(_) => Some("compacted"),
            Kind::Message { .. } => Some("message"),
            Kind::Abandoned { .. } => Some("abandoned"),
            _ => None,
        })
        .collect();
    let mut kinds = kinds;
    kinds.dedup();
    let want = [
        "prompt",
        "note",
        "thinking",
        "abandoned",
        "compacted",
        "message",
    ];
    assert_eq!(kinds, want);
    let sent = stand.asked().pop().unwrap();
    assert!(
        messages(&sent)[1]["content"]
            .as_str()
            .unwrap()
            .contains("They speak of the ferry.")
    );
    assert_eq!(last(&sent), "More.");
    // What is sent from now on begins there, in the next turn too, and after a new start.
    let share = usage(&events).context.unwrap();
    assert!(share < 0.8, "{share}");
    let id = stand.id;
    let bench = stand.bench.restarted().await;
    let mut heard = bench.follow(id);
    let mut left = turns;
    while left > 0 {
        if let Notice::Event(event) = next(&mut heard, "the log").await {
            left -= usize::from(is_end(&event));
        }
    }
    bench.send(id, "And now?").await;
    events_until(&mut heard, "the end", is_end).await;
    let sent = stand.server.bodies("completions").pop().unwrap();
    assert!(
        messages(&sent)[1]["content"]
            .as_str()
            .unwrap()
            .contains("They speak of the ferry.")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_finds_it_too_long_is_sent_a_summary_once() {
    let refusals = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&refusals);
    let mut stand = Stand::new("", move |request, _| {
        if is_summary(request) {
            return says("They began.");
        }
        let long = messages(request).len() > 5;
        if long {
            count.fetch_add(1, Ordering::SeqCst);
            return Answer::json(
                400,
                &json!({"error": {"message": "too much", "code": "context_length_exceeded"}}),
            );
        }
        says(&"A line. ".repeat(200))
    })
    .await;
    stand.turn("One.").await;
    stand.turn("Two.").await;
    let events = stand.turn("Three.").await;
    assert_eq!(ended(&events), (Status::Ok, None), "{:?}", notes(&events));
    assert_eq!(refusals.load(Ordering::SeqCst), 1);
    assert_eq!(marks(&events)[0].why, "refused");
    assert!(
        notes(&events)[0].starts_with("The model finds the conversation too long: a summary of")
    );
    let sent = stand.asked().pop().unwrap();
    assert_eq!(last(&sent), "Three.");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_finds_everything_too_long_ends_the_turn_with_what_to_do() {
    let mut stand = Stand::new("", |request, n| match n {
        0 => says("Yes."),
        _ if is_summary(request) => says("They began."),
        _ => error(400, "This model's maximum context length is 100 tokens."),
    })
    .await;
    stand.turn("One.").await;
    let events = stand.turn("Two.").await;
    let (status, reason) = ended(&events);
    assert_eq!(status, Status::Failed);
    let reason = reason.unwrap();
    assert!(reason.contains("larger window"), "{reason}");
    assert!(stand.asked().len() < 6, "{}", stand.asked().len());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_summary_that_fails_stops_nothing_that_still_fits() {
    let mut stand = Stand::new("context = 3000\ncompact_at = 40", |request, _| {
        if is_summary(request) {
            error(400, "no summaries today")
        } else {
            says(&"The river is slow. ".repeat(30))
        }
    })
    .await;
    let mut events = stand.turn("One.").await;
    for _ in 0..6 {
        if !notes(&events).is_empty() {
            break;
        }
        events = stand.turn("More.").await;
    }
    let told = notes(&events);
    assert!(
        told[1].contains("no summaries today") && told[1].contains("goes on"),
        "{told:?}"
    );
    assert_eq!(ended(&events).0, Status::Ok);
    assert!(marks(&events).is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_summary_that_fails_where_nothing_fits_keeps_the_prompt() {
    let mut stand = Stand::new("context = 3000\ncompact_at = 100", |request, _| {
        if is_summary(request) {
            error(400, "no summaries today")
        } else {
            says(&"The river is slow. ".repeat(300))
        }
    })
    .await;
    let mut events = stand.turn("One.").await;
    while ended(&events).0 == Status::Ok {
        events = stand.turn("More.").await;
    }
    let reason = ended(&events).1.unwrap();
    assert!(
        reason.contains("could not be made") && reason.contains("no summaries today"),
        "{reason}"
    );
    assert!(matches!(&events[0].kind, Kind::Prompt { text, .. } if text.shown() == "More."));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_summary_can_be_stopped_and_nothing_is_compacted() {
    let mut stand = Stand::new("", |request, _| {
        if is_summary(request) {
            stream(vec![numbered(100_000, 5)], "stop")
        } else {
            says("Yes.")
        }
    })
    .await;
    stand.turn("One.").await;
    assert!(matches!(
        stand.compact(None).await,
        Reply::Accepted { turn: Some(2), .. }
    ));
    let streams = |e: &Event| matches!(e.kind, Kind::Thinking { .. });
    events_until(&mut stand.heard, "the summary", streams).await;
    let session = stand.id;
    let stopped = stand.bench.client.ask(Request::Stop { session }).await;
    assert_eq!(stopped, Reply::Done);
    let events = events_until(&mut stand.heard, "the end", is_end).await;
    assert_eq!(ended(&events).0, Status::Interrupted);
    assert!(marks(&events).is_empty());
    stand.turn("Two.").await;
    let sent = stand.asked().pop().unwrap();
    let said: Vec<&str> = messages(&sent)[1..]
        .iter()
        .map(|m| m["content"].as_str().unwrap())
        .collect();
    assert_eq!(
        said,
        ["One.", "Yes.", "Two."],
        "the order is no part of the conversation"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn by_hand_it_is_made_with_a_focus() {
    let mut stand = Stand::new("", |request, _| {
        says(if is_summary(request) {
            "They spoke."
        } else {
            "Yes."
        })
    })
    .await;
    assert!(
        matches!(stand.compact(None).await, Reply::Refused { .. }),
        "nothing was said yet"
    );
    for prompt in ["Nought.", "One.", "Two."] {
        stand.turn(prompt).await;
    }
    stand.compact(Some("the ferryman")).await;
    let events = events_until(&mut stand.heard, "the end", is_end).await;
    let what = marks(&events)[0];
    assert_eq!((what.why.as_str(), what.messages), ("asked", Some(4)));
    let asked = stand.asked().pop().unwrap();
    assert!(
        last(&asked).ends_with("Above all, keep this: the ferryman"),
        "{}",
        last(&asked)
    );
    stand.turn("Three.").await;
    let sent = stand.asked().pop().unwrap();
    let said: Vec<&str> = messages(&sent)[3..]
        .iter()
        .map(|m| m["content"].as_str().unwrap())
        .collect();
    assert_eq!(said, ["Two.", "Yes.", "Three."]);
}

#[tokio::test(flavor = "multi_thread")]
async fn by_hand_a_prompt_whose_turn_failed_stays_as_it_was_written() {
    let mut stand = Stand::new("", |request, _| {
        if last(request).ends_with("Two.") {
            return error(400, "not today");
        }
        says(if is_summary(request) {
            "They spoke."
        } else {
            "Yes."
        })
    })
    .await;
    stand.turn("One.").await;
    stand.turn("Two.").await;
    stand.compact(None).await;
    let events = events_until(&mut stand.heard, "the end", is_end).await;
    assert_eq!(marks(&events)[0].messages, Some(2));
    stand.turn("Three.").await;
    let sent = stand.asked().pop().unwrap();
    assert_eq!(messages(&sent)[3]["content"], "Two.");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_gives_no_summary_is_refused_and_a_turn_that_failed_stays_the_last_one() {
    let mut stand = Stand::new("", |request, _| {
        if last(request) == "Two." {
            return error(400, "not today");
        }
        says(if is_summary(request) {
            "They spoke."
        } else {
            "Yes."
        })
    })
    .await;
    stand.turn("One.").await;
    stand.compact(None).await;
    events_until(&mut stand.heard, "the end", is_end).await;
    let refused = |reply: &Reply| matches!(reply, Reply::Refused { why, .. } if why.contains("nothing to summarise"));
    let reply = stand.compact(None).await;
    assert!(refused(&reply), "a summary already: {reply:?}");
    stand.turn("Two.").await;
    let before = prompts(&stand.bench.so_far(stand.id).await);
    let reply = stand.compact(None).await;
    assert!(refused(&reply), "no whole answer: {reply:?}");
    let session = stand.id;
    let text = "/compact the ferryman".to_owned();
    let reply = stand
        .bench
        .client
        .ask(Request::Send { session, text })
        .await;
    assert!(refused(&reply), "typed: {reply:?}");
    assert_eq!(prompts(&stand.bench.so_far(stand.id).await), before);
    stand
        .bench
        .row(session, "failed", |r| r.state == State::Failed)
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_calls_a_tool_in_place_of_a_summary_is_not_waited_for() {
    let mut stand = Stand::new("", |request, _| {
        if is_summary(request) {
            let call = call(0, "c1", "read_draft", &json!({}));
            return stream(vec![call], "tool_calls");
        }
        says("Yes.")
    })
    .await;
    stand.turn("One.").await;
    stand.compact(None).await;
    let events = events_until(&mut stand.heard, "the end", is_end).await;
    let (status, why) = ended(&events);
    assert_eq!(status, Status::Failed);
    assert!(
        why.is_some_and(|w| w.contains("the model called read_draft instead")),
        "{why:?}"
    );
    let next = stand.turn("Two.").await;
    assert_eq!(ended(&next).0, Status::Ok);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_editor_has_nothing_to_compact() {
    let bench = Bench::new(
        &json!({"steps": [{"delta": {"block": 0, "text": "a"}}]}),
        "",
    );
    let session = bench.new_session("One").await;
    bench.turn(session, "Begin.").await;
    let focus = None;
    let reply = bench.client.ask(Request::Compact { session, focus }).await;
    assert!(
        matches!(&reply, Reply::Refused { why, .. } if why.contains("nothing to compact")),
        "{reply:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_history_larger_than_the_window_is_summarised_in_steps() {
    let most = Arc::new(AtomicUsize::new(0));
    let seen = Arc::clone(&most);
    let mut stand = Stand::new("", move |request, n| {
        if is_summary(request) {
            let size = request.to_string().len() / 4;
            if size > 2_600 {
                return error(400, "the request exceeds the available context size");
            }
            seen.fetch_max(size, Ordering::SeqCst);
            return says("They spoke.");
        }
        match n {
            0 => says(&"One long answer without end. ".repeat(2_000)),
            _ if request.to_string().len() > 20_000 => {
                error(400, "the request exceeds the available context size")
            }
            _ => says("Yes."),
        }
    })
    .await;
    stand.turn("One.").await;
    let events = stand.turn("Two.").await;
    assert_eq!(ended(&events), (Status::Ok, None), "{:?}", notes(&events));
    assert_eq!(marks(&events).len(), 1);
    assert!(most.load(Ordering::SeqCst) > 500);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_prompt_that_no_summary_makes_fit_is_refused_before_anything_is_summarised() {
    let mut stand = Stand::new("context = 6000", |_, _| says("Yes.")).await;
    for prompt in ["One.", "Two.", "Three."] {
        assert_eq!(ended(&stand.turn(prompt).await).0, Status::Ok);
    }
    let asked = stand.asked().len();
    let events = stand.turn(&"A word. ".repeat(12_000)).await;
    let (status, reason) = ended(&events);
    assert_eq!(status, Status::Failed);
    let reason = reason.unwrap();
    assert!(
        reason.starts_with("This is too long for the model"),
        "{reason}"
    );
    assert!(reason.contains("Shorten the prompt"), "{reason}");
    assert!(marks(&events).is_empty() && notes(&events).is_empty());
    assert_eq!(
        stand.asked().len(),
        asked,
        "the model was asked for nothing"
    );
    // Nor does it count in the next turn, which sends it not.
    let events = stand.turn("Four.").await;
    assert_eq!(ended(&events), (Status::Ok, None));
    assert!(marks(&events).is_empty() && notes(&events).is_empty());
    let sent = stand.asked().pop().unwrap().to_string();
    assert!(sent.contains("Four.") && !sent.contains("A word. A word."));
}

#[tokio::test(flavor = "multi_thread")]
async fn without_figures_of_the_server_the_gauge_is_a_labelled_estimate() {
    let mut stand = Stand::new("context = 10000", |_, _| {
        let mut answer = says("Yes, of course.");
        answer
            .frames
            .retain(|f| f.bytes.as_ref().is_none_or(|b| !b.contains("usage")));
        answer
    })
    .await;
    let figures = usage(&stand.turn("One.").await);
    assert!(
        figures.guessed && figures.context.is_some_and(|c| c > 0.02 && c < 0.5),
        "{figures:?}"
    );
    assert_eq!(figures.window, Some(10_000));
}
