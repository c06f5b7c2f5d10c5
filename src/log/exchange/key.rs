//! Names that other programs give, and the files they become: whatever is in a name, it stays below the root.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::LogError;
use crate::text::hash::sha256;

/// Longest name, in bytes.
const NAME_MAX: usize = 4 * 1024;
/// Longest name of a file made of one.
const FILE_MAX: usize = 180;
/// How much of a longer one stays readable.
const HEAD: usize = 100;
/// What an empty name becomes: a percent sign alone is no encoded byte.
const EMPTY: &str = "%";

/// How files end.
pub(super) const JSONL: &str = ".jsonl";
/// A session's own entries, in its folder.
pub(super) const MAIN: &str = "main.jsonl";
/// What was noted of it.
pub(super) const SUMMARY: &str = "summary.jsonl";
/// The folder of what lies below it.
pub(super) const SUB: &str = "sub";

/// What entries are kept under.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Key {
    /// The program's name for a group of sessions (`project_key`).
    pub group: String,
    /// The session.
    pub session: String,
    /// A name below it, for instance of a sub-agent; none for the session itself.
    pub sub: Option<String>,
}

impl Key {
    /// An empty `sub` is none.
    pub fn new(group: &str, session: &str, sub: Option<&str>) -> Self {
        Self {
            group: group.to_owned(),
            session: session.to_owned(),
            sub: sub.filter(|s| !s.is_empty()).map(str::to_owned),
        }
    }

    /// Whether it can be kept.
    pub(super) fn check(&self) -> Result<(), LogError> {
        let names = [Some(&self.group), Some(&self.session), self.sub.as_ref()];
        match names.into_iter().flatten().map(String::len).max() {
            Some(len) if len > NAME_MAX => Err(LogError::Entry(format!(
                "A name in the key has {len} bytes, and the longest that can be kept has {NAME_MAX}."
            ))),
            _ => Ok(()),
        }
    }

    /// The folder of its session.
    pub(super) fn dir(&self, root: &Path) -> PathBuf {
        group(root, &self.group).join(encoded(&self.session))
    }

    /// The file of its entries.
    pub(super) fn file(&self, root: &Path) -> PathBuf {
        let dir = self.dir(root);
        match &self.sub {
            None => dir.join(MAIN),
            Some(sub) => dir.join(SUB).join(format!("{}{JSONL}", encoded(sub))),
        }
    }
}

/// The folder of a group of sessions.
pub(super) fn group(root: &Path, name: &str) -> PathBuf {
    root.join("sessions").join(encoded(name))
}

/// A name as that of a file: every byte but ASCII letters, digits, `_` and `-` as `%XX`; one that is too long as its
/// beginning, a dot and its SHA-256. A dot is in no other.
fn encoded(name: &str) -> String {
    if name.is_empty() {
        return EMPTY.to_owned();
    }
    let mut out = String::new();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-') {
            out.push(char::from(byte));
        } else {
            let _infallible = write!(out, "%{byte:02X}");
        }
    }
    match out.get(..HEAD) {
        Some(head) if out.len() > FILE_MAX => format!("{head}.{}", sha256(name.as_bytes())),
        _ => out,
    }
}

/// The name a file was made of; none where it was too long for that.
pub(super) fn decoded(file: &str) -> Option<String> {
    if file == EMPTY {
        return Some(String::new());
    }
    let mut bytes = Vec::new();
    let mut rest = file;
    while let Some(c) = rest.chars().next() {
        match c {
            '%' => {
                bytes.push(u8::from_str_radix(rest.get(1..3)?, 16).ok()?);
                rest = rest.get(3..)?;
            }
            c if c.is_ascii_alphanumeric() || matches!(c, '_' | '-') => {
                bytes.push(u8::try_from(c).ok()?);
                rest = rest.get(1..)?;
            }
            _ => return None,
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_and_its_file_are_each_others_only_ones() {
        let names = ["", "%", "a", "..", "a/b", "a%2Fb", "a\0", "é🚀", "-_Z9"];
        for name in names {
            let file = encoded(name);
            assert_eq!(decoded(&file).as_deref(), Some(name));
            assert!(!file.contains(['/', '.', '\0']), "{file}");
        }
        assert_eq!(encoded(".."), "%2E%2E");
    }

    #[test]
    fn names_that_are_too_long_for_a_file_differ_all_the_same() {
        let [one, other] = ["a", "b"].map(|end| encoded(&format!("{}{end}", "x".repeat(300))));
        assert!(one != other && one.len() <= FILE_MAX && other.len() <= FILE_MAX);
        assert_eq!(decoded(&one), None);
    }
}
