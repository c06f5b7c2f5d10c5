//! The history an agent is given: the conversation as our log tells it.

use super::body::{Body, Item, Part};
use super::event::Status;

/// A conversation, oldest first. Ends with an answer or is empty; the new prompt is not in it.
pub type History = Vec<Message>;

/// One side's say.
#[derive(Clone, PartialEq, Debug)]
pub enum Message {
    /// The writer's prompt.
    User(String),
    /// The agent's answer, in order of its parts.
    Agent(Vec<Said>),
}

/// Part of an answer.
#[derive(Clone, PartialEq, Debug)]
pub enum Said {
    /// Words. Those of a cut turn are as far as they were read.
    Words(String),
    /// A tool call with its result.
    Call {
        /// The call.
        call: String,
        /// Name of the tool.
        name: String,
        /// Argument as JSON.
        input: String,
        /// What the agent was told.
        output: String,
        /// Whether it did what was asked.
        ok: bool,
    },
}

/// The conversation in a body. A call without a result becomes words: what was written of its argument.
/// A turn that left no words at all is answered by a line that says so, since every prompt needs an answer.
pub fn history(body: &Body) -> History {
    let mut out = History::new();
    for item in &body.items {
        match item {
            Item::Prompt { text, .. } => {
                answer_open(&mut out);
                out.push(Message::User(text.shown().to_owned()));
            }
            Item::Part { part, .. } => {
                if let Some(said) = said(part) {
                    push(&mut out, said);
                }
            }
            Item::End { status, reason, .. } => end(&mut out, *status, reason.as_deref()),
            Item::Note { .. } | Item::Draft { .. } | Item::Unknown { .. } => {}
        }
    }
    answer_open(&mut out);
    out
}

fn said(part: &Part) -> Option<Said> {
    match part {
        Part::Words { text, .. } => Some(Said::Words(text.shown().to_owned())),
        Part::Call {
            done: Some(done),
            call,
            name,
            input,
            ..
        } => Some(Said::Call {
            call: call.clone(),
            name: name.clone(),
            input: input.shown().to_owned(),
            output: done.output.shown().to_owned(),
            ok: done.ok,
        }),
        Part::Call { input, .. } if !input.is_empty() => {
            Some(Said::Words(input.shown().to_owned()))
        }
        Part::Call { .. } | Part::Thinking { .. } | Part::Asked { .. } => None,
    }
}

fn push(out: &mut History, said: Said) {
    if matches!(&said, Said::Words(w) if w.is_empty()) {
        return;
    }
    if let Some(Message::Agent(parts)) = out.last_mut() {
        parts.push(said);
    } else if !out.is_empty() {
        out.push(Message::Agent(vec![said]));
    }
}

fn end(out: &mut History, status: Status, reason: Option<&str>) {
    let silent = matches!(out.last(), Some(Message::User(_)));
    if silent && status != Status::Ok {
        let why = reason.unwrap_or("the turn was cut");
        push(out, Said::Words(format!("(No answer: {why}.)")));
    }
}

fn answer_open(out: &mut History) {
    if matches!(out.last(), Some(Message::User(_))) {
        push(out, Said::Words("(No answer.)".to_owned()));
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::super::event::{Event, Kind};
    use super::super::session::replay;
    use super::*;
    use crate::domain::event::Abandoned;

    fn of(kinds: Vec<Kind>) -> History {
        let events: Vec<Event> = kinds
            .into_iter()
            .enumerate()
            .map(|(i, kind)| Event {
                seq: i as u64,
                ts: 0,
                kind,
            })
            .collect();
        history(&replay(&events).body)
    }

    fn prompt(turn: u32, text: &str) -> Kind {
        Kind::Prompt {
            turn,
            text: text.into(),
            queued: None,
        }
    }

    #[test]
    fn a_cut_turn_keeps_the_words_that_were_read() {
        let got = of(vec![
            prompt(1, "Begin."),
            Kind::Delta {
                turn: 1,
                block: 0,
                text: "The mor".into(),
            },
            Kind::Delta {
                turn: 1,
                block: 0,
                text: "ning".into(),
            },
        ]);
        assert_eq!(
            got,
            [
                Message::User("Begin.".into()),
                Message::Agent(vec![Said::Words("The morning".into())])
            ]
        );
    }

    #[test]
    fn every_prompt_has_an_answer() {
        let got = of(vec![
            prompt(1, "Begin."),
            Kind::TurnFinished {
                turn: 1,
                status: Status::Failed,
                reason: Some("no server".into()),
                events: 0,
                crc32: String::new(),
            },
            prompt(2, "Again."),
        ]);
        assert_eq!(got.len(), 4);
        assert_eq!(
            got[1],
            Message::Agent(vec![Said::Words("(No answer: no server.)".into())])
        );
    }

    #[test]
    fn abandoned_words_are_not_part_of_the_conversation() {
        let got = of(vec![
            prompt(1, "Begin."),
            Kind::Delta {
                turn: 1,
                block: 0,
                text: "Wrong".into(),
            },
            Kind::Abandoned(Abandoned {
                turn: 1,
                from: 0,
                to: 0,
            }),
            Kind::Delta {
                turn: 1,
                block: 1,
                text: "Right".into(),
            },
        ]);
        assert_eq!(got[1], Message::Agent(vec![Said::Words("Right".into())]));
    }
}
