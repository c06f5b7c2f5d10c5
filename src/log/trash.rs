//! The trash, and what a crash has left half made or half moved: a folder follows its log.

use std::collections::HashSet;
use std::path::PathBuf;

use crate::domain::{CollectionId, SessionId};

use super::copies::log_of;
use super::create::new_log;
use super::disk::{self, NEW};
use super::rescue::BACK;
use super::store::{Area, Spot, Store};
use super::{LogError, Tried};

impl Store {
    /// Moves a session into the trash: its log, then its folder. It must not be open for writing.
    pub fn trash(&self, id: SessionId) -> Result<(), LogError> {
        self.shelve(id, Area::Trash)
    }

    /// Moves it back.
    pub fn untrash(&self, id: SessionId) -> Result<(), LogError> {
        self.shelve(id, Area::Sessions)
    }

    /// The session's own folder beside its log, wherever that lies.
    pub fn folder(&self, id: SessionId) -> Result<PathBuf, LogError> {
        Ok(self.find(id)?.folder())
    }

    /// A private folder for files that the session's agent must be given by name. Made if need be.
    pub fn scratch(&self, id: SessionId) -> Result<PathBuf, LogError> {
        let path = self.folder(id)?.join("agent");
        disk::ensure_dir(&*self.rig.disk, &path).tried("make", &path)?;
        Ok(path)
    }

    fn shelve(&self, id: SessionId, to: Area) -> Result<(), LogError> {
        let from = self.find(id)?;
        let to = self.spot(to, &from.collection, id);
        let disk = &*self.rig.disk;
        disk::ensure_dir(disk, &to.dir).tried("make", &to.dir)?;
        disk::ensure_dir(disk, &from.folder()).tried("make", &from.folder())?;
        let _held = self.lock(&from)?;
        if from != to {
            disk.rename(&from.log(), &to.log())
                .tried("move", &from.log())?;
            disk.sync_dir(&to.dir).tried("sync", &to.dir)?;
            disk.sync_dir(&from.dir).tried("sync", &from.dir)?;
        }
        self.reunite(&to)
    }

    /// Brings a session's folder to its log, when a crash came between the two moves.
    pub(super) fn reunite(&self, spot: &Spot) -> Result<(), LogError> {
        let other = self.spot(spot.area.other(), &spot.collection, spot.id);
        let disk = &*self.rig.disk;
        let stray = disk.stat(&other.log()).is_err() && disk.stat(&other.folder()).is_ok();
        if !stray || disk.stat(&spot.folder()).is_ok() {
            return Ok(());
        }
        disk.rename(&other.folder(), &spot.folder())
            .tried("move", &other.folder())?;
        disk.sync_dir(&spot.dir).tried("sync", &spot.dir)?;
        disk.sync_dir(&other.dir).tried("sync", &other.dir)
    }

    /// Removes what a crash left of a session that never came to be, and finishes half-done
    /// moves. What cannot be put right now, as in a workspace that cannot be written, stays.
    pub(super) fn sweep(&self) {
        for area in Area::BOTH {
            for collection in self.collections(area) {
                self.sweep_dir(area, &collection);
            }
        }
    }

    fn sweep_dir(&self, area: Area, collection: &CollectionId) {
        let dir = self.dir(area, collection);
        let names = self.rig.disk.list(&dir).unwrap_or_default();
        let logs: HashSet<SessionId> = names.iter().filter_map(|n| log_of(n)).collect();
        for name in &names {
            let half_made = name.strip_prefix(NEW).and_then(log_of);
            let back = name.strip_prefix(NEW).and_then(|n| n.strip_suffix(BACK));
            let folder = name.parse().ok().filter(|id| !logs.contains(id));
            if let Some(id) = half_made {
                self.sweep_new(&self.spot(area, collection, id));
            } else if let Some(id) = back.and_then(|id| id.parse().ok()) {
                self.sweep_back(&self.spot(area, collection, id));
            } else if let Some(id) = folder {
                let home = self.spot(area.other(), collection, id);
                if self.rig.disk.stat(&home.log()).is_ok() {
                    let _later = self.reunite(&home);
                }
            }
        }
    }

    /// Removes the folders in which nothing lies and beside which no log does: whoever was to make it died before. Those
    /// that are younger than `before`, milliseconds since 1970, may be made now.
    pub fn sweep_hollow(&self, before: i64) {
        let disk = &*self.rig.disk;
        for spot in self.logless_spots() {
            let made = disk.stat(&spot.folder()).map(|s| s.mtime / 1_000_000);
            let is_old = made.is_ok_and(|made| made < before);
            let is_free = || disk.stat(&spot.lock()).is_err() || self.lock(&spot).is_ok();
            if is_old && self.is_hollow(&spot) && is_free() {
                let _left = disk.remove(&spot.folder());
            }
        }
    }

    /// The places of folders whose logs are nowhere.
    pub(super) fn logless_spots(&self) -> Vec<Spot> {
        let mut found = Vec::new();
        for area in Area::BOTH {
            for (collection, names) in self.listing(area) {
                let left = names.iter().filter_map(|name| name.parse().ok());
                let left = left.filter(|id: &SessionId| !self.has(*id));
                found.extend(left.map(|id| self.spot(area, &collection, id)));
            }
        }
        found
    }

    /// Whether nothing lies in a session's folder but an empty one for its blobs, and a lock.
    pub(super) fn is_hollow(&self, spot: &Spot) -> bool {
        let disk = &*self.rig.disk;
        let [blobs, lock] = [spot.blobs(), spot.lock()];
        let is_one = |name: &String| [&blobs, &lock].contains(&&spot.folder().join(name));
        let only_those = disk.list(&spot.folder());
        let nothing = disk
            .list(&blobs)
            .map_or_else(|_| disk.stat(&blobs).is_err(), |all| all.is_empty());
        nothing && only_those.is_ok_and(|names| names.iter().all(is_one))
    }

    fn sweep_new(&self, spot: &Spot) {
        let disk = &*self.rig.disk;
        // Whoever is making it holds the lock.
        let made_now = disk.stat(&spot.lock()).is_ok() && self.lock(spot).is_err();
        if made_now {
            return;
        }
        if disk.stat(&spot.log()).is_err() {
            let _left = disk.remove(&spot.folder());
        }
        let _left = disk.remove(&new_log(spot));
    }
}
