//! Finding words in a text, whatever the case of their letters and the shape of their quotation marks.

use std::ops::Range;

use super::blocks::blocks;
use super::fold::{fold, fold_widths};

/// What is looked for: words that must all be there, each by itself or as a phrase in quotation marks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Query {
    /// Each in small letters, white space in it as one space.
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

impl Query {
    /// Reads what was typed; none when there is no word in it.
    pub fn of(typed: &str) -> Option<Self> {
        let mut parts = Vec::new();
        // What stands between quotation marks is every second one.
        for (n, text) in typed.split(['"', '“', '”', '„']).enumerate() {
            if n % 2 == 1 {
                parts.push(folded(text));
            } else {
                parts.extend(text.split_whitespace().map(folded));
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
        // A dot above may be part of one letter with an i, and the sign for kelvin is a k.
        if self.parts.iter().flatten().any(|c| *c == '\u{307}') {
            return Hint::None;
        }
        let ascii = runs(&self.parts, |c| c.is_ascii_alphanumeric() && c != 'k');
        // Letters without another case are the same in every text.
        let caseless = |c: char| !c.is_ascii() && c.to_uppercase().eq([c]) && c.is_alphanumeric();
        let bytes = runs(&self.parts, caseless);
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
            Self::Bytes(wanted) => memchr::memmem::find(bytes, wanted).is_some(),
            Self::Ascii(wanted) => has_ascii(bytes, wanted),
        }
    }
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

/// Small letters, white space as one space, none at the ends.
fn folded(text: &str) -> Vec<char> {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    words.chars().flat_map(fold).collect()
}

/// Where a part stands first.
fn place(text: &str, part: &[char]) -> Option<Range<usize>> {
    places(text, part, Manner::Words).next()
}

/// Where a text stands in another, whatever the case and the width of its letters and the shape of its quotation marks:
/// at most so many places, none over another.
pub fn find(text: &str, wanted: &str, most: usize) -> Vec<Range<usize>> {
    let wanted: Vec<char> = wanted.chars().flat_map(fold_widths).collect();
    places(text, &wanted, Manner::Draft).take(most).collect()
}

/// How it is looked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Manner {
    /// In a draft: spaces as they are typed, letters of any width. No [`Hint`] holds for it.
    Draft,
    /// For words in many texts: a space is any white space, however much.
    Words,
}

impl Manner {
    /// What a character of a text is compared as.
    fn seen(self, c: char) -> impl Iterator<Item = char> {
        let (draft, words) = match self {
            Self::Draft => (Some(fold_widths(c)), None),
            Self::Words => (None, Some(fold(c))),
        };
        let draft = draft.into_iter().flatten();
        draft.chain(words.into_iter().flatten())
    }

    /// The first of these.
    fn first(self, c: char) -> char {
        if c.is_ascii() {
            c.to_ascii_lowercase()
        } else {
            self.seen(c).next().unwrap_or(c)
        }
    }
}

/// Where letters stand, none of the places over another.
fn places(text: &str, wanted: &[char], how: Manner) -> impl Iterator<Item = Range<usize>> {
    let mut free = 0;
    text.char_indices().filter_map(move |(at, c)| {
        if at < free || how.first(c) != *wanted.first()? {
            return None;
        }
        let end = at + begins(text.get(at..)?, wanted, how)?;
        free = end;
        Some(at..end)
    })
}

/// How many bytes of a text are the letters wanted, if it begins with them.
fn begins(text: &str, wanted: &[char], how: Manner) -> Option<usize> {
    let mut wanted = wanted.iter().peekable();
    let mut spaced = false;
    for (at, c) in text.char_indices() {
        if spaced && c.is_whitespace() {
            continue;
        }
        spaced = false;
        if wanted.peek().is_none() {
            return Some(at);
        }
        if how == Manner::Words && c.is_whitespace() && wanted.next_if_eq(&&' ').is_some() {
            spaced = true;
            continue;
        }
        for seen in how.seen(c) {
            if wanted.next() != Some(&seen) {
                return None;
            }
        }
    }
    wanted.peek().is_none().then_some(text.len())
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
        // What a hint could miss is not found.
        assert_eq!(finds("ferry", "ｆｅｒｒｙ"), None);
    }

    #[test]
    fn a_hint_is_in_every_text_that_has_the_words() {
        for (typed, hint) in [
            ("The Ferry", Hint::Ascii(b"ferry".to_vec())),
            ("灯り a", Hint::Bytes("灯り".into())),
            ("über", Hint::Ascii(b"ber".to_vec())),
            ("жа", Hint::None),
        ] {
            assert_eq!(Query::of(typed).unwrap().hint(), hint, "{typed}");
        }
        assert!(Hint::Ascii(b"ferry".to_vec()).may_be_in(b"a FERRY"));
        assert!(!Hint::Ascii(b"ferry".to_vec()).may_be_in(b"a ferr"));
    }

    proptest! {
        #[test]
        fn what_stands_in_a_text_is_found_in_it(before in "\\PC{0,20}", word in "\\PC{1,10}", after in "\\PC{0,20}") {
            let text = format!("{before}{word}{after}");
            if let Some(query) = Query::of(&format!("\"{}\"", word.replace(['"', '“', '”', '„'], " "))) {
                let typed = folded(&word.replace(['"', '“', '”', '„'], " "));
                // A mark that is part of the word is no part of what is looked for.
                if !word.contains(['"', '“', '”', '„']) {
                    prop_assert!(query.find(&text).is_some(), "{typed:?} in {text:?}");
                    prop_assert!(query.hint().may_be_in(text.as_bytes()));
                }
            }
        }
    }
}
