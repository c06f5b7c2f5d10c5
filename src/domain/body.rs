//! The words of a session: prompts, answers, tool calls, ends, in order.

mod call;
mod item;
mod words;

use super::event::{
    Adopted, Event, Forked, Imported, Kind, Raw, RecipeStarted, Retry, Status, TurnNo,
};
use super::{brief, damage};

pub use item::{Done, Item, Part};

/// What is said of an adoption: true whatever becomes of it.
const ADOPTED: &str = "This became the main line of its family.";
/// What is said of a turn that ended well and brought nothing.
const SILENT: &str = "The agent ended its turn without a word.";
/// What is said where it was taken back.
const REGRETTED: &str = "This is no longer the main line of its family: its adoption was undone.";

/// The transcript as a list of items. It may begin in the middle of a log: items of turns whose
/// prompt was not read are kept all the same.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Body {
    /// Oldest first.
    pub items: Vec<Item>,
    /// Index of the first item changed by the newest event: what lies before it is as it was.
    pub dirty: usize,
}

impl Body {
    /// Takes in one event.
    pub fn apply(&mut self, event: &Event) {
        self.dirty = self.items.len();
        self.apply_words(event);
        self.apply_call(event);
        let item = self.edge(event).or_else(|| note(event));
        if let Some(item) = item.or_else(|| self.regret(event)) {
            self.items.push(item);
        }
    }

    /// The beginning or the end of a turn, or of what agents are sent. Of a turn that ended well and brought nothing, that is
    /// the reason: its prompt would stand there as if it was not answered yet.
    fn edge(&mut self, event: &Event) -> Option<Item> {
        let mut item = edge(event)?;
        if let Item::End {
            turn,
            status: Status::Ok,
            reason: reason @ None,
            ..
        } = &mut item
            && self.is_silent(*turn)
        {
            *reason = Some(SILENT.to_owned());
        }
        Some(item)
    }

    /// Whether nothing stands behind the prompt of a turn. One whose prompt was not read may have brought anything.
    fn is_silent(&self, turn: TurnNo) -> bool {
        let mut back = self.items.iter().rev();
        let found = back.find(|item| !matches!(item, Item::Note { .. }));
        matches!(found, Some(Item::Prompt { turn: t, .. }) if *t == turn)
    }

    /// The line that takes back an adoption.
    fn regret(&self, event: &Event) -> Option<Item> {
        let Kind::Undone { deed } = &event.kind else {
            return None;
        };
        let is_it = |item: &Item| matches!(item, Item::Note { seq, text, .. } if seq == deed && text == ADOPTED);
        self.items.iter().rev().any(is_it).then(|| Item::Note {
            seq: event.seq,
            ts: event.ts,
            text: REGRETTED.to_owned(),
        })
    }

    /// The parts of a turn, newest first, each with its index.
    fn parts(&mut self, turn: TurnNo) -> impl Iterator<Item = (usize, &mut Part)> {
        self.items
            .iter_mut()
            .enumerate()
            .rev()
            .map_while(move |(i, item)| match item {
                Item::Part { turn: t, part, .. } if *t == turn => Some((i, Some(part))),
                Item::Prompt { .. } | Item::End { .. } => None,
                _ => Some((i, None)),
            })
            .filter_map(|(i, part)| part.map(|p| (i, p)))
    }

    /// Changes the newest part of a turn that takes the change; where none does, a new part begins.
    fn change_or_push(
        &mut self,
        event: &Event,
        turn: TurnNo,
        change: impl Fn(&mut Part) -> bool,
        new: impl FnOnce() -> Part,
    ) {
        let changed = self
            .parts(turn)
            .find_map(|(i, part)| change(part).then_some(i));
        match changed {
            Some(i) => self.dirty = i,
            None => self.push(event, turn, new()),
        }
    }

    fn push(&mut self, event: &Event, turn: TurnNo, part: Part) {
        self.items.push(Item::Part {
            seq: event.seq,
            ts: event.ts,
            turn,
            agent: None,
            part,
        });
    }

    /// Takes out items; the first of them is where the change begins.
    fn remove(&mut self, gone: impl Fn(&Item) -> bool) {
        let first = self.items.iter().position(&gone);
        self.dirty = first.unwrap_or(self.items.len());
        self.items.retain(|item| !gone(item));
    }
}

