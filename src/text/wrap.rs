//! Breaking text into rows.

use std::ops::Range;

use icu_segmenter::LineSegmenter;
use icu_segmenter::options::LineBreakOptions;
use unicode_segmentation::UnicodeSegmentation;

use super::width::{cells, width};

/// Rows of a text, as byte ranges that follow each other without a gap. Lines break where Unicode's
/// line breaking (UAX 14) allows; a word longer than a row breaks between grapheme clusters. Spaces at the
/// end of a row hang over its edge, and a newline ends its row. There is always at least one row; a width of
/// 0 is taken for 1.
pub fn wrap(text: &str, cols: usize) -> Vec<Range<usize>> {
    let mut rows = Rows {
        text,
        cols: cols.max(1),
        done: Vec::new(),
        start: 0,
        used: 0,
    };
    let mut from = 0;
    while let Some(len) = text.get(from..).and_then(|rest| rest.find('\n')) {
        rows.line(from..from + len);
        from += len + 1;
        rows.end(from);
    }
    if from < text.len() || rows.done.is_empty() {
        rows.line(from..text.len());
        rows.end(text.len());
    }
    rows.done
}

struct Rows<'a> {
    text: &'a str,
    cols: usize,
    done: Vec<Range<usize>>,
    start: usize,
    used: usize,
}

impl Rows<'_> {
    /// Lays out a line without its newline; its last row stays open.
    fn line(&mut self, line: Range<usize>) {
        let text = self.text.get(line.clone()).unwrap_or_default();
        // Most lines of prose are short, and most of the rest is plain: look before breaking.
        if text.len() <= self.cols && text.is_ascii() && width(text) <= self.cols {
            self.used = text.len();
            return;
        }
        let mut from = 0;
        let breaks = LineSegmenter::new_auto(LineBreakOptions::default()).segment_str(text);
        for to in breaks.filter(|to| *to > 0) {
            self.piece(line.start + from..line.start + to);
            from = to;
        }
    }

    /// Takes a piece that may not be broken, if it can be helped.
    fn piece(&mut self, piece: Range<usize>) {
        let text = self.text.get(piece.clone()).unwrap_or_default();
        let seen = width(text.trim_end_matches([' ', '\t']));
        if self.used > 0 && self.used + seen > self.cols {
            self.end(piece.start);
        }
        if seen <= self.cols {
            self.used += width(text);
            return;
        }
        for (at, grapheme) in text.grapheme_indices(true) {
            let wide = cells(grapheme);
            let hangs = matches!(grapheme, " " | "\t");
            if self.used > 0 && self.used + wide > self.cols && !hangs {
                self.end(piece.start + at);
            }
            self.used += wide;
        }
    }

    fn end(&mut self, at: usize) {
        self.done.push(self.start..at);
        (self.start, self.used) = (at, 0);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use proptest::prelude::*;

    use super::*;

    fn rows(text: &str, cols: usize) -> Vec<&str> {
        wrap(text, cols)
            .into_iter()
            .map(|r| text.get(r).unwrap())
            .collect()
    }

    #[test]
    fn words_go_where_they_fit() {
        assert_eq!(rows("", 10), [""]);
        assert_eq!(rows("one two three", 8), ["one two ", "three"]);
        assert_eq!(rows("one two   three", 7), ["one two   ", "three"]);
        assert_eq!(rows("a\n\nb\n", 8), ["a\n", "\n", "b\n"]);
    }

    #[test]
    fn a_long_word_breaks_between_clusters() {
        assert_eq!(rows("abcdefg", 3), ["abc", "def", "g"]);
        assert_eq!(
            rows("ab 👩\u{200d}🔬👩\u{200d}🔬", 2),
            ["ab ", "👩\u{200d}🔬", "👩\u{200d}🔬"]
        );
    }

    #[test]
    fn no_full_stop_begins_a_row() {
        assert_eq!(rows("灯台の手紙。朝", 10), ["灯台の手", "紙。朝"]);
        assert_eq!(
            rows("naïve “quoted” end", 7),
            ["naïve ", "“quoted", "” end"]
        );
        assert_eq!(
            rows("naïve “quoted” end", 8),
            ["naïve ", "“quoted” ", "end"]
        );
    }

    #[test]
    fn no_width_at_all_is_no_harm() {
        assert_eq!(rows("ab", 0), ["a", "b"]);
        assert_eq!(rows("灯", 1), ["灯"]);
    }

    proptest! {
        #[test]
        fn every_byte_is_in_one_row_and_no_row_is_too_wide(
            text in "([a-z ]{0,12}|\\PC|[灯台のé\u{301}👩\u{200d}🔬\n\t ]){0,30}", cols in 2usize..40,
        ) {
            let mut at = 0;
            for row in wrap(&text, cols) {
                prop_assert_eq!(row.start, at);
                prop_assert!(row.end > row.start || text.is_empty());
                at = row.end;
                let shown = text.get(row).unwrap();
                let line = shown.trim_end_matches(['\n', ' ', '\t']);
                let lone = line.graphemes(true).filter(|g| cells(g) > 0).count() <= 1;
                prop_assert!(width(line) <= cols || lone, "{:?}", line);
                prop_assert!(!shown.trim_end_matches('\n').contains('\n'));
            }
            prop_assert_eq!(at, text.len());
        }
    }
}
