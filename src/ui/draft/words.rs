//! The text of a draft in memory: a rope, addressed by bytes, its words counted as it changes.

use std::ops::Range;

use ropey::Rope;
use unicode_segmentation::{GraphemeCursor, GraphemeIncomplete};

use crate::text::{count_part, front};

/// What a text from other systems may begin with; it is no letter of the text.
const BOM: &str = "\u{feff}";
/// What front matter begins with.
const FRONT: &str = "---";

/// The text. Only a line feed ends a line; a carriage return before it belongs to the line's end.
#[derive(Clone, Debug, Default)]
pub struct Words {
    rope: Rope,
    /// All of its words.
    count: u64,
    /// Front matter, as far as there is some.
    front: Front,
}

/// Front matter.
#[derive(Clone, Copy, Debug, Default)]
struct Front {
    /// Its words.
    count: u64,
    /// Where the text behind it begins.
    end: usize,
}

impl Front {
    fn of(text: &str) -> Self {
        let front = front(text);
        Self {
            count: count_part(front),
            end: front.len(),
        }
    }
}

impl Words {
    /// A text, byte for byte.
    pub fn new(text: &str) -> Self {
        Self {
            rope: Rope::from_str(text),
            count: count_part(text),
            front: Front::of(text),
        }
    }

    /// Bytes.
    pub fn len(&self) -> usize {
        self.rope.len_bytes()
    }

    /// Whether nothing is written.
    pub fn is_empty(&self) -> bool {
        self.len() == self.start()
    }

    /// Where the text begins: behind the byte order mark, if there is one.
    pub fn start(&self) -> usize {
        if self.has(0, BOM) { BOM.len() } else { 0 }
    }

    fn has(&self, at: usize, text: &str) -> bool {
        let mut bytes = text.bytes().enumerate();
        bytes.all(|(i, b)| self.rope.get_byte(at + i) == Some(b))
    }

    /// How many words it has (`text::count`).
    pub fn count(&self) -> u64 {
        self.count.saturating_sub(self.front.count)
    }

    /// All of it.
    pub fn text(&self) -> String {
        self.rope.to_string()
    }

    /// The rope itself; a clone of it costs nothing.
    pub fn rope(&self) -> &Rope {
        &self.rope
    }

    /// A part of it; empty when that is no part.
    pub fn slice(&self, range: Range<usize>) -> String {
        let part = self.rope.get_byte_slice(range);
        part.map(|p| p.to_string()).unwrap_or_default()
    }

    /// Lines, at least one.
    pub fn lines(&self) -> usize {
        self.rope.len_lines()
    }

    /// The line a byte is in.
    pub fn line_of(&self, at: usize) -> usize {
        let found = self.rope.try_byte_to_line(at.min(self.len()));
        found.unwrap_or_default()
    }

    /// A line's text, without what ends it and without a byte order mark.
    pub fn line(&self, n: usize) -> Range<usize> {
        let begin = |n| self.rope.try_line_to_byte(n).unwrap_or(self.len());
        let (start, next) = (begin(n), begin(n + 1));
        let start = start.max(self.start());
        let is = |at: usize, b: u8| at >= start && self.rope.get_byte(at) == Some(b);
        let ends = |at: usize, b: u8| at.checked_sub(1).filter(|at| is(*at, b));
        let end = match ends(next, b'\n') {
            Some(feed) => ends(feed, b'\r').unwrap_or(feed),
            None => next,
        };
        start..end.max(start)
    }

