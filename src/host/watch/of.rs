//! What a watched folder is of, and which of its files count.

use std::path::{Path, PathBuf};

use crate::config::collection;
use crate::domain::SessionId;
use crate::drafts::file::{self, Stamp};
use crate::memory::brief::RULES;
use crate::memory::desk::{MEMORY, PROFILE, VOICE};

/// What a folder is of.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Of {
    Session(SessionId),
    /// A folder of the workspace, a collection or not: the drawer and its memory are looked at.
    Drawer(PathBuf),
    /// The workspace: the drawer and the writer's voice are looked at.
    Root,
}

impl Of {
    /// The files in it that count.
    pub(super) fn files(&self) -> &'static [&'static str] {
        match self {
            Self::Session(_) => &[file::NAME],
            Self::Drawer(_) => &[collection::FILE, MEMORY, PROFILE, RULES[0], RULES[1]],
            Self::Root => &[VOICE, RULES[0], RULES[1]],
        }
    }

    /// How those in a folder look, and the workspace itself, which looks otherwise when a folder in it comes or goes.
    pub(super) fn stamps(&self, path: &Path) -> Vec<Option<Stamp>> {
        let files = self.files().iter().map(|name| path.join(name));
        let own = (*self == Self::Root).then(|| path.to_owned());
        files.chain(own).map(|path| file::stamp_of(&path)).collect()
    }
}
