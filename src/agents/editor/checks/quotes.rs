//! Quotation marks and apostrophes of two kinds.

use std::ops::Range;

use super::super::finding::{Change, Finding};
use super::super::marks::{self, KINDS, Pair, after, before};
use super::style::{Use, Ways};
use crate::text::doc::{Doc, Sign};
use crate::text::is_cjk;

const KIND: &str = "quotation marks";
/// The ways of an apostrophe, and their names.
const APOSTROPHES: [(char, &str); 2] = [('\'', "straight (')"), ('’', "curly (’)")];
/// Kinds that a piece uses for speech: double corners are for titles and for speech in speech.
const SPEECH: std::ops::RangeInclusive<usize> = 0..=6;

pub(super) fn find(doc: &Doc<'_>) -> Vec<Finding> {
    let mut found = pairs(doc);
    found.extend(apostrophes(doc));
    found
}

fn pairs(doc: &Doc<'_>) -> Vec<Finding> {
    let mut uses = Vec::new();
    let mut ends = Vec::new();
    for (signs, pair) in quoted(doc).filter(|(_, p)| SPEECH.contains(&p.kind)) {
        // A half of this kind beside it would stay as it is: the paragraph is left until that is whole.
        let halved = marks::marks(&signs)
            .loose
            .iter()
            .any(|l| l.kind == pair.kind);
        let (Some(open), Some(close)) = (signs.get(pair.open), signs.get(pair.close)) else {
            continue;
        };
        uses.push(Use {
            way: pair.kind,
            at: open.at..close.end(),
        });
        if !halved {
            ends.push((*open, *close));
        }
    }
    let turn = |place: &Use, to: usize| {
        let ends = ends.iter().find(|(open, _)| open.at == place.at.start);
        let (Some((open, close)), Some(kind)) = (ends, KINDS.get(to)) else {
            return Vec::new();
        };
        vec![
            Change::new(open.at..open.end(), kind.open),
            Change::new(close.at..close.end(), kind.close),
        ]
    };
    let name = |way: usize| {
        KINDS
            .get(way)
            .map_or_else(String::new, |k| k.name.to_owned())
    };
    Ways {
        kind: KIND,
        name: &name,
        turn: &turn,
    }
    .strays(&uses)
}

/// Each pair that is in no other quotation, with the signs of its block.
fn quoted<'d>(doc: &'d Doc<'_>) -> impl Iterator<Item = (std::rc::Rc<Vec<Sign>>, Pair)> + 'd {
    doc.prose.blocks.iter().flat_map(move |block| {
        let signs = std::rc::Rc::new(doc.signs(block));
        let mut pairs = marks::marks(&signs).pairs;
        pairs.retain(|p| marks::is_quote(p.kind) && !p.inner);
        pairs.sort_by_key(|p| p.open);
        pairs.into_iter().map(move |pair| (signs.clone(), pair))
    })
}

/// What stands in quotation marks, marks included.
pub(in super::super) fn spoken(doc: &Doc<'_>) -> Vec<Range<usize>> {
    let range = |(signs, pair): (std::rc::Rc<Vec<Sign>>, Pair)| {
        Some(signs.get(pair.open)?.at..signs.get(pair.close)?.end())
    };
    quoted(doc).filter_map(range).collect()
}

fn apostrophes(doc: &Doc<'_>) -> Vec<Finding> {
    let mut uses = Vec::new();
    for block in &doc.prose.blocks {
        let signs = doc.signs(block);
        for (i, sign) in signs.iter().enumerate() {
            let letter = |c: Option<char>| c.is_some_and(|c| c.is_alphabetic() && !is_cjk(c));
            let way = APOSTROPHES.iter().position(|(c, _)| *c == sign.c);
            if let Some(way) = way.filter(|_| letter(before(&signs, i)) && letter(after(&signs, i)))
            {
                uses.push(Use {
                    way,
                    at: sign.at..sign.end(),
                });
            }
        }
    }
    let name = |way: usize| {
        let name = APOSTROPHES.get(way).map_or("", |a| a.1);
        format!("the apostrophe {name}")
    };
    let turn = |place: &Use, to: usize| {
        let to = APOSTROPHES
            .get(to)
            .map(|(c, _)| Change::new(place.at.clone(), *c));
        to.into_iter().collect()
    };
    Ways {
        kind: KIND,
        name: &name,
        turn: &turn,
    }
    .strays(&uses)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::editor::finding::changed;

    fn check(text: &str, n: usize, mended: &str) {
        let found = find(&Doc::of(text));
        assert_eq!(found.len(), n, "{found:?}");
        assert_eq!(
            changed(text, found.into_iter().flat_map(|f| f.fix)).0,
            mended
        );
    }

    #[test]
    fn marks_unlike_the_others_are_found_and_mended() {
        check(
            "“One.” “Two.” “Three,” he said. \"Four.\"",
            1,
            "“One.” “Two.” “Three,” he said. “Four.”",
        );
        check(
            "他说：“一。”“二。”“三。”「四。」",
            1,
            "他说：“一。”“二。”“三。”“四。”",
        );
        check(
            "«Раз», «два», «три», \"четыре\".",
            1,
            "«Раз», «два», «три», «четыре».",
        );
        check(
            "It’s here, isn’t it? He’ll come, that's sure.",
            1,
            "It’s here, isn’t it? He’ll come, that’s sure.",
        );
    }

    #[test]
    fn a_pair_beside_a_half_of_its_kind_is_told_and_left() {
        let text = "\"One.\" \"Two.\" \"Three,\" he said.\n\n“Four,” she said, “and five.";
        check(text, 1, text);
    }

    #[test]
    fn which_way_the_whole_piece_goes_is_never_chosen_unread() {
        let found = find(&Doc::of("\"One,\" he said. \"Two.\" “Three.”"));
        assert_eq!(found.len(), 1);
        let one = found.first();
        assert!(one.is_some_and(|f| !f.is_mechanical() && !f.fix.is_empty()));
        assert!(one.is_some_and(|f| f.change.contains("straight")));
    }

    #[test]
    fn quotations_in_quotations_are_of_another_kind_by_right() {
        check(
            "«Раз „два“ три», — сказал он. «Да».",
            0,
            "«Раз „два“ три», — сказал он. «Да».",
        );
        check("「一『二』三」「四」", 0, "「一『二』三」「四」");
        check(
            "“One \"two\" three.” “Four.”",
            0,
            "“One \"two\" three.” “Four.”",
        );
    }
}
