//! Which folder the writer works in.

use std::path::{Path, PathBuf};

use super::{ConfigError, Places};
use crate::text::hash::sha256;

/// The folder that makes a folder a workspace.
const PRIVATE: &str = ".fascicle";
/// The workspace made in the home folder when nothing else is said.
const AT_HOME: &str = "Fascicle";

/// A workspace. It may not exist yet: it is made by the first thing that writes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Workspace {
    root: PathBuf,
}

/// What was said about the workspace, strongest first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Asked {
    /// `--workspace DIR`.
    pub flag: Option<PathBuf>,
    /// `fascicle DIR`.
    pub dir: Option<PathBuf>,
    /// `FASCICLE_WORKSPACE`.
    pub env: Option<PathBuf>,
}

impl Workspace {
    /// The workspace with that root.
    pub fn at(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
        }
    }

    /// The workspace that is meant: the one named by flag or variable; else the nearest folder at or above `DIR` or
    /// the current folder that is one; else `DIR` itself; else `~/Fascicle`.
    pub fn find(asked: &Asked, here: &Path, places: &Places) -> Result<Self, ConfigError> {
        if let Some(root) = &asked.flag {
            return Self::named(&here.join(root));
        }
        if let Some(dir) = &asked.dir {
            let named = Self::named(&here.join(dir))?;
            return Ok(Self::holding(&named.root).unwrap_or(named));
        }
        if let Some(root) = &asked.env {
            return Self::named(&here.join(root));
        }
        Ok(Self::holding(here).unwrap_or_else(|| Self::at(&places.home.join(AT_HOME))))
    }

    fn named(root: &Path) -> Result<Self, ConfigError> {
        // One folder has one name, so that two ways of writing it share one cache and one host.
        match root.canonicalize() {
            Ok(root) if root.is_dir() => Ok(Self { root }),
            _ => Err(ConfigError::NoFolder(root.to_owned())),
        }
    }

    /// The nearest workspace at or above a folder.
    pub fn holding(dir: &Path) -> Option<Self> {
        let dir = dir.canonicalize().unwrap_or_else(|_| dir.to_owned());
        dir.ancestors().map(Self::at).find(Self::is_made)
    }

    /// Whether it was written to before.
    pub fn is_made(&self) -> bool {
        self.private().is_dir()
    }

    /// Makes it, if it is not there. `.fascicle` is the writer's alone.
    pub fn make(&self) -> Result<(), ConfigError> {
        let failed = |path: &Path, source| ConfigError::Write {
            path: path.to_owned(),
            source,
        };
        std::fs::create_dir_all(&self.root).map_err(|e| failed(&self.root, e))?;
        let private = self.private();
        let mut builder = std::fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        match builder.create(&private) {
            Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists && private.is_dir() => Ok(()),
            made => made.map_err(|e| failed(&private, e)),
        }
    }

    /// Its folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// `.fascicle` in it.
    pub fn private(&self) -> PathBuf {
        self.root.join(PRIVATE)
    }

    /// Its own settings.
    pub fn config_file(&self) -> PathBuf {
        self.private().join("config.toml")
    }

    /// A name for its caches that no other workspace of this machine has, and that a person recognises.
    pub fn key(&self) -> String {
        let name: String = self
            .root
            .file_name()
            .map(|n| n.to_string_lossy().to_lowercase())
            .unwrap_or_default()
            .chars()
            .filter(|c| c.is_ascii_alphanumeric() || *c == '-')
            .take(32)
            .collect();
        let hash = sha256(self.root.as_os_str().as_encoded_bytes());
        let short: String = hash.chars().take(16).collect();
        format!("{name}-{short}")
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    fn asked(flag: Option<&Path>, dir: Option<&Path>, env: Option<&Path>) -> Asked {
        let own = |p: Option<&Path>| p.map(Path::to_owned);
        Asked {
            flag: own(flag),
            dir: own(dir),
            env: own(env),
        }
    }

    #[test]
    fn the_stronger_word_decides_and_without_any_the_nearest_parent_then_home() {
        let temp = tempfile::tempdir().unwrap();
        let top = temp.path().canonicalize().unwrap();
        let (a, b, c) = (top.join("a"), top.join("b"), top.join("c"));
        let deep = a.join("essays/x");
        for dir in [&deep, &b, &c] {
            std::fs::create_dir_all(dir).unwrap();
        }
        Workspace::at(&a).make().unwrap();
        let places = Places::under(&top.join("home"));
        let find = |asked: Asked, here: &Path| {
            Workspace::find(&asked, here, &places).map(|w| w.root().to_owned())
        };
        assert_eq!(find(asked(Some(&b), Some(&c), Some(&a)), &deep).unwrap(), b);
        assert_eq!(find(asked(None, Some(&c), Some(&a)), &deep).unwrap(), c);
        assert_eq!(find(asked(None, None, Some(&b)), &deep).unwrap(), b);
        assert_eq!(find(asked(None, None, None), &deep).unwrap(), a);
        assert_eq!(find(asked(None, Some(&deep), None), &c).unwrap(), a);
        assert_eq!(
            find(asked(None, Some(Path::new("c")), None), &top).unwrap(),
            c
        );
        assert_eq!(
            find(asked(None, None, None), &c).unwrap(),
            top.join("home/Fascicle")
        );
        assert!(find(asked(None, Some(&top.join("gone")), None), &c).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn the_private_folder_is_the_writers_alone_and_making_it_twice_is_once() {
        use std::os::unix::fs::PermissionsExt as _;
        let temp = tempfile::tempdir().unwrap();
        let workspace = Workspace::at(&temp.path().join("new"));
        assert!(!workspace.is_made());
        workspace.make().unwrap();
        workspace.make().unwrap();
        let mode = workspace.private().metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
    }

    #[test]
    fn two_folders_of_one_name_have_two_caches() {
        let (a, b) = (
            Workspace::at(Path::new("/x/Novel")),
            Workspace::at(Path::new("/y/Novel")),
        );
        assert_ne!(a.key(), b.key());
        assert!(a.key().starts_with("novel-"));
    }
}
