//! Speaks to the Claude Code command line: JSON lines both ways over one process per session.

mod ask;
mod blocks;
mod driver;
mod flags;
mod heard;
pub(super) mod import;
mod input;
mod launch;
mod limit;
mod live;
mod mcp;
mod native;
mod retry;
mod salvage;
mod spent;
mod stream;
mod transcript;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::OnceCell;

use super::backend::{Agent, Backend, Compacts, Later, Probe, Start};
use super::error::AgentError;
use super::search;
use super::vars::Vars;
use crate::domain::agent::AgentSpec;
use flags::{Installed, Version};

/// Its name in reasons and notes.
const NAME: &str = "Claude Code";

/// How long things are waited for.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// For the program to be ready; a loaded machine was seen to take 18 s.
    pub ready: Duration,
    /// For a running program to answer before it gets the next prompt.
    pub answer: Duration,
    /// For an interrupt or a closed input to have effect, before signals.
    pub stop: Duration,
    /// For a signal to have effect, before the next.
    pub signal: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            ready: Duration::from_secs(90),
            answer: Duration::from_secs(20),
            stop: Duration::from_secs(5),
            signal: Duration::from_secs(2),
        }
    }
}

/// The backend.
#[derive(Debug)]
pub(super) struct Claude(Arc<Setup>);

/// What all its sessions share.
#[derive(Debug)]
struct Setup {
    spec: AgentSpec,
    /// What a child gets.
    vars: Vars,
    patience: Patience,
    installed: OnceCell<Installed>,
}

/// Set for every child: no word to anybody but the service asked (names: the program's documentation).
const QUIET: [&str; 3] = [
    "DISABLE_TELEMETRY",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
    "DISABLE_AUTOUPDATER",
];
/// How the program that is looked for by default is got.
const INSTALL: &str =
    "Install it with `npm install -g @anthropic-ai/claude-code`, then run `claude` once to log in.";
/// Where the program keeps its login and its records, when not in the home folder.
const CONFIG_DIR: &str = "CLAUDE_CONFIG_DIR";

impl Claude {
    pub(super) fn new(spec: &AgentSpec, vars: &Vars, patience: Patience) -> Self {
        let mut named = spec.env.clone();
        named.push(CONFIG_DIR.to_owned());
        let vars = QUIET
            .iter()
            .fold(vars.kept(&named), |vars, name| vars.with(name, "1"));
        Self(Arc::new(Setup {
            spec: spec.clone(),
            vars,
            patience,
            installed: OnceCell::new(),
        }))
    }
}

impl Setup {
    /// The program and its version, asked once.
    async fn installed(&self) -> Result<&Installed, AgentError> {
        self.installed
            .get_or_try_init(|| async {
                let program = search::program(&self.spec.command, &self.vars)?;
                flags::installed(program, &self.vars).await
            })
            .await
    }

    async fn look(&self) -> Probe {
        match self.installed().await {
            Ok(found) => Probe {
                ok: true,
                why: format!("{NAME} {} at {}", found.version, found.program.display()),
                fix: (found.version < Version::TRIED_FROM).then(|| {
                    format!(
                        "Older than {}, the oldest one tried: update it.",
                        Version::TRIED_FROM
                    )
                }),
                models: Vec::new(),
            },
            Err(e) => Probe {
                ok: false,
                why: e.to_string(),
                fix: match &e {
                    AgentError::NotFound { program } if program == "claude" => {
                        Some(INSTALL.to_owned())
                    }
                    _ => e.fix(),
                },
                models: Vec::new(),
            },
        }
    }
}

impl Backend for Claude {
    fn start(&self, start: Start) -> Agent {
        Agent::driven(|orders, events| driver::run(Arc::clone(&self.0), start, orders, events))
    }

    fn probe(&self) -> Later<'_, Probe> {
        Box::pin(self.0.look())
    }

    fn salvage(&self, agent_session: &str, folder: &Path, prompt: &str) -> Option<String> {
        let record = native::Home::of(&self.0.vars)?.record(folder, agent_session);
        let bytes = std::fs::read(record).ok()?;
        salvage::answer(&bytes, prompt)
    }

    fn compacts(&self) -> Compacts {
        Compacts::Itself
    }

    fn is_process(&self) -> bool {
        true
    }
}
