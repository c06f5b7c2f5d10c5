//! How a text becomes a version, and then the file.

use super::{Actor, Other, Todo, blocking, file, merge};
use crate::domain::event::{By, Origin, TurnNo};
use crate::domain::tool::ToolResult;
use crate::domain::{Kind, Seq};
use crate::text::{self, hash::sha256, merge::Merged};
use crate::tools;

/// How a version came to be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::host::session) struct Made {
    pub(super) by: By,
    /// The turn that made it.
    pub(super) turn: Option<TurnNo>,
    /// The tool call that is answered when it is in the file.
    pub(super) call: Option<String>,
    /// Where its words come from, when they were another text's.
    pub(super) from: Option<Origin>,
    /// More of those may still be taken.
    pub(super) rest: bool,
    pub(super) how: How,
}

/// What a version is to the one before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::host::session) enum How {
    /// It follows it.
    Alone,
    /// It holds what the writer changed meanwhile as well.
    Merged,
    /// It is not to be the draft: the writer's text follows at once.
    Aside,
    /// It is the draft; that other one changed the same paragraphs.
    Beside(Seq),
}

/// A text that is to be the draft while another one stands beside it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::host::session) struct Both {
    pub(super) text: Vec<u8>,
    /// What was the draft: the words of the text are counted against it.
    pub(super) was: Vec<u8>,
}

impl Made {
    pub(in crate::host::session) fn by(by: By) -> Self {
        Self {
            by,
            turn: None,
            call: None,
            from: None,
            rest: false,
            how: How::Alone,
        }
    }

    /// Of words that were another text's.
    pub(in crate::host::session) fn from(by: By, from: Origin) -> Self {
        let from = Some(from);
        Self {
            from,
            ..Self::by(by)
        }
    }

    /// Whether the file becomes it.
    fn is_for_file(&self) -> bool {
        self.by != By::Outside && self.how != How::Aside
    }
}

impl Actor {
    /// Logs a version; the file follows when the version is on disk.
    pub(super) async fn save(&mut self, new: Vec<u8>, old: Vec<u8>, made: Made) {
        self.desk.live = None;
        self.save_live(new, old, made).await;
    }

    /// The same, of the text in memory.
    pub(super) async fn save_live(&mut self, new: Vec<u8>, old: Vec<u8>, made: Made) {
        let beside = match made.how {
            How::Beside(other) => Some(other),
            _ => None,
        };
        let base = self.ledger.head.draft.as_ref().map(|d| d.seq);
        let (turn, by, from, rest) = (made.turn, made.by.clone(), made.from, made.rest);
        let counting = move || {
            let (new_text, old_text) =
                (String::from_utf8_lossy(&new), String::from_utf8_lossy(&old));
            let (added, removed) = text::changes(&old_text, &new_text);
            let kind = Kind::DraftSaved {
                turn,
                sha256: sha256(&new),
                bytes: new.len() as u64,
                words: text::count(&new_text),
                by,
                base,
                added,
                removed,
                beside,
                from,
                rest,
            };
            Ok::<_, String>((kind, new))
        };
        let (kind, new) = match blocking(counting).await {
            Ok(counted) => counted,
            Err(why) => return self.note(format!("The draft could not be made a version: {why}")),
        };
        let hash = match &kind {
            Kind::DraftSaved { sha256, .. } => sha256.clone(),
            _ => String::new(),
        };
        if made.by == By::Outside {
            // That line says that the file holds it.
            self.desk.lag.logged = None;
        }
        self.desk.coming.push(hash.clone());
        self.desk.on_the_way += 1;
        self.ledger.append_draft(kind, new.clone());
        let text = new;
        self.then(Todo::Saved { made, text, hash });
    }

    /// Logs a text as the draft, with the version before it, which is on its way, beside it.
    pub(super) fn beside(&mut self, text: Vec<u8>, was: Vec<u8>, made: Made) {
        let both = Both { text, was };
        self.then(Todo::Beside { made, both });
    }

    /// The same, when that version is in the log.
    pub(in crate::host::session) async fn stand_beside(&mut self, made: Made, both: Both) {
        let other = self.ledger.head.draft.as_ref().map_or(0, |d| d.seq);
        let how = How::Beside(other);
        self.save(both.text, both.was, Made { how, ..made }).await;
    }

    /// Who made the draft that stays where it and another text changed the same paragraphs, and takes nothing over.
    pub(super) fn keeper(&self) -> By {
        match self.ledger.head.draft.as_ref().map(|d| &d.by) {
            Some(by @ (By::Outside | By::Agent(_))) => by.clone(),
            _ => By::You,
        }
    }

    /// A version is logged: the file becomes it, and the agent is told. `hash` is that of the text.
    pub(in crate::host::session) async fn saved(
        &mut self,
        made: Made,
        text: Vec<u8>,
        hash: String,
    ) {
        if made.is_for_file()
            && let Some(theirs) = self.overtaken().await
        {
            return self.meet(theirs, text, made).await;
        }
        self.desk.coming.retain(|h| *h != hash);
        if made.is_for_file() {
            let was_behind = self.desk.lag.behind;
            if let Err(why) = self.put_back(text.clone()).await
                && !was_behind
            {
                self.say_unwritten(&why);
            }
        }
        let Some(call) = made.call else { return };
        let result = self.told(made.how, &text);
        self.tool_done(call, result);
    }

