//! Tells events from damage: the recovery table of `docs/format.md`, one line at a time.
//!
//! A scan never stops at damage and never holds more than one line. It is what every reader and
//! the writer go by, so that all of them see the same events.

use std::collections::HashMap;
use std::io;

use crc32fast::Hasher;
use serde::{Deserialize, Serialize};

use crate::domain::Head;
use crate::domain::event::{Damage, Event, Kind, Seq};

use super::disk::DiskFile;
use super::findings::Findings;
use super::line::{self, Glance, Known, Line};
use super::pieces::{Body, Piece, Pieces};
use super::splices::Splices;
use super::sum::{Sum, carry};

/// A whole event with a number that was there before.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Repeat {
    seq: Seq,
    crc: u32,
    at: u64,
    len: u64,
}

/// Where a scan has got to. What it has seen of the log's text it does not keep.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Scan {
    /// Number of the next event.
    pub(crate) next: Seq,
    /// Events so far.
    pub(crate) events: u64,
    /// What else was found.
    pub(crate) found: Findings,
    repeats: Vec<Repeat>,
    /// Of the open turn; none outside one.
    pub(crate) sum: Option<Sum>,
    extent: Extent,
    /// Whatever number the first event has is the right one.
    any: bool,
    /// Saw a number out of turn.
    pub(crate) uneven: bool,
}

/// How much a scan sees.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
enum Extent {
    /// The log from its start.
    #[default]
    Whole,
    /// The same, and known damage is listed too.
    Thorough,
    /// It began in mid-log: the first turn may be half seen.
    Part,
}

/// An event with its place in the log.
pub(crate) struct Found<'a> {
    /// The event.
    pub(crate) event: Event,
    /// Offset of its line.
    pub(crate) at: u64,
    /// Its line, without the newline; the head of it when it is too long to load.
    pub(crate) line: &'a [u8],
    /// Offset behind its line, the newline not counted.
    pub(crate) end: u64,
}

/// An event as a skim sees it.
pub(crate) enum Seen<'a> {
    /// A piece of an answer, its words not looked at; and the offset behind its line.
    Words(Glance, u64),
    /// Any other.
    Event(Found<'a>),
}

impl Seen<'_> {
    /// Its number, and the offset behind its line.
    pub(crate) fn place(&self) -> (Seq, u64) {
        match self {
            Self::Words(seen, end) => (seen.seq, *end),
            Self::Event(found) => (found.event.seq, found.end),
        }
    }

    /// Takes it into a head.
    pub(crate) fn apply(&self, head: &mut Head) {
        match self {
            Self::Words(seen, _) => head.apply_piece(seen.seq, seen.ts, Some(seen.turn)),
            Self::Event(found) => head.apply(&found.event),
        }
    }
}

/// What tells an event from another with its number. Keys that this version does not know tell
/// nothing: a resume by a later one may have written the same event again with more of them.
fn print(event: &Event, line: &[u8]) -> u32 {
    match (&event.kind, line::encode(event)) {
        (Kind::Unknown { .. }, _) | (_, Err(_)) => crc32fast::hash(line),
        (_, Ok(same)) => crc32fast::hash(&same),
    }
}

impl Scan {
    /// A scan that begins in mid-log, before event `next` where that is known.
    pub(crate) fn within(next: Option<Seq>) -> Self {
        Self {
            next: next.unwrap_or_default(),
            extent: Extent::Part,
            any: next.is_none(),
            ..Self::default()
        }
    }

    /// A scan from the start that lists known damage too.
    pub(crate) fn thorough() -> Self {
        Self {
            extent: Extent::Thorough,
            ..Self::default()
        }
    }

