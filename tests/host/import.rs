//! Histories of Claude Code become sessions: what they hold comes over, what is damaged is said, theirs stays as it is.

use std::path::{Path, PathBuf};

use fascicle::domain::ask::{Brought, NewImport, Reply, Request};
use fascicle::domain::event::{Status, Unread};
use fascicle::domain::message::{Message, Said, history};
use fascicle::domain::session::replay;
use fascicle::domain::{CollectionId, Event, Kind, SessionId, State};
use fascicle::log::Store;
use serde_json::{Value, json};

use crate::bench::{Bench, numbered};

/// A history in a file of its own.
struct Theirs {
    dir: tempfile::TempDir,
    lines: Vec<String>,
}

impl Theirs {
    fn new() -> Self {
        Self {
            dir: tempfile::tempdir().unwrap(),
            lines: Vec::new(),
        }
    }

    fn of(fixture: &str) -> Self {
        let path = format!(
            "{}/tests/fixtures/agents/claude/{fixture}.transcript.jsonl",
            env!("CARGO_MANIFEST_DIR")
        );
        let mut theirs = Self::new();
        let text = std::fs::read_to_string(path).unwrap();
        theirs.lines = text.lines().map(str::to_owned).collect();
        theirs
    }

    fn entry(&mut self, uuid: &str, parent: Option<&str>, more: &Value) -> &mut Self {
        let second = self.lines.len();
        let mut entry = json!({
            "uuid": uuid, "parentUuid": parent, "isSidechain": false, "cwd": "/essays", "sessionId": "s",
            "timestamp": format!("2026-11-29T14:48:{:02}.000Z", second % 60),
        });
        let own = entry.as_object_mut().unwrap();
        own.extend(more.as_object().unwrap().clone());
        self.lines.push(entry.to_string());
        self
    }

    fn user(&mut self, uuid: &str, parent: Option<&str>, content: &Value) -> &mut Self {
        let message = json!({"role": "user", "content": content});
        self.entry(uuid, parent, &json!({"type": "user", "message": message}))
    }

    fn agent(&mut self, uuid: &str, parent: &str, block: &Value) -> &mut Self {
        let message = json!({
            "id": format!("msg_{uuid}"), "role": "assistant", "model": "claude-sonnet-5", "content": [block],
            "usage": {"input_tokens": 10, "cache_read_input_tokens": 5, "output_tokens": 2},
        });
        self.entry(
            uuid,
            Some(parent),
            &json!({"type": "assistant", "message": message}),
        )
    }

    fn says(&mut self, uuid: &str, parent: &str, words: &str) -> &mut Self {
        self.agent(uuid, parent, &json!({"type": "text", "text": words}))
    }

    /// A prompt and its answer, by their names; `after` is the answer that it follows.
    fn turn(
        &mut self,
        [asked, told]: [&str; 2],
        after: Option<&str>,
        prompt: &str,
        answer: &str,
    ) -> &mut Self {
        self.user(asked, after, &json!(prompt))
            .says(told, asked, answer)
    }

    fn raw(&mut self, line: &str) -> &mut Self {
        self.lines.push(line.to_owned());
        self
    }

    fn path(&self) -> PathBuf {
        self.dir.path().join("0198a3c1.jsonl")
    }

    fn write(&self) -> PathBuf {
        let text: String = self.lines.iter().map(|l| format!("{l}\n")).collect();
        std::fs::write(self.path(), text).unwrap();
        self.path()
    }
}

fn request(path: &Path, again: bool) -> Request {
    Request::Import(NewImport {
        path: path.display().to_string(),
        collection: None,
        again,
    })
}

async fn brought(bench: &Bench, path: &Path) -> Brought {
    match bench.client.ask(request(path, false)).await {
        Reply::Imported(brought) => *brought,
        other => panic!("{other:?}"),
    }
}

async fn refused(bench: &Bench, path: &Path) -> String {
    match bench.client.ask(request(path, false)).await {
        Reply::Refused { why, .. } => why,
        other => panic!("{other:?}"),
    }
}

fn bench() -> Bench {
    Bench::new(&numbered(3, 0), "")
}

fn store(bench: &Bench) -> Store {
    Store::open(&bench.root(), &bench.root().join("no-cache")).unwrap()
}

fn events(bench: &Bench, session: SessionId) -> Vec<Event> {
    let all = store(bench).whole(session).unwrap();
    all.collect::<Result<_, _>>().unwrap()
}

