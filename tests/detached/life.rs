//! The host's own life: what it is to the system, when it ends by itself, how it is ended.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::bench::{said, streamed, until};
use crate::desk::Desk;
use crate::play::{self, host_gone, nothing_left};
use crate::process::cpu;
use crate::window::Window;

/// A stream that nobody waits for the end of.
const ENDLESS: u64 = 1_000_000;

/// What a process has open.
fn open_files(pid: u32) -> Vec<(String, String)> {
    let named = |entry: std::fs::DirEntry| {
        let to = std::fs::read_link(entry.path()).ok()?;
        let number = entry.file_name().to_string_lossy().into_owned();
        Some((number, to.display().to_string()))
    };
    let all = std::fs::read_dir(format!("/proc/{pid}/fd")).unwrap();
    all.flatten().filter_map(named).collect()
}

/// A field of proc(5) stat, counted from the state, which is the first.
fn stat(pid: u32, field: usize) -> i64 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let (_, rest) = stat.rsplit_once(')').unwrap();
    rest.split_whitespace().nth(field).unwrap().parse().unwrap()
}

/// Waits until a time has passed in which something could have happened that must not.
fn passes(time: Duration) {
    let from = Instant::now();
    until("that time has passed", || from.elapsed() > time);
}

#[test]
fn the_host_has_a_session_of_its_own_and_no_file_terminal_or_folder_of_its_starter() {
    let desk = play::desk(&[play::delta("Yes.")]);
    let (kept, program) = (desk.dir().join("kept open"), env!("CARGO_BIN_EXE_fascicle"));
    let script = format!("exec 9>'{}'; '{program}' new Letter | cat", kept.display());
    let program = Path::new("/bin/sh");
    let mut terminal = Window::open(program, &["-c", &script], &desk.variables(), (80, 24));
    assert_eq!(terminal.ended(), 0, "{}", terminal.screen());
    let host = desk.host().unwrap();
    // Process group, session and terminal.
    assert_eq!(stat(host, 2), i64::from(host), "a group of its own");
    assert_eq!(stat(host, 3), i64::from(host), "a session of its own");
    assert_eq!(stat(host, 4), 0, "no terminal");
    let cwd = std::fs::read_link(format!("/proc/{host}/cwd")).unwrap();
    assert_eq!(cwd, Path::new("/"));
    let files = open_files(host);
    let names = |what: &str| files.iter().filter(|(_, to)| to.contains(what)).count();
    assert_eq!(names("kept open"), 0, "{files:?}");
    assert_eq!(names("/dev/pts") + names("/dev/tty"), 0, "{files:?}");
    assert_eq!(names("host.lock"), 1, "{files:?}");
    let first: Vec<&str> = ["0", "1"]
        .iter()
        .map(|n| files.iter().find(|(number, _)| number == n).unwrap())
        .map(|(_, to)| to.as_str())
        .collect();
    assert_eq!(first, ["/dev/null", "/dev/null"]);
}

#[test]
fn a_pipe_behind_the_command_that_started_the_host_ends_with_the_command() {
    let desk = play::desk(&[play::numbered(ENDLESS, 5)]);
    let mut shell = Command::new("/bin/sh");
    let program = env!("CARGO_BIN_EXE_fascicle");
    shell.args([
        "-c",
        &format!("'{program}' new Letter --prompt Begin. | cat"),
    ]);
    shell
        .env_clear()
        .envs(desk.variables())
        .stdin(Stdio::null());
    // Both pipes of this test are read to their end: a host that held one would hold the test.
    let done = shell.output().unwrap();
    assert!(done.status.success(), "{}", said(&done));
    let id = String::from_utf8(done.stdout).unwrap();
    assert_eq!(play::state(&desk, id.trim()), "writing");
    let host = desk.host().unwrap();
    let pipes = |pid: u32| {
        let all = open_files(pid).into_iter().map(|(_, to)| to);
        all.filter(|to| to.starts_with("pipe:")).collect::<Vec<_>>()
    };
    let ours = pipes(std::process::id());
    assert!(pipes(host).iter().all(|pipe| !ours.contains(pipe)));
}

#[test]
fn it_ends_by_itself_after_the_last_window_and_the_last_turn_and_not_before() {
    let asks = vec![
        play::asked("c1", "Search the web"),
        play::awaits("answer"),
        play::delta("Found."),
    ];
    let desk = play::desk_of(&[vec![play::numbered(300, 10)]], "host_stays = 1");
    let id = desk.ok(&["new", "Letter", "--prompt", "Begin."]);
    let (host, log) = (desk.host().unwrap(), play::log(&desk, &id));
    // Three times as long as it stays alone.
    play::whole(&log, 1, 300);
    host_gone(&desk, host);
    nothing_left(&desk);
    play::plays(&desk, &[asks]);
    desk.ok(&["send", &id, "Ask me."]);
    let host = desk.host().unwrap();
    play::logged(&log, "the question", |e| e["kind"] == "permission.asked");
    passes(Duration::from_secs(3));
    assert_eq!(desk.host(), Some(host), "a question is open");
    assert_eq!(play::state(&desk, &id), "needs_you");
    let before = cpu(host);
    desk.ok(&["answer", &id, "once"]);
    assert_eq!(play::ended(&log, 2), "ok");
    host_gone(&desk, host);
    nothing_left(&desk);
    assert!(before < 2.0, "it waits without work: {before} s");
}

