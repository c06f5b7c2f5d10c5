//! `store serve` as a program that uses it sees it: what was answered is there, whatever happens to the process.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// A store that is served.
struct Served {
    child: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
    last: u64,
}

impl Served {
    fn at(root: &Path) -> Self {
        let mut child = command(root)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (to, from) = (child.stdin.take(), child.stdout.take().unwrap());
        Self {
            child,
            to,
            from: BufReader::new(from),
            last: 0,
        }
    }

    fn send(&mut self, method: &str, params: &Value) -> bool {
        self.last += 1;
        let request =
            json!({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params});
        writeln!(self.to.as_mut().unwrap(), "{request}").is_ok()
    }

    fn answer(&mut self) -> Option<Value> {
        let mut line = String::new();
        self.from.read_line(&mut line).ok().filter(|n| *n > 0)?;
        let answer: Value = serde_json::from_str(&line).ok()?;
        assert_eq!(answer["id"], self.last);
        Some(answer)
    }

    fn call(&mut self, method: &str, params: &Value) -> Value {
        self.send(method, params);
        let answer = self.answer().unwrap();
        assert_eq!(answer["error"], Value::Null, "{answer}");
        answer["result"].clone()
    }

    fn append(&mut self, entries: &Value) -> Value {
        self.call("append", &json!({"key": key(), "entries": entries}))["added"].clone()
    }

    fn load(&mut self) -> Value {
        self.call("load", &json!({"key": key()}))
    }

    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Ends as its user's end makes it end.
    fn end(mut self) {
        drop(self.to.take());
        assert!(self.child.wait().unwrap().success());
    }
}

fn key() -> Value {
    json!({"project_key": "-home-writer", "session_id": "0198a3c1"})
}

fn command(root: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fascicle"));
    command.args(["store", "serve"]).arg(root).env_clear();
    command
}

#[test]
fn a_batch_that_is_sent_again_in_part_adds_three_entries_not_five() {
    let dir = tempfile::tempdir().unwrap();
    let mut store = Served::at(dir.path());
    let entry = |uuid: &str| json!({"type": "user", "uuid": uuid, "n": 1.5});
    assert_eq!(store.append(&json!([entry("a"), entry("b")])), 2);
    assert_eq!(
        store.append(&json!([entry("a"), entry("b"), entry("c")])),
        1
    );
    assert_eq!(store.load(), json!([entry("a"), entry("b"), entry("c")]));
    store.end();
}

#[test]
fn an_entry_of_twelve_mebibytes_and_every_kind_of_text_come_back_as_they_were() {
    let dir = tempfile::tempdir().unwrap();
    let mut store = Served::at(dir.path());
    let odd = "a\u{2028}b\u{2029} 灯台 🚀 \u{0} \u{1b}[2J \" \\ \n";
    let entries = json!([{"uuid": "a", "text": odd}, {"uuid": "b", "text": "x".repeat(12 << 20)}]);
    assert_eq!(store.append(&entries), 2);
    assert!(store.load() == entries);
    store.end();
    let mut store = Served::at(dir.path());
    assert!(store.load() == entries);
    store.end();
}

#[test]
fn what_was_answered_survives_a_kill_and_the_store_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let mut acknowledged = 0_u64;
    for round in 0..10 {
        let mut store = Served::at(dir.path());
        // Larger entries are torn more often.
        let text = "x".repeat(if round % 2 == 0 { 20 } else { 400_000 });
        let loaded = store.load();
        let there = loaded.as_array().map_or(0, Vec::len) as u64;
        assert!(there >= acknowledged, "{there} of {acknowledged}");
        for n in 0..5 {
            let entry = json!({"uuid": format!("{round}-{n}"), "text": text});
            acknowledged = there + n + store.append(&json!([entry])).as_u64().unwrap();
        }
        // This one is not waited for.
        store.send(
            "append",
            &json!({"key": key(), "entries": [{"uuid": format!("{round}-last"), "text": text}]}),
        );
        store.kill();
    }
    let mut store = Served::at(dir.path());
    let all = store.load();
    let mut uuids: Vec<&str> = all
        .as_array()
        .unwrap()
        .iter()
        .map(|e| e["uuid"].as_str().unwrap())
        .collect();
    let count = uuids.len();
    uuids.sort_unstable();
    uuids.dedup();
    assert_eq!(uuids.len(), count, "none is there twice");
    assert!(count >= 50 && uuids.contains(&"9-4"));
    store.end();
}

#[test]
fn a_torn_end_is_passed_over_and_a_retry_brings_the_entry_back() {
    let dir = tempfile::tempdir().unwrap();
    let mut store = Served::at(dir.path());
    let entry = |uuid: &str| json!({"uuid": uuid});
    store.append(&json!([entry("a"), entry("b")]));
    store.end();
    let file = dir.path().join("sessions/-home-writer/0198a3c1/main.jsonl");
    let whole = std::fs::read(&file).unwrap();
    std::fs::write(&file, &whole[..whole.len() - 3]).unwrap();
    let mut store = Served::at(dir.path());
    assert_eq!(store.load(), json!([entry("a")]));
    assert_eq!(store.append(&json!([entry("b"), entry("c")])), 2);
    assert_eq!(store.load(), json!([entry("a"), entry("b"), entry("c")]));
    store.end();
}

#[test]
fn a_second_process_is_refused_and_told_who_serves() {
    let dir = tempfile::tempdir().unwrap();
    let mut store = Served::at(dir.path());
    assert_eq!(store.load(), Value::Null);
    let other = command(dir.path()).stdin(Stdio::null()).output().unwrap();
    let said = String::from_utf8_lossy(&other.stderr);
    assert_eq!(other.status.code(), Some(1));
    assert!(
        said.contains(&format!("process {}", store.child.id())),
        "{said}"
    );
    store.end();
    assert!(
        command(dir.path())
            .stdin(Stdio::null())
            .status()
            .unwrap()
            .success()
    );
}
