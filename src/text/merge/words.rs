//! Two changes within one paragraph made one, by words. Each must be one place, and a part of the paragraph that nobody
//! touched must stand between the two: then neither can have been meant for the other's words.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation as _;

/// Both changes of a paragraph; none where they meet.
pub(super) fn both(base: &str, mine: &str, theirs: &str) -> Option<String> {
    let base: Vec<&str> = base.split_word_bounds().collect();
    let (mine, theirs) = (Place::of(&base, mine), Place::of(&base, theirs));
    let (first, second) = if mine.old.start <= theirs.old.start {
        (mine, theirs)
    } else {
        (theirs, mine)
    };
    if first.old.end >= second.old.start {
        return None;
    }
    let kept = |range: Range<usize>| base.get(range).unwrap_or_default();
    let parts = [
        kept(0..first.old.start),
        &first.new,
        kept(first.old.end..second.old.start),
        &second.new,
        kept(second.old.end..base.len()),
    ];
    Some(parts.concat().concat())
}

/// The one place in which a text is another than the base.
struct Place<'a> {
    /// The words that went.
    old: Range<usize>,
    /// Those that came.
    new: Vec<&'a str>,
}

impl<'a> Place<'a> {
    fn of(base: &[&str], text: &'a str) -> Self {
        let words: Vec<&str> = text.split_word_bounds().collect();
        let same = |(a, b): &(&&str, &&str)| a == b;
        let head = base.iter().zip(&words).take_while(same).count();
        let most = base.len().min(words.len()) - head;
        let ends = base.iter().rev().zip(words.iter().rev()).take(most);
        let tail = ends.take_while(same).count();
        Self {
            old: head..base.len() - tail,
            new: words
                .get(head..words.len() - tail)
                .unwrap_or_default()
                .to_vec(),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn changes_of_two_places_in_a_paragraph_are_both_made() {
        let base = "The ferry was late, and nobody waited.";
        for (mine, theirs, want) in [
            (
                "The old ferry was late, and nobody waited.",
                "The ferry was late, and nobody waited. Then it came.",
                Some("The old ferry was late, and nobody waited. Then it came."),
            ),
            (
                "The ferry was late, nobody waited.",
                "A ferry was late, and nobody waited.",
                Some("A ferry was late, nobody waited."),
            ),
            (
                "The ferry was late,\n\nand nobody waited.",
                "The boat was late, and nobody waited.",
                Some("The boat was late,\n\nand nobody waited."),
            ),
            // One word, and one place between two.
            (
                "The ferries was late, and nobody waited.",
                "The ferry’s was late, and nobody waited.",
                None,
            ),
            (
                "The ferry was late, and nobody waited. Mine.",
                "The ferry was late, and nobody waited. Theirs.",
                None,
            ),
            ("", "The ferry was late, and nobody waited!", None),
        ] {
            assert_eq!(both(base, mine, theirs).as_deref(), want, "{mine:?}");
            assert_eq!(both(base, theirs, mine).as_deref(), want, "{theirs:?}");
        }
        let chinese = both("山里的灯亮了。", "山里的旧灯亮了。", "山里的灯亮了很久。");
        assert_eq!(chinese.as_deref(), Some("山里的旧灯亮了很久。"));
    }

    /// A paragraph of numbered words, changed in a place.
    fn changed(base: &[String], at: usize, out: usize, came: &[String]) -> String {
        let end = (at + out).min(base.len());
        [&base[..at.min(end)], came, &base[end..]]
            .concat()
            .join(" ")
    }

    proptest! {
        #[test]
        fn no_word_of_either_side_is_lost_and_nothing_comes_that_nobody_wrote(
            len in 1..12usize,
            a in (0..12usize, 0..4usize, 0..4usize),
            b in (0..12usize, 0..4usize, 0..4usize),
        ) {
            let base: Vec<String> = (0..len).map(|n| format!("w{n}")).collect();
            let came = |of: &str, many: usize| (0..many).map(|n| format!("{of}{n}")).collect::<Vec<_>>();
            let [mine, theirs] = [(a, "m"), (b, "t")].map(|((at, out, many), of)| {
                changed(&base, at.min(len), out, &came(of, many))
            });
            let base = base.join(" ");
            prop_assert_eq!(both(&base, &mine, &theirs), both(&base, &theirs, &mine));
            if let Some(merged) = both(&base, &mine, &theirs) {
                let has = |text: &str, word: &str| text.split(' ').any(|w| w == word);
                for word in mine.split(' ').chain(theirs.split(' ')).chain(merged.split(' ')) {
                    let all = [&mine, &theirs].into_iter();
                    // What both have stays, what one brought came, what one took out went.
                    let want = if has(&base, word) {
                        all.clone().all(|text| has(text, word))
                    } else {
                        all.clone().any(|text| has(text, word))
                    };
                    prop_assert_eq!(has(&merged, word), want, "{:?} in {:?}", word, merged);
                }
            }
        }
    }
}
