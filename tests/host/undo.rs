//! Deeds undone and done again: one at a time, none of an earlier day unawares, and nothing lost by it.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use fascicle::domain::ask::{Busy, Deed, Reply, Request, Undone, Which};
use fascicle::domain::event::{By, Origin};
use fascicle::domain::head::Was;
use fascicle::domain::kin::{Member, main_line};
use fascicle::domain::{Kind, Row, Seq, SessionId, Stage};
use serde_json::json;

use crate::bench::{Bench, numbered};
use crate::drafts_typed::{begun, call_and_tell, on_disk, outside, put, settle, typed, version};
use crate::take::{all, made, taken};
use crate::versions_kept::{Dice, restore, rows};

const UNDO: Deed = Deed::Undo(Which::NEW);
const REDO: Deed = Deed::Redo(Which::NEW);

fn why(reply: Reply) -> String {
    match reply {
        Reply::Refused { why, hint } => format!("{why} {}", hint.unwrap_or_default()),
        other => panic!("{other:?}"),
    }
}

async fn done(bench: &Bench, session: SessionId, deed: Deed) {
    let told = format!("{deed:?}");
    assert_eq!(bench.deed(session, deed).await, Reply::Done, "{told}");
}

/// The same, with all that is told.
async fn told(bench: &Bench, session: SessionId, deed: Deed) -> Undone {
    match bench.client.ask(Request::Do { session, deed }).await {
        Reply::Undone(undone) => *undone,
        other => panic!("{other:?}"),
    }
}

async fn row(bench: &Bench, id: SessionId) -> Row {
    bench.row(id, "its row", |_| true).await
}

