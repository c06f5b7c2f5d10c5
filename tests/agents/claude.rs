//! The driver of the Claude Code command line against a program that misbehaves in every way seen.
#![allow(clippy::unwrap_used, reason = "test")]

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use fascicle::agents::{AgentEvent, Backend, Order, Patience, Vars, claude_with};
use fascicle::domain::agent::AgentKind;
use fascicle::domain::event::{Answer, Status};
use fascicle::domain::message::{Message, Said};
use serde_json::{Value, json};

use crate::support::talk::{Place, Talk, fake_agent, spec, words};

/// A program that plays a scenario, and the log of what it was sent.
struct Fake {
    place: Place,
    scenario: PathBuf,
    log: PathBuf,
}

impl Fake {
    fn case(name: &str) -> Self {
        let root = env!("CARGO_MANIFEST_DIR");
        let place = Place::new();
        let log = place.root.path().join("log");
        Self {
            place,
            scenario: format!("{root}/tests/fixtures/agents/cases/{name}.json").into(),
            log,
        }
    }

    fn play(scenario: &Value) -> Self {
        let mut fake = Self::case("");
        fake.scenario = fake.place.root.path().join("scenario.json");
        std::fs::write(&fake.scenario, scenario.to_string()).unwrap();
        fake
    }

    fn vars(&self) -> Vars {
        Vars::of_process()
            .with("HOME", self.place.root.path())
            .with("FAKE_AGENT_LOG", &self.log)
            .with("NOT_FOR_AGENTS", "1")
    }

    fn backend(&self) -> Arc<dyn Backend> {
        let mut spec = spec(AgentKind::Claude, fake_agent());
        spec.args = vec!["--scenario".into(), self.scenario.to_str().unwrap().into()];
        spec.env = vec!["FAKE_AGENT_LOG".into()];
        let short = Duration::from_millis(300);
        let patience = Patience {
            ready: Duration::from_secs(30),
            answer: short,
            stop: short,
            signal: short,
        };
        claude_with(&spec, &self.vars(), patience)
    }

    fn talk(&self) -> Talk {
        Talk::start(&*self.backend(), self.place.start(Vec::new()))
    }

    fn logged(&self, kind: &str) -> Vec<Value> {
        let text = std::fs::read_to_string(&self.log).unwrap_or_default();
        let all = text
            .lines()
            .map(|l| serde_json::from_str::<Value>(l).unwrap());
        all.filter(|l| l["kind"] == kind)
            .map(|l| l["value"].clone())
            .collect()
    }

    fn prompts(&self) -> Vec<String> {
        let lines = self.logged("stdin");
        let lines = lines.iter().filter_map(Value::as_str);
        let lines = lines.map(|l| serde_json::from_str::<Value>(l).unwrap());
        let users = lines.filter(|l| l["type"] == "user");
        users.map(|l| joined(&l["message"]["content"])).collect()
    }

    /// Messages of the newest record in the private home.
    fn record(&self) -> Vec<Value> {
        let id = |start: &Value| {
            let argv = start["argv"].as_array().unwrap();
            let at = argv.iter().position(|a| a == "--resume").unwrap();
            argv[at + 1].as_str().unwrap().to_owned()
        };
        let id = id(self.logged("start").last().unwrap());
        let projects = self.place.root.path().join(".claude/projects");
        let keys = std::fs::read_dir(projects)
            .unwrap()
            .map(|e| e.unwrap().path());
        let path = keys
            .map(|k| k.join(format!("{id}.jsonl")))
            .find(|p| p.is_file())
            .unwrap();
        let text = std::fs::read_to_string(path).unwrap();
        text.lines()
            .map(|l| serde_json::from_str(l).unwrap())
            .collect()
    }
}

fn joined(blocks: &Value) -> String {
    let blocks = blocks.as_array().unwrap().iter();
    blocks.map(|b| b["text"].as_str().unwrap()).collect()
}

fn delta(text: &str) -> Value {
    let delta = json!({"type": "text_delta", "text": text});
    json!({"json": {"type": "stream_event", "event": {"type": "content_block_delta", "index": 0, "delta": delta}}})
}

fn result() -> Value {
    json!({"json": {"type": "result", "subtype": "success", "is_error": false, "result": "done"}})
}

