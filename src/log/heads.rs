//! The head of every session, kept in the cache beside what proves that it is still true.
//!
//! Nothing here is ever read to decide what to append; deleting the cache costs time alone.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

use serde::{Deserialize, Serialize};

use crate::domain::head::{Head, Place};
use crate::domain::{CollectionId, Kin, SessionId};

use super::copies::{self, session_of};
use super::disk::{self, DiskFile, Open, Stat};
use super::pieces::last_line_end;
use super::scan::Scan;
use super::store::{Area, Spot, Store};
use super::{LogError, Tried, blobs, strays};

/// Version of what is kept here: raised with every change of the fold or of the scan.
const FOLD: u32 = 16;
/// How much of a log before a known end proves that it was only appended to.
const PROOF: u64 = 4 * 1024;
/// Bytes of a log that are read in a moment.
const MOMENT: u64 = 512 * 1024;
/// Bytes at the beginning of a log among which its first events are.
const BEGINNING: u64 = 64 * 1024;

/// A session in the list.
#[derive(Clone, PartialEq, Debug)]
pub struct Listed {
    /// The session.
    pub id: SessionId,
    /// The collection it was made in; [`Head::place`] says where it is now.
    pub collection: CollectionId,
    /// Its head.
    pub head: Head,
    /// Events in its log.
    pub events: u64,
    /// What is wrong with its log.
    pub trouble: Option<String>,
    /// Whether its log lies in the trash.
    pub in_trash: bool,
}

/// What is known of a log up to a newline.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Kept {
    /// Offset behind that newline.
    upto: u64,
    mtime: i64,
    inode: u64,
    /// Checksum of the bytes before `upto`.
    proof: u32,
    scan: Scan,
    head: Head,
}

/// What is known of one log. Held while the log is read, so that nobody reads it a second time meanwhile.
type Entry = Arc<Mutex<Option<Kept>>>;

/// The cache in memory, by area, collection and session.
#[derive(Debug, Default)]
pub(super) struct Heads {
    loaded: bool,
    kept: HashMap<String, Entry>,
}

/// Heads that are gathered.
#[derive(Default)]
struct All {
    listed: Vec<Listed>,
    /// Whose logs are there.
    there: HashSet<String>,
    /// Whether there is more to keep than was.
    changed: bool,
}

impl All {
    fn take(&mut self, spot: &Spot, looked: Result<(Listed, bool), LogError>) {
        match looked {
            Ok((one, new)) => {
                self.changed |= new;
                self.there.insert(key(spot));
                self.listed.push(one);
            }
            Err(e) => {
                let one = list(spot, Head::default(), 0, Some(e.to_string()));
                self.listed.push(one);
            }
        }
    }
}

impl Store {
    /// The head of every session, those in the trash too. A log that has not changed costs one
    /// look at its file; one that has grown is read from where it was known.
    pub fn heads(&self) -> Vec<Listed> {
        self.heads_in_turn(|_| ())
    }

    /// The same, the logs that take more than a moment last: before they are read, those that are known are told.
    /// That is not done where all are.
    pub fn heads_in_turn(&self, known: impl FnOnce(&[Listed])) -> Vec<Listed> {
        let listings = Area::BOTH.map(|area| (area, self.listing(area)));
        let spots = listings
            .iter()
            .flat_map(|(area, listing)| self.spots_of(*area, listing));
        let (spots, more) = strays::parted(spots);
        let mut all = All::default();
        let mut long = Vec::new();
        for spot in spots {
            match self.look_for(&spot, MOMENT).transpose() {
                Some(looked) => all.take(&spot, looked),
                None => long.push(spot),
            }
        }
        if !long.is_empty() {
            known(&all.listed);
        }
        for spot in &long {
            all.take(spot, self.look(spot));
        }
        let All {
            mut listed,
            there,
            changed,
        } = all;
        listed.sort_by(|a, b| {
            (a.in_trash, &a.collection, a.id).cmp(&(b.in_trash, &b.collection, b.id))
        });
        let mut heads = self.cached();
        let before = heads.kept.len();
        heads.kept.retain(|key, _| there.contains(key));
        if changed || heads.kept.len() < before {
            self.save(&heads);
        }
        drop(heads);
        let names = listings.iter().flat_map(|(_, listing)| listing);
        let copies = names.flat_map(|(_, names)| names.iter().filter_map(|n| session_of(n)));
        let mut beside = HashMap::new();
        copies.for_each(|id| *beside.entry(id).or_default() += 1);
        copies::tell(&mut listed, &beside);
        strays::tell(&mut listed, &more);
        listed
    }

    /// The head of one session.
    pub fn head(&self, id: SessionId) -> Result<Listed, LogError> {
        Ok(self.look(&self.find(id)?)?.0)
    }

