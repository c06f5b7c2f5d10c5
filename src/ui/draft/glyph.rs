//! What is drawn and stepped over as one: a grapheme cluster of a line, as it may go to the terminal.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation;

use crate::text::{TAB, clean, width, wrap};

/// One cluster of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Glyph<'a> {
    /// Where it begins in its text, in bytes.
    pub(super) at: usize,
    /// As it stands there.
    pub(super) raw: &'a str,
    /// As it is drawn.
    pub(super) shown: Cow<'a, str>,
    /// Cells it takes.
    pub(super) cells: usize,
}

impl Glyph<'_> {
    /// Where it ends.
    pub(super) fn end(&self) -> usize {
        self.at + self.raw.len()
    }
}

/// The glyphs of a text that has no line ends.
pub(super) fn glyphs(text: &str) -> impl Iterator<Item = Glyph<'_>> {
    text.grapheme_indices(true).map(|(at, raw)| {
        let shown = match raw {
            "\t" => Cow::Owned(" ".repeat(TAB)),
            raw => match clean(raw) {
                // What would be drawn as a newline is a separator of another kind.
                Cow::Owned(sign) => Cow::Owned(sign.replace('\n', "⏎")),
                lent @ Cow::Borrowed(_) => lent,
            },
        };
        Glyph {
            at,
            raw,
            cells: width(&shown),
            shown,
        }
    })
}

/// Where the rows of a text without line ends begin, the first at 0.
pub(super) fn row_starts(text: &str, cols: usize) -> Vec<usize> {
    if matches!(clean(text), Cow::Borrowed(_)) {
        return wrap(text, cols).into_iter().map(|r| r.start).collect();
    }
    // What is shown is broken, then the same places are found in the text.
    let all: Vec<Glyph<'_>> = glyphs(text).collect();
    let shown: String = all.iter().map(|g| g.shown.as_ref()).collect();
    let mut out = vec![0];
    let (mut next, mut seen) = (all.iter().peekable(), 0);
    for row in wrap(&shown, cols).into_iter().skip(1) {
        while let Some(glyph) = next.next_if(|_| seen < row.start) {
            seen += glyph.shown.len();
        }
        let start = next.peek().map_or(text.len(), |g| g.at);
        if out.last().is_some_and(|last| *last < start) {
            out.push(start);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    #[test]
    fn what_is_no_text_is_shown_as_a_sign_of_its_own_width() {
        let shown: String = glyphs("a\x1b\t\rb\u{2028}")
            .map(|g| g.shown.into_owned())
            .collect();
        assert_eq!(shown, "a␛    ␍b⏎");
    }

    #[test]
    fn a_line_with_signs_is_broken_as_it_is_seen() {
        let text = "one\x1b two\u{2067} three";
        let starts = row_starts(text, 10);
        let rows: Vec<&str> = starts
            .iter()
            .zip(starts.iter().skip(1).chain([&text.len()]))
            .map(|(a, b)| text.get(*a..*b).unwrap())
            .collect();
        assert_eq!(rows, ["one\x1b ", "two\u{2067} ", "three"]);
    }
}
