//! The briefs that a session's agents were sent, read from its log.

use crate::domain::brief::{Brief, Briefing, Mark, Sent, changed};
use crate::domain::event::{Event, MemoryInjected, TurnNo};
use crate::domain::{Kind, SessionId};
use crate::log::{LogError, Store};

/// What was sent, oldest first.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Trail(Vec<(Sent, MemoryInjected)>);

impl Trail {
    /// Takes in the next event.
    pub fn take(&mut self, event: &Event) {
        if let Kind::MemoryInjected(injected) = &event.kind {
            let sent = Sent {
                turn: injected.turn,
                ts: event.ts,
            };
            self.0.push((sent, injected.clone()));
        }
    }

    /// The trail of a session.
    pub fn of(store: &Store, session: SessionId) -> Result<Self, LogError> {
        let mut trail = Self::default();
        for event in store.whole(session)? {
            trail.take(&event?);
        }
        Ok(trail)
    }

    /// The brief that the next turn gets, beside the one sent last.
    pub fn now(
        &self,
        store: &Store,
        session: SessionId,
        brief: Brief,
    ) -> Result<Briefing, LogError> {
        let last = self.0.last();
        let marks = Mark::all(last.map_or(&[][..], |(_, was)| &was.parts));
        Ok(Briefing {
            was: last
                .map(|(_, was)| store.text(session, &was.text))
                .transpose()?,
            changed: last.map_or_else(Vec::new, |_| changed(&marks, &Mark::all(&brief.parts))),
            turn: None,
            sent: self.sent(),
            brief,
        })
    }

    /// The brief that a turn was sent, beside the one before; none where the log has none for it.
    pub fn at(
        &self,
        store: &Store,
        session: SessionId,
        turn: TurnNo,
    ) -> Result<Option<Briefing>, LogError> {
        let Some(n) = self.0.iter().rposition(|(sent, _)| sent.turn <= turn) else {
            return Ok(None);
        };
        let Some((sent, injected)) = self.0.get(n) else {
            return Ok(None);
        };
        let before = n.checked_sub(1).and_then(|n| self.0.get(n));
        let text = |of: &MemoryInjected| store.text(session, &of.text);
        Ok(Some(Briefing {
            brief: Brief {
                text: text(injected)?,
                parts: injected.parts.clone(),
                problems: Vec::new(),
            },
            turn: Some(sent.turn),
            was: before.map(|(_, was)| text(was)).transpose()?,
            changed: injected.changed.clone(),
            sent: self.sent(),
        }))
    }

    fn sent(&self) -> Vec<Sent> {
        self.0.iter().map(|(sent, _)| *sent).collect()
    }
}
