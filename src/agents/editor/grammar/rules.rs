//! The child's end: reads the whole text, runs the rules, writes what they find.

use std::io::{Read, Write};

use harper_core::linting::{LintGroup, LintKind, Linter, Suggestion};
use harper_core::parsers::{IsolateEnglish, Markdown, MarkdownOptions};
use harper_core::spell::FstDictionary;
use harper_core::{Dialect, Document};
use serde_json::json;

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
    let markdown = Markdown::new(MarkdownOptions::default());
    let parser = IsolateEnglish::new(Box::new(markdown), dictionary.clone());
    let document = Document::new(&text, &parser, &dictionary);
    let mut rules = LintGroup::new_curated(dictionary, Dialect::American);
    let mut lints = rules.lint(&document);
    lints.sort_by_key(|l| l.span.start);
    let bytes: Vec<usize> = text
        .char_indices()
        .map(|(at, _)| at)
        .chain([text.len()])
        .collect();
    for lint in lints.iter().filter(|l| WRONG.contains(&l.lint_kind)) {
        let at = |n: usize| bytes.get(n).copied().unwrap_or(text.len());
        let with: Vec<String> = lint
            .suggestions
            .iter()
            .take(SUGGESTED)
            .filter_map(written)
            .collect();
        let place = json!({
            "from": at(lint.span.start),
            "to": at(lint.span.end),
            "what": lint.message,
            "with": with,
            "spelling": lint.lint_kind == LintKind::Spelling,
        });
        writeln!(output, "{place}")?;
    }
    output.flush()
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