fn raws(talk: &Talk) -> Vec<&str> {
    let raw = |e: &'_ AgentEvent| matches!(e, AgentEvent::Raw { .. });
    talk.seen
        .iter()
        .filter(|e| raw(e))
        .map(|e| match e {
            AgentEvent::Raw { why, .. } => why.as_str(),
            _ => "",
        })
        .collect()
}

#[tokio::test]
async fn half_characters_in_the_stream_become_signs_and_the_bytes_are_kept() {
    let fake = Fake::case("04-lone-surrogate");
    let mut talk = fake.talk();
    let (words, status, _) = talk.turn("Go on.").await;
    assert_eq!(words, "half \u{fffd}\u{fffd} and a lone one: \u{fffd}.");
    assert_eq!(status, Status::Ok);
    assert_eq!(raws(&talk).len(), 2);
}

#[tokio::test]
async fn control_sequences_arrive_as_they_were_sent() {
    let fake = Fake::case("15-escape-sequences");
    let (words, status, _) = fake.talk().turn("Go on.").await;
    assert_eq!(status, Status::Ok);
    assert_eq!(words.matches(" after").count(), 13, "{words}");
    assert!(words.contains("split \u{1b}[2J after split"));
    assert!(words.ends_with("LAST LINE VISIBLE\n"));
}

#[tokio::test]
async fn a_line_of_ten_mebibytes_does_not_end_the_stream() {
    let fake = Fake::case("17-huge-line");
    let mut talk = fake.talk();
    let (words, status, _) = talk.turn("Go on.").await;
    assert_eq!(status, Status::Ok);
    assert!(words.starts_with("before after word word "));
    assert!(words.ends_with("word END"));
    assert_eq!(words.len(), "before after END".len() + 300_000);
    let output = talk.seen.iter().find_map(|e| match e {
        AgentEvent::ToolFinished { output, .. } => Some(output.len()),
        _ => None,
    });
    assert_eq!(output, Some(10_485_760));
}

#[tokio::test]
async fn a_line_above_the_limit_is_skipped_and_named() {
    let long = json!({"fill": {"prefix": "{\"type\":\"", "unit": "0123456789abcdef", "count": 1_200_000, "suffix": "\"}\n"}});
    let fake = Fake::play(&json!({"steps": [delta("before "), long, delta("after"), result()]}));
    let mut talk = fake.talk();
    assert_eq!(
        talk.turn("Go on.").await,
        ("before after".into(), Status::Ok, None)
    );
    assert!(
        raws(&talk)[0].contains("19200011 bytes"),
        "{:?}",
        raws(&talk)
    );
}

#[tokio::test]
async fn characters_cut_between_reads_are_whole_and_bad_bytes_hurt_only_themselves() {
    let fake = Fake::case("20-split-and-invalid-utf8");
    let mut talk = fake.talk();
    let (words, status, _) = talk.turn("Go on.").await;
    assert_eq!(status, Status::Ok);
    let (good, bad) = words.split_once("bad: ").unwrap();
    assert_eq!(good, "灯台👩\u{200d}🔬قلعة 城 שלום");
    assert!(
        bad.starts_with("\u{fffd}\u{fffd} \u{fffd}( ") && bad.ends_with(" endSTILL HERE"),
        "{bad}"
    );
    assert_eq!(raws(&talk), ["characters that are none"]);
}

/// Each ends as named, keeps its words, says why, and takes the next prompt.
async fn ends(case: &str, words: &str, status: Status, reasons: &[&str]) {
    let fake = Fake::case(case);
    let mut talk = fake.talk();
    for prompt in ["One.", "Two."] {
        let (said, ended, reason) = talk.turn(prompt).await;
        assert_eq!(
            (said.as_str(), ended),
            (words, status),
            "{case}: {reason:?}"
        );
        let reason = reason.unwrap_or_default();
        for want in reasons {
            assert!(reason.contains(want), "{case}: {reason}");
        }
    }
    // One that ends as it gets a prompt has read it; the next one gets it again.
    let mut prompts = fake.prompts();
    prompts.dedup();
    assert_eq!(prompts, ["One.", "Two."], "{case}");
}

#[tokio::test]
async fn an_end_of_output_without_a_result_is_a_failure_with_the_exit_code() {
    ends(
        "18-a-eof-without-result",
        "Half an answer.",
        Status::Failed,
        &["exit code 0"],
    )
    .await;
}

