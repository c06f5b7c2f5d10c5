//! Proposals: with `changes = "ask"` an agent's text waits for the writer's word.

use fascicle::domain::ask::{Deed, Reply, Which};
use fascicle::domain::event::{By, Origin};
use fascicle::domain::head::Proposed;
use fascicle::domain::{Event, Request, Seq, SessionId};
use serde_json::{Value, json};

use crate::bench::{Bench, words};
use crate::drafts_typed::{on_disk, outside, put, settle, typed, version};
use crate::take::{all, made, taken};

const ASK: &str = "changes = \"ask\"";

fn call(name: &str, input: &Value) -> Value {
    json!({"tool_call": {"call": name, "name": name, "input": input.to_string()}})
}

/// A turn of calls; the agent says what it is told of each.
fn calls(all: &[(&str, Value)]) -> Vec<Value> {
    let mut steps = Vec::new();
    for (n, (name, input)) in all.iter().enumerate() {
        let mut call = call(name, input);
        call["tool_call"]["call"] = json!(format!("c{n}"));
        steps.extend([
            call,
            json!({"await_order": "tool_result"}),
            json!({"delta": {"block": 0, "text": "[{result}]"}}),
        ]);
    }
    steps
}

fn write(text: &str, base: Seq) -> (&'static str, Value) {
    ("write_draft", json!({"text": text, "base_version": base}))
}

fn read() -> (&'static str, Value) {
    ("read_draft", json!({}))
}

async fn proposed(bench: &Bench, id: SessionId) -> Option<Proposed> {
    let mut head = fascicle::domain::Head::default();
    for event in bench.so_far(id).await {
        head.apply(&event);
    }
    head.proposed
}

/// A session with a draft, and an agent that then does this.
async fn begun(turns: impl FnOnce(Seq) -> Vec<Vec<Value>>) -> (Bench, SessionId, Seq) {
    let bench = Bench::new(&json!({"steps": []}), ASK);
    let (id, base) = crate::drafts_typed::begun(&bench, "One.\n\nTwo.\n").await;
    bench.play(&json!({"turns": turns(base)}));
    (bench, id, base)
}

fn origin(session: SessionId, seq: Seq) -> Origin {
    Origin { session, seq }
}

