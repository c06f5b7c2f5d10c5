//! What the rows share: desks with the real parts behind them, windows, logs read from outside.
#![allow(clippy::unwrap_used, reason = "test")]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::Value;

use crate::desk::Desk;
use crate::model::Served;
use crate::parts::{claude, signal};
use crate::support::http::Server;
use crate::support::messages_api::{Part, conversation};
use crate::window::Window;

/// How long something that must happen is waited for.
pub(crate) const PATIENCE: Duration = Duration::from_secs(90);

/// A desk whose agent is the real command line against a service.
pub(crate) fn desk(server: &Server) -> Desk {
    let program = claude().unwrap();
    let program = program.to_str().unwrap();
    let desk = Desk::with(&format!(
        r#"default_agent = "claude"
[agents.claude]
kind = "claude"
command = {program:?}
model = "claude-sonnet-5"
env = ["ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"]
"#
    ));
    desk.set("ANTHROPIC_BASE_URL", &server.url());
    desk.set("ANTHROPIC_API_KEY", "sk-made-up");
    // Nothing but loopback can be reached: everything else goes by a proxy where nobody listens.
    desk.set("HTTP_PROXY", "http://127.0.0.1:9");
    desk.set("HTTPS_PROXY", "http://127.0.0.1:9");
    desk.set("NO_PROXY", "127.0.0.1");
    desk
}

pub(crate) fn open(desk: &Desk) -> Window {
    let program = Path::new(env!("CARGO_BIN_EXE_fascicle"));
    let window = Window::open(program, &[], &desk.variables(), (120, 40));
    window.shows("Ctrl-P");
    window
}

/// Types a prompt as fingers do, and sends it when it stands in the composer.
pub(crate) fn say(window: &mut Window, words: &str) {
    window.keys(words);
    window.until(&format!("{words:?} in the composer"), |s| {
        s.lines().any(|l| l.contains('›') && l.contains(words))
    });
    window.keys("\r");
    window.until("an empty composer", |s| {
        !s.lines().any(|l| l.contains('›') && l.contains(words))
    });
}

pub(crate) fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < end, "waited too long for {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The events of a log; every line must be one.
pub(crate) fn events(log: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(log).unwrap();
    text.lines()
        .map(|l| serde_json::from_str(l).unwrap_or_else(|e| panic!("{e}: {l}")))
        .collect()
}

pub(crate) fn deltas(events: &[Value]) -> String {
    let words = events
        .iter()
        .filter(|e| e["kind"] == "delta")
        .map(|e| e["text"].as_str().unwrap());
    words.collect()
}

pub(crate) fn log_of(desk: &Desk, prompt: &str) -> PathBuf {
    until("the log", || {
        desk.logs().into_iter().find(|log| {
            let text = std::fs::read_to_string(log).unwrap_or_default();
            text.lines()
                .any(|l| l.contains("\"user.prompt\"") && l.contains(prompt))
        })
    })
}

pub(crate) fn has(log: &Path, what: &str) -> bool {
    std::fs::read_to_string(log)
        .unwrap_or_default()
        .contains(what)
}

/// The last thing the writer said in a request.
pub(crate) fn asked(request: &Value) -> String {
    conversation(request)
        .into_iter()
        .rev()
        .find(|m| m.starts_with("user: "))
        .unwrap_or_default()
}

/// A desk whose agent is the real model.
pub(crate) fn local(served: &Served) -> Desk {
    local_with(served, "")
}

/// The same with more said of the agent.
pub(crate) fn local_with(served: &Served, more: &str) -> Desk {
    Desk::with(&format!(
        "default_agent = \"local\"\n[agents.local]\nkind = \"openai\"\nbase_url = \"http://127.0.0.1:{}/v1\"\nmodel = \"smollm2-135m\"\n{more}",
        served.port
    ))
}

/// Opens a window at a session.
pub(crate) fn open_at(desk: &Desk, id: &str) -> Window {
    let program = Path::new(env!("CARGO_BIN_EXE_fascicle"));
    Window::open(program, &["resume", id], &desk.variables(), (120, 40))
}

/// The log of a session.
pub(crate) fn log(desk: &Desk, id: &str) -> PathBuf {
    until("the log", || {
        let named = |log: &PathBuf| log.file_stem().is_some_and(|stem| stem == id);
        desk.logs().into_iter().find(named)
    })
}

/// `A3 A4 `: numbered words behind an initial.
pub(crate) fn counted(initial: char, range: std::ops::RangeInclusive<usize>) -> Vec<String> {
    range.map(|i| format!("{initial}{i} ")).collect()
}

/// The same as part of an answer, so many milliseconds apart.
pub(crate) fn counts(initial: char, range: std::ops::RangeInclusive<usize>, ms: u64) -> Part {
    Part::Text(counted(initial, range), ms)
}

/// The greatest number of the words behind an initial.
pub(crate) fn newest(text: &str, initial: char) -> usize {
    let number = |word: &str| word.strip_prefix(initial)?.parse().ok();
    let numbers = text.split_whitespace().filter_map(number);
    numbers.max().unwrap_or(0)
}

/// How many pieces of an answer a log has; they are numbered words from the first one on, without a gap.
pub(crate) fn read(log: &Path, initial: char) -> usize {
    let text = deltas(&events(log));
    let last = newest(&text, initial);
    assert_eq!(text, counted(initial, 1..=last).concat(), "without a gap");
    last
}

/// The states of the sessions in the list.
pub(crate) fn states(desk: &Desk) -> Vec<String> {
    let rows = desk.json(&["list", "--json"]);
    let rows = rows.as_array().unwrap().iter();
    rows.map(|r| r["state"].as_str().unwrap().to_owned())
        .collect()
}

/// How the turns of a log ended.
pub(crate) fn ends(events: &[Value]) -> Vec<&str> {
    let ended = events.iter().filter(|e| e["kind"] == "turn.finished");
    ended.map(|e| e["status"].as_str().unwrap()).collect()
}

/// The process of the newest agent of a log.
pub(crate) fn agent(log: &Path) -> u32 {
    let events = events(log);
    let started = events.iter().rfind(|e| e["kind"] == "agent.started");
    let pid = started.unwrap()["pid"].as_u64().unwrap();
    pid.try_into().unwrap()
}

/// Whether a process runs.
pub(crate) fn runs(pid: u32) -> bool {
    fascicle::agents::child::process::identify(pid)
        .is_some_and(|p| fascicle::agents::child::alive(&p))
}

/// Kills all that belongs to a desk, as a reboot does: windows, host and agents. None sees another one end.
pub(crate) fn kill_all(desk: &Desk) {
    until("nobody left", || {
        let left = desk.processes();
        for all in [Signal::STOP, Signal::KILL] {
            for pid in &left {
                signal(*pid, all);
            }
        }
        left.is_empty().then_some(())
    });
}
