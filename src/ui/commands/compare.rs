//! Two texts compared: going through the differences, taking words from one to the other.

use super::{Command, Place};
use crate::ui::app::App;
use crate::ui::compare::View;
use crate::ui::compare::paper::Paper;
use crate::ui::input::Effect;
use crate::ui::panes::compare::stands_beside;

pub(super) const ROWS: &[Command] = &[
    Command::new(
        "compare.next",
        "Next difference",
        "Goes to the next paragraph that differs.",
        |app| difference(app, true),
    )
    .keys(&[
        (Place::Compare, "n"),
        (Place::Versions, "n"),
        (Place::Changes, "n"), (Place::Brief, "n"), (Place::File, "n"),
    ])
    .unless(no_page),
    Command::new(
        "compare.previous",
        "Difference before",
        "Goes to the paragraph before that differs.",
        |app| difference(app, false),
    )
    .keys(&[
        (Place::Compare, "p"),
        (Place::Versions, "p"),
        (Place::Changes, "p"), (Place::Brief, "p"), (Place::File, "p"),
    ])
    .unless(no_page),
    Command::new(
        "compare.take",
        "Take this paragraph",
        "Puts the other text's paragraph into the draft, or all from the mark on; the result is a version.",
        App::take_chosen,
    )
    .writes()
    .keys(&[(Place::Compare, "enter")])
    .unless(nothing_to_take),
    Command::new(
        "compare.take_all",
        "Take all",
        "Makes the draft as the other text is; the result is a version.",
        App::take_all,
    )
    .writes()
    .keys(&[(Place::Compare, "A")])
    .unless(nothing_to_take),
    Command::new(
        "compare.keep",
        "Keep the draft as it is",
        "Where two texts of one paragraph are compared: the draft stays as it is, the other text stays a version.",
        App::keep_mine,
    )
    .writes()
    .keys(&[(Place::Compare, "K")])
    .unless(nothing_to_decide),
    Command::new(
        "compare.mark",
        "Mark: a range begins here",
        "From here on several paragraphs are taken at once; pressed again no more.",
        App::mark_range,
    )
    .keys(&[(Place::Compare, "m")])
    .unless(not_comparing),
    Command::new(
        "compare.turn",
        "Turn the sides round",
        "Left is right: of two drafts the other one is written to.",
        App::turn_sides,
    )
    .keys(&[(Place::Compare, "x"), (Place::Compare, "tab")])
    .unless(not_comparing),
    Command::new(
        "compare.stand",
        "Side by side or below",
        "Puts the texts side by side, or paragraph below paragraph.",
        stand,
    )
    .keys(&[(Place::Compare, "s")])
    .unless(not_comparing),
    Command::new(
        "compare.others",
        "This paragraph in the others",
        "Shows the paragraph in every variant of the family, to read and to pick.",
        App::show_others,
    )
    .keys(&[(Place::Compare, "o")])
    .unless(App::why_no_others),
    Command::new(
        "compare.pick",
        "Pick this one",
        "Puts the paragraph of this variant into the draft.",
        App::pick_other,
    )
    .writes()
    .keys(&[(Place::Others, "enter")])
    .unless(no_others),
    Command::new(
        "compare.adopt",
        "Adopt the variant compared",
        "Makes the variant that is compared the main line of its family.",
        App::adopt_compared,
    )
    .writes()
    .keys(&[(Place::Compare, "a")])
    .unless(nothing_to_adopt),
    Command::new(
        "compare.undo",
        "Undo what was taken",
        "Undoes what was done last: words that were taken, a version restored, an adoption.",
        App::undo_deed,
    )
    .writes()
    .keys(&[
        (Place::Compare, "u"),
        (Place::Others, "u"),
        (Place::Versions, "u"),
        (Place::Changes, "u"),
    ])
    .unless(no_view),
    Command::new(
        "compare.redo",
        "Do again what was undone there",
        "Does again what was undone last, where nothing else was done since.",
        App::redo_deed,
    )
    .writes()
    .keys(&[
        (Place::Compare, "U"),
        (Place::Others, "U"),
        (Place::Versions, "U"),
        (Place::Changes, "U"),
    ])
    .unless(no_view),
    Command::new("compare.down", "Paragraph down", "Moves one paragraph down.", |app| {
        step(app, true)
    })
    .keys(&[
        (Place::Compare, "down"),
        (Place::Compare, "j"),
        (Place::Others, "down"),
        (Place::Others, "j"),
        (Place::Versions, "j"),
        (Place::Changes, "down"), (Place::Brief, "down"),
        (Place::Changes, "j"), (Place::Brief, "j"), (Place::File, "j"),
    ])
    .unless(no_view),
    Command::new("compare.up", "Paragraph up", "Moves one paragraph up.", |app| {
        step(app, false)
    })
    .keys(&[
        (Place::Compare, "up"),
        (Place::Compare, "k"),
        (Place::Others, "up"),
        (Place::Others, "k"),
        (Place::Versions, "k"),
        (Place::Changes, "up"), (Place::Brief, "up"), (Place::File, "k"),
    ])
    .unless(no_view),
    Command::new("compare.page_down", "Page down", "Moves one page down.", |app| {
        on_page(app, |paper| paper.page(true))
    })
    .keys(&[
        (Place::Compare, "pgdn"),
        (Place::Versions, "pgdn"),
        (Place::Changes, "pgdn"), (Place::Brief, "pgdn"), (Place::File, "pgdn"),
    ])
    .unless(no_page),
    Command::new("compare.page_up", "Page up", "Moves one page up.", |app| {
        on_page(app, |paper| paper.page(false))
    })
    .keys(&[
        (Place::Compare, "pgup"),
        (Place::Versions, "pgup"),
        (Place::Changes, "pgup"), (Place::Brief, "pgup"), (Place::File, "pgup"),
    ])
    .unless(no_page),
    Command::new("compare.top", "To the first paragraph", "Moves to the beginning.", |app| {
        on_page(app, |paper| paper.go(0))
    })
    .keys(&[
        (Place::Compare, "home"),
        (Place::Versions, "home"),
        (Place::Changes, "home"), (Place::Brief, "home"), (Place::File, "home"),
    ])
    .unless(no_page),
    Command::new("compare.end", "To the last paragraph", "Moves to the end.", |app| {
        on_page(app, |paper| paper.go(usize::MAX))
    })
    .keys(&[
        (Place::Compare, "end"),
        (Place::Versions, "end"),
        (Place::Changes, "end"), (Place::Brief, "end"), (Place::File, "end"),
    ])
    .unless(no_page),
    Command::new(
        "compare.close",
        "Back",
        "Goes back to where you came from; nothing is changed by that.",
        App::close_view,
    )
    .keys(&[
        (Place::Compare, "esc"),
        (Place::Compare, "left"),
        (Place::Others, "esc"),
        (Place::Others, "left"),
        (Place::Versions, "esc"),
        (Place::Changes, "esc"), (Place::Brief, "esc"), (Place::Collection, "esc"),
        (Place::Memory, "esc"), (Place::File, "esc"),
    ])
    .unless(no_view),
];

