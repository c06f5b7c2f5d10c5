//! What was told of a session so far: its words from where reading began, and what came before that.

use std::cell::Cell;

use super::times::Times;
use crate::domain::body::{Body, Item, Part};
use crate::domain::event::Kind;
use crate::domain::{Event, Head, Seq, Session, TurnNo, session};

impl super::Transcript {
    /// Whether a turn put a text before the writer, as far as its words are here.
    pub fn proposed_in(&self, of: TurnNo) -> bool {
        let proposes = |part: &Part| {
            matches!(
                part,
                Part::Call {
                    proposes: Some(_),
                    ..
                }
            )
        };
        let is_its = |item: &Item| matches!(item, Item::Part { turn, part, .. } if *turn == of && proposes(part));
        self.told.items().iter().any(is_its)
    }
}

/// A session, loaded from its end.
#[derive(Debug, Default)]
pub(super) struct Told {
    pub(super) session: Session,
    pub(super) times: Times,
    /// History is told.
    pub(super) live: bool,
    /// Older events exist.
    pub(super) more: bool,
    first: Option<Seq>,
    pub(super) last: Option<Seq>,
    /// Events loaded before the first prompt: the rest of a turn whose beginning is not loaded. They are
    /// read again together with the page that holds it.
    edge: Vec<Event>,
    whole: bool,
    asked: Cell<bool>,
    /// Bytes of the words told, about.
    pub(super) weight: usize,
}

/// How the items at the front changed: so many became so many others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Joined {
    pub(super) old: usize,
    pub(super) new: usize,
}

impl Told {
    pub(super) fn new(head: Head, more: bool) -> Self {
        Self {
            session: Session {
                head,
                body: Body::default(),
            },
            more,
            whole: !more,
            ..Self::default()
        }
    }

    pub(super) fn items(&self) -> &[Item] {
        &self.session.body.items
    }

    /// Takes in the next event; says from which item on things changed.
    pub(super) fn apply(&mut self, event: &Event) -> Option<usize> {
        if self.last.is_some_and(|last| event.seq <= last) {
            return None;
        }
        self.first = self.first.or(Some(event.seq));
        self.last = Some(event.seq);
        self.weight += weight(&event.kind);
        self.whole |= matches!(event.kind, Kind::Prompt { .. });
        if !self.whole {
            self.edge.push(event.clone());
        }
        // The head came whole: only what is newer changes it.
        if self.session.head.last.is_none_or(|last| event.seq > last) {
            session::apply(&mut self.session, event);
        } else {
            self.session.body.apply(event);
        }
        self.times.note(event, &self.session.body);
        Some(self.session.body.dirty)
    }

    /// Takes in the page before; says how the front changed.
    pub(super) fn older(&mut self, events: &[Event], more: bool) -> Joined {
        self.more = more;
        self.asked.set(false);
        let Some(first) = events.first() else {
            return Joined { old: 0, new: 0 };
        };
        self.first = Some(first.seq);
        self.weight += events.iter().map(|e| weight(&e.kind)).sum::<usize>();
        let mut body = Body::default();
        for event in events.iter().chain(&self.edge) {
            body.apply(event);
            self.times.note(event, &body);
        }
        let items = &mut self.session.body.items;
        let prompt = items.iter().position(|i| matches!(i, Item::Prompt { .. }));
        let joined = Joined {
            old: prompt.unwrap_or(items.len()),
            new: body.items.len(),
        };
        drop(items.splice(..joined.old, body.items));
        self.new_edge(events);
        joined
    }

    fn new_edge(&mut self, events: &[Event]) {
        let prompt = events
            .iter()
            .position(|e| matches!(e.kind, Kind::Prompt { .. }));
        let rest = prompt.map_or_else(|| std::mem::take(&mut self.edge), |_| Vec::new());
        let before = events.get(..prompt.unwrap_or(events.len()));
        self.edge = before.unwrap_or_default().to_vec();
        self.edge.extend(rest);
        self.whole |= prompt.is_some();
    }

    /// Whether nothing older than an event is missing.
    pub(super) fn reaches(&self, seq: Seq) -> bool {
        !self.more || self.first.is_some_and(|first| first <= seq)
    }

    /// The number before which to ask for a page, once.
    pub(super) fn ask_older(&self) -> Option<Seq> {
        let before = self.first.or(self.session.head.last.map(|last| last + 1));
        if !self.more || self.asked.replace(true) {
            return None;
        }
        before
    }
}

/// Bytes that stay of an event, about.
fn weight(kind: &Kind) -> usize {
    match kind {
        Kind::Prompt { text, .. }
        | Kind::Delta { text, .. }
        | Kind::Thinking { text, .. }
        | Kind::ToolDelta { text, .. } => text.shown().len(),
        Kind::ToolFinished { output, .. } => output.shown().len(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use proptest::prelude::*;

    use super::*;
    use crate::domain::event::Status;

    fn story() -> Vec<Event> {
        let mut kinds = Vec::new();
        for turn in 1..=4 {
            kinds.push(Kind::Prompt {
                turn,
                text: "Go on.".into(),
                queued: None,
            });
            kinds.push(Kind::TurnStarted {
                turn,
                agent: "claude".into(),
                agent_session: None,
                model: None,
                resume: false,
            });
            for n in 0..5 {
                kinds.push(Kind::Thinking {
                    turn,
                    block: 0,
                    text: format!("hm {n} ").into(),
                });
                kinds.push(Kind::Delta {
                    turn,
                    block: 1,
                    text: format!("word {n} ").into(),
                });
                let call = format!("c{turn}");
                kinds.push(Kind::ToolDelta {
                    turn,
                    call,
                    name: "write_draft".into(),
                    text: "{\"".into(),
                });
            }
            kinds.push(Kind::Note {
                turn: Some(turn),
                text: "a note".into(),
            });
            kinds.push(Kind::TurnFinished {
                turn,
                status: Status::Interrupted,
                reason: None,
                events: 0,
                crc32: String::new(),
            });
            kinds.push(Kind::Note {
                turn: None,
                text: "between".into(),
            });
        }
        let number = |(i, kind)| Event {
            seq: i as u64,
            ts: i64::try_from(i).unwrap() * 100,
            kind,
        };
        kinds.into_iter().enumerate().map(number).collect()
    }

    proptest! {
        #[test]
        fn pages_in_any_cut_join_to_what_one_reading_gives(mut cuts in prop::collection::vec(0usize..80, 0..6)) {
            let events = story();
            for cut in &mut cuts {
                *cut %= events.len();
            }
            cuts.push(0);
            cuts.sort_unstable();
            let whole = session::replay(&events);
            let tail = cuts.pop().unwrap();
            let mut told = Told::new(whole.head.clone(), tail > 0);
            for event in events.get(tail..).unwrap() {
                told.apply(event);
            }
            let mut end = tail;
            while let Some(start) = cuts.pop() {
                prop_assert_eq!(told.ask_older(), told.more.then_some(end as u64));
                prop_assert_eq!(told.ask_older(), None);
                told.older(events.get(start..end).unwrap(), start > 0);
                end = start;
            }
            prop_assert_eq!(&told.session.body.items, &whole.body.items);
            prop_assert_eq!(&told.session.head, &whole.head);
        }
    }
}
