//! Turns that ended before their time, and recipes.

use super::{Command, Place};
use crate::ui::app::App;
use crate::ui::input::Effect;
use crate::ui::layers::cut::Cut;

pub(super) const ROWS: &[Command] = &[
    Command::new(
        "turn.again",
        "Go on from here",
        "Goes on where a turn was cut, failed or was stopped; one that tells nothing is stopped and tried again.",
        App::again_here,
    ).writes()
    .keys(&[
        (Place::Transcript, "G"),
        (Place::List, "G"),
        (Place::Composer, "ctrl-r"),
    ])
    .unless(App::why_not_again),
    Command::new(
        "turn.cut",
        "Turns that were cut…",
        "Lists the turns that ended with their host, to go on with one or all.",
        cut,
    )
    .keys(&[(Place::Outside, "C")])
    .unless(none_cut),
    Command::new(
        "recipe.run",
        "Run a recipe…",
        "Lists the recipes: prompts that are sent one after the other, the window open or not.",
        App::show_recipes,
    ).writes()
    .keys(&[(Place::Transcript, "R"), (Place::List, "R")]),
];

fn none_cut(app: &App) -> Option<&'static str> {
    app.cut_turns().is_empty().then_some("No turn was cut.")
}

fn cut(app: &mut App) -> Vec<Effect> {
    app.push(Cut::default());
    Vec::new()
}
