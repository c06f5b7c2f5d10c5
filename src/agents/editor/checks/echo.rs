//! Words and phrases that come again close by.

use std::collections::HashMap;

use super::super::doc::{Doc, Word};
use super::super::finding::Finding;

const KIND: &str = "repetition";
/// A phrase has at least so many words,
const PHRASE: usize = 4;
/// of which so many are not frequent ones,
const RARE: usize = 2;
/// and comes again within so many.
const NEAR: usize = 100;
/// One in so many words, and above, is frequent.
const SHARE: usize = 300;

pub(super) fn find(doc: &Doc<'_>) -> Vec<Finding> {
    let mut last: HashMap<Vec<usize>, usize> = HashMap::new();
    let mut found: Vec<Finding> = Vec::new();
    let mut from = 0;
    while let Some(words) = doc.words.get(from..from + PHRASE) {
        let key: Vec<usize> = words.iter().map(|w| w.term).collect();
        let before = last
            .insert(key, from)
            .filter(|b| from - b <= NEAR && from - b >= PHRASE);
        let hit = before.and_then(|before| phrase(doc, before, from));
        from += hit.as_ref().map_or(1, |(_, len)| *len);
        found.extend(hit.map(|(finding, _)| finding));
    }
    found
}

/// The phrase at two places, as long as both go on alike, and how many words it has.
fn phrase(doc: &Doc<'_>, a: usize, b: usize) -> Option<(Finding, usize)> {
    let pairs = doc.words.iter().skip(a).zip(doc.words.iter().skip(b));
    let len = pairs
        .take(b - a)
        .take_while(|(x, y)| x.term == y.term)
        .count();
    let words = doc.words.get(b..b + len)?;
    let (first, last) = (words.first()?, words.last()?);
    let within =
        |words: &[Word]| words.first().map(|w| w.sentence) == words.last().map(|w| w.sentence);
    let both = within(words) && within(doc.words.get(a..a + len)?);
    if !both || !is_worth(doc, words) || opens(doc, a) && opens(doc, b) {
        return None;
    }
    let at = first.range.start..last.range.end;
    let spelt = doc
        .plain(at.clone())
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    let finding = Finding {
        kind: KIND,
        at,
        what: format!("“{spelt}” stands {} words before as well.", b - a),
        change: "See whether both are meant.".to_owned(),
        fix: Vec::new(),
    };
    Some((finding, len))
}

fn is_worth(doc: &Doc<'_>, words: &[Word]) -> bool {
    let rare = words
        .iter()
        .filter(|w| doc.count(w) * SHARE <= doc.words.len().max(SHARE * 3));
    rare.count() >= RARE
}

/// Whether a word begins its sentence: sentences that begin alike are a figure.
fn opens(doc: &Doc<'_>, word: usize) -> bool {
    let sentence = doc
        .words
        .get(word)
        .and_then(|w| doc.sentences.get(w.sentence));
    sentence.is_some_and(|s| s.words.start == word)
}
