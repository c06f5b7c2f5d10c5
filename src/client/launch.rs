//! Starting a host that outlives whoever starts it.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io;
use std::path::PathBuf;
use std::process::Stdio;

use tokio::process::{Child, Command};

use crate::host::lock::Claim;
use crate::text::one_line;

/// Longest last word that is told, in bytes.
const LAST_WORDS: usize = 2_000;

/// How a host of one's own is started.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Where what it says goes; nobody else reads it.
    pub words: PathBuf,
}

/// A host that was started and does not answer yet.
#[derive(Debug)]
pub struct Birth {
    child: Child,
    words: PathBuf,
    said_before: u64,
}

impl Launch {
    /// Starts it. It gets the right to be the host as its standard input, and no other file of ours (all are opened
    /// close-on-exec); with that it makes a session of its own.
    pub fn start(&self, claim: Claim) -> io::Result<Birth> {
        // Without a place for its last words it is started all the same.
        let (words, said_before) = self
            .open()
            .map_or((Stdio::null(), 0), |(file, len)| (file.into(), len));
        let child = Command::new(&self.program)
            .arg0("fascicle")
            .args(&self.args)
            .current_dir("/")
            .stdin(claim.hand_over())
            .stdout(Stdio::null())
            .stderr(words)
            .spawn()?;
        Ok(Birth {
            child,
            words: self.words.clone(),
            said_before,
        })
    }

    fn open(&self) -> io::Result<(File, u64)> {
        if let Some(folder) = self.words.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&self.words)?;
        let len = file.metadata()?.len();
        Ok((file, len))
    }
}

impl Birth {
    /// Why it ended, when it has ended already.
    pub fn failed(&mut self) -> Option<String> {
        let status = self.child.try_wait().ok().flatten()?;
        let all = std::fs::read(&self.words).unwrap_or_default();
        let from = usize::try_from(self.said_before).unwrap_or(usize::MAX);
        let said = all.get(from..).unwrap_or_default();
        let said = said.get(..LAST_WORDS).unwrap_or(said);
        let said = one_line(&String::from_utf8_lossy(said));
        Some(if said.is_empty() {
            format!("The host could not be started: it ended with {status}.")
        } else {
            format!("The host could not be started: {said}")
        })
    }
}
