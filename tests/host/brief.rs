//! What an agent is told: made from the files as they are before each turn, logged where it changed.

use std::path::Path;

use fascicle::domain::ask::{Deed, NewSession, Reply, Request};
use fascicle::domain::brief::{Briefing, texts};
use fascicle::domain::event::MemoryInjected;
use fascicle::domain::notice::{Notice, Scope};
use fascicle::domain::{CollectionId, Event, Kind, SessionId, Stage, Text, TurnNo};
use serde_json::{Value, json};

use crate::bench::{Bench, next, words};

/// An agent that says how many turns it has played, and what it was told.
fn says_its_brief() -> Value {
    let say = |n: u32| json!([{"delta": {"block": 0, "text": format!("{n}:{{brief}}")}}]);
    json!({"turns": [say(1), say(2), say(3)]})
}

/// Writes a file of the workspace.
pub(crate) fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// Makes a collection.
pub(crate) async fn collection(bench: &Bench, title: &str) -> CollectionId {
    let title = title.to_owned();
    match bench.client.ask(Request::NewCollection { title }).await {
        Reply::Collection { collection } => collection,
        other => panic!("{other:?}"),
    }
}

/// Makes a session in a collection, for an agent.
pub(crate) async fn session(
    bench: &Bench,
    collection: &CollectionId,
    title: &str,
    agent: Option<&str>,
) -> SessionId {
    let request = Request::New(NewSession {
        collection: Some(collection.clone()),
        title: Some(title.to_owned()),
        agent: agent.map(str::to_owned),
        prompt: None,
        recipe: None,
    });
    match bench.client.ask(request).await {
        Reply::Created { session } => session,
        other => panic!("{other:?}"),
    }
}

fn injected(events: &[Event]) -> Vec<&MemoryInjected> {
    let all = events.iter().filter_map(|e| match &e.kind {
        Kind::MemoryInjected(injected) => Some(injected),
        _ => None,
    });
    all.collect()
}

/// What the agent said it was told in a turn, and in which of its own turns that was.
fn heard(events: &[Event], turn: TurnNo) -> (String, String) {
    let of_turn: Vec<Event> = events
        .iter()
        .filter(|e| e.kind.turn() == Some(turn))
        .cloned()
        .collect();
    let said = words(&of_turn);
    let (n, brief) = said.split_once(':').unwrap();
    (n.to_owned(), brief.to_owned())
}

