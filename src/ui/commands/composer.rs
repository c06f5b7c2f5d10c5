//! Where prompts are written. Plain editing keys are the composer's own.

use super::{Command, Place};
use crate::ui::app::App;
use crate::ui::composer::Composer;
use crate::ui::focus::Pane;
use crate::ui::input::Effect;
use crate::ui::transcript::Move;

pub(super) const ROWS: &[Command] = &[
    Command::new(
        "composer.send",
        "Send",
        "Sends what is written; while a turn runs, it waits for its turn. With nothing written: lets held prompts run.",
        App::send,
    ).writes()
    .keys(&[(Place::Composer, "enter")])
    .unless(nothing),
    Command::new(
        "composer.send_to_variant",
        "Try it as a variant",
        "Sends what is written to a new variant instead: the original stays as it is. With several lines: a last look, and again for one variant for each line. In the draft, with nothing written below, the prompt is asked for.",
        App::send_to_variant,
    )
    .writes()
    .keys(&[(Place::Composer, "ctrl-t"), (Place::Draft, "ctrl-t")])
    .unless(no_try),
    Command::new("composer.line", "New line", "Begins a new line.", line)
        .keys(&[
            (Place::Composer, "shift-enter"),
            (Place::Composer, "alt-enter"),
            (Place::Composer, "ctrl-j"),
        ]),
    Command::new(
        "composer.undo",
        "Undo writing",
        "Takes back the last change of the text.",
        undo,
    )
    .keys(&[(Place::Composer, "ctrl-z")]),
    Command::new(
        "composer.redo",
        "Redo writing",
        "Makes the change again.",
        redo,
    )
    .keys(&[(Place::Composer, "ctrl-y")]),
    Command::new(
        "composer.cut",
        "Cut from the prompt",
        "Cuts the selection; Ctrl-C copies it.",
        App::cut_prompt,
    )
    .keys(&[(Place::Composer, "ctrl-x")])
    .unless(nothing_selected),
    Command::new(
        "composer.paste",
        "Paste into the prompt",
        "Puts in what was cut or copied in this window last; your terminal's own paste works too.",
        App::paste_clip,
    )
    .keys(&[(Place::Composer, "ctrl-v")])
    .unless(not_writing),
    Command::new(
        "composer.leave",
        "To the transcript",
        "Leaves the text as it is and goes to the words above.",
        leave,
    )
    .keys(&[(Place::Composer, "esc")])
    .unless(not_writing),
    Command::new(
        "composer.to_list",
        "To the sessions",
        "With nothing written: goes to the list.",
        to_list,
    )
    .keys(&[(Place::Composer, "left")])
    .typed(written),
    Command::new(
        "composer.to_end",
        "To the newest words",
        "With nothing written: goes to the newest words and follows them.",
        to_end,
    )
    .keys(&[(Place::Composer, "end")])
    .yields(written),
    Command::new(
        "composer.earlier",
        "Earlier prompt",
        "With nothing written: brings back an earlier prompt.",
        earlier,
    )
    .keys(&[(Place::Composer, "up")])
    .yields(no_earlier),
    Command::new(
        "composer.later",
        "Later prompt",
        "Goes on to the later prompts again.",
        later,
    )
    .keys(&[(Place::Composer, "down")])
    .yields(no_later),
];

fn nothing(app: &App) -> Option<&'static str> {
    let empty = app.desk().composer.is_empty() && !app.is_held();
    empty.then_some("Nothing is written yet.")
}

fn no_try(app: &App) -> Option<&'static str> {
    if app.desks.at().is_none() {
        return Some("There is no session yet: send it, and try variants then.");
    }
    let empty = app.desk().composer.text().trim().is_empty();
    (empty && app.pane != Pane::Draft).then_some("Nothing is written yet.")
}

fn written(app: &App) -> Option<&'static str> {
    (!app.desk().composer.is_empty()).then_some("There is text in the composer.")
}

fn nothing_selected(app: &App) -> Option<&'static str> {
    let selected = app.pane == Pane::Composer && app.desk().composer.is_selected();
    (!selected).then_some("Nothing is selected in the composer.")
}

fn not_writing(app: &App) -> Option<&'static str> {
    (app.pane != Pane::Composer).then_some("You are not in the composer.")
}

fn no_earlier(app: &App) -> Option<&'static str> {
    app.recalled(1)
        .is_none()
        .then_some("There is no earlier prompt, or there is text in the composer.")
}

fn no_later(app: &App) -> Option<&'static str> {
    app.recalled(-1)
        .is_none()
        .then_some("No earlier prompt is shown.")
}

fn line(app: &mut App) -> Vec<Effect> {
    app.write(Composer::newline)
}

fn undo(app: &mut App) -> Vec<Effect> {
    app.edit_key('z')
}

fn redo(app: &mut App) -> Vec<Effect> {
    app.edit_key('y')
}

fn leave(app: &mut App) -> Vec<Effect> {
    app.pane = Pane::Transcript;
    Vec::new()
}

fn to_list(app: &mut App) -> Vec<Effect> {
    app.pane = Pane::List;
    Vec::new()
}

fn to_end(app: &mut App) -> Vec<Effect> {
    app.desks.here_mut().transcript.scroll(Move::End);
    Vec::new()
}

fn earlier(app: &mut App) -> Vec<Effect> {
    app.recall(1)
}

fn later(app: &mut App) -> Vec<Effect> {
    app.recall(-1)
}
