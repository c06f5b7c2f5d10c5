//! Moving in the list and in the drawer, and how the list is looked at.

use super::{Command, Place};
use crate::text::one_line;
use crate::ui::app::App;
use crate::ui::focus::Pane;
use crate::ui::input::Effect;
use crate::ui::layers::filter::Filter;
use crate::ui::rows::Folded;

/// As far as a page goes when the rows are not known.
const PAGE: isize = 10;

pub(super) const ROWS: &[Command] = &[
    Command::new("list.down", "Down", "Moves one row down.", down).keys(&[
        (Place::List, "down"),
        (Place::List, "j"),
        (Place::Drawer, "down"),
        (Place::Drawer, "j"),
    ]),
    Command::new("list.up", "Up", "Moves one row up.", up).keys(&[
        (Place::List, "up"),
        (Place::List, "k"),
        (Place::Drawer, "up"),
        (Place::Drawer, "k"),
    ]),
    Command::new(
        "list.page_down",
        "Ten rows down",
        "Moves ten rows down.",
        page_down,
    )
    .keys(&[(Place::List, "pgdn"), (Place::Drawer, "pgdn")]),
    Command::new("list.page_up", "Ten rows up", "Moves ten rows up.", page_up)
        .keys(&[(Place::List, "pgup"), (Place::Drawer, "pgup")]),
    Command::new("list.first", "First row", "Moves to the first row.", first)
        .keys(&[(Place::List, "home"), (Place::Drawer, "home")]),
    Command::new("list.last", "Last row", "Moves to the last row.", last)
        .keys(&[(Place::List, "end"), (Place::Drawer, "end")]),
    Command::new(
        "list.filter",
        "Filter the list; // searches all",
        "Shows the sessions that fit as you type: letters of a title, #tag, the word of a state or a stage; / once more searches all drafts, prompts and replies.",
        filter,
    )
    .keys(&[(Place::List, "/"), (Place::Drawer, "/")])
    .unless(no_session),
    Command::new(
        "list.all",
        "Show the whole list again",
        "Takes the filter of the list away.",
        all,
    )
    .keys(&[(Place::List, "esc")])
    .unless(no_filter),
    Command::new(
        "list.sort",
        "Sort the list",
        "Goes on to the next order: by need, last change, title, words, creation, the collection's order.",
        sort,
    )
    .keys(&[(Place::List, "s")])
    .unless(no_session),
    Command::new(
        "list.fold",
        "Fold or unfold",
        "In a family: leaves its main line alone, or shows all again; among all sessions: puts a collection into one row; in the drawer: archive and trash.",
        fold,
    )
    .keys(&[(Place::List, "."), (Place::Drawer, ".")])
    .unless(no_fold),
];

fn no_session(app: &App) -> Option<&'static str> {
    let none = app.rows.is_empty() && app.rows.filter().is_empty();
    none.then_some("There is no session here.")
}

fn no_filter(app: &App) -> Option<&'static str> {
    app.rows
        .filter()
        .is_empty()
        .then_some("The list is not filtered.")
}

fn no_fold(app: &App) -> Option<&'static str> {
    if app.pane == Pane::Drawer {
        return (!app.rows.any_away()).then_some("Archive and trash are empty.");
    }
    (!app.rows.can_fold())
        .then_some("Families are folded here, and collections among all sessions.")
}

fn step(app: &mut App, by: isize) -> Vec<Effect> {
    if app.pane == Pane::Drawer {
        app.rows.step_shelf(by);
    } else {
        app.rows.step(by);
    }
    Vec::new()
}

fn down(app: &mut App) -> Vec<Effect> {
    step(app, 1)
}

fn up(app: &mut App) -> Vec<Effect> {
    step(app, -1)
}

fn page_down(app: &mut App) -> Vec<Effect> {
    step(app, PAGE)
}

fn page_up(app: &mut App) -> Vec<Effect> {
    step(app, -PAGE)
}

fn first(app: &mut App) -> Vec<Effect> {
    step(app, isize::MIN)
}

fn last(app: &mut App) -> Vec<Effect> {
    step(app, isize::MAX)
}

fn filter(app: &mut App) -> Vec<Effect> {
    app.pane = Pane::List;
    let layer = Filter::new(app.rows.filter());
    app.push(layer);
    Vec::new()
}

fn all(app: &mut App) -> Vec<Effect> {
    app.rows.set_filter("");
    Vec::new()
}

fn sort(app: &mut App) -> Vec<Effect> {
    let next = app.rows.sort().next();
    app.rows.set_sort(next);
    app.say(format!("Sorted by {}.", next.word()));
    Vec::new()
}

fn fold(app: &mut App) -> Vec<Effect> {
    if app.pane == Pane::Drawer {
        let folded = app.rows.fold_away();
        app.say(if folded {
            "Archive and trash are folded away."
        } else {
            "Archive and trash are shown."
        });
    } else if let Some(folded) = app.rows.fold() {
        say_folded(app, &folded);
    }
    Vec::new()
}

fn say_folded(app: &mut App, folded: &Folded) {
    let text = match folded {
        Folded::Collection(collection, true) => {
            let title = one_line(app.rows.collection_title(collection));
            format!("“{title}” is folded into one row.")
        }
        Folded::Collection(collection, false) => {
            let title = one_line(app.rows.collection_title(collection));
            format!("“{title}” is unfolded.")
        }
        Folded::Family(root, true) => {
            let title = app.title_of(*root);
            format!("“{title}” is folded to one row.")
        }
        Folded::Family(root, false) => format!("“{}” is unfolded.", app.title_of(*root)),
    };
    app.say(text);
}
