//! Where the caret goes: words, sentences, paragraphs. A paragraph is a line.

use std::ops::Range;

use icu_segmenter::options::{SentenceBreakInvariantOptions, WordBreakInvariantOptions};
use icu_segmenter::{SentenceSegmenter, WordSegmenter};

use super::words::Words;

/// Bytes on each side of the caret that are looked at for words and sentences.
const NEAR: usize = 4 * 1024;
/// Marks that end a sentence without a space behind it, those that close behind them, and those that open the next.
const STOPS: &str = "。！？｡!?…";
const CLOSERS: &str = "」』）】》〉〕］｝｣”’〟\"'";
const OPENERS: &str = "「『（【《〈〔［｛｢“‘〝";

/// The start of the word before.
pub(super) fn word_left(words: &Words, at: usize) -> usize {
    let line = words.line(words.line_of(at));
    if at <= line.start {
        return words.before(at);
    }
    let starts = parts(words, &line, at, word_edges).filter(|p| p.start < at);
    starts.last().map_or(line.start, |p| p.start)
}

/// The end of the next word.
pub(super) fn word_right(words: &Words, at: usize) -> usize {
    let line = words.line(words.line_of(at));
    if at >= line.end {
        return words.after(at);
    }
    let mut ends = parts(words, &line, at, word_edges).filter(|p| p.end > at);
    ends.next().map_or(line.end, |p| p.end)
}

/// The word at a place; that before it when none is.
pub(super) fn word_at(words: &Words, at: usize) -> Range<usize> {
    let line = words.line(words.line_of(at));
    let near = parts(words, &line, at, word_edges).filter(|p| p.start <= at);
    near.last().unwrap_or(at..at)
}

/// The start of the sentence, or of the one before.
pub(super) fn sentence_left(words: &Words, at: usize) -> usize {
    let line = words.line(words.line_of(at));
    if at <= line.start {
        let before = words.before(at);
        let line = words.line(words.line_of(before));
        return sentence_at(words, before.min(line.end)).start;
    }
    let starts = parts(words, &line, at, sentence_edges).filter(|p| p.start < at);
    starts.last().map_or(line.start, |p| p.start)
}

/// The start of the next sentence.
pub(super) fn sentence_right(words: &Words, at: usize) -> usize {
    let line = words.line(words.line_of(at));
    let mut ends = parts(words, &line, at, sentence_edges).filter(|p| p.end > at);
    ends.next().map_or_else(|| words.after(at), |p| p.end)
}

/// The sentence at a place, with the spaces behind it.
pub(super) fn sentence_at(words: &Words, at: usize) -> Range<usize> {
    let line = words.line(words.line_of(at));
    let near = parts(words, &line, at, sentence_edges).filter(|p| p.start <= at);
    near.last().unwrap_or(at..at)
}

/// The start of the paragraph, or of the one before that has words.
pub(super) fn paragraph_up(words: &Words, at: usize) -> usize {
    let n = words.line_of(at);
    let start = words.line(n).start;
    if at > start {
        return start;
    }
    let before = (0..n).rev().map(|n| words.line(n));
    let mut before = before.filter(|l| !l.is_empty());
    before.next().map_or(words.start(), |l| l.start)
}

/// The start of the next paragraph that has words; the end behind the last.
pub(super) fn paragraph_down(words: &Words, at: usize) -> usize {
    let next = words.line_of(at) + 1..words.lines();
    let mut next = next.map(|n| words.line(n)).filter(|l| !l.is_empty());
    next.next().map_or(words.len(), |l| l.start)
}

