//! The way to the terminal. One that stops reading holds a writer up only until somebody is in a hurry.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::OpenOptionsExt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::OFlags;
use rustix::io::Errno;

/// How often a terminal that does not read is left for a look whether there is a hurry.
const LOOK: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 100_000_000,
};

/// Whether there is no time left to wait for the terminal.
#[derive(Clone, Debug, Default)]
pub(super) struct Hurry(Arc<AtomicBool>);

impl Hurry {
    /// From now on nothing waits for the terminal.
    pub(super) fn begin(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn is_on(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Where bytes for the terminal go.
#[derive(Debug)]
pub(super) struct Way {
    /// The terminal opened once more, so that not waiting is our own: the shell shares standard output.
    own: Option<File>,
    hurry: Hurry,
}

impl Way {
    pub(super) fn new(hurry: Hurry) -> Self {
        Self { own: own(), hurry }
    }
}

/// The terminal of standard output, opened anew. None where it is no terminal, or cannot be opened: then standard
/// output itself is written, and waited for.
fn own() -> Option<File> {
    let name = rustix::termios::ttyname(io::stdout(), Vec::new()).ok()?;
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    OpenOptions::new()
        .write(true)
        .custom_flags(i32::try_from(flags.bits()).ok()?)
        .open(name.to_str().ok()?)
        .ok()
}

impl Write for Way {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(own) = &mut self.own else {
            return io::stdout().write(bytes);
        };
        loop {
            match own.write(bytes) {
                Err(e) if e.kind() == ErrorKind::WouldBlock => {}
                outcome => return outcome,
            }
            if self.hurry.is_on() {
                let what = "the terminal does not read";
                return Err(io::Error::new(ErrorKind::TimedOut, what));
            }
            let mut fds = [PollFd::from_borrowed_fd(own.as_fd(), PollFlags::OUT)];
            match poll(&mut fds, Some(&LOOK)) {
                Ok(_) | Err(Errno::INTR) => {}
                Err(e) => return Err(e.into()),
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.own {
            Some(_) => Ok(()),
            None => io::stdout().flush(),
        }
    }
}
