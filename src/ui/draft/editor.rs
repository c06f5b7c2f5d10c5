//! The draft being written: text, caret, selection, undo. Pure: keys go in, splices come out.

use std::ops::Range;

use super::caret::Caret;
use super::history::{Change, History, Sort};
use super::layout::{Layout, Spot};
use super::page::Page;
use super::words::Words;
use crate::domain::Splice;

/// A text being edited.
#[derive(Debug, Default)]
pub struct Editor {
    pub(super) words: Words,
    pub(super) layout: Layout,
    pub(super) caret: Caret,
    pub(super) history: History,
    /// Changes that nobody was told of yet.
    out: Vec<Splice>,
    /// Words there were when the writer sat down, and what others brought or took since.
    sat: i64,
    pub(super) page: Page,
    /// Why the text can only be read.
    locked: Option<String>,
    /// A change was wanted while it can only be read.
    balked: bool,
    /// Lines that somebody else changed, until the next key.
    pub(super) news: Vec<Range<usize>>,
}

impl Editor {
    /// Begins with a text, the caret at its start.
    pub fn new(text: &str) -> Self {
        let words = Words::new(text);
        let mut editor = Self {
            words,
            page: Page {
                tall: 24,
                ..Page::default()
            },
            ..Self::default()
        };
        editor.caret.at = editor.words.start();
        editor.sat = editor.many();
        editor.layout.fit(77, &editor.words);
        editor
    }

    /// Lets the writer read only, and says why; or write again.
    pub fn lock(&mut self, why: Option<String>) {
        self.locked = why;
    }

    /// Why the text can only be read.
    pub fn locked(&self) -> Option<&str> {
        self.locked.as_deref()
    }

    /// Why a change that was wanted since the last look was not made.
    pub fn balked(&mut self) -> Option<String> {
        std::mem::take(&mut self.balked).then(|| self.locked.clone())?
    }

    /// Changes that nobody was told of yet.
    pub fn out(&self) -> &[Splice] {
        &self.out
    }

    /// The text.
    pub fn words(&self) -> &Words {
        &self.words
    }

    /// Where the caret stands, in bytes.
    pub fn caret(&self) -> usize {
        self.caret.at
    }

    /// Words the writer brought here since sitting down, less those taken out; what others wrote does not count.
    pub fn gained(&self) -> i64 {
        self.many().saturating_sub(self.sat)
    }

    fn many(&self) -> i64 {
        i64::try_from(self.words.count()).unwrap_or(i64::MAX)
    }

    /// What was changed since this was last asked, in order.
    pub fn take_out(&mut self) -> Vec<Splice> {
        std::mem::take(&mut self.out)
    }

    /// Whether something was changed since.
    pub fn has_out(&self) -> bool {
        !self.out.is_empty()
    }

    /// Puts a text in the place of a range, as the writer's own change.
    pub(super) fn edit(&mut self, range: Range<usize>, insert: &str, sort: Sort, now: i64) {
        let Some(change) = self.make(range, insert) else {
            return;
        };
        self.history.record(change, sort, now);
        self.unselect();
    }

    /// Whether changes are not made now; that one was wanted is kept.
    fn balks(&mut self) -> bool {
        self.balked |= self.locked.is_some();
        self.locked.is_some()
    }

    /// Makes a change and keeps what it was.
    fn make(&mut self, range: Range<usize>, insert: &str) -> Option<Change> {
        if self.balks() {
            return None;
        }
        let range = range.start.max(self.words.start())..range.end.max(self.words.start());
        let change = Change {
            at: range.start,
            removed: self.words.slice(range.clone()),
            inserted: insert.to_owned(),
        };
        if change.removed == change.inserted || !self.replace(range.clone(), insert) {
            return None;
        }
        self.tell(range.start, range.len(), insert);
        self.caret.at = change.at + insert.len();
        (self.caret.hangs, self.caret.goal) = (false, None);
        (self.caret.rests, self.page.turned) = (false, None);
        Some(change)
    }

    /// Keeps a change for whoever is to be told; one that goes on with the last one is one with it.
    fn tell(&mut self, at: usize, remove: usize, insert: &str) {
        if let Some(last) = self.out.last_mut() {
            let end = last.at + last.insert.len();
            if at == end && remove == 0 {
                last.insert.push_str(insert);
                return;
            }
            if at >= last.at && at + remove == end && insert.is_empty() {
                last.insert.truncate(at - last.at);
                return;
            }
        }
        let insert = insert.to_owned();
        self.out.push(Splice { at, remove, insert });
    }

