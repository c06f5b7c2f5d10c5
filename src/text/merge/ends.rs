//! Texts of those who write plain line ends, in a text that has others: what they did not touch stays as it is.

use std::ops::Range;

use crate::text::align::{changes, pairs};
use crate::text::blocks::{Block, line_end, mark};

/// A text as it is given to an agent: without a byte order mark, each line ended by a line feed.
pub fn plain(text: &str) -> String {
    let lines = lines(text);
    let plain = lines.iter().flat_map(|line| {
        let end = if line.gap.is_empty() { "" } else { "\n" };
        [line.text, end]
    });
    plain.collect()
}

/// `new` with the line ends of `base`, its mark, and the empty lines at its end. A line that is the same in both keeps
/// its own end, another gets the one that most lines of the base have. A base of plain line ends changes nothing.
pub fn as_in(base: &str, new: &str) -> String {
    if is_plain(base) {
        return new.to_owned();
    }
    let usual = usual(base);
    let (old, trail) = without_trail(base);
    let (fresh, _) = without_trail(new);
    let (old, fresh) = (lines(old), lines(fresh));
    let mut ends: Vec<&str> = fresh.iter().map(|line| of(line.gap, usual)).collect();
    for (o, n) in partners(&old, &fresh) {
        if let (Some(own), Some(end)) = (old.get(o).filter(|l| !l.gap.is_empty()), ends.get_mut(n))
        {
            *end = own.gap;
        }
    }
    let mut out = base.get(..mark(base)).unwrap_or_default().to_owned();
    for (at, (line, end)) in fresh.iter().zip(ends).enumerate() {
        out.push_str(line.text);
        if at + 1 < fresh.len() {
            out.push_str(end);
        }
    }
    out.push_str(trail);
    out
}

/// A text with words of another one brought into it: with the line ends and the mark of `base`, whatever the other has.
pub fn kept_in(base: &str, new: &str) -> String {
    if base.is_empty() || base == new {
        return new.to_owned();
    }
    as_in(base, &plain(new))
}

/// Where a passage with plain line ends occurs in a text with any.
pub fn occurrences(text: &str, passage: &str) -> Vec<Range<usize>> {
    let found = |text: &str, passage: &str| -> Vec<Range<usize>> {
        let places = text.match_indices(passage);
        places.map(|(at, p)| at..at + p.len()).collect()
    };
    let exact = found(text, passage);
    if is_plain(text) || !exact.is_empty() {
        return exact;
    }
    let (plain_text, passage) = (plain(text), plain(passage));
    let found = found(&plain_text, &passage).into_iter();
    let lines = lines(text);
    found
        .map(|at| place(&lines, at.start)..place(&lines, at.end))
        .collect()
}

/// A passage of a text put in the place of another: untouched lines in it, and those around it, stay as they are.
pub fn replaced(text: &str, at: &Range<usize>, new: &str) -> String {
    let (head, rest) = text.split_at(at.start.min(text.len()));
    let (old, tail) = rest.split_at(at.len().min(rest.len()));
    let new = if is_plain(text) {
        new.to_owned()
    } else {
        passage(old, new, usual(text))
    };
    [head, &new, tail].concat()
}

fn passage(old: &str, new: &str, usual: &str) -> String {
    let (old, new) = (lines(old), lines(new));
    let mut ends: Vec<&str> = new.iter().map(|line| of(line.gap, usual)).collect();
    for (o, n) in partners(&old, &new) {
        let own = old.get(o).filter(|line| !line.gap.is_empty());
        let end = ends.get_mut(n).filter(|end| !end.is_empty());
        if let (Some(own), Some(end)) = (own, end) {
            *end = own.gap;
        }
    }
    let lines = new.iter().zip(ends);
    lines.flat_map(|(line, end)| [line.text, end]).collect()
}

/// Which lines stand for which: the same ones, and one that was changed for another.
fn partners(old: &[Block<'_>], new: &[Block<'_>]) -> Vec<(usize, usize)> {
    let mut partners = pairs(old, new);
    let changed = changes(old, new).into_iter();
    let single = changed.filter(|c| (c.old.len(), c.new.len()) == (1, 1));
    partners.extend(single.map(|c| (c.old.start, c.new.start)));
    partners
}

/// Whether a text has line feeds alone, and no mark.
fn is_plain(text: &str) -> bool {
    mark(text) == 0 && !text.contains('\r')
}