fn said(bench: &Bench, session: SessionId) -> Vec<Message> {
    history(&replay(&events(bench, session)).body)
}

fn words(messages: &[Message]) -> Vec<String> {
    let of = |m: &Message| match m {
        Message::User(text) => text.clone(),
        Message::Agent(parts) => {
            let texts = parts.iter().filter_map(|p| match p {
                Said::Words(text) => Some(text.as_str()),
                Said::Call { .. } => None,
            });
            texts.collect::<Vec<_>>().join(" ")
        }
    };
    messages.iter().map(of).collect()
}

fn whole(bench: &Bench) {
    let report = store(bench).verify(None).unwrap();
    assert!(
        report.damaged.is_empty() && report.gaps.is_empty(),
        "{report:?}"
    );
    assert!(report.blobs.is_empty(), "{report:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recorded_history_comes_over_with_calls_times_and_figures_and_stays_as_it_is() {
    let bench = bench();
    let theirs = Theirs::of("tool_granted");
    let path = theirs.write();
    let before = std::fs::read(&path).unwrap();
    let made = brought(&bench, &path).await;
    assert_eq!(
        (made.turns, made.variants.len(), made.unread_all),
        (1, 0, 0)
    );
    let messages = said(&bench, made.session);
    let [Message::User(prompt), Message::Agent(parts)] = messages.as_slice() else {
        panic!("{messages:?}");
    };
    assert_eq!(
        prompt,
        "Draft the opening of the essay and save it to draft.md."
    );
    let calls = parts
        .iter()
        .filter(|p| matches!(p, Said::Call { ok: true, .. }));
    assert_eq!(calls.count(), 2, "{parts:?}");
    assert_eq!(
        parts.last(),
        Some(&Said::Words("Draft written and revised.".into()))
    );
    let all = events(&bench, made.session);
    let by = all.iter().find_map(|e| match &e.kind {
        Kind::TurnStarted { agent, .. } => Some(agent.as_str()),
        _ => None,
    });
    assert_eq!(by, Some("claude"), "who made it, not who goes on with it");
    let usage = all.iter().find_map(|e| match &e.kind {
        Kind::Usage { usage, .. } => Some(*usage),
        _ => None,
    });
    assert!(usage.unwrap().input.unwrap() > 9_000);
    let prompt = all
        .iter()
        .find(|e| matches!(e.kind, Kind::Prompt { .. }))
        .unwrap();
    let day = jiff::Timestamp::from_millisecond(prompt.ts)
        .unwrap()
        .to_string();
    assert!(day.starts_with("2026-11-29T14:48"), "{day}");
    assert_eq!(std::fs::read(&path).unwrap(), before);
    whole(&bench);
    let row = bench.row(made.session, "its row", |_| true).await;
    assert_eq!((row.state, row.turns), (State::Idle, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_is_an_interrupted_turn_and_a_summary_is_marked() {
    let bench = bench();
    let made = brought(&bench, &Theirs::of("interrupt").write()).await;
    let ends: Vec<Status> = events(&bench, made.session)
        .iter()
        .filter_map(|e| match &e.kind {
            Kind::TurnFinished { status, .. } => Some(*status),
            _ => None,
        })
        .collect();
    assert_eq!(ends, [Status::Interrupted, Status::Ok]);
    let compacted = Theirs::of("compact");
    let path = compacted.dir.path().join("other.jsonl");
    std::fs::rename(compacted.write(), &path).unwrap();
    let made = brought(&bench, &path).await;
    let all = events(&bench, made.session);
    let Some(Kind::Compacted(mark)) = all
        .iter()
        .map(|e| &e.kind)
        .find(|k| matches!(k, Kind::Compacted(_)))
    else {
        panic!("no mark");
    };
    assert_eq!(
        (mark.turn, mark.why.as_str(), mark.before, mark.after),
        (3, "asked", Some(3270), Some(528))
    );
    assert!(mark.summary.shown().contains("We wrote about rivers"));
    let prompts = words(&said(&bench, made.session));
    assert!(prompts[0].contains("We wrote about rivers"), "{prompts:?}");
    assert_eq!(
        prompts.len(),
        4,
        "the summary stands for what was said before it, and the command to compact is no prompt: {prompts:?}"
    );
    whole(&bench);
}

#[tokio::test(flavor = "multi_thread")]
async fn branches_become_variants_that_share_their_beginning_byte_for_byte() {
    let bench = bench();
    let mut theirs = Theirs::new();
    theirs
        .turn(["a", "b"], None, "Begin.", "One.")
        .turn(["c", "d"], Some("b"), "Go on.", "Two.")
        .turn(["e", "f"], Some("b"), "Otherwise.", "Three.")
        .turn(["g", "h"], Some("f"), "And?", "Four.")
        .turn(["i", "j"], Some("f"), "But?", "Five.")
        .turn(["k", "l"], None, "From the start.", "Six.")
        .turn(["m", "n"], Some("j"), "The end.", "Seven.");
    let made = brought(&bench, &theirs.write()).await;
    assert_eq!((made.turns, made.variants.len()), (4, 3));
    let main = words(&said(&bench, made.session));
    assert_eq!(
        main,
        [
            "Begin.",
            "One.",
            "Otherwise.",
            "Three.",
            "But?",
            "Five.",
            "The end.",
            "Seven."
        ]
    );
    let mut all: Vec<Vec<String>> = made
        .variants
        .iter()
        .map(|v| words(&said(&bench, *v)))
        .collect();
    all.sort();
    let want = [
        vec!["Begin.", "One.", "Go on.", "Two."],
        vec!["Begin.", "One.", "Otherwise.", "Three.", "And?", "Four."],
        vec!["From the start.", "Six."],
    ];
    assert_eq!(all, want);
    let log = |id| std::fs::read(bench.log(id)).unwrap();
    for variant in &made.variants {
        let head = store(&bench).head(*variant).unwrap().head;
        assert_eq!(head.kin.family, Some(made.session));
        let forked = events(&bench, *variant)
            .into_iter()
            .find_map(|e| match e.kind {
                Kind::Forked(forked) => Some(forked.from),
                _ => None,
            });
        let from = forked.unwrap();
        let shared = usize::try_from(from.bytes).unwrap();
        assert_eq!(log(*variant)[..shared], log(from.at.session)[..shared]);
        let row = bench.row(*variant, "its row", |_| true).await;
        assert_eq!(row.state, State::Idle);
        assert!(bench.root().join(&row.folder).is_dir() && row.folder.contains('~'));
    }
    whole(&bench);
}

#[tokio::test(flavor = "multi_thread")]
async fn results_of_calls_made_side_by_side_are_no_branches() {
    let bench = bench();
    let call = |id: &str| json!({"type": "tool_use", "id": id, "name": "Read", "input": {}});
    let result = |id: &str| json!([{"type": "tool_result", "tool_use_id": id, "content": format!("of {id}")}]);
    let mut theirs = Theirs::new();
    theirs
        .user("a", None, &json!("Read both."))
        .agent("b", "a", &call("t1"))
        .agent("c", "b", &call("t2"))
        .user("d", Some("b"), &result("t1"))
        .user("e", Some("c"), &result("t2"))
        .says("f", "d", "Both are read.");
    let made = brought(&bench, &theirs.write()).await;
    assert!(made.variants.is_empty());
    let messages = said(&bench, made.session);
    let Message::Agent(parts) = &messages[1] else {
        panic!("{messages:?}");
    };
    let outputs: Vec<&str> = parts
        .iter()
        .filter_map(|p| match p {
            Said::Call { output, .. } => Some(output.as_str()),
            Said::Words(_) => None,
        })
        .collect();
    assert_eq!(outputs, ["of t1", "of t2"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_damaged_is_named_by_its_line_and_everything_else_comes_over() {
    let bench = bench();
    let mut theirs = Theirs::new();
    let half = r#"{"type":"user","uuid":"x","parentUuid":"b","message":{"role":"user","content":"half \ud83c one"}}"#;
    theirs.turn(["a", "b"], None, "Begin.", "One.");
    let repeated = theirs.lines[1].clone();
    theirs
        .raw(&repeated)
        .raw(r#"{"type":"assis"#)
        .raw(r#"{"type":"from-tomorrow","uuid":"z"}"#)
        .raw("\0\0\0\0")
        .raw("")
        .raw(half)
        .says("y", "x", "Two.")
        .user("p", Some("gone"), &json!("Its parent is missing."))
        .says("q", "p", &"long ".repeat(2_000_000));
    let glued = r#"{"parentUuid":"q","type":"us{"parentUuid":"q","type":"user","uuid":"r","message":{"role":"user","content":"Glued."}}"#;
    let side = json!({"type": "user", "isSidechain": true, "message": {"role": "user", "content": "A sub-agent's."}});
    theirs.raw(glued).entry("s", Some("r"), &side);
    let path = theirs.write();
    let mut bytes = std::fs::read(&path).unwrap();
    bytes.extend_from_slice(br#"{"type":"user","uuid":"torn"#);
    std::fs::write(&path, bytes).unwrap();
    let made = brought(&bench, &path).await;
    let lines: Vec<u64> = made.unread.iter().map(|u: &Unread| u.line).collect();
    assert_eq!(lines, [4, 5, 6, 12, 14], "{:?}", made.unread);
    assert_eq!(made.unread_all, 5);
    let notes = made.notes.join(" ");
    for part in [
        "1 entry of sub-agents",
        "1 entry repeated",
        "1 entry without the one before",
    ] {
        assert!(notes.contains(part), "{part}: {notes}");
    }
    let all = words(&said(&bench, made.session));
    assert_eq!(
        all[..5],
        [
            "Begin.",
            "One.",
            "half \u{fffd} one",
            "Two.",
            "Its parent is missing."
        ]
    );
    assert_eq!(all[6], "Glued.");
    assert!(all.iter().all(|w| !w.contains("sub-agent")));
    let text = store(&bench);
    let long = events(&bench, made.session)
        .into_iter()
        .find_map(|e| match e.kind {
            Kind::Message { text, .. } if text.is_cut() => Some(text),
            _ => None,
        });
    assert_eq!(
        text.text(made.session, &long.unwrap()).unwrap().len(),
        10_000_000
    );
    whole(&bench);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_circle_and_an_answer_without_a_prompt_are_taken_as_they_stand() {
    let bench = bench();
    let mut theirs = Theirs::new();
    theirs.says("a", "lost", "Without a prompt.").turn(
        ["b", "c"],
        Some("c"),
        "Round.",
        "And round.",
    );
    let made = brought(&bench, &theirs.write()).await;
    let all = words(&said(&bench, made.session));
    assert_eq!(all[1..], ["Without a prompt.", "Round.", "And round."]);
    whole(&bench);
}

#[tokio::test(flavor = "multi_thread")]
async fn importing_twice_adds_nothing_and_growth_is_said() {
    let bench = bench();
    let mut theirs = Theirs::new();
    theirs.turn(["a", "b"], None, "Begin.", "One.");
    let path = theirs.write();
    let made = brought(&bench, &path).await;
    let why = refused(&bench, &path).await;
    assert!(
        why.contains("here already, as “Begin.”") && !why.contains("grown"),
        "{why}"
    );
    theirs.turn(["c", "d"], Some("b"), "More.", "Two.");
    theirs.write();
    let bench = bench.restarted().await;
    let why = refused(&bench, &path).await;
    assert!(why.contains("has grown by 2 messages since"), "{why}");
    assert_eq!(store(&bench).ids().len(), 1);
    let Reply::Imported(again) = bench.client.ask(request(&path, true)).await else {
        panic!("refused");
    };
    assert_ne!(again.session, made.session);
    assert_eq!(again.turns, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_history_makes_no_session() {
    let bench = bench();
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.jsonl");
    let why = refused(&bench, &path).await;
    assert!(why.contains("could not be read"), "{why}");
    std::fs::write(&path, "\u{1b}[2J garbage\n{}\n").unwrap();
    let why = refused(&bench, &path).await;
    assert!(why.contains("holds no conversation"), "{why}");
    std::fs::write(&path, Theirs::of("simple_turn").lines.join("\n")).unwrap();
    let nowhere = Request::Import(NewImport {
        path: path.display().to_string(),
        collection: Some("nowhere".parse::<CollectionId>().unwrap()),
        again: false,
    });
    assert!(matches!(
        bench.client.ask(nowhere).await,
        Reply::Refused { .. }
    ));
    assert!(store(&bench).ids().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_imported_session_goes_on_with_another_prompt() {
    let bench = bench();
    let made = brought(&bench, &Theirs::of("interrupt").write()).await;
    let choose = fascicle::domain::ask::Deed::Choose {
        agent: "play".into(),
        model: None,
    };
    assert_eq!(bench.deed(made.session, choose).await, Reply::Done);
    bench.send(made.session, "And the sea?").await;
    let ended = bench.row(made.session, "its end", |r| {
        r.turns == 3 && r.state == State::Unread
    });
    assert_eq!(ended.await.turns, 3);
    let all = words(&said(&bench, made.session));
    assert_eq!(all[4], "And the sea?");
    whole(&bench);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_history_that_compacted_itself_is_sent_from_its_summary_on_also_in_the_middle_of_a_turn()
{
    let bench = bench();
    let mut theirs = Theirs::new();
    let boundary = json!({
        "type": "system", "subtype": "compact_boundary", "content": "Conversation compacted",
        "logicalParentUuid": "c", "compactMetadata": {"trigger": "auto", "preTokens": 168_000, "postTokens": 9_000},
    });
    let summary = json!({
        "type": "user", "isCompactSummary": true,
        "message": {"role": "user", "content": "They wrote of rivers."},
    });
    theirs
        .user("a", None, &json!("Begin."))
        .says("b", "a", &"A long text. ".repeat(500))
        .user("c", Some("b"), &json!("Go on."))
        .entry("d", None, &boundary)
        .entry("e", Some("d"), &summary)
        .says("f", "e", "Two.")
        .turn(["g", "h"], Some("f"), "And?", "Three.");
    let made = brought(&bench, &theirs.write()).await;
    assert_eq!((made.turns, made.variants.len()), (3, 0), "{made:?}");
    let mark = events(&bench, made.session)
        .into_iter()
        .find_map(|e| match e.kind {
            Kind::Compacted(mark) => Some(mark),
            _ => None,
        });
    let mark = mark.unwrap();
    assert_eq!((mark.turn, mark.before), (2, Some(168_000)));
    let all = words(&said(&bench, made.session));
    assert!(all[0].ends_with("They wrote of rivers."), "{all:?}");
    assert_eq!(all[3..], ["Two.", "And?", "Three."]);
    whole(&bench);
}

/// A history with two branches beside the main line, one of them parted from the other.
fn branched() -> Theirs {
    let mut theirs = Theirs::new();
    theirs
        .turn(["a", "b"], None, "Begin.", "One.")
        .turn(["c", "d"], Some("b"), "Go on.", "Two.")
        .turn(["e", "f"], Some("d"), "Further.", "Three.")
        .turn(["g", "h"], Some("d"), "Otherwise.", "Four.")
        .turn(["i", "j"], Some("b"), "The end.", "Five.");
    theirs
}

#[tokio::test(flavor = "multi_thread")]
async fn variants_that_are_missing_are_made_by_importing_again_and_none_twice() {
    let theirs = branched();
    let path = theirs.write();
    for lost in [vec![0], vec![1], vec![0, 1]] {
        let bench = bench();
        let made = brought(&bench, &path).await;
        assert_eq!(made.variants.len(), 2);
        let mut whole_before: Vec<Vec<String>> = Vec::new();
        for variant in &made.variants {
            whole_before.push(words(&said(&bench, *variant)));
        }
        whole_before.sort();
        // As after a program that was ended between them: neither log nor folder.
        let logs: Vec<PathBuf> = lost
            .iter()
            .map(|n: &usize| bench.log(made.variants[*n]))
            .collect();
        let mut folders = Vec::new();
        for n in &lost {
            folders.push(bench.folder(made.variants[*n]).await);
        }
        bench.host.close(true).await;
        for log in &logs {
            std::fs::remove_file(log).unwrap();
        }
        for dir in &folders {
            std::fs::remove_dir_all(dir).unwrap();
        }
        let bench = bench.restarted().await;
        let again = brought(&bench, &path).await;
        assert_eq!(again.session, made.session);
        assert_eq!(again.variants.len(), lost.len(), "{again:?}");
        assert!(again.notes.last().unwrap().contains("were missing"));
        let ids = store(&bench).ids();
        assert_eq!(ids.len(), 3);
        let mut whole_after: Vec<Vec<String>> = ids
            .iter()
            .filter(|(_, id)| *id != made.session)
            .map(|(_, id)| words(&said(&bench, *id)))
            .collect();
        whole_after.sort();
        assert_eq!(whole_after, whole_before, "{lost:?}");
        let why = refused(&bench, &path).await;
        assert!(why.contains("here already"), "{why}");
        assert_eq!(store(&bench).ids().len(), 3);
        whole(&bench);
    }
}
