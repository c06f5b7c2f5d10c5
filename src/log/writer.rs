//! Opens a log for writing, and the handle by which events are given to its pen.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread::JoinHandle;

use serde::{Deserialize, Serialize};

use crate::domain::event::Kind;
use crate::domain::{Head, SessionId};

use super::disk::{self, Disk, Lock, NEW, Open};
use super::pen::{Bell, Desk, Entry, Mark, Msg, Pen, Rest, Sink, Start};
use super::scan::Scan;
use super::store::{Area, Spot, Store};
use super::{LogError, Tried, blobs, clip::clip};

/// What an entry holds in memory beside its text, about.
const ENTRY_WEIGHT: u64 = 128;

/// What to do with a log that may only be read for what it holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnDamage {
    /// Leave it.
    Refuse,
    /// List what was found in `recovered`, and go on: the writer has agreed.
    Accept,
}

/// The one writer of a log, for as long as it lives: the holder of its lock.
///
/// What it is given is on its way when a call returns, not on disk: the sink says when an event is in the log, a mark or
/// [`Writer::flush`] when all is. What the disk refuses is kept in order and tried again; no call fails for it.
///
/// Dropping it writes and syncs what is left, and lets go of the lock.
pub struct Writer {
    to: Sender<Msg>,
    pending: Arc<AtomicU64>,
    clock: Arc<dyn Fn() -> i64 + Send + Sync>,
    bell: Arc<Bell>,
    pen: Option<JoinHandle<()>>,
}

/// What a lock file says, as information only.
#[derive(Serialize, Deserialize)]
struct Holder {
    pid: u32,
    host: String,
    since: i64,
}

impl Store {
    /// Takes a log for writing: lock, full scan, then `recovered` when something was found, and
    /// `opened`, both sealed off from a torn tail. Gives the writer and the head as it was found.
    /// A turn that is open in it stays open: the caller closes it.
    pub fn writer(
        &self,
        id: SessionId,
        on_damage: OnDamage,
        sink: Sink,
    ) -> Result<(Writer, Head), LogError> {
        let spot = self.find(id)?;
        let read_only = |why: &str| LogError::ReadOnly {
            id,
            why: why.to_owned(),
        };
        if spot.area == Area::Trash {
            return Err(read_only("it is in the trash. Restore it first."));
        }
        self.reunite(&spot)?;
        let folder = spot.blobs();
        disk::ensure_dir(&*self.rig.disk, &folder).tried("make", &folder)?;
        let lock = self.lock(&spot)?;
        self.sweep_blobs(&spot);
        let (start, scan, head) = self.scan(&spot, lock)?;
        if head.id.is_some_and(|named| named != id) {
            return Err(read_only(
                "it is a copy of another session's log, made by hand.",
            ));
        }
        if let (Some(why), OnDamage::Refuse) = (scan.found.read_only(), on_damage) {
            return Err(read_only(why));
        }
        let writer = Writer::start(self, start, sink)?;
        let mut kinds = scan.found.events();
        kinds.push(opened());
        writer.append(kinds);
        Ok((writer, head))
    }

    fn scan(&self, spot: &Spot, lock: Lock) -> Result<(Start, Scan, Head), LogError> {
        let path = spot.log();
        let file = self
            .rig
            .disk
            .open(&path, Open::Append)
            .tried("open", &path)?;
        let len = file.stat().tried("look at", &path)?.len;
        if len == 0 {
            return Err(LogError::Empty(spot.id));
        }
        let (mut scan, mut head) = (Scan::default(), Head::default());
        scan.run(&*file, (0, len), &mut |found| head.apply(&found.event))
            .and_then(|()| scan.settle(&*file, len))
            .tried("read", &path)?;
        let last = disk::read_range(&*file, len - 1, len).tried("read", &path)?;
        let start = Start {
            file,
            lock,
            blobs: spot.blobs(),
            spot: spot.clone(),
            len,
            next: scan.next,
            sum: scan.sum,
            ends_open: last != b"\n",
            written: Vec::new(),
        };
        Ok((start, scan, head))
    }

    /// Takes a session's lock.
    pub(super) fn lock(&self, spot: &Spot) -> Result<Lock, LogError> {
        let holder = holder((self.rig.clock)());
        let (id, path) = (spot.id, spot.lock());
        self.rig
            .disk
            .lock(&path, &holder)
            .map_err(|source| match source.kind() {
                io::ErrorKind::WouldBlock => LogError::Held {
                    id,
                    holder: holder_of(&*self.rig.disk, &spot.lock()),
                },
                io::ErrorKind::Unsupported => LogError::ReadOnly {
                    id,
                    why: "this file system has no locks. Move the workspace to one that has."
                        .into(),
                },
                io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied => {
                    LogError::ReadOnly {
                        id,
                        why: format!("its folder cannot be written ({source})."),
                    }
                }
                _ => LogError::Io {
                    what: "lock",
                    path,
                    source,
                },
            })
    }

