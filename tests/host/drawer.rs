//! Collections: what they say of themselves, who lies in them, and what a crash leaves of a move.

use std::path::Path;

use fascicle::domain::ask::{Busy, Deed, DrawerDeed, Gathered, NewSession, Reply, Request, Which};
use fascicle::domain::{Change, CollectionId, Notice, Row, Scope, SessionId, Splice, Stage, State};
use serde_json::Value;

use crate::bench::{Bench, next, numbered};

fn is_done(reply: &Reply) -> bool {
    matches!(reply, Reply::Done | Reply::Filed { .. })
}

fn why(reply: Reply) -> String {
    match reply {
        Reply::Refused { why, hint } => format!("{why} {}", hint.unwrap_or_default()),
        other => panic!("{other:?}"),
    }
}

pub(crate) async fn collection(bench: &Bench, title: &str) -> CollectionId {
    let title = title.to_owned();
    match bench.client.ask(Request::NewCollection { title }).await {
        Reply::Collection { collection } => collection,
        other => panic!("{other:?}"),
    }
}

async fn deed(bench: &Bench, deed: DrawerDeed) -> Reply {
    bench.client.ask(Request::Drawer { deed }).await
}

async fn change(bench: &Bench, collection: &CollectionId, change: Change) -> Reply {
    let collection = collection.clone();
    deed(bench, DrawerDeed::Change { collection, change }).await
}

async fn undo(bench: &Bench, collection: &CollectionId) -> Reply {
    let collection = collection.clone();
    let which = Which::NEW;
    deed(bench, DrawerDeed::Undo { collection, which }).await
}

pub(crate) async fn moved(
    bench: &Bench,
    session: SessionId,
    to: &CollectionId,
    busy: Busy,
) -> Reply {
    let (to, alone) = (to.clone(), false);
    let deed = DrawerDeed::Move {
        session,
        to,
        alone,
        busy,
    };
    self::deed(bench, deed).await
}

async fn row(bench: &Bench, session: SessionId) -> Row {
    bench.row(session, "its row", |_| true).await
}

fn file(bench: &Bench, folder: &str) -> String {
    std::fs::read_to_string(bench.root().join(folder).join("collection.toml")).unwrap()
}

fn lines(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect()
}

fn book(bench: &Bench, collection: &CollectionId) -> Vec<String> {
    let path = format!(".fascicle/sessions/{collection}/collection.jsonl");
    let all = lines(&bench.root().join(path)).into_iter();
    all.map(|l| l["kind"].as_str().unwrap().to_owned())
        .collect()
}

