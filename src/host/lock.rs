//! One host per workspace: whoever holds `host.lock`. Freed by death; never stale, never unlinked, always empty: a
//! sync tool has nothing to replace.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use rustix::fs::OFlags;
use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};

use super::machine::Machine;
use super::presence;
pub use super::presence::Holder;

/// Name of the file in `.fascicle`.
const NAME: &str = "host.lock";

/// Opening must not wait: what stands there may be a pipe.
const NO_WAIT: i32 = OFlags::NONBLOCK.bits().cast_signed();

/// How often the lock is tried while others only look whether it is held, and the pause between.
const LOOKERS: u32 = 50;
const MOMENT: Duration = Duration::from_millis(1);

/// The right to be the host, for as long as it lives.
#[derive(Debug)]
pub struct Claim(File);

/// The file that is locked.
pub fn file(private: &Path) -> PathBuf {
    private.join(NAME)
}

/// Takes the lock. None when another process holds it. `private` is `.fascicle`, which must exist.
pub fn take(private: &Path) -> io::Result<Option<Claim>> {
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .custom_flags(NO_WAIT)
        .open(file(private))?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is no plain file"));
    }
    for _ in 0..LOOKERS {
        match file.try_lock() {
            Ok(()) => return Ok(Some(Claim(file))),
            Err(TryLockError::Error(e)) => return Err(e),
            Err(TryLockError::WouldBlock) => {}
        }
        if file.try_lock_shared().is_err() {
            return Ok(None);
        }
        // Nobody holds it: somebody only looked, and is done in a moment.
        file.unlock()?;
        std::thread::sleep(MOMENT);
    }
    Ok(None)
}

impl Claim {
    /// Hands the right to a process that is about to be started with this as its standard input: a lock belongs to
    /// the open file (flock(2)), so it is never free in between.
    pub fn hand_over(self) -> Stdio {
        Stdio::from(self.0)
    }

    /// The right that came with this process; none when its standard input is something else. Standard input
    /// reads nothing from then on.
    pub fn handed(private: &Path) -> io::Result<Option<Self>> {
        let file = File::from(io::stdin().as_fd().try_clone_to_owned()?);
        let (given, there) = (file.metadata()?, std::fs::metadata(private.join(NAME))?);
        let ours = given.dev() == there.dev() && given.ino() == there.ino();
        if !ours || file.try_lock().is_err() {
            return Ok(None);
        }
        // Of the two names of the open file one is enough: the lock must end with the claim.
        rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
        Ok(Some(Self(file)))
    }
}

/// Whether a process, of this machine or on a network folder, is the host.
pub fn is_held(private: &Path) -> bool {
    let open = OpenOptions::new()
        .read(true)
        .custom_flags(NO_WAIT)
        .open(file(private));
    let Ok(file) = open else {
        return false;
    };
    // A shared lock is had at once when nobody holds the lock, and given back with the file.
    matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
}

/// Whether the lock is held by another machine: a folder on the network has one lock for all.
pub fn is_elsewhere(private: &Path) -> bool {
    let machine = Machine::this();
    let now = jiff::Timestamp::now().as_millisecond();
    presence::here(private).is_none_or(|h| !alive(&h))
        && presence::elsewhere(private, &machine, now).is_some_and(|(other, _)| other.is_fresh(now))
}

fn alive(holder: &Holder) -> bool {
    lives(holder.pid)
}

fn lives(pid: u32) -> bool {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    pid.is_some_and(|pid| test_kill_process(pid) != Err(Errno::SRCH))
}

/// Whether the host that has this process is the host still: it holds the lock, or nobody who does has said who it is while
/// that process lives.
pub fn is_host_still(private: &Path, pid: u32) -> bool {
    is_held(private) && holder(private).map_or_else(|| lives(pid), |h| h.pid == pid)
}

/// Who holds the lock now; none when nobody does, or the holder has not said so yet.
pub fn holder(private: &Path) -> Option<Holder> {
    is_held(private).then(|| presence::here(private)).flatten()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    #[test]
    fn the_second_to_come_is_no_host_until_the_first_has_gone() {
        let dir = tempfile::tempdir().unwrap();
        assert!(!is_held(dir.path()));
        let claim = take(dir.path()).unwrap().unwrap();
        assert!(take(dir.path()).unwrap().is_none());
        assert!(is_held(dir.path()));
        drop(claim);
        // A process that another test begins in this moment has the open file until it runs its own program.
        while is_held(dir.path()) {
            std::thread::yield_now();
        }
        assert!(take(dir.path()).unwrap().is_some());
    }

    /// What comes after it may never say who it is.
    #[test]
    fn a_host_whose_process_has_ended_is_none_whoever_holds_the_lock() {
        let dir = tempfile::tempdir().unwrap();
        let _claim = take(dir.path()).unwrap().unwrap();
        assert!(is_host_still(dir.path(), std::process::id()));
        let mut ended = std::process::Command::new("true").spawn().unwrap();
        ended.wait().unwrap();
        assert!(!is_host_still(dir.path(), ended.id()));
    }

    #[test]
    fn a_claim_that_is_handed_over_is_never_free_in_between_and_ends_with_its_heir() {
        let dir = tempfile::tempdir().unwrap();
        let claim = take(dir.path()).unwrap().unwrap();
        let mut heir = std::process::Command::new("cat")
            .stdin(Stdio::piped())
            .stdout(claim.hand_over())
            .spawn()
            .unwrap();
        assert!(is_held(dir.path()));
        assert!(take(dir.path()).unwrap().is_none());
        drop(heir.stdin.take());
        heir.wait().unwrap();
        while is_held(dir.path()) {
            std::thread::yield_now();
        }
    }
}
