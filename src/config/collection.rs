//! Collections: the folders of a workspace that hold a `collection.toml`, and the inbox, which is always there.

use std::path::{Path, PathBuf};

use toml::de::{DeTable, DeValue};

use super::file::Walk;
use super::load::{flag, text, texts};
use super::nearest::nearest;
use super::problem::Problem;
use super::setting::COLLECTION;
use super::{ConfigError, Workspace};
use crate::domain::{CollectionId, CollectionRow};
use crate::text::slug;

/// The file that makes a folder a collection.
/// Name of the file that makes a folder a collection.
pub const FILE: &str = "collection.toml";
/// How long the name of a folder made from a title may get, in bytes: far below any system's limit.
const NAME_MAX: usize = 60;

/// A collection as its file says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Collection {
    /// Its identity; its sessions are kept under it, whatever the folder is called.
    pub id: CollectionId,
    /// Its title.
    pub title: String,
    /// The agent of its sessions.
    pub agent: Option<String>,
    /// The model to ask that agent for.
    pub model: Option<String>,
    /// What agents may do beyond the draft: `web`.
    pub allow: Vec<String>,
    /// Out of the drawer.
    pub archived: bool,
    /// Its folder, one name relative to the workspace.
    pub folder: String,
}

impl Collection {
    /// The inbox without a file.
    pub fn inbox() -> Self {
        Self::plain(CollectionId::inbox(), "Inbox", "inbox")
    }

    fn plain(id: CollectionId, title: &str, folder: &str) -> Self {
        Self {
            id,
            title: title.to_owned(),
            agent: None,
            model: None,
            allow: Vec::new(),
            archived: false,
            folder: folder.to_owned(),
        }
    }

    /// Its row in the drawer.
    pub fn row(&self) -> CollectionRow {
        CollectionRow {
            id: self.id.clone(),
            title: self.title.clone(),
            folder: self.folder.clone(),
            archived: self.archived,
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
        let mut found = Self {
            collections: Vec::new(),
            problems: Vec::new(),
        };
        for folder in folders(workspace.root()) {
            found.look(workspace, folder);
        }
        if found.get(&CollectionId::inbox()).is_none() {
            found.collections.push(Collection::inbox());
        }
        found
    }

    fn look(&mut self, workspace: &Workspace, folder: String) {
        let path = workspace.root().join(&folder).join(FILE);
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return,
            Err(e) => {
                let what = format!("It could not be read: {e}.");
                return self.problems.push(Problem::of(&path, what));
            }
        };
        let (collection, problems) = parse(&path, &String::from_utf8_lossy(&bytes), folder);
        self.problems.extend(problems);
        let Some(collection) = collection else { return };
        if let Some(first) = self.get(&collection.id) {
            let what = format!(
                "The folder {:?} has the same id. A copied collection needs an id of its own.",
                first.folder
            );
            self.problems.push(Problem::of(&path, what));
        } else {
            self.collections.push(collection);
        }
    }

    /// The collection with that id.
    pub fn get(&self, id: &CollectionId) -> Option<&Collection> {
        self.collections.iter().find(|c| c.id == *id)
    }

