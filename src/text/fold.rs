//! What is one and the same to whoever looks for words: case, letters with their marks in one piece or in several, width,
//! curly and straight quotation marks, the kinds of spaces, hyphens that do not break. The only place that says so: texts, titles and names are
//! looked for by it.

use icu_normalizer::properties::{
    CanonicalCombiningClassMapBorrowed, CanonicalCompositionBorrowed,
    CanonicalDecompositionBorrowed, Decomposed,
};

const CLASSES: CanonicalCombiningClassMapBorrowed<'static> =
    CanonicalCombiningClassMapBorrowed::new();
const WHOLES: CanonicalCompositionBorrowed<'static> = CanonicalCompositionBorrowed::new();
const PARTS: CanonicalDecompositionBorrowed<'static> = CanonicalDecompositionBorrowed::new();

/// Half-width marks and kana, from U+FF61 on, as they are in full width; a sound mark as the one that joins its letter.
const HALF: &str = "。「」、・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン\u{3099}\u{309a}";
/// The first of them.
const HALF_FROM: char = '\u{ff61}';
/// From a full-width letter to its ASCII one.
const WIDE: u32 = 0xfee0;

/// A text as it is compared: two that are the same to a reader are the same in it.
pub fn folded(text: &str) -> String {
    seen(text).map(|seen| seen.c).collect()
}

/// A text whose letters have no marks: *ç* is *c*.
pub fn unmarked(text: &str) -> String {
    let mut parts = Vec::new();
    for c in text.chars() {
        part(c, &mut parts);
    }
    let letters = parts.into_iter().filter(|c| CLASSES.get_u8(*c) == 0);
    letters.collect()
}

/// A text as it is compared, each character with the bytes it stands for.
pub(super) fn seen(text: &str) -> Folding<'_> {
    Folding {
        text,
        at: 0,
        ready: Vec::new(),
    }
}

/// A character as it is compared. Those that stand for the same bytes belong together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Seen {
    pub(super) c: char,
    /// Where in the text what it stands for begins, and where it ends.
    pub(super) at: usize,
    pub(super) end: usize,
}

/// Reads a text as it is compared.
#[derive(Clone, Debug)]
pub(super) struct Folding<'a> {
    text: &'a str,
    at: usize,
    /// What is read already, the next one last.
    ready: Vec<Seen>,
}

impl Iterator for Folding<'_> {
    type Item = Seen;

    fn next(&mut self) -> Option<Seen> {
        if let Some(seen) = self.ready.pop() {
            return Some(seen);
        }
        let at = self.at;
        let mut rest = self.text.get(at..)?.chars();
        let c = rest.next()?;
        self.at += c.len_utf8();
        let joined = rest.clone().next().is_some_and(|next| joins(c, next));
        if !joined && let Some(c) = alone(c) {
            let end = self.at;
            return Some(Seen { c, at, end });
        }
        let mut before = c;
        for next in rest {
            if !joins(before, next) {
                break;
            }
            self.at += next.len_utf8();
            before = next;
        }
        self.lay(at);
        self.ready.pop()
    }
}

impl Folding<'_> {
    /// Lays out a letter and what joins it: each by itself where that is the same, else all as one.
    fn lay(&mut self, from: usize) {
        let text = self.text.get(from..self.at).unwrap_or_default();
        let whole = composed(text.chars());
        let mut apart = Vec::new();
        for (at, c) in text.char_indices() {
            let (at, end) = (from + at, from + at + c.len_utf8());
            let one = composed(std::iter::once(c));
            apart.extend(one.into_iter().map(|c| Seen { c, at, end }));
        }
        if !apart.iter().map(|seen| seen.c).eq(whole.iter().copied()) {
            let (at, end) = (from, self.at);
            apart = whole.iter().map(|c| Seen { c: *c, at, end }).collect();
        }
        apart.reverse();
        self.ready = apart;
    }
}

