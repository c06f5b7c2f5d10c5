//! The files of a drawer and the log of its deeds, brought together: what the writer decides is logged first, then
//! written; what another program wrote is a version first.
//!
//! One desk at a time works on a book: who opens it sees to that.

mod answer;
mod fold;
mod show;

pub use answer::Taken;

use std::io;
use std::path::{Path, PathBuf};

use jiff::civil::Date;

use crate::config::{Collection, ConfigError, Workspace};
use crate::domain::drawer::{Act, Binder, FileSaved, Hand};
use crate::domain::{Seq, SessionId};
use crate::drafts::file::{read_at, replace_at};
use crate::log::{Book, LogError, Store, blob_name};

/// The collection's memory.
pub const MEMORY: &str = "MEMORY.md";
/// The collection's profile.
pub const PROFILE: &str = "PROFILE.md";
/// The writer's voice, across all collections.
pub const VOICE: &str = "VOICE.md";
/// Larger files have no versions.
const SIZE_MAX: u64 = 4 * 1024 * 1024;
/// How often a change is made anew when the file changes in that moment.
const TRIES: usize = 5;

/// What can go wrong.
#[derive(Debug, thiserror::Error)]
pub enum MemoryError {
    /// The log of deeds.
    #[error(transparent)]
    Log(#[from] LogError),
    /// `collection.toml`.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A file of the writer's.
    #[error("{} cannot be used: {source}.", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// It is not done, and nothing changed.
    #[error("{0}")]
    No(String),
}

/// What a desk is told by whoever opens it.
pub struct Around<'a> {
    /// Today where the writer is.
    pub today: Date,
    /// Titles of sessions.
    pub title: &'a dyn Fn(SessionId) -> String,
}

/// The files of a book and its deeds.
pub struct Desk {
    store: Store,
    book: Book,
    workspace: Workspace,
    /// None for the writer's own.
    collection: Option<Collection>,
}

/// A file as it is on disk.
struct OnDisk {
    bytes: Vec<u8>,
    there: bool,
}

impl Desk {
    /// The desk of a collection: its memory and its profile.
    pub fn of(store: &Store, workspace: &Workspace, collection: &Collection) -> Self {
        Self {
            store: store.clone(),
            book: Book::Collection(collection.id.clone()),
            workspace: workspace.clone(),
            collection: Some(collection.clone()),
        }
    }

    /// The desk of the writer: the voice.
    pub fn of_writer(store: &Store, workspace: &Workspace) -> Self {
        Self {
            store: store.clone(),
            book: Book::Workspace,
            workspace: workspace.clone(),
            collection: None,
        }
    }

    /// The book of its deeds.
    pub fn book(&self) -> &Book {
        &self.book
    }

    /// The deeds so far.
    pub fn binder(&self) -> Result<Binder, MemoryError> {
        Ok(Binder::of(&self.store.deeds(&self.book)?.entries))
    }

    /// Makes versions of what another program wrote, and finishes what a crash has left undone.
    pub fn look(&self) -> Result<Binder, MemoryError> {
        let mut binder = self.binder()?;
        // A folder that is elsewhere at the moment says nothing about its files.
        if !self.folder().is_dir() {
            return Ok(binder);
        }
        for file in self.files() {
            self.look_at(file, &mut binder)?;
        }
        for open in binder.open.clone() {
            if let Err(e) = self.finish(&open, &mut binder) {
                // It stays open, and what is wrong with the file is said where it is shown.
                tracing::warn!("what was decided could not be written: {e}");
            }
        }
        Ok(binder)
    }

