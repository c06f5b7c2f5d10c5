//! The agents that a window offers, and whether the one it begins with can write.

use crate::agents::{Vars, search};
use crate::config::Config;
use crate::domain::AgentKind;
use crate::ui::Choice;

/// The agents to choose from, the default first. One that plays a written stream is for tests.
pub(super) fn offered(config: &Config) -> Vec<Choice> {
    let shown = config
        .agents
        .iter()
        .filter(|a| a.kind != AgentKind::Scripted || a.name == config.default_agent);
    let mut all: Vec<Choice> = shown
        .map(|a| Choice {
            agent: a.name.clone(),
            model: a.model.clone(),
        })
        .collect();
    all.sort_by_key(|c| c.agent != config.default_agent);
    all
}

/// The agents that can use the web where a collection allows it.
pub(super) fn with_web(config: &Config) -> Vec<String> {
    let able = config.agents.iter().filter(|a| a.kind.searches());
    able.map(|a| a.name.clone()).collect()
}

/// Why the default agent cannot write: its program is looked for, nothing is started or spoken to.
pub(super) fn unready(config: &Config) -> Option<String> {
    let Some(spec) = config.agent(&config.default_agent) else {
        return Some(format!(
            "The agent {} is not configured.",
            config.default_agent
        ));
    };
    if spec.kind != AgentKind::Claude {
        return None;
    }
    let found = search::program(&spec.command, &Vars::of_process());
    found.err().map(|e| e.to_string())
}
