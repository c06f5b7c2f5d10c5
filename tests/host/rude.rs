//! Connections that do what they should not: none hurts another.

use std::time::Duration;

use fascicle::domain::notice::{Notice, Scope};
use fascicle::domain::{Kind, SessionId};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;

use crate::bench::{Bench, next, numbered, numbered_words, words};
use crate::raw::{Raw, socket};

/// A connection like any other is served.
async fn served(bench: &Bench, socket: &std::path::Path) {
    let mut good = Raw::asking(socket).await;
    assert_eq!(good.status(1).await["reply"], "status");
    let id = bench.new_session("Good").await;
    let heard = bench.turn(id, "Begin.").await;
    assert_eq!(words(&heard), numbered_words(5));
}

fn attach(id: SessionId, after: &str) -> Value {
    json!({"attach": {"scope": "session", "session": id, "after": after}})
}

#[tokio::test(flavor = "multi_thread")]
async fn a_first_line_that_is_none_is_answered_and_the_connection_closed() {
    let bench = Bench::new(&numbered(5, 0), "");
    let socket = socket(&bench);
    let long = vec![b'x'; 70_000];
    let lines: [&[u8]; 6] = [
        b"\n",
        b"{}\n",
        b"\0\0\0\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"{\"fascicle\":1,\"app\":\"\xff\xfe\",\"want\":\"ask\"}\n",
        &long,
    ];
    for line in lines {
        let mut raw = Raw::connect(&socket).await;
        raw.bytes(line).await;
        let said = raw.hear().await;
        assert!(said["error"].is_string(), "{line:?}: {said}");
        assert_eq!(raw.hear().await, Value::Null);
    }
    served(&bench, &socket).await;
}

#[tokio::test]
async fn half_a_first_line_and_silence_is_not_waited_for_beyond_ten_seconds() {
    let bench = Bench::new(&numbered(5, 0), "");
    let socket = socket(&bench);
    let mut raw = Raw::connect(&socket).await;
    raw.bytes(b"{\"fascicle\":1").await;
    tokio::time::pause();
    let begun = tokio::time::Instant::now();
    assert_eq!(raw.hear().await, Value::Null);
    let waited = begun.elapsed();
    assert!(waited <= Duration::from_secs(11), "{waited:?}");
    assert!(waited >= Duration::from_secs(9), "{waited:?}");
    tokio::time::resume();
    served(&bench, &socket).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_is_not_known_is_refused_by_number_and_the_next_one_is_served() {
    let bench = Bench::new(&numbered(5, 0), "");
    let socket = socket(&bench);
    let mut raw = Raw::asking(&socket).await;
    for line in [
        json!({"re": 1, "ask": "dream", "of": {"sheep": [1, 2]}}),
        json!({"re": 2, "ask": "send", "session": 7, "text": "a"}),
        json!({"re": 3, "ask": "do", "session": SessionId::new(uuid::Uuid::from_u128(1)), "deed": {"deed": "frame"}}),
        json!({"re": 4}),
    ] {
        raw.say(&line).await;
        let heard = raw.hear().await;
        assert_eq!(heard["re"], line["re"]);
        assert_eq!(heard["reply"], "refused", "{heard}");
        assert!(
            heard["why"].as_str().unwrap().contains("does not know"),
            "{heard}"
        );
    }
    raw.bytes(b"{\"re\":6,\"ask\":\"new_collection\",\"title\":\"\xff\xfe\"}\n")
        .await;
    assert_eq!(raw.hear().await["reply"], "refused", "bad UTF-8");
    raw.say(&json!({"re": 5, "ask": "status", "fields": "of later versions"}))
        .await;
    assert_eq!(raw.hear().await["reply"], "status");
    served(&bench, &socket).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_without_a_number_ends_its_connection_and_no_other() {
    let bench = Bench::new(&numbered(5, 0), "");
    let socket = socket(&bench);
    let lines: [&[u8]; 4] = [
        b"\n",
        b"\xff\xfe\n",
        b"garbage\n",
        b"{\"ask\":\"status\"}\n",
    ];
    for line in lines {
        let mut raw = Raw::asking(&socket).await;
        raw.bytes(line).await;
        assert_eq!(raw.hear().await, Value::Null, "{line:?}");
    }
    served(&bench, &socket).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_without_end_is_cut_off_at_the_longest_line() {
    let bench = Bench::new(&numbered(5, 0), "");
    let socket = socket(&bench);
    let mut raw = Raw::asking(&socket).await;
    let piece = vec![b'x'; 1024 * 1024];
    let mut said = 0;
    while raw.to.write_all(&piece).await.is_ok() {
        said += 1;
        assert!(said < 80, "{said} MiB were taken");
    }
    served(&bench, &socket).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn half_a_request_is_none_and_a_whole_one_is_done_though_nobody_waits() {
    let bench = Bench::new(&numbered(5, 0), "");
    let socket = socket(&bench);
    let new = |title: &str| {
        json!({"re": 1, "ask": "new", "collection": null, "title": title, "agent": null, "prompt": null}).to_string()
    };
    let mut half = Raw::asking(&socket).await;
    half.bytes(new("Half").as_bytes()).await;
    drop(half);
    let mut whole = Raw::asking(&socket).await;
    whole.bytes(format!("{}\n", new("Whole")).as_bytes()).await;
    drop(whole);
    let mut rows = bench.client.attach(Scope::Workspace);
    loop {
        if let Notice::Row(row) = next(&mut rows, "the session asked for").await {
            assert_eq!(row.title, "Whole");
            break;
        }
    }
    served(&bench, &socket).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_window_that_reads_nothing_holds_up_no_turn_and_misses_nothing_when_it_reads_again() {
    const N: u64 = 100_000;
    let bench = Bench::new(&numbered(N, 0), "");
    let socket = socket(&bench);
    let id = bench.new_session("Long").await;
    let mut silent = Raw::welcomed(&socket, attach(id, "start")).await;
    assert_eq!(silent.hear().await["notice"], "opened");
    let heard = bench.turn(id, "Begin.").await;
    assert_eq!(words(&heard), numbered_words(N));
    let (mut last, mut said) = (None, 0);
    while said < N {
        let notice = silent.hear().await;
        if notice["notice"] != "event" {
            continue;
        }
        let seq = notice["seq"].as_u64();
        assert!(
            last.is_none() || seq == last.map(|l: u64| l + 1),
            "{last:?} {notice}"
        );
        last = seq;
        if notice["kind"] == "delta" {
            said += 1;
            assert_eq!(notice["text"], format!("w{said} "));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_window_that_reads_no_replies_holds_up_nobody_and_gets_each_when_it_reads() {
    const ASKED: u64 = 400;
    let bench = Bench::new(&numbered(5, 0), "");
    let socket = socket(&bench);
    let id = bench.new_session("Read").await;
    bench.turn(id, &"Long. ".repeat(20_000)).await;
    let Raw { from, mut to } = Raw::asking(&socket).await;
    let asking = tokio::spawn(async move {
        for re in 1..=ASKED {
            let page =
                json!({"re": re, "ask": "page", "session": id, "before": null, "bytes": 1_000_000});
            to.write_all(format!("{page}\n").as_bytes()).await.unwrap();
        }
        to
    });
    served(&bench, &socket).await;
    let mut numbers = Vec::new();
    let to = {
        let mut reading = ReadOnly(from);
        for _ in 0..ASKED {
            numbers.push(reading.number().await);
        }
        asking.await.unwrap()
    };
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=ASKED).collect::<Vec<_>>());
    drop(to);
}

struct ReadOnly(tokio::io::BufReader<tokio::net::unix::OwnedReadHalf>);

impl ReadOnly {
    async fn number(&mut self) -> u64 {
        use tokio::io::AsyncBufReadExt;
        let mut line = Vec::new();
        self.0.read_until(b'\n', &mut line).await.unwrap();
        let reply: Value = serde_json::from_slice(&line).unwrap();
        assert_eq!(reply["reply"], "page");
        reply["re"].as_u64().unwrap()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_says_nothing_and_one_that_hangs_up_while_it_is_told_cost_nobody_anything() {
    let bench = Bench::new(&numbered(5, 0), "");
    let socket = socket(&bench);
    let id = bench.new_session("Told").await;
    bench.turn(id, &"Long. ".repeat(20_000)).await;
    let _silent = (
        Raw::connect(&socket).await,
        Raw::asking(&socket).await,
        Raw::welcomed(&socket, json!({"attach": {"scope": "workspace"}})).await,
    );
    for _ in 0..20 {
        let mut gone = Raw::welcomed(&socket, attach(id, "start")).await;
        assert_eq!(gone.hear().await["notice"], "opened");
    }
    served(&bench, &socket).await;
    let mut asks = Raw::asking(&socket).await;
    // The bench's own windows, and the silent one.
    while asks.status(1).await["windows"].as_u64().unwrap() > 1 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_connections_at_once_are_served() {
    let bench = Bench::new(&numbered(5, 0), "");
    let socket = socket(&bench);
    let mut all = tokio::task::JoinSet::new();
    for n in 0..200 {
        let socket = socket.clone();
        all.spawn(async move {
            let mut raw = Raw::asking(&socket).await;
            assert_eq!(raw.status(n).await["reply"], "status");
            raw
        });
    }
    let all = all.join_all().await;
    assert_eq!(all.len(), 200);
    served(&bench, &socket).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_number_used_twice_is_answered_twice() {
    let bench = Bench::new(&numbered(5, 0), "");
    let socket = socket(&bench);
    let mut raw = Raw::asking(&socket).await;
    raw.bytes(b"{\"re\":7,\"ask\":\"status\"}\n{\"re\":7,\"ask\":\"status\"}\n")
        .await;
    for _ in 0..2 {
        let heard = raw.hear().await;
        assert_eq!(
            (&heard["re"], &heard["reply"]),
            (&json!(7), &json!("status"))
        );
    }
    served(&bench, &socket).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_for_one_session_are_taken_in_the_order_in_which_they_came() {
    let bench = Bench::new(&json!({"steps": [{"hang": true}]}), "");
    let socket = socket(&bench);
    let id = bench.new_session("Order").await;
    bench.send(id, "Begin.").await;
    let mut raw = Raw::asking(&socket).await;
    for re in 1..=40 {
        raw.say(&json!({"re": re, "ask": "send", "session": id, "text": format!("p{re}")}))
            .await;
        raw.say(&json!({"re": 100 + re, "ask": "keep_unsent", "session": id, "window": "w1", "text": format!("t{re}")})).await;
    }
    for _ in 0..80 {
        assert_ne!(raw.hear().await["reply"], "refused");
    }
    raw.say(&json!({"re": 900, "ask": "unsent", "session": id, "window": "w1"}))
        .await;
    assert_eq!(raw.hear().await["text"], "t40");
    let mut heard = bench.follow(id);
    let mut asked = Vec::new();
    while asked.len() < 40 {
        if let Notice::Event(event) = next(&mut heard, "forty prompts that wait").await
            && let Kind::Queued { text, .. } = event.kind
        {
            asked.push(text.shown().to_owned());
        }
    }
    let wanted: Vec<String> = (1..=40).map(|n| format!("p{n}")).collect();
    assert_eq!(asked, wanted);
    bench.host.close(true).await;
}
