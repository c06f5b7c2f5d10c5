//! The draft typed into: in the log at once, a version at a pause, merged with what comes from elsewhere.

use std::path::Path;

use fascicle::domain::ask::{Deed, Reply, Request, Which};
use fascicle::domain::event::{Answer, By};
use fascicle::domain::notice::Notice;
use fascicle::domain::splice::STALE;
use fascicle::domain::{Event, Kind, Seq, SessionId, Splice};
use serde_json::json;

use crate::bench::{Bench, events_until, next, numbered, words};
use crate::recovery::cut_turn;

pub(crate) fn put(at: usize, insert: &str) -> Splice {
    let insert = insert.to_owned();
    Splice {
        at,
        remove: 0,
        insert,
    }
}

pub(crate) async fn edit(
    bench: &Bench,
    session: SessionId,
    base: Seq,
    splices: &[Splice],
) -> Reply {
    let splices = splices.to_vec();
    let request = Request::Edit {
        session,
        base,
        splices,
        late: false,
    };
    bench.client.ask(request).await
}

/// Types; the draft's event then, the text when it is another than the window's, and the version beside.
pub(crate) async fn typed(
    bench: &Bench,
    id: SessionId,
    base: Seq,
    splices: &[Splice],
) -> (Seq, Option<String>, Option<Seq>) {
    match edit(bench, id, base, splices).await {
        Reply::Edited {
            version,
            text,
            beside,
            ..
        } => (version, text, beside),
        other => panic!("{other:?}"),
    }
}

pub(crate) async fn settle(bench: &Bench, session: SessionId) {
    let done = bench.client.ask(Request::Settle { session }).await;
    assert_eq!(done, Reply::Done);
}

pub(crate) async fn version(bench: &Bench, session: SessionId, at: Seq) -> String {
    let at = Some(at);
    match bench.client.ask(Request::Draft { session, at }).await {
        Reply::Draft { text, .. } => text,
        other => panic!("{other:?}"),
    }
}

/// A session with a draft, and its version.
pub(crate) async fn begun(bench: &Bench, text: &str) -> (SessionId, Seq) {
    let id = bench.new_session("One").await;
    let (at, _, _) = typed(bench, id, 0, &[put(0, text)]).await;
    assert!(at > 0);
    settle(bench, id).await;
    (id, bench.draft(id).await.1.unwrap())
}

pub(crate) fn bys(events: &[Event]) -> Vec<By> {
    let saved = |e: &Event| match &e.kind {
        Kind::DraftSaved { by, .. } => Some(by.clone()),
        _ => None,
    };
    events.iter().filter_map(saved).collect()
}

pub(crate) async fn on_disk(bench: &Bench, id: SessionId) -> String {
    std::fs::read_to_string(bench.folder(id).await.join("draft.md")).unwrap()
}

/// Replaces a file as many editors do.
pub(crate) fn save_beside(file: &Path, text: &str) {
    let new = file.with_file_name(".draft.md.swp");
    std::fs::write(&new, text).unwrap();
    std::fs::rename(new, file).unwrap();
}

pub(crate) async fn outside(bench: &Bench, id: SessionId, text: &str) {
    save_beside(&bench.folder(id).await.join("draft.md"), text);
}

