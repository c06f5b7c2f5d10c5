//! The session's draft: every change of it passes here and is in the log before it is a file.

mod back;
mod live;
mod newest;
mod pause;
mod propose;
mod restore;
mod save;
mod show;
mod take;
mod tool;
mod typing;

use std::collections::VecDeque;

use tokio::time::Instant;

use super::{Actor, Reply, Todo, blocking};
use crate::domain::event::{By, DraftFile};
use crate::domain::head::Version;
use crate::domain::{Event, Head, Kind, Seq};
use crate::drafts::file::{self, Stamp};
use crate::host::history;
use crate::host::watch::Held;
use crate::text::{hash::sha256, merge::merge};
use live::Live;
use pause::Typing;
pub(super) use save::{Both, How, Made};
pub(super) use take::Taking;
pub(super) use typing::Change;

/// What becomes of the words while the folder is nowhere.
const KEPT: &str = "What is written is kept in the log, and comes into the file when the folder is back or the session is moved.";
/// How many versions are remembered with who made them.
const VERSIONS: usize = 64;

/// The draft as the actor keeps it.
#[derive(Default)]
pub(super) struct Desk {
    /// Folder of the session, relative to the workspace.
    pub(super) folder: String,
    /// The draft in memory, when it was typed into.
    live: Option<Live>,
    /// When that was.
    typed: Option<Typing>,
    /// Changes of the draft that are on their way to the log: the next one is made when they are there.
    on_the_way: usize,
    /// Hashes of versions that are on their way: into the log, then into the file.
    coming: Vec<String>,
    /// Hash of the file when it was last looked at.
    pub(super) before: Option<String>,
    /// How it looked then.
    looked: Looked,
    /// Whether it is behind the log.
    lag: Lag,
    /// What became of the folder.
    pub(super) away: Away,
    /// The newest versions, oldest first.
    versions: VecDeque<Version>,
    /// The folder is watched.
    watched: Option<Held>,
    /// What keeps the draft from being looked at, once it is said.
    said: Option<String>,
}

/// Whether the file is behind the log.
#[derive(Default)]
struct Lag {
    /// It could not be made the newest version.
    behind: bool,
    /// Hash of the older text that it holds, as the log says or is about to: lines are written in order.
    logged: Option<String>,
}

/// What became of a session's folder when it was last looked for.
#[derive(Default)]
pub(super) struct Away {
    /// It was nowhere.
    lost: bool,
    /// It was gone, with the draft that had been seen in it, and was made anew.
    pub(super) remade: bool,
}

/// How the file looked.
#[derive(Default)]
struct Looked {
    /// From outside; none when it may have changed in the same moment.
    stamp: Option<Stamp>,
    /// Who may do what with it, as far as it was ever seen: it is put back as it was.
    mode: Option<u32>,
}

impl Desk {
    /// Of an opened session.
    pub(super) fn of(head: &Head) -> Self {
        let place = head.place.as_ref();
        Self {
            folder: place.map(|p| p.folder.clone()).unwrap_or_default(),
            versions: head.draft.iter().cloned().collect(),
            lag: Lag {
                behind: false,
                logged: head.holds.clone(),
            },
            ..Self::default()
        }
    }

    /// What the log has to say of the file: which older text it holds, or that it holds none. None where it says so.
    fn log_line(&mut self) -> Option<DraftFile> {
        let holds = self.before.clone().filter(|_| self.lag.behind);
        // What a file is that cannot be seen is not known: it may come back as it was.
        let is_known = holds.is_some() || !self.lag.behind;
        if !is_known || holds == self.lag.logged {
            return None;
        }
        self.lag.logged.clone_from(&holds);
        Some(DraftFile { holds })
    }

    /// What keeps the draft from its file.
    pub(super) fn trouble(&self) -> Option<&str> {
        self.said.as_deref()
    }

    /// Watches the folder no more, until it is looked at again.
    pub(super) fn unwatch(&mut self) {
        if let Some(held) = self.watched.take() {
            held.pause();
        }
    }

    /// Whether something was typed that is no version yet.
    pub(super) fn is_typed(&self) -> bool {
        self.live.as_ref().is_some_and(|live| live.typed)
    }

    /// Whether a change of the draft is on its way to the log.
    pub(super) fn waits(&self) -> bool {
        self.on_the_way > 0
    }

    /// When what was typed becomes a version.
    pub(super) fn pause_at(&self) -> Option<Instant> {
        self.typing().map(|typing| typing.ends())
    }

    /// When it was typed.
    fn typing(&self) -> Option<Typing> {
        self.typed.filter(|_| self.is_typed())
    }

