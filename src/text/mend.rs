//! Makes valid text of JSON bytes that are almost valid.
//!
//! Agents and logs carry half characters: a lone `\ud83c`, a cut UTF-8 sequence. A strict parser
//! refuses the whole line for them; mended, only the half character is lost to the reader.

use std::borrow::Cow;

/// A line of JSON as valid UTF-8 without lone surrogate escapes, so that a strict parser takes it.
///
/// Each escape of half a surrogate pair becomes `\ufffd`, each run of invalid UTF-8 becomes U+FFFD;
/// whole pairs and everything else stay as they are. Nothing is copied when nothing is wrong.
pub fn mend(line: &[u8]) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(line);
    let halves = lone_surrogates(text.as_bytes());
    if halves.is_empty() {
        return text;
    }
    let mut mended = text.into_owned();
    for at in halves {
        // An escape is six ASCII bytes before and after: no offset moves.
        mended.replace_range(at..at + ESCAPE, "\\ufffd");
    }
    Cow::Owned(mended)
}

/// Bytes of `\uXXXX`.
const ESCAPE: usize = 6;

/// Offsets of the escapes of surrogates without a partner.
fn lone_surrogates(line: &[u8]) -> Vec<usize> {
    let mut halves = Vec::new();
    let mut at = 0;
    while let Some(next) = line.get(at..).and_then(|rest| memchr::memchr(b'\\', rest)) {
        at += next;
        at += match (escape(line, at), escape(line, at + ESCAPE)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 2 * ESCAPE,
            (Some(0xd800..=0xdfff), _) => {
                halves.push(at);
                ESCAPE
            }
            (Some(_), _) => ESCAPE,
            // Any other escape is two bytes; a backslash in it must not begin the next one.
            (None, _) => 2,
        };
    }
    halves
}

/// The code unit of a `\uXXXX` that begins at `at`.
fn escape(line: &[u8], at: usize) -> Option<u16> {
    let digits = line.get(at..at + ESCAPE)?.strip_prefix(b"\\u")?;
    digits.iter().try_fold(0, |unit, digit| {
        let value = char::from(*digit).to_digit(16)?;
        Some(unit << 4 | u16::try_from(value).ok()?)
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    #[test]
    fn half_characters_become_replacement_signs_and_pairs_stay() {
        let table: [(&[u8], &str); 8] = [
            (br#""\ud83c and on""#, r#""\ufffd and on""#),
            (br#""\uDF0A\ud83c\udf0a""#, r#""\ufffd\ud83c\udf0a""#),
            (br#""\ud83c\ud83c\udf0a""#, r#""\ufffd\ud83c\udf0a""#),
            (br#""\\ud83c""#, r#""\\ud83c""#),
            (br#""\\\ud83c""#, r#""\\\ufffd""#),
            (br#""cut \ud83"#, r#""cut \ud83"#),
            (b"\"\xf0\x9f\x9a\"", "\"\u{fffd}\""),
            (b"\"caf\xe9 \\udc00\"", "\"caf\u{fffd} \\ufffd\""),
        ];
        for (line, want) in table {
            assert_eq!(mend(line), want, "{}", line.escape_ascii());
        }
    }

    #[test]
    fn what_is_whole_is_not_copied() {
        let line = r#"{"text":"caf\u00e9 🌊 \n \ud83c\udf0a"}"#;
        assert!(matches!(mend(line.as_bytes()), Cow::Borrowed(same) if same == line));
    }

    #[test]
    fn a_mended_line_is_taken_by_a_strict_parser() {
        let line = br#"{"text":"a\ud83c\u0000\udd9cb"}"#;
        let value: serde_json::Value = serde_json::from_str(&mend(line)).unwrap();
        assert_eq!(value["text"], "a\u{fffd}\0\u{fffd}b");
    }
}
