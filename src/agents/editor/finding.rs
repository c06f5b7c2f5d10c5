//! What a check finds.

use std::ops::Range;

/// Something to look at in a draft.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// Which check found it: a name of [`super::checks::CHECKS`].
    pub kind: &'static str,
    /// Where, in bytes of the draft.
    pub at: Range<usize>,
    /// What is wrong, a sentence.
    pub what: String,
    /// What to change, a sentence.
    pub change: String,
    /// The change itself; none where only the writer can make it. In order, apart from each other.
    pub fix: Vec<Change>,
    /// Whether what stands there may be meant: its change is made only when its number is named.
    pub meant: bool,
}

/// A piece of text in place of another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// What goes, in bytes of the draft.
    pub at: Range<usize>,
    /// What comes.
    pub with: String,
}

impl Finding {
    /// Whether it is mended without being named.
    pub fn is_mechanical(&self) -> bool {
        !self.fix.is_empty() && !self.meant
    }
}

impl Change {
    /// A change.
    pub fn new(at: Range<usize>, with: impl Into<String>) -> Self {
        Self {
            at,
            with: with.into(),
        }
    }
}

/// Makes changes, in whatever order they come. Of two that meet, the one that begins first is made; the
/// number of changes that were not.
pub fn changed(text: &str, changes: impl IntoIterator<Item = Change>) -> (String, usize) {
    let mut changes: Vec<Change> = changes.into_iter().collect();
    changes.sort_by_key(|c| (c.at.start, c.at.end));
    changes.dedup();
    let mut out = String::with_capacity(text.len());
    let (mut from, mut left) = (0, 0);
    let mut last: Option<Range<usize>> = None;
    for change in changes {
        let meets = last
            .as_ref()
            .is_some_and(|l| change.at.start < l.end || change.at == *l);
        let before = text.get(from..change.at.start).filter(|_| !meets);
        match (before, text.get(change.at.clone())) {
            (Some(before), Some(_)) => {
                out.push_str(before);
                out.push_str(&change.with);
                from = change.at.end;
                last = Some(change.at);
            }
            _ => left += 1,
        }
    }
    out.push_str(text.get(from..).unwrap_or_default());
    (out, left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_made_in_place_and_of_two_that_meet_the_first() {
        let text = "One two  three灯台";
        let changes = [
            Change::new(16..17, ""),
            Change::new(7..9, " "),
            Change::new(0..3, "A"),
            Change::new(2..5, "B"),
            Change::new(7..9, " "),
        ];
        assert_eq!(changed(text, changes), ("A two three灯台".to_owned(), 2));
        assert_eq!(changed(text, []).0, text);
    }
}
