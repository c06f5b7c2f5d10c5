//! Folders of sessions that never came to be: made and marked, and then nothing.

use std::io;
use std::path::Path;
use std::time::SystemTime;

use super::file;
use super::folder::{MARK, children, owner};
use crate::domain::SessionId;

/// Removes the folder of a session when nothing but its mark lies in it.
///
/// # Errors
/// When it cannot be removed.
pub fn remove(path: &Path, id: SessionId) -> io::Result<()> {
    if owner(path) == Some(id) {
        clear(path)?;
    }
    Ok(())
}

/// Removes a folder in which nothing lies but a mark and what a draft was to become, or not even that. The mark goes last.
fn clear(path: &Path) -> io::Result<()> {
    if !holds_nothing(path)? {
        return Ok(());
    }
    for entry in std::fs::read_dir(path)? {
        let name = entry?.file_name();
        if file::is_staged(&name.to_string_lossy()) {
            std::fs::remove_file(path.join(name))?;
        }
    }
    match std::fs::remove_file(path.join(MARK)) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(e),
        _ => std::fs::remove_dir(path),
    }
}

/// Whether a folder is one that the next host removes, if its session is not known: that of a variant, with `part` in its
/// name, in which nothing lies.
pub fn is_left(path: &Path, part: char) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.contains(part) && holds_nothing(path).unwrap_or(false)
}

/// Whether a folder has the name of a variant of the session whose folder lies beside it: one that was made and not
/// marked yet when its host died. Other folders are the writer's, empty or not.
fn is_beside_its_piece(path: &Path, part: char) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    let piece = name.and_then(|name| name.split(part).next());
    piece.is_some_and(|piece| owner(&path.with_file_name(piece)).is_some())
}

/// Removes such folders, two levels below the workspace, with `part` in their names: those that are older than `before`
/// and whose session is not known. What cannot be looked at, or removed, stays.
pub fn sweep(
    workspace: &Path,
    part: char,
    before: SystemTime,
    is_known: impl Fn(SessionId) -> bool,
) {
    let shelves = children(workspace).into_iter();
    for path in shelves.flat_map(|shelf| children(&shelf)) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let made = std::fs::symlink_metadata(&path).and_then(|m| m.modified());
        if !name.contains(part) || !made.is_ok_and(|at| at < before) {
            continue;
        }
        // What cannot be removed is harmless where it stays.
        match owner(&path) {
            Some(id) if !is_known(id) => drop(remove(&path, id)),
            None if is_beside_its_piece(&path, part) => drop(clear(&path)),
            _ => {}
        }
    }
}

fn holds_nothing(path: &Path) -> io::Result<bool> {
    for entry in std::fs::read_dir(path)? {
        let name = entry?.file_name();
        if name != MARK && !file::is_staged(&name.to_string_lossy()) {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;
    use crate::drafts::folder;
    use std::time::Duration;

    fn id(n: u128) -> SessionId {
        SessionId::new(uuid::Uuid::from_u128(n))
    }

    #[test]
    fn a_marked_folder_without_a_session_is_removed_and_anything_else_stays() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("essays")).unwrap();
        let make = |name: &str, n| folder::make(dir.path(), "essays", name, id(n)).unwrap();
        let [gone, known, written, plain] =
            [("a~b", 1), ("a~c", 2), ("a~d", 3), ("a", 4)].map(|(name, n)| make(name, n));
        std::fs::write(dir.path().join(&written).join("draft.md"), "Words.").unwrap();
        std::fs::write(dir.path().join(&gone).join(".draft-a1B2"), "Wor").unwrap();
        let left = [&gone, &written, &plain].map(|at| is_left(&dir.path().join(at), '~'));
        assert_eq!(left, [true, false, false]);
        let bare = ["a~e", "other~f"].map(|name| dir.path().join("essays").join(name));
        for path in &bare {
            std::fs::create_dir(path).unwrap();
        }
        let now = SystemTime::now();
        sweep(dir.path(), '~', now - Duration::from_secs(60), |_| false);
        assert!(dir.path().join(&gone).is_dir(), "it is being made");
        sweep(dir.path(), '~', now + Duration::from_secs(60), |n| {
            n == id(2)
        });
        assert!(!dir.path().join(&gone).exists());
        let [unmarked, own] = bare.map(|path| path.exists());
        assert!(
            !unmarked && own,
            "an empty folder of the writer's own stays"
        );
        for folder in [known, written, plain] {
            assert!(dir.path().join(&folder).is_dir(), "{folder}");
        }
    }
}
