//! What an agent writes into the draft, while it writes it: read from the argument of its call as that comes.

use super::Transcript;
use super::cell::WRITTEN;
use super::peek::Peek;
use crate::domain::body::{Item, Part};
use crate::text::{count, one_line};

/// The tool that writes a whole draft.
const WHOLE: &str = "write_draft";

/// The text of the call that was read last.
#[derive(Debug, Default)]
pub(super) struct Written {
    call: String,
    peek: Peek,
}

/// A call that writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Writing<'a> {
    /// Whose it is.
    agent: Option<&'a str>,
    /// The draft, as far as it was written; none where only a place in it is changed.
    pub text: Option<&'a str>,
    /// It has ended; the draft is about to be this.
    pub done: bool,
}

impl Writing<'_> {
    /// What is said of it.
    pub fn told(&self) -> String {
        let agent = self.agent.map_or_else(|| "The agent".to_owned(), one_line);
        match self.text.map(count) {
            None => format!("{agent} is changing this draft."),
            Some(1) => format!("{agent} is writing this draft: 1 word so far."),
            Some(n) => {
                let n = crate::text::thousands(n);
                format!("{agent} is writing this draft: {n} words so far.")
            }
        }
    }
}

impl Transcript {
    /// The newest call of the turn that runs, when it writes to the draft.
    pub fn writing(&mut self) -> Option<Writing<'_>> {
        if !self.told.session.head.is_open() {
            return None;
        }
        let last = self.told.items().iter().rev().find_map(|item| match item {
            Item::Part {
                agent,
                part:
                    Part::Call {
                        call,
                        name,
                        input,
                        done,
                        ..
                    },
                ..
            } => Some((agent, call, name, input, done)),
            _ => None,
        });
        let (agent, call, name, input, done) = last.filter(|l| super::cell::writes(l.2))?;
        let turn = self.told.session.head.turn.as_ref();
        let agent = agent.as_deref().or_else(|| turn?.agent.as_deref());
        let failed = done.as_ref().is_some_and(|d| !d.ok);
        let whole = name == WHOLE;
        if failed || !whole && done.is_some() {
            return None;
        }
        let done = done.is_some();
        let json = input.shown();
        if self.written.call != *call || self.written.peek.taken() > json.len() {
            self.written = Written {
                call: call.clone(),
                peek: Peek::new(WRITTEN),
            };
        }
        self.written.peek.grow(json);
        let text = whole.then_some(self.written.peek.text.as_str());
        Some(Writing { agent, text, done })
    }
}
