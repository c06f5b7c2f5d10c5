//! The logs of a drawer's and the workspace's own deeds: rare and small, read whole, one line one `write()`.
//!
//! The lines, their numbers and what is done about damage are those of a session's log (`docs/format.md`); the kinds
//! are [`Act`]. Only the process that holds the workspace appends; anybody may read at any time.

mod read;

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use crate::domain::CollectionId;
use crate::domain::drawer::{Act, Entry};
use crate::text::hash::sha256;

use super::disk::{self, Open};
use super::findings::Findings;
use super::store::{Area, Store};
use super::verify::{Damaged, Gap, Report};
use super::{LogError, Tried, blobs, line};

/// Name of a collection's own log.
pub(super) const BOOK: &str = "collection.jsonl";

/// Whose deeds.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Book {
    /// A collection's.
    Collection(CollectionId),
    /// The workspace's: what is the writer's across all collections.
    Workspace,
}

/// A log of deeds as it was read.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Deeds {
    /// Every deed, oldest first.
    pub entries: Vec<Entry>,
    /// What else was found, and is not yet listed by a `recovered` line.
    pub found: Findings,
}

/// What a store remembers of these logs between appends.
#[derive(Default)]
pub(super) struct Pens {
    /// Logs whose bytes may be lost though they were taken for written: nothing may follow them.
    broken: HashSet<PathBuf>,
}

impl Store {
    /// Every deed of a book, and what is damaged in its log. A book without a log has none.
    pub fn deeds(&self, book: &Book) -> Result<Deeds, LogError> {
        let read = self.deeds_of(book, false)?.unwrap_or_default();
        Ok(Deeds {
            entries: read.entries,
            found: read.found,
        })
    }

    /// Appends deeds to a book. They are durable when this returns, and have their numbers and the time of now, behind
    /// a `recovered` line when the log was damaged; when it fails, those before the one that failed may be in the log.
    /// Blobs that they name must be there already.
    pub fn note(&self, book: &Book, acts: Vec<Act>) -> Result<Vec<Entry>, LogError> {
        let path = self.book_log(book);
        let mut pens = self.pens();
        if pens.broken.contains(&path) {
            let e = std::io::Error::other(
                "it failed to keep what was written before; open the workspace again",
            );
            return Err(e).tried("write", &path);
        }
        let read = self.deeds_of(book, false)?;
        let mut acts = acts;
        if let Some(read) = read.as_ref().filter(|r| !r.found.is_empty()) {
            let (damage, missing) = (read.found.damage.clone(), read.found.missing.clone());
            acts.insert(0, Act::Recovered { damage, missing });
        }
        let next = read.as_ref().map_or(0, |r| r.next);
        let ts = (self.rig.clock)();
        let entries = acts.into_iter().zip(next..);
        let entries: Vec<Entry> = entries.map(|(act, seq)| Entry { seq, ts, act }).collect();
        match read {
            None => self.begin(&path, &entries)?,
            Some(read) => {
                let open = read.ends_open;
                let synced = self.extend(&path, &entries, open)?;
                if let Err(e) = synced {
                    pens.broken.insert(path.clone());
                    return Err(e).tried("sync", &path);
                }
            }
        }
        Ok(entries)
    }

    /// Keeps a text among a book's blobs, durable before this returns. Gives its name.
    pub fn deed_blob_put(&self, book: &Book, bytes: &[u8]) -> Result<String, LogError> {
        let blobs = self.book_blobs(book);
        disk::ensure_dir(&*self.rig.disk, &blobs).tried("make", &blobs)?;
        blobs::put(&*self.rig.disk, &blobs, bytes)
    }

    /// The bytes of a book's blob; they are what the name says.
    pub fn deed_blob_get(&self, book: &Book, name: &str) -> Result<Vec<u8>, LogError> {
        blobs::read(&*self.rig.disk, &self.book_blobs(book), name)
    }

