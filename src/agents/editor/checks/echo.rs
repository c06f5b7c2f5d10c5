//! Words and phrases that come again close by.
//!
//! Most repetition in good prose is meant: in speech, in sentences built alike, as a figure. What is told is what is
//! left without these: a phrase of rarer words that returns a few sentences later, once in the whole piece, and
//! adverbs, which nobody repeats on purpose.

use std::collections::HashMap;
use std::ops::Range;

use super::super::finding::Finding;
use super::super::marks::is_dash;
use super::spoken;
use crate::text::doc::{Doc, Word};

const KIND: &str = "repetition";
/// A phrase has at least so many words,
const PHRASE: usize = 4;
/// of which so many are rare ones,
const RARE: usize = 2;
/// and comes again at such a distance in words: what is nearer is a figure, what is farther is not heard.
const APART: std::ops::RangeInclusive<usize> = 25..=150;
/// A rare word occurs up to three times, or once in so many words.
const SHARE: usize = 3_000;
/// A phrase without one of so many of the piece's most frequent words is a term or a title.
const FREQUENT: usize = 30;
/// How far an adverb is heard, in words. Beside each other they are a figure.
const HEARD: std::ops::RangeInclusive<usize> = 4..=40;
/// Adverbs that English makes no other words like.
const LY: &str = "ly";
/// Words that end like adverbs and are none.
const NO_ADVERBS: &[&str] = &[
    "only",
    "family",
    "early",
    "reply",
    "supply",
    "apply",
    "daily",
    "holy",
    "italy",
    "july",
    "lovely",
    "friendly",
    "lonely",
    "likely",
    "ugly",
    "silly",
    "belly",
    "assembly",
    "butterfly",
    "jelly",
    "lily",
    "multiply",
    "imply",
    "comply",
    "rely",
    "ally",
    "bully",
    "folly",
    "melancholy",
    "elderly",
    "homely",
    "anomaly",
    "doily",
    "monopoly",
    "nearly",
    "hardly",
    "really",
    "certainly",
    "exactly",
    "scarcely",
    "simply",
    "merely",
    "directly",
    "entirely",
    "perfectly",
    "probably",
    "particularly",
    "usually",
    "generally",
    "especially",
    "automatically",
    "easily",
    "typically",
    "currently",
    "previously",
    "recently",
    "additionally",
    "specifically",
    "respectively",
    "manually",
    "fully",
    "properly",
    "correctly",
    "separately",
    "originally",
    "initially",
    "possibly",
    "completely",
    "clearly",
    "finally",
    "actually",
    "normally",
    "consequently",
    "similarly",
    "subsequently",
    "frequently",
    "mostly",
    "truly",
];
/// Adverbs of other languages that are heard when they return.
const ADVERBS: &[&str] = &[
    "вдруг",
    "внезапно",
    "медленно",
    "быстро",
    "тихо",
    "громко",
    "осторожно",
    "неожиданно",
    "мгновенно",
    "наконец",
    "постепенно",
    "忽然",
    "突然",
    "渐渐",
    "慢慢",
    "终于",
    "居然",
    "竟然",
    "不禁",
    "仿佛",
    "plötzlich",
    "langsam",
    "leise",
    "endlich",
    "soudain",
    "lentement",
    "enfin",
    "doucement",
    "lentamente",
];

pub(super) fn find(doc: &Doc<'_>) -> Vec<Finding> {
    let told = told(doc);
    let mut found = phrases(doc, &told);
    found.extend(adverbs(doc, &told));
    found
}

/// For each word whether it is told and not spoken.
fn told(doc: &Doc<'_>) -> Vec<bool> {
    let mut speech: Vec<Range<usize>> = spoken(doc);
    let dashed = |text: &str| text.trim_start().starts_with(is_dash);
    let dashed = doc.prose.blocks.iter().filter(|b| dashed(doc.prose.of(b)));
    speech.extend(dashed.map(|b| b.range.clone()));
    speech.sort_by_key(|r| r.start);
    let mut at = 0;
    let said = |word: &Word| {
        while speech.get(at).is_some_and(|r| r.end <= word.range.start) {
            at += 1;
        }
        !speech
            .get(at)
            .is_some_and(|r| r.contains(&word.range.start))
    };
    doc.words.iter().map(said).collect()
}

fn phrases(doc: &Doc<'_>, told: &[bool]) -> Vec<Finding> {
    let key = |words: &[Word]| -> Vec<usize> { words.iter().map(|w| w.term).collect() };
    let mut places: HashMap<Vec<usize>, Vec<usize>> = HashMap::new();
    for (at, words) in doc.words.windows(PHRASE).enumerate() {
        if rare(doc, words) >= RARE {
            places.entry(key(words)).or_default().push(at);
        }
    }
    // What returns again and again is a motif.
    let mut twice: Vec<(usize, usize)> = places
        .into_values()
        .filter_map(|at| match at.as_slice() {
            [a, b] => Some((*a, *b)),
            _ => None,
        })
        .collect();
    twice.sort_unstable_by_key(|(_, b)| *b);
    let mut found = Vec::new();
    let mut end = 0;
    let often = doc.often(FREQUENT);
    for (a, b) in twice.into_iter().filter(|(a, b)| APART.contains(&(b - a))) {
        if b < end {
            continue;
        }
        if let Some((finding, len)) = phrase(doc, told, often, a, b) {
            end = b + len;
            found.push(finding);
        }
    }
    found
}

