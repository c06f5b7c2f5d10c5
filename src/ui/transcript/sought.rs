//! Words that were looked for, found in rows: one may stand on two of them.

use std::ops::Range;

use super::Transcript;
use super::page::Place;
use super::row::Row;
use crate::domain::Seq;
use crate::text::find::Query;
use crate::text::width;

/// Places that are marked of each word at most.
const MARKED_MAX: usize = 1_000;

/// Rows one below the other, as one text.
pub(super) struct Rows {
    text: String,
    /// Where each begins in it, and the cells before its words.
    starts: Vec<(usize, usize)>,
}

impl Rows {
    pub(super) fn of<'r>(rows: impl Iterator<Item = &'r Row>) -> Self {
        let (mut text, mut starts) = (String::new(), Vec::new());
        for row in rows {
            starts.push((text.len(), row.extent().0));
            text.push_str(&row.text());
            if !row.is_soft() {
                text.push('\n');
            }
        }
        Self { text, starts }
    }

    /// The cells of each row that are to be marked.
    pub(super) fn marks(&self, query: &Query) -> Vec<(usize, Range<usize>)> {
        let found = query.places(&self.text, MARKED_MAX);
        found.iter().flat_map(|place| self.cells(place)).collect()
    }

    /// The row in which the first of the words stands, when all of them are there.
    fn first(&self, query: &Query) -> Option<usize> {
        let place = query.find(&self.text)?;
        self.row_of(place.start)
    }

    fn row_of(&self, at: usize) -> Option<usize> {
        self.starts
            .partition_point(|start| start.0 <= at)
            .checked_sub(1)
    }

    fn cells(&self, place: &Range<usize>) -> impl Iterator<Item = (usize, Range<usize>)> {
        let rows = self.row_of(place.start).unwrap_or_default()..self.starts.len();
        let place = place.clone();
        rows.map_while(move |row| {
            let (start, lead) = *self.starts.get(row)?;
            let end = self.starts.get(row + 1).map_or(self.text.len(), |s| s.0);
            let from = place.start.max(start);
            let to = place.end.min(end);
            let x = |at: usize| lead + width(self.text.get(start..at).unwrap_or_default());
            // The space at the end of a row that was broken is no word.
            let words = self.text.get(from..to)?.trim_end().len();
            (words > 0).then(|| (row, x(from)..x(from + words)))
        })
    }
}

impl Transcript {
    /// Goes to the message that an event belongs to.
    pub fn seek_message(&mut self, seq: Seq) {
        let (mut doc, view) = self.parts();
        view.seek_message(&mut doc, seq);
    }

    /// Brings the first of the words into sight, wherever in the message that was gone to they stand.
    pub fn seek_words(&mut self, query: &Query) {
        let (mut doc, view) = self.parts();
        let Some(item) = view.reading(doc.items) else {
            return;
        };
        let shape = doc.shape(item);
        let height = doc.height(item);
        let Some(row) = Rows::of(doc.body(item, 0, height)).first(query) else {
            return;
        };
        let row = row + shape.head();
        let at = Place { item, row };
        let picked = view.picked;
        view.reveal(&mut doc, at);
        view.picked = picked;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;
    use crate::text::markdown::{Line, Mark};
    use crate::ui::transcript::row::rows;

    fn laid(text: &str, cols: usize) -> Rows {
        let mut out = Vec::new();
        let mut line = Line::of(text, Mark::NONE);
        line.lead = "> ".to_owned();
        line.hang = "> ".to_owned();
        rows(&line, cols, &mut out);
        Rows::of(out.iter())
    }

    #[test]
    fn words_over_the_end_of_a_row_are_marked_on_both() {
        let rows = laid("we took the old ferry home", 17);
        let query = Query::of("\"old ferry\" home").unwrap();
        assert_eq!(rows.marks(&query), [(0, 14..17), (1, 2..7), (1, 8..12)]);
        assert_eq!(rows.first(&query), Some(0));
        assert_eq!(rows.first(&Query::of("home ferry").unwrap()), Some(1));
    }
}