    /// The same where it takes no more than a moment: what is new in the log is short. None where it is long.
    pub fn head_at_once(&self, id: SessionId) -> Result<Option<Listed>, LogError> {
        let looked = self.look_for(&self.find(id)?, MOMENT)?;
        Ok(looked.map(|(listed, _)| listed))
    }

    /// What the first lines of a log say of its session: what it is, and where.
    pub fn beginning(&self, id: SessionId) -> Result<Head, LogError> {
        let spot = self.find(id)?;
        let path = spot.log();
        let file = self.rig.disk.open(&path, Open::Read).tried("open", &path)?;
        let read = || -> std::io::Result<Head> {
            let end = last_line_end(&*file, 0, BEGINNING.min(file.stat()?.len))?;
            let mut head = Head::default();
            Scan::default().skim(&*file, (0, end), &mut head)?;
            Ok(head)
        };
        let head = read().tried("read", &path)?;
        if head.id.is_some_and(|named| named != id) {
            // A variant: its first lines are those of its parent.
            return Ok(self.look(&spot)?.0.head);
        }
        Ok(list(&spot, head, 0, None).head)
    }

    /// Takes in what is known of a log that was just made, up to a newline: it need not be read for that.
    pub(super) fn know(&self, spot: &Spot, upto: u64, scan: &Scan, head: &Head) {
        let path = spot.log();
        let known = self.rig.disk.open(&path, Open::Read).and_then(|file| {
            Ok(Kept {
                upto,
                mtime: 0,
                inode: file.stat()?.inode,
                proof: proof(&*file, upto)?,
                scan: scan.clone(),
                head: head.clone(),
            })
        });
        if let Ok(known) = known {
            let entry = self.entry(spot);
            *entry.lock().unwrap_or_else(PoisonError::into_inner) = Some(known);
        }
    }

    /// Whether numbers are known to come out of turn in a log: a guess at a place in it may be wrong.
    pub(super) fn is_uneven(&self, spot: &Spot) -> bool {
        let entry = self.entry(spot);
        // A log that is being read may take a while: not waited for.
        let known = entry.try_lock();
        known.is_ok_and(|known| known.as_ref().is_some_and(|kept| kept.scan.uneven))
    }

    /// Deletes the cache and reads every log anew. Gives the number of sessions and of events.
    pub fn rebuild(&self) -> (u64, u64) {
        let mut heads = self.cached();
        heads.kept.clear();
        let _none = self.rig.disk.remove(&self.cache_file());
        drop(heads);
        let all = self.heads();
        (all.len() as u64, all.iter().map(|one| one.events).sum())
    }

    fn stat(&self, spot: &Spot) -> Result<Stat, LogError> {
        let path = spot.log();
        self.rig.disk.stat(&path).tried("look at", &path)
    }

    fn entry(&self, spot: &Spot) -> Entry {
        self.cached().kept.entry(key(spot)).or_default().clone()
    }

    /// The head of a log, and whether there is more to keep of it than was.
    fn look(&self, spot: &Spot) -> Result<(Listed, bool), LogError> {
        let entry = self.entry(spot);
        let mut known = entry.lock().unwrap_or_else(PoisonError::into_inner);
        let stat = self.stat(spot)?;
        self.look_at(spot, stat, &mut known)
    }

    /// The same where no more than so many bytes are new. None where there are more, or somebody is at it: whoever reads it
    /// now reads much.
    fn look_for(&self, spot: &Spot, most: u64) -> Result<Option<(Listed, bool)>, LogError> {
        let entry = self.entry(spot);
        let mut known = match entry.try_lock() {
            Ok(known) => known,
            Err(TryLockError::Poisoned(known)) => known.into_inner(),
            Err(TryLockError::WouldBlock) => return Ok(None),
        };
        let stat = self.stat(spot)?;
        let upto = known.as_ref().map_or(0, |kept| kept.upto);
        if stat.len.saturating_sub(upto) > most {
            return Ok(None);
        }
        self.look_at(spot, stat, &mut known).map(Some)
    }

    fn look_at(
        &self,
        spot: &Spot,
        stat: Stat,
        known: &mut Option<Kept>,
    ) -> Result<(Listed, bool), LogError> {
        if let Some(kept) = known.as_ref().filter(|kept| kept.is(stat)) {
            let trouble = trouble(spot, stat.len, &kept.head, &kept.scan);
            let listed = list(spot, kept.head.clone(), kept.scan.events, trouble);
            return Ok((listed, false));
        }
        let path = spot.log();
        let file = self.rig.disk.open(&path, Open::Read).tried("open", &path)?;
        let (listed, kept, new) = fold(spot, &*file, known.take()).tried("read", &path)?;
        *known = Some(kept);
        Ok((listed, new))
    }

