//! A name spelt in two ways.

use std::collections::HashMap;
use std::ops::Range;

use super::super::finding::{Change, Finding};
use crate::text::doc::Doc;
use crate::text::is_cjk;

/// The name of the check.
pub const KIND: &str = "names";
/// Letters a name has at least.
const LETTERS: usize = 5;
/// And where one letter is another.
const LONG: usize = 6;
/// How much more often the one spelling occurs.
const TIMES: usize = 3;
/// Words of a piece in which twice is enough for one that stands once.
const SHORT: usize = 2_000;
/// How often the other one may.
const STRAYS: usize = 3;

/// Letters that change when a word is bent.
const VOWELS: &str = "aeiouyäöüåæøáéíóúýàèìòùâêîôûãõāēīōūаеёиоуыэюяіїєαειουωάέήίόύώ";

/// A spelling and where it stands.
#[derive(Default)]
struct Spelling {
    at: Vec<Range<usize>>,
    /// Whether it stands within a sentence with a capital: then it is a name.
    name: bool,
    /// Whether it also stands in small letters: then it is none.
    small: bool,
}

pub(super) fn find(doc: &Doc<'_>) -> Vec<Finding> {
    let names = spellings(doc);
    let mut by_shape: HashMap<String, Vec<&String>> = HashMap::new();
    for name in names.keys() {
        for shape in shapes(name) {
            by_shape.entry(shape).or_default().push(name);
        }
    }
    let mut found = Vec::new();
    // In a letter no name comes often.
    let short = doc.words.len() < SHORT;
    for (stray, spelling) in names.iter().filter(|(_, s)| s.at.len() <= STRAYS) {
        let near = shapes(stray)
            .into_iter()
            .flat_map(|s| by_shape.get(&s).cloned().unwrap_or_default());
        let once = short && spelling.at.len() == 1;
        let least = spelling.at.len() * if once { 2 } else { TIMES };
        let right = near
            .filter(|n| is_other_spelling(n, stray))
            .map(|n| (names.get(n).map_or(0, |s| s.at.len()), n))
            .filter(|(n, _)| *n >= least)
            .max();
        if let Some((often, right)) = right {
            found.extend(
                spelling
                    .at
                    .iter()
                    .map(|at| finding(at, stray, right, often)),
            );
        }
    }
    found
}

fn finding(at: &Range<usize>, stray: &str, right: &str, often: usize) -> Finding {
    Finding {
        kind: KIND,
        // One of them may be somebody else.
        meant: true,
        at: at.clone(),
        what: format!("“{stray}” here, “{right}” {often} times."),
        change: format!("Write “{right}” if it is the same name."),
        fix: vec![Change::new(at.clone(), right)],
    }
}

/// Words that stand with a capital where no sentence begins, and words of katakana or with a middle dot.
fn spellings(doc: &Doc<'_>) -> HashMap<String, Spelling> {
    let mut all: HashMap<String, Spelling> = HashMap::new();
    let mut small: HashMap<usize, bool> = HashMap::new();
    for word in &doc.words {
        let spelt = doc.spelt(word);
        if spelt.starts_with(char::is_lowercase) {
            small.insert(word.term, true);
        }
    }
    for word in &doc.words {
        let (spelt, end) = bare(doc.spelt(word));
        if spelt.chars().count() < LETTERS
            || spelt.starts_with(is_cjk)
            || !spelt.starts_with(char::is_uppercase)
        {
            continue;
        }
        let first = doc.sentences.get(word.sentence).is_some_and(|s| {
            s.words.start == 0
                || doc
                    .words
                    .get(s.words.start)
                    .is_some_and(|w| w.range == word.range)
        });
        let entry = all.entry(spelt.to_owned()).or_default();
        entry.at.push(word.range.start..word.range.start + end);
        entry.name |= !first;
        entry.small |= small.contains_key(&word.term);
    }
    for (name, at) in wide(doc) {
        let entry = all.entry(name).or_default();
        entry.at.push(at);
        entry.name = true;
    }
    all.retain(|_, s| s.name && !s.small);
    all
}

/// A name without `'s`, and how many bytes that is.
fn bare(word: &str) -> (&str, usize) {
    let bare = word.split(['\'', '’']).next().unwrap_or(word);
    (bare, bare.len())
}

