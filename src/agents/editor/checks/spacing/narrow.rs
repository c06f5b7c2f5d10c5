//! Spaces between words and at the marks of scripts that part words by spaces.

use std::collections::HashMap;

use super::super::super::finding::{Change, Finding};
use super::super::super::marks::{after, before};
use super::{rare, shouted, slip};
use crate::text::doc::{Doc, Sign, is_heading, is_space, is_wordy};
use crate::text::is_cjk;

/// Spaces in a row, at most: more are a layout.
const GAP: usize = 3;
/// Sides of a pair of brackets.
const SIDES: usize = 2;
/// Marks before which no space stands, in most languages.
const CLOSE: &str = ",.;:!?";

pub(super) fn find(doc: &Doc<'_>) -> Vec<Finding> {
    let mut tally = Tally::default();
    for block in &doc.prose.blocks {
        let signs = doc.signs(block);
        let gaps = !is_heading(block);
        for i in 0..signs.len() {
            if gaps {
                tally.gap(&signs, i);
            }
            tally.mark(&signs, i);
            tally.bracket(&signs, i);
        }
    }
    tally.told()
}

/// What was seen: slips of each sort, and how often the same is right.
#[derive(Default)]
struct Tally {
    wide_gaps: Vec<Finding>,
    gaps: usize,
    wide_stops: Vec<Finding>,
    stops: usize,
    spaced: HashMap<char, (Vec<Finding>, usize)>,
    joined: HashMap<char, (Vec<Finding>, usize)>,
    twice: Vec<Finding>,
    loud: Vec<Finding>,
    inside: Vec<Finding>,
    brackets: usize,
}

impl Tally {
    fn told(self) -> Vec<Finding> {
        let mut found = rare(self.wide_gaps, self.gaps);
        found.extend(rare(self.wide_stops, self.stops));
        for (slips, right) in self.spaced.into_values().chain(self.joined.into_values()) {
            found.extend(rare(slips, right));
        }
        found.extend(self.twice);
        found.extend(shouted(self.loud));
        // One pair alone shows no way of a piece.
        found.extend(rare(self.inside, self.brackets.max(SIDES)));
        found
    }

    /// A run of spaces between two words, or behind a sentence.
    fn gap(&mut self, signs: &[Sign], i: usize) {
        let (Some(sign), Some(left)) = (signs.get(i), before(signs, i)) else {
            return;
        };
        if sign.c != ' ' || is_space(left) {
            return;
        }
        let rest = signs.get(i..).unwrap_or_default();
        let len = rest.iter().take_while(|s| s.c == ' ').count();
        let Some(next) = rest.get(len).filter(|s| !is_space(s.c)) else {
            return;
        };
        let stop = ".!?…:\"”’')]".contains(left);
        let (wide, right) = if stop {
            (&mut self.wide_stops, &mut self.stops)
        } else {
            (&mut self.wide_gaps, &mut self.gaps)
        };
        // A space before a mark is told as such, and columns are no slip.
        if len == 1 || len > GAP || CLOSE.contains(next.c) {
            *right += 1;
            return;
        }
        let at = sign.at..next.at;
        let what = format!("{len} spaces in a row.");
        wide.push(slip(
            at.clone(),
            what,
            "One is enough.",
            Change::new(at, " "),
        ));
    }

    /// The spaces before and behind a mark.
    fn mark(&mut self, signs: &[Sign], i: usize) {
        let Some(sign) = signs.get(i).filter(|s| CLOSE.contains(s.c)) else {
            return;
        };
        let (left, next) = (before(signs, i), after(signs, i));
        if left.is_some_and(is_cjk) {
            return;
        }
        self.doubled(signs, i);
        let ends = next.is_none_or(|c| is_space(c) || "\"'”’»)]".contains(c));
        // ` ,so` is a space on the wrong side.
        let moved = matches!(sign.c, ',' | ';') && next.is_some_and(char::is_alphabetic);
        let run = signs.get(..i).unwrap_or_default();
        let spaces = run
            .iter()
            .rev()
            .take_while(|s| matches!(s.c, ' ' | '\u{a0}' | '\u{202f}'))
            .count();
        let word = (run.len() - spaces)
            .checked_sub(1)
            .and_then(|at| run.get(at));
        let word = word.filter(|w| is_wordy(w.c) || "\"”’»)]".contains(w.c));
        let (slips, right) = self.spaced.entry(sign.c).or_default();
        match word {
            Some(_) if spaces == 0 && ends => *right += 1,
            Some(word) if spaces > 0 && (ends || moved) => {
                let what = format!("A space before “{}”.", sign.c);
                let with = if moved {
                    format!("{} ", sign.c)
                } else {
                    sign.c.to_string()
                };
                let at = word.end()..sign.end();
                slips.push(slip(
                    at.clone(),
                    what,
                    "It does not belong there.",
                    Change::new(at, with),
                ));
                return;
            }
            _ => {}
        }
        self.behind(signs, i, *sign);
    }