/// The beginning or the end of a turn, or of what agents are sent.
fn edge(event: &Event) -> Option<Item> {
    let (seq, ts) = (event.seq, event.ts);
    match &event.kind {
        Kind::Prompt { turn, text, .. } => Some(Item::Prompt {
            seq,
            ts,
            turn: *turn,
            text: text.clone(),
        }),
        Kind::TurnFinished {
            turn,
            status,
            reason,
            ..
        } => Some(Item::End {
            seq,
            ts,
            turn: *turn,
            status: *status,
            reason: reason.clone(),
        }),
        Kind::Compacted(what) => {
            let what = what.clone();
            Some(Item::Compacted { seq, ts, what })
        }
        _ => None,
    }
}

/// What is said of a history that came from elsewhere.
fn imports(imported: &Imported) -> String {
    let said = "Written from a history of Claude Code, which stays as it is".to_owned();
    match imported.unread_all {
        0 => format!("{said}."),
        1 => format!("{said}; one line of it could not be read."),
        n => format!("{said}; {n} lines of it could not be read."),
    }
}

/// A line to know.
fn note(event: &Event) -> Option<Item> {
    let (seq, ts) = (event.seq, event.ts);
    let text = match &event.kind {
        Kind::Note { text, .. } => text.clone(),
        Kind::Retry(Retry {
            attempt,
            wait_ms,
            why,
            ..
        }) => {
            let (wait, next) = (wait_ms.div_ceil(1000), attempt + 1);
            format!("{why}. Waiting {wait} s, then try {next}.")
        }
        Kind::RecipeStarted(RecipeStarted { title, steps, .. }) => {
            format!("The recipe “{title}” begins: {}.", steps.join(", "))
        }
        Kind::MemoryInjected(injected) => brief::told(injected)?,
        Kind::RecipePaused { why } => format!("The recipe waits: {why}."),
        Kind::RecipeEnded => "The recipe is over.".to_owned(),
        Kind::Forked(Forked { .. }) => {
            "A variant from here on; its parent goes on without it.".to_owned()
        }
        Kind::Adopted(Adopted { .. }) => ADOPTED.to_owned(),
        Kind::Imported(imported) => imports(imported),
        Kind::Raw(Raw { why, .. }) => {
            format!("A line of the agent was set aside ({why}); it is kept in the log.")
        }
        Kind::Recovered { damage, missing } => damage::told(damage, missing)?,
        Kind::Unknown { name } => {
            let name = name.clone();
            return Some(Item::Unknown { seq, name });
        }
        _ => return None,
    };
    Some(Item::Note { seq, ts, text })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;
    use crate::domain::SessionId;

    /// Why the last turn ended, as it is told.
    fn end_of(kinds: impl IntoIterator<Item = Kind>) -> Option<String> {
        let mut body = Body::default();
        for (seq, kind) in (1..).zip(kinds) {
            body.apply(&Event { seq, ts: 0, kind });
        }
        match body.items.pop() {
            Some(Item::End { reason, .. }) => reason,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_turn_that_ended_well_without_a_word_says_so() {
        let prompt = || Kind::Prompt {
            turn: 1,
            text: "And?".into(),
            queued: None,
        };
        let words = || Kind::Message {
            turn: 1,
            block: 0,
            text: "Then.".into(),
        };
        let end = |status| Kind::TurnFinished {
            turn: 1,
            status,
            reason: None,
            events: 0,
            crc32: String::new(),
        };
        let silent = end_of([prompt(), end(Status::Ok)]);
        assert_eq!(silent.as_deref(), Some(SILENT));
        assert_eq!(end_of([prompt(), words(), end(Status::Ok)]), None);
        assert_eq!(end_of([prompt(), end(Status::Interrupted)]), None);
        assert_eq!(
            end_of([end(Status::Ok)]),
            None,
            "what was before is not read"
        );
    }

    #[test]
    fn an_adoption_that_was_undone_is_not_the_last_word() {
        let id = |n| SessionId::new(uuid::Uuid::from_u128(n));
        let adopted = Kind::Adopted(Adopted {
            family: id(1),
            main: id(2),
            was: id(1),
            n: 1,
            folder: "a/one".to_owned(),
            other: "a/two".to_owned(),
            undoes: None,
        });
        let kinds = [adopted, Kind::Undone { deed: 9 }, Kind::Undone { deed: 4 }];
        let mut body = Body::default();
        for (seq, kind) in (4..).zip(kinds) {
            body.apply(&Event { seq, ts: 0, kind });
        }
        let said: Vec<&str> = body
            .items
            .iter()
            .filter_map(|item| match item {
                Item::Note { text, .. } => Some(text.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(said, [ADOPTED, REGRETTED]);
    }
}