/// Whether a character can be one letter with that before it.
fn joins(before: char, c: char) -> bool {
    if never_joins(c) || before.is_whitespace() {
        return false;
    }
    let (before, c) = (of_any_width(before), of_any_width(c));
    let jamo = ('\u{1160}'..='\u{11ff}').contains(&c);
    jamo || CLASSES.get_u8(c) != 0 || WHOLES.compose(before, c).is_some()
}

/// Most of what is written, told without a look into the tables.
fn never_joins(c: char) -> bool {
    matches!(c,
        '\0'..='\u{2ff}' | '\u{370}'..='\u{482}' | '\u{2000}'..='\u{20cf}' | '\u{3041}'..='\u{3096}'
        | '\u{309b}'..='\u{9fff}' | '가'..='힣')
}

/// One character where it is compared as one, found in the shortest way.
fn alone(c: char) -> Option<char> {
    match c {
        '\0'..='\x7f' => return Some(c.to_ascii_lowercase()),
        'а'..='џ' | 'ぁ'..='ん' | '\u{3400}'..='\u{9fff}' | '가'..='힣' => return Some(c),
        _ => {}
    }
    let wide = of_any_width(c);
    if !is_in_one_piece(wide) {
        return None;
    }
    let mut small = small(wide);
    small.next().filter(|_| small.next().is_none())
}

/// A letter with its marks as it is compared: small, and in one piece where there is one.
fn composed(letter: impl Iterator<Item = char>) -> Vec<char> {
    let mut parts = Vec::new();
    for c in letter {
        part(of_any_width(c), &mut parts);
    }
    let class = |c: &char| CLASSES.get_u8(*c);
    for marks in parts.chunk_by_mut(|a, b| class(a) != 0 && class(b) != 0) {
        marks.sort_by_key(class);
    }
    let mut out: Vec<char> = Vec::new();
    let (mut base, mut last) = (None, 0);
    for c in parts.into_iter().flat_map(small) {
        let class = class(&c);
        // Another mark of its kind stands between a mark and its letter.
        let free = |at: &usize| *at + 1 == out.len() || last < class;
        let letter = base.filter(free).and_then(|at| out.get_mut(at));
        if let Some(letter) = letter
            && let Some(whole) = WHOLES.compose(*letter, c)
        {
            *letter = whole;
            continue;
        }
        if class == 0 {
            base = Some(out.len());
        }
        last = class;
        out.push(c);
    }
    out
}

/// Whether a letter is written in one way alone: it has no parts, and is no mark that can stand before another or behind it.
pub(super) fn is_steady(c: char) -> bool {
    is_in_one_piece(c) && CLASSES.get_u8(c) == 0
}

/// Whether a letter is not made of a letter and a mark.
fn is_in_one_piece(c: char) -> bool {
    matches!(PARTS.decompose(c), Decomposed::Default)
}

/// What a character is made of.
fn part(c: char, parts: &mut Vec<char>) {
    match PARTS.decompose(c) {
        Decomposed::Default => parts.push(c),
        Decomposed::Singleton(c) => part(c, parts),
        Decomposed::Expansion(c, mark) => {
            part(c, parts);
            parts.push(mark);
        }
    }
}

/// Small letters of a character; *ß* is *ss*, the sigma at the end of a word is like any other. Marks and spaces are the
/// plain ones.
fn small(c: char) -> impl Iterator<Item = char> {
    // An i without a dot is another letter.
    let (kept, cased) = match c {
        'ı' => (Some(c), None),
        c => (None, Some(c)),
    };
    let small = cased.into_iter().flat_map(char::to_lowercase);
    let small = small.flat_map(char::to_uppercase);
    let small = small.flat_map(char::to_lowercase).map(plain);
    kept.into_iter().chain(small)
}

/// Marks and spaces of any shape as the plain ones.
pub(super) fn plain(c: char) -> char {
    match c {
        '‘' | '’' | '‚' | '‛' | 'ʼ' => '\'',
        '“' | '”' | '„' | '‟' => '"',
        '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => {
            ' '
        }
        '\u{2010}' | '\u{2011}' => '-',
        c => c,
    }
}

