//! Versions: listed, restored, named, and never lost, whatever is done with them.

use std::collections::BTreeMap;

use fascicle::domain::ask::{Deed, Reply, Request, Which};
use fascicle::domain::event::{By, Origin};
use fascicle::domain::versions::VersionRow;
use fascicle::domain::{Event, Kind, Seq, SessionId};
use serde_json::json;

use crate::bench::{Bench, numbered};
use crate::drafts_typed::{begun, on_disk, outside, put, settle, typed, version};
use crate::take::{all, made, taken};

pub(crate) async fn rows(bench: &Bench, session: SessionId) -> Vec<VersionRow> {
    match bench.client.ask(Request::Versions { session }).await {
        Reply::Versions { versions } => versions,
        other => panic!("{other:?}"),
    }
}

pub(crate) async fn restore(bench: &Bench, id: SessionId, seq: Seq) -> Reply {
    bench.deed(id, Deed::RestoreDraft { seq }).await
}

fn why(reply: Reply) -> String {
    match reply {
        Reply::Refused { why, hint } => format!("{why} {}", hint.unwrap_or_default()),
        other => panic!("{other:?}"),
    }
}

fn notes(events: &[Event]) -> Vec<String> {
    let note = |e: &Event| match &e.kind {
        Kind::Note { text, .. } => Some(text.clone()),
        _ => None,
    };
    events.iter().filter_map(note).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_older_version_is_the_draft_again_as_a_new_version_and_one_key_undoes_it() {
    let bench = Bench::new(&numbered(1, 0), "");
    let (id, first) = begun(&bench, "One.\n").await;
    let (edit, ..) = typed(&bench, id, first, &[put(0, "Zero. ")]).await;
    let (at, ..) = typed(&bench, id, edit, &[put(0, "!")]).await;
    // What was typed is a version before it, and is not lost.
    assert_eq!(restore(&bench, id, first).await, Reply::Done);
    assert_eq!(on_disk(&bench, id).await, "One.\n");
    let events = bench.so_far(id).await;
    let origin = Origin {
        session: id,
        seq: first,
    };
    let made = made(&events);
    let [_, (typed, By::You, None), (_, By::Restore, from)] = made.as_slice() else {
        panic!("{made:?}")
    };
    assert!(*typed > at && *from == Some(origin), "{made:?}");
    assert_eq!(version(&bench, id, *typed).await, "!Zero. One.\n");
    bench.deed(id, Deed::Undo(Which::NEW)).await;
    let bench = bench.restarted().await;
    assert_eq!(bench.deed(id, Deed::Undo(Which::NEW)).await, Reply::Done);
    assert_eq!(on_disk(&bench, id).await, "!Zero. One.\n");
    // An edit between two versions can be had again as well.
    assert_eq!(restore(&bench, id, edit).await, Reply::Done);
    assert_eq!(on_disk(&bench, id).await, "Zero. One.\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_version_is_not_restored_and_gets_no_name() {
    let bench = Bench::new(&numbered(1, 0), "");
    let (id, first) = begun(&bench, "One.\n").await;
    for seq in [0, first + 1, 9_999] {
        let said = why(restore(&bench, id, seq).await);
        assert!(
            said.contains("no version") && said.contains("--versions"),
            "{said}"
        );
    }
    let pin = |version, name: &str| Deed::Pin {
        version,
        name: Some(name.to_owned()),
    };
    for (version, name, wanted) in [
        (0, "First", "no version"),
        (first, " ", "empty"),
        (first, "12", "digits"),
    ] {
        let said = why(bench.deed(id, pin(version, name)).await);
        assert!(said.contains(wanted), "{said}");
    }
    assert_eq!(bench.deed(id, pin(first, "First")).await, Reply::Done);
    assert_eq!(rows(&bench, id).await[0].name.as_deref(), Some("First"));
    typed(&bench, id, first, &[put(0, "Zero. ")]).await;
    settle(&bench, id).await;
    let second = bench.draft(id).await.1.unwrap();
    let said = why(bench.deed(id, pin(second, "First")).await);
    assert!(
        said.contains(&format!("Version {first} has that name")),
        "{said}"
    );
    let off = Deed::Pin {
        version: first,
        name: None,
    };
    assert_eq!(bench.deed(id, off).await, Reply::Done);
    assert_eq!(bench.deed(id, pin(second, "First")).await, Reply::Done);
    let names: Vec<_> = rows(&bench, id).await.into_iter().map(|r| r.name).collect();
    assert_eq!(names, [None, Some("First".to_owned())]);
    let same = made(&bench.so_far(id).await).len();
    assert_eq!(restore(&bench, id, second).await, Reply::Done);
    assert_eq!(
        made(&bench.so_far(id).await).len(),
        same,
        "it is the draft already"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn undone_to_the_first_word_the_draft_says_where_its_text_is_and_comes_back() {
    let script = json!({"steps": [{"message": {"block": 0, "text": "A slow river."}}]});
    let bench = Bench::new(&script, "");
    let id = bench.new_session("One").await;
    let heard = bench.turn(id, "Write.").await;
    let is_reply = |e: &&Event| matches!(e.kind, Kind::Message { .. });
    let seq = heard.iter().find(is_reply).unwrap().seq;
    let how = fascicle::domain::ask::Into::Append;
    for _ in 0..3 {
        bench.deed(id, Deed::ReplyToDraft { seq, how }).await;
    }
    let full = bench.draft(id).await.0;
    let was = bench.draft(id).await.1.unwrap();
    while let Reply::Done = bench.deed(id, Deed::Undo(Which::NEW)).await {}
    assert_eq!(bench.draft(id).await.0, "");
    let notes = notes(&bench.so_far(id).await);
    assert!(notes.last().unwrap().contains("empty now"), "{notes:?}");
    assert_eq!(restore(&bench, id, was).await, Reply::Done);
    assert_eq!(bench.draft(id).await.0, full);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_draft_of_another_system_is_converted_on_request_and_the_original_stays_a_version() {
    let bench = Bench::new(&numbered(1, 0), "");
    let (id, _) = begun(&bench, "One.").await;
    let file = bench.folder(id).await.join("draft.md");
    for (bytes, text) in [
        (&b"caf\xe9 \x93so\x94\r\n"[..], "café “so”\r\n"),
        (b"\xff\xfea\0\xac\x20", "a€"),
    ] {
        std::fs::write(&file, bytes).unwrap();
        let shown = bench.client.ask(Request::Draft {
            session: id,
            at: None,
        });
        let Reply::Draft {
            locked: Some(locked),
            version: Some(original),
            ..
        } = shown.await
        else {
            panic!("it is locked")
        };
        assert!(locked.contains("Convert"), "{locked}");
        assert_eq!(bench.deed(id, Deed::Convert).await, Reply::Done);
        assert_eq!(std::fs::read(&file).unwrap(), text.as_bytes());
        let at = bench.draft(id).await.1.unwrap();
        typed(&bench, id, at, &[]).await;
        assert_eq!(restore(&bench, id, original).await, Reply::Done);
        assert_eq!(std::fs::read(&file).unwrap(), bytes);
        assert_eq!(bench.deed(id, Deed::Undo(Which::NEW)).await, Reply::Done);
        assert_eq!(std::fs::read(&file).unwrap(), text.as_bytes());
    }
    let said = why(bench.deed(id, Deed::Convert).await);
    assert!(said.contains("UTF-8 text already"), "{said}");
    std::fs::write(&file, b"\x7fELF\0\0\xff").unwrap();
    let said = why(bench.deed(id, Deed::Convert).await);
    assert!(said.contains("zero bytes"), "{said}");
    assert_eq!(std::fs::read(&file).unwrap(), b"\x7fELF\0\0\xff");
}

/// A plain generator of numbers: the same sequence each time.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn roll(&mut self, of: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % of
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn any_sequence_of_typing_restoring_taking_and_undoing_keeps_every_version_reachable() {
    let mut bench = Bench::new(&numbered(1, 0), "");
    let (id, _) = begun(&bench, "One.\n\nTwo.\n\nThree.\n").await;
    let mut dice = Dice(7);
    let mut ever: BTreeMap<Seq, String> = BTreeMap::new();
    for step in 0..60 {
        let (now, at) = bench.draft(id).await;
        let at = at.unwrap();
        let seqs: Vec<Seq> = rows(&bench, id).await.iter().map(|r| r.seq).collect();
        let some = seqs[dice.roll(seqs.len())];
        match dice.roll(6) {
            0 => {
                typed(&bench, id, at, &[put(0, &format!("Typed {step}. "))]).await;
                if dice.roll(2) == 0 {
                    settle(&bench, id).await;
                }
            }
            1 => assert_eq!(restore(&bench, id, some).await, Reply::Done),
            2 => {
                // On an older draft, so that some meet what was typed since.
                let base = version(&bench, id, some).await;
                let splices = all(&base, &base.replace("Two", &format!("Two {step}")));
                let from = Origin {
                    session: id,
                    seq: some,
                };
                taken(&bench, id, some, &splices, from).await;
            }
            3 => drop(bench.deed(id, Deed::Undo(Which::NEW)).await),
            4 => outside(&bench, id, &format!("{now}\nOutside {step}.\n")).await,
            _ if step % 10 == 0 => bench = bench.restarted().await,
            _ => settle(&bench, id).await,
        }
        for row in rows(&bench, id).await {
            if let std::collections::btree_map::Entry::Vacant(new) = ever.entry(row.seq) {
                new.insert(version(&bench, id, row.seq).await);
            }
        }
    }
    settle(&bench, id).await;
    let bench = bench.restarted().await;
    assert!(ever.len() > 30, "{}", ever.len());
    for (seq, text) in &ever {
        assert_eq!(&version(&bench, id, *seq).await, text, "version {seq}");
        assert_eq!(restore(&bench, id, *seq).await, Reply::Done);
        assert_eq!(&bench.draft(id).await.0, text);
    }
}
