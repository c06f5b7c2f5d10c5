//! Texts of an agent that wait for the writer's word.

use super::{Actor, Todo, blocking, merge};
use crate::domain::event::DraftProposed;
use crate::domain::head::Proposed;
use crate::domain::{Kind, Seq};
use crate::text::{self, hash::sha256};
use crate::tools::{self, Draft, Outcome};

/// An agent's text, and the version it was made from.
pub(super) struct Proposal {
    pub(super) new: String,
    pub(super) base: Option<Seq>,
    pub(super) old: String,
}

/// A proposal as an agent goes on from it.
pub(super) struct Waiting {
    seq: Seq,
    /// Whether an earlier turn made it.
    earlier: bool,
    text: String,
    /// The version that what is made of it is to be merged from, and its text.
    base: Seq,
    old: String,
}

impl Proposal {
    /// Of a text that was made from a version; 0 when there was no draft.
    pub(super) fn of(new: String, base: Seq, old: String) -> Self {
        let base = Some(base).filter(|base| *base > 0);
        Self { new, base, old }
    }
}

impl Actor {
    /// Whether an agent's text waits for the writer's word before it is the draft.
    pub(super) fn asks_first(&self) -> bool {
        self.shared.asks_first(&self.ledger.head)
    }

    /// The text that waits for the writer's word: to an agent it is the draft, whichever turn proposed it. The words that
    /// the writer has changed since an earlier turn are in it.
    pub(super) async fn waiting(
        &self,
        on: Proposed,
        version: Seq,
        newest: String,
    ) -> Result<Waiting, String> {
        let text = self.proposed_text().await?;
        let base = on.base.unwrap_or_default();
        let earlier = on.turn != self.state.turn;
        // Its words are counted against the draft it was made from.
        let old = self.as_of(base).await.unwrap_or_default();
        let of = |text, base, old| Waiting {
            seq: on.seq,
            earlier,
            text,
            base,
            old,
        };
        if !earlier || base == version {
            return Ok(of(text, base, old));
        }
        let both = blocking(move || {
            let both = merge(&old, &newest, &text).text;
            Ok::<_, String>((both, newest))
        });
        let (both, newest) = both.await?;
        Ok(of(both, version, newest))
    }

    /// Runs a tool on what waits.
    pub(super) async fn run_on(&mut self, call: String, name: &str, input: &str, on: Waiting) {
        let draft = Draft {
            text: &on.text,
            version: on.seq,
        };
        match tools::run(name, input, draft) {
            Outcome::Answer(told) if tools::reads(name) => {
                self.tool_done(call, tools::as_proposed(&told, on.earlier));
            }
            Outcome::Answer(told) => self.tool_done(call, told),
            Outcome::Write(new) => {
                self.propose(call, Proposal::of(new, on.base, on.old)).await;
            }
        }
    }

    /// The text that waits; empty when none does.
    pub(super) async fn proposed_text(&self) -> Result<String, String> {
        let Some(waits) = self.ledger.head.proposed.clone() else {
            return Ok(String::new());
        };
        let (store, id) = (self.shared.store.clone(), self.id);
        let text = blocking(move || store.blob_get(id, &waits.sha256)).await?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    /// Logs an agent's text; the writer decides. The text that is the draft already leaves nothing to decide.
    pub(super) async fn propose(&mut self, call: String, proposal: Proposal) {
        let newest = self.ledger.head.draft.as_ref().map(|d| d.sha256.clone());
        let agent = self.agent_of_turn();
        let turn = self.state.turn;
        let counting = move || {
            let Proposal { new, base, old } = proposal;
            let sha256 = sha256(new.as_bytes());
            if newest.as_ref() == Some(&sha256) {
                return Ok(None);
            }
            let (added, removed) = text::changes(&old, &new);
            let words = text::count(&new);
            let kind = Kind::DraftProposed(DraftProposed {
                turn,
                sha256,
                bytes: new.len() as u64,
                words,
                agent,
                base,
                added,
                removed,
            });
            Ok::<_, String>(Some((kind, words, new)))
        };
        match blocking(counting).await {
            Ok(None) => {
                if let Some(waits) = &self.ledger.head.proposed {
                    let proposal = waits.seq;
                    self.ledger.append(Kind::DraftAnswered { proposal });
                }
                self.tool_done(call, tools::nothing_new());
            }
            Ok(Some((kind, words, new))) => {
                self.ledger.append_draft(kind, new.into_bytes());
                self.then(Todo::Proposed { call, words });
            }
            Err(why) => self.unusable(call, &why),
        }
    }

    /// It is in the log: the agent is told.
    pub(in crate::host::session) fn proposed(&mut self, call: String, words: u64) {
        let seq = self.ledger.head.proposed.as_ref().map_or(0, |p| p.seq);
        self.tool_done(call, tools::proposed(seq, words));
    }

    /// The writer leaves the draft as it is, whatever was proposed for it or stands beside it.
    pub(in crate::host::session) fn dismiss(&self, proposal: Seq) -> Result<Kind, String> {
        let head = &self.ledger.head;
        let waits = head.proposed.as_ref().map(|p| p.seq);
        let stands = head.beside.iter().any(|b| b.seq == proposal);
        if stands || waits == Some(proposal) {
            return Ok(Kind::DraftAnswered { proposal });
        }
        Err("That text does not wait for a decision any more.".to_owned())
    }

    /// The name of the agent whose turn runs.
    pub(super) fn agent_of_turn(&self) -> String {
        let turn = self.ledger.head.turn.as_ref();
        turn.and_then(|t| t.agent.clone()).unwrap_or_default()
    }
}
