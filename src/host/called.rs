//! The names of a family: no two of one name, which would mean neither of them.

use std::collections::HashSet;
use std::sync::Arc;

use super::session::blocking;
use super::shared::Shared;
use crate::domain::kin::FIRST;
use crate::domain::row::Row;
use crate::domain::{Head, SessionId};
use crate::text::folded;

/// A name that no other of its family has: with a number behind it where one has. A host that has just begun has not
/// listed all of them: the logs say what the others are called.
pub(super) async fn unlike(shared: &Arc<Shared>, family: SessionId, title: String) -> String {
    let store = shared.store.clone();
    let logged = blocking(move || Ok::<_, String>(store.heads())).await;
    let mut taken = names(shared, family, None);
    let others = logged.unwrap_or_default().into_iter();
    let others = others.filter(|l| l.head.kin.family_of(l.id) == family);
    let unlisted = others.filter(|l| shared.rows.get(l.id).is_none());
    taken.extend(unlisted.map(|l| folded(l.head.title())));
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
