//! Two texts side by side: which paragraphs are the same, changed, moved or in one of them alone, which words of a
//! changed one came and went, and how one text is made as the other, paragraph by paragraph.

mod marks;
mod pairing;
mod take;

use std::ops::Range;

pub use marks::{Mark, Marks, marks};

use super::blocks::{Block, blocks};
use pairing::Pairing;

/// What two texts have in common, paragraph by paragraph.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Comparison {
    /// The paragraphs of both, in an order that is that of each.
    pub pairs: Vec<Pair>,
}

/// A paragraph of the left text, of the right one, or one of each that stand for each other. Never neither.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pair {
    /// That of the left text.
    pub left: Option<Paragraph>,
    /// That of the right text.
    pub right: Option<Paragraph>,
    /// What they are to each other.
    pub kind: Kind,
}

/// A paragraph in its text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Paragraph {
    /// How many stand before it.
    pub n: usize,
    /// Its words, in bytes: no line end at their end.
    pub range: Range<usize>,
}

/// What two paragraphs are to each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// They are the same.
    Same,
    /// One is the other with changes.
    Changed,
    /// It is in the left text alone.
    Left,
    /// It is in the right text alone.
    Right,
    /// The other text has it in another place, perhaps with changes: that pair, by its place in
    /// [`Comparison::pairs`].
    Moved(usize),
}

/// Compares two texts.
pub fn compare(left: &str, right: &str) -> Comparison {
    let (_, old) = blocks(left);
    let (_, new) = blocks(right);
    Comparison {
        pairs: Pairing::of(&old, &new).pairs(&old, &new),
    }
}

impl Comparison {
    /// The places of those pairs that are not the same, in order.
    pub fn differences(&self) -> impl DoubleEndedIterator<Item = usize> + '_ {
        let differs = |(_, pair): &(usize, &Pair)| pair.kind != Kind::Same;
        self.pairs
            .iter()
            .enumerate()
            .filter(differs)
            .map(|(at, _)| at)
    }

    /// Whether some are taken and others of the differences are not. Words that were moved differ in two places, and come
    /// with either.
    pub fn has_rest(&self, some: &[usize]) -> bool {
        let comes = |at: usize| {
            let kind = self.pairs.get(at).map(|p| p.kind);
            some.contains(&at) || matches!(kind, Some(Kind::Moved(other)) if some.contains(&other))
        };
        !self.differences().all(comes)
    }

    /// The same the other way round: left is right.
    #[must_use]
    pub fn turned(&self) -> Self {
        let turn = |pair: &Pair| Pair {
            left: pair.right.clone(),
            right: pair.left.clone(),
            kind: match pair.kind {
                Kind::Left => Kind::Right,
                Kind::Right => Kind::Left,
                other => other,
            },
        };
        Self {
            pairs: self.pairs.iter().map(turn).collect(),
        }
    }

    /// Which paragraph one that moved is in the other text, from 1.
    pub fn there(&self, other: usize) -> usize {
        let pair = self.pairs.get(other);
        let other = pair.and_then(|p| p.left.as_ref().or(p.right.as_ref()));
        other.map_or(0, |p| p.n + 1)
    }

    /// The two paragraphs whose words are to be compared: those of a pair, those of a moved one from both its places.
    pub fn both(&self, at: usize) -> Option<(&Paragraph, &Paragraph)> {
        let pair = self.pairs.get(at)?;
        let other = match pair.kind {
            Kind::Moved(other) => self.pairs.get(other)?,
            _ => pair,
        };
        let left = pair.left.as_ref().or(other.left.as_ref())?;
        let right = pair.right.as_ref().or(other.right.as_ref())?;
        Some((left, right))
    }
}

impl Paragraph {
    fn of(block: &Block<'_>, n: usize) -> Self {
        Self {
            n,
            range: block.at..block.end(),
        }
    }

