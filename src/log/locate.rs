//! Finds a line without reading the whole file: by halving, and by looking back for a prompt.
//!
//! Numbers rise along a log, unless it was damaged. What is found here is a guess that the caller
//! checks by what a scan from there shows.

use std::io;

use memchr::memmem;

use crate::domain::event::Seq;

use super::disk::{DiskFile, read_range};
use super::line::decode_start;
use super::pieces::{Body, End, Pieces, next_line_start};

/// From here on lines are looked at one by one.
const NEAR: u64 = 64 * 1024;
/// How far a page is extended to begin with a prompt.
const PROMPT_WITHIN: u64 = 4 * 1024 * 1024;
/// More than the envelope of a prompt takes.
const ENVELOPE: u64 = 256;
const PROMPT: &[u8] = br#""kind":"user.prompt""#;

/// Offset of a line, and of the line after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    pub(crate) at: u64,
    pub(crate) end: u64,
}

/// Where event `seq` seems to be, in the first `len` bytes.
pub(crate) fn line_of(file: &dyn DiskFile, len: u64, seq: Seq) -> io::Result<Option<Place>> {
    let (mut low, mut high) = (0, len);
    while high - low > NEAR {
        let middle = low + (high - low) / 2;
        let start = next_line_start(file, middle, high)?;
        match first_numbered(file, start, high, |_| true)? {
            Some((number, place)) if number <= seq => low = place.at,
            _ => high = middle,
        }
    }
    let found = first_numbered(file, low, len, |number| number >= seq)?;
    Ok(found
        .filter(|(number, _)| *number == seq)
        .map(|(_, place)| place))
}

/// The first line from `from`, a line's start, that has a number as wanted.
fn first_numbered(
    file: &dyn DiskFile,
    from: u64,
    to: u64,
    wanted: impl Fn(Seq) -> bool,
) -> io::Result<Option<(Seq, Place)>> {
    let mut pieces = Pieces::few(file, from, to);
    while let Some(piece) = pieces.next()? {
        let (Body::Text(start) | Body::Long { head: start, .. }) = piece.body else {
            continue;
        };
        let number = decode_start(start).map(|(number, ..)| number);
        if let Some(number) = number.filter(|n| wanted(*n)) {
            let newline = u64::from(piece.end == End::Line);
            let end = piece.at + piece.len + newline;
            let at = piece.at;
            return Ok(Some((number, Place { at, end })));
        }
    }
    Ok(None)
}

/// Where a page of about `bytes` that ends at `to` begins: at a prompt, if one is near enough.
pub(crate) fn page_start(file: &dyn DiskFile, to: u64, bytes: u64) -> io::Result<u64> {
    if to <= bytes {
        return Ok(0);
    }
    let want = to - bytes;
    match prompt_before(file, want, to.saturating_sub(PROMPT_WITHIN.max(bytes)))? {
        Some(at) => Ok(at),
        None => next_line_start(file, want, to),
    }
}

/// Offset of the last prompt whose line begins between `limit` and `want`.
fn prompt_before(file: &dyn DiskFile, want: u64, limit: u64) -> io::Result<Option<u64>> {
    let mut end = want;
    while end > limit {
        let from = end.saturating_sub(NEAR).max(limit);
        let bytes = read_range(file, from, end + ENVELOPE)?;
        let mut before = bytes.as_slice();
        while let Some(hit) = memmem::rfind(before, PROMPT) {
            before = bytes.get(..hit).unwrap_or_default();
            let line = memchr::memrchr(b'\n', before).map(|n| n + 1);
            // A line that begins before this stretch is found in the one before it.
            let start = line.or((from == 0).then_some(0));
            let kind = start.and_then(|n| decode_start(bytes.get(n..)?));
            if let (Some(n), Some((_, _, "user.prompt"))) = (start, kind) {
                let at = from + n as u64;
                if at <= want {
                    return Ok(Some(at));
                }
            }
        }
        end = from;
    }
    Ok(None)
}