    /// Scans a stretch of a file that begins with a line. Each event found is handed on.
    pub(crate) fn run(
        &mut self,
        file: &dyn DiskFile,
        (from, to): (u64, u64),
        each: &mut dyn FnMut(Found<'_>),
    ) -> io::Result<()> {
        let mut pieces = Pieces::new(file, from, to);
        while let Some(piece) = pieces.next()? {
            self.piece(&piece, each);
        }
        Ok(())
    }

    /// Scans a stretch of a file into a head: words, which are most of a log, are only glanced at.
    pub(crate) fn skim(
        &mut self,
        file: &dyn DiskFile,
        (from, to): (u64, u64),
        head: &mut Head,
    ) -> io::Result<()> {
        self.skim_each(file, (from, to), &mut |seen| {
            seen.apply(head);
            true
        })
    }

    /// The same with each event handed on, until that gives back false.
    pub(crate) fn skim_each(
        &mut self,
        file: &dyn DiskFile,
        (from, to): (u64, u64),
        each: &mut dyn FnMut(Seen<'_>) -> bool,
    ) -> io::Result<()> {
        let mut pieces = Pieces::new(file, from, to);
        let mut goes_on = true;
        while goes_on && let Some(piece) = pieces.next()? {
            match self.own(&piece.body) {
                Some((seen, text)) => {
                    if let Some(sum) = &mut self.sum {
                        sum.line(text);
                    }
                    self.next += 1;
                    self.events += 1;
                    goes_on = each(Seen::Words(seen, piece.at + piece.len));
                }
                None => self.piece(&piece, &mut |found| goes_on &= each(Seen::Event(found))),
            }
        }
        Ok(())
    }

    /// A line that is a piece of an answer, the one that comes next, and nothing else.
    fn own<'a>(&self, body: &Body<'a>) -> Option<(Glance, &'a [u8])> {
        let Body::Text(text) = *body else {
            return None;
        };
        let seen = line::glance(text)?;
        (seen.seq == self.next && !self.any).then_some((seen, text))
    }

    /// Tells repeats from conflicts, by a second look at the lines they repeat. `to` is how far
    /// the scan has got.
    pub(crate) fn settle(&mut self, file: &dyn DiskFile, to: u64) -> io::Result<()> {
        if self.repeats.is_empty() {
            return Ok(());
        }
        let mut first: HashMap<Seq, Option<u32>> =
            self.repeats.iter().map(|r| (r.seq, None)).collect();
        Self::default().run(file, (0, to), &mut |found| {
            if let Some(crc) = first.get_mut(&found.event.seq) {
                *crc = Some(print(&found.event, found.line));
            }
        })?;
        for repeat in std::mem::take(&mut self.repeats) {
            let same = first.get(&repeat.seq) == Some(&Some(repeat.crc));
            let why = if same { "repeated" } else { "conflict" };
            self.damaged(repeat.at, repeat.len, why);
        }
        self.found.damage.sort_by_key(|d| d.at);
        Ok(())
    }

    fn piece(&mut self, piece: &Piece<'_>, each: &mut dyn FnMut(Found<'_>)) {
        match &piece.body {
            Body::Nul => self.damaged(piece.at, piece.len, "nul"),
            Body::Text(text) => {
                // A tool may have turned line ends into those of another system.
                let text = text.strip_suffix(b"\r").unwrap_or(text);
                match line::decode(text) {
                    Some(line) => self.whole(line, piece.at, text, each),
                    None => self.salvage(piece, text, each),
                }
            }
            Body::Long { head, last, crc } => self.long(piece, head, *last, crc, each),
        }
    }

