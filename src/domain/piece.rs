//! A piece as its collection sees it.

use serde::{Deserialize, Serialize};

use super::id::SessionId;
use super::stage::Stage;

/// What a collection says of one of its pieces: a `[[piece]]` of its `collection.toml`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Piece {
    /// The session.
    pub id: SessionId,
    /// Where it stands; what the session's own log says where this is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stage: Option<Stage>,
    /// Words it is to have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<u64>,
    /// Its line in the index of pieces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
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
