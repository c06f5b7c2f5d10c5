//! Words of another text put into the draft: of another session's, of an older version, of a proposal.

use super::restore::NOTHING;
use super::{Actor, How, Made, Reply, Todo, blocking, merge};
use crate::domain::event::{By, Origin};
use crate::domain::head::Proposed;
use crate::domain::splice::{STALE, Splice, spliced};
use crate::domain::{Kind, Seq};
use crate::host::turn::AskNo;
use crate::text::merge::{Merged, kept_in};

/// What is to be put into the draft.
pub(in crate::host::session) struct Taking {
    /// The draft's event that the changes were made on.
    base: Seq,
    splices: Vec<Splice>,
    from: Origin,
    /// More of it may still be taken.
    rest: bool,
}

impl Taking {
    pub(in crate::host::session) fn of(
        base: Seq,
        splices: Vec<Splice>,
        (from, rest): (Origin, bool),
    ) -> Self {
        Self {
            base,
            splices,
            from,
            rest,
        }
    }
}

/// The draft, what is wanted of it, and both in one.
struct Texts {
    now: String,
    /// As it was asked for.
    asked: String,
    /// The same, as the draft's own lines end.
    wanted: String,
    merged: Merged,
    /// Both in one, with the draft's own words where both changed a paragraph.
    mine: String,
}

impl Actor {
    /// Puts words of another text into the draft; what was typed is a version before it.
    pub(in crate::host::session) async fn take(&mut self, to: AskNo, taking: Taking) {
        self.settle().await;
        self.then(Todo::Take { to, taking });
    }

    /// The same, with all of that in the log. Where the writer has changed the same paragraphs since, the draft stays
    /// as it is and what was wanted is a version beside it.
    pub(in crate::host::session) async fn take_in(&mut self, to: AskNo, taking: Taking) {
        if let Err(why) = self.in_the_way().await {
            return self.reply(to, Reply::refused(why, NOTHING));
        }
        let (from, rest) = (taking.from, taking.rest);
        let texts = match self.texts(taking).await {
            Ok(texts) => texts,
            Err(why) => return self.reply(to, Reply::refused(why, STALE)),
        };
        let proposal = self.ledger.head.proposed.clone();
        let proposal = proposal.filter(|p| from == self.origin(p.seq));
        let texts = match &proposal {
            Some(proposal) => self.on_its_base(proposal, texts).await,
            None => texts,
        };
        let made = match &proposal {
            Some(p) if self.is_whole(p, &texts).await => Made {
                turn: Some(p.turn),
                ..Made::from(By::Agent(p.agent.clone()), from)
            },
            _ => Made {
                rest,
                ..Made::from(By::Take, from)
            },
        };
        // With more of it to be taken it goes on to wait.
        let answered = proposal.filter(|_| !made.rest);
        let answered = answered.map(|p| Kind::DraftAnswered { proposal: p.seq });
        let aside = !texts.merged.conflicts.is_empty();
        let text = self.put_in(texts, made).await;
        if let Some(kind) = answered {
            self.ledger.append(kind);
        }
        self.then(Todo::Taken { to, text, aside });
    }

    /// They are in the log; `aside` when they are beside the draft.
    pub(in crate::host::session) fn taken(&mut self, to: AskNo, text: Option<String>, aside: bool) {
        let beside = self.ledger.head.draft.as_ref().and_then(|d| d.beside);
        self.edited(to, text, beside.filter(|_| aside), false);
    }

    async fn texts(&mut self, taking: Taking) -> Result<Texts, String> {
        let Taking {
            base,
            splices,
            from,
            ..
        } = taking;
        let now = String::from_utf8(self.newest().await?).map_err(|_| {
            "The draft is not UTF-8 text; convert it before words are put into it.".to_owned()
        })?;
        let old = if base == self.ledger.head.draft_at() {
            now.clone()
        } else {
            self.as_of(base).await?
        };
        let foreign = from.session != self.id;
        let both = move || {
            let asked = spliced(&old, &splices)
                .ok_or_else(|| format!("These changes do not fit the draft as of event {base}."))?;
            let wanted = if foreign {
                kept_in(&old, &asked)
            } else {
                asked.clone()
            };
            let (merged, mine) = both_of(&old, &wanted, &now);
            Ok::<_, String>(Texts {
                now,
                asked,
                wanted,
                merged,
                mine,
            })
        };
        blocking(both).await
    }

    /// Makes the versions; gives back the draft when it is not what was wanted.
    async fn put_in(&mut self, texts: Texts, made: Made) -> Option<String> {
        let Texts {
            now,
            asked,
            wanted,
            merged,
            mine,
        } = texts;
        if merged.conflicts.is_empty() {
            let text = Some(merged.text.clone()).filter(|text| *text != asked);
            if merged.text != now {
                let new = merged.text.into_bytes();
                self.save(new, now.into_bytes(), made).await;
            }
            return text;
        }
        // Of the paragraphs that both changed those of the draft stay; the others that are wanted are in it.
        let is_same = mine == now;
        let stays = if is_same {
            Made::by(self.keeper())
        } else {
            made.clone()
        };
        let (how, was) = (How::Aside, now.into_bytes());
        self.save(wanted.into_bytes(), was.clone(), Made { how, ..made })
            .await;
        self.beside(mine.clone().into_bytes(), was, stays);
        Some(mine)
    }

    /// All of a proposal is wanted: it is merged from what it was made from, whatever it was compared with. What the
    /// writer has written since is no part of it.
    async fn on_its_base(&self, proposal: &Proposed, texts: Texts) -> Texts {
        let base = self.as_of(proposal.base.unwrap_or_default()).await;
        let (Ok(proposed), Ok(base)) = (self.proposed_text().await, base) else {
            return texts;
        };
        if proposed != texts.wanted {
            return texts;
        }
        let now = texts.now.clone();
        match blocking(move || Ok::<_, String>(both_of(&base, &proposed, &now))).await {
            Ok((merged, mine)) => Texts {
                merged,
                mine,
                ..texts
            },
            Err(_) => texts,
        }
    }

    /// Whether everything of a proposal is in a text, and of the draft nothing else has changed.
    async fn is_whole(&self, proposal: &Proposed, texts: &Texts) -> bool {
        let Ok(proposed) = self.proposed_text().await else {
            return false;
        };
        if proposed == texts.wanted {
            return true;
        }
        let Ok(base) = self.as_of(proposal.base.unwrap_or_default()).await else {
            return false;
        };
        let (now, all) = (texts.now.clone(), texts.merged.text.clone());
        let whole = move || Ok::<_, String>(merge(&base, &proposed, &now).clean() == Some(all));
        blocking(whole).await.unwrap_or_default()
    }

    /// The draft of this session as of an event.
    pub(in crate::host::session) fn origin(&self, seq: Seq) -> Origin {
        Origin {
            session: self.id,
            seq,
        }
    }
}

/// A wanted text and the draft in one; and the same with the draft's words where both changed a paragraph.
fn both_of(base: &str, wanted: &str, now: &str) -> (Merged, String) {
    let merged = merge(base, wanted, now);
    let mine = if merged.conflicts.is_empty() {
        String::new()
    } else {
        merge(base, now, wanted).text
    };
    (merged, mine)
}
