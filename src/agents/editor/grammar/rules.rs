//! The child's end: reads the whole text, runs the rules, writes what they find.

use std::io::{Read, Write};
use std::ops::Range;
use std::sync::Arc;

use harper_core::linting::{Lint, LintGroup, LintKind, Suggestion};
use harper_core::parsers::{Markdown, MarkdownOptions};
use harper_core::spell::{Dictionary, FstDictionary};
use harper_core::{Dialect, DialectFlags, Document, TokenKind};
use serde_json::{Value, json};

use crate::text::distance;

/// Rules about what is wrong. Those about taste, and what the other checks find, are left out.
const WRONG: [LintKind; 9] = [
    LintKind::Agreement,
    LintKind::BoundaryError,
    LintKind::Eggcorn,
    LintKind::Grammar,
    LintKind::Malapropism,
    LintKind::Spelling,
    LintKind::Typo,
    LintKind::Usage,
    LintKind::WordOrder,
];
/// The rule about *a* and *an*, which is of no such kind.
const ARTICLE: &str = "AnA";
/// Rules that are wrong of good prose more often than right: *co-operate*, *such a fiction*, *some quite impressive
/// models*.
const LEFT: [&str; 3] = ["DisjointPrefixes", "MassNouns", "QuiteQuiet"];
/// Unknown words in a row that are taken for another language.
const QUOTED: usize = 3;
/// Letters that may stand between two of them: a comma and a space.
const APART: usize = 2;
/// Suggestions that are passed on.
const SUGGESTED: usize = 3;

/// Reads a text to its end and writes a JSON line for each place; places are bytes.
///
/// # Errors
/// When the text is not UTF-8, or a pipe is closed.
pub fn serve(mut input: impl Read, mut output: impl Write) -> std::io::Result<()> {
    let mut text = String::new();
    input.read_to_string(&mut text)?;
    let dictionary = FstDictionary::curated();
    let mut rules = LintGroup::new_curated(dictionary.clone(), dialect(&text, &dictionary));
    let mut at = 0;
    // Each by itself: a text may hold paragraphs of other languages.
    for paragraph in text.split_inclusive("\n\n") {
        for place in places(paragraph, &dictionary, &mut rules) {
            writeln!(output, "{}", place.json(at))?;
        }
        at += paragraph.len();
    }
    output.flush()
}

/// The English that a text is written in: that of most of its words, of several the first one here.
fn dialect(text: &str, dictionary: &Arc<FstDictionary>) -> Dialect {
    let markdown = Markdown::new(MarkdownOptions::default());
    let document = Document::new(text, &markdown, dictionary);
    let most = DialectFlags::get_most_used_dialects_from_document(&document);
    let is_most = |dialect: &Dialect| most.is_dialect_enabled(*dialect);
    let all = [
        Dialect::American,
        Dialect::British,
        Dialect::Australian,
        Dialect::Canadian,
        Dialect::Indian,
    ];
    all.into_iter().find(is_most).unwrap_or(Dialect::American)
}

/// A place in a paragraph, in bytes.
struct Place {
    range: Range<usize>,
    what: String,
    with: Vec<String>,
    /// It is of a word that no dictionary has: a name, or one of the writer's own, where it stands often.
    spelling: bool,
}

impl Place {
    /// As a line, with its paragraph's first byte `at`.
    fn json(&self, at: usize) -> Value {
        json!({
            "from": at + self.range.start,
            "to": at + self.range.end,
            "what": self.what,
            "with": self.with,
            "spelling": self.spelling,
        })
    }
}

/// What the rules find in a paragraph, in its order; nothing where it is not English.
fn places(paragraph: &str, dictionary: &Arc<FstDictionary>, rules: &mut LintGroup) -> Vec<Place> {
    let markdown = Markdown::new(MarkdownOptions::default());
    let document = Document::new(paragraph, &markdown, dictionary);
    if !is_english(&document, dictionary) {
        return Vec::new();
    }
    let found = rules.organized_lints(&document).into_iter();
    let wrong = |rule: &str, lint: &Lint| {
        (WRONG.contains(&lint.lint_kind) || rule == ARTICLE) && !LEFT.contains(&rule)
    };
    let mut lints: Vec<Lint> = found
        .flat_map(|(rule, lints)| lints.into_iter().filter(move |lint| wrong(&rule, lint)))
        .collect();
    lints.sort_by_key(|l| l.span.start);
    lints.dedup_by_key(|lint| lint.span);
    let source = document.get_source();
    let mut lints = whole_words(&without_quoted(lints), source);
    lints.retain(|lint| {
        let word = lint.get_ch(source);
        !(is_spelling(lint) || is_unknown(word, dictionary)) || is_near(word, &lint.suggestions)
    });
    let letters = paragraph.char_indices().map(|(at, _)| at);
    let bytes: Vec<usize> = letters.chain([paragraph.len()]).collect();
    let at = |n: usize| bytes.get(n).copied().unwrap_or(paragraph.len());
    lints
        .iter()
        .map(|lint| Place {
            range: at(lint.span.start)..at(lint.span.end),
            what: lint.message.clone(),
            with: lint
                .suggestions
                .iter()
                .take(SUGGESTED)
                .filter_map(written)
                .collect(),
            spelling: is_spelling(lint) || is_unknown(lint.get_ch(source), dictionary),
        })
        .collect()
}

