//! Markdown files that are in no collection yet, by folder, and folders that the writer wants left as they are.

use std::path::{Path, PathBuf};

use super::look::folders;
use super::{Collection, FILE};
use crate::config::{Places, Workspace};

/// The file of the writer's own that names folders to be left alone, one a line.
const LEFT_ALONE: &str = "left-alone";
/// How names of Markdown files end.
const ENDS: [&str; 2] = ["md", "markdown"];
/// Files that say something about the pieces beside them, and are none.
const BESIDE: [&str; 6] = [
    "memory.md",
    "profile.md",
    "voice.md",
    "claude.md",
    "agents.md",
    "readme.md",
];
/// The workspace itself among folders: the files at its top.
pub const TOP: &str = ".";
/// A folder with fewer files is no collection.
const FEWEST: u64 = 2;
/// Entries of a folder that are looked at.
const MOST: usize = 10_000;

/// Whether a name is that of a Markdown file.
pub fn is_markdown(name: &str) -> bool {
    let end = Path::new(name).extension().unwrap_or_default();
    ENDS.iter().any(|known| end.eq_ignore_ascii_case(known))
}

/// Whether a name is that of a file about the pieces beside it.
pub fn is_beside(name: &str) -> bool {
    BESIDE.iter().any(|own| own.eq_ignore_ascii_case(name))
}

/// How many pieces lie at the top of the workspace itself.
pub fn loose_at_top(workspace: &Workspace) -> u64 {
    files(workspace.root())
}

/// Folders in the workspace that hold Markdown files and are no collections, and how many files.
pub fn loose_folders(workspace: &Workspace) -> Vec<(String, u64)> {
    let root = workspace.root();
    let inbox = Collection::inbox().folder;
    let plain = folders(root).into_iter().filter(|name| {
        let path = root.join(name);
        *name != inbox && path.join(FILE).symlink_metadata().is_err()
    });
    plain
        .map(|name| {
            let many = files(&root.join(&name));
            (name, many)
        })
        .filter(|(_, many)| *many >= FEWEST)
        .collect()
}

fn files(folder: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return 0;
    };
    let mut many = 0;
    for entry in entries.take(MOST).filter_map(Result::ok) {
        let name = entry.file_name();
        let is_piece = |name: &str| !name.starts_with('.') && is_markdown(name) && !is_beside(name);
        let named = name.to_str().is_some_and(is_piece);
        many += u64::from(named && entry.file_type().is_ok_and(|t| t.is_file()));
    }
    many
}

/// Folders that are to be left as they are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LeftAlone {
    file: PathBuf,
    folders: Vec<String>,
}

impl LeftAlone {
    /// Those of a workspace.
    pub fn of(places: &Places, workspace: &Workspace) -> Self {
        let file = places.state_of(workspace).join(LEFT_ALONE);
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let folders = text.lines().map(str::to_owned).collect();
        Self { file, folders }
    }

    /// Whether one is.
    pub fn has(&self, folder: &str) -> bool {
        self.folders.iter().any(|one| one == folder)
    }

    /// Adds one. Where that cannot be kept, it is offered once more another day.
    pub fn add(mut self, folder: &str) {
        self.folders.push(folder.to_owned());
        let text = self.folders.join("\n") + "\n";
        let above = self.file.parent().map(std::fs::create_dir_all);
        if above.is_some_and(|made| made.is_ok()) {
            let _kept = std::fs::write(&self.file, text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::workspace;
    use super::*;

    #[test]
    fn a_folder_of_markdown_files_is_offered_until_it_is_a_collection_or_refused() {
        let (dir, workspace) = workspace(&[("essays", "id = \"essays\"")]);
        for path in [
            "notes/a.md",
            "notes/b.MD",
            "one/a.md",
            "essays/a.md",
            "essays/b.md",
            ".git/a.md",
            ".git/b.md",
            "one/README.md",
            "novel.md",
            "Readme.md",
            ".draft.md",
        ] {
            let path = dir.path().join(path);
            drop(path.parent().map(std::fs::create_dir_all));
            drop(std::fs::write(path, "A text."));
        }
        assert_eq!(loose_folders(&workspace), [("notes".to_owned(), 2)]);
        assert_eq!(loose_at_top(&workspace), 1);
        let places = Places::under(&dir.path().join(".home"));
        assert!(!LeftAlone::of(&places, &workspace).has("notes"));
        LeftAlone::of(&places, &workspace).add("notes");
        LeftAlone::of(&places, &workspace).add("other");
        let left = LeftAlone::of(&places, &workspace);
        assert!(left.has("notes") && left.has("other"));
    }
}
