//! The writer's other deeds on the files: the archive, older versions, undo.

use std::collections::BTreeSet;

use crate::domain::Seq;
use crate::domain::drawer::{Binder, FileVersion, Hand, Proposal, Standing};
use crate::memory::file::{Item, folded, items, source, unfolded};
use crate::text::merge::merge_typed;
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
                let whole = meant(&text, line, archived);
                let moved = if archived {
                    folded(&text, &whole)
                } else {
                    unfolded(&text, &whole)
                };
                text = moved.ok_or_else(|| {
                    MemoryError::No(format!(
                        "The memory has no line “{}” there any more; nothing was done. Look again.",
                        source(line).0
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

    /// Undoes the answer to a proposal, or the newest deed of the writer's on these files that is not passed over. Says
    /// what is taken back.
    pub fn undo(
        &self,
        proposal: Option<Seq>,
        passed: &BTreeSet<Seq>,
    ) -> Result<String, MemoryError> {
        let mut binder = self.look()?;
        if let Some(seq) = proposal {
            let known = binder.proposal(seq).cloned().ok_or_else(|| {
                MemoryError::No(format!("There is no proposal {seq} in this collection."))
            })?;
            self.take_back(&known, &mut binder)?;
            return Ok(said(&known));
        }
        let Some(done) = self.newest(&binder, passed) else {
            return Err(MemoryError::No("There is nothing to undo here.".to_owned()));
        };
        let undone = match &done.what {
            Done::Answer(known) => self.take_back(known, &mut binder).map(|()| said(known)),
            Done::Change(file, version) => self.take_version_back(file, version, &mut binder),
        };
        undone.map_err(|e| match e {
            MemoryError::No(why) => MemoryError::Stays { act: done.act, why },
            other => other,
        })
    }

    /// When the writer did what an undo would take back, milliseconds since 1970; none where that is nothing.
    pub fn undoable(&self, passed: &BTreeSet<Seq>) -> Result<Option<i64>, MemoryError> {
        let binder = self.binder()?;
        Ok(self.newest(&binder, passed).map(|done| done.ts))
    }

    /// The newest deed of the writer's that stands and is not passed over.
    fn newest(&self, binder: &Binder, passed: &BTreeSet<Seq>) -> Option<Deed> {
        let answers = binder.proposals.iter().filter_map(Deed::answer);
        let changes = self.files().iter().flat_map(|file| {
            let versions = binder.files.get(*file).map(Vec::as_slice);
            changes(file, versions.unwrap_or_default())
        });
        let all = answers.chain(changes);
        let kept = all.filter(|done| !passed.contains(&done.act));
        kept.max_by_key(|done| done.act)
    }

    /// Takes a change of a file back. What was written in it since stays.
    fn take_version_back(
        &self,
        file: &str,
        undone: &FileVersion,
        binder: &mut Binder,
    ) -> Result<String, MemoryError> {
        let text = |of: &FileVersion| -> Result<String, MemoryError> {
            let bytes = self.store.deed_blob_get(&self.book, &of.sha256)?;
            Ok(String::from_utf8_lossy(&bytes).into_owned())
        };
        let then = text(undone)?;
        let before = text(version(binder, file, undone.base.unwrap_or_default())?)?;
        let by = (Hand::Undo, Some(undone.seq));
        self.change(file, by, binder, &|now| {
            match undone.by {
                // Of the text it is no change, even if another program's words came into its version.
                Hand::LetGo => Ok(now.to_owned()),
                _ if now == then => Ok(before.clone()),
                Hand::Fold => moved_back(now, &then, &before),
                _ => merge_typed(&then, now, &before).clean().ok_or_else(|| {
                    MemoryError::No(format!(
                        "{file} was changed since in the same places: that it was restored is not undone. Restore another version instead."
                    ))
                }),
            }
        })?;
        Ok(match undone.by {
            Hand::Fold => came_back(&then, &before),
            Hand::LetGo => "What is missing in the memory is not let go any more.".to_owned(),
            _ => format!("{file} is as it was before version {} of it.", undone.seq),
        })
    }
}

/// A deed that can be undone.
struct Deed {
    act: Seq,
    ts: i64,
    what: Done,
}

/// What was done.
enum Done {
    /// A proposal was decided.
    Answer(Proposal),
    /// Lines went into the archive or out of it, an older version was restored, what was missing was let go.
    Change(&'static str, FileVersion),
}

impl Deed {
    fn answer(known: &Proposal) -> Option<Self> {
        match known.standing {
            Standing::Accepted { act, ts, .. } | Standing::Refused { act, ts } => Some(Self {
                act,
                ts,
                what: Done::Answer(known.clone()),
            }),
            Standing::Waiting => None,
        }
    }
}

/// The writer's own changes of a file that stand.
fn changes(file: &'static str, versions: &[FileVersion]) -> impl Iterator<Item = Deed> {
    let undone = |seq: Seq| {
        let mut all = versions.iter();
        all.any(|v| v.by == Hand::Undo && v.act == Some(seq))
    };
    let own = move |v: &&FileVersion| {
        matches!(v.by, Hand::Fold | Hand::Restore | Hand::LetGo) && !undone(v.seq)
    };
    versions.iter().filter(own).map(move |v| Deed {
        act: v.seq,
        ts: v.ts,
        what: Done::Change(file, v.clone()),
    })
}

/// The line that is meant: as it stands, or its words alone, as lists show them, where one line has those.
fn meant(text: &str, line: &str, archived: bool) -> String {
    let all = items(text);
    let mut there = all.iter().filter(|item| item.archived != archived);
    if there.clone().any(|item| item.text == line) {
        return line.to_owned();
    }
    let words = |item: &&Item| source(&item.text).0.replace('\n', " ") == line;
    let found = there.find(words);
    match (found, there.any(|item| words(&item))) {
        (Some(item), false) => item.text.clone(),
        _ => line.to_owned(),
    }
}

/// The lines that a deed has moved into the archive, or out of it.
fn moved(then: &str, before: &str) -> Vec<Item> {
    let was = items(before);
    let other = |item: &Item| {
        let mut all = was.iter();
        all.any(|w| w.text == item.text && w.archived != item.archived)
    };
    let mut now = items(then);
    now.retain(other);
    now
}

/// A text with those lines where they were; all of them or none.
fn moved_back(now: &str, then: &str, before: &str) -> Result<String, MemoryError> {
    let mut text = now.to_owned();
    for item in moved(then, before) {
        let put = if item.archived { unfolded } else { folded };
        text = put(&text, &item.text).ok_or_else(|| {
            let line = short(source(&item.text).0);
            MemoryError::No(format!(
                "“{line}” was changed by hand since it was moved, or is gone: it stays as it is."
            ))
        })?;
    }
    Ok(text)
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
fn came_back(then: &str, before: &str) -> String {
    let moved = moved(then, before);
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
