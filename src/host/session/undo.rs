//! Deeds taken back, and done again: each is a step forward in the log.

use super::asks::empty;
use super::draft::Made;
use super::{Actor, Reply, Todo};
use crate::domain::ask::{Busy, Undone, Which};
use crate::domain::event::{By, Pinned, Staged};
use crate::domain::head::{self, Version, Was};
use crate::domain::{Kind, Seq, Stage};
use crate::host::shared::now;
use crate::host::turn::AskNo;
use crate::host::{adopt, called, drawer};

/// How long ago a deed may be that one key takes back unasked, milliseconds: what is older is of another sitting.
pub(in crate::host) const SITTING: i64 = 60 * 60 * 1_000;
/// What an undo that finds nothing says.
const NOTHING_TO_UNDO: &str = "There is nothing to undo here.";
/// What a redo that finds nothing says.
const NOTHING_TO_REDO: &str = "There is nothing to do again here.";
/// What is said of a draft that is no longer the one to be brought back.
const OVERTAKEN: &str =
    "Another program has changed the draft since; its words would be taken away.";
/// What is said of what is a matter of several sessions.
const RUNS: &str = "A turn runs in one of the sessions that this is about.";
/// What is left to do then.
const WAIT: &str = "Stop it, or wait for its end, and ask again then.";
/// What is left to do where the draft has changed.
const KEPT: &str = "Every version is kept: `fascicle draft ID --at SEQ` prints an older one.";

impl Actor {
    /// Undoes the newest deed of the writer or of an agent on the draft, or does the newest that was undone again.
    pub(super) async fn go_back(&mut self, to: AskNo, which: Which, again: bool) {
        // What another program wrote since is no deed, and must not be lost by this.
        self.settle().await;
        self.then(Todo::GoBack { to, which, again });
    }

    /// The same, with all of that in the log.
    pub(super) async fn go_back_now(&mut self, to: AskNo, which: Which, again: bool) {
        let deed = match self.deed_of(&which, again) {
            Ok(deed) => deed,
            Err(no) => return self.reply(to, no),
        };
        let asked = which.is_asked(deed.at < now() - SITTING);
        let said = None;
        let mut undone = Box::new(Undone {
            deed,
            again,
            asked,
            said,
        });
        if asked {
            return self.reply(to, Reply::Undone(undone));
        }
        let done = match &undone.deed.was {
            Was::Main(_) | Was::Place(_) => return self.go_back_with_others(to, undone),
            _ if again => self.redo(&undone.deed).await,
            _ => self.undo(&undone.deed).await,
        };
        match done {
            Ok(said) => {
                undone.said = said;
                self.then_reply(to, Reply::Undone(undone));
            }
            Err(no) => self.reply(to, no),
        }
    }

    /// What is to be taken back, or done again.
    fn deed_of(&self, which: &Which, again: bool) -> Result<head::Deed, Reply> {
        let head = &self.ledger.head;
        let (deeds, none) = if again {
            (&head.undone, NOTHING_TO_REDO)
        } else {
            (&head.deeds, NOTHING_TO_UNDO)
        };
        let Some(deed) = deeds.last() else {
            let (why, hint) = (none.to_owned(), None);
            return Err(Reply::Refused { why, hint });
        };
        if which.only.is_some_and(|only| only != deed.seq) {
            let why = "Something else was done there meanwhile; nothing was changed.";
            return Err(Reply::refused(why, "Ask again to see what is the newest."));
        }
        if matches!(deed.was, Was::Draft(_))
            && !Version::are_same(head.draft.as_ref(), deed.is.as_ref())
        {
            return Err(Reply::refused(OVERTAKEN, KEPT));
        }
        Ok(deed.clone())
    }

    /// Takes it back. Gives what of it did not come back.
    async fn undo(&mut self, deed: &head::Deed) -> Result<Option<String>, Reply> {
        let mut said = None;
        match &deed.was {
            Was::Title(Some(title)) => self.can_be_called(title).await?,
            Was::Stage(stage) => said = self.stage_again(*stage).await?,
            // What stood beside it goes, and there is nothing to be written.
            Was::Draft(version)
                if Version::are_same(self.ledger.head.draft.as_ref(), version.as_ref()) => {}
            Was::Draft(version) => {
                let back = self.bring_back(version.clone(), Made::by(By::Undo)).await;
                back.map_err(|e| empty(&e))?;
            }
            Was::Named { version, name } => {
                let named = self.named(*version, name.as_deref()).await?;
                let undoes = Some(deed.seq);
                self.ledger.append(Kind::Pinned(Pinned { undoes, ..named }));
                return Ok(None);
            }
            _ => {}
        }
        self.ledger.append(Kind::Undone { deed: deed.seq });
        Ok(said)
    }

