//! Finding words in a draft, whatever their case, and putting others in their place.

use std::ops::Range;

use super::editor::Editor;

/// Places that are found at most.
pub(super) const FOUND_MAX: usize = 10_000;

/// Where a text stands in another, whatever the case of its letters.
pub fn find(text: &str, wanted: &str) -> Vec<Range<usize>> {
    crate::text::find::find(text, wanted, FOUND_MAX)
}

/// What is being looked for.
#[derive(Debug, Default)]
pub struct Search {
    /// Where it was found, in order.
    pub found: Vec<Range<usize>>,
    /// The chosen one.
    pub at: Option<usize>,
    /// Some were replaced: that none is left is no failure.
    pub replaced: bool,
    /// Where the caret was when it began.
    from: usize,
    /// The words last looked for.
    wanted: String,
}

impl Search {
    /// Begins at the caret.
    pub fn begin(editor: &Editor) -> Self {
        Self {
            from: editor.caret(),
            ..Self::default()
        }
    }

    /// Places that were found elsewhere, and the one of them that is nearest to where it was.
    pub fn of(found: Vec<Range<usize>>, near: usize) -> Self {
        let far = |at: &(usize, &Range<usize>)| at.1.start.abs_diff(near);
        let at = found.iter().enumerate().min_by_key(far).map(|(n, _)| n);
        Self {
            found,
            at,
            ..Self::default()
        }
    }

    /// Looks for other words: the first at or behind the place where it began is chosen.
    pub fn look(&mut self, wanted: &str, editor: &mut Editor) {
        if self.wanted != wanted {
            wanted.clone_into(&mut self.wanted);
            self.replaced = false;
        }
        self.found = find(&editor.words().text(), wanted);
        let next = self.found.partition_point(|r| r.start < self.from);
        self.at = match self.found.len() {
            0 => None,
            n => Some(next % n),
        };
        if self.at.is_none() {
            editor.go(self.from, false);
        }
        self.show(editor);
    }

    /// Goes to the next place, or the one before, round and round.
    pub fn go(&mut self, on: bool, editor: &mut Editor) {
        let many = self.found.len();
        self.at = self
            .at
            .map(|at| (at + if on { 1 } else { many - 1 }) % many);
        self.show(editor);
    }

    /// Puts other words in the chosen place and goes on to the next. False when there is none.
    pub fn put(&mut self, wanted: &str, with: &str, editor: &mut Editor, now: i64) -> bool {
        let Some(range) = self.at.and_then(|at| self.found.get(at)).cloned() else {
            return false;
        };
        self.from = range.start + with.len();
        editor.replace_all(&[range], with, now);
        self.look(wanted, editor);
        self.replaced = true;
        true
    }

    /// Puts other words in every place, as one step; says in how many.
    pub fn put_all(&mut self, wanted: &str, with: &str, editor: &mut Editor, now: i64) -> usize {
        let all = std::mem::take(&mut self.found);
        editor.replace_all(&all, with, now);
        self.look(wanted, editor);
        self.replaced |= !all.is_empty();
        all.len()
    }

    /// Goes to the chosen place.
    pub fn show(&mut self, editor: &mut Editor) {
        if let Some(range) = self.at.and_then(|at| self.found.get(at)) {
            editor.go(range.start, false);
            self.from = range.start;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_in_any_case_of_any_script() {
        assert_eq!(find("The other THE", "the"), [0..3, 5..8, 10..13]);
        assert_eq!(find("Ärger, ärger", "ÄRGER"), [0..6, 8..14]);
        assert_eq!(find("灯台の灯", "灯"), [0..3, 9..12]);
        assert_eq!(find("aaa", "aa"), std::slice::from_ref(&(0..2)));
        assert_eq!(find("İx", "x"), std::slice::from_ref(&(2..3)));
        assert!(find("abc", "").is_empty());
    }

    #[test]
    fn going_on_goes_round_and_replacing_goes_on() {
        let mut editor = Editor::new("one two one two one");
        editor.go(5, false);
        let mut search = Search::begin(&editor);
        search.look("one", &mut editor);
        assert_eq!(editor.caret(), 8);
        search.go(true, &mut editor);
        search.go(true, &mut editor);
        assert_eq!(editor.caret(), 0);
        assert!(search.put("one", "1", &mut editor, 0));
        assert_eq!(editor.words().text(), "1 two one two one");
        assert_eq!(editor.caret(), 6);
        assert_eq!(search.put_all("one", "1", &mut editor, 0), 2);
        editor.undo();
        assert_eq!(editor.words().text(), "1 two one two one");
    }
}
