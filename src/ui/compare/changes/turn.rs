//! Which two texts show what a turn did: the versions tell.

use super::{Changes, What};
use crate::domain::Seq;
use crate::domain::event::By;
use crate::domain::versions::{VersionRow, drafts};
use crate::ui::compare::{At, Side};

impl Changes {
    /// Takes in the versions: those of the turn, and the one before. `newest` is the draft's newest event.
    pub fn versions(&mut self, rows: &[VersionRow], newest: Seq) {
        let What::Turn(turn) = self.what else {
            return;
        };
        self.is_known = true;
        let (all, rows) = (rows, drafts(rows));
        let turn = turn.or_else(|| rows.iter().rev().find_map(|r| r.turn));
        let is_its = |r: &&VersionRow| r.turn.is_some() && r.turn == turn;
        let first = rows.iter().position(is_its);
        let last = rows.iter().copied().rfind(is_its);
        let (Some(first), Some(last)) = (first, last) else {
            return;
        };
        let session = self.session;
        let before = first.checked_sub(1).and_then(|n| rows.get(n));
        let at = before.map_or(At::Nothing, |r| At::Version(r.seq));
        let old = Side { session, at };
        // Where its words did not become the draft they stand beside it: what it did is these.
        let beside = last.stands.beside.filter(|_| !is_agents(last));
        let aside = all
            .iter()
            .find(|r| Some(r.seq) == beside && is_agents(r) && r.turn == turn);
        self.is_aside = aside.is_some();
        let last = aside.unwrap_or(last);
        // Where nothing was written since, it is the draft itself, and what is taken back is gone from it at once.
        let new = if last.seq == newest {
            Side::draft(session)
        } else {
            Side::version(session, last.seq)
        };
        self.what = What::Turn(turn);
        self.by = Some(last.by.clone());
        if self.sides.is_none() {
            self.sides = Some([old, new]);
        }
    }
}

fn is_agents(row: &VersionRow) -> bool {
    matches!(row.by, By::Agent(_))
}
