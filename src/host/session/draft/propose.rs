//! Texts of an agent that wait for the writer's word.

use super::{Actor, Todo, blocking};
use crate::domain::event::DraftProposed;
use crate::domain::head::Proposed;
use crate::domain::tool::ToolResult;
use crate::domain::{Kind, Seq};
use crate::text::{self, hash::sha256};
use crate::tools::{self, Draft, Outcome};

/// An agent's text, and the version it was made from.
pub(super) struct Proposal {
    pub(super) new: String,
    pub(super) base: Option<Seq>,
    pub(super) old: String,
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

    /// What the turn that runs has proposed and the writer has not decided on: to that turn it is the draft.
    pub(super) fn proposal_of_turn(&self) -> Option<Proposed> {
        let waits = self.ledger.head.proposed.clone();
        waits.filter(|p| p.turn == self.state.turn)
    }

    /// Runs a tool on what the turn has proposed before.
    pub(super) async fn run_on(&mut self, call: String, name: &str, input: &str, on: Proposed) {
        let text = match self.proposed_text().await {
            Ok(text) => text,
            Err(why) => return self.unusable(call, &why),
        };
        let draft = Draft {
            text: &text,
            version: on.seq,
        };
        let new = match tools::run(name, input, draft) {
            Outcome::Answer(told) if tools::reads(name) => {
                return self.tool_done(call, tools::as_proposed(&told));
            }
            Outcome::Answer(told) => return self.tool_done(call, told),
            Outcome::Write(new) => new,
        };
        // Its words are counted against the draft it was made from.
        let base = on.base.unwrap_or_default();
        let old = self.as_of(base).await;
        self.propose(call, Proposal::of(new, base, old.unwrap_or_default()))
            .await;
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
                if let Some(waits) = self.proposal_of_turn() {
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

    /// What a reading agent is told while its text of an earlier turn waits.
    pub(super) fn told_of_waiting(&self, name: &str, told: ToolResult) -> ToolResult {
        match &self.ledger.head.proposed {
            Some(waits) if tools::reads(name) && told.ok => tools::without(waits.seq, &told),
            _ => told,
        }
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
