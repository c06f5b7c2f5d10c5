//! All events of a log, one after the other, in memory that does not grow with it.

use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use crate::domain::SessionId;
use crate::domain::event::Event;

use super::disk::DiskFile;
use super::findings::Findings;
use super::pieces::next_line_start;
use super::scan::Scan;
use super::store::Store;
use super::{LogError, Tried};

/// How much of a log is turned into events at once.
const CHUNK: u64 = 1024 * 1024;

/// The events of a log as long as it was when it was opened.
pub struct Whole {
    file: Arc<dyn DiskFile>,
    path: PathBuf,
    at: u64,
    len: u64,
    scan: Scan,
    ready: VecDeque<Event>,
}

impl Store {
    /// All events of a log, oldest first.
    pub fn whole(&self, id: SessionId) -> Result<Whole, LogError> {
        let path = self.find(id)?.log();
        let (file, len) = self.read(id)?;
        Ok(Whole {
            file,
            path,
            at: 0,
            len,
            scan: Scan::default(),
            ready: VecDeque::new(),
        })
    }
}

impl Whole {
    /// What else the log holds. Complete when the last event was given.
    pub fn findings(&mut self) -> Result<&Findings, LogError> {
        self.scan
            .settle(&*self.file, self.at)
            .tried("read", &self.path)?;
        Ok(&self.scan.found)
    }

    fn fill(&mut self) -> io::Result<()> {
        while self.ready.is_empty() && self.at < self.len {
            let to = next_chunk(&*self.file, self.at, self.len)?;
            let ready = &mut self.ready;
            let part = (self.at, to);
            self.scan
                .run(&*self.file, part, &mut |found| ready.push_back(found.event))?;
            self.at = to;
        }
        Ok(())
    }
}

impl Iterator for Whole {
    type Item = Result<Event, LogError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.fill().tried("read", &self.path) {
            Ok(()) => self.ready.pop_front().map(Ok),
            Err(e) => {
                self.at = self.len;
                Some(Err(e))
            }
        }
    }
}

/// End of a stretch of whole lines that begins at `at`, about a chunk long.
pub(super) fn next_chunk(file: &dyn DiskFile, at: u64, to: u64) -> io::Result<u64> {
    if to - at <= CHUNK {
        return Ok(to);
    }
    next_line_start(file, at + CHUNK, to)
}
