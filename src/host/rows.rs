//! The list as every window sees it: rows with a revision, so that a slow window catches up by number.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use super::shared::now;
use crate::domain::notice::Notice;
use crate::domain::row::{CollectionRow, Row};
use crate::domain::{CollectionId, SessionId};

/// What a row is about.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Key {
    Reading,
    Voice,
    Banner,
    Collection(CollectionId),
    Brief(CollectionId),
    Session(SessionId),
}

/// The rows of a workspace: sessions, collections, banners.
#[derive(Debug)]
pub(super) struct Rows {
    table: Mutex<Table>,
    newest: watch::Sender<u64>,
    /// Whether every log has its row.
    all: AtomicBool,
}

#[derive(Debug, Default)]
struct Table {
    last: u64,
    by_revision: BTreeMap<u64, Key>,
    rows: HashMap<Key, (u64, Notice)>,
    /// What is said of each subject: a window has one line for all of them.
    banners: BTreeMap<String, String>,
}

impl Table {
    fn set(&mut self, key: Key, notice: Notice) -> bool {
        if self.rows.get(&key).is_some_and(|(_, old)| *old == notice) {
            return false;
        }
        self.last += 1;
        if let Some((old, _)) = self.rows.insert(key.clone(), (self.last, notice)) {
            self.by_revision.remove(&old);
        }
        self.by_revision.insert(self.last, key);
        true
    }
}

impl Rows {
    pub(super) fn new() -> Self {
        Self {
            table: Mutex::default(),
            newest: watch::Sender::new(0),
            all: AtomicBool::new(false),
        }
    }

    /// Every log that was there when the host began has its row now.
    pub(super) fn set_all(&self) {
        self.all.store(true, Ordering::Release);
    }

    /// Whether every log has its row.
    pub(super) fn are_all(&self) -> bool {
        self.all.load(Ordering::Acquire)
    }

    /// Sets a session's row.
    pub(super) fn set(&self, mut row: Row) {
        row.money.forget(now());
        self.put(Key::Session(row.id), Notice::Row(Box::new(row)));
    }

    /// Sets the drawer to exactly these collections.
    pub(super) fn set_collections(&self, new: Vec<CollectionRow>) {
        let known: Vec<CollectionId> = self
            .lock()
            .rows
            .iter()
            .filter_map(|(key, (_, notice))| match (key, notice) {
                (Key::Collection(id), Notice::Collection(_)) => Some(id.clone()),
                _ => None,
            })
            .collect();
        for collection in known
            .into_iter()
            .filter(|id| new.iter().all(|c| c.id != *id))
        {
            self.put(
                Key::Collection(collection.clone()),
                Notice::CollectionGone { collection },
            );
        }
        for row in new {
            self.put(
                Key::Collection(row.id.clone()),
                Notice::Collection(Box::new(row)),
            );
        }
    }

    /// Sets what is said of a subject; an empty text takes it back, and nothing of another.
    pub(super) fn banner(&self, about: &str, text: String) {
        let mut table = self.lock();
        if text.is_empty() {
            table.banners.remove(about);
        } else {
            table.banners.insert(about.to_owned(), text);
        }
        let all: Vec<&str> = table.banners.values().map(String::as_str).collect();
        let text = all.join(" ");
        self.tell(table, Key::Banner, Notice::Banner { text });
    }

    /// Sets what is said of a collection's brief; an empty text takes it back.
    pub(super) fn brief_trouble(&self, collection: &CollectionId, text: String) {
        if !text.is_empty() || self.says_of_brief(collection) {
            let (key, collection) = (Key::Brief(collection.clone()), collection.clone());
            self.put(key, Notice::BriefTrouble { collection, text });
        }
    }

    /// Whether anything is said of a collection's brief.
    pub(super) fn says_of_brief(&self, collection: &CollectionId) -> bool {
        let table = self.lock();
        let said = table.rows.get(&Key::Brief(collection.clone()));
        said.is_some_and(
            |(_, notice)| matches!(notice, Notice::BriefTrouble { text, .. } if !text.is_empty()),
        )
    }

    /// Whether anything is said of a subject.
    pub(super) fn says(&self, about: &str) -> bool {
        self.lock().banners.contains_key(about)
    }

    /// Says whether nothing can be written here.
    pub(super) fn reading(&self, reading: bool) {
        self.put(Key::Reading, Notice::Reading { reading });
    }

