//! Diagnostics: to a file in the writer's state folder, never to the terminal. No words of the writer are in it.

use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};

use tracing_appender::non_blocking::{NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::EnvFilter;

use crate::config::{Places, Workspace};

/// The variable that says how much is noted, as `tracing` filters are written.
const LEVEL: &str = "FASCICLE_LOG";
/// The file of windows and commands, and the one before it.
const FILES: [&str; 2] = ["fascicle.log", "fascicle.old.log"];
/// Those of a host, in its workspace's own corner.
const HOST: [&str; 2] = ["host.log", "host.old.log"];
/// What a host says outside them: why it could not begin.
const LAST_WORDS: &str = "host.err";
/// Lines that may wait for the disk; what is beyond is dropped. The place for them is made at once.
const WAITING: usize = 1_024;
/// A file longer than this, in bytes, becomes the old one.
const FULL: u64 = 1024 * 1024;

/// Begins to note. Holding the guard keeps it going; without a writable folder nothing is noted.
pub(super) fn start(places: &Places) -> Option<WorkerGuard> {
    note_in(open(&places.state, FILES)?)
}

/// As [`start`], for the host of a workspace.
pub(super) fn start_host(places: &Places, workspace: &Workspace) -> Option<WorkerGuard> {
    note_in(open(&places.state_of(workspace), HOST)?)
}

fn note_in(file: File) -> Option<WorkerGuard> {
    let (writer, guard) = NonBlockingBuilder::default()
        .buffered_lines_limit(WAITING)
        .finish(file);
    let filter =
        EnvFilter::try_from_env(LEVEL).unwrap_or_else(|_| EnvFilter::new("warn,fascicle=info"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(writer)
        .with_ansi(false)
        .try_init()
        .ok()?;
    note_panics();
    Some(guard)
}

/// The file.
pub(super) fn file(places: &Places) -> PathBuf {
    places.state.join(FILES[0])
}

/// Where a host's last words go.
pub(super) fn last_words(places: &Places, workspace: &Workspace) -> PathBuf {
    places.state_of(workspace).join(LAST_WORDS)
}

fn open(dir: &Path, names: [&str; 2]) -> Option<File> {
    std::fs::create_dir_all(dir).ok()?;
    let [now, old] = names.map(|name| dir.join(name));
    if now.metadata().is_ok_and(|m| m.len() > FULL) {
        // Where it cannot be moved it goes on growing: better than nothing to read after a crash.
        drop(std::fs::rename(&now, old));
    }
    OpenOptions::new().create(true).append(true).open(now).ok()
}

/// A panic is noted with its place; what is shown of it, the caller decides.
fn note_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let trace = std::backtrace::Backtrace::force_capture();
        tracing::error!("{panic}\n{trace}");
    }));
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    #[test]
    fn a_full_file_becomes_the_old_one() {
        let dir = tempfile::tempdir().unwrap();
        let [now, old] = FILES.map(|name| dir.path().join(name));
        std::fs::write(&now, vec![b'x'; 1024 * 1024 + 1]).unwrap();
        drop(open(dir.path(), FILES).unwrap());
        assert_eq!(now.metadata().unwrap().len(), 0);
        assert!(old.metadata().unwrap().len() > FULL);
    }
}
