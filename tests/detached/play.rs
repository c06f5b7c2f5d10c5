//! A desk whose agent plays a written stream, and what is seen of it from outside.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::{Value, json};

use crate::bench::{said, streamed, until};
use crate::desk::Desk;
use crate::screen::SIZE;
use crate::window::Window;

/// A desk whose agent plays these steps in each turn.
pub fn desk(steps: &[Value]) -> Desk {
    desk_of(&[steps.to_vec()], "")
}

/// A desk whose agent plays one of these in each turn, the last one again and again; `more` is added to the
/// configuration.
pub fn desk_of(turns: &[Vec<Value>], more: &str) -> Desk {
    let desk = Desk::new();
    plays(&desk, turns);
    desk.config(&config(&desk, more));
    desk
}

/// Gives the agent another stream.
pub fn plays(desk: &Desk, turns: &[Vec<Value>]) {
    std::fs::write(script(desk), json!({"turns": turns}).to_string()).unwrap();
}

/// The configuration of such a desk. Windows follow row by row: where they stand is then where the end is.
pub fn config(desk: &Desk, more: &str) -> String {
    let script = script(desk);
    format!(
        "default_agent = \"play\"\n{more}\n[window]\nsmooth = true\n[agents.play]\nkind = \"scripted\"\ncommand = {script:?}\n"
    )
}

fn script(desk: &Desk) -> PathBuf {
    desk.dir().join("script.json")
}

/// A step: numbered words, some milliseconds apart.
pub fn numbered(n: u64, ms: u64) -> Value {
    json!({"each": {"n": n, "ms": ms, "step": {"delta": {"block": 0, "text": "w{i} "}}}})
}

/// A step: some words.
pub fn delta(text: &str) -> Value {
    json!({"delta": {"block": 0, "text": text}})
}

/// A step: a question.
pub fn asked(call: &str, what: &str) -> Value {
    json!({"asked": {"call": call, "what": what, "input": "{}"}})
}

/// A step: the wait for an order.
pub fn awaits(order: &str) -> Value {
    json!({"await_order": order})
}

/// What a stream of numbered words says in all.
pub fn words(n: u64) -> String {
    (1..=n).map(|i| format!("w{i} ")).collect()
}

/// The greatest number of the numbered words on a screen.
pub fn newest(screen: &str) -> u64 {
    let number = |word: &str| word.strip_prefix('w')?.parse().ok();
    screen
        .split_whitespace()
        .filter_map(number)
        .max()
        .unwrap_or(0)
}

/// The rows of the transcript: the pane on the right above the composer.
pub fn page(screen: &str) -> Vec<String> {
    let right = |row: &str| row.rsplit('│').next().unwrap_or(row).trim().to_owned();
    let rows = screen.lines().skip(1).take_while(|row| !row.contains('›'));
    rows.map(right).collect()
}

/// Opens a window at a session and waits until it shows it.
pub fn window(desk: &Desk, id: &str, shows: &str) -> Window {
    let window = window_soon(desk, id);
    window.shows(shows);
    window
}

/// Opens a window at a session.
pub fn window_soon(desk: &Desk, id: &str) -> Window {
    let program = Path::new(env!("CARGO_BIN_EXE_fascicle"));
    Window::open(program, &["resume", id], &desk.variables(), SIZE)
}

/// The row of a session in the list.
pub fn row(desk: &Desk, id: &str) -> Value {
    let rows = desk.json(&["list", "--json"]);
    let found = rows.as_array().unwrap().iter().find(|row| row["id"] == id);
    found
        .unwrap_or_else(|| panic!("{id} is not in {rows}"))
        .clone()
}

/// The state of a session as the list has it.
pub fn state(desk: &Desk, id: &str) -> String {
    row(desk, id)["state"].as_str().unwrap().to_owned()
}

/// The log of a session.
pub fn log(desk: &Desk, id: &str) -> PathBuf {
    log_in(&desk.workspace(), id)
}

/// The log of a session in a workspace.
pub fn log_in(workspace: &Path, id: &str) -> PathBuf {
    workspace.join(format!(".fascicle/sessions/inbox/{id}.jsonl"))
}

/// The whole lines of a log, as they are on disk.
pub fn lines(log: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(log).unwrap_or_default();
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    whole
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Waits until a log holds an event that fits, read from the disk; the event.
pub fn logged(log: &Path, what: &str, fits: impl Fn(&Value) -> bool) -> Value {
    let found = || lines(log).into_iter().find(&fits);
    until(&format!("{what} in {}", log.display()), || {
        found().is_some()
    });
    found().unwrap()
}

/// Waits until a log holds so many pieces of replies.
pub fn deltas(log: &Path, n: usize) {
    until(&format!("{n} pieces in {}", log.display()), || {
        let text = std::fs::read_to_string(log).unwrap_or_default();
        text.matches(r#""kind":"delta""#).count() >= n
    });
}

/// Waits for the end of a turn; how it ended.
pub fn ended(log: &Path, turn: u64) -> String {
    let end = |e: &Value| e["kind"] == "turn.finished" && e["turn"] == turn;
    let end = logged(log, &format!("the end of turn {turn}"), end);
    end["status"].as_str().unwrap().to_owned()
}

/// A turn ended well and its log holds each numbered word once, in order.
pub fn whole(log: &Path, turn: u64, n: u64) {
    assert_eq!(ended(log, turn), "ok");
    assert!(
        streamed(&lines(log), turn) == words(n),
        "{}: turn {turn} has other words than it was told",
        log.display()
    );
}

/// How often a log holds an event of a kind.
pub fn count(log: &Path, kind: &str) -> usize {
    lines(log).iter().filter(|e| e["kind"] == kind).count()
}

/// The processes that ever wrote one of these logs.
pub fn writers<'a>(logs: impl IntoIterator<Item = &'a PathBuf>) -> BTreeSet<u64> {
    let pids = |log: &PathBuf| {
        let all = lines(log).into_iter();
        let opened = all.filter(|e| e["kind"] == "opened");
        opened
            .map(|e| e["pid"].as_u64().unwrap())
            .collect::<Vec<_>>()
    };
    logs.into_iter().flat_map(pids).collect()
}

/// Waits until no host runs: none is found, and its process is gone.
pub fn host_gone(desk: &Desk, pid: u32) {
    until(&format!("the end of host {pid}"), || is_gone(pid));
    assert_eq!(desk.host(), None);
}

/// Whether a process has ended.
pub fn is_gone(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(')')
        .is_none_or(|(_, rest)| rest.trim_start().starts_with('Z'))
}

/// What a host that has ended leaves behind: nothing that says it runs.
pub fn nothing_left(desk: &Desk) {
    let private = desk.workspace().join(".fascicle");
    assert!(!fascicle::host::lock::is_held(&private), "the lock is held");
    let said = std::fs::read_dir(private.join("hosts"))
        .into_iter()
        .flatten();
    let said: Vec<_> = said.flatten().map(|f| f.path()).collect();
    assert!(said.is_empty(), "{said:?}");
}

/// Sends a signal, as `kill -s` does.
pub fn kill(pid: u32, name: &str) {
    let pid = pid.to_string();
    let status = std::process::Command::new("kill")
        .args(["-s", name, &pid])
        .status()
        .unwrap();
    assert!(status.success(), "kill -s {name} {pid}");
}

/// A command was refused; what it said.
pub fn refused(done: &Output) -> String {
    assert_eq!(done.status.code(), Some(1), "{}", said(done));
    said(done)
}
