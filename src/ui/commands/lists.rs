//! Moving in the list and in the drawer.

use super::{Command, Place};
use crate::ui::app::App;
use crate::ui::focus::Pane;
use crate::ui::input::Effect;

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
];

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
