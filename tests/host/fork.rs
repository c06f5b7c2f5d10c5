//! Variants: made beside a parent that goes on, whatever state it is in, and never touching it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use fascicle::domain::ask::{Deed, NewVariant, Reply, Request, Which};
use fascicle::domain::event::{Answer, By, Status};
use fascicle::domain::{After, Event, Kind, Notice, Row, Scope, SessionId, Splice, State};
use serde_json::json;

use crate::bench::{Bench, events_until, is_end, next, numbered, numbered_words, words};
use crate::support::aged::aged;

fn fork(session: SessionId, at: Option<u64>, title: &str, prompt: Option<&str>) -> Request {
    Request::Fork(NewVariant {
        session,
        at,
        title: Some(title.to_owned()).filter(|t| !t.is_empty()),
        prompt: prompt.map(str::to_owned),
    })
}

async fn forked(bench: &Bench, request: Request) -> SessionId {
    match bench.client.ask(request).await {
        Reply::Created { session } => session,
        other => panic!("{other:?}"),
    }
}

async fn row(bench: &Bench, session: SessionId) -> Row {
    bench.row(session, "its row", |_| true).await
}

/// Every file below some folders, byte for byte.
fn files(folders: &[PathBuf]) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut ahead = folders.to_vec();
    while let Some(path) = ahead.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(&path).unwrap();
            ahead.extend(entries.map(|e| e.unwrap().path()));
        } else if path.exists() && !path.ends_with("lock") {
            found.insert(path.clone(), std::fs::read(&path).unwrap());
        }
    }
    found
}

/// The log, the blobs and the folder of a session.
async fn files_of(bench: &Bench, session: SessionId) -> BTreeMap<PathBuf, Vec<u8>> {
    let log = bench.log(session);
    files(&[
        log.with_extension("").join("blobs"),
        log,
        bench.folder(session).await,
    ])
}

fn draft_in(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("draft.md")).unwrap()
}

fn events(bench: &Bench, session: SessionId) -> Vec<serde_json::Value> {
    let log = std::fs::read_to_string(bench.log(session)).unwrap();
    let lines = log.lines().map(|line| serde_json::from_str(line).unwrap());
    lines.collect()
}

async fn typed(bench: &Bench, session: SessionId, at: usize, insert: &str) -> Reply {
    let (_, base) = bench.draft(session).await;
    let (remove, insert) = (0, insert.to_owned());
    let splices = vec![Splice { at, remove, insert }];
    let base = base.unwrap_or(0);
    let edit = Request::Edit {
        session,
        base,
        splices,
        late: false,
    };
    bench.client.ask(edit).await
}

fn is_delta(event: &Event) -> bool {
    matches!(event.kind, Kind::Delta { .. })
}

