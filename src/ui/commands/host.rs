//! The process that owns the turns.

use super::Command;
use crate::domain::Request;
use crate::ui::app::App;
use crate::ui::asks::Purpose;
use crate::ui::input::Effect;

pub(super) const ROWS: &[Command] = &[
    Command::new(
        "host.restart",
        "Restart the host",
        "Ends the host when no turn runs, and starts this build of it.",
        App::restart_host,
    )
    .unless(App::why_no_restart),
    Command::new(
        "host.take_over",
        "Take over writing here",
        "Takes over a workspace that another machine has left without a word.",
        take_over,
    ),
];

fn take_over(app: &mut App) -> Vec<Effect> {
    let said = "This machine writes here from now on.".to_owned();
    vec![app.ask(Request::TakeOver, Purpose::Say(said))]
}
