//! The names of a family: no two of one name, which would mean neither of them.

use std::collections::HashSet;

use super::shared::Shared;
use crate::domain::kin::FIRST;
use crate::domain::row::Row;
use crate::domain::{Head, SessionId};
use crate::text::folded;

/// A name that no other of its family has: with a number behind it where one has.
pub(super) fn unlike(shared: &Shared, family: SessionId, title: String) -> String {
    let taken = names(shared, family, None);
    let is_free = |name: &String| !taken.contains(&folded(name));
    let numbered = (2..=taken.len() + 2).map(|n| format!("{title} {n}"));
    let mut names = std::iter::once(title.clone()).chain(numbered);
    names.find(is_free).unwrap_or(title)
}

/// Why a session is not to be called so: another one of its family is.
pub(super) fn taken(shared: &Shared, head: &Head, title: &str) -> Option<String> {
    let id = head.id?;
    let taken = names(shared, head.kin.family_of(id), Some(id));
    taken
        .contains(&folded(title))
        .then(|| format!("Another one of its family is called “{title}” already."))
}

/// What those of a family are called, but for one.
fn names(shared: &Shared, family: SessionId, but: Option<SessionId>) -> HashSet<String> {
    let of = |row: &Row| row.kin.family_of(row.id) == family && Some(row.id) != but;
    let rows = shared.rows.those(of);
    // What the first one is called beside another main line, whoever is that now.
    let first = Some(FIRST).filter(|_| but != Some(family));
    let titles = rows.iter().map(|r| r.title.as_str()).chain(first);
    titles.map(folded).collect()
}
