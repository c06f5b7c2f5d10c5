//! The history an agent is given: the conversation as our log tells it.

use super::body::{Body, Item, Part};
use super::compact;
use super::event::{Seq, Status};

/// A conversation, oldest first. Ends with an answer or is empty; the new prompt is not in it.
pub type History = Vec<Message>;

/// Before a summary in what an agent is given.
const SUMMARY: &str =
    "[Summary of our conversation so far; its own words are no longer in front of you:]";
/// What stands as the answer to it, since every prompt needs one.
const TAKEN: &str = "I have read the summary and go on from there.";

/// What stands as the prompt of an answer that went on behind a summary: its own is part of that.
const WENT_ON: &str = "(You went on from there.)";

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

/// A conversation with its joints: it can be cut before each of its prompts and nowhere else.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Exchanges {
    /// What stands for all that was said before.
    pub summary: Option<String>,
    /// The turns behind it, oldest first.
    pub turns: Vec<Exchange>,
}

/// A prompt and its answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Exchange {
    /// The prompt's event.
    pub from: Seq,
    /// Both, the prompt first.
    pub said: History,
    /// Its turn ended as it should: an answer is there, and whole.
    pub answered: bool,
}

impl Exchange {
    const fn new(from: Seq, said: History) -> Self {
        Self {
            from,
            said,
            answered: false,
        }
    }
}

impl Exchanges {
    /// What an agent is given of it.
    pub fn history(&self) -> History {
        self.clone().into_history()
    }

    /// How many of the last turns have no whole answer.
    pub fn unanswered(&self) -> usize {
        let last = self.turns.iter().rev();
        last.take_while(|turn| !turn.answered).count()
    }

    /// The same, of one that is needed no more: a long one is not held twice.
    pub fn into_history(self) -> History {
        let mut out = History::new();
        if let Some(summary) = &self.summary {
            out.push(Message::User(format!("{SUMMARY}\n\n{summary}")));
            out.push(Message::Agent(vec![Said::Words(TAKEN.to_owned())]));
        }
        out.extend(self.turns.into_iter().flat_map(|t| t.said));
        out
    }
}

/// The conversation in a body. A call without a result becomes words: what was written of its argument.
/// A turn that left no words at all is answered by a line that says so, since every prompt needs an answer.
pub fn history(body: &Body) -> History {
    exchanges(body).into_history()
}

/// The same, with its joints. It begins behind the newest summary that stands for its beginning; prompts that ordered
/// one are no part of it.
pub fn exchanges(body: &Body) -> Exchanges {
    let summary = body.items.iter().rev().find_map(|item| match item {
        Item::Compacted { what, .. } if !what.by_agent() && !what.summary.is_empty() => Some(what),
        _ => None,
    });
    let mut out = Exchanges {
        summary: summary.map(|s| s.summary.shown().to_owned()),
        turns: Vec::new(),
    };
    let behind = |item: &&Item| summary.is_none_or(|s| item.seq() > s.upto);
    // In the middle of an answer an agent makes one for itself; what follows is still of that turn.
    let went_on = summary.is_some_and(|s| s.why != "asked");
    let mut ordered = false;
    for item in body.items.iter().filter(behind) {
        if let Item::Prompt { text, .. } = item {
            ordered = compact::focus(text.shown()).is_some();
        }
        if went_on && out.turns.is_empty() && says_something(item) {
            let said = vec![Message::User(WENT_ON.to_owned())];
            let from = item.seq();
            out.turns.push(Exchange::new(from, said));
        }
        if !ordered {
            take(&mut out.turns, item);
        }
    }
    answer_open(&mut out.turns);
    out
}

/// Whether it is a part of an answer that an agent is given.
fn says_something(item: &Item) -> bool {
    let said = match item {
        Item::Part { part, .. } => said(part),
        _ => None,
    };
    said.is_some_and(|said| !matches!(said, Said::Words(w) if w.is_empty()))
}

