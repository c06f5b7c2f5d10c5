//! Which words of a changed paragraph came and went.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};
use unicode_segmentation::UnicodeSegmentation;

use crate::text::{is_cjk, sentences};

/// Pieces of both texts together up to which each word is compared; above, sentences are first.
const WORDS_MAX: usize = 6_000;
/// Words that stayed between two changes and yet belong to them.
const SMALL: usize = 2;

/// What became of a piece of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// It is in both texts.
    Same,
    /// It is in the left text alone.
    Gone,
    /// It is in the right text alone.
    Came,
}

/// A text in pieces that follow each other without a gap, none empty.
pub type Marks = Vec<(Range<usize>, Mark)>;

/// What became of the words of the left text and of the right one: what is the same in one is the same in the other.
/// Words are never cut; letters of Chinese and Japanese are words, and a cluster of signs is one.
pub fn marks(left: &str, right: &str) -> [Marks; 2] {
    let (old, new) = (pieces(left), pieces(right));
    let steps = if old.len() + new.len() > WORDS_MAX {
        by_sentence(left, right)
    } else {
        calm(compared(&old, &new))
    };
    let mut out = [Marks::new(), Marks::new()];
    let mut at = (0, 0);
    for step in steps {
        let (gone, came) = if step.same {
            (Mark::Same, Mark::Same)
        } else {
            (Mark::Gone, Mark::Came)
        };
        let [lefts, rights] = &mut out;
        at.0 = mark(lefts, at.0, &step.old, gone);
        at.1 = mark(rights, at.1, &step.new, came);
    }
    out
}

/// Some pieces of the old text and those of the new one that stand for them.
struct Step<'a> {
    old: Vec<&'a str>,
    new: Vec<&'a str>,
    same: bool,
}

/// Marks pieces, as one with those before of the same mark; gives back where they end.
fn mark(marks: &mut Marks, at: usize, pieces: &[&str], as_: Mark) -> usize {
    let end = at + pieces.iter().map(|p| p.len()).sum::<usize>();
    match marks.last_mut() {
        _ if end == at => {}
        Some((range, mark)) if *mark == as_ => range.end = end,
        _ => marks.push((at..end, as_)),
    }
    end
}

/// Words, the signs between them, spaces.
fn pieces(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    for piece in text.split_word_bounds() {
        if piece.chars().any(is_cjk) {
            out.extend(piece.graphemes(true));
        } else {
            out.push(piece);
        }
    }
    out
}

fn compared<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<Step<'a>> {
    let cut = |of: &[&'a str], range: Range<usize>| of.get(range).unwrap_or_default().to_vec();
    let ops = capture_diff_slices(Algorithm::Myers, old, new);
    let step = |op: DiffOp| Step {
        old: cut(old, op.old_range()),
        new: cut(new, op.new_range()),
        same: matches!(op, DiffOp::Equal { .. }),
    };
    ops.into_iter().map(step).collect()
}

