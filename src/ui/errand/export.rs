//! A text that goes elsewhere: what, in which format, where to.

use crate::domain::{CollectionId, SessionId};
use crate::text::export::Format;

/// An export that is wanted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Export {
    /// What of.
    pub what: Exported,
    /// As what.
    pub format: Format,
    /// The file, as the writer typed it.
    pub path: String,
    /// A file that is there gives way.
    pub replace: bool,
}

/// What is exported.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Exported {
    /// The draft of a session.
    Draft(SessionId),
    /// Its transcript.
    Transcript(SessionId),
    /// The drafts of a collection, in order.
    Collection(CollectionId),
}

/// What there is to export to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Outlet {
    /// The folder files go to when the writer says nothing else.
    pub folder: String,
    /// Whether pandoc is installed.
    pub pandoc: bool,
}

/// Why nothing was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unwritten {
    /// A file of that name is there.
    There(String),
    /// Another reason, and what to do.
    Not(String),
}
