//! Large pastes, kept aside. Each stands in the text as one private character, so that caret, deletion
//! and undo treat it as one; it is drawn as a label.

use std::borrow::Cow;

use memchr::{memchr, memchr_iter};

use crate::text::{size, thousands};

/// Bytes above which a paste is kept aside.
const BYTES_MAX: usize = 200 * 1024;
/// Lines above which a paste is kept aside.
const LINES_MAX: usize = 200;
/// Characters of a line above which a paste is kept aside: what the widget can jump in.
const LINE_MAX: usize = 60_000;
/// The characters that stand for pastes, from the end of the last private plane.
const FIRST: u32 = 0x10_f000;
const LAST: u32 = 0x10_fffd;

/// The pastes kept aside.
#[derive(Debug, Default)]
pub(super) struct Chips {
    kept: Vec<String>,
}

impl Chips {
    /// What stands in the text for a paste: itself when it is small. A text that holds one of our own
    /// characters is kept aside too, so that it is never taken for another.
    pub(super) fn stand_in<'a>(&mut self, text: &'a str) -> Cow<'a, str> {
        match self.free() {
            Some(sign) if is_large(text) || has_reserved(text) => {
                self.kept.push(text.to_owned());
                Cow::Owned(sign.to_string())
            }
            _ => Cow::Borrowed(text),
        }
    }

    fn free(&self) -> Option<char> {
        let next = FIRST + u32::try_from(self.kept.len()).ok()?;
        (next <= LAST).then(|| char::from_u32(next)).flatten()
    }

    /// The paste a character stands for.
    pub(super) fn get(&self, c: char) -> Option<&str> {
        let n = (c as u32).checked_sub(FIRST)?;
        self.kept.get(usize::try_from(n).ok()?).map(String::as_str)
    }

    /// What is drawn for a character that stands for a paste.
    pub(super) fn label(&self, c: char) -> Option<String> {
        let text = self.get(c)?;
        let lines = lines(text);
        let unit = if lines == 1 { "line" } else { "lines" };
        let (lines, size) = (thousands(lines as u64), size(text.len() as u64));
        Some(format!("[pasted {lines} {unit}, {size}]"))
    }

    /// The text with every paste in its place.
    pub(super) fn expand(&self, text: &str, out: &mut String) {
        if self.kept.is_empty() {
            return out.push_str(text);
        }
        for c in text.chars() {
            match self.get(c) {
                Some(paste) => out.push_str(paste),
                None => out.push(c),
            }
        }
    }

    pub(super) fn clear(&mut self) {
        self.kept.clear();
    }
}

/// Whether a character is one of those that stand for pastes.
pub(super) fn is_reserved(c: char) -> bool {
    (FIRST..=LAST).contains(&(c as u32))
}

fn has_reserved(text: &str) -> bool {
    // All of them begin with the byte that the last planes begin with.
    memchr(0xf4, text.as_bytes()).is_some() && text.chars().any(is_reserved)
}

fn lines(text: &str) -> usize {
    memchr_iter(b'\n', text.as_bytes()).count() + 1
}

fn is_large(text: &str) -> bool {
    text.len() > BYTES_MAX
        || lines(text) > LINES_MAX
        || text.len() > LINE_MAX && text.split('\n').any(|line| line.len() > LINE_MAX)
}
