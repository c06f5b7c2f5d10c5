//! Which program this is.

use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use crate::domain::notice::Build;

/// The program of this process, also when its file was replaced since (proc(5)).
const SELF: &str = "/proc/self/exe";

/// This program and its build: what a window and its host compare.
pub fn build() -> Build {
    let file = std::fs::metadata(program()).and_then(|m| m.modified());
    let since = file.ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
    Build {
        app: env!("CARGO_PKG_VERSION").to_owned(),
        built: since.map(|s| s.as_secs()),
    }
}

/// The file to start this very program from once more.
pub fn program() -> PathBuf {
    let this = Path::new(SELF);
    if this.exists() {
        return this.to_owned();
    }
    std::env::current_exe().unwrap_or_else(|_| "fascicle".into())
}
