//! Reading the words of a session.

use super::{Command, Place};
use crate::ui::app::App;
use crate::ui::desk::BEGINNING;
use crate::ui::input::Effect;
use crate::ui::transcript::Move;

pub(super) const ROWS: &[Command] = &[
    Command::new("page.down", "Row down", "Moves one row down.", |app| {
        go(app, Move::Row(1))
    })
    .keys(&[(Place::Transcript, "down"), (Place::Transcript, "j")]),
    Command::new("page.up", "Row up", "Moves one row up.", |app| {
        go(app, Move::Row(-1))
    })
    .keys(&[(Place::Transcript, "up"), (Place::Transcript, "k")]),
    Command::new("page.forward", "Page down", "Moves one page down.", |app| {
        go(app, Move::Page(1))
    })
    .keys(&[(Place::Transcript, "pgdn"), (Place::Composer, "pgdn")]),
    Command::new("page.back", "Page up", "Moves one page up.", |app| {
        go(app, Move::Page(-1))
    })
    .keys(&[(Place::Transcript, "pgup"), (Place::Composer, "pgup")]),
    Command::new(
        "page.top",
        "To the beginning",
        "Moves to the oldest words.",
        |app| go(app, Move::Top),
    )
    .keys(&[(Place::Transcript, "home")]),
    Command::new(
        "page.end",
        "To the end",
        "Moves to the newest words and follows them.",
        |app| go(app, Move::End),
    )
    .keys(&[(Place::Transcript, "end")]),
    Command::new(
        "page.next",
        "Next message",
        "Moves to the message below.",
        |app| go(app, Move::Message(1)),
    )
    .keys(&[(Place::Transcript, "J")]),
    Command::new(
        "page.previous",
        "Message before",
        "Moves to the message above.",
        |app| go(app, Move::Message(-1)),
    )
    .keys(&[(Place::Transcript, "K")]),
    Command::new(
        "page.copy",
        "Copy this message",
        "Puts the message at the reading place on the clipboard.",
        App::copy_message,
    )
    .keys(&[(Place::Transcript, "y")])
    .unless(no_message),
    Command::new(
        "page.fold",
        "Fold or unfold",
        "Folds or unfolds the tool call, the thinking or the summary here.",
        fold,
    )
    .keys(&[(Place::Transcript, "o")])
    .unless(no_message),
    Command::new(
        "page.unmark",
        "Take the marks off",
        "Takes the marks off the words that were looked for.",
        unmark,
    )
    .keys(&[(Place::Transcript, "esc")])
    .yields(no_marks),
];

fn no_message(app: &App) -> Option<&'static str> {
    app.desk()
        .transcript
        .selected_message()
        .is_none()
        .then_some("There is no message here yet.")
}

fn go(app: &mut App, to: Move) -> Vec<Effect> {
    let desk = app.desks.here_mut();
    desk.transcript.scroll(to);
    // What is older than all that is loaded is asked for first, page by page; any other step ends that.
    let far = to == Move::Top && !desk.transcript.reaches(BEGINNING);
    desk.return_to = far.then_some(BEGINNING);
    Vec::new()
}

fn no_marks(app: &App) -> Option<&'static str> {
    let none = app.desk().transcript.sought.is_none();
    none.then_some("No words are marked here.")
}

fn unmark(app: &mut App) -> Vec<Effect> {
    app.desks.here_mut().transcript.sought = None;
    Vec::new()
}

fn fold(app: &mut App) -> Vec<Effect> {
    app.desks.here_mut().transcript.toggle_fold();
    Vec::new()
}