fn of_any_width(c: char) -> char {
    match c {
        '！'..='～' => char::from_u32(u32::from(c) - WIDE).unwrap_or(c),
        HALF_FROM..='ﾟ' => {
            let at = u32::from(c) - u32::from(HALF_FROM);
            HALF.chars().nth(at as usize).unwrap_or(c)
        }
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn same(pairs: &[(&str, &str)]) {
        for (a, b) in pairs {
            assert_eq!(folded(a), folded(b), "{a} {b}");
        }
    }

    #[test]
    fn letters_of_two_widths_are_one() {
        same(&[
            ("Ｆｅｒｒｙ　２０２４！", "ferry 2024!"),
            ("ﾌｪﾘｰ", "フェリー"),
            ("ｶﾞﾗｽ ﾎﾟｽﾄ ｳﾞｧﾝ ｦﾞ", "ガラス ポスト ヴァン ヺ"),
            ("｢ﾊﾟﾝ｣､ﾀﾞ｡", "「パン」、ダ。"),
        ]);
        assert_ne!(folded("カ"), folded("ガ"));
        assert_ne!(folded("バ"), folded("パ"));
    }

    #[test]
    fn curly_marks_are_straight_ones_and_case_is_none() {
        assert_eq!(folded("“Don’t”, ‘ΟΔΟΣ’"), "\"don't\", 'οδοσ'");
        same(&[
            ("straße", "STRASSE"),
            ("Straẞe", "strasse"),
            ("ﬁre", "FIRE"),
            ("ŉ", "ʼN"),
            ("ΐ", "Ϊ\u{301}"),
            ("ᾳ", "ΑΙ"),
            ("և", "ԵՒ"),
            ("\u{212a}m", "km"),
        ]);
        assert_ne!(folded("ı"), folded("i"));
    }

    #[test]
    fn a_letter_in_one_piece_is_the_same_as_in_several() {
        same(&[
            ("Café", "cafe\u{301}"),
            ("Việt", "vie\u{323}\u{302}t"),
            ("Việt", "vie\u{302}\u{323}t"),
            ("й", "и\u{306}"),
            ("한국", "\u{1112}\u{1161}\u{11ab}\u{1100}\u{116e}\u{11a8}"),
            ("ガ", "カ\u{3099}"),
            ("ো", "\u{9c7}\u{9be}"),
            ("क़", "क\u{93c}"),
            ("آ", "ا\u{653}"),
            ("豈", "\u{f900}"),
        ]);
        assert_ne!(folded("e"), folded("é"));
        assert_ne!(folded("가"), folded("각"));
    }

    #[test]
    fn spaces_are_spaces_and_line_ends_line_ends() {
        assert_eq!(folded("a\u{a0}b\u{202f}c\u{3000}d\u{2009}e"), "a b c d e");
        assert_eq!(folded("a\n\tb"), "a\n\tb");
    }

    #[test]
    fn what_is_told_without_the_tables_is_what_they_tell() {
        let every = || '\0'..=char::MAX;
        let mut seconds: Vec<char> = Vec::new();
        for c in every() {
            if let Decomposed::Expansion(_, second) = PARTS.decompose(c) {
                seconds.push(second);
            }
        }
        for c in seconds {
            assert!(!never_joins(c), "{c:?}");
        }
        for c in every() {
            assert!(!never_joins(c) || CLASSES.get_u8(c) == 0, "{c:?}");
            let told = alone(c).map(|c| vec![c]);
            assert!(
                told.is_none_or(|told| told == composed(std::iter::once(c))),
                "{c:?}"
            );
        }
    }

    proptest! {
        #[test]
        fn every_byte_is_seen_once_in_order_and_folding_twice_is_folding_once(text in any::<String>()) {
            let mut end = 0;
            let mut last = (0, 0);
            for seen in seen(&text) {
                prop_assert!(seen.at == end || (seen.at, seen.end) == last);
                prop_assert!(text.get(seen.at..seen.end).is_some_and(|of| !of.is_empty()));
                (end, last) = (seen.end, (seen.at, seen.end));
            }
            prop_assert_eq!(end, text.len());
            let once = folded(&text);
            prop_assert_eq!(folded(&once), once);
        }
    }
}
