//! Makes a session: it exists from the rename of its log, with all its log names.

use std::sync::Arc;

use crate::domain::event::{Event, Kind};
use crate::domain::{CollectionId, SessionId};

use super::blobs;
use super::clip::clip;
use super::disk::{self, DiskFile, NEW, Open};
use super::pen::{Sink, Start};
use super::scan::{Sum, carry};
use super::store::{Area, Spot, Store};
use super::writer::{Writer, opened};
use super::{LogError, Tried, line};

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
        if self.find(id).is_ok() {
            return Err(LogError::Exists(id));
        }
        let spot = self.spot(Area::Sessions, collection, id);
        let folder = spot.blobs();
        disk::ensure_dir(&*self.rig.disk, &folder).tried("make", &folder)?;
        let lock = self.lock(&spot)?;
        let made = self.build(&spot, first, blobs);
        let (file, written, sum) = made.inspect_err(|_| self.unmake(&spot))?;
        let len = file.stat().tried("look at", &spot.log())?.len;
        let start = Start {
            file,
            lock,
            blobs: folder,
            len,
            spot,
            next: written.len() as u64,
            sum,
            ends_open: false,
            written,
        };
        let writer = Writer::start(self, start, sink)?;
        writer.append(vec![opened()]);
        Ok(writer)
    }

    #[expect(
        clippy::type_complexity,
        reason = "the parts of one start, taken apart at once"
    )]
    fn build(
        &self,
        spot: &Spot,
        first: Vec<Kind>,
        texts: &[Vec<u8>],
    ) -> Result<(Arc<dyn DiskFile>, Vec<Event>, Option<Sum>), LogError> {
        let disk = &*self.rig.disk;
        let new = new_log(spot);
        // Made before the blobs: whoever finds it after a crash knows that all of it may go.
        let file = disk.open(&new, Open::New).tried("make", &new)?;
        for text in texts {
            blobs::put(disk, &spot.blobs(), text)?;
        }
        let (mut events, mut lines, mut sum) = (Vec::new(), Vec::new(), None);
        for (seq, kind) in (0..).zip(first.into_iter().flat_map(blobs::split_long)) {
            let mut kind = clip(kind);
            if let Some(text) = blobs::take_long(&mut kind) {
                blobs::put(disk, &spot.blobs(), text.as_bytes())?;
            }
            let ts = (self.rig.clock)();
            let event = Event { seq, ts, kind };
            let line = line::encode(&event)
                .map_err(Into::into)
                .tried("write", &new)?;
            carry(&mut sum, &event.kind, |sum: &mut Sum| {
                sum.line(line.trim_ascii_end());
            });
            lines.extend(line);
            events.push(event);
        }
        disk::append_all(&*file, &lines).tried("write", &new)?;
        file.sync().tried("sync", &new)?;
        disk.sync_dir(&spot.folder())
            .tried("sync", &spot.folder())?;
        disk.rename(&new, &spot.log()).tried("name", &spot.log())?;
        disk.sync_dir(&spot.dir).tried("sync", &spot.dir)?;
        Ok((file, events, sum))
    }

    /// Takes back what a failed creation has made. What cannot be removed is swept later.
    fn unmake(&self, spot: &Spot) {
        for path in [spot.log(), spot.folder(), new_log(spot)] {
            let _left = self.rig.disk.remove(&path);
        }
    }
}

/// Name of a log that is being made.
pub(super) fn new_log(spot: &Spot) -> std::path::PathBuf {
    spot.dir.join(format!("{NEW}{}.jsonl", spot.id))
}
