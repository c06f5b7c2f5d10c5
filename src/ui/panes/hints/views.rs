//! What can be done in a view of texts, of a collection or of a memory.

use crate::ui::app::App;
use crate::ui::compare::View;
use crate::ui::compare::changes::{Changes, What};
use crate::ui::compare::paper::Paper;

/// On the page of a collection that is gone.
const GONE: [(&str, &str); 1] = [("compare.close", "back")];
/// Where texts are compared.
const COMPARE: [(&str, &str); 7] = [
    ("compare.take", "take"),
    ("compare.next", "next"),
    ("compare.take_all", "take all"),
    ("compare.adopt", "adopt"),
    ("compare.close", "back"),
    ("compare.turn", "turn"),
    ("compare.mark", "mark"),
];
/// Where two texts of the same paragraphs are compared.
const DECIDE: [(&str, &str); 5] = [
    ("compare.take", "take"),
    ("compare.keep", "keep yours"),
    ("compare.next", "next"),
    ("compare.take_all", "take all"),
    ("compare.close", "back"),
];
/// Where a paragraph is read in every variant.
const OTHERS: [(&str, &str); 4] = [
    ("compare.pick", "pick"),
    ("compare.down", "next one"),
    ("compare.up", "one before"),
    ("compare.close", "back"),
];
/// The same where the one at hand has nothing to pick.
const OTHERS_READ: [(&str, &str); 3] = [
    ("compare.down", "next one"),
    ("compare.up", "one before"),
    ("compare.close", "back"),
];
/// Where two texts that are compared do not differ.
const COMPARE_SAME: [(&str, &str); 3] = [
    ("compare.adopt", "adopt"),
    ("compare.close", "back"),
    ("compare.turn", "turn"),
];
/// Where a turn's changes are in the draft no more.
const CHANGES_SAME: [(&str, &str); 1] = [("compare.close", "back")];
/// Among the versions.
const VERSIONS: [(&str, &str); 6] = [
    ("versions.older", "older"),
    ("versions.restore", "restore"),
    ("versions.pin", "name"),
    ("versions.compare", "compare"),
    ("compare.close", "back"),
    ("versions.newer", "newer"),
];
/// Among the changes of a turn.
const CHANGES: [(&str, &str); 5] = [
    ("changes.keep", "keep"),
    ("changes.back", "take back"),
    ("compare.next", "next"),
    ("changes.keep_all", "keep all"),
    ("compare.close", "back"),
];
/// The same where the agent has gone on meanwhile.
const CHANGES_NEWER: [(&str, &str); 3] = [
    ("changes.newer", "newer proposal"),
    ("compare.next", "next"),
    ("compare.close", "back"),
];
/// The same of a turn whose words stand beside the draft: none of them is there to be kept or taken back.
const CHANGES_ASIDE: [(&str, &str); 3] = [
    ("draft.both", "decide"),
    ("compare.next", "next"),
    ("compare.close", "back"),
];
/// On the page of a collection.
const SHELF: [(&str, &str); 7] = [
    ("collection.enter", "open"),
    ("piece.stage", "stage"),
    ("compare.close", "back"),
    ("collection.lower", "further down"),
    ("memory.open", "memory"),
    ("piece.target", "words"),
    ("collection.describe", "describe"),
];
/// Where the brief is read.
const BRIEF: [(&str, &str); 5] = [
    ("brief.older", "older"),
    ("compare.close", "back"),
    ("brief.newer", "newer"),
    ("compare.next", "next difference"),
    ("brief.copy", "copy"),
];
/// In a memory: with a proposal, a line or a file under the cursor.
const MEMORY: [(&str, &str); 9] = [
    ("memory.accept", "accept"),
    ("memory.accept_instead", "instead"),
    ("memory.refuse", "refuse"),
    ("memory.edit", "edit"),
    ("memory.archive", "archive"),
    ("compare.close", "back"),
    ("memory.enter", "open"),
    ("memory.waiting", "next that waits"),
    ("memory.undo", "undo"),
];
/// The same with a line of the archive under the cursor.
const ARCHIVED: [(&str, &str); 3] = [
    ("memory.archive", "bring back"),
    ("compare.close", "back"),
    ("memory.undo", "undo"),
];
/// Among the versions of a file.
const FILE: [(&str, &str); 6] = [
    ("memory.older", "older"),
    ("compare.close", "back"),
    ("memory.restore", "restore"),
    ("memory.newer", "newer"),
    ("compare.next", "next difference"),
    ("memory.undo", "undo"),
];

/// What can be done in the view that is seen, most useful first.
pub(super) fn of(app: &App) -> &'static [(&'static str, &'static str)] {
    match app.view() {
        Some(View::Versions(_)) => &VERSIONS,
        Some(View::Changes(view)) if is_of_turn(view) && is_same(&view.paper) => &CHANGES_SAME,
        Some(View::Changes(_)) if app.newer_proposal().is_some() => &CHANGES_NEWER,
        Some(View::Changes(view)) if view.is_aside => &CHANGES_ASIDE,
        Some(View::Changes(_)) => &CHANGES,
        Some(View::Brief(_)) => &BRIEF,
        Some(View::Shelf(page)) if app.rows.collection(&page.collection).is_none() => &GONE,
        Some(View::Shelf(_)) => &SHELF,
        Some(View::Memory(view)) if view.line().is_some_and(|l| l.archived) => &ARCHIVED,
        Some(View::Memory(_)) => &MEMORY,
        Some(View::File(_)) => &FILE,
        Some(View::Others(view)) if !view.can_pick() => &OTHERS_READ,
        Some(View::Others(_)) => &OTHERS,
        Some(View::Compare(view)) if is_same(&view.paper) && !app.is_deciding() => &COMPARE_SAME,
        _ if app.is_deciding() => &DECIDE,
        Some(View::Compare(_)) | None => &COMPARE,
    }
}

/// Whether two texts are there and have no difference.
fn is_same(paper: &Paper) -> bool {
    paper.is_here && paper.count().1 == 0
}

fn is_of_turn(view: &Changes) -> bool {
    matches!(view.what, What::Turn(_))
}
