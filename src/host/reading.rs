//! What windows read and keep beside the actors: pages of a log, blobs, unsent words.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::shared::now;
use super::{Host, attach, history, refused};
use crate::domain::ask::Reply;
use crate::domain::search::From;
use crate::domain::{CollectionId, Seq, SessionId, WindowId};
use crate::drafts::file;
use crate::log::Store;
use crate::log::search::Search;
use crate::text::find::Query;

/// How long a search goes on before it tells what it has found.
const MOMENT: Duration = Duration::from_millis(100);
/// Places that are told at once, about.
const HITS: usize = 200;

impl Host {
    pub(super) async fn page(&self, session: SessionId, before: Option<u64>, bytes: u64) -> Reply {
        let read = self.read(move |store| {
            Ok((
                store.head(session)?.head,
                attach::page(store, session, before, bytes)?,
            ))
        });
        match read.await {
            Ok((head, page)) => Reply::Page {
                head: Box::new(head),
                events: page.events,
                more: page.more,
            },
            Err(why) => refused(why),
        }
    }

    /// The versions of a draft.
    pub(super) async fn versions(&self, session: SessionId) -> Reply {
        let read = self.read(move |store| history::timeline(store, session));
        match read.await {
            Ok(versions) => Reply::Versions { versions },
            Err(why) => refused(why),
        }
    }

    /// The draft where nothing may be written, and so no session opened: from its log, to be read.
    pub(super) async fn draft_of_log(&self, session: SessionId, at: Option<Seq>) -> Reply {
        let read = self.read(move |store| {
            Ok((
                store.head(session)?.head,
                history::draft(store, session, None, at)?,
            ))
        });
        let (head, found) = match read.await {
            Ok(found) => found,
            Err(why) => return refused(why),
        };
        let folder = head.place.map(|place| place.folder).unwrap_or_default();
        let folder = self.0.workspace.root().join(folder);
        Reply::Draft {
            text: String::from_utf8_lossy(&found.bytes).into_owned(),
            version: found.at,
            path: file::path(&folder).display().to_string(),
            locked: self.0.access.why(now()),
        }
    }

    /// Finds words, for a moment.
    pub(super) async fn search(
        &self,
        words: String,
        collection: Option<CollectionId>,
        from: Option<From>,
    ) -> Reply {
        let Some(query) = Query::of(&words) else {
            return refused("There are no words to look for.".to_owned());
        };
        let read = self.read(move |store| {
            let begun = std::time::Instant::now();
            let mut hits = Vec::new();
            let count = AtomicUsize::new(0);
            let next = store.search(
                from,
                Search {
                    query: &query,
                    collection: collection.as_ref(),
                    found: &mut |hit| {
                        hits.push(hit);
                        count.store(hits.len(), Ordering::Relaxed);
                    },
                    enough: &|| begun.elapsed() > MOMENT || count.load(Ordering::Relaxed) >= HITS,
                },
            );
            Ok((hits, next))
        });
        match read.await {
            Ok((hits, next)) => Reply::Hits { hits, next },
            Err(why) => refused(why),
        }
    }

    pub(super) async fn blob(&self, session: SessionId, blob: String) -> Reply {
        let bytes = self.read(move |store| store.blob_get(session, &blob)).await;
        bytes.map_or_else(refused, |bytes| Reply::Text {
            text: String::from_utf8_lossy(&bytes).into_owned(),
        })
    }

    pub(super) async fn keep_unsent(
        &self,
        session: Option<SessionId>,
        window: WindowId,
        text: String,
    ) -> Reply {
        let keep = move |store: &Store| store.keep_unsent(session, &window, &text);
        self.read(keep).await.map_or_else(refused, |()| Reply::Done)
    }

    pub(super) async fn unsent(&self, session: Option<SessionId>, window: WindowId) -> Reply {
        let text = self.read(move |store| store.unsent(session, &window)).await;
        text.map_or_else(refused, |text| Reply::Text { text })
    }

    pub(super) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Store) -> Result<T, crate::log::LogError> + Send + 'static,
    ) -> Result<T, String> {
        let store = self.0.store.clone();
        match tokio::task::spawn_blocking(move || work(&store)).await {
            Ok(done) => done.map_err(|e| e.to_string()),
            Err(e) => Err(format!("The work broke off: {e}.")),
        }
    }
}
