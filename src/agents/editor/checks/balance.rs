//! Quotation marks and brackets without their other half, or with that of another kind.

use super::super::finding::{Change, Finding};
use super::super::marks::{self, CURLY, KINDS, Loose, Marks, Pair, ROUND, STRAIGHT, leans};
use crate::text::doc::{Doc, Sign, is_heading};

const KIND: &str = "balance";
/// Blocks within which the other half may come.
const REACH: usize = 10;

/// A block, its signs and its marks.
struct Read {
    signs: Vec<Sign>,
    marks: Marks,
    heading: bool,
}

pub(super) fn find(doc: &Doc<'_>) -> Vec<Finding> {
    let read = |block| {
        let signs = doc.signs(block);
        let marks = marks::marks(&signs);
        let heading = is_heading(block);
        Read {
            signs,
            marks,
            heading,
        }
    };
    let mut blocks: Vec<Read> = doc.prose.blocks.iter().map(read).collect();
    let mut found: Vec<Finding> = blocks.iter().flat_map(mixed).collect();
    found.extend(blocks.iter_mut().flat_map(turned));
    for i in 0..blocks.len() {
        match_across(i, &mut blocks);
    }
    for (i, block) in blocks.iter().enumerate() {
        let next = blocks.get(i + 1).filter(|b| !b.heading);
        let loose = block.marks.loose.iter().filter(|l| !goes_on(**l, next));
        found.extend(loose.filter_map(|l| alone(block, *l)));
    }
    found
}

/// Speech of several paragraphs opens again in each and closes in the last.
fn goes_on(loose: Loose, next: Option<&Read>) -> bool {
    let first = next.and_then(|b| b.signs.iter().find(|s| !s.c.is_whitespace()));
    loose.opens
        && marks::is_quote(loose.kind)
        && first
            .zip(KINDS.get(loose.kind))
            .is_some_and(|(s, k)| s.c == k.open || s.c == k.close)
}

/// Takes out an opening mark whose other half comes in a later block, with that half.
fn match_across(i: usize, blocks: &mut [Read]) {
    let opens: Vec<Loose> = blocks.get(i).map_or_else(Vec::new, |b| {
        b.marks.loose.iter().copied().filter(|l| l.opens).collect()
    });
    for open in opens {
        let later = blocks.iter().skip(i + 1).take(REACH);
        let half = later.enumerate().find_map(|(n, b)| {
            let fits = |l: &&Loose| l.kind == open.kind && (!l.opens || l.kind == STRAIGHT);
            b.marks.loose.iter().find(fits).map(|l| (i + 1 + n, *l))
        });
        let Some((at, close)) = half else { continue };
        for (at, gone) in [(i, open), (at, close)] {
            if let Some(block) = blocks.get_mut(at) {
                block.marks.loose.retain(|l| *l != gone);
            }
        }
    }
}

/// A wide bracket that is closed by a narrow one, or the other way round.
fn mixed(block: &Read) -> Vec<Finding> {
    let odd = |pair: &&Pair| {
        let close = block.signs.get(pair.close).map(|s| s.c);
        let kind = KINDS.get(pair.kind).map(|k| k.close);
        ROUND.contains(&pair.kind) && close != kind
    };
    let finding = |pair: &Pair| {
        let (open, close) = (block.signs.get(pair.open)?, block.signs.get(pair.close)?);
        let right = KINDS.get(pair.kind)?.close;
        Some(Finding {
            kind: KIND,
            meant: false,
            at: close.at..close.end(),
            what: format!("“{}” is closed by “{}”.", open.c, close.c),
            change: format!("Write “{right}”."),
            fix: vec![Change::new(close.at..close.end(), right)],
        })
    };
    block
        .marks
        .pairs
        .iter()
        .filter(odd)
        .filter_map(finding)
        .collect()
}

/// A curly mark that is turned the wrong way: `“so“` or `”so”`. It is taken out of the loose ones, and so is
/// the half it belongs to.
fn turned(block: &mut Read) -> Vec<Finding> {
    let Some(kind) = KINDS.get(CURLY) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut open: Option<Loose> = None;
    let mut right: Vec<Loose> = Vec::new();
    for loose in block.marks.loose.iter().filter(|l| l.kind == CURLY) {
        let wrong = leans(&block.signs, loose.at) == Some(!loose.opens);
        let (Some(sign), true) = (block.signs.get(loose.at), wrong) else {
            open = Some(*loose).filter(|l| l.opens);
            continue;
        };
        let with = if loose.opens { kind.close } else { kind.open };
        // What it closes when turned must be there.
        if loose.opens && open.is_none() {
            continue;
        }
        right.extend(open.take());
        right.push(*loose);
        found.push(Finding {
            kind: KIND,
            meant: false,
            at: sign.at..sign.end(),
            what: format!("“{}” is turned the wrong way.", sign.c),
            change: format!("Write “{with}”."),
            fix: vec![Change::new(sign.at..sign.end(), with)],
        });
    }
    block.marks.loose.retain(|l| !right.contains(l));
    found
}

