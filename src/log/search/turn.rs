//! What was said in one turn, until it is known which of it counts.

use crate::domain::Seq;
use crate::domain::search::Hit;
use crate::log::line::Words;

/// Bytes of a block that are kept: longer ones are searched as far as that.
const BLOCK_MAX: usize = 16 * 1024 * 1024;

/// A turn that is being read.
#[derive(Debug, Default)]
pub(super) struct Turn {
    blocks: Vec<Block>,
    /// What was found so far, with the block it stands in.
    pub(super) hits: Vec<(Option<u32>, Hit)>,
}

/// The pieces of a block.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) no: u32,
    /// Number and time of its first piece.
    pub(super) begun: (Seq, i64),
    /// The pieces one after the other: what stands between the quotes of JSON.
    raw: Vec<u8>,
}

impl Block {
    /// Its pieces as one string of JSON.
    pub(super) fn quoted(&self) -> Vec<u8> {
        [b"\"", &*self.raw, b"\""].concat()
    }
}

impl Turn {
    /// Whether nothing was said in it.
    pub(super) fn is_empty(&self) -> bool {
        self.blocks.is_empty() && self.hits.is_empty()
    }

    /// Takes in a piece.
    pub(super) fn piece(&mut self, piece: &Words<'_>) {
        self.add(piece.block, piece.text, (piece.seq, piece.ts));
    }

    /// Takes in a piece that was written in another way.
    pub(super) fn words(&mut self, block: u32, text: &str, begun: (Seq, i64)) {
        self.add(block, &serde_json::to_vec(text).unwrap_or_default(), begun);
    }

    fn add(&mut self, no: u32, quoted: &[u8], begun: (Seq, i64)) {
        let raw = quoted.get(1..quoted.len().saturating_sub(1));
        let raw = raw.unwrap_or_default();
        match self.blocks.iter_mut().rev().find(|block| block.no == no) {
            Some(block) if block.raw.len() < BLOCK_MAX => block.raw.extend_from_slice(raw),
            Some(_) => {}
            None => self.blocks.push(Block {
                no,
                begun,
                raw: raw.to_vec(),
            }),
        }
    }

    /// The whole of a block takes the place of its pieces; gives back where they began.
    pub(super) fn message(&mut self, no: u32) -> Option<(Seq, i64)> {
        let at = self.blocks.iter().position(|block| block.no == no)?;
        Some(self.blocks.swap_remove(at).begun)
    }

    /// These blocks do not count.
    pub(super) fn abandon(&mut self, from: u32, to: u32) {
        self.blocks.retain(|block| !(from..=to).contains(&block.no));
        let counts = |no: Option<u32>| no.is_none_or(|no| !(from..=to).contains(&no));
        self.hits.retain(|(no, _)| counts(*no));
    }

    /// The blocks that are still pieces, in order. They are forgotten.
    pub(super) fn blocks(&mut self) -> Vec<Block> {
        let mut blocks = std::mem::take(&mut self.blocks);
        blocks.sort_by_key(|block| block.begun);
        blocks
    }
}
