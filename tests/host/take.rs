//! Words of another text in the draft: of another session, of an older version; merged, undone, kept.

use fascicle::domain::ask::{Deed, Reply, Request, Which};
use fascicle::domain::event::{By, Origin};
use fascicle::domain::splice::between;
use fascicle::domain::{Event, Kind, Seq, SessionId, Splice};

use crate::bench::{Bench, numbered};
use crate::drafts_typed::{begun, on_disk, outside, put, settle, typed, version};

pub(crate) async fn take(
    bench: &Bench,
    session: SessionId,
    base: Seq,
    splices: &[Splice],
    from: Origin,
) -> Reply {
    let request = Request::Take {
        session,
        base,
        splices: splices.to_vec(),
        from,
        rest: false,
    };
    bench.client.ask(request).await
}

/// Takes; the draft's event then, the text when it is another than was wanted, and the version beside.
pub(crate) async fn taken(
    bench: &Bench,
    id: SessionId,
    base: Seq,
    splices: &[Splice],
    from: Origin,
) -> (Seq, Option<String>, Option<Seq>) {
    match take(bench, id, base, splices, from).await {
        Reply::Edited {
            version,
            text,
            beside,
            ..
        } => (version, text, beside),
        other => panic!("{other:?}"),
    }
}

/// The change that makes one text another.
pub(crate) fn all(old: &str, new: &str) -> Vec<Splice> {
    between(old, new).into_iter().collect()
}

/// Every version: its number, who made it, where its words come from.
pub(crate) fn made(events: &[Event]) -> Vec<(Seq, By, Option<Origin>)> {
    let saved = |e: &Event| match &e.kind {
        Kind::DraftSaved { by, from, .. } => Some((e.seq, by.clone(), *from)),
        _ => None,
    };
    events.iter().filter_map(saved).collect()
}

fn origin(session: SessionId, seq: Seq) -> Origin {
    Origin { session, seq }
}

