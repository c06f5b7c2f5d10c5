//! Where the caret of a draft is, and what is selected from there.

use std::ops::Range;

use super::editor::Editor;
use super::motion;

/// Where the caret is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Caret {
    /// In bytes.
    pub(super) at: usize,
    /// The other end of the selection.
    pub(super) anchor: Option<usize>,
    /// Stands at the end of a row, not at the start of the next.
    pub(super) hangs: bool,
    /// The column that moves up and down keep to.
    pub(super) goal: Option<usize>,
    /// Moves select.
    pub(super) marking: bool,
    /// The writer has only come: nothing was moved or typed yet.
    pub(super) rests: bool,
}

impl Editor {
    /// The selected bytes, if any.
    pub fn selection(&self) -> Option<Range<usize>> {
        let (a, b) = (self.caret.anchor?, self.caret.at);
        (a != b).then(|| a.min(b)..a.max(b))
    }

    /// The selected text.
    pub fn selected(&self) -> Option<String> {
        Some(self.words.slice(self.selection()?))
    }

    /// Moves the caret; `select` keeps the other end of the selection where it is.
    pub fn go(&mut self, at: usize, select: bool) {
        self.history.close();
        self.page.turned = None;
        let select = select || self.caret.marking;
        let anchor = self.caret.anchor.unwrap_or(self.caret.at);
        self.caret = Caret {
            at: self.words.floor(at),
            anchor: select.then_some(anchor),
            marking: self.caret.marking,
            ..Caret::default()
        };
    }

    /// Selects a range, the caret at its end.
    pub fn select(&mut self, range: Range<usize>) {
        self.go(range.end, false);
        self.caret.anchor = Some(self.words.floor(range.start));
    }

    /// Selects nothing.
    pub fn unselect(&mut self) {
        (self.caret.anchor, self.caret.marking) = (None, false);
    }

    /// From here on every move selects, or no more.
    pub fn mark(&mut self) {
        self.caret.marking = !self.caret.marking;
        self.caret.anchor = self.caret.marking.then_some(self.caret.at);
    }

    /// Selects the word; what is selected already, more: sentence, paragraph, everything.
    pub fn select_more(&mut self) {
        let at = self.caret.at;
        let now = self.selection().unwrap_or(at..at);
        let inner = now.start;
        let line = self.words.line(self.words.line_of(inner));
        let all = self.words.start()..self.words.len();
        let wider = [
            motion::word_at(&self.words, inner),
            motion::sentence_at(&self.words, inner),
            line,
            all.clone(),
        ];
        let holds = |r: &Range<usize>| r.start <= now.start && r.end >= now.end && *r != now;
        let next = wider.into_iter().find(|r| holds(r) && !r.is_empty());
        self.select(next.unwrap_or(all));
    }
}
