//! What the writer types: in the log at once, a version at a pause or after a minute of typing.

use tokio::time::Instant;

use super::{Actor, By, How, Live, Made, Reply, Todo, Typing, blocking, merge};
use crate::domain::splice::{STALE, Splice, between, rest, spliced};
use crate::domain::text::INLINE_MAX;
use crate::domain::{Kind, Seq};
use crate::host::history;
use crate::host::turn::{Act, AskNo};
use crate::text::merge::{Merged, merge_typed};

/// Bytes taken out at once before which the text is kept as a version: ten words, about.
const MUCH: usize = 64;

/// Whether changes take more out than a writer does who corrects what is being written.
fn takes_much(splices: &[Splice]) -> bool {
    splices.iter().map(|s| s.remove).sum::<usize>() >= MUCH
}

/// What a window typed.
pub(in crate::host::session) struct Change {
    /// The draft's event that it was typed on.
    base: Seq,
    splices: Vec<Splice>,
    /// In an earlier sitting.
    late: bool,
}

impl Change {
    pub(in crate::host::session) fn of(base: Seq, splices: Vec<Splice>, late: bool) -> Self {
        Self {
            base,
            splices,
            late,
        }
    }
}

/// What was typed on an older draft, and the draft.
struct Met {
    /// Both in one.
    merged: Merged,
    /// What makes the draft that.
    change: Option<Splice>,
    /// What was typed, as it was sent.
    sent: String,
    /// Both in one, with the draft's words where both changed a paragraph.
    stays: String,
}

impl Actor {
    /// Takes in what a window typed. Nothing else of the draft is on its way.
    pub(in crate::host::session) async fn edit(&mut self, to: AskNo, mut change: Change) {
        if let Err(why) = self.load().await {
            return self.reply(to, Reply::refused(why, "Nothing was changed."));
        }
        let at = self.ledger.head.draft_at();
        let Some(live) = &self.desk.live else { return };
        // What is remembered was typed, all of it: another's version begins it anew.
        let typed = live.knows(change.base);
        (change.base, change.splices) = if typed {
            live.rest(change.base, change.splices)
        } else {
            self.rest_by_log(change.base, change.splices).await
        };
        if change.base != at {
            return self.edit_older(to, change, typed).await;
        }
        if self.desk.is_typed() && takes_much(&change.splices) {
            // What was typed since the last pause stands in no version yet.
            self.snapshot().await;
            return self.then(Todo::Edit { to, change });
        }
        self.type_in(to, change.splices, (None, false)).await;
    }

    /// Makes changes of the draft as it is.
    async fn type_in(
        &mut self,
        to: AskNo,
        splices: Vec<Splice>,
        (text, typed): (Option<String>, bool),
    ) {
        let base = self.ledger.head.draft_at();
        let (now, typing) = (Instant::now(), self.desk.typing());
        let Some(live) = &mut self.desk.live else {
            return;
        };
        let bytes: usize = splices.iter().map(|s| s.insert.len()).sum();
        if !splices.is_empty() {
            if !live.change(splices.clone()) {
                let why = "These changes do not fit the draft they are said to be made on.";
                return self.reply(to, Reply::refused(why, STALE));
            }
            self.desk.typed = Some(typing.map_or(Typing::begun(now), |t| t.goes_on(now)));
            if bytes > INLINE_MAX {
                // Too long for a line of the log.
                self.snapshot().await;
            } else {
                self.desk.on_the_way += 1;
                self.ledger.append(Kind::DraftEdited { base, splices });
            }
        }
        let beside = None;
        self.then(Todo::Edited {
            to,
            text,
            beside,
            typed,
        });
    }

    /// Makes changes of an older draft: both are in the text then, or both are versions. `typed`: all that came since
    /// was typed in other windows.
    async fn edit_older(&mut self, to: AskNo, older: Change, typed: bool) {
        let Some(now) = self.desk.live.as_ref().map(|live| live.text.clone()) else {
            return;
        };
        let met = match self.meets(&older, now, typed).await {
            Ok(met) => met,
            Err(why) => return self.reply(to, Reply::refused(why, STALE)),
        };
        if met.merged.conflicts.is_empty() {
            let text = Some(met.merged.text).filter(|text| *text != met.sent);
            let change = met.change.into_iter().collect();
            return self.type_in(to, change, (text, typed)).await;
        }
        if self.desk.is_typed() {
            // The other text is a version first: only a version can be named.
            self.snapshot().await;
            return self.then(Todo::Edit { to, change: older });
        }
        if older.late {
            return self.put_aside(to, met).await;
        }
        let other = self.ledger.head.draft_at();
        let how = How::Beside(other);
        let new = met.merged.text.clone().into_bytes();
        let now = self.newest().await.unwrap_or_default();
        let made = Made::by(By::You);
        self.save(new, now, Made { how, ..made }).await;
        let text = Some(met.merged.text).filter(|text| *text != met.sent);
        let beside = Some(other);
        self.then(Todo::Edited {
            to,
            text,
            beside,
            typed: false,
        });
    }

    async fn meets(&self, older: &Change, now: String, typed: bool) -> Result<Met, String> {
        let base = older.base;
        let old = self.as_of(base).await?;
        let changes = older.splices.clone();
        let both = move || {
            let sent = spliced(&old, &changes)
                .ok_or_else(|| format!("These changes do not fit the draft as of event {base}."))?;
            let merging = if typed { merge_typed } else { merge };
            let merged = merging(&old, &sent, &now);
            let stays = merge(&old, &now, &sent).text;
            let change = between(&now, &merged.text);
            Ok::<_, String>(Met {
                merged,
                change,
                sent,
                stays,
            })
        };
        blocking(both).await
    }

