//! The names of a family: no two of one name, which would mean neither of them.

use std::collections::HashSet;
use std::sync::Arc;

use super::session::blocking;
use super::shared::Shared;
use crate::domain::kin::FIRST;
use crate::domain::row::Row;
use crate::domain::{Head, SessionId};
use crate::text::folded;

/// A name that no other of its family has: with a number behind it where one has.
pub(super) async fn unlike(shared: &Arc<Shared>, family: SessionId, title: String) -> String {
    let taken = names(shared, family, None).await;
    let is_free = |name: &String| !taken.contains(&folded(name));
    let numbered = (2..=taken.len() + 2).map(|n| format!("{title} {n}"));
    let mut names = std::iter::once(title.clone()).chain(numbered);
    names.find(is_free).unwrap_or(title)
}

/// Why a session is not to be called so: another one of its family is.
pub(super) async fn taken(shared: &Arc<Shared>, head: &Head, title: &str) -> Option<String> {
    let id = head.id?;
    let taken = names(shared, head.kin.family_of(id), Some(id)).await;
    taken
        .contains(&folded(title))
        .then(|| format!("Another one of its family is called “{title}” already."))
}

/// What those of a family are called, in the archive and in the trash too, but for one. A host that has just begun has not
/// listed all of them: the logs say what the others are called. Read once more they would cost every rename a look at
/// each log there is.
async fn names(shared: &Arc<Shared>, family: SessionId, but: Option<SessionId>) -> HashSet<String> {
    let logged = if shared.rows.are_all() {
        Vec::new()
    } else {
        let store = shared.store.clone();
        let logged = blocking(move || Ok::<_, String>(store.heads())).await;
        logged.unwrap_or_default()
    };
    let of = |row: &Row| row.kin.family_of(row.id) == family && Some(row.id) != but;
    let rows = shared.rows.those(of);
    let listed: HashSet<SessionId> = rows.iter().map(|row| row.id).collect();
    let others = logged
        .iter()
        .filter(|l| l.head.kin.family_of(l.id) == family && Some(l.id) != but);
    let unlisted = others.filter(|l| !listed.contains(&l.id));
    // What the first one is called beside another main line, whoever is that now.
    let first = Some(FIRST).filter(|_| but != Some(family));
    let titles = rows.iter().map(|r| r.title.as_str()).chain(first);
    let titles = titles.chain(unlisted.map(|l| l.head.title()));
    titles.map(folded).collect()
}
