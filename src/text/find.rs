//! Finding words in a text, whatever the case of their letters and the shape of their quotation marks.

use std::ops::Range;

use super::blocks::blocks;
use super::fold::{Folding, Seen, folded, is_steady, plain, seen};

/// What is looked for: words that must all be there, each by itself or as a phrase in quotation marks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Query {
    /// Each as it is compared, white space in it as one space.
    parts: Vec<Vec<char>>,
}

/// What every text that has the words has in its bytes: other texts need not be looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Hint {
    /// These ASCII letters and digits, small or capital.
    Ascii(Vec<u8>),
    /// These bytes exactly.
    Bytes(Vec<u8>),
    /// Nothing that can be told.
    None,
}

/// Letters, and one by which the same can be written and that is common enough in some language to be looked for only
/// with these.
const TWINS: &[(&str, &str)] = &[("k", "\u{212a}"), ("s", "ſ"), ("ss", "ß"), ("n", "ŉ")];

impl Query {
    /// Reads what was typed; none when there is no word in it.
    pub fn of(typed: &str) -> Option<Self> {
        let mut parts: Vec<Vec<char>> = Vec::new();
        // What stands between quotation marks is every second one.
        for (n, text) in typed.split(is_quote).enumerate() {
            if n % 2 == 1 {
                parts.push(part(text));
            } else {
                parts.extend(text.split_whitespace().map(part));
            }
        }
        parts.retain(|part| !part.is_empty());
        (!parts.is_empty()).then_some(Self { parts })
    }

    /// Where the first of the words stands, when all of them are in the text.
    pub fn find(&self, text: &str) -> Option<Range<usize>> {
        let mut places = self.parts.iter().map(|part| place(text, part));
        let first = places.next()??;
        places.all(|place| place.is_some()).then_some(first)
    }

    /// All places in which one of the words stands, in order, none over another; at most so many of each word.
    pub fn places(&self, text: &str, most: usize) -> Vec<Range<usize>> {
        let parts = self.parts.iter();
        let mut all: Vec<_> = parts
            .flat_map(|part| places(text, part, Manner::Words).take(most))
            .collect();
        all.sort_by_key(|place| (place.start, std::cmp::Reverse(place.end)));
        let mut free = 0;
        all.retain(|place| {
            let clear = place.start >= free;
            free = free.max(place.end);
            clear
        });
        all
    }

    /// The paragraphs that have all the words: where each lies, and where in the text the first of the words stands.
    pub fn paragraphs(&self, text: &str) -> Vec<(Range<usize>, Range<usize>)> {
        let (_, all) = blocks(text);
        let found = all.iter().filter_map(|block| {
            let place = self.find(block.text)?;
            let place = block.at + place.start..block.at + place.end;
            Some((block.at..block.end(), place))
        });
        found.collect()
    }

    /// What every text that has the words has in its bytes: the longest such run of all the words.
    pub fn hint(&self) -> Hint {
        let unsure = |part: &Vec<char>| {
            part.iter().any(|c| may_be_part(*c)) || part.windows(2).any(may_be_sharp)
        };
        if self.parts.iter().any(unsure) {
            return Hint::None;
        }
        let ascii = runs(&self.parts, |c| c.is_ascii_alphanumeric());
        let bytes = runs(&self.parts, is_certain);
        match (ascii, bytes) {
            (ascii, bytes) if bytes.len() >= ascii.len() && !bytes.is_empty() => {
                Hint::Bytes(bytes.into_bytes())
            }
            (ascii, _) if !ascii.is_empty() => Hint::Ascii(ascii.into_bytes()),
            _ => Hint::None,
        }
    }
}

impl Hint {
    /// Whether the bytes may be those of a text that has the words.
    pub fn may_be_in(&self, bytes: &[u8]) -> bool {
        match self {
            Self::None => true,
            Self::Bytes(wanted) => {
                memchr::memmem::find(bytes, wanted).is_some() || has_other_forms(bytes)
            }
            Self::Ascii(wanted) => {
                has_ascii(bytes, wanted) || has_other_forms(bytes) || has_twin(bytes, wanted)
            }
        }
    }
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
/// that are there twice, Hebrew ones with their points, parts of Korean ones.
fn has_other_forms(bytes: &[u8]) -> bool {
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
    let has = |all: &[u8], of: &str| memchr::memmem::find(all, of.as_bytes()).is_some();
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

/// The longest run of such letters.
fn runs(parts: &[Vec<char>], fits: impl Fn(char) -> bool) -> String {
    let mut best = String::new();
    for part in parts {
        for run in part.split(|c| !fits(*c)) {
            let run: String = run.iter().collect();
            if run.len() > best.len() {
                best = run;
            }
        }
    }
    best
}

/// Whether a mark is one of those that a phrase stands between.
fn is_quote(c: char) -> bool {
    plain(c) == '"'
}

/// A word or phrase as it is compared, without white space at its ends.
fn part(text: &str) -> Vec<char> {
    let all = Look::at(text.trim(), Manner::Words);
    all.map(|seen| seen.c).collect()
}

/// Where a part stands first.
fn place(text: &str, part: &[char]) -> Option<Range<usize>> {
    places(text, part, Manner::Words).next()
}

/// Where a text stands in another, as they are [compared](folded): at most so many places, none over another.
pub fn find(text: &str, wanted: &str, most: usize) -> Vec<Range<usize>> {
    let wanted: Vec<char> = folded(wanted).chars().collect();
    places(text, &wanted, Manner::Draft).take(most).collect()
}

/// How it is looked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Manner {
    /// In a draft: as many spaces as are typed.
    Draft,
    /// For words in many texts: a space is any white space, however much.
    Words,
}

/// A text as it is looked at.
#[derive(Clone, Debug)]
struct Look<'a> {
    all: Folding<'a>,
    how: Manner,
    /// What stands behind white space.
    next: Option<Seen>,
}