#[tokio::test]
async fn a_result_ends_the_turn_though_the_program_hangs() {
    ends("18-b-result-then-hang", "Whole answer.", Status::Ok, &[]).await;
}

#[tokio::test]
async fn silence_can_be_stopped_and_the_next_prompt_works() {
    let fake = Fake::case("18-c-silent-forever");
    let mut talk = fake.talk();
    for prompt in ["One.", "Two."] {
        talk.prompt(prompt).await;
        talk.until(|e| matches!(e, AgentEvent::Delta { .. })).await;
        talk.order(Order::Interrupt).await;
        let (_, status, reason) = talk.end().await;
        assert_eq!((status, reason), (Status::Interrupted, None));
    }
    assert_eq!(fake.prompts(), ["One.", "Two."]);
    let entries = fake.record();
    let said: Vec<_> = entries.iter().map(|e| &e["message"]["content"]).collect();
    assert_eq!(
        said,
        [
            &json!("One."),
            &json!([{"type": "text", "text": "Started."}])
        ]
    );
}

#[tokio::test]
async fn an_exit_at_once_is_told_with_its_last_words() {
    ends(
        "18-d-exit1-stderr-only",
        "",
        Status::Failed,
        &["exit code 1", "529", "line two of the reason"],
    )
    .await;
}

#[tokio::test]
async fn a_program_that_ends_before_it_is_ready_is_told_with_its_last_words() {
    let fake =
        Fake::play(&json!({"at_once": true, "steps": [{"stderr": "no licence\n"}, {"exit": 3}]}));
    let (_, status, reason) = fake.talk().turn("One.").await;
    assert_eq!(status, Status::Failed);
    let reason = reason.unwrap();
    assert!(
        reason.contains("before it was ready (exit code 3): no licence."),
        "{reason}"
    );
}

#[tokio::test]
async fn a_kill_in_the_middle_of_a_line_keeps_the_cut_line() {
    ends(
        "18-e-killed-mid-record",
        "Fine so far. ",
        Status::Failed,
        &["signal 9"],
    )
    .await;
}

#[tokio::test]
async fn output_closed_by_a_living_program_is_an_end() {
    ends(
        "18-f-stdout-closed-process-alive",
        "Then silence.",
        Status::Failed,
        &["closed its output"],
    )
    .await;
}

#[tokio::test]
async fn a_limit_in_mid_turn_keeps_the_first_half() {
    ends(
        "18-g-limit-mid-turn",
        "The first half of the chapter is here. ",
        Status::Failed,
        &["usage limit reached, resets at 14:00"],
    )
    .await;
}

#[tokio::test]
async fn a_flood_on_standard_error_blocks_nothing() {
    ends("18-h-stderr-flood", "ok", Status::Ok, &[]).await;
}

#[tokio::test]
async fn a_missing_program_and_one_that_may_not_run_are_told_apart() {
    let place = Place::new();
    let file = place.root.path().join("agent");
    std::fs::write(&file, "#!/bin/sh\n").unwrap();
    for (command, want) in [
        (&file, "not executable"),
        (&"/nowhere/claude".into(), "not found"),
    ] {
        let backend = claude_with(
            &spec(AgentKind::Claude, command),
            &Vars::of_process(),
            Patience::default(),
        );
        let mut talk = Talk::start(&*backend, place.start(Vec::new()));
        let (_, status, reason) = talk.turn("One.").await;
        assert_eq!(status, Status::Failed);
        assert!(reason.as_ref().unwrap().contains(want), "{reason:?}");
        let probe = backend.probe().await;
        assert!(
            !probe.ok && probe.why.contains(want) && probe.fix.is_some(),
            "{probe:?}"
        );
    }
}

