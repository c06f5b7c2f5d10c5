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
    /// `.fascicle`: whether the host is where it is looked for.
    Door,
    /// Where hosts say who they are, and which file is ours.
    Words(PathBuf),
}

/// What must be in `.fascicle` for a host to be found: its lock and, where it can be there, its socket.
const DOOR: [&str; 2] = ["host.lock", "host.sock"];

impl Of {
    /// Whether the way to the host may have changed with it.
    pub(super) fn is_of_host(&self) -> bool {
        matches!(self, Self::Root | Self::Door | Self::Words(_))
    }

    /// The files in it that count.
    pub(super) fn files(&self) -> &'static [&'static str] {
        match self {
            Self::Session(_) => &[file::NAME],
            Self::Drawer(_) => &[collection::FILE, MEMORY, PROFILE, RULES[0], RULES[1]],
            Self::Root => &[VOICE, RULES[0], RULES[1]],
            Self::Door => &DOOR,
            // Another machine's word has any name: see `concerns`.
            Self::Words(_) => &[],
        }
    }

    /// Whether something that is told of in its folder counts: the folder itself always does.
    pub(super) fn concerns(&self, folder: &Path, new: &Path) -> bool {
        if new == folder {
            return true;
        }
        let name = new.file_name().filter(|_| new.parent() == Some(folder));
        let Some(name) = name else { return false };
        let is_hidden = name.as_encoded_bytes().starts_with(b".");
        match self {
            Self::Words(own) => !is_hidden && new != own,
            // A folder of the workspace that has come or gone.
            Self::Root if !is_hidden && !new.is_file() => true,
            _ => self.files().iter().any(|file| name == *file),
        }
    }

    /// How those in a folder look, and the workspace itself, which looks otherwise when a folder in it comes or goes.
    pub(super) fn stamps(&self, path: &Path) -> Vec<Option<Stamp>> {
        let files = self.files().iter().map(|name| path.join(name));
        let own = (*self == Self::Root).then(|| path.to_owned());
        files.chain(own).map(|path| file::stamp_of(&path)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_the_door_another_machines_word_and_our_lock_are_news_and_our_own_word_is_none() {
        let (private, hosts) = (Path::new("/w/.fascicle"), Path::new("/w/.fascicle/hosts"));
        let words = Of::Words(hosts.join("here.json"));
        let news = |of: &Of, folder: &Path, name: &str| of.concerns(folder, &folder.join(name));
        assert!(news(&words, hosts, "other.json"));
        assert!(!news(&words, hosts, "here.json"));
        assert!(
            !news(&words, hosts, ".tmp1234"),
            "one that is being written"
        );
        assert!(news(&Of::Door, private, "host.lock"));
        assert!(news(&Of::Door, private, "host.sock"));
        assert!(!news(&Of::Door, private, "heads.jsonl"));
        assert!(Of::Door.concerns(private, private), "it was moved");
        assert!(!words.concerns(hosts, private));
    }
}
