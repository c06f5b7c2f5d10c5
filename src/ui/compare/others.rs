//! One paragraph in every text of a family, one below the other: to read and to pick from.

use std::sync::Arc;

use super::texts::Texts;
use super::view::request;
use super::{Side, view::Taking};
use crate::text::compare::{Comparison, Kind, Paragraph, compare};

/// The paragraph in each of them.
#[derive(Debug)]
pub struct Others {
    /// The draft that is written to.
    pub target: Side,
    /// The text that the paragraph was at hand in, and its number there.
    pub anchor: (Side, usize),
    /// The others, in the order of the list.
    pub members: Vec<Side>,
    /// The one at hand, the target itself being the first.
    pub at: usize,
    /// The first that is shown.
    pub top: usize,
    /// The paragraph in each, the target's first; none where the text has not come.
    pub found: Vec<Option<Found>>,
    /// The text that the paragraph was looked up in.
    read: Option<Arc<str>>,
}

/// The paragraph in one text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The text it was looked for in.
    text: Arc<str>,
    /// Its number; none where there is none like it.
    pub n: Option<usize>,
    /// Its words.
    pub words: String,
}

impl Others {
    /// A paragraph of a text, in a draft and in others.
    pub fn new(target: Side, anchor: (Side, usize), members: Vec<Side>) -> Self {
        Self {
            target,
            anchor,
            found: vec![None; members.len() + 1],
            members,
            at: 0,
            top: 0,
            read: None,
        }
    }

    /// Every text it shows.
    pub fn sides(&self) -> Vec<Side> {
        let mut sides = vec![self.target, self.anchor.0];
        sides.extend(&self.members);
        sides.dedup();
        sides
    }

    /// The text in a row.
    pub fn side(&self, row: usize) -> Option<Side> {
        match row.checked_sub(1) {
            None => Some(self.target),
            Some(n) => self.members.get(n).copied(),
        }
    }

    /// Goes on or back.
    pub fn step(&mut self, on: bool) {
        let last = self.members.len();
        self.at = if on {
            (self.at + 1).min(last)
        } else {
            self.at.saturating_sub(1)
        };
    }

    /// Takes in the texts that have come.
    pub fn look(&mut self, texts: &Texts) {
        let Some(anchor) = texts.text(self.anchor.0) else {
            return;
        };
        if self
            .read
            .as_ref()
            .is_none_or(|read| !Arc::ptr_eq(read, &anchor))
        {
            // The paragraph stands elsewhere, where words came before it.
            if let Some(read) = self.read.replace(Arc::clone(&anchor)) {
                let n = found(&read, self.anchor.1, &anchor).n;
                self.anchor.1 = n.unwrap_or(self.anchor.1);
            }
            self.found.fill(None);
        }
        for row in 0..self.found.len() {
            let Some(text) = self.side(row).and_then(|s| texts.text(s)) else {
                continue;
            };
            let n = self.anchor.1;
            if let Some(slot) = self.found.get_mut(row)
                && slot.as_ref().is_none_or(|f| !Arc::ptr_eq(&f.text, &text))
            {
                *slot = Some(found(&anchor, n, &text));
            }
        }
    }

    /// Whether there is a paragraph to pick at hand.
    pub fn can_pick(&self) -> bool {
        let found = self.found.get(self.at).and_then(Option::as_ref);
        self.at > 0 && found.is_some_and(|found| found.n.is_some())
    }

    /// What picking the one at hand asks of the host; none where it is the same already.
    pub fn pick(&self, texts: &Texts) -> Option<Taking> {
        let source = self.side(self.at).filter(|s| *s != self.target)?;
        let (left, right) = (texts.text(self.target)?, texts.text(source)?);
        let comparison = compare(&left, &right);
        self.found.first()?.as_ref()?;
        // Where it has none like it, there is nothing to pick: what stands in the draft is not picked away.
        let theirs = self.found.get(self.at)?.as_ref()?.n?;
        let at = place(&comparison, theirs)?;
        let splices = comparison.take(&left, &right, &[at]);
        (!splices.is_empty()).then(|| Taking {
            out: 0,
            request: request(self.target, source, texts, splices),
            many: 1,
        })
    }
}

/// The pair that a paragraph of the other text is in.
fn place(comparison: &Comparison, theirs: usize) -> Option<usize> {
    let is_it = |p: &Paragraph| p.n == theirs;
    let mut pairs = comparison.pairs.iter();
    pairs.position(|pair| pair.right.as_ref().is_some_and(is_it))
}

/// What stands for a paragraph in another text.
fn found(anchor: &str, n: usize, text: &Arc<str>) -> Found {
    let comparison = compare(anchor, text);
    let is_it = |at: &usize| {
        let pair = comparison.pairs.get(*at);
        let left = pair.and_then(|p| p.left.as_ref());
        left.is_some_and(|p| p.n == n)
    };
    let at = (0..comparison.pairs.len()).find(is_it);
    let there = at.and_then(|at| {
        let pair = comparison.pairs.get(at)?;
        match pair.kind {
            Kind::Left => None,
            _ => comparison.both(at).map(|(_, right)| right),
        }
    });
    Found {
        text: Arc::clone(text),
        n: there.map(|p| p.n),
        words: there.map_or_else(String::new, |p| p.of_text(text).to_owned()),
    }
}