#[tokio::test]
async fn a_child_gets_its_folder_our_flags_and_only_the_variables_named() {
    let fake = Fake::play(&json!({"turns": [[delta("Hello"), result()]]}));
    let mut talk = fake.talk();
    talk.turn("One.").await;
    let start = &fake.logged("start")[0];
    assert_eq!(
        start["cwd"],
        json!(fake.place.folder.canonicalize().unwrap())
    );
    let env: Vec<_> = start["env"]
        .as_array()
        .unwrap()
        .iter()
        .map(|v| v.as_str().unwrap())
        .collect();
    assert!(
        !env.contains(&"NOT_FOR_AGENTS") && !env.contains(&"CARGO_MANIFEST_DIR"),
        "{env:?}"
    );
    assert!(
        env.contains(&"FAKE_AGENT_LOG") && env.contains(&"DISABLE_TELEMETRY"),
        "{env:?}"
    );
    let argv = start["argv"].as_array().unwrap();
    assert!(argv.contains(&json!("--model=test-model")) && argv.contains(&json!("--session-id")));
    let brief = argv
        .iter()
        .position(|a| a == "--system-prompt-file")
        .unwrap();
    let brief = std::fs::read_to_string(argv[brief + 1].as_str().unwrap()).unwrap();
    assert_eq!(brief, "You write with a writer.");
    assert!(
        matches!(
            &talk.seen[0],
            AgentEvent::Started {
                process: Some(_),
                ..
            }
        ),
        "{:?}",
        talk.seen[0]
    );
}

#[tokio::test]
async fn a_process_serves_many_turns_and_ends_when_it_is_closed() {
    let fake = Fake::play(&json!({"turns": [[delta("One"), result()], [delta("Two"), result()]]}));
    let mut talk = fake.talk();
    assert_eq!(talk.turn("1").await.0, "One");
    assert_eq!(talk.turn("2").await.0, "Two");
    assert_eq!(fake.logged("start").len(), 1);
    talk.order(Order::Close).await;
    talk.gone().await;
    let named = |e: &&AgentEvent| {
        matches!(
            e,
            AgentEvent::Started {
                agent_session: Some(_),
                ..
            }
        )
    };
    assert_eq!(talk.seen.iter().filter(named).count(), 1);
}

#[tokio::test]
async fn a_process_is_told_before_it_is_ready() {
    let fake = Fake::play(&json!({"at_once": true, "steps": [{"hang": true}]}));
    let mut talk = fake.talk();
    talk.prompt("Go on.").await;
    let started = |e: &AgentEvent| {
        matches!(
            e,
            AgentEvent::Started {
                process: Some(_),
                ..
            }
        )
    };
    talk.until(started).await;
    talk.order(Order::Interrupt).await;
    assert_eq!(talk.end().await.1, Status::Interrupted);
}

#[tokio::test]
async fn what_is_to_be_done_about_a_program_fits_what_is_wrong_with_it() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    let at = |name: &str, mode: u32| {
        let path = place.root.path().join(name);
        std::fs::write(&path, "no program").unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        path.display().to_string()
    };
    let (barred, broken) = (at("barred", 0o644), at("broken", 0o755));
    let folder = place.root.path().display().to_string();
    for (command, fix) in [
        (barred.as_str(), "chmod +x"),
        (&broken, "for this machine"),
        (&folder, "the program itself"),
        ("/nowhere/claude", "Correct"),
        ("no-such-agent", "its path"),
        ("claude", "npm install"),
    ] {
        let vars = Vars::default().with("PATH", "/nowhere");
        let spec = spec(AgentKind::Claude, command);
        let probe = claude_with(&spec, &vars, Patience::default()).probe().await;
        assert!(!probe.ok, "{probe:?}");
        let said = probe.fix.unwrap();
        assert!(said.contains(fix), "{command}: {said}");
        assert_eq!(said.contains("npm"), command == "claude");
    }
}

#[tokio::test]
async fn an_interrupt_is_asked_for_before_anything_is_signalled() {
    let aborted = json!({"type": "assistant", "aborted": true, "message": {"id": "m", "content": [{"type": "text", "text": "Part"}]}});
    let result = json!({"type": "result", "subtype": "error_during_execution", "is_error": true, "terminal_reason": "aborted_streaming"});
    let each = json!({"each": {"n": 100_000, "ms": 5, "json": delta("Part")["json"]}});
    let fake = Fake::play(&json!({"turns": [[each], [delta("Next"), self::result()]],
        "on_interrupt": [{"json": aborted}, {"json": result}]}));
    let mut talk = fake.talk();
    talk.prompt("1").await;
    talk.until(|e| matches!(e, AgentEvent::Delta { .. })).await;
    talk.order(Order::Interrupt).await;
    let (events, status, reason) = talk.end().await;
    assert_eq!((status, reason), (Status::Interrupted, None));
    let kept = AgentEvent::Message {
        block: 0,
        text: "Part".into(),
    };
    assert!(events.contains(&kept));
    assert_eq!(talk.turn("2").await.0, "Next");
    assert_eq!(fake.logged("start").len(), 1);
}