impl<'a> Look<'a> {
    fn at(text: &'a str, how: Manner) -> Self {
        Self {
            all: seen(text),
            how,
            next: None,
        }
    }
}

impl Iterator for Look<'_> {
    type Item = Seen;

    fn next(&mut self) -> Option<Seen> {
        let mut seen = self.next.take().or_else(|| self.all.next())?;
        if self.how == Manner::Words && seen.c.is_whitespace() {
            seen.c = ' ';
            self.next = self.all.find(|next| {
                let more = next.c.is_whitespace();
                seen.end = if more { next.end } else { seen.end };
                !more
            });
        }
        Some(seen)
    }
}

/// Where letters stand, none of the places over another.
fn places(text: &str, wanted: &[char], how: Manner) -> impl Iterator<Item = Range<usize>> {
    let mut all = Look::at(text, how);
    let mut free = 0;
    std::iter::from_fn(move || {
        let (first, rest) = wanted.split_first()?;
        loop {
            let seen = all.next()?;
            let begins = seen.at >= free && seen.c == *first;
            free = free.max(seen.end);
            if begins && let Some(end) = end_of(all.clone(), seen, rest) {
                free = end;
                return Some(seen.at..end);
            }
        }
    })
}

/// Where the letters wanted end, if they stand there: a letter is found whole.
fn end_of(mut all: Look<'_>, first: Seen, wanted: &[char]) -> Option<usize> {
    let mut last = first;
    for c in wanted {
        last = all.next().filter(|seen| seen.c == *c)?;
    }
    let apart = all.next().is_none_or(|next| next.at >= last.end);
    apart.then_some(last.end)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use proptest::prelude::*;

    use super::*;

    fn finds(typed: &str, text: &str) -> Option<String> {
        let found = Query::of(typed)?.find(text)?;
        Some(text.get(found).unwrap().to_owned())
    }

    #[test]
    fn all_words_must_be_there_in_any_order_and_case() {
        assert_eq!(
            finds("ferry river", "The RIVER and the Ferry."),
            Some("Ferry".into())
        );
        assert_eq!(finds("ferry sea", "The river and the ferry."), None);
        assert_eq!(finds("ÜBUNG", "eine übung"), Some("übung".into()));
        assert_eq!(finds("灯", "山の灯り"), Some("灯".into()));
        assert_eq!(Query::of(" \"\" "), None);
    }

    #[test]
    fn a_phrase_stands_as_it_is_written_over_line_ends_too() {
        assert_eq!(
            finds("\"the old ferry\"", "On the old\n  ferry."),
            Some("the old\n  ferry".into())
        );
        assert_eq!(finds("\"old the\"", "On the old ferry."), None);
        assert_eq!(
            finds("“old ferry” on", "On the old ferry."),
            Some("old ferry".into())
        );
    }

    #[test]
    fn every_place_of_every_word_is_told_once_and_in_order() {
        let query = Query::of("ferry \"old ferry\" fog").unwrap();
        let text = "Fog. The old  ferry; a Ferry.";
        let found: Vec<_> = query
            .places(text, 9)
            .into_iter()
            .map(|at| text.get(at).unwrap())
            .collect();
        assert_eq!(found, ["Fog", "old  ferry", "Ferry"]);
        assert_eq!(query.places(text, 1).len(), 2);
    }

    #[test]
    fn in_a_draft_spaces_are_found_as_they_are_typed() {
        let text = "Two  spaces, one space,\na line.";
        for (text, wanted, most, places) in [
            (text, "  ", 9, vec![(3, 5)]),
            (text, "two spaces", 9, vec![]),
            (text, ", a", 9, vec![]),
            (text, "", 9, vec![]),
            ("aaaa", "aa", 9, vec![(0, 2), (2, 4)]),
            ("aaaa", "aa", 1, vec![(0, 2)]),
        ] {
            let found = find(text, wanted, most).into_iter();
            let found: Vec<_> = found.map(|place| (place.start, place.end)).collect();
            assert_eq!(found, places, "{wanted:?}");
        }
    }

    #[test]
    fn quotation_marks_find_each_other_and_in_a_draft_letters_of_two_widths_do() {
        for (text, wanted) in [
            ("She didn’t say.", "DIDN'T"),
            ("She didn't say.", "didn’t"),
            ("“The ferry”", "\"the"),
            ("\"The ferry\"", "ferry”"),
            ("Ｆｅｒｒｙ ２", "ferry 2"),
            ("the ferry", "ｆｅｒｒｙ"),
            ("ﾌｪﾘｰﾊﾞｽ", "フェリーバス"),
            ("フェリーバス", "ﾊﾞｽ"),
        ] {
            assert_eq!(find(text, wanted, 9).len(), 1, "{wanted:?} in {text:?}");
        }
        assert!(find("バス", "ハ", 9).is_empty());
        assert_eq!(finds("didn't", "She didn’t."), Some("didn’t".into()));
        assert_eq!(finds("didn’t", "She didn't."), Some("didn't".into()));
        assert_eq!(finds("ferry", "ｆｅｒｒｙ"), Some("ｆｅｒｒｙ".into()));
    }

    #[test]
    fn one_letter_finds_itself_however_it_is_written_and_only_whole() {
        for (text, wanted, place) in [
            ("un cafe\u{301} noir", "CAFÉ", Some(3..9)),
            ("un café noir", "cafe\u{301}", Some(3..8)),
            ("die Straße", "STRASSE", Some(4..11)),
            ("DIE STRASSE", "straße", Some(4..11)),
            ("Việt", "vie\u{302}\u{323}t", Some(0..6)),
            ("10\u{a0}km", "10 km", Some(0..6)),
            ("10 km", "10\u{202f}km", Some(0..5)),
            ("\u{1112}\u{1161}\u{11ab}", "한", Some(0..9)),
            ("नमस्ते", "नमस", Some(0..9)),
            ("un cafe\u{301}", "cafe", None),
            ("un café", "cafe", None),
            ("Maß", "mas", None),
            ("각", "가", None),
            ("a\nb", "a b", None),
        ] {
            let found = find(text, wanted, 9).into_iter().next();
            assert_eq!(found, place, "{wanted:?} in {text:?}");
        }
        assert_eq!(
            finds("\"two words\"", "Two\u{a0}\nWORDS."),
            Some("Two\u{a0}\nWORDS".into())
        );
    }

    #[test]
    fn no_letter_that_is_compared_as_another_is_missed_by_a_hint() {
        for c in '\u{80}'..=char::MAX {
            let text = c.to_string();
            let seen = folded(&text);
            if seen == text {
                continue;
            }
            let query = Query {
                parts: vec![seen.chars().collect()],
            };
            assert!(query.hint().may_be_in(text.as_bytes()), "{c:?}");
        }
    }

    #[test]
    fn a_hint_is_in_every_text_that_has_the_words() {
        for (typed, hint) in [
            ("The Ferry", Hint::Ascii(b"ferry".to_vec())),
            ("灯り a", Hint::Bytes("灯り".into())),
            ("über", Hint::Ascii(b"ber".to_vec())),
            ("жа", Hint::None),
            ("フェリー", Hint::Bytes("フェリー".into())),
            ("한국", Hint::Bytes("한국".into())),
            ("\u{1e023}\u{11d42}𑵠", Hint::Bytes("𑵠".into())),
            ("e\u{301}tude", Hint::Ascii(b"tude".to_vec())),
        ] {
            assert_eq!(Query::of(typed).unwrap().hint(), hint, "{typed}");
        }
        assert!(Hint::Ascii(b"ferry".to_vec()).may_be_in(b"a FERRY"));
        assert!(!Hint::Ascii(b"ferry".to_vec()).may_be_in(b"a ferr"));
    }

    fn texts() -> impl Strategy<Value = String> {
        let common = "[aesißſkKﬁÉé\u{301}\u{323}\u{3099}かｶカガ가각\u{11a8}  \u{a0}\n“\"’' .ιςΣ\u{345}İı灯]{0,24}";
        prop_oneof![common, "\\PC{0,20}"]
    }

    proptest! {
        #[test]
        fn what_stands_in_a_text_is_found_in_it(before in texts(), word in texts(), after in texts()) {
            let text = format!("{before} {word} {after}");
            // A mark that is part of the word is no part of what is looked for.
            if !word.contains(is_quote)
                && let Some(query) = Query::of(&format!("\"{word}\""))
            {
                prop_assert!(query.find(&text).is_some(), "{word:?} in {text:?}");
                prop_assert!(query.hint().may_be_in(text.as_bytes()), "{word:?} in {text:?}");
            }
        }

        #[test]
        fn what_is_found_is_what_was_looked_for(text in texts(), wanted in texts()) {
            let mut free = 0;
            for place in find(&text, &wanted, 99) {
                prop_assert!(place.start >= free);
                free = place.end;
                prop_assert_eq!(folded(text.get(place).unwrap()), folded(&wanted));
            }
            if let Some(query) = Query::of(&wanted) {
                let found = query.places(&text, 99);
                for place in found {
                    let seen = part(text.get(place).unwrap());
                    prop_assert!(query.parts.contains(&seen));
                }
                prop_assert!(query.find(&text).is_none() || query.hint().may_be_in(text.as_bytes()));
            }
        }
    }
}
