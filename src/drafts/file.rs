//! `draft.md`: read as it is, replaced whole.

use std::fs::OpenOptions;
use std::io::{self, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rustix::fs::OFlags;
use rustix::io::Errno;
use tempfile::{Builder, NamedTempFile};

/// Name of the file in a session's folder.
pub const NAME: &str = "draft.md";

/// Longest text that is taken in, in bytes: far above any piece of prose, and small enough for one line to a window.
const MAX: u64 = 32 << 20;

/// Permissions of a draft that nobody gave others.
const MODE: u32 = 0o644;

/// What is said of a link.
const LINK: &str = "it is a link, which is not followed; put the file itself there";

/// How far apart two changes of a file are that surely have two times, on any file system.
const COARSE: Duration = Duration::from_secs(2);

/// Where the draft of a session's folder is.
pub fn path(folder: &Path) -> PathBuf {
    folder.join(NAME)
}

/// The bytes on disk; none when there is no file. A link is not followed, since what an agent is given must
/// lie in the workspace, and what is no plain file is not read, since it may never end.
pub fn read(folder: &Path) -> io::Result<Option<Vec<u8>>> {
    read_at(&path(folder))
}

/// The same of any file that is the writer's.
pub fn read_at(file: &Path) -> io::Result<Option<Vec<u8>>> {
    let mut file = match open(file) {
        Ok(file) => file,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(e) if e.raw_os_error() == Some(Errno::LOOP.raw_os_error()) => {
            return Err(io::Error::other(LINK));
        }
        Err(e) => return Err(e),
    };
    let there = file.metadata()?;
    is_plain(&there)?;
    fits(there.len())?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}

fn open(file: &Path) -> io::Result<std::fs::File> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let mut opening = OpenOptions::new();
    opening.read(true).custom_flags(flags.bits().cast_signed());
    opening.open(file)
}

fn fits(bytes: u64) -> io::Result<()> {
    if bytes <= MAX {
        return Ok(());
    }
    Err(io::Error::other(format!(
        "it has {} MB, and at most {} MB are taken in: split it, or move away what is no prose",
        bytes >> 20,
        MAX >> 20
    )))
}

/// Says what stands there, where that is no plain file.
fn is_plain(there: &std::fs::Metadata) -> io::Result<()> {
    let what = match there {
        there if there.is_file() => return Ok(()),
        there if there.is_symlink() => LINK,
        there if there.is_dir() => "it is a folder; move it away",
        _ => "it is no plain file; move it away",
    };
    Err(io::Error::other(what))
}

/// Whether a file may be replaced: one that cannot be read was never taken in, and would be lost.
fn may_go(file: &Path, there: &std::fs::Metadata) -> io::Result<()> {
    is_plain(there)?;
    fits(there.len())?;
    open(file).map(drop)
}

/// Whether a draft can get into its file, as far as what stands there now tells.
pub fn can_replace(folder: &Path) -> io::Result<()> {
    let file = path(folder);
    match std::fs::symlink_metadata(&file) {
        Ok(there) => may_go(&file, &there),
        // A folder that is not there is a matter of its own.
        Err(_) => Ok(()),
    }
}

/// How a file looks from outside; another text looks otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stamp {
    inode: u64,
    bytes: u64,
    changed: SystemTime,
    touched: (i64, i64),
    mode: u32,
}

impl Stamp {
    /// Whether a change from now on shows: one in the moment of another may have the same time.
    pub fn is_settled(&self) -> bool {
        let age = SystemTime::now().duration_since(self.changed);
        age.is_ok_and(|age| age > COARSE)
    }

    /// Its permissions.
    pub fn mode(&self) -> u32 {
        self.mode
    }
}

/// How the draft looks from outside; none when it cannot be looked at.
pub fn stamp(folder: &Path) -> Option<Stamp> {
    stamp_of(&path(folder))
}

/// How a file looks from outside.
pub fn stamp_of(file: &Path) -> Option<Stamp> {
    let there = std::fs::symlink_metadata(file).ok()?;
    Some(Stamp {
        inode: there.ino(),
        bytes: there.len(),
        changed: there.modified().ok()?,
        touched: (there.ctime(), there.ctime_nsec()),
        mode: there.mode() & 0o777,
    })
}

/// Replaces the file in one step. The permissions of a file that was there are kept. What is no plain file is neither
/// replaced nor written through, and a file that cannot be read is not replaced.
pub fn replace(folder: &Path, bytes: &[u8]) -> io::Result<()> {
    put(folder, bytes, None)
}

/// The same; a file that is gone gets the permissions that it had.
pub fn put(folder: &Path, bytes: &[u8], had: Option<u32>) -> io::Result<()> {
    written(folder, NAME, bytes, had.unwrap_or(MODE))
}

/// How the name of a text begins that is to become a draft.
const STAGED: &str = ".draft-";

/// Whether a file of this name is such a text, left by somebody who died.
pub(super) fn is_staged(name: &str) -> bool {
    name.starts_with(STAGED)
}

