//! The page of a collection, as the writer walks through it.

use crate::domain::{CollectionId, SessionId};

/// How long a profile counts as what its file says, milliseconds: a writer changes it elsewhere.
const FRESH: i64 = 5_000;

/// The view.
#[derive(Debug)]
pub struct ShelfPage {
    /// The collection.
    pub collection: CollectionId,
    /// The piece under the cursor.
    pub at: Option<SessionId>,
    /// The first piece in view, as it was drawn last.
    pub top: usize,
    /// Since when it is told what changed, milliseconds since 1970; none the first time.
    pub since: Option<i64>,
    /// The first lines of its profile; none until they have come.
    pub profile: Option<String>,
    /// When it was asked for last.
    asked: Option<i64>,
}

impl ShelfPage {
    /// The page of a collection.
    pub fn new(collection: CollectionId, at: Option<SessionId>, since: Option<i64>) -> Self {
        Self {
            collection,
            at,
            top: 0,
            since,
            profile: None,
            asked: None,
        }
    }

    /// Whether the profile is to be asked for; from now on it is on its way.
    pub fn wants(&mut self, now: i64) -> bool {
        let wants = self.due().is_none_or(|due| due <= now);
        if wants {
            self.asked = Some(now);
        }
        wants
    }

    /// When it is to be asked for again; none before the first time.
    pub fn due(&self) -> Option<i64> {
        self.asked.map(|at| at + FRESH)
    }

    /// Moves the cursor among the pieces.
    pub fn step(&mut self, by: isize, pieces: &[SessionId]) {
        let last = pieces.len().saturating_sub(1);
        let at = self.index(pieces);
        let to = at.map_or(0, |at| at.saturating_add_signed(by).min(last));
        self.at = pieces.get(to).copied();
    }

    /// Where the cursor stands among the pieces.
    pub fn index(&self, pieces: &[SessionId]) -> Option<usize> {
        pieces.iter().position(|id| Some(*id) == self.at)
    }
}
