//! Plays a written stream, with timing and faults: for tests and the damage cases.

mod play;
mod steps;

use std::path::{Path, PathBuf};

use super::backend::{Agent, Backend, Later, Probe, Start};
use crate::domain::agent::AgentSpec;

/// The backend; its command is the path of the file.
#[derive(Debug)]
pub(super) struct Scripted(PathBuf);

impl Scripted {
    pub(super) fn new(spec: &AgentSpec) -> Self {
        Self(PathBuf::from(&spec.command))
    }
}

impl Backend for Scripted {
    fn start(&self, start: Start) -> Agent {
        Agent::driven(|orders, events| play::run(self.0.clone(), start, orders, events))
    }

    fn probe(&self) -> Later<'_, Probe> {
        let read = steps::read(&self.0);
        Box::pin(std::future::ready(Probe {
            ok: read.is_ok(),
            why: match read {
                Ok(_) => format!("plays {}", self.0.display()),
                Err(why) => why,
            },
            fix: None,
            models: Vec::new(),
        }))
    }

    fn salvage(&self, _: &str, _: &Path, _: &str) -> Option<String> {
        steps::read(&self.0).ok()?.salvage
    }

    fn is_process(&self) -> bool {
        steps::read(&self.0).is_ok_and(|script| script.process)
    }
}
