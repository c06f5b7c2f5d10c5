//! The session log: one append-only file of JSON lines per session, and the blobs it names.
//!
//! The only room that opens files below `.fascicle/sessions`. Everything here is synchronous; a
//! [`Writer`] has a thread of its own, so that nobody waits for a disk. The format, the order of
//! appends and syncs, and what is done about damage are written down in `docs/format.md`.
//!
//! ```
//! use fascicle::domain::event::Kind;
//! use fascicle::log::{OnDamage, Store};
//!
//! let workspace = tempfile::tempdir()?;
//! let store = Store::open(workspace.path(), &workspace.path().join("cache"))?;
//! let id = "0197c0de-7a10-7c3e-9b55-1f2e3d4c5b6a".parse()?;
//! let created = Kind::Created {
//!     id,
//!     title: Some("Letter to the valley".into()),
//!     collection: "essays".parse()?,
//!     folder: "essays/valley".into(),
//!     agent: None,
//!     app: "0.1.0".into(),
//! };
//! // The sink is told of each event when it is in the log.
//! let writer = store.create(id, &"essays".parse()?, vec![created], &[], Box::new(|_written| {}))?;
//! writer.append(vec![Kind::Renamed { title: "Letter, first person".into() }]);
//! assert!(writer.flush());
//! drop(writer);
//!
//! let (_writer, head) = store.writer(id, OnDamage::Refuse, Box::new(|_| {}))?;
//! assert_eq!(head.title(), "Letter, first person");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod blobs;
mod clip;
mod copies;
mod create;
mod deeds;
pub mod disk;
pub mod exchange;
mod findings;
mod fork;
mod heads;
mod import;
mod line;
mod locate;
mod pages;
mod pen;
mod pieces;
mod real;
mod rescue;
mod scan;
pub mod search;
mod splices;
mod store;
mod strays;
mod sum;
mod sync;
mod trash;
mod unsent;
mod verify;
mod watch;
mod whereabouts;
mod whole;
mod writer;

use std::io;
use std::path::{Path, PathBuf};

use crate::domain::{Seq, SessionId};

pub use copies::Copy;
pub use deeds::{Book, Deeds, blob_name};
pub use findings::Findings;
pub use fork::{Made, Variant};
pub use heads::Listed;
pub use import::Inlet;
pub use pages::{Follow, Followed, Page};
pub use pen::{Sink, Written};

pub use store::{Means, Store};
pub use strays::Stray;
pub use verify::{BadBlob, Damaged, Gap, Logless, Report, Unfinished};
pub use watch::Watch;
pub use whole::Whole;
pub use writer::{OnDamage, Writer};

/// What can go wrong with a log.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The system refused a file.
    #[error("Cannot {what} {}: {source}.", path.display())]
    Io {
        /// What was tried.
        what: &'static str,
        /// On which file or folder.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// There is no such session.
    #[error("Session {0} is not in this workspace; see the list for those that are.")]
    NoSession(SessionId),
    /// There is no such event.
    #[error("Session {id} has no event {seq}; `fascicle show {id} --json` lists those there are.")]
    NoEvent {
        /// The session.
        id: SessionId,
        /// The number.
        seq: Seq,
    },
    /// The session is to be made, and is there.
    #[error("Session {0} exists already; nothing was changed.")]
    Exists(SessionId),
    /// The log has no line.
    #[error("The log of session {0} is empty; it is left as it is, make a new session instead.")]
    Empty(SessionId),
    /// Another process, or this one, writes it.
    #[error("Session {id} is written by {holder}; end that first, or read it here.")]
    Held {
        /// The session.
        id: SessionId,
        /// Who, as the lock file says.
        holder: String,
    },
    /// It may be read, not written.
    #[error("Session {id} can only be read: {why}")]
    ReadOnly {
        /// The session.
        id: SessionId,
        /// Why, and the way out.
        why: String,
    },
    /// Another process serves a folder.
    #[error("{} is used by {holder}, and only one can at a time; end that first, or name another folder.", root.display())]
    Taken {
        /// The folder.
        root: PathBuf,
        /// Who, as the lock file says.
        holder: String,
    },
    /// What another program gave cannot be kept.
    #[error("{0}")]
    Entry(String),
    /// A blob is missing or is not what its name says.
    #[error("The text {name} cannot be read back: {why}.")]
    Blob {
        /// Its name.
        name: String,
        /// Why.
        why: String,
    },
}

impl LogError {
    /// The system's own reason, where it gave one; else the whole of it.
    fn reason(&self) -> String {
        match self {
            Self::Io { source, .. } => source.to_string(),
            other => other.to_string(),
        }
    }
}

/// Names what was tried, and on what, when the system refuses it.
trait Tried<T> {
    fn tried(self, what: &'static str, path: &Path) -> Result<T, LogError>;
}

impl<T> Tried<T> for io::Result<T> {
    fn tried(self, what: &'static str, path: &Path) -> Result<T, LogError> {
        self.map_err(|source| LogError::Io {
            what,
            path: path.to_owned(),
            source,
        })
    }
}