    /// A piece that is an event and nothing else.
    fn whole(&mut self, line: Line, at: u64, text: &[u8], each: &mut dyn FnMut(Found<'_>)) {
        let seq = line.event.seq;
        if seq < self.next {
            self.uneven = true;
            self.repeats.push(Repeat {
                seq,
                crc: print(&line.event, text),
                at,
                len: text.len() as u64,
            });
        } else {
            self.skip_to(seq);
            self.accept(line, at, text, each);
        }
    }

    fn skip_to(&mut self, seq: Seq) {
        if seq > self.next && !self.any {
            self.uneven = true;
            self.found.add_gap(self.next, seq);
        }
    }

    fn accept(&mut self, line: Line, at: u64, text: &[u8], each: &mut dyn FnMut(Found<'_>)) {
        let len = text.len() as u64;
        match line.known {
            Known::Yes => {}
            Known::KindOnly => self.damaged(at, len, "kind"),
            Known::Later => self.damaged(at, len, "version"),
        }
        self.check(&line.event.kind, at, len);
        carry(&mut self.sum, &line.event.kind, |sum| sum.line(text));
        self.take(line.event, (at, at + len), text, each);
    }

    fn take(
        &mut self,
        event: Event,
        (at, end): (u64, u64),
        line: &[u8],
        each: &mut dyn FnMut(Found<'_>),
    ) {
        self.next = event.seq + 1;
        self.events += 1;
        self.any = false;
        if let Kind::Recovered { damage, missing } = &event.kind {
            self.known(damage, missing);
        }
        let found = Found {
            event,
            at,
            line,
            end,
        };
        each(found);
    }

    /// Compares what `turn.finished` says of its turn with what was read.
    fn check(&mut self, kind: &Kind, at: u64, len: u64) {
        let Kind::TurnFinished { events, crc32, .. } = kind else {
            return;
        };
        let half_seen = self.extent == Extent::Part && self.sum.is_none();
        let (read, crc) = self.sum.unwrap_or_default().figures();
        if !half_seen && (*events, crc32.as_str()) != (read, &crc) {
            self.damaged(at, len, "checksum");
        }
    }

    /// What a `recovered` line lists is known from there on.
    fn known(&mut self, damage: &[Damage], missing: &[(Seq, Seq)]) {
        if self.extent == Extent::Thorough {
            return;
        }
        let listed = self.found.known(damage, missing);
        self.repeats.retain(|r| !listed.contains(&(r.at, r.len)));
    }

    fn long(
        &mut self,
        piece: &Piece<'_>,
        head: &[u8],
        last: u8,
        crc: &Hasher,
        each: &mut dyn FnMut(Found<'_>),
    ) {
        match line::decode_start(head) {
            Some((seq, ts, name)) if last == b'}' && seq >= self.next => {
                self.skip_to(seq);
                self.damaged(piece.at, piece.len, "long");
                let name = format!("{name} ({} MiB)", piece.len / (1024 * 1024));
                let kind = Kind::Unknown { name };
                carry(&mut self.sum, &kind, |sum| sum.long(crc));
                let place = (piece.at, piece.at + piece.len);
                self.take(Event { seq, ts, kind }, place, head, each);
            }
            Some(_) => self.damaged(piece.at, piece.len, "torn"),
            None => self.damaged(piece.at, piece.len, "json"),
        }
    }

    /// A piece that is not one event: takes each event in it that begins with the mark, is whole,
    /// and has exactly the number that is expected.
    fn salvage(&mut self, piece: &Piece<'_>, text: &[u8], each: &mut dyn FnMut(Found<'_>)) {
        let mut splices = Splices::of(text, piece.end);
        while let Some(splice) = splices.next(|bytes, first| self.event(bytes, first)) {
            let at = piece.at + splice.event_at() as u64;
            self.found
                .add_fragment(piece.at + splice.at as u64, splice.fragment, splice.why);
            if let Some((line, bytes)) = splice.event {
                self.skip_to(line.event.seq);
                self.accept(line, at, bytes, each);
            }
        }
    }

    fn event(&self, bytes: &[u8], first: bool) -> Option<Line> {
        let line = line::decode(bytes)?;
        let seq = line.event.seq;
        let fits = seq == self.next || (first && seq > self.next) || self.any;
        fits.then_some(line)
    }

    fn damaged(&mut self, at: u64, len: u64, why: &str) {
        self.found.add(at, len, why);
    }
}
