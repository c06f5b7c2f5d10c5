//! What windows ask of one session.

use tokio::sync::oneshot;

use super::draft::{Change, Taking};
use super::{Actor, Alone, Msg, Reply, Request, Todo};
use crate::config::collection::one_line;
use crate::domain::ask::Deed;
use crate::domain::compact;
use crate::domain::event::Staged;
use crate::domain::recipe::Recipe;
use crate::domain::{CollectionId, Kind, Stage};
use crate::host::turn::{Act, AskNo, Input, Phase};
use crate::host::{called, drawer};

/// What is said of a session in which a turn runs.
const RUNS: &str = "A turn runs in this session.";
/// What a turn that writes is not asked again with.
const AT_WORK: &str = "Its turn runs and is being written.";
/// What is left to do where the agent does not write.
pub(in crate::host) const CONNECT: &str = "“Connect an agent” among the commands of the window, or `fascicle doctor`, shows how one that writes is connected.";

impl Actor {
    /// Takes in a request.
    pub(super) async fn asked(&mut self, request: Request, reply: oneshot::Sender<Reply>) {
        if let Some(no) = self.refused_by_disk(&request) {
            // The window may be gone; nobody waits for the reply then.
            return drop(reply.send(no));
        }
        let to = self.replies.number(Some(reply));
        match request {
            Request::Send { text, .. } => match compact::focus(&text) {
                Some(focus) => self.compact(to, Some(focus)).await,
                None => self.send(to, text),
            },
            Request::Continue { .. } => self.feed(Input::Continue { to }),
            Request::Unqueue { n, .. } => self.feed(Input::Unqueue { to, n }),
            Request::Requeue { n, text, .. } => self.feed(Input::Requeue { to, n, text }),
            // One that writes is not cut and asked once more by a second window, or a second key.
            Request::Again { .. } if self.state.runs() && self.talk.is_lively() => {
                self.reply(to, Reply::refused(AT_WORK, "Stop it first."));
            }
            Request::Again { .. } => self.feed(Input::Again { to }),
            Request::Follow { recipe, .. } => match self.cannot_follow(&recipe) {
                Some(why) => self.reply(to, Reply::refused(why, CONNECT)),
                None => self.feed(Input::Follow { to, recipe }),
            },
            Request::Compact { focus, .. } => self.compact(to, focus.as_deref()).await,
            Request::Stop { .. } => self.feed(Input::Stop { to }),
            Request::Answer { call, answer, .. } => self.feed(Input::Answer { to, call, answer }),
            Request::Draft { at, .. } => self.draft(to, at).await,
            Request::Edit {
                base,
                splices,
                late,
                ..
            } => {
                let change = Change::of(base, splices, late);
                self.then(Todo::Edit { to, change });
            }
            Request::Take {
                base,
                splices,
                from,
                rest,
                ..
            } => {
                let taking = Taking::of(base, splices, (from, rest));
                self.take(to, taking).await;
            }
            Request::Settle { .. } => self.settle_for(to).await,
            Request::Do {
                deed: Deed::Trash, ..
            } => self.trash(to),
            Request::Do { deed, .. } => self.deed(to, deed).await,
            other => {
                let (why, hint) = (format!("{other:?} is not for a session."), None);
                self.reply(to, Reply::Refused { why, hint });
            }
        }
    }

    /// What a request is told that would write while the disk takes nothing.
    fn refused_by_disk(&self, request: &Request) -> Option<Reply> {
        let why = self.ledger.trouble.clone().filter(|_| writes(request))?;
        let hint = "Nothing was done. Try again when the disk takes it.";
        Some(Reply::refused(why, hint))
    }

    /// Why the agent of the next turn cannot do a recipe's steps; none when it can.
    fn cannot_follow(&self, recipe: &Recipe) -> Option<String> {
        let (agent, _) = self.shared.agent_of(&self.ledger.head);
        self.shared.cannot_follow(&agent, recipe)
    }

    pub(super) fn send(&mut self, to: AskNo, text: String) {
        if text.trim().is_empty() {
            self.reply(
                to,
                Reply::Refused {
                    why: "The prompt is empty.".to_owned(),
                    hint: None,
                },
            );
            return;
        }
        let free = self.state.phase == Phase::Idle && self.place.take(&self.shared.places);
        let with = free.then(|| self.with());
        self.feed(Input::Prompt { to, text, with });
    }

