//! The beginning of a text that fits into a bound and ends where something ends.

use crate::text::prose::{Role, prose};
use crate::text::sentences;

use super::lines::lines;

/// Bytes behind the bound that are looked at: whether a sentence ends there is told by what follows.
const AHEAD: usize = 4 * 1024;

/// The beginning of a text, as long as it may be and no longer than `bound` bytes: it ends with a sentence, a list's item
/// or a block, never inside one. Empty where not even the first fits.
pub(super) fn fitting(text: &str, bound: usize) -> &str {
    if text.len() <= bound {
        return text;
    }
    let near = crate::text::head(text, bound + AHEAD);
    let end = ends(near).filter(|end| *end <= bound).max();
    let kept = text.get(..end.unwrap_or_default()).unwrap_or_default();
    kept.trim_end()
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
            ("One is whole.", 5, ""),
            ("- one thing\n- another thing\n", 20, "- one thing"),
            (
                "# Names\n\nIlse is here. She stays on.",
                24,
                "# Names\n\nIlse is here.",
            ),
            ("# Names\n\nIlse is not here at all", 12, ""),
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
            ("```\na b\n\nc d\n```\n\nEnd.", 12, ""),
            ("一つ。二つ目。", 12, "一つ。"),
        ] {
            assert_eq!(fitting(text, bound), kept, "{text:?}");
        }
        assert_eq!(fitting("As it is", 8), "As it is");
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
                prop_assert!(whole, "{kept:?}");
            }
        }

        #[test]
        fn any_text_at_all_is_cut_within_its_bound(text in any::<String>(), bound in 0usize..60) {
            let kept = fitting(&text, bound);
            prop_assert!(kept.len() <= bound && text.starts_with(kept));
        }
    }
}
