//! One file or folder per backend; the only room that starts agent processes or speaks HTTP.

pub mod backend;
pub mod child;
mod claude;
pub mod editor;
mod error;
pub mod histories;
mod openai;
pub(crate) mod pipe;
mod scripted;
pub mod search;
pub mod vars;

use std::sync::Arc;

use crate::domain::agent::{AgentKind, AgentSpec};

pub use backend::{Agent, AgentEvent, Backend, Compacts, Order, Probe, Start};
pub use claude::Patience;
pub use error::AgentError;
pub use vars::Vars;

type Make = fn(&AgentSpec, &Vars) -> Arc<dyn Backend>;

/// Which code speaks to which kind of agent.
const BACKENDS: [(AgentKind, Make); 4] = [
    (AgentKind::Claude, |spec, vars| {
        Arc::new(claude::Claude::new(spec, vars, Patience::default()))
    }),
    (AgentKind::Openai, |spec, vars| {
        Arc::new(openai::Openai::new(spec, vars))
    }),
    (AgentKind::Editor, |spec, _| {
        Arc::new(editor::Editor::new(spec))
    }),
    (AgentKind::Scripted, |spec, _| {
        Arc::new(scripted::Scripted::new(spec))
    }),
];

/// The backend for an agent, in the environment of this process.
pub fn backend(spec: &AgentSpec) -> Arc<dyn Backend> {
    backend_in(spec, &Vars::of_process())
}

/// The backend for an agent, in an environment of the caller's choice.
pub fn backend_in(spec: &AgentSpec, vars: &Vars) -> Arc<dyn Backend> {
    let row = BACKENDS.iter().find(|(kind, _)| *kind == spec.kind);
    row.map_or_else(
        // Unreachable while the test below passes: the table names every kind.
        || Arc::new(scripted::Scripted::new(spec)) as Arc<dyn Backend>,
        |(_, make)| make(spec, vars),
    )
}

/// The backend for a Claude Code command line that is waited for as long as `patience` says.
pub fn claude_with(spec: &AgentSpec, vars: &Vars, patience: Patience) -> Arc<dyn Backend> {
    Arc::new(claude::Claude::new(spec, vars, patience))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_row() {
        for kind in AgentKind::ALL {
            assert!(BACKENDS.iter().any(|(k, _)| *k == kind), "{kind:?}");
        }
    }
}
