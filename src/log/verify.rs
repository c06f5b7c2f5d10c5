//! Reads everything and names what is wrong with it; changes nothing.

use std::collections::BTreeSet;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::domain::SessionId;
use crate::domain::event::{Forked, Kind, Seq};
use crate::text::hash::sha256;

use super::copies::Copy;
use super::disk::Open;
use super::fork::is_prefix;
use super::scan::Scan;
use super::store::{Area, Spot, Store};
use super::strays::{Stray, parted};
use super::{LogError, Tried, blobs};

/// What a verification found.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Report {
    /// Logs read.
    pub sessions: u64,
    /// Events in them.
    pub events: u64,
    /// Bytes that are no event, those already listed by a `recovered` line too.
    pub damaged: Vec<Damaged>,
    /// Missing events.
    pub gaps: Vec<Gap>,
    /// Blobs that are missing or are not what their name says.
    pub blobs: Vec<BadBlob>,
    /// Copies that sync tools made, of logs and of drafts: no damage, and never mixed in.
    #[serde(default)]
    pub copies: Vec<Copy>,
    /// Logs that were copied by hand: no damage, and never mixed in.
    #[serde(default)]
    pub strays: Vec<Stray>,
    /// Folders of sessions whose logs are nowhere.
    #[serde(default)]
    pub logless: Vec<Logless>,
    /// Adoptions whose folders have not exchanged their names yet: no damage, the next host finishes them.
    #[serde(default)]
    pub unfinished: Vec<Unfinished>,
}

/// An adoption that a crash broke off.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Unfinished {
    /// The main line.
    pub session: SessionId,
    /// The folder that is to be its own, relative to the workspace.
    pub folder: String,
}

/// A folder that is left of a session.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Logless {
    /// The folder, relative to the workspace.
    pub folder: String,
    /// Whose it is.
    pub session: SessionId,
}

/// Bytes of a log that are no event.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Damaged {
    /// The log, relative to `.fascicle`.
    pub file: String,
    /// Offset of the first byte.
    pub at: u64,
    /// Bytes.
    pub len: u64,
    /// As in `recovered`, or why the log could not be read at all.
    pub why: String,
}

/// Numbers that are missing from a log.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Gap {
    /// The log, relative to `.fascicle`.
    pub file: String,
    /// First missing number.
    pub first: Seq,
    /// Last missing number.
    pub last: Seq,
}

/// A blob that cannot be trusted.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BadBlob {
    /// The blob, relative to `.fascicle`.
    pub file: String,
    /// `missing`, `changed`, or the system's reason.
    pub why: String,
}

impl Store {
    /// Reads one log, or all with those in the trash and those of deeds, hashes their blobs, and compares copies.
    pub fn verify(&self, id: Option<SessionId>) -> Result<Report, LogError> {
        let spots = match id {
            Some(id) => vec![self.find(id)?],
            None => Area::BOTH.into_iter().flat_map(|s| self.spots(s)).collect(),
        };
        let mut report = Report {
            copies: self.copies(id),
            ..Report::default()
        };
        let (spots, more) = parted(spots.into_iter());
        for spot in &more {
            let used = spots.iter().find(|used| used.id == spot.id);
            report.strays.push(Stray {
                file: self.shown(&spot.log()),
                session: spot.id,
                used: used.map(|used| self.shown(&used.log())),
                misnamed: false,
            });
        }
        for spot in &spots {
            // One log that cannot be read must not hide what is wrong with the others.
            if let Err(e) = self.verify_log(spot, &mut report) {
                report.damaged.push(Damaged {
                    file: self.shown(&spot.log()),
                    at: 0,
                    len: 0,
                    why: e.to_string(),
                });
            }
        }
        if id.is_none() {
            self.verify_books(&mut report);
            report.strays.extend(self.misnamed());
            report.logless = self.logless();
        }
        Ok(report)
    }

    /// What lies beside logs that are nowhere: blobs, and words that were not sent. Where nothing lies the next host
    /// takes the folder away.
    fn logless(&self) -> Vec<Logless> {
        let spots = self.logless_spots().into_iter();
        let left = spots.filter(|spot| !self.is_hollow(spot));
        left.map(|spot| Logless {
            folder: self.below(&spot.folder()),
            session: spot.id,
        })
        .collect()
    }

    /// A path as seen from the workspace.
    fn below(&self, path: &Path) -> String {
        let workspace = self.rig.root.parent().unwrap_or(&self.rig.root);
        let inner = path.strip_prefix(workspace).unwrap_or(path);
        inner.to_string_lossy().into_owned()
    }

    fn verify_log(&self, spot: &Spot, report: &mut Report) -> Result<(), LogError> {
        let path = spot.log();
        let file = self.rig.disk.open(&path, Open::Read).tried("open", &path)?;
        let len = file.stat().tried("look at", &path)?.len;
        let (mut scan, mut named) = (Scan::thorough(), BTreeSet::new());
        let mut forks = Vec::new();
        let mut of = spot.id;
        scan.run(&*file, (0, len), &mut |mut found| {
            named.extend(blobs::named(&mut found.event.kind).map(str::to_owned));
            match found.event.kind {
                Kind::Created { id, .. } => of = id,
                Kind::Forked(Forked { id, from, .. }) => {
                    of = id;
                    forks.push((found.at, found.end - found.at, from));
                }
                _ => {}
            }
        })
        .and_then(|()| scan.settle(&*file, len))
        .tried("read", &path)?;
        for (at, len, from) in forks {
            // What was copied is no longer what it was.
            if !is_prefix(&*file, &from).tried("read", &path)? {
                scan.found.add(at, len, "checksum");
            }
        }
        scan.found.damage.sort_by_key(|d| d.at);
        let name = self.shown(&path);
        if of != spot.id {
            report.strays.push(Stray {
                file: name.clone(),
                session: of,
                used: None,
                misnamed: false,
            });
        }
        report.sessions += 1;
        report.events += scan.events;
        report
            .damaged
            .extend(scan.found.damage.into_iter().map(|d| Damaged {
                file: name.clone(),
                at: d.at,
                len: d.len,
                why: d.why,
            }));
        report
            .gaps
            .extend(scan.found.missing.into_iter().map(|(first, last)| Gap {
                file: name.clone(),
                first,
                last,
            }));
        self.verify_blobs(&spot.blobs(), named, report);
        Ok(())
    }

    pub(super) fn verify_blobs(
        &self,
        dir: &Path,
        mut named: BTreeSet<String>,
        report: &mut Report,
    ) {
        let there = self.rig.disk.list(dir).unwrap_or_default();
        named.extend(there.into_iter().filter(|name| blobs::is_name(name)));
        for name in named {
            let path = dir.join(&name);
            let why = match blobs::get(&*self.rig.disk, &path) {
                Ok(bytes) if sha256(&bytes) == name => continue,
                Ok(_) => "changed".to_owned(),
                Err(e) if e.kind() == std::io::ErrorKind::NotFound => "missing".to_owned(),
                Err(e) => e.to_string(),
            };
            let file = self.shown(&path);
            report.blobs.push(BadBlob { file, why });
        }
    }

    pub(super) fn shown(&self, path: &Path) -> String {
        let inner = path.strip_prefix(&self.rig.root).unwrap_or(path);
        inner.to_string_lossy().into_owned()
    }
}
