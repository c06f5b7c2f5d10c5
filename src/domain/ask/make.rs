//! What new sessions are made of.

use serde::{Deserialize, Serialize};

use crate::domain::event::Seq;
use crate::domain::id::{CollectionId, SessionId};
use crate::domain::recipe::Recipe;

/// A new piece.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct NewSession {
    /// Collection; the inbox when none.
    pub collection: Option<CollectionId>,
    /// Title; from the first prompt when none.
    pub title: Option<String>,
    /// Agent; the collection's or the default when none.
    pub agent: Option<String>,
    /// First prompt.
    pub prompt: Option<String>,
    /// What is followed in it. Where its agent cannot do that no session is made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recipe: Option<Box<Recipe>>,
}

/// A variant of a session as of one of its events.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct NewVariant {
    /// The parent.
    pub session: SessionId,
    /// The newest event that the variant has; the newest there is when none.
    pub at: Option<Seq>,
    /// Name of the variant; from its first prompt when none.
    pub title: Option<String>,
    /// Its first prompt.
    pub prompt: Option<String>,
}

/// A history of another program.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct NewImport {
    /// The history's file.
    pub path: String,
    /// Collection; the inbox when none.
    pub collection: Option<CollectionId>,
    /// Also when it was imported before: as another session.
    pub again: bool,
}
