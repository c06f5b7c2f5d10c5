//! A change of what a collection says of itself: one type for the request, the file and the log.

use serde::{Deserialize, Serialize};

use super::id::SessionId;
use super::piece::Piece;
use super::stage::Stage;

/// One change of a `collection.toml`. None takes a value out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// Its title.
    Title(String),
    /// What it is, in a line.
    About(Option<String>),
    /// Words of the whole.
    Target(Option<u64>),
    /// Words a day.
    Day(Option<u64>),
    /// Its place in the drawer.
    Order(Option<i64>),
    /// Out of the drawer, or back.
    Archived(bool),
    /// What agents may do beyond the draft.
    Allow(Vec<String>),
    /// The agent of its sessions, and the model to ask it for.
    Agent(Option<String>, Option<String>),
    /// The pieces in this order; those that are not named come after, in the order they have.
    Pieces(Vec<SessionId>),
    /// The order before one was given: those that were listed, then those that were not, in the order in which they
    /// were shown. The last of these, of which nothing is said, are listed no more.
    Listed(Vec<SessionId>, Vec<SessionId>),
    /// Where a piece stands.
    Stage(SessionId, Option<Stage>),
    /// Words a piece is to have.
    PieceTarget(SessionId, Option<u64>),
    /// Line of a piece in the index.
    Line(SessionId, Option<String>),
    /// A piece comes: behind so many others, else as the last.
    In(Piece, Option<usize>),
    /// A piece goes.
    Out(SessionId),
}

impl Change {
    /// Whether it is about the same as another: the same value, of the same piece.
    pub fn is_kin(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
            && self.piece() == other.piece()
    }

    /// The piece that it is about alone.
    const fn piece(&self) -> Option<SessionId> {
        match self {
            Self::Stage(id, _) | Self::PieceTarget(id, _) | Self::Line(id, _) | Self::Out(id) => {
                Some(*id)
            }
            Self::In(piece, _) => Some(piece.id),
            _ => None,
        }
    }

    /// What was changed, as an undo says it; begins with a capital letter.
    pub const fn what(&self) -> &'static str {
        match self {
            Self::Title(_) => "Its title",
            Self::About(_) => "Its description",
            Self::Target(_) => "Its target",
            Self::Day(_) => "Its words a day",
            Self::Order(_) => "Its place in the drawer",
            Self::Archived(_) => "Its place in the archive",
            Self::Allow(_) => "What its agents may do",
            Self::Agent(..) => "Its agent",
            Self::Pieces(_) | Self::Listed(..) => "The order of its pieces",
            Self::Stage(..) => "The stage of a piece",
            Self::PieceTarget(..) => "The target of a piece",
            Self::Line(..) => "The line of a piece",
            Self::In(..) | Self::Out(_) => "A piece of it",
        }
    }
}
