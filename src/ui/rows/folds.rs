//! What is folded away: collections in the list of all sessions, archive and trash in the drawer; and how the list
//! is looked at.

use std::collections::{BTreeSet, HashMap};

use super::{Rows, Shelf, Sort, Tally};
use crate::domain::{CollectionId, CollectionRow, Row, SessionId, State};

/// What is folded.
#[derive(Debug, Default)]
pub(super) struct Folds {
    collections: BTreeSet<CollectionId>,
    /// Families, by the session they began with.
    families: BTreeSet<SessionId>,
    /// Archive and trash are not in the drawer.
    pub(super) away: bool,
    /// The rows of folded collections, in the drawer's order.
    rows: Vec<(CollectionId, Tally)>,
    /// The one under the cursor.
    cursor: Option<CollectionId>,
}

impl Folds {
    /// Whether a session has no row of its own. One that needs the writer always has.
    pub(super) fn hides(&self, row: &Row) -> bool {
        row.state != State::NeedsYou && self.collections.contains(&row.collection)
    }

    /// Whether a family is folded to its main line.
    pub(super) fn has_family(&self, first: SessionId) -> bool {
        self.families.contains(&first)
    }

    pub(super) fn set(&mut self, rows: Vec<(CollectionId, Tally)>) {
        self.rows = rows;
        if self.index().is_none() {
            self.cursor = None;
        }
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub(super) fn has_cursor(&self) -> bool {
        self.cursor.is_some()
    }

    pub(super) fn index(&self) -> Option<usize> {
        let cursor = self.cursor.as_ref()?;
        self.rows.iter().position(|r| r.0 == *cursor)
    }

    /// Puts the cursor on a row, or on none.
    pub(super) fn stand(&mut self, at: Option<usize>) {
        self.cursor = at.and_then(|i| self.rows.get(i)).map(|r| r.0.clone());
    }

    pub(super) fn leave(&mut self) {
        self.cursor = None;
    }

    /// Unfolds a collection; false when it was not folded.
    pub(super) fn unfold(&mut self, collection: &CollectionId) -> bool {
        self.collections.remove(collection)
    }
}

/// What was folded, or unfolded where it says false.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Folded {
    /// A family, by its first row.
    Family(SessionId, bool),
    /// A collection.
    Collection(CollectionId, bool),
}

/// How a list is looked at, kept from window to window.
#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct Looks {
    /// Its order.
    pub sort: Sort,
    /// Collections that are folded among all sessions.
    pub folded: BTreeSet<CollectionId>,
    /// Families that are folded to their main line, by the session they began with.
    pub families: BTreeSet<SessionId>,
    /// Archive and trash are folded in the drawer.
    pub away: bool,
}

impl Rows {
    /// How the lists are looked at.
    pub fn looks(&self) -> Looks {
        Looks {
            sort: self.asked.sort,
            folded: self.folds.collections.clone(),
            families: self.folds.families.clone(),
            away: self.folds.away,
        }
    }

    /// Looks at the lists as they were left.
    pub fn set_looks(&mut self, looks: Looks) {
        self.asked.sort = looks.sort;
        self.folds.collections = looks.folded;
        self.folds.families = looks.families;
        self.folds.away = looks.away;
        self.stale = true;
    }

    /// The order of the list.
    pub fn sort(&self) -> Sort {
        self.asked.sort
    }

    /// Gives the list another order; the cursor stays on its session.
    pub fn set_sort(&mut self, sort: Sort) {
        self.asked.sort = sort;
        self.stale = true;
        self.settle();
    }

    /// What the list is filtered by; empty when it is not.
    pub fn filter(&self) -> &str {
        &self.asked.filter
    }

    /// Shows only what fits, with the cursor on what fits best; an empty text shows all, with the cursor where it is.
    pub fn set_filter(&mut self, text: &str) {
        if self.asked.filter == text {
            return;
        }
        text.clone_into(&mut self.asked.filter);
        self.stale = true;
        if !text.is_empty() {
            self.folds.leave();
        }
        self.settle();
        if !text.is_empty() {
            self.cursor = self.laid.best;
        }
    }

    /// The folded rows behind those of sessions.
    pub fn folded(&self) -> &[(CollectionId, Tally)] {
        &self.folds.rows
    }

    /// The folded collection under the cursor.
    pub fn fold_at_cursor(&self) -> Option<&CollectionId> {
        self.folds.cursor.as_ref()
    }

