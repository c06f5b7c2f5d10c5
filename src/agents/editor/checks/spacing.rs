//! Spaces too many, too few or not as elsewhere; a mark that stands twice.

mod narrow;
mod wide;

use std::ops::Range;

use super::super::finding::{Change, Finding};
use crate::text::doc::Doc;

const KIND: &str = "spacing";
/// Times `!!` stands in a piece that does not shout.
const SHOUTS: usize = 2;

pub(super) fn find(doc: &Doc<'_>) -> Vec<Finding> {
    let mut found = narrow::find(doc);
    found.extend(wide::find(doc));
    found
}

/// A finding whose change is one piece of text in place of another.
fn slip(at: Range<usize>, what: String, change: &str, fix: Change) -> Finding {
    Finding {
        kind: KIND,
        meant: false,
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

/// Marks of voice that stand twice: the writer may mean them, and one who writes them often does.
fn shouted(found: Vec<Finding>) -> Vec<Finding> {
    if found.len() > SHOUTS {
        return Vec::new();
    }
    let meant = |f| Finding { meant: true, ..f };
    found.into_iter().map(meant).collect()
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
    fn what_is_documented_is_found_in_a_piece_of_a_few_words() {
        check("He came ( late).", 1, "He came (late).");
        check("He came ( late ) again.", 2, "He came (late) again.");
        check("She said “ no ” and left.", 2, "She said “no” and left.");
        check("我今天下棋 。", 1, "我今天下棋。");
        check("他说： 好。我去了「 家 」。", 3, "他说：好。我去了「家」。");
        check(
            "我 喜欢在公园里下棋。昨天 下午我去了，朋友们都在 那里。",
            3,
            "我喜欢在公园里下棋。昨天下午我去了，朋友们都在那里。",
        );
    }

    #[test]
    fn spaces_that_part_chinese_words_by_design_are_left() {
        for right in [
            "我 今天 去 公园 下棋。",
            "本报记者 张三 李四 摄影报道\n\n我今天去公园下棋。",
            "他 说 ： 好 。 我 去 了 。",
            "点击 “导出” 机制，生成 “数据” 才能备份。",
        ] {
            check(right, 0, right);
        }
    }

    #[test]
    fn marks_of_voice_that_stand_twice_are_the_writers_to_decide() {
        for text in ["Bye bye!! He left. Really? Yes!", "再见！！他走了。"] {
            let found = find(&Doc::of(text));
            assert_eq!(found.len(), 1, "{text}: {found:?}");
            assert!(
                found
                    .iter()
                    .all(|f| !f.fix.is_empty() && !f.is_mechanical())
            );
        }
        let loud = "No!! Yes!! Why?? Gone!!!";
        check(loud, 0, loud);
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