fn no_view(app: &App) -> Option<&'static str> {
    app.view().is_none().then_some("Nothing is compared.")
}

fn no_page(app: &App) -> Option<&'static str> {
    match app.view() {
        None | Some(View::Others(_) | View::Shelf(_) | View::Memory(_)) => {
            Some("Nothing is compared.")
        }
        Some(_) => None,
    }
}

fn not_comparing(app: &App) -> Option<&'static str> {
    app.compared().is_none().then_some("Nothing is compared.")
}

fn no_others(app: &App) -> Option<&'static str> {
    match app.view() {
        Some(View::Others(_)) => None,
        _ => Some("No variants are shown."),
    }
}

fn nothing_to_take(app: &App) -> Option<&'static str> {
    match app.compared() {
        None => Some("Nothing is compared."),
        Some(view) if view.target().is_none() => {
            Some("Neither text is a draft: nothing can be taken.")
        }
        Some(view) if !view.paper.is_here => Some("The texts are not here yet."),
        Some(_) => None,
    }
}

fn nothing_to_decide(app: &App) -> Option<&'static str> {
    (!app.is_deciding()).then_some("No two texts of one paragraph wait to be decided here.")
}

fn nothing_to_adopt(app: &App) -> Option<&'static str> {
    match app.adoptable() {
        None => Some("Neither text is a variant's."),
        Some(session) => app.why_not_adopt_session(session),
    }
}

fn on_page(app: &mut App, does: impl FnOnce(&mut Paper)) -> Vec<Effect> {
    match app.desks.views.top_mut() {
        Some(View::Compare(view)) => does(&mut view.paper),
        Some(View::Versions(view)) => does(&mut view.paper),
        Some(View::Changes(view)) => does(&mut view.paper),
        Some(View::Brief(view)) => does(&mut view.paper),
        Some(View::File(view)) => does(&mut view.paper),
        Some(View::Others(_) | View::Shelf(_) | View::Memory(_)) | None => {}
    }
    Vec::new()
}

fn difference(app: &mut App, on: bool) -> Vec<Effect> {
    let mut found = true;
    on_page(app, |paper| found = paper.go_difference(on));
    if !found {
        app.say(if on {
            "This is the last difference."
        } else {
            "This is the first difference."
        });
    }
    Vec::new()
}

fn step(app: &mut App, on: bool) -> Vec<Effect> {
    if let Some(View::Others(view)) = app.desks.views.top_mut() {
        view.step(on);
        return Vec::new();
    }
    on_page(app, |paper| paper.step(on))
}

fn stand(app: &mut App) -> Vec<Effect> {
    let beside = app.compared().is_some_and(stands_beside);
    app.switch_stand(!beside);
    Vec::new()
}
