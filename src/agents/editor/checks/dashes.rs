//! Dashes and dots of two kinds.

use super::super::finding::{Change, Finding};
use super::style::{Use, Ways};
use crate::text::doc::{Doc, Sign, is_space, is_wordy};
use crate::text::is_cjk;

const KIND: &str = "dashes";
/// Signs that dashes are made of.
const DASHES: &str = "-–—―─－";
/// Forms of a dash between words without spaces as a script of its own.
const FORMS: [&str; 5] = ["—", "–", "--", "---", "-"];
/// Forms of a dash in Chinese and Japanese.
const WIDE: [&str; 6] = ["——", "—", "--", "－－", "──", "―"];
/// Forms of three dots; the wide ones stand among wide letters.
const DOTS: [&str; 2] = ["…", "..."];
const WIDE_DOTS: [&str; 4] = ["……", "…", "...", "。。。"];
/// How a dash stands between its neighbours.
const SETS: [&str; 3] = ["without spaces", "with spaces", "with one space"];

/// A run of one sign.
struct Run<'a> {
    text: String,
    signs: &'a [Sign],
    from: usize,
    to: usize,
}

impl Run<'_> {
    fn sign(&self, back: bool) -> Option<Sign> {
        let at = if back {
            self.from.checked_sub(1)?
        } else {
            self.to
        };
        self.signs.get(at).copied()
    }

    /// The nearest sign that is no space, before or behind; none across a line's end.
    fn neighbour(&self, back: bool) -> Option<char> {
        let seen = |s: &&Sign| !is_space(s.c) || s.c == '\n';
        let found = if back {
            self.signs.get(..self.from)?.iter().rev().find(seen)
        } else {
            self.signs.get(self.to..)?.iter().find(seen)
        };
        found.map(|s| s.c).filter(|c| *c != '\n')
    }

    fn spaced(&self, back: bool) -> bool {
        self.sign(back).is_some_and(|s| is_space(s.c))
    }

    /// From the end of the word before to the start of the word behind.
    fn gap(&self) -> Option<std::ops::Range<usize>> {
        let before = self
            .signs
            .get(..self.from)?
            .iter()
            .rev()
            .find(|s| !is_space(s.c))?;
        let behind = self.signs.get(self.to..)?.iter().find(|s| !is_space(s.c))?;
        Some(before.end()..behind.at)
    }

    fn is_wide(&self) -> bool {
        let wide = |c: Option<char>| {
            c.is_some_and(|c| is_cjk(c) || "，。！？：；、“”「」『』《》".contains(c))
        };
        let (a, b) = (self.neighbour(true), self.neighbour(false));
        a.is_some_and(is_cjk) || b.is_some_and(is_cjk) || wide(a) && wide(b)
    }

    fn place(&self) -> std::ops::Range<usize> {
        let from = self.signs.get(self.from).map_or(0, |s| s.at);
        from..self.signs.get(self.to - 1).map_or(from, |s| s.end())
    }
}

/// The runs of signs out of a set.
fn runs<'a>(signs: &'a [Sign], of: &'a str) -> impl Iterator<Item = Run<'a>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let from = at + signs.get(at..)?.iter().position(|s| of.contains(s.c))?;
        let len = signs
            .get(from..)?
            .iter()
            .take_while(|s| of.contains(s.c))
            .count();
        at = from + len;
        let text = signs.get(from..at)?.iter().map(|s| s.c).collect();
        Some(Run {
            text,
            signs,
            from,
            to: at,
        })
    })
}

#[derive(Default)]
struct Uses {
    dashes: Vec<Use>,
    wide: Vec<Use>,
    dots: Vec<Use>,
    wide_dots: Vec<Use>,
}

pub(super) fn find(doc: &Doc<'_>) -> Vec<Finding> {
    let mut uses = Uses::default();
    for block in &doc.prose.blocks {
        let signs = doc.signs(block);
        for run in runs(&signs, DASHES) {
            dash(&run, &mut uses);
        }
        for run in runs(&signs, "….。") {
            dots(&run, &mut uses);
        }
    }
    let mut found = spaced(&uses.dashes);
    found.extend(forms(&uses.wide, &WIDE));
    found.extend(forms(&uses.dots, &DOTS));
    found.extend(forms(&uses.wide_dots, &WIDE_DOTS));
    found
}