/// Names in Chinese with a middle dot, and words of katakana.
fn wide(doc: &Doc<'_>) -> Vec<(String, Range<usize>)> {
    let kana = |c: char| matches!(c, 'ァ'..='ヺ' | 'ー');
    let mut found = Vec::new();
    for block in &doc.prose.blocks {
        let signs = doc.signs(block);
        let mut i = 0;
        while i < signs.len() {
            let run = signs.iter().skip(i).take_while(|s| kana(s.c));
            let name: String = run.map(|s| s.c).collect();
            let n = name.chars().count();
            if let (true, Some(from), Some(to)) = (
                n >= LETTERS,
                signs.get(i),
                signs.get(i + n.saturating_sub(1)),
            ) {
                found.push((name, from.at..to.end()));
            }
            i += n.max(1);
        }
    }
    found
}

/// The forms under which two spellings that differ in one letter meet: each letter left out, and all of them.
fn shapes(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let without = |i: usize| {
        letters
            .iter()
            .enumerate()
            .filter(|(j, _)| *j != i)
            .map(|(_, c)| *c)
            .collect()
    };
    let mut all: Vec<String> = (0..letters.len()).map(without).collect();
    all.push(name.to_owned());
    all
}

/// Whether two words can be one name: one letter is other, too many, or changes places with its neighbour,
/// neither the first one nor in what may be an ending.
fn is_other_spelling(one: &str, other: &str) -> bool {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let head = one.iter().zip(&other).take_while(|(x, y)| x == y).count();
    let shorter = one.len().min(other.len());
    if one == other || head == 0 || one.len().abs_diff(other.len()) > 1 {
        return false;
    }
    let back = one.iter().rev().zip(other.iter().rev());
    let tail = back
        .take(shorter - head)
        .take_while(|(x, y)| x == y)
        .count();
    let longer = if one.len() > other.len() {
        &one
    } else {
        &other
    };
    let letter = longer.get(head);
    let twin = letter == longer.get(head - 1);
    let consonants = || {
        [&one, &other]
            .iter()
            .all(|n| n.get(head).is_some_and(|c| !VOWELS.contains(*c)))
    };
    match (one.len() - head - tail, other.len() - head - tail) {
        // A letter doubled or not, also the last one; `s` is an ending.
        (1, 0) | (0, 1) if twin => letter.is_none_or(|c| *c != 's'),
        // Short names that differ in one letter are two names more often than one.
        (1, 1) if shorter < LONG && !one.first().is_some_and(|c| is_cjk(*c)) => false,
        (1, 1) if tail == 1 => consonants() || is_no_ending(&one) && is_no_ending(&other),
        (1, 0 | 1) | (0, 1) => tail >= 2,
        (2, 2) => one.get(head) == other.get(head + 1) && one.get(head + 1) == other.get(head),
        _ => false,
    }
}

/// Whether a name of plain letters ends in a consonant that is part of it: Hallam, and not Englishmen or Carlos.
fn is_no_ending(name: &[char]) -> bool {
    let man = name.ends_with(&['m', 'a', 'n']) || name.ends_with(&['m', 'e', 'n']);
    let last = name
        .last()
        .is_some_and(|c| *c != 's' && !VOWELS.contains(*c));
    last && !man && name.iter().all(char::is_ascii)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, want: &[&str]) {
        let found = find(&Doc::of(text));
        let mut got: Vec<&str> = found
            .iter()
            .filter_map(|f| text.get(f.at.clone()))
            .collect();
        got.sort_unstable();
        assert_eq!(got, want, "{found:?}");
    }

    #[test]
    fn a_name_spelt_otherwise_is_found() {
        check(
            "So Bennett came. Then Bennett sat, Bennett’s dog too, and Bennet left.",
            &["Bennet"],
        );
        check(
            "Вот Наташа. Там Наташа и тут Наташа, а Натаща ушла.",
            &["Натаща"],
        );
        check(
            "エリザベスとエリザベスとエリザベスとエリサベス。",
            &["エリサベス"],
        );
    }

    #[test]
    fn in_a_short_piece_a_name_that_stands_twice_is_enough() {
        let text = "So Hallam came. Then Hallam sat, and at last Hallem left.";
        check(text, &["Hallem"]);
        check("Then Hallam sat, and at last Hallem left.", &[]);
        check("The Englishmen, the Englishmen and one Englishman.", &[]);
        let long = format!("{text} {}", "and on it went ".repeat(600));
        check(&long, &[]);
    }

    #[test]
    fn forms_and_other_words_are_no_spellings() {
        check("So Иванов, Иванов, Иванов и Иванова, Ивановы.", &[]);
        check(
            "The Bennet and Bennet and Bennet; the Bennets, the Prussian, the Prussian, the Prussian, the Russian.",
            &[],
        );
    }
}
