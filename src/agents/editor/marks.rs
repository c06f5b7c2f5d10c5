//! Marks that come in pairs: quotation marks and brackets of many scripts, matched within a block.

use crate::text::doc::{Sign, is_space};

/// A kind of pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Kind {
    /// What opens it.
    pub(super) open: char,
    /// What closes it.
    pub(super) close: char,
    /// In words.
    pub(super) name: &'static str,
    /// Whether it holds words that somebody says.
    pub(super) quotes: bool,
}

const fn quote(open: char, close: char, name: &'static str) -> Kind {
    Kind {
        open,
        close,
        name,
        quotes: true,
    }
}

const fn bracket(open: char, close: char) -> Kind {
    Kind {
        open,
        close,
        name: "",
        quotes: false,
    }
}

/// The straight quotation mark, the same at both ends.
pub(super) const STRAIGHT: usize = 0;
/// Curly ones.
pub(super) const CURLY: usize = 1;
/// As in German and Polish.
const LOW: usize = 2;
/// As in Swedish and Finnish.
const RIGHT: usize = 3;
const GUILLEMETS: usize = 4;
const REVERSED: usize = 5;
/// Round brackets, narrow and wide.
pub(super) const ROUND: [usize; 2] = [8, 9];

/// All kinds.
pub(super) const KINDS: [Kind; 15] = [
    quote('"', '"', "straight (\"…\")"),
    quote('“', '”', "curly (“…”)"),
    quote('„', '“', "low and high („…“)"),
    quote('”', '”', "high at both ends (”…”)"),
    quote('«', '»', "angled («…»)"),
    quote('»', '«', "angled inward (»…«)"),
    quote('「', '」', "corners (「…」)"),
    quote('『', '』', "double corners (『…』)"),
    bracket('(', ')'),
    bracket('（', '）'),
    bracket('[', ']'),
    bracket('【', '】'),
    bracket('《', '》'),
    bracket('〈', '〉'),
    bracket('{', '}'),
];

/// Two marks that belong together; places are numbers of signs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pair {
    /// Number of its kind.
    pub(super) kind: usize,
    /// What opens it.
    pub(super) open: usize,
    /// What closes it.
    pub(super) close: usize,
    /// Whether it stands in another quotation.
    pub(super) inner: bool,
}

/// A mark without its other half.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Loose {
    /// Number of its kind.
    pub(super) kind: usize,
    /// Which sign.
    pub(super) at: usize,
    /// Whether it opens.
    pub(super) opens: bool,
}

/// The marks of a block.
#[derive(Clone, Default, Debug)]
pub(super) struct Marks {
    /// Those that belong together, in order of what closes them.
    pub(super) pairs: Vec<Pair>,
    /// The others, in order.
    pub(super) loose: Vec<Loose>,
}

/// Matches the marks of a block.
pub(super) fn marks(signs: &[Sign]) -> Marks {
    let mut found = Marks::default();
    let mut open: Vec<(usize, usize)> = Vec::new();
    for (i, sign) in signs.iter().enumerate() {
        match role(signs, i, sign.c, &open) {
            Some((kind, true)) => open.push((kind, i)),
            Some((kind, false)) => close(kind, i, &mut open, &mut found),
            None => {}
        }
    }
    let left = open.into_iter().map(|(kind, at)| Loose {
        kind,
        at,
        opens: true,
    });
    found.loose.extend(left);
    found.loose.sort_by_key(|l| l.at);
    found
}

fn close(kind: usize, at: usize, open: &mut Vec<(usize, usize)>, found: &mut Marks) {
    let fits = |k: usize| k == kind || ROUND.contains(&k) && ROUND.contains(&kind);
    let Some(place) = open.iter().rposition(|(k, _)| fits(*k)) else {
        return found.loose.push(Loose {
            kind,
            at,
            opens: false,
        });
    };
    for (kind, at) in open.drain(place + 1..) {
        found.loose.push(Loose {
            kind,
            at,
            opens: true,
        });
    }
    if let Some((kind, from)) = open.pop() {
        let inner = open.iter().any(|(k, _)| is_quote(*k));
        found.pairs.push(Pair {
            kind,
            open: from,
            close: at,
            inner,
        });
    }
}

/// Whether a kind holds words that somebody says.
pub(super) fn is_quote(kind: usize) -> bool {
    KINDS.get(kind).is_some_and(|k| k.quotes)
}

