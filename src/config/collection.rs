//! Collections: the folders of a workspace that hold a `collection.toml`, and the inbox, which is always there.

mod document;
pub mod edit;
mod look;
mod loose;
mod make;
mod read;
mod standing;

use super::nearest::nearest;
use super::problem::Problem;
use super::{Changes, ConfigError, Workspace};
use crate::domain::{CollectionId, CollectionRow, SessionId};
use crate::text::folded;

pub use crate::domain::Piece;
pub use edit::{edit, set_piece_line, take_in};
pub use look::folders;
pub use loose::{LeftAlone, TOP, is_beside, is_markdown, loose_at_top, loose_folders};
pub use make::{create, of_folder};

/// Name of the file that makes a folder a collection.
pub const FILE: &str = "collection.toml";
/// How long the name of a folder made from a title may get, in bytes: far below any system's limit.
const NAME_MAX: usize = 60;
/// What agents may be allowed beyond the draft.
pub const WEB: &str = "web";

/// A collection as its file says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Collection {
    /// Its identity; its sessions are kept under it, whatever the folder is called.
    pub id: CollectionId,
    /// Its title.
    pub title: String,
    /// What it is, in a line.
    pub about: Option<String>,
    /// The agent of its sessions.
    pub agent: Option<String>,
    /// The model to ask that agent for.
    pub model: Option<String>,
    /// What its agents may do.
    pub rights: Rights,
    /// Out of the drawer.
    pub archived: bool,
    /// Words it is to have as a whole.
    pub target: Option<u64>,
    /// Words a day.
    pub day: Option<u64>,
    /// Its place in the drawer; those without one come after, by title.
    pub order: Option<i64>,
    /// What it says of its pieces, in order.
    pub pieces: Vec<Piece>,
    /// Its folder, one name relative to the workspace.
    pub folder: String,
}

/// What the agents of a collection may do.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Rights {
    /// Beyond the draft: `web`.
    pub allow: Vec<String>,
    /// What becomes of their changes of the draft; as it is set for all where none.
    pub changes: Option<Changes>,
}

impl Collection {
    /// The inbox without a file.
    pub fn inbox() -> Self {
        Self::plain(CollectionId::inbox(), "Inbox", "inbox")
    }

    /// A collection whose file says nothing more.
    pub(crate) fn plain(id: CollectionId, title: &str, folder: &str) -> Self {
        Self {
            id,
            title: title.to_owned(),
            about: None,
            agent: None,
            model: None,
            rights: Rights::default(),
            archived: false,
            target: None,
            day: None,
            order: None,
            pieces: Vec::new(),
            folder: folder.to_owned(),
        }
    }

    /// What it says of a piece.
    pub fn piece(&self, id: SessionId) -> Option<&Piece> {
        self.pieces.iter().find(|p| p.id == id)
    }

    /// Where a piece stands in its order; those it does not name come after all others.
    pub fn position(&self, id: SessionId) -> usize {
        let at = self.pieces.iter().position(|p| p.id == id);
        at.unwrap_or(self.pieces.len())
    }

    /// By what it is ordered in the drawer: the inbox last, those with a number first, then by title.
    pub fn place(&self) -> (bool, i64, String) {
        let last = self.id == CollectionId::inbox();
        let at = self.order.unwrap_or(i64::MAX);
        (last, at, self.title.to_lowercase())
    }

    /// Its row in the drawer.
    pub fn row(&self) -> CollectionRow {
        CollectionRow {
            archived: self.archived,
            about: self.about.clone(),
            target: self.target,
            day: self.day,
            order: self.order,
            allow: self.rights.allow.clone(),
            pieces: self.pieces.clone(),
            ..CollectionRow::new(self.id.clone(), &self.title, &self.folder)
        }
    }
}

/// The collections of a workspace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Drawer {
    /// By folder, the inbox last unless it is filed elsewhere.
    pub collections: Vec<Collection>,
    /// What is wrong in their files.
    pub problems: Vec<Problem>,
}

impl Drawer {
    /// Looks at the folders of a workspace. A folder that is a link is left alone: what is written in a
    /// collection must stay in the workspace.
    pub fn of(workspace: &Workspace) -> Self {
        Self::known(workspace, |_| [])
    }