    fn replace(&mut self, range: Range<usize>, insert: &str) -> bool {
        let lines = (
            self.words.line_of(range.start),
            self.words.line_of(range.end),
        );
        let (at, removed) = (range.start, range.len());
        if !self.words.replace(range, insert) {
            return false;
        }
        self.layout
            .changed(&self.words, (at, removed, insert.len()), lines);
        true
    }

    /// Types a text over the selection, or where the caret is.
    pub fn type_text(&mut self, text: &str, now: i64) {
        // The letters behind the first one are of the same step: what was selected comes back with them.
        let range = self.selection().unwrap_or(self.caret.at..self.caret.at);
        self.edit(range, text, Sort::Typing, now);
    }

    /// Ends the line as the lines around it end.
    pub fn newline(&mut self, now: i64) {
        let end = self.words.line_end(self.caret.at);
        self.type_text(end, now);
    }

    /// Puts a text in as one step. Line ends become those of the place when the text has only plain ones.
    pub fn paste(&mut self, text: &str, now: i64) {
        let end = self.words.line_end(self.caret.at);
        let plain = text.replace("\r\n", "\n").replace('\r', "\n");
        let text = if end == "\n" {
            plain
        } else {
            plain.replace('\n', end)
        };
        let range = self.selection().unwrap_or(self.caret.at..self.caret.at);
        self.edit(range, &text, Sort::Whole, now);
    }

    /// Takes away from the caret to a place, or the selection.
    pub fn delete_to(&mut self, to: usize, now: i64) {
        if let Some(range) = self.selection() {
            return self.edit(range, "", Sort::Whole, now);
        }
        let at = self.caret.at;
        let one = to == self.words.before(at) || to == self.words.after(at);
        let sort = if one { Sort::Deleting } else { Sort::Whole };
        self.edit(at.min(to)..at.max(to), "", sort, now);
    }

    /// Takes the selection away and gives it; none where nothing is selected, or can be taken away.
    pub fn cut(&mut self, now: i64) -> Option<String> {
        let text = self.selected()?;
        if self.balks() {
            return None;
        }
        self.delete_to(self.caret.at, now);
        Some(text)
    }

    /// Changes several ranges, from first to last, in one step.
    pub fn replace_all(&mut self, ranges: &[Range<usize>], with: &str, now: i64) {
        let mut changes = Vec::new();
        for range in ranges.iter().rev() {
            changes.extend(self.make(range.clone(), with));
        }
        if !changes.is_empty() {
            self.history.record_all(changes, now);
            self.unselect();
        }
    }

    /// Takes the last own change back; false when there is none.
    pub fn undo(&mut self) -> bool {
        if self.balks() {
            return false;
        }
        let changes = self.history.undo();
        self.again(changes)
    }

    /// Makes it again; false when there is none.
    pub fn redo(&mut self) -> bool {
        if self.balks() {
            return false;
        }
        let changes = self.history.redo();
        self.again(changes)
    }

    fn again(&mut self, changes: Option<Vec<Change>>) -> bool {
        let Some(changes) = changes else {
            return false;
        };
        for change in changes {
            self.make(
                change.at..change.at + change.removed.len(),
                &change.inserted,
            );
        }
        self.unselect();
        true
    }

    /// Makes changes of others: the caret stays at its words, own changes can still be undone, and nobody is told.
    pub fn take_in(&mut self, others: &[Splice]) {
        self.history.carry(others);
        let before = self.many();
        for splice in others {
            let range = splice.at..splice.at + splice.remove;
            let last = self.words.line_of(range.end);
            if !self.replace(range.clone(), &splice.insert) {
                continue;
            }
            let end = range.start + splice.insert.len();
            if last < self.page.top.line {
                // Lines that came above the page do not move it.
                self.page.top.line = self.page.top.line + self.words.line_of(end) - last;
            }
            let moved = |at: usize| moved(at, &range, splice.insert.len());
            self.caret.at = moved(self.caret.at);
            self.caret.anchor = self.caret.anchor.map(moved);
            for news in &mut self.news {
                *news = moved(news.start)..moved(news.end);
            }
            self.news.push(range.start..end);
        }
        self.caret.at = self.words.floor(self.caret.at);
        (self.caret.hangs, self.caret.goal) = (false, None);
        self.sat = self.sat.saturating_add(self.many() - before);
    }

