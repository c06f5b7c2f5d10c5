//! A cut turn goes on, when the writer asks for it.

use fascicle::domain::ask::{Reply, Request};
use fascicle::domain::event::Status;
use fascicle::domain::{Event, Kind, SessionId, TurnNo};
use serde_json::json;

use crate::bench::{Bench, events_until, is_end, prompts, words};
use crate::recovery::{cut, cut_turn};

async fn again(bench: &Bench, session: SessionId) -> Reply {
    bench.client.ask(Request::Again { session }).await
}

/// Asks until the agent counts as silent; the reply then.
async fn once_silent(bench: &Bench, session: SessionId) -> Reply {
    let asking = async {
        loop {
            match again(bench, session).await {
                Reply::Refused { why, .. } if why.contains("is being written") => {
                    tokio::time::sleep(std::time::Duration::from_millis(20)).await;
                }
                other => return other,
            }
        }
    };
    let patience = std::time::Duration::from_secs(30);
    tokio::time::timeout(patience, asking).await.unwrap()
}

fn accepted(turn: TurnNo) -> Reply {
    Reply::Accepted {
        turn: Some(turn),
        queued: None,
    }
}

fn ends(turn: TurnNo) -> impl Fn(&Event) -> bool {
    move |e| matches!(e.kind, Kind::TurnFinished { turn: t, .. } if t == turn)
}

fn is_go_on(prompt: &str) -> bool {
    prompt.starts_with("You were cut off") && !prompt.ends_with('\n')
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_that_left_words_goes_on_behind_them_and_one_that_left_none_is_sent_again_whole() {
    let failed = json!({"ended": {"status": "failed", "reason": "no server"}});
    let half = json!({"delta": {"block": 0, "text": "Half"}});
    let rest = json!({"delta": {"block": 0, "text": " a line."}});
    let bench = Bench::new(&json!({"turns": [[failed], [half, failed], [rest]]}), "");
    let id = bench.new_session("One").await;
    let long = "Write of the river. ".repeat(5_000);
    bench.turn(id, &long).await;
    assert_eq!(again(&bench, id).await, accepted(2));
    let heard = events_until(&mut bench.follow(id), "the second", ends(2)).await;
    let whole = heard.iter().filter(
        |e| matches!(&e.kind, Kind::Prompt { text, .. } if text.len() == long.len() as u64),
    );
    assert_eq!(whole.count(), 2, "the own prompt, from its blob");
    assert_eq!(again(&bench, id).await, accepted(3));
    let heard = events_until(&mut bench.follow(id), "the third", ends(3)).await;
    let sent = prompts(&heard);
    assert!(is_go_on(&sent[2].0), "{}", sent[2].0);
    assert_eq!(words(&heard), "Half a line.");
    let reply = again(&bench, id).await;
    assert!(
        matches!(&reply, Reply::Refused { why, .. } if why.contains("Nothing was cut")),
        "{reply:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_went_silent_is_stopped_and_asked_again_before_what_waits() {
    let half = json!({"delta": {"block": 0, "text": "Half"}});
    let rest = json!({"delta": {"block": 0, "text": " a line."}});
    let bench = Bench::new(&json!({"turns": [[half, {"hang": true}], [rest]]}), "");
    let id = bench.new_session("One").await;
    let mut heard = bench.follow(id);
    bench.send(id, "Begin.").await;
    bench.send(id, "Later.").await;
    let is_word = |e: &Event| matches!(e.kind, Kind::Delta { .. });
    events_until(&mut heard, "a word", is_word).await;
    let refused = again(&bench, id).await;
    assert!(
        matches!(&refused, Reply::Refused { .. }),
        "it writes: {refused:?}"
    );
    assert_eq!(once_silent(&bench, id).await, accepted(2));
    let all = events_until(&mut bench.follow(id), "the last", ends(3)).await;
    let sent = prompts(&all);
    assert!(is_go_on(&sent[1].0), "{sent:?}");
    assert_eq!(sent[2], ("Later.".to_owned(), Some(1)));
    let first = all.iter().find(|e| is_end(e)).unwrap();
    let status = Status::Interrupted;
    assert!(matches!(&first.kind, Kind::TurnFinished { status: s, .. } if *s == status));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_lost_with_its_host_goes_on_only_when_asked_and_what_waited_stays_held() {
    let script = json!({"steps": [{"delta": {"block": 0, "text": "ning."}}]});
    let bench = Bench::new(&script, "");
    let id = bench.new_session("One").await;
    bench.host.close(true).await;
    cut_turn(&bench, id, &cut());
    let bench = bench.restarted().await;
    let heard = events_until(&mut bench.follow(id), "the end", is_end).await;
    assert_eq!(prompts(&heard).len(), 1);
    assert_eq!(again(&bench, id).await, accepted(2));
    events_until(&mut bench.follow(id), "the second", ends(2)).await;
    let all = bench.so_far(id).await;
    let sent = prompts(&all);
    assert!(sent.len() == 2 && is_go_on(&sent[1].0), "{sent:?}");
    assert_eq!(words(&all), "The morning.");
    let row = bench.row(id, "its row", |_| true).await;
    assert_eq!(row.queued, 1);
}