    /// Says what the writer's voice is.
    pub(super) fn voice(&self, text: String) {
        self.put(Key::Voice, Notice::Voice { text });
    }

    /// Looks at every session's row where it lies: they may be thousands, and none changes meanwhile.
    pub(super) fn look<T>(&self, look: impl FnOnce(&[&Row]) -> T) -> T {
        let table = self.lock();
        let rows = table.rows.values().filter_map(|(_, notice)| match notice {
            Notice::Row(row) => Some(&**row),
            _ => None,
        });
        let rows: Vec<&Row> = rows.collect();
        look(&rows)
    }

    /// The rows of those sessions that are meant.
    pub(super) fn those(&self, meant: impl Fn(&Row) -> bool) -> Vec<Row> {
        self.look(|rows| {
            let those = rows.iter().filter(|row| meant(row));
            those.map(|row| (*row).clone()).collect()
        })
    }

    /// A session's row.
    pub(super) fn get(&self, id: SessionId) -> Option<Row> {
        match &self.lock().rows.get(&Key::Session(id))?.1 {
            Notice::Row(row) => Some((**row).clone()),
            _ => None,
        }
    }

    /// What has changed behind a revision, oldest first, and the newest revision.
    pub(super) fn since(&self, revision: u64) -> (Vec<Notice>, u64) {
        let table = self.lock();
        let keys = table.by_revision.range(revision + 1..).map(|(_, key)| key);
        let notices = keys
            .filter_map(|key| table.rows.get(key))
            .map(|(_, notice)| notice.clone());
        (notices.collect(), table.last)
    }

    /// Tells when something changes.
    pub(super) fn changes(&self) -> watch::Receiver<u64> {
        self.newest.subscribe()
    }

    /// Says which agent a session has next; the rest of its row stays as it is.
    pub(super) fn set_agent(&self, id: SessionId, agent: String) {
        let table = self.lock();
        let key = Key::Session(id);
        if let Some((_, Notice::Row(row))) = table.rows.get(&key) {
            let row = Row {
                agent,
                ..(**row).clone()
            };
            self.tell(table, key, Notice::Row(Box::new(row)));
        }
    }

    fn put(&self, key: Key, notice: Notice) {
        self.tell(self.lock(), key, notice);
    }

    fn tell(&self, mut table: MutexGuard<'_, Table>, key: Key, notice: Notice) {
        if table.set(key, notice) {
            let last = table.last;
            drop(table);
            self.newest.send_replace(last);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        // A panic elsewhere leaves the table whole: every change is one call.
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collection(id: &str) -> CollectionRow {
        let id: CollectionId = id.parse().unwrap_or_else(|_| CollectionId::inbox());
        CollectionRow::new(id.clone(), id.as_str(), id.as_str())
    }

    #[test]
    fn a_window_that_comes_late_gets_each_row_once_as_it_is_now() {
        let rows = Rows::new();
        rows.set_collections(vec![collection("a"), collection("b")]);
        let (first, seen) = rows.since(0);
        assert_eq!(first.len(), 2);
        rows.set_collections(vec![collection("b"), collection("c")]);
        let (second, _) = rows.since(seen);
        assert_eq!(second.len(), 2, "b has not changed: {second:?}");
        assert_eq!(rows.since(0).0.len(), 3);
    }

    #[test]
    fn what_is_said_of_one_subject_takes_nothing_back_that_is_said_of_another() {
        let rows = Rows::new();
        rows.banner("disk", "The disk is full.".to_owned());
        rows.banner("memory", String::new());
        rows.banner("watch", "Nothing is watched.".to_owned());
        let said = |rows: &Rows| match rows.since(0).0.last() {
            Some(Notice::Banner { text }) => text.clone(),
            other => format!("{other:?}"),
        };
        assert_eq!(said(&rows), "The disk is full. Nothing is watched.");
        rows.banner("disk", String::new());
        assert_eq!(said(&rows), "Nothing is watched.");
        assert_eq!(rows.since(0).0.len(), 1);
    }

    #[test]
    fn an_unchanged_row_wakes_nobody() {
        let rows = Rows::new();
        let changes = rows.changes();
        rows.banner("disk", String::new());
        let seen = *changes.borrow();
        rows.banner("disk", String::new());
        assert_eq!(*changes.borrow(), seen);
    }
}
