//! A session's folder: made beside its collection's other ones, found again by its `.session` file.

use std::io;
use std::path::{Path, PathBuf};

use crate::domain::{CollectionId, SessionId};

/// Name of the file that holds the id of the session a folder belongs to.
pub const MARK: &str = ".session";
/// How the name of a folder begins that stands aside while the other one gets its name.
const ASIDE: &str = ".swap-";
/// How many levels below two are looked at for a folder that is nowhere, and how many folders about.
const DEEPEST: usize = 4;
const MOST: usize = 10_000;
/// How many folders of one name are tried before giving up.
const TRIES: u32 = 10_000;

/// Makes a folder for a session below `workspace/collection` and returns its path relative to the
/// workspace. `slug` is the name wanted; one that is taken gets a number behind it. The collection's folder must be there.
pub fn make(workspace: &Path, collection: &str, slug: &str, id: SessionId) -> io::Result<String> {
    make_with(workspace, collection, slug, &|path| mark(path, id))
}

/// The same; `mark` says whose it is. A folder that cannot be marked is removed again.
fn make_with(
    workspace: &Path,
    collection: &str,
    slug: &str,
    mark: &dyn Fn(&Path) -> io::Result<()>,
) -> io::Result<String> {
    stands(workspace, collection)?;
    let parent = workspace.join(collection);
    for n in 1..=TRIES {
        let name = if n == 1 {
            slug.to_owned()
        } else {
            format!("{slug}-{n}")
        };
        match std::fs::create_dir(parent.join(&name)) {
            Ok(()) => {
                let path = parent.join(&name);
                if let Err(e) = mark(&path) {
                    // What of it is on disk is of no use. What does not go is an empty folder, and harmless.
                    drop(std::fs::remove_file(path.join(MARK)));
                    drop(std::fs::remove_dir(&path));
                    return Err(e);
                }
                return Ok(format!("{collection}/{name}"));
            }
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            Err(e) => return Err(e),
        }
    }
    Err(io::Error::new(
        io::ErrorKind::AlreadyExists,
        "no free folder name",
    ))
}

/// Sees to it that the folder is there in which a session's own is to be. Only the inbox is made for that: any other is a
/// collection, and without its file and its memory half of one would stand where it was.
fn stands(workspace: &Path, collection: &str) -> io::Result<()> {
    let path = workspace.join(collection);
    if path.is_dir() {
        return Ok(());
    }
    if collection == CollectionId::inbox().as_str() {
        return there(&path);
    }
    let why = format!("there is no folder {collection} here");
    Err(io::Error::new(io::ErrorKind::NotFound, why))
}

/// Makes a folder, unless it is there.
fn there(path: &Path) -> io::Result<()> {
    match std::fs::create_dir(path) {
        Err(e) if e.kind() != io::ErrorKind::AlreadyExists => Err(e),
        _ => Ok(()),
    }
}

/// Makes a session's folder anew where it was, and gives where it is now: under another name where that one is
/// somebody else's. A folder without an owner is taken as it is: its mark was lost. Nothing is made where its
/// collection's folder is gone.
pub fn remake(workspace: &Path, folder: &str, id: SessionId) -> io::Result<String> {
    if let Some((collection, _)) = folder.rsplit_once('/') {
        stands(workspace, collection)?;
    }
    let path = workspace.join(folder);
    let own = match std::fs::symlink_metadata(&path) {
        Ok(there) => there.is_dir() && owner(&path).is_none_or(|of| of == id),
        Err(e) => e.kind() == io::ErrorKind::NotFound,
    };
    let at = if own {
        folder.to_owned()
    } else {
        free(workspace, folder)
    };
    let path = workspace.join(&at);
    there(&path)?;
    mark(&path, id)?;
    Ok(at)
}

/// A name like this one that nothing has: itself, else with a number behind it.
pub fn free(workspace: &Path, folder: &str) -> String {
    let is_free = |at: &String| std::fs::symlink_metadata(workspace.join(at)).is_err();
    let numbered = (2..=TRIES).map(|n| format!("{folder}-{n}"));
    let mut all = std::iter::once(folder.to_owned()).chain(numbered);
    all.find(is_free).unwrap_or_else(|| folder.to_owned())
}

/// Whether this folder belongs to the session.
pub fn is_of(path: &Path, id: SessionId) -> bool {
    owner(path) == Some(id)
}

/// The session a folder belongs to.
pub fn owner(path: &Path) -> Option<SessionId> {
    std::fs::read_to_string(path.join(MARK))
        .ok()?
        .trim()
        .parse()
        .ok()
}

