//! The file that is written: whole or not at all, and never over another one unasked.

use std::fs::Permissions;
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use crate::cli::error::CliError;

/// What a new file may be, before the user's mask.
const MODE: u32 = 0o666;

/// Whether the file may be written.
pub(super) fn is_free(path: &Path, force: bool) -> Result<(), CliError> {
    if path.is_dir() {
        let why = format!("{} is a folder.", path.display());
        return Err(CliError::refused(why, "Name a file in it."));
    }
    if !force && is_taken(path) {
        return Err(taken(path));
    }
    Ok(())
}

/// Whether there is anything of that name.
pub(super) fn is_taken(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

/// An empty file beside it, which is gone again unless it is put there.
pub(super) fn beside(path: &Path, ends: &str) -> Result<NamedTempFile, CliError> {
    let folder = std::path::absolute(folder(path)).unwrap_or_else(|_| folder(path));
    Builder::new()
        .prefix(".export-")
        .suffix(&format!(".{ends}"))
        .permissions(Permissions::from_mode(MODE))
        .tempfile_in(folder)
        .map_err(|e| failed(path, &e))
}

/// Writes a text.
pub(super) fn write(path: &Path, text: &str, force: bool) -> Result<(), CliError> {
    let mut file = beside(path, "tmp")?;
    let written = file.write_all(text.as_bytes());
    written.map_err(|e| failed(path, &e))?;
    put(file, path, force)
}

/// Gives the file its name, in one step.
pub(super) fn put(file: NamedTempFile, path: &Path, force: bool) -> Result<(), CliError> {
    // Another program may have written to the name, not to the open file.
    let synced = std::fs::File::open(file.path()).and_then(|f| f.sync_data());
    synced.map_err(|e| failed(path, &e))?;
    let put = if force {
        file.persist(path)
    } else {
        file.persist_noclobber(path)
    };
    match put {
        Ok(_) => Ok(()),
        Err(e) if e.error.kind() == io::ErrorKind::AlreadyExists => Err(taken(path)),
        Err(e) => Err(failed(path, &e.error)),
    }
}

fn folder(path: &Path) -> PathBuf {
    let parent = path.parent().filter(|p| !p.as_os_str().is_empty());
    parent.unwrap_or(Path::new(".")).to_owned()
}

fn taken(path: &Path) -> CliError {
    CliError::refused(
        format!("{} is there already; it was not touched.", path.display()),
        "Replace it with --force, or name another file.",
    )
}

fn failed(path: &Path, error: &io::Error) -> CliError {
    CliError::refused(
        format!("{} could not be written: {error}.", path.display()),
        "Name a file in a folder that is there and can be written to.",
    )
}
