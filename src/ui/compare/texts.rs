//! The texts of the views: asked of the host once, and again when it tells that a draft has changed.

use std::collections::HashMap;
use std::sync::Arc;

use super::{At, Side};
use crate::domain::{Event, Head, Kind, Notice, Seq, SessionId};
use crate::ui::input::Ticket;

/// Versions kept after they were looked at.
const KEPT: usize = 48;

/// A text as it was given.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Known {
    /// The text; none until it has come.
    pub text: Option<Arc<str>>,
    /// The event it is as of; none where nothing was written yet.
    pub version: Option<Seq>,
    /// Why it cannot be had, or not be written.
    pub wrong: Option<String>,
    /// It is on its way.
    asked: bool,
    /// It is to be asked for again.
    stale: bool,
}

/// The attachment to a session whose draft is shown.
#[derive(Debug)]
pub struct Watch {
    /// Its name.
    pub ticket: Ticket,
    /// The session's head, as told.
    pub head: Head,
}

/// All of them.
#[derive(Debug, Default)]
pub struct Texts {
    known: HashMap<Side, Known>,
    watched: HashMap<SessionId, Watch>,
}

impl Texts {
    /// A text as far as it is known.
    pub fn get(&self, side: Side) -> Option<&Known> {
        self.known.get(&side)
    }

    /// The words of a text, once they have come.
    pub fn text(&self, side: Side) -> Option<Arc<str>> {
        if side.at == At::Nothing {
            return Some(Arc::from(""));
        }
        self.known.get(&side)?.text.clone()
    }

    /// The event that a text is as of.
    pub fn version(&self, side: Side) -> Option<Seq> {
        match side.at {
            At::Version(seq) | At::Proposed(seq) => Some(seq),
            At::Draft => self.known.get(&side)?.version,
            At::Nothing => None,
        }
    }

    /// The head of a session that is watched.
    pub fn head(&self, session: SessionId) -> Option<&Head> {
        self.watched.get(&session).map(|w| &w.head)
    }

    /// Those of some texts that are to be asked for; from now on they are on their way.
    pub fn wanted(&mut self, sides: &[Side]) -> Vec<Side> {
        let mut out = Vec::new();
        for side in sides.iter().filter(|s| s.at != At::Nothing) {
            let known = self.known.entry(*side).or_insert(Known {
                stale: true,
                ..Known::default()
            });
            if known.stale && !known.asked {
                (known.asked, known.stale) = (true, false);
                out.push(*side);
            }
        }
        out
    }

    /// Lets go of what is not shown, but for some versions.
    pub fn keep(&mut self, sides: &[Side]) {
        let many = self.known.len() > KEPT;
        self.known.retain(|side, known| {
            sides.contains(side) || known.asked || (!many && matches!(side.at, At::Version(_)))
        });
    }

    /// A text came.
    pub fn came(&mut self, side: Side, text: &str, version: Option<Seq>, locked: Option<String>) {
        if let Some(known) = self.known.get_mut(&side) {
            let same = known.text.as_deref() == Some(text);
            known.asked = false;
            known.version = version;
            known.wrong = locked;
            if !same {
                known.text = Some(Arc::from(text));
            }
        }
    }

    /// It cannot be had.
    pub fn refused(&mut self, side: Side, why: &str) {
        if let Some(known) = self.known.get_mut(&side) {
            known.asked = false;
            known.wrong = Some(why.to_owned());
        }
    }

    /// The draft of a session is another now.
    pub fn touch(&mut self, session: SessionId) {
        for (side, known) in &mut self.known {
            if side.session == session && side.at == At::Draft {
                known.stale = true;
            }
        }
    }

    /// The host is there again: what it did not answer is asked for anew.
    pub fn host_is_there(&mut self) {
        for known in self.known.values_mut() {
            (known.asked, known.stale) = (false, true);
        }
    }

    /// Sessions that are to be attached, of those that are shown.
    pub fn unwatched(&self, sessions: &[SessionId]) -> Vec<SessionId> {
        let missing = sessions.iter().filter(|s| !self.watched.contains_key(s));
        missing.copied().collect()
    }

    /// A session is attached.
    pub fn watch(&mut self, session: SessionId, ticket: Ticket) {
        let head = Head::default();
        self.watched.insert(session, Watch { ticket, head });
    }

    /// Lets go of the attachments of sessions that are not shown.
    pub fn unwatch(&mut self, sessions: &[SessionId]) -> Vec<Ticket> {
        let gone = self.watched.extract_if(|s, _| !sessions.contains(s));
        gone.map(|(_, watch)| watch.ticket).collect()
    }

    /// An attachment has ended; false when it is none of these.
    pub fn unlink(&mut self, ticket: Ticket) -> bool {
        let before = self.watched.len();
        self.watched.retain(|_, watch| watch.ticket != ticket);
        before != self.watched.len()
    }

    /// Takes in what an attachment tells; the session, and the event when it is one.
    pub fn hear<'a>(
        &mut self,
        ticket: Ticket,
        notice: &'a Notice,
    ) -> Option<(SessionId, Option<&'a Event>)> {
        let mut watched = self.watched.iter_mut();
        let (session, watch) = watched.find(|(_, w)| w.ticket == ticket)?;
        let session = *session;
        let mut heard = None;
        match notice {
            Notice::Opened { head, .. } | Notice::Head(head) => watch.head = (**head).clone(),
            Notice::Event(event) => {
                watch.head.apply(event);
                heard = Some(event);
            }
            _ => {}
        }
        if heard.is_some_and(|e| is_of_draft(&e.kind)) {
            self.touch(session);
        }
        Some((session, heard))
    }
}

fn is_of_draft(kind: &Kind) -> bool {
    matches!(kind, Kind::DraftSaved { .. } | Kind::DraftEdited { .. })
}