    /// The collection a writer means: its id, its title or its folder, small and capital letters alike.
    pub fn named(&self, word: &str) -> Result<&Collection, ConfigError> {
        let same = |name: &str| name.to_lowercase() == word.trim_end_matches('/').to_lowercase();
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

    /// Whether no collection has a title, small and capital letters alike.
    fn is_free(&self, title: &str) -> Result<(), ConfigError> {
        let same = |c: &&Collection| one_line(&c.title).to_lowercase() == title.to_lowercase();
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

/// The folders of a workspace, sorted, hidden ones and links left out.
fn folders(root: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(root) else {
        return Vec::new();
    };
    let mut names: Vec<String> = entries
        .filter_map(Result::ok)
        .filter(|e| e.file_type().is_ok_and(|t| t.is_dir()))
        .filter_map(|e| e.file_name().into_string().ok())
        .filter(|name| !name.starts_with('.'))
        .collect();
    names.sort();
    names
}

fn parse(path: &Path, raw: &str, folder: String) -> (Option<Collection>, Vec<Problem>) {
    let mut walk = Walk::new(path, raw);
    let table = match DeTable::parse(raw) {
        Ok(root) => walk.table(root.get_ref(), COLLECTION, FILE),
        Err(e) => return (None, vec![Problem::syntax(path, raw, &e)]),
    };
    let id = match text(&table, "id").map(|id| id.parse()) {
        Some(Ok(id)) => id,
        bad => {
            let byte = table.get("id").map_or(0, |e| e.byte);
            let what = match bad {
                None => "A collection needs an id: 1 to 64 of a-z, 0-9 and -.",
                Some(_) => "An id is 1 to 64 of a-z, 0-9 and -.",
            };
            walk.wrong(byte, what.to_owned());
            return (None, walk.problems);
        }
    };
    let title = text(&table, "title").map(|t| one_line(&t));
    let title = title.filter(|t| !t.is_empty());
    let allow = texts(&table, "allow");
    if let Some(odd) = allow.iter().find(|a| *a != "web") {
        let byte = table.get("allow").map_or(0, |e| e.byte);
        walk.wrong(byte, format!("allow knows \"web\", not {odd:?}."));
    }
    let mut collection = Collection::plain(id, "", &folder);
    collection.title = title.unwrap_or(folder);
    collection.agent = text(&table, "agent");
    collection.model = text(&table, "model");
    collection.allow = allow.into_iter().filter(|a| a == "web").collect();
    collection.archived = flag(&table, "archived").unwrap_or(false);
    (Some(collection), walk.problems)
}

/// Makes a collection of that title. A folder of its name that is no collection yet becomes this one.
pub fn create(workspace: &Workspace, title: &str) -> Result<Collection, ConfigError> {
    let title = one_line(title);
    if title.is_empty() {
        return Err(ConfigError::NoTitle);
    }
    let drawer = Drawer::of(workspace);
    drawer.is_free(&title)?;
    let stem = slug(&title, NAME_MAX);
    let plain = ascii(&stem);
    let id = numbered(&plain, |name| {
        name.parse().is_ok_and(|id| drawer.get(&id).is_none())
    });
    let root = workspace.root();
    let folder = numbered(&stem, |name| {
        let dir = root.join(name);
        let free = match dir.symlink_metadata() {
            Ok(there) => there.is_dir() && !dir.join(FILE).exists(),
            Err(_) => true,
        };
        free && name != "inbox"
    });
    let Ok(id) = id.parse::<CollectionId>() else {
        return Err(ConfigError::NoTitle);
    };
    write_new(&root.join(&folder), &id, &title)?;
    Ok(Collection::plain(id, &title, &folder))
}

fn write_new(dir: &Path, id: &CollectionId, title: &str) -> Result<(), ConfigError> {
    let path = dir.join(FILE);
    let title = toml::Value::String(title.to_owned());
    let text = format!("id = \"{id}\"\ntitle = {title}\n");
    std::fs::create_dir_all(dir)
        .and_then(|()| replace(&path, &text))
        .map_err(|source| ConfigError::Write { path, source })
}

/// Takes a collection out of the drawer or puts it back, by one line of its file; the rest stays as it is.
pub fn archive(
    workspace: &Workspace,
    collection: &Collection,
    out: bool,
) -> Result<(), ConfigError> {
    let dir = workspace.root().join(&collection.folder);
    let path = dir.join(FILE);
    let failed = |path: PathBuf| |source| ConfigError::Write { path, source };
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        // Only the inbox has no file before it needs one.
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
            write_new(&dir, &collection.id, &collection.title)?;
            std::fs::read_to_string(&path).map_err(failed(path.clone()))?
        }
        Err(source) => return Err(ConfigError::Read { path, source }),
    };
    let text = with_archived(&path, &text, out)?;
    replace(&path, &text).map_err(failed(path.clone()))
}

fn with_archived(path: &Path, text: &str, out: bool) -> Result<String, ConfigError> {
    let root =
        DeTable::parse(text).map_err(|e| ConfigError::Broken(Problem::syntax(path, text, &e)))?;
    let span = root
        .get_ref()
        .get("archived")
        .filter(|v| matches!(v.get_ref(), DeValue::Boolean(_)))
        .map(toml::Spanned::span);
    let mut new = text.to_owned();
    match span {
        Some(span) => new.replace_range(span, if out { "true" } else { "false" }),
        None => new.insert_str(0, &format!("archived = {out}\n")),
    }
    Ok(new)
}

/// Replaces a file in one step, so that a crash leaves the old one or the new one.
fn replace(path: &Path, text: &str) -> std::io::Result<()> {
    use std::io::Write as _;
    let dir = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(dir)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_data()?;
    file.persist(path)?;
    std::fs::File::open(dir)?.sync_all()
}

/// The first free name: the stem itself, else with a number behind it.
fn numbered(stem: &str, free: impl Fn(&str) -> bool) -> String {
    let numbers = (2u32..).map(|n| format!("{stem}-{n}"));
    std::iter::once(stem.to_owned())
        .chain(numbers)
        .find(|name| free(name))
        .unwrap_or_default()
}

/// The part of a name that an id can hold.
fn ascii(name: &str) -> String {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let kept: String = name.chars().filter(|c| plain(*c)).collect();
    slug(&kept, NAME_MAX)
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

    fn workspace(files: &[(&str, &str)]) -> (tempfile::TempDir, Workspace) {
        let dir = tempfile::tempdir().unwrap();
        for (folder, text) in files {
            std::fs::create_dir_all(dir.path().join(folder)).unwrap();
            std::fs::write(dir.path().join(folder).join(FILE), text).unwrap();
        }
        let workspace = Workspace::at(dir.path());
        (dir, workspace)
    }

    fn ids(drawer: &Drawer) -> Vec<&str> {
        drawer.collections.iter().map(|c| c.id.as_str()).collect()
    }

    #[test]
    fn any_folder_with_the_file_is_a_collection_whatever_its_name() {
        let (_dir, workspace) = workspace(&[
            (
                "b 📚",
                "id = \"essays\"\ntitle = \"Essays\"\nagent = \"local\"\nallow = [\"web\"]",
            ),
            ("a", "id = \"fiction\""),
            (".hidden", "id = \"hidden\""),
        ]);
        let drawer = Drawer::of(&workspace);
        assert_eq!(ids(&drawer), ["fiction", "essays", "inbox"]);
        assert_eq!(drawer.collections[0].title, "a");
        let essays = drawer.named("ESSAYS").unwrap();
        assert_eq!(
            (essays.folder.as_str(), essays.agent.as_deref()),
            ("b 📚", Some("local"))
        );
        assert_eq!(essays.allow, ["web"]);
        assert!(drawer.problems.is_empty());
    }

    #[test]
    fn a_broken_file_hides_no_other_collection_and_is_named() {
        let (_dir, workspace) = workspace(&[
            ("a", "id = \"a\"\ntilte = \"A\""),
            ("b", "title = \"no id\""),
            ("c", "= ="),
            ("d", "id = \"a\""),
            ("e", "id = \"../up\""),
            ("f", "id = \"f\"\nallow = [\"shell\"]"),
        ]);
        let drawer = Drawer::of(&workspace);
        assert_eq!(ids(&drawer), ["a", "f", "inbox"]);
        let said: Vec<&str> = drawer.problems.iter().map(|p| p.what.as_str()).collect();
        assert!(said[0].contains("Did you mean \"title\"?"), "{said:?}");
        assert!(said[1].contains("needs an id"), "{said:?}");
        assert!(said[3].contains("same id"), "{said:?}");
        assert!(said[4].contains("An id is"), "{said:?}");
        assert!(said[5].contains("not \"shell\""), "{said:?}");
        assert!(drawer.collections[1].allow.is_empty());
    }

    #[test]
    fn odd_titles_make_plain_folders_and_ids_and_come_back_as_they_were() {
        let (_dir, workspace) = workspace(&[]);
        let long = "é".repeat(300);
        for (title, folder, id) in [
            ("Product notes", "product-notes", "product-notes"),
            ("Product: notes", "product-notes-2", "product-notes-2"),
            ("two\nlines\u{1b}[31m", "two-lines-31m", "two-lines-31m"),
            ("🦀🦀", "untitled", "untitled"),
            ("Übung", "übung", "bung"),
            (long.as_str(), &"é".repeat(30), "untitled-2"),
            ("../../etc", "etc", "etc"),
            ("In-box", "in-box", "in-box"),
            ("Inbox!", "inbox-2", "inbox-2"),
        ] {
            let made = create(&workspace, title).unwrap();
            assert_eq!((made.folder.as_str(), made.id.as_str()), (folder, id));
            let drawer = Drawer::of(&workspace);
            assert_eq!(drawer.get(&made.id).unwrap(), &made);
        }
        assert!(create(&workspace, " \n ").is_err());
    }

    #[test]
    fn a_second_collection_of_one_title_is_refused_with_the_place_of_the_first() {
        let (_dir, workspace) = workspace(&[]);
        let first = create(&workspace, "Essays on Water").unwrap();
        let why = |title| create(&workspace, title).unwrap_err().to_string();
        let said = why("essays  on water");
        assert_eq!(
            said,
            "There is a collection \"Essays on Water\" already, in the folder \"essays-on-water\"."
        );
        archive(&workspace, &first, true).unwrap();
        assert!(why("Essays on Water").ends_with("`fascicle collection restore` brings it back."));
        assert!(why("Inbox").contains("\"Inbox\" already"));
        assert_eq!(Drawer::of(&workspace).collections.len(), 2);
    }

    #[test]
    fn a_folder_that_is_there_becomes_the_collection_of_its_name() {
        let (dir, workspace) = workspace(&[]);
        std::fs::create_dir(dir.path().join("essays")).unwrap();
        std::fs::write(dir.path().join("essays/old.md"), "old").unwrap();
        assert_eq!(create(&workspace, "Essays").unwrap().folder, "essays");
        assert!(dir.path().join("essays/old.md").exists());
    }

    #[test]
    fn archiving_changes_one_line_and_keeps_the_rest() {
        let text = "# mine\nid = \"a\" # id\n[later]\nx = 1\n";
        let (dir, workspace) = workspace(&[("a", text)]);
        let file = dir.path().join("a").join(FILE);
        for (out, begin) in [(true, "archived = true\n"), (false, "archived = false\n")] {
            let drawer = Drawer::of(&workspace);
            archive(&workspace, &drawer.collections[0], out).unwrap();
            assert_eq!(
                std::fs::read_to_string(&file).unwrap(),
                format!("{begin}{text}")
            );
            assert_eq!(Drawer::of(&workspace).collections[0].archived, out);
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_linked_folder_is_left_alone() {
        let (_other, elsewhere) = workspace(&[("a", "id = \"a\"")]);
        let (dir, workspace) = workspace(&[]);
        std::os::unix::fs::symlink(elsewhere.root().join("a"), dir.path().join("a")).unwrap();
        assert_eq!(ids(&Drawer::of(&workspace)), ["inbox"]);
        assert_eq!(create(&workspace, "A").unwrap().folder, "a-2");
    }
}
