//! Tells deeds from damage, one line at a time, by the recovery table of `docs/format.md`.

use std::io;

use serde::Deserialize;

use crate::domain::Seq;
use crate::domain::drawer::{Act, Entry};
use crate::text::mend::mend;

use super::super::disk::{DiskFile, read_range};
use super::super::findings::Findings;
use super::super::line::{self, SEQ_END, VERSION};
use super::super::pieces::{Body, Piece, Pieces};
use super::super::splices::Splices;

/// What a log of deeds holds.
#[derive(Debug, Default)]
pub(super) struct Read {
    /// Its deeds, oldest first.
    pub(super) entries: Vec<Entry>,
    /// What else was found.
    pub(super) found: Findings,
    /// Number of the next deed.
    pub(super) next: Seq,
    /// The file does not end with a newline.
    pub(super) ends_open: bool,
    /// Known damage is listed as well.
    thorough: bool,
}

/// The first keys of a line.
#[derive(Deserialize)]
struct Envelope {
    v: u32,
    seq: Seq,
    ts: i64,
    kind: String,
}

/// Reads a whole log of `len` bytes.
pub(super) fn read(file: &dyn DiskFile, len: u64, thorough: bool) -> io::Result<Read> {
    let mut read = Read {
        thorough,
        ..Read::default()
    };
    let mut pieces = Pieces::new(file, 0, len);
    while let Some(piece) = pieces.next()? {
        read.piece(&piece);
    }
    let last = read_range(file, len.saturating_sub(1), len)?;
    read.ends_open = !matches!(last.as_slice(), [] | [b'\n']);
    read.found.damage.sort_by_key(|d| d.at);
    Ok(read)
}

impl Read {
    fn piece(&mut self, piece: &Piece<'_>) {
        match &piece.body {
            Body::Nul => self.found.add(piece.at, piece.len, "nul"),
            Body::Long { head, .. } => {
                if let Some((seq, ..)) = line::decode_start(head).filter(|s| s.0 >= self.next) {
                    self.found.add_gap(self.next, seq);
                    self.next = seq + 1;
                }
                self.found.add(piece.at, piece.len, "long");
            }
            Body::Text(text) => {
                let text = text.strip_suffix(b"\r").unwrap_or(text);
                match decode(text) {
                    Some(entry) => self.whole(entry, piece.at, text),
                    None => self.salvage(piece, text),
                }
            }
        }
    }

    /// A line that is a deed and nothing else.
    fn whole(&mut self, (entry, why): (Entry, Option<&'static str>), at: u64, text: &[u8]) {
        let len = text.len() as u64;
        if entry.seq < self.next {
            let first = self.entries.iter().find(|e| e.seq == entry.seq);
            let same = first == Some(&entry);
            let why = if same { "repeated" } else { "conflict" };
            return self.found.add(at, len, why);
        }
        self.found.add_gap(self.next, entry.seq);
        self.take(entry, why, (at, len));
    }

    fn take(&mut self, entry: Entry, why: Option<&'static str>, (at, len): (u64, u64)) {
        if let Some(why) = why {
            self.found.add(at, len, why);
        }
        if let (Act::Recovered { damage, missing }, false) = (&entry.act, self.thorough) {
            self.found.known(damage, missing);
        }
        self.next = entry.seq + 1;
        self.entries.push(entry);
    }

    /// A line that is not one deed: takes each in it that begins with the mark, is whole, and has the number that is
    /// expected.
    fn salvage(&mut self, piece: &Piece<'_>, text: &[u8]) {
        let mut splices = Splices::of(text, piece.end);
        while let Some(splice) = splices.next(|bytes, _| self.deed(bytes)) {
            let at = piece.at + splice.event_at() as u64;
            self.found
                .add_fragment(piece.at + splice.at as u64, splice.fragment, splice.why);
            if let Some(((entry, why), bytes)) = splice.event {
                self.take(entry, why, (at, bytes.len() as u64));
            }
        }
    }

    fn deed(&self, bytes: &[u8]) -> Option<Decoded> {
        decode(bytes).filter(|(entry, _)| entry.seq == self.next)
    }
}

/// A deed, and what is wrong with its line.
type Decoded = (Entry, Option<&'static str>);

fn decode(bytes: &[u8]) -> Option<Decoded> {
    let text = mend(bytes);
    let Envelope { v, seq, ts, kind } = serde_json::from_str(&text).ok()?;
    if v < VERSION || seq >= SEQ_END {
        return None;
    }
    let unknown = || Act::Unknown { name: kind.clone() };
    let (act, why) = if v > VERSION {
        (unknown(), Some("version"))
    } else {
        match serde_json::from_str(&text) {
            Ok(act) => (act, None),
            Err(e) if e.to_string().starts_with("unknown variant") => (unknown(), None),
            Err(_) => (unknown(), Some("kind")),
        }
    };
    Some((Entry { seq, ts, act }, why))
}
