//! The briefs that a session's agents were sent, read from its log.

use crate::domain::brief::{Brief, Briefing, Mark, Sent, changed};
use crate::domain::event::{Event, MemoryInjected, TurnNo};
use crate::domain::{Kind, SessionId};
use crate::log::{LogError, Store};

/// What was sent, oldest first.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Trail {
    sent: Vec<(Sent, MemoryInjected)>,
    /// The newest turn; 0 where there was none.
    last: TurnNo,
}

impl Trail {
    /// Takes in the next event.
    pub fn take(&mut self, event: &Event) {
        if let Kind::MemoryInjected(injected) = &event.kind {
            let sent = Sent {
                turn: injected.turn,
                ts: event.ts,
            };
            self.sent.push((sent, injected.clone()));
        }
        if let Kind::Prompt { turn, .. } = &event.kind {
            self.last = self.last.max(*turn);
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
        let last = self.sent.last();
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
        if turn > self.last {
            return Ok(None);
        }
        let Some(n) = self.sent.iter().rposition(|(sent, _)| sent.turn <= turn) else {
            return Ok(None);
        };
        let Some((sent, injected)) = self.sent.get(n) else {
            return Ok(None);
        };
        let before = n.checked_sub(1).and_then(|n| self.sent.get(n));
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

    /// What is said where a turn has no brief: a sentence with the turns there are.
    pub fn none_for(&self, turn: TurnNo) -> String {
        let first = self.sent.first().map(|(sent, _)| sent.turn);
        let none = format!("The log has no brief for turn {turn}");
        match (first, self.last) {
            (_, 0) => format!("{none}: this session has no turns yet."),
            (None, 1) => format!("{none}, nor for any: this session has turn 1 alone."),
            (None, last) => format!("{none}, nor for any: this session has the turns 1 to {last}."),
            (Some(first), last) if first >= last => format!("{none}: there is turn {last} alone."),
            (Some(first), last) => format!("{none}: there are the turns {first} to {last}."),
        }
    }

    fn sent(&self) -> Vec<Sent> {
        self.sent.iter().map(|(sent, _)| *sent).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prompt(turn: TurnNo) -> Event {
        let text = "Begin.".into();
        let queued = None;
        Event {
            seq: u64::from(turn),
            ts: 0,
            kind: Kind::Prompt { turn, text, queued },
        }
    }

    #[test]
    fn a_turn_without_a_brief_is_told_with_the_turns_there_are() {
        let mut trail = Trail::default();
        let none = "The log has no brief for turn 99";
        assert_eq!(
            trail.none_for(99),
            format!("{none}: this session has no turns yet.")
        );
        for turn in 1..=7 {
            trail.take(&prompt(turn));
        }
        let all = trail.none_for(99);
        assert!(
            all.starts_with(none) && all.ends_with("the turns 1 to 7."),
            "{all}"
        );
    }
}
