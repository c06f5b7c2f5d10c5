//! The hand that writes: one thread for each open log, so that nobody waits for the disk.
//!
//! An event is shown (handed to the sink) after its `write()` has returned, never before. What
//! the disk refuses is kept, in order, and tried again.

mod place;
mod recent;
mod rest;

use std::borrow::Cow;
use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::Instant;

use crate::domain::event::{DraftProposed, Event, Kind, Seq};

use self::place::{Place, dirty};
pub(super) use self::rest::{Bell, Rest};
use super::disk::{DiskFile, Lock};
use super::store::{Spot, Store};
use super::sum::{Sum, carry, count};
use super::sync::{Dirty, Hurry, Syncer};
use super::{LogError, Tried, blobs, line};

/// What a writer tells, in the order of the log.
#[derive(Clone, PartialEq, Debug)]
pub enum Written {
    /// This event is in the log.
    Event(Arc<Event>),
    /// The disk refuses to take what comes next, which is kept in memory and tried again; or the log is
    /// no longer in its place, and goes on elsewhere. Each is said once, until all is well again.
    Trouble(String),
    /// All that was kept is in the log, and the log in its place.
    Fine,
    /// Everything given before this mark is in the log, and durable where that was asked for.
    Reached(u64),
}

/// Who is told. Called on the writer's thread; it must not wait for that writer.
pub type Sink = Box<dyn FnMut(Written) + Send>;

/// Where a pen begins.
pub(super) struct Start {
    pub(super) file: Arc<dyn DiskFile>,
    /// Held, not read: let go when the pen ends.
    pub(super) lock: Lock,
    /// Where the log belongs.
    pub(super) spot: Spot,
    /// Where its blobs are put.
    pub(super) blobs: PathBuf,
    /// Bytes known to be in the file.
    pub(super) len: u64,
    /// Number of the next event.
    pub(super) next: Seq,
    pub(super) sum: Option<Sum>,
    /// The file does not end with a newline.
    pub(super) ends_open: bool,
    /// In the log already, to be shown first.
    pub(super) written: Vec<Event>,
}

/// An event that is to be written.
pub(super) struct Entry {
    pub(super) kind: Kind,
    pub(super) ts: i64,
    /// Texts it names, not yet durable.
    pub(super) blobs: Vec<Vec<u8>>,
    /// Bytes it holds in memory, about.
    pub(super) weight: u64,
}

/// A point behind what was given so far, which is told of when that is in the log.
pub(super) struct Mark {
    pub(super) no: u64,
    /// Whether it has to be durable as well.
    pub(super) durable: bool,
}

pub(super) enum Msg {
    Put(Vec<Entry>),
    Mark(Mark),
    /// A sync of the n-th file that this pen has written has ended.
    Synced {
        file: u64,
        done: io::Result<()>,
    },
    Flush(Sender<bool>),
    Close,
}

impl Msg {
    /// Whether it holds pieces of a stream alone.
    pub(super) fn can_wait(&self) -> bool {
        matches!(self, Self::Put(entries) if entries.iter().all(|entry| entry.kind.is_piece()))
    }
}

/// What a pen has at hand.
pub(super) struct Desk {
    pub(super) store: Store,
    pub(super) syncer: Syncer,
    /// The pen's own mailbox.
    pub(super) back: Sender<Msg>,
    pub(super) rest: Rest,
}

pub(super) struct Pen {
    desk: Desk,
    sink: Sink,
    pending: Arc<AtomicU64>,
    at: Start,
    dirty: Arc<Dirty>,
    queue: VecDeque<Entry>,
    /// How many entries must have left the queue for each mark to be reached.
    marks: VecDeque<(u64, Mark)>,
    /// How many have.
    done: u64,
    /// The line of the first in the queue, once made: a retry must write the same one.
    line: Option<(Event, Vec<u8>)>,
    /// When to try again.
    trouble: Option<Instant>,
    /// Bytes may be lost that were taken for written: nothing may follow them.
    broken: bool,
    place: Place,
}

