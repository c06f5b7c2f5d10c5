//! The session's draft: every change of it passes here and is a version before it is a file.

use super::{Actor, Reply, Todo, blocking};
use crate::domain::ask::Into as Place;
use crate::domain::event::By;
use crate::domain::head::{Version, Was};
use crate::domain::tool::ToolResult;
use crate::domain::{Kind, Seq};
use crate::drafts::{file, folder};
use crate::host::history;
use crate::host::turn::{AskNo, Input};
use crate::text::{self, hash::sha256};
use crate::tools::{self, Outcome};

/// The draft as the actor keeps it.
#[derive(Default)]
pub(super) struct Desk {
    /// Folder of the session, relative to the workspace.
    pub(super) folder: String,
    /// Hashes of versions that are on their way: into the log, then into the file.
    coming: Vec<String>,
    /// Hash of the file when it was last looked at.
    before: Option<String>,
}

impl Desk {
    /// Of a session whose folder is there.
    pub(super) fn at(folder: String) -> Self {
        Self {
            folder,
            ..Self::default()
        }
    }
}

/// The draft of a folder and of the newest version.
struct Found {
    on_disk: Option<Vec<u8>>,
    newest: Option<Vec<u8>>,
}

impl Actor {
    /// Makes an outside change of `draft.md` a version, and puts the file back where it is gone.
    /// Trouble is shown on the row; the draft in the log stays as it was.
    pub(super) async fn look_at_draft(&mut self) {
        if self.shared.access.is_away() {
            // Nothing is put back where there is no workspace: it would begin another one in its place.
            return;
        }
        self.find_folder().await;
        if let Err(why) = self.reconcile().await {
            self.note(format!("The draft could not be looked at: {why}"));
        }
    }

    async fn reconcile(&mut self) -> Result<(), String> {
        let found = self.find().await?;
        self.desk.before = found.on_disk.as_deref().map(sha256);
        match found.on_disk {
            None if self.ledger.head.draft.is_none() => Ok(()),
            None => self.put_back(found.newest.unwrap_or_default()).await,
            Some(bytes) => {
                if !self.is_known(&bytes) {
                    self.save(bytes, found.newest.as_deref(), By::Outside, None);
                }
                Ok(())
            }
        }
    }

    /// Whether a text is the newest version, or one that is about to be.
    fn is_known(&self, text: &[u8]) -> bool {
        let hash = sha256(text);
        let newest = self.ledger.head.draft.as_ref();
        newest.map_or(text.is_empty(), |d| d.sha256 == hash) || self.desk.coming.contains(&hash)
    }

    /// The host died between the log and the file: the file still holds the version before, so the
    /// newest one is put there. Any other text is the writer's, and becomes a version.
    pub(super) async fn finish_replacing(&mut self) {
        let newest = self.ledger.head.draft.as_ref();
        if newest.is_some_and(|d| d.by == By::Outside) {
            return; // Nothing was to be put into the file.
        }
        let before = self
            .ledger
            .head
            .deeds
            .iter()
            .rev()
            .find_map(|d| match &d.was {
                Was::Draft(version) => Some(version.as_ref().map(|v| v.sha256.clone())),
                _ => None,
            });
        let Ok(Found {
            on_disk: Some(bytes),
            newest: Some(newest),
        }) = self.find().await
        else {
            return;
        };
        let hash = sha256(&bytes);
        let is_newest = self
            .ledger
            .head
            .draft
            .as_ref()
            .is_some_and(|d| d.sha256 == hash);
        if !is_newest
            && before.flatten() == Some(hash)
            && let Err(why) = self.put_back(newest).await
        {
            self.note(format!(
                "The draft in the log is newer than the file, but {why}"
            ));
        }
    }

    async fn find(&self) -> Result<Found, String> {
        let (store, id) = (self.shared.store.clone(), self.id);
        let path = self.shared.workspace.root().join(&self.desk.folder);
        let newest = self.ledger.head.draft.clone();
        blocking(move || {
            let on_disk = file::read(&path).map_err(|e| format!("{}: {e}", path.display()))?;
            let newest = newest
                .map(|v| store.blob_get(id, &v.sha256))
                .transpose()
                .map_err(|e| e.to_string())?;
            Ok::<_, String>(Found { on_disk, newest })
        })
        .await
    }

