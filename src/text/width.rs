//! Terminal cells.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// Cells of a tab.
pub const TAB: usize = 4;

/// Cells of a text on one row: the sum over its grapheme clusters, as they are drawn one by one.
/// A tab counts [`TAB`], a newline nothing, another control character the one cell of its sign.
pub fn width(text: &str) -> usize {
    if text.bytes().all(|b| (b' '..0x7f).contains(&b)) {
        text.len()
    } else {
        text.graphemes(true).map(cells).sum()
    }
}

/// Cells of one grapheme cluster.
pub fn cells(grapheme: &str) -> usize {
    match grapheme {
        "\t" => TAB,
        "\n" | "\r\n" => 0,
        g if g.chars().any(char::is_control) => 1,
        // Terminals give the halfwidth voice marks a cell of their own.
        g => g.width() + g.matches(['\u{ff9e}', '\u{ff9f}']).count(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cluster_has_the_cells_it_is_drawn_with() {
        for (text, n) in [
            ("", 0),
            ("abc", 3),
            ("e\u{301}", 1),
            ("灯台", 4),
            ("👩\u{200d}👩\u{200d}👧\u{200d}👦", 2),
            ("🇺🇳", 2),
            ("a\tb", 6),
            ("a\x1b", 2),
            ("a\u{200b}b", 2),
        ] {
            assert_eq!(width(text), n, "{text:?}");
        }
    }
}
