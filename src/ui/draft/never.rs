//! What the writer's voice forbids, found in the part of a draft that is in sight.

use std::ops::Range;
use std::sync::Arc;

use super::words::Words;
use crate::text::voice::Voice;

/// Lines of a paragraph that are looked at beyond the page.
const BEYOND: usize = 64;
/// Bytes of what is looked at: longer lines than prose has are left alone.
const LONGEST: usize = 128 * 1024;

/// The places in sight, as they were found last.
#[derive(Debug, Default)]
pub struct Never {
    voice: Arc<Voice>,
    text: String,
    from: usize,
    marks: Vec<Range<usize>>,
}

impl Never {
    /// Takes the voice as it is now.
    pub fn take(&mut self, voice: &Arc<Voice>) {
        if !Arc::ptr_eq(&self.voice, voice) {
            self.voice = Arc::clone(voice);
            self.text.clear();
            self.marks.clear();
        }
    }

    /// The places in some lines of a text, which are looked at with all of their paragraphs.
    pub(super) fn look(&mut self, words: &Words, lines: Range<usize>) -> &[Range<usize>] {
        if self.voice.is_empty() {
            return &[];
        }
        let seen = paragraphs(words, lines);
        let text = match seen.len() {
            0..=LONGEST => words.slice(seen.clone()),
            _ => String::new(),
        };
        if text != self.text || seen.start != self.from {
            let found = self.voice.marks(&text).into_iter();
            let at = |mark: Range<usize>| seen.start + mark.start..seen.start + mark.end;
            self.marks = found.map(at).collect();
            (self.text, self.from) = (text, seen.start);
        }
        &self.marks
    }
}

/// The bytes of some lines with what belongs to the paragraphs that they begin and end in.
fn paragraphs(words: &Words, lines: Range<usize>) -> Range<usize> {
    let blank = |n: &usize| words.slice(words.line(*n)).trim().is_empty();
    let far = lines.start.saturating_sub(BEYOND);
    let first = (far..lines.start).rev().find(blank).map_or(far, |n| n + 1);
    let far = (lines.end + BEYOND).min(words.lines());
    let end = (lines.end..far).find(blank).unwrap_or(far);
    let last = end.saturating_sub(1).max(first);
    words.line(first).start..words.line(last).end
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    #[test]
    fn what_is_in_sight_is_looked_at_with_its_whole_paragraphs() {
        let words = Words::new("delve\n\nOne rich\ntapestry of\nthings. Delve\nmore.\n\ndelve");
        let voice = Arc::new(Voice::read("Never: rich tapestry, delve"));
        let mut never = Never::default();
        never.take(&voice);
        let all = words.text();
        let found = |never: &mut Never, lines: Range<usize>| -> Vec<String> {
            let marks = never.look(&words, lines).iter();
            marks
                .map(|at| all.get(at.clone()).unwrap().to_owned())
                .collect()
        };
        assert_eq!(found(&mut never, 3..4), ["rich\ntapestry", "Delve"]);
        assert_eq!(found(&mut never, 7..8), ["delve"]);
        assert_eq!(found(&mut never, 0..8).len(), 4);
        never.take(&Arc::default());
        assert!(found(&mut never, 0..8).is_empty());
    }
}
