//! The draft: the host owns it, every change is a version.

use fascicle::domain::ask::{Deed, Into, Reply, Which};
use fascicle::domain::event::By;
use fascicle::domain::{Kind, Request};
use serde_json::json;

use crate::bench::{Bench, words};

fn call(name: &str, input: &serde_json::Value) -> serde_json::Value {
    json!({"tool_call": {"call": "c1", "name": name, "input": input.to_string()}})
}

fn write_and_tell(text: &str, base: u64) -> serde_json::Value {
    json!({"steps": [call("write_draft", &json!({"text": text, "base_version": base})),
        {"await_order": "tool_result"}, {"delta": {"block": 0, "text": "{result}"}}]})
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_is_a_version_before_it_is_a_file_and_the_agent_is_told_its_number() {
    let bench = Bench::new(&write_and_tell("The morning.\n", 0), "");
    let id = bench.new_session("One").await;
    let heard = bench.turn(id, "Write.").await;
    let at = |f: &dyn Fn(&Kind) -> bool| heard.iter().position(|e| f(&e.kind)).unwrap();
    let started = at(&|k| matches!(k, Kind::ToolStarted { .. }));
    let saved = at(&|k| matches!(k, Kind::DraftSaved { by: By::Agent(a), .. } if a == "play"));
    let finished = at(&|k| matches!(k, Kind::ToolFinished { ok: true, .. }));
    assert!(started < saved && saved < finished);
    let folder = bench.folder(id).await;
    assert_eq!(
        std::fs::read_to_string(folder.join("draft.md")).unwrap(),
        "The morning.\n"
    );
    let (_, version) = bench.draft(id).await;
    assert!(
        words(&heard).contains(&format!("version {}", version.unwrap())),
        "{}",
        words(&heard)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_from_outside_is_a_version_and_makes_an_older_write_stale() {
    let bench = Bench::new(&write_and_tell("Theirs.", 0), "");
    let id = bench.new_session("One").await;
    let folder = bench.folder(id).await;
    std::fs::write(folder.join("draft.md"), "Mine.").unwrap();
    let heard = bench.turn(id, "Write.").await;
    assert!(heard.iter().any(|e| matches!(
        e.kind,
        Kind::DraftSaved {
            by: By::Outside,
            ..
        }
    )));
    assert!(words(&heard).contains("Mine."), "{}", words(&heard));
    assert_eq!(bench.draft(id).await.0, "Mine.");
    assert_eq!(
        std::fs::read_to_string(folder.join("draft.md")).unwrap(),
        "Mine."
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reply_goes_into_the_draft_and_an_undo_takes_it_out_again() {
    let script = json!({"steps": [{"delta": {"block": 0, "text": "A river."}}, {"message": {"block": 0, "text": "A river."}}]});
    let bench = Bench::new(&script, "");
    let id = bench.new_session("One").await;
    let heard = bench.turn(id, "Write.").await;
    let seq = heard
        .iter()
        .find(|e| matches!(e.kind, Kind::Delta { .. }))
        .unwrap()
        .seq;
    for how in [Into::Append, Into::Append] {
        assert_eq!(
            bench.deed(id, Deed::ReplyToDraft { seq, how }).await,
            Reply::Done
        );
    }
    assert_eq!(bench.draft(id).await.0, "A river.\n\nA river.\n");
    assert_eq!(bench.deed(id, Deed::Undo(Which::NEW)).await, Reply::Done);
    assert_eq!(bench.draft(id).await.0, "A river.\n");
    assert_eq!(bench.deed(id, Deed::Undo(Which::NEW)).await, Reply::Done);
    assert_eq!(bench.draft(id).await.0, "");
    let log = std::fs::read_to_string(bench.log(id)).unwrap();
    let versions = log
        .lines()
        .filter(|l| l.contains("\"draft.saved\""))
        .count();
    assert_eq!(versions, 4, "one version for each deed:\n{log}");
    let undo = log.lines().rfind(|l| l.contains("\"undo\"")).unwrap();
    assert!(undo.contains("\"added\":0,\"removed\":2"), "{undo}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_prompt_goes_into_the_draft_as_the_writers_own_words() {
    let script = json!({"steps": [{"message": {"block": 0, "text": "I do not write."}}]});
    let bench = Bench::new(&script, "");
    let id = bench.new_session("One").await;
    let heard = bench.turn(id, "The harbour was quiet.").await;
    let prompt = heard.iter().find(|e| matches!(e.kind, Kind::Prompt { .. }));
    let (seq, how) = (prompt.unwrap().seq, Into::Append);
    let put = bench.deed(id, Deed::ReplyToDraft { seq, how }).await;
    assert_eq!(put, Reply::Done);
    assert_eq!(bench.draft(id).await.0, "The harbour was quiet.\n");
    assert_eq!(versions(&bench, id).await, [(By::You, 4, 0)]);
}

/// Everybody's versions of the draft, oldest first, with the words that came and went.
async fn versions(bench: &Bench, id: fascicle::domain::SessionId) -> Vec<(By, u64, u64)> {
    let marked = bench
        .deed(
            id,
            Deed::Rename {
                title: "Marked".into(),
            },
        )
        .await;
    assert_eq!(marked, Reply::Done);
    let is_mark = |e: &fascicle::domain::Event| matches!(e.kind, Kind::Renamed { .. });
    let heard = crate::bench::events_until(&mut bench.follow(id), "the mark", is_mark).await;
    let saved = heard.into_iter().filter_map(|e| match e.kind {
        Kind::DraftSaved {
            by, added, removed, ..
        } => Some((by, added, removed)),
        _ => None,
    });
    saved.collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_undo_of_what_was_put_in_is_one_version_with_the_words_that_went() {
    let script = json!({"steps": [{"message": {"block": 0, "text": "A slow river."}}]});
    let bench = Bench::new(&script, "");
    let id = bench.new_session("One").await;
    let heard = bench.turn(id, "Write.").await;
    let is_reply = |e: &&fascicle::domain::Event| matches!(e.kind, Kind::Message { .. });
    let seq = heard.iter().find(is_reply).unwrap().seq;
    let how = Into::Append;
    for deed in [Deed::ReplyToDraft { seq, how }, Deed::Undo(Which::NEW)] {
        assert_eq!(bench.deed(id, deed).await, Reply::Done);
    }
    assert_eq!(
        versions(&bench, id).await,
        [(By::You, 3, 0), (By::Undo, 0, 3)]
    );
    let folder = bench.folder(id).await;
    assert_eq!(
        std::fs::read_to_string(folder.join("draft.md")).unwrap(),
        ""
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_undo_never_takes_away_what_another_program_wrote() {
    let bench = Bench::new(&write_and_tell("One two.", 0), "");
    let id = bench.new_session("One").await;
    bench.turn(id, "Write.").await;
    let file = bench.folder(id).await.join("draft.md");
    std::fs::write(&file, "My own words.").unwrap();
    let reply = bench.deed(id, Deed::Undo(Which::NEW)).await;
    assert!(
        matches!(&reply, Reply::Refused { why, .. } if why.contains("Another program")),
        "{reply:?}"
    );
    let title = "Two".to_owned();
    bench.deed(id, Deed::Rename { title }).await;
    std::fs::write(&file, "My own words, more of them.").unwrap();
    assert_eq!(bench.deed(id, Deed::Undo(Which::NEW)).await, Reply::Done);
    bench.row(id, "the title", |r| r.title == "One").await;
    assert_eq!(bench.draft(id).await.0, "My own words, more of them.");
    assert_eq!(
        std::fs::read_to_string(file).unwrap(),
        "My own words, more of them."
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_is_renamed_is_found_and_one_that_is_deleted_comes_back_from_the_log() {
    let bench = Bench::new(&write_and_tell("Kept.", 0), "");
    let id = bench.new_session("One").await;
    bench.turn(id, "Write.").await;
    let folder = bench.folder(id).await;
    let bench = bench.restarted().await;
    let elsewhere = folder.with_file_name("elsewhere");
    std::fs::rename(&folder, &elsewhere).unwrap();
    assert_eq!(bench.draft(id).await.0, "Kept.");
    bench
        .row(id, "the new place", |r| r.folder == "inbox/elsewhere")
        .await;
    let bench = bench.restarted().await;
    std::fs::remove_dir_all(&elsewhere).unwrap();
    assert_eq!(bench.draft(id).await.0, "Kept.");
    assert_eq!(
        std::fs::read_to_string(elsewhere.join("draft.md")).unwrap(),
        "Kept."
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn where_nothing_may_be_written_a_draft_is_shown_to_be_read_and_why() {
    let bench = Bench::new(&write_and_tell("The morning.\n", 0), "");
    let session = bench.new_session("One").await;
    bench.turn(session, "Write.").await;
    let log = bench.log(session);
    let bench = bench.reading().await;
    let before = std::fs::read(&log).unwrap();
    let request = Request::Draft { session, at: None };
    let reply = bench.client.ask(request).await;
    let Reply::Draft { text, locked, .. } = reply else {
        panic!("{reply:?}");
    };
    assert_eq!(text, "The morning.\n");
    assert!(locked.is_some_and(|why| why.contains("cannot be written")));
    assert_eq!(std::fs::read(&log).unwrap(), before);
}
