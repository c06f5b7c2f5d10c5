//! Quotation marks of many languages: the one table of them.

use std::ops::Range;

/// A mark that opens, and those that close what it has opened.
const QUOTES: &[(char, &str)] = &[
    ('"', "\""),
    ('“', "”"),
    ('„', "“”"),
    ('”', "”"),
    ('«', "»"),
    ('»', "«»"),
    ('‹', "›"),
    ('›', "‹›"),
    ('‘', "’"),
    ('‚', "‘’"),
    ('「', "」"),
    ('『', "』"),
    ('｢', "｣"),
    ('＂', "＂"),
    ('`', "`"),
];

/// What closes behind a mark; none where it opens nothing.
pub fn closers(open: char) -> Option<&'static str> {
    let found = QUOTES.iter().find(|(mark, _)| *mark == open);
    found.map(|(_, closers)| *closers)
}

/// Whether it is a mark that opens or closes.
pub fn is_quote(c: char) -> bool {
    QUOTES
        .iter()
        .any(|(open, closers)| *open == c || closers.contains(c))
}

/// What stands in quotation marks, in order, without them.
pub fn quoted(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(rest) = text.get(from..) {
        let mut marks = rest.char_indices();
        let Some((at, open)) = marks.find(|(_, c)| closers(*c).is_some()) else {
            break;
        };
        let start = from + at + open.len_utf8();
        let behind = marks.as_str();
        let closes = |c| closers(open).is_some_and(|marks| marks.contains(c));
        match behind.char_indices().find(|(_, c)| closes(*c)) {
            Some((len, close)) => {
                found.push(start..start + len);
                from = start + len + close.len_utf8();
            }
            None => from = start,
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_in_marks_of_any_language_is_found_in_order() {
        for (text, want) in [
            ("say “a b” or \"c\"", vec!["a b", "c"]),
            ("„eins“, „zwei” und »drei«", vec!["eins", "zwei", "drei"]),
            ("« un », ‹deux› et ”trois”", vec![" un ", "deux", "trois"]),
            ("「一」『二』｢三｣", vec!["一", "二", "三"]),
            ("don’t “say ‘this’”", vec!["say ‘this’"]),
            ("an open “ one, `code`", vec!["code"]),
            ("", vec![]),
        ] {
            let found = quoted(text).into_iter();
            let found: Vec<&str> = found.filter_map(|at| text.get(at)).collect();
            assert_eq!(found, want, "{text}");
        }
    }
}
