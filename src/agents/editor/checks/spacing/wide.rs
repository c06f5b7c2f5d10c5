//! Spaces and narrow marks among the letters of Chinese and Japanese.

use super::super::super::finding::{Change, Finding};
use super::super::super::marks::{after, before};
use super::super::style::{Use, Ways};
use super::{KIND, rare, shouted, slip};
use crate::text::doc::{Doc, Sign, is_heading, is_space, is_wordy};
use crate::text::is_cjk;

/// Narrow marks and the wide ones that stand for them.
const MARKS: [(char, char); 6] = [
    (',', '，'),
    ('.', '。'),
    (';', '；'),
    (':', '：'),
    ('?', '？'),
    ('!', '！'),
];
/// Wide marks of which one is enough.
const ONCE: &str = "，。；：、";
/// Marks that say how loud it is.
const LOUD: &str = "！？";
/// Marks before which no space stands, and those behind which none does.
const CLOSE: &str = "，。；：、！？」』）》】〉";
const OPEN: &str = "「『（《【〈";
/// Marks that end a sentence, or part it: what has none is a heading, a name or a table.
const PARTS: &str = "，。；！？";
/// Letters to each slip, at least, when spaces between letters are slips and no way to write.
const LETTERS: usize = 1_000;
/// Slips that a piece may have for its length all the same, and letters to each of them.
const FEW: usize = 3;
const FEW_LETTERS: usize = 6;

#[derive(Default)]
struct Tally {
    narrow: Vec<Finding>,
    wide: usize,
    gaps: Vec<Finding>,
    letters: usize,
    apart: Vec<Finding>,
    joined: usize,
    twice: Vec<Finding>,
    loud: Vec<Finding>,
    beside: Vec<Use>,
}

pub(super) fn find(doc: &Doc<'_>) -> Vec<Finding> {
    let mut tally = Tally::default();
    for block in &doc.prose.blocks {
        let signs = doc.signs(block);
        let prose = !is_heading(block) && signs.iter().any(|s| PARTS.contains(s.c));
        for (i, sign) in signs.iter().enumerate() {
            tally.letters += usize::from(is_cjk(sign.c));
            tally.mark(&signs, i, *sign);
            if prose {
                tally.gap(&signs, i, *sign);
                tally.apart(&signs, i, *sign);
            }
            tally.side(&signs, i, *sign);
        }
    }
    let mut found = rare(tally.narrow, tally.wide);
    let gaps = tally.gaps.len();
    if gaps <= 1 + tally.letters / LETTERS || gaps <= FEW && gaps * FEW_LETTERS <= tally.letters {
        found.extend(tally.gaps);
    }
    // One alone shows no way of a piece.
    found.extend(rare(tally.apart, tally.joined.max(1)));
    found.extend(tally.twice);
    found.extend(shouted(tally.loud));
    found.extend(beside(&tally.beside));
    found
}

impl Tally {
    fn mark(&mut self, signs: &[Sign], i: usize, sign: Sign) {
        self.wide += usize::from(MARKS.iter().any(|(_, wide)| *wide == sign.c));
        let (left, next) = (before(signs, i), after(signs, i));
        let loud = LOUD.contains(sign.c);
        if (loud || ONCE.contains(sign.c))
            && next == Some(sign.c)
            && left != Some(sign.c)
            && signs.get(i + 2).map(|s| s.c) != Some(sign.c)
        {
            let second = sign.end()..sign.end() + sign.c.len_utf8();
            let what = format!("“{}” stands twice.", sign.c);
            let slips = if loud {
                &mut self.loud
            } else {
                &mut self.twice
            };
            slips.push(slip(
                sign.at..second.end,
                what,
                "Take one out.",
                Change::new(second, ""),
            ));
        }
        let Some((_, wide)) = MARKS.iter().find(|(narrow, _)| *narrow == sign.c) else {
            return;
        };
        let rest = signs.get(i + 1..).unwrap_or_default();
        let spaces = rest.iter().take_while(|s| s.c == ' ').count();
        let behind = rest.get(spaces).map(|s| s.c);
        let fits = behind.is_none_or(|c| is_cjk(c) || is_space(c) || "「『“”」』《（".contains(c));
        if left.is_some_and(is_cjk) && fits {
            let end =
                rest.get(spaces).map_or(
                    sign.end(),
                    |s| if is_space(s.c) { sign.end() } else { s.at },
                );
            let what = format!("A narrow “{}” among wide letters.", sign.c);
            let change = format!("Write “{wide}”.");
            self.narrow.push(slip(
                sign.at..sign.end(),
                what,
                &change,
                Change::new(sign.at..end, *wide),
            ));
        }
    }