pub(crate) async fn write(bench: &Bench, session: SessionId, words: &str) {
    let base = bench.draft(session).await.1.unwrap_or(0);
    let splices = vec![Splice {
        at: 0,
        remove: 0,
        insert: words.to_owned(),
    }];
    let edit = Request::Edit {
        session,
        base,
        splices,
        late: false,
    };
    bench.client.ask(edit).await;
    assert!(is_done(
        &bench.client.ask(Request::Settle { session }).await
    ));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_collection_says_is_changed_in_its_file_logged_and_undone_step_by_step() {
    let bench = Bench::new(&numbered(1, 0), "");
    let essays = collection(&bench, "Essays").await;
    let letters = collection(&bench, "Letters").await;
    let before = file(&bench, "essays");
    for to in [
        Change::Title("Essays on water".into()),
        Change::About(Some("Short\nones".into())),
        Change::Target(Some(60_000)),
        Change::Allow(vec!["web".into()]),
        Change::Archived(true),
    ] {
        assert!(is_done(&change(&bench, &essays, to).await));
    }
    let now = file(&bench, "essays");
    for line in [
        "title = \"Essays on water\"",
        "about = \"Short ones\"",
        "target = 60000",
        "archived = true",
    ] {
        assert!(now.contains(line), "{now}");
    }
    // What is there already is no deed.
    assert!(is_done(
        &change(&bench, &essays, Change::Target(Some(60_000))).await
    ));
    let said = why(change(&bench, &letters, Change::Title("essays on WATER".into())).await);
    assert!(said.contains("already"), "{said}");
    assert_eq!(book(&bench, &essays).len(), 6);
    let bench = bench.restarted().await;
    for _ in 0..5 {
        let reply = undo(&bench, &essays).await;
        assert!(matches!(reply, Reply::Refiled(_)), "{reply:?}");
    }
    assert_eq!(
        file(&bench, "essays")
            .replace("allow = []\n", "")
            .replace("archived = false\n", ""),
        before
    );
    assert!(why(undo(&bench, &essays).await).contains("nothing to undo"));
    assert_eq!(
        book(&bench, &essays)
            .iter()
            .filter(|k| *k == "undone")
            .count(),
        5
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_undo_takes_nothing_away_that_was_written_by_hand_since() {
    let bench = Bench::new(&numbered(1, 0), "");
    let essays = collection(&bench, "Essays").await;
    assert!(is_done(
        &change(&bench, &essays, Change::Day(Some(300))).await
    ));
    let path = bench.root().join("essays/collection.toml");
    let by_hand = file(&bench, "essays").replace("300", "500 # more");
    std::fs::write(&path, &by_hand).unwrap();
    assert!(why(undo(&bench, &essays).await).contains("changed in the collection.toml of"));
    assert_eq!(file(&bench, "essays"), by_hand);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_that_a_hand_has_overtaken_is_said_once_and_the_next_undo_goes_on() {
    let bench = Bench::new(&numbered(1, 0), "");
    let essays = collection(&bench, "Essays").await;
    for to in [
        Change::About(Some("Short ones.".into())),
        Change::Target(Some(500)),
        Change::Target(Some(700)),
    ] {
        assert!(is_done(&change(&bench, &essays, to).await));
    }
    let path = bench.root().join("essays/collection.toml");
    let by_hand = file(&bench, "essays").replace("700", "600");
    std::fs::write(&path, &by_hand).unwrap();
    let said = why(undo(&bench, &essays).await);
    assert!(
        said.contains("Its target was changed in") && said.contains("the next undo goes on"),
        "{said}"
    );
    assert_eq!(file(&bench, "essays"), by_hand);
    // Neither 500 is asked about once more: the description goes.
    let reply = undo(&bench, &essays).await;
    assert!(matches!(reply, Reply::Refiled(_)), "{reply:?}");
    let now = file(&bench, "essays");
    assert!(now.contains("600") && !now.contains("about"), "{now}");
    // A new target is a deed like any.
    assert!(is_done(
        &change(&bench, &essays, Change::Target(Some(900))).await
    ));
    let reply = undo(&bench, &essays).await;
    assert!(matches!(reply, Reply::Refiled(_)), "{reply:?}");
    assert_eq!(file(&bench, "essays"), now);
    assert!(why(undo(&bench, &essays).await).contains("nothing to undo"));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_a_hand_has_overtaken_keeps_no_undo_of_any_collection() {
    let bench = Bench::new(&numbered(1, 0), "");
    let mut all = Vec::new();
    for title in ["Alpha", "Beta"] {
        let id = collection(&bench, title).await;
        assert!(is_done(&change(&bench, &id, Change::Day(Some(300))).await));
        all.push(id);
    }
    let order = vec![all[1].clone(), all[0].clone()];
    let moved = None;
    assert!(is_done(
        &deed(&bench, DrawerDeed::Arrange { order, moved }).await
    ));
    let path = bench.root().join("beta/collection.toml");
    std::fs::write(
        &path,
        file(&bench, "beta").replace("order = 1", "order = 7"),
    )
    .unwrap();
    assert!(why(undo(&bench, &all[0]).await).contains("of “Beta” since"));
    for (id, folder) in all.iter().zip(["alpha", "beta"]) {
        let reply = undo(&bench, id).await;
        assert!(matches!(reply, Reply::Refiled(_)), "{reply:?}");
        let now = file(&bench, folder);
        assert!(!now.contains("day") && now.contains("order"), "{now}");
    }
}

/// A deed of a collection, by its number.
async fn undo_that(bench: &Bench, collection: &CollectionId, only: Option<u64>) -> Reply {
    let collection = collection.clone();
    let which = Which { only, ..Which::NEW };
    deed(bench, DrawerDeed::Undo { collection, which }).await
}

fn number(reply: Reply) -> u64 {
    match reply {
        Reply::Filed { deed, .. } => deed,
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_undo_means_its_own_deed_and_never_gives_a_permission_back_unasked() {
    let bench = Bench::new(&numbered(1, 0), "");
    let alpha = collection(&bench, "Alpha").await;
    let web = |on: bool| Change::Allow(on.then(|| "web".to_owned()).into_iter().collect());
    let on = number(change(&bench, &alpha, web(true)).await);
    let off = number(change(&bench, &alpha, web(false)).await);
    let said = why(undo_that(&bench, &alpha, Some(on)).await);
    assert!(
        said.contains("What its agents may do was changed once more in “Alpha” since"),
        "{said}"
    );
    for only in [None, Some(off)] {
        match undo_that(&bench, &alpha, only).await {
            Reply::Refiled(refiled) => assert!(refiled.asked && refiled.deed == off),
            other => panic!("{other:?}"),
        }
    }
    assert!(!file(&bench, "alpha").contains("web"));
    let target = number(change(&bench, &alpha, Change::Target(Some(1_111))).await);
    let about = Change::About(Some("Short.".into()));
    assert!(is_done(&change(&bench, &alpha, about).await));
    let reply = undo_that(&bench, &alpha, Some(target)).await;
    assert!(matches!(reply, Reply::Refiled(_)), "{reply:?}");
    let now = file(&bench, "alpha");
    assert!(now.contains("Short.") && !now.contains("1111"), "{now}");
    let (collection, which) = (alpha.clone(), Which::NEW);
    let reply = deed(&bench, DrawerDeed::Redo { collection, which }).await;
    assert!(matches!(reply, Reply::Refiled(_)), "{reply:?}");
    assert!(file(&bench, "alpha").contains("target = 1111"));
}

#[tokio::test(flavor = "multi_thread")]
async fn collections_put_into_an_order_are_one_step_that_is_undone_and_done_again_whole() {
    let bench = Bench::new(&numbered(1, 0), "");
    let mut all = Vec::new();
    for title in ["Alpha", "Beta", "Gamma"] {
        all.push(collection(&bench, title).await);
    }
    let files = || ["alpha", "beta", "gamma"].map(|folder| file(&bench, folder));
    let before = files();
    let order = vec![all[1].clone(), all[0].clone(), all[2].clone()];
    let order_now = order.clone();
    let moved = Some(all[0].clone());
    let arrange = |order| DrawerDeed::Arrange {
        order,
        moved: moved.clone(),
    };
    let Reply::Filed { collection, .. } = deed(&bench, arrange(order)).await else {
        panic!("no step");
    };
    assert_eq!(collection, all[0], "it is called by the one that was moved");
    let arranged = files();
    assert!(arranged[0].contains("order = 2") && arranged[1].contains("order = 1"));
    let order = order_now;
    let reply = deed(&bench, arrange(order)).await;
    assert_eq!(reply, Reply::Done, "they stand so already");
    // Whichever of them is named.
    let reply = undo(&bench, &all[2]).await;
    assert!(matches!(reply, Reply::Refiled(_)), "{reply:?}");
    assert_eq!(files(), before);
    let (collection, which) = (all[0].clone(), Which::NEW);
    let reply = deed(&bench, DrawerDeed::Redo { collection, which }).await;
    assert!(matches!(reply, Reply::Refiled(_)), "{reply:?}");
    assert_eq!(files(), arranged);
    assert!(is_done(
        &change(&bench, &all[1], Change::Order(Some(9))).await
    ));
    let said = why(undo(&bench, &all[0]).await);
    assert!(said.contains("“Beta”"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stage_is_in_the_log_and_in_the_file_and_an_undo_brings_back_what_was_set_by_hand() {
    let bench = Bench::new(&numbered(1, 0), "");
    let id = bench.new_session("Piece").await;
    let stage = |stage| Deed::Stage { stage };
    assert!(is_done(&bench.deed(id, stage(Some(Stage::Draft))).await));
    assert!(file(&bench, "inbox").contains("stage = \"draft\""));
    let path = bench.root().join("inbox/collection.toml");
    let by_hand = file(&bench, "inbox").replace("draft", "revising");
    std::fs::write(&path, by_hand).unwrap();
    assert!(is_done(&bench.deed(id, stage(Some(Stage::Done))).await));
    assert!(file(&bench, "inbox").contains("stage = \"done\""));
    assert!(is_done(&bench.deed(id, Deed::Undo(Which::NEW)).await));
    assert!(file(&bench, "inbox").contains("stage = \"revising\""));
    assert_eq!(row(&bench, id).await.stage, Some(Stage::Revising));
    // So does one of a stage behind one that was taken out by hand, though the log still has it.
    let taken_out = file(&bench, "inbox").replace("stage = \"revising\"\n", "");
    std::fs::write(&path, taken_out).unwrap();
    assert!(is_done(&bench.deed(id, stage(Some(Stage::Draft))).await));
    assert!(is_done(&bench.deed(id, Deed::Undo(Which::NEW)).await));
    assert!(!file(&bench, "inbox").contains("stage"));
    // What is written by hand behind it stays: an undo is of what the deed wrote.
    let title = "Renamed".to_owned();
    assert!(is_done(&bench.deed(id, Deed::Rename { title }).await));
    assert!(is_done(&bench.deed(id, stage(Some(Stage::Draft))).await));
    let by_hand = file(&bench, "inbox").replace("draft", "done");
    std::fs::write(&path, &by_hand).unwrap();
    let (session, deed) = (id, Deed::Undo(Which::NEW));
    let Reply::Undone(undone) = bench.client.ask(Request::Do { session, deed }).await else {
        panic!("it is refused, and what was done before it with it");
    };
    assert!(undone.leaves_stage());
    let said = undone.said.unwrap();
    assert!(said.contains("since: it is done there now"), "{said}");
    assert_eq!(file(&bench, "inbox"), by_hand);
    // The next undo is of what was done before that.
    assert!(is_done(&bench.deed(id, Deed::Undo(Which::NEW)).await));
    assert_eq!(row(&bench, id).await.title, "Piece");
    // A file that cannot be changed is not touched, and nothing is logged.
    std::fs::write(&path, "id = \"inbox\"\n= =").unwrap();
    let said = why(bench.deed(id, stage(Some(Stage::Idea))).await);
    assert!(said.contains("collection.toml:2"), "{said}");
    assert_eq!(file(&bench, "inbox"), "id = \"inbox\"\n= =");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stage_written_by_hand_comes_back_and_no_undo_takes_it_away() {
    let bench = Bench::new(&numbered(1, 0), "");
    let id = bench.new_session("Piece").await;
    let stage = |stage| Deed::Stage { stage };
    let title = || async { row(&bench, id).await.title };
    let renamed = Deed::Rename {
        title: "Other".into(),
    };
    assert!(is_done(&bench.deed(id, renamed).await));
    let by_hand = format!("id = \"inbox\"\n\n[[piece]]\nid = \"{id}\"\nstage = \"outline\"\n");
    std::fs::write(bench.root().join("inbox/collection.toml"), &by_hand).unwrap();
    // Taken out, or another one: the undo brings it back, and the next one goes on to the title.
    for to in [None, Some(Stage::Done)] {
        assert!(is_done(&bench.deed(id, stage(to)).await));
        assert!(!file(&bench, "inbox").contains("outline"));
        assert!(is_done(&bench.deed(id, Deed::Undo(Which::NEW)).await));
        assert!(file(&bench, "inbox").contains("stage = \"outline\""));
    }
    assert!(is_done(&bench.deed(id, stage(Some(Stage::Outline))).await));
    assert!(is_done(&bench.deed(id, Deed::Undo(Which::NEW)).await));
    assert_eq!(title().await, "Piece");
    assert!(file(&bench, "inbox").contains("stage = \"outline\""));
    // Nor does a deed from before it.
    assert!(is_done(&bench.deed(id, stage(Some(Stage::Draft))).await));
    let by_hand = file(&bench, "inbox").replace("draft", "idea");
    std::fs::write(bench.root().join("inbox/collection.toml"), by_hand).unwrap();
    assert!(is_done(&bench.deed(id, stage(Some(Stage::Done))).await));
    assert!(is_done(&bench.deed(id, Deed::Undo(Which::NEW)).await));
    let said = why(bench.deed(id, Deed::Undo(Which::NEW)).await);
    assert!(said.contains("nothing to undo"), "{said}");
    assert!(file(&bench, "inbox").contains("stage = \"idea\""));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_family_moves_with_its_folders_and_what_is_said_of_it_and_an_undo_moves_it_back() {
    let bench = Bench::new(&numbered(2, 0), "");
    let essays = collection(&bench, "Essays").await;
    std::fs::create_dir(bench.root().join("essays/piece")).unwrap();
    let id = bench.new_session("Piece").await;
    write(&bench, id, "Words.").await;
    let other = bench.fork(id, "first").await;
    assert!(is_done(
        &bench
            .deed(
                id,
                Deed::Stage {
                    stage: Some(Stage::Draft)
                }
            )
            .await
    ));
    bench.turn(id, "Begin.").await;
    let reply = moved(&bench, id, &essays, Busy::Ask).await;
    assert!(is_done(&reply), "{reply:?}");
    // The name was taken there.
    let (one, two) = (row(&bench, id).await, row(&bench, other).await);
    assert_eq!(
        (one.folder.as_str(), two.folder.as_str()),
        ("essays/piece-2", "essays/piece~first")
    );
    assert_eq!((&one.collection, &two.collection), (&essays, &essays));
    let draft = bench.root().join("essays/piece-2/draft.md");
    assert_eq!(std::fs::read_to_string(draft).unwrap(), "Words.");
    assert!(file(&bench, "essays").contains("stage = \"draft\""));
    assert!(!file(&bench, "inbox").contains("piece"));
    // The log stays where it was, and the session goes on.
    assert!(bench.log(id).exists());
    bench.turn(id, "Go on.").await;
    assert!(why(moved(&bench, id, &essays, Busy::Ask).await).contains("already"));
    assert!(is_done(&bench.deed(id, Deed::Undo(Which::NEW)).await));
    let (one, two) = (row(&bench, id).await, row(&bench, other).await);
    assert_eq!(
        (one.folder.as_str(), two.folder.as_str()),
        ("inbox/piece", "inbox/piece~first")
    );
    assert!(file(&bench, "inbox").contains("stage = \"draft\""));
    assert!(
        is_done(&bench.deed(id, Deed::Undo(Which::NEW)).await),
        "the stage is next"
    );
    assert_eq!(row(&bench, id).await.stage, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stage_puts_no_piece_before_the_others_and_an_order_of_some_says_all() {
    let bench = Bench::new(&numbered(1, 0), "");
    let inbox = CollectionId::inbox();
    let mut ids = Vec::new();
    for title in ["One", "Two", "Three"] {
        ids.push(bench.new_session(title).await);
    }
    let stage = Some(Stage::Draft);
    assert!(is_done(&bench.deed(ids[2], Deed::Stage { stage }).await));
    // An order by age says all of them, too: one that is named alone comes before the others.
    let first = Change::Pieces(vec![ids[1]]);
    assert!(is_done(&change(&bench, &inbox, first).await));
    let listed = || {
        let text = file(&bench, "inbox");
        let mut all = ids.clone();
        all.retain(|id| text.contains(&id.to_string()));
        all.sort_by_key(|id| text.find(&id.to_string()));
        all
    };
    assert_eq!(listed(), [ids[1], ids[0], ids[2]]);
    assert!(matches!(undo(&bench, &inbox).await, Reply::Refiled(_)));
    assert_eq!(listed(), [ids[2]]);
    assert!(is_done(&bench.deed(ids[2], Deed::Undo(Which::NEW)).await));
    assert_eq!(listed(), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_file_does_not_take_or_does_not_speak_of_is_refused_and_undo_goes_on() {
    let bench = Bench::new(&numbered(1, 0), "");
    let essays = collection(&bench, "Essays").await;
    let id = bench.new_session("Alpha").await;
    assert!(is_done(
        &change(&bench, &essays, Change::Day(Some(300))).await
    ));
    let before = file(&bench, "essays");
    let much = Some(999_999_999_999);
    for (to, said) in [
        (
            Change::Day(much),
            "day takes a whole number from 1 to 100000000",
        ),
        (Change::Target(much), "target takes a whole number"),
        (
            Change::Order(Some(99_999_999_999)),
            "order takes a whole number",
        ),
        (
            Change::PieceTarget(id, Some(5)),
            "“Alpha” lies in “Inbox”, not in “Essays”.",
        ),
        (Change::Pieces(vec![id]), "lies in “Inbox”"),
    ] {
        let why = why(change(&bench, &essays, to).await);
        assert!(why.contains(said), "{why}");
    }
    assert_eq!(file(&bench, "essays"), before);
    let inbox = CollectionId::inbox();
    let why = why(change(&bench, &inbox, Change::PieceTarget(id, much)).await);
    assert!(why.contains("target takes a whole number"), "{why}");
    assert!(matches!(undo(&bench, &essays).await, Reply::Refiled(_)));
    assert!(!file(&bench, "essays").contains("day"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_that_is_undone_gives_the_piece_its_place_in_the_order_back() {
    let bench = Bench::new(&numbered(1, 0), "");
    let essays = collection(&bench, "Essays").await;
    let fresh = collection(&bench, "Fresh").await;
    let mut pieces = Vec::new();
    for title in ["One", "Two", "Three"] {
        let id = bench.new_session(title).await;
        assert!(is_done(&moved(&bench, id, &essays, Busy::Ask).await));
        pieces.push(id);
    }
    let order = Change::Pieces(pieces.clone());
    assert!(is_done(&change(&bench, &essays, order).await));
    let before = file(&bench, "essays");
    for id in pieces {
        assert!(is_done(&moved(&bench, id, &fresh, Busy::Ask).await));
        assert_ne!(file(&bench, "essays"), before);
        assert!(is_done(&bench.deed(id, Deed::Undo(Which::NEW)).await));
        assert_eq!(file(&bench, "essays"), before);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_that_runs_is_asked_about_or_stopped_before_its_folder_moves() {
    let bench = Bench::new(&numbered(100_000, 3), "");
    let essays = collection(&bench, "Essays").await;
    let id = bench.new_session("Piece").await;
    bench.send(id, "Begin.").await;
    bench
        .row(id, "writing", |r| r.state == State::Writing)
        .await;
    let sessions = vec![id];
    assert_eq!(
        moved(&bench, id, &essays, Busy::Ask).await,
        Reply::Busy {
            sessions,
            waits: false
        }
    );
    assert_eq!(row(&bench, id).await.folder, "inbox/piece");
    assert!(is_done(&moved(&bench, id, &essays, Busy::Stop).await));
    let now = row(&bench, id).await;
    assert_eq!(
        (now.folder.as_str(), now.state),
        ("essays/piece", State::Interrupted)
    );
}

/// Adds a line to the log of a session that nobody has open.
fn append(log: &Path, kind: &str) {
    use std::io::Write as _;
    let seq = lines(log).len();
    let line = format!("{{\"v\":1,\"seq\":{seq},\"ts\":1800000000000,{kind}}}");
    let mut file = std::fs::OpenOptions::new().append(true).open(log).unwrap();
    writeln!(file, "{line}").unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_that_a_crash_broke_off_is_finished_when_the_next_host_begins() {
    for renamed in [false, true] {
        let bench = Bench::new(&numbered(1, 0), "");
        let essays = collection(&bench, "Essays").await;
        let id = bench.new_session("Piece").await;
        write(&bench, id, "Words.").await;
        bench.host.close(true).await;
        let moved = format!(
            r#""kind":"moved","collection":"{essays}","folder":"essays/piece","was":{{"collection":"inbox","folder":"inbox/piece"}}"#
        );
        let (log, root) = (bench.log(id), bench.root());
        append(&log, &moved);
        if renamed {
            std::fs::rename(root.join("inbox/piece"), root.join("essays/piece")).unwrap();
        }
        let bench = bench.restarted().await;
        let landed = |r: &Row| r.folder == "essays/piece" && r.collection == essays;
        bench.row(id, "the folder in its place", landed).await;
        assert_eq!(bench.draft(id).await.0, "Words.");
        assert!(root.join("essays/piece/draft.md").exists() && !root.join("inbox/piece").exists());
        let mut all = lines(&log).into_iter().filter(|l| l["kind"] == "moved");
        let last = all.next_back().unwrap();
        assert_eq!(
            (last["folder"].as_str(), last.get("was")),
            (Some("essays/piece"), None),
            "{renamed}"
        );
    }
}

/// Where a crash breaks a move off.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Step {
    /// The other collection names the piece.
    Named,
    /// The log says where the folder goes.
    Announced,
    /// The folder is there.
    Carried,
    /// The log says so.
    Landed,
}

/// Waits until the collection's row names these pieces.
async fn names(bench: &Bench, shelf: &CollectionId, pieces: &[SessionId]) {
    let mut heard = bench.client.attach(Scope::Workspace);
    loop {
        if let Notice::Collection(row) = next(&mut heard, "the pieces of a collection").await
            && row.id == *shelf
            && row.pieces.iter().map(|p| p.id).eq(pieces.iter().copied())
        {
            return;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_piece_that_a_crash_left_in_two_collections_stays_where_its_session_lies() {
    for step in [Step::Named, Step::Announced, Step::Carried, Step::Landed] {
        let bench = Bench::new(&numbered(1, 0), "");
        let essays = collection(&bench, "Essays").await;
        let id = bench.new_session("Piece").await;
        write(&bench, id, "Words.").await;
        bench.host.close(true).await;
        let (log, root) = (bench.log(id), bench.root());
        let said = format!("\n# By hand.\n[[piece]]\nid = \"{id}\"\ntarget = 900\n");
        for folder in ["inbox", "essays"] {
            let file = root.join(folder).join("collection.toml");
            let text = std::fs::read_to_string(&file).unwrap_or("id = \"inbox\"\n".to_owned());
            std::fs::write(file, text + &said).unwrap();
        }
        let moved = format!(r#""kind":"moved","collection":"{essays}","folder":"essays/piece""#);
        if step >= Step::Announced {
            let was = r#","was":{"collection":"inbox","folder":"inbox/piece"}"#;
            append(&log, &format!("{moved}{was}"));
        }
        if step >= Step::Carried {
            std::fs::rename(root.join("inbox/piece"), root.join("essays/piece")).unwrap();
        }
        if step == Step::Landed {
            append(&log, &moved);
        }
        let bench = bench.restarted().await;
        let (here, there) = match step {
            Step::Named => (CollectionId::inbox(), essays),
            _ => (essays, CollectionId::inbox()),
        };
        names(&bench, &there, &[]).await;
        names(&bench, &here, &[id]).await;
        assert_eq!(row(&bench, id).await.collection, here, "{step:?}");
        assert_eq!(bench.draft(id).await.0, "Words.");
    }
}

async fn gathered(bench: &Bench, folder: &str) -> Gathered {
    let (folder, title) = (folder.to_owned(), None);
    match deed(bench, DrawerDeed::FromFolder { folder, title }).await {
        Reply::Gathered(gathered) => gathered,
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_of_files_becomes_a_collection_and_doing_it_twice_adds_nothing_twice() {
    let bench = Bench::new(&numbered(1, 0), "");
    let dir = bench.root().join("Old essays");
    std::fs::create_dir(&dir).unwrap();
    for (name, text) in [
        ("2 Harbour.md", &b"# The harbour\r\n\r\nWater."[..]),
        (
            "10 Tools.md",
            b"\xef\xbb\xbf---\ntitle: Tools of the trade\n---\nA knife.",
        ),
        ("1 Ilse.md", b"Ilse is the ferryman's daughter."),
        ("bad.md", b"caf\xe9"),
    ] {
        std::fs::write(dir.join(name), text).unwrap();
    }
    std::os::unix::fs::symlink("/etc/passwd", dir.join("link.md")).unwrap();
    let first = gathered(&bench, "Old essays").await;
    assert_eq!((first.made.len(), first.known), (3, 0));
    assert!(
        first
            .skipped
            .iter()
            .any(|s| s.contains("bad.md: it is not UTF-8")),
        "{first:?}"
    );
    assert!(
        first
            .skipped
            .iter()
            .any(|s| s.contains("link.md: it is a link")),
        "{first:?}"
    );
    let mut titles = Vec::new();
    for id in &first.made {
        let row = row(&bench, *id).await;
        assert_eq!(row.collection, first.collection);
        titles.push(row.title);
    }
    assert_eq!(titles, ["1 Ilse", "The harbour", "Tools of the trade"]);
    assert_eq!(
        bench.draft(first.made[0]).await.0,
        "Ilse is the ferryman's daughter."
    );
    assert_eq!(
        std::fs::read(dir.join("1 Ilse.md")).unwrap(),
        b"Ilse is the ferryman's daughter."
    );
    assert!(file(&bench, "Old essays").contains(&first.made[2].to_string()));
    std::fs::write(dir.join("11 New.md"), "New.").unwrap();
    let bench = bench.restarted().await;
    let second = gathered(&bench, "Old essays").await;
    assert_eq!((second.made.len(), second.known), (1, 3));
    assert_eq!(second.collection, first.collection);
    let (folder, title) = (".fascicle".to_owned(), None);
    let own = deed(&bench, DrawerDeed::FromFolder { folder, title }).await;
    assert!(why(own).contains("Fascicle's own"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_files_at_the_top_of_the_workspace_become_a_collection_and_stay_as_they_are() {
    let bench = Bench::new(&numbered(1, 0), "");
    for (name, text) in [
        ("1 Ilse.md", "Ilse."),
        ("2 Harbour.md", "Water."),
        ("README.md", "About."),
        ("notes/a.md", "A note."),
    ] {
        let path = bench.root().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let first = gathered(&bench, ".").await;
    assert_eq!((first.made.len(), first.known), (2, 0));
    assert_eq!(
        first.skipped,
        ["README.md: it stays what it is, and is no piece."]
    );
    let ilse = row(&bench, first.made[0]).await;
    assert_eq!(
        (ilse.title.as_str(), ilse.collection),
        ("1 Ilse", first.collection.clone())
    );
    assert_eq!(bench.draft(first.made[0]).await.0, "Ilse.");
    let kept = std::fs::read(bench.root().join("1 Ilse.md")).unwrap();
    assert_eq!(kept, b"Ilse.");
    std::fs::write(bench.root().join("3 New.md"), "New.").unwrap();
    let bench = bench.restarted().await;
    let second = gathered(&bench, ".").await;
    assert_eq!((second.made.len(), second.known), (1, 2));
    assert_eq!(second.collection, first.collection);
}

#[tokio::test(flavor = "multi_thread")]
async fn files_from_elsewhere_get_a_collection_of_their_own_once() {
    let bench = Bench::new(&numbered(1, 0), "");
    let elsewhere = tempfile::tempdir().unwrap();
    let dir = elsewhere.path().join("Diary");
    std::fs::create_dir_all(dir.join("2024")).unwrap();
    std::fs::write(dir.join("2024/May.md"), "A day.").unwrap();
    let path = dir.to_str().unwrap().to_owned();
    let first = gathered(&bench, &path).await;
    let second = gathered(&bench, &path).await;
    assert_eq!(
        (first.made.len(), second.made.len(), second.known),
        (1, 0, 1)
    );
    assert_eq!(row(&bench, first.made[0]).await.folder, "diary/may");
    // A piece's own folder holds one text, which is a session already.
    let (folder, title) = ("diary/may".to_owned(), Some("Other".to_owned()));
    let said = why(deed(&bench, DrawerDeed::FromFolder { folder, title }).await);
    assert!(said.contains("is the folder of a piece"), "{said}");
    let empty = elsewhere.path().to_str().unwrap().to_owned() + "/none";
    let (folder, title) = (empty, None);
    assert!(
        why(deed(&bench, DrawerDeed::FromFolder { folder, title }).await)
            .contains("could not be looked at")
    );
}

/// Waits until the collection's row is as wanted; none when it is gone.
pub(crate) async fn shelf(bench: &Bench, id: &CollectionId, folder: Option<&str>) {
    let mut heard = bench.client.attach(Scope::Workspace);
    loop {
        match next(&mut heard, "the collection").await {
            Notice::Collection(row) if row.id == *id && Some(row.folder.as_str()) == folder => {
                return;
            }
            Notice::CollectionGone { collection } if collection == *id && folder.is_none() => {
                return;
            }
            _ => {}
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_is_renamed_damaged_linked_or_deleted_while_open_costs_no_session() {
    let bench = Bench::new(&numbered(1, 0), "");
    let essays = collection(&bench, "Essays").await;
    let new = Request::New(NewSession {
        collection: Some(essays.clone()),
        title: Some("Piece".into()),
        agent: None,
        prompt: None,
        recipe: None,
    });
    let Reply::Created { session } = bench.client.ask(new).await else {
        panic!("no session")
    };
    write(&bench, session, "Words.").await;
    let root = bench.root();
    std::fs::rename(root.join("essays"), root.join("letters")).unwrap();
    shelf(&bench, &essays, Some("letters")).await;
    assert_eq!(bench.draft(session).await.0, "Words.");
    assert_eq!(row(&bench, session).await.folder, "letters/piece");

    std::fs::write(
        root.join("letters/collection.toml"),
        "title = \"E\"\n[[piece\n",
    )
    .unwrap();
    assert!(is_done(
        &bench
            .deed(
                session,
                Deed::Rename {
                    title: "Still".into()
                }
            )
            .await
    ));
    shelf(&bench, &essays, Some("letters")).await;
    let now = row(&bench, session).await;
    assert_eq!((now.title.as_str(), &now.collection), ("Still", &essays));

    std::fs::rename(root.join("letters"), root.join(".away")).unwrap();
    std::os::unix::fs::symlink(root.join(".away"), root.join("letters")).unwrap();
    shelf(&bench, &essays, None).await;
    assert_eq!(row(&bench, session).await.title, "Still");
    assert_eq!(bench.draft(session).await.0, "Words.");
}
