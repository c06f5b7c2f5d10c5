//! The places where memories are worked on, and what was seen there last.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::config::Drawer;
use crate::domain::drawer::Binder;
use crate::domain::head::Place;
use crate::domain::{CollectionId, Seq};
use crate::drafts::file::Stamp;
use crate::log::Book;
use crate::memory::desk::{Desk, MemoryError, Without};

/// The collections as they were last seen, the places where their memory is worked on, and what waits there.
#[derive(Debug)]
pub(in crate::host) struct Desks {
    drawer: Mutex<Drawer>,
    /// What each collection was called that was ever seen.
    titles: Mutex<HashMap<CollectionId, String>>,
    places: Mutex<HashMap<Book, Arc<Mutex<()>>>>,
    seen: Mutex<HashMap<Book, Seen>>,
    /// Deeds of which was said that they cannot be undone: the next undo goes on to what was done before.
    passed: Mutex<HashMap<Book, BTreeSet<Seq>>>,
    /// What is known of the versions of each memory.
    without: Mutex<HashMap<Book, Without>>,
    /// Held while the files of collections are read: what was read later is never replaced by what was read before.
    looking: Mutex<()>,
}

/// What was seen of a desk last.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Seen {
    /// Proposals that wait.
    waiting: u32,
    /// Deeds in its log.
    deeds: u64,
    /// How often its files were seen changed.
    looks: u64,
    /// How its files looked from outside.
    pub(super) files: Vec<Option<Stamp>>,
    /// Nothing is to be read again while they look so.
    pub(super) settled: bool,
}

impl Desks {
    pub(in crate::host) fn of(drawer: Drawer) -> Self {
        Self {
            titles: Mutex::new(titles(&drawer).collect()),
            drawer: Mutex::new(drawer),
            places: Mutex::default(),
            seen: Mutex::default(),
            passed: Mutex::default(),
            without: Mutex::default(),
            looking: Mutex::default(),
        }
    }

    /// The right to read the files of collections.
    pub(in crate::host) fn look(&self) -> MutexGuard<'_, ()> {
        self.looking.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The collections as they were last seen.
    pub(in crate::host) fn drawer(&self) -> MutexGuard<'_, Drawer> {
        self.drawer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the collections in as they are now.
    pub(in crate::host) fn set_drawer(&self, new: &Drawer) {
        self.titles().extend(titles(new));
        *self.drawer() = new.clone();
    }

    /// The collection of a place where its folder is gone: its id, and its title as far as it was seen.
    pub(in crate::host) fn lost(&self, place: &Place) -> Option<(CollectionId, String)> {
        let id = &place.collection;
        if self.drawer().get(id).is_some() {
            return None;
        }
        let title = self.titles().get(id).cloned();
        Some((
            id.clone(),
            title.unwrap_or_else(|| place.shelf().to_owned()),
        ))
    }

    fn titles(&self) -> MutexGuard<'_, HashMap<CollectionId, String>> {
        self.titles.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many proposals of a collection wait.
    pub(in crate::host) fn waiting(&self, of: &CollectionId) -> u32 {
        self.seen(&Book::Collection(of.clone())).waiting
    }

    /// Another number after each deed on a collection's memory and on the writer's voice, and after each change of
    /// their files: one that cannot be read makes no deed.
    pub(in crate::host) fn deeds(&self, of: &CollectionId) -> u64 {
        let number = |book: &Book| {
            let seen = self.seen(book);
            seen.deeds + seen.looks
        };
        number(&Book::Collection(of.clone())) + number(&Book::Workspace)
    }

    /// Takes in what the deeds of a desk come to; whether that is news.
    pub(super) fn take(&self, desk: &Desk, binder: &Binder, files: Vec<Option<Stamp>>) -> bool {
        let mut all = self.lock_seen();
        let was = all.get(desk.book()).cloned().unwrap_or_default();
        let new = Seen {
            waiting: u32::try_from(binder.waiting().count()).unwrap_or(u32::MAX),
            deeds: binder.last.map_or(0, |last| last + 1),
            looks: was.looks + u64::from(was.files != files),
            // What could not be written is tried again.
            settled: binder.open.is_empty() && files.iter().flatten().all(Stamp::is_settled),
            files,
        };
        let counts = |seen: &Seen| (seen.waiting, seen.deeds, seen.looks);
        let news = counts(&was) != counts(&new);
        all.insert(desk.book().clone(), new);
        news
    }

    pub(super) fn seen(&self, book: &Book) -> Seen {
        self.lock_seen().get(book).cloned().unwrap_or_default()
    }

    fn lock_seen(&self) -> MutexGuard<'_, HashMap<Book, Seen>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The deeds that an undo passes over.
    pub(in crate::host) fn passed(&self, book: &Book) -> BTreeSet<Seq> {
        let passed = self.passed.lock().unwrap_or_else(PoisonError::into_inner);
        passed.get(book).cloned().unwrap_or_default()
    }

    /// A desk with what is known of its versions.
    pub(super) fn knowing(&self, desk: Desk) -> Desk {
        let mut all = self.without.lock().unwrap_or_else(PoisonError::into_inner);
        let without = all.entry(desk.book().clone()).or_default().clone();
        drop(all);
        desk.knowing(without)
    }

    /// One more of these.
    pub(in crate::host) fn pass_over(&self, book: &Book, deed: Seq) {
        let mut passed = self.passed.lock().unwrap_or_else(PoisonError::into_inner);
        passed.entry(book.clone()).or_default().insert(deed);
    }

    /// When the writer did what an undo would take back.
    pub(super) fn undoable(&self, desk: &Desk) -> Result<Option<i64>, MemoryError> {
        desk.undoable(&self.passed(desk.book()))
    }

    /// Undoes the answer to a proposal, or the newest deed. One that cannot be undone any more is passed over from now
    /// on.
    pub(super) fn undo(&self, desk: &Desk, proposal: Option<Seq>) -> Result<String, MemoryError> {
        let undone = desk.undo(proposal, &self.passed(desk.book()));
        if let Err(MemoryError::Stays { act, .. }) = &undone {
            self.pass_over(desk.book(), *act);
        }
        undone
    }

    pub(super) fn place(&self, book: &Book) -> Arc<Mutex<()>> {
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        places.entry(book.clone()).or_default().clone()
    }
}

fn titles(drawer: &Drawer) -> impl Iterator<Item = (CollectionId, String)> {
    let all = drawer.collections.iter();
    all.map(|c| (c.id.clone(), c.title.clone()))
}