    /// Removes blobs that a crash left half written, under names nobody reads.
    fn sweep_blobs(&self, spot: &Spot) {
        let blobs = spot.blobs();
        for name in self.rig.disk.list(&blobs).unwrap_or_default() {
            if name.starts_with(NEW) {
                let _left = self.rig.disk.remove(&blobs.join(name));
            }
        }
    }
}

impl Writer {
    pub(super) fn start(store: &Store, start: Start, sink: Sink) -> Result<Self, LogError> {
        let path = start.blobs.clone();
        let syncer = store.syncer().tried("start a thread for", &path)?;
        let pending = Arc::new(AtomicU64::new(0));
        let (to, from) = mpsc::channel();
        let rest = Rest::default();
        let bell = rest.bell();
        let desk = Desk {
            rest,
            store: store.clone(),
            syncer,
            back: to.clone(),
        };
        let pen = Pen::start(desk, start, sink, Arc::clone(&pending), from);
        let pen = pen.tried("start a thread for", &path)?;
        Ok(Self {
            to,
            pending,
            clock: Arc::clone(&store.rig.clock),
            bell,
            pen: Some(pen),
        })
    }

    /// Gives events to be written, in this order. Returns at once; the sink is told when each is
    /// in the log. Texts over 64 KiB become blobs, one-line fields over 4 KiB are cut, `turn.finished` gets its count and checksum.
    pub fn append(&self, kinds: Vec<Kind>) {
        // What an unknown line held is not known: it cannot be written again.
        let known = |kind: &Kind| !matches!(kind, Kind::Unknown { .. });
        let kinds = kinds.into_iter().filter(known).flat_map(blobs::split_long);
        self.put(kinds.map(|kind| self.entry(kind)).collect());
    }

    /// Gives a `draft.saved` and the text of that version: the blob is durable before the line is
    /// written. Hash and bytes in the event are filled in.
    pub fn append_with_blob(&self, text: Vec<u8>, kind: Kind) {
        let mut entry = self.entry(kind);
        entry.weight += text.len() as u64;
        entry.blobs.push(text);
        self.put(vec![entry]);
    }

    /// Asks to be told, by [`Written::Reached`](super::Written::Reached), when everything given so far is in the log.
    pub fn mark(&self, mark: u64) {
        self.tell_of(mark, false);
    }

    /// The same, and durable: a power cut takes none of it away. What comes behind it waits for that.
    pub fn mark_durable(&self, mark: u64) {
        self.tell_of(mark, true);
    }

    fn tell_of(&self, no: u64, durable: bool) {
        self.say(Msg::Mark(Mark { no, durable }));
    }

    /// Bytes given and not yet in the log: what the disk's refusal costs in memory.
    pub fn pending_bytes(&self) -> u64 {
        self.pending.load(Ordering::Acquire)
    }

    /// The same, to be looked at by whoever asks later.
    pub fn pending(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.pending)
    }

    /// Waits until all that was given is durable; false when the disk refuses.
    pub fn flush(&self) -> bool {
        let (reply, done) = mpsc::channel();
        self.say(Msg::Flush(reply));
        done.recv().unwrap_or(false)
    }

    fn entry(&self, kind: Kind) -> Entry {
        let mut kind = clip(kind);
        Entry {
            weight: ENTRY_WEIGHT + blobs::weight(&mut kind),
            kind,
            ts: (self.clock)(),
            blobs: Vec::new(),
        }
    }

    fn put(&self, entries: Vec<Entry>) {
        let weight = entries.iter().map(|e| e.weight).sum();
        self.pending.fetch_add(weight, Ordering::AcqRel);
        self.say(Msg::Put(entries));
    }

    /// Tells the pen. Pieces of a stream do not end its rest.
    fn say(&self, msg: Msg) {
        let waits = msg.can_wait();
        // The pen lives as long as this handle; it ends on `Close` alone.
        let _sent = self.to.send(msg);
        if let (false, Some(pen)) = (waits, &self.pen) {
            self.bell.ring(pen.thread());
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.say(Msg::Close);
        if let Some(pen) = self.pen.take() {
            // A sink that panicked has been told enough.
            let _panic = pen.join();
        }
    }
}

/// What this process writes into a lock that it holds.
pub(super) fn holder(since: i64) -> String {
    let holder = Holder {
        pid: std::process::id(),
        host: host(),
        since,
    };
    serde_json::to_string(&holder).unwrap_or_default()
}

/// Who holds a lock, as its file says.
pub(super) fn holder_of(disk: &dyn Disk, lock: &Path) -> String {
    let said = blobs::get(disk, lock).unwrap_or_default();
    match serde_json::from_slice::<Holder>(&said) {
        Ok(h) if h.pid == std::process::id() => "this process already".to_owned(),
        Ok(h) => format!("process {} on {}", h.pid, h.host),
        Err(_) => "another process".to_owned(),
    }
}

/// Says who writes from here on.
pub(super) fn opened() -> Kind {
    Kind::Opened {
        pid: std::process::id(),
        host: host(),
        app: env!("CARGO_PKG_VERSION").to_owned(),
    }
}

fn host() -> String {
    rustix::system::uname()
        .nodename()
        .to_string_lossy()
        .into_owned()
}
