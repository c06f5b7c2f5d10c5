//! The embedded editor in a real host: it reads the session's draft, and a fix is one version of it.

use fascicle::domain::ask::{NewSession, Reply, Request};
use fascicle::domain::event::By;
use fascicle::domain::{Event, Kind, SessionId};
use serde_json::json;

use crate::bench::{Bench, words};

const TEXT: &str =
    "\u{feff}He took the the book.\r\n\r\n他们他们来了。\r\n\r\nOne, two, three, four ,five.\r\n";

async fn session(text: &str) -> (Bench, SessionId) {
    let bench = Bench::new(&json!({"steps": []}), "");
    let request = Request::New(NewSession {
        collection: None,
        title: Some("Piece".into()),
        agent: Some("editor".into()),
        prompt: None,
        recipe: None,
    });
    let Reply::Created { session } = bench.client.ask(request).await else {
        panic!("no session")
    };
    put(&bench, session, text).await;
    (bench, session)
}

async fn put(bench: &Bench, session: SessionId, text: &str) {
    let folder = bench.folder(session).await;
    std::fs::write(folder.join("draft.md"), text).unwrap();
}

fn newest(events: &[Event], turn: usize) -> Vec<Event> {
    let starts = |e: &&Event| matches!(e.kind, Kind::Prompt { .. });
    let from = events.iter().filter(starts).nth(turn).map_or(0, |e| e.seq);
    events.iter().filter(|e| e.seq >= from).cloned().collect()
}

fn versions_by_editor(events: &[Event]) -> usize {
    let ours =
        |e: &&Event| matches!(&e.kind, Kind::DraftSaved { by: By::Agent(a), .. } if a == "editor");
    events.iter().filter(ours).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn findings_come_one_by_one_and_cost_nothing() {
    let (bench, id) = session(TEXT).await;
    let heard = bench.turn(id, "proofread").await;
    let deltas = heard
        .iter()
        .filter(|e| matches!(e.kind, Kind::Delta { .. }))
        .count();
    assert!(deltas >= 4, "{deltas}");
    let said = words(&heard);
    for part in [
        "3 findings",
        "[[the the]]",
        "[[他们他们]]",
        "**3.** spacing",
    ] {
        assert!(said.contains(part), "{part} in {said}");
    }
    let free =
        |e: &Event| matches!(&e.kind, Kind::Usage { usage, .. } if usage.cost_usd == Some(0.0));
    assert!(heard.iter().any(free));
    assert_eq!(versions_by_editor(&heard), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fix_is_one_version_and_leaves_every_other_byte() {
    let (bench, id) = session(TEXT).await;
    bench.turn(id, "proofread").await;
    let heard = bench.turn(id, "fix 1 3").await;
    assert_eq!(versions_by_editor(&heard), 1);
    let want = TEXT
        .replace("the the", "the")
        .replace("four ,five", "four, five");
    assert_eq!(bench.draft(id).await.0, want);
    let heard = bench.turn(id, "fix all").await;
    assert_eq!(versions_by_editor(&heard), 2);
    assert_eq!(bench.draft(id).await.0, want.replace("他们他们", "他们"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_number_of_an_older_listing_means_its_sentence() {
    let (bench, id) = session(TEXT).await;
    bench.turn(id, "proofread").await;
    put(&bench, id, "She saw a a bird.\n\nHe took the the book.\n").await;
    bench.turn(id, "fix 1").await;
    let now = "She saw a a bird.\n\nHe took the book.\n";
    assert_eq!(bench.draft(id).await.0, now);
    let heard = bench.turn(id, "fix 2").await;
    let said = words(&newest(&heard, 2));
    assert!(said.contains("no longer in the draft"), "{said}");
    assert_eq!(bench.draft(id).await.0, now);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_it_cannot_do_it_says_and_it_never_writes() {
    let (bench, id) = session("").await;
    let heard = bench.turn(id, "proofread").await;
    assert!(words(&heard).contains("The draft is empty"));
    put(&bench, id, TEXT).await;
    let heard = bench.turn(id, "Write me an ending.").await;
    let said = words(&newest(&heard, 1));
    for part in ["I do not write", "`proofread`", "Connect an agent"] {
        assert!(said.contains(part), "{part} in {said}");
    }
    assert!(said.lines().count() < 12, "it is read at once: {said}");
    let heard = bench.turn(id, "help").await;
    let said = words(&newest(&heard, 2));
    for part in ["[agents.local]", "OPENROUTER_API_KEY"] {
        assert!(said.contains(part), "{part} in {said}");
    }
    assert_eq!(bench.draft(id).await.0, TEXT);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_draft_that_cannot_be_used_the_writer_is_told_what_is_wrong_and_not_what_agents_are_to_do()
 {
    let (bench, id) = session(TEXT).await;
    let file = bench.folder(id).await.join("draft.md");
    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir(&file).unwrap();
    let heard = bench.turn(id, "proofread").await;
    let why = heard.iter().find_map(|e| match &e.kind {
        Kind::TurnFinished { reason, .. } => reason.clone(),
        _ => None,
    });
    let why = why.unwrap();
    assert!(why.ends_with("it is a folder; move it away."), "{why}");
}

#[tokio::test(flavor = "multi_thread")]
async fn words_that_the_voice_forbids_are_found() {
    let (bench, id) = session("We delve into it.\n\n我们众所周知。\n").await;
    let voice = "# Voice\n\n## Never\n\n- delve → dig\n- 众所周知\n";
    std::fs::write(bench.root().join("VOICE.md"), voice).unwrap();
    let heard = bench.turn(id, "proofread voice").await;
    assert!(
        words(&heard).contains("[[delve]]") && words(&heard).contains("[[众所周知]]"),
        "{}",
        words(&heard)
    );
    std::fs::remove_file(bench.root().join("VOICE.md")).unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    std::fs::write(elsewhere.path().join("v"), voice).unwrap();
    std::os::unix::fs::symlink(elsewhere.path().join("v"), bench.root().join("VOICE.md")).unwrap();
    let heard = bench.turn(id, "proofread voice").await;
    let said = words(&newest(&heard, 1));
    assert!(said.contains("nothing to ask about"), "{said}");
}