    /// The files that have versions.
    fn files(&self) -> &'static [&'static str] {
        match self.collection {
            Some(_) => &[MEMORY, PROFILE],
            None => &[VOICE],
        }
    }

    fn folder(&self) -> PathBuf {
        let root = self.workspace.root();
        match &self.collection {
            Some(collection) => root.join(&collection.folder),
            None => root.to_owned(),
        }
    }

    fn look_at(&self, file: &str, binder: &mut Binder) -> Result<(), MemoryError> {
        let Ok(now) = self.read(file) else {
            // What cannot be read is told where it is used: in the brief, and by whoever wants to change it.
            return Ok(());
        };
        let known = binder.newest(file);
        let same = match known {
            None => !now.there,
            Some(v) => v.gone != now.there && v.sha256 == blob_name(&now.bytes),
        };
        if same {
            return Ok(());
        }
        self.save(file, &now, (Hand::Outside, None), binder)
    }

    /// A file as it is. A link is not followed: what is read here may be sent away.
    fn read(&self, file: &str) -> Result<OnDisk, MemoryError> {
        let path = self.folder().join(file);
        let failed = |source| MemoryError::File {
            path: path.clone(),
            source,
        };
        if path.symlink_metadata().is_ok_and(|m| m.len() > SIZE_MAX) {
            let why = "it is larger than 4 MiB; nothing of Fascicle's makes it so";
            return Err(failed(io::Error::other(why)));
        }
        let bytes = read_at(&path).map_err(failed)?;
        Ok(OnDisk {
            there: bytes.is_some(),
            bytes: bytes.unwrap_or_default(),
        })
    }

    /// The text of a file; empty when it is not there.
    fn text(&self, file: &str) -> Result<String, MemoryError> {
        let now = self.read(file)?;
        String::from_utf8(now.bytes).map_err(|_| {
            let path = self.folder().join(file);
            MemoryError::No(format!(
                "{} is not UTF-8 text; nothing is changed in it. Save it as UTF-8 first.",
                path.display()
            ))
        })
    }

    /// Changes a file, on what is on disk now: what another program wrote meanwhile is in it. What the change gives
    /// for a file that needs none is the text itself.
    fn change(
        &self,
        file: &str,
        (by, act): (Hand, Option<Seq>),
        binder: &mut Binder,
        change: &dyn Fn(&str) -> Result<String, MemoryError>,
    ) -> Result<(), MemoryError> {
        for _ in 0..TRIES {
            let old = self.text(file)?;
            let new = change(&old)?;
            self.look_at(file, binder)?;
            if new != old {
                // Durable before the file: whatever happens to that, the text is kept.
                self.store.deed_blob_put(&self.book, new.as_bytes())?;
            }
            if self.text(file)? != old {
                continue;
            }
            if new != old {
                let folder = self.folder();
                let failed = |source| MemoryError::File {
                    path: folder.join(file),
                    source,
                };
                replace_at(&folder, file, new.as_bytes()).map_err(failed)?;
            }
            let now = OnDisk {
                there: true,
                bytes: new.into_bytes(),
            };
            return self.save(file, &now, (by, act), binder);
        }
        Err(MemoryError::No(format!(
            "{file} is being changed by another program; nothing was done. Try again when that is done."
        )))
    }

    /// Logs a version.
    fn save(
        &self,
        file: &str,
        now: &OnDisk,
        (by, act): (Hand, Option<Seq>),
        binder: &mut Binder,
    ) -> Result<(), MemoryError> {
        let sha256 = self.store.deed_blob_put(&self.book, &now.bytes)?;
        let saved = FileSaved {
            file: file.to_owned(),
            sha256,
            bytes: now.bytes.len() as u64,
            by,
            base: binder.newest(file).map(|v| v.seq),
            act,
            gone: !now.there,
        };
        self.note(vec![Act::FileSaved(saved)], binder)?;
        Ok(())
    }

    /// Logs deeds. Gives the number of the last.
    fn note(&self, acts: Vec<Act>, binder: &mut Binder) -> Result<Seq, MemoryError> {
        let noted = self.store.note(&self.book, acts)?;
        for entry in &noted {
            binder.apply(entry);
        }
        Ok(noted.last().map_or(0, |e| e.seq))
    }
}

/// The book that a file's versions are in.
pub fn is_writers(file: &str) -> bool {
    Path::new(file) == Path::new(VOICE)
}
