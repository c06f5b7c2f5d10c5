//! Where the real parts are, and a runner that skips what needs an absent one.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "test")]

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::desk::processes_of;

/// How long what a row started may take to end with it.
const PATIENCE: Duration = Duration::from_secs(30);
/// Names, in the process that runs the rows, the folder that holds all they write.
const INSIDE: &str = "FASCICLE_TEST_INSIDE";
/// A home that no row writes to: what turns up in it was meant for the home of whoever runs the tests.
const HOME: &str = "home";
/// How variables begin that name places or keys of whoever runs the tests.
const PRIVATE: [&str; 4] = ["XDG_", "CLAUDE", "ANTHROPIC_", "OPENAI_"];
/// And how they end.
const SECRET: [&str; 3] = ["_KEY", "_TOKEN", "_SECRET"];

/// A part that a test needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// The Claude Code command line.
    Claude,
    /// Weights and a server for them.
    Model,
    /// The Agent SDK, and the Python it runs in.
    Sdk,
}

/// A test: its name, what it needs, and itself.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) part: Part,
    pub(crate) test: fn() -> Pin<Box<dyn Future<Output = ()>>>,
}

/// A row of the table.
macro_rules! row {
    ($part:ident, $test:ident) => {
        crate::parts::Row {
            name: stringify!($test),
            part: crate::parts::Part::$part,
            test: || Box::pin($test()),
        }
    };
}
pub(crate) use row;

/// Runs all tests whose name holds the first argument, one after the other.
pub(crate) fn run(tables: &[&[Row]]) -> ExitCode {
    let filter = std::env::args().skip(1).find(|a| !a.starts_with('-'));
    let rows = tables.iter().copied().flatten();
    let rows = rows.filter(|r| filter.as_ref().is_none_or(|f| r.name.contains(f.as_str())));
    if std::env::args().any(|a| a == "--list") {
        rows.for_each(|r| println!("{}: test", r.name));
        return ExitCode::SUCCESS;
    }
    let Some(folder) = std::env::var_os(INSIDE).map(PathBuf::from) else {
        return enclosed();
    };
    let (mut run, mut skipped, mut failed) = (0, 0, 0);
    for row in rows {
        if !is_here(row.part) {
            println!(
                "real {} ... skipped: {:?} is not here, .ci/real-parts gets it",
                row.name, row.part
            );
            skipped += 1;
            continue;
        }
        run += 1;
        let begun = Instant::now();
        let ok = passes(row) & leaves_nothing(&folder) & keeps_out(&folder.join(HOME));
        let said = if ok { "ok" } else { "FAILED" };
        let took = begun.elapsed().as_secs_f32();
        println!("real {} ... {said} ({took:.1} s)", row.name);
        failed += usize::from(!ok);
    }
    println!("real parts: {run} run, {skipped} skipped");
    let required = std::env::var("FASCICLE_REAL").is_ok_and(|v| v == "required");
    if failed > 0 || (required && skipped > 0) {
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// Runs this program again with a folder of its own for all it writes, so that each process that comes of it
/// can be told from all others; where the system lets it, with no network but loopback.
fn enclosed() -> ExitCode {
    let folder = tempfile::tempdir().unwrap();
    let me = std::env::current_exe().unwrap();
    let up = ["-rn", "ip", "link", "set", "lo", "up"];
    let may = Command::new("unshare").args(up).output();
    let mut command = if may.is_ok_and(|o| o.status.success()) {
        let mut command = Command::new("unshare");
        let script = "ip link set lo up && exec \"$@\"";
        command.args(["-rn", "sh", "-c", script, "sh"]).arg(me);
        command
    } else {
        println!(
            "real parts: this system gives nobody a network of one's own; all but loopback goes nowhere by a proxy."
        );
        Command::new(me)
    };
    command.args(std::env::args().skip(1));
    let home = folder.path().join(HOME);
    std::fs::create_dir(&home).unwrap();
    for (name, _) in std::env::vars().filter(|(name, _)| is_private(name)) {
        command.env_remove(name);
    }
    command.env("HOME", home).env("TMPDIR", folder.path());
    let status = command.env(INSIDE, folder.path()).status().unwrap();
    status
        .code()
        .and_then(|code| u8::try_from(code).ok())
        .map_or(ExitCode::FAILURE, ExitCode::from)
}

fn is_private(name: &str) -> bool {
    let begins = PRIVATE.iter().any(|p| name.starts_with(p));
    begins || SECRET.iter().any(|s| name.ends_with(s))
}

/// Whether nothing was written to the home that is nobody's.
fn keeps_out(home: &Path) -> bool {
    let found: Vec<_> = std::fs::read_dir(home).unwrap().flatten().collect();
    if !found.is_empty() {
        println!("written to the home of whoever runs this: {found:?}");
    }
    found.is_empty()
}

fn passes(row: &Row) -> bool {
    let test = AssertUnwindSafe(|| {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on((row.test)());
    });
    std::panic::catch_unwind(test).is_ok()
}

/// Whether every process that knows the folder is gone: hosts, agents, servers and what these started. One
/// that stays is named and ended.
fn leaves_nothing(folder: &Path) -> bool {
    let until = Instant::now() + PATIENCE;
    loop {
        let left = processes_of(folder);
        if left.is_empty() {
            return true;
        }
        if Instant::now() >= until {
            println!("left behind: {left:?}");
            for (pid, _) in left {
                signal(pid, Signal::KILL);
            }
            return false;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Sends a signal to a process; one that is gone is no error.
pub(crate) fn signal(pid: u32, signal: Signal) {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw).unwrap();
    let _gone = kill_process(pid, signal);
}

fn is_here(part: Part) -> bool {
    match part {
        Part::Claude => claude().is_some(),
        Part::Sdk => python().is_some(),
        Part::Model => weights().is_some() && server().is_dir(),
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(".real-parts")
}

/// The command line: `FASCICLE_REAL_CLAUDE`, else as `.ci/real-parts` puts it.
pub(crate) fn claude() -> Option<PathBuf> {
    let named = std::env::var_os("FASCICLE_REAL_CLAUDE").map(PathBuf::from);
    let own = root().join("node_modules/@anthropic-ai/claude-code-linux-x64/claude");
    named.or(Some(own)).filter(|p| p.is_file())
}

/// The Python that has the Agent SDK: `FASCICLE_REAL_SDK`, else as `.ci/real-parts` puts it.
pub(crate) fn python() -> Option<PathBuf> {
    let named = std::env::var_os("FASCICLE_REAL_SDK").map(PathBuf::from);
    let own = root().join("sdk/bin/python3");
    named.or(Some(own)).filter(|p| p.is_file())
}

/// The weights.
pub(crate) fn weights() -> Option<PathBuf> {
    let files = std::fs::read_dir(root().join("model")).ok()?.flatten();
    let mut paths = files.map(|f| f.path());
    paths.find(|p| p.extension().is_some_and(|e| e == "gguf"))
}

/// The folder in which the model's server is installed.
pub(crate) fn server() -> PathBuf {
    root().join("server/node_modules/node-llama-cpp")
}
