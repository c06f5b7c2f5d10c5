//! The desk of a measurement: sessions, the streams of their agents, and the processor time of all who work on it.

use std::path::Path;
use std::time::{Duration, Instant};

use nix::time::{ClockId, clock_gettime};
use nix::unistd::Pid;
use serde_json::{Value, json};

use crate::desk::Desk;
use crate::screen::SIZE;
use crate::window::Window;

/// How long something is waited for.
pub const PATIENCE: Duration = Duration::from_secs(600);
/// Pieces of an answer, of six bytes each, and what stands at its end.
pub const WORD: &str = "lemon ";
pub const STOP: &str = "end.\n\n";
pub const LAST: &str = "finis.";
/// Deltas of a paragraph.
const PARAGRAPH: u64 = 60;

/// A stream of so many deltas of six bytes, in paragraphs, about 200 a second: the clock of the agent counts whole
/// milliseconds and is a good one late, so that only three and four together come near that rate.
pub fn stream(deltas: u64) -> Value {
    paced(deltas, &[(20, 3), (39, 4)])
}

/// The same, a millisecond and what the clock adds between two.
pub fn fast_stream(deltas: u64) -> Value {
    paced(deltas, &[(PARAGRAPH - 1, 1)])
}

fn paced(deltas: u64, parts: &[(u64, u64)]) -> Value {
    let delta = |text: &str| json!({"delta": {"block": 0, "text": text}});
    let words = parts
        .iter()
        .map(|(n, ms)| json!({"each": {"n": n, "ms": ms, "step": delta(WORD)}}));
    let one: Vec<Value> = words.chain([delta(STOP), json!({"wait": 4})]).collect();
    let mut steps: Vec<Value> = (0..deltas / PARAGRAPH).flat_map(|_| one.clone()).collect();
    steps.push(delta(LAST));
    Value::from(steps)
}

/// A desk whose agent plays these turns. Its host ends with the last window.
pub fn desk(turns: &[Value]) -> Desk {
    let desk = Desk::new();
    let script = desk.dir().join("script.json");
    std::fs::write(&script, json!({"turns": turns}).to_string()).unwrap();
    desk.config(&format!(
        "default_agent = \"play\"\nturns_at_once = 8\nhost_stays = 0\n\
         [agents.play]\nkind = \"scripted\"\ncommand = {script:?}\n"
    ));
    desk
}

/// Opens a window.
pub fn open(desk: &Desk, args: &[&str]) -> Window {
    let program = Path::new(env!("CARGO_BIN_EXE_fascicle"));
    Window::open(program, args, &desk.variables(), SIZE)
}

/// Closes it and waits until nothing works on the desk any more.
pub fn close(desk: &Desk, mut window: Window) {
    window.keys("\x04");
    window.ended();
    drop(window);
    until("an empty desk", || desk.processes().is_empty());
}

/// Waits for what tells nobody when it is so.
pub fn until(what: &str, holds: impl Fn() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !holds() {
        assert!(Instant::now() < end, "waited for {what}");
        std::thread::park_timeout(Duration::from_millis(20));
    }
}

/// Lets time go by.
pub fn pass(time: Duration) {
    let end = Instant::now() + time;
    while let Some(left) = end.checked_duration_since(Instant::now()) {
        std::thread::park_timeout(left);
    }
}

/// Seconds of processor time of a process so far, all its threads, to the nanosecond; none when it has ended.
pub fn cpu_of(pid: u32) -> f64 {
    let clock = ClockId::pid_cpu_clock_id(Pid::from_raw(pid.cast_signed()));
    let time = clock.and_then(clock_gettime);
    time.map_or(0.0, |t| t.tv_sec() as f64 + t.tv_nsec() as f64 / 1e9)
}

/// The same of every process that works on the desk: the window and its host.
pub fn cpu(desk: &Desk) -> f64 {
    desk.processes().into_iter().map(cpu_of).sum()
}

/// Waits until half a second has gone by in which next to nothing was done.
pub fn settle(desk: &Desk) {
    let end = Instant::now() + PATIENCE;
    let mut before = cpu(desk);
    loop {
        pass(Duration::from_millis(500));
        let now = cpu(desk);
        if now - before < 0.002 || Instant::now() > end {
            return;
        }
        before = now;
    }
}

/// Removes what can be made again: indexes and the list.
pub fn forget(desk: &Desk) {
    let cache = desk.home().join("cache");
    if cache.exists() {
        std::fs::remove_dir_all(cache).unwrap();
    }
}

/// Makes more sessions like one that is there, each with a log, a folder and a title of its own.
pub fn copies(desk: &Desk, of: &str, title: &str, n: usize) {
    let logs = desk.workspace().join(".fascicle/sessions/inbox");
    let log = std::fs::read_to_string(logs.join(format!("{of}.jsonl"))).unwrap();
    let folder = title.to_lowercase();
    for i in 0..n {
        let id = uuid::Uuid::now_v7().to_string();
        let new = log
            .replace(of, &id)
            .replace(&format!("\"{title}\""), &format!("\"{title} {i}\""))
            .replace(&format!("inbox/{folder}"), &format!("inbox/{folder}-{i}"));
        std::fs::write(logs.join(format!("{id}.jsonl")), new).unwrap();
        let place = desk.workspace().join(format!("inbox/{folder}-{i}"));
        std::fs::create_dir_all(&place).unwrap();
        std::fs::write(place.join(".session"), id).unwrap();
    }
}
