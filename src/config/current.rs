//! The settings as they are now: read again when a file of them has changed.

use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use super::{Config, Loaded, Places, Workspace, load};

/// What tells a changed file: its time and its length; none when it is not there.
type Stamp = Option<(SystemTime, u64)>;

/// Settings that follow their files. Files with mistakes change nothing until they are mended.
#[derive(Debug)]
pub struct Current {
    config: Arc<Config>,
    files: Option<Files>,
}

#[derive(Debug)]
struct Files {
    places: Places,
    workspace: Workspace,
    seen: [Stamp; 2],
}

impl From<Config> for Current {
    /// Settings that stay as they are.
    fn from(config: Config) -> Self {
        Self {
            config: Arc::new(config),
            files: None,
        }
    }
}

impl Current {
    /// Settings that were just loaded from the files of a writer and a workspace.
    pub fn of(places: &Places, workspace: &Workspace, config: Config) -> Self {
        let files = Files {
            seen: stamps(places, workspace),
            places: places.clone(),
            workspace: workspace.clone(),
        };
        Self {
            config: Arc::new(config),
            files: Some(files),
        }
    }

    /// As of the last look.
    pub fn get(&self) -> Arc<Config> {
        self.config.clone()
    }

    /// Looks at the files; what they say when one has changed.
    pub fn look(&mut self) -> Option<Loaded> {
        let files = self.files.as_mut()?;
        let now = stamps(&files.places, &files.workspace);
        if now == files.seen {
            return None;
        }
        files.seen = now;
        let loaded = load(&files.places, Some(&files.workspace));
        if loaded.problems.is_empty() {
            self.config = Arc::new(loaded.config.clone());
        }
        Some(loaded)
    }
}

fn stamps(places: &Places, workspace: &Workspace) -> [Stamp; 2] {
    [stamp(&places.config), stamp(&workspace.config_file())]
}

fn stamp(file: &Path) -> Stamp {
    let there = std::fs::metadata(file).ok()?;
    Some((there.modified().ok()?, there.len()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    #[test]
    fn a_changed_file_is_read_and_one_with_mistakes_changes_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let (places, workspace) = (Places::under(dir.path()), Workspace::at(dir.path()));
        std::fs::create_dir_all(places.config.parent().unwrap()).unwrap();
        let write = |text: &str| std::fs::write(&places.config, text).unwrap();
        write("turns_at_once = 2\n");
        let loaded = load(&places, Some(&workspace));
        let mut current = Current::of(&places, &workspace, loaded.config);
        assert!(current.look().is_none());
        write("turns_at_once = 10\n");
        assert!(current.look().unwrap().problems.is_empty());
        assert_eq!(current.get().turns_at_once, 10);
        write("turns_at_once = \"many\"\n");
        assert!(!current.look().unwrap().problems.is_empty());
        assert_eq!(current.get().turns_at_once, 10);
    }
}