async fn brief(bench: &Bench, session: SessionId, turn: Option<TurnNo>) -> Briefing {
    match bench.client.ask(Request::Brief { session, turn }).await {
        Reply::Brief(briefing) => *briefing,
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_of_the_memory_takes_effect_at_the_next_turn_and_nothing_is_logged_while_nothing_changes()
 {
    let bench = Bench::new(&says_its_brief(), "");
    let essays = collection(&bench, "Essays").await;
    let fiction = collection(&bench, "Fiction").await;
    write(
        &bench.root(),
        "fiction/MEMORY.md",
        "- The lighthouse is green.",
    );
    write(&bench.root(), "CLAUDE.md", "Write plainly.");
    let id = session(&bench, &essays, "Water", None).await;
    session(&bench, &fiction, "Lighthouse", None).await;
    bench.turn(id, "Begin.").await;
    let events = bench.turn(id, "Go on.").await;
    let sent = injected(&events);
    assert_eq!(sent.len(), 1, "nothing changed for the second turn");
    assert_eq!((sent[0].turn, sent[0].changed.len()), (1, 0));
    let whole = sent[0].text.shown().to_owned();
    assert!(whole.contains("Write plainly.") && whole.contains("\"Water\" (this piece)"));
    assert!(!whole.contains("ighthouse"), "{whole}");
    assert_eq!(heard(&events, 1), ("1".to_owned(), whole.clone()));
    assert_eq!(heard(&events, 2), ("2".to_owned(), whole.clone()));

    write(
        &bench.root(),
        "essays/MEMORY.md",
        "- Ilse is the ferryman's daughter.\r\n",
    );
    let events = bench.turn(id, "And on.").await;
    let sent = injected(&events);
    assert_eq!((sent.len(), sent[1].turn), (2, 3));
    assert_eq!(sent[1].changed, ["memory"]);
    let newer = sent[1].text.shown().to_owned();
    assert!(
        newer.contains("- Ilse is the ferryman's daughter.\n\n# Pieces"),
        "{newer}"
    );
    assert_eq!(
        heard(&events, 3),
        ("1".to_owned(), newer.clone()),
        "another agent"
    );
    let names: Vec<_> = sent[1]
        .parts
        .iter()
        .map(|p| (p.part.as_str(), p.path.as_deref()))
        .collect();
    let want = [
        ("product", None),
        ("workspace_rules", Some("CLAUDE.md")),
        ("memory", Some("essays/MEMORY.md")),
        ("pieces", None),
    ];
    assert_eq!(names, want);
    assert_eq!(texts(&newer, &sent[1].parts).join("\n\n"), newer);
    let at = |kind: fn(&Kind) -> bool| events.iter().rposition(|e| kind(&e.kind)).unwrap();
    let logged = at(|k| matches!(k, Kind::MemoryInjected(_)));
    assert!(at(|k| matches!(k, Kind::TurnStarted { .. })) < logged);
    assert!(logged < at(|k| matches!(k, Kind::AgentStarted(_) | Kind::Delta { .. })));

    let now = brief(&bench, id, None).await;
    assert_eq!(
        (now.brief.text.as_str(), now.was.as_deref()),
        (newer.as_str(), Some(newer.as_str()))
    );
    assert!(now.changed.is_empty() && now.turn.is_none());
    let turns: Vec<_> = now.sent.iter().map(|s| s.turn).collect();
    assert_eq!(turns, [1, 3]);
    let then = brief(&bench, id, Some(2)).await;
    assert_eq!(
        (then.turn, then.brief.text.as_str(), then.was),
        (Some(1), whole.as_str(), None)
    );
    let last = brief(&bench, id, Some(3)).await;
    assert_eq!(
        (last.turn, last.was.as_deref()),
        (Some(3), Some(whole.as_str()))
    );
    write(&bench.root(), "essays/MEMORY.md", "");
    let now = brief(&bench, id, None).await;
    assert_eq!(
        (now.brief.text.as_str(), now.changed),
        (whole.as_str(), vec!["memory".to_owned()])
    );
    let none = Request::Brief {
        session: id,
        turn: Some(0),
    };
    assert!(matches!(
        bench.client.ask(none).await,
        Reply::Refused { .. }
    ));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_variant_carries_the_brief_of_its_piece_and_logs_it_only_when_it_is_another() {
    let bench = Bench::new(&says_its_brief(), "");
    let essays = collection(&bench, "Essays").await;
    write(&bench.root(), "essays/MEMORY.md", "- The term is *ledger*.");
    let id = session(&bench, &essays, "Water", None).await;
    bench.turn(id, "Begin.").await;
    let bold = bench.fork(id, "bold").await;
    let events = bench.turn(bold, "Go on.").await;
    assert_eq!(injected(&events).len(), 1);
    assert_eq!(
        heard(&events, 2),
        ("1".to_owned(), injected(&events)[0].text.shown().to_owned())
    );
    assert!(heard(&events, 2).1.contains("\"Water\" (this piece)"));
    write(
        &bench.root(),
        "essays/MEMORY.md",
        "- The term is *daybook*.",
    );
    let events = bench.turn(bold, "And on.").await;
    assert!(heard(&events, 3).1.contains("daybook"));
    assert_eq!(injected(&events).len(), 2);
    let parent = brief(&bench, id, Some(1)).await;
    assert!(
        parent.brief.text.contains("ledger"),
        "the parent has not been asked since"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_is_opened_anew_or_gets_another_agent_is_told_the_same() {
    let script = says_its_brief();
    let bench = Bench::new(&script, "");
    write(&bench.root(), "VOICE.md", "Short words.");
    let id = bench.new_session("One").await;
    bench.turn(id, "Begin.").await;
    let bench = bench.restarted().await;
    let events = bench.turn(id, "Go on.").await;
    let same = heard(&events, 1).1;
    assert_eq!(heard(&events, 2), ("1".to_owned(), same.clone()));
    let path = bench.root().with_file_name("script.json");
    let other = format!(
        "[agents.other]\nkind = \"scripted\"\ncommand = {:?}\n",
        path.display().to_string()
    );
    bench.settings(&script, &other);
    let (agent, model) = ("other".to_owned(), None);
    assert_eq!(
        bench.deed(id, Deed::Choose { agent, model }).await,
        Reply::Done
    );
    let events = bench.turn(id, "And on.").await;
    assert_eq!(heard(&events, 3), ("1".to_owned(), same));
    assert_eq!(injected(&events).len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_inbox_has_its_own_files_and_a_piece_that_moves_on_is_told_of_by_its_stage() {
    let bench = Bench::new(&says_its_brief(), "");
    let one = bench.new_session("One").await;
    let two = bench.new_session("Two").await;
    bench.row(two, "its place in the list", |_| true).await;
    write(&bench.root(), "inbox/PROFILE.md", "Loose leaves.");
    let events = bench.turn(one, "Begin.").await;
    let told = heard(&events, 1).1;
    assert!(told.contains("Loose leaves."), "{told}");
    assert!(
        told.ends_with("- \"One\" (this piece)\n- \"Two\""),
        "{told}"
    );
    let stage = Some(Stage::Done);
    assert_eq!(bench.deed(two, Deed::Stage { stage }).await, Reply::Done);
    bench.row(two, "its stage", |r| r.stage == stage).await;
    let events = bench.turn(one, "Go on.").await;
    // The file of the collection names it now, and the order is the one that was shown.
    let told = heard(&events, 2).1;
    assert!(
        told.ends_with("- \"One\" (this piece)\n- \"Two\", done"),
        "{told}"
    );
    assert_eq!(injected(&events)[1].changed, ["pieces"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_brief_too_long_for_a_line_is_a_blob_and_is_shown_whole_in_the_variant_too() {
    let bench = Bench::new(
        &json!({"steps": [{"delta": {"block": 0, "text": "ok"}}]}),
        "",
    );
    let essays = collection(&bench, "Essays").await;
    let long = "A sentence of the writer's. ".repeat(1_000);
    for path in [
        "CLAUDE.md",
        "VOICE.md",
        "essays/CLAUDE.md",
        "essays/PROFILE.md",
        "essays/MEMORY.md",
    ] {
        write(&bench.root(), path, &long);
    }
    let id = session(&bench, &essays, "Water", None).await;
    let events = bench.turn(id, "Begin.").await;
    let sent = injected(&events)[0];
    assert!(matches!(sent.text, Text::Blob { .. }));
    assert!(sent.parts.iter().filter(|p| p.left_out > 0).count() == 5);
    let shown = brief(&bench, id, Some(1)).await;
    assert_eq!(shown.brief.text.len() as u64, sent.text.len());
    assert_eq!(shown.brief.text, brief(&bench, id, None).await.brief.text);
    let variant = bench.fork(id, "").await;
    assert_eq!(brief(&bench, variant, Some(1)).await.brief, shown.brief);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_sent_is_said_on_every_window_until_it_can() {
    let bench = Bench::new(&says_its_brief(), "");
    let id = bench.new_session("One").await;
    write(&bench.root(), "VOICE.md", "a\0b");
    bench.turn(id, "Begin.").await;
    let mut rows = bench.client.attach(Scope::Workspace);
    let mut banner = async |holds: fn(&str) -> bool| loop {
        if let Notice::Banner { text } = next(&mut rows, "the banner").await
            && holds(&text)
        {
            return text;
        }
    };
    let said = banner(|text| !text.is_empty()).await;
    assert_eq!(
        said,
        "The brief: VOICE.md is no text (3 B); it is not sent."
    );
    let now = brief(&bench, id, None).await;
    assert_eq!(
        now.brief.problems,
        ["VOICE.md is no text (3 B); it is not sent."]
    );
    write(&bench.root(), "VOICE.md", "ab");
    // Without a turn, and without anybody who looks at the brief.
    assert_eq!(banner(str::is_empty).await, "");
    assert!(brief(&bench, id, None).await.brief.problems.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_with_a_collections_own_files_is_said_of_it_and_not_everywhere() {
    let bench = Bench::new(&says_its_brief(), "");
    let essays = collection(&bench, "Essays").await;
    let id = session(&bench, &essays, "Water", None).await;
    write(&bench.root(), "essays/PROFILE.md", "a\0b");
    bench.turn(id, "Begin.").await;
    let mut rows = bench.client.attach(Scope::Workspace);
    let mut said = async || loop {
        match next(&mut rows, "what is wrong").await {
            Notice::BriefTrouble { collection, text } => return (collection, text),
            Notice::Banner { text } => assert_eq!(text, ""),
            _ => {}
        }
    };
    let why = "The brief of “Essays”: essays/PROFILE.md is no text (3 B); it is not sent.";
    assert_eq!(said().await, (essays.clone(), why.to_owned()));
    write(&bench.root(), "essays/PROFILE.md", "ab");
    assert_eq!(said().await, (essays, String::new()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_few_words_more_in_another_piece_begin_no_agent_anew() {
    let bench = Bench::new(&says_its_brief(), "");
    let (one, two) = (
        bench.new_session("One").await,
        bench.new_session("Two").await,
    );
    let draft = bench.folder(two).await.join("draft.md");
    std::fs::write(&draft, "word ".repeat(1_210)).unwrap();
    bench.draft(two).await;
    bench.row(two, "its words", |r| r.words == 1_210).await;
    bench.turn(one, "Begin.").await;
    std::fs::write(&draft, "word ".repeat(1_230)).unwrap();
    bench.draft(two).await;
    bench.row(two, "its words", |r| r.words == 1_230).await;
    let own = bench.folder(one).await.join("draft.md");
    std::fs::write(own, "word ".repeat(300)).unwrap();
    let events = bench.turn(one, "Go on.").await;
    assert_eq!(injected(&events).len(), 1);
    assert_eq!(heard(&events, 2).0, "2", "the same agent");
    assert!(heard(&events, 2).1.contains("\"Two\", about 1,200 words"));
}
