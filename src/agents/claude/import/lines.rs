//! The lines of a file of any size, one at a time.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};

use crc32fast::Hasher;

/// Longer lines are passed over.
const LINE_MAX: u64 = 64 * 1024 * 1024;
/// How much is read at once.
const BLOCK: usize = 256 * 1024;

/// A file, line by line.
pub(super) struct Lines {
    from: BufReader<File>,
    buf: Vec<u8>,
    /// Offset of the next line.
    at: u64,
    /// Lines so far.
    pub(super) count: u64,
    /// Of all that was read.
    pub(super) crc: Hasher,
}

/// A line.
pub(super) struct Line<'a> {
    /// Offset.
    pub(super) at: u64,
    /// Its number, from 1.
    pub(super) no: u64,
    /// Without the newline; none when it is too long.
    pub(super) bytes: Option<&'a [u8]>,
    /// Whether a newline ends it.
    pub(super) ended: bool,
}

impl Lines {
    pub(super) fn new(file: File) -> Self {
        Self {
            from: BufReader::with_capacity(BLOCK, file),
            buf: Vec::new(),
            at: 0,
            count: 0,
            crc: Hasher::new(),
        }
    }

    /// Bytes so far.
    pub(super) fn bytes(&self) -> u64 {
        self.at
    }

    pub(super) fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        // One long line must not hold memory for all that follow.
        self.buf.clear();
        self.buf.shrink_to(BLOCK);
        let part = (&mut self.from).take(LINE_MAX);
        let mut len = { part }.read_until(b'\n', &mut self.buf)? as u64;
        if len == 0 {
            return Ok(None);
        }
        self.crc.update(&self.buf);
        let mut ended = self.buf.ends_with(b"\n");
        let long = len == LINE_MAX && !ended;
        while long && !ended {
            let part = self.from.fill_buf()?;
            let end = memchr::memchr(b'\n', part);
            let used = end.map_or(part.len(), |n| n + 1);
            if used == 0 {
                break;
            }
            self.crc.update(part.get(..used).unwrap_or_default());
            self.from.consume(used);
            len += used as u64;
            ended = end.is_some();
        }
        let at = self.at;
        self.at += len;
        self.count += 1;
        let whole = self.buf.strip_suffix(b"\n").unwrap_or(&self.buf);
        Ok(Some(Line {
            at,
            no: self.count,
            bytes: (!long).then_some(whole),
            ended,
        }))
    }
}
