//! What the log asks of a disk, so that a simulated one can lose power at any byte.

use std::any::Any;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How a file is opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Open {
    /// For reading.
    Read,
    /// For reading and appending.
    Append,
    /// For appending, emptied or made, readable by the writer alone.
    New,
}

/// What tells whether a file is the one it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stat {
    /// Bytes.
    pub len: u64,
    /// Nanoseconds since 1970 of the last change.
    pub mtime: i64,
    /// Number of the file on its disk.
    pub inode: u64,
    /// Number of that disk.
    pub device: u64,
    /// How many names it has.
    pub links: u64,
}

impl Stat {
    /// Whether it is the same file, changed or not.
    pub const fn same_file(self, other: Self) -> bool {
        self.inode == other.inode && self.device == other.device
    }
}

/// A lock, held until it is dropped.
pub type Lock = Box<dyn Any + Send>;

/// A place for files. Methods do what the system call of that name does, and no more.
pub trait Disk: Send + Sync {
    /// Opens a file.
    fn open(&self, path: &Path, how: Open) -> io::Result<Arc<dyn DiskFile>>;
    /// Looks at a file or folder.
    fn stat(&self, path: &Path) -> io::Result<Stat>;
    /// Names in a folder, in no order; those that are no text are left out.
    fn list(&self, dir: &Path) -> io::Result<Vec<String>>;
    /// Makes one folder, open to the writer alone.
    fn make_dir(&self, dir: &Path) -> io::Result<()>;
    /// Gives a file or folder another name, in place of what had it.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Gives a file another name that nothing has; `AlreadyExists` when something does.
    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Gives a file one more name, that nothing has. Not every disk can.
    fn link(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Removes a file, or a folder with all in it.
    fn remove(&self, path: &Path) -> io::Result<()>;
    /// Makes the names in a folder durable.
    fn sync_dir(&self, dir: &Path) -> io::Result<()>;
    /// Takes a lock file, made if need be, and writes into it who holds it; `WouldBlock` when it is held.
    fn lock(&self, path: &Path, holder: &str) -> io::Result<Lock>;
}

/// An open file.
pub trait DiskFile: Send + Sync {
    /// One `write()` at the end; may take fewer bytes than given.
    fn append(&self, bytes: &[u8]) -> io::Result<usize>;
    /// One `read()` at an offset; 0 at the end.
    fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<usize>;
    /// Makes its bytes durable.
    fn sync(&self) -> io::Result<()>;
    /// Looks at it.
    fn stat(&self) -> io::Result<Stat>;
    /// A path it has now, where the system tells.
    fn path(&self) -> Option<PathBuf> {
        None
    }
}

/// Appends all of `bytes`, and goes on after short writes.
pub(crate) fn append_all(file: &dyn DiskFile, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match file.append(bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(n) => bytes = bytes.get(n..).unwrap_or_default(),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(())
}

/// Reads the bytes from `from` to `to`; fewer when the file ends before.
pub(crate) fn read_range(file: &dyn DiskFile, from: u64, to: u64) -> io::Result<Vec<u8>> {
    let want = usize::try_from(to.saturating_sub(from)).unwrap_or(usize::MAX);
    let mut bytes = vec![0; want];
    let mut got = 0;
    while let Some(rest) = bytes.get_mut(got..).filter(|rest| !rest.is_empty()) {
        match file.read_at(from + got as u64, rest) {
            Ok(0) => break,
            Ok(n) => got += n,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    bytes.truncate(got);
    Ok(bytes)
}

/// How much of two files is compared at once.
const STRIDE: u64 = 1024 * 1024;

/// Whether a file begins with all that another holds.
pub(crate) fn begins_with(whole: &dyn DiskFile, part: &dyn DiskFile) -> io::Result<bool> {
    let mut at = 0;
    loop {
        let wanted = read_range(part, at, at + STRIDE)?;
        if wanted.is_empty() {
            return Ok(true);
        }
        let to = at + wanted.len() as u64;
        if read_range(whole, at, to)? != wanted {
            return Ok(false);
        }
        at = to;
    }
}

/// Makes a folder and those above it, durable before this returns.
pub(crate) fn ensure_dir(disk: &dyn Disk, dir: &Path) -> io::Result<()> {
    if disk.stat(dir).is_ok() {
        return Ok(());
    }
    let Some(above) = dir.parent() else {
        return disk.make_dir(dir);
    };
    ensure_dir(disk, above)?;
    match disk.make_dir(dir) {
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(e) => Err(e),
        Ok(()) => disk.sync_dir(above),
    }
}

/// How names of files begin that are not yet in place.
pub(crate) const NEW: &str = ".new-";

/// Puts a whole file in place, durable before this returns: never half of it under its name.
pub(crate) fn put_file(disk: &dyn Disk, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let (Some(dir), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    // A name of its own for each process and thread: two may put the same blob at once.
    let (process, thread) = (std::process::id(), std::thread::current().id());
    let name = name.to_string_lossy();
    let new = dir.join(format!("{NEW}{process}-{thread:?}-{name}"));
    let written = disk.open(&new, Open::New).and_then(|file| {
        append_all(&*file, bytes)?;
        file.sync()
    });
    if let Err(e) = written.and_then(|()| disk.rename(&new, path)) {
        // Its own bytes under a name nobody reads: removed if that works, swept later if not.
        let _left = disk.remove(&new);
        return Err(e);
    }
    disk.sync_dir(dir)
}
