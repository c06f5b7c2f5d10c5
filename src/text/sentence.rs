//! Sentences.

use std::ops::Range;

use super::prose::GONE;

/// Marks that end a sentence where a space or nothing follows.
const STOPS: &str = ".!?…‽؟۔।॥።։။។៕";
/// Marks that end one whatever follows.
const WIDE_STOPS: &str = "。！？｡";
/// What still belongs to the sentence behind its end.
const CLOSERS: &str = "\"'”’»›」』）)]】》〉*_";
/// What closes in some languages and opens in others: it closes where a space or nothing follows.
const EITHER: &str = "“‘«‹";
/// Signs a sentence may begin with before its first letter.
const OPENERS: &str = "\"'“‘«‹„「『（([【《〈—–-¿¡";
/// Words whose full stop ends no sentence, in small letters.
const SHORT: &[&str] = &[
    "mr", "mrs", "ms", "dr", "st", "mt", "prof", "rev", "hon", "capt", "col", "gen", "lt", "sgt",
    "messrs", "mme", "mlle", "jr", "sr", "vs", "cf", "vol", "chap", "fig", "ed", "op", "viz",
    "approx", "ca", "bzw", "hr", "fr", "str", "см", "ср", "гр", "стр", "рис", "им", "ул", "тов",
    "св", "проф",
];

/// Words whose full stop ends none before a number: *No. 5*, and not *No. She left.*
const COUNTED: &[&str] = &["no", "nr", "pp"];

/// The sentences of one block of text, as byte ranges without the space between them.
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut at = 0;
    while let Some(stop) = next_stop(text, at) {
        let end = end_behind(text, stop);
        at = end;
        if ends(text, start, stop, end) {
            push(text, start..end, &mut found);
            start = end;
        }
    }
    push(text, start..text.len(), &mut found);
    found
}

fn push(text: &str, range: Range<usize>, found: &mut Vec<Range<usize>>) {
    let piece = text.get(range.clone()).unwrap_or_default();
    let blank = |c: char| c.is_whitespace() || c == GONE;
    let start = range.end - piece.trim_start_matches(blank).len();
    let end = range.start + piece.trim_end_matches(blank).len();
    if start < end {
        found.push(start..end);
    }
}

fn is_stop(c: char) -> bool {
    STOPS.contains(c) || WIDE_STOPS.contains(c)
}

fn next_stop(text: &str, from: usize) -> Option<usize> {
    Some(from + text.get(from..)?.find(is_stop)?)
}

/// Behind a run of stops and what closes with them.
fn end_behind(text: &str, stop: usize) -> usize {
    let rest = text.get(stop..).unwrap_or_default();
    let more = |c: char| is_stop(c) || CLOSERS.contains(c) || c == GONE;
    let rest = rest.trim_start_matches(more);
    let behind = rest.trim_start_matches(|c| more(c) || EITHER.contains(c));
    let apart = |text: &str| text.is_empty() || text.starts_with(char::is_whitespace);
    let rest = if apart(behind) { behind } else { rest };
    // In French a space stands before the mark that closes, and behind the one that opens.
    let spaced = rest.trim_start().strip_prefix('»');
    text.len() - spaced.filter(|behind| apart(behind)).unwrap_or(rest).len()
}

fn ends(text: &str, start: usize, stop: usize, end: usize) -> bool {
    let run = text.get(stop..end).unwrap_or_default();
    if run.contains(|c| WIDE_STOPS.contains(c)) {
        return true;
    }
    let rest = text.get(end..).unwrap_or_default();
    if !rest.starts_with(char::is_whitespace) {
        // `……` stands within Chinese sentences as often as at their end.
        return rest.is_empty();
    }
    let next = rest
        .chars()
        .find(|c| !c.is_whitespace() && !OPENERS.contains(*c) && *c != GONE);
    if next.is_some_and(char::is_lowercase) {
        return false;
    }
    let counts = next.is_some_and(char::is_numeric);
    !(run.starts_with('.') && is_short(text.get(start..stop).unwrap_or_default(), counts))
}

/// Whether the word before a full stop is a short form, an initial or the number of an item; some `counts` what follows.
fn is_short(before: &str, counts: bool) -> bool {
    let from = before
        .rfind(|c: char| !c.is_alphanumeric())
        .map_or(0, |at| {
            at + before
                .get(at..)
                .and_then(|r| r.chars().next())
                .map_or(1, char::len_utf8)
        });
    let word = before.get(from..).unwrap_or_default();
    let mut chars = word.chars();
    match (chars.next(), chars.next()) {
        (Some(only), None) => only.is_uppercase() || only.is_numeric() && from == 0,
        (Some(_), Some(_)) => {
            let small = word.to_lowercase();
            SHORT.contains(&small.as_str())
                || counts && COUNTED.contains(&small.as_str())
                || from == 0 && word.chars().all(char::is_numeric)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str, want: &[&str]) {
        let got: Vec<&str> = sentences(text)
            .into_iter()
            .map(|r| text.get(r).unwrap())
            .collect();
        assert_eq!(got, want, "{text:?}");
    }

    #[test]
    fn a_stop_and_a_space_end_a_sentence() {
        check(
            "One. Two! “Three?” Four…  Five",
            &["One.", "Two!", "“Three?”", "Four…", "Five"],
        );
        check("Раз. Два!\nТри", &["Раз.", "Два!", "Три"]);
        check("Մեկ։ Երկու։", &["Մեկ։", "Երկու։"]);
        check("មួយ។ ពីរ។", &["មួយ។", "ពីរ។"]);
        check(
            "„Ja.“ Er ging. »Nein!« Sie blieb.",
            &["„Ja.“", "Er ging.", "»Nein!«", "Sie blieb."],
        );
        check(
            "Il dit. « Oui. » Elle rit.",
            &["Il dit.", "« Oui. »", "Elle rit."],
        );
        check("", &[]);
    }

    #[test]
    fn wide_stops_need_no_space() {
        check(
            "一。二！「三？」四……五",
            &["一。", "二！", "「三？」", "四……五"],
        );
    }

    #[test]
    fn short_forms_initials_numbers_and_speech_go_on() {
        check(
            "Mr. Brown met J. R. Smith.",
            &["Mr. Brown met J. R. Smith."],
        );
        check("It cost 3.50, e.g. here.", &["It cost 3.50, e.g. here."]);
        check(
            "“Go!” he said. — Да! — сказал он.",
            &["“Go!” he said.", "— Да! — сказал он."],
        );
        check("1. The first.", &["1. The first."]);
        check(
            "“No.” She left, no. Then No. 5 came.",
            &["“No.”", "She left, no.", "Then No. 5 came."],
        );
    }

    proptest! {
        #[test]
        fn sentences_are_pieces_in_order(text in any::<String>()) {
            let mut at = 0;
            for s in sentences(&text) {
                prop_assert!(s.start >= at && s.start < s.end && text.get(s.clone()).is_some());
                at = s.end;
            }
        }
    }
}
