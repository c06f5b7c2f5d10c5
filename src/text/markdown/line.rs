//! A line of marked text.

use std::ops::Range;

use super::super::clean::clean;

/// How a piece of text is set: a set of marks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Mark(u16);

impl Mark {
    /// As it comes.
    pub const NONE: Self = Self(0);
    /// Emphasis.
    pub const EMPHASIS: Self = Self(1);
    /// Strong emphasis.
    pub const STRONG: Self = Self(1 << 1);
    /// Struck out.
    pub const STRUCK: Self = Self(1 << 2);
    /// Code.
    pub const CODE: Self = Self(1 << 3);
    /// A quotation.
    pub const QUOTE: Self = Self(1 << 4);
    /// A heading.
    pub const HEADING: Self = Self(1 << 5);
    /// The text of a link.
    pub const LINK: Self = Self(1 << 6);
    /// Beside the text: addresses, rules.
    pub const DIM: Self = Self(1 << 7);
    /// To be noticed.
    pub const ALERT: Self = Self(1 << 8);

    /// Both sets.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether all of `other` is in it.
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

/// A line, to be broken into rows. Newlines in its text are breaks that the author made.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Line {
    /// What stands before its first row.
    pub lead: String,
    /// What stands before its other rows.
    pub hang: String,
    /// The words, cleaned, without tabs.
    pub text: String,
    /// Runs of equal marks: where each ends, in bytes of `text`, and its marks.
    pub marks: Vec<(usize, Mark)>,
}

impl Line {
    /// A line of one mark.
    pub fn of(text: &str, mark: Mark) -> Self {
        let mut line = Self::default();
        line.push(text, mark);
        line
    }

    /// Adds text, which is cleaned.
    pub fn push(&mut self, text: &str, mark: Mark) {
        for (i, part) in clean(text).split('\t').enumerate() {
            if i > 0 {
                self.text.push_str("    ");
            }
            self.text.push_str(part);
        }
        let end = self.text.len();
        match self.marks.last_mut() {
            Some(last) if last.1 == mark || last.0 == end => last.0 = end,
            None if end == 0 => {}
            _ => self.marks.push((end, mark)),
        }
    }

    /// Adds another line's text with its marks.
    pub fn append(&mut self, other: &Self) {
        let mut from = 0;
        for (end, mark) in &other.marks {
            self.push(other.text.get(from..*end).unwrap_or_default(), *mark);
            from = *end;
        }
    }

    /// The runs of a part of the text.
    pub fn runs(&self, part: Range<usize>) -> impl Iterator<Item = (&str, Mark)> {
        let mut from = 0;
        self.marks.iter().filter_map(move |(end, mark)| {
            let run = from.max(part.start)..(*end).min(part.end);
            from = *end;
            let text = self.text.get(run)?;
            (!text.is_empty()).then_some((text, *mark))
        })
    }
}
