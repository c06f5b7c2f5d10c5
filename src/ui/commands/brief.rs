//! The brief: what agents are told at each request.

use super::{Command, Place};
use crate::ui::app::App;

pub(super) const ROWS: &[Command] = &[
    Command::new(
        "brief.open",
        "The brief",
        "Shows what the agent is told at each request: rules, voice, profile, memory, index of pieces, and what changed in it.",
        App::show_brief,
    )
    .keys(&[(Place::Transcript, "i"), (Place::List, "i")])
    .unless(App::no_session),
    Command::new(
        "brief.older",
        "Older brief",
        "Walks to the brief that was sent before.",
        |app| app.walk_brief(-1),
    )
    .keys(&[(Place::Brief, "left")])
    .unless(no_brief),
    Command::new(
        "brief.newer",
        "Newer brief",
        "Walks to the brief that was sent after, and to the one that the next turn gets.",
        |app| app.walk_brief(1),
    )
    .keys(&[(Place::Brief, "right")])
    .unless(no_brief),
    Command::new(
        "brief.copy",
        "Copy the brief",
        "Puts this brief on the clipboard, exactly as it is sent.",
        App::copy_brief,
    )
    .keys(&[(Place::Brief, "y")])
    .unless(no_brief),
];

fn no_brief(app: &App) -> Option<&'static str> {
    app.brief().is_none().then_some("No brief is shown.")
}
