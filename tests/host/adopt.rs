//! Adoption: who is the main line, where the folders are, and what is left by a crash in the middle of it.

use std::path::{Path, PathBuf};

use fascicle::domain::ask::{Busy, Deed, DrawerDeed, Reply, Request, Which};
use fascicle::domain::kin::{Member, main_line};
use fascicle::domain::{Notice, Row, Scope, SessionId, Splice, State};
use serde_json::{Value, json};

use crate::bench::{Bench, next, numbered, words};

fn is_done(reply: &Reply) -> bool {
    *reply == Reply::Done
}

fn why(reply: Reply) -> String {
    match reply {
        Reply::Refused { why, hint } => format!("{why} {}", hint.unwrap_or_default()),
        other => panic!("{other:?}"),
    }
}

async fn write(bench: &Bench, session: SessionId, words: &str) {
    let (text, base) = bench.draft(session).await;
    let splices = vec![Splice {
        at: 0,
        remove: text.len(),
        insert: words.to_owned(),
    }];
    let base = base.unwrap_or(0);
    let edit = Request::Edit {
        session,
        base,
        splices,
        late: false,
    };
    let reply = bench.client.ask(edit).await;
    assert!(matches!(reply, Reply::Edited { .. }), "{reply:?}");
    assert!(is_done(
        &bench.client.ask(Request::Settle { session }).await
    ));
}

/// A piece and its variants, each with its name as its draft.
async fn family(bench: &Bench, variants: &[&str]) -> Vec<SessionId> {
    let first = bench.new_session("Piece").await;
    write(bench, first, "Piece").await;
    let mut all = vec![first];
    for name in variants {
        let session = bench.fork(first, name).await;
        write(bench, session, name).await;
        all.push(session);
    }
    all
}

async fn adopt(bench: &Bench, session: SessionId, busy: Busy) -> Reply {
    bench.client.ask(Request::Adopt { session, busy }).await
}

async fn adopted(bench: &Bench, session: SessionId) {
    let reply = adopt(bench, session, Busy::Ask).await;
    assert!(is_done(&reply), "{reply:?}");
}

async fn row(bench: &Bench, session: SessionId) -> Row {
    bench.row(session, "its row", |_| true).await
}

async fn main_of(bench: &Bench, family: &[SessionId]) -> SessionId {
    let mut rows = Vec::new();
    for id in family {
        rows.push(row(bench, *id).await);
    }
    let members = rows.iter().map(|r| Member {
        id: r.id,
        kin: &r.kin,
        trashed: r.trashed,
    });
    main_line(members).unwrap()
}

fn draft_at(bench: &Bench, folder: &str) -> String {
    std::fs::read_to_string(bench.root().join(folder).join("draft.md")).unwrap()
}

async fn folder(bench: &Bench, session: SessionId) -> String {
    row(bench, session).await.folder
}

fn lines(log: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(log).unwrap();
    text.lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect()
}

fn kinds(bench: &Bench, session: SessionId, kind: &str) -> Vec<Value> {
    let all = lines(&bench.log(session)).into_iter();
    all.filter(|e| e["kind"] == kind).collect()
}

/// Waits until a note with these words is in a log.
async fn noted(bench: &Bench, session: SessionId, words: &str) {
    let mut heard = bench.follow(session);
    loop {
        if let Notice::Event(event) = next(&mut heard, words).await
            && let fascicle::domain::Kind::Note { text, .. } = &event.kind
            && text.contains(words)
        {
            return;
        }
    }
}

