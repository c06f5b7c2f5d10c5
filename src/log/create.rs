//! Makes a session: it exists from the rename of its log, with all its log names.

use std::sync::Arc;

use crate::domain::event::{Event, Kind, Seq};
use crate::domain::{CollectionId, SessionId};

use super::clip::clip;
use super::disk::{self, DiskFile, Lock, NEW, Open};
use super::pen::{Sink, Start};
use super::store::{Area, Spot, Store};
use super::sum::{Sum, carry, count};
use super::writer::{Writer, opened};
use super::{LogError, Tried, blobs, line};

impl Store {
    /// Makes a session's log with its first events, and gives the writer of it. `blobs` are the
    /// texts that `draft.saved` events among them name. All is durable when this returns; when it
    /// fails, there is no session. The sink is told of the first events too, then of `opened`.
    pub fn create(
        &self,
        id: SessionId,
        collection: &CollectionId,
        first: Vec<Kind>,
        blobs: &[Vec<u8>],
        sink: Sink,
    ) -> Result<Writer, LogError> {
        let spot = self.spot(Area::Sessions, collection, id);
        let fill = |making: &mut Making<'_>| {
            for text in blobs {
                blobs::put(&*self.rig.disk, &spot.blobs(), text)?;
            }
            let first = first.into_iter().flat_map(blobs::split_long);
            first.into_iter().try_for_each(|kind| making.push(kind))
        };
        self.make(&spot, fill, sink)
    }

    /// Makes a session's log of what `fill` puts into it. All is durable when this returns; when it
    /// fails, there is no session.
    pub(super) fn make(
        &self,
        spot: &Spot,
        fill: impl FnOnce(&mut Making<'_>) -> Result<(), LogError>,
        sink: Sink,
    ) -> Result<Writer, LogError> {
        let (made, lock) = self.build(spot, fill)?;
        let len = made.file.stat().tried("look at", &spot.log())?.len;
        let start = Start {
            file: made.file,
            lock,
            blobs: spot.blobs(),
            len,
            spot: spot.clone(),
            next: made.next,
            sum: made.sum,
            ends_open: false,
            written: made.events,
        };
        let writer = Writer::start(self, start, sink)?;
        writer.append(vec![opened()]);
        Ok(writer)
    }

    /// The same, without a writer: gives what was made, and its lock.
    pub(super) fn build<'a>(
        &'a self,
        spot: &'a Spot,
        fill: impl FnOnce(&mut Making<'_>) -> Result<(), LogError>,
    ) -> Result<(Making<'a>, Lock), LogError> {
        if self.find(spot.id).is_ok() {
            return Err(LogError::Exists(spot.id));
        }
        let folder = spot.blobs();
        let ready = disk::ensure_dir(&*self.rig.disk, &folder).tried("make", &folder);
        let lock = ready.and_then(|()| self.lock(spot));
        let lock = lock.inspect_err(|_| self.unmake_hollow(spot))?;
        let made = Making::begin(self, spot).and_then(|mut making| {
            fill(&mut making)?;
            making.name()?;
            Ok(making)
        });
        Ok((made.inspect_err(|_| self.unmake(spot))?, lock))
    }

    /// Takes back a folder that could not be made whole, as on a full disk. What another one holds stays.
    fn unmake_hollow(&self, spot: &Spot) {
        let disk = &*self.rig.disk;
        if self.is_hollow(spot) && (disk.stat(&spot.lock()).is_err() || self.lock(spot).is_ok()) {
            let _left = disk.remove(&spot.folder());
        }
    }

    /// Takes back what a failed creation has made. What cannot be removed is swept later.
    fn unmake(&self, spot: &Spot) {
        for path in [spot.log(), spot.folder(), new_log(spot)] {
            let _left = self.rig.disk.remove(&path);
        }
    }
}

/// A log while it is made, under a name that nobody reads.
pub(super) struct Making<'a> {
    store: &'a Store,
    spot: &'a Spot,
    pub(super) file: Arc<dyn DiskFile>,
    /// Number of the next event.
    pub(super) next: Seq,
    /// Of the turn that is open in it.
    pub(super) sum: Option<Sum>,
    /// Lines that are still to be written.
    pub(super) lines: Vec<u8>,
    /// The events that were put into it.
    pub(super) events: Vec<Event>,
}

impl<'a> Making<'a> {
    fn begin(store: &'a Store, spot: &'a Spot) -> Result<Self, LogError> {
        let new = new_log(spot);
        // Made before the blobs: whoever finds it after a crash knows that all of it may go.
        let disk = &*store.rig.disk;
        let file = disk.open(&new, Open::New).tried("make", &new)?;
        disk.sync_dir(&spot.dir).tried("sync", &spot.dir)?;
        Ok(Self {
            store,
            spot,
            file,
            next: 0,
            sum: None,
            lines: Vec::new(),
            events: Vec::new(),
        })
    }

    /// Puts in what happens now; a text that is too long for a line becomes a blob.
    pub(super) fn push(&mut self, kind: Kind) -> Result<(), LogError> {
        self.push_at((self.store.rig.clock)(), kind)
    }

    /// The name it has meanwhile.
    pub(super) fn path(&self) -> std::path::PathBuf {
        new_log(self.spot)
    }

    /// The same with what happened at a time.
    pub(super) fn push_at(&mut self, ts: i64, kind: Kind) -> Result<(), LogError> {
        let (disk, new) = (&*self.store.rig.disk, new_log(self.spot));
        let mut kind = clip(kind);
        if let Some(text) = blobs::take_long(&mut kind) {
            blobs::put(disk, &self.spot.blobs(), text.as_bytes())?;
        }
        count(&mut kind, self.sum);
        let seq = self.next;
        let event = Event { seq, ts, kind };
        let line = line::encode(&event)
            .map_err(Into::into)
            .tried("write", &new)?;
        carry(&mut self.sum, &event.kind, |sum: &mut Sum| {
            sum.line(line.trim_ascii_end());
        });
        self.lines.extend(line);
        self.events.push(event);
        self.next += 1;
        Ok(())
    }

    /// Makes it durable, and gives it the name it is read by.
    fn name(&self) -> Result<(), LogError> {
        let (disk, spot, new) = (&*self.store.rig.disk, self.spot, new_log(self.spot));
        disk::append_all(&*self.file, &self.lines).tried("write", &new)?;
        self.file.sync().tried("sync", &new)?;
        disk.sync_dir(&spot.folder())
            .tried("sync", &spot.folder())?;
        disk.rename(&new, &spot.log()).tried("name", &spot.log())?;
        disk.sync_dir(&spot.dir).tried("sync", &spot.dir)
    }
}

/// Name of a log that is being made.
pub(super) fn new_log(spot: &Spot) -> std::path::PathBuf {
    spot.dir.join(format!("{NEW}{}.jsonl", spot.id))
}
