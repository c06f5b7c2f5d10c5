//! Where the program keeps its records, and whether one is in step with our history.

use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{CONFIG_DIR, salvage};
use crate::agents::error::AgentError;
use crate::agents::vars::Vars;
use crate::domain::message::{History, Message};

/// Longest folder name of a key; a longer one is cut and gets a hash of the program's own.
const KEY_MAX: usize = 200;

/// The program's folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Home(PathBuf);

impl Home {
    /// As the child would find it; none without a home folder.
    pub(super) fn of(vars: &Vars) -> Option<Self> {
        if let Some(dir) = vars.get(CONFIG_DIR).filter(|d| !d.is_empty()) {
            return Some(Self(dir.into()));
        }
        Some(Self(Path::new(vars.get("HOME")?).join(".claude")))
    }

    /// A folder of that kind.
    pub(super) fn at(folder: &Path) -> Self {
        Self(folder.to_owned())
    }

    /// Where all its records lie, each in the folder of its key.
    pub(super) fn records(&self) -> PathBuf {
        self.0.join("projects")
    }

    /// The record of a session whose working folder is that one.
    pub(super) fn record(&self, folder: &Path, id: &str) -> PathBuf {
        self.folder_of(folder).join(format!("{id}.jsonl"))
    }

    fn folder_of(&self, folder: &Path) -> PathBuf {
        let projects = self.records();
        let key = key(&real(folder));
        if key.len() <= KEY_MAX {
            return projects.join(key);
        }
        let cut: String = key.chars().take(KEY_MAX).collect();
        // The hash is the program's affair: its folder is found by the readable part, and where there is
        // none yet, any name does, since the program looks for an id in all of its folders.
        let start = format!("{cut}-");
        let entries = std::fs::read_dir(&projects).into_iter().flatten().flatten();
        let mut names = entries.filter_map(|e| e.file_name().into_string().ok());
        let found = names.find(|name| name.starts_with(&start));
        projects.join(found.unwrap_or_else(|| format!("{start}fascicle")))
    }

    /// Puts a whole record in place: private, synced, never over another.
    ///
    /// # Errors
    /// With the path, when it cannot be written.
    pub(super) fn put(&self, folder: &Path, id: &str, text: &str) -> Result<(), AgentError> {
        let path = self.record(folder, id);
        put(&path, text).map_err(|source| AgentError::File { path, source })
    }
}

fn put(path: &Path, text: &str) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true).mode(0o700).create(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    std::io::Write::write_all(&mut file, text.as_bytes())?;
    file.as_file()
        .set_permissions(std::fs::Permissions::from_mode(0o600))?;
    file.as_file().sync_all()?;
    file.persist_noclobber(path)?;
    Ok(())
}

/// A folder with its links resolved, as the program names it.
pub(super) fn real(folder: &Path) -> PathBuf {
    folder.canonicalize().unwrap_or_else(|_| folder.to_owned())
}

/// The program's name for a folder: all but ASCII letters and digits is `-`, one for each UTF-16 unit.
pub(super) fn key(folder: &Path) -> String {
    let mut out = String::new();
    for c in folder.to_string_lossy().chars() {
        if c.is_ascii_alphanumeric() {
            out.push(c);
        } else {
            out.extend(std::iter::repeat_n('-', c.len_utf16()));
        }
    }
    out
}

/// Whether a record ends with the newest prompt of the history and an answer to it, so that nothing
/// we know is unknown to the program.
pub(super) fn in_step(record: &Path, history: &History) -> bool {
    let newest = history.iter().rev().find_map(|m| match m {
        Message::User(text) => Some(text.as_str()),
        Message::Agent(_) => None,
    });
    let (Some(newest), Ok(bytes)) = (newest, std::fs::read(record)) else {
        return false;
    };
    let after = salvage::after_prompt(&bytes, newest);
    after.is_some_and(|entries| entries.iter().any(is_answer))
}

fn is_answer(entry: &Value) -> bool {
    entry["type"] == "assistant" && entry["message"]["model"] != "<synthetic>"
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    #[test]
    fn a_key_is_lossy_as_the_programs_own() {
        assert_eq!(key(Path::new("/home/writer/essays")), "-home-writer-essays");
        assert_eq!(key(Path::new("/a/b-c.d_é")), "-a-b-c-d--");
        assert_eq!(key(Path::new("/🚀")), "---");
    }

    #[test]
    fn the_configured_folder_wins_over_the_home_folder() {
        let vars = Vars::default().with("HOME", "/h");
        assert_eq!(Home::of(&vars), Some(Home("/h/.claude".into())));
        let vars = vars.with(CONFIG_DIR, "/c");
        assert_eq!(Home::of(&vars), Some(Home("/c".into())));
    }

    #[test]
    fn a_record_is_private_and_never_written_over() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home(dir.path().join("c"));
        home.put(dir.path(), "id", "{}\n").unwrap();
        let path = home.record(dir.path(), "id");
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        home.put(dir.path(), "id", "other").unwrap_err();
        assert_eq!(std::fs::read_to_string(path).unwrap(), "{}\n");
    }

    #[test]
    fn a_long_folder_is_found_by_the_readable_part_of_its_key() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home(dir.path().to_owned());
        let folder = PathBuf::from(format!("/{}", "x".repeat(300)));
        let theirs = format!("-{}-abc", "x".repeat(199));
        std::fs::create_dir_all(dir.path().join("projects").join(&theirs)).unwrap();
        let record = home.record(&folder, "id");
        assert!(record.ends_with(format!("{theirs}/id.jsonl")), "{record:?}");
    }

    #[test]
    fn a_record_without_the_newest_prompt_is_not_in_step() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("r.jsonl");
        let entry = |kind: &str, text: &str| {
            format!(
                r#"{{"type":"{kind}","message":{{"content":[{{"type":"text","text":"{text}"}}]}}}}"#
            )
        };
        let text = format!(
            "{}\n{}\n",
            entry("user", "One."),
            entry("assistant", "Yes.")
        );
        std::fs::write(&path, text).unwrap();
        let history = |prompt: &str| vec![Message::User(prompt.into()), Message::Agent(vec![])];
        assert!(in_step(&path, &history("One.")));
        assert!(!in_step(&path, &history("Two.")));
        assert!(!in_step(&path, &Vec::new()));
        assert!(!in_step(&dir.path().join("none"), &history("One.")));
    }
}
