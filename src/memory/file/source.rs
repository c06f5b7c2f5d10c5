//! Where a line of the memory comes from, as readable Markdown: `*(03 Session, 2026-11-30)*` behind its words.

use jiff::civil::Date;

use crate::memory::brief::lines::{fence_of, level, unnamed};
use crate::text::revealed;

/// How a source begins.
const OPENS: &str = " *(";
/// How it ends.
const CLOSES: &str = ")*";
/// What makes a mark of Markdown a letter like any.
const ESCAPE: &str = "\\";

/// Where a line comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// Title of the session.
    pub title: String,
    /// The day it was accepted.
    pub date: Date,
}

/// The line that is written for an accepted text, which stands in it to the letter.
pub fn line_of(text: &str, title: &str, date: Date) -> String {
    let title: String = revealed(title).replace(['*', '`', '[', ']'], "");
    let title = title.trim();
    let escape = if opens_block(text) { ESCAPE } else { "" };
    // An agent's words bring no file into the brief.
    if title.is_empty() {
        return unnamed(&format!("- {escape}{text}{OPENS}{date}{CLOSES}"));
    }
    unnamed(&format!("- {escape}{text}{OPENS}{title}, {date}{CLOSES}"))
}

/// Whether words would be a heading, a quotation, a list or code of their own behind the mark of an item. Those escaped
/// already are escaped once more, so that they are read back as they are.
fn opens_block(words: &str) -> bool {
    let ends = |rest: &str| rest.is_empty() || rest.starts_with(char::is_whitespace);
    let listed = words.strip_prefix(['-', '*', '+']).is_some_and(ends);
    let quoted = words.starts_with('>');
    let code = fence_of(words).is_some();
    let escaped = words.strip_prefix(ESCAPE).is_some_and(opens_block);
    level(words).is_some() || listed || quoted || code || escaped
}

/// Takes a line apart: its words without marker and escape, and where they come from.
pub fn source(line: &str) -> (&str, Option<Source>) {
    let line = line.trim();
    // Emphasis at the beginning is no marker.
    let marked = line.strip_prefix(['-', '*', '+']);
    let marked = marked.filter(|rest| !rest.starts_with(|c: char| !c.is_whitespace()));
    let words = marked.unwrap_or(line).trim();
    let (words, from) = parted(words);
    let plain = words
        .strip_prefix(ESCAPE)
        .filter(|words| opens_block(words));
    (plain.unwrap_or(words), from)
}

/// Words, and where they come from.
fn parted(words: &str) -> (&str, Option<Source>) {
    let found = words
        .strip_suffix(CLOSES)
        .and_then(|w| w.rsplit_once(OPENS));
    let Some((text, inner)) = found else {
        return (words, None);
    };
    let (title, date) = inner.rsplit_once(", ").unwrap_or(("", inner));
    match date.parse() {
        Ok(date) => {
            let title = title.to_owned();
            (text, Some(Source { title, date }))
        }
        Err(_) => (words, None),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    #[test]
    fn a_source_is_read_back_whatever_the_title_is() {
        let date: Date = "2026-11-30".parse().unwrap();
        for (title, kept) in [
            ("03 Session", "03 Session"),
            ("One, (two)", "One, (two)"),
            ("*Bold* \u{202e}", "Bold ⟨202E⟩"),
            ("", ""),
        ] {
            let line = line_of("# Ilse *(rows)* now.", title, date);
            let (words, from) = source(&line);
            assert_eq!(words, "# Ilse *(rows)* now.", "{line}");
            let title = kept.to_owned();
            assert_eq!(from, Some(Source { title, date }), "{line}");
        }
        assert_eq!(source("- By hand *(later)*"), ("By hand *(later)*", None));
    }

    #[test]
    fn an_accepted_text_is_kept_to_the_letter_and_marks_of_blocks_alone_are_escaped() {
        let date: Date = "2026-11-30".parse().unwrap();
        for (text, kept) in [
            ("-5 degrees is the lowest.", "-5 degrees is the lowest."),
            ("+5 degrees", "+5 degrees"),
            ("**Ilse**: nine years.", "**Ilse**: nine years."),
            ("*Ferry* stands in italics.", "*Ferry* stands in italics."),
            ("#hashtag", "#hashtag"),
            ("=== so ===", "=== so ==="),
            ("--- so", "--- so"),
            ("1986. The flood.", "1986. The flood."),
            ("# Ilse", "\\# Ilse"),
            ("- Ilse", "\\- Ilse"),
            ("* Ilse", "\\* Ilse"),
            ("+", "\\+"),
            (">5 degrees", "\\>5 degrees"),
            ("~~~ so", "\\~~~ so"),
            ("\\# Ilse", "\\\\# Ilse"),
            ("\\Ilse", "\\Ilse"),
        ] {
            let line = line_of(text, "One", date);
            assert_eq!(line, format!("- {kept} *(One, 2026-11-30)*"));
            assert_eq!(source(&line).0, text);
        }
    }
}
