//! What the sessions of a family have in common: it is told of one of them.

use std::collections::{BTreeMap, HashMap};

use super::Sheet;
use crate::domain::event::Origin;
use crate::domain::{Seq, SessionId};

/// What of a session is told of others.
#[derive(Debug, Default)]
pub(super) struct Shared {
    /// The newest event that one of those has, too.
    pub(super) upto: Option<Seq>,
    /// Those, by their places in the list.
    pub(super) with: Vec<usize>,
}

/// A session and those it comes from, each with the newest event that it has of it.
type Path = Vec<(SessionId, Seq)>;

/// Finds it out for all that are searched; `parents` has those that are not, too. It is told of the first of a family, and
/// of one in the archive only where no other has it; one that has damage speaks for itself alone.
pub(super) fn share(sheets: &mut [Sheet], parents: &HashMap<SessionId, Origin>) {
    let mut families: BTreeMap<SessionId, Vec<(Path, usize)>> = BTreeMap::new();
    for (n, sheet) in sheets.iter().enumerate() {
        let own = families.entry(sheet.family).or_default();
        own.push((path(sheet.id, parents), n));
    }
    for mut members in families.into_values().filter(|all| all.len() > 1) {
        members.sort_by_key(|(path, n)| {
            let sheet = sheets.get(*n);
            (sheet.map(|s| (s.archived, path.len(), s.created, s.id)), *n)
        });
        let mut before: Vec<(Path, usize)> = Vec::new();
        for (path, n) in members {
            let Some(sheet) = sheets.get_mut(n) else {
                continue;
            };
            let shared = before
                .iter()
                .filter_map(|(other, _)| both_have(&path, other));
            sheet.shared = Shared {
                upto: shared.max(),
                with: before.iter().map(|(_, n)| *n).collect(),
            };
            if sheet.whole {
                before.push((path, n));
            }
        }
    }
}

fn path(session: SessionId, parents: &HashMap<SessionId, Origin>) -> Path {
    let mut path = vec![(session, Seq::MAX)];
    let mut at = (session, Seq::MAX);
    while let Some(from) = parents.get(&at.0)
        && path.len() <= parents.len()
    {
        at = (from.session, at.1.min(from.seq));
        path.push(at);
    }
    path
}

/// The newest event that two have in common.
fn both_have(a: &[(SessionId, Seq)], b: &[(SessionId, Seq)]) -> Option<Seq> {
    a.iter().find_map(|(id, own)| {
        let other = b.iter().find(|(other, _)| other == id)?;
        Some(*own.min(&other.1))
    })
}
