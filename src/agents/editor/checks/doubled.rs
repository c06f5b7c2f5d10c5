//! A word or a phrase that stands twice in a row.

mod tongue;

use std::collections::HashMap;

use super::super::finding::{Change, Finding};
use crate::text::doc::{Doc, Word};
use crate::text::is_cjk;
use crate::text::prose::GONE;

const KIND: &str = "doubled words";
/// Words that join what is said twice.
const AND: &[&str] = &[
    "and", "or", "и", "или", "да", "und", "et", "y", "e", "och", "og", "en",
];
/// Times a word stands twice in one piece from which on it does so by right; small words never do.
const HABIT: usize = 3;
/// Longest phrase, in words.
const PHRASE: usize = 4;
/// A short phrase of words that come nowhere else is a sound: tick tock tick tock.
const SOUND: usize = 10;

/// Chinese letters that do not stand twice, but behind the first set or before the second.
const LETTERS: &[(char, &str, &str)] = &[
    ('的', "目有", "确士"),
    ('们', "", ""),
    ('但', "不", ""),
    ('也', "", ""),
    ('很', "", ""),
    ('了', "为不明末", "之解然心事"),
    ('在', "存现正所实内自外潜", ""),
    ('都', "首成京建古定迁", ""),
    ('就', "成迁将造", ""),
    ('与', "参给", ""),
    ('及', "埃涉普论提以触", "时其格"),
    ('被', "棉", ""),
    ('向', "方偏倾走转动", ""),
    ('を', "", ""),
    ('が', "", ""),
];
/// Chinese words that do not stand twice.
const WORDS: &[&str] = &[
    "我们", "你们", "他们", "她们", "它们", "咱们", "因为", "所以", "但是", "可是", "如果", "虽然",
    "已经", "而且", "或者", "以及", "他的", "她的", "我的", "你的", "我們", "你們", "他們", "因為",
    "雖然", "已經", "這個", "那個",
];

pub(super) fn find(doc: &Doc<'_>) -> Vec<Finding> {
    let mut found = words(doc);
    found.extend(phrases(doc));
    found.extend(letters(doc));
    found
}

