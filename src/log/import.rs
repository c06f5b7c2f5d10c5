//! Makes logs of what another program has written: events with the times they had there, as many as there are.
//!
//! Nobody writes such a log on when this returns: it lies as one that was closed.

use crate::domain::event::{Kind, Seq};
use crate::domain::{CollectionId, SessionId};

use super::create::Making;
use super::fork::Variant;
use super::store::{Area, Store};
use super::{LogError, Tried, blobs, disk};

/// Lines that are held before they are written.
const HELD: usize = 1024 * 1024;

/// A log while it is filled.
pub struct Inlet<'a, 'b> {
    into: Into<'a, 'b>,
    /// Times never go back within a log.
    newest: i64,
}

/// Where events go.
enum Into<'a, 'b> {
    Log(&'a mut Making<'b>),
    /// Nowhere: the number of the next one is all that is kept.
    Nowhere(Seq),
}

/// Fills a log; what it gives back as an error takes the log back.
pub(super) type Fill<'f> = &'f mut dyn FnMut(&mut Inlet<'_, '_>) -> Result<(), LogError>;

impl<'a, 'b> Inlet<'a, 'b> {
    pub(super) fn new(making: &'a mut Making<'b>) -> Self {
        Self {
            into: Into::Log(making),
            newest: 0,
        }
    }

    /// Writes nothing, and says where everything would be: `next` is the number of the first event.
    pub fn nowhere(next: Seq) -> Self {
        Self {
            into: Into::Nowhere(next),
            newest: 0,
        }
    }

    /// Puts in what happened at a time, milliseconds since 1970. Texts over 64 KiB become blobs, pieces of a stream
    /// several lines. Gives the number of its newest event.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn push(&mut self, ts: i64, kind: Kind) -> Result<Seq, LogError> {
        self.newest = self.newest.max(ts);
        for kind in blobs::split_long(kind) {
            match &mut self.into {
                Into::Log(making) => making.push_at(self.newest, kind)?,
                Into::Nowhere(next) => *next += 1,
            }
        }
        if let Into::Log(making) = &mut self.into {
            if making.held() > HELD {
                making.flush()?;
            }
            // Whoever opens the log reads it: nobody is told of these.
            making.events.clear();
        }
        Ok(self.next().saturating_sub(1))
    }

    /// Number of the next event.
    pub fn next(&self) -> Seq {
        match &self.into {
            Into::Log(making) => making.next,
            Into::Nowhere(next) => *next,
        }
    }
}

impl Store {
    /// Makes a session's log of what `fill` puts into it. All is durable when this returns; when it fails, there is no
    /// session.
    ///
    /// # Errors
    /// When the session exists, the disk refuses, or `fill` does.
    pub fn import(
        &self,
        id: SessionId,
        collection: &CollectionId,
        fill: Fill<'_>,
    ) -> Result<(), LogError> {
        let spot = self.spot(Area::Sessions, collection, id);
        let all = |making: &mut Making<'_>| fill(&mut Inlet::new(making));
        self.build(&spot, all).map(drop)
    }

    /// Makes a variant's log as [`Store::fork`] does, as of event `at`, and goes on with what `fill` puts into it.
    ///
    /// # Errors
    /// As there.
    pub fn import_variant(
        &self,
        parent: SessionId,
        at: Seq,
        variant: Variant,
        ts: i64,
        fill: Fill<'_>,
    ) -> Result<(), LogError> {
        let ready = self.branch(parent, Some(at))?;
        let spot = self.spot(Area::Sessions, &variant.collection, variant.id);
        let all = |making: &mut Making<'_>| {
            ready.begin(self, &spot, variant, making, Some(ts))?;
            fill(&mut Inlet::new(making))
        };
        self.build(&spot, all).map(drop)
    }
}

impl Making<'_> {
    /// Bytes that are still to be written.
    fn held(&self) -> usize {
        self.lines.len()
    }

    /// Writes what is held.
    fn flush(&mut self) -> Result<(), LogError> {
        let lines = std::mem::take(&mut self.lines);
        disk::append_all(&*self.file, &lines).tried("write", &self.path())
    }
}
