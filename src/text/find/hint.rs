//! What a text must have in its bytes to have some words: texts without it need not be looked at.

use std::cmp::Reverse;
use std::sync::LazyLock;

use crate::text::fold::{folded, is_steady};

/// What every text that has the words has in its bytes: other texts need not be looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hint {
    /// All of them, the rarest first as far as that can be told.
    clues: Vec<Clue>,
}

/// Something that is in the bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Clue {
    /// These ASCII letters and digits, small or capital.
    Ascii(Vec<u8>),
    /// These bytes exactly.
    Bytes(Vec<u8>),
    /// One of these letters, or a mark that makes another one of them.
    Letter(Vec<char>),
    /// A letter that is not ASCII.
    Foreign,
}

/// Clues that are looked for at most.
const CLUES_MAX: usize = 8;
/// Letters, and one by which the same can be written and that is common enough in some language to be looked for only
/// with these.
const TWINS: &[(&str, &str)] = &[("k", "\u{212a}"), ("s", "ſ"), ("ss", "ß"), ("n", "ŉ")];
/// Letters of two cases that are compared as others: as what, and how they are written.
static WRITTEN: LazyLock<Vec<(char, char)>> = LazyLock::new(|| {
    let mut all = Vec::new();
    let more = ('\u{1c80}'..='\u{2fff}').chain('\u{a640}'..='\u{abff}');
    for c in ('\u{aa}'..='\u{52f}').chain(more) {
        let seen = folded(c.encode_utf8(&mut [0; 4]));
        let others = seen.chars().filter(|seen| *seen != c && has_forms(*seen));
        all.extend(others.map(|seen| (seen, c)));
    }
    all
});

impl Hint {
    /// What is in every text that has all of these, each as it is compared.
    pub(super) fn of(parts: &[Vec<char>]) -> Self {
        let mut clues: Vec<Clue> = Vec::new();
        for clue in parts.iter().flat_map(|part| clues_of(part)) {
            if !clues.contains(&clue) {
                clues.push(clue);
            }
        }
        clues.sort_by_key(|clue| Reverse(clue.weight()));
        clues.truncate(CLUES_MAX);
        Self { clues }
    }

    /// Whether the bytes may be those of a text that has the words.
    pub fn may_be_in(&self, bytes: &[u8]) -> bool {
        self.clues.iter().all(|clue| clue.may_be_in(bytes))
    }
}

impl Clue {
    /// The more, the rarer.
    fn weight(&self) -> usize {
        match self {
            Self::Ascii(run) | Self::Bytes(run) => run.len(),
            Self::Letter(_) => 1,
            Self::Foreign => 0,
        }
    }

    fn may_be_in(&self, bytes: &[u8]) -> bool {
        match self {
            Self::Bytes(wanted) => {
                memchr::memmem::find(bytes, wanted).is_some() || has_other_forms(bytes)
            }
            Self::Ascii(wanted) => {
                has_ascii(bytes, wanted) || has_other_forms(bytes) || has_twin(bytes, wanted)
            }
            Self::Letter(forms) => {
                !bytes.is_ascii()
                    && (forms.iter().any(|c| has(bytes, c.encode_utf8(&mut [0; 4])))
                        || has_marks(bytes)
                        || has_other_forms(bytes))
            }
            Self::Foreign => !bytes.is_ascii(),
        }
    }
}

/// What a text must have to have a word or phrase: every run of its letters that is written in one way.
fn clues_of(part: &[char]) -> Vec<Clue> {
    // No ASCII text is compared as one that is not.
    let foreign = part.iter().any(|c| !c.is_ascii());
    let unsure = part.iter().any(|c| may_be_part(*c)) || part.windows(2).any(may_be_sharp);
    let mut clues = Vec::new();
    if !unsure {
        let ascii = runs(part, |c| c.is_ascii_alphanumeric());
        clues.extend(ascii.map(Clue::Ascii));
        clues.extend(runs(part, is_certain).map(Clue::Bytes));
        let letters = part.iter().filter(|c| has_forms(**c));
        clues.extend(letters.map(|c| Clue::Letter(forms(*c))));
    }
    if foreign && clues.iter().all(|clue| matches!(clue, Clue::Ascii(_))) {
        clues.push(Clue::Foreign);
    }
    clues
}

