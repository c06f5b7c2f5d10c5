//! The Markdown files of a folder, as the writer's own: looked for, read and never changed.

use std::fs::OpenOptions;
use std::io::{self, Read as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use rustix::fs::OFlags;

use crate::config::collection::{is_beside, is_markdown};
use crate::drafts::folder::MARK;
use crate::text::one_line;

/// How many files one folder may give.
pub(super) const MOST: usize = 10_000;
/// How deep folders in it are looked into.
const DEEP: usize = 8;
/// A larger file is no piece of writing.
const LARGEST: u64 = 16 * 1024 * 1024;
/// What a folder holds.
#[derive(Debug, Default)]
pub(super) struct Files {
    /// Relative to the folder, with `/`, in the order a reader would give them.
    pub(super) names: Vec<String>,
    /// What was left out, and why.
    pub(super) skipped: Vec<String>,
}

/// Which files are looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// Those in the folder itself.
    Top,
    /// Those in the folders below it as well.
    Below,
}

/// Looks for files; folders of sessions, hidden ones and links are left out.
pub(super) fn of(dir: &Path, reach: Reach) -> io::Result<Files> {
    let mut files = Files::default();
    let deep = (reach == Reach::Below).then_some(DEEP);
    walk(dir, "", deep, &mut files)?;
    files.names.sort_by_key(|name| natural(name));
    if files.names.len() > MOST {
        let over = files.names.len() - MOST;
        files.names.truncate(MOST);
        let said = format!("{over} more files: {MOST} are taken at once.");
        files.skipped.push(said);
    }
    Ok(files)
}

/// `deep`: how deep folders are looked into; none when they are passed over.
fn walk(dir: &Path, before: &str, deep: Option<usize>, files: &mut Files) -> io::Result<()> {
    for entry in std::fs::read_dir(dir)? {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else {
            let shown = entry.file_name().to_string_lossy().into_owned();
            files
                .skipped
                .push(format!("{before}{shown}: its name is not UTF-8."));
            continue;
        };
        if name.starts_with('.') {
            continue;
        }
        let (kind, at) = (entry.file_type()?, format!("{before}{name}"));
        if kind.is_dir() {
            if let Some(deep) = deep {
                into(&entry.path(), &at, deep, files);
            }
        } else if is_beside(&name) {
            let said = format!("{at}: it stays what it is, and is no piece.");
            files.skipped.push(said);
        } else if is_markdown(&name) && kind.is_symlink() {
            files.skipped.push(format!("{at}: it is a link."));
        } else if is_markdown(&name) && kind.is_file() {
            files.names.push(at);
        } else if is_markdown(&name) {
            files.skipped.push(format!("{at}: it is no plain file."));
        }
    }
    Ok(())
}

fn into(dir: &Path, at: &str, deep: usize, files: &mut Files) {
    if dir.join(MARK).exists() {
        return;
    }
    if deep == 0 {
        files.skipped.push(format!("{at}: it lies too deep."));
    } else if let Err(e) = walk(dir, &format!("{at}/"), Some(deep - 1), files) {
        files.skipped.push(format!("{at}: {e}."));
    }
}

/// A name as it is sorted: numbers by their worth, so that 10 comes behind 9.
fn natural(name: &str) -> Vec<(u64, String)> {
    let mut parts = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let digits = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        let (number, after) = rest.split_at(digits);
        let letters = after
            .find(|c: char| c.is_ascii_digit())
            .unwrap_or(after.len());
        let (word, next) = after.split_at(letters);
        parts.push((number.parse().unwrap_or(u64::MAX), word.to_lowercase()));
        rest = next;
    }
    parts
}

/// The text of a file, without a mark of byte order. The error says why it is none.
pub(super) fn read(path: &Path) -> Result<String, String> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let opened = OpenOptions::new()
        .read(true)
        .custom_flags(flags.bits().cast_signed())
        .open(path);
    let file = opened.map_err(|e| format!("it could not be opened ({e})"))?;
    let about = file.metadata().map_err(|e| e.to_string())?;
    if !about.is_file() {
        return Err("it is no plain file".to_owned());
    }
    if about.len() > LARGEST {
        return Err("it is larger than 16 MiB".to_owned());
    }
    let mut bytes = Vec::new();
    file.take(LARGEST)
        .read_to_end(&mut bytes)
        .map_err(|e| format!("it could not be read ({e})"))?;
    let text = String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        format!("it is not UTF-8 from byte {at} on")
    })?;
    match text.strip_prefix('\u{feff}') {
        Some(rest) => Ok(rest.to_owned()),
        None => Ok(text),
    }
}

