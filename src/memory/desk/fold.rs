//! The writer's other deeds on the files: the archive, older versions, undo.

use crate::domain::Seq;
use crate::domain::drawer::{Binder, FileVersion, Hand, Proposal, Standing};
use crate::memory::file::{Item, folded, items, source, unfolded};
use crate::text::{head, one_line};

use super::{Desk, MEMORY, MemoryError};

/// Bytes of a line that is named.
const NAMED: usize = 60;

impl Desk {
    /// Moves lines into the archive, or out of it: all of them or none.
    pub fn fold(&self, lines: &[String], archived: bool) -> Result<(), MemoryError> {
        let mut binder = self.look()?;
        self.change(MEMORY, (Hand::Fold, None), &mut binder, &|now| {
            let mut text = now.to_owned();
            for line in lines {
                let moved = if archived {
                    folded(&text, line)
                } else {
                    unfolded(&text, line)
                };
                text = moved.ok_or_else(|| {
                    MemoryError::No(format!(
                        "The memory has no line {line:?} there any more; nothing was done. Look again."
                    ))
                })?;
            }
            Ok(text)
        })
    }

    /// The text of a version.
    pub fn version(&self, file: &str, seq: Seq) -> Result<String, MemoryError> {
        let binder = self.binder()?;
        let version = version(&binder, file, seq)?;
        let bytes = self.store.deed_blob_get(&self.book, &version.sha256)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Makes an older version of a file its text again, as a new version.
    pub fn restore(&self, file: &str, seq: Seq) -> Result<(), MemoryError> {
        let mut binder = self.look()?;
        if !self.files().contains(&file) {
            return Err(MemoryError::No(format!(
                "{file} has no versions to restore."
            )));
        }
        let version = version(&binder, file, seq)?.clone();
        if version.gone {
            return Err(MemoryError::No(format!(
                "{file} was not there in version {seq}; remove the file itself if that is meant."
            )));
        }
        let bytes = self.store.deed_blob_get(&self.book, &version.sha256)?;
        let text = String::from_utf8(bytes)
            .map_err(|_| MemoryError::No(format!("Version {seq} of {file} is not UTF-8 text.")))?;
        let by = (Hand::Restore, Some(seq));
        self.change(file, by, &mut binder, &|_| Ok(text.clone()))
    }

    /// Undoes the answer to a proposal, or the newest deed of the writer's on these files. Says what is taken back.
    pub fn undo(&self, proposal: Option<Seq>) -> Result<String, MemoryError> {
        let mut binder = self.look()?;
        let answered = match proposal {
            Some(seq) => Some(binder.proposal(seq).cloned().ok_or_else(|| {
                MemoryError::No(format!("There is no proposal {seq} in this collection."))
            })?),
            None => binder.newest_answer().cloned(),
        };
        let changed = match proposal {
            Some(_) => None,
            None => self.newest_change(&binder),
        };
        let newer = |version: &FileVersion| {
            answered
                .as_ref()
                .and_then(crate::domain::drawer::Proposal::answer)
                < Some(version.seq)
        };
        match (&answered, changed) {
            (_, Some((file, version))) if newer(&version) => {
                self.take_version_back(file, &version, &mut binder)
            }
            (Some(known), _) => {
                self.take_back(known, &mut binder)?;
                Ok(said(known))
            }
            (None, _) => Err(MemoryError::No("There is nothing to undo here.".to_owned())),
        }
    }

    /// When the writer did what an undo would take back, milliseconds since 1970; none where that is nothing.
    pub fn undoable(&self) -> Result<Option<i64>, MemoryError> {
        let binder = self.binder()?;
        let answered = binder.newest_answer().and_then(|p| match p.standing {
            Standing::Accepted { ts, .. } | Standing::Refused { ts, .. } => Some(ts),
            Standing::Waiting => None,
        });
        let changed = self.newest_change(&binder).map(|(_, v)| v.ts);
        Ok(answered.max(changed))
    }

    /// The newest change by the archive or by a restored version that stands.
    fn newest_change(&self, binder: &Binder) -> Option<(&'static str, FileVersion)> {
        let files = self.files().iter();
        let of = |file: &&'static str| {
            let versions = binder.files.get(*file)?;
            let undone = |seq: Seq| {
                let mut all = versions.iter();
                all.any(|v| v.by == Hand::Undo && v.act == Some(seq))
            };
            let own =
                |v: &&FileVersion| matches!(v.by, Hand::Fold | Hand::Restore) && !undone(v.seq);
            let found = versions.iter().rev().find(own)?;
            Some((*file, found.clone()))
        };
        files.filter_map(of).max_by_key(|(_, v)| v.seq)
    }

    fn take_version_back(
        &self,
        file: &str,
        undone: &FileVersion,
        binder: &mut Binder,
    ) -> Result<String, MemoryError> {
        let newest = binder.newest(file).map(|v| v.sha256.clone());
        if newest.as_ref() != Some(&undone.sha256) {
            return Err(MemoryError::No(format!(
                "{file} was changed since; an undo would take that away. Restore a version instead."
            )));
        }
        let base = undone.base.unwrap_or_default();
        let before = version(binder, file, base)?;
        let bytes = self.store.deed_blob_get(&self.book, &before.sha256)?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let now = self.text(file)?;
        let by = (Hand::Undo, Some(undone.seq));
        self.change(file, by, binder, &|_| Ok(text.clone()))?;
        Ok(match undone.by {
            Hand::Fold => came_back(&now, &text),
            _ => format!("{file} is as it was before version {} of it.", undone.seq),
        })
    }
}

/// What is said of a proposal whose answer is taken back.
fn said(known: &Proposal) -> String {
    let text = short(&known.says.text);
    match known.standing {
        Standing::Accepted { .. } if known.says.what.is_index() => {
            format!("“{text}” is no longer the line of its piece; it waits again.")
        }
        Standing::Accepted { .. } => format!("“{text}” is out of the memory; it waits again."),
        _ => format!("“{text}” is not refused any more; it waits again."),
    }
}

/// What is said of lines that went into the archive, or came out of it, and are where they were.
fn came_back(now: &str, before: &str) -> String {
    let was = items(before);
    let other = |item: &&Item| {
        let mut all = was.iter();
        all.any(|w| w.text == item.text && w.archived != item.archived)
    };
    let now = items(now);
    let moved: Vec<&Item> = now.iter().filter(other).collect();
    let Some(first) = moved.first() else {
        return format!("{MEMORY} is as it was.");
    };
    let what = match moved.len() {
        1 => format!("“{}” is", short(source(&first.text).0)),
        n => format!("{n} lines are"),
    };
    let to = if first.archived {
        "back from the archive: sent again"
    } else {
        "in the archive again: not sent"
    };
    format!("{what} {to}.")
}

fn short(text: &str) -> String {
    let line = one_line(text);
    let head = head(&line, NAMED);
    if head.len() == line.len() {
        return line;
    }
    let words = head.rsplit_once(' ').map_or(head, |(words, _)| words);
    format!("{words}…")
}

fn version<'a>(binder: &'a Binder, file: &str, seq: Seq) -> Result<&'a FileVersion, MemoryError> {
    let found = binder.version(seq).filter(|(of, _)| *of == file);
    found
        .map(|(_, version)| version)
        .ok_or_else(|| MemoryError::No(format!("{file} has no version {seq}.")))
}
