//! Where a variant is forked from a transcript, and what stands there.

use super::Transcript;
use crate::domain::body::Item;
use crate::domain::{Seq, Text};

/// Where a variant begins to be another.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Point {
    /// The newest event that both have; the newest there is when none.
    pub at: Option<Seq>,
    /// The prompt that stood there, to be written in other words.
    pub prompt: Option<Text>,
}

impl Transcript {
    /// Where a fork at the reading place is made: before a prompt of the writer, behind the whole turn of an answer;
    /// now, where that turn is the newest or nothing has been said.
    pub fn fork_point(&self) -> Point {
        let Some(message) = self.selected_message() else {
            return Point::default();
        };
        let items = self.told.items();
        if message.is_reply {
            let newest = self.head().turn.as_ref().map(|t| t.no);
            let end = items.iter().rev().find_map(|item| match item {
                Item::End { seq, turn, .. } if *turn == message.turn => Some(*seq),
                _ => None,
            });
            return Point {
                at: end.filter(|_| newest != Some(message.turn)),
                prompt: None,
            };
        }
        let prompt = items.iter().find_map(|item| match item {
            Item::Prompt { seq, text, .. } if *seq == message.seq => Some(text.clone()),
            _ => None,
        });
        Point {
            at: message.seq.checked_sub(1),
            prompt,
        }
    }

    /// The newest prompt up to an event, as far as it is loaded.
    pub fn prompt_upto(&self, upto: Seq) -> Option<&str> {
        self.told.items().iter().rev().find_map(|item| match item {
            Item::Prompt { seq, text, .. } if *seq <= upto => Some(text.shown()),
            _ => None,
        })
    }
}
