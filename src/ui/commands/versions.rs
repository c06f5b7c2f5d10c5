//! The versions of a draft, and what a turn did to it.

use super::{Command, Place};
use crate::ui::app::App;
use crate::ui::input::Effect;

pub(super) const ROWS: &[Command] = &[
    Command::new(
        "versions.open",
        "Versions of the draft",
        "Shows every version of the draft at hand, with who made it and what it changed.",
        App::show_versions,
    )
    .keys(&[
        (Place::Transcript, "h"),
        (Place::List, "h"),
        (Place::Draft, "f6"),
    ])
    .unless(App::no_session),
    Command::new(
        "versions.older",
        "Older version",
        "Walks to the version before.",
        |app| walk(app, -1),
    )
    .keys(&[(Place::Versions, "left"), (Place::Versions, "down")])
    .unless(not_walking),
    Command::new(
        "versions.newer",
        "Newer version",
        "Walks to the version after.",
        |app| walk(app, 1),
    )
    .keys(&[(Place::Versions, "right"), (Place::Versions, "up")])
    .unless(not_walking),
    Command::new(
        "versions.mark",
        "Compare the others with this one",
        "Shows the others as changes of this version; pressed again, of the one before each.",
        mark,
    )
    .keys(&[(Place::Versions, "m")])
    .unless(no_version),
    Command::new(
        "versions.restore",
        "Restore this version",
        "Makes this version the draft again, as a new version; nothing is lost.",
        App::restore_version,
    )
    .writes()
    .keys(&[(Place::Versions, "r")])
    .unless(no_version),
    Command::new(
        "versions.pin",
        "Pin a name",
        "Gives this version a name, to find it again; an empty one takes it off.",
        App::pin_version,
    )
    .writes()
    .keys(&[(Place::Versions, "P")])
    .unless(no_version),
    Command::new(
        "versions.compare",
        "Compare with the draft",
        "Shows this version beside the draft, to take words from it.",
        App::compare_version,
    )
    .keys(&[(Place::Versions, "enter")])
    .unless(no_version),
    Command::new(
        "changes.open",
        "What the turn changed",
        "Shows what the turn at the reading place did to the draft, or what an agent proposes.",
        App::show_changes,
    )
    .keys(&[
        (Place::Transcript, "v"),
        (Place::List, "v"),
        (Place::Draft, "f7"),
    ])
    .unless(App::no_session),
    Command::new(
        "changes.newer",
        "The newer proposal",
        "Shows the proposal that took the place of the one that is looked at; what was decided stays where its words did.",
        App::show_newer_proposal,
    )
    .keys(&[(Place::Changes, "v")])
    .unless(no_newer),
    Command::new(
        "changes.keep",
        "Keep this change",
        "The change stays in the draft; of a proposal, it goes in.",
        App::keep_change,
    )
    .writes()
    .keys(&[(Place::Changes, "k")])
    .unless(no_change),
    Command::new(
        "changes.back",
        "Take this change back",
        "The paragraph is as it was before; of a proposal, the change stays out.",
        App::take_change_back,
    )
    .writes()
    .keys(&[(Place::Changes, "b")])
    .unless(no_change),
    Command::new(
        "changes.keep_all",
        "Keep all changes",
        "Every change stays; of a proposal, everything goes into the draft.",
        App::keep_all,
    )
    .writes()
    .keys(&[(Place::Changes, "A")])
    .unless(no_changes),
];

const ELSEWHERE: &str = "The proposal was decided elsewhere: nothing is left to decide here.";

const ASIDE: &str = "These words are not in the draft, they stand beside it: “Show both texts” is where you decide.";

/// Why nothing of the changes that are seen can be decided here.
fn undecidable(app: &App) -> Option<&'static str> {
    if app.is_decided_elsewhere() {
        return Some(ELSEWHERE);
    }
    app.changes().filter(|v| v.is_aside).map(|_| ASIDE)
}

fn not_walking(app: &App) -> Option<&'static str> {
    app.timeline().is_none().then_some("No versions are shown.")
}

fn no_version(app: &App) -> Option<&'static str> {
    let row = app.timeline().and_then(|t| t.row());
    row.is_none().then_some("There is no version here yet.")
}

fn no_changes(app: &App) -> Option<&'static str> {
    if let Some(why) = undecidable(app) {
        return Some(why);
    }
    let here = app.changes().is_some_and(|v| v.paper.is_here);
    (!here).then_some("No changes are shown.")
}

fn no_newer(app: &App) -> Option<&'static str> {
    let newer = app.newer_proposal();
    newer.is_none().then_some("No newer proposal waits.")
}

fn no_change(app: &App) -> Option<&'static str> {
    if let Some(why) = undecidable(app) {
        return Some(why);
    }
    let differs = app.changes().is_some_and(|v| v.paper.differs());
    (!differs).then_some("Nothing changed in this paragraph: n goes to the next that did.")
}

fn walk(app: &mut App, by: isize) -> Vec<Effect> {
    app.in_timeline(|timeline| timeline.walk(by));
    Vec::new()
}

fn mark(app: &mut App) -> Vec<Effect> {
    let mut marked = false;
    app.in_timeline(|timeline| marked = timeline.mark());
    app.say(if marked {
        "The other versions are shown as changes of this one."
    } else {
        "Each version is shown as changes of the one before."
    });
    Vec::new()
}
