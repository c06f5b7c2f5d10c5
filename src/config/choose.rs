//! Which agent and model a session's next turn uses.

use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};

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

/// The default where nothing names one: Claude Code when its program is there, else the editor that is built in.
pub(super) fn of_itself(agents: &[AgentSpec], programs: &[PathBuf]) -> String {
    let claude = AgentKind::Claude.word();
    let there = agents
        .iter()
        .find(|a| a.name == claude)
        .is_some_and(|a| is_there(&a.command, programs));
    let kind = if there {
        AgentKind::Claude
    } else {
        AgentKind::Editor
    };
    kind.word().to_owned()
}

fn is_there(command: &str, programs: &[PathBuf]) -> bool {
    let runs = |path: &Path| path.is_file() && access(path, Access::EXEC_OK).is_ok();
    if command.contains('/') {
        return runs(Path::new(command));
    }
    programs.iter().any(|folder| runs(&folder.join(command)))
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
    fn claude_is_the_default_where_its_program_is() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let places = Places::under(dir.path());
        let program = dir.path().join("bin/claude");
        std::fs::create_dir_all(program.parent().unwrap()).unwrap();
        std::fs::write(&program, "#!/bin/sh\n").unwrap();
        let default = || load(&places, None).config.default_agent;
        assert_eq!(default(), "editor");
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(default(), "claude");
    }
}
