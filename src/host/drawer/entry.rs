//! Under which of its sessions a collection speaks of a piece: after an adoption its file still names the main line
//! of before, and what is said there is said of the new one.

use super::super::shared::Shared;
use crate::config::Collection;
use crate::domain::kin::family_of;
use crate::domain::{Change, Row, SessionId, piece};

/// A change of what is said of pieces, under the names that the file has for them.
pub(super) fn named(shared: &Shared, shelf: &Collection, change: Change) -> Change {
    match change {
        Change::Pieces(order) => Change::Pieces(shared.rows.look(|rows| {
            let mut named: Vec<SessionId> = Vec::new();
            for id in order {
                let id = entry(rows, shelf, id);
                if !named.contains(&id) {
                    named.push(id);
                }
            }
            named
        })),
        Change::Stage(id, to) => Change::Stage(of(shared, shelf, id), to),
        Change::PieceTarget(id, to) => Change::PieceTarget(of(shared, shelf, id), to),
        Change::Line(id, to) => Change::Line(of(shared, shelf, id), to),
        other => other,
    }
}

/// The session under which the file says, or is to say, something of a session's piece.
pub(super) fn of(shared: &Shared, shelf: &Collection, id: SessionId) -> SessionId {
    shared.rows.look(|rows| entry(rows, shelf, id))
}

/// Whether a session stands for its piece: it is alone, or the main line.
pub(super) fn stands(shared: &Shared, id: SessionId) -> bool {
    let first = |rows: &[&Row]| {
        family_of(rows.iter().map(|r| r.member()), id)
            .first()
            .copied()
    };
    shared.rows.look(first) == Some(id)
}

fn entry(rows: &[&Row], shelf: &Collection, id: SessionId) -> SessionId {
    let family = family_of(rows.iter().map(|r| r.member()), id);
    piece::named(&shelf.pieces, &family).unwrap_or(id)
}