    /// Its words.
    pub fn of_text<'a>(&self, text: &'a str) -> &'a str {
        text.get(self.range.clone()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "test")]
    use proptest::prelude::*;

    use super::*;

    /// Each pair as its sign and words: `=` same, `~` changed, `<` left, `>` right, `^` moved.
    fn seen(left: &str, right: &str) -> Vec<String> {
        let comparison = compare(left, right);
        let words =
            |p: &Option<Paragraph>, text| p.as_ref().map_or("", |p| p.of_text(text)).to_owned();
        let line = |pair: &Pair| {
            let (l, r) = (words(&pair.left, left), words(&pair.right, right));
            match pair.kind {
                Kind::Same => format!("= {l}"),
                Kind::Changed => format!("~ {l} | {r}"),
                Kind::Left => format!("< {l}"),
                Kind::Right => format!("> {r}"),
                Kind::Moved(to) => format!("^{to} {l}{r}"),
            }
        };
        comparison.pairs.iter().map(line).collect()
    }

    #[test]
    fn paragraphs_are_the_same_changed_or_in_one_text_alone() {
        let left = "# Title\n\nThe old house stood by the sea.\n\nGone for good.\n\nThe end.\n";
        let right = "# Title\n\nThe white house stood by the sea.\n\nThe end.\n\nOr is it that?\n";
        assert_eq!(
            seen(left, right),
            [
                "= # Title",
                "~ The old house stood by the sea. | The white house stood by the sea.",
                "< Gone for good.",
                "= The end.",
                "> Or is it that?",
            ]
        );
    }

    #[test]
    fn inside_a_rewrite_paragraphs_are_paired_by_likeness() {
        let left = "One night the lamp went out.\n\nNobody saw the keeper leave his tower.";
        let right = "A quite new beginning of it all.\n\nOne night the big lamp went out.\n\nNobody saw the keeper leave.";
        assert_eq!(
            seen(left, right),
            [
                "> A quite new beginning of it all.",
                "~ One night the lamp went out. | One night the big lamp went out.",
                "~ Nobody saw the keeper leave his tower. | Nobody saw the keeper leave.",
            ]
        );
    }

    #[test]
    fn one_in_the_place_of_one_is_a_change_however_unlike() {
        assert_eq!(
            seen("A.\n\nHello there.\n\nZ.", "A.\n\n灯台。\n\nZ."),
            ["= A.", "~ Hello there. | 灯台。", "= Z."]
        );
    }

    #[test]
    fn a_paragraph_that_moved_is_known_again_in_its_new_place() {
        let left = "First of them all.\n\nSecond one.\n\nThird one here.\n\nFourth and last.";
        let right = "Second one.\n\nThird one here.\n\nFourth and last.\n\nFirst of them all.";
        assert_eq!(
            seen(left, right),
            [
                "^4 First of them all.",
                "= Second one.",
                "= Third one here.",
                "= Fourth and last.",
                "^0 First of them all.",
            ]
        );
        let changed = right.replace("First of them all", "The first of them all");
        let comparison = compare(left, &changed);
        assert_eq!(comparison.pairs[4].kind, Kind::Moved(0));
        let (l, r) = comparison.both(4).unwrap();
        assert_eq!(l.of_text(left), "First of them all.");
        assert_eq!(r.of_text(&changed), "The first of them all.");
    }

    #[test]
    fn a_line_of_signs_does_not_move() {
        let left = "***\n\nOne here.\n\nTwo here.";
        let right = "One here.\n\nTwo here.\n\n***";
        let kinds: Vec<Kind> = compare(left, right).pairs.iter().map(|p| p.kind).collect();
        assert_eq!(kinds, [Kind::Left, Kind::Same, Kind::Same, Kind::Right]);
    }

    #[test]
    fn letters_without_spaces_are_compared_one_by_one() {
        let left = "灯台の手紙は朝に届いた。\n\n静かな港町だった。";
        let right = "港の人は誰もいない。\n\n灯台の手紙は夜に届いた。\n\n静かな町だった。";
        let kinds: Vec<Kind> = compare(left, right).pairs.iter().map(|p| p.kind).collect();
        assert_eq!(kinds, [Kind::Right, Kind::Changed, Kind::Changed]);
    }

    proptest! {
        #[test]
        fn every_paragraph_of_both_texts_is_there_once_and_in_order(
            left in super::tests::draft(), right in super::tests::draft(),
        ) {
            let comparison = compare(&left, &right);
            let count = |side: fn(&Pair) -> Option<&Paragraph>| {
                comparison.pairs.iter().filter_map(side).map(|p| p.n).collect::<Vec<_>>()
            };
            prop_assert_eq!(count(|p| p.left.as_ref()), (0..blocks(&left).1.len()).collect::<Vec<_>>());
            prop_assert_eq!(count(|p| p.right.as_ref()), (0..blocks(&right).1.len()).collect::<Vec<_>>());
            for (at, pair) in comparison.pairs.iter().enumerate() {
                let words = (
                    pair.left.as_ref().map(|p| p.of_text(&left)),
                    pair.right.as_ref().map(|p| p.of_text(&right)),
                );
                match pair.kind {
                    Kind::Same => prop_assert_eq!(words.0.unwrap(), words.1.unwrap()),
                    Kind::Changed => prop_assert_ne!(words.0.unwrap(), words.1.unwrap()),
                    Kind::Left => prop_assert!(words.0.is_some() && words.1.is_none()),
                    Kind::Right => prop_assert!(words.0.is_none() && words.1.is_some()),
                    Kind::Moved(other) => prop_assert_eq!(comparison.pairs[other].kind, Kind::Moved(at)),
                }
            }
            prop_assert_eq!(comparison.turned().turned(), comparison);
        }

        #[test]
        fn a_text_is_the_same_as_itself(text in super::tests::draft()) {
            prop_assert_eq!(compare(&text, &text).differences().count(), 0);
        }
    }

    /// Texts of a few paragraphs that have words, line ends and marks in common.
    pub(super) fn draft() -> impl Strategy<Value = String> {
        let words = "(one |two |three |灯台|の|שלום |👩\u{200d}🔬 |e\u{301}t |\\*\\*\\* ){0,7}";
        let paragraph = (words, "(\n|\r\n|\n\n|\r\n\r\n|\n \n\n|\r\r)");
        let lead = "(|\u{feff}|\n|\u{feff}\r\n)";
        (
            lead,
            proptest::collection::vec(paragraph, 0..7),
            "(|two|\n)",
        )
            .prop_map(|(lead, all, end)| {
                let all: String = all.into_iter().map(|(words, gap)| words + &gap).collect();
                lead + &all + &end
            })
    }
}
