//! Texts of other systems made UTF-8: UTF-16 with its byte order mark, else Windows-1252.

/// The characters of Windows-1252 at 0x80 to 0x9F (<https://encoding.spec.whatwg.org/index-windows-1252.txt>); five are
/// unassigned there and stay the control characters they are. All other bytes are the character of their number.
const HIGH: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];
/// The first of them.
const FIRST: u8 = 0x80;

/// The text that some bytes are; the error says why they are none, or need no change.
pub fn decode(bytes: &[u8]) -> Result<String, &'static str> {
    if std::str::from_utf8(bytes).is_ok() {
        return Err("The draft is UTF-8 text already.");
    }
    match bytes {
        [0xff, 0xfe, rest @ ..] => Ok(utf16(rest, u16::from_le_bytes)),
        [0xfe, 0xff, rest @ ..] => Ok(utf16(rest, u16::from_be_bytes)),
        _ if bytes.contains(&0) => Err(
            "The draft is no text that is known here: it holds zero bytes, and no byte order mark of UTF-16.",
        ),
        _ => Ok(bytes.iter().map(|byte| of_windows(*byte)).collect()),
    }
}

fn of_windows(byte: u8) -> char {
    let high = byte
        .checked_sub(FIRST)
        .and_then(|at| HIGH.get(usize::from(at)));
    high.copied().unwrap_or(char::from(byte))
}

/// What cannot be read becomes U+FFFD: half a pair, and a last byte without its other half.
fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let (pairs, odd) = bytes.as_chunks::<2>();
    let units = pairs.iter().map(|pair| unit(*pair));
    let read = char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER));
    read.chain(odd.iter().map(|_| char::REPLACEMENT_CHARACTER))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_of_windows_keeps_its_letters_quotes_and_line_ends() {
        let read = decode(b"caf\xe9 \x93so\x94 \x80\x81\r\n");
        assert_eq!(read.as_deref(), Ok("café “so” €\u{81}\r\n"));
    }

    #[test]
    fn utf_16_is_read_by_its_mark_in_both_orders() {
        assert_eq!(decode(b"\xff\xfea\0\xac\x20").as_deref(), Ok("a€"));
        assert_eq!(decode(b"\xfe\xff\0a\xd8\x3d\xde\x00").as_deref(), Ok("a😀"));
        assert_eq!(
            decode(b"\xff\xfea\0\x00\xd8b").as_deref(),
            Ok("a\u{fffd}\u{fffd}")
        );
    }

    #[test]
    fn what_is_no_text_or_needs_nothing_is_left_alone() {
        assert!(decode(b"\x7fELF\0\xff").is_err_and(|why| why.contains("zero bytes")));
        assert!(decode("café".as_bytes()).is_err_and(|why| why.contains("already")));
    }
}
