//! Plays a written stream as an agent program would: a stand-in for `claude` in tests.
//!
//! `fake_agent [flags, not looked at] --scenario FILE`, or the variable `FAKE_AGENT_SCENARIO`. `--version` answers as
//! the real program does. A scenario is `{"steps": […]}`, played at the first prompt, then exit 0; or
//! `{"turns": [[…], …]}`, one for each prompt, the last one repeated. `"at_once": true` waits for no prompt and answers nothing.
//! `"on_interrupt": […]` is played in place of the rest of a turn that is interrupted. A step has one key:
//!
//! ```text
//! json OBJECT | raw TEXT | b64 BASE64 | fill {prefix, unit, count, suffix} | each {n, ms, json} ("{i}" counts from 1)
//! bytewise {b64, ms} | sleep_ms N | stderr TEXT | stderr_fill {unit, count} | await_stdin true
//! close_stdout true (and live on) | hang true (and answer nothing) | exit N | signal NAME
//! ```
//!
//! Requests of the host are answered without a step. With `FAKE_AGENT_LOG` set, arguments, folder, names of the
//! variables and every line of standard input are appended to that file.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "test"
)]

use std::io::{BufRead, Write};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio, exit};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread::sleep;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

/// A hanging process ends by itself after this, so that a failed test leaves none behind.
const MAX_HANG: Duration = Duration::from_secs(120);

#[derive(Default)]
struct Flags {
    mute: AtomicBool,
    interrupted: AtomicBool,
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args.iter().any(|a| a == "--version") {
        println!("2.1.332 (Claude Code)");
        return;
    }
    let named = args
        .iter()
        .position(|a| a == "--scenario")
        .and_then(|i| args.get(i + 1).cloned());
    let Some(path) = named.or_else(|| std::env::var("FAKE_AGENT_SCENARIO").ok()) else {
        eprintln!("fake_agent: no scenario");
        exit(64);
    };
    let variables: Vec<String> = std::env::vars().map(|(name, _)| name).collect();
    log(
        "start",
        &json!({"argv": args, "cwd": std::env::current_dir().unwrap(), "env": variables}),
    );
    let scenario: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let flags = Arc::new(Flags::default());
    flags
        .mute
        .store(scenario["at_once"] == true, Ordering::SeqCst);
    let (tell, lines) = mpsc::channel();
    let theirs = Arc::clone(&flags);
    std::thread::spawn(move || listen(&tell, &theirs));
    play(&scenario, &lines, &flags);
    log("exit", &json!(0));
}

fn play(scenario: &Value, lines: &mpsc::Receiver<Value>, flags: &Flags) {
    if let Some(steps) = scenario["steps"].as_array() {
        if scenario["at_once"] != true {
            prompted(lines);
        }
        turn(steps, scenario, lines, flags);
        return;
    }
    let turns = scenario["turns"].as_array().unwrap();
    for n in 0.. {
        prompted(lines);
        let steps = turns.get(n).or(turns.last()).unwrap().as_array().unwrap();
        turn(steps, scenario, lines, flags);
    }
}

/// Waits for a prompt; the end of standard input ends the process.
fn prompted(lines: &mpsc::Receiver<Value>) {
    loop {
        match lines.recv() {
            Ok(line) if line["type"] == "user" => return,
            Ok(_) => {}
            Err(_) => exit(0),
        }
    }
}

fn turn(steps: &[Value], scenario: &Value, lines: &mpsc::Receiver<Value>, flags: &Flags) {
    flags.interrupted.store(false, Ordering::SeqCst);
    for (n, s) in steps.iter().enumerate() {
        // Before the last line, not behind it: else a request that is quick would still be answered.
        let last = |next: &Value| next["hang"] == true || next.get("exit").is_some();
        if steps.get(n + 1).is_some_and(last) {
            flags.mute.store(true, Ordering::SeqCst);
        }
        step(s, lines, flags);
        let stopped = flags.interrupted.swap(false, Ordering::SeqCst);
        if let Some(instead) = scenario["on_interrupt"].as_array().filter(|_| stopped) {
            for s in instead {
                step(s, lines, flags);
            }
            return;
        }
    }
}

