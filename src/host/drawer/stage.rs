//! Where a piece stands: said in its log and in its collection's file; of a variant in its log alone.

use std::sync::Arc;

use super::super::session::blocking;
use super::super::shared::Shared;
use super::entry;
use crate::config::collection;
use crate::domain::{Change, CollectionId, Head, SessionId, Stage};

/// What may stand in the file where a stage is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::host) enum Over {
    /// Whatever it is: the writer sets a stage now.
    Anything,
    /// What the log says. An undo is of that alone, and another one, written by hand meanwhile, stays: what is given
    /// says so.
    Logged,
}

/// Writes the stage into the file of the collection. Gives where the piece stood before; of a variant, of which the file
/// does not speak, what its log says. While the collection is not there it is refused: what its file says is what counts
/// when it is back.
pub(in crate::host) async fn set(
    shared: &Arc<Shared>,
    id: CollectionId,
    piece: SessionId,
    stage: Option<Stage>,
    (over, logged): (Over, Option<Stage>),
) -> Result<Option<Stage>, String> {
    let _one = shared.life.one.filing.lock().await;
    let shared = shared.clone();
    blocking(move || {
        let drawer = shared.look_at_drawer();
        if !entry::stands(&shared, piece) {
            return Ok(logged);
        }
        let shelf = drawer.get(&id).ok_or_else(|| away(&id))?;
        let piece = entry::of(&shared, shelf, piece);
        let was = shelf.piece(piece).and_then(|p| p.stage);
        if was != stage {
            let other = over == Over::Logged && was != logged;
            // Nothing: a file that cannot be changed is named first.
            let write = (!other).then_some(Change::Stage(piece, stage));
            let change = Vec::from_iter(write);
            collection::edit(&shared.workspace, shelf, &change).map_err(|e| e.to_string())?;
            if !other {
                shared.look_at_drawer();
            }
        }
        Ok::<_, String>(was)
    })
    .await
}

/// Where a piece stands: as its collection's file says, of a variant as its log does.
pub(in crate::host) fn of(shared: &Shared, session: SessionId, head: &Head) -> Option<Stage> {
    let shelf = shared.collection_of(head);
    match shelf.filter(|_| entry::stands(shared, session)) {
        Some(shelf) => shelf.piece(entry::of(shared, &shelf, session))?.stage,
        None => head.stage,
    }
}

/// What is said while the collection is not there.
fn away(id: &CollectionId) -> String {
    format!(
        "The folder of the collection {id} is not in this workspace now, and the stage of a piece stands in it. Bring it back, or move the piece to another collection."
    )
}

/// What is said of an undo where the file says another stage than the log.
pub(in crate::host) fn overtaken(now: Option<Stage>) -> String {
    let says = match now {
        Some(stage) => format!("is {} there now", stage.word()),
        None => "is not there any more".to_owned(),
    };
    format!("It was changed in {} since: it {says}.", collection::FILE)
}
