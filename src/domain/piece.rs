//! A piece as its collection sees it.

use serde::{Deserialize, Serialize};

use super::id::SessionId;
use super::stage::Stage;

/// What a collection says of one of its pieces: a `[[piece]]` of its `collection.toml`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Piece {
    /// The session.
    pub id: SessionId,
    /// Where it stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stage: Option<Stage>,
    /// Words it is to have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<u64>,
    /// Its line in the index of pieces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
}

/// What a collection says of a piece, and behind how many others. A family is one piece, whichever of its sessions is
/// named; `family` begins with its main line, which comes first.
pub fn said_of<'a>(pieces: &'a [Piece], family: &[SessionId]) -> Option<(usize, &'a Piece)> {
    let all = || pieces.iter().enumerate();
    all()
        .find(|(_, p)| family.first() == Some(&p.id))
        .or_else(|| all().find(|(_, p)| family.contains(&p.id)))
}

/// Where a piece stands: as its collection says, which is all there is to it also where it says nothing, so that what is
/// taken out of its file by hand or by git is gone. None of a collection that is not there, and of a variant, which its file
/// does not speak of: these stand where their own log says.
pub fn stage(listed: Option<&[Piece]>, family: &[SessionId], log: Option<Stage>) -> Option<Stage> {
    match listed {
        Some(pieces) => said_of(pieces, family).and_then(|(_, said)| said.stage),
        None => log,
    }
}

/// By what the pieces of a collection come in order: as its file lists them, `at` being how many it lists before this
/// one, those it does not list behind, by age. The age is that of `first`, the session its family began with. A list that
/// is by age itself is nobody's order: what is said in it of some pieces puts none of them before the others.
pub fn place(pieces: &[Piece], at: Option<usize>, first: SessionId) -> (usize, SessionId) {
    let at = at.filter(|_| !pieces.is_sorted_by_key(|p| p.id));
    (at.unwrap_or(usize::MAX), first)
}

impl Piece {
    /// A piece of which nothing is said.
    pub const fn new(id: SessionId) -> Self {
        Self {
            id,
            stage: None,
            target: None,
            line: None,
        }
    }
}
