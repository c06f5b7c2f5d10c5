//! Spaces too many, too few or not as elsewhere; a mark that stands twice.

mod narrow;
mod wide;

use super::super::finding::{Change, Finding};
use crate::text::doc::Doc;
use std::ops::Range;

const KIND: &str = "spacing";

pub(super) fn find(doc: &Doc<'_>) -> Vec<Finding> {
    let mut found = narrow::find(doc);
    found.extend(wide::find(doc));
    found
}

/// A finding whose change is one piece of text in place of another.
fn slip(at: Range<usize>, what: String, change: &str, fix: Change) -> Finding {
    Finding {
        kind: KIND,
        at,
        what,
        change: change.to_owned(),
        fix: vec![fix],
    }
}

/// Slips of one sort; where they are more than what is done the other way, `right`, they are the way of the piece.
fn rare(slips: Vec<Finding>, right: usize) -> Vec<Finding> {
    if slips.len() <= right {
        slips
    } else {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::editor::checks::tests::mends;

    fn check(text: &str, n: usize, mended: &str) {
        mends(find, text, n, mended);
    }

    #[test]
    fn spaces_too_many_go() {
        check(
            "One  two, three ,four, five. (Six, seven.) ( Eight, nine, ten ).",
            4,
            "One two, three, four, five. (Six, seven.) (Eight, nine, ten).",
        );
        check(
            "Раз  два , три. Четыре, пять, шесть, семь.",
            2,
            "Раз два, три. Четыре, пять, шесть, семь.",
        );
    }

    #[test]
    fn spaces_too_few_come() {
        check(
            "One,two, three, four, five.Six. Seven. Eight, nine.",
            2,
            "One, two, three, four, five. Six. Seven. Eight, nine.",
        );
    }

    #[test]
    fn a_mark_that_stands_twice_is_one_too_many() {
        check(
            "One,, two.. Three, four. Five, six.",
            2,
            "One, two. Three, four. Five, six.",
        );
        check("一，，二。。三，四。", 2, "一，二。三，四。");
    }

    #[test]
    fn ways_of_a_piece_are_no_slips() {
        for right in [
            "One.  Two three.  Four five.  Six.",
            "Oui ! Non ? Quoi : rien ; tout !",
            "Wait ... 3.14, 1,000 and .NET, e.g. U.S.A. at 10:30 :)",
            "Hard  \nbreak, and `a  b,c` code.",
        ] {
            check(right, 0, right);
        }
    }

    #[test]
    fn narrow_marks_among_wide_letters_become_wide() {
        check(
            "你好,世界。一，二，三，四。",
            1,
            "你好，世界。一，二，三，四。",
        );
        check(
            "你好, 世界。一，二，三，四。",
            1,
            "你好，世界。一，二，三，四。",
        );
    }

    #[test]
    fn spaces_between_wide_letters_go_and_those_beside_narrow_ones_are_as_elsewhere() {
        check(
            &format!("你 好。{}", "我们今天去图书馆看书。".repeat(30)),
            1,
            &format!("你好。{}", "我们今天去图书馆看书。".repeat(30)),
        );
        check(
            "用 Rust 写，用 Go 写，用 C 写，用 Zig写。",
            1,
            "用 Rust 写，用 Go 写，用 C 写，用 Zig 写。",
        );
    }
}