/// Every folder below the workspace, two levels deep, that says whose it is.
pub fn marked(workspace: &Path) -> Vec<(String, SessionId)> {
    let tops = children(workspace);
    let inner: Vec<PathBuf> = tops.iter().flat_map(|p| children(p)).collect();
    let all = tops.iter().chain(&inner);
    all.filter_map(|path| Some((relative(workspace, path)?, owner(path)?)))
        .collect()
}

/// Looks for a session's folder below the workspace, two levels deep, and returns its path relative
/// to the workspace. Hidden folders are passed over.
pub fn find(workspace: &Path, id: SessionId) -> Option<String> {
    let inner = || children(workspace).iter().find_map(|top| of_in(top, id));
    let found = of_in(workspace, id).or_else(inner)?;
    relative(workspace, &found)
}

/// Where a session's folder lies that [`find`] does not find, since its collection lies deeper than in the workspace itself;
/// with what to do, as the end of a sentence about the folder.
pub fn too_deep(workspace: &Path, id: SessionId) -> Option<String> {
    let mut level: Vec<PathBuf> = children(workspace)
        .iter()
        .flat_map(|p| children(p))
        .collect();
    let mut looked = 0;
    for _ in 0..DEEPEST {
        if let Some(found) = level.iter().find_map(|dir| of_in(dir, id)) {
            let at = relative(workspace, &found)?;
            let (collection, _) = at.rsplit_once('/')?;
            return Some(format!(
                "lies at {at}, too deep to be used: a collection lies in the workspace itself. Move {collection} there"
            ));
        }
        looked += level.len();
        if looked > MOST {
            return None;
        }
        level = level.iter().flat_map(|dir| children(dir)).collect();
    }
    None
}

/// The folder of a session in a folder of folders.
pub fn of_in(dir: &Path, id: SessionId) -> Option<PathBuf> {
    children(dir).into_iter().find(|path| is_of(path, id))
}

fn relative(workspace: &Path, path: &Path) -> Option<String> {
    let path = path.strip_prefix(workspace).ok()?;
    path.to_str().map(str::to_owned)
}

/// Where a session's folder is, relative to the workspace: where its log has it, if that is its own and not that of
/// another session that got the name since; else wherever its mark is found, also aside in the middle of an exchange of
/// names; else where the log has it, if nobody is said to own what is there. None where there is none.
pub fn whereabouts(workspace: &Path, id: SessionId, logged: &str) -> Option<String> {
    let there = workspace.join(logged);
    if is_of(&there, id) {
        return Some(logged.to_owned());
    }
    let stands_aside = || {
        children(workspace)
            .into_iter()
            .map(|top| aside(&top, id))
            .find(|path| is_of(path, id))
    };
    find(workspace, id)
        .or_else(|| relative(workspace, &stands_aside()?))
        .or_else(|| is_nobodys(&there, logged).then(|| logged.to_owned()))
}

/// Where the folder of a session stands aside, in a folder of folders, while two exchange their names.
pub(super) fn aside(dir: &Path, id: SessionId) -> PathBuf {
    dir.join(format!("{ASIDE}{id}"))
}

/// Whether it is a folder whose mark was lost.
fn is_nobodys(path: &Path, logged: &str) -> bool {
    !logged.is_empty() && path.is_dir() && owner(path).is_none()
}

/// Folders in a folder; hidden ones and links are passed over.
pub(super) fn children(path: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(path) else {
        return Vec::new();
    };
    entries
        .flatten()
        .filter(|e| e.file_type().is_ok_and(|t| t.is_dir()))
        .filter(|e| !e.file_name().to_string_lossy().starts_with('.'))
        .map(|e| e.path())
        .collect()
}

