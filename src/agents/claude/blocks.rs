//! Numbers of blocks: what the program numbers anew in each message, we number once in a turn.

use std::collections::BTreeMap;

/// What a block holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Holds {
    Words,
    Thinking,
    /// A call of one of our tools, and its name.
    Call(String, String),
    /// Anything else, another's call too.
    Other,
}

#[derive(Clone, Debug)]
struct Block {
    no: u32,
    holds: Holds,
    /// The finished block came.
    done: bool,
    /// A piece of it came.
    streamed: bool,
}

/// A range of our numbers.
pub(super) type Range = (u32, u32);

/// The blocks of a turn.
#[derive(Clone, Default, Debug)]
pub(super) struct Blocks {
    next: u32,
    /// The message being streamed.
    message: Option<String>,
    /// Its blocks, by the program's number.
    open: BTreeMap<u64, Block>,
}

/// A finished block found again.
pub(super) struct Finished {
    pub(super) no: u32,
    /// Whether pieces of it came before.
    pub(super) streamed: bool,
    /// Blocks that a new message made void.
    pub(super) void: Option<Range>,
}

impl Blocks {
    /// A message begins: what the last one left unfinished is void.
    pub(super) fn message(&mut self, id: Option<&str>) -> Option<Range> {
        let void = self.void_open();
        self.open.clear();
        self.message = id.map(str::to_owned);
        void
    }

    /// A block begins.
    pub(super) fn begin(&mut self, index: u64, holds: Holds) -> u32 {
        let no = self.next;
        self.next += 1;
        let block = Block {
            no,
            holds,
            done: false,
            streamed: false,
        };
        self.open.insert(index, block);
        no
    }

    /// The number for a piece of words or reasoning. A piece whose beginning was lost begins a block.
    pub(super) fn piece(&mut self, index: u64, holds: &Holds) -> u32 {
        let known = self
            .open
            .get(&index)
            .filter(|b| b.holds == *holds && !b.done);
        if known.is_none() {
            self.begin(index, holds.clone());
        }
        self.open.get_mut(&index).map_or(0, |block| {
            block.streamed = true;
            block.no
        })
    }

    /// The call that a piece of an argument belongs to.
    pub(super) fn call(&mut self, index: u64) -> Option<(&str, &str)> {
        let block = self.open.get_mut(&index)?;
        block.streamed = true;
        match &block.holds {
            Holds::Call(call, name) => Some((call, name)),
            _ => None,
        }
    }

    /// A finished block of that message: the first unfinished one of its kind, or one that never streamed.
    pub(super) fn finish(&mut self, message: Option<&str>, holds: &Holds) -> Finished {
        let other =
            self.message.is_some() && message.is_some() && self.message.as_deref() != message;
        let void = if other { self.message(message) } else { None };
        if self.message.is_none() {
            self.message = message.map(str::to_owned);
        }
        let found = self
            .open
            .values_mut()
            .find(|b| !b.done && same(&b.holds, holds));
        if let Some(block) = found {
            block.done = true;
            let (no, streamed) = (block.no, block.streamed);
            return Finished { no, streamed, void };
        }
        let no = self.next;
        self.next += 1;
        Finished {
            no,
            streamed: false,
            void,
        }
    }

    /// The program gave up its blocks from that one on.
    pub(super) fn void_from(&mut self, index: u64) -> Option<Range> {
        let gone = self.open.split_off(&index);
        range(gone.values())
    }

    /// What is unfinished is void.
    pub(super) fn void_open(&mut self) -> Option<Range> {
        let void = range(self.open.values().filter(|b| !b.done));
        self.open.retain(|_, b| b.done);
        void
    }
}

fn same(a: &Holds, b: &Holds) -> bool {
    match (a, b) {
        (Holds::Call(a, _), Holds::Call(b, _)) => a == b,
        _ => a == b,
    }
}

fn range<'a>(blocks: impl Iterator<Item = &'a Block>) -> Option<Range> {
    blocks
        .map(|b| b.no)
        .fold(None, |range: Option<Range>, no| match range {
            None => Some((no, no)),
            Some((from, to)) => Some((from.min(no), to.max(no))),
        })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    #[test]
    fn numbers_go_on_over_messages() {
        let mut blocks = Blocks::default();
        assert_eq!(blocks.message(Some("a")), None);
        assert_eq!(blocks.begin(0, Holds::Words), 0);
        assert_eq!(blocks.finish(Some("a"), &Holds::Words).no, 0);
        assert_eq!(blocks.message(Some("b")), None);
        assert_eq!(blocks.begin(0, Holds::Words), 1);
    }

    #[test]
    fn a_new_message_voids_what_the_last_one_left_unfinished() {
        let mut blocks = Blocks::default();
        blocks.message(Some("a"));
        blocks.begin(0, Holds::Thinking);
        blocks.begin(1, Holds::Words);
        assert_eq!(blocks.message(Some("b")), Some((0, 1)));
        assert_eq!(blocks.begin(0, Holds::Words), 2);
    }

    #[test]
    fn a_whole_answer_under_another_id_voids_the_pieces() {
        let mut blocks = Blocks::default();
        blocks.message(Some("a"));
        blocks.piece(0, &Holds::Words);
        let done = blocks.finish(Some("b"), &Holds::Words);
        assert_eq!(
            (done.no, done.streamed, done.void),
            (1, false, Some((0, 0)))
        );
    }

    #[test]
    fn an_interrupt_that_keeps_the_block_voids_nothing() {
        let mut blocks = Blocks::default();
        blocks.message(Some("a"));
        blocks.piece(0, &Holds::Words);
        blocks.finish(Some("a"), &Holds::Words);
        assert_eq!(blocks.void_from(1), None);
    }

    #[test]
    fn pieces_without_a_beginning_share_a_block() {
        let mut blocks = Blocks::default();
        assert_eq!(blocks.piece(0, &Holds::Words), 0);
        assert_eq!(blocks.piece(0, &Holds::Words), 0);
        assert_eq!(blocks.piece(1, &Holds::Thinking), 1);
    }
}