    async fn deed(&mut self, to: AskNo, deed: Deed) {
        let kind = match deed {
            Deed::Rename { title } => match line(&title) {
                None => return self.reply(to, empty("The title is empty.")),
                Some(title) => match called::taken(&self.shared, &self.ledger.head, &title).await {
                    Some(why) => return self.reply(to, empty(&why)),
                    None => Kind::Renamed { title },
                },
            },
            Deed::Tag { add, remove } => match add.iter().map(|t| line(t)).collect() {
                None => return self.reply(to, empty("A tag is empty.")),
                Some(add) => Kind::Tagged { add, remove },
            },
            Deed::Stage { stage } => match self.stage(stage).await {
                Ok(Some(kind)) => kind,
                Ok(None) => return self.then_reply(to, Reply::Done),
                Err(why) => return self.reply(to, empty(&why)),
            },
            Deed::Choose { agent, .. } if self.shared.config().agent(&agent).is_none() => {
                let why = format!("No agent {agent:?} is configured.");
                return self.reply(
                    to,
                    Reply::refused(why, "`fascicle agents` lists those there are."),
                );
            }
            Deed::Choose { agent, model } => Kind::AgentChosen { agent, model },
            Deed::Archive => Kind::Archived,
            Deed::Restore => Kind::Restored,
            Deed::Seen { upto } if self.ledger.head.seen.is_some_and(|s| s >= upto) => {
                return self.reply(to, Reply::Done);
            }
            Deed::Seen { upto } => Kind::Seen { upto },
            Deed::ReplyToDraft { seq, how } => return self.reply_to_draft(to, seq, how).await,
            Deed::Undo(which) => return self.go_back(to, which, false).await,
            Deed::Redo(which) => return self.go_back(to, which, true).await,
            Deed::Pin { version, name } => match self.pin(version, name.as_deref()).await {
                Ok(pinned) => Kind::Pinned(pinned),
                Err(why) => return self.reply(to, empty(&why)),
            },
            Deed::RestoreDraft { seq } => return self.restore(to, seq).await,
            Deed::Convert => return self.convert(to).await,
            Deed::Dismiss { proposal } => match self.dismiss(proposal) {
                Ok(kind) => kind,
                Err(why) => return self.reply(to, empty(&why)),
            },
            Deed::Accept | Deed::Trash => return self.reply(to, Reply::Done),
        };
        if self.ledger.head.is_as(&kind) {
            return self.then_reply(to, Reply::Done);
        }
        if self.desk.is_typed() && kind.is_edge() {
            // Before it: deeds are undone in their order.
            self.settle().await;
        }
        self.ledger.append(kind);
        self.then_reply(to, Reply::Done);
    }

    /// Says where the piece stands in its collection's file. What stood there and is not logged, set by hand, is
    /// logged first: an undo brings that back. None where it stands there already.
    async fn stage(&mut self, stage: Option<Stage>) -> Result<Option<Kind>, String> {
        let was = self.say_stage(stage, drawer::Over::Anything).await?;
        if was != self.ledger.head.stage {
            let (stage, found) = (was, true);
            self.ledger.append(Kind::Staged(Staged { stage, found }));
        }
        Ok((was != stage).then_some(Kind::Staged(Staged::to(stage))))
    }

    /// Writes the stage into the file, and gives where the piece stood.
    pub(super) async fn say_stage(
        &self,
        stage: Option<Stage>,
        over: drawer::Over,
    ) -> Result<Option<Stage>, String> {
        let place = self.ledger.head.place.as_ref();
        let id = place.map_or_else(CollectionId::inbox, |p| p.collection.clone());
        let logged = self.ledger.head.stage;
        drawer::set_stage(&self.shared, id, self.id, stage, (over, logged)).await
    }

    fn trash(&mut self, to: AskNo) {
        if self.state.runs() || self.state.phase == Phase::Waiting {
            return self.reply(to, Reply::refused(RUNS, "Stop it first."));
        }
        // Not waited for here: who gives folders other names may wait for this session.
        let (adopting, back) = (self.shared.life.one.adopting.clone(), self.to_self.clone());
        tokio::spawn(async move {
            let one = adopting.lock_owned().await;
            if let Some(back) = back.upgrade() {
                // A session that ends meanwhile drops it, and its replies with it.
                drop(back.send(Msg::MayTrash(to, one)).await);
            }
        });
    }

    /// Goes to the trash, if nothing has begun here meanwhile.
    pub(super) async fn may_trash(&mut self, to: AskNo, one: Alone) {
        if self.state.runs() || self.state.phase == Phase::Waiting {
            return self.reply(to, Reply::refused(RUNS, "Stop it first."));
        }
        self.settle().await;
        self.ledger.append(Kind::Trashed);
        self.then(Todo::Trash { to, one });
    }

    /// Does something when all that was appended is on disk.
    pub(super) fn then(&mut self, todo: Todo) {
        self.ready.extend(self.ledger.gate(todo));
    }

    /// Answers a window when all that was appended is on disk.
    pub(super) fn then_reply(&mut self, to: AskNo, reply: Reply) {
        self.then(Todo::Act(Act::Reply(to, reply)));
    }
}

/// A title, tag or name as one line; none when nothing is left of it.
pub(super) fn line(text: &str) -> Option<String> {
    Some(one_line(text)).filter(|line| !line.is_empty())
}

pub(super) fn empty(why: &str) -> Reply {
    Reply::refused(why, "Nothing was changed.")
}

/// Whether a request needs the log: stopping and reading must work on a full disk.
fn writes(request: &Request) -> bool {
    !matches!(
        request,
        Request::Stop { .. } | Request::Draft { .. } | Request::Answer { .. }
    )
}
