//! What stands in a collection where a change would put something else: what an undo brings back.

use super::{Collection, Piece};
use crate::domain::{Change, SessionId};

impl Collection {
    /// The change that would bring back what is there now in place of this one.
    pub fn standing(&self, change: &Change) -> Change {
        let piece = |id: &SessionId| self.piece(*id);
        match change {
            Change::Title(_) => Change::Title(self.title.clone()),
            Change::About(_) => Change::About(self.about.clone()),
            Change::Target(_) => Change::Target(self.target),
            Change::Day(_) => Change::Day(self.day),
            Change::Order(_) => Change::Order(self.order),
            Change::Archived(_) => Change::Archived(self.archived),
            Change::Allow(_) => Change::Allow(self.rights.allow.clone()),
            Change::Agent(..) => Change::Agent(self.agent.clone(), self.model.clone()),
            Change::Pieces(to) | Change::Listed(to, _) => self.listed(to),
            Change::Stage(id, _) => Change::Stage(*id, piece(id).and_then(|p| p.stage)),
            Change::PieceTarget(id, _) => {
                Change::PieceTarget(*id, piece(id).and_then(|p| p.target))
            }
            Change::Line(id, _) => Change::Line(*id, piece(id).and_then(|p| p.line.clone())),
            Change::In(Piece { id, .. }, _) | Change::Out(id) => match piece(id) {
                Some(piece) => Change::In(piece.clone(), Some(self.position(*id))),
                None => Change::Out(*id),
            },
        }
    }

    /// The order as it is, and which of these it gets from nothing but their age.
    fn listed(&self, to: &[SessionId]) -> Change {
        let listed = self.pieces.iter().map(|p| p.id).collect();
        let mut others: Vec<SessionId> = to.to_vec();
        others.retain(|id| self.piece(*id).is_none());
        // So are those shown that are not listed.
        others.sort_unstable();
        if others.is_empty() {
            Change::Pieces(listed)
        } else {
            Change::Listed(listed, others)
        }
    }

    /// Whether its pieces come in that order, those that are not named left out: others may have come since.
    fn has_order(&self, then: &[SessionId]) -> bool {
        let now = self.pieces.iter().map(|p| p.id);
        now.filter(|id| then.contains(id)).eq(then.iter().copied())
    }

    /// Whether it says what a change made it say.
    pub fn is_as(&self, change: &Change) -> bool {
        match change {
            Change::Pieces(then) | Change::Listed(then, _) => return self.has_order(then),
            _ => {}
        }
        let now = self.standing(change);
        match (&now, change) {
            (Change::In(now, _), Change::In(then, _)) => now == then,
            _ => now == *change,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::super::tests::workspace;
    use super::super::{Drawer, edit};
    use super::*;
    use crate::domain::Stage;

    #[test]
    fn each_change_is_taken_back_by_what_stood_before_it() {
        let id = |n| SessionId::new(uuid::Uuid::from_u128(n));
        let text = format!(
            "id = \"a\"\ntitle = \"A\"\nday = 3\n\n[[piece]]\nid = \"{}\"\n\n[[piece]]\nid = \"{}\"\nline = \"two\"\n",
            id(4),
            id(1)
        );
        let (dir, workspace) = workspace(&[("a", &text)]);
        let now = || Drawer::of(&workspace).collections[0].clone();
        for change in [
            Change::Title("B".into()),
            Change::About(Some("x".into())),
            Change::Target(Some(9)),
            Change::Day(None),
            Change::Order(Some(1)),
            Change::Allow(vec!["web".into()]),
            Change::Agent(Some("claude".into()), Some("opus".into())),
            Change::Pieces(vec![id(1), id(4)]),
            Change::Stage(id(4), Some(Stage::Done)),
            Change::PieceTarget(id(1), Some(5)),
            Change::Line(id(1), None),
            Change::In(Piece::new(id(3)), Some(0)),
            Change::Out(id(4)),
        ] {
            let before = now();
            let was = before.standing(&change);
            edit(&workspace, &before, std::slice::from_ref(&change)).unwrap();
            assert!(now().is_as(&change) && !before.is_as(&change), "{change:?}");
            edit(&workspace, &now(), &[was]).unwrap();
            let mut after = now();
            after.rights.allow.clear();
            assert_eq!(after, before, "{change:?}");
        }
        assert!(dir.path().join("a").exists());
    }
}