/// The runs of such letters, in their bytes.
fn runs(part: &[char], fits: fn(char) -> bool) -> impl Iterator<Item = Vec<u8>> {
    let runs = part.split(move |c| !fits(*c)).filter(|run| !run.is_empty());
    runs.map(|run| run.iter().collect::<String>().into_bytes())
}

/// A letter of the scripts with two cases, Latin, Greek, Cyrillic: their marks are all of one kind.
fn has_forms(c: char) -> bool {
    let mark = matches!(c, '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}');
    matches!(c, '\u{aa}'..='\u{52f}' | '\u{1e00}'..='\u{1fff}') && c.is_alphabetic() && !mark
}

/// How such a letter can be written in one piece.
fn forms(c: char) -> Vec<char> {
    let others = WRITTEN.iter().filter(|(seen, _)| *seen == c);
    std::iter::once(c).chain(others.map(|(_, c)| *c)).collect()
}

fn has(bytes: &[u8], wanted: &str) -> bool {
    memchr::memmem::find(bytes, wanted.as_bytes()).is_some()
}

/// Whether there is a mark of the kind that Latin, Greek and Cyrillic letters have, U+0300 to U+036F.
fn has_marks(bytes: &[u8]) -> bool {
    memchr::memchr2_iter(0xcc, 0xcd, bytes).any(|at| {
        let next = bytes.get(at + 1).copied().unwrap_or_default();
        bytes.get(at) == Some(&0xcc) || next < 0xb0
    })
}

/// Whether a mark, with the letter before it, is compared in two pieces where one letter may be written: the dot of a
/// Turkish İ, those of some Indian letters, what stands below Tibetan ones.
fn may_be_part(c: char) -> bool {
    matches!(
        c,
        '\u{307}' | '\u{93c}' | '\u{9bc}' | '\u{a3c}' | '\u{b3c}' | '\u{f71}'..='\u{fbc}'
    )
}

/// Whether two letters may be an ß with a mark on it, which nobody writes and a text may hold.
fn may_be_sharp(two: &[char]) -> bool {
    let marked = |c: &char| "śŝšşșṡṣṥṧṩ".contains(*c);
    two.first() == Some(&'s') && two.last().is_some_and(marked)
}

/// A letter without another case, which is the same in every text but for [`has_other_forms`].
fn is_certain(c: char) -> bool {
    let mut letter = [0; 4];
    let letter = &*c.encode_utf8(&mut letter);
    let syllable = ('가'..='힣').contains(&c);
    c > '\u{58f}'
        && c.is_alphanumeric()
        && c.to_uppercase().eq([c])
        && (syllable || is_steady(c) && folded(letter) == letter)
}

/// Whether there are letters that are compared as others: of full and half width, joined ones (*ﬁ*), those of Chinese
/// that are there twice, Hebrew ones with their points, parts of Korean ones; or what parts a word and is not seen.
fn has_other_forms(bytes: &[u8]) -> bool {
    if has(bytes, "\u{ad}") || has(bytes, "\u{200b}") {
        return true;
    }
    memchr::memchr3_iter(0xe1, 0xef, 0xf0, bytes).any(|at| {
        let next = |n: usize| bytes.get(at + n).copied().unwrap_or_default();
        matches!(
            [next(0), next(1), next(2)],
            [0xe1, 0x84..=0x87, _]
                | [0xe1, 0xba, 0x9a | 0x9e]
                | [0xef, 0xa4..=0xab, _]
                | [0xef, 0xac, 0x80..=0x86 | 0x9d..=0xbf]
                | [0xef, 0xad, 0x80..=0x8f]
                | [0xef, 0xbc, 0x90..=0x99 | 0xa1..=0xba]
                | [0xef, 0xbd, 0x81..=0x9a | 0xa1..=0xbf]
                | [0xef, 0xbe, 0x80..=0x9f]
                | [0xf0, 0xaf, 0xa0..=0xa8]
        )
    })
}

