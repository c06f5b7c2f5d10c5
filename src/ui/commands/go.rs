//! From session to session, and from pane to pane.

use super::{Command, Place, Run};
use crate::domain::SessionId;
use crate::ui::app::App;
use crate::ui::focus::Pane;
use crate::ui::input::Effect;
use crate::ui::layers::go_to::GoTo;

pub(super) const ROWS: &[Command] = &[
    Command::new(
        "go.session",
        "Go to a session",
        "Finds a session by a few letters of its title.",
        find,
    )
    .keys(&[(Place::Anywhere, "ctrl-g")])
    .unless(none_to_find),
    Command::new(
        "go.search",
        "Search everything",
        "Finds words in all drafts, prompts and replies.",
        App::search,
    )
    .keys(&[(Place::Outside, "/")])
    .unless(none_to_find),
    Command::new(
        "go.needs_me",
        "Next that needs me",
        "Goes to the next session with a question, an unread end or a failure.",
        needs_me,
    )
    .keys(&[(Place::Anywhere, "ctrl-n")])
    .unless(no_need),
    Command::new(
        "go.last",
        "Last visited",
        "Goes back to the session that was open before; from a variant, where none was, to its original.",
        last,
    )
    .keys(&[(Place::Anywhere, "ctrl-o")])
    .unless(no_last),
    Command::new(
        "go.original",
        "Back to the original",
        "From a variant to the session that it was forked from; where that is gone, to the main line.",
        original,
    )
    .keys(&[(Place::Transcript, "b"), (Place::List, "b")])
    .unless(no_original),
    Command::new(
        "go.down",
        "Session below",
        "Opens the next session of the list.",
        below,
    )
    .keys(&[(Place::Anywhere, "ctrl-pgdn")])
    .unless(no_session),
    Command::new(
        "go.up",
        "Session above",
        "Opens the session before in the list.",
        above,
    )
    .keys(&[(Place::Anywhere, "ctrl-pgup")])
    .unless(no_session),
    Command {
        run: Run::Digit(nth),
        ..Command::new(
            "go.nth",
            "Session 1 to 9",
            "Opens the session of that place in the list.",
            find,
        )
        .keys(&[
            (Place::Anywhere, "alt-1"),
            (Place::Anywhere, "alt-2"),
            (Place::Anywhere, "alt-3"),
            (Place::Anywhere, "alt-4"),
            (Place::Anywhere, "alt-5"),
            (Place::Anywhere, "alt-6"),
            (Place::Anywhere, "alt-7"),
            (Place::Anywhere, "alt-8"),
            (Place::Anywhere, "alt-9"),
        ])
        .unless(no_session)
    },
    Command::new(
        "pane.next",
        "Next pane",
        "Goes round: drawer, sessions, transcript, composer, and the draft when it is open. Words that are being written keep the keys.",
        next,
    )
    .keys(&[(Place::Anywhere, "tab")]),
    Command::new(
        "pane.previous",
        "Previous pane",
        "Goes round the other way.",
        previous,
    )
    .keys(&[(Place::Anywhere, "backtab")]),
    Command::new(
        "pane.left",
        "Pane to the left",
        "From the words to the sessions, from there to the drawer.",
        left,
    )
    .keys(&[(Place::Transcript, "left"), (Place::List, "left")]),
    Command::new(
        "pane.right",
        "Pane to the right",
        "From the drawer to the sessions, from there to the words.",
        right,
    )
    .keys(&[
        (Place::Drawer, "right"),
        (Place::Drawer, "enter"),
        (Place::List, "right"),
    ]),
    Command::new(
        "pane.compose",
        "Write",
        "Puts the caret where you write.",
        compose,
    )
    .keys(&[(Place::Transcript, "enter")]),
];

fn no_session(app: &App) -> Option<&'static str> {
    let none = app.rows.every().next().is_none();
    none.then_some(if app.has_host() {
        "There is no session yet."
    } else {
        "The list is coming…"
    })
}

/// The letters that follow belong to the layer even before the list has come: it opens all the same.
fn none_to_find(app: &App) -> Option<&'static str> {
    app.has_host().then(|| no_session(app)).flatten()
}

fn no_need(app: &App) -> Option<&'static str> {
    app.rows
        .next_in_need(app.desks.at())
        .is_none()
        .then_some("No other session needs you.")
}

fn no_last(app: &App) -> Option<&'static str> {
    let none = app.desks.last().or_else(|| app.original()).is_none();
    none.then_some("No other session was open.")
}

fn no_original(app: &App) -> Option<&'static str> {
    let none = app.original().is_none();
    none.then_some("It is no variant: there is no original to go back to.")
}

fn find(app: &mut App) -> Vec<Effect> {
    let layer = GoTo::new(app);
    app.push(layer);
    Vec::new()
}

fn needs_me(app: &mut App) -> Vec<Effect> {
    let effects = to(app, app.rows.next_in_need(app.desks.at()));
    app.went_to_answer();
    effects
}

fn last(app: &mut App) -> Vec<Effect> {
    to(app, app.desks.last().or_else(|| app.original()))
}

fn original(app: &mut App) -> Vec<Effect> {
    to(app, app.original())
}

fn below(app: &mut App) -> Vec<Effect> {
    to(app, app.rows.beside(app.desks.at(), 1))
}

fn above(app: &mut App) -> Vec<Effect> {
    to(app, app.rows.beside(app.desks.at(), -1))
}

fn nth(app: &mut App, n: usize) -> Vec<Effect> {
    to(
        app,
        n.checked_sub(1)
            .and_then(|i| app.rows.order().get(i))
            .copied(),
    )
}

/// Opens a session where the writer can go on: the pane stays, but a list gives way to the words.
fn to(app: &mut App, session: Option<SessionId>) -> Vec<Effect> {
    let pane = match app.pane {
        Pane::Drawer | Pane::List | Pane::View => Pane::Composer,
        pane => pane,
    };
    session.map(|s| app.open(s, pane)).unwrap_or_default()
}

fn next(app: &mut App) -> Vec<Effect> {
    app.pane = app.pane.next(app.draft_stands());
    Vec::new()
}

fn previous(app: &mut App) -> Vec<Effect> {
    app.pane = app.pane.previous(app.draft_stands());
    Vec::new()
}

fn left(app: &mut App) -> Vec<Effect> {
    app.pane = match app.pane {
        Pane::Transcript | Pane::Composer | Pane::Draft => Pane::List,
        Pane::List | Pane::Drawer => Pane::Drawer,
        Pane::View => Pane::View,
    };
    Vec::new()
}

fn right(app: &mut App) -> Vec<Effect> {
    app.pane = match app.pane {
        Pane::Drawer => Pane::List,
        Pane::List | Pane::Transcript => Pane::Transcript,
        Pane::Composer => Pane::Composer,
        Pane::Draft => Pane::Draft,
        Pane::View => Pane::View,
    };
    Vec::new()
}

fn compose(app: &mut App) -> Vec<Effect> {
    app.pane = Pane::Composer;
    Vec::new()
}
