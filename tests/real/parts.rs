//! Where the real parts are, and a runner that skips what needs an absent one.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "test")]

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::process::ExitCode;

/// A part that a test needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// The Claude Code command line.
    Claude,
    /// Weights and a server for them.
    Model,
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
        let ok = passes(row);
        println!("real {} ... {}", row.name, if ok { "ok" } else { "FAILED" });
        failed += usize::from(!ok);
    }
    println!("real parts: {run} run, {skipped} skipped");
    let required = std::env::var("FASCICLE_REAL").is_ok_and(|v| v == "required");
    if failed > 0 || (required && skipped > 0) {
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
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

fn is_here(part: Part) -> bool {
    match part {
        Part::Claude => claude().is_some(),
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
