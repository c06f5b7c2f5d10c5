//! The memory of a collection: what agents propose decided line by line, lines archived, versions of its files.

use super::{Command, Place};
use crate::ui::app::App;
use crate::ui::memory::{FileView, Item, MemoryView};

/// Lines that a page key moves.
const PAGE: isize = 10;
/// More lines than any memory has.
const ALL: isize = isize::MAX / 2;

pub(super) const ROWS: &[Command] = &[
    Command::new(
        "memory.open",
        "The memory of a collection",
        "Shows what agents propose to keep, what the collection's memory says, and the versions of its files.",
        App::show_memory,
    )
    .keys(&[
        (Place::List, "I"),
        (Place::Drawer, "I"),
        (Place::Transcript, "I"),
        (Place::Collection, "I"),
        (Place::Brief, "I"),
    ]),
    Command::new(
        "memory.accept",
        "Accept the proposal",
        "Makes the proposal a line of the memory, with the piece it comes from and the day.",
        |app| app.accept_offer(false),
    )
    .writes()
    .keys(&[(Place::Memory, "a")])
    .unless(no_offer),
    Command::new(
        "memory.accept_instead",
        "Accept in the place of the other",
        "Makes the proposal a line of the memory, and moves the line it contradicts into the archive; of several, the one under the cursor.",
        |app| app.accept_offer(true),
    )
    .writes()
    .keys(&[(Place::Memory, "A")])
    .unless(no_other),
    Command::new(
        "memory.edit",
        "Edit, then accept",
        "Puts the proposal into a line, to be accepted in your words.",
        App::edit_offer,
    )
    .writes()
    .keys(&[(Place::Memory, "e")])
    .unless(no_offer),
    Command::new(
        "memory.refuse",
        "Refuse the proposal",
        "The proposal becomes no line of the memory, and is not made again.",
        App::refuse_offer,
    )
    .writes()
    .keys(&[(Place::Memory, "r")])
    .unless(no_offer),
    Command::new(
        "memory.archive",
        "Archive the line, or bring it back",
        "Moves the line into the archive of the memory, which is not sent; out of it, back below its heading.",
        App::fold_line,
    )
    .writes()
    .keys(&[(Place::Memory, "x")])
    .unless(no_line),
    Command::new(
        "memory.put_back",
        "Put back what is missing",
        "Puts accepted lines back that are missing since another program saved or removed the memory.",
        App::put_lines_back,
    )
    .writes()
    .keys(&[(Place::Memory, "p")])
    .unless(nothing_lost),
    Command::new(
        "memory.let_go",
        "Let go what is missing",
        "The memory is meant as it is: accepted lines that are missing are missed no more.",
        App::let_lines_go,
    )
    .writes()
    .keys(&[(Place::Memory, "l")])
    .unless(nothing_lost),
    Command::new(
        "memory.undo",
        "Undo in the memory",
        "Takes back what was done to the memory last, also by another window or before the program was closed.",
        App::undo_memory,
    )
    .writes()
    .keys(&[(Place::Memory, "u"), (Place::File, "u")])
    .unless(nothing),
    Command::new(
        "memory.enter",
        "Open",
        "Opens the session a proposal comes from, or the versions of a file.",
        App::enter_memory,
    )
    .keys(&[(Place::Memory, "enter")])
    .unless(nothing_to_open),
    Command::new(
        "memory.waiting",
        "The next memory that waits",
        "Goes to the memory of the next collection in which proposals wait.",
        App::next_waiting,
    )
    .keys(&[(Place::Memory, "n")])
    .unless(none_waits),
    Command::new("memory.next", "Next line", "Moves one line down.", |app| app.step_memory(1))
        .keys(&[(Place::Memory, "down"), (Place::Memory, "j")])
        .unless(no_memory),
    Command::new("memory.previous", "Line before", "Moves one line up.", |app| app.step_memory(-1))
        .keys(&[(Place::Memory, "up"), (Place::Memory, "k")])
        .unless(no_memory),
    Command::new("memory.page_down", "Lines further down", "Moves ten lines down.", |app| app.step_memory(PAGE))
        .keys(&[(Place::Memory, "pgdn")])
        .unless(no_memory),
    Command::new("memory.page_up", "Lines further up", "Moves ten lines up.", |app| app.step_memory(-PAGE))
        .keys(&[(Place::Memory, "pgup")])
        .unless(no_memory),
    Command::new("memory.first", "First line", "Moves to the first line.", |app| app.step_memory(-ALL))
        .keys(&[(Place::Memory, "home")])
        .unless(no_memory),
    Command::new("memory.last", "Last line", "Moves to the last line.", |app| app.step_memory(ALL))
        .keys(&[(Place::Memory, "end")])
        .unless(no_memory),
    Command::new(
        "memory.older",
        "Older version of the file",
        "Walks to the version before.",
        |app| app.walk_file(-1),
    )
    .keys(&[(Place::File, "left"), (Place::File, "down")])
    .unless(no_file),
    Command::new(
        "memory.newer",
        "Newer version of the file",
        "Walks to the version after.",
        |app| app.walk_file(1),
    )
    .keys(&[(Place::File, "right"), (Place::File, "up")])
    .unless(no_file),
    Command::new(
        "memory.restore",
        "Restore the version of the file",
        "Makes this version the text of the file again, as a new version; nothing is lost.",
        App::restore_file,
    )
    .writes()
    .keys(&[(Place::File, "r")])
    .unless(nothing_to_restore),
];

