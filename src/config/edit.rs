//! Changes the writer's own file of settings by what was answered in the window: comments and order stay, the file is
//! replaced in one step, and one with mistakes in it is not touched.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use toml_edit::{DocumentMut, Item, Table, value};

use super::found::Way;
use super::{ConfigError, Problem, file};

/// The answer to what was offered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Nothing of it, and no more asking.
    No,
    /// A way is taken, with a model where it needs one.
    Take(Way, Option<String>),
}

/// Keeps an answer in the writer's file. Gives the name of the agent that was configured, if one was.
pub fn keep(path: &Path, answer: &Answer) -> Result<Option<String>, ConfigError> {
    let text = read(path)?;
    let (_, problems) = file::parse(path, &text);
    if let Some(first) = problems.into_iter().next() {
        return Err(ConfigError::Broken(first));
    }
    let mut document = text
        .parse::<DocumentMut>()
        .map_err(|e| ConfigError::Broken(Problem::of(path, e.to_string())))?;
    let name = match answer {
        Answer::No => None,
        Answer::Take(way, model) => Some(take(&mut document, way, model.as_deref())),
    };
    if document.get("offer").is_none() {
        document.insert("offer", value(false));
    }
    replace(path, &document.to_string())?;
    Ok(name)
}

/// Adds the agent, or gives the one that is there already its model; it becomes the default when none was set.
fn take(document: &mut DocumentMut, way: &Way, model: Option<&str>) -> String {
    let name = name_for(document, way);
    if document.get("default_agent").is_none() {
        document.insert("default_agent", value(&name));
    }
    let agents = document.entry("agents").or_insert_with(|| {
        let mut agents = Table::new();
        agents.set_implicit(true);
        Item::Table(agents)
    });
    let lines = [
        ("kind", Some(way.word())),
        ("base_url", way.base_url.as_deref()),
        ("model", model),
        ("api_key_env", way.key.as_deref()),
    ];
    // Both are tables: the file was checked.
    if let Some(agents) = agents.as_table_like_mut() {
        let agent = agents.entry(&name).or_insert(Item::Table(Table::new()));
        if let Some(agent) = agent.as_table_like_mut() {
            for (key, to) in lines {
                if let Some(to) = to {
                    agent.insert(key, value(to));
                }
            }
        }
    }
    name
}

/// A name that is free, or that of an agent with the same address.
fn name_for(document: &DocumentMut, way: &Way) -> String {
    let agents = document.get("agents");
    let of = |name: &str| agents.and_then(|a| a.get(name));
    let numbers = (2u32..).map(|n| format!("{}-{n}", way.name));
    let free = |name: &String| match of(name) {
        None => true,
        Some(agent) => {
            let url = agent.get("base_url").and_then(Item::as_str);
            url == way.base_url.as_deref()
        }
    };
    std::iter::once(way.name.clone())
        .chain(numbers)
        .find(free)
        .unwrap_or_default()
}

fn read(path: &Path) -> Result<String, ConfigError> {
    let failed = |source| ConfigError::Read {
        path: path.to_owned(),
        source,
    };
    match std::fs::symlink_metadata(path) {
        Ok(there) if there.is_symlink() => {
            let to = std::fs::read_link(path).unwrap_or_default();
            let what = format!(
                "It is a link to {}, which is changed by you alone.",
                to.display()
            );
            return Err(ConfigError::Broken(Problem::of(path, what)));
        }
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(String::new()),
        _ => {}
    }
    std::fs::read_to_string(path).map_err(failed)
}