fn alone(block: &Read, loose: Loose) -> Option<Finding> {
    let sign = block.signs.get(loose.at)?;
    let kind = KINDS.get(loose.kind)?;
    let (what, half) = if loose.opens {
        (
            format!("The mark {} is opened and not closed.", sign.c),
            kind.close,
        )
    } else {
        (
            format!("The mark {} closes what was not opened.", sign.c),
            kind.open,
        )
    };
    let fix: Vec<Change> = at_end(block, loose)
        .map(|end| Change::new(end..end, half))
        .into_iter()
        .collect();
    let change = if fix.is_empty() {
        "Put its other half where it belongs, or take it out.".to_owned()
    } else {
        format!("Put “{half}” at the end of the paragraph.")
    };
    Some(Finding {
        kind: KIND,
        meant: false,
        at: sign.at..sign.end(),
        what,
        change,
        fix,
    })
}

/// Where the other half belongs for certain: at the end of a paragraph whose last sentence is all speech, without a
/// comma behind which it may be told again who speaks.
fn at_end(block: &Read, loose: Loose) -> Option<usize> {
    if !loose.opens || !marks::is_quote(loose.kind) || block.marks.loose.len() > 1 {
        return None;
    }
    let said = block.signs.get(loose.at + 1..)?;
    let last = said.iter().rev().find(|s| !s.c.is_whitespace())?;
    let stops = said.iter().filter(|s| ".!?…。！？".contains(s.c)).count();
    let ends = ".!?…。！？".contains(last.c);
    let whole = !said.iter().any(|s| may_end_speech(s.c));
    (ends && stops == 1 && whole && is_led_in(block, loose)).then(|| last.end())
}

/// Whether speech may end before a sign: *Come away, he said.*
fn may_end_speech(c: char) -> bool {
    ",;:，；：、،".contains(c) || marks::is_dash(c)
}

/// Whether it is said before the mark who speaks. Where the mark begins the paragraph it may be told behind, with no
/// comma either: *"It is raining he said.*
fn is_led_in(block: &Read, loose: Loose) -> bool {
    let before = block.signs.get(..loose.at).unwrap_or_default();
    let last = before.iter().rev().find(|s| !s.c.is_whitespace());
    last.is_some_and(|s| ",:，：".contains(s.c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::editor::checks::tests::mends;

    fn check(text: &str, n: usize, mended: &str) {
        mends(find, text, n, mended);
    }

    #[test]
    fn halves_are_found_in_any_script() {
        check("One (two. Three.", 1, "One (two. Three.");
        check("一《二。三", 1, "一《二。三");
        check("Раз» два.", 1, "Раз» два.");
        check(
            "All “is” (well) «here» 「好」（好）.",
            0,
            "All “is” (well) «here» 「好」（好）.",
        );
    }

    #[test]
    fn what_is_certain_is_mended() {
        check("He said, “I am here.", 1, "He said, “I am here.”");
        check("他说：「我来了。", 1, "他说：「我来了。」");
        check("He said, “no“ and left.", 1, "He said, “no” and left.");
        check("一（二)三", 1, "一（二）三");
    }

    #[test]
    fn where_speech_ends_is_not_guessed() {
        for text in [
            "\"Come away from there, he said at last, and shut the curtain.",
            "\"It is is only rain, he said from the path.",
            "\"It is only rain he said.",
            "She said, \"It is only rain, and went.",
            "她说：「我来了，她走了。",
        ] {
            check(text, 1, text);
        }
    }

    #[test]
    fn speech_over_paragraphs_is_whole() {
        let speech = "“One.\n\n“Two.\n\n“Three,” he said.";
        check(speech, 0, speech);
        check("(One.\n\nTwo.)", 0, "(One.\n\nTwo.)");
        check("「一。\n\n「二。」", 0, "「一。\n\n「二。」");
    }
}