fn no_memory(app: &App) -> Option<&'static str> {
    app.memory().is_none().then_some("No memory is shown.")
}

fn no_file(app: &App) -> Option<&'static str> {
    app.memory_file()
        .is_none()
        .then_some("No versions of a file are shown.")
}

fn nothing(app: &App) -> Option<&'static str> {
    no_memory(app).filter(|_| no_file(app).is_some())
}

fn no_offer(app: &App) -> Option<&'static str> {
    let offer = app.memory().and_then(MemoryView::offer);
    offer
        .is_none()
        .then_some("No proposal is under the cursor.")
}

fn no_other(app: &App) -> Option<&'static str> {
    let view = app.memory();
    if view.is_some_and(|view| view.contradicted().is_some()) {
        return None;
    }
    let offer = view.and_then(MemoryView::offer);
    let several = offer.is_some_and(|offer| !offer.against.is_empty());
    Some(if several {
        "It contradicts several lines: move the cursor to the one that is to go (≠)."
    } else {
        "The proposal contradicts no line of the memory."
    })
}

fn no_line(app: &App) -> Option<&'static str> {
    let line = app.memory().and_then(MemoryView::line);
    line.is_none()
        .then_some("No line of the memory is under the cursor.")
}

fn nothing_lost(app: &App) -> Option<&'static str> {
    let sheet = app.memory().and_then(MemoryView::sheet);
    let lost = sheet.is_some_and(|sheet| sheet.lost > 0);
    (!lost).then_some("No accepted line is missing in the memory.")
}

fn none_waits(app: &App) -> Option<&'static str> {
    match app.memory() {
        None => Some("No memory is shown."),
        Some(view) => {
            let next = app.waits_behind(&view.collection);
            next.is_none()
                .then_some("No proposal waits in another collection.")
        }
    }
}

fn nothing_to_open(app: &App) -> Option<&'static str> {
    match app.memory().and_then(MemoryView::item) {
        Some(Item::File(row)) if row.versions.is_empty() => Some("The file has no versions yet."),
        Some(Item::Offer(_) | Item::Against(..) | Item::File(_)) => None,
        Some(Item::Line(_)) | None => Some("There is nothing to open here."),
    }
}

fn nothing_to_restore(app: &App) -> Option<&'static str> {
    let newest = |view: &FileView| view.at() + 1 >= view.versions().len();
    match app.memory_file() {
        None => Some("No versions of a file are shown."),
        Some(view) if newest(view) => Some("This is what the file says now."),
        Some(view) if view.version().is_some_and(|v| v.gone) => {
            Some("The file was not there in this version.")
        }
        Some(_) => None,
    }
}