#[tokio::test]
async fn a_question_waits_for_its_answer() {
    let ask = json!({"type": "control_request", "request_id": "q", "request": {"subtype": "can_use_tool",
        "tool_name": "WebSearch", "input": {"query": "tides"}, "tool_use_id": "t1"}});
    let fake = Fake::play(
        &json!({"turns": [[{"json": ask}, {"await_stdin": true}, delta("Thanks"), result()]]}),
    );
    let mut talk = fake.talk();
    talk.prompt("1").await;
    let asked = talk.until(|e| matches!(e, AgentEvent::Asked { .. })).await;
    let AgentEvent::Asked { call, what, .. } = asked else {
        unreachable!()
    };
    assert_eq!(
        (call.as_str(), what.as_str()),
        ("t1", "Search the web for \"tides\"")
    );
    talk.answer("t1", Answer::Session).await;
    let (events, status, _) = talk.end().await;
    assert_eq!((words(&events).as_str(), status), ("Thanks", Status::Ok));
    let last = fake.logged("stdin");
    let answer: Value =
        serde_json::from_str(last.iter().rev().find_map(Value::as_str).unwrap()).unwrap();
    assert_eq!(answer["response"]["request_id"], "q");
    assert_eq!(
        answer["response"]["response"]["updatedPermissions"][0]["destination"],
        "session"
    );
}

#[tokio::test]
async fn a_record_that_is_behind_is_rendered_with_the_cut_turn() {
    let fake = Fake::play(&json!({"turns": [[delta("Hello"), result()]]}));
    let mut start = fake.place.start(vec![
        Message::User("Begin.".into()),
        Message::Agent(vec![Said::Words("The mor".into())]),
    ]);
    start.agent_session = Some("00000000-0000-4000-8000-00000000000a".into());
    let mut talk = Talk::start(&*fake.backend(), start);
    assert_eq!(talk.turn("Go on.").await.0, "Hello");
    let entries = fake.record();
    let said: Vec<_> = entries.iter().map(|e| &e["message"]["content"]).collect();
    assert_eq!(
        said,
        [
            &json!("Begin."),
            &json!([{"type": "text", "text": "The mor"}])
        ]
    );
    assert_ne!(
        talk.agent_session().as_deref(),
        Some("00000000-0000-4000-8000-00000000000a")
    );
}

#[tokio::test]
async fn a_prompt_arrives_byte_for_byte() {
    let fake = Fake::play(&json!({"turns": [[delta("ok"), result()]]}));
    let prompt = format!(
        "/compact \"\\\n\r\n\u{2028}\u{0}🚀 {}",
        "long ".repeat(200_000)
    );
    fake.talk().turn(&prompt).await;
    assert_eq!(fake.prompts(), [prompt]);
}

#[tokio::test]
async fn a_killed_agent_is_gone_with_its_turn_ended() {
    let fake = Fake::case("18-c-silent-forever");
    let mut talk = fake.talk();
    talk.prompt("1").await;
    talk.until(|e| matches!(e, AgentEvent::Delta { .. })).await;
    talk.order(Order::Kill).await;
    let (_, status, _) = talk.end().await;
    assert_eq!(status, Status::Interrupted);
    talk.gone().await;
}

#[tokio::test]
async fn a_host_that_does_not_read_holds_the_agent_and_loses_nothing() {
    let each = json!({"each": {"n": 5000, "json": delta("w{i} ")["json"]}});
    let fake = Fake::play(&json!({"turns": [[each, result()]]}));
    let mut talk = fake.talk();
    talk.prompt("1").await;
    talk.until(|e| matches!(e, AgentEvent::Delta { .. })).await;
    let want: Vec<String> = (2..=5000).map(|i| format!("w{i} ")).collect();
    let (events, status, _) = talk.end().await;
    assert_eq!((words(&events), status), (want.concat(), Status::Ok));
}
