//! The embedded agent: a copy editor over the session's draft, with no model, key or server.
//!
//! It has no memory of its own: what it said is in the conversation, and what it finds it finds in the draft as it is.

pub mod checks;
mod figures;
pub mod finding;
pub mod grammar;
mod listing;
mod marks;
mod measure;
mod mend;
mod outline;
mod prompt;
mod report;
mod turn;
mod words;

use crate::domain::agent::AgentSpec;

use super::backend::{Agent, Backend, Later, Probe, Start};

/// The backend; its command is the program that looks for grammar, this one where it is empty.
#[derive(Debug)]
pub(super) struct Editor(String);

impl Editor {
    pub(super) fn new(spec: &AgentSpec) -> Self {
        Self(spec.command.clone())
    }
}

impl Backend for Editor {
    fn start(&self, start: Start) -> Agent {
        Agent::driven(|orders, events| turn::run(self.0.clone(), start, orders, events))
    }

    fn probe(&self) -> Later<'_, Probe> {
        Box::pin(std::future::ready(Probe {
            ok: true,
            why: "Built in: reads the draft as a copy editor does and writes nothing of its own."
                .to_owned(),
            fix: None,
            models: Vec::new(),
        }))
    }

    fn does(&self, prompt: &str) -> bool {
        prompt::is_order(prompt)
    }
}
