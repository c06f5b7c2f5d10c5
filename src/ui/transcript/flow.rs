//! The rows of a text that may still grow: finished blocks are laid out once, only the open tail again.

use std::ops::Range;

use super::row::{Row, rows};
use crate::text::markdown::{self, Line, Mark};
use crate::text::{head, wrap};

/// Bytes of an open tail beyond which it is taken for finished: a frame must not cost more, the longer a
/// paragraph gets.
const TAIL_MAX: usize = 64 * 1024;
/// Bytes of finished blocks that are laid out as one part of the text.
const PART: usize = 16 * 1024;

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

/// Rows, those that are final in parts, which can be let go and are made again from the source.
#[derive(Debug, Default)]
pub(super) struct Flow {
    kind: Kind,
    parts: Vec<Part>,
    /// Behind them: rows of the open tail, and what is said below the text.
    tail: Vec<Row>,
    /// The final rows end inside a paragraph.
    inside: bool,
}

/// A stretch of the source whose rows are final.
#[derive(Debug)]
struct Part {
    /// Bytes of the source before it and up to its end.
    bytes: Range<usize>,
    /// Its rows, counted from the first of the text.
    rows: Range<usize>,
    /// It goes on inside a paragraph.
    inside: bool,
    /// None when they were let go.
    laid: Option<Vec<Row>>,
}

impl Flow {
    pub(super) fn new(kind: Kind) -> Self {
        Self {
            kind,
            ..Self::default()
        }
    }

    /// How many rows there are.
    pub(super) fn len(&self) -> usize {
        self.done().1 + self.tail.len()
    }

    /// A row, unless it was let go.
    pub(super) fn row(&self, n: usize) -> Option<&Row> {
        let Some(part) = self
            .parts
            .get(self.parts.partition_point(|p| p.rows.end <= n))
        else {
            return self.tail.get(n - self.done().1);
        };
        part.laid.as_ref()?.get(n - part.rows.start)
    }

    /// Puts a line below the text.
    pub(super) fn below(&mut self, line: &Line, cols: usize) {
        rows(line, cols, &mut self.tail);
    }

    /// Lays out a text that begins with all that was laid out before. `open` says that it may grow.
    pub(super) fn grow(&mut self, source: &str, cols: usize, open: bool) {
        self.tail.clear();
        // Once whole, a text of usual length is read as one: a name of a link may stand behind its use.
        if open || source.len() > TAIL_MAX {
            while let Some(end) = self.finished(source, open) {
                let bytes = self.done().0..end;
                let lines = self.lines(source.get(bytes.clone()).unwrap_or_default());
                let made = self.laid(&lines, cols, self.len() > 0, self.inside);
                self.keep(bytes, made, false);
                if source.len() - end <= PART {
                    break;
                }
            }
        }
        let from = self.done().0;
        let tail = source.get(from..).unwrap_or_default();
        let lines = self.lines(tail);
        self.tail = self.laid(&lines, cols, self.len() > 0, self.inside);
        if open && let Some((bytes, rows_left)) = self.settled(tail, &lines, cols) {
            let left = self
                .tail
                .split_off(self.tail.len().saturating_sub(rows_left));
            let made = std::mem::replace(&mut self.tail, left);
            self.keep(from..from + bytes, made, true);
        }
    }

    /// Makes rows again that were let go.
    pub(super) fn lay_again(&mut self, source: &str, cols: usize, wanted: &Range<usize>) {
        for i in 0..self.parts.len() {
            let Some(part) = self
                .parts
                .get(i)
                .filter(|p| p.laid.is_none() && meet(&p.rows, wanted))
            else {
                continue;
            };
            let lines = self.lines(source.get(part.bytes.clone()).unwrap_or_default());
            let made = self.laid(&lines, cols, part.rows.start > 0, part.inside);
            if let Some(part) = self.parts.get_mut(i) {
                part.laid = Some(made);
            }
        }
    }

    /// Lets go of final rows but for these.
    pub(super) fn let_go(&mut self, but: &Range<usize>) {
        for part in self.parts.iter_mut().filter(|p| !meet(&p.rows, but)) {
            part.laid = None;
        }
    }

    /// Whether all its rows can be let go without losing how many they are.
    pub(super) fn is_long(&self) -> bool {
        !self.parts.is_empty()
    }

