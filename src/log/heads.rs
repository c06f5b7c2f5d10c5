//! The head of every session, kept in the cache beside what proves that it is still true.
//!
//! Nothing here is ever read to decide what to append; deleting the cache costs time alone.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

use crate::domain::head::{Head, Place};
use crate::domain::{CollectionId, SessionId};

use super::copies::{self, session_of};
use super::disk::{self, DiskFile, Open, Stat};
use super::pieces::last_line_end;
use super::scan::Scan;
use super::store::{Area, Spot, Store};
use super::{LogError, Tried, blobs};

/// Version of what is kept here: raised with every change of the fold or of the scan.
const FOLD: u32 = 4;
/// How much of a log before a known end proves that it was only appended to.
const PROOF: u64 = 4 * 1024;

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

/// The cache in memory, by area, collection and session.
#[derive(Debug, Default)]
pub(super) struct Heads {
    loaded: bool,
    kept: HashMap<String, Kept>,
}

impl Store {
    /// The head of every session, those in the trash too. A log that has not changed costs one
    /// look at its file; one that has grown is read from where it was known.
    pub fn heads(&self) -> Vec<Listed> {
        let mut heads = self.cached();
        let listings = Area::BOTH.map(|area| (area, self.listing(area)));
        let spots = listings
            .iter()
            .flat_map(|(area, listing)| self.spots_of(*area, listing));
        let (mut listed, mut kept) = (Vec::new(), HashMap::new());
        let mut changed = false;
        for spot in spots {
            let key = key(&spot);
            let known = heads.kept.remove(&key);
            match self.look(&spot, known) {
                Ok((one, now, new)) => {
                    changed |= new;
                    kept.insert(key, now);
                    listed.push(one);
                }
                Err(e) => listed.push(list(&spot, Head::default(), 0, Some(e.to_string()))),
            }
        }
        changed |= !heads.kept.is_empty();
        heads.kept = kept;
        if changed {
            self.save(&heads);
        }
        let names = listings.iter().flat_map(|(_, listing)| listing);
        let copies = names.flat_map(|(_, names)| names.iter().filter_map(|n| session_of(n)));
        let mut beside = HashMap::new();
        copies.for_each(|id| *beside.entry(id).or_default() += 1);
        copies::tell(&mut listed, &beside);
        listed
    }

    /// The head of one session.
    pub fn head(&self, id: SessionId) -> Result<Listed, LogError> {
        let spot = self.find(id)?;
        let mut heads = self.cached();
        let known = heads.kept.remove(&key(&spot));
        let (listed, kept, _) = self.look(&spot, known)?;
        heads.kept.insert(key(&spot), kept);
        Ok(listed)
    }

    /// Whether numbers are known to come out of turn in a log: a guess at a place in it may be wrong.
    pub(super) fn is_uneven(&self, spot: &Spot) -> bool {
        // A list that is being made may take a while: not waited for.
        let heads = self.rig.heads.try_lock();
        heads.is_ok_and(|heads| heads.kept.get(&key(spot)).is_some_and(|k| k.scan.uneven))
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

    /// The head of a log, what to keep of it, and whether that is new.
    fn look(&self, spot: &Spot, known: Option<Kept>) -> Result<(Listed, Kept, bool), LogError> {
        let path = spot.log();
        let stat = self.rig.disk.stat(&path).tried("look at", &path)?;
        let known = match known {
            Some(kept) if kept.is(stat) => {
                let trouble = trouble(spot, stat.len, &kept.head, &kept.scan);
                let listed = list(spot, kept.head.clone(), kept.scan.events, trouble);
                return Ok((listed, kept, false));
            }
            other => other,
        };
        let file = self.rig.disk.open(&path, Open::Read).tried("open", &path)?;
        fold(spot, &*file, known).tried("read", &path)
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
                heads.kept = lines
                    .filter_map(|l| serde_json::from_slice(l).ok())
                    .collect();
            }
        }
        heads
    }

    fn save(&self, heads: &Heads) {
        let mut bytes = title().into_bytes();
        for entry in &heads.kept {
            bytes.push(b'\n');
            bytes.extend(serde_json::to_vec(&entry).unwrap_or_default());
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
    let head = &mut kept.head;
    kept.scan
        .run(file, (from, end), &mut |found| head.apply(&found.event))?;
    kept.scan.settle(file, end)?;
    (kept.upto, kept.mtime, kept.inode) = (end, stat.mtime, stat.inode);
    kept.proof = proof(file, end)?;
    let (mut scan, mut head) = (kept.scan.clone(), kept.head.clone());
    if end < stat.len {
        scan.run(file, (end, stat.len), &mut |found| head.apply(&found.event))?;
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
    // The place of a log names its session, whatever its first line says or no longer says.
    head.id = Some(spot.id);
    head.place.get_or_insert_with(|| Place {
        collection: spot.collection.clone(),
        folder: format!("{}/{}", spot.collection, spot.id),
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