    /// What ends the lines around a place: that of its own line, else of the one before.
    pub fn line_end(&self, at: usize) -> &'static str {
        let n = self.line_of(at);
        let ended = |n: usize| n + 1 < self.lines();
        let of = match n.checked_sub(1) {
            _ if ended(n) => n,
            Some(before) => before,
            None => return "\n",
        };
        let next = self.rope.try_line_to_byte(of + 1).unwrap_or_default();
        if next - self.line(of).end == 2 {
            "\r\n"
        } else {
            "\n"
        }
    }

    /// Puts a text in the place of another. False, and nothing changed, when the range is none of whole
    /// characters.
    pub fn replace(&mut self, range: Range<usize>, insert: &str) -> bool {
        if range.start > range.end || !self.is_edge(range.start) || !self.is_edge(range.end) {
            return false;
        }
        let mut seen = self.words_around(&range);
        let before = count_part(&self.slice(seen.clone()));
        let chars = self.char_of(range.start)..self.char_of(range.end);
        let at = chars.start;
        if !chars.is_empty() && self.rope.try_remove(chars).is_err() {
            return false;
        }
        if !insert.is_empty() && self.rope.try_insert(at, insert).is_err() {
            return false;
        }
        seen.end = seen.end - range.len() + insert.len();
        self.count = (self.count + count_part(&self.slice(seen))).saturating_sub(before);
        self.look_at_front(range.start);
        true
    }

    /// Looks at the front matter again after a change at a place. Behind one that is closed nothing changes it, and the
    /// whole text is not gone through for each of a thousand changes there.
    fn look_at_front(&mut self, changed: usize) {
        let is_behind = self.front.end > self.start() && changed > self.front.end;
        if is_behind {
            return;
        }
        self.front = if self.has(self.start(), FRONT) {
            Front::of(&self.text())
        } else {
            Front::default()
        };
    }

    /// A range with the words it touches: what stands beyond is counted the same whatever is in it.
    fn words_around(&self, range: &Range<usize>) -> Range<usize> {
        let (mut start, mut end) = (range.start, range.end);
        let mut back = self.rope.chars_at(self.char_of(start));
        while let Some(c) = back.prev().filter(|c| !parts_words(*c)) {
            start -= c.len_utf8();
        }
        let on = self.rope.chars_at(self.char_of(end));
        for c in on.take_while(|c| !parts_words(*c)) {
            end += c.len_utf8();
        }
        start..end
    }

    fn char_of(&self, at: usize) -> usize {
        let found = self.rope.try_byte_to_char(at.min(self.len()));
        found.unwrap_or_default()
    }

    /// Whether a character begins or the text ends at a byte.
    fn is_edge(&self, at: usize) -> bool {
        at <= self.len() && self.rope.try_char_to_byte(self.char_of(at)).ok() == Some(at)
    }

    /// The nearest place at or before a byte where a grapheme cluster begins.
    pub fn floor(&self, at: usize) -> usize {
        let at = at.clamp(self.start(), self.len().max(self.start()));
        let byte = self.rope.try_char_to_byte(self.char_of(at));
        let at = byte.unwrap_or_default();
        let mut cursor = GraphemeCursor::new(at, self.len(), true);
        let (chunk, from) = self.chunk(at);
        loop {
            match cursor.is_boundary(chunk, from) {
                Ok(true) => return at,
                Err(GraphemeIncomplete::PreContext(n)) => self.give_context(&mut cursor, n),
                _ => return self.before(at),
            }
        }
    }

    /// The next grapheme cluster's end.
    pub fn after(&self, at: usize) -> usize {
        let mut cursor = GraphemeCursor::new(at, self.len(), true);
        let (mut chunk, mut from) = self.chunk(at);
        loop {
            match cursor.next_boundary(chunk, from) {
                Ok(Some(to)) => return to,
                Err(GraphemeIncomplete::NextChunk) => {
                    (chunk, from) = self.chunk(from + chunk.len());
                }
                Err(GraphemeIncomplete::PreContext(n)) => self.give_context(&mut cursor, n),
                _ => return self.len(),
            }
        }
    }

    /// The start of the grapheme cluster before.
    pub fn before(&self, at: usize) -> usize {
        let mut cursor = GraphemeCursor::new(at, self.len(), true);
        let (mut chunk, mut from) = self.chunk(at);
        loop {
            match cursor.prev_boundary(chunk, from) {
                Ok(Some(to)) => return to.max(self.start()),
                Err(GraphemeIncomplete::PrevChunk) => {
                    (chunk, from) = self.chunk(from.saturating_sub(1));
                }
                Err(GraphemeIncomplete::PreContext(n)) => self.give_context(&mut cursor, n),
                _ => return self.start(),
            }
        }
    }

    fn give_context(&self, cursor: &mut GraphemeCursor, to: usize) {
        let (chunk, from) = self.chunk(to.saturating_sub(1));
        cursor.provide_context(chunk.get(..to - from).unwrap_or(chunk), from);
    }

    fn chunk(&self, at: usize) -> (&str, usize) {
        let found = self.rope.get_chunk_at_byte(at.min(self.len()));
        found.map_or(("", 0), |(chunk, from, _, _)| (chunk, from))
    }
}

