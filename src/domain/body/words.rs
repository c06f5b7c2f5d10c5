//! Words and reasoning as they stream, are finished, replaced or given up.

use std::ops::RangeInclusive;

use super::{Body, Item, Part};
use crate::domain::event::{Abandoned, Event, Kind, TurnNo};
use crate::domain::text::Text;

impl Body {
    pub(super) fn apply_words(&mut self, event: &Event) {
        match &event.kind {
            Kind::Delta { turn, block, text } => self.delta(event, *turn, *block, text),
            Kind::Thinking { turn, block, text } => self.thinking(event, *turn, *block, text),
            Kind::Message { turn, block, text } => self.message(event, *turn, *block, text),
            Kind::Abandoned(Abandoned { turn, from, to }) => self.abandon(*turn, &(*from..=*to)),
            Kind::TurnRecovered { turn, text } => self.recover(event, *turn, text),
            Kind::TurnFinished { turn, .. } => self.close(*turn),
            _ => {}
        }
    }

    fn delta(&mut self, event: &Event, turn: TurnNo, block: u32, piece: &Text) {
        let change = |part: &mut Part| match part {
            Part::Words {
                block: b,
                text: Text::Inline(text),
                open: true,
            } if *b == block => {
                text.push_str(piece.shown());
                true
            }
            _ => false,
        };
        self.change_or_push(event, turn, change, || Part::Words {
            block,
            text: piece.clone(),
            open: true,
        });
    }

    fn thinking(&mut self, event: &Event, turn: TurnNo, block: u32, piece: &Text) {
        let change = |part: &mut Part| match part {
            Part::Thinking { block: b, text } if *b == block => {
                text.push_str(piece.shown());
                true
            }
            _ => false,
        };
        self.change_or_push(event, turn, change, || Part::Thinking {
            block,
            text: piece.shown().to_owned(),
        });
    }

    fn message(&mut self, event: &Event, turn: TurnNo, block: u32, whole: &Text) {
        let change = |part: &mut Part| match part {
            Part::Words {
                block: b,
                text,
                open,
            } if *b == block => {
                settle(text, whole);
                *open = false;
                true
            }
            _ => false,
        };
        self.change_or_push(event, turn, change, || finished(block, whole));
    }

    fn abandon(&mut self, turn: TurnNo, blocks: &RangeInclusive<u32>) {
        self.remove(|item| match item {
            Item::Part { turn: t, part, .. } if *t == turn => match part {
                Part::Words { block, .. } | Part::Thinking { block, .. } => blocks.contains(block),
                Part::Call { started, .. } => !started,
                Part::Asked { .. } => false,
            },
            _ => false,
        });
    }

    /// What the orphan saved is the whole answer: it takes the place of the words read so far.
    fn recover(&mut self, event: &Event, turn: TurnNo, whole: &Text) {
        self.remove(|item| {
            matches!(item, Item::Part { turn: t, part: Part::Words { .. }, .. } if *t == turn)
        });
        self.push(event, turn, finished(u32::MAX, whole));
    }

    /// No more words come in this turn.
    fn close(&mut self, turn: TurnNo) {
        let mut first = self.items.len();
        for (i, part) in self.parts(turn) {
            if let Part::Words { open, .. } = part
                && std::mem::take(open)
            {
                first = i;
            }
        }
        self.dirty = first;
    }
}

fn finished(block: u32, whole: &Text) -> Part {
    Part::Words {
        block,
        text: whole.clone(),
        open: false,
    }
}

/// Puts a whole text where its pieces were. Of a long one the pieces are all there is to read in the
/// log: they are kept.
pub(super) fn settle(so_far: &mut Text, whole: &Text) {
    let pieces_are_more = whole.is_cut() && !so_far.is_cut() && so_far.len() == whole.len();
    if !pieces_are_more {
        so_far.clone_from(whole);
    }
}