/// What a plain line end becomes.
fn of<'a>(end: &'a str, usual: &'a str) -> &'a str {
    if end == "\n" { usual } else { end }
}

/// The line end that most lines have.
fn usual(text: &str) -> &'static str {
    let all = lines(text);
    let count = |end: &str| all.iter().filter(|line| line.gap == end).count();
    let ends = ["\r", "\n", "\r\n"];
    ends.into_iter()
        .max_by_key(|end| count(end))
        .unwrap_or("\n")
}

/// A text without the line ends behind its last word, and those.
fn without_trail(text: &str) -> (&str, &str) {
    text.split_at(text.trim_end_matches(['\r', '\n']).len())
}

/// The lines of a text, without its mark; the gap of each is its line end.
fn lines(text: &str) -> Vec<Block<'_>> {
    let (mut lines, mut at) = (Vec::new(), mark(text));
    while at < text.len() {
        let rest = text.get(at..).unwrap_or_default();
        let words = rest.find(['\r', '\n']).unwrap_or(rest.len());
        let (words, behind) = rest.split_at(words);
        let gap = behind.get(..line_end(behind)).unwrap_or_default();
        lines.push(Block {
            at,
            text: words,
            gap,
        });
        at += words.len() + gap.len();
    }
    lines
}

/// Where a place of the plain text is in the text of these lines.
fn place(lines: &[Block<'_>], at: usize) -> usize {
    let mut passed = 0;
    for line in lines {
        let plain = line.text.len() + line.gap.len().min(1);
        if at < passed + plain || at <= passed + line.text.len() {
            return line.at + (at - passed);
        }
        passed += plain;
    }
    lines.last().map_or(0, |line| line.end() + line.gap.len())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    const CRLF: &str =
        "\u{feff}# Title\r\n\r\nHas REPLACEME here.\r\nSecond stays.\r\n\r\nLast without end";
    const MIXED: &str = "one\r\ntwo REPLACEME\nthree\rstill three\r\nfour\r\n\n\n";

    #[test]
    fn what_an_agent_reads_has_plain_line_ends() {
        assert_eq!(
            plain(MIXED),
            "one\ntwo REPLACEME\nthree\nstill three\nfour\n\n\n"
        );
        assert!(plain(CRLF).starts_with("# Title\n\nHas"));
    }

    #[test]
    fn a_whole_text_with_plain_line_ends_changes_only_what_it_changed() {
        for text in [CRLF, MIXED] {
            let new = plain(text).replace("REPLACEME", "DONE");
            let want = text.replace("REPLACEME", "DONE");
            assert_eq!(as_in(text, &new), want);
            assert_eq!(as_in(text, new.trim_end()), want);
            assert_eq!(as_in(text, &format!("{new}\n")), want);
        }
        let more = as_in("a\r\nb\r\n", "a\nnew\nb\n");
        assert_eq!(more, "a\r\nnew\r\nb\r\n");
        assert_eq!(as_in("a\n", "b"), "b");
    }

    #[test]
    fn a_passage_is_found_and_replaced_over_line_ends_of_any_kind() {
        let found = occurrences(MIXED, "REPLACEME\nthree\nstill");
        assert_eq!(found.len(), 1);
        let new = replaced(MIXED, &found[0], "DONE\nthree\nstill");
        assert_eq!(new, MIXED.replace("REPLACEME", "DONE"));
        let found = occurrences(CRLF, "stays.\n\nLast");
        let new = replaced(CRLF, &found[0], "stays.\n\nVery last");
        assert_eq!(new, CRLF.replace("Last", "Very last"));
        assert_eq!(occurrences("a a", "a").len(), 2);
    }

    #[test]
    fn words_of_another_text_come_with_the_line_ends_of_the_one_they_go_into() {
        let dos = "\u{feff}a\r\n\r\nb\r\n";
        assert_eq!(
            kept_in(dos, "\u{feff}a\r\n\r\nc\nd\r\n"),
            "\u{feff}a\r\n\r\nc\r\nd\r\n"
        );
        assert_eq!(kept_in(dos, "x\n\ny\n"), "\u{feff}x\r\n\r\ny\r\n");
        assert_eq!(kept_in("a\n\nb\n", "\u{feff}a\r\n\r\nc\r\n"), "a\n\nc\n");
        assert_eq!(kept_in("a\n\nb\n", "a\n\nc"), "a\n\nc");
        assert_eq!(kept_in("", dos), dos);
    }
}
