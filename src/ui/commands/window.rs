//! The window itself: commands, keys, leaving.

use super::{Command, Place};
use crate::ui::app::App;
use crate::ui::input::Effect;
use crate::ui::layers::help::Help;
use crate::ui::layers::palette::Palette;
use crate::ui::layers::view::View;

pub(super) const ROWS: &[Command] = &[
    Command::new("palette.open", "Commands", "Shows every command with its key.", palette)
        .keys(&[(Place::Anywhere, "ctrl-p")]),
    Command::new("help.open", "Keys of this place", "Shows the keys that apply here.", help)
        .keys(&[(Place::Anywhere, "f1"), (Place::Outside, "?")]),
    Command::new(
        "window.break",
        "Copy, stop or close",
        "Copies a selection, else stops the turn at hand; with nothing running, twice closes the window.",
        App::interrupt,
    )
    .keys(&[(Place::Anywhere, "ctrl-c")]),
    Command::new(
        "window.said",
        "What was said",
        "Shows the line at the top and the last messages, whole.",
        said,
    )
    .unless(nothing_said),
    Command::new("window.close", "Close the window", "Closes the window; what is unsent is kept.", App::close)
        .keys(&[(Place::List, "q"), (Place::Drawer, "q"), (Place::Composer, "ctrl-d")])
        .typed(written),
    Command::new("window.suspend", "To the shell", "Leaves the terminal to the shell; `fg` comes back.", suspend),
    Command::new(
        "window.mouse",
        "Take or leave the mouse",
        "Takes the mouse for this window, or leaves it to the terminal; `mouse` in `[window]` sets what holds at first.",
        App::switch_mouse,
    )
    .unless(no_mouse),
    Command::new("window.redraw", "Draw anew", "Draws the whole window again.", redraw),
];

/// Ctrl-D deletes while there is text; elsewhere the window can always be closed.
fn written(app: &App) -> Option<&'static str> {
    app.is_writing().then_some("There is text in the composer.")
}

fn no_mouse(app: &App) -> Option<&'static str> {
    let console = app.settings.means.kind.console;
    console.then_some("This terminal tells nothing of a mouse.")
}

fn palette(app: &mut App) -> Vec<Effect> {
    let layer = Palette::new(app);
    app.push(layer);
    Vec::new()
}

fn nothing_said(app: &App) -> Option<&'static str> {
    app.said_whole()
        .is_empty()
        .then_some("Nothing was said yet.")
}

fn said(app: &mut App) -> Vec<Effect> {
    let text = app.said_whole();
    app.push(View::new("What was said", &text));
    Vec::new()
}

fn help(app: &mut App) -> Vec<Effect> {
    let layer = Help::new(app.place(), app.question().is_some());
    app.push(layer);
    Vec::new()
}

fn suspend(_: &mut App) -> Vec<Effect> {
    vec![Effect::Suspend]
}

fn redraw(_: &mut App) -> Vec<Effect> {
    vec![Effect::Redraw]
}
