//! Requests under way, and what each was for.

use std::collections::HashMap;

use super::app::Bringing;
use super::app::search::Searched;
use super::compare::Side;
use super::input::Tag;
use crate::domain::{CollectionId, Seq, SessionId, Text, TurnNo};

/// What a reply is for.
#[derive(Clone, PartialEq, Debug)]
pub enum Purpose {
    /// Unsent text is being kept.
    Keep(Option<SessionId>),
    /// Unsent text comes back to a desk.
    Unsent(Option<SessionId>),
    /// A first prompt was sent; the session will exist.
    New,
    /// A prompt was sent from its own composer.
    Send(SessionId),
    /// Done: this is to be said.
    Say(String),
    /// A deed on a session: what to say, and that it can be undone.
    Deed(SessionId, String),
    /// A deed of a session is undone, or done again; whether it is tried again later where it is refused.
    Undone(SessionId, bool),
    /// The turn of a session was told to stop.
    Stop(SessionId),
    /// A question was answered.
    Answer(SessionId, String),
    /// A collection was made, to be shown; its title.
    Collection(String),
    /// The draft's path, to be opened in the editor.
    Edit(SessionId),
    /// The draft again, after the editor.
    Edited,
    /// The session of a turn that goes on, by its title.
    Again(String),
    /// A waiting prompt got these words.
    Requeue(SessionId, String),
    /// A session was made for a recipe; what is said when it is there.
    Begin(String),
    /// Something about the host.
    Host(Hosting),
    /// A waiting prompt comes back into the composer.
    Unqueue(SessionId),
    /// Older events of a session.
    Older(SessionId),
    /// A whole text, to be read under a title; without one, for the clipboard.
    Whole(Option<String>),
    /// The end of a turn was on screen.
    Seen,
    /// Something in a family.
    Kin(Kinship),
    /// Histories from elsewhere come in.
    Import(Box<Bringing>),
    /// The draft of a session, as it is written in the window.
    Draft(SessionId, Drafting),
    /// Something about collections.
    Drawer(Filing),
    /// Something in a view of texts beside each other.
    Compare(Compared),
}

/// What is asked about collections.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Filing {
    /// A change of what they say of themselves; what to say then.
    Changed(String),
    /// A change of one is undone, or made again.
    Undone,
    /// A session goes to another one; what to say then.
    Moved(SessionId, CollectionId, String),
    /// The beginning of its profile.
    Profile(CollectionId),
    /// A folder of files becomes one.
    Gathered,
    /// A piece that begins with its draft.
    Piece,
    /// A piece is marked done; what to say then.
    Finished(SessionId, String),
    /// The words of a draft, to be checked against the writer's voice; what else is to be said, if anything.
    Checked(SessionId, Option<String>),
}

/// What a view of texts beside each other asks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Compared {
    /// A text.
    Text(Side),
    /// The versions of a draft.
    Versions(SessionId),
    /// Words are taken into a draft; what to say then.
    Take(SessionId, String),
    /// A proposal is refused; what to say then.
    Dismiss(String),
    /// The brief of a session, as it is or as a turn was sent it.
    Brief(SessionId, Option<TurnNo>),
    /// Words that are looked for in everything; counted.
    Words(u32),
    /// The memory of a collection.
    Memory(CollectionId, Keeping),
}

/// What is asked about a memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Keeping {
    /// How it is now.
    Look,
    /// A deed on it; what to say then.
    Done(String),
    /// A proposal accepted in the writer's words: what to say then, which one, and the words.
    InWords(String, Seq, String),
    /// The text of a version of a file.
    Version(String, Seq),
}

/// What is asked about the host.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hosting {
    /// What host it is that does not let itself be attached.
    Look,
    /// The host ends, to be started anew.
    Restart,
}

/// What is asked about families.
#[derive(Clone, PartialEq, Debug)]
pub enum Kinship {
    /// A variant of a session, to write in; the prompt that stood where it was forked.
    Fork(SessionId, Option<Text>),
    /// A variant of a session, for a prompt; what of that is its own.
    Try(SessionId, String),
    /// An adoption: what to say when it is done.
    Adopt(SessionId, String),
}

/// What is asked about a draft that is written in the window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Drafting {
    /// Its text.
    Text,
    /// That what was typed is kept.
    Typed,
    /// That it becomes a version.
    Settled,
    /// Its newest version, where the host only reads.
    Saved,
    /// That words an earlier window was not rid of are kept; the event they were typed on.
    Kept(Seq),
}

/// The requests under way.
#[derive(Debug, Default)]
pub struct Asks {
    last: Tag,
    open: HashMap<Tag, Purpose>,
    /// What is looked for in everything, moment by moment.
    pub(super) searched: Searched,
}

impl Asks {
    /// A tag for a new request.
    pub fn begin(&mut self, purpose: Purpose) -> Tag {
        self.last += 1;
        self.open.insert(self.last, purpose);
        self.last
    }

    /// What a reply was for; none when nobody waits for it.
    pub fn end(&mut self, tag: Tag) -> Option<Purpose> {
        self.open.remove(&tag)
    }

    /// Whether a request of such a purpose is under way.
    pub fn has_any(&self, of: impl Fn(&Purpose) -> bool) -> bool {
        self.open.values().any(of)
    }
}
