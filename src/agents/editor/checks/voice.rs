//! Words that the writer never writes, from `VOICE.md`.

use super::super::doc::{Doc, Word};
use super::super::finding::{Change, Finding};

const KIND: &str = "voice";
/// Headings and leads that begin a list of such words.
const NEVER: &[&str] = &[
    "never",
    "avoid",
    "forbidden",
    "banned",
    "don't",
    "don’t",
    "do not",
    "not",
    "no",
    "никогда",
    "избегать",
    "нельзя",
    "не писать",
    "запрещено",
    "从不",
    "不用",
    "不写",
    "禁用",
    "避免",
    "nie",
    "jamais",
    "nunca",
    "禁止",
];
/// A longer entry is a rule and not a word.
const WORDS_MAX: usize = 6;

/// A word or phrase that is never written, and what to write in its place.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Never {
    words: Vec<String>,
    instead: Option<String>,
}

pub(super) fn find(doc: &Doc<'_>, voice: &str) -> Vec<Finding> {
    let never = never(voice);
    let mut found = Vec::new();
    for from in 0..doc.words.len() {
        let rest = doc.words.get(from..).unwrap_or_default();
        let hit = never
            .iter()
            .filter(|n| matches(doc, rest, &n.words))
            .max_by_key(|n| n.words.len());
        if let Some(hit) = hit {
            found.extend(finding(doc, rest, hit));
        }
    }
    found
}

fn matches(doc: &Doc<'_>, rest: &[Word], words: &[String]) -> bool {
    let same = rest
        .iter()
        .zip(words)
        .take_while(|(w, n)| doc.term(w) == n.as_str())
        .count();
    let ends = rest
        .get(..words.len())
        .and_then(|r| Some((r.first()?.sentence, r.last()?.sentence)));
    same == words.len() && ends.is_some_and(|(a, b)| a == b)
}

fn finding(doc: &Doc<'_>, rest: &[Word], hit: &Never) -> Option<Finding> {
    let last = rest.get(hit.words.len().checked_sub(1)?)?;
    let at = rest.first()?.range.start..last.range.end;
    let spelt = doc.plain(at.clone());
    let instead = hit.instead.as_ref().map(|new| as_capital(spelt, new));
    Some(Finding {
        kind: KIND,
        meant: false,
        what: format!("VOICE.md says that you never write “{spelt}”."),
        change: match &instead {
            Some(new) => format!("Write “{new}”."),
            None => "Say it in another way.".to_owned(),
        },
        fix: instead
            .into_iter()
            .map(|new| Change::new(at.clone(), new))
            .collect(),
        at,
    })
}

/// A word with a capital where the one it replaces has one.
fn as_capital(old: &str, new: &str) -> String {
    let mut letters = new.chars();
    match letters.next() {
        Some(first) if old.starts_with(char::is_uppercase) => {
            first.to_uppercase().chain(letters).collect()
        }
        _ => new.to_owned(),
    }
}

/// The words of a voice file that stand under a heading such as *Never*, or behind such a word and a colon.
fn never(voice: &str) -> Vec<Never> {
    let mut found = Vec::new();
    let mut within = None;
    for line in voice.lines().map(str::trim) {
        let level = line.chars().take_while(|c| *c == '#').count();
        if level > 0 {
            let ends = within.is_some_and(|w| level <= w);
            let begins = is_never(line.trim_start_matches('#'));
            within = if begins {
                Some(level)
            } else {
                within.filter(|_| !ends)
            };
            continue;
        }
        let item = line.trim_start_matches(['-', '*', '+', '•', ' ']);
        let lead = item
            .split_once([':', '：'])
            .filter(|(lead, _)| is_never(lead.trim_matches('*')));
        match lead {
            Some((_, words)) => entries(words.trim_start_matches('*'), &mut found),
            None if within.is_some() => entries(item, &mut found),
            None => {}
        }
    }
    found
}

/// Whether a heading says that what follows is not to be written.
fn is_never(heading: &str) -> bool {
    let small = heading.trim().to_lowercase();
    let spaced = format!("{small} ");
    let starts =
        |n: &&&str| spaced.starts_with(&format!("{n} ")) || !n.is_ascii() && small.starts_with(**n);
    let named = NEVER.iter().any(|n| starts(&n));
    named
        || ["never", "forbidden", "avoid", "banned"]
            .iter()
            .any(|n| small.contains(n))
}

/// The words of one line: parted by commas; `old → new` names what to write in their place.
fn entries(line: &str, found: &mut Vec<Never>) {
    let arrow = ["→", "->", "=>"].iter().find_map(|a| line.split_once(a));
    let (old, instead) = arrow.map_or((line, None), |(old, new)| {
        (old, Some(plain(new).to_owned()))
    });
    for word in old.split([',', '，', '、', ';', '；', '/']) {
        // What follows a dash is a reason.
        let word = word.split(" — ").next().unwrap_or_default();
        let word = word.split(" - ").next().unwrap_or_default();
        let word = plain(word);
        let doc = Doc::of(word);
        let words: Vec<String> = doc.words.iter().map(|w| doc.term(w).to_owned()).collect();
        if (1..=WORDS_MAX).contains(&words.len()) {
            let instead = instead.clone().filter(|n| !n.is_empty());
            found.push(Never { words, instead });
        }
    }
}

/// A word without its marks and without what stands in brackets behind it.
fn plain(word: &str) -> &str {
    let word = word.split(['(', '（']).next().unwrap_or_default();
    word.trim_matches(|c: char| c.is_whitespace() || "\"“”'‘’`«»「」*_.。".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::editor::finding::changed;

    const VOICE: &str = "# Voice\n\nPlain words.\n\n## Never\n\n- delve, \"rich tapestry\"\n- utilize → use (it is shorter)\n- 众所周知\n\n## Tone\n\n- calm\n\nAvoid: очень\n";

    #[test]
    fn the_words_under_a_heading_are_read() {
        let words: Vec<String> = never(VOICE).iter().map(|n| n.words.join(" ")).collect();
        assert_eq!(
            words,
            ["delve", "rich tapestry", "utilize", "众所周知", "очень"]
        );
        assert_eq!(never("Nothing here.\n\n- not a list of words"), []);
    }

    #[test]
    fn what_is_never_written_is_found_in_any_script() {
        let text =
            "Utilize it. We delve.\n\n众所周知，очень хорошо. A calm, rich\ntapestry; delved.";
        let found = find(&Doc::of(text), VOICE);
        let at: Vec<&str> = found
            .iter()
            .filter_map(|f| text.get(f.at.clone()))
            .collect();
        assert_eq!(
            at,
            ["Utilize", "delve", "众所周知", "очень", "rich\ntapestry"]
        );
        let mended = changed(text, found.into_iter().flat_map(|f| f.fix)).0;
        assert!(mended.starts_with("Use it."), "{mended}");
    }
}
