//! The logs on disk, read only: the only file of this room that knows how they are stored.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;

use super::error::CliError;
use crate::config::{Places, Workspace};
use crate::domain::drawer::Act;
use crate::domain::search::Hit;
use crate::domain::{CollectionId, Event, Head, Seq, SessionId};
use crate::log::search::Search;
use crate::log::{Book, Follow, Followed, LogError, Report, Store, Watch};
use crate::memory::brief::sent::Trail;
use crate::text::find::Query;

/// How often a growing log is looked at when the system watches it: a hint may be missed.
const NET: Duration = Duration::from_secs(2);
/// How often it is looked at where the system does not.
const POLL: Duration = Duration::from_millis(250);

/// The sessions of a workspace as their logs tell them, those in the trash included.
pub(super) struct Shelf {
    /// None where nothing was ever written.
    store: Option<Store>,
}

impl Shelf {
    /// The shelf of a workspace; an empty one where nothing was written yet.
    pub(super) fn open(workspace: &Workspace, places: &Places) -> Result<Self, CliError> {
        let open = || Store::open(workspace.root(), &places.cache_of(workspace));
        let store = workspace.is_made().then(open).transpose()?;
        Ok(Self { store })
    }

    /// Every session. One whose log says nothing readable is among them, by its id.
    pub(super) fn heads(&self) -> Vec<Head> {
        self.listed().into_iter().map(|(head, _)| head).collect()
    }

    /// Whether there is such a session.
    pub(super) fn has(&self, id: SessionId) -> bool {
        self.store.as_ref().is_some_and(|store| store.has(id))
    }

    /// Whether files of a folder became sessions of a collection.
    pub(super) fn has_taken_from(&self, id: &CollectionId, folder: &Path) -> bool {
        let book = Book::Collection(id.clone());
        let deeds = self
            .store
            .as_ref()
            .and_then(|store| store.deeds(&book).ok());
        let mut entries = deeds.iter().flat_map(|deeds| &deeds.entries);
        entries.any(|entry| match &entry.act {
            Act::FileTaken(taken) => Path::new(&taken.from) == folder,
            _ => false,
        })
    }

    /// Every session, and what is wrong with its log.
    pub(super) fn listed(&self) -> Vec<(Head, Option<String>)> {
        let listed = self.store.iter().flat_map(Store::heads);
        let told = listed.map(|one| {
            let head = Head {
                // Where the log lies decides, should a crash have come between the line and the move.
                trashed: one.in_trash,
                ..one.head
            };
            (head, one.trouble)
        });
        told.collect()
    }

    /// Finds words in all of them.
    pub(super) fn search(
        &self,
        query: &Query,
        collection: Option<&CollectionId>,
        found: &mut dyn FnMut(Hit),
    ) {
        let Some(store) = &self.store else { return };
        let mut from = None;
        loop {
            let search = Search {
                query,
                collection,
                found: &mut *found,
                enough: &|| false,
            };
            // It pauses by itself where too much waits to be told.
            from = store.search(from, search);
            if from.is_none() {
                return;
            }
        }
    }

    /// The head of a session. A variant's names its piece as that is called now.
    pub(super) fn head(&self, id: SessionId) -> Result<Head, CliError> {
        let store = self.store(id)?;
        let mut head = store.head(id)?.head;
        let first = head.kin.family.filter(|_| head.kin.is_variant());
        if let Some(piece) = first.and_then(|first| store.head(first).ok()) {
            head.kin.piece = Some(piece.head.title().to_owned());
        }
        Ok(head)
    }

    /// What is wrong with the log of a session, in a line; none when nothing is, or when it is known already.
    pub(super) fn trouble(&self, id: SessionId) -> Option<String> {
        self.store.as_ref()?.head(id).ok()?.trouble
    }

    /// Every event of a session that can be read.
    pub(super) fn events(&self, id: SessionId) -> Result<Vec<Event>, CliError> {
        let all: Result<Vec<Event>, LogError> = self.store(id)?.whole(id)?.collect();
        Ok(all?)
    }

    /// The text of a blob, by its name.
    pub(super) fn blob(&self, id: SessionId, name: &str) -> Result<String, CliError> {
        let bytes = self.bytes(id, name)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The bytes of a blob.
    pub(super) fn bytes(&self, id: SessionId, name: &str) -> Result<Vec<u8>, CliError> {
        Ok(self.store(id)?.blob_get(id, name)?)
    }

    /// A log as it grows from behind that number on, whoever writes it.
    pub(super) fn follow(&self, id: SessionId, after: Option<Seq>) -> Result<Growing, CliError> {
        let follow = self.store(id)?.follow(id, after)?;
        let hinted = Arc::new(Notify::new());
        let tell = hinted.clone();
        Ok(Growing {
            watch: follow.watch(move || tell.notify_one()),
            follow,
            hinted,
        })
    }

    /// The briefs that a session's agents were sent, and the logs they lie in.
    pub(super) fn briefs(&self, id: SessionId) -> Result<(Trail, &Store), CliError> {
        let store = self.store(id)?;
        Ok((Trail::of(store, id)?, store))
    }

    /// The store, where anything was ever written.
    pub(super) fn written(&self) -> Option<&Store> {
        self.store.as_ref()
    }

    /// Reads every line and blob of one session, or of all.
    pub(super) fn verify(&self, only: Option<SessionId>) -> Result<Report, CliError> {
        let report = self.store.as_ref().map(|s| s.verify(only));
        Ok(report.transpose()?.unwrap_or_default())
    }

    /// Deletes the caches and reads all logs anew: how many sessions and events there are.
    pub(super) fn rebuild(&self) -> (u64, u64) {
        self.store.as_ref().map_or((0, 0), Store::rebuild)
    }

    fn store(&self, id: SessionId) -> Result<&Store, CliError> {
        let absent = || CliError::NoSession(id.to_string(), Vec::new());
        self.store.as_ref().ok_or_else(absent)
    }
}

/// A log that is being written.
pub(super) struct Growing {
    follow: Follow,
    hinted: Arc<Notify>,
    /// None where the system does not watch files.
    watch: Option<Watch>,
}

impl Growing {
    /// Waits until it may have grown since the last wait.
    pub(super) async fn wait(&self) {
        let patience = if self.watch.is_some() { NET } else { POLL };
        // Hinted at or not: the next look decides.
        let _hint = tokio::time::timeout(patience, self.hinted.notified()).await;
    }

    /// What it has got since it was last read; none when somebody cut or replaced the file, and what was read
    /// of it no longer counts.
    pub(super) fn read(&mut self) -> Result<Option<Vec<Event>>, CliError> {
        Ok(match self.follow.read()? {
            Followed::Events(events) => Some(events),
            Followed::Shorter => None,
        })
    }
}
