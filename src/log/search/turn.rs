//! What was said in one turn, until it is known which of it counts.

use crate::domain::Seq;
use crate::domain::search::Hit;
use crate::log::line::Words;

/// Bytes of a block from which what is there of it is searched alone, and forgotten.
const BLOCK_MAX: usize = 16 * 1024 * 1024;
/// Bytes at its end, at least, that are searched once more with what comes: words may stand on both sides.
const SEAM: usize = 64 * 1024;

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
    /// Where pieces begin, a seam and two seams before the end, about.
    joints: (usize, usize),
}

impl Block {
    fn new(no: u32, begun: (Seq, i64), raw: Vec<u8>) -> Self {
        Self {
            no,
            begun,
            joints: (0, raw.len()),
            raw,
        }
    }

    /// Takes in a piece; gives back what was there, where that is long enough to be searched alone.
    fn grow(&mut self, raw: &[u8]) -> Option<Self> {
        let full = (self.raw.len() >= BLOCK_MAX).then(|| self.part());
        if self.raw.len() - self.joints.1 >= SEAM {
            self.joints = (self.joints.1, self.raw.len());
        }
        self.raw.extend_from_slice(raw);
        full
    }

    /// What is there of it; only the seam stays.
    fn part(&mut self) -> Self {
        let seam = self.raw.get(self.joints.0..).unwrap_or_default().to_vec();
        let begin = Self::new(self.no, self.begun, seam);
        std::mem::replace(self, begin)
    }

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

    /// Takes in a piece; gives back what has to be searched before more comes.
    pub(super) fn piece(&mut self, piece: &Words<'_>) -> Option<Block> {
        self.add(piece.block, piece.text, (piece.seq, piece.ts))
    }

    /// Takes in a piece that was written in another way.
    pub(super) fn words(&mut self, block: u32, text: &str, begun: (Seq, i64)) -> Option<Block> {
        self.add(block, &serde_json::to_vec(text).unwrap_or_default(), begun)
    }

    fn add(&mut self, no: u32, quoted: &[u8], begun: (Seq, i64)) -> Option<Block> {
        let raw = quoted.get(1..quoted.len().saturating_sub(1));
        let raw = raw.unwrap_or_default();
        if let Some(block) = self.blocks.iter_mut().rev().find(|block| block.no == no) {
            return block.grow(raw);
        }
        self.blocks.push(Block::new(no, begun, raw.to_vec()));
        None
    }

    /// Whether the words were found in a block.
    pub(super) fn has(&self, no: u32) -> bool {
        self.hits.iter().any(|(of, _)| *of == Some(no))
    }

    /// The whole of a block takes the place of its pieces, and of what was found in them; gives back where they began.
    pub(super) fn message(&mut self, no: u32) -> Option<(Seq, i64)> {
        let at = self.blocks.iter().position(|block| block.no == no)?;
        self.hits.retain(|(of, _)| *of != Some(no));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_of_any_length_is_searched_in_parts_that_share_a_seam() {
        let mut turn = Turn::default();
        let piece = "x".repeat(SEAM / 2 - 1);
        let pieces = 2 * BLOCK_MAX / piece.len() + 3;
        let mut parts = Vec::new();
        for n in 0..pieces {
            parts.extend(turn.words(0, &format!("{piece}{}", n % 10), (n as Seq, 0)));
        }
        assert_eq!(parts.len(), 2);
        parts.extend(turn.blocks());
        let long = |part: &Block| part.raw.len() <= BLOCK_MAX + 2 * SEAM;
        assert!(parts.iter().all(|p| long(p) && p.begun == (0, 0)));
        for two in parts.windows(2) {
            let [before, behind] = two else { continue };
            let shared = behind.raw.get(..SEAM).unwrap_or_default();
            let at = memchr::memmem::rfind(&before.raw, shared);
            assert!(at.is_some_and(|at| before.raw.len() - at >= SEAM));
        }
    }
}
