//! Finding words in a text, whatever the case of their letters and the shape of their quotation marks.

mod hint;

use std::ops::Range;

pub use hint::Hint;

use super::blocks::blocks;
use super::fold::{Folding, Seen, folded, plain, seen};

/// What is looked for: words that must all be there, each by itself or as a phrase in quotation marks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Query {
    /// Each as it is compared, white space in it as one space.
    parts: Vec<Vec<char>>,
}

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

    /// What every text that has the words has in its bytes.
    pub fn hint(&self) -> Hint {
        Hint::of(&self.parts)
    }
}

/// Whether no word that is looked for has this in it: white space, and what a phrase stands between.
fn parts_words(c: char) -> bool {
    c.is_whitespace() || is_quote(c)
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
    let how = if is_phrase(&wanted) {
        Manner::Phrase
    } else {
        Manner::Draft
    };
    places(text, &wanted, how).take(most).collect()
}

/// Whether it is words with one space between two of them: whoever looks for more spaces, or for one at an end, means those.
fn is_phrase(wanted: &[char]) -> bool {
    let is_word = |word: &[char]| !word.is_empty() && !word.iter().any(|c| c.is_whitespace());
    wanted.contains(&' ') && wanted.split(|c| *c == ' ').all(is_word)
}

/// How it is looked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Manner {
    /// In a draft: as many spaces as are typed.
    Draft,
    /// In a draft: a space is any white space within a paragraph, also the end of a line.
    Phrase,
    /// For words in many texts: a space is any white space, however much; emphasis is not seen, nor is what is invisible.
    Words,
}

/// Marks of emphasis.
const MARKS: &[char] = &['*', '_', '`'];
/// What may part a word and is not seen: soft hyphen, and a space without width.
const UNSEEN: &[char] = &['\u{ad}', '\u{200b}'];

/// A text as it is looked at.
#[derive(Clone, Debug)]
struct Look<'a> {
    all: Folding<'a>,
    how: Manner,
    /// What stands behind white space.
    next: Option<Seen>,
    /// What was seen last; a space at the beginning.
    last: char,
    /// Where marks end that are no emphasis.
    kept: usize,
}

impl<'a> Look<'a> {
    fn at(text: &'a str, how: Manner) -> Self {
        Self {
            all: seen(text),
            how,
            next: None,
            last: ' ',
            kept: 0,
        }
    }

    /// What comes next, white space and emphasis with it.
    fn step(&mut self) -> Option<Seen> {
        let how = self.how;
        let seen = |seen: &Seen| how != Manner::Words || !UNSEEN.contains(&seen.c);
        self.next.take().or_else(|| self.all.find(seen))
    }

    /// Goes over marks of emphasis, the first of which is given: those that stand between two letters, or alone between
    /// what parts words, are none.
    fn behind_marks(&mut self, first: Seen) -> Option<Seen> {
        let mut behind = self.clone();
        let mut end = first.end;
        let next = loop {
            match behind.step() {
                Some(mark) if MARKS.contains(&mark.c) => end = mark.end,
                next => break next,
            }
        };
        let sides = [self.last, next.map_or(' ', |next| next.c)];
        let alike = |is: fn(char) -> bool| sides.iter().all(|c| is(*c));
        if alike(char::is_alphanumeric) || alike(parts_words) {
            self.kept = end;
            return Some(first);
        }
        *self = behind;
        next
    }
}

impl Iterator for Look<'_> {
    type Item = Seen;

    fn next(&mut self) -> Option<Seen> {
        let mut seen = self.step()?;
        if self.how == Manner::Draft {
            return Some(seen);
        }
        if self.how == Manner::Words && seen.at >= self.kept && MARKS.contains(&seen.c) {
            seen = self.behind_marks(seen)?;
        }
        if seen.c.is_whitespace() {
            let mut lines = usize::from(seen.c == '\n');
            while let Some(next) = self.step() {
                if !next.c.is_whitespace() {
                    self.next = Some(next);
                    break;
                }
                lines += usize::from(next.c == '\n');
                seen.end = next.end;
            }
            let parts = self.how == Manner::Phrase && lines > 1;
            seen.c = if parts { '\n' } else { ' ' };
        }
        self.last = seen.c;
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
    fn a_phrase_is_found_through_emphasis_and_what_is_not_seen() {
        for (typed, text, found) in [
            (
                "\"brown fox\"",
                "The quick **brown** fox",
                Some("brown** fox"),
            ),
            (
                "\"quick brown\"",
                "The quick **brown** fox",
                Some("quick **brown"),
            ),
            ("\"brown, fox\"", "_brown,_ `fox`", Some("brown,_ `fox")),
            ("\"**brown** fox\"", "a brown fox", Some("brown fox")),
            ("wegweiser", "ein Weg\u{ad}weiser", Some("Weg\u{ad}weiser")),
            ("\"a b\"", "a \u{200b} b", Some("a \u{200b} b")),
            ("snake_case", "a snake_case", Some("snake_case")),
            ("snakecase", "a snake_case", None),
            ("\"5 * 3\"", "is 5 * 3", Some("5 * 3")),
            ("***", "one\n\n***\n\ntwo", Some("***")),
            ("_", "\"!\"_", Some("_")),
            ("\"a fox\"", "\"a *fox*\"", Some("a *fox")),
        ] {
            assert_eq!(finds(typed, text).as_deref(), found, "{typed} in {text}");
            let may = Query::of(typed).unwrap().hint().may_be_in(text.as_bytes());
            assert!(may || found.is_none(), "{typed} in {text}");
        }
        assert!(find("a **b**", "a b", 9).is_empty());
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
    fn in_a_draft_one_space_is_any_within_a_paragraph_and_more_are_as_they_are_typed() {
        let text = "Two  spaces, one space,\na line.\n\nTwo.";
        for (text, wanted, most, places) in [
            (text, "  ", 9, vec![(3, 5)]),
            (text, "two spaces", 9, vec![(0, 11)]),
            (text, ", a", 9, vec![(22, 25)]),
            (text, "two   spaces", 9, vec![]),
            (text, "space, ", 9, vec![]),
            (text, "line. two", 9, vec![]),
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
            ("a\nb", "a b", Some(0..3)),
            ("a\n \nb", "a b", None),
            ("the co\u{2011}op", "co-op", Some(4..11)),
            ("the co-op", "co\u{2010}op", Some(4..9)),
        ] {
            let found = find(text, wanted, 9).into_iter().next();
            assert_eq!(found, place, "{wanted:?} in {text:?}");
        }
        assert_eq!(
            finds("\"two words\"", "Two\u{a0}\nWORDS."),
            Some("Two\u{a0}\nWORDS".into())
        );
    }

    fn texts() -> impl Strategy<Value = String> {
        let common = "[aesißſkKﬁÉéüÜ\u{308}жйИ\u{306}*_`\u{ad}\u{200b}\u{301}\u{323}\u{3099}かｶカガ가각\u{11a8}  \u{a0}\n“\"’' .ιςΣ\u{345}İı灯]{0,24}";
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
                let (found, wanted) = (folded(text.get(place).unwrap()), folded(&wanted));
                let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
                let phrase = is_phrase(&wanted.chars().collect::<Vec<_>>());
                prop_assert!(found == wanted || phrase && words(&found) == wanted);
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