/// Which kind a sign belongs to, and whether it opens; none for what is no mark.
fn role(signs: &[Sign], i: usize, c: char, open: &[(usize, usize)]) -> Option<(usize, bool)> {
    let stands_open = |kind: usize| open.iter().any(|(k, _)| *k == kind);
    let innermost = open.iter().rev().map(|(k, _)| *k).find(|k| is_quote(*k));
    match c {
        '"' => straight(signs, i, stands_open(STRAIGHT)).map(|opens| (STRAIGHT, opens)),
        '“' | '”' if innermost == Some(LOW) => Some((LOW, false)),
        '”' if innermost == Some(RIGHT) => Some((RIGHT, false)),
        '”' if !stands_open(CURLY) && leans(signs, i) == Some(true) => Some((RIGHT, true)),
        '«' if innermost == Some(REVERSED) => Some((REVERSED, false)),
        '»' if !stands_open(GUILLEMETS) && leans(signs, i) == Some(true) => Some((REVERSED, true)),
        ')' | '）' if is_list_number(signs, i) => None,
        '(' if after(signs, i) == Some(')') => None,
        _ => {
            let kinds = || {
                KINDS
                    .iter()
                    .enumerate()
                    .filter(|(k, _)| *k != RIGHT && *k != REVERSED)
            };
            let opens = kinds().find(|(_, k)| k.open == c).map(|(k, _)| (k, true));
            opens.or_else(|| kinds().find(|(_, k)| k.close == c).map(|(k, _)| (k, false)))
        }
    }
}

fn straight(signs: &[Sign], i: usize, stands_open: bool) -> Option<bool> {
    let inches = !stands_open && before(signs, i).is_some_and(char::is_numeric);
    if inches {
        return None;
    }
    Some(leans(signs, i).unwrap_or(!stands_open))
}

/// Which way a mark leans by its neighbours: `true` opens, `false` closes; none when they do not tell.
pub(super) fn leans(signs: &[Sign], i: usize) -> Option<bool> {
    let edge = |c: Option<char>| c.is_none_or(|c| is_space(c) || "([{（【".contains(c));
    let tail = |c: Option<char>| {
        c.is_none_or(|c| is_space(c) || ",.;:!?)]}'’，。；：！？）】".contains(c))
    };
    match (edge(before(signs, i)), tail(after(signs, i))) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
}

/// `1)` and `a)` at the start of a line, and faces made of signs.
fn is_list_number(signs: &[Sign], i: usize) -> bool {
    let line = signs.get(..i).unwrap_or_default();
    let word = line
        .iter()
        .rev()
        .take_while(|s| s.c.is_alphanumeric())
        .count();
    let edge = line.len().checked_sub(word + 1).and_then(|at| line.get(at));
    let number = (1..=3).contains(&word) && edge.is_none_or(|s| s.c == '\n');
    number || matches!(before(signs, i), Some(':' | ';' | '-'))
}

/// Whether a sign is a dash that speech may begin with.
pub(super) fn is_dash(c: char) -> bool {
    matches!(c, '—' | '–' | '―')
}

/// The sign before one.
pub(super) fn before(signs: &[Sign], i: usize) -> Option<char> {
    i.checked_sub(1).and_then(|i| signs.get(i)).map(|s| s.c)
}

/// The sign behind one.
pub(super) fn after(signs: &[Sign], i: usize) -> Option<char> {
    signs.get(i + 1).map(|s| s.c)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::doc::Doc;

    /// What is paired and what is loose, as text.
    fn check(text: &str, pairs: &[&str], loose: &str) {
        let doc = Doc::of(text);
        let signs: Vec<Sign> = doc.prose.blocks.iter().flat_map(|b| doc.signs(b)).collect();
        let found = marks(&signs);
        let piece = |p: &Pair| -> String {
            signs
                .iter()
                .skip(p.open)
                .take(p.close + 1 - p.open)
                .map(|s| s.c)
                .collect()
        };
        let got: Vec<String> = found.pairs.iter().map(piece).collect();
        let left: String = found
            .loose
            .iter()
            .filter_map(|l| signs.get(l.at))
            .map(|s| s.c)
            .collect();
        assert_eq!(
            (got, left.as_str()),
            (pairs.iter().map(|p| (*p).to_owned()).collect(), loose),
            "{text}"
        );
    }

    #[test]
    fn marks_of_many_scripts_are_paired() {
        check("He said \"no\" (twice).", &["\"no\"", "(twice)"], "");
        check("Он: «Да „нет“ да».", &["„нет“", "«Да „нет“ да»"], "");
        check("Er sagte: „Nein“, dann »ja«.", &["„Nein“", "»ja«"], "");
        check(
            "他说：「《书》」（好）",
            &["《书》", "「《书》」", "（好）"],
            "",
        );
        check("Hon sa ”nej” och gick.", &["”nej”"], "");
    }

    #[test]
    fn what_has_no_other_half_is_loose() {
        check("One (two. “Three", &[], "(“");
        check("一」二《三", &[], "」《");
        check("a \"b\" c \"d", &["\"b\""], "\"");
        check("(a [b)", &["(a [b)"], "[");
    }

    #[test]
    fn numbers_of_items_faces_and_inches_are_no_marks() {
        check("a) first :) 6\" tall", &[], "");
    }
}