fn is_spelling(lint: &Lint) -> bool {
    lint.lint_kind == LintKind::Spelling
}

/// Whether it is one word that the dictionary has not.
fn is_unknown(word: &[char], dictionary: &FstDictionary) -> bool {
    !word.iter().any(|c| c.is_whitespace()) && !dictionary.contains_word(word)
}

/// Whether a word is one slip of the hand from one that is proposed, a letter other, gone, too many or in the wrong
/// place: else it is rather one that the dictionary lacks.
fn is_near(word: &[char], suggestions: &[Suggestion]) -> bool {
    let word: String = word.iter().collect();
    let letters = |word: &str| {
        let mut letters: Vec<char> = word.to_lowercase().chars().collect();
        letters.sort_unstable();
        letters
    };
    let near = |with: String| match distance(&word, &with) {
        0 | 1 => true,
        2 => letters(&word) == letters(&with),
        _ => false,
    };
    suggestions.iter().filter_map(written).any(near)
}

/// Without what is unknown in a row: a few words in another language.
fn without_quoted(lints: Vec<Lint>) -> Vec<Lint> {
    let in_a_row = |a: &Lint, b: &Lint| {
        is_spelling(a) && is_spelling(b) && b.span.start.saturating_sub(a.span.end) <= APART
    };
    let rows = lints.chunk_by(in_a_row).filter(|row| row.len() < QUOTED);
    rows.flatten().cloned().collect()
}

/// Without those of a part of a word: of which a quotation has altered a letter, *[w]hy*, or, of spelling, what hangs on
/// a hyphen, *neo-classical*.
fn whole_words(lints: &[Lint], source: &[char]) -> Vec<Lint> {
    let is_whole = |lint: &&Lint| {
        let before = lint.span.start.checked_sub(1).and_then(|at| source.get(at));
        let behind = source.get(lint.span.end);
        let ends = [before, behind].into_iter().flatten();
        let joints = if is_spelling(lint) { "[]-_/" } else { "[]" };
        !ends.into_iter().any(|c| joints.contains(*c))
    };
    lints.iter().filter(is_whole).cloned().collect()
}

/// Whether most words of a paragraph are English, and not much of it is in letters that English has not.
fn is_english(document: &Document, dictionary: &FstDictionary) -> bool {
    let (mut words, mut known, mut foreign) = (0, 0, 0);
    for token in document.get_tokens() {
        match token.kind {
            TokenKind::Word(_) => {
                words += 1;
                let is_known = dictionary.contains_word(token.get_ch(document.get_source()));
                known += usize::from(is_known);
            }
            TokenKind::Unlintable => foreign += 1,
            _ => {}
        }
    }
    words > 0 && known * 10 >= words * 7 && foreign <= known
}

fn written(suggestion: &Suggestion) -> Option<String> {
    match suggestion {
        Suggestion::ReplaceWith(letters) => Some(letters.iter().collect()),
        Suggestion::InsertAfter(_) | Suggestion::Remove => None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    #[test]
    fn slips_are_written_with_their_places_and_other_tongues_are_left() {
        let text = "灯台。\n\nThis is an test of the grammer.\n\nОна пришла домой.\n\n`an test`\n";
        let mut out = Vec::new();
        serve(text.as_bytes(), &mut out).unwrap();
        let lines = String::from_utf8(out).unwrap();
        let places: Vec<&str> = lines
            .lines()
            .map(|l| {
                let place: serde_json::Value = serde_json::from_str(l).unwrap();
                let at = |key: &str| usize::try_from(place[key].as_u64().unwrap()).unwrap();
                text.get(at("from")..at("to")).unwrap()
            })
            .collect();
        assert_eq!(places, ["an", "grammer"]);
    }

    fn found(text: &str) -> String {
        let mut out = Vec::new();
        serve(text.as_bytes(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_text_is_read_in_the_english_that_it_is_written_in() {
        let british =
            "The colour of the harbour was grey. They organised their defence and analysed it.";
        let american =
            "The color of the harbor was gray. They organized their defense and analyzed it.";
        assert_eq!(
            (found(british), found(american)),
            (String::new(), String::new())
        );
        let both = format!("{british}\n\nOnly the color is another one.");
        assert!(found(&both).contains("colour"));
    }

    #[test]
    fn a_letter_that_a_quotation_has_altered_is_no_slip() {
        assert_eq!(found("He asks \"[w]hy do they serve the rich?\""), "");
    }

    #[test]
    fn parts_of_compounds_and_words_of_another_language_are_left() {
        assert_eq!(
            found("The socio-political theory and the neo-liberal one are old."),
            ""
        );
        let quoted =
            "Over the gate of the factory he wrote: lasciate ogni autonomia, voi che entrate.";
        assert_eq!(found(quoted), "");
        assert!(!found("Over the gate he wrote one grammer.").is_empty());
        assert!(!found("They recieve it at the gate.").is_empty());
    }
}
