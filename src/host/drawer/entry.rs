//! Under which of its sessions a collection speaks of a piece: after an adoption its file still names the main line
//! of before, and what is said there is said of the new one.

use super::super::shared::Shared;
use crate::config::{Collection, Drawer};
use crate::domain::kin::family_of;
use crate::domain::{Change, Row, SessionId, piece};

/// A change of what is said of pieces, under the names that the file has for them.
pub(super) fn named(shared: &Shared, shelf: &Collection, change: Change) -> Change {
    match change {
        Change::Pieces(order) => {
            Change::Pieces(shared.rows.look(|rows| whole(rows, shelf, &order)))
        }
        Change::Stage(id, to) => Change::Stage(of(shared, shelf, id), to),
        Change::PieceTarget(id, to) => Change::PieceTarget(of(shared, shelf, id), to),
        Change::Line(id, to) => Change::Line(of(shared, shelf, id), to),
        other => other,
    }
}

/// Whether the pieces lie there of which something is to be said; the error says which one does not, and where it lies.
pub(super) fn lies_here(
    shared: &Shared,
    drawer: &Drawer,
    shelf: &Collection,
    change: &Change,
) -> Result<(), String> {
    let ids = match change {
        Change::Pieces(order) => order.as_slice(),
        Change::Stage(id, _) | Change::PieceTarget(id, _) | Change::Line(id, _) => {
            std::slice::from_ref(id)
        }
        _ => return Ok(()),
    };
    shared.rows.look(|rows| {
        let mut known = ids
            .iter()
            .filter_map(|id| rows.iter().find(|r| r.id == *id));
        let Some(other) = known.find(|r| r.collection != shelf.id) else {
            return Ok(());
        };
        let there = drawer.get(&other.collection);
        let there = there.map_or(other.collection.as_str(), |c| &c.title);
        let (piece, here) = (&other.title, &shelf.title);
        Err(format!("“{piece}” lies in “{there}”, not in “{here}”."))
    })
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

/// An order of all pieces: behind those that are named the others as they are shown. One of some alone might be by age,
/// and would put nothing before the others.
fn whole(rows: &[&Row], shelf: &Collection, order: &[SessionId]) -> Vec<SessionId> {
    let here = rows
        .iter()
        .filter(|r| r.collection == shelf.id && !r.trashed);
    let listed = shelf.pieces.iter().map(|p| p.id);
    let here = here.map(|r| entry(rows, shelf, r.id));
    let mut others: Vec<SessionId> = here.chain(listed).collect();
    let at = |id: &SessionId| shelf.pieces.iter().position(|p| p.id == *id);
    others.sort_by_cached_key(|id| piece::place(&shelf.pieces, at(id), first_of(rows, *id)));
    let mut named: Vec<SessionId> = Vec::new();
    for id in order.iter().map(|id| entry(rows, shelf, *id)).chain(others) {
        if !named.contains(&id) {
            named.push(id);
        }
    }
    named
}

/// Where nothing is said yet it is the session that the family began with: by its age the piece is shown.
fn entry(rows: &[&Row], shelf: &Collection, id: SessionId) -> SessionId {
    let family = family_of(rows.iter().map(|r| r.member()), id);
    if let Some((_, said)) = piece::said_of(&shelf.pieces, &family) {
        return said.id;
    }
    let first = first_of(rows, id);
    let here = |r: &&Row| r.id == first && r.collection == shelf.id && !r.trashed;
    let main = family.first().copied().unwrap_or(id);
    rows.iter().copied().find(here).map_or(main, |r| r.id)
}

fn first_of(rows: &[&Row], id: SessionId) -> SessionId {
    let own = rows.iter().find(|r| r.id == id);
    own.map_or(id, |r| r.kin.family_of(id))
}
