//! Addresses that can be clicked (OSC 8). A cell carries the mark of its link where it would carry the colour of
//! its underline, which is not used else: so a frame's difference sees a link as part of a cell.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use ratatui::style::Color;

/// Bytes of the longest address: what terminals take.
const LONGEST: usize = 2083;
/// Addresses remembered before those of screens long gone are forgotten.
const KNOWN: usize = 4096;
/// What an address that is followed begins with. Others can run programs.
const SCHEMES: [&str; 3] = ["http://", "https://", "mailto:"];

/// The addresses on screen, by their marks. Clones are one.
#[derive(Clone, Debug, Default)]
pub struct Links {
    on: bool,
    known: Arc<Mutex<HashMap<u32, Arc<str>>>>,
}

impl Links {
    /// None are shown unless `on`.
    pub fn new(on: bool) -> Self {
        Self {
            on,
            known: Arc::default(),
        }
    }

    /// The mark of an address; none where it is not one to be followed, or links are off.
    pub fn mark(&self, address: &str) -> Option<Color> {
        if !self.on || !is_safe(address) {
            return None;
        }
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() > KNOWN {
            known.clear();
        }
        let mut hasher = DefaultHasher::new();
        address.hash(&mut hasher);
        let [_, _, _, _, _, r, g, b] = hasher.finish().to_be_bytes();
        let mut id = u32::from_be_bytes([0, r, g, b]);
        while known.get(&id).is_some_and(|a| &**a != address) {
            id = (id + 1) & 0x00ff_ffff;
        }
        known.entry(id).or_insert_with(|| address.into());
        Some(Color::from_u32(id))
    }

    /// The address of a mark, and its name for the terminal: parts of one link on several rows are one.
    pub fn find(&self, mark: Color) -> Option<(String, Arc<str>)> {
        let Color::Rgb(r, g, b) = mark else {
            return None;
        };
        let id = u32::from_be_bytes([0, r, g, b]);
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        Some((format!("{id:x}"), known.get(&id)?.clone()))
    }
}

/// Whether an address may be given to a terminal: of a scheme that only shows things, short, without a byte that
/// is not plain ASCII.
fn is_safe(address: &str) -> bool {
    let known = SCHEMES.iter().find(|s| starts(address, s));
    known.is_some_and(|s| s.len() < address.len())
        && address.len() <= LONGEST
        && address.bytes().all(|b| b.is_ascii_graphic())
}

fn starts(text: &str, scheme: &str) -> bool {
    text.get(..scheme.len())
        .is_some_and(|t| t.eq_ignore_ascii_case(scheme))
}

/// Addresses written in a text: where each stands.
pub fn addresses(text: &str) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    for at in memchr::memchr_iter(b':', text.as_bytes()) {
        let found = SCHEMES.iter().find_map(|scheme| {
            let colon = scheme.find(':')?;
            let start = at.checked_sub(colon)?;
            starts(text.get(start..)?, scheme).then_some(start)
        });
        let Some(start) = found else {
            continue;
        };
        let before = text.get(..start).and_then(|t| t.chars().next_back());
        let inside = out.last().is_some_and(|o| o.end > start);
        if inside || before.is_some_and(char::is_alphanumeric) {
            continue;
        }
        let end = start + length(text.get(start..).unwrap_or_default());
        if text.get(start..end).is_some_and(is_safe) {
            out.push(start..end);
        }
    }
    out
}

/// Bytes of the address a text begins with: without marks that end a sentence or close what was opened before it.
fn length(text: &str) -> usize {
    let whole = text
        .bytes()
        .position(|b| {
            !b.is_ascii_graphic()
                || matches!(
                    b,
                    b'<' | b'>' | b'"' | b'`' | b'\\' | b'{' | b'}' | b'|' | b'^'
                )
        })
        .unwrap_or(text.len());
    let mut found = text.get(..whole).unwrap_or_default();
    loop {
        let opened = |open, close| found.matches(open).count() >= found.matches(close).count();
        let shorter = match found.as_bytes().last() {
            Some(b'.' | b',' | b';' | b':' | b'!' | b'?' | b'\'' | b'*' | b'_' | b'~') => true,
            Some(b')') => !opened('(', ')'),
            Some(b']') => !opened('[', ']'),
            _ => false,
        };
        match found.get(..found.len().saturating_sub(1)) {
            Some(rest) if shorter => found = rest,
            _ => return found.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use proptest::prelude::*;

    use super::*;

    fn found(text: &str) -> Vec<&str> {
        addresses(text)
            .into_iter()
            .filter_map(|r| text.get(r))
            .collect()
    }

    #[test]
    fn addresses_end_where_a_reader_would_end_them() {
        for (text, want) in [
            ("see http://a.b/c.", &["http://a.b/c"][..]),
            ("(https://a.b/x_(y)) and", &["https://a.b/x_(y)"]),
            (
                "here (http://x.y/z) http://a.b",
                &["http://x.y/z", "http://a.b"],
            ),
            ("“https://a.b/?q=1&r=2#s”", &["https://a.b/?q=1&r=2#s"]),
            ("*https://a.b*", &["https://a.b"]),
            (
                "mailto:me@a.b, HTTPS://A.B",
                &["mailto:me@a.b", "HTTPS://A.B"],
            ),
            ("http://", &[]),
            ("xhttp://a.b javascript:alert(1) file:///etc/passwd", &[]),
            (
                "https://a.b/?to=http://c.d",
                &["https://a.b/?to=http://c.d"],
            ),
            ("https://a.b灯", &["https://a.b"]),
            ("no: colon", &[]),
        ] {
            assert_eq!(found(text), want, "{text}");
        }
    }

    #[test]
    fn only_what_is_safe_gets_a_mark() {
        let links = Links::new(true);
        assert!(links.mark("https://a.example/").is_some());
        for bad in [
            "javascript:alert(1)",
            "file:///etc/passwd",
            "https://a\x1b]8;;evil\x07",
            "https://a b",
            "https://a\u{202e}b",
            "https://",
            "",
        ] {
            assert_eq!(links.mark(bad), None, "{bad:?}");
        }
        assert_eq!(
            links.mark(&format!("https://{}", "a".repeat(LONGEST))),
            None
        );
        assert_eq!(Links::new(false).mark("https://a.example/"), None);
    }

    #[test]
    fn a_mark_leads_back_to_its_address_and_stays_the_same() {
        let links = Links::new(true);
        let marks: Vec<Color> = (0..500)
            .map(|n| links.mark(&format!("https://a.example/{n}")).unwrap())
            .collect();
        for (n, mark) in marks.iter().enumerate() {
            let address = format!("https://a.example/{n}");
            assert_eq!(links.mark(&address), Some(*mark));
            assert_eq!(&*links.find(*mark).unwrap().1, address);
        }
        assert_eq!(links.find(Color::Reset), None);
    }

    proptest! {
        #[test]
        fn addresses_found_are_safe_and_apart(text in "(http://|https://|mailto:|[ -~]|灯|\\x1b|\\)){0,40}") {
            let mut last = 0;
            for at in addresses(&text) {
                prop_assert!(at.start >= last && text.get(at.clone()).is_some_and(is_safe));
                last = at.end;
            }
        }
    }
}
