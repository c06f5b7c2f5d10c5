//! Hints that a log may have grown, from the system that watches its folder.

use std::path::Path;

use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher};

use super::pages::Follow;

/// Watches a log for as long as it lives.
pub struct Watch {
    #[expect(dead_code, reason = "held, not read: it watches until it is dropped")]
    watcher: RecommendedWatcher,
}

impl Follow {
    /// Calls `hint` when the log may have changed, whoever writes it: a hint says that a look may be worth it
    /// and nothing more, and none comes for some changes on some file systems. None where the system does not
    /// watch files.
    pub fn watch(&self, hint: impl Fn() + Send + 'static) -> Option<Watch> {
        let path = self.path().ok()?;
        // The folder: a file that is replaced takes its watch with it.
        let folder = path.parent()?.to_owned();
        let heard = move |event: notify::Result<Event>| {
            if event.is_ok_and(|event| is_news(&event, &path)) {
                hint();
            }
        };
        let mut watcher = notify::recommended_watcher(heard).ok()?;
        watcher.watch(&folder, RecursiveMode::NonRecursive).ok()?;
        Some(Watch { watcher })
    }
}

/// Whether an event may be about that log. Reading is an event too, our own above all; one without a path
/// says that events were lost.
fn is_news(event: &Event, log: &Path) -> bool {
    let named = event.paths.iter().any(|p| p.file_name() == log.file_name());
    !event.kind.is_access() && (named || event.paths.is_empty())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;
    use crate::domain::event::Kind;
    use crate::domain::{CollectionId, SessionId};
    use crate::log::{Followed, Store};
    use notify::event::{AccessKind, EventKind, ModifyKind};

    #[test]
    fn reading_and_other_logs_are_no_news() {
        let log = Path::new("/s/a.jsonl");
        let modified = EventKind::Modify(ModifyKind::Any);
        let event = |kind, path: &str| Event::new(kind).add_path(path.into());
        assert!(is_news(&event(modified, "/s/a.jsonl"), log));
        assert!(!is_news(&event(modified, "/s/b.jsonl"), log));
        let read = EventKind::Access(AccessKind::Any);
        assert!(!is_news(&event(read, "/s/a.jsonl"), log));
        assert!(is_news(&Event::new(EventKind::Other), log));
    }

    #[test]
    fn a_log_that_grows_is_hinted_at() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path(), &dir.path().join("cache")).unwrap();
        let id = SessionId::new(uuid::Uuid::now_v7());
        let inbox = CollectionId::inbox();
        let first = Kind::Created {
            id,
            title: None,
            collection: inbox.clone(),
            folder: "inbox/one".into(),
            agent: None,
            app: "0".into(),
        };
        let writer = store.create(id, &inbox, vec![first], &[], Box::new(|_| {}));
        let writer = writer.unwrap();
        assert!(writer.flush());
        let mut follow = store.follow(id, None).unwrap();
        let (hint, hints) = std::sync::mpsc::channel();
        let Some(_watch) = follow.watch(move || hint.send(()).unwrap_or_default()) else {
            return; // No files are watched here: followers look by the clock.
        };
        let title = "Grown".to_owned();
        writer.append(vec![Kind::Renamed { title }]);
        let mut grown = false;
        while !grown {
            let patience = std::time::Duration::from_secs(20);
            hints.recv_timeout(patience).unwrap();
            while let Followed::Events(events) = follow.read().unwrap() {
                if events.is_empty() {
                    break;
                }
                grown |= events
                    .iter()
                    .any(|e| matches!(e.kind, Kind::Renamed { .. }));
            }
        }
    }
}
