//! The beginning of a text that fits into a bound and ends where something ends.

use crate::text::prose::{Role, prose};
use crate::text::sentences;

use super::lines::lines;

/// Bytes behind the bound that are looked at: whether a sentence ends there is told by what follows.
const AHEAD: usize = 4 * 1024;

/// The beginning of a text, as long as it may be and no longer than `bound` bytes: it ends with a sentence, a list's item
/// or a block. Where none of these ends near the bound, as in verse, tables and lists of words, it ends with a line;
/// where no line does, with a word.
pub(super) fn fitting(text: &str, bound: usize) -> &str {
    if text.len() <= bound {
        return text;
    }
    let near = crate::text::head(text, bound + AHEAD);
    let most = |ends: &mut dyn Iterator<Item = usize>| {
        let kept = ends.filter(|end| *end <= bound).max();
        kept.filter(|end| *end >= bound / 2)
    };
    let end = most(&mut ends(near))
        .or_else(|| most(&mut line_ends(near).into_iter()))
        .or_else(|| ends(near).filter(|end| (1..=bound).contains(end)).max())
        .unwrap_or_else(|| word_end(near, bound));
    let kept = text.get(..end).unwrap_or_default();
    kept.trim_end()
}

/// Where a line ends that has words, but for headings.
fn line_ends(text: &str) -> Vec<usize> {
    let all = lines(text);
    // What was read ends in the middle of the last.
    let whole = all.iter().take(all.len().saturating_sub(1));
    let full = whole.filter(|line| !line.text.trim().is_empty() && line.heading.is_none());
    full.map(|line| line.at + line.text.len()).collect()
}

/// Where the last word ends that fits whole; the last letter, where there is no space.
fn word_end(text: &str, bound: usize) -> usize {
    let head = crate::text::head(text, bound);
    let within = text.get(head.len()..).unwrap_or_default();
    if within.starts_with(char::is_whitespace) {
        return head.len();
    }
    head.rfind(char::is_whitespace).unwrap_or(head.len())
}

/// Where something ends.
fn ends(text: &str) -> impl Iterator<Item = usize> {
    let found = prose(text);
    let mut out = Vec::new();
    for block in &found.blocks {
        match block.role {
            Role::Paragraph => {
                let of = sentences(found.of(block)).into_iter();
                out.extend(of.map(|s| block.range.start + s.end));
            }
            Role::Item => out.push(block.range.end),
            Role::Heading(_) | Role::Cell => {}
        }
    }
    out.extend(block_ends(text));
    out.into_iter()
}

/// Where a line ends that an empty one follows, but for headings, whose words come below them.
fn block_ends(text: &str) -> Vec<usize> {
    let all = lines(text);
    let pairs = all.iter().zip(all.iter().skip(1));
    let ends = pairs.filter(|(line, next)| {
        let empty = |text: &str| text.trim().is_empty();
        empty(next.text) && !next.code && !empty(line.text) && line.heading.is_none()
    });
    ends.map(|(line, _)| line.at + line.text.len()).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_text_is_cut_behind_a_sentence_an_item_or_a_block() {
        for (text, bound, kept) in [
            ("One. Two is longer.", 10, "One."),
            ("One is whole.", 5, "One"),
            ("- one thing\n- another thing\n", 20, "- one thing"),
            (
                "# Names\n\nIlse is here. She stays on.",
                24,
                "# Names\n\nIlse is here.",
            ),
            ("# Names\n\nIlse is not here at all", 14, "# Names\n\nIlse"),
            (
                "Mr. Brown met J. R. Smith. Then he left.",
                30,
                "Mr. Brown met J. R. Smith.",
            ),
            (
                "A line\nof one sentence. B line\nof another.",
                30,
                "A line\nof one sentence.",
            ),
            ("```\na b\n\nc d\n```\n\nEnd.", 12, "```\na b\n\nc d"),
            ("一つ。二つ目。", 12, "一つ。"),
        ] {
            assert_eq!(fitting(text, bound), kept, "{text:?}");
        }
        assert_eq!(fitting("As it is", 8), "As it is");
    }

    #[test]
    fn what_has_no_sentences_is_cut_behind_a_line_and_never_dropped_whole() {
        let verse = "the river goes on and the rope holds\n".repeat(3_000);
        let table = format!(
            "| word | why |\n|---|---|\n{}",
            "| tide | short |\n".repeat(2_000)
        );
        let intro = format!("Words I like.\n\n{}", "tide rope ferry\n".repeat(2_000));
        let bound = 8 * 1024;
        for (text, line) in [
            (&verse, "the river goes on and the rope holds"),
            (&table, "| tide | short |"),
            (&intro, "tide rope ferry"),
        ] {
            let kept = fitting(text, bound);
            assert_eq!(kept.lines().last(), Some(line));
            assert!(kept.len() <= bound && kept.len() + line.len() + 1 > bound);
        }
        let words = "tide, rope, ".repeat(2_000);
        assert!(
            fitting(&words, bound).ends_with("tide,"),
            "{}",
            fitting(&words, bound)
        );
        assert_eq!(fitting(&"灯".repeat(9_000), 10), "灯灯灯");
    }

    proptest! {
        #[test]
        fn a_sentence_is_never_cut_and_the_bound_always_holds(
            words in prop::collection::vec("[A-Z][a-zé]{1,9}( [a-z灯]{1,9}){0,9}[.!?]", 1..40),
            bound in 0usize..400,
        ) {
            for between in [" ", "\n\n", "\n- "] {
                let text = words.join(between);
                let kept = fitting(&text, bound);
                prop_assert!(kept.len() <= bound);
                prop_assert!(text.starts_with(kept));
                let whole = (0..=words.len()).any(|n| words.iter().take(n).cloned().collect::<Vec<_>>().join(between) == kept);
                let none_fits = words.first().is_none_or(|first| first.len() > bound);
                prop_assert!(whole || none_fits, "{kept:?}");
            }
        }

        #[test]
        fn any_text_at_all_is_cut_within_its_bound(text in any::<String>(), bound in 0usize..60) {
            let kept = fitting(&text, bound);
            prop_assert!(kept.len() <= bound && text.starts_with(kept));
        }
    }
}
