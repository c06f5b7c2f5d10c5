//! What is done in a family: variants are made, compared, and one of them becomes the main line.

use super::{Command, Place};
use crate::domain::SessionId;
use crate::ui::app::{App, NO_SESSION};
use crate::ui::focus::Pane;
use crate::ui::input::Effect;

pub(super) const ROWS: &[Command] = &[
    Command::new(
        "session.fork",
        "Try a variant",
        "Makes a variant to write in; in the transcript as of the message at the reading place. The original stays as it is.",
        App::fork,
    )
    .writes()
    .keys(&[(Place::List, "f"), (Place::Transcript, "f")])
    .unless(no_fork),
    Command::new(
        "session.mark",
        "Mark, to compare with",
        "Marks the session under the cursor: another of its family is compared with it.",
        mark,
    )
    .keys(&[(Place::List, "m")])
    .unless(no_family),
    Command::new(
        "session.compare",
        "Compare",
        "Shows this draft beside that of the main line, or beside that of the marked session.",
        App::compare_at_hand,
    )
    .keys(&[(Place::List, "c"), (Place::Transcript, "c")])
    .unless(App::why_not_compare),
    Command::new(
        "session.adopt",
        "Adopt: make it the main line",
        "Makes this variant the main line of its family; the former one stays as a variant.",
        App::adopt,
    )
    .writes()
    .keys(&[(Place::List, "a"), (Place::Transcript, "a")])
    .unless(App::why_not_adopt),
];

fn no_fork(app: &App) -> Option<&'static str> {
    match app.row_at_hand() {
        _ if app.is_forking() => Some("The variant is on its way."),
        None if app.has_host() => Some(NO_SESSION),
        None => Some("The list is coming…"),
        Some(row) if row.trashed => Some("It is in the trash: bring it back first."),
        Some(_) if !app.has_host() => Some("The host is not there yet."),
        Some(_) => None,
    }
}

fn no_family(app: &App) -> Option<&'static str> {
    let alone = |s: SessionId| app.rows.family_of(s).len() < 2;
    match app.at_hand() {
        None => Some(NO_SESSION),
        Some(session) if alone(session) => Some("It has no variants."),
        Some(_) if app.pane != Pane::List => Some("Sessions are marked in the list."),
        Some(_) => None,
    }
}

fn mark(app: &mut App) -> Vec<Effect> {
    let Some(session) = app.at_hand() else {
        return Vec::new();
    };
    let title = app.title_of(session);
    let text = if app.rows.mark(session) {
        format!("“{title}” is marked, to be compared with another of its family.")
    } else {
        format!("“{title}” is marked no more.")
    };
    app.say(text);
    Vec::new()
}