/// Removes what somebody who died has left of texts that were to become the draft of a folder. What cannot be removed is
/// harmless where it stays.
pub fn sweep(folder: &Path) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if is_staged(&entry.file_name().to_string_lossy()) {
            drop(std::fs::remove_file(entry.path()));
        }
    }
}

/// A draft that is on disk and has no name yet; it goes where it gets none.
pub struct Staged(NamedTempFile);

/// Puts the draft of a session that is being made on disk: whether there is room is known before there is a session.
/// Whoever may read the draft in the folder `like` may read this one.
pub fn stage(folder: &Path, bytes: &[u8], like: &Path) -> io::Result<Staged> {
    let mut new = Builder::new().prefix(STAGED).tempfile_in(folder)?;
    new.write_all(bytes)?;
    let own = std::fs::symlink_metadata(path(like)).ok();
    let own = own.filter(std::fs::Metadata::is_file);
    let mode = own.map_or_else(
        || std::fs::Permissions::from_mode(MODE),
        |own| own.permissions(),
    );
    new.as_file().set_permissions(mode)?;
    new.as_file().sync_data()?;
    Ok(Staged(new))
}

impl Staged {
    /// Gives it its name, unless another file has it.
    pub fn name(self, folder: &Path) -> io::Result<()> {
        self.0
            .persist_noclobber(path(folder))
            .map_err(|e| e.error)?;
        std::fs::File::open(folder)?.sync_all()
    }
}

/// The same of any file in a folder.
pub fn replace_at(folder: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    written(folder, name, bytes, MODE)
}

fn written(folder: &Path, name: &str, bytes: &[u8], mode: u32) -> io::Result<()> {
    let target = folder.join(name);
    let mut new = Builder::new().prefix(STAGED).tempfile_in(folder)?;
    new.write_all(bytes)?;
    if let Ok(old) = std::fs::symlink_metadata(&target) {
        may_go(&target, &old)?;
        new.as_file().set_permissions(old.permissions())?;
    } else {
        let mode = std::fs::Permissions::from_mode(mode);
        new.as_file().set_permissions(mode)?;
    }
    new.as_file().sync_data()?;
    new.persist(&target).map_err(|e| e.error)?;
    std::fs::File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    #[test]
    fn a_link_and_a_folder_are_left_alone_and_so_is_what_a_link_points_at() {
        let dir = tempfile::tempdir().unwrap();
        assert!(can_replace(dir.path()).is_ok());
        let other = dir.path().join("other.md");
        std::fs::write(&other, "theirs").unwrap();
        std::os::unix::fs::symlink(&other, path(dir.path())).unwrap();
        let refused = |what: &str| {
            for no in [can_replace(dir.path()), replace(dir.path(), b"ours")] {
                let why = no.unwrap_err().to_string();
                assert!(why.contains(what), "{why}");
            }
        };
        refused("it is a link");
        assert_eq!(std::fs::read(&other).unwrap(), b"theirs");
        assert_eq!(std::fs::read_link(path(dir.path())).unwrap(), other);
        std::fs::remove_file(path(dir.path())).unwrap();
        std::fs::create_dir(path(dir.path())).unwrap();
        refused("it is a folder; move it away");
        let left = std::fs::read_dir(dir.path()).unwrap().count();
        assert_eq!(left, 2, "nothing is left of it");
    }

    #[test]
    fn a_link_and_a_pipe_are_refused_at_once() {
        let dir = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink("/etc/passwd", path(dir.path())).unwrap();
        assert!(read(dir.path()).unwrap_err().to_string().contains("link"));
        std::fs::remove_file(path(dir.path())).unwrap();
        let made = std::process::Command::new("mkfifo")
            .arg(path(dir.path()))
            .status();
        assert!(made.unwrap().success());
        assert!(
            read(dir.path())
                .unwrap_err()
                .to_string()
                .contains("no plain file")
        );
    }

    #[test]
    fn what_is_far_too_long_is_said_and_not_read() {
        let dir = tempfile::tempdir().unwrap();
        let file = std::fs::File::create(path(dir.path())).unwrap();
        file.set_len(MAX).unwrap();
        assert!(read(dir.path()).unwrap().is_some());
        file.set_len(70 << 20).unwrap();
        let why = read(dir.path()).unwrap_err().to_string();
        assert!(why.contains("70 MB") && why.contains("split it"), "{why}");
        // It was never taken in: a version does not take its place.
        assert!(replace(dir.path(), b"ours").is_err());
        assert_eq!(file.metadata().unwrap().len(), 70 << 20);
        let left = std::fs::read_dir(dir.path()).unwrap().count();
        assert_eq!(left, 1);
    }

    #[test]
    fn the_mode_of_the_file_is_kept() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(path(dir.path()), "a").unwrap();
        std::fs::set_permissions(path(dir.path()), std::fs::Permissions::from_mode(0o600)).unwrap();
        replace(dir.path(), b"b").unwrap();
        let mode = std::fs::metadata(path(dir.path()))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn no_file_is_no_error() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(read(dir.path()).unwrap(), None);
    }
}