    /// Says that a version is in the log and not in the file; why, unless that is said already.
    fn say_unwritten(&mut self, why: &str) {
        let text = if self.desk.trouble().is_some() {
            "The version is safe in the log; the file follows when it can be written.".to_owned()
        } else {
            let why = self.for_writer(why);
            format!("The version is safe in the log, but {why}")
        };
        self.note(text);
    }

    /// What an agent is told of its text.
    fn told(&self, how: How, text: &[u8]) -> ToolResult {
        let draft = self.ledger.head.draft.as_ref();
        let (version, words) = draft.map_or((0, 0), |d| (d.seq, d.words));
        match how {
            How::Alone | How::Aside => tools::written(version, words),
            How::Merged => tools::merged(version, words),
            How::Beside(own) => {
                let text = &String::from_utf8_lossy(text);
                tools::beside(own, tools::Draft { text, version })
            }
        }
    }

    /// The text of another program that changed the file since it was looked at, with the one it changed.
    async fn overtaken(&mut self) -> Option<(Vec<u8>, Vec<u8>)> {
        let (root, at) = (self.shared.workspace.root(), &self.desk.folder);
        let path = root.join(at);
        let read = move || file::read(&path).map(|read| read.map(|text| (sha256(&text), text)));
        let (hash, theirs) = blocking(read).await.ok()??;
        if self.is_known(theirs.is_empty(), &hash) || self.desk.before.as_ref() == Some(&hash) {
            return None;
        }
        let before = self.desk.before.replace(hash);
        Some((self.text_before(before).await, theirs))
    }

    /// The text that stood in the file, by its hash. Without it nothing is known to be the same: both stay whole.
    async fn text_before(&self, before: Option<String>) -> Vec<u8> {
        let (store, id) = (self.shared.store.clone(), self.id);
        let base = blocking(move || match before {
            Some(before) => store.blob_get(id, &before).map_err(|e| e.to_string()),
            None => Ok::<_, String>(Vec::new()),
        });
        base.await.unwrap_or_default()
    }

    /// Another program has written into the file. Where the newest version never came into it, what was written there
    /// was written into an older one: it is merged from that, and undoes nothing of what came since.
    pub(super) async fn written_outside(&mut self, other: Other) -> Result<(), String> {
        let newest = self.ledger.head.draft.clone();
        let (Some(newest), Some(was)) = (newest, other.was) else {
            return self.outside(other.text).await;
        };
        if newest.sha256 == was {
            return self.outside(other.text).await;
        }
        if self.desk.is_typed() {
            // Its version meets the other text on its way into the file.
            self.desk.before = Some(was);
            self.desk.looked.stamp = None;
            self.snapshot().await;
            return Ok(());
        }
        let mine = self.newest().await?;
        let by = match newest.by {
            by @ By::Agent(_) => by,
            _ => By::You,
        };
        let base = self.text_before(Some(was)).await;
        self.meet((base, other.text), mine, Made::by(by)).await;
        Ok(())
    }

    /// Another program's text came first in the file: it is a version now, and merged with this one.
    async fn meet(&mut self, (base, theirs): (Vec<u8>, Vec<u8>), text: Vec<u8>, made: Made) {
        let own = self.ledger.head.draft.as_ref().map_or(0, |d| d.seq);
        let (mine, other) = match made.by {
            // Where both changed a paragraph, the other program's words stay.
            By::Agent(_) => (theirs.clone(), text.clone()),
            _ => (text.clone(), theirs.clone()),
        };
        let merged = merged(base, mine, other).await;
        let outside = Made::by(By::Outside);
        match merged {
            Some(merged) if merged.conflicts.is_empty() => {
                self.save(theirs.clone(), text, outside).await;
                let how = How::Merged;
                self.save(merged.text.into_bytes(), theirs, Made { how, ..made })
                    .await;
            }
            // The other program is the writer's too: its text stays before an agent's.
            merged if matches!(made.by, By::Agent(_)) => {
                let how = How::Beside(own);
                let both = merged.map_or(theirs.clone(), |m| m.text.into_bytes());
                if both == theirs {
                    let (by, from) = (By::Outside, None);
                    let made = Made {
                        by,
                        from,
                        how,
                        ..made
                    };
                    return self.save(theirs, text, made).await;
                }
                self.save(theirs.clone(), text, outside).await;
                self.save(both, theirs, Made { how, ..made }).await;
            }
            merged => {
                let mine = merged.map_or(text.clone(), |m| m.text.into_bytes());
                self.save(theirs, text.clone(), outside).await;
                self.beside(mine, text, made);
            }
        }
    }
}

/// Two texts in one; none when they are no texts.
async fn merged(base: Vec<u8>, mine: Vec<u8>, theirs: Vec<u8>) -> Option<Merged> {
    let [base, mine, theirs] = [base, mine, theirs].map(|t| String::from_utf8(t).ok());
    let (base, mine, theirs) = (base?, mine?, theirs?);
    let both = blocking(move || Ok::<_, String>(merge(&base, &mine, &theirs)));
    both.await.ok()
}