    /// Bytes and rows that are final.
    fn done(&self) -> (usize, usize) {
        self.parts
            .last()
            .map_or((0, 0), |p| (p.bytes.end, p.rows.end))
    }

    fn keep(&mut self, bytes: Range<usize>, made: Vec<Row>, inside: bool) {
        let from = self.done().1;
        self.parts.push(Part {
            bytes,
            rows: from..from + made.len(),
            inside: std::mem::replace(&mut self.inside, inside),
            laid: Some(made),
        });
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

    /// Where the next finished blocks of the source end: about as many as make a part.
    fn finished(&self, source: &str, open: bool) -> Option<usize> {
        let from = self.done().0;
        let tail = source.get(from..)?;
        let mut span = PART;
        loop {
            let seen = head(tail, span);
            let done = match self.kind {
                Kind::Markdown => markdown::finished(seen),
                Kind::Plain { .. } => seen.rfind('\n').map_or(0, |at| at + 1),
            };
            if done > 0 {
                return Some(from + done);
            }
            if open && seen.len() > TAIL_MAX {
                let cut = seen.rfind([' ', '\n']).map_or(seen.len(), |at| at + 1);
                return Some(from + cut);
            }
            if seen.len() == tail.len() {
                return None;
            }
            span *= 2;
        }
    }

    /// Rows of some lines, with an empty one before them where they begin a block behind another.
    fn laid(&self, lines: &[Line], cols: usize, behind: bool, inside: bool) -> Vec<Row> {
        let mut made = Vec::new();
        if self.kind == Kind::Markdown && behind && !inside && !lines.is_empty() {
            made.push(Row::default());
        }
        for line in lines {
            rows(line, cols, &mut made);
        }
        made
    }

    fn lines(&self, part: &str) -> Vec<Line> {
        match self.kind {
            Kind::Markdown => markdown::lines(part),
            Kind::Plain { lead, mark } => plain(part, lead, mark),
        }
    }
}

fn meet(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
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

    fn all(flow: &Flow) -> Vec<Row> {
        (0..flow.len())
            .map(|n| flow.row(n).unwrap().clone())
            .collect()
    }

    fn at_once(kind: Kind, text: &str, cols: usize) -> Vec<Row> {
        let mut flow = Flow::new(kind);
        flow.grow(text, cols, false);
        all(&flow)
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
            prop_assert_eq!(&all(&flow), &at_once(kind, &text, cols));
            flow.let_go(&(0..0));
            flow.lay_again(&text, cols, &(0..flow.len()));
            prop_assert_eq!(&all(&flow), &at_once(kind, &text, cols));
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
            assert!(text.len() - flow.done().0 <= PARAGRAPH_MAX + words.len());
        }
        text.push_str("\n\nAfter it.\n\nAnd on.");
        flow.grow(&text, 60, true);
        assert_eq!(all(&flow), at_once(Kind::Markdown, &text, 60));
    }

    #[test]
    fn rows_that_were_let_go_are_made_again_where_they_are_looked_at() {
        let mut text = String::new();
        let mut flow = Flow::new(Kind::Markdown);
        for n in 0..3_000 {
            let more = format!("Paragraph {n} of a long answer, which nobody reads at once.\n\n");
            text.push_str(&more);
            flow.grow(&text, 40, true);
        }
        let whole = all(&flow);
        let held = |flow: &Flow| flow.parts.iter().filter(|p| p.laid.is_some()).count();
        flow.let_go(&(600..700));
        assert!(held(&flow) < 100 && flow.len() == whole.len());
        flow.lay_again(&text, 40, &(60..100));
        for n in (60..100).chain(600..700) {
            assert_eq!(flow.row(n), whole.get(n));
        }
        assert_eq!(flow.row(2_000), None);
        flow.lay_again(&text, 40, &(0..whole.len()));
        assert_eq!(all(&flow), whole);
        assert_eq!(
            at_once(Kind::Markdown, &text, 40),
            whole,
            "a long text is laid out in parts"
        );
    }

    #[test]
    fn a_paragraph_without_end_is_laid_out_in_bounded_pieces() {
        let mut flow = Flow::new(Kind::Markdown);
        let mut text = String::new();
        for _ in 0..40 {
            text.push_str(&"word ".repeat(1000));
            flow.grow(&text, 76, true);
            assert!(text.len() - flow.done().0 <= TAIL_MAX);
        }
    }
}
