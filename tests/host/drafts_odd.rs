//! What can become of `draft.md` besides a text: it is gone, a folder, a link, huge or no text; and a host that dies
//! before it is written.

use std::path::PathBuf;

use fascicle::domain::ask::{Deed, Reply, Request, Which};
use fascicle::domain::event::{By, Origin};
use fascicle::domain::notice::Notice;
use fascicle::domain::{Event, Kind, Row, Seq, SessionId};
use serde_json::json;

use crate::bench::{Bench, events_until, next, numbered, words};
use crate::drafts_typed::{begun, bys, on_disk, outside, put, save_beside, settle, typed, version};
use crate::drawer::collection;
use crate::drawer_outside::piece;
use crate::take::{all, made, take, taken};
use crate::versions_kept::{restore, rows};

async fn file(bench: &Bench, id: SessionId) -> PathBuf {
    bench.folder(id).await.join("draft.md")
}

fn notes(events: &[Event]) -> Vec<String> {
    let of = |e: &Event| match &e.kind {
        Kind::Note { text, .. } => Some(text.clone()),
        _ => None,
    };
    events.iter().filter_map(of).collect()
}

/// What would say that the file has become another text is refused, with what stands there.
async fn refused_all(bench: &Bench, id: SessionId, first: Seq, what: &str) {
    let (text, base) = bench.draft(id).await;
    let from = Origin {
        session: id,
        seq: first,
    };
    let changes = all(&text, "Taken.\n");
    for reply in [
        restore(bench, id, first).await,
        take(bench, id, base.unwrap(), &changes, from).await,
    ] {
        refused(&reply, what);
    }
}