    /// Logs a version; the file follows when the version is on disk.
    fn save(&mut self, new: Vec<u8>, old: Option<&[u8]>, by: By, call: Option<&str>) {
        let kind = self.version(&new, old, by.clone(), call.is_some());
        self.desk.coming.push(sha256(&new));
        self.ledger.append_draft(kind, new.clone());
        let call = call.map(str::to_owned);
        self.then(Todo::Saved {
            call,
            by,
            text: new,
        });
    }

    fn version(&self, new: &[u8], old: Option<&[u8]>, by: By, in_turn: bool) -> Kind {
        let (new_text, old_text) = (
            String::from_utf8_lossy(new),
            String::from_utf8_lossy(old.unwrap_or_default()),
        );
        let (added, removed) = text::changes(&old_text, &new_text);
        Kind::DraftSaved {
            turn: in_turn.then_some(self.state.turn),
            sha256: sha256(new),
            bytes: new.len() as u64,
            words: text::count(&new_text),
            by,
            base: self.ledger.head.draft.as_ref().map(|d| d.seq),
            added,
            removed,
            beside: None,
        }
    }

    async fn put_back(&mut self, bytes: Vec<u8>) -> Result<(), String> {
        let hash = sha256(&bytes);
        let (root, at, id) = (
            self.shared.workspace.root().to_owned(),
            self.desk.folder.clone(),
            self.id,
        );
        blocking(move || {
            let path = root.join(&at);
            if !path.is_dir() {
                folder::remake(&root, &at, id)?;
            }
            file::replace(&path, &bytes)
        })
        .await
        .map_err(|e| format!("{} could not be written: {e}", self.desk.folder))?;
        self.desk.before = Some(hash);
        Ok(())
    }

    /// Runs one of the writing tools for the agent.
    pub(super) async fn tool(&mut self, call: String, name: &str, input: &str) {
        if let Err(why) = self.reconcile().await {
            let output = format!("The draft cannot be used now: {why}");
            return self.tool_done(call, ToolResult { ok: false, output });
        }
        // An outside change that was just found is a version only when it is on disk.
        self.then(Todo::Run {
            call,
            name: name.to_owned(),
            input: input.to_owned(),
        });
    }

    /// The same, with every outside change a version.
    pub(super) async fn run_tool(&mut self, call: String, name: &str, input: &str) {
        let newest = match self.newest().await {
            Ok(newest) => newest,
            Err(why) => {
                let output = format!("The draft cannot be used now: {why}");
                return self.tool_done(call, ToolResult { ok: false, output });
            }
        };
        let Ok(text) = std::str::from_utf8(&newest) else {
            let output =
                "The draft is not UTF-8 text; the writer has to convert it first.".to_owned();
            return self.tool_done(call, ToolResult { ok: false, output });
        };
        let version = self.ledger.head.draft.as_ref().map_or(0, |d| d.seq);
        match tools::run(name, input, tools::Draft { text, version }) {
            Outcome::Answer(result) => self.tool_done(call, result),
            Outcome::Write(new) => {
                let by = By::Agent(self.agent_name());
                self.save(new.into_bytes(), Some(&newest), by, Some(&call));
            }
        }
    }

    fn tool_done(&mut self, call: String, result: ToolResult) {
        self.feed(Input::ToolDone {
            call,
            result,
            ms: 0,
        });
    }

    fn agent_name(&self) -> String {
        self.ledger
            .head
            .turn
            .as_ref()
            .and_then(|t| t.agent.clone())
            .unwrap_or_default()
    }

    async fn newest(&self) -> Result<Vec<u8>, String> {
        self.text_of(self.ledger.head.draft.as_ref()).await
    }

    async fn text_of(&self, version: Option<&Version>) -> Result<Vec<u8>, String> {
        let Some(sha) = version.map(|v| v.sha256.clone()) else {
            return Ok(Vec::new());
        };
        let (store, id) = (self.shared.store.clone(), self.id);
        blocking(move || store.blob_get(id, &sha)).await
    }

    /// A version is logged: the file becomes it, and the agent is told.
    pub(super) async fn saved(&mut self, call: Option<String>, by: By, text: Vec<u8>) {
        if by != By::Outside
            && let Some(theirs) = self.overtaken().await
        {
            // Another program's text came first in the file: it is a version now, and this one follows it.
            return self.save(text, Some(&theirs), by, call.as_deref());
        }
        let hash = sha256(&text);
        self.desk.coming.retain(|h| *h != hash);
        if by != By::Outside
            && let Err(why) = self.put_back(text).await
        {
            self.note(format!("The version is safe in the log, but {why}"));
        }
        let Some(call) = call else { return };
        let draft = self.ledger.head.draft.as_ref();
        let result = tools::written(draft.map_or(0, |d| d.seq), draft.map_or(0, |d| d.words));
        self.tool_done(call, result);
    }