/// `first` begins what stands twice, `kept` ends it the first time and `last` the second time.
fn finding(doc: &Doc<'_>, first: &Word, kept: &Word, last: &Word) -> Finding {
    let goes = kept.range.end..last.range.end;
    // Where markup stands between them the writer has to look.
    let plain = doc.text.get(goes.clone()) == Some(doc.plain(goes.clone()));
    let word = doc.plain(first.range.start..kept.range.end);
    Finding {
        kind: KIND,
        at: first.range.start..last.range.end,
        what: format!("“{}” stands twice.", one_line(word)),
        change: "Take one out.".to_owned(),
        fix: if plain {
            vec![Change::new(goes, "")]
        } else {
            Vec::new()
        },
        meant: false,
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether nothing but space stands between two words.
fn touch(doc: &Doc<'_>, a: &Word, b: &Word) -> bool {
    let gap = doc.plain(a.range.end..b.range.start);
    a.sentence == b.sentence
        && !gap.is_empty()
        && gap.chars().all(|c| c.is_whitespace() || c == GONE)
}

fn twice(doc: &Doc<'_>, a: &Word, b: &Word) -> bool {
    let named = is_capital(doc.spelt(b));
    let numbers = doc.term(a).chars().any(char::is_numeric);
    a.term == b.term && touch(doc, a, b) && !named && !numbers && !is_joined(doc, a, b)
}

/// Whether one of two words is part of a compound: *the kernel-package package*.
fn is_joined(doc: &Doc<'_>, a: &Word, b: &Word) -> bool {
    let hyphen = |c: char| matches!(c, '-' | '\u{2010}' | '\u{2011}');
    let before = doc.plain(0..a.range.start).ends_with(hyphen);
    before || doc.plain(b.range.end..doc.text.len()).starts_with(hyphen)
}

fn is_capital(word: &str) -> bool {
    word.starts_with(char::is_uppercase)
}

fn words(doc: &Doc<'_>) -> Vec<Finding> {
    let pairs: Vec<(&Word, &Word)> = doc.words.iter().zip(doc.words.iter().skip(1)).collect();
    let is_twice: Vec<bool> = pairs.iter().map(|(a, b)| twice(doc, a, b)).collect();
    let mut times: HashMap<usize, usize> = HashMap::new();
    for ((a, _), _) in pairs.iter().zip(&is_twice).filter(|(_, t)| **t) {
        *times.entry(a.term).or_default() += 1;
    }
    let at = |i: usize| is_twice.get(i).copied().unwrap_or_default();
    let wrong = |(i, (a, _)): &(usize, &(&Word, &Word))| {
        // Three times in a row is said so.
        let alone = !at(i + 1) && !i.checked_sub(1).is_some_and(at);
        let often = times.get(&a.term).copied().unwrap_or_default() >= HABIT;
        let habit = often && !tongue::is_never_habit(doc.term(a));
        at(*i) && alone && !habit && !is_right(doc, *i, a)
    };
    let found = pairs.iter().enumerate().filter(wrong);
    let told = |(_, (a, b)): (usize, &(&Word, &Word))| Finding {
        meant: tongue::may_be_meant(doc.term(a)),
        ..finding(doc, a, a, b)
    };
    found.map(told).collect()
}

/// Whether the word of that number stands twice by right, where it stands.
fn is_right(doc: &Doc<'_>, number: usize, word: &Word) -> bool {
    let term = doc.term(word);
    tongue::is_right(term) || tongue::is_relative(term) && begins_clause(doc, number)
}

/// Whether a comma stands before a word, or before one word in front of it: *die Stadt, in der der Fluss …*.
fn begins_clause(doc: &Doc<'_>, number: usize) -> bool {
    let comma = |number: usize| {
        let before = number.checked_sub(1).and_then(|n| doc.words.get(n));
        let both = before.zip(doc.words.get(number));
        both.is_some_and(|(a, b)| doc.plain(a.range.end..b.range.start).contains(','))
    };
    comma(number) || number.checked_sub(1).is_some_and(comma)
}

/// Phrases of two to four words, parted by spaces.
fn phrases(doc: &Doc<'_>) -> Vec<Finding> {
    let mut found: Vec<Finding> = Vec::new();
    let mut i = 0;
    while i < doc.words.len() {
        let hit = (2..=PHRASE).find(|n| is_phrase(doc, i, *n));
        let words = hit.and_then(|n| {
            Some((
                doc.words.get(i)?,
                doc.words.get(i + n - 1)?,
                doc.words.get(i + 2 * n - 1)?,
            ))
        });
        if let Some((first, kept, last)) = words {
            found.push(finding(doc, first, kept, last));
        }
        i += hit.unwrap_or(1);
    }
    found
}

fn is_phrase(doc: &Doc<'_>, i: usize, n: usize) -> bool {
    let Some(both) = doc.words.get(i..i + 2 * n) else {
        return false;
    };
    let (a, b) = both.split_at(n);
    let (Some(first), Some(last)) = (a.first(), a.last()) else {
        return false;
    };
    let same = a.iter().zip(b).all(|(x, y)| x.term == y.term);
    if !same || a.iter().all(|w| w.term == first.term) {
        return false;
    }
    let touching = both
        .iter()
        .zip(both.iter().skip(1))
        .all(|(x, y)| touch(doc, x, y));
    // Again and again and again, and deeper and deeper: figures.
    if AND.contains(&doc.term(first)) || AND.contains(&doc.term(last)) && n == 2 {
        return false;
    }
    let said: Vec<&str> = a.iter().map(|w| doc.term(w)).collect();
    if tongue::is_said(&said.join(" ")) {
        return false;
    }
    let behind = doc
        .words
        .get(i + 2 * n)
        .is_some_and(|w| w.term == first.term);
    let before = i
        .checked_sub(1)
        .and_then(|i| doc.words.get(i))
        .is_some_and(|w| w.term == last.term);
    let small = a.iter().skip(1).all(|w| !is_capital(doc.spelt(w)));
    touching
        && !behind
        && !before
        && small
        && (a.iter().any(|w| doc.count(w) > 2) || last.range.end - first.range.start >= SOUND)
}

/// Letters and words that stand together without spaces.
fn letters(doc: &Doc<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for block in &doc.prose.blocks {
        let signs = doc.signs(block);
        let chars: Vec<char> = signs.iter().map(|s| s.c).collect();
        let mut i = 0;
        while i < chars.len() {
            let Some(n) = repeated(&chars, i) else {
                i += 1;
                continue;
            };
            let place = |at: usize| signs.get(at).map_or(0, |s| s.at);
            let (from, mid) = (place(i), place(i + n));
            let to = signs.get(i + 2 * n - 1).map_or(mid, |s| s.end());
            let goes = mid..to;
            let plain = doc.text.get(from..to) == Some(doc.plain(from..to));
            found.push(Finding {
                kind: KIND,
                at: from..to,
                what: format!("“{}” stands twice.", doc.plain(from..mid)),
                change: "Take one out.".to_owned(),
                fix: if plain {
                    vec![Change::new(goes, "")]
                } else {
                    Vec::new()
                },
                meant: false,
            });
            i += 2 * n;
        }
    }
    found
}

/// How many letters stand twice from a place on.
fn repeated(chars: &[char], i: usize) -> Option<usize> {
    let first = chars.get(i).copied().filter(|c| is_cjk(*c))?;
    let same = |n: usize| {
        let both = chars.get(i..i + 2 * n).unwrap_or_default();
        let (a, b) = both.split_at(both.len() / 2);
        (both.len() == 2 * n && a == b).then_some(a)
    };
    let before = i.checked_sub(1).and_then(|i| chars.get(i)).copied();
    let long = (3..=8).rev().find(|n| {
        same(*n).is_some_and(|word| is_word(word) && chars.get(i + 2 * n) != Some(&first))
    });
    if long.is_some() {
        return long;
    }
    if same(2).is_some_and(|w| WORDS.contains(&w.iter().collect::<String>().as_str())) {
        return Some(2);
    }
    let (_, behind, ahead) = LETTERS.iter().find(|(c, _, _)| *c == first)?;
    let after = chars.get(i + 2).copied();
    let right = before.is_some_and(|c| behind.contains(c) || c == first)
        || after.is_some_and(|c| ahead.contains(c) || c == first);
    (same(1).is_some() && !right).then_some(1)
}

/// Whether letters could be a word that nobody says twice: at least two different ones and no sound or number.
fn is_word(letters: &[char]) -> bool {
    let han =
        |c: &char| matches!(*c as u32, 0x3400..=0x9fff) && !"一二三四五六七八九十百千".contains(*c);
    letters.iter().all(han) && letters.iter().any(|c| Some(c) != letters.first())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::indexing_slicing, reason = "test")]
    use super::*;
    use crate::agents::editor::checks::tests::mends;

    fn check(text: &str, n: usize, mended: &str) {
        mends(find, text, n, mended);
    }

    #[test]
    fn a_doubled_word_is_found_and_one_taken_out() {
        check(
            "He took the the book. The\nthe end.",
            2,
            "He took the book. The end.",
        );
        check("Он взял в в руки книгу.", 1, "Он взял в руки книгу.");
        check("A *the* the book.", 1, "A *the* the book.");
    }

    #[test]
    fn small_words_are_slips_however_often_they_stand_twice() {
        check(
            "He took the the book. She saw the the man and and he left for the the inn.",
            4,
            "He took the book. She saw the man and he left for the inn.",
        );
        let sound = "It went tick tick at one. It went tick tick at two. Tick tick went the clock.";
        check(sound, 0, sound);
    }

    #[test]
    fn a_doubled_phrase_is_found() {
        check(
            "He was in the in the room of the inn.",
            1,
            "He was in the room of the inn.",
        );
        check(
            "Он был в этом в этом доме и в саду.",
            1,
            "Он был в этом доме и в саду.",
        );
        check(
            "He ran again and again and again.",
            0,
            "He ran again and again and again.",
        );
    }

    #[test]
    fn words_without_spaces_are_found_where_they_do_not_stand_twice() {
        check("我们我们去图书馆图书馆的的书。", 3, "我们去图书馆的书。");
        check(
            "他们天天看看书，的的确确慢慢研究研究，目的的确定。",
            0,
            "他们天天看看书，的的确确慢慢研究研究，目的的确定。",
        );
    }

    #[test]
    fn what_is_said_twice_by_right_is_left() {
        for right in [
            "She had had it. No no no! Tora Tora. 2 2. «Да да», — сказал он. Left. Left it.",
            "I know that that is so.",
            "Frauen, die die Stadt kennen. Ein Haus, in dem dem Kind nichts fehlt. Dass sie sie sah.",
            "Das Buch, das das Kind las, und der Mann, mit dem der Hund kam. Das Dorf, das das war.",
            "Nous nous levons. Vous vous êtes trompés. C’est très très bon.",
            "Ik denk dat dat kan.",
            "Yavaş yavaş geldi.",
            "A poco a poco viene, e si legge passo passo.",
            "We used the kernel-package package and a package package-list.",
        ] {
            check(right, 0, right);
        }
    }

    #[test]
    fn what_may_be_meant_is_told_and_left_to_the_writer() {
        for (text, word) in [
            ("Es ist das das Haus.", "das"),
            ("Ich kenne die die Kinder betreuende Frau.", "die"),
            ("What it is is a lie.", "is"),
            ("Il rit en en parlant.", "en"),
            ("वह धीरे धीरे चला।", "धीरे"),
        ] {
            let found = find(&Doc::of(text));
            assert_eq!(found.len(), 1, "{text}: {found:?}");
            let one = &found[0];
            assert_eq!(one.what, format!("“{word}” stands twice."), "{text}");
            assert!(!one.fix.is_empty(), "`fix N` makes it: {text}");
            assert!(!one.is_mechanical(), "`fix all` leaves it: {text}");
        }
    }
}