/// Replaces the file; what is made for it is the writer's alone.
fn replace(path: &Path, text: &str) -> Result<(), ConfigError> {
    let failed = |source| ConfigError::Write {
        path: path.to_owned(),
        source,
    };
    let folder: PathBuf = path.parent().unwrap_or(Path::new(".")).to_owned();
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(&folder).map_err(failed)?;
    // Made for its owner alone (tempfile's own mode, 0600).
    let mut new = tempfile::NamedTempFile::new_in(&folder).map_err(failed)?;
    new.write_all(text.as_bytes()).map_err(failed)?;
    new.as_file().sync_data().map_err(failed)?;
    new.persist(path).map_err(|e| failed(e.error))?;
    let synced = std::fs::File::open(&folder).and_then(|f| f.sync_all());
    synced.map_err(failed)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;
    use crate::config::{Places, found, load};

    fn router() -> Way {
        let found = found::ways(false, |name| name == "OPENROUTER_API_KEY");
        found.into_iter().next().unwrap()
    }

    fn ollama() -> Way {
        found::servers().into_iter().next().unwrap()
    }

    fn kept(before: Option<&str>, answers: &[Answer]) -> (Places, String, tempfile::TempDir) {
        let dir = tempfile::tempdir().unwrap();
        let places = Places::under(dir.path());
        if let Some(text) = before {
            std::fs::create_dir_all(places.config.parent().unwrap()).unwrap();
            std::fs::write(&places.config, text).unwrap();
        }
        for answer in answers {
            keep(&places.config, answer).unwrap();
        }
        let text = std::fs::read_to_string(&places.config).unwrap();
        (places, text, dir)
    }

    #[test]
    fn a_no_is_one_line_and_is_not_asked_again() {
        let (places, text, _dir) = kept(None, &[Answer::No]);
        assert_eq!(text, "offer = false\n");
        let config = load(&places, None).config;
        assert!(!found::is_open(&config));
    }

    #[test]
    fn what_is_taken_is_an_agent_and_the_default_and_no_key_is_in_the_file() {
        let take = Answer::Take(router(), Some("some/model".into()));
        let (places, text, _dir) = kept(None, &[take]);
        assert_eq!(
            text,
            "default_agent = \"openrouter\"\noffer = false\n\n[agents.openrouter]\nkind = \"openai\"\nbase_url = \"https://openrouter.ai/api/v1\"\nmodel = \"some/model\"\napi_key_env = \"OPENROUTER_API_KEY\"\n"
        );
        let loaded = load(&places, None);
        assert!(loaded.problems.is_empty(), "{:?}", loaded.problems);
        assert_eq!(loaded.config.default_agent, "openrouter");
    }

    #[test]
    fn comments_order_and_a_default_of_ones_own_stay() {
        let before = "# mine\ndefault_agent = \"claude\" # always\n\n# How it looks.\n[window]\nsmooth = true # calm\n";
        let take = Answer::Take(ollama(), Some("qwen3".into()));
        let (places, text, _dir) = kept(Some(before), &[take]);
        for line in [
            "# mine\ndefault_agent = \"claude\" # always\n",
            "# How it looks.\n[window]\nsmooth = true # calm\n",
            "[agents.ollama]\nkind = \"openai\"\n",
        ] {
            assert!(text.contains(line), "{text}");
        }
        let loaded = load(&places, None);
        assert!(loaded.problems.is_empty(), "{:?}\n{text}", loaded.problems);
        assert_eq!(loaded.config.default_agent, "claude");
    }

    #[test]
    fn the_same_server_taken_twice_is_one_agent_with_the_newer_model() {
        let take = |model: &str| Answer::Take(ollama(), Some(model.into()));
        let (_, text, _dir) = kept(None, &[take("a"), take("b")]);
        assert_eq!(text.matches("[agents.").count(), 1, "{text}");
        assert!(text.contains("model = \"b\"") && !text.contains("model = \"a\""));
    }

    #[test]
    fn another_agent_of_that_name_is_left_as_it_is() {
        let before = "[agents.ollama]\nkind = \"openai\"\nbase_url = \"http://box:1/v1\"\n";
        let take = Answer::Take(ollama(), Some("qwen3".into()));
        let (_, text, _dir) = kept(Some(before), &[take]);
        assert!(text.contains(before.trim_end()), "{text}");
        assert!(text.contains("[agents.ollama-2]"), "{text}");
    }

    #[test]
    fn a_file_with_a_mistake_is_not_touched_and_named_with_its_line() {
        for (broken, line) in [("turns_at_once = 2\nodd = 1\n", 2), ("[agents\n", 1)] {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("config.toml");
            std::fs::write(&path, broken).unwrap();
            let said = keep(&path, &Answer::No).unwrap_err().to_string();
            assert!(said.contains(&format!("config.toml:{line}: ")), "{said}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), broken);
        }
    }

    #[cfg(unix)]
    #[test]
    fn the_file_is_the_writers_alone_and_a_link_is_not_written_through() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let dir = tempfile::tempdir().unwrap();
        let (path, target) = (dir.path().join("a/config.toml"), dir.path().join("dots"));
        keep(&path, &Answer::No).unwrap();
        let mode = path.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        std::fs::remove_file(&path).unwrap();
        std::fs::write(&target, "# mine\n").unwrap();
        symlink(&target, &path).unwrap();
        assert!(keep(&path, &Answer::No).is_err());
        assert!(path.symlink_metadata().unwrap().is_symlink());
        assert_eq!(std::fs::read_to_string(&target).unwrap(), "# mine\n");
    }
}
