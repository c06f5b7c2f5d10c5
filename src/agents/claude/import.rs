//! Claude Code's own histories, read and never written: where they lie, what each holds, its turns one by one.
//!
//! A history is a tree of entries chained by `uuid` and `parentUuid` (seen: 2.0.30 to 2.1.332). Here it becomes a tree of
//! turns: each entry belongs to the nearest prompt above it, so that results of calls made side by side, which fork the
//! chain, stay in their turn, and only prompts make branches.

mod entry;
mod find;
mod index;
mod lines;
mod play;
mod tree;

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use crate::agents::histories::Turn;
use crate::domain::event::Unread;

pub use find::{Found, Unreadable, find};

/// How many unreadable lines are listed one by one.
const LISTED: usize = 100;

/// A history whose lines have been looked at once: what it is about, and where each turn lies in its file.
#[derive(Debug)]
pub struct History {
    file: File,
    /// What it is about.
    pub about: About,
    /// Its turns, in no order.
    pub turns: Vec<Turn>,
    /// What could not be read or was left out.
    pub gaps: Gaps,
}

/// What a history is about.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct About {
    /// Its file.
    pub path: PathBuf,
    /// Its id.
    pub id: String,
    /// The folder it was first written in.
    pub folder: Option<PathBuf>,
    /// Its title, given by the writer or the program.
    pub title: Option<String>,
    /// Its first prompt, one line.
    pub prompt: Option<String>,
    /// Times of its first and last entry, milliseconds since 1970; 0 when unknown.
    pub times: (i64, i64),
    /// Bytes of the file.
    pub bytes: u64,
    /// Its lines.
    pub lines: u64,
    /// CRC-32 (IEEE) over the file.
    pub crc32: u32,
    /// Prompts and answers.
    pub messages: u64,
}

/// What of a history is not taken over.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Gaps {
    /// Lines that could not be read, the first hundred.
    pub unread: Vec<Unread>,
    /// How many there are of them.
    pub unread_all: u64,
    /// Entries of sub-agents.
    pub sidechain: u64,
    /// Entries that were there before.
    pub repeated: u64,
    /// Entries whose predecessor is missing.
    pub astray: u64,
}

impl Gaps {
    fn unread(&mut self, line: u64, why: impl Into<String>) {
        self.unread_all += 1;
        if self.unread.len() < LISTED {
            let why = why.into();
            self.unread.push(Unread { line, why });
        }
    }

    /// What else than unreadable lines there is to say, a line each.
    pub fn notes(&self) -> Vec<String> {
        let said = [
            (self.sidechain, "of sub-agents left out"),
            (self.repeated, "repeated, the first of each counts"),
            (
                self.astray,
                "without the one before, put behind what stands before it in the file",
            ),
        ];
        let said = said.into_iter().filter(|(n, _)| *n > 0);
        said.map(|(n, what)| {
            let entries = if n == 1 { "entry" } else { "entries" };
            format!("{n} {entries} {what}.")
        })
        .collect()
    }
}

impl History {
    /// Reads a history once through. Nothing of it is kept but where its turns lie.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn open(path: &Path) -> io::Result<Self> {
        index::read(path)
    }

    /// How many prompts and answers a history has behind its first bytes.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn grown(about: &About, bytes: u64) -> io::Result<u64> {
        let before = index::messages(&about.path, bytes)?;
        Ok(about.messages.saturating_sub(before))
    }

    /// Its branches, the one that was written last first: the turns of each from the first on.
    pub fn branches(&self) -> Vec<Vec<usize>> {
        tree::branches(&self.turns)
    }
}