/// Waits for a version that fulfils a condition.
pub(crate) async fn saved(
    bench: &Bench,
    id: SessionId,
    what: &str,
    is: impl Fn(&By, Option<Seq>) -> bool,
) -> Event {
    let fits = |e: &Event| match &e.kind {
        Kind::DraftSaved { by, beside, .. } => is(by, *beside),
        _ => false,
    };
    let heard = events_until(&mut bench.follow(id), what, fits).await;
    heard.last().unwrap().clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_typed_is_in_the_log_at_once_and_a_version_and_the_file_when_it_settles() {
    let bench = Bench::new(&numbered(1, 0), "");
    let id = bench.new_session("One").await;
    let (first, text, beside) = typed(&bench, id, 0, &[put(0, "The mor")]).await;
    assert_eq!((text, beside), (None, None));
    let (second, ..) = typed(
        &bench,
        id,
        first,
        &[
            put(7, "nnig."),
            Splice {
                at: 8,
                remove: 2,
                insert: "in".into(),
            },
        ],
    )
    .await;
    assert_eq!(
        bench.draft(id).await,
        ("The morning.".to_owned(), Some(second))
    );
    assert!(
        !bench.folder(id).await.join("draft.md").exists(),
        "it is no version yet"
    );
    settle(&bench, id).await;
    assert_eq!(on_disk(&bench, id).await, "The morning.");
    let (text, at) = bench.draft(id).await;
    assert!(text == "The morning." && at > Some(second));
    assert_eq!(version(&bench, id, first).await, "The mor");
    let events = bench.so_far(id).await;
    let edits = events
        .iter()
        .filter(|e| matches!(e.kind, Kind::DraftEdited { .. }));
    assert_eq!((edits.count(), bys(&events)), (2, vec![By::You]));
    settle(&bench, id).await;
    assert_eq!(bench.draft(id).await.1, at, "nothing new was typed");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_typed_and_is_taken_out_again_is_a_version_before() {
    let bench = Bench::new(&numbered(1, 0), "");
    let id = bench.new_session("One").await;
    let words = "The ferry had been late for a year, and nobody had told the ferryman why.";
    let (first, ..) = typed(&bench, id, 0, &[put(0, words)]).await;
    let all = Splice {
        at: 0,
        remove: words.len(),
        insert: "New.".to_owned(),
    };
    let (second, text, beside) = typed(&bench, id, first, &[all]).await;
    assert_eq!((text, beside), (None, None));
    assert_eq!(bench.draft(id).await, ("New.".to_owned(), Some(second)));
    settle(&bench, id).await;
    let events = bench.so_far(id).await;
    let saved = |e: &&Event| matches!(&e.kind, Kind::DraftSaved { .. });
    let versions: Vec<Seq> = events.iter().filter(saved).map(|e| e.seq).collect();
    assert_eq!(versions.len(), 2, "{events:?}");
    assert_eq!(version(&bench, id, versions[0]).await, words);
    assert_eq!(version(&bench, id, versions[1]).await, "New.");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_windows_type_into_one_draft_and_different_paragraphs_are_both_there() {
    let bench = Bench::new(&numbered(1, 0), "");
    let (id, base) = begun(&bench, "One.\n\nTwo.\n").await;
    let (mut one, mut two) = (base, base);
    let (mut first, mut second) = ("One.\n\nTwo.\n".to_owned(), "One.\n\nTwo.\n".to_owned());
    for letter in ["a", "b", "c", "d"] {
        let (at, text, beside) = typed(&bench, id, one, &[put(3, letter)]).await;
        first.insert_str(3, letter);
        (one, first) = (at, text.unwrap_or(first));
        assert_eq!(beside, None);
        let place = second.find("Two").unwrap();
        let (at, text, beside) = typed(&bench, id, two, &[put(place, letter)]).await;
        second.insert_str(place, letter);
        (two, second) = (at, text.unwrap_or(second));
        assert_eq!(beside, None);
    }
    assert_eq!(second, "Onedcba.\n\nabcdTwo.\n");
    assert_eq!(bench.draft(id).await.0, second);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_windows_type_in_two_places_of_one_paragraph_and_both_are_there() {
    let bench = Bench::new(&numbered(1, 0), "");
    let text = "The ferry was late.\n";
    let (id, base) = begun(&bench, text).await;
    typed(&bench, id, base, &[put(4, "old ")]).await;
    let reply = edit(&bench, id, base, &[put(19, " It rained.")]).await;
    let Reply::Edited {
        version,
        text: Some(both),
        beside: None,
        typed: true,
    } = reply
    else {
        panic!("{reply:?}")
    };
    assert_eq!(both, "The old ferry was late. It rained.\n");
    assert_eq!(bench.draft(id).await, (both, Some(version)));
    settle(&bench, id).await;
    // What another program or an agent wrote there is another text of the paragraph.
    let (_, base) = bench.draft(id).await;
    outside(&bench, id, "The old ferry was late. It snowed.\n").await;
    saved(&bench, id, "the other program's", |by, _| {
        *by == By::Outside
    })
    .await;
    let (_, _, beside) = typed(&bench, id, base.unwrap(), &[put(0, "So: ")]).await;
    assert!(beside.is_some());
    assert_eq!(
        bench.draft(id).await.0,
        "So: The old ferry was late. It rained.\n"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn two_windows_in_one_place_leave_both_texts_as_versions() {
    let bench = Bench::new(&numbered(1, 0), "");
    let (id, base) = begun(&bench, "One.\n\nTwo.\n").await;
    typed(&bench, id, base, &[put(3, ", mine"), put(16, "!")]).await;
    let (at, text, beside) = typed(&bench, id, base, &[put(3, ", yours")]).await;
    assert_eq!(text.unwrap(), "One, yours.\n\nTwo.!\n");
    assert_eq!(
        version(&bench, id, beside.unwrap()).await,
        "One, mine.\n\nTwo.!\n"
    );
    let event = saved(&bench, id, "the version beside", |_, b| b.is_some()).await;
    assert_eq!(event.seq, at);
    // The other window goes on, on what it heard.
    let (_, text, beside) = typed(&bench, id, at, &[put(0, "Zero. ")]).await;
    assert_eq!((text, beside), (None, None));
    settle(&bench, id).await;
    assert_eq!(on_disk(&bench, id).await, "Zero. One, yours.\n\nTwo.!\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_taken_in_and_not_heard_of_is_not_taken_in_twice() {
    let bench = Bench::new(&numbered(1, 0), "");
    let (id, base) = begun(&bench, "One.").await;
    typed(&bench, id, base, &[put(4, " Two.")]).await;
    settle(&bench, id).await;
    let (_, text, beside) = typed(&bench, id, base, &[put(4, " Two."), put(9, " Three.")]).await;
    assert_eq!((text, beside), (None, None));
    assert_eq!(bench.draft(id).await.0, "One. Two. Three.");
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_that_fit_nothing_are_refused_and_change_nothing() {
    let bench = Bench::new(&numbered(1, 0), "");
    let (id, base) = begun(&bench, "é").await;
    for (base, splice) in [(base, put(1, "x")), (base, put(9, "x")), (1, put(9, "x"))] {
        let reply = edit(&bench, id, base, &[splice]).await;
        assert!(
            matches!(&reply, Reply::Refused { why, .. } if why.contains("fit")),
            "{reply:?}"
        );
    }
    assert_eq!(bench.draft(id).await, ("é".to_owned(), Some(base)));
}

#[tokio::test(flavor = "multi_thread")]
async fn every_edit_that_was_acknowledged_outlives_a_host_that_is_killed() {
    let bench = Bench::new(&numbered(1, 0), "");
    let (id, base) = begun(&bench, "One.").await;
    bench.host.close(true).await;
    // As a host leaves it that is killed while the writer types.
    let log = std::fs::read_to_string(bench.log(id)).unwrap();
    let next = log.lines().count() as u64;
    let edited = |base: u64, at: usize, insert: &str| json!({"kind": "draft.edited", "base": base, "splices": [{"at": at, "insert": insert}]});
    cut_turn(
        &bench,
        id,
        &[
            edited(base, 4, " Two."),
            edited(next, 99, "lost"),
            edited(next + 1, 9, " Three."),
        ],
    );
    let bench = bench.restarted().await;
    // Nobody asks: the host finds what was left undone.
    saved(&bench, id, "the version of what was typed", |by, _| {
        *by == By::You
    })
    .await;
    assert_eq!(bench.draft(id).await.0, "One. Two. Three.");
    settle(&bench, id).await;
    assert_eq!(on_disk(&bench, id).await, "One. Two. Three.");
    let told = |e: &Event| matches!(&e.kind, Kind::Note { text, .. } if text.contains("could not be put in its place"));
    assert!(
        bench.so_far(id).await.iter().any(told),
        "what did not fit is said"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_that_ends_makes_what_was_typed_a_version_and_the_file() {
    let bench = Bench::new(&numbered(1, 0), "");
    let (id, base) = begun(&bench, "One.").await;
    let file = bench.folder(id).await.join("draft.md");
    let (at, ..) = typed(&bench, id, base, &[put(4, " Two.")]).await;
    let bench = bench.restarted().await;
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "One. Two.");
    // A window that did not hear of the version types on.
    let (_, text, beside) = typed(&bench, id, at, &[put(9, " Three.")]).await;
    assert_eq!((text, beside), (None, None));
    assert_eq!(bench.draft(id).await.0, "One. Two. Three.");
}

#[tokio::test(flavor = "multi_thread")]
async fn case_30_each_save_of_another_program_is_noticed_at_once_in_an_open_window() {
    let bench = Bench::new(&numbered(1, 0), "");
    let (id, _) = begun(&bench, "One.\n").await;
    let mut window = bench.follow(id);
    while next(&mut window, "history").await != Notice::Live {}
    for text in ["First.\n", "Second.\n", "Third.\n"] {
        outside(&bench, id, text).await;
        let by_outside = |e: &Event| {
            matches!(
                e.kind,
                Kind::DraftSaved {
                    by: By::Outside,
                    ..
                }
            )
        };
        events_until(&mut window, "the save", by_outside).await;
        assert_eq!(bench.draft(id).await.0, text);
    }
    let file = bench.folder(id).await.join("draft.md");
    std::fs::remove_file(&file).unwrap();
    std::fs::write(&file, "Made again.\n").unwrap();
    events_until(&mut window, "the new file", |e| {
        matches!(
            e.kind,
            Kind::DraftSaved {
                by: By::Outside,
                ..
            }
        )
    })
    .await;
    let events = bench.so_far(id).await;
    assert_eq!(
        bys(&events).iter().filter(|by| **by == By::You).count(),
        1,
        "own saves are not foreign: {:?}",
        bys(&events)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn case_30_a_save_while_the_writer_types_is_merged_or_stands_beside() {
    let bench = Bench::new(&numbered(1, 0), "");
    let (id, base) = begun(&bench, "One.\n\nTwo.\n").await;
    let (at, ..) = typed(&bench, id, base, &[put(3, ", typed")]).await;
    outside(&bench, id, "One.\n\nTwo, saved.\n").await;
    let both = "One, typed.\n\nTwo, saved.\n";
    settle(&bench, id).await;
    assert_eq!(bench.draft(id).await.0, both);
    assert_eq!(on_disk(&bench, id).await, both);
    let (_, text, beside) = typed(&bench, id, at, &[put(10, ", on")]).await;
    assert_eq!(
        (text.as_deref(), beside),
        (Some("One, typed, on.\n\nTwo, saved.\n"), None)
    );
    outside(&bench, id, "One, saved.\n\nTwo, saved.\n").await;
    let event = saved(&bench, id, "the version beside", |_, b| b.is_some()).await;
    let Kind::DraftSaved {
        beside: Some(theirs),
        by: By::You,
        ..
    } = event.kind
    else {
        panic!("{event:?}")
    };
    assert_eq!(
        version(&bench, id, theirs).await,
        "One, saved.\n\nTwo, saved.\n"
    );
    assert_eq!(bench.draft(id).await.0, "One, typed, on.\n\nTwo, saved.\n");
    settle(&bench, id).await;
    assert_eq!(
        on_disk(&bench, id).await,
        "One, typed, on.\n\nTwo, saved.\n"
    );
}

fn call(name: &str, input: &serde_json::Value) -> serde_json::Value {
    json!({"tool_call": {"call": "c1", "name": name, "input": input.to_string()}})
}

pub(crate) fn call_and_tell(name: &str, input: &serde_json::Value) -> serde_json::Value {
    json!({"steps": [call(name, input), {"await_order": "tool_result"}, {"delta": {"block": 0, "text": "{result}"}}]})
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agents_older_text_is_merged_with_what_the_writer_typed_since() {
    let bench = Bench::new(&numbered(1, 0), "");
    let (id, base) = begun(&bench, "One.\n\nTwo.\n").await;
    for (name, input, both) in [
        (
            "write_draft",
            json!({"text": "One.\n\nTwo, theirs.\n", "base_version": base}),
            "One, mine.\n\nTwo, theirs.\n",
        ),
        (
            "edit_draft",
            json!({"old": "Two.", "new": "Two, theirs.", "base_version": base}),
            "One, mine.\n\nTwo, theirs.\n",
        ),
    ] {
        let bench = Bench::new(&call_and_tell(name, &input), "");
        let (id, again) = begun(&bench, "One.\n\nTwo.\n").await;
        assert_eq!(again, base, "the same events give the same numbers");
        typed(&bench, id, base, &[put(3, ", mine")]).await;
        let heard = bench.turn(id, "Write.").await;
        assert_eq!(bench.draft(id).await.0, both, "{name}");
        assert!(words(&heard).contains("both changes"), "{}", words(&heard));
        assert_eq!(bys(&heard), [By::You, By::You, By::Agent("play".into())]);
        assert_eq!(on_disk(&bench, id).await, both);
    }
    assert_eq!(bench.draft(id).await.0, "One.\n\nTwo.\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agents_text_for_a_draft_that_the_writer_began_in_its_turn_stands_beside() {
    let input = json!({"text": "Theirs.\n", "base_version": 0});
    let script = json!({"steps": [
        {"asked": {"call": "c0", "what": "Go on"}},
        {"await_order": "answer"},
        call("write_draft", &input)]});
    let bench = Bench::new(&script, "");
    let id = bench.new_session("One").await;
    let sent = bench.send(id, "Go.").await;
    assert!(matches!(sent, Reply::Accepted { .. }));
    let mut heard = bench.follow(id);
    let is_asked = |e: &Event| matches!(e.kind, Kind::Asked { .. });
    events_until(&mut heard, "the question", is_asked).await;
    typed(&bench, id, 0, &[put(0, "Mine.\n")]).await;
    let answer = Request::Answer {
        session: id,
        call: None,
        answer: Answer::Once,
    };
    assert_eq!(bench.client.ask(answer).await, Reply::Done);
    let event = saved(&bench, id, "the version beside", |_, b| b.is_some()).await;
    let Kind::DraftSaved {
        beside: Some(theirs),
        ..
    } = event.kind
    else {
        panic!("{event:?}")
    };
    assert_eq!(version(&bench, id, theirs).await, "Theirs.\n");
    assert_eq!(bench.draft(id).await.0, "Mine.\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_has_not_read_the_draft_of_before_its_turn_is_told_what_it_is() {
    let input = json!({"text": "Theirs.\n", "base_version": 0});
    let bench = Bench::new(&call_and_tell("write_draft", &input), "");
    let (id, _) = begun(&bench, "Mine.\n").await;
    let heard = bench.turn(id, "Go.").await;
    let told = words(&heard);
    assert!(
        told.contains("nothing was written") && told.contains("Mine."),
        "{told}"
    );
    assert_eq!(bench.draft(id).await.0, "Mine.\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agents_older_text_of_a_paragraph_the_writer_changed_stands_beside() {
    let probe = Bench::new(&numbered(1, 0), "");
    let (_, base) = begun(&probe, "One.\n\nTwo.\n").await;
    let input = json!({"text": "One, theirs.\n\nTwo.\n", "base_version": base});
    let bench = Bench::new(&call_and_tell("write_draft", &input), "");
    let (id, _) = begun(&bench, "One.\n\nTwo.\n").await;
    typed(&bench, id, base, &[put(3, ", mine")]).await;
    let heard = bench.turn(id, "Write.").await;
    assert_eq!(bench.draft(id).await.0, "One, mine.\n\nTwo.\n");
    assert_eq!(on_disk(&bench, id).await, "One, mine.\n\nTwo.\n");
    let told = words(&heard);
    assert!(
        told.contains("beside it") && told.contains("One, mine."),
        "{told}"
    );
    let event = saved(&bench, id, "the version beside", |by, b| {
        *by == By::You && b.is_some()
    })
    .await;
    let Kind::DraftSaved {
        beside: Some(theirs),
        ..
    } = event.kind
    else {
        panic!("{event:?}")
    };
    assert_eq!(version(&bench, id, theirs).await, "One, theirs.\n\nTwo.\n");
    // An undo takes the agent's text away from beside the draft, which is what it was.
    bench.deed(id, Deed::Undo(Which::NEW)).await;
    assert_eq!(bench.draft(id).await.0, "One, mine.\n\nTwo.\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn words_of_an_earlier_sitting_do_not_push_newer_ones_out_of_the_draft() {
    let bench = Bench::new(&numbered(1, 0), "");
    let (id, base) = begun(&bench, "One.\n\nTwo.\n").await;
    typed(&bench, id, base, &[put(0, "Newer. ")]).await;
    settle(&bench, id).await;
    let late = Request::Edit {
        session: id,
        base,
        splices: vec![put(0, "Older. "), put(17, "!")],
        late: true,
    };
    let Reply::Edited {
        beside: Some(older),
        ..
    } = bench.client.ask(late.clone()).await
    else {
        panic!("nothing stands beside the draft");
    };
    assert_eq!(bench.draft(id).await.0, "Newer. One.\n\nTwo.!\n");
    assert_eq!(on_disk(&bench, id).await, "Newer. One.\n\nTwo.!\n");
    let kept = version(&bench, id, older).await;
    assert_eq!(kept, "Older. One.\n\nTwo.!\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_undo_takes_back_deeds_and_never_what_was_typed() {
    let bench = Bench::new(&numbered(1, 0), "");
    let (id, base) = begun(&bench, "One.").await;
    typed(&bench, id, base, &[put(4, " Two.")]).await;
    let title = "Two".to_owned();
    assert_eq!(bench.deed(id, Deed::Rename { title }).await, Reply::Done);
    assert_eq!(bench.deed(id, Deed::Undo(Which::NEW)).await, Reply::Done);
    bench.row(id, "the old title", |r| r.title == "One").await;
    assert_eq!(bench.draft(id).await.0, "One. Two.");
    let none = bench.deed(id, Deed::Undo(Which::NEW)).await;
    assert!(matches!(none, Reply::Refused { .. }), "{none:?}");
    assert_eq!(bench.draft(id).await.0, "One. Two.");
}

const CRLF: &str = "\u{feff}# Title\r\n\r\nFirst line has the word REPLACEME here.\r\nSecond line stays.\r\n\r\nLast line without end";
const MIXED: &str = "one\r\ntwo REPLACEME\nthree\rstill three\r\nfour\r\n\r\n\n";

#[tokio::test(flavor = "multi_thread")]
async fn case_23_by_hand_and_by_an_agent_only_the_word_that_was_changed_differs() {
    for text in [CRLF, MIXED] {
        let want = text.replace("REPLACEME", "DONE");
        let plain = want.replace("\r\n", "\n").replace('\r', "\n");
        let plain = plain.trim_start_matches('\u{feff}');
        let scripts = [
            numbered(1, 0),
            call_and_tell(
                "edit_draft",
                &json!({"old": "REPLACEME", "new": "DONE", "base_version": "BASE"}),
            ),
            call_and_tell(
                "write_draft",
                &json!({"text": plain, "base_version": "BASE"}),
            ),
            call_and_tell(
                "write_draft",
                &json!({"text": plain.trim_end(), "base_version": "BASE"}),
            ),
        ];
        for (n, script) in scripts.into_iter().enumerate() {
            let bench = Bench::new(&numbered(1, 0), "");
            let id = bench.new_session("One").await;
            outside(&bench, id, text).await;
            let base = bench.draft(id).await.1.unwrap();
            if n == 0 {
                let at = text.find("REPLACEME").unwrap();
                let splice = Splice {
                    at,
                    remove: 9,
                    insert: "DONE".into(),
                };
                typed(&bench, id, base, &[splice]).await;
                settle(&bench, id).await;
            } else {
                let script = script.to_string().replace("BASE", &base.to_string());
                bench.play(&serde_json::from_str(&script).unwrap());
                bench.turn(id, "Change it.").await;
            }
            assert_eq!(on_disk(&bench, id).await, want, "{n}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_draft_that_is_no_text_is_not_typed_into() {
    let bench = Bench::new(&numbered(1, 0), "");
    let (id, _) = begun(&bench, "One.").await;
    let file = bench.folder(id).await.join("draft.md");
    std::fs::write(&file, b"caf\xe9").unwrap();
    let at = bench.draft(id).await.1.unwrap();
    let reply = edit(&bench, id, at, &[put(0, "x")]).await;
    assert!(
        matches!(&reply, Reply::Refused { why, .. } if why.contains("UTF-8")),
        "{reply:?}"
    );
    settle(&bench, id).await;
    assert_eq!(std::fs::read(&file).unwrap(), b"caf\xe9");
    assert!(why_locked(&bench, id).await.unwrap().contains("UTF-8"));
    std::fs::write(&file, "café").unwrap();
    assert_eq!(why_locked(&bench, id).await, None);
    // What was made of the bytes is told from what only has to wait.
    let reply = edit(&bench, id, at, &[put(0, "x")]).await;
    assert!(
        matches!(&reply, Reply::Refused { hint: Some(hint), .. } if hint == STALE),
        "{reply:?}"
    );
    let now = bench.draft(id).await.1.unwrap();
    let (_, text, beside) = typed(&bench, id, now, &[put(0, "x")]).await;
    assert_eq!((text, beside), (None, None));
}

/// Why a draft can only be read.
async fn why_locked(bench: &Bench, session: SessionId) -> Option<String> {
    match bench.client.ask(Request::Draft { session, at: None }).await {
        Reply::Draft { locked, .. } => locked,
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_host_that_is_gone_took_in_is_not_taken_in_twice() {
    let bench = Bench::new(&numbered(1, 0), "");
    let (id, base) = begun(&bench, "One.").await;
    typed(&bench, id, base, &[put(4, " Two.")]).await;
    let bench = bench.restarted().await;
    let before = bench.draft(id).await.1;
    let (at, text, beside) = typed(&bench, id, base, &[put(4, " Two.")]).await;
    assert_eq!((Some(at), text, beside), (before, None, None));
    let (_, text, beside) = typed(&bench, id, base, &[put(4, " Two. Three.")]).await;
    assert_eq!((text, beside), (None, None));
    assert_eq!(bench.draft(id).await.0, "One. Two. Three.");
}

#[tokio::test(flavor = "multi_thread")]
async fn five_megabytes_are_pasted_typed_into_and_merged() {
    let bench = Bench::new(&numbered(1, 0), "");
    let id = bench.new_session("Long").await;
    let long: String = (0..50_000)
        .map(|n| format!("Paragraph {n}. {}\n\n", "word ".repeat(17)))
        .collect();
    assert!(long.len() > 5_000_000);
    let (base, ..) = typed(&bench, id, 0, &[put(0, &long)]).await;
    // Too long for a line of the log: a version at once.
    assert_eq!(bys(&bench.so_far(id).await), [By::You]);
    let mut at = base;
    for n in 0..50 {
        (at, ..) = typed(&bench, id, at, &[put(long.len() + n, "x")]).await;
    }
    let (_, text, beside) = typed(&bench, id, base, &[put(0, "First. ")]).await;
    assert!(text.unwrap().ends_with(&"x".repeat(50)) && beside.is_none());
    settle(&bench, id).await;
    let on_disk = on_disk(&bench, id).await;
    assert_eq!(on_disk.len(), long.len() + 57);
    assert!(on_disk.starts_with("First. Paragraph 0."));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_paste_too_long_for_a_line_moves_what_another_window_types_behind_it() {
    let bench = Bench::new(&numbered(1, 0), "");
    let (id, base) = begun(&bench, "One.\n\nTwo.\n").await;
    let long = format!("{}\n\n", "long ".repeat(20_000));
    typed(&bench, id, base, &[put(0, &long)]).await;
    let (_, text, beside) = typed(&bench, id, base, &[put(9, "!")]).await;
    let both = format!("{long}One.\n\nTwo!.\n");
    assert!(text == Some(both) && beside.is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn words_typed_on_the_draft_before_a_reply_was_put_in_stay_in_their_place() {
    let script = json!({"steps": [{"message": {"block": 0, "text": "A slow river."}}]});
    let bench = Bench::new(&script, "");
    let (id, base) = begun(&bench, "One.\n\nTwo.\n").await;
    let heard = bench.turn(id, "Write.").await;
    let is_reply = |e: &&Event| matches!(e.kind, Kind::Message { .. });
    let seq = heard.iter().find(is_reply).unwrap().seq;
    let how = fascicle::domain::ask::Into::Insert;
    let put_in = Deed::ReplyToDraft { seq, how };
    assert_eq!(bench.deed(id, put_in).await, Reply::Done);
    let (_, text, beside) = typed(&bench, id, base, &[put(9, "!")]).await;
    assert_eq!(text.as_deref(), Some("A slow river.\n\nOne.\n\nTwo!.\n"));
    assert_eq!(beside, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn where_the_file_cannot_be_replaced_what_was_typed_is_safe_and_it_is_said_once() {
    let bench = Bench::new(&numbered(1, 0), "");
    let id = bench.new_session("One").await;
    let file = bench.folder(id).await.join("draft.md");
    std::fs::create_dir(&file).unwrap();
    let mut at = 0;
    for n in 0..3 {
        (at, ..) = typed(&bench, id, at, &[put(n, "x")]).await;
        settle(&bench, id).await;
        at = bench.draft(id).await.1.unwrap_or(at);
    }
    assert_eq!(bench.draft(id).await.0, "xxx");
    let looked = "could not be looked at: inbox/one/draft.md: it is a folder";
    let said = |e: &&Event| matches!(&e.kind, Kind::Note { text, .. } if text.contains(looked));
    assert_eq!(bench.so_far(id).await.iter().filter(said).count(), 1);
    std::fs::remove_dir(&file).unwrap();
    settle(&bench, id).await;
    assert_eq!(on_disk(&bench, id).await, "xxx");
}
