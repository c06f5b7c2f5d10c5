//! The disk of this machine.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{DirBuilderExt, FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::io::Errno;

use super::disk::{Disk, DiskFile, Lock, Open, Stat};

/// Files are the writer's alone.
const FILE_MODE: u32 = 0o600;
/// Folders too.
const DIR_MODE: u32 = 0o700;

/// The disk of this machine.
pub(crate) struct RealDisk;

struct RealFile(File);

impl Disk for RealDisk {
    fn open(&self, path: &Path, how: Open) -> io::Result<Arc<dyn DiskFile>> {
        let mut options = OpenOptions::new();
        options.read(true).mode(FILE_MODE);
        match how {
            Open::Read => &mut options,
            Open::Append => options.append(true),
            Open::New => {
                // Emptied by removal: whoever has the old file open keeps it whole.
                match fs::remove_file(path) {
                    Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e),
                    _ => options.append(true).create_new(true),
                }
            }
        };
        Ok(Arc::new(RealFile(options.open(path)?)))
    }

    fn stat(&self, path: &Path) -> io::Result<Stat> {
        fs::metadata(path).map(|m| stat(&m))
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(dir)? {
            names.extend(entry?.file_name().into_string());
        }
        Ok(names)
    }

    fn make_dir(&self, dir: &Path) -> io::Result<()> {
        DirBuilder::new().mode(DIR_MODE).create(dir)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        match rename_unless_there(from, to) {
            // Not every disk knows it, and NFS does not; a second name is never given over another.
            Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {
                fs::hard_link(from, to)?;
                fs::remove_file(from)
            }
            done => Ok(done?),
        }
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::hard_link(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        if fs::symlink_metadata(path)?.is_dir() {
            fs::remove_dir_all(path)
        } else {
            fs::remove_file(path)
        }
    }

    fn sync_dir(&self, dir: &Path) -> io::Result<()> {
        File::open(dir)?.sync_all()
    }

    fn lock(&self, path: &Path, holder: &str) -> io::Result<Lock> {
        // Opened for writing too: over NFS an exclusive lock asks for it. Closed on exec by std.
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(FILE_MODE)
            .open(path)?;
        file.try_lock().map_err(|e| match e {
            TryLockError::WouldBlock => io::ErrorKind::WouldBlock.into(),
            TryLockError::Error(e) => e,
        })?;
        // Information for whoever finds it held; the lock does not hang on it.
        let _said = file
            .set_len(0)
            .and_then(|()| file.write_all(holder.as_bytes()));
        Ok(Box::new(file))
    }
}

impl DiskFile for RealFile {
    fn append(&self, bytes: &[u8]) -> io::Result<usize> {
        (&self.0).write(bytes)
    }

    fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<usize> {
        self.0.read_at(into, at)
    }

    fn sync(&self) -> io::Result<()> {
        self.0.sync_data()
    }

    fn stat(&self) -> io::Result<Stat> {
        self.0.metadata().map(|m| stat(&m))
    }

    fn path(&self) -> Option<PathBuf> {
        // Linux; elsewhere there is no such link.
        fs::read_link(format!("/proc/self/fd/{}", self.0.as_raw_fd())).ok()
    }
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn rename_unless_there(from: &Path, to: &Path) -> Result<(), Errno> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE)
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn rename_unless_there(_: &Path, _: &Path) -> Result<(), Errno> {
    Err(Errno::NOSYS)
}

fn stat(meta: &fs::Metadata) -> Stat {
    Stat {
        len: meta.len(),
        mtime: meta
            .mtime()
            .saturating_mul(1_000_000_000)
            .saturating_add(meta.mtime_nsec()),
        inode: meta.ino(),
        device: meta.dev(),
        links: meta.nlink(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    #[test]
    fn a_name_that_must_be_new_is_never_taken_from_another_file() {
        let dir = tempfile::tempdir().unwrap();
        let [new, log] = ["new", "log"].map(|name| dir.path().join(name));
        fs::write(&new, "ours").unwrap();
        fs::write(&log, "theirs").unwrap();
        let refused = RealDisk.rename_new(&new, &log).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&log).unwrap(), b"theirs");
        fs::remove_file(&log).unwrap();
        RealDisk.rename_new(&new, &log).unwrap();
        assert_eq!(fs::read(&log).unwrap(), b"ours");
        assert!(!new.exists());
    }
}
