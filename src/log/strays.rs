//! Logs that somebody copied by hand: a second one of a session, or one under another session's name. They are named,
//! never mixed in, moved or removed.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use crate::domain::SessionId;

use super::heads::Listed;
use super::store::Spot;

/// A log that was copied by hand.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Stray {
    /// The log, relative to `.fascicle`.
    pub file: String,
    /// The session whose events are in it.
    pub session: SessionId,
    /// The log of that name that is in use; none where this one has the name of no other.
    pub used: Option<String>,
}

impl Stray {
    /// What it is, and what to do with it.
    pub fn told(&self) -> String {
        let Self { file, session, .. } = self;
        match &self.used {
            Some(used) => format!(
                "{file}: a second log of session {session}; {used} is the one in use. Nothing is read from this one: take over what you miss, then move it away."
            ),
            None => format!(
                "{file}: a copy of the log of session {session}, made by hand. It can be read and not written: fork {session} for a variant of it, and move this one away."
            ),
        }
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
