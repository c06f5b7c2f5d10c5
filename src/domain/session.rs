//! The one fold: what a session is, from its events. Replay, host and window use it alike.

use super::body::Body;
use super::event::Event;
use super::head::Head;

/// A session as its events say: the head always whole, the body from where reading began.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Session {
    /// Without the words.
    pub head: Head,
    /// The words.
    pub body: Body,
}

/// Takes in one event.
pub fn apply(session: &mut Session, event: &Event) {
    session.head.apply(event);
    session.body.apply(event);
}

/// Folds events in the order given.
pub fn replay<'a>(events: impl IntoIterator<Item = &'a Event>) -> Session {
    let mut session = Session::default();
    for event in events {
        apply(&mut session, event);
    }
    session
}