/// Adds an event to the log of a session that nobody has open.
fn append(log: &Path, mut event: Value) {
    use std::io::Write;
    let seq = lines(log).len();
    let rest = event.as_object_mut().unwrap();
    let kind = rest.remove("kind").unwrap();
    let rest: String = rest
        .iter()
        .map(|(key, value)| [",\"", key, "\":", &value.to_string()].concat())
        .collect();
    let line = format!("{{\"v\":1,\"seq\":{seq},\"ts\":1800000000000,\"kind\":{kind}{rest}}}");
    let mut file = std::fs::OpenOptions::new().append(true).open(log).unwrap();
    writeln!(file, "{line}").unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_variant_becomes_the_main_line_with_the_name_of_the_folder_and_an_undo_gives_both_back() {
    let bench = Bench::new(&numbered(1, 0), "");
    let all = family(&bench, &["first"]).await;
    let [main, variant] = [all[0], all[1]];
    let names = (folder(&bench, main).await, folder(&bench, variant).await);
    assert_eq!(main_of(&bench, &all).await, main);
    adopted(&bench, variant).await;
    assert_eq!(main_of(&bench, &all).await, variant);
    let now = (folder(&bench, variant).await, folder(&bench, main).await);
    let original = "inbox/piece~original";
    assert_eq!(now, (names.0.clone(), original.to_owned()));
    assert_eq!(draft_at(&bench, &names.0), "first");
    assert_eq!(draft_at(&bench, original), "Piece");
    let line = &kinds(&bench, variant, "adopted")[0];
    assert_eq!(
        (&line["main"], &line["was"], &line["n"], &line["family"]),
        (&json!(variant), &json!(main), &json!(1), &json!(main))
    );
    assert_eq!(
        (&line["folder"], &line["other"]),
        (&json!(names.0), &json!(names.1))
    );
    assert!(why(adopt(&bench, variant, Busy::Ask).await).contains("already"));
    write(&bench, variant, "first, and more").await;
    assert_eq!(draft_at(&bench, &names.0), "first, and more");

    let bench = bench.restarted().await;
    // The newest deed is the writing; that is not undone by a deed of the list.
    let undo = |id| bench.deed(id, Deed::Undo(Which::NEW));
    assert!(is_done(&undo(variant).await));
    assert_eq!(main_of(&bench, &all).await, main);
    assert_eq!(draft_at(&bench, &names.0), "Piece");
    assert_eq!(draft_at(&bench, &names.1), "first, and more");
    let back = &kinds(&bench, main, "adopted")[0];
    assert_eq!((&back["n"], &back["undoes"]), (&json!(2), &line["seq"]));
    assert_eq!(kinds(&bench, variant, "undone")[0]["deed"], line["seq"]);
    // What an undo did is no deed.
    assert!(why(undo(main).await).contains("nothing to undo"));
}

#[tokio::test(flavor = "multi_thread")]
async fn however_often_another_is_adopted_each_has_the_name_that_is_its_own() {
    let bench = Bench::new(&numbered(1, 0), "");
    let all = family(&bench, &["first", "second"]).await;
    let own = ["inbox/piece~original", "inbox/piece~first", "inbox/mine"];
    // One that the writer gave by hand is its own as well.
    let hand = bench.root().join("inbox/mine");
    std::fs::rename(bench.root().join(folder(&bench, all[2]).await), hand).unwrap();
    for main in [2, 1, 2, 0, 1, 0] {
        adopted(&bench, all[main]).await;
        assert_eq!(folder(&bench, all[main]).await, "inbox/piece");
        for other in (0..3).filter(|n| *n != main) {
            assert_eq!(folder(&bench, all[other]).await, own[other]);
        }
        whole(&bench, &all).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn undos_go_back_through_the_family_step_by_step() {
    let bench = Bench::new(&numbered(1, 0), "");
    let all = family(&bench, &["first", "second"]).await;
    let name = folder(&bench, all[0]).await;
    adopted(&bench, all[1]).await;
    adopted(&bench, all[2]).await;
    assert!(
        why(bench.deed(all[1], Deed::Undo(Which::NEW)).await)
            .contains("“second” has become the main line since. Undo that first, on “second”.")
    );
    assert!(is_done(&bench.deed(all[2], Deed::Undo(Which::NEW)).await));
    assert_eq!(main_of(&bench, &all).await, all[1]);
    assert!(is_done(&bench.deed(all[1], Deed::Undo(Which::NEW)).await));
    assert_eq!(main_of(&bench, &all).await, all[0]);
    assert_eq!(draft_at(&bench, &name), "Piece");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_undo_gives_the_variant_back_to_the_collection_from_which_it_was_adopted() {
    let bench = Bench::new(&numbered(1, 0), "");
    let all = family(&bench, &["first"]).await;
    let title = "Two".to_owned();
    let two = match bench.client.ask(Request::NewCollection { title }).await {
        Reply::Collection { collection } => collection,
        other => panic!("{other:?}"),
    };
    let deed = DrawerDeed::Move {
        session: all[1],
        to: two.clone(),
        alone: true,
        busy: Busy::Ask,
    };
    bench.client.ask(Request::Drawer { deed }).await;
    assert_eq!(folder(&bench, all[1]).await, "two/piece~first");
    for _ in 0..2 {
        adopted(&bench, all[1]).await;
        assert_eq!(folder(&bench, all[1]).await, "inbox/piece");
        assert_eq!(folder(&bench, all[0]).await, "inbox/piece~original");
        assert!(is_done(&bench.deed(all[1], Deed::Undo(Which::NEW)).await));
        let back = row(&bench, all[1]).await;
        assert_eq!(back.folder, "two/piece~first");
        assert_eq!(back.collection, two);
        assert_eq!(folder(&bench, all[0]).await, "inbox/piece");
    }
    // The move is undone next.
    assert!(is_done(&bench.deed(all[1], Deed::Undo(Which::NEW)).await));
    assert_eq!(folder(&bench, all[1]).await, "inbox/piece~first");
    whole(&bench, &all).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_undo_that_finds_the_old_place_taken_says_so_and_the_next_one_is_true() {
    let bench = Bench::new(&numbered(1, 0), "");
    let all = family(&bench, &["first"]).await;
    let title = "Two".to_owned();
    let reply = bench.client.ask(Request::NewCollection { title }).await;
    let Reply::Collection { collection: to } = reply else {
        panic!("{reply:?}");
    };
    let deed = DrawerDeed::Move {
        session: all[1],
        to: to.clone(),
        alone: true,
        busy: Busy::Ask,
    };
    bench.client.ask(Request::Drawer { deed }).await;
    adopted(&bench, all[1]).await;
    let taken = bench.root().join("two/piece~first");
    std::fs::create_dir(&taken).unwrap();
    let (session, deed) = (all[1], Deed::Undo(Which::NEW));
    let undone = match bench.client.ask(Request::Do { session, deed }).await {
        Reply::Undone(undone) => undone,
        other => panic!("{other:?}"),
    };
    let said = undone.said.unwrap();
    let words = "“first” is two/piece~first-2: two/piece~first, where it was, is taken by something else by now.";
    assert!(said.contains(words), "{said}");
    let back = row(&bench, all[1]).await;
    assert_eq!(
        (back.folder.as_str(), back.collection),
        ("two/piece~first-2", to)
    );
    assert_eq!(folder(&bench, all[0]).await, "inbox/piece");
    noted(&bench, all[1], words).await;
    // The move is undone next, from where it was moved to.
    assert!(is_done(&bench.deed(all[1], Deed::Undo(Which::NEW)).await));
    assert_eq!(folder(&bench, all[1]).await, "inbox/piece~first");
    whole(&bench, &all).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_older_adoption_is_not_undone_behind_one_that_has_the_same_end() {
    let bench = Bench::new(&numbered(1, 0), "");
    let all = family(&bench, &["first"]).await;
    adopted(&bench, all[1]).await;
    adopted(&bench, all[0]).await;
    let before = lines(&bench.log(all[1])).len();
    let said = why(bench.deed(all[1], Deed::Undo(Which::NEW)).await);
    assert!(
        said.contains("“Piece” is the main line already") && said.contains("Undo that first"),
        "{said}"
    );
    assert_eq!(lines(&bench.log(all[1])).len(), before, "nothing was done");
    for main in [1, 0] {
        let from = all[1 - main];
        assert!(is_done(&bench.deed(from, Deed::Undo(Which::NEW)).await));
        assert_eq!(main_of(&bench, &all).await, all[main]);
    }
    whole(&bench, &all).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_alone_and_the_main_line_are_refused_and_nothing_is_written() {
    let bench = Bench::new(&numbered(1, 0), "");
    let alone = bench.new_session("Alone").await;
    let all = family(&bench, &["first"]).await;
    let before = lines(&bench.log(all[0])).len();
    assert!(why(adopt(&bench, alone, Busy::Ask).await).contains("no variants"));
    assert!(why(adopt(&bench, all[0], Busy::Ask).await).contains("already"));
    assert_eq!(lines(&bench.log(all[0])).len(), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_that_runs_is_asked_about_waited_for_or_stopped() {
    let bench = Bench::new(&numbered(100_000, 3), "");
    let all = family(&bench, &["first"]).await;
    for running in [all[0], all[1]] {
        bench.send(running, "Begin.").await;
        bench
            .row(running, "writing", |r| r.state == State::Writing)
            .await;
        let busy = adopt(&bench, all[1], Busy::Ask).await;
        assert_eq!(
            busy,
            Reply::Busy {
                sessions: vec![running],
                waits: false
            }
        );
        assert!(kinds(&bench, all[1], "adopted").is_empty());
        let stop = Request::Stop { session: running };
        assert!(is_done(&bench.client.ask(stop).await));
        bench
            .row(running, "stopped", |r| r.state == State::Interrupted)
            .await;
    }
    bench.send(all[0], "Again.").await;
    bench
        .row(all[0], "writing", |r| r.state == State::Writing)
        .await;
    assert!(is_done(&adopt(&bench, all[1], Busy::Stop).await));
    assert_eq!(row(&bench, all[0]).await.state, State::Interrupted);
    assert_eq!(main_of(&bench, &all).await, all[1]);
    bench.send(all[1], "More.").await;
    bench
        .row(all[1], "writing", |r| r.state == State::Writing)
        .await;
    assert!(why(bench.deed(all[1], Deed::Undo(Which::NEW)).await).contains("A turn runs"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_waits_for_a_turn_is_done_though_its_window_leaves_and_holds_up_nobody() {
    let script = json!({"steps": [{"asked": {"call": "c", "what": "Look?", "input": "{}"}}, {"await_order": "answer"}]});
    let bench = Bench::new(&script, "");
    let all = family(&bench, &["first"]).await;
    bench.send(all[1], "Begin.").await;
    bench
        .row(all[1], "asking", |r| r.state == State::NeedsYou)
        .await;
    let window = fascicle::client::Client::new(bench.host.clone());
    let (session, busy) = (all[1], Busy::Wait);
    let asking = tokio::spawn(async move { window.ask(Request::Adopt { session, busy }).await });
    noted(&bench, all[1], "becomes the main line when its turn ends").await;
    asking.abort();
    assert!(kinds(&bench, all[1], "adopted").is_empty());
    let answer = Request::Answer {
        session: all[1],
        call: None,
        answer: fascicle::domain::event::Answer::Once,
    };
    assert!(is_done(&bench.client.ask(answer).await));
    let is_main = |r: &Row| r.kin.adopted == Some(1) && r.kin.exchange.is_none();
    bench.row(all[1], "the main line", is_main).await;
}

/// A family of three whose first variant asks something, and is to become the main line when it has its answer.
async fn waiting(bench: &Bench) -> Vec<SessionId> {
    let all = family(bench, &["first", "second"]).await;
    bench.send(all[1], "Begin.").await;
    bench
        .row(all[1], "asking", |r| r.state == State::NeedsYou)
        .await;
    let client = bench.client.clone();
    let (session, busy) = (all[1], Busy::Wait);
    tokio::spawn(async move { client.ask(Request::Adopt { session, busy }).await });
    noted(bench, all[1], "becomes the main line when its turn ends").await;
    all
}

async fn answered(bench: &Bench, session: SessionId) {
    let answer = Request::Answer {
        session,
        call: None,
        answer: fascicle::domain::event::Answer::Once,
    };
    assert!(is_done(&bench.client.ask(answer).await));
    bench
        .row(session, "its turn ended", |r| {
            !matches!(r.state, State::NeedsYou | State::Writing)
        })
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_waits_to_be_adopted_can_be_called_off() {
    let script = json!({"steps": [{"asked": {"call": "c", "what": "Look?", "input": "{}"}}, {"await_order": "answer"}]});
    let bench = Bench::new(&script, "");
    let all = waiting(&bench).await;
    let again = adopt(&bench, all[1], Busy::Ask).await;
    let sessions = vec![all[1]];
    assert_eq!(
        again,
        Reply::Busy {
            sessions,
            waits: true
        }
    );
    assert!(is_done(&adopt(&bench, all[1], Busy::CallOff).await));
    noted(&bench, all[1], "main line: It was called off.").await;
    let none = why(adopt(&bench, all[1], Busy::CallOff).await);
    assert!(none.contains("No adoption of it waits"), "{none}");
    answered(&bench, all[1]).await;
    assert!(kinds(&bench, all[1], "adopted").is_empty());
    assert_eq!(main_of(&bench, &all).await, all[0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_stopped_for_an_adoption_that_waited_already_is_no_refusal() {
    let script = json!({"steps": [{"asked": {"call": "c", "what": "Look?", "input": "{}"}}, {"await_order": "answer"}]});
    let bench = Bench::new(&script, "");
    let all = waiting(&bench).await;
    assert!(is_done(&adopt(&bench, all[1], Busy::Stop).await));
    assert_eq!(main_of(&bench, &all).await, all[1]);
    assert_eq!(kinds(&bench, all[1], "adopted").len(), 1);
    assert!(why(adopt(&bench, all[1], Busy::Stop).await).contains("main line already"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_waits_to_be_adopted_is_called_off_when_another_one_is() {
    let script = json!({"steps": [{"asked": {"call": "c", "what": "Look?", "input": "{}"}}, {"await_order": "answer"}]});
    let bench = Bench::new(&script, "");
    let all = waiting(&bench).await;
    assert!(is_done(&adopt(&bench, all[2], Busy::Ask).await));
    noted(&bench, all[1], "Another one was adopted meanwhile.").await;
    answered(&bench, all[1]).await;
    assert!(kinds(&bench, all[1], "adopted").is_empty());
    assert_eq!(main_of(&bench, &all).await, all[2]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_that_ends_calls_off_what_waits_and_says_so() {
    let script = json!({"steps": [{"asked": {"call": "c", "what": "Look?", "input": "{}"}}, {"await_order": "answer"}]});
    let bench = Bench::new(&script, "");
    let all = family(&bench, &["first"]).await;
    bench.send(all[0], "Begin.").await;
    bench
        .row(all[0], "asking", |r| r.state == State::NeedsYou)
        .await;
    let client = bench.client.clone();
    let (session, busy) = (all[1], Busy::Wait);
    let asking = tokio::spawn(async move { client.ask(Request::Adopt { session, busy }).await });
    noted(&bench, all[1], "when the turn of “Piece” ends").await;
    let bench = bench.restarted().await;
    let said = why(asking.await.unwrap());
    assert!(said.contains("ending"), "{said}");
    assert!(kinds(&bench, all[1], "adopted").is_empty());
    assert_eq!(main_of(&bench, &all).await, all[0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_windows_that_adopt_at_once_do_it_one_after_the_other() {
    let bench = Bench::new(&numbered(1, 0), "");
    let all = family(&bench, &["first", "second"]).await;
    let name = folder(&bench, all[0]).await;
    let [one, other] = [all[1], all[2]].map(|session| {
        let window = fascicle::client::Client::new(bench.host.clone());
        let busy = Busy::Ask;
        async move { window.ask(Request::Adopt { session, busy }).await }
    });
    let (one, other) = tokio::join!(one, other);
    assert!(is_done(&one) && is_done(&other), "{one:?} {other:?}");
    let main = main_of(&bench, &all).await;
    let title = row(&bench, main).await.title;
    assert_eq!(folder(&bench, main).await, name);
    assert_eq!(draft_at(&bench, &name), title);
    whole(&bench, &all).await;
}

/// Every session out of the trash has its own folder and its own draft; one is the main line; every log can be read.
async fn whole(bench: &Bench, all: &[SessionId]) {
    let mut folders = std::collections::BTreeSet::new();
    for id in all {
        let row = row(bench, *id).await;
        if row.trashed {
            continue;
        }
        assert!(row.kin.exchange.is_none(), "{row:?}");
        let mark = std::fs::read_to_string(bench.root().join(&row.folder).join(".session"));
        assert_eq!(mark.unwrap().trim(), id.to_string(), "{}", row.folder);
        assert_eq!(draft_at(bench, &row.folder), row.title);
        assert!(folders.insert(row.folder));
        lines(&bench.log(*id));
    }
    let shown = std::fs::read_dir(bench.root().join("inbox")).unwrap();
    let names = shown.map(|e| format!("inbox/{}", e.unwrap().file_name().display()));
    let left: Vec<String> = names.filter(|name| !folders.contains(name)).collect();
    assert!(left.is_empty(), "{left:?}");
    main_of(bench, all).await;
}

/// The moments in which a host can die in the middle of an adoption.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Died {
    BehindTheLine,
    WithOneAside,
    WithOneAsideAndTheOtherInItsPlace,
    BehindTheExchange,
    BehindTheOwnName,
    BehindTheFirstLog,
}

/// What stands on disk then: the line, the folders as far as they came, the logs as far as they came.
fn leave(
    bench: &Bench,
    died: Died,
    (main, to): (SessionId, &str),
    (was, at, own): (SessionId, &str, &str),
) {
    let path = |at: &str| bench.root().join(at);
    let aside = path(to).with_file_name(format!(".swap-{main}"));
    let rename = |from: PathBuf, to: PathBuf| std::fs::rename(from, to).unwrap();
    if died == Died::BehindTheLine {
        return;
    }
    rename(path(at), aside.clone());
    if died == Died::WithOneAside {
        return;
    }
    rename(path(to), path(at));
    if died == Died::WithOneAsideAndTheOtherInItsPlace {
        return;
    }
    rename(aside, path(to));
    if died == Died::BehindTheExchange {
        return;
    }
    rename(path(at), path(own));
    if died == Died::BehindTheFirstLog {
        append(
            &bench.log(was),
            json!({"kind": "moved", "collection": "inbox", "folder": own}),
        );
    }
}

const MOMENTS: [Died; 6] = [
    Died::BehindTheLine,
    Died::WithOneAside,
    Died::WithOneAsideAndTheOtherInItsPlace,
    Died::BehindTheExchange,
    Died::BehindTheOwnName,
    Died::BehindTheFirstLog,
];

#[tokio::test(flavor = "multi_thread")]
async fn an_adoption_that_broke_off_is_finished_by_the_next_host_and_said() {
    for died in MOMENTS {
        let bench = Bench::new(&numbered(1, 0), "");
        let all = family(&bench, &["first"]).await;
        let [main, variant] = [all[0], all[1]];
        let (to, at) = (folder(&bench, main).await, folder(&bench, variant).await);
        bench.host.close(true).await;
        append(
            &bench.log(variant),
            json!({
                "kind": "adopted", "family": main, "main": variant, "was": main, "n": 1, "folder": to, "other": at,
            }),
        );
        let own = "inbox/piece~original";
        leave(&bench, died, (variant, &to), (main, &at, own));
        let bench = bench.restarted().await;
        noted(&bench, variant, "broken off is finished").await;
        bench
            .row(variant, "its end", |r| r.kin.exchange.is_none())
            .await;
        assert_eq!(main_of(&bench, &all).await, variant, "{died:?}");
        assert_eq!(folder(&bench, variant).await, to, "{died:?}");
        assert_eq!(folder(&bench, main).await, own, "{died:?}");
        whole(&bench, &all).await;
        assert!(is_done(&bench.deed(variant, Deed::Undo(Which::NEW)).await));
        assert_eq!(main_of(&bench, &all).await, main, "{died:?}");
        assert_eq!(folder(&bench, variant).await, at, "{died:?}");
        whole(&bench, &all).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_undo_that_broke_off_is_finished_and_is_not_undone_twice() {
    for died in MOMENTS {
        let bench = Bench::new(&numbered(1, 0), "");
        let all = family(&bench, &["first"]).await;
        let [main, variant] = [all[0], all[1]];
        adopted(&bench, variant).await;
        let (to, at) = (folder(&bench, variant).await, folder(&bench, main).await);
        let deed = kinds(&bench, variant, "adopted")[0]["seq"].clone();
        bench.host.close(true).await;
        append(
            &bench.log(main),
            json!({
                "kind": "adopted", "family": main, "main": main, "was": variant, "n": 2, "folder": to, "other": at,
                "undoes": deed,
            }),
        );
        let own = "inbox/piece~first";
        leave(&bench, died, (main, &to), (variant, &at, own));
        let bench = bench.restarted().await;
        noted(&bench, main, "broken off is finished").await;
        bench
            .row(main, "its end", |r| r.kin.exchange.is_none())
            .await;
        assert_eq!(main_of(&bench, &all).await, main, "{died:?}");
        whole(&bench, &all).await;
        assert_eq!(kinds(&bench, variant, "undone").len(), 1, "{died:?}");
        let again = bench.deed(variant, Deed::Undo(Which::NEW)).await;
        assert_eq!(main_of(&bench, &all).await, main, "{died:?}: {again:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_next_one_is_the_main_line_while_it_is_in_the_trash_and_its_name_may_be_taken() {
    let bench = Bench::new(&numbered(1, 0), "");
    let all = family(&bench, &["first", "second"]).await;
    let name = folder(&bench, all[0]).await;
    assert!(is_done(&bench.deed(all[0], Deed::Trash).await));
    assert_eq!(main_of(&bench, &all).await, all[1]);
    // It is the main line only because the other one is in the trash: it can be made it for good.
    adopted(&bench, all[1]).await;
    assert_eq!(folder(&bench, all[1]).await, name);
    assert!(why(bench.deed(all[1], Deed::Undo(Which::NEW)).await).contains("in the trash"));
    assert!(is_done(&bench.deed(all[0], Deed::Restore).await));
    assert_eq!(main_of(&bench, &all).await, all[1]);
    let back = bench
        .row(all[0], "its new name", |r| r.folder != name)
        .await;
    assert_eq!(back.folder, format!("{name}~original"));
    whole(&bench, &all).await;
    assert!(is_done(&bench.deed(all[1], Deed::Undo(Which::NEW)).await));
    assert_eq!(main_of(&bench, &all).await, all[0]);
    assert_eq!(folder(&bench, all[0]).await, name);
    whole(&bench, &all).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_family_whose_first_log_is_gone_gets_its_name_back() {
    let bench = Bench::new(&numbered(1, 0), "");
    let all = family(&bench, &["first"]).await;
    let name = folder(&bench, all[0]).await;
    bench.host.close(true).await;
    std::fs::remove_file(bench.log(all[0])).unwrap();
    let bench = bench.restarted().await;
    adopted(&bench, all[1]).await;
    assert_eq!(draft_at(&bench, &name), "first");
    assert!(why(adopt(&bench, all[1], Busy::Ask).await).contains("already"));
    assert!(why(bench.deed(all[1], Deed::Undo(Which::NEW)).await).contains("not there any more"));
}

#[tokio::test(flavor = "multi_thread")]
async fn where_the_main_lines_log_is_gone_none_of_the_others_gets_anothers_name() {
    let bench = Bench::new(&numbered(1, 0), "");
    let all = family(&bench, &["first", "second"]).await;
    adopted(&bench, all[1]).await;
    bench.host.close(true).await;
    std::fs::remove_file(bench.log(all[1])).unwrap();
    let bench = bench.restarted().await;
    adopted(&bench, all[2]).await;
    noted(&bench, all[2], "inbox/piece is taken by something else").await;
    assert_eq!(folder(&bench, all[2]).await, "inbox/piece~second");
    assert_eq!(folder(&bench, all[0]).await, "inbox/piece~original");
    assert_eq!(draft_at(&bench, "inbox/piece"), "first");
    // Its name is the next one's when it is free.
    let path = |at: &str| bench.root().join(at);
    std::fs::rename(path("inbox/piece"), path("away")).unwrap();
    adopted(&bench, all[0]).await;
    assert_eq!(folder(&bench, all[0]).await, "inbox/piece");
    assert_eq!(folder(&bench, all[2]).await, "inbox/piece~second");
    assert!(is_done(&bench.deed(all[0], Deed::Undo(Which::NEW)).await));
    assert_eq!(main_of(&bench, &[all[0], all[2]]).await, all[2]);
    assert_eq!(folder(&bench, all[2]).await, "inbox/piece");
    assert_eq!(folder(&bench, all[0]).await, "inbox/piece~original");
}

#[tokio::test(flavor = "multi_thread")]
async fn while_the_main_line_is_in_the_trash_its_name_is_free_for_the_next_one() {
    let bench = Bench::new(&numbered(1, 0), "");
    let all = family(&bench, &["first", "second"]).await;
    assert!(is_done(&bench.deed(all[0], Deed::Trash).await));
    adopted(&bench, all[2]).await;
    assert_eq!(folder(&bench, all[2]).await, "inbox/piece");
    assert_eq!(folder(&bench, all[1]).await, "inbox/piece~first");
    whole(&bench, &all).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_family_has_its_names_again_when_its_main_line_is_back_from_the_trash() {
    let bench = Bench::new(&numbered(1, 0), "");
    let all = family(&bench, &["first", "second"]).await;
    adopted(&bench, all[1]).await;
    assert!(is_done(&bench.deed(all[1], Deed::Trash).await));
    adopted(&bench, all[2]).await;
    assert_eq!(folder(&bench, all[2]).await, "inbox/piece");
    assert!(is_done(&bench.deed(all[1], Deed::Restore).await));
    whole(&bench, &all).await;
    for main in [1, 2, 0] {
        adopted(&bench, all[main]).await;
        assert_eq!(folder(&bench, all[main]).await, "inbox/piece");
    }
    assert_eq!(folder(&bench, all[1]).await, "inbox/piece~first");
    assert_eq!(folder(&bench, all[2]).await, "inbox/piece~second");
    whole(&bench, &all).await;
}

/// The main line has the piece's name, the others have their own, and adoptions and undos go on.
async fn in_order(bench: &Bench, all: &[SessionId], main: usize) {
    let own = [
        "inbox/piece~original",
        "inbox/piece~first",
        "inbox/piece~second",
    ];
    let stand = async |main: usize| {
        assert_eq!(main_of(bench, all).await, all[main]);
        for (n, id) in all.iter().enumerate() {
            let at = if n == main { "inbox/piece" } else { own[n] };
            bench.row(*id, at, |row| row.folder == at).await;
        }
        whole(bench, all).await;
    };
    stand(main).await;
    let next = (main + 1) % all.len();
    adopted(bench, all[next]).await;
    stand(next).await;
    assert!(is_done(
        &bench.deed(all[next], Deed::Undo(Which::NEW)).await
    ));
    stand(main).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_main_line_that_comes_back_behind_the_one_before_it_has_the_pieces_name() {
    let bench = Bench::new(&numbered(1, 0), "");
    let all = family(&bench, &["first", "second"]).await;
    assert!(is_done(&bench.deed(all[0], Deed::Trash).await));
    adopted(&bench, all[1]).await;
    assert!(is_done(&bench.deed(all[1], Deed::Trash).await));
    assert!(is_done(&bench.deed(all[0], Deed::Restore).await));
    assert_eq!(folder(&bench, all[0]).await, "inbox/piece");
    assert!(is_done(&bench.deed(all[1], Deed::Restore).await));
    let said = "This folder made room for that of “first”, and is inbox/piece~original now.";
    noted(&bench, all[0], said).await;
    in_order(&bench, &all, 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_main_line_that_comes_back_before_the_one_that_stood_in_for_it_makes_room_for_that() {
    let bench = Bench::new(&numbered(1, 0), "");
    let all = family(&bench, &["first", "second"]).await;
    adopted(&bench, all[1]).await;
    assert!(is_done(&bench.deed(all[1], Deed::Trash).await));
    adopted(&bench, all[2]).await;
    assert!(is_done(&bench.deed(all[2], Deed::Trash).await));
    for back in [1, 2] {
        assert!(is_done(&bench.deed(all[back], Deed::Restore).await));
    }
    in_order(&bench, &all, 2).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_comes_back_and_is_not_the_main_line_leaves_the_pieces_name_alone() {
    let bench = Bench::new(&numbered(1, 0), "");
    let all = family(&bench, &["first", "second"]).await;
    assert!(is_done(&bench.deed(all[0], Deed::Trash).await));
    adopted(&bench, all[1]).await;
    adopted(&bench, all[2]).await;
    assert!(is_done(&bench.deed(all[2], Deed::Trash).await));
    // The piece's name is free, and the main line until the other is back is the one with its own.
    for back in [0, 2] {
        assert!(is_done(&bench.deed(all[back], Deed::Restore).await));
    }
    in_order(&bench, &all, 2).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_main_line_that_was_deleted_behind_the_next_one_has_the_pieces_name_when_it_is_back() {
    let bench = Bench::new(&numbered(1, 0), "");
    let mut all = family(&bench, &["first", "second", "third"]).await;
    let third = all.pop().unwrap();
    adopted(&bench, third).await;
    assert!(is_done(&bench.deed(third, Deed::Trash).await));
    adopted(&bench, all[1]).await;
    adopted(&bench, all[2]).await;
    for gone in [2, 1] {
        assert!(is_done(&bench.deed(all[gone], Deed::Trash).await));
    }
    assert!(is_done(&bench.deed(third, Deed::Restore).await));
    assert_eq!(folder(&bench, third).await, "inbox/piece");
    // It was deleted with the name of its own, and is the main line now.
    assert!(is_done(&bench.deed(all[1], Deed::Restore).await));
    noted(&bench, third, "is inbox/piece~third now.").await;
    bench
        .row(all[1], "its name", |row| row.folder == "inbox/piece")
        .await;
    assert_eq!(draft_at(&bench, "inbox/piece~third"), "third");
    assert!(is_done(&bench.deed(third, Deed::Trash).await));
    assert!(is_done(&bench.deed(all[2], Deed::Restore).await));
    in_order(&bench, &all, 2).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_undo_leaves_the_one_that_stood_in_as_it_was_and_the_one_in_the_trash_comes_back_to_lead()
 {
    let bench = Bench::new(&numbered(1, 0), "");
    let all = family(&bench, &["first", "second"]).await;
    assert!(is_done(&bench.deed(all[0], Deed::Trash).await));
    assert_eq!(main_of(&bench, &all).await, all[1]);
    for again in [Deed::Undo(Which::NEW), Deed::Redo(Which::NEW)] {
        if matches!(again, Deed::Redo(_)) {
            assert!(is_done(&bench.deed(all[2], again).await));
        } else {
            adopted(&bench, all[2]).await;
        }
        assert_eq!(folder(&bench, all[2]).await, "inbox/piece");
        assert!(is_done(&bench.deed(all[2], Deed::Undo(Which::NEW)).await));
        assert_eq!(main_of(&bench, &all).await, all[1]);
        assert_eq!(folder(&bench, all[1]).await, "inbox/piece~first");
        bench
            .row(all[2], "its own", |r| r.folder == "inbox/piece~second")
            .await;
        assert_eq!(row(&bench, all[1]).await.kin.adopted, None);
    }
    assert!(is_done(&bench.deed(all[0], Deed::Restore).await));
    in_order(&bench, &all, 0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_of_a_family_has_the_pieces_name_makes_room_for_the_main_line_and_a_stranger_is_named()
{
    let bench = Bench::new(&numbered(1, 0), "");
    let all = family(&bench, &["first", "second"]).await;
    adopted(&bench, all[1]).await;
    // As an earlier program left it: the main line with its own name, the first one with the piece's.
    let path = |at: &str| bench.root().join("inbox").join(at);
    std::fs::rename(path("piece"), path("piece~first")).unwrap();
    std::fs::rename(path("piece~original"), path("piece")).unwrap();
    adopted(&bench, all[2]).await;
    in_order(&bench, &all, 2).await;
    let other = bench.new_session("Other").await;
    write(&bench, other, "Other").await;
    std::fs::rename(path("piece"), path("piece~second")).unwrap();
    std::fs::rename(path("other"), path("piece")).unwrap();
    adopted(&bench, all[1]).await;
    noted(&bench, all[1], "inbox/piece is the folder of “Other”").await;
    assert_eq!(folder(&bench, all[1]).await, "inbox/piece~first");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_variant_that_has_the_piece_s_name_already_keeps_it_when_it_is_adopted() {
    let bench = Bench::new(&numbered(1, 0), "");
    let all = family(&bench, &["first", "second"]).await;
    adopted(&bench, all[2]).await;
    let path = |at: &str| bench.root().join("inbox").join(at);
    std::fs::rename(path("piece"), path("piece~mine")).unwrap();
    std::fs::rename(path("piece~first"), path("piece")).unwrap();
    adopted(&bench, all[1]).await;
    assert_eq!(folder(&bench, all[1]).await, "inbox/piece");
    assert_eq!(draft_at(&bench, "inbox/piece"), "first");
    adopted(&bench, all[2]).await;
    assert_eq!(folder(&bench, all[2]).await, "inbox/piece");
    whole(&bench, &all).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_in_the_place_of_a_folder_keeps_its_name_and_that_is_said() {
    let bench = Bench::new(&numbered(1, 0), "");
    let all = family(&bench, &["first"]).await;
    let (name, own) = (folder(&bench, all[0]).await, folder(&bench, all[1]).await);
    let away = bench.root().join("elsewhere");
    std::fs::rename(bench.root().join(&name), &away).unwrap();
    std::os::unix::fs::symlink(&away, bench.root().join(&name)).unwrap();
    adopted(&bench, all[1]).await;
    noted(&bench, all[1], "is a link").await;
    assert_eq!(main_of(&bench, &all).await, all[1]);
    assert_eq!(draft_at(&bench, &own), "first");
    assert_eq!(draft_at(&bench, &name), "Piece");
    bench
        .row(all[1], "no more to do", |r| r.kin.exchange.is_none())
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_adoption_that_another_one_overtook_is_not_finished_and_that_is_said() {
    let bench = Bench::new(&numbered(1, 0), "");
    let all = family(&bench, &["first", "second"]).await;
    let mut at = Vec::new();
    for id in &all {
        at.push(folder(&bench, *id).await);
    }
    bench.host.close(true).await;
    let adopted = |n: usize, was: usize, to: usize| {
        json!({
            "kind": "adopted", "family": all[0], "main": all[n], "was": all[was], "n": n, "folder": at[to],
            "other": at[n],
        })
    };
    // The disk did not let the folders change, either time.
    append(&bench.log(all[1]), adopted(1, 0, 0));
    append(&bench.log(all[2]), adopted(2, 1, 2));
    append(
        &bench.log(all[2]),
        json!({"kind": "moved", "collection": "inbox", "folder": at[2]}),
    );
    let bench = bench.restarted().await;
    noted(&bench, all[1], "“second” is the main line by now").await;
    bench
        .row(all[1], "no more to do", |r| r.kin.exchange.is_none())
        .await;
    assert_eq!(main_of(&bench, &all).await, all[2]);
    for (id, at) in all.iter().zip(&at) {
        assert_eq!(folder(&bench, *id).await, *at);
    }
    whole(&bench, &all).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_undo_of_an_adoption_that_changed_no_names_changes_none() {
    let bench = Bench::new(&numbered(1, 0), "");
    let all = family(&bench, &["first"]).await;
    let (name, own) = (folder(&bench, all[0]).await, folder(&bench, all[1]).await);
    let (here, away) = (bench.root().join(&name), bench.root().join("elsewhere"));
    std::fs::rename(&here, &away).unwrap();
    std::os::unix::fs::symlink(&away, &here).unwrap();
    adopted(&bench, all[1]).await;
    // Now the folders could.
    std::fs::remove_file(&here).unwrap();
    std::fs::rename(&away, &here).unwrap();
    assert!(is_done(&bench.deed(all[1], Deed::Undo(Which::NEW)).await));
    assert_eq!(main_of(&bench, &all).await, all[0]);
    assert_eq!(folder(&bench, all[0]).await, name);
    assert_eq!(folder(&bench, all[1]).await, own);
    whole(&bench, &all).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_adoption_whose_line_was_torn_has_not_begun() {
    let bench = Bench::new(&numbered(1, 0), "");
    let all = family(&bench, &["first"]).await;
    let (name, own) = (folder(&bench, all[0]).await, folder(&bench, all[1]).await);
    bench.host.close(true).await;
    let log = bench.log(all[1]);
    let before = std::fs::read(&log).unwrap();
    append(
        &log,
        json!({
            "kind": "adopted", "family": all[0], "main": all[1], "was": all[0], "n": 1, "folder": name, "other": own,
        }),
    );
    let whole_line = std::fs::metadata(&log).unwrap().len();
    let half = u64::midpoint(before.len() as u64, whole_line);
    let file = std::fs::OpenOptions::new().write(true).open(&log).unwrap();
    file.set_len(half).unwrap();
    let bench = bench.restarted().await;
    assert_eq!(main_of(&bench, &all).await, all[0]);
    assert_eq!(folder(&bench, all[1]).await, own);
    assert_eq!(draft_at(&bench, &name), "Piece");
    adopted(&bench, all[1]).await;
    assert!(kinds_of_whole_lines(&log).contains(&"recovered".to_owned()));
    assert_eq!(folder(&bench, all[1]).await, name);
}

fn kinds_of_whole_lines(log: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(log).unwrap();
    let whole = text
        .lines()
        .filter_map(|l| serde_json::from_str::<Value>(l).ok());
    whole
        .filter_map(|e| Some(e["kind"].as_str()?.to_owned()))
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn folders_that_were_renamed_or_deleted_by_hand_are_found_or_made_anew_first() {
    let bench = Bench::new(&numbered(1, 0), "");
    let all = family(&bench, &["first"]).await;
    let (name, own) = (folder(&bench, all[0]).await, folder(&bench, all[1]).await);
    let path = |at: &str| bench.root().join(at);
    std::fs::rename(path(&name), path("inbox/another")).unwrap();
    std::fs::remove_dir_all(path(&own)).unwrap();
    adopted(&bench, all[1]).await;
    assert_eq!(folder(&bench, all[1]).await, "inbox/another");
    assert_eq!(folder(&bench, all[0]).await, "inbox/another~original");
    whole(&bench, &all).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn agents_in_both_folders_end_before_the_folders_change_and_are_started_anew_with_the_next_prompt()
 {
    let say = |text: &str| json!([{"delta": {"block": 0, "text": text}}]);
    // An agent that is started anew plays the first turn again.
    let script = json!({"turns": [say("new "), say("kept ")], "process": true});
    let bench = Bench::new(&script, "");
    let all = family(&bench, &["first"]).await;
    for id in &all {
        assert_eq!(words(&bench.turn(*id, "Begin.").await), "new ");
    }
    adopted(&bench, all[1]).await;
    for id in &all {
        assert_eq!(words(&bench.turn(*id, "More.").await), "new new ");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn another_programs_change_is_found_behind_an_adoption_in_both_folders() {
    let bench = Bench::new(&numbered(1, 0), "");
    let all = family(&bench, &["first"]).await;
    let _windows = [bench.follow(all[0]), bench.follow(all[1])];
    adopted(&bench, all[1]).await;
    for (id, name) in all.iter().zip(["One", "Two"]) {
        let text = format!("{name} by another program.");
        let path = bench
            .root()
            .join(folder(&bench, *id).await)
            .join("draft.md");
        std::fs::write(path, &text).unwrap();
        bench.row(*id, "the words", |r| r.words == 4).await;
        assert_eq!(bench.draft(*id).await.0, text);
    }
}

/// A run of numbers, the same each time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        usize::try_from(self.0 >> 33).unwrap() % sides
    }
}

/// Which is the main line, told apart from the program: those adopted, the newest last, and those in the trash. An undo of
/// an adoption takes it away, and adopts the one before where that did not lead by itself.
struct Model {
    first: SessionId,
    adopted: Vec<SessionId>,
    trashed: std::collections::BTreeSet<SessionId>,
    all: Vec<SessionId>,
}

impl Model {
    fn of(all: &[SessionId]) -> Self {
        Self {
            first: all[0],
            adopted: Vec::new(),
            trashed: std::collections::BTreeSet::new(),
            all: all.to_vec(),
        }
    }

    fn main(&self) -> SessionId {
        let here = |id: &&SessionId| !self.trashed.contains(id);
        let newest = self.adopted.iter().rev().find(here);
        let first = std::iter::once(&self.first).chain(&self.all).find(here);
        *newest
            .or(first)
            .unwrap_or_else(|| self.adopted.last().unwrap_or(&self.first))
    }

    /// Takes in what was done. What an undo undid is told by the trash and by the adoptions that stand.
    async fn done(&mut self, id: SessionId, roll: usize, bench: &Bench, all: &[SessionId]) {
        match roll {
            0..4 => self.adopted.push(id),
            4..6 | 8 | 9 => {
                let mut stand = Vec::new();
                for one in all {
                    let row = row(bench, *one).await;
                    if !row.trashed {
                        self.trashed.remove(one);
                    }
                    stand.extend(row.kin.standing.iter().map(|(_, n)| (*n, *one)));
                }
                stand.sort();
                self.adopted = stand.into_iter().map(|(_, one)| one).collect();
            }
            6 => drop(self.trashed.insert(id)),
            7 => drop(self.trashed.remove(&id)),
            _ => {}
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_is_adopted_undone_redone_deleted_and_restored_one_is_the_main_line_and_nothing_is_lost()
 {
    for seed in [7, 11, 23] {
        let mut dice = Dice(seed);
        let mut bench = Bench::new(&numbered(1, 0), "");
        let all = family(&bench, &["first", "second", "third"]).await;
        let mut model = Model::of(&all);
        for _ in 0..30 {
            let id = all[dice.roll(4)];
            let roll = dice.roll(11);
            let reply = match roll {
                0..4 => adopt(&bench, id, Busy::Ask).await,
                4..6 => bench.deed(id, Deed::Undo(Which::NEW)).await,
                6 => bench.deed(id, Deed::Trash).await,
                7 => bench.deed(id, Deed::Restore).await,
                8 | 9 => bench.deed(id, Deed::Redo(Which::NEW)).await,
                _ => {
                    bench = bench.restarted().await;
                    Reply::Done
                }
            };
            assert!(
                matches!(reply, Reply::Done | Reply::Refused { .. }),
                "{reply:?}"
            );
            if is_done(&reply) {
                model.done(id, roll, &bench, &all).await;
            }
            assert_eq!(
                main_of(&bench, &all).await,
                model.main(),
                "seed {seed}, {roll}"
            );
            for id in &all {
                bench
                    .row(*id, "its end", |r| r.kin.exchange.is_none())
                    .await;
            }
        }
        for id in &all {
            drop(bench.deed(*id, Deed::Restore).await);
        }
        let bench = bench.restarted().await;
        let mut rows = bench.client.attach(Scope::Workspace);
        let _first = next(&mut rows, "the list").await;
        for id in &all {
            // Opened, so that each has found its folder.
            let title = row(&bench, *id).await.title;
            assert_eq!(bench.draft(*id).await.0, title);
        }
        whole(&bench, &all).await;
    }
}