    /// What was typed in an earlier sitting stands beside the draft that was changed in the same place since.
    async fn put_aside(&mut self, to: AskNo, met: Met) {
        let was = self.newest().await.unwrap_or_default();
        let stays = met.stays.into_bytes();
        let by = if stays == was { self.keeper() } else { By::You };
        let (how, made) = (How::Aside, Made::by(By::You));
        let text = String::from_utf8_lossy(&stays).into_owned();
        self.save(met.sent.into_bytes(), was.clone(), Made { how, ..made })
            .await;
        self.beside(stays, was, Made::by(by));
        self.then(Todo::Taken {
            to,
            text: Some(text),
            aside: true,
        });
    }

    /// What of some changes is not in the log yet: the host that took them in is gone, and so may be the window.
    async fn rest_by_log(&self, base: Seq, splices: Vec<Splice>) -> (Seq, Vec<Splice>) {
        let (store, id) = (self.shared.store.clone(), self.id);
        // What cannot be read was not taken in, as far as anybody can tell.
        let steps = blocking(move || history::steps(&store, id, base)).await;
        let (mut at, mut left) = (base, splices);
        for (seq, step) in steps.unwrap_or_default() {
            let Some(more) = rest(&left, &step) else {
                break;
            };
            (at, left) = (seq, more);
        }
        (at, left)
    }

    /// What was typed is in the log.
    pub(in crate::host::session) fn edited(
        &mut self,
        to: AskNo,
        text: Option<String>,
        beside: Option<Seq>,
        typed: bool,
    ) {
        let version = self.ledger.head.draft_at();
        self.reply(
            to,
            Reply::Edited {
                version,
                text,
                beside,
                typed,
            },
        );
    }

    /// Makes what was typed a version now, and answers when it is in the file.
    pub(in crate::host::session) async fn settle_for(&mut self, to: AskNo) {
        self.settle().await;
        self.then(Todo::Settled { to });
    }

    /// The same, with nothing of the draft on its way.
    pub(in crate::host::session) fn settled(&mut self, to: AskNo) {
        self.then(Todo::Act(Act::Reply(to, Reply::Done)));
    }

    /// The writer pauses, or has typed for long without.
    pub(in crate::host::session) async fn paused(&mut self) {
        self.desk.typed = Some(Typing::begun(Instant::now()));
        self.settle().await;
    }

    /// Makes what was typed a version.
    pub(in crate::host::session) async fn snapshot(&mut self) {
        if !self.desk.is_typed() || self.ledger.trouble.is_some() {
            // It is in the log, or waits for the disk: a second copy of it would only wait as well.
            return;
        }
        if let Some(live) = &mut self.desk.live {
            let old = live.version.clone().into_bytes();
            let new = live.settle();
            self.save_live(new, old, Made::by(By::You)).await;
        }
    }

    /// Takes the draft into memory.
    async fn load(&mut self) -> Result<(), String> {
        if self.desk.live.is_none() {
            let text = String::from_utf8(self.newest().await?).map_err(|_| {
                "The draft is not UTF-8 text; convert it before it is typed into.".to_owned()
            })?;
            self.desk.live = Some(Live::new(text, self.ledger.head.draft_at()));
        }
        Ok(())
    }

    /// The text as of an event of the draft.
    pub(super) async fn as_of(&self, at: Seq) -> Result<String, String> {
        if let Some(text) = self.desk.live.as_ref().and_then(|live| live.as_of(at)) {
            return Ok(text);
        }
        let (store, id, near) = (self.shared.store.clone(), self.id, self.desk.version_at(at));
        let found = blocking(move || history::draft(&store, id, near, Some(at))).await?;
        String::from_utf8(found.bytes).map_err(|_| "The draft was not UTF-8 text then.".to_owned())
    }

    /// What was typed and is no version yet is taken from the log: the host that took it in is gone.
    pub(in crate::host::session) async fn retype(&mut self) {
        if self.ledger.head.typed.is_none() {
            return;
        }
        let version = self.ledger.head.draft.as_ref().map(|v| v.seq);
        let (store, id, at) = (
            self.shared.store.clone(),
            self.id,
            self.ledger.head.draft_at(),
        );
        // It is kept again where it was gone.
        let old = self.newest().await;
        let read = blocking(move || history::draft(&store, id, version, Some(at))).await;
        match (read, old.map(String::from_utf8)) {
            (Ok(found), Ok(Ok(old))) => {
                let mut live = Live::new(old, at);
                live.text = String::from_utf8_lossy(&found.bytes).into_owned();
                live.typed = true;
                self.desk.live = Some(live);
                if let Some(first) = found.unfit.first() {
                    self.note(format!(
                        "Some of what was typed could not be put in its place: the log is damaged before event {first}. The rest is in the draft."
                    ));
                }
            }
            (Err(why), _) | (_, Err(why)) => self.note(format!(
                "What was typed last is in the log and could not be read: {why}"
            )),
            (_, Ok(Err(_))) => self.note(
                "What was typed last is in the log: the version before it is not UTF-8 text."
                    .to_owned(),
            ),
        }
    }
}