/// Parts of a line near a place that hold letters or signs of their own.
fn parts(
    words: &Words,
    line: &Range<usize>,
    at: usize,
    edges: fn(&str) -> Vec<usize>,
) -> impl Iterator<Item = Range<usize>> {
    let from = line.start.max(words.floor(at.saturating_sub(NEAR)));
    let to = line.end.min(words.floor((at + NEAR).min(words.len())));
    let text = words.slice(from..to.max(from));
    let edges = edges(&text);
    let ends: Vec<usize> = edges.iter().skip(1).copied().collect();
    edges
        .into_iter()
        .zip(ends)
        .filter(move |(a, b)| {
            text.get(*a..*b)
                .is_some_and(|t| t.chars().any(char::is_alphanumeric))
        })
        .map(move |(a, b)| from + a..from + b)
}

fn word_edges(text: &str) -> Vec<usize> {
    let words = WordSegmenter::new_auto(WordBreakInvariantOptions::default());
    words.segment_str(text).collect()
}

fn sentence_edges(text: &str) -> Vec<usize> {
    let sentences = SentenceSegmenter::new(SentenceBreakInvariantOptions::default());
    let edges = sentences.segment_str(text);
    edges.map(|edge| before_openers(text, edge)).collect()
}

/// Where no space stands between two sentences, a mark that opens belongs to the second.
fn before_openers(text: &str, edge: usize) -> usize {
    let first = text.get(..edge).unwrap_or_default();
    let kept = first.trim_end_matches(|c| OPENERS.contains(c));
    let stops = kept.trim_end_matches(|c| CLOSERS.contains(c));
    let moved = edge < text.len() && stops.ends_with(|c| STOPS.contains(c));
    if moved { kept.len() } else { edge }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(text: &str, step: fn(&Words, usize) -> usize) -> Vec<usize> {
        let words = Words::new(text);
        let mut at = vec![step(&words, 0)];
        while let Some(last) = at.last().copied().filter(|a| *a < words.len()) {
            at.push(step(&words, last));
        }
        at
    }

    #[test]
    fn a_mark_that_opens_belongs_to_the_sentence_behind_it() {
        for (text, ends) in [
            (
                "彼は言った。「行こう。」「どこへ？」海だ。",
                vec![6, 12, 18, 21],
            ),
            ("他说。“走吧。”她笑了。（真的！）", vec![3, 8, 12, 17]),
            ("He left. “Yes.” She (too) stayed.", vec![9, 16, 33]),
        ] {
            let at = |end: &usize| text.chars().take(*end).map(char::len_utf8).sum();
            let ends: Vec<usize> = ends.iter().map(at).collect();
            assert_eq!(walk(text, sentence_right), ends, "{text}");
        }
        let words = Words::new("一。「二」");
        assert_eq!(sentence_at(&words, 10), 6..15);
        assert_eq!(sentence_at(&words, 3), 0..6);
        assert_eq!(sentence_left(&words, 15), 6);
    }

    #[test]
    fn words_are_walked_past_what_stands_between_them() {
        assert_eq!(
            walk("It’s “so”, she.\nYes", word_right),
            [6, 12, 20, 21, 22, 25]
        );
        let words = Words::new("one, two");
        assert_eq!(word_left(&words, 8), 5);
        assert_eq!(word_left(&words, 5), 0);
        assert_eq!(word_at(&words, 6), 5..8);
    }

    #[test]
    fn words_of_scripts_without_spaces_are_words() {
        let stops = walk("灯台の手紙は朝に届いた。", word_right);
        assert!(stops.len() > 4 && stops.len() < 11, "{stops:?}");
        assert!(walk("ภาษาไทยไม่มีช่องว่าง", word_right).len() > 3);
    }

    #[test]
    fn sentences_and_paragraphs_are_steps_too() {
        assert_eq!(walk("One. Two! 三。四", sentence_right), [5, 10, 16, 19]);
        let words = Words::new("One. Two.\n\nThree");
        assert_eq!(sentence_left(&words, 9), 5);
        assert_eq!(paragraph_down(&words, 2), 11);
        assert_eq!(paragraph_up(&words, 13), 11);
        assert_eq!(paragraph_up(&words, 11), 0);
    }
}
