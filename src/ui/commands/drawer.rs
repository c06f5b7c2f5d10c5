//! Collections and their pieces: the page, the order, the stage, where a session lies.

use super::{Command, Place};
use crate::ui::app::App;
use crate::ui::input::Effect;
use crate::ui::layers::move_to::MoveTo;
use crate::ui::layers::said::Says;
use crate::ui::layers::stage::Stages;

pub(super) const ROWS: &[Command] = &[
    Command::new(
        "piece.stage",
        "Stage",
        "Says where the piece stands: idea, outline, draft, revising, done.",
        stage,
    )
    .writes()
    .keys(&[(Place::List, "g"), (Place::Collection, "g")])
    .unless(App::no_row_at_hand),
    Command::new(
        "piece.move",
        "Move to another collection",
        "Moves the session and its variants to another collection; its folder moves, undo moves it back.",
        move_to,
    )
    .writes()
    .keys(&[(Place::List, "M"), (Place::Collection, "M")])
    .unless(App::no_row_at_hand),
    Command::new(
        "piece.target",
        "Words of this piece",
        "Sets how many words the piece is to have.",
        App::ask_piece_target,
    )
    .writes()
    .keys(&[(Place::Collection, "t")])
    .unless(App::no_row_at_hand),
    Command::new(
        "collection.open",
        "The page of a collection",
        "Shows what a collection is, its pieces in order, what waits for you, what changed, the words of each day.",
        App::show_shelf,
    )
    .keys(&[(Place::Drawer, "o"), (Place::List, "o")])
    .unless(no_collection),
    Command::new("collection.enter", "Open the piece", "Opens the piece under the cursor, ready to write.", App::open_piece)
        .keys(&[(Place::Collection, "enter")])
        .unless(no_page),
    Command::new("collection.next", "Next piece", "Moves one piece down.", |app| app.step_piece(1))
        .keys(&[(Place::Collection, "down"), (Place::Collection, "j")])
        .unless(no_page),
    Command::new("collection.previous", "Piece before", "Moves one piece up.", |app| app.step_piece(-1))
        .keys(&[(Place::Collection, "up"), (Place::Collection, "k")])
        .unless(no_page),
    Command::new(
        "collection.lower",
        "Further down",
        "Puts the piece under the cursor behind the next one; in the drawer, the collection.",
        |app| app.shift(1),
    )
    .writes()
    .keys(&[(Place::Collection, "J"), (Place::Drawer, "J")])
    .unless(no_collection),
    Command::new(
        "collection.higher",
        "Further up",
        "Puts the piece under the cursor before the one above; in the drawer, the collection.",
        |app| app.shift(-1),
    )
    .writes()
    .keys(&[(Place::Collection, "K"), (Place::Drawer, "K")])
    .unless(no_collection),
    Command::new("collection.rename", "Rename the collection", "Gives the collection another title; its folder keeps its name.", |app| app.ask_of_shelf(Says::Title))
        .writes()
        .keys(&[(Place::Drawer, "r"), (Place::Collection, "r")])
        .unless(no_collection),
    Command::new("collection.describe", "Describe the collection", "Says in a line what the collection is.", |app| app.ask_of_shelf(Says::About))
        .writes()
        .keys(&[(Place::Drawer, "d"), (Place::Collection, "d")])
        .unless(no_collection),
    Command::new("collection.target", "Words of the whole", "Sets how many words the collection is to have.", |app| app.ask_of_shelf(Says::Target))
        .writes()
        .keys(&[(Place::Collection, "T")])
        .unless(no_collection),
    Command::new("collection.day", "Words a day", "Sets how many words are to be written here a day.", |app| app.ask_of_shelf(Says::Day))
        .writes()
        .keys(&[(Place::Collection, "D")])
        .unless(no_collection),
    Command::new("collection.web", "Allow the web, or no longer", "Lets the agents of this collection search the web and read pages, each time after a question; or takes that back.", App::toggle_web)
        .writes()
        .keys(&[(Place::Collection, "w")])
        .unless(no_collection),
    Command::new(
        "collection.gather",
        "A collection of a folder's files",
        "Makes a collection of the Markdown files in a folder: each becomes a session, the files stay as they are.",
        |app| app.ask_of_shelf(Says::Folder),
    )
    .writes(),
    Command::new(
        "collection.take_in",
        "A collection of the folder found",
        "Makes a collection of the folder of Markdown files that was found in the workspace; the files stay as they are.",
        App::take_loose,
    )
    .writes()
    .keys(&[(Place::List, "+"), (Place::Drawer, "+")]),
    Command::new(
        "collection.leave",
        "Leave the folder found as it is",
        "The folder of Markdown files that was found is not offered again.",
        App::leave_loose,
    )
    .keys(&[(Place::List, "-"), (Place::Drawer, "-")])
    .unless(no_loose),
    Command::new(
        "piece.export",
        "Export…",
        "Writes the draft, the transcript or the drafts of the whole collection to a file: Markdown, HTML, text; docx, epub and PDF with pandoc.",
        App::export,
    )
    .keys(&[
        (Place::List, "E"),
        (Place::Drawer, "E"),
        (Place::Transcript, "E"),
        (Place::Collection, "E"),
    ])
    .unless(App::no_export),
];

fn no_collection(app: &App) -> Option<&'static str> {
    app.shelf_at_hand()
        .is_none()
        .then_some("No collection is at hand.")
}

fn no_loose(app: &App) -> Option<&'static str> {
    app.loose()
        .is_none()
        .then_some("No folder of Markdown files was found that is no collection.")
}

fn no_page(app: &App) -> Option<&'static str> {
    app.shelf_page()
        .is_none()
        .then_some("No page of a collection is shown.")
}

fn stage(app: &mut App) -> Vec<Effect> {
    if let Some(row) = app.row_at_hand() {
        let layer = Stages::new(row.id, app.rows.stage_of(row));
        app.push(layer);
    }
    Vec::new()
}

fn move_to(app: &mut App) -> Vec<Effect> {
    if let Some(session) = app.at_hand() {
        let layer = MoveTo::new(session, app);
        app.push(layer);
    }
    Vec::new()
}