#[tokio::test(flavor = "multi_thread")]
async fn taken_words_are_a_version_that_names_its_source_and_one_key_takes_them_back() {
    let bench = Bench::new(&numbered(1, 0), "");
    let (other, theirs) = begun(&bench, "One.\n\nTwo, better.\n").await;
    let (id, base) = begun(&bench, "One.\n\nTwo.\n").await;
    let from = origin(other, theirs);
    let (at, text, beside) = taken(&bench, id, base, &[put(9, ", better")], from).await;
    assert_eq!((text, beside), (None, None));
    assert_eq!(on_disk(&bench, id).await, "One.\n\nTwo, better.\n");
    let events = bench.so_far(id).await;
    assert_eq!(made(&events).pop().unwrap(), (at, By::Take, Some(from)));
    // The title of the mark is undone first.
    assert_eq!(bench.deed(id, Deed::Undo(Which::NEW)).await, Reply::Done);
    let bench = bench.restarted().await;
    assert_eq!(bench.deed(id, Deed::Undo(Which::NEW)).await, Reply::Done);
    assert_eq!(on_disk(&bench, id).await, "One.\n\nTwo.\n");
    assert_eq!(version(&bench, id, at).await, "One.\n\nTwo, better.\n");
    assert_eq!(bench.draft(other).await.0, "One.\n\nTwo, better.\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn words_taken_on_an_older_draft_are_merged_with_what_was_typed_and_written_since() {
    let bench = Bench::new(&numbered(1, 0), "");
    let (id, base) = begun(&bench, "One.\n\nTwo.\n\nThree.\n").await;
    typed(&bench, id, base, &[put(3, ", mine")]).await;
    outside(&bench, id, "One.\n\nTwo.\n\nThree, theirs.\n").await;
    let wanted = "One.\n\nTwo, taken.\n\nThree.\n";
    let splices = all("One.\n\nTwo.\n\nThree.\n", wanted);
    let from = origin(id, base);
    let (_, text, beside) = taken(&bench, id, base, &splices, from).await;
    let both = "One, mine.\n\nTwo, taken.\n\nThree, theirs.\n";
    assert_eq!((text.as_deref(), beside), (Some(both), None));
    assert_eq!(on_disk(&bench, id).await, both);
    assert_eq!(bench.deed(id, Deed::Undo(Which::NEW)).await, Reply::Done);
    let before = "One, mine.\n\nTwo.\n\nThree, theirs.\n";
    assert_eq!(
        on_disk(&bench, id).await,
        before,
        "only what was taken goes"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn where_the_writer_has_changed_the_same_words_they_stay_and_the_others_stand_beside() {
    let bench = Bench::new(&numbered(1, 0), "");
    let (id, base) = begun(&bench, "One.\n\nTwo.\n").await;
    typed(&bench, id, base, &[put(3, ", mine")]).await;
    let from = origin(id, base);
    let (at, text, beside) = taken(&bench, id, base, &[put(3, ", taken")], from).await;
    assert_eq!(text.as_deref(), Some("One, mine.\n\nTwo.\n"));
    assert_eq!(on_disk(&bench, id).await, "One, mine.\n\nTwo.\n");
    assert_eq!(bench.draft(id).await.1, Some(at));
    let other = version(&bench, id, beside.unwrap()).await;
    assert_eq!(other, "One, taken.\n\nTwo.\n");
    let events = bench.so_far(id).await;
    let made = made(&events);
    let [.., (aside, By::Take, Some(of)), (_, By::You, None)] = made.as_slice() else {
        panic!("{made:?}")
    };
    assert_eq!((Some(*aside), *of), (beside, from));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_says_that_more_of_a_text_waits_where_only_some_of_it_was_taken() {
    let bench = Bench::new(&numbered(1, 0), "");
    let (session, base) = begun(&bench, "One.\n\nTwo.\n").await;
    let request = Request::Take {
        session,
        base,
        splices: vec![put(3, ", taken")],
        from: origin(session, base),
        rest: true,
    };
    assert!(matches!(
        bench.client.ask(request).await,
        Reply::Edited { .. }
    ));
    let events = bench.so_far(session).await;
    let rest = |e: &Event| match e.kind {
        Kind::DraftSaved { rest, .. } => Some(rest),
        _ => None,
    };
    let rests: Vec<bool> = events.iter().filter_map(rest).collect();
    assert_eq!(rests, [false, true]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_there_already_makes_no_version_and_what_does_not_fit_changes_nothing() {
    let bench = Bench::new(&numbered(1, 0), "");
    let (id, base) = begun(&bench, "One.").await;
    let from = origin(id, base);
    assert_eq!(taken(&bench, id, base, &[], from).await, (base, None, None));
    let cut = Splice {
        at: 9,
        remove: 4,
        insert: "x".into(),
    };
    let reply = take(&bench, id, base, &[cut], from).await;
    assert!(
        matches!(&reply, Reply::Refused { why, .. } if why.contains("do not fit")),
        "{reply:?}"
    );
    assert_eq!(bench.draft(id).await, ("One.".to_owned(), Some(base)));
}

#[tokio::test(flavor = "multi_thread")]
async fn case_23_taking_and_restoring_leave_every_other_byte_as_it_is() {
    use std::os::unix::fs::PermissionsExt;
    let texts = [
        "\u{feff}# Title\r\n\r\nThe word REPLACEME here.\r\nSecond line.\r\n\r\nNo end",
        "one\r\ntwo REPLACEME\nthree\rstill three\r\nfour\r\n\r\n\n",
    ];
    for old in texts {
        let bench = Bench::new(&numbered(1, 0), "");
        let (id, base) = begun(&bench, old).await;
        let file = bench.folder(id).await.join("draft.md");
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).unwrap();
        let new = old.replace("REPLACEME", "DONE");
        taken(&bench, id, base, &all(old, &new), origin(id, base)).await;
        assert_eq!(on_disk(&bench, id).await, new);
        let back = Deed::RestoreDraft { seq: base };
        assert_eq!(bench.deed(id, back).await, Reply::Done);
        assert_eq!(on_disk(&bench, id).await, old);
        settle(&bench, id).await;
        let mode = std::fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn words_of_another_session_come_with_the_line_ends_of_the_draft_they_go_into() {
    let bench = Bench::new(&numbered(1, 0), "");
    let (other, theirs) = begun(&bench, "One.\n\nTwo,\nbetter.\n").await;
    let dos = "\u{feff}One.\r\n\r\nTwo.\r\n";
    let (id, base) = begun(&bench, dos).await;
    let wanted = "\u{feff}One.\r\n\r\nTwo,\nbetter.\r\n";
    let from = origin(other, theirs);
    let (_, text, beside) = taken(&bench, id, base, &all(dos, wanted), from).await;
    let kept = "\u{feff}One.\r\n\r\nTwo,\r\nbetter.\r\n";
    assert_eq!((text.as_deref(), beside), (Some(kept), None));
    assert_eq!(on_disk(&bench, id).await, kept);
}
