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

/// Takes in one event. They come in the order of their numbers, each once. The first may be any: what lies before it is
/// then missing from the body, and from the head, unless that was set to the one of the whole log.
pub fn apply(session: &mut Session, event: &Event) {
    session.head.apply(event);
    session.body.apply(event);
}

/// Folds events in the order given.
///
/// ```
/// use fascicle::domain::session::replay;
/// use fascicle::domain::{Event, Kind};
///
/// let events = ["Letter", "Letter, first person"].map(String::from);
/// let events = (0..).zip(events).map(|(seq, title)| Event {
///     seq,
///     ts: 1_764_500_000_000,
///     kind: Kind::Renamed { title },
/// });
/// let events: Vec<Event> = events.collect();
/// assert_eq!(replay(&events).head.title(), "Letter, first person");
/// ```
pub fn replay<'a>(events: impl IntoIterator<Item = &'a Event>) -> Session {
    let mut session = Session::default();
    for event in events {
        apply(&mut session, event);
    }
    session
}
