//! Where logs lie in a workspace, and how they are found.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::domain::{CollectionId, SessionId};

use super::deeds::Pens;
use super::disk::{Disk, DiskFile, Open};
use super::heads::Heads;
use super::real::RealDisk;
use super::search::Paused;
use super::sync::Syncer;
use super::{LogError, Tried, copies};

/// How long a writer waits before it tries again what the disk refused.
const RETRY: Duration = Duration::from_secs(1);
/// How long a piece of a stream may stay undurable.
const SYNC: Duration = Duration::from_millis(250);

/// What a store works with; given by tests, the machine's own by default.
pub struct Means {
    /// The disk.
    pub disk: Arc<dyn Disk>,
    /// Milliseconds since 1970.
    pub clock: Arc<dyn Fn() -> i64 + Send + Sync>,
    /// How long a writer waits before it tries again what the disk refused.
    pub retry: Duration,
    /// How long a piece of a stream may stay undurable.
    pub sync: Duration,
}

impl Default for Means {
    fn default() -> Self {
        let now = || SystemTime::now().duration_since(UNIX_EPOCH);
        Self {
            disk: Arc::new(RealDisk),
            clock: Arc::new(move || {
                now().map_or(0, |d| i64::try_from(d.as_millis()).unwrap_or(i64::MAX))
            }),
            retry: RETRY,
            sync: SYNC,
        }
    }
}

/// The logs of a workspace. Clones share everything and may be used on any thread; each call waits for the disk.
///
/// Whoever only reads takes no lock and goes on reading while a log grows. [`Store::writer`] and [`Store::create`] give
/// the one [`Writer`](super::Writer) of a log, and are refused with [`LogError::Held`] while another has it.
#[derive(Clone)]
pub struct Store {
    pub(super) rig: Arc<Rig>,
    /// Where logs go that lose their place.
    pub(super) rescue: Arc<Path>,
}

pub(super) struct Rig {
    pub(super) disk: Arc<dyn Disk>,
    pub(super) clock: Arc<dyn Fn() -> i64 + Send + Sync>,
    pub(super) retry: Duration,
    sync: Duration,
    /// `.fascicle` of the workspace.
    pub(super) root: PathBuf,
    pub(super) cache: PathBuf,
    pub(super) heads: Mutex<Heads>,
    syncer: Mutex<Option<Syncer>>,
    pens: Mutex<Pens>,
    /// Searches that pause.
    pub(super) searches: Mutex<Vec<Paused>>,
}

/// Which of the two places a log is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Area {
    Sessions,
    Trash,
}

/// The place of one log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Spot {
    pub(super) area: Area,
    pub(super) collection: CollectionId,
    pub(super) id: SessionId,
    /// The folder of logs it lies in.
    pub(super) dir: PathBuf,
}

impl Area {
    pub(super) const BOTH: [Self; 2] = [Self::Sessions, Self::Trash];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Sessions => "sessions",
            Self::Trash => "trash",
        }
    }

    pub(super) const fn other(self) -> Self {
        match self {
            Self::Sessions => Self::Trash,
            Self::Trash => Self::Sessions,
        }
    }
}

impl Spot {
    pub(super) fn log(&self) -> PathBuf {
        self.dir.join(format!("{}.jsonl", self.id))
    }

    pub(super) fn folder(&self) -> PathBuf {
        self.dir.join(self.id.to_string())
    }

    pub(super) fn blobs(&self) -> PathBuf {
        self.folder().join("blobs")
    }

    pub(super) fn lock(&self) -> PathBuf {
        self.folder().join("lock")
    }
}

impl Store {
    /// The logs below `workspace`. `cache` holds what can be made anew from them; without it, or
    /// when it cannot be written, everything works, only slower. What a crash has left half made
    /// or half moved is put right; nothing else is written.
    pub fn open(workspace: &Path, cache: &Path) -> Result<Self, LogError> {
        Self::with(workspace, cache, Means::default())
    }

    /// As [`Store::open`], with a disk, a clock and waiting times of one's own.
    pub fn with(workspace: &Path, cache: &Path, means: Means) -> Result<Self, LogError> {
        means.disk.stat(workspace).tried("open", workspace)?;
        let rig = Rig {
            disk: means.disk,
            clock: means.clock,
            retry: means.retry,
            sync: means.sync,
            root: workspace.join(".fascicle"),
            cache: cache.to_owned(),
            heads: Mutex::default(),
            syncer: Mutex::default(),
            pens: Mutex::default(),
            searches: Mutex::default(),
        };
        let name = cache.file_name().unwrap_or_default().to_string_lossy();
        let store = Self {
            rig: Arc::new(rig),
            rescue: cache.with_file_name(format!("{name}-rescued")).into(),
        };
        store.sweep();
        Ok(store)
    }