/// Reads standard input: requests are answered, all else is passed on.
fn listen(tell: &mpsc::Sender<Value>, flags: &Flags) {
    for line in std::io::stdin().lock().split(b'\n') {
        let line = String::from_utf8_lossy(&line.unwrap()).into_owned();
        log("stdin", &json!(line));
        let Ok(value) = serde_json::from_str::<Value>(&line) else {
            eprintln!("fake_agent: not JSON on standard input");
            exit(1);
        };
        if value["type"] != "control_request" {
            let _ended = tell.send(value);
            continue;
        }
        if value["request"]["subtype"] == "interrupt" {
            flags.interrupted.store(true, Ordering::SeqCst);
        }
        if !flags.mute.load(Ordering::SeqCst) {
            let response = json!({"subtype": "success", "request_id": value["request_id"], "response": {"models": []}});
            put_line(&json!({"type": "control_response", "response": response}));
        }
    }
    log("stdin", &Value::Null);
}

fn step(step: &Value, lines: &mpsc::Receiver<Value>, flags: &Flags) {
    let (key, value) = step.as_object().unwrap().iter().next().unwrap();
    let ms = |v: &Value| Duration::from_millis(v.as_u64().unwrap_or(0));
    match key.as_str() {
        "json" => put_line(value),
        "raw" => put(value.as_str().unwrap().as_bytes()),
        "b64" => put(&STANDARD.decode(value.as_str().unwrap()).unwrap()),
        "fill" => fill(value),
        "each" => each(value, flags),
        "bytewise" => {
            for byte in STANDARD.decode(value["b64"].as_str().unwrap()).unwrap() {
                put(&[byte]);
                sleep(ms(&value["ms"]));
            }
        }
        "sleep_ms" => sleep(ms(value)),
        "stderr" => eprint!("{}", value.as_str().unwrap()),
        "stderr_fill" => {
            let unit = value["unit"].as_str().unwrap();
            let count = usize::try_from(value["count"].as_u64().unwrap()).unwrap();
            std::io::stderr()
                .write_all(unit.repeat(count).as_bytes())
                .unwrap();
        }
        "await_stdin" => {
            let _ended = lines.recv_timeout(MAX_HANG);
        }
        "close_stdout" => {
            let secs = MAX_HANG.as_secs().to_string();
            let failed = Command::new("sleep").arg(secs).stdout(Stdio::null()).exec();
            panic!("{failed}");
        }
        "hang" => {
            flags.mute.store(true, Ordering::SeqCst);
            sleep(MAX_HANG);
        }
        "exit" => exit(i32::try_from(value.as_i64().unwrap()).unwrap()),
        "signal" => signal(value.as_str().unwrap()),
        other => {
            eprintln!("fake_agent: unknown step {other}");
            exit(65);
        }
    }
}

fn fill(value: &Value) {
    let text = |key: &str| value[key].as_str().unwrap_or_default();
    put(text("prefix").as_bytes());
    let unit = text("unit").repeat(64);
    let count = value["count"].as_u64().unwrap();
    for _ in 0..count / 64 {
        put(unit.as_bytes());
    }
    put(text("unit")
        .repeat(usize::try_from(count % 64).unwrap())
        .as_bytes());
    put(text("suffix").as_bytes());
}

fn each(value: &Value, flags: &Flags) {
    for i in 1..=value["n"].as_u64().unwrap() {
        if flags.interrupted.load(Ordering::SeqCst) {
            return;
        }
        let text = value["json"].to_string().replace("{i}", &i.to_string());
        put(format!("{text}\n").as_bytes());
        sleep(Duration::from_millis(value["ms"].as_u64().unwrap_or(0)));
    }
}

fn signal(name: &str) {
    let signal = match name {
        "SIGKILL" => rustix::process::Signal::KILL,
        "SIGTERM" => rustix::process::Signal::TERM,
        other => panic!("unknown signal {other}"),
    };
    rustix::process::kill_process(rustix::process::getpid(), signal).unwrap();
    sleep(MAX_HANG);
}

fn put_line(value: &Value) {
    put(format!("{value}\n").as_bytes());
}

fn put(bytes: &[u8]) {
    let mut out = std::io::stdout().lock();
    if out.write_all(bytes).and_then(|()| out.flush()).is_err() {
        exit(141);
    }
}

fn log(kind: &str, value: &Value) {
    let Some(path) = std::env::var_os("FAKE_AGENT_LOG") else {
        return;
    };
    let mut file = std::fs::OpenOptions::new()
        .append(true)
        .create(true)
        .open(path)
        .unwrap();
    let line = json!({"pid": std::process::id(), "kind": kind, "value": value});
    file.write_all(format!("{line}\n").as_bytes()).unwrap();
}