    /// Whether something can be folded or unfolded in the list.
    pub fn can_fold(&self) -> bool {
        if !self.asked.filter.is_empty() {
            return false;
        }
        let all = self.shelf == Shelf::All;
        self.family_at_cursor().is_some()
            || all && (self.folds.has_cursor() || self.cursor.is_some())
    }

    /// Folds the family or the collection of the session under the cursor, or unfolds what is folded there.
    pub fn fold(&mut self) -> Option<Folded> {
        if !self.can_fold() {
            return None;
        }
        let done = match self.family_at_cursor() {
            Some((first, root)) => self.fold_family(first, root),
            None => self.fold_collection()?,
        };
        self.stale = true;
        self.settle();
        Some(done)
    }

    /// The family under the cursor that lies in more than one row, or would: the session it began with, and the
    /// first of its rows.
    fn family_at_cursor(&self) -> Option<(SessionId, SessionId)> {
        let cursor = self.cursor()?;
        self.branch(cursor)?;
        let first = self.families.of(self.get(cursor)?)?;
        let at = self.laid.order.iter().position(|s| *s == cursor)?;
        let above = self.laid.order.get(..=at)?.iter().rev();
        let root = above
            .copied()
            .find(|s| self.branch(*s).is_some_and(|b| b.lead.is_empty()))?;
        let tree = self
            .laid
            .order
            .iter()
            .filter(|s| self.get(**s).and_then(|r| self.families.of(r)) == Some(first));
        (self.folds.has_family(first) || tree.count() > 1).then_some((first, root))
    }

    fn fold_family(&mut self, first: SessionId, root: SessionId) -> Folded {
        if self.folds.families.remove(&first) {
            return Folded::Family(root, false);
        }
        self.folds.families.insert(first);
        self.cursor = Some(root);
        Folded::Family(root, true)
    }

    fn fold_collection(&mut self) -> Option<Folded> {
        Some(if let Some(open) = self.folds.cursor.take() {
            self.folds.unfold(&open);
            self.cursor = self.first_of(&open).or(self.cursor);
            Folded::Collection(open, false)
        } else {
            let close = self.collection_of(self.cursor?);
            self.folds.collections.insert(close.clone());
            self.cursor = None;
            self.folds.cursor = Some(close.clone());
            Folded::Collection(close, true)
        })
    }

    /// Folds archive and trash in the drawer, or unfolds them; says whether they are folded now.
    pub fn fold_away(&mut self) -> bool {
        self.folds.away = !self.folds.away;
        self.stale = true;
        if self.folds.away && matches!(self.shelf, Shelf::Archive | Shelf::Trash) {
            self.show(Shelf::All);
        }
        self.settle();
        self.folds.away
    }

    /// Whether there is anything in archive or trash.
    pub fn any_away(&self) -> bool {
        self.any_archived() || self.every().any(|r| r.archived || r.trashed)
    }

    /// Whether any collection is in the archive.
    pub fn any_archived(&self) -> bool {
        self.collections.values().any(|c| c.archived)
    }

    /// Whether a collection is in the archive.
    pub fn is_archived(&self, id: &CollectionId) -> bool {
        self.collections.get(id).is_some_and(|c| c.archived)
    }

    /// Shows what is folded away in the drawer, the first collection of the archive under the cursor.
    pub fn show_archived(&mut self) {
        let first = super::drawer(&self.collections).find(|c| c.archived);
        let Some(first) = first.map(|c| c.id.clone()) else {
            return;
        };
        self.folds.away = false;
        self.stale = true;
        self.settle();
        self.show(Shelf::Collection(first));
    }

    /// The collections of the archive, as they stand at the foot of the drawer.
    pub(super) fn put_away(&self, each: &HashMap<&CollectionId, Tally>) -> Vec<(Shelf, Tally)> {
        let all = super::drawer(&self.collections).filter(|c| c.archived && !self.folds.away);
        let entry = |c: &CollectionRow| {
            let tally = each.get(&c.id).copied().unwrap_or_default();
            (Shelf::Collection(c.id.clone()), tally)
        };
        all.map(entry).collect()
    }

    /// The collection of a session.
    pub(super) fn collection_of(&self, session: SessionId) -> CollectionId {
        let row = self.get(session);
        row.map_or_else(CollectionId::inbox, |r| r.collection.clone())
    }

    fn first_of(&self, collection: &CollectionId) -> Option<SessionId> {
        let of = self.every().filter(|r| r.collection == *collection);
        let of = of.filter(|r| !r.archived && !r.trashed);
        of.max_by_key(|r| (r.begun, r.id)).map(|r| r.id)
    }
}