fn take(turns: &mut Vec<Exchange>, item: &Item) {
    match item {
        Item::Prompt { seq, text, .. } => {
            answer_open(turns);
            let said = vec![Message::User(text.shown().to_owned())];
            turns.push(Exchange::new(*seq, said));
        }
        Item::Part { part, .. } => {
            if let Some(said) = said(part) {
                push(turns, said);
            }
        }
        Item::End { status, reason, .. } => end(turns, *status, reason.as_deref()),
        Item::Note { .. } | Item::Draft { .. } | Item::Compacted { .. } | Item::Unknown { .. } => {}
    }
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

/// Words before the first prompt that is known belong to nobody.
fn push(turns: &mut [Exchange], said: Said) {
    if matches!(&said, Said::Words(w) if w.is_empty()) {
        return;
    }
    let Some(turn) = turns.last_mut() else { return };
    match turn.said.last_mut() {
        Some(Message::Agent(parts)) => parts.push(said),
        _ => turn.said.push(Message::Agent(vec![said])),
    }
}

fn is_open(turns: &[Exchange]) -> bool {
    let last = turns.last().and_then(|t| t.said.last());
    matches!(last, Some(Message::User(_)))
}

fn end(turns: &mut Vec<Exchange>, status: Status, reason: Option<&str>) {
    if is_open(turns) && status == Status::Failed && compact::never_taken(reason) {
        turns.pop();
        return;
    }
    if let Some(turn) = turns.last_mut() {
        turn.answered = status == Status::Ok;
    }
    if is_open(turns) && status != Status::Ok {
        let why = reason.unwrap_or("the turn was cut");
        push(turns, Said::Words(format!("(No answer: {why}.)")));
    }
}

fn answer_open(turns: &mut [Exchange]) {
    if is_open(turns) {
        push(turns, Said::Words("(No answer.)".to_owned()));
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::super::event::{Compacted, Event, Kind};
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
    fn a_prompt_that_is_too_long_by_itself_is_no_part_of_the_conversation() {
        let failed = |turn, why: &str| Kind::TurnFinished {
            turn,
            status: Status::Failed,
            reason: Some(why.to_owned()),
            events: 0,
            crc32: String::new(),
        };
        // As logs hold it: in other words it would not be known in those that are there.
        let why = "This is too long for the model, and no summary makes it shorter.";
        let got = of(vec![
            prompt(1, "One."),
            answer(1, "First."),
            prompt(2, "A book."),
            failed(2, why),
            prompt(3, "Three."),
        ]);
        let said: Vec<&str> = got.iter().map(says).collect();
        assert_eq!(said, ["One.", "First.", "Three.", "(No answer.)"]);
    }

    #[test]
    fn a_prompt_waits_for_its_answer_until_its_turn_ends_as_it_should() {
        let ended = |turn, status| Kind::TurnFinished {
            turn,
            status,
            reason: None,
            events: 0,
            crc32: String::new(),
        };
        let mut kinds = vec![prompt(1, "One."), answer(1, "First."), ended(1, Status::Ok)];
        let waiting = |kinds: &[Kind]| {
            let event = |(seq, kind): (usize, &Kind)| Event {
                seq: seq as u64,
                ts: 0,
                kind: kind.clone(),
            };
            let events: Vec<Event> = kinds.iter().enumerate().map(event).collect();
            exchanges(&replay(&events).body).unanswered()
        };
        assert_eq!(waiting(&kinds), 0);
        kinds.extend([prompt(2, "Two."), ended(2, Status::Failed)]);
        kinds.extend([prompt(3, "Three."), answer(3, "Thi")]);
        kinds.push(ended(3, Status::Interrupted));
        assert_eq!(waiting(&kinds), 2);
        kinds.extend([prompt(4, "/compact"), ended(4, Status::Ok)]);
        assert_eq!(waiting(&kinds), 2, "an order answers nothing");
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

    fn compacted(turn: u32, upto: u64, summary: &str, why: &str) -> Kind {
        Kind::Compacted(Compacted {
            turn,
            upto,
            summary: summary.into(),
            why: why.into(),
            before: None,
            after: None,
            messages: None,
        })
    }

    fn answer(turn: u32, text: &str) -> Kind {
        let text = text.into();
        let block = 0;
        Kind::Message { turn, block, text }
    }

    fn says(message: &Message) -> &str {
        match message {
            Message::User(text) => text,
            Message::Agent(parts) => match &parts[0] {
                Said::Words(text) => text,
                Said::Call { name, .. } => name,
            },
        }
    }

    #[test]
    fn a_summary_stands_for_all_up_to_its_event_and_nothing_behind_it() {
        let kinds = vec![
            prompt(1, "One."),
            answer(1, "First."),
            prompt(2, "Two."),
            answer(2, "Second."),
            prompt(3, "Three."),
            compacted(3, 1, "They began.", "full"),
            answer(3, "Third."),
        ];
        let got = of(kinds.clone());
        let said: Vec<&str> = got.iter().map(says).collect();
        assert!(said[0].starts_with(SUMMARY) && said[0].ends_with("They began."));
        assert_eq!(said[1..], [TAKEN, "Two.", "Second.", "Three.", "Third."]);
        let mut again = kinds;
        again.extend([
            prompt(4, "Four."),
            compacted(4, 6, "They went on.", "refused"),
        ]);
        let got = of(again);
        let said: Vec<&str> = got.iter().map(says).collect();
        assert!(said[0].ends_with("They went on."));
        assert_eq!(said[1..], [TAKEN, "Four.", "(No answer.)"]);
    }

    #[test]
    fn an_answer_that_went_on_behind_its_summary_is_sent_from_there() {
        let got = of(vec![
            prompt(1, "One."),
            answer(1, "First."),
            compacted(1, 1, "They began.", "full"),
            Kind::Message {
                turn: 1,
                block: 1,
                text: "Second.".into(),
            },
            prompt(2, "Two."),
        ]);
        let said: Vec<&str> = got.iter().map(says).collect();
        assert!(said[0].ends_with("They began."));
        assert_eq!(
            said[1..],
            [TAKEN, WENT_ON, "Second.", "Two.", "(No answer.)"]
        );
    }

    #[test]
    fn what_an_agent_did_to_its_own_record_changes_nothing() {
        let got = of(vec![
            prompt(1, "One."),
            answer(1, "First."),
            compacted(1, 0, "Its own.", "agent"),
        ]);
        assert_eq!(got.iter().map(says).collect::<Vec<_>>(), ["One.", "First."]);
    }

    #[test]
    fn an_order_for_a_summary_is_no_part_of_the_conversation() {
        let got = of(vec![
            prompt(1, "One."),
            answer(1, "First."),
            prompt(2, "/compact the motif"),
            answer(2, "Compacted."),
            prompt(3, "Three."),
            answer(3, "Third."),
        ]);
        let said: Vec<&str> = got.iter().map(says).collect();
        assert_eq!(said, ["One.", "First.", "Three.", "Third."]);
    }
}
