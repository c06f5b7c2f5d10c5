//! What was found in a log beside its events, and how it is told.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use crate::domain::damage;
use crate::domain::event::{Damage, Kind, Seq};

/// From so many on, neighbouring damage is listed as one: a log of garbage must not fill the memory.
const MANY: usize = 1000;

/// What a log holds that is no event, and what it lacks. What a `recovered` line has listed is
/// known and no longer among it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Findings {
    /// Bytes that are no event, in order.
    pub damage: Vec<Damage>,
    /// Numbers that are missing, first and last of each run.
    pub missing: Vec<(Seq, Seq)>,
}

impl Findings {
    pub(super) fn add(&mut self, at: u64, len: u64, why: &str) {
        let many = self.damage.len() >= MANY;
        match self.damage.last_mut() {
            Some(last) if many && last.why == why && last.at + last.len + 1 >= at => {
                last.len = (at + len).saturating_sub(last.at);
            }
            _ => self.damage.push(Damage {
                at,
                len,
                why: why.to_owned(),
            }),
        }
    }

    /// Adds bytes between events, unless they are only space.
    pub(super) fn add_fragment(&mut self, at: u64, bytes: &[u8], why: &str) {
        if !bytes.trim_ascii().is_empty() {
            self.add(at, bytes.len() as u64, why);
        }
    }

    /// Adds the numbers that are missing where `seq` stands and `next` was expected.
    pub(super) fn add_gap(&mut self, next: Seq, seq: Seq) {
        if seq > next {
            self.missing.push((next, seq - 1));
        }
    }

    /// Takes out what a `recovered` line lists. Gives offset and length of each.
    pub(super) fn known(
        &mut self,
        damage: &[Damage],
        missing: &[(Seq, Seq)],
    ) -> HashSet<(u64, u64)> {
        let listed: HashSet<(u64, u64)> = damage.iter().map(|d| (d.at, d.len)).collect();
        self.damage.retain(|d| !listed.contains(&(d.at, d.len)));
        let gaps: HashSet<&(Seq, Seq)> = missing.iter().collect();
        self.missing.retain(|gap| !gaps.contains(gap));
        listed
    }

    /// Whether there is nothing to tell.
    pub fn is_empty(&self) -> bool {
        self.damage.is_empty() && self.missing.is_empty()
    }

    /// Why the log may not be appended to until the writer has accepted it as it is.
    pub fn read_only(&self) -> Option<&'static str> {
        let has = |why: &str| self.damage.iter().any(|d| d.why == why);
        if has("conflict") {
            Some(
                "two programs wrote different events under the same number. The first of each counts; accept the log as it is to go on writing.",
            )
        } else if has("version") {
            Some(
                "it holds lines of a later version of Fascicle. Use that version, or accept the log as it is to go on writing.",
            )
        } else {
            None
        }
    }

    /// One line for the list.
    pub fn trouble(&self) -> Option<String> {
        if let Some(why) = self.read_only() {
            return Some(format!("It can only be read: {why}"));
        }
        damage::told(&self.damage, &self.missing)
    }

    /// The `recovered` events that list it; several when there is much.
    pub(crate) fn events(mut self) -> Vec<Kind> {
        let mut kinds = Vec::new();
        while !self.is_empty() {
            let damage = self.damage.drain(..self.damage.len().min(MANY)).collect();
            let missing = self.missing.drain(..self.missing.len().min(MANY)).collect();
            kinds.push(Kind::Recovered { damage, missing });
        }
        kinds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(whys: &[&str]) -> Findings {
        let mut found = Findings::default();
        for (why, at) in whys.iter().zip(0..) {
            found.add(at * 10, 10, why);
        }
        found
    }

    #[test]
    fn two_writers_and_a_later_version_make_a_log_read_only() {
        assert!(of(&["torn", "conflict"]).read_only().is_some());
        assert!(of(&["version"]).read_only().is_some());
        assert_eq!(of(&["torn", "repeated"]).read_only(), None);
    }

    #[test]
    fn garbage_without_end_is_listed_as_one_and_told_in_several_events() {
        let mut found = Findings::default();
        for at in 0..3 * MANY as u64 {
            found.add(at * 2, 1, "json");
        }
        assert_eq!(found.damage.len(), MANY);
        assert_eq!(
            found.damage.last().map(|d| d.at + d.len),
            Some(6 * MANY as u64 - 1)
        );
        found.missing = (0..=MANY as u64).map(|n| (n, n)).collect();
        assert_eq!(found.events().len(), 2);
    }
}