    fn cached(&self) -> MutexGuard<'_, Heads> {
        let mut heads = self
            .rig
            .heads
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if !std::mem::replace(&mut heads.loaded, true) {
            let bytes = blobs::get(&*self.rig.disk, &self.cache_file()).unwrap_or_default();
            let mut lines = bytes.split(|b| *b == b'\n');
            if lines.next() == Some(title().as_bytes()) {
                let entries = lines.filter_map(|l| serde_json::from_slice(l).ok());
                let held = entries
                    .map(|(key, kept): (String, Kept)| (key, Arc::new(Mutex::new(Some(kept)))));
                heads.kept = held.collect();
            }
        }
        heads
    }

    fn save(&self, heads: &Heads) {
        let mut bytes = title().into_bytes();
        for (key, entry) in &heads.kept {
            // One that is being read is kept the next time.
            let Ok(known) = entry.try_lock() else {
                continue;
            };
            if let Some(kept) = &*known {
                bytes.push(b'\n');
                bytes.extend(serde_json::to_vec(&(key, kept)).unwrap_or_default());
            }
        }
        // Without a cache everything works, only slower.
        let dir = &self.rig.cache;
        let _slower = disk::ensure_dir(&*self.rig.disk, dir)
            .and_then(|()| disk::put_file(&*self.rig.disk, &self.cache_file(), &bytes));
    }

    fn cache_file(&self) -> PathBuf {
        self.rig.cache.join("heads.jsonl")
    }
}

impl Kept {
    fn is(&self, now: Stat) -> bool {
        (self.upto, self.mtime, self.inode) == (now.len, now.mtime, now.inode)
    }

    /// Whether the file is the one that was known, with more at its end.
    fn grew(&self, file: &dyn DiskFile, now: Stat) -> std::io::Result<bool> {
        Ok(self.inode == now.inode && self.upto < now.len && self.proof == proof(file, self.upto)?)
    }
}

/// Folds what is new in a log. The unfinished line at its end counts in the answer, not in what
/// is kept: its writer may be about to finish it.
fn fold(
    spot: &Spot,
    file: &dyn DiskFile,
    known: Option<Kept>,
) -> std::io::Result<(Listed, Kept, bool)> {
    let stat = file.stat()?;
    let mut kept = match known {
        Some(kept) if kept.grew(file, stat)? => kept,
        _ => Kept::default(),
    };
    let from = kept.upto;
    let end = last_line_end(file, from, stat.len)?;
    kept.scan.skim(file, (from, end), &mut kept.head)?;
    kept.scan.settle(file, end)?;
    (kept.upto, kept.mtime, kept.inode) = (end, stat.mtime, stat.inode);
    kept.proof = proof(file, end)?;
    let (mut scan, mut head) = (kept.scan.clone(), kept.head.clone());
    if end < stat.len {
        scan.skim(file, (end, stat.len), &mut head)?;
        scan.settle(file, stat.len)?;
    }
    let trouble = trouble(spot, stat.len, &head, &scan);
    let new = end != from || from == 0;
    Ok((list(spot, head, scan.events, trouble), kept, new))
}

fn trouble(spot: &Spot, len: u64, head: &Head, scan: &Scan) -> Option<String> {
    match head.id {
        _ if len == 0 => Some("The log is empty.".to_owned()),
        Some(named) if named != spot.id => Some(format!(
            "It is a copy of session {named}, made by hand: it can only be read."
        )),
        _ => scan.found.trouble(),
    }
}

fn list(spot: &Spot, mut head: Head, events: u64, trouble: Option<String>) -> Listed {
    // The place of a log names its session, whatever its first line says or no longer says. A copy made by hand is
    // of no family: what it says of one was said by another session.
    if head
        .id
        .replace(spot.id)
        .is_some_and(|named| named != spot.id)
    {
        head.kin = Kin::default();
    }
    head.place.get_or_insert_with(|| Place {
        collection: spot.collection.clone(),
        folder: format!("{}/{}", spot.collection, spot.id),
        at: None,
    });
    Listed {
        id: spot.id,
        collection: spot.collection.clone(),
        head,
        events,
        trouble,
        in_trash: spot.area == Area::Trash,
    }
}

fn key(spot: &Spot) -> String {
    format!("{}/{}/{}", spot.area.name(), spot.collection, spot.id)
}

/// First line of the cache: another version's is not read.
fn title() -> String {
    format!("heads {FOLD} {}", env!("CARGO_PKG_VERSION"))
}

fn proof(file: &dyn DiskFile, upto: u64) -> std::io::Result<u32> {
    let bytes = disk::read_range(file, upto.saturating_sub(PROOF), upto)?;
    Ok(crc32fast::hash(&bytes))
}
