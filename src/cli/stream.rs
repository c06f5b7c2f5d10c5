//! Events of a running turn as pieces to print: each word once, in order, whatever way it came.

use std::collections::BTreeMap;

use crate::domain::event::{Abandoned, Kind, Retry};
use crate::domain::{Event, Text};
use crate::text::{compacted, one_line};

/// What one event says to a reader.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Told {
    /// Nothing.
    Nothing,
    /// Words of the reply, with what parts them from the words before.
    Words(String),
    /// A line beside the reply.
    Aside(String),
    /// Words that lie in a blob.
    Blob {
        /// Its name.
        blob: String,
        /// What parts them from the words before.
        before: &'static str,
    },
}

/// What of a turn was printed so far.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Stream {
    printed: BTreeMap<u32, String>,
    block: Option<u32>,
    any: bool,
    /// Names of the tools called, by call.
    calls: BTreeMap<String, String>,
    /// The text of the call that runs stands beside the draft: that has been said.
    beside: bool,
}

impl Stream {
    /// Takes in the next event of the turn.
    pub(super) fn feed(&mut self, event: &Event) -> Told {
        match &event.kind {
            Kind::Delta { block, text, .. } => self.words(*block, text.shown()),
            Kind::Message { block, text, .. } => self.whole(*block, text),
            Kind::TurnRecovered { text, .. } => self.whole(u32::MAX, text),
            Kind::Abandoned(Abandoned { from, to, .. }) => {
                let had = self.printed.len();
                self.printed.retain(|b, _| !(from..=to).contains(&b));
                if self.printed.len() == had {
                    return Told::Nothing;
                }
                self.block = None;
                Told::Aside("\nThe agent begins its answer again.".to_owned())
            }
            Kind::Asked { what, .. } => Told::Aside(format!(
                "\nNeeds you: {what}\nAnswer with: fascicle answer ID once|session|deny"
            )),
            Kind::Retry(Retry { wait_ms, why, .. }) => {
                Told::Aside(format!("{why}. Waiting {} s.", wait_ms.div_ceil(1000)))
            }
            Kind::Note { text, .. } => Told::Aside(text.clone()),
            Kind::Compacted(what) => Told::Aside(format!("── {}.", compacted(what))),
            Kind::DraftSaved {
                beside: Some(other),
                added,
                removed,
                ..
            } => {
                self.beside = true;
                Told::Aside(format!(
                    "\n✎ of that in the draft: +{added} −{removed} words; paragraphs that were changed meanwhile stay as they are, and version {other} stands beside it"
                ))
            }
            Kind::DraftSaved { added, removed, .. } => {
                Told::Aside(format!("\n✎ draft +{added} −{removed} words"))
            }
            Kind::ToolStarted { call, name, .. } => {
                self.calls.insert(call.clone(), name.clone());
                Told::Nothing
            }
            Kind::ToolFinished { ok: false, .. } if std::mem::take(&mut self.beside) => {
                Told::Nothing
            }
            Kind::ToolFinished {
                call,
                ok: false,
                output,
                ..
            } => {
                let name = self.calls.get(call).map_or("a tool", String::as_str);
                let why = one_line(output.shown());
                Told::Aside(format!("\n✎ {name}, not done: {why}"))
            }
            _ => Told::Nothing,
        }
    }

    /// What closes the reply: its last line has an end.
    pub(super) fn end(&self) -> &'static str {
        if self.any { "\n" } else { "" }
    }

    fn words(&mut self, block: u32, piece: &str) -> Told {
        if piece.is_empty() {
            return Told::Nothing;
        }
        let before = self.parting(block);
        self.printed.entry(block).or_default().push_str(piece);
        Told::Words(format!("{before}{piece}"))
    }

    fn whole(&mut self, block: u32, text: &Text) -> Told {
        let printed = self.printed.get(&block).map_or("", String::as_str);
        if let Text::Blob { blob, len, .. } = text {
            if printed.len() as u64 == *len {
                return Told::Nothing;
            }
            let blob = blob.clone();
            let before = self.parting(block);
            return Told::Blob { blob, before };
        }
        if let Some(rest) = text.shown().strip_prefix(printed) {
            let rest = rest.to_owned();
            return self.words(block, &rest);
        }
        // The finished text is another one than was shown: it counts, and is printed whole.
        self.block = None;
        self.printed.remove(&block);
        self.words(block, text.shown())
    }

    fn parting(&mut self, block: u32) -> &'static str {
        let apart = self.any && self.block != Some(block);
        self.block = Some(block);
        self.any = true;
        if apart { "\n\n" } else { "" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn delta(block: u32, text: &str) -> Kind {
        Kind::Delta {
            turn: 1,
            block,
            text: text.into(),
        }
    }

    fn message(block: u32, text: &str) -> Kind {
        Kind::Message {
            turn: 1,
            block,
            text: text.into(),
        }
    }

    fn printed(kinds: Vec<Kind>) -> String {
        let mut stream = Stream::default();
        let mut all = String::new();
        for (seq, kind) in (0..).zip(kinds) {
            if let Told::Words(words) = stream.feed(&Event { seq, ts: 0, kind }) {
                all.push_str(&words);
            }
        }
        all + stream.end()
    }

    #[test]
    fn each_word_is_printed_once_and_blocks_stand_apart() {
        let kinds = vec![
            delta(0, "The "),
            delta(0, "morning."),
            message(0, "The morning."),
            message(1, "No deltas."),
            delta(2, "Half"),
            message(2, "Half and whole."),
        ];
        assert_eq!(
            printed(kinds),
            "The morning.\n\nNo deltas.\n\nHalf and whole.\n"
        );
    }

    #[test]
    fn a_finished_text_that_differs_is_printed_whole() {
        let kinds = vec![delta(0, "Wrong"), message(0, "Right.")];
        assert_eq!(printed(kinds), "Wrong\n\nRight.\n");
    }

    #[test]
    fn a_reply_without_words_prints_nothing() {
        assert_eq!(printed(vec![delta(0, "")]), "");
    }

    #[test]
    fn a_long_message_whose_deltas_were_printed_is_not_fetched() {
        let mut stream = Stream::default();
        let blob = Kind::Message {
            turn: 1,
            block: 0,
            text: Text::Blob {
                blob: "sha256:0".into(),
                len: 3,
                head: "a".into(),
            },
        };
        let event = |kind| Event {
            seq: 0,
            ts: 0,
            kind,
        };
        stream.feed(&event(delta(0, "abc")));
        assert_eq!(stream.feed(&event(blob.clone())), Told::Nothing);
        assert!(matches!(
            Stream::default().feed(&event(blob)),
            Told::Blob { .. }
        ));
    }
}
