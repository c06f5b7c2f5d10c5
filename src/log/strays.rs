//! Logs that somebody copied by hand: a second one of a session, or one under another session's name. They are named,
//! never mixed in, moved or removed.

use std::collections::HashSet;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::domain::{Head, SessionId};

use super::copies;
use super::disk::Open;
use super::heads::Listed;
use super::scan::Scan;
use super::store::{Area, Spot, Store};

/// A log that was copied by hand.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Stray {
    /// The log, relative to `.fascicle`.
    pub file: String,
    /// The session whose events are in it.
    pub session: SessionId,
    /// The log of that name that is in use; none where this one has the name of no other.
    pub used: Option<String>,
    /// Its name is that of no session.
    #[serde(default)]
    pub misnamed: bool,
}

impl Stray {
    /// Whether it is all there is of its session, and not read for its name.
    pub fn is_missed(&self) -> bool {
        self.misnamed && self.used.is_none()
    }

    /// What it is, and what to do with it.
    pub fn told(&self) -> String {
        let Self { file, session, .. } = self;
        match &self.used {
            Some(used) => format!(
                "{file}: a second log of session {session}; {used} is the one in use. Nothing is read from this one: take over what you miss, then move it away."
            ),
            None if self.misnamed => format!(
                "{file}: the log of session {session}, under a name that is not a log's. Nothing is read from it: name it {session}.jsonl."
            ),
            None => format!(
                "{file}: a copy of the log of session {session}, made by hand. It can be read and not written: fork {session} for a variant of it, and move this one away."
            ),
        }
    }
}

impl Store {
    /// The logs among the others whose names are those of no session, and of no copy that a tool made.
    pub(super) fn misnamed(&self) -> Vec<Stray> {
        let mut found = Vec::new();
        for area in Area::BOTH {
            for (collection, names) in self.listing(area) {
                let dir = self.dir(area, &collection);
                let odd = names.iter().filter(|name| copies::is_odd(name));
                found.extend(odd.filter_map(|name| self.misnamed_at(&dir.join(name))));
            }
        }
        found
    }

    /// The log that a file is in spite of its name; none where it says of no session that it is its own.
    fn misnamed_at(&self, path: &Path) -> Option<Stray> {
        let file = self.rig.disk.open(path, Open::Read).ok()?;
        let (end, mut head) = (file.stat().ok()?.len, Head::default());
        Scan::default().skim(&*file, (0, end), &mut head).ok()?;
        let session = head.id?;
        let used = self.find(session).ok();
        Some(Stray {
            file: self.shown(path),
            session,
            used: used.map(|used| self.shown(&used.log())),
            misnamed: true,
        })
    }
}

/// The logs in use, and those of which another one of the same session is: where a session has several, the first that
/// is not in the trash counts.
pub(super) fn parted(spots: impl Iterator<Item = Spot>) -> (Vec<Spot>, Vec<Spot>) {
    let mut seen = HashSet::new();
    spots.partition(|spot| seen.insert(spot.id))
}

/// Says in the list which sessions have more logs than the one in use.
pub(super) fn tell(listed: &mut [Listed], more: &[Spot]) {
    let has_more = |one: &&mut Listed| more.iter().any(|spot| spot.id == one.id);
    for one in listed.iter_mut().filter(has_more) {
        let said = "Another log of it was put there by hand, and is not used; `fascicle verify` says where.";
        one.trouble = Some(match one.trouble.take() {
            Some(trouble) => format!("{trouble} {said}"),
            None => said.to_owned(),
        });
    }
}