    /// A mark between two words with no space behind it.
    fn behind(&mut self, signs: &[Sign], i: usize, sign: Sign) {
        let letter = |c: Option<char>| c.is_some_and(|c| c.is_alphabetic() && !is_cjk(c));
        let (slips, right) = self.joined.entry(sign.c).or_default();
        if after(signs, i).is_some_and(is_space) {
            *right += 1;
            return;
        }
        if !letter(before(signs, i)) || !letter(after(signs, i)) {
            return;
        }
        if sign.c == '.' && !is_stop(signs, i) || sign.c == ':' {
            return;
        }
        let what = format!("No space behind “{}”.", sign.c);
        slips.push(slip(
            sign.at..sign.end(),
            what,
            "Put one there.",
            Change::new(sign.end()..sign.end(), " "),
        ));
    }

    fn doubled(&mut self, signs: &[Sign], i: usize) {
        let Some(sign) = signs.get(i).filter(|s| CLOSE.contains(s.c)) else {
            return;
        };
        let same = |c: Option<char>| c == Some(sign.c);
        let rest = signs.get(i..).unwrap_or_default();
        let run = rest.iter().take_while(|s| s.c == sign.c).count();
        let word = before(signs, i).is_some_and(|c| is_wordy(c) || "\"”’»)]".contains(c));
        let next = rest.get(run).map(|s| s.c);
        let ends = next.is_none_or(|c| is_space(c) || "\"”’»)]".contains(c));
        if run != 2 || same(before(signs, i)) || !word || !ends {
            return;
        }
        let second = sign.end()..sign.end() + sign.c.len_utf8();
        let what = format!("“{}” stands twice.", sign.c);
        let found = slip(
            sign.at..second.end,
            what,
            "Take one out.",
            Change::new(second, ""),
        );
        match sign.c {
            '!' | '?' => self.loud.push(found),
            _ => self.twice.push(found),
        }
    }

    /// Spaces inside of brackets.
    fn bracket(&mut self, signs: &[Sign], i: usize) {
        let Some(sign) = signs.get(i) else { return };
        let gap = match sign.c {
            '(' | '“' => signs.get(i + 1),
            ')' | '”' => i.checked_sub(1).and_then(|i| signs.get(i)),
            _ => return,
        };
        let Some(gap) = gap else { return };
        if gap.c != ' ' {
            self.brackets += 1;
            return;
        }
        let opens = matches!(sign.c, '(' | '“');
        // Outside of a mark that is turned the wrong way a space is right.
        let outer = if opens {
            before(signs, i)
        } else {
            after(signs, i)
        };
        if opens && outer.is_some_and(|c| !is_space(c))
            || !opens && outer.is_some_and(char::is_alphanumeric)
        {
            return;
        }
        let at = sign.at.min(gap.at)..sign.end().max(gap.end());
        let what = format!("A space inside of “{}”.", sign.c);
        self.inside.push(slip(
            at,
            what,
            "Take it out.",
            Change::new(gap.at..gap.end(), ""),
        ));
    }
}

/// Whether a full stop between two letters ends a sentence: `end.Next`, and not `U.S.A` or `e.g`.
fn is_stop(signs: &[Sign], i: usize) -> bool {
    let small = |s: &&Sign| s.c.is_lowercase();
    let run = signs.get(..i).unwrap_or_default();
    let word = run.iter().rev().take_while(small).count();
    let rest = signs.get(i + 1..).unwrap_or_default();
    let next = rest.iter().skip(1).take_while(small).count();
    let capital = rest.first().is_some_and(|s| s.c.is_uppercase());
    let single = rest.get(1).is_none_or(|s| is_space(s.c));
    word >= 2 && capital && (next >= 1 || single)
}
