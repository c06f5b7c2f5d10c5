//! A text as its paragraphs. Put together again, they are the text, byte for byte.

/// A paragraph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Block<'a> {
    /// Where it begins, in bytes.
    pub(super) at: usize,
    /// Its words: no line end at its end.
    pub(super) text: &'a str,
    /// The line ends and empty lines behind it.
    pub(super) gap: &'a str,
}

impl Block<'_> {
    /// Where its words end.
    pub(super) fn end(&self) -> usize {
        self.at + self.text.len()
    }
}

/// What stands before the first paragraph, and the paragraphs.
pub(super) fn blocks(text: &str) -> (&str, Vec<Block<'_>>) {
    let mut blocks = Vec::new();
    let lead = mark(text) + empty_lines(rest(text, mark(text)));
    let mut at = lead;
    while at < text.len() {
        let (words, next) = paragraph(rest(text, at));
        blocks.push(Block {
            at,
            text: between(text, at, at + words),
            gap: between(text, at + words, at + next),
        });
        at += next;
    }
    (between(text, 0, lead), blocks)
}

/// Whether a gap parts two paragraphs: a line end and an empty line.
pub(super) fn parts(gap: &str) -> bool {
    let mut left = gap;
    for _ in 0..2 {
        let Some(at) = left.find(['\r', '\n']) else {
            return false;
        };
        left = rest(left, at + line_end(rest(left, at)));
    }
    true
}

/// Bytes of the paragraph that a text begins with: its words, and with the gap behind it.
fn paragraph(text: &str) -> (usize, usize) {
    let mut at = 0;
    loop {
        let line = rest(text, at);
        let Some(words) = line.find(['\r', '\n']) else {
            return (text.len(), text.len());
        };
        let next = at + words + line_end(rest(line, words));
        let empty = empty_lines(rest(text, next));
        if empty > 0 || next == text.len() {
            return (at + words, next + empty);
        }
        at = next;
    }
}

/// Bytes of the empty lines that a text begins with.
fn empty_lines(text: &str) -> usize {
    let mut at = 0;
    while at < text.len() {
        let line = rest(text, at);
        let words = line.find(['\r', '\n']).unwrap_or(line.len());
        if !between(line, 0, words).trim().is_empty() {
            break;
        }
        at += words + line_end(rest(line, words));
    }
    at
}

/// Bytes of the line end that a text begins with.
pub(super) fn line_end(text: &str) -> usize {
    match text.as_bytes() {
        [b'\r', b'\n', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => 0,
    }
}

/// Bytes of a byte order mark.
pub(super) fn mark(text: &str) -> usize {
    if text.starts_with('\u{feff}') { 3 } else { 0 }
}

fn rest(text: &str, from: usize) -> &str {
    text.get(from..).unwrap_or_default()
}

fn between(text: &str, from: usize, to: usize) -> &str {
    text.get(from..to).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn paragraphs_are_parted_by_empty_lines_whatever_ends_a_line() {
        let text = "\u{feff}\r\nOne\r\nline.\r\n \r\nTwo.\r\rThree.\n\n\nFour";
        let (lead, blocks) = blocks(text);
        assert_eq!(lead, "\u{feff}\r\n");
        let seen: Vec<_> = blocks.iter().map(|b| (b.text, b.gap)).collect();
        let want = [
            ("One\r\nline.", "\r\n \r\n"),
            ("Two.", "\r\r"),
            ("Three.", "\n\n\n"),
            ("Four", ""),
        ];
        assert_eq!(seen, want);
        assert!(blocks.iter().rev().skip(1).all(|b| parts(b.gap)));
        assert!(!parts("\r\n") && !parts("") && parts("\n\n"));
    }

    proptest! {
        #[test]
        fn put_together_they_are_the_text(text in "[ab \r\n\u{feff}]{0,40}") {
            let (lead, blocks) = blocks(&text);
            let mut whole = lead.to_owned();
            for block in &blocks {
                prop_assert_eq!(block.at, whole.len());
                prop_assert!(!block.text.trim().is_empty());
                whole.push_str(block.text);
                whole.push_str(block.gap);
            }
            prop_assert_eq!(whole, text);
        }
    }
}
