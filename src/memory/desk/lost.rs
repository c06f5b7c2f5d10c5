//! Accepted lines that another program has put away: with its older copy of the memory, or with the file. They are
//! missed until they stand again or the writer says that it is meant.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::domain::Seq;
use crate::domain::drawer::{Binder, FileVersion, Hand, Proposal, Standing};
use crate::memory::file::{Item, heading_of, items, norm, source, with_line};
use crate::text::one_line;

use super::{Desk, MEMORY, MemoryError};

/// What is said where nothing is missing.
const NONE: &str = "No accepted line is missing in the memory; nothing was done.";

/// A line that is missing.
pub(super) struct Lost<'a> {
    line: &'a str,
    heading: &'static str,
    /// It went with the whole file.
    removed: bool,
}

/// Texts of the memory, by the names of their blobs, in which a line does not stand: they are not read again for it. A line
/// that has other words now, or was let go, would be looked for in every version since, at each look.
#[derive(Clone, Debug, Default)]
pub struct Without(Arc<Mutex<HashMap<String, HashSet<String>>>>);

impl Without {
    fn all(&self) -> MutexGuard<'_, HashMap<String, HashSet<String>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Of other lines nothing is to be known any more.
    fn keep(&self, lines: &[&str]) {
        self.all().retain(|line, _| lines.contains(&line.as_str()));
    }

    pub(super) fn has(&self, line: &str, blob: &str) -> bool {
        self.all()
            .get(line)
            .is_some_and(|blobs| blobs.contains(blob))
    }

    pub(super) fn add(&self, line: &str, blob: &str) {
        let mut all = self.all();
        all.entry(line.to_owned())
            .or_default()
            .insert(blob.to_owned());
    }
}

impl Desk {
    /// With what is known of its versions already.
    #[must_use]
    pub fn knowing(self, without: Without) -> Self {
        Self { without, ..self }
    }

    /// The accepted lines that stood in the memory before another program saved it or took it away, and stand there no
    /// more. What the writer has let go is not among them, nor a line that has other words now: that was changed.
    pub(super) fn lost<'a>(&self, binder: &'a Binder, now: &[Item]) -> Vec<Lost<'a>> {
        let versions = standing(binder.files.get(MEMORY).map_or(&[], Vec::as_slice));
        let stands = |line: &str| now.iter().any(|item| item.text == line);
        let mut missing: Vec<(Seq, &Proposal, &str)> = Vec::new();
        for p in &binder.proposals {
            if let Standing::Accepted { line, act, .. } = &p.standing
                && !p.says.what.is_index()
                && !line.is_empty()
                && !stands(line)
            {
                missing.push((*act, p, line));
            }
        }
        let lines: Vec<&str> = missing.iter().map(|(.., line)| *line).collect();
        self.without.keep(&lines);
        let from = versions.iter().rposition(|v| v.by == Hand::LetGo);
        let mut found = Vec::new();
        for (n, version) in versions.iter().enumerate().rev() {
            // Below that it was missing already when the writer let it go.
            if missing.is_empty() || from.is_some_and(|from| n < from) {
                break;
            }
            missing.retain(|(act, ..)| *act <= version.seq);
            let blob = version.sha256.as_str();
            if missing
                .iter()
                .all(|(.., line)| self.without.has(line, blob))
            {
                continue;
            }
            let Some(before) = self.items_of(version) else {
                continue;
            };
            let next = versions.get(n + 1);
            let new: Vec<&Item> = now.iter().filter(|i| !has(&before, &i.text)).collect();
            missing.retain(|(_, p, line)| {
                let stood = has(&before, line);
                let outside = next.is_none_or(|v| v.by == Hand::Outside);
                if stood && outside && !new.iter().any(|item| is_reworded(line, &item.text)) {
                    found.push(Lost {
                        line,
                        heading: heading_of(&p.says.what),
                        removed: next.is_some_and(|v| v.gone),
                    });
                }
                if !stood {
                    self.without.add(line, blob);
                }
                !stood
            });
        }
        found.sort_by_key(|lost| {
            binder
                .proposals
                .iter()
                .position(|p| p.line() == Some(lost.line))
        });
        found
    }

    /// The lines of a version; none where its text cannot be read now.
    fn items_of(&self, version: &FileVersion) -> Option<Vec<Item>> {
        let bytes = self.store.deed_blob_get(&self.book, &version.sha256);
        Some(items(&String::from_utf8(bytes.ok()?).unwrap_or_default()))
    }

    /// What is said of them.
    pub(super) fn told_lost(&self, lost: &[Lost<'_>]) -> Option<String> {
        let first = lost.first()?;
        let words = one_line(source(first.line).0);
        let (what, was, they) = match lost.len() {
            1 => (format!("“{words}” was"), "is", "it"),
            2 => (format!("“{words}” and one more line were"), "are", "them"),
            n => (
                format!("“{words}” and {} more lines were", n - 1),
                "are",
                "them",
            ),
        };
        let path = self.path(MEMORY);
        let how = if first.removed {
            format!("since {path} was removed")
        } else {
            format!("in {path} since another program saved it")
        };
        Some(format!(
            "{what} accepted, and {was} missing {how}. Put {they} back, or let {they} go where that is meant."
        ))
    }

    /// Puts the lines that are missing back below their headings.
    pub fn put_back(&self) -> Result<(), MemoryError> {
        let mut binder = self.look()?;
        let known = binder.clone();
        let lost = self.missing(&known)?;
        self.change(MEMORY, (Hand::Restore, None), &mut binder, &|now| {
            let put = |text: String, lost: &Lost<'_>| with_line(&text, lost.heading, lost.line);
            Ok(lost.iter().fold(now.to_owned(), put))
        })
    }

    /// The memory is meant as it is: what is missing now is missed no more. A version says so.
    pub fn let_go(&self) -> Result<(), MemoryError> {
        let mut binder = self.look()?;
        self.missing(&binder)?;
        let as_it_is = |now: &str| Ok(now.to_owned());
        self.change(MEMORY, (Hand::LetGo, None), &mut binder, &as_it_is)
    }

    fn missing<'a>(&self, binder: &'a Binder) -> Result<Vec<Lost<'a>>, MemoryError> {
        let now = items(&self.text(MEMORY)?);
        let lost = self.lost(binder, &now);
        if lost.is_empty() {
            return Err(MemoryError::No(NONE.to_owned()));
        }
        Ok(lost)
    }
}

/// The versions without those that the writer has taken back, and without what took them back: what was missing before
/// is missing again.
fn standing(all: &[FileVersion]) -> Vec<&FileVersion> {
    let undoes =
        |v: &FileVersion, other: &FileVersion| v.by == Hand::Undo && v.act == Some(other.seq);
    let counts = |v: &&FileVersion| !all.iter().any(|other| undoes(other, v) || undoes(v, other));
    all.iter().filter(counts).collect()
}

fn has(items: &[Item], line: &str) -> bool {
    items.iter().any(|item| item.text == line)
}

/// Whether a line is another one in other words: it comes from the same, or has most of its words.
fn is_reworded(old: &str, new: &str) -> bool {
    let (old_from, new_from) = (source(old).1, source(new).1);
    let (old, new) = (norm(old), norm(new));
    let (a, b): (BTreeSet<&str>, BTreeSet<&str>) =
        (old.split(' ').collect(), new.split(' ').collect());
    let shared = a.intersection(&b).count();
    (old_from.is_some() && old_from == new_from && shared > 0)
        || shared * 3 > a.len().max(b.len()) * 2
}
