//! Sentences and paragraphs out of measure: against the other ones of the piece, not against a number.

use std::ops::Range;

use super::super::figures::real;
use super::super::finding::Finding;
use crate::text::doc::{Doc, is_heading};

const KIND: &str = "length";
/// Pieces below which there is no measure.
const SENTENCES: usize = 8;
const PARAGRAPHS: usize = 12;
/// How far out, in widths of the middle half on a scale of ratios. Beyond 3 lies one in several thousand of
/// what is spread evenly around its middle.
const OUT: f64 = 2.6;
/// And how many times the length of the middle one, at least.
const TIMES: f64 = 3.0;
/// Of fewer pieces than this the middle says less: how many times its length then, and how many words, at least.
const FEW: usize = 25;
const FEW_TIMES: f64 = 5.0;
const FEW_WORDS: f64 = 50.0;

/// A piece of the text and its words.
struct Piece {
    at: Range<usize>,
    words: usize,
}

pub(super) fn find(doc: &Doc<'_>) -> Vec<Finding> {
    let mut found = long(&sentences(doc), SENTENCES, "sentence");
    found.extend(long(&paragraphs(doc), PARAGRAPHS, "paragraph"));
    found
}

fn sentences(doc: &Doc<'_>) -> Vec<Piece> {
    let prose = |block: usize| doc.prose.blocks.get(block).is_some_and(|b| !is_heading(b));
    let piece = |s: &crate::text::doc::Sentence| Piece {
        at: s.range.clone(),
        words: s.words.len(),
    };
    doc.sentences
        .iter()
        .filter(|s| prose(s.block))
        .map(piece)
        .collect()
}

fn paragraphs(doc: &Doc<'_>) -> Vec<Piece> {
    let mut words = vec![0; doc.prose.blocks.len()];
    for sentence in &doc.sentences {
        if let Some(n) = words.get_mut(sentence.block) {
            *n += sentence.words.len();
        }
    }
    let blocks = doc
        .prose
        .blocks
        .iter()
        .zip(words)
        .filter(|(b, n)| !is_heading(b) && *n > 0);
    blocks
        .map(|(b, words)| Piece {
            at: b.range.clone(),
            words,
        })
        .collect()
}

fn long(pieces: &[Piece], least: usize, name: &str) -> Vec<Finding> {
    if pieces.len() < least {
        return Vec::new();
    }
    let mut lengths: Vec<usize> = pieces.iter().map(|p| p.words).collect();
    lengths.sort_unstable();
    let part = |n: usize| {
        real(
            lengths
                .get(lengths.len() * n / 4)
                .copied()
                .unwrap_or(1)
                .max(1),
        )
    };
    let (low, middle, high) = (part(1), part(2), part(3));
    // Where the middle half is narrow, ratios say little.
    let width = (high / low).ln().max(0.5);
    let mut limit = (high * (width * OUT / 2.0).exp()).max(middle * TIMES);
    if pieces.len() < FEW {
        limit = limit.max(middle * FEW_TIMES).max(FEW_WORDS);
    }
    let told = |p: &Piece| Finding {
        kind: KIND,
        meant: false,
        at: p.at.clone(),
        what: format!(
            "A {name} of {} words; half of the {name}s have {middle:.0} or fewer.",
            p.words
        ),
        change: "See whether it should be two.".to_owned(),
        fix: Vec::new(),
    };
    pieces
        .iter()
        .filter(|p| real(p.words) > limit)
        .map(told)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, n: usize) {
        let found = find(&Doc::of(text));
        assert_eq!(found.len(), n, "{found:?}");
        assert!(found.iter().all(|f| f.fix.is_empty()));
    }

    #[test]
    fn what_is_far_longer_than_the_rest_is_found() {
        let short = "One two three four five. Six seven eight nine. ".repeat(20);
        check(&short, 0);
        check(
            &format!("{short}\n\n{}end.", "and on it went ".repeat(20)),
            1,
        );
        let wide = "今天我们去看书。明天他们来看我们。".repeat(20);
        check(&wide, 0);
        check(&format!("{wide}{}。", "我们在图书馆看书".repeat(20)), 1);
    }

    #[test]
    fn in_a_short_piece_only_what_is_far_out_is_found() {
        let short = "One two three four five six seven eight nine. ".repeat(9);
        check(&format!("{short}{}end.", "and on it went ".repeat(24)), 1);
        check(&format!("{short}{}end.", "and on it went ".repeat(10)), 0);
    }

    #[test]
    fn a_piece_of_a_few_sentences_has_no_measure() {
        check(&format!("One two. {}end.", "and on it went ".repeat(20)), 0);
    }
}
