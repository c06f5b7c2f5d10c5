//! The writing tools, run on the draft for an agent.

use super::propose::Proposal;
use super::{Actor, By, How, Made, Todo, blocking, merge};
use crate::domain::Seq;
use crate::domain::head::Version;
use crate::domain::tool::{NOT_YOURS, ToolResult};
use crate::host::history;
use crate::host::turn::Input;
use crate::tools::{self, Draft, Outcome};

/// What an agent is told of a draft that is no text.
const NO_TEXT: &str = "The draft is not UTF-8 text; the writer has to convert it first.";

impl Actor {
    /// Runs one of the writing tools for the agent: what was typed, and what came from outside, is a version first.
    pub(in crate::host::session) async fn tool(
        &mut self,
        call: String,
        name: String,
        input: String,
    ) {
        if let Some(wanted) = tools::wanted(&name, &input) {
            return self.gather(call, wanted);
        }
        if let Err(why) = self.reconcile(true).await {
            return self.unusable(call, &why);
        }
        self.then(Todo::Run { call, name, input });
    }

    /// The same, with all of that in the log.
    pub(in crate::host::session) async fn run_tool(
        &mut self,
        call: String,
        name: &str,
        input: &str,
    ) {
        let newest = match self.newest().await.map(String::from_utf8) {
            Ok(Ok(newest)) => newest,
            Ok(Err(_)) => return self.told_no(call, NO_TEXT.to_owned()),
            Err(why) => return self.unusable(call, &why),
        };
        let version = self.ledger.head.draft.as_ref().map_or(0, |d| d.seq);
        if let Some(on) = self.ledger.head.proposed.clone() {
            let on = match self.waiting(on, version, newest).await {
                Ok(on) => on,
                Err(why) => return self.unusable(call, &why),
            };
            return self.run_on(call, name, input, on).await;
        }
        let base = tools::base(name, input).filter(|base| *base != version);
        if let Some(base) = base
            && let Some(old) = self.only_writer_since(base, &newest).await
        {
            let outcome = tools::run(
                name,
                input,
                Draft {
                    text: &old,
                    version: base,
                },
            );
            return self.write_older(call, outcome, (base, old), newest).await;
        }
        match tools::run(
            name,
            input,
            Draft {
                text: &newest,
                version,
            },
        ) {
            Outcome::Answer(told) => self.tool_done(call, told),
            Outcome::Write(new) if self.asks_first() => {
                self.propose(call, Proposal::of(new, version, newest)).await;
            }
            Outcome::Write(new) => {
                let made = self.made(Some(call), How::Alone);
                self.save(new.into_bytes(), newest.into_bytes(), made).await;
            }
        }
    }

    /// An agent's text that was made from an older version, and what the writer made of that version since.
    async fn write_older(
        &mut self,
        call: String,
        outcome: Outcome,
        (base, old): (Seq, String),
        now: String,
    ) {
        let new = match outcome {
            Outcome::Answer(result) => return self.tool_done(call, result),
            // Merged when the writer takes it.
            Outcome::Write(new) if self.asks_first() => {
                return self.propose(call, Proposal::of(new, base, old)).await;
            }
            Outcome::Write(new) => new,
        };
        let both = blocking(move || {
            let merged = merge(&old, &now, &new);
            Ok::<_, String>((merged, now, new))
        });
        let (merged, now, new) = match both.await {
            Ok(both) => both,
            Err(why) => return self.unusable(call, &why),
        };
        if merged.conflicts.is_empty() {
            let made = self.made(Some(call), How::Merged);
            return self
                .save(merged.text.into_bytes(), now.into_bytes(), made)
                .await;
        }
        // Of the paragraphs that both changed the writer's stay; the agent's other changes are in the draft.
        let aside = self.made(None, How::Aside);
        let by = if merged.text == now {
            self.keeper()
        } else {
            aside.by.clone()
        };
        let made = Made {
            by,
            call: Some(call),
            ..aside.clone()
        };
        let was = now.into_bytes();
        self.save(new.into_bytes(), was.clone(), aside).await;
        self.beside(merged.text.into_bytes(), was, made);
    }

    /// The text of a version when everything since was made by the writer, here or in another program.
    async fn only_writer_since(&self, base: Seq, newest: &str) -> Option<String> {
        if base == 0 {
            let was_empty = newest.is_empty() || self.began_empty().await?;
            return was_empty.then(String::new);
        }
        let versions = self.versions_from(base).await?;
        let old = versions.iter().find(|v| v.seq == base)?;
        if versions.iter().any(|v| v.seq > base && is_of_agent(v)) {
            return None;
        }
        String::from_utf8(self.text_of(Some(old)).await.ok()?).ok()
    }

    /// Whether the draft was begun in this turn, by the writer alone. An agent that speaks of an empty draft where one stood
    /// before has not read it: a text of its holds nothing of that.
    async fn began_empty(&self) -> Option<bool> {
        let (store, id, turn) = (self.shared.store.clone(), self.id, self.state.turn);
        let begun = blocking(move || history::prompt_of(&store, id, turn));
        let (begun, versions) = (begun.await.ok()??, self.versions_from(0).await?);
        let since = |v: &Version| v.seq > begun && !is_of_agent(v);
        Some(versions.iter().all(since))
    }

    /// The versions from one on, and maybe some before it.
    async fn versions_from(&self, base: Seq) -> Option<Vec<Version>> {
        let known = &self.desk.versions;
        if known.iter().any(|v| v.seq == base) {
            return Some(known.iter().cloned().collect());
        }
        let (store, id) = (self.shared.store.clone(), self.id);
        blocking(move || history::versions(&store, id)).await.ok()
    }

    fn made(&self, call: Option<String>, how: How) -> Made {
        let by = By::Agent(self.agent_of_turn());
        let turn = Some(self.state.turn);
        let made = Made::by(by);
        Made {
            turn,
            call,
            how,
            ..made
        }
    }

    pub(super) fn unusable(&mut self, call: String, why: &str) {
        self.told_no(
            call,
            format!("The draft cannot be used now: {why} {NOT_YOURS}"),
        );
    }

    fn told_no(&mut self, call: String, output: String) {
        self.tool_done(call, ToolResult { ok: false, output });
    }

    pub(in crate::host::session) fn tool_done(&mut self, call: String, result: ToolResult) {
        self.feed(Input::ToolDone {
            call,
            result,
            ms: 0,
        });
    }
}

/// Whether a version makes an agent's older text stale: another tool's write does, an undo and a restored one.
fn is_of_agent(version: &Version) -> bool {
    !matches!(version.by, By::You | By::Outside | By::Take)
}
