//! Where a line of the memory comes from, as readable Markdown: `*(03 Session, 2026-11-30)*` behind its words.

use jiff::civil::Date;

use crate::memory::brief::lines::unnamed;
use crate::text::revealed;

/// How a source begins.
const OPENS: &str = " *(";
/// How it ends.
const CLOSES: &str = ")*";

/// Where a line comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// Title of the session.
    pub title: String,
    /// The day it was accepted.
    pub date: Date,
}

/// The line that is written for an accepted text.
pub fn line_of(text: &str, title: &str, date: Date) -> String {
    let title: String = revealed(title).replace(['*', '`', '[', ']'], "");
    let title = title.trim();
    let words = plain_start(text);
    // An agent's words bring no file into the brief.
    if title.is_empty() {
        return unnamed(&format!("- {words}{OPENS}{date}{CLOSES}"));
    }
    unnamed(&format!("- {words}{OPENS}{title}, {date}{CLOSES}"))
}

/// Words that begin no heading, quotation or list of their own.
fn plain_start(text: &str) -> &str {
    text.trim_start_matches(|c: char| c.is_whitespace() || "#>-+*=".contains(c))
}

/// Takes a line apart: its words without marker, and where they come from.
pub fn source(line: &str) -> (&str, Option<Source>) {
    let line = line.trim();
    // Emphasis at the beginning is no marker.
    let marked = line.strip_prefix(['-', '*', '+']);
    let marked = marked.filter(|rest| !rest.starts_with(|c: char| !c.is_whitespace()));
    let words = marked.unwrap_or(line).trim();
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
            assert_eq!(words, "Ilse *(rows)* now.", "{line}");
            let title = kept.to_owned();
            assert_eq!(from, Some(Source { title, date }), "{line}");
        }
        assert_eq!(source("- By hand *(later)*"), ("By hand *(later)*", None));
    }
}