/// Adds a line to the log of a session that nobody has open.
fn append(bench: &Bench, id: SessionId, ts: i64, kind: &serde_json::Value) -> Seq {
    let log = bench.log(id);
    let text = std::fs::read_to_string(&log).unwrap();
    let seq = text.lines().count();
    let mut line = json!({"v": 1, "seq": seq, "ts": ts});
    line.as_object_mut()
        .unwrap()
        .extend(kind.as_object().unwrap().clone());
    std::fs::write(&log, format!("{text}{line}\n")).unwrap();
    Seq::try_from(seq).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_undone_is_done_again_in_its_order_also_by_another_host() {
    let mut bench = Bench::new(&numbered(1, 0), "");
    let id = bench.new_session("One").await;
    let stage = Some(Stage::Draft);
    let (add, remove) = (vec!["a".to_owned()], Vec::new());
    let title = "Two".to_owned();
    for deed in [
        Deed::Rename { title },
        Deed::Tag { add, remove },
        Deed::Stage { stage },
        Deed::Archive,
    ] {
        done(&bench, id, deed).await;
    }
    let looks = |row: Row| (row.title, row.tags, row.stage, row.archived);
    let after = looks(row(&bench, id).await);
    for _ in 0..3 {
        for _ in 0..4 {
            done(&bench, id, UNDO).await;
        }
        let before = ("One".to_owned(), Vec::new(), None, false);
        assert_eq!(looks(row(&bench, id).await), before);
        bench = bench.restarted().await;
        for _ in 0..4 {
            done(&bench, id, REDO).await;
        }
        assert_eq!(looks(row(&bench, id).await), after);
    }
    assert!(why(bench.deed(id, REDO).await).contains("nothing to do again"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_deed_leaves_nothing_to_do_again() {
    let bench = Bench::new(&numbered(1, 0), "");
    let id = bench.new_session("One").await;
    let rename = |title: &str| Deed::Rename {
        title: title.to_owned(),
    };
    done(&bench, id, rename("Two")).await;
    done(&bench, id, UNDO).await;
    done(&bench, id, rename("Three")).await;
    assert!(why(bench.deed(id, REDO).await).contains("nothing to do again"));
    done(&bench, id, UNDO).await;
    // By hand, it is the same as by a redo.
    done(&bench, id, rename("Three")).await;
    assert!(why(bench.deed(id, REDO).await).contains("nothing to do again"));
    assert_eq!(row(&bench, id).await.title, "Three");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_of_the_draft_that_was_undone_comes_back_as_a_version_that_names_the_one_it_was() {
    let bench = Bench::new(&numbered(1, 0), "");
    let (id, first) = begun(&bench, "One.\n").await;
    typed(&bench, id, first, &[put(0, "Zero. ")]).await;
    settle(&bench, id).await;
    done(&bench, id, Deed::RestoreDraft { seq: first }).await;
    let back = told(&bench, id, UNDO).await;
    assert!(
        matches!(&back.deed.was, Was::Draft(Some(v)) if v.words == 2),
        "{back:?}"
    );
    assert_eq!(back.deed.is.as_ref().map(|v| v.words), Some(1));
    assert_eq!(on_disk(&bench, id).await, "Zero. One.\n");
    let again = told(&bench, id, REDO).await;
    assert!(again.again && !again.asked, "{again:?}");
    assert_eq!(on_disk(&bench, id).await, "One.\n");
    let events = bench.so_far(id).await;
    let (_, by, from) = made(&events).pop().unwrap();
    let seq = back.deed.seq;
    assert_eq!((by, from), (By::Restore, Some(Origin { session: id, seq })));
    // The mark of this test is the newest deed now.
    done(&bench, id, UNDO).await;
    done(&bench, id, UNDO).await;
    assert_eq!(on_disk(&bench, id).await, "Zero. One.\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn neither_an_undo_nor_a_redo_takes_away_what_another_program_wrote_in_between() {
    let bench = Bench::new(&numbered(1, 0), "");
    let (id, first) = begun(&bench, "One.\n").await;
    let (two, ..) = typed(&bench, id, first, &[put(0, "Two. ")]).await;
    settle(&bench, id).await;
    restore(&bench, id, first).await;
    outside(&bench, id, "Outside.\n").await;
    let at = bench.draft(id).await.1.unwrap();
    restore(&bench, id, two).await;
    done(&bench, id, UNDO).await;
    assert_eq!(bench.draft(id).await.0, "Outside.\n");
    let said = why(bench.deed(id, UNDO).await);
    assert!(said.contains("Another program"), "{said}");
    outside(&bench, id, "Outside again.\n").await;
    let said = why(bench.deed(id, REDO).await);
    assert!(said.contains("Another program"), "{said}");
    assert_eq!(on_disk(&bench, id).await, "Outside again.\n");
    assert_eq!(version(&bench, id, at).await, "Outside.\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_undo_brings_back_what_was_the_draft_and_no_text_that_stood_beside_it() {
    let probe = Bench::new(&numbered(1, 0), "");
    let (_, base) = begun(&probe, "One.\n\nTwo.\n\nThree.\n").await;
    for (theirs, both, by) in [
        (
            "One, play.\n\nTwo.\n\nThree.\n",
            "One, mine.\n\nTwo, mine.\n\nThree.\n",
            By::Outside,
        ),
        (
            "One, play.\n\nTwo.\n\nThree, play.\n",
            "One, mine.\n\nTwo, mine.\n\nThree, play.\n",
            By::Agent("play".to_owned()),
        ),
    ] {
        let input = json!({"text": theirs, "base_version": base});
        let bench = Bench::new(&call_and_tell("write_draft", &input), "");
        let (id, _) = begun(&bench, "One.\n\nTwo.\n\nThree.\n").await;
        let mine = "One, mine.\n\nTwo, mine.\n\nThree.\n";
        outside(&bench, id, mine).await;
        bench.turn(id, "Write.").await;
        assert_eq!(on_disk(&bench, id).await, both);
        let rows = rows(&bench, id).await;
        let [.., aside, newest] = rows.as_slice() else {
            panic!("{rows:?}")
        };
        assert_eq!((newest.stands.beside, &newest.by), (Some(aside.seq), &by));
        assert_eq!(version(&bench, id, aside.seq).await, theirs);
        done(&bench, id, UNDO).await;
        assert_eq!(on_disk(&bench, id).await, mine);
        assert_eq!(bench.draft(id).await.0, mine);
        let said = why(bench.deed(id, UNDO).await);
        assert!(said.contains("nothing to undo"), "{said}");
        done(&bench, id, REDO).await;
        assert_eq!(on_disk(&bench, id).await, both);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_name_of_a_version_is_a_deed_that_an_undo_takes_back_and_the_draft_stays() {
    let bench = Bench::new(&numbered(1, 0), "");
    let (id, version) = begun(&bench, "One.\n").await;
    restore(&bench, id, version).await;
    let name = async || rows(&bench, id).await.swap_remove(0).name;
    for called in ["first", "second"] {
        let name = Some(called.to_owned());
        done(&bench, id, Deed::Pin { version, name }).await;
    }
    done(&bench, id, UNDO).await;
    assert_eq!(name().await.as_deref(), Some("first"));
    done(&bench, id, UNDO).await;
    assert_eq!(name().await, None);
    done(&bench, id, REDO).await;
    done(&bench, id, REDO).await;
    assert_eq!(name().await.as_deref(), Some("second"));
    assert_eq!(on_disk(&bench, id).await, "One.\n");
    let name = Some("x@y".to_owned());
    let said = why(bench.deed(id, Deed::Pin { version, name }).await);
    assert!(said.contains('@'), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deed_that_changes_nothing_is_none_to_be_undone() {
    let bench = Bench::new(&numbered(1, 0), "");
    let id = bench.new_session("One").await;
    let tag = |on: &str| Deed::Tag {
        add: vec![on.to_owned()],
        remove: Vec::new(),
    };
    let title = "Two".to_owned();
    let stage = Some(Stage::Draft);
    let deeds = [
        Deed::Rename { title },
        tag("sea"),
        Deed::Stage { stage },
        Deed::Archive,
        Deed::Restore,
    ];
    for deed in deeds {
        done(&bench, id, deed.clone()).await;
        let lines = || std::fs::read_to_string(bench.log(id)).unwrap();
        let before = lines();
        done(&bench, id, deed).await;
        assert_eq!(lines(), before);
    }
    for _ in 0..5 {
        done(&bench, id, UNDO).await;
    }
    let now = row(&bench, id).await;
    assert_eq!(
        (now.title.as_str(), now.tags, now.stage),
        ("One", vec![], None)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deed_of_an_earlier_day_is_told_and_asked_about_and_undone_by_its_number() {
    let bench = Bench::new(&numbered(1, 0), "");
    let id = bench.new_session("One").await;
    bench.host.close(true).await;
    let week = 1_700_000_000_000;
    let renamed = json!({"kind": "renamed", "title": "Two"});
    let seq = append(&bench, id, week, &renamed);
    let bench = bench.restarted().await;
    for _ in 0..3 {
        let asked = told(&bench, id, UNDO).await;
        assert!(asked.asked && !asked.again, "{asked:?}");
        assert_eq!((asked.deed.seq, asked.deed.at), (seq, week));
        assert_eq!(asked.deed.was, Was::Title(Some("One".to_owned())));
    }
    assert_eq!(row(&bench, id).await.title, "Two");
    let only = Which::known;
    let said = why(bench.deed(id, Deed::Undo(only(seq - 1))).await);
    assert!(said.contains("Something else was done there"), "{said}");
    done(&bench, id, Deed::Undo(only(seq))).await;
    assert_eq!(row(&bench, id).await.title, "One");
    // It was undone in this sitting.
    done(&bench, id, REDO).await;
    assert_eq!(row(&bench, id).await.title, "Two");
    done(&bench, id, UNDO).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_adoption_and_a_move_are_done_again_with_their_folders() {
    let bench = Bench::new(&numbered(1, 0), "");
    let essays = Request::NewCollection {
        title: "Essays".to_owned(),
    };
    let Reply::Collection { collection } = bench.client.ask(essays).await else {
        panic!("no collection")
    };
    let id = bench.new_session("Piece").await;
    let variant = bench.fork(id, "first").await;
    let rename = Deed::Rename {
        title: "first person".to_owned(),
    };
    let adopt = Request::Adopt {
        session: variant,
        busy: Busy::Ask,
    };
    assert_eq!(bench.client.ask(adopt).await, Reply::Done);
    done(&bench, variant, rename).await;
    for _ in 0..2 {
        done(&bench, variant, UNDO).await;
        assert!(matches!(told(&bench, variant, UNDO).await.deed.was, Was::Main(was) if was == id));
        assert_eq!(row(&bench, id).await.folder, "inbox/piece");
        let again = told(&bench, variant, REDO).await;
        assert!(again.again, "{again:?}");
        assert_eq!(row(&bench, variant).await.folder, "inbox/piece");
        done(&bench, variant, REDO).await;
        assert_eq!(row(&bench, variant).await.title, "first person");
    }
    let moves = fascicle::domain::ask::DrawerDeed::Move {
        session: id,
        to: collection.clone(),
        alone: false,
        busy: Busy::Ask,
    };
    let reply = bench.client.ask(Request::Drawer { deed: moves }).await;
    assert!(!matches!(reply, Reply::Refused { .. }), "{reply:?}");
    for _ in 0..2 {
        done(&bench, id, UNDO).await;
        assert_eq!(row(&bench, variant).await.folder, "inbox/piece");
        done(&bench, id, REDO).await;
        assert_eq!(row(&bench, variant).await.folder, "essays/piece");
        assert_eq!(row(&bench, id).await.collection, collection);
    }
}

/// A step of the writer on one of a family.
async fn step(bench: &Bench, (id, other): (SessionId, SessionId), n: usize, dice: &mut Dice) {
    let (text, at) = bench.draft(id).await;
    let at = at.unwrap();
    let seqs: Vec<Seq> = rows(bench, id).await.iter().map(|r| r.seq).collect();
    match dice.roll(8) {
        0 => drop(typed(bench, id, at, &[put(0, &format!("Typed {n}. "))]).await),
        1 => drop(restore(bench, id, seqs[dice.roll(seqs.len())]).await),
        2 => {
            let (theirs, from) = bench.draft(other).await;
            let from = Origin {
                session: other,
                seq: from.unwrap(),
            };
            drop(taken(bench, id, at, &all(&text, &theirs), from).await);
        }
        3 => {
            let (session, busy) = (id, Busy::Ask);
            drop(bench.client.ask(Request::Adopt { session, busy }).await);
        }
        4 | 5 => drop(bench.deed(id, UNDO).await),
        _ => drop(bench.deed(id, REDO).await),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_is_restored_taken_adopted_undone_and_redone_no_version_is_lost_and_one_is_the_main_line()
 {
    for seed in [3, 5] {
        let mut bench = Bench::new(&numbered(1, 0), "");
        let (first, _) = begun(&bench, "One.\n\nTwo.\n").await;
        let mut family = vec![first];
        for name in ["a", "b"] {
            family.push(bench.fork(first, name).await);
        }
        let mut dice = Dice(seed);
        let mut ever: BTreeMap<(SessionId, Seq), String> = BTreeMap::new();
        let mut redone = 0;
        for n in 0..60 {
            let (id, other) = (family[dice.roll(3)], family[dice.roll(3)]);
            step(&bench, (id, other), n, &mut dice).await;
            if n % 20 == 19 {
                bench = bench.restarted().await;
            }
            for row in rows(&bench, id).await {
                if let Entry::Vacant(new) = ever.entry((id, row.seq)) {
                    new.insert(version(&bench, id, row.seq).await);
                }
            }
            let mut members = Vec::new();
            for id in &family {
                members.push(
                    bench
                        .row(*id, "its end", |r| r.kin.exchange.is_none())
                        .await,
                );
            }
            let main = main_line(members.iter().map(|r| Member {
                id: r.id,
                kin: &r.kin,
                trashed: r.trashed,
            }));
            let at_home = members.iter().filter(|r| r.folder == "inbox/one");
            let at_home: Vec<SessionId> = at_home.map(|r| r.id).collect();
            assert_eq!(at_home, [main.unwrap()], "seed {seed}, step {n}");
        }
        for id in &family {
            let events = bench.so_far(*id).await;
            let undone = |e: &&fascicle::domain::Event| matches!(e.kind, Kind::Undone { .. });
            redone += events.iter().filter(undone).count();
        }
        assert!(ever.len() > 8 && redone > 2, "{} {redone}", ever.len());
        for ((id, seq), text) in &ever {
            assert_eq!(&version(&bench, *id, *seq).await, text, "version {seq}");
        }
    }
}
