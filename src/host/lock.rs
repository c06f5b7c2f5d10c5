//! One host per workspace: whoever holds `host.lock`. Freed by death; never stale, never unlinked.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Name of the file in `.fascicle`.
const NAME: &str = "host.lock";

/// What the lock file says of its holder: information only, the lock itself is the system's.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Holder {
    /// Its process.
    pub pid: u32,
    /// Version of the program.
    pub app: String,
    /// When it began, milliseconds since 1970.
    pub since: i64,
    /// Where it listens.
    pub socket: PathBuf,
}

/// The right to be the host, for as long as it lives.
#[derive(Debug)]
pub struct Claim(File);

/// Takes the lock. None when another process holds it. `private` is `.fascicle`, which must exist.
pub fn take(private: &Path) -> io::Result<Option<Claim>> {
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(private.join(NAME))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Ok(None),
        Err(TryLockError::Error(e)) => return Err(e),
    }
    // What a dead holder wrote must not lead anybody to its socket.
    file.set_len(0)?;
    Ok(Some(Claim(file)))
}

impl Claim {
    /// Says who holds it and where it listens.
    pub fn announce(&mut self, holder: &Holder) -> io::Result<()> {
        self.0.set_len(0)?;
        self.0.rewind()?;
        self.0.write_all(serde_json::to_string(holder)?.as_bytes())
    }
}

/// Who holds the lock now; none when nobody does.
pub fn holder(private: &Path) -> Option<Holder> {
    let mut file = File::open(private.join(NAME)).ok()?;
    // A shared lock is had at once when nobody holds the lock, and given back with the file.
    if !matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)) {
        return None;
    }
    let mut text = String::new();
    file.read_to_string(&mut text).ok()?;
    serde_json::from_str(&text).ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    #[test]
    fn the_second_to_come_is_no_host_until_the_first_has_gone() {
        let dir = tempfile::tempdir().unwrap();
        let me = Holder {
            pid: 1,
            app: "x".into(),
            since: 2,
            socket: "s".into(),
        };
        assert_eq!(holder(dir.path()), None);
        let mut claim = take(dir.path()).unwrap().unwrap();
        claim.announce(&me).unwrap();
        assert!(take(dir.path()).unwrap().is_none());
        assert_eq!(holder(dir.path()), Some(me));
        drop(claim);
        assert_eq!(holder(dir.path()), None);
        assert!(take(dir.path()).unwrap().is_some());
    }
}