fn by(events: &[Event]) -> Vec<By> {
    made(events).into_iter().map(|(_, by, _)| by).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_made_from_nothing_is_refused_where_there_is_a_draft_and_the_agent_is_told_that() {
    for more in [ASK, ""] {
        let bench = Bench::new(&json!({"steps": []}), more);
        let (id, base) = crate::drafts_typed::begun(&bench, "One.\n\nTwo.\n").await;
        bench.play(&json!({"steps": calls(&[write("Something else.\n", 0), read()])}));
        let heard = bench.turn(id, "Write.").await;
        let said = words(&heard);
        assert!(said.contains("nothing was written"), "{said}");
        assert!(said.contains("Two."), "{said}");
        assert_eq!(bench.draft(id).await, ("One.\n\nTwo.\n".into(), Some(base)));
        assert_eq!(proposed(&bench, id).await, None);
        assert!(!by(&heard).iter().any(|by| matches!(by, By::Agent(_))));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agents_text_waits_and_the_turn_reads_and_changes_what_it_proposed() {
    let new = "One.\n\nTwo, better.\n";
    let (bench, id, base) =
        begun(|base| vec![calls(&[write("One.\n\nTwo, better.\n", base), read()])]).await;
    let heard = bench.turn(id, "Better.").await;
    let said = words(&heard);
    assert!(said.contains("This is a proposal, 3 words"), "{said}");
    assert!(
        said.contains("Proposal")
            && said.contains("as you proposed it")
            && said.contains("Two, better."),
        "{said}"
    );
    assert_eq!(bench.draft(id).await.0, "One.\n\nTwo.\n");
    assert_eq!(on_disk(&bench, id).await, "One.\n\nTwo.\n");
    let waits = proposed(&bench, id).await.unwrap();
    assert_eq!((waits.base, waits.turn), (Some(base), 1));
    assert_eq!((waits.added, waits.removed), (1, 0));
    assert_eq!(version(&bench, id, waits.seq).await, new);
    bench
        .row(id, "the proposal", |r| r.proposed == Some(waits.seq))
        .await;
    // It waits also for the next host.
    let bench = bench.restarted().await;
    bench
        .row(id, "the proposal", |r| r.proposed == Some(waits.seq))
        .await;
    let splices = all("One.\n\nTwo.\n", new);
    let from = origin(id, waits.seq);
    let (at, text, beside) = taken(&bench, id, base, &splices, from).await;
    assert_eq!((text, beside), (None, None));
    assert_eq!(on_disk(&bench, id).await, new);
    let events = bench.so_far(id).await;
    let last = made(&events).pop().unwrap();
    assert_eq!(last, (at, By::Agent("play".into()), Some(from)));
    let turn = |e: &&Event| e.seq == at && e.kind.turn() == Some(1);
    assert!(
        events.iter().any(|e| turn(&e)),
        "it is of the turn that proposed it"
    );
    assert_eq!(proposed(&bench, id).await, None);
    bench.row(id, "no proposal", |r| r.proposed.is_none()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_next_turn_goes_on_from_what_waits_and_a_write_on_the_draft_is_stale() {
    let (bench, id, base) = begun(|base| {
        vec![calls(&[
            write("One.\n\nTwo, better.\n", base),
            write("Late.\n", base),
        ])]
    })
    .await;
    let said = words(&bench.turn(id, "Better.").await);
    assert!(said.contains("nothing was written"), "{said}");
    let first = proposed(&bench, id).await.unwrap();
    let edit = json!({"old": "One.", "new": "1.", "base_version": first.seq});
    bench.play(&json!({"turns": [calls(&[
        read(),
        ("edit_draft", edit),
    ])]}));
    let bench = bench.restarted().await;
    let said = words(&bench.turn(id, "Again.").await);
    assert!(
        said.contains(&format!(
            "Proposal {}, as it was proposed in an earlier",
            first.seq
        )) && said.contains("Two, better."),
        "{said}"
    );
    let second = proposed(&bench, id).await.unwrap();
    assert!(second.seq > first.seq && second.base == Some(base));
    let both = "1.\n\nTwo, better.\n";
    assert_eq!(version(&bench, id, second.seq).await, both);
    assert_eq!(bench.draft(id).await.0, "One.\n\nTwo.\n");
    // The first is in the log, and can be taken; the second goes on waiting.
    let splices = all("One.\n\nTwo.\n", "One.\n\nTwo, better.\n");
    taken(&bench, id, base, &splices, origin(id, first.seq)).await;
    assert_eq!(by(&bench.so_far(id).await).pop(), Some(By::Take));
    assert_eq!(proposed(&bench, id).await.unwrap().seq, second.seq);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_typed_meanwhile_is_merged_when_the_writer_keeps_it_all() {
    let (bench, id, base) =
        begun(|base| vec![calls(&[write("One.\n\nTwo, better.\n", base)])]).await;
    bench.turn(id, "Better.").await;
    typed(&bench, id, base, &[put(0, "Mine. ")]).await;
    settle(&bench, id).await;
    let waits = proposed(&bench, id).await.unwrap();
    let splices = all("One.\n\nTwo.\n", "One.\n\nTwo, better.\n");
    let from = origin(id, waits.seq);
    let (_, text, _) = taken(&bench, id, base, &splices, from).await;
    let both = "Mine. One.\n\nTwo, better.\n";
    assert_eq!(text.as_deref(), Some(both));
    assert_eq!(on_disk(&bench, id).await, both);
    assert_eq!(
        by(&bench.so_far(id).await).pop(),
        Some(By::Agent("play".into()))
    );
    assert_eq!(bench.deed(id, Deed::Undo(Which::NEW)).await, Reply::Done);
}

#[tokio::test(flavor = "multi_thread")]
async fn all_of_it_taken_against_the_draft_as_it_is_keeps_the_words_written_since() {
    let proposal = "One.\n\nTwo, better.\n";
    let (bench, id, base) = begun(|base| vec![calls(&[write(proposal, base)])]).await;
    bench.turn(id, "Better.").await;
    typed(&bench, id, base, &[put(0, "Mine. ")]).await;
    settle(&bench, id).await;
    let waits = proposed(&bench, id).await.unwrap();
    let (now, at) = bench.draft(id).await;
    let splices = all(&now, proposal);
    let from = origin(id, waits.seq);
    let (_, text, _) = taken(&bench, id, at.unwrap(), &splices, from).await;
    let both = "Mine. One.\n\nTwo, better.\n";
    assert_eq!(text.as_deref(), Some(both));
    assert_eq!(on_disk(&bench, id).await, both);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_part_of_it_is_the_writers_own_version_and_none_of_it_is_no_version() {
    let wanted = "One, better.\n\nTwo, better.\n";
    let (bench, id, base) = begun(|base| {
        let turn = calls(&[write("One, better.\n\nTwo, better.\n", base)]);
        vec![turn.clone(), turn]
    })
    .await;
    bench.turn(id, "Better.").await;
    let waits = proposed(&bench, id).await.unwrap();
    let none = Deed::Dismiss { proposal: base };
    assert!(matches!(bench.deed(id, none).await, Reply::Refused { .. }));
    let no = Deed::Dismiss {
        proposal: waits.seq,
    };
    assert_eq!(bench.deed(id, no.clone()).await, Reply::Done);
    assert_eq!(proposed(&bench, id).await, None);
    assert!(matches!(bench.deed(id, no).await, Reply::Refused { .. }));
    assert_eq!(by(&bench.so_far(id).await), [By::You]);
    bench.turn(id, "Better.").await;
    let waits = proposed(&bench, id).await.unwrap();
    let splices = all("One.\n\nTwo.\n", "One.\n\nTwo, better.\n");
    taken(&bench, id, base, &splices, origin(id, waits.seq)).await;
    assert_eq!(by(&bench.so_far(id).await), [By::You, By::Take]);
    assert_eq!(proposed(&bench, id).await, None);
    assert_ne!(bench.draft(id).await.0, wanted);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proposal_of_which_a_part_is_taken_waits_on_until_the_rest_is_taken_or_refused() {
    let (old, some) = ("One.\n\nTwo.\n", "One, better.\n\nTwo.\n");
    let wanted = "One, better.\n\nTwo, better.\n";
    let (bench, id, base) = begun(|base| vec![calls(&[write(wanted, base)])]).await;
    bench.turn(id, "Better.").await;
    let waits = proposed(&bench, id).await.unwrap();
    let from = origin(id, waits.seq);
    let take_some = async |base: Seq| {
        let request = Request::Take {
            session: id,
            base,
            splices: all(old, some),
            from,
            rest: true,
        };
        match bench.client.ask(request).await {
            Reply::Edited { version, .. } => version,
            other => panic!("{other:?}"),
        }
    };
    let is = async |waiting: bool, draft: &str| {
        let seq = Some(waits.seq).filter(|_| waiting);
        bench.row(id, "the proposal", |r| r.proposed == seq).await;
        assert_eq!(on_disk(&bench, id).await, draft);
    };
    let undo = async || assert_eq!(bench.deed(id, Deed::Undo(Which::NEW)).await, Reply::Done);
    let at = take_some(base).await;
    // The rest is refused: that is a deed of its own.
    is(true, some).await;
    let no = Deed::Dismiss {
        proposal: waits.seq,
    };
    assert_eq!(bench.deed(id, no).await, Reply::Done);
    is(false, some).await;
    undo().await;
    is(true, some).await;
    // Or it is taken.
    taken(&bench, id, at, &all(some, wanted), from).await;
    is(false, wanted).await;
    undo().await;
    is(true, some).await;
    undo().await;
    is(true, old).await;
    assert!(proposed(&bench, id).await.unwrap().part);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_text_that_is_the_draft_already_is_no_proposal() {
    let (bench, id, _) = begun(|base| vec![calls(&[write("One.\n\nTwo.\n", base)])]).await;
    let said = words(&bench.turn(id, "Better.").await);
    assert!(said.contains("nothing to propose"), "{said}");
    assert_eq!(proposed(&bench, id).await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collection_says_for_itself_whether_its_agents_ask() {
    for (of_collection, of_all, waits) in [("ask", "", true), ("apply", ASK, false)] {
        let bench = Bench::new(&json!({"steps": []}), of_all);
        let inbox = bench.root().join("inbox/collection.toml");
        std::fs::create_dir_all(inbox.parent().unwrap()).unwrap();
        std::fs::write(
            &inbox,
            format!("id = \"inbox\"\nchanges = \"{of_collection}\"\n"),
        )
        .unwrap();
        let id = bench.new_session("Piece").await;
        bench.play(&json!({"steps": calls(&[write("One.\n", 0)])}));
        bench.turn(id, "Begin.").await;
        assert_eq!(
            proposed(&bench, id).await.is_some(),
            waits,
            "{of_collection}"
        );
        assert_eq!(bench.draft(id).await.0.is_empty(), waits, "{of_collection}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_writer_changed_meanwhile_is_in_what_the_next_turn_goes_on_from() {
    let (bench, id, base) =
        begun(|base| vec![calls(&[write("One.\n\nTwo, better.\n", base)])]).await;
    bench.turn(id, "Better.").await;
    let first = proposed(&bench, id).await.unwrap();
    typed(&bench, id, base, &[put(3, ", mine")]).await;
    settle(&bench, id).await;
    let at = bench.draft(id).await.1;
    let edit = json!({"old": "better", "new": "best", "base_version": first.seq});
    bench.play(&json!({"turns": [calls(&[("edit_draft", edit)])]}));
    let bench = bench.restarted().await;
    bench.turn(id, "Again.").await;
    let second = proposed(&bench, id).await.unwrap();
    assert_eq!(second.base, at);
    let both = "One, mine.\n\nTwo, best.\n";
    assert_eq!(version(&bench, id, second.seq).await, both);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_undo_of_what_was_decided_brings_the_proposal_back_and_a_redo_decides_again() {
    let (bench, id, base) =
        begun(|base| vec![calls(&[write("One, better.\n\nTwo, better.\n", base)])]).await;
    bench.turn(id, "Better.").await;
    let waits = proposed(&bench, id).await.unwrap();
    let (new, old) = ("One.\n\nTwo, better.\n", "One.\n\nTwo.\n");
    let is = async |waiting: bool, draft: &str| {
        let seq = Some(waits.seq).filter(|_| waiting);
        bench.row(id, "the proposal", |r| r.proposed == seq).await;
        assert_eq!(on_disk(&bench, id).await, draft);
    };
    let undo = async || assert_eq!(bench.deed(id, Deed::Undo(Which::NEW)).await, Reply::Done);
    let redo = async || assert_eq!(bench.deed(id, Deed::Redo(Which::NEW)).await, Reply::Done);
    let no = Deed::Dismiss {
        proposal: waits.seq,
    };
    assert_eq!(bench.deed(id, no).await, Reply::Done);
    is(false, old).await;
    undo().await;
    is(true, old).await;
    redo().await;
    is(false, old).await;
    undo().await;
    let splices = all(old, new);
    taken(&bench, id, base, &splices, origin(id, waits.seq)).await;
    is(false, new).await;
    undo().await;
    is(true, old).await;
    redo().await;
    is(false, new).await;
    undo().await;
    is(true, old).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_proposal_taken_where_the_draft_was_changed_the_rest_is_in_it_and_one_undo_goes_back()
{
    let wanted = "One, better.\n\nTwo, better.\n";
    let (bench, id, base) = begun(|base| vec![calls(&[write(wanted, base)])]).await;
    bench.turn(id, "Better.").await;
    outside(&bench, id, "One, mine.\n\nTwo.\n").await;
    settle(&bench, id).await;
    let waits = proposed(&bench, id).await.unwrap();
    let splices = all("One.\n\nTwo.\n", wanted);
    let (_, text, beside) = taken(&bench, id, base, &splices, origin(id, waits.seq)).await;
    let both = "One, mine.\n\nTwo, better.\n";
    assert_eq!(text.as_deref(), Some(both));
    assert_eq!(on_disk(&bench, id).await, both);
    assert_eq!(version(&bench, id, beside.unwrap()).await, wanted);
    assert_eq!(bench.deed(id, Deed::Undo(Which::NEW)).await, Reply::Done);
    assert_eq!(on_disk(&bench, id).await, "One, mine.\n\nTwo.\n");
    assert_eq!(proposed(&bench, id).await, Some(waits));
}

/// What is listed as a version: its event, and the version it was proposed for, if it was.
async fn listed(bench: &Bench, session: SessionId) -> Vec<(Seq, Option<Seq>)> {
    match bench.client.ask(Request::Versions { session }).await {
        Reply::Versions { versions } => versions
            .iter()
            .map(|row| (row.seq, row.stands.proposed))
            .collect(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_proposed_is_among_the_versions_whatever_became_of_it() {
    let (first, second) = ("One.\n\nTwo, better.\n", "One.\n");
    let (bench, id, base) = begun(|base| vec![calls(&[write(first, base)])]).await;
    bench.turn(id, "Better.").await;
    let one = proposed(&bench, id).await.unwrap().seq;
    // The next turn goes on from it, and takes words out.
    bench.play(&json!({"turns": [calls(&[write(second, one)])]}));
    let bench = bench.restarted().await;
    bench.turn(id, "Shorter.").await;
    let two = proposed(&bench, id).await.unwrap().seq;
    let all = [(base, None), (one, Some(base)), (two, Some(base))];
    assert_eq!(listed(&bench, id).await, all);
    // It is named like any version, and read when it is refused as well.
    let name = Some("with a second paragraph".to_owned());
    let pin = Deed::Pin { version: one, name };
    assert_eq!(bench.deed(id, pin).await, Reply::Done);
    let no = Deed::Dismiss { proposal: two };
    assert_eq!(bench.deed(id, no).await, Reply::Done);
    assert_eq!(listed(&bench, id).await, all);
    assert_eq!(version(&bench, id, one).await, first);
    assert_eq!(version(&bench, id, two).await, second);
    let restore = Deed::RestoreDraft { seq: one };
    assert_eq!(bench.deed(id, restore).await, Reply::Done);
    assert_eq!(on_disk(&bench, id).await, first);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proposal_restored_as_the_draft_waits_no_more_and_one_undo_has_it_wait_again() {
    let new = "One.\n\nTwo, better.\n";
    let (bench, id, _) = begun(|base| vec![calls(&[write(new, base)])]).await;
    bench.turn(id, "Better.").await;
    let waits = proposed(&bench, id).await.unwrap();
    let restore = Deed::RestoreDraft { seq: waits.seq };
    assert_eq!(bench.deed(id, restore).await, Reply::Done);
    assert_eq!(on_disk(&bench, id).await, new);
    bench.row(id, "no proposal", |r| r.proposed.is_none()).await;
    assert_eq!(bench.deed(id, Deed::Undo(Which::NEW)).await, Reply::Done);
    assert_eq!(on_disk(&bench, id).await, "One.\n\nTwo.\n");
    assert_eq!(proposed(&bench, id).await, Some(waits));
}
