//! A mistake in a file the writer edits by hand, with the place where it can be mended.

use std::fmt;
use std::path::{Path, PathBuf};

/// One mistake. Shown as `file:line: what.`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The file.
    pub file: PathBuf,
    /// Line, from 1; none when it is about the file as a whole.
    pub line: Option<usize>,
    /// What is wrong and what would be right; ends with a full stop.
    pub what: String,
}

impl Problem {
    /// A mistake at a byte of the file's text.
    pub fn at(file: &Path, text: &str, byte: usize, what: impl Into<String>) -> Self {
        let line = 1 + text.bytes().take(byte).filter(|b| *b == b'\n').count();
        Self {
            file: file.to_owned(),
            line: Some(line),
            what: what.into(),
        }
    }

    /// A mistake of the whole file.
    pub fn of(file: &Path, what: impl Into<String>) -> Self {
        Self {
            file: file.to_owned(),
            line: None,
            what: what.into(),
        }
    }

    /// The same of a line that is passed over.
    #[must_use]
    pub fn unused(&self) -> Self {
        Self {
            what: format!("{} This line is not used.", self.what),
            ..self.clone()
        }
    }

    /// The same with a file that is named from a folder it lies in.
    #[must_use]
    pub fn within(&self, folder: &Path) -> Self {
        let file = self.file.strip_prefix(folder).unwrap_or(&self.file);
        Self {
            file: file.to_owned(),
            ..self.clone()
        }
    }

    /// What TOML itself does not allow.
    pub fn syntax(file: &Path, text: &str, error: &toml::de::Error) -> Self {
        let mut what = error.message().trim_end_matches('.').to_owned();
        what.push('.');
        let byte = error.span().map_or(0, |s| s.start);
        Self::at(file, text, byte, what)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.file.display())?;
        if let Some(line) = self.line {
            write!(f, "{line}:")?;
        }
        write!(f, " {}", self.what)
    }
}