    /// Every collection that has a log of deeds.
    pub fn books(&self) -> Vec<Book> {
        let mut collections = self.collections(Area::Sessions);
        collections.sort();
        let books = collections.into_iter().map(Book::Collection);
        let books = books.chain([Book::Workspace]);
        let there = |book: &Book| self.rig.disk.stat(&self.book_log(book)).is_ok();
        books.filter(there).collect()
    }

    /// Makes a log with its first lines: it is there with all of them or not at all.
    fn begin(&self, path: &Path, entries: &[Entry]) -> Result<(), LogError> {
        let dir = path.parent().unwrap_or(path);
        disk::ensure_dir(&*self.rig.disk, dir).tried("make", dir)?;
        let mut bytes = Vec::new();
        for entry in entries {
            bytes.extend(encoded(entry, path)?);
        }
        disk::put_file(&*self.rig.disk, path, &bytes).tried("write", path)
    }

    /// Appends lines, and gives how their sync went.
    fn extend(
        &self,
        path: &Path,
        entries: &[Entry],
        ends_open: bool,
    ) -> Result<std::io::Result<()>, LogError> {
        let file = self.rig.disk.open(path, Open::Append).tried("open", path)?;
        // A torn end is sealed: it becomes a damaged line of its own.
        let mut seal = ends_open;
        for entry in entries {
            let mut bytes = encoded(entry, path)?;
            if std::mem::take(&mut seal) {
                bytes.insert(0, b'\n');
            }
            disk::append_all(&*file, &bytes).tried("write", path)?;
        }
        Ok(file.sync())
    }

    fn deeds_of(&self, book: &Book, thorough: bool) -> Result<Option<read::Read>, LogError> {
        let path = self.book_log(book);
        let file = match self.rig.disk.open(&path, Open::Read) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            opened => opened.tried("open", &path)?,
        };
        let len = file.stat().tried("look at", &path)?.len;
        let read = read::read(&*file, len, thorough).tried("read", &path)?;
        Ok(Some(read))
    }

    /// Reads every book and hashes its blobs.
    pub(super) fn verify_books(&self, report: &mut Report) {
        for book in self.books() {
            let path = self.book_log(&book);
            let file = self.shown(&path);
            match self.deeds_of(&book, true) {
                Ok(Some(read)) => self.report_book(&book, &file, read, report),
                Ok(None) => {}
                Err(e) => report.damaged.push(Damaged {
                    file,
                    at: 0,
                    len: 0,
                    why: e.to_string(),
                }),
            }
        }
    }

    fn report_book(&self, book: &Book, file: &str, read: read::Read, report: &mut Report) {
        report.events += read.entries.len() as u64;
        let damage = read.found.damage.into_iter().map(|d| Damaged {
            file: file.to_owned(),
            at: d.at,
            len: d.len,
            why: d.why,
        });
        report.damaged.extend(damage);
        let gaps = read.found.missing.into_iter().map(|(first, last)| Gap {
            file: file.to_owned(),
            first,
            last,
        });
        report.gaps.extend(gaps);
        let named = read.entries.iter().filter_map(|e| e.act.blob());
        let named: BTreeSet<String> = named.map(str::to_owned).collect();
        self.verify_blobs(&self.book_blobs(book), named, report);
    }

    fn book_dir(&self, book: &Book) -> PathBuf {
        match book {
            Book::Collection(id) => self.dir(Area::Sessions, id),
            Book::Workspace => self.rig.root.clone(),
        }
    }

    fn book_log(&self, book: &Book) -> PathBuf {
        let name = match book {
            Book::Collection(_) => BOOK,
            Book::Workspace => "workspace.jsonl",
        };
        self.book_dir(book).join(name)
    }

    fn book_blobs(&self, book: &Book) -> PathBuf {
        self.book_dir(book).join("blobs")
    }
}

/// The name of a text's blob.
pub fn blob_name(bytes: &[u8]) -> String {
    sha256(bytes)
}

fn encoded(entry: &Entry, path: &Path) -> Result<Vec<u8>, LogError> {
    line::encode_parts(entry.seq, entry.ts, &entry.act)
        .map_err(Into::into)
        .tried("write", path)
}