    /// A space between two letters. One beside markup sets it off.
    fn gap(&mut self, signs: &[Sign], i: usize, sign: Sign) {
        let left = i.checked_sub(1).and_then(|i| signs.get(i));
        let left = left.is_some_and(|s| is_cjk(s.c) && s.end() == sign.at);
        let right = signs
            .get(i + 1)
            .is_some_and(|s| is_cjk(s.c) && s.at == sign.end());
        if sign.c == ' ' && left && right {
            let at = sign.at..sign.end();
            let what = "A space between two letters.".to_owned();
            self.gaps
                .push(slip(at.clone(), what, "Take it out.", Change::new(at, "")));
        }
    }

    /// A space before a wide mark, or behind one that opens. Behind one that closes it is a slip before a letter.
    fn apart(&mut self, signs: &[Sign], i: usize, sign: Sign) {
        let wide = |c: char| CLOSE.contains(c) || OPEN.contains(c);
        let Some(left) = i.checked_sub(1).and_then(|i| signs.get(i)) else {
            return;
        };
        let fits = |a: char, b: char| {
            CLOSE.contains(b) && (is_wordy(a) || wide(a))
                || OPEN.contains(a) && (is_wordy(b) || wide(b))
                || CLOSE.contains(a) && is_cjk(b)
        };
        if fits(left.c, sign.c) {
            self.joined += 1;
        }
        let rest = signs.get(i..).unwrap_or_default();
        let spaces = rest.iter().take_while(|s| s.c == ' ').count();
        let Some(next) = rest.get(spaces).filter(|_| spaces > 0) else {
            return;
        };
        if is_space(left.c) || !fits(left.c, next.c) || next.at - left.end() != spaces {
            return;
        }
        let mark = if CLOSE.contains(next.c) {
            next.c
        } else {
            left.c
        };
        let side = if CLOSE.contains(next.c) {
            "before"
        } else {
            "behind"
        };
        let at = left.end()..next.at;
        self.apart.push(slip(
            at.clone(),
            format!("A space {side} “{mark}”."),
            "It does not belong there.",
            Change::new(at, ""),
        ));
    }

    /// Where a wide letter meets a narrow word: with a space or without.
    fn side(&mut self, signs: &[Sign], i: usize, sign: Sign) {
        let narrow = |c: char| c.is_ascii_alphabetic();
        let meets = |a: char, b: char| is_cjk(a) && narrow(b) || narrow(a) && is_cjk(b);
        let Some(left) = i.checked_sub(1).and_then(|i| signs.get(i)) else {
            return;
        };
        if meets(left.c, sign.c) {
            self.beside.push(Use {
                way: 0,
                at: sign.at..sign.at,
            });
        } else if sign.c == ' ' && signs.get(i + 1).is_some_and(|next| meets(left.c, next.c)) {
            self.beside.push(Use {
                way: 1,
                at: sign.at..sign.end(),
            });
        }
    }
}

fn beside(uses: &[Use]) -> Vec<Finding> {
    let name = |way: usize| {
        let space = if way == 0 { "without" } else { "with" };
        format!("{space} a space between Chinese or Japanese and other letters")
    };
    let turn = |place: &Use, to: usize| {
        vec![Change::new(
            place.at.clone(),
            if to == 0 { "" } else { " " },
        )]
    };
    Ways {
        kind: KIND,
        name: &name,
        turn: &turn,
    }
    .strays(uses)
}
