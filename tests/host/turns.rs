//! Turns, queues, stops, questions.

use fascicle::domain::ask::{Deed, Reply, Request, Which};
use fascicle::domain::event::{Answer, Status};
use fascicle::domain::notice::{After, Notice, Scope};
use fascicle::domain::{Kind, State};
use serde_json::json;

use crate::bench::{Bench, events_until, is_end, next, numbered, numbered_words, prompts, words};

#[tokio::test(flavor = "multi_thread")]
async fn a_window_is_told_of_nothing_that_is_not_on_disk() {
    let bench = Bench::new(&numbered(200, 0), "");
    let id = bench.new_session("One").await;
    let mut heard = bench.follow(id);
    bench.send(id, "Begin.").await;
    loop {
        let Notice::Event(event) = next(&mut heard, "an event").await else {
            continue;
        };
        let log = std::fs::read_to_string(bench.log(id)).unwrap();
        assert!(
            log.contains(&format!("{{\"v\":1,\"seq\":{},", event.seq)),
            "{event:?}"
        );
        if is_end(&event) {
            break;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn windows_that_come_and_go_all_hear_the_same_without_gap_or_repeat() {
    let bench = Bench::new(&numbered(1_000, 1), "");
    let id = bench.new_session("One").await;
    bench.send(id, "Begin.").await;
    let mut windows = Vec::new();
    for n in 0..40u64 {
        let client = bench.client.clone();
        windows.push(tokio::spawn(async move {
            let mut last = None;
            for round in 0u64.. {
                let after = last.map_or(After::Start, After::Seq);
                let mut heard = client.attach(Scope::Session { session: id, after });
                // Some leave after a few notices and come back, some stay.
                let stay = if n % 3 == 0 {
                    u64::MAX
                } else {
                    1 + (n * 7 + round * 13) % 50
                };
                for _ in 0..stay {
                    let Notice::Event(event) = next(&mut heard, "an event").await else {
                        continue;
                    };
                    assert_eq!(event.seq, last.map_or(0, |l: u64| l + 1));
                    last = Some(event.seq);
                    if is_end(&event) {
                        return;
                    }
                }
            }
        }));
    }
    for window in windows {
        window.await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_window_that_does_not_listen_holds_up_nobody_and_misses_nothing() {
    let bench = Bench::new(&numbered(20_000, 0), "");
    let id = bench.new_session("One").await;
    let mut deaf = bench.follow(id);
    assert!(matches!(
        next(&mut deaf, "the head").await,
        Notice::Opened { .. }
    ));
    let heard = bench.turn(id, "Begin.").await;
    assert_eq!(words(&heard), numbered_words(20_000));
    let late = events_until(&mut deaf, "the end", is_end).await;
    assert_eq!(late, heard);
}

#[tokio::test(flavor = "multi_thread")]
async fn more_turns_than_places_wait_in_order_and_are_shown_as_queued() {
    let script = json!({"steps": [{"delta": {"block": 0, "text": "a"}}, {"await_order": "interrupt"},
        {"ended": {"status": "interrupted"}}]});
    let bench = Bench::new(&script, "turns_at_once = 1");
    let (one, two) = (
        bench.new_session("One").await,
        bench.new_session("Two").await,
    );
    assert!(matches!(
        bench.send(one, "Begin.").await,
        Reply::Accepted { turn: Some(1), .. }
    ));
    assert!(matches!(
        bench.send(two, "Begin.").await,
        Reply::Accepted {
            queued: Some(1),
            ..
        }
    ));
    bench.row(two, "queued", |r| r.state == State::Queued).await;
    assert_eq!(
        bench.client.ask(Request::Stop { session: one }).await,
        Reply::Done
    );
    bench
        .row(two, "writing", |r| r.state == State::Writing)
        .await;
    bench
        .row(one, "interrupted", |r| r.state == State::Interrupted)
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn fewer_places_count_as_those_that_are_held_are_given_back() {
    let script =
        json!({"steps": [{"await_order": "interrupt"}, {"ended": {"status": "interrupted"}}]});
    let bench = Bench::new(&script, "turns_at_once = 2");
    let mut ids = Vec::new();
    for title in ["One", "Two", "Three", "Four"] {
        ids.push(bench.new_session(title).await);
    }
    for id in &ids[..2] {
        bench.send(*id, "Begin.").await;
    }
    bench.settings(&script, "turns_at_once = 1 # fewer");
    bench.send(ids[2], "Begin.").await;
    let stop = |id| bench.client.ask(Request::Stop { session: id });
    assert_eq!(stop(ids[0]).await, Reply::Done);
    let over = |r: &fascicle::domain::Row| r.state == State::Interrupted;
    bench.row(ids[0], "interrupted", over).await;
    bench.send(ids[3], "Begin.").await;
    let third = bench.row(ids[2], "there", |_| true).await;
    assert_eq!(third.state, State::Queued, "one turn runs, and one may");
    assert_eq!(stop(ids[1]).await, Reply::Done);
    bench
        .row(ids[2], "writing", |r| r.state == State::Writing)
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_row_names_the_agent_that_answers_as_soon_as_the_default_is_another() {
    let bench = Bench::new(&numbered(3, 1), "");
    let id = bench.new_session("One").await;
    bench
        .row(id, "with the default", |r| r.agent == "play")
        .await;
    bench.default_agent("editor");
    // A window that comes does no more than look.
    bench
        .row(id, "with the new one", |r| r.agent == "editor")
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_prompt_sent_while_a_turn_runs_can_be_taken_back_or_follows() {
    let bench = Bench::new(&numbered(100, 5), "");
    let id = bench.new_session("One").await;
    bench.send(id, "First.").await;
    assert!(matches!(
        bench.send(id, "Second.").await,
        Reply::Accepted {
            queued: Some(1),
            ..
        }
    ));
    assert!(matches!(
        bench.send(id, "Third.").await,
        Reply::Accepted {
            queued: Some(2),
            ..
        }
    ));
    let back = bench
        .client
        .ask(Request::Unqueue { session: id, n: 1 })
        .await;
    assert_eq!(
        back,
        Reply::Text {
            text: "Second.".into()
        }
    );
    let mut heard = bench.follow(id);
    let second = |e: &fascicle::domain::Event| matches!(e.kind, Kind::TurnFinished { turn: 2, .. });
    let all = events_until(&mut heard, "the second turn", second).await;
    let prompts: Vec<_> = all
        .iter()
        .filter_map(|e| {
            if let Kind::Prompt { text, .. } = &e.kind {
                Some(text.shown())
            } else {
                None
            }
        })
        .collect();
    assert_eq!(prompts, ["First.", "Third."]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_keeps_the_words_that_came() {
    let script = json!({"steps": [{"delta": {"block": 0, "text": "Half a"}}, {"await_order": "interrupt"},
        {"message": {"block": 0, "text": "Half a"}}, {"ended": {"status": "interrupted"}}]});
    let bench = Bench::new(&script, "");
    let id = bench.new_session("One").await;
    let mut heard = bench.follow(id);
    bench.send(id, "Begin.").await;
    events_until(&mut heard, "a word", |e| {
        matches!(e.kind, Kind::Delta { .. })
    })
    .await;
    assert_eq!(
        bench.client.ask(Request::Stop { session: id }).await,
        Reply::Done
    );
    let rest = events_until(&mut heard, "the end", is_end).await;
    assert!(matches!(&rest[0].kind, Kind::Message { text, .. } if text.shown() == "Half a"));
    assert!(matches!(
        rest[1].kind,
        Kind::TurnFinished {
            status: Status::Interrupted,
            ..
        }
    ));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_waits_for_the_writer_and_the_answer_reaches_the_agent() {
    let script = json!({"steps": [{"asked": {"call": "c1", "what": "Search the web for rivers"}},
        {"await_order": "answer"}, {"delta": {"block": 0, "text": "Thank you."}}]});
    let bench = Bench::new(&script, "");
    let id = bench.new_session("One").await;
    bench.send(id, "Begin.").await;
    let row = bench
        .row(id, "needs you", |r| r.state == State::NeedsYou)
        .await;
    assert_eq!(row.asked[0].what, "Search the web for rivers");
    let answer = Request::Answer {
        session: id,
        call: None,
        answer: Answer::Once,
    };
    assert_eq!(bench.client.ask(answer.clone()).await, Reply::Done);
    bench.row(id, "unread", |r| r.state == State::Unread).await;
    assert!(matches!(
        bench.client.ask(answer).await,
        Reply::Refused { .. }
    ));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_vanishes_or_is_not_there_fails_its_turn_with_a_reason() {
    let script = json!({"steps": [{"delta": {"block": 0, "text": "Half"}}, {"exit": true}]});
    let bench = Bench::new(
        &script,
        "[agents.gone]\nkind = \"claude\"\ncommand = \"/nowhere/claude\"",
    );
    let id = bench.new_session("One").await;
    let heard = bench.turn(id, "Begin.").await;
    let failed = |heard: &[fascicle::domain::Event]| match &heard.last().unwrap().kind {
        Kind::TurnFinished {
            status: Status::Failed,
            reason: Some(why),
            ..
        } => why.clone(),
        other => panic!("{other:?}"),
    };
    assert!(failed(&heard).contains("without finishing"));
    let choose = Deed::Choose {
        agent: "gone".into(),
        model: None,
    };
    assert_eq!(bench.deed(id, choose).await, Reply::Done);
    let heard = bench.turn(id, "Again.").await;
    assert!(
        failed(&heard).contains("/nowhere/claude"),
        "{}",
        failed(&heard)
    );
    let choose = Deed::Choose {
        agent: "play".into(),
        model: None,
    };
    assert_eq!(bench.deed(id, choose).await, Reply::Done);
    assert!(!bench.turn(id, "And again.").await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_title_and_a_tag_are_one_line_with_something_on_it() {
    let bench = Bench::new(&numbered(1, 0), "");
    let id = bench.new_session("One").await;
    let rename = |title: &str| Deed::Rename {
        title: title.into(),
    };
    let tag = |tag: &str| Deed::Tag {
        add: vec![tag.into()],
        remove: vec![],
    };
    for empty in [rename(""), rename(" \n"), tag(""), tag("\t")] {
        let reply = bench.deed(id, empty).await;
        assert!(
            matches!(&reply, Reply::Refused { why, .. } if why.contains("is empty")),
            "{reply:?}"
        );
    }
    for deed in [rename("Two\nlines "), tag(" x\ny")] {
        assert_eq!(bench.deed(id, deed).await, Reply::Done);
    }
    bench
        .row(id, "one line each", |r| {
            r.title == "Two lines" && r.tags == ["x y"]
        })
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_window_counts_once_however_many_sessions_it_hears() {
    let bench = Bench::new(&numbered(1, 0), "");
    let id = bench.new_session("One").await;
    let mut list = bench.client.attach(Scope::Workspace);
    let mut page = bench.follow(id);
    for heard in [&mut list, &mut page] {
        while next(heard, "all there is").await != Notice::Live {}
    }
    let Reply::Status(status) = bench.client.ask(Request::Status).await else {
        panic!("no status");
    };
    assert_eq!(status.windows, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_collection_of_one_name_is_refused() {
    let bench = Bench::new(&numbered(1, 0), "");
    let new = |title: &str| Request::NewCollection {
        title: title.into(),
    };
    let made = bench.client.ask(new("Essays")).await;
    assert!(matches!(made, Reply::Collection { .. }), "{made:?}");
    let again = bench.client.ask(new(" Essays ")).await;
    assert!(
        matches!(&again, Reply::Refused { why, .. } if why.contains("essays")),
        "{again:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn deeds_are_undone_one_by_one_and_a_deleted_session_comes_back() {
    let bench = Bench::new(&numbered(1, 0), "");
    let id = bench.new_session("One").await;
    bench.turn(id, "Begin.").await;
    bench
        .deed(
            id,
            Deed::Rename {
                title: "Two".into(),
            },
        )
        .await;
    bench
        .deed(
            id,
            Deed::Tag {
                add: vec!["keep".into()],
                remove: vec![],
            },
        )
        .await;
    let folder = bench.folder(id).await;
    assert_eq!(bench.deed(id, Deed::Trash).await, Reply::Done);
    bench.row(id, "in the trash", |r| r.trashed).await;
    assert!(!folder.exists() && !bench.log(id).exists());
    assert!(matches!(bench.send(id, "x").await, Reply::Refused { .. }));
    assert_eq!(bench.deed(id, Deed::Undo(Which::NEW)).await, Reply::Done);
    bench
        .row(id, "back", |r| {
            !r.trashed && r.title == "Two" && r.tags == ["keep"]
        })
        .await;
    assert!(folder.exists() && bench.log(id).exists());
    assert_eq!(bench.deed(id, Deed::Undo(Which::NEW)).await, Reply::Done);
    assert_eq!(bench.deed(id, Deed::Undo(Which::NEW)).await, Reply::Done);
    bench
        .row(id, "as it was", |r| r.title == "One" && r.tags.is_empty())
        .await;
    let heard = bench.turn(id, "Go on.").await;
    let seqs: Vec<u64> = heard.iter().map(|e| e.seq).collect();
    assert_eq!(seqs, (0..seqs.len() as u64).collect::<Vec<_>>());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wait_of_the_agent_is_in_the_row_until_words_come_again() {
    let wait =
        json!({"retry": {"attempt": 1, "wait_ms": 60_000, "why": "the server is overloaded"}});
    let word = json!({"delta": {"block": 0, "text": "a"}});
    let bench = Bench::new(
        &json!({"steps": [word, wait, {"wait": 2_000}, word, {"hang": true}]}),
        "",
    );
    let id = bench.new_session("One").await;
    let mut rows = bench.client.attach(Scope::Workspace);
    bench.send(id, "Begin.").await;
    let mut seen = None;
    loop {
        let Notice::Row(row) = next(&mut rows, "the wait and its end").await else {
            continue;
        };
        match (row.pause, &seen) {
            (Some(pause), None) => seen = Some(pause),
            (None, Some(pause)) => {
                assert_eq!(pause.why, "the server is overloaded");
                assert_eq!(row.state, State::Writing);
                break;
            }
            _ => {}
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn other_words_of_a_waiting_prompt_outlive_the_host() {
    let bench = Bench::new(&json!({"steps": [{"hang": true}]}), "");
    let id = bench.new_session("One").await;
    for text in ["First.", "Second.", "Third."] {
        bench.send(id, text).await;
    }
    let requeue = |n, text: &str| Request::Requeue {
        session: id,
        n,
        text: text.into(),
    };
    assert_eq!(
        bench.client.ask(requeue(1, "Other words.")).await,
        Reply::Done
    );
    for wrong in [requeue(7, "x"), requeue(1, " ")] {
        let reply = bench.client.ask(wrong).await;
        assert!(matches!(reply, Reply::Refused { .. }), "{reply:?}");
    }
    bench.play(&numbered(1, 0));
    let bench = bench.restarted().await;
    let go = Request::Continue { session: id };
    assert_eq!(bench.client.ask(go).await, Reply::Done);
    let third = |e: &fascicle::domain::Event| matches!(e.kind, Kind::TurnFinished { turn: 3, .. });
    let all = events_until(&mut bench.follow(id), "the last turn", third).await;
    let got = prompts(&all);
    let texts: Vec<&str> = got.iter().map(|(text, _)| text.as_str()).collect();
    assert_eq!(texts, ["First.", "Other words.", "Third."]);
}
