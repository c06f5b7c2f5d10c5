//! Words with a look, on rows.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use crate::text::compare::{Mark, Marks, marks};
use crate::text::{TAB, clean, one_line, wrap};

/// How some words look.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Look {
    /// As words.
    Plain,
    /// In this text alone.
    Alone,
    /// Taken away.
    Gone,
    /// Put in.
    Came,
    /// No words of the text, but said of it.
    Note,
}

/// Some words of one look.
pub type Run = (String, Look);

/// A row of them.
pub type Row = Vec<Run>;

/// What is said in the place of words.
pub fn note(text: &str) -> Vec<Run> {
    vec![(text.to_owned(), Look::Note)]
}

/// A text of one look.
pub fn plain(text: &str, look: Look) -> Vec<Run> {
    vec![(shown(text), look)]
}

/// Both texts, each with the words that it has alone.
pub fn side_by_side(left: &str, right: &str) -> [Vec<Run>; 2] {
    let [l, r] = marks(left, right);
    let runs = |text: &str, marks: Marks| -> Vec<Run> {
        let look = |mark| match mark {
            Mark::Same => Look::Plain,
            Mark::Gone | Mark::Came => Look::Alone,
        };
        let parts = marks.into_iter();
        parts
            .map(|(at, mark)| (part(text, &at), look(mark)))
            .collect()
    };
    [runs(left, l), runs(right, r)]
}

/// Both in one: what went in brackets, before what came for it.
pub fn in_one(left: &str, right: &str) -> Vec<Run> {
    let [l, r] = marks(left, right);
    let (mut l, mut r) = (l.into_iter().peekable(), r.into_iter().peekable());
    let mut out = Vec::new();
    while l.peek().is_some() || r.peek().is_some() {
        if let Some((at, _)) = l.next_if(|(_, mark)| *mark == Mark::Gone) {
            bracketed(&part(left, &at), &mut out);
        } else if let Some((at, _)) = r.next_if(|(_, mark)| *mark == Mark::Came) {
            let words = part(right, &at);
            parted(&mut out, &words);
            out.push((words, Look::Came));
        } else {
            let (Some(old), Some(new)) = (l.peek_mut(), r.peek_mut()) else {
                break;
            };
            // What stayed may be one piece in the one and several in the other.
            let ahead = old.0.len().min(new.0.len());
            let same = new.0.start..new.0.start + ahead;
            out.push((part(right, &same), Look::Plain));
            (old.0.start, new.0.start) = (old.0.start + ahead, same.end);
            l.next_if(|(at, _)| at.is_empty());
            r.next_if(|(at, _)| at.is_empty());
        }
    }
    out
}

/// Words that went stand in brackets, the spaces around them outside.
fn bracketed(text: &str, out: &mut Vec<Run>) {
    let words = text.trim();
    let start = text.len() - text.trim_start().len();
    let (before, rest) = text.split_at(start);
    let after = rest.get(words.len()..).unwrap_or_default();
    let shown = if words.is_empty() { text } else { words };
    if !words.is_empty() && !before.is_empty() {
        out.push((before.to_owned(), Look::Plain));
    }
    out.push((format!("[{shown}]"), Look::Gone));
    if !words.is_empty() && !after.is_empty() {
        out.push((after.to_owned(), Look::Plain));
    }
}

/// A space between what went and what came, where they have none of their own.
fn parted(out: &mut Vec<Run>, next: &str) {
    let gone = out.last().is_some_and(|(_, look)| *look == Look::Gone);
    if gone && !next.starts_with(char::is_whitespace) {
        out.push((" ".to_owned(), Look::Plain));
    }
}

fn part(text: &str, at: &Range<usize>) -> String {
    shown(text.get(at.clone()).unwrap_or_default())
}

/// A text as it may be drawn, with plain line ends and spaces for tabs.
fn shown(text: &str) -> String {
    let lines = text.replace("\r\n", "\n").replace('\r', "\n");
    clean(&lines).replace('\t', &" ".repeat(TAB))
}

/// Words broken into rows of some cells; one row at least.
pub fn rows(runs: &[Run], cols: usize) -> Vec<Row> {
    let text: String = runs.iter().map(|(words, _)| words.as_str()).collect();
    let mut ends = Vec::with_capacity(runs.len());
    let mut at = 0;
    for (words, look) in runs {
        at += words.len();
        ends.push((at, *look));
    }
    let of_row = |range: Range<usize>| -> Row {
        let mut row = Row::new();
        let mut from = range.start;
        let first = ends.partition_point(|(end, _)| *end <= from);
        for (end, look) in ends.iter().skip(first) {
            let to = (*end).min(range.end);
            let words = text.get(from..to).unwrap_or_default();
            if !words.trim_end_matches('\n').is_empty() {
                row.push((words.trim_end_matches('\n').to_owned(), *look));
            }
            from = to;
            if to == range.end {
                break;
            }
        }
        row
    };
    wrap(&text, cols).into_iter().map(of_row).collect()
}

/// The beginning of a text, to know it by.
pub fn first_words(text: &str) -> String {
    let line = one_line(text.lines().next().unwrap_or_default());
    let cut: String = line.graphemes(true).take(28).collect();
    if cut.len() < line.len() {
        format!("{}…", cut.trim_end())
    } else {
        cut
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use proptest::prelude::*;

    use super::*;

    fn read(runs: &[Run]) -> String {
        let run = |(words, look): &Run| match look {
            Look::Came => format!("{{{words}}}"),
            _ => words.clone(),
        };
        runs.iter().map(run).collect()
    }

    #[test]
    fn what_went_stands_in_brackets_before_what_came() {
        for (left, right, want) in [
            ("the old house", "the new house", "the [old] {new} house"),
            ("the house", "the new house", "the {new }house"),
            ("one two", "one", "one [two]"),
            ("灯台の朝", "灯台の夜", "灯台の[朝] {夜}"),
            ("", "new", "{new}"),
            ("gone", "", "[gone]"),
            ("a b c d", "a x b c", "a {x }b c [d]"),
        ] {
            assert_eq!(read(&in_one(left, right)), want);
        }
    }

    proptest! {
        #[test]
        fn no_word_of_either_text_is_lost(left in "(one |two |灯台|three ){0,6}", right in "(one |two |灯台|three ){0,6}") {
            let runs = in_one(&left, &right);
            let of = |keep: fn(Look) -> bool| -> String {
                let kept = runs.iter().filter(|(_, look)| keep(*look));
                let words: String = kept.map(|(words, _)| words.as_str()).collect();
                words.replace(['[', ']', ' '], "")
            };
            prop_assert_eq!(of(|look| look != Look::Came), left.replace(' ', ""));
            prop_assert_eq!(of(|look| look != Look::Gone), right.replace(' ', ""));
        }
    }

    #[test]
    fn looks_stay_with_their_words_over_rows() {
        let runs = vec![
            ("one two ".to_owned(), Look::Plain),
            ("three four".to_owned(), Look::Came),
        ];
        let rows = rows(&runs, 9);
        let first = vec![("one two ".to_owned(), Look::Plain)];
        assert_eq!(rows.first(), Some(&first));
        assert!(rows.iter().skip(1).flatten().all(|r| r.1 == Look::Came));
        assert_eq!(super::rows(&[], 9), [Row::new()]);
    }

    #[test]
    fn foreign_bytes_become_signs() {
        assert_eq!(shown("a\x1b[31m\r\nb\rc\td"), "a␛[31m\nb\nc    d");
    }
}
