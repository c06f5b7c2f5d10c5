//! Where a log goes on that has lost its place, and how it comes back to it.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::domain::SessionId;

use super::disk::{self, Disk, DiskFile, Lock, NEW, Open, Stat};
use super::store::{Spot, Store};
use super::{LogError, Tried, blobs};

/// How much of a log is copied at once.
const STRIDE: u64 = 1024 * 1024;

/// What a copy of a log is made from.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    /// The open log.
    pub(super) file: &'a dyn DiskFile,
    /// How much of it counts.
    pub(super) upto: u64,
    /// What was written to it and is no longer in that part.
    pub(super) then: &'a [u8],
    /// What cannot be read of it is left out.
    pub(super) in_part: bool,
}

/// A log that was rescued: as it lies in a workspace, its folder beside it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Rescued {
    pub(super) log: PathBuf,
    folder: PathBuf,
}

/// What a writer holds that its log needs, beside the log.
#[derive(Clone, Copy)]
pub(super) struct Kept<'a> {
    /// Where the log was rescued to.
    pub(super) rescued: Option<&'a Rescued>,
    /// The newest version of the draft: its blob may be gone.
    pub(super) draft: Option<&'a [u8]>,
    /// The lock file as it was when it was taken.
    pub(super) lock: Option<Stat>,
}

/// A log that is in its place again, and its lock when another one had to be taken.
pub(super) type Returned = (Arc<dyn DiskFile>, Option<Lock>);

impl<'a> Source<'a> {
    pub(super) fn whole(file: &'a dyn DiskFile) -> Self {
        Self {
            file,
            upto: u64::MAX,
            then: &[],
            in_part: false,
        }
    }
}

impl Rescued {
    pub(super) fn blobs(&self) -> PathBuf {
        self.folder.join("blobs")
    }

    /// Removes it: the log is back. What cannot be removed is one copy too many, no more.
    pub(super) fn clear(&self, disk: &dyn Disk) {
        for path in [&self.log, &self.folder] {
            let _left = disk.remove(path);
        }
    }
}

impl Store {
    /// Copies an open log, with the newest draft, to a file of its own, durable when this returns.
    /// Never over another one.
    pub(super) fn rescue(
        &self,
        id: SessionId,
        source: Source<'_>,
        kept: Kept<'_>,
    ) -> Result<(Rescued, Arc<dyn DiskFile>), LogError> {
        let disk = &*self.rig.disk;
        let dir = &*self.rescue;
        disk::ensure_dir(disk, dir).tried("make", dir)?;
        let rescued = claim(disk, dir, id).tried("make a folder in", dir)?;
        let made = (|| {
            let blobs = rescued.blobs();
            disk::ensure_dir(disk, &blobs).tried("make", &blobs)?;
            if let Some(text) = kept.draft {
                blobs::put(disk, &blobs, text)?;
            }
            disk.sync_dir(&rescued.folder)
                .tried("sync", &rescued.folder)?;
            let new = dir.join(format!("{NEW}{id}.rescue"));
            let file = build(disk, source, &new)?;
            let log = &rescued.log;
            name(disk, (&new, log), || disk.rename(&new, log)).tried("write", log)?;
            Ok(file)
        })();
        match made {
            Ok(file) => Ok((rescued, file)),
            Err(e) => {
                rescued.clear(disk);
                Err(e)
            }
        }
    }

    /// Puts a log back in its place, whole, with what was rescued beside it. None when its folder
    /// is not there, or when a log is there, or comes meanwhile, that holds anything else than the
    /// start of this one.
    pub(super) fn give_back(
        &self,
        spot: &Spot,
        file: &dyn DiskFile,
        kept: Kept<'_>,
    ) -> Result<Option<Returned>, LogError> {
        let (disk, log, blobs) = (&*self.rig.disk, spot.log(), spot.blobs());
        if disk.stat(&spot.dir).is_err() {
            return Ok(None);
        }
        disk::ensure_dir(disk, &blobs).tried("make", &blobs)?;
        // Before anything is compared: another process may have opened what is there.
        let lock = match disk.stat(&spot.lock()) {
            Ok(now) if kept.lock.is_some_and(|was| was.same_file(now)) => None,
            _ => Some(self.lock(spot)?),
        };
        // Before it is read: one that changes while it is compared is another one at the end.
        let there = is_there(disk, &log).tried("look at", &log)?;
        if there.is_some() && !is_start_of(disk, &log, file)? {
            return Ok(None);
        }
        self.return_blobs(spot, kept)?;
        let new = back_log(spot);
        let file = build(disk, Source::whole(file), &new)?;
        let named = name(disk, (&new, &log), || match there {
            None => disk.rename_new(&new, &log),
            Some(was) if disk.stat(&log).is_ok_and(|now| now == was) => disk.rename(&new, &log),
            Some(_) => Err(io::ErrorKind::AlreadyExists.into()),
        });
        match named {
            Ok(()) => Ok(Some((file, lock))),
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Ok(None),
            Err(e) => Err(e).tried("write", &log),
        }
    }

