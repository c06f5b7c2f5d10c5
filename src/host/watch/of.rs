//! What a watched folder is of, and which of its files count.

use std::path::{Path, PathBuf};

use crate::config::collection;
use crate::domain::SessionId;
use crate::drafts::file::{self, Stamp};
use crate::memory::desk::{MEMORY, PROFILE, VOICE};

/// What a folder is of.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Of {
    Session(SessionId),
    /// The collection there: the drawer and the memory are looked at.
    Drawer(PathBuf),
    /// The workspace: the writer's voice is looked at.
    Root,
}

impl Of {
    /// The files in it that count.
    pub(super) fn files(&self) -> &'static [&'static str] {
        match self {
            Self::Session(_) => &[file::NAME],
            Self::Drawer(_) => &[collection::FILE, MEMORY, PROFILE],
            Self::Root => &[VOICE],
        }
    }

    /// How those in a folder look.
    pub(super) fn stamps(&self, path: &Path) -> Vec<Option<Stamp>> {
        let files = self.files().iter();
        files.map(|name| file::stamp_of(&path.join(name))).collect()
    }
}
