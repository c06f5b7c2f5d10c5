//! The file made what the log says: after a host that died, and where another program took it away.

use super::{Actor, blocking, file};
use crate::domain::event::By;
use crate::domain::{Kind, Seq};
use crate::host::history;
use crate::text::hash::sha256;

impl Actor {
    /// The host ended between the log and the file: the file still holds an older version, so the newest one is
    /// put there. Any other text is the writer's, and becomes a version.
    pub(in crate::host::session) async fn finish_replacing(&mut self, is_there: bool) {
        let head = &self.ledger.head;
        let Some(newest) = head.draft.clone() else {
            return; // Nothing was to be put into the file.
        };
        let path = self.shared.workspace.root().join(&self.desk.folder);
        let hashed = move || {
            file::sweep(&path);
            file::read(&path).map(|read| read.map(|bytes| sha256(&bytes)))
        };
        let hash = match blocking(hashed).await {
            Ok(Some(hash)) => hash,
            Ok(None) if is_there => return,
            // Out of sight it holds what it held.
            Ok(None) | Err(_) => {
                self.desk.before = head.holds.clone().or(Some(newest.sha256));
                return;
            }
        };
        if newest.by == By::Outside {
            return; // That came from the file.
        }
        if hash == newest.sha256 {
            return self.log_what_it_holds();
        }
        let before = self.before(newest.seq).await;
        let head = &self.ledger.head;
        let lags = head.lags(&hash, before.as_deref());
        let was_said = head.holds.as_ref() == Some(&hash);
        // What another program wrote there since was written into what it is known to have held.
        self.desk.before = if lags { Some(hash) } else { head.holds.clone() };
        if !lags {
            return;
        }
        let untold = match self.newest().await {
            Ok(newest) => self.put_back(newest).await.err().filter(|_| !was_said),
            Err(why) => Some(why),
        };
        if let Some(why) = untold {
            let why = self.for_writer(&why);
            self.note(format!(
                "The draft in the log is newer than the file, but {why}"
            ));
        }
    }

    /// Hash of the version before one.
    async fn before(&self, version: Seq) -> Option<String> {
        let (store, id) = (self.shared.store.clone(), self.id);
        let versions = blocking(move || history::versions(&store, id)).await.ok()?;
        let before = versions.iter().rev().find(|v| v.seq < version);
        before.map(|v| v.sha256.clone())
    }

    /// Replaces the file. Where that cannot be done the log says what it holds: the next host has to know into which
    /// text another program wrote.
    pub(super) async fn put_back(&mut self, bytes: Vec<u8>) -> Result<(), String> {
        let put = self.replace_file(bytes).await;
        self.log_what_it_holds();
        put
    }

    /// Logs what the file holds, where the log does not say so.
    fn log_what_it_holds(&mut self) {
        if let Some(line) = self.desk.log_line() {
            self.ledger.append(Kind::DraftFile(line));
        }
    }

    async fn replace_file(&mut self, bytes: Vec<u8>) -> Result<(), String> {
        // It may have been renamed, or moved away, since it was looked at.
        if let Err(why) = self.find_folder().await {
            (self.desk.away.lost, self.desk.lag.behind) = (true, true);
            return Err(why);
        }
        let path = self.shared.workspace.root().join(&self.desk.folder);
        let mode = self.desk.looked.mode;
        let put = blocking(move || {
            file::put(&path, &bytes, mode)?;
            Ok::<_, std::io::Error>(sha256(&bytes))
        });
        let put = put.await;
        self.desk.lag.behind = put.is_err();
        let hash = put.map_err(|e| {
            let folder = &self.desk.folder;
            format!("{folder}/{} could not be written: {e}.", file::NAME)
        })?;
        self.desk.before = Some(hash);
        self.desk.looked.stamp = None;
        Ok(())
    }

    /// What keeps the file from becoming another text, for a deed that would say that it has become it. What is typed is
    /// in the log all the same, and so is what an agent writes.
    pub(in crate::host::session) async fn in_the_way(&self) -> Result<(), String> {
        let path = self.shared.workspace.root().join(&self.desk.folder);
        let looked = blocking(move || file::can_replace(&path)).await;
        looked.map_err(|e| {
            let (folder, name) = (&self.desk.folder, file::NAME);
            format!("{folder}/{name} is not written: {e}.")
        })
    }

    /// Puts the file back that another program deleted, and says so. Where the file could not be written or read so far,
    /// or a host died before it was, nobody deleted it.
    pub(super) async fn put_back_deleted(&mut self, seen: bool) -> Result<(), String> {
        let was_there = self.was_there(seen).await;
        let newest = self.newest().await?;
        self.put_back(newest).await?;
        self.say_deleted(was_there);
        Ok(())
    }

    /// Whether another program took the file away, and not its folder with it: that is said by itself.
    pub(super) async fn was_there(&self, seen: bool) -> bool {
        let in_order =
            !self.desk.lag.behind && self.desk.trouble().is_none() && !self.desk.away.remade;
        in_order && (seen || self.had_file().await)
    }

    /// Says so.
    pub(super) fn say_deleted(&mut self, was_there: bool) {
        if was_there {
            self.note(format!(
                "draft.md was gone from {}, and was put back.",
                self.desk.folder
            ));
        }
    }

    /// Whether a host has written the file for sure, or read its newest version there.
    async fn had_file(&self) -> bool {
        let head = &self.ledger.head;
        match head.draft.as_ref().filter(|_| head.imported.is_none()) {
            Some(newest) => newest.by == By::Outside || self.before(newest.seq).await.is_some(),
            None => false,
        }
    }
}