/// What a file is called: by its front matter, else its first heading, else its name.
pub(super) fn title(name: &str, text: &str) -> String {
    let (matter, body) = front(text);
    let said = matter.and_then(|matter| {
        let mut lines = matter.lines();
        let value = lines.find_map(|l| l.strip_prefix("title:"))?;
        let value = value.trim();
        let quoted = ['"', '\'']
            .iter()
            .find_map(|q| value.strip_prefix(*q)?.strip_suffix(*q));
        Some(quoted.unwrap_or(value).to_owned())
    });
    let first = body.lines().find(|line| !line.trim().is_empty());
    let heading = || first?.strip_prefix("# ").map(str::to_owned);
    let stem = Path::new(name).file_stem().and_then(|s| s.to_str());
    let full = |title: &String| !title.trim().is_empty();
    let title = said.filter(full).or_else(heading).filter(full);
    let title = title.unwrap_or_else(|| stem.unwrap_or(name).to_owned());
    one_line(title.trim_end_matches('#').trim())
}

/// The block between two lines of `---` at the beginning, and what is behind it.
fn front(text: &str) -> (Option<&str>, &str) {
    let Some(rest) = text
        .strip_prefix("---\n")
        .or_else(|| text.strip_prefix("---\r\n"))
    else {
        return (None, text);
    };
    let mut at = 0;
    for line in rest.split_inclusive('\n') {
        if matches!(line.trim_end(), "---" | "...") {
            let (matter, body) = rest.split_at(at);
            return (Some(matter), body.get(line.len()..).unwrap_or_default());
        }
        at += line.len();
    }
    (None, text)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    fn folder(names: &[&str]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for name in names {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, *name).unwrap();
        }
        dir
    }

    #[test]
    fn files_come_in_the_order_of_their_names_and_folders_of_sessions_are_left_out() {
        let dir = folder(&[
            "10 Tools.md",
            "9 Memory.markdown",
            "a/b/C.MD",
            "notes.txt",
            ".hidden.md",
            ".git/x.md",
            "03-session/draft.md",
            "03-session/.session",
        ]);
        std::os::unix::fs::symlink("10 Tools.md", dir.path().join("link.md")).unwrap();
        let files = of(dir.path(), Reach::Below).unwrap();
        assert_eq!(
            files.names,
            ["9 Memory.markdown", "10 Tools.md", "a/b/C.MD"]
        );
        assert_eq!(files.skipped, ["link.md: it is a link."]);
        let files = of(dir.path(), Reach::Top).unwrap();
        assert_eq!(files.names, ["9 Memory.markdown", "10 Tools.md"]);
        assert_eq!(files.skipped, ["link.md: it is a link."]);
    }

    #[test]
    fn what_agents_and_readers_are_told_about_the_pieces_is_no_piece() {
        let beside = [
            "AGENTS.md",
            "CLAUDE.md",
            "MEMORY.md",
            "PROFILE.md",
            "README.md",
            "VOICE.md",
        ];
        let dir = folder(&beside);
        for piece in ["memory of water.md", "a/Voice.markdown"] {
            let path = dir.path().join(piece);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "Words.").unwrap();
        }
        std::fs::write(dir.path().join("a/readme.md"), "About a.").unwrap();
        let mut files = of(dir.path(), Reach::Below).unwrap();
        files.skipped.sort();
        assert_eq!(files.names, ["a/Voice.markdown", "memory of water.md"]);
        assert_eq!(files.skipped.len(), beside.len() + 1);
        assert_eq!(
            files.skipped.first().unwrap(),
            "AGENTS.md: it stays what it is, and is no piece."
        );
    }

    #[test]
    fn a_file_is_read_as_it_is_but_for_the_mark_of_byte_order() {
        let dir = folder(&["a.md"]);
        let path = dir.path().join("a.md");
        std::fs::write(&path, b"\xef\xbb\xbfOne.\r\n\r\nTwo.").unwrap();
        assert_eq!(read(&path).unwrap(), "One.\r\n\r\nTwo.");
        std::fs::write(&path, b"caf\xe9").unwrap();
        assert!(read(&path).unwrap_err().contains("not UTF-8 from byte 3"));
        std::fs::File::create(&path)
            .unwrap()
            .set_len(LARGEST + 1)
            .unwrap();
        assert!(read(&path).unwrap_err().contains("16 MiB"));
        assert!(read(dir.path()).is_err());
    }

    #[test]
    fn a_title_comes_from_the_front_matter_then_the_first_heading_then_the_name() {
        for (text, want) in [
            ("---\ntitle: \"The ferry\"\n---\n# Other\n", "The ferry"),
            (
                "---\r\ntags: a\r\n---\r\n\r\n# The lost hour #\r\n",
                "The lost hour",
            ),
            ("---\ntitle:\n---\nWords.", "03 Ilse"),
            ("---\ntitle: open\nno end", "03 Ilse"),
            ("Words first.\n# Later\n", "03 Ilse"),
            ("", "03 Ilse"),
        ] {
            assert_eq!(title("a/03 Ilse.md", text), want, "{text:?}");
        }
    }
}