fn refused(reply: &Reply, what: &str) {
    let Reply::Refused { why, .. } = reply else {
        panic!("{reply:?}");
    };
    let said = format!("draft.md is not written: {what}");
    assert!(why.contains(&said), "{why}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_undo_of_a_draft_that_cannot_be_written_is_refused_and_done_when_it_can() {
    let bench = Bench::new(&numbered(1, 0), "");
    let (id, first) = begun(&bench, "One.\n").await;
    outside(&bench, id, "Two.\n").await;
    assert_eq!(restore(&bench, id, first).await, Reply::Done);
    let path = file(&bench, id).await;
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir(&path).unwrap();
    let undo = || bench.deed(id, Deed::Undo(Which::NEW));
    refused(&undo().await, "it is a folder");
    assert_eq!(rows(&bench, id).await.len(), 3);
    std::fs::remove_dir(&path).unwrap();
    assert_eq!(undo().await, Reply::Done);
    assert_eq!(on_disk(&bench, id).await, "Two.\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_draft_that_is_deleted_in_an_open_window_is_there_again() {
    let bench = Bench::new(&numbered(1, 0), "");
    let (id, base) = begun(&bench, "One.\n").await;
    let path = file(&bench, id).await;
    std::fs::remove_file(&path).unwrap();
    assert_eq!(bench.draft(id).await, ("One.\n".to_owned(), Some(base)));
    assert_eq!(on_disk(&bench, id).await, "One.\n");
    bench.draft(id).await;
    let said = notes(&bench.so_far(id).await);
    let gone = |n: &&String| n.ends_with("and was put back.");
    assert_eq!(said.iter().filter(gone).count(), 1, "{said:?}");
    typed(&bench, id, base, &[put(0, "Zero. ")]).await;
    std::fs::remove_file(&path).unwrap();
    settle(&bench, id).await;
    assert_eq!(on_disk(&bench, id).await, "Zero. One.\n");
    assert_eq!(rows(&bench, id).await.len(), 2, "nobody wrote another text");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_is_moved_out_of_the_workspace_while_its_draft_is_typed_is_made_anew_and_that_is_said_once()
 {
    let bench = Bench::new(&numbered(1, 0), "");
    let (id, base) = begun(&bench, "One.\n").await;
    let folder = bench.folder(id).await;
    typed(&bench, id, base, &[put(0, "Zero. ")]).await;
    let away = tempfile::tempdir().unwrap();
    std::fs::rename(&folder, away.path().join("one")).unwrap();
    settle(&bench, id).await;
    assert_eq!(on_disk(&bench, id).await, "Zero. One.\n");
    bench.draft(id).await;
    let said = notes(&bench.so_far(id).await);
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(
        said[0].contains("made anew at inbox/one with the draft"),
        "{said:?}"
    );
    // Where it was put nobody writes, and it is as it was.
    let kept = std::fs::read_to_string(away.path().join("one/draft.md")).unwrap();
    assert_eq!(kept, "One.\n");
    // What is deleted while it is typed is said as well.
    let base = bench.draft(id).await.1.unwrap();
    typed(&bench, id, base, &[put(0, "Before. ")]).await;
    std::fs::remove_file(folder.join("draft.md")).unwrap();
    settle(&bench, id).await;
    assert_eq!(on_disk(&bench, id).await, "Before. Zero. One.\n");
    let said = notes(&bench.so_far(id).await);
    assert!(said[1].ends_with("and was put back."), "{said:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn with_a_folder_in_its_place_everything_is_a_version_and_the_file_follows_when_it_can() {
    let bench = Bench::new(&numbered(1, 0), "");
    let (id, first) = begun(&bench, "One.\n").await;
    let path = file(&bench, id).await;
    typed(&bench, id, first, &[put(0, "Typed. ")]).await;
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir(&path).unwrap();
    settle(&bench, id).await;
    let (wanted, before) = ("Typed. One.\n", bench.so_far(id).await);
    let texts = made(&before).into_iter().map(|(_, by, _)| by);
    assert_eq!(texts.collect::<Vec<_>>(), [By::You, By::You]);
    let said = notes(&before);
    let about = |word: &str| said.iter().any(|note| note.contains(word));
    assert!(
        about("it is a folder; move it away") && about("safe in the log"),
        "{said:?}"
    );
    let whys = said.iter().filter(|note| note.contains("it is a folder"));
    assert_eq!(whys.count(), 1, "the reason is said once: {said:?}");
    assert!(!about("os error"), "{said:?}");
    refused_all(&bench, id, first, "it is a folder; move it away.").await;
    assert_eq!(rows(&bench, id).await.len(), 2, "nothing was logged");
    let told = |r: &Row| {
        let why = r.draft_trouble.as_deref();
        why == Some("inbox/one/draft.md: it is a folder; move it away.")
    };
    bench.row(id, "what is in its place", told).await;
    std::fs::remove_dir(&path).unwrap();
    assert_eq!(bench.draft(id).await.0, wanted);
    assert_eq!(on_disk(&bench, id).await, wanted);
    bench
        .row(id, "the file", |r| r.draft_trouble.is_none())
        .await;
    let said = notes(&bench.so_far(id).await);
    let gone = said.iter().any(|note| note.contains("was put back"));
    assert!(!gone, "it was not deleted: {said:?}");
}

/// Puts a link in the place of the draft, in one step: it is neither read nor written through.
async fn linked(bench: &Bench, id: SessionId) -> PathBuf {
    let path = file(bench, id).await;
    let link = path.with_file_name("link");
    std::os::unix::fs::symlink("elsewhere.md", &link).unwrap();
    std::fs::rename(&link, &path).unwrap();
    path
}

#[tokio::test(flavor = "multi_thread")]
async fn a_version_that_never_came_into_the_file_is_not_undone_by_what_is_written_there() {
    let bench = Bench::new(&numbered(1, 0), "");
    let (id, first) = begun(&bench, "One.\n\nTwo.\n").await;
    let path = linked(&bench, id).await;
    let (edit, ..) = typed(&bench, id, first, &[put(0, "Typed. ")]).await;
    settle(&bench, id).await;
    save_beside(&path, "One.\n\nTWO.\n");
    let both = "Typed. One.\n\nTWO.\n";
    assert_eq!(bench.draft(id).await.0, both);
    assert_eq!(on_disk(&bench, id).await, both);
    let by = bys(&bench.so_far(id).await);
    assert_eq!(by, [By::You, By::You, By::Outside, By::You], "{edit}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_typed_behind_such_a_version_is_not_undone_either() {
    let bench = Bench::new(&numbered(1, 0), "");
    let (id, first) = begun(&bench, "One.\n\nTwo.\n").await;
    let path = linked(&bench, id).await;
    typed(&bench, id, first, &[put(0, "Typed. ")]).await;
    settle(&bench, id).await;
    let base = bench.draft(id).await.1.unwrap();
    typed(&bench, id, base, &[put(0, "More. ")]).await;
    save_beside(&path, "One.\n\nTWO.\n");
    settle(&bench, id).await;
    let both = "More. Typed. One.\n\nTWO.\n";
    assert_eq!(bench.draft(id).await.0, both);
    assert_eq!(on_disk(&bench, id).await, both);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_paragraph_of_such_a_version_that_is_written_outside_both_texts_are_kept() {
    let bench = Bench::new(&numbered(1, 0), "");
    let (id, first) = begun(&bench, "One.\n\nTwo.\n").await;
    let path = linked(&bench, id).await;
    typed(&bench, id, first, &[put(0, "Typed. ")]).await;
    settle(&bench, id).await;
    save_beside(&path, "ONE.\n\nTWO.\n");
    let both = "Typed. One.\n\nTWO.\n";
    assert_eq!(bench.draft(id).await.0, both);
    let last = rows(&bench, id).await.pop().unwrap();
    let other = last.stands.beside.unwrap();
    assert_eq!(version(&bench, id, other).await, "ONE.\n\nTWO.\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_draft_that_is_put_back_may_be_read_by_those_who_might_read_it_before() {
    use std::os::unix::fs::PermissionsExt;
    let bench = Bench::new(&numbered(1, 0), "");
    let (id, _) = begun(&bench, "One.\n").await;
    let path = file(&bench, id).await;
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
    bench.draft(id).await;
    std::fs::remove_file(&path).unwrap();
    bench.draft(id).await;
    let mode = std::fs::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_is_told_that_only_the_writer_can_mend_a_draft_that_is_a_folder() {
    let script = json!({"turns": [[
        {"tool_call": {"call": "c", "name": "read_draft", "input": "{}"}},
        {"await_order": "tool_result"},
        {"delta": {"block": 0, "text": "[{result}]"}},
    ]]});
    let bench = Bench::new(&script, "");
    let (id, _) = begun(&bench, "One.\n").await;
    let path = file(&bench, id).await;
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir(&path).unwrap();
    let told = words(&bench.turn(id, "Read it.").await);
    assert!(
        told.contains("it is a folder") && told.contains("Only the writer can mend that"),
        "{told}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_in_its_place_is_never_read_or_written_through() {
    let bench = Bench::new(&numbered(1, 0), "");
    let (id, first) = begun(&bench, "One.\n").await;
    let path = file(&bench, id).await;
    let other = bench.root().join("other.md");
    std::fs::write(&other, "Theirs.\n").unwrap();
    std::fs::remove_file(&path).unwrap();
    std::os::unix::fs::symlink(&other, &path).unwrap();
    assert_eq!(bench.draft(id).await.0, "One.\n");
    let (_, text, _) = typed(&bench, id, first, &[put(0, "Zero. ")]).await;
    assert_eq!(text, None);
    refused_all(&bench, id, first, "it is a link").await;
    assert_eq!(std::fs::read_link(&path).unwrap(), other);
    assert_eq!(bench.draft(id).await.0, "Zero. One.\n");
    std::fs::remove_file(&path).unwrap();
    assert_eq!(restore(&bench, id, first).await, Reply::Done);
    assert_eq!(on_disk(&bench, id).await, "One.\n");
    assert_eq!(std::fs::read_to_string(&other).unwrap(), "Theirs.\n");
    let events = bench.so_far(id).await;
    assert!(notes(&events).iter().any(|n| n.contains("it is a link")));
    assert!(!made(&events).iter().any(|(_, by, _)| *by == By::Outside));
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_megabytes_and_bytes_that_are_no_text_are_versions_like_any_other() {
    let bench = Bench::new(&numbered(1, 0), "");
    let (id, first) = begun(&bench, "One.\n").await;
    let huge: String = (0..100_000)
        .map(|n| format!("Paragraph {n}. {}\n\n", "word ".repeat(18)))
        .collect();
    assert!(huge.len() > 10_000_000);
    outside(&bench, id, &huge).await;
    let (text, at) = bench.draft(id).await;
    assert!(text == huge);
    let at = at.unwrap();
    let from = Origin {
        session: id,
        seq: first,
    };
    let (took, ..) = taken(&bench, id, at, &[put(huge.len(), "One.\n")], from).await;
    assert_eq!(version(&bench, id, took).await.len(), huge.len() + 5);
    let path = file(&bench, id).await;
    let binary = b"\x7fELF\0\0\xff\xfe".repeat(1000);
    std::fs::write(&path, &binary).unwrap();
    assert_eq!(restore(&bench, id, first).await, Reply::Done);
    assert_eq!(on_disk(&bench, id).await, "One.\n");
    let rows = rows(&bench, id).await;
    let bytes: Vec<u64> = rows.iter().map(|r| r.bytes).collect();
    let huge = huge.len() as u64;
    assert_eq!(bytes, [5, huge, huge + 5, binary.len() as u64, 5]);
    assert_eq!(restore(&bench, id, rows[3].seq).await, Reply::Done);
    assert_eq!(std::fs::read(&path).unwrap(), binary);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deed_of_a_host_that_died_before_it_wrote_the_file_is_finished_by_the_next() {
    let mut bench = Bench::new(&numbered(1, 0), "");
    let (id, first) = begun(&bench, "One.\n").await;
    let from = Origin {
        session: id,
        seq: first,
    };
    for deed in 0..3 {
        let (before, at) = bench.draft(id).await;
        let path = file(&bench, id).await;
        match deed {
            0 => drop(taken(&bench, id, at.unwrap(), &[put(0, "Taken. ")], from).await),
            1 => assert_eq!(restore(&bench, id, first).await, Reply::Done),
            _ => assert_eq!(bench.deed(id, Deed::Undo(Which::NEW)).await, Reply::Done),
        }
        let (after, many) = (bench.draft(id).await.0, rows(&bench, id).await.len());
        assert_ne!(before, after);
        bench.host.close(true).await;
        std::fs::write(&path, &before).unwrap();
        bench = bench.restarted().await;
        assert_eq!(bench.draft(id).await.0, after, "deed {deed}");
        assert_eq!(on_disk(&bench, id).await, after, "deed {deed}");
        assert_eq!(rows(&bench, id).await.len(), many, "deed {deed}");
    }
}

/// Ends the host, does something, and begins a new one.
async fn between(bench: Bench, does: impl FnOnce()) -> Bench {
    bench.host.close(true).await;
    does();
    bench.restarted().await
}

/// A piece of a collection, with a draft; the collection's folder, and where that goes.
async fn shelved(bench: &Bench) -> (SessionId, PathBuf, PathBuf) {
    let id = piece(bench, &collection(bench, "Essays").await).await;
    typed(bench, id, 0, &[put(0, "One.\n")]).await;
    settle(bench, id).await;
    let root = bench.root();
    (id, root.join("essays"), root.with_extension("away"))
}

/// Types at the beginning of the draft, which settles.
async fn typed_before(bench: &Bench, id: SessionId, words: &str) {
    let base = bench.draft(id).await.1.unwrap();
    typed(bench, id, base, &[put(0, words)]).await;
    settle(bench, id).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_written_while_the_folder_is_away_from_the_first_look_on_is_the_draft_when_it_is_back()
 {
    let bench = Bench::new(&numbered(1, 0), "");
    let (id, here, away) = shelved(&bench).await;
    let bench = between(bench, || std::fs::rename(&here, &away).unwrap()).await;
    for words in ["Two. ", "Three. "] {
        typed_before(&bench, id, words).await;
    }
    let bench = between(bench, || std::fs::rename(&away, &here).unwrap()).await;
    let newest = "Three. Two. One.\n";
    assert_eq!(bench.draft(id).await.0, newest);
    assert_eq!(on_disk(&bench, id).await, newest);
    assert_eq!(rows(&bench, id).await.len(), 3, "nobody wrote another text");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_file_was_left_with_is_known_still_when_its_folder_or_the_file_was_away_since() {
    for with_folder in [true, false] {
        let bench = Bench::new(&numbered(1, 0), "");
        let (id, here, away) = shelved(&bench).await;
        let path = linked(&bench, id).await;
        typed_before(&bench, id, "Two. ").await;
        typed_before(&bench, id, "Three. ").await;
        let bench = between(bench, || {
            if with_folder {
                save_beside(&path, "One.\n");
                std::fs::rename(&here, &away).unwrap();
            }
        })
        .await;
        typed_before(&bench, id, "Four. ").await;
        let bench = between(bench, || {
            if with_folder {
                std::fs::rename(&away, &here).unwrap();
            } else {
                save_beside(&path, "One.\n");
            }
        })
        .await;
        let newest = "Four. Three. Two. One.\n";
        assert_eq!(bench.draft(id).await.0, newest, "{with_folder}");
        assert_eq!(on_disk(&bench, id).await, newest, "{with_folder}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn case_30_a_save_while_an_agent_writes_is_merged_or_stands_beside_its_text() {
    for (theirs, both) in [
        (
            "One, saved.\n\nTwo.\n",
            Some("One, saved.\n\nTwo, better.\n"),
        ),
        ("One.\n\nTwo, saved.\n", None),
    ] {
        let bench = Bench::new(&json!({"steps": []}), "");
        let (id, base) = begun(&bench, "One.\n\nTwo.\n").await;
        let input = json!({"text": "One.\n\nTwo, better.\n", "base_version": base}).to_string();
        bench.play(&json!({"steps": [
            {"asked": {"call": "c0", "what": "Go on"}},
            {"await_order": "answer"},
            {"tool_call": {"call": "c1", "name": "write_draft", "input": input}},
            {"await_order": "tool_result"},
            {"delta": {"block": 0, "text": "{result}"}}]}));
        assert!(matches!(
            bench.send(id, "Go.").await,
            Reply::Accepted { .. }
        ));
        let mut heard = bench.follow(id);
        events_until(&mut heard, "the question", |e| {
            matches!(e.kind, Kind::Asked { .. })
        })
        .await;
        outside(&bench, id, theirs).await;
        let answer = fascicle::domain::event::Answer::Once;
        let request = fascicle::domain::ask::Request::Answer {
            session: id,
            call: None,
            answer,
        };
        assert_eq!(bench.client.ask(request).await, Reply::Done);
        let events = events_until(&mut heard, "the end", crate::bench::is_end).await;
        assert_eq!(bench.draft(id).await.0, both.unwrap_or(theirs));
        let told = words(&events);
        let rows = rows(&bench, id).await;
        let texts: Vec<String> = {
            let mut texts = Vec::new();
            for row in &rows {
                texts.push(version(&bench, id, row.seq).await);
            }
            texts
        };
        assert!(texts.iter().any(|t| t == theirs), "{texts:?}");
        if both.is_none() {
            assert!(
                texts.iter().any(|t| t == "One.\n\nTwo, better.\n"),
                "{texts:?}"
            );
            assert!(told.contains("stays the draft"), "{told}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_set_for_a_collection_by_hand_is_seen_at_once() {
    let bench = Bench::new(&numbered(1, 0), "");
    let title = "Essays".to_owned();
    let new = fascicle::domain::ask::Request::NewCollection { title };
    assert!(matches!(
        bench.client.ask(new).await,
        Reply::Collection { .. }
    ));
    let file = bench.root().join("essays/collection.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    let mut heard = bench
        .client
        .attach(fascicle::domain::notice::Scope::Workspace);
    while next(&mut heard, "the list").await != Notice::Live {}
    std::fs::write(&file, text.replace("Essays", "Letters")).unwrap();
    loop {
        if let Notice::Collection(row) = next(&mut heard, "the new title").await
            && row.title == "Letters"
        {
            return;
        }
    }
}

/// The file of the newest version's text.
fn blob_of(bench: &Bench, id: SessionId) -> std::path::PathBuf {
    let log = std::fs::read_to_string(bench.log(id)).unwrap();
    let line = log.lines().rfind(|l| l.contains("draft.saved")).unwrap();
    let line: serde_json::Value = serde_json::from_str(line).unwrap();
    let blobs = bench.log(id).with_extension("").join("blobs");
    blobs.join(line["sha256"].as_str().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn where_the_newest_text_is_lost_and_the_file_holds_it_the_draft_goes_on_and_it_is_kept_again()
 {
    let bench = Bench::new(&numbered(1, 0), "");
    let (id, _) = begun(&bench, "One.\n").await;
    let blob = blob_of(&bench, id);
    std::fs::remove_file(&blob).unwrap();
    let bench = bench.restarted().await;
    let (text, at) = bench.draft(id).await;
    assert_eq!(text, "One.\n");
    std::fs::remove_file(&blob).unwrap();
    let bench = bench.restarted().await;
    typed(&bench, id, at.unwrap(), &[put(0, "Zero. ")]).await;
    settle(&bench, id).await;
    assert_eq!(bench.draft(id).await.0, "Zero. One.\n");
    assert_eq!(std::fs::read_to_string(&blob).unwrap(), "One.\n");
    let log = std::fs::read_to_string(bench.log(id)).unwrap();
    assert!(log.contains("and it is kept again"), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn where_the_newest_text_is_lost_and_the_file_holds_another_that_one_is_the_draft_from_outside()
 {
    let bench = Bench::new(&numbered(1, 0), "");
    let (id, first) = begun(&bench, "One.\n").await;
    let file = bench.folder(id).await.join("draft.md");
    std::fs::remove_file(blob_of(&bench, id)).unwrap();
    std::fs::write(&file, "Other.\n").unwrap();
    let bench = bench.restarted().await;
    let (text, at) = bench.draft(id).await;
    assert_eq!(text, "Other.\n");
    typed(&bench, id, at.unwrap(), &[put(0, "An")]).await;
    settle(&bench, id).await;
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "AnOther.\n");
    let lost = bench.deed(id, Deed::RestoreDraft { seq: first }).await;
    assert!(matches!(lost, Reply::Refused { .. }), "{lost:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_that_is_lost_altogether_is_said_and_the_writer_goes_on_from_an_older_one() {
    let bench = Bench::new(&numbered(1, 0), "");
    let (id, first) = begun(&bench, "One.\n").await;
    typed(&bench, id, first, &[put(0, "Zero. ")]).await;
    settle(&bench, id).await;
    std::fs::remove_file(blob_of(&bench, id)).unwrap();
    std::fs::remove_file(bench.folder(id).await.join("draft.md")).unwrap();
    let bench = bench.restarted().await;
    let shown = Request::Draft {
        session: id,
        at: None,
    };
    let Reply::Refused { why, .. } = bench.client.ask(shown).await else {
        panic!("it is shown")
    };
    assert!(why.contains("does not hold the text of version"), "{why}");
    let deed = Deed::RestoreDraft { seq: first };
    assert_eq!(bench.deed(id, deed).await, Reply::Done);
    assert_eq!(bench.draft(id).await.0, "One.\n");
}