    /// The same; `known` gives the ids under which the sessions in a folder are filed, that of the oldest first; of one
    /// without sessions, the id that its collection had when its file could still be read.
    pub fn known<I>(workspace: &Workspace, known: impl Fn(&str) -> I) -> Self
    where
        I: IntoIterator<Item = CollectionId>,
    {
        look::drawer(workspace, &|folder| known(folder).into_iter().collect())
    }

    /// The collection with that id.
    pub fn get(&self, id: &CollectionId) -> Option<&Collection> {
        self.collections.iter().find(|c| c.id == *id)
    }

    /// The collection a writer means: its id, its title or its folder, in whatever case.
    pub fn named(&self, word: &str) -> Result<&Collection, ConfigError> {
        let wanted = folded(word.trim_end_matches('/'));
        let same = |name: &str| folded(name) == wanted;
        self.collections
            .iter()
            .find(|c| c.id.as_str() == word)
            .or_else(|| {
                self.collections
                    .iter()
                    .find(|c| same(&c.title) || same(&c.folder))
            })
            .ok_or_else(|| ConfigError::NoCollection(word.to_owned()))
    }

    /// Whether no collection but `but` has a title, small and capital letters alike.
    pub fn is_free(&self, title: &str, but: Option<&CollectionId>) -> Result<(), ConfigError> {
        let wanted = folded(title);
        let same = |c: &&Collection| Some(&c.id) != but && folded(&one_line(&c.title)) == wanted;
        match self.collections.iter().find(same) {
            None => Ok(()),
            Some(taken) => Err(ConfigError::TitleTaken {
                title: taken.title.clone(),
                folder: taken.folder.clone(),
                archived: taken.archived,
            }),
        }
    }

    /// The title nearest to a word.
    pub fn nearest(&self, word: &str) -> Option<&str> {
        nearest(word, self.collections.iter().map(|c| c.title.as_str()))
    }
}

/// The ids under which sessions are filed, that of the oldest session first.
pub fn filed<'a>(
    sessions: impl Iterator<Item = (SessionId, &'a CollectionId)>,
) -> Vec<CollectionId> {
    let mut all: Vec<_> = sessions.collect();
    all.sort_unstable();
    let mut ids: Vec<CollectionId> = Vec::new();
    for (_, id) in all {
        if !ids.contains(id) {
            ids.push(id.clone());
        }
    }
    ids
}

/// A title on one line: control characters become spaces, runs of spaces one.
pub fn one_line(title: &str) -> String {
    let spaced: String = title
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    /// A workspace of these folders, each with that text in its `collection.toml`.
    pub(super) fn workspace(files: &[(&str, &str)]) -> (tempfile::TempDir, Workspace) {
        let dir = tempfile::tempdir().unwrap();
        for (folder, text) in files {
            std::fs::create_dir_all(dir.path().join(folder)).unwrap();
            std::fs::write(dir.path().join(folder).join(FILE), text).unwrap();
        }
        let workspace = Workspace::at(dir.path());
        (dir, workspace)
    }

    #[test]
    fn a_row_says_all_that_a_window_shows_and_a_piece_has_its_place() {
        let ids = [1, 2, 3].map(|n| SessionId::new(uuid::Uuid::from_u128(n)));
        let text = format!(
            "id = \"a\"\nabout = \"Short ones\"\ntarget = 9000\nday = 300\norder = 2\n[[piece]]\nid = \"{}\"\n[[piece]]\nid = \"{}\"\nstage = \"draft\"\n",
            ids[1], ids[0]
        );
        let (_dir, workspace) = workspace(&[("a", &text)]);
        let drawer = Drawer::of(&workspace);
        let a = drawer.named("a").unwrap();
        assert_eq!(ids.map(|id| a.position(id)), [1, 0, 2]);
        let row = a.row();
        assert_eq!(
            (row.about.as_deref(), row.target, row.day, row.order),
            (Some("Short ones"), Some(9000), Some(300), Some(2))
        );
        assert_eq!(row.pieces, a.pieces);
    }
}
