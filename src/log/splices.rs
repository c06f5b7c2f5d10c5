//! A line that is not one event, taken apart: writers that were cut off have left lines in which others begin.

use memchr::memmem;

use super::line::{self, MARK};
use super::pieces::End;

/// Walks over such a line, from one event in it to the next.
pub(crate) struct Splices<'t> {
    text: &'t [u8],
    end: End,
    /// Where the next event is looked for.
    from: usize,
    /// Where what is no event began.
    bad: usize,
    /// Bytes that may still be parsed.
    work: usize,
    over: bool,
}

/// What is no event, and the event behind it.
pub(crate) struct Splice<'t, T> {
    /// Where it begins in the line.
    pub(crate) at: usize,
    /// What is no event; empty where none of it is there.
    pub(crate) fragment: &'t [u8],
    /// What is wrong with it.
    pub(crate) why: &'static str,
    /// The event that ends it, and its bytes; none at the end of the line.
    pub(crate) event: Option<(T, &'t [u8])>,
}

impl<T> Splice<'_, T> {
    /// Where the event begins in the line.
    pub(crate) fn event_at(&self) -> usize {
        self.at + self.fragment.len()
    }
}

impl<'t> Splices<'t> {
    /// Of a line, and what follows it.
    pub(crate) fn of(text: &'t [u8], end: End) -> Self {
        Self {
            text,
            end,
            from: 0,
            bad: 0,
            // Parsing from every mark to the end would let one hostile line take hours.
            work: text.len().saturating_mul(16),
            over: false,
        }
    }

    /// The next one; none behind the end. `event` reads bytes that begin with the mark and are one whole value, and is
    /// told whether they begin the line; it gives none for those that are no event, or not the one that is expected.
    pub(crate) fn next<T>(
        &mut self,
        event: impl Fn(&[u8], bool) -> Option<T>,
    ) -> Option<Splice<'t, T>> {
        while let Some(rest) = self.text.get(self.from..).filter(|rest| !rest.is_empty()) {
            if let Some((found, bytes)) = self.event(rest, &event) {
                let splice = Splice {
                    at: self.bad,
                    fragment: self.text.get(self.bad..self.from).unwrap_or_default(),
                    why: "splice",
                    event: Some((found, bytes)),
                };
                self.from += bytes.len();
                self.bad = self.from;
                return Some(splice);
            }
            let next = memmem::find(rest.get(1..).unwrap_or_default(), MARK);
            self.from += next.map_or(rest.len(), |n| n + 1);
        }
        (!std::mem::replace(&mut self.over, true)).then(|| self.left())
    }

    fn event<T>(
        &mut self,
        rest: &'t [u8],
        event: impl Fn(&[u8], bool) -> Option<T>,
    ) -> Option<(T, &'t [u8])> {
        if !rest.starts_with(MARK) || self.work == 0 {
            return None;
        }
        let read = line::value_len(rest);
        self.work = self.work.saturating_sub(read.unwrap_or_else(|n| n).max(1));
        let bytes = rest.get(..read.ok()?)?;
        Some((event(bytes, self.from == 0)?, bytes))
    }

    /// What stands behind the last event.
    fn left<T>(&self) -> Splice<'t, T> {
        let fragment = self.text.get(self.bad..).unwrap_or_default();
        let began = fragment.starts_with(MARK) || MARK.starts_with(fragment);
        let cut = began || self.end == End::File;
        Splice {
            at: self.bad,
            fragment,
            why: if cut { "torn" } else { "json" },
            event: None,
        }
    }
}
