//! The draft in numbers.

use std::collections::HashSet;

use super::checks::spoken;
use super::figures::{counted, real};
use super::marks::is_dash;
use crate::text::doc::{Doc, is_heading};
use crate::text::prose::Block;
use crate::text::{count, thousands};

/// Words that are read in a minute, and letters of Chinese or Japanese.
const PACE: f64 = 230.0;
const PACE_WIDE: f64 = 350.0;
/// How many of the most used words are named.
const MOST: usize = 12;
/// Words too frequent in any piece to say something of this one.
const COMMON: &str = include_str!("../../../assets/common-words.txt");

/// All of it, line by line.
pub(super) fn measure(doc: &Doc<'_>, version: u64) -> Vec<String> {
    let words = size(count(doc.text));
    let sentences = sentences(doc);
    let paragraphs = paragraphs(doc);
    let mut lines = vec![
        format!("Version {version} of the draft.\n"),
        format!("- **{}**{}", counted(words, "word"), parts(doc)),
        format!(
            "- {}: {}",
            counted(sentences.len(), "sentence"),
            spread(&sentences)
        ),
        format!(
            "- {}: {}",
            counted(paragraphs.len(), "paragraph"),
            spread(&paragraphs)
        ),
        format!("- about {} to read", reading(doc)),
        format!(
            "- {:.0} % of the words in quotation marks or behind a dash of speech",
            share(speech(doc), prose(doc))
        ),
    ];
    let most = most_used(doc);
    if !most.is_empty() {
        lines.push(format!("- used most: {}", most.join(", ")));
    }
    lines.into_iter().map(|l| l + "\n").collect()
}

fn size(n: u64) -> usize {
    usize::try_from(n).unwrap_or(usize::MAX)
}

fn words_in(doc: &Doc<'_>, range: &std::ops::Range<usize>) -> usize {
    size(count(doc.plain(range.clone())))
}

/// Where the words stand.
fn parts(doc: &Doc<'_>) -> String {
    let prose = thousands(prose(doc) as u64);
    match headings(doc) {
        0 => format!(", {prose} of them in the prose"),
        n => format!(
            ", {prose} of them in the prose and {} in headings",
            thousands(n as u64)
        ),
    }
}

fn prose(doc: &Doc<'_>) -> usize {
    words_of(doc, |block| !is_heading(block))
}

fn headings(doc: &Doc<'_>) -> usize {
    words_of(doc, is_heading)
}

fn words_of(doc: &Doc<'_>, which: fn(&Block) -> bool) -> usize {
    let blocks = doc.prose.blocks.iter().filter(|b| which(b));
    blocks.map(|b| words_in(doc, &b.range)).sum()
}

/// Words of each sentence of the prose.
fn sentences(doc: &Doc<'_>) -> Vec<usize> {
    let in_prose = |block: usize| doc.prose.blocks.get(block).is_none_or(|b| !is_heading(b));
    let all = doc.sentences.iter().filter(|s| in_prose(s.block));
    all.map(|s| words_in(doc, &s.range)).collect()
}

fn paragraphs(doc: &Doc<'_>) -> Vec<usize> {
    let body = doc.prose.blocks.iter().filter(|b| !is_heading(b));
    body.map(|b| words_in(doc, &b.range))
        .filter(|n| *n > 0)
        .collect()
}

/// The lengths of pieces in a line.
fn spread(lengths: &[usize]) -> String {
    let mut sorted = lengths.to_vec();
    sorted.sort_unstable();
    let at = |n: usize| {
        sorted
            .get(sorted.len().saturating_sub(1) * n / 4)
            .copied()
            .unwrap_or_default()
    };
    if sorted.is_empty() {
        return "none".to_owned();
    }
    format!(
        "shortest {}, half of them {} to {}, middle {}, longest {}",
        at(0),
        at(1),
        at(3),
        at(2),
        at(4)
    )
}

fn reading(doc: &Doc<'_>) -> String {
    let wide = doc
        .words
        .iter()
        .map(|w| doc.spelt(w))
        .filter(|w| w.starts_with(crate::text::is_cjk));
    let letters: usize = wide.map(|w| w.chars().count()).sum();
    let words = (prose(doc) + headings(doc)).saturating_sub(letters);
    let minutes = (real(words) / PACE + real(letters) / PACE_WIDE).ceil();
    match minutes {
        m if m < 90.0 => format!("{m:.0} min"),
        m => format!("{:.1} h", m / 60.0),
    }
}

fn speech(doc: &Doc<'_>) -> usize {
    let quoted: usize = spoken(doc).iter().map(|r| words_in(doc, r)).sum();
    // A paragraph that opens with a dash is speech, told in part.
    let dashed = doc
        .prose
        .blocks
        .iter()
        .filter(|b| doc.prose.of(b).trim_start().starts_with(is_dash));
    quoted + dashed.map(|b| words_in(doc, &b.range)).sum::<usize>()
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        0.0
    } else {
        (real(part) * 100.0 / real(whole)).min(100.0)
    }
}

/// The words of content used most, with how often.
fn most_used(doc: &Doc<'_>) -> Vec<String> {
    let frequent: HashSet<&str> = COMMON.split_whitespace().collect();
    let says = |text: &str| {
        let wide = text.starts_with(crate::text::is_cjk);
        let letters = text.chars().count();
        letters >= if wide { 2 } else { 4 }
            && !frequent.contains(text)
            && !text.chars().all(char::is_numeric)
    };
    let mut terms: Vec<_> = doc
        .terms
        .iter()
        .filter(|t| t.count > 1 && says(&t.text))
        .collect();
    terms.sort_by_key(|t| std::cmp::Reverse(t.count));
    terms
        .iter()
        .take(MOST)
        .map(|t| format!("{} {}", t.text, t.count))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(text: &str) -> String {
        measure(&Doc::of(text), 4).concat()
    }

    #[test]
    fn words_are_counted_as_everywhere() {
        assert!(measured("一二三四五 six seven eight").contains("**8 words**"));
        assert!(measured("灯台の手紙は朝に届いた。静かな港町だった。").contains("**19 words**"));
    }

    #[test]
    fn words_of_headings_are_no_prose() {
        let told = measured("# The last crossing\n\nThe harbour slept.\n\n## Night\n\nIt rained.");
        assert!(
            told.contains("**9 words**, 5 of them in the prose and 4 in headings\n"),
            "{told}"
        );
        assert!(told.contains("- 2 sentences: shortest 2"), "{told}");
        let told = measured("It rained.");
        assert!(told.contains("**2 words**, 2 of them in the prose\n"));
    }

    #[test]
    fn sentences_speech_and_used_words_are_told() {
        let told =
            measured("# Title\n\nThe harbour slept. “The harbour,” she said.\n\n— Да, гавань.");
        assert!(
            told.contains("3 sentences") && told.contains("2 paragraphs"),
            "{told}"
        );
        assert!(
            told.contains("44 %") && told.contains("harbour 2"),
            "{told}"
        );
    }
}