    /// Puts the texts in place that were written while the log was away.
    fn return_blobs(&self, spot: &Spot, kept: Kept<'_>) -> Result<(), LogError> {
        let (disk, folder, blobs) = (&*self.rig.disk, spot.folder(), spot.blobs());
        let from = kept.rescued.map(Rescued::blobs);
        for name in from.iter().flat_map(|dir| disk.list(dir)).flatten() {
            let path = from.clone().unwrap_or_default().join(name);
            let text = blobs::get(disk, &path).tried("read", &path)?;
            blobs::put(disk, &blobs, &text)?;
        }
        if let Some(text) = kept.draft {
            blobs::put(disk, &blobs, text)?;
        }
        disk.sync_dir(&folder).tried("sync", &folder)
    }

    /// Removes what a crash left of a log on its way back. Without a log in its place it is kept:
    /// there may be no other.
    pub(super) fn sweep_back(&self, spot: &Spot) {
        let disk = &*self.rig.disk;
        if disk.stat(&spot.log()).is_ok() && self.lock(spot).is_ok() {
            let _left = disk.remove(&back_log(spot));
        }
    }
}

/// Name of a log on its way back to its place.
fn back_log(spot: &Spot) -> PathBuf {
    spot.dir.join(format!("{NEW}{}{BACK}", spot.id))
}

/// Ending of such a name.
pub(super) const BACK: &str = ".back";

/// Names that nobody has yet, from `<id>.jsonl` and `<id>/` on; the folder is made.
fn claim(disk: &dyn Disk, dir: &Path, id: SessionId) -> io::Result<Rescued> {
    for n in 1_u64.. {
        let stem = match n {
            1 => id.to_string(),
            n => format!("{id}-{n}"),
        };
        let (log, folder) = (dir.join(format!("{stem}.jsonl")), dir.join(stem));
        if disk.stat(&log).is_ok() {
            continue;
        }
        match disk.make_dir(&folder) {
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            made => return made.map(|()| Rescued { log, folder }),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// What has a name, if anything does.
fn is_there(disk: &dyn Disk, path: &Path) -> io::Result<Option<Stat>> {
    match disk.stat(path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        seen => seen.map(Some),
    }
}

/// Whether the log at this path is the start of another.
fn is_start_of(disk: &dyn Disk, path: &Path, file: &dyn DiskFile) -> Result<bool, LogError> {
    let there = disk.open(path, Open::Read).tried("open", path)?;
    disk::begins_with(file, &*there).tried("read", path)
}

/// Copies a file whole, its bytes durable when this returns. Its name is one that nobody reads.
fn build(disk: &dyn Disk, from: Source<'_>, new: &Path) -> Result<Arc<dyn DiskFile>, LogError> {
    let file = disk.open(new, Open::New).tried("make", new)?;
    if let Err(e) = copy(from, &*file).and_then(|()| file.sync()) {
        let _left = disk.remove(new);
        return Err(e).tried("write", new);
    }
    Ok(file)
}

/// Gives such a copy the name it is read by, durable when this returns; it is gone when it cannot
/// have it.
fn name(
    disk: &dyn Disk,
    (new, to): (&Path, &Path),
    rename: impl FnOnce() -> io::Result<()>,
) -> io::Result<()> {
    if let Err(e) = rename() {
        let _left = disk.remove(new);
        return Err(e);
    }
    to.parent().map_or(Ok(()), |dir| disk.sync_dir(dir))
}

fn copy(from: Source<'_>, to: &dyn DiskFile) -> io::Result<()> {
    let mut at = 0;
    loop {
        let upto = from.upto.min(at + STRIDE);
        let bytes = match disk::read_range(from.file, at, upto) {
            Err(_) if from.in_part => Vec::new(),
            read => read?,
        };
        if bytes.is_empty() && from.upto == u64::MAX {
            return Ok(());
        }
        if bytes.is_empty() {
            // What was cut may have been half of a line.
            disk::append_all(to, b"\n")?;
            return disk::append_all(to, from.then);
        }
        at += bytes.len() as u64;
        disk::append_all(to, &bytes)?;
    }
}