fn mark(path: &Path, id: SessionId) -> io::Result<()> {
    std::fs::write(path.join(MARK), format!("{id}\n"))?;
    std::fs::File::open(path)?.sync_all()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    fn id(n: u128) -> SessionId {
        SessionId::new(uuid::Uuid::from_u128(n))
    }

    /// A workspace with a collection.
    fn workspace() -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("essays")).unwrap();
        dir
    }

    #[test]
    fn two_sessions_of_one_title_get_two_folders() {
        let dir = workspace();
        let one = make(dir.path(), "essays", "tools", id(1)).unwrap();
        let two = make(dir.path(), "essays", "tools", id(2)).unwrap();
        assert_eq!(
            (one.as_str(), two.as_str()),
            ("essays/tools", "essays/tools-2")
        );
    }

    #[test]
    fn a_folder_that_a_full_disk_does_not_let_be_marked_is_removed_again() {
        let dir = workspace();
        let full = |path: &Path| {
            std::fs::write(path.join(MARK), "")?;
            Err(io::Error::from(io::ErrorKind::StorageFull))
        };
        let made = make_with(dir.path(), "essays", "tools~first", &full);
        assert_eq!(made.unwrap_err().kind(), io::ErrorKind::StorageFull);
        let left = std::fs::read_dir(dir.path().join("essays")).unwrap();
        assert_eq!(left.count(), 0);
    }

    #[test]
    fn a_folder_made_anew_takes_no_other_sessions_place() {
        let dir = workspace();
        let at = make(dir.path(), "essays", "tools", id(1)).unwrap();
        assert_eq!(remake(dir.path(), &at, id(1)).unwrap(), at);
        assert_eq!(remake(dir.path(), &at, id(2)).unwrap(), "essays/tools-2");
        assert_eq!(owner(&dir.path().join(&at)), Some(id(1)));
        std::fs::remove_file(dir.path().join(&at).join(MARK)).unwrap();
        assert_eq!(remake(dir.path(), &at, id(1)).unwrap(), at);
    }

    #[test]
    fn where_the_folder_of_a_collection_is_gone_no_half_of_one_is_made_and_the_inbox_is() {
        let dir = tempfile::tempdir().unwrap();
        let gone = |made: io::Result<String>| made.unwrap_err().to_string();
        assert!(gone(remake(dir.path(), "essays/tools", id(1))).contains("no folder essays"));
        assert!(gone(make(dir.path(), "essays", "tools", id(1))).contains("no folder essays"));
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
        let made = remake(dir.path(), "inbox/tools", id(1)).unwrap();
        assert_eq!(owner(&dir.path().join(made)), Some(id(1)));
        std::fs::remove_dir_all(dir.path().join("inbox")).unwrap();
        assert!(make(dir.path(), "inbox", "tools", id(1)).is_ok());
    }

    #[test]
    fn a_folder_that_got_another_sessions_name_is_told_by_its_mark_wherever_an_exchange_broke_off()
    {
        let dir = workspace();
        let root = dir.path();
        let one = make(root, "essays", "piece", id(1)).unwrap();
        let other = make(root, "essays", "piece~first", id(2)).unwrap();
        let at = |n, logged: &str| whereabouts(root, id(n), logged);
        assert_eq!(at(1, &one).as_deref(), Some("essays/piece"));
        let aside = format!("essays/.swap-{}", id(2));
        std::fs::rename(root.join(&other), root.join(&aside)).unwrap();
        assert_eq!(at(2, &other).as_deref(), Some(aside.as_str()));
        std::fs::rename(root.join(&one), root.join(&other)).unwrap();
        assert_eq!(at(1, &one).as_deref(), Some("essays/piece~first"));
        assert_eq!(at(2, &other).as_deref(), Some(aside.as_str()));
        std::fs::rename(root.join(&aside), root.join(&one)).unwrap();
        assert_eq!(at(1, &one).as_deref(), Some("essays/piece~first"));
        assert_eq!(at(2, &other).as_deref(), Some("essays/piece"));
        assert_eq!(at(3, &one), None);
        std::fs::remove_file(root.join(&one).join(MARK)).unwrap();
        assert_eq!(at(2, "essays/piece").as_deref(), Some("essays/piece"));
    }

    #[test]
    fn a_folder_whose_collection_lies_too_deep_is_named_with_what_to_do() {
        let dir = workspace();
        let at = make(dir.path(), "essays", "tools", id(1)).unwrap();
        assert_eq!(
            too_deep(dir.path(), id(1)),
            None,
            "it is in its place: {at}"
        );
        std::fs::create_dir(dir.path().join("archive")).unwrap();
        std::fs::rename(dir.path().join("essays"), dir.path().join("archive/essays")).unwrap();
        assert_eq!(find(dir.path(), id(1)), None);
        let said = too_deep(dir.path(), id(1)).unwrap();
        assert!(
            said.starts_with("lies at archive/essays/tools")
                && said.ends_with("Move archive/essays there"),
            "{said}"
        );
        assert_eq!(too_deep(dir.path(), id(2)), None);
    }

    #[test]
    fn a_renamed_and_moved_folder_is_found_by_its_mark() {
        let dir = workspace();
        let at = make(dir.path(), "essays", "tools", id(1)).unwrap();
        std::fs::create_dir(dir.path().join("letters")).unwrap();
        std::fs::rename(dir.path().join(at), dir.path().join("letters/other")).unwrap();
        assert_eq!(find(dir.path(), id(1)).as_deref(), Some("letters/other"));
        assert_eq!(find(dir.path(), id(2)), None);
    }
}