async fn heard_of(bench: &Bench, session: SessionId) -> Vec<Event> {
    events_until(&mut bench.follow(session), "the end", is_end).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_parent_streams_on_while_it_is_forked_and_each_word_comes_once() {
    let bench = Bench::new(&numbered(300, 3), "");
    let id = bench.new_session("One").await;
    let mut heard = bench.follow(id);
    bench.send(id, "Begin.").await;
    let mut all = events_until(&mut heard, "a word", is_delta).await;
    let mut variants = Vec::new();
    for n in 0..4 {
        variants.push(bench.fork(id, &format!("try {n}")).await);
        all.extend(events_until(&mut heard, "a word", is_delta).await);
    }
    all.extend(events_until(&mut heard, "the end", is_end).await);
    assert_eq!(words(&all), numbered_words(300));
    for variant in variants {
        let own = heard_of(&bench, variant).await;
        let begun = words(&own);
        assert!(numbered_words(300).starts_with(&begun) && begun.len() < words(&all).len());
        let end = own.last().unwrap();
        let Kind::TurnFinished { status, reason, .. } = &end.kind else {
            panic!("{end:?}");
        };
        assert_eq!(
            (*status, reason.as_deref()),
            (Status::Interrupted, Some("forked here"))
        );
        assert_eq!(row(&bench, variant).await.state, State::Interrupted);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_variant_has_its_folder_its_draft_and_its_row_at_once() {
    let bench = Bench::new(&json!({"steps": []}), "");
    let id = bench.new_session("Letter to the valley").await;
    let parent = bench.folder(id).await;
    std::fs::write(parent.join("draft.md"), "One.\n").unwrap();
    let variant = bench.fork(id, "  First\nperson ").await;
    let folder = bench.root().join("inbox/letter-to-the-valley~first-person");
    assert_eq!(draft_in(&folder), "One.\n");
    let mark = std::fs::read_to_string(folder.join(".session")).unwrap();
    assert_eq!(mark.trim(), variant.to_string());
    let row = row(&bench, variant).await;
    assert_eq!((row.title.as_str(), row.words), ("First person", 1));
    assert_eq!(row.kin.piece.as_deref(), Some("Letter to the valley"));
    assert_eq!(row.kin.parent.unwrap().session, id);
    assert_eq!(row.kin.family, Some(id));
    assert_eq!(
        (row.queued, row.asked.len(), row.state),
        (0, 0, State::Idle)
    );
    // One more of the same name, and one of none.
    let again = bench.fork(variant, "first person").await;
    let nameless = bench.fork(again, "").await;
    let folders = [again, nameless].map(|id| events(&bench, id));
    let named = |log: &[serde_json::Value]| {
        let mut forks = log.iter().filter(|e| e["kind"] == "forked");
        forks.next_back().unwrap()["folder"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert_eq!(
        named(&folders[0]),
        "inbox/letter-to-the-valley~first-person-2"
    );
    assert_eq!(named(&folders[1]), "inbox/letter-to-the-valley~variant");
    let title = async |id| crate::fork::row(&bench, id).await.title;
    assert_eq!(title(nameless).await, "variant");
    // Another one without a name is told apart by the number of its folder.
    let second = bench.fork(again, "").await;
    assert_eq!(title(second).await, "variant-2");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_typed_and_what_another_program_wrote_is_a_version_first() {
    let bench = Bench::new(&json!({"steps": []}), "");
    let id = bench.new_session("One").await;
    assert!(matches!(
        typed(&bench, id, 0, "Typed.").await,
        Reply::Edited { .. }
    ));
    let first = bench.fork(id, "a").await;
    assert_eq!(draft_in(&bench.folder(first).await), "Typed.");
    let folder = bench.folder(id).await;
    std::fs::write(folder.join("draft.md"), "From outside.").unwrap();
    let second = bench.fork(id, "b").await;
    assert_eq!(draft_in(&bench.folder(second).await), "From outside.");
    let log = events(&bench, second);
    let outside = log.iter().position(|e| e["by"] == "outside").unwrap();
    assert!(outside < log.iter().position(|e| e["kind"] == "forked").unwrap());
    // The session is closed, and its file was changed since.
    let bench = bench.restarted().await;
    std::fs::write(folder.join("draft.md"), "Changed in the night.").unwrap();
    let third = bench.fork(id, "c").await;
    assert_eq!(bench.draft(third).await.0, "Changed in the night.");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_variant_of_an_earlier_moment_has_the_draft_of_that_moment_with_what_was_typed() {
    let bench = Bench::new(&json!({"steps": []}), "");
    let id = bench.new_session("One").await;
    typed(&bench, id, 0, "One.").await;
    assert_eq!(
        bench.client.ask(Request::Settle { session: id }).await,
        Reply::Done
    );
    typed(&bench, id, 4, " Two.").await;
    let at = row(&bench, id).await;
    let newest = events(&bench, id).last().unwrap()["seq"].as_u64().unwrap();
    typed(&bench, id, 0, "Zero. ").await;
    assert_eq!(
        bench.client.ask(Request::Settle { session: id }).await,
        Reply::Done
    );
    let variant = forked(&bench, fork(id, Some(newest), "then", None)).await;
    assert_eq!(draft_in(&bench.folder(variant).await), "One. Two.");
    assert_eq!(bench.draft(id).await.0, "Zero. One. Two.");
    assert!(at.kin.parent.is_none());
    let refused = bench.client.ask(fork(id, Some(9_999), "never", None)).await;
    let Reply::Refused { why, .. } = refused else {
        panic!("{refused:?}");
    };
    assert!(why.contains("no event 9999"), "{why}");
    assert!(!bench.root().join("inbox/one~never").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_parent_that_waits_for_an_answer_goes_on_waiting_and_its_variant_does_not() {
    let script = json!({"steps": [
        {"delta": {"block": 0, "text": "before "}},
        {"asked": {"call": "c", "what": "Search"}},
        {"await_order": "answer"},
        {"delta": {"block": 0, "text": "after"}}]});
    let bench = Bench::new(&script, "");
    let id = bench.new_session("One").await;
    bench.send(id, "Begin.").await;
    bench.send(id, "Later.").await;
    let asks = |r: &Row| r.state == State::NeedsYou;
    bench.row(id, "the question", asks).await;
    let variant = bench.fork(id, "quiet").await;
    let there = row(&bench, variant).await;
    assert_eq!(
        (there.state, there.asked.len(), there.queued),
        (State::Interrupted, 0, 0)
    );
    assert_eq!(row(&bench, id).await.state, State::NeedsYou);
    let answer = Request::Answer {
        session: id,
        call: None,
        answer: Answer::Once,
    };
    assert_eq!(bench.client.ask(answer).await, Reply::Done);
    assert_eq!(words(&heard_of(&bench, id).await), "before after");
    assert_eq!(words(&heard_of(&bench, variant).await), "before ");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_in_the_archive_or_in_the_trash_is_forked_and_stays_there() {
    let bench = Bench::new(&json!({"steps": []}), "");
    let id = bench.new_session("One").await;
    typed(&bench, id, 0, "Words.").await;
    assert_eq!(bench.deed(id, Deed::Archive).await, Reply::Done);
    let first = bench.fork(id, "a").await;
    assert!(row(&bench, id).await.archived && !row(&bench, first).await.archived);
    assert_eq!(bench.deed(id, Deed::Trash).await, Reply::Done);
    let second = bench.fork(id, "b").await;
    let there = row(&bench, second).await;
    assert!(!there.trashed && !there.archived);
    assert!(row(&bench, id).await.trashed);
    for variant in [first, second] {
        assert_eq!(draft_in(&bench.folder(variant).await), "Words.");
        let undone = bench.deed(variant, Deed::Undo(Which::NEW)).await;
        assert!(matches!(undone, Reply::Refused { why, .. } if why.contains("nothing to undo")));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_is_done_with_a_variant_its_parents_files_stay_equal() {
    let write = |text: &str, base: u64| {
        json!({"tool_call": {"call": text, "name": "write_draft",
        "input": json!({"text": text, "base_version": base}).to_string()}})
    };
    let script = json!({"steps": [write("By the agent.", 0), {"await_order": "tool_result"},
        {"delta": {"block": 0, "text": "Done."}}]});
    let bench = Bench::new(&script, "");
    let id = bench.new_session("One").await;
    bench.turn(id, "Write.").await;
    let seen = bench.deed(id, Deed::Seen { upto: 99 }).await;
    assert_eq!(seen, Reply::Done);
    let variant = bench.fork(id, "other").await;
    let before = files_of(&bench, id).await;
    let (_, version) = bench.draft(variant).await;
    bench.play(&json!({"steps": [write("By the variant's.", version.unwrap()), {"await_order": "tool_result"}]}));
    bench.turn(variant, "Write otherwise.").await;
    assert_eq!(bench.draft(variant).await.0, "By the variant's.");
    typed(&bench, variant, 0, "Typed. ").await;
    std::fs::write(bench.folder(variant).await.join("draft.md"), "Outside.").unwrap();
    for deed in [
        Deed::Rename {
            title: "else".into(),
        },
        Deed::Tag {
            add: vec!["x".into()],
            remove: vec![],
        },
        Deed::Undo(Which::NEW),
        Deed::Archive,
        Deed::Trash,
    ] {
        bench.deed(variant, deed).await;
    }
    assert_eq!(files_of(&bench, id).await, before);
    let bench = bench.restarted().await;
    assert_eq!(bench.draft(id).await.0, "By the agent.");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_agent_of_a_variant_gets_the_shared_history_and_resumes_nothing_of_the_parents() {
    let script = json!({"steps": [
        {"started": {"agent_session": "of-the-parent"}},
        {"delta": {"block": 0, "text": "heard {history}"}}]});
    let bench = Bench::new(&script, "");
    let id = bench.new_session("One").await;
    bench.turn(id, "First.").await;
    let shared = events(&bench, id).last().unwrap()["seq"].as_u64().unwrap();
    bench.turn(id, "Second.").await;
    let made = forked(&bench, fork(id, Some(shared), "", Some("Instead."))).await;
    let second_end = |e: &Event| matches!(e.kind, Kind::TurnFinished { turn: 2, .. });
    let heard = events_until(&mut bench.follow(made), "the end", second_end).await;
    assert_eq!(words(&heard), "heard 0heard 2");
    let started = heard.iter().rev().find_map(|e| match &e.kind {
        Kind::TurnStarted {
            agent_session,
            resume,
            ..
        } => Some((agent_session.clone(), *resume)),
        _ => None,
    });
    assert_eq!(started, Some((None, false)));
    let there = row(&bench, made).await;
    assert_eq!((there.title.as_str(), there.turns), ("Instead.", 2));
    // Its second turn is its own agent's again.
    let heard = bench.turn(made, "More.").await;
    let started = heard.iter().rev().find_map(|e| match &e.kind {
        Kind::TurnStarted { resume, .. } => Some(*resume),
        _ => None,
    });
    assert_eq!(started, Some(true));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cut_turn_is_part_of_what_the_variants_agent_hears_and_can_be_gone_on_with() {
    let bench = Bench::new(
        &json!({"steps": [{"delta": {"block": 0, "text": "Half a "}}, {"hang": true}]}),
        "",
    );
    let id = bench.new_session("One").await;
    bench.send(id, "Begin.").await;
    events_until(&mut bench.follow(id), "a word", is_delta).await;
    let variant = bench.fork(id, "v").await;
    bench.play(&json!({"steps": [{"delta": {"block": 0, "text": "{history}: {prompt}"}}]}));
    let again = bench.client.ask(Request::Again { session: variant }).await;
    assert!(
        matches!(again, Reply::Accepted { turn: Some(2), .. }),
        "{again:?}"
    );
    let second_end = |e: &Event| matches!(e.kind, Kind::TurnFinished { turn: 2, .. });
    let heard = events_until(&mut bench.follow(variant), "the end", second_end).await;
    assert!(words(&heard).starts_with("Half a 2: "), "{}", words(&heard));
    assert_eq!(row(&bench, id).await.state, State::Writing);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_damaged_parent_there_is_a_variant_that_says_what_it_lacks() {
    let bench = Bench::new(
        &json!({"steps": [{"delta": {"block": 0, "text": "Words."}}]}),
        "",
    );
    let id = bench.new_session("One").await;
    bench.turn(id, "Begin.").await;
    bench.host.close(true).await;
    // Two programs wrote different events under one number: the parent can only be read.
    let log = std::fs::read_to_string(bench.log(id)).unwrap();
    let last = log.lines().last().unwrap();
    let other = last.replace("\"ok\"", "\"failed\"");
    std::fs::write(bench.log(id), format!("{log}{other}\n")).unwrap();
    let bench = bench.restarted().await;
    let damaged = files_of(&bench, id).await;
    let made = bench.client.ask(fork(id, None, "v", None)).await;
    let Reply::Lacking { session, said } = made else {
        panic!("{made:?}")
    };
    assert!(
        said.join(" ").contains("1 line of a second writer"),
        "{said:?}"
    );
    let variant = session;
    assert_eq!(files_of(&bench, id).await, damaged);
    let log = events(&bench, variant);
    let said = log.iter().find(|e| e["kind"] == "recovered").unwrap();
    assert_eq!(said["damage"][0]["why"], "conflict");
    let heard = bench.turn(variant, "Go on.").await;
    assert_eq!(words(&heard), "Words.Words.");
    assert_eq!(row(&bench, variant).await.trouble, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_of_a_variant_that_never_came_to_be_is_taken_away_by_the_next_host() {
    let bench = Bench::new(&json!({"steps": []}), "");
    let id = bench.new_session("One").await;
    let left = bench.root().join("inbox/one~left");
    std::fs::create_dir(&left).unwrap();
    std::fs::write(
        left.join(".session"),
        format!("{}\n", SessionId::new(uuid::Uuid::from_u128(7))),
    )
    .unwrap();
    aged(&left);
    let variant = bench.fork(id, "kept").await;
    let bench = bench.restarted().await;
    // All rows are there when the host has looked around.
    bench.row(variant, "its row", |_| true).await;
    let gone = async {
        while left.exists() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), gone)
        .await
        .expect("it stays");
    assert!(bench.root().join("inbox/one~kept").is_dir());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fork_made_while_the_parent_is_still_writing_stands_for_itself() {
    let part = |name: &str, n: u64| {
        json!({"steps": [{"each": {"n": n, "ms": 4,
        "step": {"delta": {"block": 0, "text": format!("{name}{{i}} ")}}}}]})
    };
    let said = |name: &str, n: u64| (1..=n).map(|i| format!("{name}{i} ")).collect::<String>();
    let bench = Bench::new(
        &json!({"steps": [{"delta": {"block": 0, "text": "Answer."}}]}),
        "",
    );
    let id = bench.new_session("Harbour essay").await;
    bench.turn(id, "Prompt 1.").await;
    let ninth = bench.turn(id, "Prompt 2.").await.last().unwrap().seq;
    bench.turn(id, "Prompt 3.").await;
    let before = bench.log(id);
    let prefix = std::fs::read(&before).unwrap();
    let bench = bench.restarted().await;
    bench.play(&part("P", 200));
    let mut heard = bench.client.attach(Scope::Session {
        session: id,
        after: After::Tail(0),
    });
    while !matches!(next(&mut heard, "live").await, Notice::Live) {}
    bench.send(id, "Go on.").await;
    let p50 = |e: &Event| matches!(&e.kind, Kind::Delta { text, .. } if text.shown() == "P50 ");
    let mut all = events_until(&mut heard, "P50", p50).await;
    bench.play(&part("F", 100));
    let made = forked(&bench, fork(id, Some(ninth), "fork", Some("Otherwise."))).await;
    let grandchild = bench.fork(made, "fork of the fork").await;
    all.extend(events_until(&mut heard, "the end", is_end).await);
    assert_eq!(words(&all), said("P", 200));
    let own_end = |e: &Event| matches!(e.kind, Kind::TurnFinished { turn: 3, .. });
    let own = events_until(&mut bench.follow(made), "the end", own_end).await;
    assert_eq!(words(&own), format!("Answer.Answer.{}", said("F", 100)));
    assert!(std::fs::read(bench.log(id)).unwrap().starts_with(&prefix));
    assert_eq!(bench.deed(id, Deed::Trash).await, Reply::Done);
    let bench = bench.restarted().await;
    for session in [made, grandchild] {
        let heard = bench.turn(session, "And on.").await;
        assert!(
            words(&heard).starts_with("Answer.Answer."),
            "{}",
            words(&heard)
        );
        assert_eq!(row(&bench, session).await.trouble, None);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn versions_of_a_variant_are_named_by_who_made_them_in_the_parent_too() {
    let bench = Bench::new(&json!({"steps": []}), "");
    let id = bench.new_session("One").await;
    typed(&bench, id, 0, "One.").await;
    let variant = bench.fork(id, "v").await;
    typed(&bench, variant, 4, " Two.").await;
    assert_eq!(
        bench.client.ask(Request::Settle { session: variant }).await,
        Reply::Done
    );
    let Reply::Versions { versions } = bench
        .client
        .ask(Request::Versions { session: variant })
        .await
    else {
        panic!("no versions");
    };
    let by: Vec<By> = versions.iter().map(|v| v.by.clone()).collect();
    assert_eq!(by, [By::You, By::You]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fork_has_what_was_typed_in_the_moment_before_it_and_nothing_is_made_for_an_empty_prompt()
{
    for _ in 0..10 {
        let bench = Bench::new(&numbered(1, 0), "");
        let parent = bench.new_session("Piece").await;
        // Opened by the edit alone.
        let bench = bench.restarted().await;
        let edit = Request::Edit {
            session: parent,
            base: 0,
            splices: vec![Splice {
                at: 0,
                remove: 0,
                insert: "The last words.".to_owned(),
            }],
            late: false,
        };
        let (typed, made) = tokio::join!(
            bench.client.ask(edit),
            forked(&bench, fork(parent, None, "variant", None))
        );
        assert!(matches!(typed, Reply::Edited { .. }), "{typed:?}");
        assert_eq!(bench.draft(made).await.0, "The last words.");
    }
    let bench = Bench::new(&numbered(1, 0), "");
    let parent = bench.new_session("Piece").await;
    let logs = || {
        let sessions = bench.root().join(".fascicle/sessions/inbox");
        std::fs::read_dir(sessions).unwrap().count()
    };
    let before = logs();
    let refused = bench.client.ask(fork(parent, None, "", Some(" \n"))).await;
    assert!(matches!(&refused, Reply::Refused { why, .. } if why.contains("empty")));
    assert_eq!(logs(), before);
}

#[tokio::test]
async fn a_host_that_begins_puts_a_draft_where_the_last_one_died_before_it_was_there() {
    let bench = Bench::new(&json!([]), "");
    let parent = bench.new_session("Letter").await;
    assert!(matches!(
        typed(&bench, parent, 0, "Words.").await,
        Reply::Edited { .. }
    ));
    let variant = forked(&bench, fork(parent, None, "one", None)).await;
    let file = bench.folder(variant).await.join("draft.md");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "Words.");
    bench.host.close(true).await;
    std::fs::remove_file(&file).unwrap();
    let bench = bench.restarted().await;
    let put_back = async {
        while !file.exists() {
            tokio::task::yield_now().await;
        }
    };
    let soon = Duration::from_secs(20);
    tokio::time::timeout(soon, put_back).await.unwrap();
    drop(bench);
}

#[tokio::test]
async fn a_second_variant_of_one_name_gets_a_number_so_that_each_name_means_one() {
    let bench = Bench::new(&json!([]), "");
    let parent = bench.new_session("Letter").await;
    let mut titles = Vec::new();
    for title in ["warmer", "Warmer", "warmer", "other"] {
        let variant = forked(&bench, fork(parent, None, title, None)).await;
        titles.push(row(&bench, variant).await.title);
    }
    assert_eq!(titles, ["warmer", "Warmer 2", "warmer 3", "other"]);
}