    /// Names the folder, outside the workspace, for logs that lose their place while they are written: their
    /// workspace is deleted, or another file takes its name. Nothing is made until then. By default one beside the cache.
    #[must_use]
    pub fn rescue_to(self, dir: &Path) -> Self {
        Self {
            rescue: dir.into(),
            ..self
        }
    }

    /// Every session that is not in the trash, with the collection it was made in.
    pub fn ids(&self) -> Vec<(CollectionId, SessionId)> {
        self.ids_in(Area::Sessions)
    }

    /// Whether there is a log of that session, in the trash or out of it.
    pub fn has(&self, id: SessionId) -> bool {
        self.find(id).is_ok()
    }

    /// Every session in the trash.
    pub fn trashed_ids(&self) -> Vec<(CollectionId, SessionId)> {
        self.ids_in(Area::Trash)
    }

    fn ids_in(&self, area: Area) -> Vec<(CollectionId, SessionId)> {
        let spots = self.spots(area).into_iter();
        spots.map(|s| (s.collection, s.id)).collect()
    }

    /// The places of all logs of an area, sorted.
    pub(super) fn spots(&self, area: Area) -> Vec<Spot> {
        self.spots_of(area, &self.listing(area))
    }

    /// The places of all logs among names.
    pub(super) fn spots_of(
        &self,
        area: Area,
        listing: &[(CollectionId, Vec<String>)],
    ) -> Vec<Spot> {
        let mut spots = Vec::new();
        for (collection, names) in listing {
            let ids = names.iter().filter_map(|name| copies::log_of(name));
            spots.extend(ids.map(|id| self.spot(area, collection, id)));
        }
        spots.sort_by(|a, b| (&a.collection, a.id).cmp(&(&b.collection, b.id)));
        spots
    }

    /// The names in each folder of logs.
    pub(super) fn listing(&self, area: Area) -> Vec<(CollectionId, Vec<String>)> {
        let collections = self.collections(area).into_iter();
        let named = collections.map(|c| {
            let names = self.rig.disk.list(&self.dir(area, &c));
            (c, names.unwrap_or_default())
        });
        named.collect()
    }

    /// Collections with a folder in an area.
    pub(super) fn collections(&self, area: Area) -> Vec<CollectionId> {
        let names = self.rig.disk.list(&self.rig.root.join(area.name()));
        let names = names.unwrap_or_default().into_iter();
        names.filter_map(|name| name.parse().ok()).collect()
    }

    pub(super) fn dir(&self, area: Area, collection: &CollectionId) -> PathBuf {
        self.rig.root.join(area.name()).join(collection.as_str())
    }

    pub(super) fn spot(&self, area: Area, collection: &CollectionId, id: SessionId) -> Spot {
        Spot {
            area,
            collection: collection.clone(),
            id,
            dir: self.dir(area, collection),
        }
    }

    /// Where a session's log is.
    pub(super) fn find(&self, id: SessionId) -> Result<Spot, LogError> {
        for area in Area::BOTH {
            let mut collections = self.collections(area);
            collections.sort();
            let mut spots = collections.iter().map(|c| self.spot(area, c, id));
            if let Some(spot) = spots.find(|s| self.rig.disk.stat(&s.log()).is_ok()) {
                return Ok(spot);
            }
        }
        Err(LogError::NoSession(id))
    }

    pub(super) fn folder_of(&self, id: SessionId) -> Result<PathBuf, LogError> {
        self.find(id).map(|spot| spot.folder())
    }

    /// Opens a log for reading, with its length.
    pub(super) fn read(&self, id: SessionId) -> Result<(Arc<dyn DiskFile>, u64), LogError> {
        let path = self.find(id)?.log();
        let file = self.rig.disk.open(&path, Open::Read).tried("open", &path)?;
        let len = file.stat().tried("look at", &path)?.len;
        Ok((file, len))
    }

    /// What appends deeds: one at a time.
    pub(super) fn pens(&self) -> MutexGuard<'_, Pens> {
        self.rig.pens.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The thread that syncs, started when it is first needed.
    pub(super) fn syncer(&self) -> std::io::Result<Syncer> {
        let mut held = self
            .rig
            .syncer
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        match &mut *held {
            Some(syncer) => Ok(syncer.clone()),
            none => Ok(none.insert(Syncer::start(self.rig.sync)?).clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::{Follow, Whole, Writer};

    #[test]
    fn a_store_is_shared_by_threads_and_what_it_gives_moves_between_them() {
        fn shared<T: Send + Sync>() {}
        fn moved<T: Send>() {}
        shared::<Store>();
        shared::<Writer>();
        moved::<Follow>();
        moved::<Whole>();
    }
}
