//! Addresses written out in the text: they are no words.

use super::OPAQUE;

/// What an address is known by.
const SIGNS: [&str; 3] = ["://", "www.", "@"];

/// Masks web and mail addresses.
pub(super) fn mask(plain: &mut String) {
    if !SIGNS.iter().any(|s| plain.contains(s)) {
        return;
    }
    let mut bytes = std::mem::take(plain).into_bytes();
    let mut from = 0;
    while from < bytes.len() {
        let len = bytes
            .iter()
            .skip(from)
            .take_while(|b| b.is_ascii_graphic())
            .count();
        let piece = bytes.get_mut(from..from + len).unwrap_or_default();
        // A mark behind an address belongs to the sentence.
        let own = piece.iter().rposition(|b| !b",.;:!?)]'\"".contains(b));
        let piece = piece
            .get_mut(..own.map_or(0, |at| at + 1))
            .unwrap_or_default();
        if is_address(piece) {
            piece.fill(OPAQUE as u8);
        }
        from += len.max(1);
    }
    // Only ASCII was replaced, by ASCII.
    *plain = String::from_utf8(bytes).unwrap_or_default();
}

fn is_address(piece: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(piece) else {
        return false;
    };
    let mail = || {
        let (name, host) = text.split_once('@')?;
        Some(!name.is_empty() && host.trim_end_matches('.').contains('.'))
    };
    text.contains("://") || text.starts_with("www.") || mail() == Some(true)
}
