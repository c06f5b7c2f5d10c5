//! Where the writer's own files lie, outside any workspace.

use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

use super::{ConfigError, Workspace};

/// Folder of this program below each of the system's folders.
const OURS: &str = "fascicle";

/// The system's folders for one user, ours below them. None of them need exist.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Places {
    /// The writer's own configuration file.
    pub config: PathBuf,
    /// Caches: deletable at any time.
    pub cache: PathBuf,
    /// Diagnostics, and where windows were left.
    pub state: PathBuf,
    /// The home folder.
    pub home: PathBuf,
}

impl Places {
    /// The folders as the XDG variables and the platform say.
    pub fn of_this_user() -> Result<Self, ConfigError> {
        let base = etcetera::choose_base_strategy().map_err(|_| ConfigError::NoHome)?;
        let state = base.state_dir().unwrap_or_else(|| base.data_dir());
        Ok(Self {
            config: base.config_dir().join(OURS).join("config.toml"),
            cache: base.cache_dir().join(OURS),
            state: state.join(OURS),
            home: base.home_dir().to_owned(),
        })
    }

    /// All of them below one folder.
    pub fn under(dir: &Path) -> Self {
        Self {
            config: dir.join("config").join(OURS).join("config.toml"),
            cache: dir.join("cache").join(OURS),
            state: dir.join("state").join(OURS),
            home: dir.to_owned(),
        }
    }

    /// Caches of one workspace.
    pub fn cache_of(&self, workspace: &Workspace) -> PathBuf {
        self.cache.join(workspace.key())
    }

    /// Where windows on one workspace were left.
    pub fn state_of(&self, workspace: &Workspace) -> PathBuf {
        self.state.join(workspace.key())
    }
}
