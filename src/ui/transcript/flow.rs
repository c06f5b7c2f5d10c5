//! The rows of a text that may still grow: finished blocks are laid out once, only the open tail again.

use super::row::{Row, rows};
use crate::text::markdown::{self, Line, Mark};
use crate::text::wrap;

/// Bytes of an open tail beyond which it is taken for finished: a frame must not cost more, the longer a
/// paragraph gets.
const TAIL_MAX: usize = 64 * 1024;

/// Bytes of an open paragraph from which its upper rows are taken for final.
const PARAGRAPH_MAX: usize = 4 * 1024;
/// Rows at its end that are not.
const ROWS_LEFT: usize = 2;

/// How a text is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Kind {
    /// As Markdown.
    #[default]
    Markdown,
    /// As it is, line by line, behind a lead.
    Plain { lead: &'static str, mark: Mark },
}

/// Rows and how far they are final.
#[derive(Debug, Default)]
pub(super) struct Flow {
    pub(super) rows: Vec<Row>,
    kind: Kind,
    /// Bytes of the source whose rows are final, and how many those are.
    done: usize,
    done_rows: usize,
    /// The final rows end inside a paragraph.
    inside: bool,
}

impl Flow {
    pub(super) fn new(kind: Kind) -> Self {
        Self {
            kind,
            ..Self::default()
        }
    }

    /// Lays out a text that begins with all that was laid out before. `open` says that it may grow.
    pub(super) fn grow(&mut self, source: &str, cols: usize, open: bool) {
        self.rows.truncate(self.done_rows);
        let mut tail = source.get(self.done..).unwrap_or_default();
        if open {
            let (done, rest) = tail.split_at(self.finished(tail));
            if !done.is_empty() {
                self.add(&self.lines(done), cols);
                self.keep(done.len(), 0, false);
                tail = rest;
            }
        }
        let lines = self.lines(tail);
        self.add(&lines, cols);
        if open && let Some((bytes, rows_left)) = self.settled(tail, &lines, cols) {
            self.keep(bytes, rows_left, true);
        }
    }

    /// What was laid out but for the last rows is final.
    fn keep(&mut self, bytes: usize, rows_left: usize, inside: bool) {
        self.done += bytes;
        self.done_rows = self.rows.len().saturating_sub(rows_left);
        self.inside = inside;
    }

    /// A long paragraph without any markup is final up to its last rows: bytes of those that are, and the
    /// number of those that are not.
    fn settled(&self, tail: &str, lines: &[Line], cols: usize) -> Option<(usize, usize)> {
        if self.kind != Kind::Markdown || tail.len() < PARAGRAPH_MAX || !is_bare(tail, lines) {
            return None;
        }
        let start = wrap(tail, cols).iter().rev().nth(ROWS_LEFT - 1)?.start;
        let rest = tail.get(start..)?;
        (start > 0 && is_bare(rest, &self.lines(rest))).then_some((start, ROWS_LEFT))
    }

    fn finished(&self, tail: &str) -> usize {
        let done = match self.kind {
            Kind::Markdown => markdown::finished(tail),
            Kind::Plain { .. } => tail.rfind('\n').map_or(0, |at| at + 1),
        };
        if done == 0 && tail.len() > TAIL_MAX {
            return tail.rfind([' ', '\n']).map_or(tail.len(), |at| at + 1);
        }
        done
    }

    fn add(&mut self, lines: &[Line], cols: usize) {
        let air = self.kind == Kind::Markdown && !self.inside;
        if air && !self.rows.is_empty() && !lines.is_empty() {
            self.rows.push(Row::default());
        }
        for line in lines {
            rows(line, cols, &mut self.rows);
        }
    }

    fn lines(&self, part: &str) -> Vec<Line> {
        match self.kind {
            Kind::Markdown => markdown::lines(part),
            Kind::Plain { lead, mark } => plain(part, lead, mark),
        }
    }
}

/// Whether a text is one paragraph that is shown as it is written.
fn is_bare(text: &str, lines: &[Line]) -> bool {
    matches!(lines, [line] if line.lead.is_empty() && line.text == text.trim_end_matches(' '))
}

/// Lines of a text that is shown as it is. No row for the end of the last line.
pub(super) fn plain(text: &str, lead: &str, mark: Mark) -> Vec<Line> {
    text.split_inclusive('\n')
        .map(|part| {
            let part = part.strip_suffix('\n').unwrap_or(part);
            let mut line = Line::of(part.strip_suffix('\r').unwrap_or(part), mark);
            lead.clone_into(&mut line.lead);
            lead.clone_into(&mut line.hang);
            line
        })
        .collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use proptest::prelude::*;

    use super::*;
    use crate::text::head;

    fn at_once(kind: Kind, text: &str, cols: usize) -> Vec<Row> {
        let mut flow = Flow::new(kind);
        flow.grow(text, cols, false);
        flow.rows
    }

    proptest! {
        #[test]
        fn a_streamed_text_has_the_rows_of_the_whole(
            text in "([a-z]{1,9} |\n\n|- |\n|```\n|\\*\\*|灯台。){0,60}",
            cuts in prop::collection::vec(0usize..400, 0..20), cols in 1usize..80, bar in any::<bool>(),
        ) {
            let kind = if bar { Kind::Plain { lead: "│ ", mark: Mark::NONE } } else { Kind::Markdown };
            let mut cuts = cuts;
            cuts.sort_unstable();
            let mut flow = Flow::new(kind);
            for cut in cuts {
                flow.grow(head(&text, cut), cols, true);
            }
            flow.grow(&text, cols, true);
            prop_assert_eq!(&flow.rows, &at_once(kind, &text, cols));
        }
    }

    #[test]
    fn the_upper_rows_of_a_long_paragraph_are_laid_out_once() {
        let words = "He said — as he often did — that 灯台 lamps, (old ones) burn 3 times longer. ";
        let mut flow = Flow::new(Kind::Markdown);
        let mut text = "Before.\n\n".to_owned();
        for _ in 0..400 {
            text.push_str(words);
            flow.grow(&text, 60, true);
            assert!(text.len() - flow.done <= PARAGRAPH_MAX + words.len());
        }
        text.push_str("\n\nAfter it.\n\nAnd on.");
        flow.grow(&text, 60, true);
        assert_eq!(flow.rows, at_once(Kind::Markdown, &text, 60));
    }

    #[test]
    fn a_paragraph_without_end_is_laid_out_in_bounded_pieces() {
        let mut flow = Flow::new(Kind::Markdown);
        let mut text = String::new();
        for _ in 0..40 {
            text.push_str(&"word ".repeat(1000));
            flow.grow(&text, 76, true);
            assert!(text.len() - flow.done <= TAIL_MAX);
        }
    }
}