/// Whether there is a letter by which some of these can be written.
fn has_twin(bytes: &[u8], wanted: &[u8]) -> bool {
    TWINS
        .iter()
        .any(|(letters, twin)| has(wanted, letters) && has(bytes, twin))
}

/// Whether the letters stand there, small or capital: looked for by the one that is rarest in English.
fn has_ascii(bytes: &[u8], wanted: &[u8]) -> bool {
    const COMMON: &[u8] = b"etaoinshrdlucmfwypvbgkjqxz0123456789";
    let rank = |b: &u8| COMMON.iter().position(|c| c == b);
    let Some((at, rare)) = wanted.iter().enumerate().max_by_key(|(_, b)| rank(b)) else {
        return true;
    };
    let starts = memchr::memchr2_iter(*rare, rare.to_ascii_uppercase(), bytes);
    let mut places = starts.filter_map(|found| found.checked_sub(at));
    places.any(|from| {
        let there = bytes.get(from..from + wanted.len());
        there.is_some_and(|there| there.eq_ignore_ascii_case(wanted))
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;
    use crate::text::find::Query;

    #[test]
    fn no_letter_that_is_compared_as_another_is_missed_by_a_hint() {
        let mut missed: Vec<char> = Vec::new();
        for c in '\u{80}'..=char::MAX {
            let text = c.to_string();
            let seen: Vec<char> = folded(&text).chars().collect();
            let each = seen.iter().filter(|c| has_forms(**c)).map(|c| vec![*c]);
            for part in each.chain([seen.clone()]) {
                if !Hint::of(&[part]).may_be_in(text.as_bytes()) {
                    missed.push(c);
                }
            }
        }
        assert!(missed.is_empty(), "{missed:?}");
    }

    #[test]
    fn a_hint_is_in_every_text_that_has_the_words() {
        let ascii = |run: &str| Clue::Ascii(run.into());
        let bytes = |run: &str| Clue::Bytes(run.into());
        let letter = |forms: &str| Clue::Letter(forms.chars().collect());
        for (typed, clues) in [
            ("The Ferry", vec![ascii("ferry"), ascii("the")]),
            (
                "\"a stone\" xyz",
                vec![ascii("stone"), ascii("xyz"), ascii("a")],
            ),
            ("灯り a", vec![bytes("灯り"), ascii("a")]),
            ("über", vec![ascii("ber"), letter("üÜ")]),
            ("é", vec![letter("éÉ")]),
            ("жо", vec![letter("жЖ"), letter("оО\u{1c82}")]),
            ("フェリー", vec![bytes("フェリー")]),
            ("한국", vec![bytes("한국")]),
            ("\u{1e023}\u{11d42}𑵠", vec![bytes("𑵠")]),
            ("e\u{301}tude", vec![ascii("tude"), letter("éÉ")]),
            ("i\u{307} xyz", vec![ascii("xyz"), Clue::Foreign]),
        ] {
            assert_eq!(Query::of(typed).unwrap().hint().clues, clues, "{typed}");
        }
    }

    #[test]
    fn a_text_without_one_of_the_words_is_not_looked_at() {
        for (typed, text, may) in [
            ("ferry", "a FERRY", true),
            ("ferry", "a ferr", false),
            ("river xyz", "the river", false),
            ("\"river xyz\"", "the river", false),
            ("é", "plain", false),
            ("é", "“plain”, à la carte — 灯", false),
            ("é", "CAFÉ", true),
            ("é", "cafe\u{301}", true),
            ("ё", "Ёж", true),
            ("å", "5 \u{212b}", true),
            ("οδος", "ΟΔΟΣ", true),
            ("straße", "STRASSE", true),
            ("i\u{307}", "plain", false),
        ] {
            let hint = Query::of(typed).unwrap().hint();
            assert_eq!(hint.may_be_in(text.as_bytes()), may, "{typed} in {text}");
        }
    }
}
