//! Agents of this machine, and how everything is.

use super::{Command, Place};
use crate::ui::app::App;

pub(super) const ROWS: &[Command] = &[
    Command::new(
        "agents.connect",
        "Connect an agent…",
        "Shows what lies ready on this machine: programs, keys that are set, model servers if you want them looked for.",
        App::connect,
    ),
    Command::new(
        "offer.show",
        "Show what was found",
        "While an offer stands and nothing is written: shows what lies ready on this machine.",
        App::connect,
    )
    .keys(&[(Place::Composer, "f2")])
    .unless(not_offered),
    Command::new(
        "offer.decline",
        "Connect nothing",
        "While an offer stands and nothing is written: declines it for good.",
        App::decline,
    )
    .keys(&[(Place::Composer, "f4")])
    .unless(not_offered),
    Command::new(
        "doctor.show",
        "Doctor: how everything is",
        "Looks at agents, workspace and settings, and says what would mend what is not well.",
        App::doctor,
    ),
];

fn not_offered(app: &App) -> Option<&'static str> {
    (!app.is_offered()).then_some("Nothing is offered here now.")
}
