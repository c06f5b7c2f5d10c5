//! A string inside a JSON object, read while the object is still being written.

/// Reads the first string of an object that stands under one of some names. Takes only what was
/// added since the last time.
#[derive(Debug, Default)]
pub(super) struct Peek {
    /// The string as far as it was written.
    pub(super) text: String,
    /// Whether its closing quote was read.
    pub(super) whole: bool,
    names: &'static [&'static str],
    taken: usize,
    depth: usize,
    at: At,
    escape: Escape,
    name: String,
    /// The first half of a character written as two escapes.
    half: Option<u32>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq)]
enum At {
    #[default]
    BeforeName,
    Name,
    BeforeValue,
    Wanted,
    Other,
}

#[derive(Debug, Default, Clone, Copy)]
enum Escape {
    #[default]
    None,
    Began,
    Hex {
        digits: u8,
        value: u32,
    },
}

impl Peek {
    /// Reads a string under one of these names; under any when there are none.
    pub(super) fn new(names: &'static [&'static str]) -> Self {
        Self {
            names,
            ..Self::default()
        }
    }

    /// Takes what was added to the object's text.
    pub(super) fn grow(&mut self, json: &str) {
        for c in json.get(self.taken..).unwrap_or_default().chars() {
            if self.whole {
                break;
            }
            self.take(c);
        }
        self.taken = json.len();
    }

    /// Bytes of the object's text taken so far.
    pub(super) fn taken(&self) -> usize {
        self.taken
    }

    fn take(&mut self, c: char) {
        match self.at {
            At::Name | At::Wanted | At::Other => self.inside(c),
            At::BeforeName | At::BeforeValue => self.outside(c),
        }
    }

    fn outside(&mut self, c: char) {
        match c {
            '"' if self.depth == 1 && self.at == At::BeforeName => {
                self.name.clear();
                self.at = At::Name;
            }
            '"' if self.depth == 1 && self.is_wanted() => self.at = At::Wanted,
            '"' => self.at = At::Other,
            '{' | '[' => self.depth += 1,
            '}' | ']' => self.depth = self.depth.saturating_sub(1),
            ',' if self.depth == 1 => self.at = At::BeforeName,
            _ => {}
        }
    }

    fn is_wanted(&self) -> bool {
        self.names.is_empty() || self.names.contains(&self.name.as_str())
    }

    fn inside(&mut self, c: char) {
        match (self.escape, c) {
            (Escape::None, '"') => self.close(),
            (Escape::None, '\\') => self.escape = Escape::Began,
            (Escape::None, c) => self.put(c),
            (Escape::Began, 'u') => {
                self.escape = Escape::Hex {
                    digits: 0,
                    value: 0,
                }
            }
            (Escape::Began, c) => {
                self.escape = Escape::None;
                self.put(plain(c));
            }
            (Escape::Hex { digits, value }, c) => self.hex(digits + 1, value, c),
        }
    }

    fn hex(&mut self, digits: u8, value: u32, c: char) {
        let value = value * 16 + c.to_digit(16).unwrap_or(0);
        if digits < 4 {
            self.escape = Escape::Hex { digits, value };
            return;
        }
        self.escape = Escape::None;
        match (self.half.take(), value) {
            (None, 0xd800..=0xdbff) => self.half = Some(value),
            (Some(high), 0xdc00..=0xdfff) => {
                let both = 0x1_0000 + ((high - 0xd800) << 10) + (value - 0xdc00);
                self.put(char::from_u32(both).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            _ => self.put(char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER)),
        }
    }

    fn put(&mut self, c: char) {
        self.half = None;
        match self.at {
            At::Name => self.name.push(c),
            At::Wanted => self.text.push(c),
            _ => {}
        }
    }

    fn close(&mut self) {
        self.whole = self.at == At::Wanted;
        self.at = At::BeforeValue;
    }
}

fn plain(c: char) -> char {
    match c {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'b' => '\u{8}',
        'f' => '\u{c}',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use proptest::prelude::*;

    use super::*;
    use crate::text::head;

    fn read(names: &'static [&'static str], json: &str) -> String {
        let mut peek = Peek::new(names);
        peek.grow(json);
        peek.text
    }

    #[test]
    fn only_the_named_string_of_the_object_itself_is_read() {
        let json =
            r#"{"base":3,"a":{"text":"no"},"b":["text","no"],"text":"yes \"x\"\nend","z":"no"}"#;
        assert_eq!(read(&["text", "new"], json), "yes \"x\"\nend");
        assert_eq!(read(&[], r#"{"n":1,"query":"lamps"}"#), "lamps");
        assert_eq!(read(&["text"], r#"{"text":"half \u26"#), "half ");
        assert_eq!(
            read(&["text"], r#"{"text":"\ud83d\ude00 \ud83d."}"#),
            "😀 ."
        );
    }

    proptest! {
        #[test]
        fn any_split_gives_the_same_text(text in any::<String>(), cut in 0usize..200) {
            let json = serde_json::json!({"base_version": 4, "old": "x", "text": text}).to_string();
            let mut peek = Peek::new(&["text"]);
            peek.grow(head(&json, cut));
            peek.grow(&json);
            prop_assert_eq!(&peek.text, &text);
            prop_assert!(peek.whole);
        }
    }
}
