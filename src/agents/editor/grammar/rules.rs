//! The child's end: reads the whole text, runs the rules, writes what they find.

use std::io::{Read, Write};
use std::ops::Range;
use std::sync::Arc;

use harper_core::linting::{Lint, LintGroup, LintKind, Suggestion};
use harper_core::parsers::{Markdown, MarkdownOptions};
use harper_core::spell::{Dictionary, FstDictionary};
use harper_core::{Dialect, Document, TokenKind};
use serde_json::{Value, json};

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
    let mut rules = LintGroup::new_curated(dictionary.clone(), Dialect::American);
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

/// A place in a paragraph, in bytes.
struct Place {
    range: Range<usize>,
    what: String,
    with: Vec<String>,
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
    let wrong = |rule: &str, lint: &Lint| WRONG.contains(&lint.lint_kind) || rule == ARTICLE;
    let mut lints: Vec<Lint> = found
        .flat_map(|(rule, lints)| lints.into_iter().filter(move |lint| wrong(&rule, lint)))
        .collect();
    lints.sort_by_key(|l| l.span.start);
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
            spelling: lint.lint_kind == LintKind::Spelling,
        })
        .collect()
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
}