    /// The text of another program that changed the file since it was looked at; it is made a version then.
    async fn overtaken(&mut self) -> Option<Vec<u8>> {
        let found = self.find().await.ok()?;
        let theirs = found.on_disk?;
        let hash = sha256(&theirs);
        if self.is_known(&theirs) || self.desk.before.as_ref() == Some(&hash) {
            return None;
        }
        self.desk.before = Some(hash);
        self.save(theirs.clone(), found.newest.as_deref(), By::Outside, None);
        Some(theirs)
    }

    /// Answers with the draft as of a version, the newest when none is named.
    pub(super) async fn draft(&mut self, to: AskNo, at: Option<Seq>) {
        self.look_at_draft().await;
        self.then(Todo::Show { to, at });
    }

    pub(super) async fn show_draft(&mut self, to: AskNo, at: Option<Seq>) {
        let version = match at {
            None => Ok(self.ledger.head.draft.clone()),
            Some(seq) => {
                let (store, id) = (self.shared.store.clone(), self.id);
                blocking(move || history::version(&store, id, seq)).await
            }
        };
        let text = match &version {
            Ok(version) => self.text_of(version.as_ref()).await,
            Err(why) => Err(why.clone()),
        };
        let reply = match (text, version) {
            (Ok(bytes), Ok(version)) => Reply::Draft {
                text: String::from_utf8_lossy(&bytes).into_owned(),
                version: version.map(|v| v.seq),
                path: file::path(&self.shared.workspace.root().join(&self.desk.folder))
                    .display()
                    .to_string(),
            },
            (Err(why), _) | (_, Err(why)) => Reply::Refused { why, hint: None },
        };
        self.reply(to, reply);
    }

    /// Puts a reply into the draft, in its place, behind it or before it.
    pub(super) async fn reply_to_draft(&mut self, to: AskNo, seq: Seq, how: Place) {
        self.look_at_draft().await;
        self.then(Todo::Take { to, seq, how });
    }

    pub(super) async fn take_reply(&mut self, to: AskNo, seq: Seq, how: Place) {
        let (store, id) = (self.shared.store.clone(), self.id);
        let words = blocking(move || history::words_at(&store, id, seq)).await;
        let reply = match (words, self.newest().await) {
            (Ok(Some(words)), Ok(old)) => {
                let new = joined(&String::from_utf8_lossy(&old), &words, how);
                self.save(new.into_bytes(), Some(&old), By::You, None);
                return self.then_reply(to, Reply::Done);
            }
            (Ok(None), _) => "There is no reply at that place.".to_owned(),
            (Err(why), _) | (_, Err(why)) => why,
        };
        self.reply(
            to,
            Reply::Refused {
                why: reply,
                hint: None,
            },
        );
    }

    /// Makes an older version the newest one again.
    pub(super) async fn bring_back(&mut self, version: Option<Version>) -> Result<(), String> {
        let old = self.newest().await?;
        let new = self.text_of(version.as_ref()).await?;
        self.save(new, Some(&old), By::Undo, None);
        Ok(())
    }

    /// Writes a line to know into the log.
    pub(super) fn note(&mut self, text: String) {
        let turn = self.state.runs().then_some(self.state.turn);
        self.ledger.append(Kind::Note { turn, text });
    }
}

/// A draft with a reply put to it; texts are parted by an empty line.
fn joined(draft: &str, reply: &str, how: Place) -> String {
    let (draft, reply) = (draft.trim_end(), reply.trim_end());
    match how {
        _ if draft.is_empty() => format!("{reply}\n"),
        Place::Replace => format!("{reply}\n"),
        Place::Append => format!("{draft}\n\n{reply}\n"),
        Place::Insert => format!("{reply}\n\n{draft}\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_is_parted_from_the_draft_by_an_empty_line() {
        assert_eq!(joined("One.\n", "Two.", Place::Append), "One.\n\nTwo.\n");
        assert_eq!(joined("One.\n", "Two.", Place::Insert), "Two.\n\nOne.\n");
        assert_eq!(joined("One.\n", "Two.", Place::Replace), "Two.\n");
        assert_eq!(joined("", "Two.", Place::Append), "Two.\n");
    }
}