#[test]
fn a_window_keeps_it_alive_and_the_last_one_lets_it_end() {
    let desk = play::desk_of(&[vec![play::delta("Yes.")]], "host_stays = 1");
    let id = desk.ok(&["new", "Letter"]);
    let mut windows = [1, 2].map(|_| play::window(&desk, &id, "Letter"));
    let host = desk.host().unwrap();
    assert_eq!(desk.json(&["host", "status", "--json"])["windows"], 2);
    windows[0].keys("\x04");
    assert_eq!(windows[0].ended(), 0);
    passes(Duration::from_secs(3));
    assert_eq!(desk.host(), Some(host));
    windows[1].signal("KILL");
    windows[1].ended();
    host_gone(&desk, host);
    nothing_left(&desk);
}

#[test]
fn stop_names_the_turn_it_waits_for_and_the_turn_ends_whole() {
    let desk = play::desk(&[play::numbered(600, 5)]);
    let id = desk.ok(&["new", "Letter to the valley", "--prompt", "Begin."]);
    let (host, log) = (desk.host().unwrap(), play::log(&desk, &id));
    play::deltas(&log, 10);
    let stop = desk.start(&["host", "stop"]).wait_with_output().unwrap();
    assert_eq!(stop.status.code(), Some(0), "{}", said(&stop));
    assert!(
        said(&stop).contains("Waiting for the turn in \"Letter to the valley\""),
        "{}",
        said(&stop)
    );
    assert!(said(&stop).contains("host stop --now"), "{}", said(&stop));
    play::whole(&log, 1, 600);
    host_gone(&desk, host);
    nothing_left(&desk);
}

/// A host with a turn that runs was made to end: what came is kept, and the session says so.
fn interrupted(end: impl Fn(&Desk, u32)) {
    let desk = play::desk(&[play::numbered(ENDLESS, 5)]);
    let id = desk.ok(&["new", "Letter", "--prompt", "Begin."]);
    let (host, log) = (desk.host().unwrap(), play::log(&desk, &id));
    play::deltas(&log, 20);
    end(&desk, host);
    host_gone(&desk, host);
    nothing_left(&desk);
    assert_eq!(play::ended(&log, 1), "interrupted");
    assert_eq!(play::state(&desk, &id), "interrupted");
    let words = streamed(&play::lines(&log), 1);
    assert!(
        words.len() > 60 && play::words(ENDLESS / 100).starts_with(&words),
        "{words}"
    );
}

#[test]
fn stop_now_interrupts_and_keeps_what_came() {
    interrupted(|desk, _| {
        let stop = desk.run(&["host", "stop", "--now"]);
        assert_eq!(stop.status.code(), Some(0), "{}", said(&stop));
    });
}

/// It is stopped as by Ctrl-Z, while more is told to it than its socket holds.
#[test]
fn a_window_that_reads_nothing_does_not_hold_up_the_end() {
    let desk = play::desk(&[play::numbered(ENDLESS, 0)]);
    let id = desk.ok(&["new", "Letter", "--prompt", "Begin."]);
    let (host, log) = (desk.host().unwrap(), play::log(&desk, &id));
    let mut window = play::window(&desk, &id, "Letter");
    window.signal("STOP");
    play::deltas(&log, play::count(&log, "delta") + 5_000);
    let stop = desk.run(&["host", "stop", "--now"]);
    assert_eq!(stop.status.code(), Some(0), "{}", said(&stop));
    host_gone(&desk, host);
    nothing_left(&desk);
    assert_eq!(play::ended(&log, 1), "interrupted");
    window.signal("KILL");
    window.ended();
}

#[test]
fn the_words_of_the_system_that_it_must_end_do_the_same() {
    for name in ["TERM", "INT"] {
        interrupted(|_, host| play::kill(host, name));
    }
}

#[test]
fn a_hangup_is_nothing_to_it() {
    let desk = play::desk(&[play::numbered(400, 5)]);
    let id = desk.ok(&["new", "Letter", "--prompt", "Begin."]);
    let host = desk.host().unwrap();
    play::kill(host, "HUP");
    play::whole(&play::log(&desk, &id), 1, 400);
    assert_eq!(desk.host(), Some(host));
}

#[test]
fn status_tells_scripts_what_they_may_rely_on_and_without_a_host_nothing() {
    let desk = play::desk(&[play::numbered(ENDLESS, 5)]);
    assert_eq!(desk.json(&["host", "status", "--json"]), json!({}));
    let none = desk.run(&["host", "stop"]);
    assert_eq!(none.status.code(), Some(0));
    assert_eq!(desk.host(), None, "neither starts one");
    let id = desk.ok(&["new", "Letter", "--prompt", "Begin."]);
    let window = play::window(&desk, &id, "Letter");
    let status = desk.json(&["host", "status", "--json"]);
    let mut fields: Vec<&String> = status.as_object().unwrap().keys().collect();
    fields.sort();
    let told = ["memory", "pid", "since", "turns", "version", "windows"];
    assert_eq!(fields, told);
    assert_eq!(status["turns"], 1);
    assert_eq!(status["windows"], 1);
    assert_eq!(status["version"], env!("CARGO_PKG_VERSION"));
    assert!(status["memory"].as_u64().unwrap() > 1_000_000, "{status}");
    assert!(status["since"].as_i64().unwrap() > 0);
    let Value::Number(pid) = &status["pid"] else {
        panic!("{status}")
    };
    assert!(Path::new(&format!("/proc/{pid}")).exists());
    drop(window);
}