impl Pen {
    /// Starts the thread of a pen. It ends on `Close`.
    pub(super) fn start(
        desk: Desk,
        at: Start,
        sink: Sink,
        pending: Arc<AtomicU64>,
        from: Receiver<Msg>,
    ) -> io::Result<std::thread::JoinHandle<()>> {
        let pen = Self {
            place: Place::new(&desk.store, &at),
            dirty: dirty(&at.file, 0, &desk.back),
            desk,
            sink,
            pending,
            at,
            queue: VecDeque::new(),
            marks: VecDeque::new(),
            done: 0,
            line: None,
            trouble: None,
            broken: false,
        };
        let thread = std::thread::Builder::new().name("log-pen".to_owned());
        thread.spawn(move || pen.run(&from))
    }

    fn run(mut self, from: &Receiver<Msg>) {
        for event in std::mem::take(&mut self.at.written) {
            (self.sink)(Written::Event(Arc::new(event)));
        }
        loop {
            let msg = self.next(from);
            self.desk.rest.due = msg.as_ref().is_ok_and(Msg::can_wait);
            match msg {
                Ok(Msg::Put(entries)) => {
                    self.queue.extend(entries);
                    if self.trouble.is_none() {
                        self.drain();
                    }
                }
                Ok(Msg::Mark(mark)) => {
                    let at = self.done + self.queue.len() as u64;
                    self.marks.push_back((at, mark));
                    self.reach();
                }
                Ok(Msg::Synced { file, done }) => self.synced(file, done),
                Ok(Msg::Flush(reply)) => {
                    // Whoever asked may have stopped waiting.
                    let _gone = reply.send(self.flush());
                }
                Err(RecvTimeoutError::Timeout) => {
                    if !self.place.is_home() {
                        self.look();
                    }
                    self.drain();
                }
                Ok(Msg::Close) | Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        self.close();
    }

    /// What is asked next. Between pieces of a stream it is looked for at rests.
    fn next(&mut self, from: &Receiver<Msg>) -> Result<Msg, RecvTimeoutError> {
        if self.desk.rest.due {
            if let Ok(msg) = from.try_recv() {
                return Ok(msg);
            }
            self.desk.rest.take();
        }
        let retry = self.trouble.filter(|_| !self.broken);
        match retry.into_iter().chain(self.place.again()).min() {
            Some(when) => from.recv_timeout(when.saturating_duration_since(Instant::now())),
            None => from.recv().map_err(|_| RecvTimeoutError::Disconnected),
        }
    }

    /// Writes what waits, until the disk refuses.
    fn drain(&mut self) {
        while !self.queue.is_empty() && !self.broken && self.place.takes() {
            if let Err(e) = self.write_first() {
                // Its folder may be gone.
                if self.look() {
                    continue;
                }
                if self.trouble.is_none() {
                    // The reason first: a path can be long, and a window narrow.
                    let said = format!(
                        "{}: nothing more can be saved now. What comes is kept in memory and tried again. {e}",
                        e.reason()
                    );
                    (self.sink)(Written::Trouble(said));
                }
                self.trouble = Some(Instant::now() + self.desk.store.rig.retry);
                return;
            }
            if self.place.is_due() {
                self.look();
            }
        }
        if !self.broken && self.trouble.take().is_some() && self.place.is_home() {
            (self.sink)(Written::Fine);
        }
    }

    fn write_first(&mut self) -> Result<(), LogError> {
        let Some(entry) = self.queue.front_mut() else {
            return Ok(());
        };
        // Here, not where it was given: hashing a large text takes a while.
        entry
            .blobs
            .extend(blobs::take_long(&mut entry.kind).map(String::into_bytes));
        while let Some(text) = entry.blobs.last() {
            let name = blobs::put(&*self.desk.store.rig.disk, &self.at.blobs, text)?;
            let text = entry.blobs.pop();
            let named = match &mut entry.kind {
                Kind::DraftSaved { sha256, bytes, .. }
                | Kind::DraftProposed(DraftProposed { sha256, bytes, .. }) => Some((sha256, bytes)),
                _ => None,
            };
            if let (Some((sha256, bytes)), Some(text)) = (named, text) {
                (*sha256, *bytes) = (name, text.len() as u64);
                self.place.keep(text);
            }
        }
        let made = match self.line.take() {
            Some(made) => Ok(made),
            None => make_line(entry, self.at.next, self.at.sum),
        };
        let (event, line) = made.tried("write", &self.at.blobs)?;
        if let Err(e) = self.put(&line) {
            self.line = Some((event, line));
            return Err(e).tried("write the log beside", &self.at.blobs);
        }
        let raw = line.strip_suffix(b"\n").unwrap_or(&line);
        carry(&mut self.at.sum, &event.kind, |sum| sum.line(raw));
        self.at.next += 1;
        self.show(event);
        Ok(())
    }

    /// One line, one `write()`; the rest of a short one follows. A fragment left by an earlier
    /// try is sealed by a newline first. A line that lacks only its newline is written.
    fn put(&mut self, line: &[u8]) -> io::Result<()> {
        let bytes = if self.at.ends_open {
            Cow::Owned([b"\n", line].concat())
        } else {
            Cow::Borrowed(line)
        };
        let mut rest = &*bytes;
        let done = loop {
            match self.at.file.append(rest) {
                Ok(0) if !rest.is_empty() => break Err(io::ErrorKind::WriteZero.into()),
                Ok(n) => {
                    let (taken, left) = rest.split_at(n.min(rest.len()));
                    rest = left;
                    self.at.len += taken.len() as u64;
                    self.place.wrote(taken);
                    self.at.ends_open = taken.last().map_or(self.at.ends_open, |b| *b != b'\n');
                    if rest.is_empty() {
                        break Ok(());
                    }
                }
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => break Err(e),
            }
        };
        if rest == b"\n" { Ok(()) } else { done }
    }

    fn show(&mut self, event: Event) {
        if let Some(entry) = self.queue.pop_front() {
            self.pending.fetch_sub(entry.weight, Ordering::AcqRel);
        }
        let hurry = if event.kind.is_edge() {
            Hurry::Now
        } else {
            Hurry::Soon
        };
        self.desk.syncer.mark(&self.dirty, hurry);
        (self.sink)(Written::Event(Arc::new(event)));
        self.done += 1;
        self.reach();
    }

    /// Tells of the marks that everything before has been written, and is durable where that is wanted: this thread
    /// is the log's own, so nobody else waits for its disk.
    fn reach(&mut self) {
        while let Some((_, mark)) = self.marks.front().filter(|(at, _)| *at <= self.done) {
            let (no, durable) = (mark.no, mark.durable);
            if durable {
                self.sync();
            }
            if durable && self.broken {
                // Its trouble is told; the mark is never reached.
                return;
            }
            self.marks.pop_front();
            (self.sink)(Written::Reached(no));
        }
    }

    fn fail_sync(&mut self, e: &io::Error) {
        if !std::mem::replace(&mut self.broken, true) {
            (self.sink)(Written::Trouble(format!(
                "The disk failed to keep what was written ({e}). This session can only be read until it is opened again."
            )));
        }
    }

    /// Writes and syncs what there is; whether all of it is durable.
    fn flush(&mut self) -> bool {
        self.drain();
        if self.broken {
            return false;
        }
        self.sync();
        if self.look() {
            self.drain();
            self.sync();
        }
        self.queue.is_empty() && !self.broken && self.place.is_kept()
    }

    fn sync(&mut self) {
        if let Err(e) = self.at.file.sync() {
            self.fail_sync(&e);
        }
    }
}

/// The event and line of an entry.
fn make_line(entry: &Entry, seq: Seq, sum: Option<Sum>) -> io::Result<(Event, Vec<u8>)> {
    let mut event = Event {
        seq,
        ts: entry.ts,
        kind: entry.kind.clone(),
    };
    count(&mut event.kind, sum);
    let line = line::encode(&event)?;
    Ok((event, line))
}
