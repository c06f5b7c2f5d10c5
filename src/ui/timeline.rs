//! The versions of a draft, walked one by one, each beside the one before it or beside a chosen one.

use super::compare::paper::Paper;
use super::compare::texts::Texts;
use super::compare::{At, Side};
use crate::domain::versions::{VersionRow, Versions};
use crate::domain::{Event, Seq, SessionId};

/// The timeline of a session.
#[derive(Debug)]
pub struct Timeline {
    /// The session.
    pub session: SessionId,
    /// The version that the others are compared with; the one before each when none.
    pub base: Option<Seq>,
    /// The changes of the one at hand, on a page.
    pub paper: Paper,
    /// The first row of the list that is shown.
    pub top: usize,
    versions: Versions,
    /// The newest event that was taken in.
    upto: Option<Seq>,
    /// The host has told them.
    is_here: bool,
    /// The one at hand, by its event: the newest when none.
    at: Option<Seq>,
    /// What the page shows.
    shown: Option<[Side; 2]>,
}

impl Timeline {
    /// The timeline of a session, not yet told.
    pub fn new(session: SessionId) -> Self {
        Self {
            session,
            base: None,
            paper: Paper::default(),
            top: 0,
            versions: Versions::default(),
            upto: None,
            is_here: false,
            at: None,
            shown: None,
        }
    }

    /// Takes in all versions.
    pub fn came(&mut self, rows: Vec<VersionRow>) {
        self.versions.rows = rows;
        self.upto = self.versions.rows.last().map(|r| r.seq);
        self.is_here = true;
    }

    /// Takes in what happens since.
    pub fn hear(&mut self, event: &Event) {
        if self.is_here && self.upto.is_none_or(|upto| event.seq > upto) {
            self.versions.take(event);
            self.upto = Some(event.seq);
        }
    }

    /// Whether the versions have come.
    pub fn is_here(&self) -> bool {
        self.is_here
    }

    /// The versions, oldest first.
    pub fn rows(&self) -> &[VersionRow] {
        &self.versions.rows
    }

    /// Which of them is at hand.
    pub fn index(&self) -> usize {
        let rows = self.rows();
        let found = self.at.and_then(|at| rows.iter().position(|r| r.seq == at));
        found.unwrap_or(rows.len().saturating_sub(1))
    }

    /// The one at hand.
    pub fn row(&self) -> Option<&VersionRow> {
        self.rows().get(self.index())
    }

    /// Goes some versions towards the newest, or back.
    pub fn walk(&mut self, by: isize) {
        let last = self.rows().len().saturating_sub(1);
        let to = self.index().saturating_add_signed(by).min(last);
        self.at = self.rows().get(to).map(|r| r.seq);
    }

    /// The one at hand is what the others are compared with, or is so no more.
    pub fn mark(&mut self) -> bool {
        let seq = self.row().map(|r| r.seq);
        self.base = if self.base == seq { None } else { seq };
        self.base.is_some()
    }

    /// The two texts that are shown: what is compared with, and the version at hand.
    pub fn pair(&self) -> Option<[Side; 2]> {
        let at = self.index();
        let row = self.rows().get(at)?;
        // What was proposed was made from a version that it names, and no version follows it.
        let before = || self.rows().iter().take(at).rfind(|r| !r.is_proposed());
        let before = row.stands.proposed.or_else(|| before().map(|r| r.seq));
        let base = self.base.or(before.filter(|seq| *seq > 0));
        let base = base.map_or(At::Nothing, At::Version);
        let session = self.session;
        let old = Side { session, at: base };
        Some([old, Side::version(session, row.seq)])
    }

    /// The texts it shows.
    pub fn sides(&self) -> Vec<Side> {
        self.pair().into_iter().flatten().collect()
    }

    /// Takes in the texts that have come.
    pub fn look(&mut self, texts: &Texts) {
        let pair = self.pair();
        if pair != self.shown {
            self.shown = pair;
            self.paper = Paper::default();
        }
        let Some(pair) = pair else {
            return;
        };
        let [left, right] = pair.map(|side| texts.text(side));
        if let (Some(left), Some(right)) = (left, right) {
            self.paper.set(&left, &right);
        }
    }
}