    /// Does again what was undone: by the line that it was done with, so that it is a deed like any.
    async fn redo(&mut self, deed: &head::Deed) -> Result<Option<String>, Reply> {
        let mut said = None;
        let head = &self.ledger.head;
        let kind = match deed.was.clone() {
            Was::Title(Some(title)) => {
                self.can_be_called(&title).await?;
                Kind::Renamed { title }
            }
            Was::Tags(tags) => Kind::Tagged {
                remove: without(&head.tags, &tags),
                add: without(&tags, &head.tags),
            },
            Was::Stage(stage) => {
                said = self.stage_again(stage).await?;
                Kind::Staged(Staged::to(stage))
            }
            Was::Chosen(Some(chosen)) => Kind::AgentChosen {
                agent: chosen.agent,
                model: chosen.model,
            },
            Was::Shelf { archived: true, .. } => Kind::Archived,
            Was::Shelf { .. } => Kind::Restored,
            Was::Draft(version) => {
                let seq = version.as_ref().map_or(0, |v| v.seq);
                let made = Made::from(By::Restore, self.origin(seq));
                let back = self.bring_back(version, made).await;
                back.map_err(|e| empty(&e))?;
                let Some(proposal) = self.decided_again(deed) else {
                    return Ok(None);
                };
                Kind::DraftAnswered { proposal }
            }
            Was::Proposed(waits) => Kind::DraftAnswered {
                proposal: waits.seq,
            },
            Was::Named { version, name } => {
                Kind::Pinned(self.named(version, name.as_deref()).await?)
            }
            // Nothing does away with these.
            Was::Title(None) | Was::Chosen(None) | Was::Main(_) | Was::Place(_) => {
                return Err(empty(NOTHING_TO_REDO));
            }
        };
        self.ledger.append(kind);
        Ok(said)
    }

    /// Writes the stage that was there before. One that was written by hand since stays, and is told: the deed counts as
    /// taken back all the same, so that the next undo goes on to the one before it.
    async fn stage_again(&self, stage: Option<Stage>) -> Result<Option<String>, Reply> {
        let back = self.say_stage(stage, drawer::Over::Logged).await;
        let now = back.map_err(|e| empty(&e))?;
        let stays = now != self.ledger.head.stage && now != stage;
        Ok(stays.then(|| drawer::stage_stays(now)))
    }

    /// Its old name may be another one's by now.
    async fn can_be_called(&self, title: &str) -> Result<(), Reply> {
        match called::taken(&self.shared, &self.ledger.head, title).await {
            Some(why) => Err(empty(&why)),
            None => Ok(()),
        }
    }

    /// The proposal that waits again since a deed was undone, and is decided on with it.
    fn decided_again(&self, deed: &head::Deed) -> Option<Seq> {
        let waits = self.ledger.head.proposed.as_ref()?.seq;
        let decided = deed.decided.as_ref()?.seq;
        (waits == decided).then_some(waits)
    }

    /// A version with the name it had, or is to have again.
    async fn named(&self, version: Seq, name: Option<&str>) -> Result<Pinned, Reply> {
        match self.pin(version, name).await {
            Ok(pinned) => Ok(pinned),
            Err(why) => Err(empty(&why)),
        }
    }

    /// What is a matter of others too: of the former main line, of all that were moved. This one goes on meanwhile.
    fn go_back_with_others(&mut self, to: AskNo, mut undone: Box<Undone>) {
        let window = self.replies.take(to);
        let (shared, id) = (self.shared.clone(), self.id);
        self.shared.life.actors.spawn(async move {
            let again = undone.again;
            let reply = match undone.deed.was.clone() {
                Was::Main(_) if again => adopt::adopt(&shared, id, Busy::Ask).await,
                Was::Main(was) => match adopt::take_back(&shared, id, undone.deed.seq, was).await {
                    Ok(said) => {
                        undone.said = said;
                        Reply::Done
                    }
                    Err(no) => no,
                },
                Was::Place(to) => drawer::go_back(&shared, id, to, again).await,
                _ => empty(NOTHING_TO_UNDO),
            };
            let reply = match reply {
                Reply::Done => Reply::Undone(undone),
                Reply::Busy { .. } => Reply::refused(RUNS, WAIT),
                other => other,
            };
            if let Some(window) = window {
                // The window may be gone; nobody waits for the reply then.
                drop(window.send(reply));
            }
        });
    }
}

/// What of some tags is not among others.
fn without(tags: &[String], others: &[String]) -> Vec<String> {
    let is_left = |tag: &&String| !others.contains(tag);
    tags.iter().filter(is_left).cloned().collect()
}