    /// The newest version at or before an event, if it is remembered.
    fn version_at(&self, at: Seq) -> Option<Seq> {
        let mut seqs = self.versions.iter().rev().map(|v| v.seq);
        seqs.find(|seq| *seq <= at)
    }

    /// Takes in an event that is in the log; `newest` is the version that it made.
    pub(super) fn written(&mut self, event: &Event, newest: Option<&Version>) {
        match event.kind {
            Kind::DraftSaved { .. } => {
                self.versions.extend(newest.cloned());
                if self.versions.len() > VERSIONS {
                    self.versions.pop_front();
                }
            }
            Kind::DraftEdited { .. } => {}
            _ => return,
        }
        self.on_the_way = self.on_the_way.saturating_sub(1);
        if self
            .live
            .as_mut()
            .is_some_and(|live| !live.written(event.seq))
        {
            self.live = None;
        }
    }
}

/// What stands in the folder.
enum Seen {
    /// What was there before.
    Same,
    /// No file; whether it was seen before.
    Gone(bool),
    /// Another text.
    Other(Other),
}

/// Another text than the one before.
struct Other {
    text: Vec<u8>,
    hash: String,
    /// Hash of the one before, as far as it is known.
    was: Option<String>,
}

impl Actor {
    /// Makes an outside change of `draft.md` a version, and puts the file back where it is gone.
    /// Trouble is said; the draft in the log stays as it was.
    pub(super) async fn look_at_draft(&mut self) {
        self.look(false).await;
    }

    /// The same, and what was typed becomes a version.
    pub(super) async fn settle(&mut self) {
        self.look(true).await;
    }

    pub(super) async fn look(&mut self, settles: bool) {
        if self.shared.access.is_away() {
            // Nothing is put back where there is no workspace: it would begin another one in its place.
            return;
        }
        if self.desk.waits() {
            return self.then(Todo::Look { settles });
        }
        let trouble = match self.find_folder().await {
            Ok(()) => {
                self.watch();
                self.come_back().await;
                self.reconcile(settles).await.err()
            }
            Err(why) => {
                (self.desk.away.lost, self.desk.lag.behind) = (true, true);
                Some(why)
            }
        };
        if settles && trouble.is_some() {
            // Whatever became of the file.
            self.snapshot().await;
        }
        self.say_trouble(trouble);
    }

    /// Says what keeps the draft from its file, once, in the log and in the row.
    fn say_trouble(&mut self, why: Option<String>) {
        let trouble = why.map(|why| self.for_writer(&why));
        if self.desk.said == trouble {
            return;
        }
        if let Some(why) = &trouble {
            self.note(format!("The draft could not be looked at: {why}"));
        }
        self.desk.said = trouble;
        self.show_row();
    }

    /// A trouble with the file in the writer's words: what becomes of the words, where the folder is nowhere.
    pub(super) fn for_writer(&self, why: &str) -> String {
        if self.desk.away.lost {
            format!("{why} {KEPT}")
        } else {
            why.to_owned()
        }
    }

    /// Watches the folder where it is now.
    fn watch(&mut self) {
        let path = self.shared.workspace.root().join(&self.desk.folder);
        let held = self.desk.watched.as_ref();
        if held.is_none_or(|held| !held.is_of(&path)) && path.is_dir() {
            self.desk.watched = Some(self.shared.watch.hold(self.id, path));
        }
    }

    /// A folder that was nowhere is there again: where its file holds an older version, nobody wrote that there meanwhile.
    async fn come_back(&mut self) {
        if !std::mem::take(&mut self.desk.away.lost) {
            return;
        }
        let path = self.shared.workspace.root().join(&self.desk.folder);
        let hashed = move || file::read(&path).map(|read| read.map(|bytes| sha256(&bytes)));
        let (store, id) = (self.shared.store.clone(), self.id);
        let versions = blocking(move || history::versions(&store, id)).await;
        if let (Ok(Some(hash)), Ok(versions)) = (blocking(hashed).await, versions)
            && versions.iter().any(|v| v.sha256 == hash)
        {
            self.desk.before = Some(hash);
            self.desk.looked.stamp = None;
        }
    }

    async fn reconcile(&mut self, settles: bool) -> Result<(), String> {
        match self.seen().await? {
            Seen::Gone(seen) if self.ledger.head.draft.is_some() && !self.desk.is_typed() => {
                return self.put_back_deleted(seen).await;
            }
            Seen::Gone(seen) if self.ledger.head.draft.is_some() => {
                let was_there = self.was_there(seen).await;
                self.snapshot().await;
                self.say_deleted(was_there);
            }
            Seen::Other(other) if !self.is_known(other.text.is_empty(), &other.hash) => {
                return self.written_outside(other).await;
            }
            Seen::Same if self.desk.lag.behind && !self.desk.is_typed() => {
                let newest = self.newest().await?;
                // Its trouble was said when the version was made.
                drop(self.put_back(newest).await);
            }
            Seen::Gone(_) | Seen::Other(..) | Seen::Same => {}
        }
        if settles {
            self.snapshot().await;
        }
        Ok(())
    }

