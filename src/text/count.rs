//! Counting words.

use unicode_width::UnicodeWidthChar;

use super::clean::is_hidden;
use super::export::body;

/// Words of a text: each Chinese or Japanese letter is one, and so is each run of other letters and digits. A mark inside
/// of a run does not end it: *don't*, *well-known*, *e.g.*, *3.14* and *1,000* are one word each, as writers count. Front
/// matter is for programs: it has no words.
pub fn count(text: &str) -> u64 {
    count_part(body(text))
}

/// Words of a part of a text, whatever stands before it: `---` begins nothing there.
pub fn count_part(text: &str) -> u64 {
    words(text).count() as u64
}

/// What of a text stands before its [`body`]: its front matter and the empty lines behind it, or nothing but a byte order
/// mark.
pub fn front(text: &str) -> &str {
    let front = text.len() - body(text).len();
    text.get(..front).unwrap_or_default()
}

/// The words of a text, in order, as [`count`] counts them.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut runs = places(text).peekable();
    std::iter::from_fn(move || {
        let (from, mut last) = runs.next()?;
        let mut end = from + last.len();
        while let Some((at, next)) =
            runs.next_if(|(at, next)| joins(last, text.get(end..*at), next))
        {
            (last, end) = (next, at + next.len());
        }
        text.get(from..end)
    })
}

/// Whether what stands between two runs of letters joins them.
fn joins(before: &str, between: Option<&str>, after: &str) -> bool {
    let digits = || before.ends_with(is_digit) && after.starts_with(is_digit);
    let mark = match between {
        Some("-" | "\u{2010}" | "\u{2011}" | "." | "·") => true,
        Some("," | ":") => digits(),
        _ => false,
    };
    mark && !before.starts_with(is_cjk) && !after.starts_with(is_cjk)
}

fn is_digit(c: char) -> bool {
    c.is_numeric()
}

/// The runs of letters of a text, in order, each with the byte where it begins: a Chinese or Japanese letter alone, and
/// what an apostrophe joins. A hyphen parts them.
pub fn places(text: &str) -> Places<'_> {
    Places { rest: text, at: 0 }
}

/// What [`places`] gives.
#[derive(Clone, Debug)]
pub struct Places<'a> {
    rest: &'a str,
    at: usize,
}

impl<'a> Iterator for Places<'a> {
    type Item = (usize, &'a str);

    fn next(&mut self) -> Option<(usize, &'a str)> {
        let from = self.rest.find(char::is_alphanumeric)?;
        let (_, rest) = self.rest.split_at(from);
        let (word, after) = rest.split_at(end_of_word(rest));
        let at = self.at + from;
        self.at = at + word.len();
        self.rest = after;
        Some((at, word))
    }
}

/// Bytes of the word a text begins with.
fn end_of_word(text: &str) -> usize {
    let mut chars = text.char_indices().peekable();
    let lone = chars.next().is_some_and(|(_, c)| is_cjk(c));
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, c)| *c);
        let inside = is_mark(c)
            || !lone && is_letter(c)
            || !lone && is_apostrophe(c) && next.is_some_and(is_letter);
        if !inside {
            return at;
        }
    }
    text.len()
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() && !is_cjk(c)
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’')
}

/// Whether a character only changes the one before it.
pub(super) fn is_mark(c: char) -> bool {
    c.width() == Some(0) && (!is_hidden(c) || matches!(c, '\u{ad}' | '\u{200c}' | '\u{200d}'))
}

/// Whether a letter is a word of its own: Chinese and Japanese ones are.
pub fn is_cjk(c: char) -> bool {
    c.is_alphanumeric()
        && matches!(c as u32,
            0x3005..=0x3007 | 0x3021..=0x3029 | 0x3031..=0x3035 | 0x3038..=0x303c
            | 0x3041..=0x312f | 0x31a0..=0x31bf | 0x31f0..=0x31ff | 0x3400..=0x4dbf
            | 0x4e00..=0x9fff | 0xf900..=0xfaff | 0xff66..=0xff9d | 0x2_0000..=0x3_ffff)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn letters_of_chinese_and_japanese_count_one_by_one() {
        assert_eq!(count("一二三四五 six seven eight"), 8);
        assert_eq!(count("灯台の手紙は朝に届いた。静かな港町だった。"), 19);
    }

    #[test]
    fn front_matter_has_no_words() {
        for (text, n) in [
            ("---\ntitle: The lost afternoon\n---\n\nIt rained.\n", 2),
            ("\u{feff}---\r\ntags: [a, b]\r\n...\r\nIt rained.\r\n", 2),
            ("---\n\nA rule, and words.\n\n---\n", 4),
            ("---\nnever closed\n", 2),
            ("It rained.\n\n---\nnot at the beginning\n---\n", 6),
        ] {
            assert_eq!(count(text), n, "{text:?}");
            assert_eq!(
                count(text),
                count_part(text) - count_part(front(text)),
                "{text:?}"
            );
        }
    }

    #[test]
    fn runs_of_other_letters_count_once() {
        for (text, n) in [
            ("", 0),
            ("  — … !", 0),
            (
                "Plain Latin line with naïve café and e\u{301} decomposed.",
                9,
            ),
            ("한국어 문장도 하나 있다.", 4),
            ("don't stop, it’s 'fine'", 4),
            (
                "well-known 3.14 1,000 10:30 e.g. U.S.A. co\u{2011}op col·lecció",
                8,
            ),
            ("so -- well – yes—no, one,two 5-Sterne-Hotel", 7),
            ("5-7岁 Wi-Fi网 3.5米", 6),
            ("ＡＢＣＤ", 1),
            ("ภาษาไทย", 1),
            ("👩\u{200d}🔬 🇺🇳", 0),
            ("a\u{200b}b a\u{ad}b", 3),
        ] {
            assert_eq!(count(text), n, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn a_space_between_two_texts_adds_their_counts(a in any::<String>(), b in any::<String>()) {
            prop_assert_eq!(count_part(&format!("{a} {b}")), count_part(&a) + count_part(&b));
        }
    }
}