    /// What is to be told now, whatever it was: the text was put on another one.
    pub fn set_out(&mut self, out: Vec<Splice>) {
        self.out = out;
    }

    /// Where the caret is on the page.
    pub(super) fn spot(&mut self) -> Spot {
        self.layout
            .spot(&self.words, self.caret.at, self.caret.hangs)
    }
}

/// Where a place is behind a change of others.
fn moved(at: usize, range: &Range<usize>, insert: usize) -> usize {
    if at <= range.start {
        at
    } else if at >= range.end {
        at - range.len() + insert
    } else {
        range.start + (at - range.start).min(insert)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use proptest::prelude::*;

    use super::*;
    use crate::domain::splice::spliced;

    const MIXED: &str = include_str!("../../../tests/fixtures/mixed-script.md");

    #[test]
    fn a_draft_in_many_scripts_is_walked_and_deleted_by_whole_characters() {
        use unicode_segmentation::UnicodeSegmentation;
        let mut editor = Editor::new(MIXED);
        editor.go(MIXED.len(), false);
        for (at, _) in MIXED.grapheme_indices(true).rev() {
            editor.go(editor.words.before(editor.caret.at), false);
            assert_eq!(editor.caret(), at);
        }
        editor.go(MIXED.len(), false);
        for (at, _) in MIXED.grapheme_indices(true).rev() {
            editor.delete_to(editor.words.before(editor.caret.at), 0);
            assert_eq!(editor.words.text(), MIXED.get(..at).unwrap());
        }
        while editor.undo() {}
        assert_eq!(editor.words.text(), MIXED);
    }

    #[test]
    fn a_new_line_ends_as_those_around_it_and_no_other_byte_changes() {
        let text = "\u{feff}# Title\r\n\r\nREPLACEME here.\r\nLast line without end";
        let mut editor = Editor::new(text);
        let at = text.find("REPLACEME").unwrap();
        editor.select(at..at + 9);
        editor.type_text("DONE", 0);
        editor.go(editor.words.len(), false);
        editor.newline(0);
        let wanted = text.replace("REPLACEME", "DONE") + "\r\n";
        assert_eq!(editor.words.text(), wanted);
        editor.select(0..editor.words.len());
        editor.delete_to(0, 0);
        assert_eq!(editor.words.text(), "\u{feff}");
        while editor.undo() {}
        assert_eq!(editor.words.text(), text);
    }

    #[test]
    fn what_was_typed_over_a_selection_is_one_step_of_undo() {
        let text = "One two three.";
        let mut editor = Editor::new(text);
        editor.select(4..7);
        for letter in ["z", "w", "o"] {
            editor.type_text(letter, 0);
        }
        assert_eq!(editor.words.text(), "One zwo three.");
        assert!(editor.undo());
        assert_eq!(editor.words.text(), text);
        assert!(editor.redo() && !editor.redo());
        assert_eq!(editor.words.text(), "One zwo three.");
    }

    #[test]
    fn a_selection_grows_from_word_to_everything() {
        let text = "One two. Three four.\n\nFive.";
        let mut editor = Editor::new(text);
        editor.go(14, false);
        let mut seen = Vec::new();
        for _ in 0..4 {
            editor.select_more();
            seen.push(editor.selected().unwrap());
        }
        assert_eq!(seen, ["Three", "Three four.", "One two. Three four.", text]);
    }

    #[test]
    fn what_others_write_leaves_caret_selection_and_undo_where_they_were() {
        let mut editor = Editor::new("One.\n\nTwo.\n\nThree.");
        editor.go(6, false);
        editor.type_text("Mine ", 0);
        editor.select(6..10);
        let insert = "Zero.\n\n".to_owned();
        editor.take_in(&[Splice {
            at: 0,
            remove: 4,
            insert,
        }]);
        assert_eq!(editor.selected().as_deref(), Some("Mine"));
        assert!(editor.undo());
        assert_eq!(editor.words.text(), "Zero.\n\n\n\nTwo.\n\nThree.");
        assert!(editor.redo());
        assert_eq!(editor.words.text(), "Zero.\n\n\n\nMine Two.\n\nThree.");
    }

    #[test]
    fn words_are_counted_since_the_writer_sat_down() {
        let mut editor = Editor::new("One two.");
        editor.take_in(&[Splice {
            at: 0,
            remove: 0,
            insert: "Not mine. ".to_owned(),
        }]);
        editor.go(editor.words.len(), false);
        editor.type_text(" three four", 0);
        assert_eq!((editor.words.count(), editor.gained()), (6, 2));
        editor.undo();
        assert_eq!(editor.gained(), 0);
        editor.take_in(&[Splice {
            at: 0,
            remove: editor.words.len(),
            insert: String::new(),
        }]);
        assert_eq!((editor.words.count(), editor.gained()), (0, 0));
    }

    proptest! {
        #[test]
        fn any_edits_are_those_of_a_plain_text_and_are_undone_to_the_first_byte(
            text in "([ab ]{0,6}|灯台|e\u{301}|\n|\r\n|👩\u{200d}🔬){0,16}",
            edits in prop::collection::vec((0usize..50, 0usize..8, "([a ]|灯|\n){0,3}", 0i64..5_000), 0..12),
            back in 0usize..12,
        ) {
            let mut editor = Editor::new(&text);
            editor.layout.fit(12, &editor.words);
            let (mut plain, mut told, mut now) = (text.clone(), text.clone(), 0);
            for (at, len, insert, ms) in edits {
                now += ms;
                let from = editor.words.floor(at.min(plain.len()));
                let to = editor.words.floor((from + len).min(plain.len()));
                editor.edit(from..to, &insert, if len == 0 { Sort::Typing } else { Sort::Whole }, now);
                plain.replace_range(from..to, &insert);
                prop_assert_eq!(&editor.words.text(), &plain);
                told = spliced(&told, &editor.take_out()).unwrap();
                prop_assert_eq!(&told, &plain);
                let mut fresh = Layout::default();
                fresh.fit(12, &editor.words);
                for n in 0..editor.words.lines() {
                    prop_assert_eq!(fresh.rows(&editor.words, n), editor.layout.rows(&editor.words, n));
                }
            }
            for _ in 0..back {
                editor.undo();
            }
            while editor.redo() {}
            prop_assert_eq!(&editor.words.text(), &plain);
            while editor.undo() {}
            prop_assert_eq!(&editor.words.text(), &text);
            told = spliced(&told, &editor.take_out()).unwrap();
            prop_assert_eq!(&told, &text);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

        #[test]
        fn any_keys_at_any_width_keep_whole_characters(
            keys in prop::collection::vec((0usize..14, prop::bool::ANY, prop::bool::ANY), 0..60),
            width in 20u16..121,
        ) {
            use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
            use ratatui::{buffer::Buffer, layout::Rect};
            const CODES: [KeyCode; 14] = [
                KeyCode::Left, KeyCode::Right, KeyCode::Up, KeyCode::Down, KeyCode::Home, KeyCode::End,
                KeyCode::PageUp, KeyCode::PageDown, KeyCode::Backspace, KeyCode::Delete, KeyCode::Enter,
                KeyCode::Char('x'), KeyCode::Char('灯'), KeyCode::Char(' '),
            ];
            let mut editor = Editor::new(MIXED);
            for (code, far, select) in keys {
                let mut mods = KeyModifiers::NONE;
                mods.set(KeyModifiers::CONTROL, far && !matches!(CODES[code], KeyCode::Char(_)));
                mods.set(KeyModifiers::SHIFT, select);
                editor.press(KeyEvent::new(CODES[code], mods), 0);
                let at = editor.caret();
                prop_assert_eq!(editor.words.floor(at), at);
                let mut buf = Buffer::empty(Rect::new(0, 0, width, 12));
                let theme = crate::ui::theme::Theme::default();
                let caret = editor.draw(buf.area, &mut buf, &theme, true, crate::ui::draft::Found::default(), &mut crate::ui::draft::Never::default());
                let spot = caret.unwrap();
                prop_assert!(spot.y <= 8 && spot.x < width, "{:?}", spot);
            }
            while editor.undo() {}
            prop_assert_eq!(editor.words.text(), MIXED);
        }
    }
}