fn dash(run: &Run<'_>, uses: &mut Uses) {
    let (Some(a), Some(b)) = (run.neighbour(true), run.neighbour(false)) else {
        return;
    };
    if run.is_wide() {
        // Le—le—letters that somebody stammers or sings.
        let near = |at: Option<usize>| {
            at.and_then(|at| run.signs.get(at))
                .is_some_and(|s| DASHES.contains(s.c))
        };
        if near(run.from.checked_sub(2)) || near(Some(run.to + 1)) {
            return;
        }
        let way = WIDE.iter().position(|f| *f == run.text);
        uses.wide.extend(way.map(|way| Use {
            way,
            at: run.place(),
        }));
        return;
    }
    let (left, right) = (run.spaced(true), run.spaced(false));
    let Some(form) = FORMS.iter().position(|f| *f == run.text) else {
        return;
    };
    let short = matches!(run.text.as_str(), "-" | "–");
    let compound = short && !(left && right);
    let range = a.is_numeric() && b.is_numeric();
    // A cut word, an aside before a mark: they follow rules of their own.
    let cut = !is_wordy(b) && !"“\"«„('‘".contains(b) || !(is_wordy(a) || left && right);
    if compound || range || cut {
        return;
    }
    let set = match (left, right) {
        (false, false) => 0,
        (true, true) => 1,
        _ => 2,
    };
    if let Some(at) = run.gap() {
        uses.dashes.push(Use {
            way: form * SETS.len() + set,
            at,
        });
    }
}

fn dots(run: &Run<'_>, uses: &mut Uses) {
    let wide = run.is_wide() || run.text.contains('。');
    let (forms, into) = if wide {
        (&WIDE_DOTS[..], &mut uses.wide_dots)
    } else {
        (&DOTS[..], &mut uses.dots)
    };
    let way = forms.iter().position(|f| *f == run.text);
    into.extend(way.map(|way| Use {
        way,
        at: run.place(),
    }));
}

fn spaced(uses: &[Use]) -> Vec<Finding> {
    let form = |way: usize| FORMS.get(way / SETS.len()).copied().unwrap_or_default();
    let set = |way: usize| SETS.get(way % SETS.len()).copied().unwrap_or_default();
    let turn = |place: &Use, to: usize| {
        let with = match to % SETS.len() {
            0 => form(to).to_owned(),
            1 => format!(" {} ", form(to)),
            _ => return Vec::new(),
        };
        vec![Change::new(place.at.clone(), with)]
    };
    let name = |way: usize| format!("“{}” {}", form(way), set(way));
    Ways {
        kind: KIND,
        name: &name,
        turn: &turn,
    }
    .strays(uses)
}

fn forms(uses: &[Use], forms: &[&'static str]) -> Vec<Finding> {
    let form = |way: usize| forms.get(way).copied().unwrap_or_default();
    let turn = |place: &Use, to: usize| vec![Change::new(place.at.clone(), form(to))];
    let name = |way: usize| format!("“{}”", form(way));
    Ways {
        kind: KIND,
        name: &name,
        turn: &turn,
    }
    .strays(uses)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::editor::checks::tests::mends;

    fn check(text: &str, n: usize, mended: &str) {
        mends(find, text, n, mended);
    }

    #[test]
    fn a_dash_unlike_the_others_is_found_and_mended() {
        check(
            "One—two. Three—four. Five—six. Seven -- eight.",
            1,
            "One—two. Three—four. Five—six. Seven—eight.",
        );
        check(
            "Раз — два. Три — четыре. Пять — шесть. Семь - восемь.",
            1,
            "Раз — два. Три — четыре. Пять — шесть. Семь — восемь.",
        );
        check(
            "一——二。三——四。五——六。七—八。",
            1,
            "一——二。三——四。五——六。七——八。",
        );
    }

    #[test]
    fn dots_unlike_the_others_are_found_and_mended() {
        check("One… Two… Three… Four...", 1, "One… Two… Three… Four…");
        check("一……二……三……四...", 1, "一……二……三……四……");
    }

    #[test]
    fn compounds_ranges_and_cut_words_are_no_slips() {
        let right = "A well-known man—tall—of 1914–1918 said “But—” and left—quickly.";
        check(right, 0, right);
        let right = "— Да, — сказал он. — Нет.";
        check(right, 0, right);
    }
}
