//! Which agent and model a session's next turn uses.

use super::{Collection, Config};
use crate::domain::{AgentKind, AgentSpec, Head};

/// Agent and model for the next turn: the session's own choice, else its collection's, else the default.
/// The name is what was chosen, even when no agent has it any more: the turn then says so.
pub fn next(
    config: &Config,
    collection: Option<&Collection>,
    head: &Head,
) -> (String, Option<String>) {
    let chosen = head.chosen.as_ref();
    let shelf = collection.filter(|c| c.agent.is_some() || c.model.is_some());
    let agent = chosen
        .map(|c| c.agent.clone())
        .or_else(|| shelf.and_then(|c| c.agent.clone()))
        .unwrap_or_else(|| config.default_agent.clone());
    let of_shelf = shelf
        .filter(|c| c.agent.as_ref().is_none_or(|a| *a == agent))
        .and_then(|c| c.model.clone());
    let model = chosen
        .and_then(|c| c.model.clone())
        .or(of_shelf)
        .or_else(|| config.agent(&agent).and_then(|a| a.model.clone()));
    (agent, model)
}

/// The default where nothing names one: the one agent that a file defines, Claude Code where it is one of several, else
/// the editor that is built in. A program that only lies on PATH is offered, and used after a yes.
pub(super) fn of_itself(defined: &[AgentSpec]) -> String {
    let claude = AgentKind::Claude.word();
    match defined {
        [only] => only.name.clone(),
        several if several.iter().any(|a| a.name == claude) => claude.to_owned(),
        _ => AgentKind::Editor.word().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;
    use crate::config::{Places, load};
    use crate::domain::CollectionId;
    use crate::domain::head::Chosen;

    #[test]
    fn the_session_decides_then_its_collection_then_the_default() {
        let dir = tempfile::tempdir().unwrap();
        let config = load(&Places::under(dir.path()), None).config;
        let mut shelf = Collection::inbox();
        shelf.agent = Some("local".into());
        shelf.model = Some("qwen3".into());
        let mut head = Head::default();
        assert_eq!(next(&config, None, &head), ("editor".into(), None));
        assert_eq!(
            next(&config, Some(&shelf), &head),
            ("local".into(), Some("qwen3".into()))
        );
        head.chosen = Some(Chosen {
            agent: "claude".into(),
            model: None,
        });
        assert_eq!(next(&config, Some(&shelf), &head), ("claude".into(), None));
        assert_eq!(shelf.id, CollectionId::inbox());
    }

    #[test]
    fn no_agent_is_the_default_before_the_writer_has_named_one() {
        let dir = tempfile::tempdir().unwrap();
        let places = Places::under(dir.path());
        std::fs::create_dir_all(places.config.parent().unwrap()).unwrap();
        let default = |text: &str| {
            std::fs::write(&places.config, text).unwrap();
            load(&places, None).config.default_agent
        };
        let local = "[agents.local]\nkind = \"openai\"\nbase_url = \"http://127.0.0.1:1/v1\"\n";
        let claude = "[agents.claude]\n";
        assert_eq!(default(""), "editor");
        assert_eq!(default("offer = false\n"), "editor");
        assert_eq!(default("default_agent = \"claude\"\n"), "claude");
        assert_eq!(default(claude), "claude");
        assert_eq!(default(&format!("{local}{claude}")), "claude");
        assert_eq!(default(local), "local");
    }
}