/// The same for long texts: whole sentences, and words in those that changed.
fn by_sentence<'a>(left: &'a str, right: &'a str) -> Vec<Step<'a>> {
    let mut out = Vec::new();
    for step in joined(compared(&whole_sentences(left), &whole_sentences(right))) {
        let words = |of: &[&'a str]| of.iter().flat_map(|s| pieces(s)).collect::<Vec<_>>();
        let (old, new) = (words(&step.old), words(&step.new));
        if step.same || old.len() + new.len() > WORDS_MAX {
            out.push(step);
        } else {
            out.extend(calm(compared(&old, &new)));
        }
    }
    out
}

/// Sentences, each with the space behind it.
fn whole_sentences(text: &str) -> Vec<&str> {
    let starts = sentences(text).into_iter().map(|s| s.start).skip(1);
    let mut out = Vec::new();
    let mut from = 0;
    for to in starts.chain([text.len()]) {
        out.extend(text.get(from..to).filter(|s| !s.is_empty()));
        from = to;
    }
    out
}

/// Changes without the crumbs between them: what stayed between two changes and is no more than a space, a sign or
/// a word or two between longer ones is read with them.
fn calm(steps: Vec<Step<'_>>) -> Vec<Step<'_>> {
    swept(swept(steps, 0), SMALL)
}

fn swept(steps: Vec<Step<'_>>, small: usize) -> Vec<Step<'_>> {
    let mut out: Vec<Step<'_>> = Vec::with_capacity(steps.len());
    let mut steps = steps.into_iter().peekable();
    while let Some(mut step) = steps.next() {
        let around = out.last().zip(steps.peek());
        step.same = step.same && !around.is_some_and(|around| is_crumb(&step, around, small));
        push(&mut out, step);
    }
    out
}

fn is_crumb(step: &Step<'_>, (before, after): (&Step<'_>, &Step<'_>), small: usize) -> bool {
    // The words of a change.
    let weight = |step: &Step<'_>| words(&step.old).max(words(&step.new));
    let stayed = words(&step.old);
    let small = stayed <= small && stayed * 2 <= weight(before).min(weight(after));
    !before.same && !after.same && small
}

fn words(pieces: &[&str]) -> usize {
    let is_word = |p: &&&str| p.chars().any(char::is_alphanumeric);
    pieces.iter().filter(is_word).count()
}

/// Neighbours that are both changes as one.
fn joined(steps: Vec<Step<'_>>) -> Vec<Step<'_>> {
    let mut out = Vec::with_capacity(steps.len());
    for step in steps {
        push(&mut out, step);
    }
    out
}

fn push<'a>(out: &mut Vec<Step<'a>>, step: Step<'a>) {
    match out.last_mut() {
        Some(last) if !last.same && !step.same => {
            last.old.extend(step.old);
            last.new.extend(step.new);
        }
        _ => out.push(step),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use proptest::prelude::*;

    use super::super::tests::draft;
    use super::*;

    /// Both texts with what went and what came in brackets.
    fn read(left: &str, right: &str) -> (String, String) {
        let [l, r] = marks(left, right);
        let shown = |text: &str, marks: Marks| -> String {
            let piece = |(range, mark): (Range<usize>, Mark)| {
                let words = text.get(range).unwrap();
                match mark {
                    Mark::Same => words.to_owned(),
                    Mark::Gone => format!("[-{words}-]"),
                    Mark::Came => format!("[+{words}+]"),
                }
            };
            marks.into_iter().map(piece).collect()
        };
        (shown(left, l), shown(right, r))
    }

    #[test]
    fn words_that_came_and_went_are_marked_whole() {
        let table = [
            (
                "The old house.",
                "The new house.",
                "The [-old-] house.",
                "The [+new+] house.",
            ),
            (
                "One, two.",
                "One, two and more.",
                "One, two.",
                "One, two[+ and more+].",
            ),
            ("don't go", "didn't go", "[-don't-] go", "[+didn't+] go"),
            (
                "灯台の手紙は朝に",
                "灯台の手紙は夜に",
                "灯台の手紙は[-朝-]に",
                "灯台の手紙は[+夜+]に",
            ),
            ("カタカナ", "カタログ", "カタ[-カナ-]", "カタ[+ログ+]"),
            (
                "שלום עולם טוב",
                "שלום עולם רע",
                "שלום עולם [-טוב-]",
                "שלום עולם [+רע+]",
            ),
            (
                "a cafe\u{301} b",
                "a cafe b",
                "a [-cafe\u{301}-] b",
                "a [+cafe+] b",
            ),
            (
                "so 👩\u{200d}🔬!",
                "so 👩\u{200d}🚀!",
                "so [-👩\u{200d}🔬-]!",
                "so [+👩\u{200d}🚀+]!",
            ),
            ("", "New.", "", "[+New.+]"),
        ];
        for (left, right, l, r) in table {
            assert_eq!(read(left, right), (l.to_owned(), r.to_owned()));
        }
    }

    #[test]
    fn crumbs_between_two_changes_are_read_with_them() {
        assert_eq!(
            read("We saw an old grey house.", "We saw a small white house.").0,
            "We saw [-an old grey-] house."
        );
        assert_eq!(
            read("red green the blue black", "one two the three four").1,
            "[+one two the three four+]"
        );
        assert_eq!(
            read("a cat and a dog slept", "the cat and the dog slept").0,
            "[-a-] cat and [-a-] dog slept"
        );
    }

    #[test]
    fn of_a_very_long_paragraph_the_sentences_are_compared_first() {
        let many = |n: usize| format!("This is sentence number {n} of them all. ");
        let left: String = (0..2_000).map(many).collect();
        let right = left.replace("number 1000 of", "number 999999 of");
        let (l, _) = read(&left, &right);
        assert!(l.contains("number [-1000-] of"));
        assert_eq!(l.matches("[-").count(), 1);
    }

    proptest! {
        #[test]
        fn marks_cover_both_texts_and_what_stayed_is_the_same(left in draft(), right in draft()) {
            let [l, r] = marks(&left, &right);
            let stayed = |text: &str, marks: &Marks| -> String {
                let same = marks.iter().filter(|m| m.1 == Mark::Same);
                same.map(|m| text.get(m.0.clone()).unwrap()).collect()
            };
            for (text, marks) in [(&left, &l), (&right, &r)] {
                let whole: String = marks.iter().map(|m| text.get(m.0.clone()).unwrap()).collect();
                prop_assert_eq!(&whole, text);
                prop_assert!(marks.windows(2).all(|w| matches!(w, [a, b] if a.1 != b.1)));
            }
            prop_assert_eq!(stayed(&left, &l), stayed(&right, &r));
            if left == right {
                prop_assert!(l.iter().all(|m| m.1 == Mark::Same));
            }
        }
    }
}
