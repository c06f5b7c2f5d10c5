//! A host that died in the middle of things.

use std::io::Write;

use fascicle::agents::child::process::{alive, identify};
use fascicle::domain::ask::{Deed, Reply, Request};
use fascicle::domain::event::{Process, Status};
use fascicle::domain::{Kind, State};
use serde_json::json;

use crate::bench::{Bench, events_until, is_end, numbered, prompts, words};

/// Ends the log as a host leaves it that dies while a turn runs.
pub(crate) fn cut_turn(
    bench: &Bench,
    id: fascicle::domain::SessionId,
    lines: &[serde_json::Value],
) {
    let path = bench.log(id);
    let next = std::fs::read_to_string(&path).unwrap().lines().count();
    let mut file = std::fs::OpenOptions::new()
        .append(true)
        .open(&path)
        .unwrap();
    for (i, line) in lines.iter().enumerate() {
        let rest = line.to_string();
        writeln!(
            file,
            "{{\"v\":1,\"seq\":{},\"ts\":1,{}",
            next + i,
            rest.strip_prefix('{').unwrap()
        )
        .unwrap();
    }
}

pub(crate) fn cut() -> Vec<serde_json::Value> {
    vec![
        json!({"kind": "user.prompt", "turn": 1, "text": "Begin."}),
        json!({"kind": "turn.started", "turn": 1, "agent": "play", "agent_session": "s", "resume": false}),
        json!({"kind": "delta", "turn": 1, "block": 0, "text": "The mor"}),
        json!({"kind": "queued", "n": 1, "text": "Later."}),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cut_turn_is_lost_once_its_words_stay_and_its_queue_is_not_sent_unasked() {
    let bench = Bench::new(
        &json!({"steps": [{"delta": {"block": 0, "text": "after {history}"}}]}),
        "",
    );
    let id = bench.new_session("One").await;
    bench.host.close(true).await;
    cut_turn(&bench, id, &cut());
    let bench = bench.restarted().await;
    bench
        .row(id, "the queued prompt", |r| {
            r.state == State::Lost && r.queued == 1
        })
        .await;
    let heard = events_until(&mut bench.follow(id), "the end", is_end).await;
    assert_eq!(words(&heard), "The mor");
    assert!(matches!(
        &heard.last().unwrap().kind,
        Kind::TurnFinished {
            turn: 1,
            status: Status::Lost,
            reason: Some(_),
            ..
        }
    ));
    let bench = bench.restarted().await;
    let heard = bench.turn(id, "Go on.").await;
    let ends = heard.iter().filter(|e| is_end(e)).count();
    assert_eq!(ends, 2, "one end for each turn");
    assert!(words(&heard).ends_with("after 2"), "{}", words(&heard));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_orphan_saved_of_the_cut_turn_is_read_back() {
    let bench = Bench::new(
        &json!({"steps": [], "salvage": "The morning was over."}),
        "",
    );
    let id = bench.new_session("One").await;
    bench.host.close(true).await;
    cut_turn(&bench, id, &cut());
    let bench = bench.restarted().await;
    let heard = events_until(&mut bench.follow(id), "the end", is_end).await;
    assert!(heard.iter().any(|e| matches!(&e.kind,
        Kind::TurnRecovered { turn: 1, text } if text.shown() == "The morning was over.")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_that_closes_waits_for_its_turns() {
    let bench = Bench::new(&numbered(100, 5), "");
    let id = bench.new_session("One").await;
    bench.send(id, "Begin.").await;
    bench
        .row(id, "writing", |r| r.state == State::Writing)
        .await;
    bench.host.close(false).await;
    let log = std::fs::read_to_string(bench.log(id)).unwrap();
    let last: serde_json::Value = serde_json::from_str(log.lines().last().unwrap()).unwrap();
    assert_eq!(
        (&last["kind"], &last["status"]),
        (&json!("turn.finished"), &json!("ok"))
    );
}

/// A process that runs until its input ends, as an agent that outlived its host.
fn orphan() -> (std::process::Child, Process) {
    use std::os::unix::process::CommandExt as _;
    let child = std::process::Command::new("/bin/sh")
        .args(["-c", "read line"])
        .stdin(std::process::Stdio::piped())
        .process_group(0)
        .spawn()
        .unwrap();
    let process = identify(child.id()).unwrap();
    (child, process)
}

/// The cut turn, its agent a process.
fn cut_with(process: &Process) -> Vec<serde_json::Value> {
    let mut lines = cut();
    let Process { pid, start, boot } = process;
    let started =
        json!({"kind": "agent.started", "turn": 1, "pid": pid, "start": start, "boot": boot});
    lines.insert(2, started);
    lines
}

fn is_lost(e: &fascicle::domain::Event) -> bool {
    let status = Status::Lost;
    matches!(&e.kind, Kind::TurnFinished { status: s, .. } if *s == status)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_orphan_is_waited_for_then_read_and_nothing_is_sent_unasked() {
    let bench = Bench::new(
        &json!({"steps": [], "salvage": "The morning was over."}),
        "",
    );
    let id = bench.new_session("One").await;
    bench.host.close(true).await;
    let (mut child, process) = orphan();
    cut_turn(&bench, id, &cut_with(&process));
    let bench = bench.restarted().await;
    let row = bench
        .row(id, "the orphan at work", |r| r.state == State::Writing)
        .await;
    assert!(alive(&process) && row.turns == 1);
    let so_far = bench.so_far(id).await;
    assert!(!so_far.iter().any(is_end), "it is waited for");
    drop(child.stdin.take());
    child.wait().unwrap();
    let heard = events_until(&mut bench.follow(id), "the end", is_lost).await;
    assert!(heard.iter().any(|e| matches!(&e.kind,
        Kind::TurnRecovered { turn: 1, text } if text.shown() == "The morning was over.")));
    let all = bench.so_far(id).await;
    assert_eq!(prompts(&all).len(), 1, "nothing was sent");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_later_process_with_an_orphans_number_is_left_alone() {
    let bench = Bench::new(&json!({"steps": []}), "");
    let id = bench.new_session("One").await;
    bench.host.close(true).await;
    let (mut child, process) = orphan();
    let start = process.start + 1;
    let other = Process {
        start,
        ..process.clone()
    };
    cut_turn(&bench, id, &cut_with(&other));
    let bench = bench.restarted().await;
    events_until(&mut bench.follow(id), "the end", is_lost).await;
    assert!(alive(&process));
    drop(child.stdin.take());
    child.wait().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_ends_an_orphan_at_once() {
    let bench = Bench::new(&json!({"steps": []}), "");
    let id = bench.new_session("One").await;
    bench.host.close(true).await;
    let (mut child, process) = orphan();
    cut_turn(&bench, id, &cut_with(&process));
    let bench = bench.restarted().await;
    bench
        .row(id, "the orphan at work", |r| r.state == State::Writing)
        .await;
    let reaped = tokio::task::spawn_blocking(move || child.wait());
    let stop = Request::Stop { session: id };
    assert_eq!(bench.client.ask(stop).await, Reply::Done);
    events_until(&mut bench.follow(id), "the end", is_lost).await;
    assert!(!alive(&process));
    reaped.await.unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_a_crash_left_behind_follows_its_log_into_the_trash() {
    let bench = Bench::new(&json!({"steps": []}), "");
    let id = bench.new_session("One").await;
    let folder = bench.folder(id).await;
    std::fs::write(folder.join("draft.md"), "Mine.\n").unwrap();
    assert_eq!(bench.deed(id, Deed::Trash).await, Reply::Done);
    bench.host.close(true).await;
    let kept = bench
        .root()
        .join(format!(".fascicle/trash/inbox/{id}/folder"));
    std::fs::rename(&kept, &folder).unwrap();
    let bench = bench.restarted().await;
    let moved = async {
        while !kept.is_dir() {
            bench.client.ask(Request::Status).await;
        }
    };
    let in_time = tokio::time::timeout(crate::bench::PATIENCE, moved).await;
    assert!(in_time.is_ok() && !folder.exists());
    assert_eq!(bench.deed(id, Deed::Restore).await, Reply::Done);
    assert_eq!(bench.draft(id).await.0, "Mine.\n");
}