    /// Looks at the file.
    async fn seen(&mut self) -> Result<Seen, String> {
        let path = self.shared.workspace.root().join(&self.desk.folder);
        let shown = format!("{}/{}", self.desk.folder, file::NAME);
        let known = self.desk.looked.stamp;
        let looking = move || {
            let stamp = file::stamp(&path);
            if stamp.is_some() && stamp == known {
                return Ok(None);
            }
            let read = file::read(&path);
            let read = read.map_err(|e| format!("{shown}: {e}."))?;
            let read = read.map(|bytes| (sha256(&bytes), bytes));
            Ok::<_, String>(Some((stamp, read)))
        };
        let Some((stamp, read)) = blocking(looking).await? else {
            return Ok(Seen::Same);
        };
        let mode = stamp.map(|stamp| stamp.mode());
        self.desk.looked = Looked {
            stamp: stamp.filter(Stamp::is_settled),
            mode: mode.or(self.desk.looked.mode),
        };
        let Some((hash, bytes)) = read else {
            return Ok(Seen::Gone(self.desk.before.take().is_some()));
        };
        if self.desk.before.as_ref() == Some(&hash) {
            return Ok(Seen::Same);
        }
        let (text, was) = (bytes, self.desk.before.replace(hash.clone()));
        Ok(Seen::Other(Other { text, hash, was }))
    }

    /// Takes in the text of another program: it is a version, and merged with what was typed meanwhile.
    async fn outside(&mut self, theirs: Vec<u8>) -> Result<(), String> {
        if !self.desk.is_typed() {
            // Without the version before it, its words are counted as new.
            let old = self.newest().await.unwrap_or_default();
            self.save(theirs, old, Made::by(By::Outside)).await;
            return Ok(());
        }
        let Some(live) = self.desk.live.clone() else {
            return Ok(());
        };
        let newest = live.version.clone().into_bytes();
        let Ok(text) = String::from_utf8(theirs.clone()) else {
            self.snapshot().await;
            self.save(theirs, newest, Made::by(By::Outside)).await;
            let mine = live.text.into_bytes();
            self.beside(mine.clone(), mine, Made::by(By::You));
            return Ok(());
        };
        let both = blocking(move || {
            let merged = merge(&live.version, &live.text, &text);
            Ok::<_, String>((merged, live.text))
        });
        let (merged, mine) = both.await?;
        if merged.conflicts.is_empty() {
            self.save(theirs.clone(), newest, Made::by(By::Outside))
                .await;
            self.save(merged.text.into_bytes(), theirs, Made::by(By::You))
                .await;
        } else {
            self.snapshot().await;
            self.save(theirs, newest, Made::by(By::Outside)).await;
            let both = merged.text.into_bytes();
            self.beside(both, mine.into_bytes(), Made::by(By::You));
        }
        Ok(())
    }

    /// Whether a text, by its hash, is the newest version, or one that is about to be.
    fn is_known(&self, is_empty: bool, hash: &str) -> bool {
        let newest = self.ledger.head.draft.as_ref();
        newest.map_or(is_empty, |d| d.sha256 == hash) || self.desk.coming.iter().any(|h| h == hash)
    }

    /// Writes a line to know into the log.
    pub(super) fn note(&mut self, text: String) {
        let turn = self.state.runs().then_some(self.state.turn);
        self.ledger.append(Kind::Note { turn, text });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_change_of_what_the_file_holds_is_one_line_also_while_the_one_before_is_on_its_way() {
        let head = Head {
            holds: Some("one".to_owned()),
            ..Head::default()
        };
        let mut desk = Desk::of(&head);
        let mut says = |before: Option<&str>, behind| {
            (desk.before, desk.lag.behind) = (before.map(str::to_owned), behind);
            desk.log_line().map(|line| line.holds)
        };
        assert_eq!(says(Some("one"), true), None, "the log says so");
        assert_eq!(says(Some("four"), false), Some(None));
        assert_eq!(says(Some("four"), true), Some(Some("four".to_owned())));
        assert_eq!(says(Some("four"), true), None);
        assert_eq!(says(None, true), None, "the file is gone");
        assert_eq!(says(Some("five"), false), Some(None));
        assert_eq!(says(Some("six"), false), None);
    }
}