fn rare(doc: &Doc<'_>, words: &[Word]) -> usize {
    let most = (doc.words.len() / SHARE).max(3);
    words.iter().filter(|w| doc.count(w) <= most).count()
}

/// The phrase at two places, as long as both go on alike, and how many words it has.
fn phrase(
    doc: &Doc<'_>,
    told: &[bool],
    often: usize,
    a: usize,
    b: usize,
) -> Option<(Finding, usize)> {
    let pairs = doc.words.iter().skip(a).zip(doc.words.iter().skip(b));
    let len = pairs.take_while(|(x, y)| x.term == y.term).count();
    let is_told = |at: usize| told.get(at) == Some(&true);
    let both = is_told(a) && is_told(b) && within(doc, a, len) && within(doc, b, len);
    // Sentences that begin alike are a figure.
    if !both || opens(doc, a) && opens(doc, b) {
        return None;
    }
    let words = doc.words.get(b..b + len)?;
    let inner = words.get(1..len - 1)?;
    if !inner.iter().any(|w| doc.count(w) >= often) {
        return None;
    }
    let at = words.first()?.range.start..words.last()?.range.end;
    let spelt = doc
        .plain(at.clone())
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    let what = format!("“{spelt}” stands {} words before as well.", b - a);
    Some((finding(at, what), len))
}

fn finding(at: Range<usize>, what: String) -> Finding {
    Finding {
        kind: KIND,
        meant: false,
        at,
        what,
        change: "See whether both are meant.".to_owned(),
        fix: Vec::new(),
    }
}

/// Whether words are in one sentence, with no mark between them.
fn within(doc: &Doc<'_>, from: usize, len: usize) -> bool {
    let Some((first, last)) = doc
        .words
        .get(from..from + len)
        .and_then(|w| w.first().zip(w.last()))
    else {
        return false;
    };
    let text = doc.plain(first.range.start..last.range.end);
    first.sentence == last.sentence
        && !text.contains(|c: char| ";:!?；：！？\"“”«»「」".contains(c))
}

/// Whether a word begins its sentence.
fn opens(doc: &Doc<'_>, word: usize) -> bool {
    let sentence = doc
        .words
        .get(word)
        .and_then(|w| doc.sentences.get(w.sentence));
    sentence.is_some_and(|s| s.words.start == word)
}

fn adverbs(doc: &Doc<'_>, told: &[bool]) -> Vec<Finding> {
    let mut last: HashMap<usize, usize> = HashMap::new();
    let mut found = Vec::new();
    for (at, word) in doc
        .words
        .iter()
        .enumerate()
        .filter(|(at, _)| told.get(*at) == Some(&true))
    {
        if !is_adverb(doc.term(word)) {
            continue;
        }
        let before = last.insert(word.term, at);
        // In one sentence it is a figure: slowly they came, and slowly they went.
        let apart = before.filter(|b| {
            doc.words
                .get(*b)
                .is_some_and(|w| w.sentence != word.sentence)
        });
        if let Some(before) = apart.filter(|b| HEARD.contains(&(at - b))) {
            let what = format!(
                "“{}” stands {} words before as well.",
                doc.spelt(word),
                at - before
            );
            found.push(finding(word.range.clone(), what));
        }
    }
    found
}

fn is_adverb(word: &str) -> bool {
    let english = word.is_ascii() && word.len() >= 6 && word.ends_with(LY);
    english && !NO_ADVERBS.contains(&word) || ADVERBS.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, want: &[&str]) {
        let found = find(&Doc::of(text));
        let got: Vec<&str> = found
            .iter()
            .filter_map(|f| text.get(f.at.clone()))
            .collect();
        assert_eq!(got, want, "{found:?}");
        assert!(found.iter().all(|f| f.fix.is_empty()));
    }

    const FILL: &str =
        "It was a day like any other, and so it went on as it was, and nobody knew. ";
    const MORE: &str = "Then came the evening with its lamps, and what had been said was said again to the others. ";
    const WIDE: &str = "那是平常的一天，也就那样过去了，没有人知道，也没有人说起过。";
    const WIDER: &str = "到了晚上，灯都亮了，大家又把白天说过的话说给别人听。";

    #[test]
    fn a_phrase_that_comes_again_is_found() {
        check(
            &format!(
                "She stood near a window of the broken kitchen. {FILL}{MORE}He saw a window of the broken kitchen."
            ),
            &["a window of the broken kitchen"],
        );
        check(
            &format!("他站在破旧厨房的窗户旁边。{WIDE}{WIDER}她走过破旧厨房的窗户。"),
            &["破旧厨房的窗户"],
        );
    }

    #[test]
    fn an_adverb_that_comes_again_is_found() {
        check(
            "He slowly rose. Then the door was slowly shut.",
            &["slowly"],
        );
        check(
            "Он вдруг встал. Потом дверь тут же вдруг закрылась.",
            &["вдруг"],
        );
        check("门忽然开了。他走进去看了看，灯忽然灭了。", &["忽然"]);
    }

    #[test]
    fn figures_and_speech_are_left() {
        check(
            &format!(
                "“The broken kitchen window,” she said. {FILL}{MORE}“Yes, the broken kitchen window.”"
            ),
            &[],
        );
        check(
            "Slowly, slowly he rose. He went, and only he, the only one.",
            &[],
        );
        check(
            &format!("The broken kitchen window fell. {FILL}{MORE}The broken kitchen window rose."),
            &[],
        );
    }
}