/// Marks that can join what stands on both sides to one word.
const JOINS: [char; 5] = ['\'', '-', '.', ',', ':'];

/// Whether words on both sides of a character are counted apart, whatever they are.
fn parts_words(c: char) -> bool {
    let parts = c.is_ascii_punctuation() && !JOINS.contains(&c);
    parts || matches!(c, ' ' | '\n' | '\t' | '。' | '、' | '，')
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use proptest::prelude::*;
    use unicode_segmentation::UnicodeSegmentation;

    use super::*;
    use crate::text::count;

    #[test]
    fn lines_are_told_without_what_ends_them() {
        let words = Words::new("\u{feff}one\r\ntwo\nthree\rstill\n\nlast");
        let line = |n| words.slice(words.line(n));
        let lines: Vec<String> = (0..words.lines()).map(line).collect();
        assert_eq!(lines, ["one", "two", "three\rstill", "", "last"]);
        assert_eq!(words.start(), 3);
        let ends: Vec<_> = (0..5)
            .map(|n| words.line_end(words.line(n).start))
            .collect();
        assert_eq!(ends, ["\r\n", "\n", "\n", "\n", "\n"]);
    }

    #[test]
    fn a_word_that_is_joined_by_a_mark_is_one_while_it_is_typed() {
        let mut words = Words::default();
        for c in "well-known, e.g. 3.14".chars() {
            assert!(words.replace(words.len()..words.len(), c.encode_utf8(&mut [0; 4])));
        }
        assert_eq!(words.count(), 3);
    }

    #[test]
    fn a_line_without_an_end_takes_that_of_the_line_before() {
        let words = Words::new("one\r\ntwo");
        assert_eq!(words.line_end(words.len()), "\r\n");
        assert_eq!(Words::new("one").line_end(0), "\n");
    }

    proptest! {
        #[test]
        fn words_are_counted_as_they_change_and_nothing_else_changes(
            text in "(---\na b\n)?([a-c ]{0,9}|灯台|。|’|'|e\u{301}|\n|\r\n|---\n|👩\u{200d}🔬){0,20}",
            edits in proptest::collection::vec((0usize..60, 0usize..9, "([a1 ]|灯|\n|[-.,:]|---\n|’){0,4}"), 0..12),
        ) {
            let mut plain = text.clone();
            let mut words = Words::new(&text);
            for (at, len, insert) in edits {
                let mut range = at.min(plain.len())..(at + len).min(plain.len());
                let fits = plain.get(range.clone()).is_some();
                prop_assert_eq!(words.replace(range.clone(), &insert), fits);
                if !fits {
                    range = 0..0;
                    words.replace(range.clone(), &insert);
                }
                plain.replace_range(range, &insert);
                prop_assert_eq!(&words.text(), &plain);
                prop_assert_eq!(words.count(), count(&plain));
            }
        }

        #[test]
        fn steps_go_by_whole_clusters(text in "(\\PC|e\u{301}|👩\u{200d}🔬|🇺🇳|\r\n){0,40}") {
            let words = Words::new(&text);
            let mut at = words.start();
            let clusters: Vec<usize> = text.grapheme_indices(true).map(|(i, _)| i).filter(|i| *i > at).collect();
            for to in clusters.iter().copied().chain([text.len()]) {
                if at == text.len() { break; }
                prop_assert_eq!(words.after(at), to);
                prop_assert_eq!(words.before(to), at);
                for inside in at..to {
                    prop_assert_eq!(words.floor(inside), at);
                }
                at = to;
            }
        }
    }
}
