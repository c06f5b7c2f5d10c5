//! What is done with a session, and with the collection it lies in.

use super::{Command, Place};
use crate::domain::ask::{Deed, DrawerDeed, Request};
use crate::domain::{Change, Row, State};
use crate::text::one_line;
use crate::ui::app::App;
use crate::ui::asks::{Filing, Purpose};
use crate::ui::focus::Pane;
use crate::ui::input::Effect;
use crate::ui::layers::{agents, confirm, line, queue};
use crate::ui::rows::Shelf;

pub(super) const ROWS: &[Command] = &[
    Command::new(
        "session.new",
        "New session",
        "Begins a session in the collection at hand, with the caret where you write.",
        App::begin,
    )
    .writes()
    .keys(&[
        (Place::List, "n"),
        (Place::Drawer, "n"),
        (Place::Transcript, "n"),
        (Place::Collection, "n"),
    ]),
    Command::new(
        "session.open",
        "Open",
        "Opens the session under the cursor, ready to write; where a collection has none, its page.",
        open,
    )
    .keys(&[(Place::List, "enter")])
    .unless(nothing_to_open),
    Command::new(
        "session.reply",
        "Reply without opening",
        "Sends a prompt to the session under the cursor and stays in the list.",
        reply,
    )
    .writes()
    .keys(&[(Place::List, "space")])
    .unless(no_row),
    Command::new(
        "session.rename",
        "Rename",
        "Gives the session another title.",
        rename,
    )
    .writes()
    .keys(&[(Place::List, "r")])
    .unless(App::no_row_at_hand),
    Command::new("session.tag", "Tag", "Sets the session's tags.", tag)
        .writes()
        .keys(&[(Place::List, "t")])
        .unless(App::no_row_at_hand),
    Command::new(
        "session.archive",
        "Archive, or bring back",
        "Takes the session out of the list; from the archive, brings it back.",
        archive,
    )
    .writes()
    .keys(&[(Place::List, "x")])
    .unless(App::no_row_at_hand),
    Command::new(
        "session.trash",
        "Into the trash, or out of it",
        "Moves the session to the trash; from the trash, brings it back.",
        trash,
    )
    .writes()
    .keys(&[(Place::List, "del")])
    .unless(App::no_row_at_hand),
    Command::new(
        "session.undo",
        "Undo the last deed",
        "Undoes what was done last: a rename, tags, the archive, the trash, a change of the draft.",
        App::undo_deed,
    )
    .writes()
    .keys(&[
        (Place::List, "u"),
        (Place::Drawer, "u"),
        (Place::Transcript, "u"),
        (Place::Collection, "u"),
    ])
    .unless(nothing_to_undo),
    Command::new(
        "session.redo",
        "Do again what was undone",
        "Does again what was undone last, where nothing else was done since.",
        App::redo_deed,
    )
    .writes()
    .keys(&[
        (Place::List, "U"),
        (Place::Drawer, "U"),
        (Place::Transcript, "U"),
        (Place::Collection, "U"),
    ])
    .unless(nothing_to_redo),
    Command::new(
        "session.agent",
        "Choose the agent for the next turn",
        "Shows the agents of the configuration; the next turn gets its history from the log.",
        choose,
    )
    .writes()
    .unless(no_choice),
    Command::new(
        "session.import",
        "Import from Claude Code…",
        "Shows the histories of Claude Code on this machine, to make sessions of them; they stay as they are.",
        App::show_histories,
    )
    .writes(),
    Command::new(
        "session.compact",
        "Compact the conversation",
        "Puts a summary in the place of the beginning of what the agent is sent; the log keeps everything.",
        compact,
    )
    .writes()
    .unless(nothing_said),
    Command::new(
        "session.stop",
        "Stop this turn",
        "Stops the running turn; what was written so far is kept.",
        App::stop_turn,
    )
    .unless(no_turn),
    Command::new(
        "queue.show",
        "Prompts that wait",
        "Shows the prompts that wait for this turn to end, to change one or take it back.",
        show_queue,
    )
    .keys(&[(Place::Transcript, "p")])
    .unless(no_queue),
    Command::new(
        "queue.continue",
        "Let waiting prompts run",
        "Lets the prompts run that are held since a stop, or since the host ended.",
        App::continue_queue,
    )
    .writes()
    .unless(nothing_held),
    Command::new(
        "session.accept",
        "Accept a damaged log",
        "Takes what a damaged log still holds as the whole, so that it can be written again.",
        accept,
    )
    .writes()
    .unless(no_trouble),
    Command::new(
        "collection.new",
        "New collection",
        "Makes a collection: a drawer of sessions that belong together.",
        new_collection,
    )
    .writes()
    .keys(&[(Place::List, "N"), (Place::Drawer, "N")]),
    Command::new(
        "collection.archive",
        "Archive this collection, or bring it back",
        "Puts the collection at the foot of the drawer, to what is archived; from there, brings it back. Nothing in it changes.",
        archive_collection,
    )
    .writes()
    .keys(&[(Place::Drawer, "x")])
    .unless(no_collection),
    Command::new(
        "collection.archived",
        "Archived collections",
        "Shows the collections that are archived, at the foot of the drawer, to be brought back.",
        archived_collections,
    )
    .unless(none_archived),
];

fn nothing(app: &App) -> Option<&'static str> {
    app.rows.is_empty().then_some("The list is empty.")
}

/// Of a collection without sessions its page can be opened.
fn nothing_to_open(app: &App) -> Option<&'static str> {
    let page = app.rows.filter().is_empty() && matches!(app.rows.shelf(), Shelf::Collection(_));
    nothing(app).filter(|_| !page)
}

fn no_row(app: &App) -> Option<&'static str> {
    nothing(app).or_else(|| {
        let none = app.rows.cursor().is_none();
        none.then_some("No session is under the cursor.")
    })
}

fn nothing_to_undo(app: &App) -> Option<&'static str> {
    let said = if app.has_versions() {
        "Nothing is left to undo here. What the draft was before is in its versions."
    } else {
        "There is nothing to undo here."
    };
    (!app.can_undo()).then_some(said)
}

fn nothing_to_redo(app: &App) -> Option<&'static str> {
    (!app.can_redo()).then_some("There is nothing to do again here.")
}

fn no_choice(app: &App) -> Option<&'static str> {
    let agents = &app.settings.agents.choices;
    let one = agents.len() < 2 && agents.first() == Some(&app.agent_at_hand());
    one.then_some("Only one agent is configured.")
}

fn nothing_said(app: &App) -> Option<&'static str> {
    let said = app.row_at_hand().is_some_and(|r| r.turns > 0);
    (!said).then_some("Nothing was said here yet.")
}

fn no_turn(app: &App) -> Option<&'static str> {
    let runs = |r: &Row| matches!(r.state, State::Writing | State::NeedsYou);
    (!app.row_at_hand().is_some_and(runs)).then_some("No turn runs here.")
}

fn no_queue(app: &App) -> Option<&'static str> {
    app.waiting().is_empty().then_some("No prompt waits here.")
}

fn nothing_held(app: &App) -> Option<&'static str> {
    (!app.is_held()).then_some("No prompt waits for you to go on.")
}

fn no_trouble(app: &App) -> Option<&'static str> {
    let troubled = app.row_at_hand().is_some_and(|r| r.trouble.is_some());
    (!troubled).then_some("This session's log is sound.")
}

fn none_archived(app: &App) -> Option<&'static str> {
    (!app.rows.any_archived()).then_some("No collection is archived.")
}

fn no_collection(app: &App) -> Option<&'static str> {
    match app.rows.shelf() {
        Shelf::Collection(_) => None,
        _ => Some("No collection is under the cursor."),
    }
}

fn open(app: &mut App) -> Vec<Effect> {
    if let Some(folded) = app.rows.fold_at_cursor().cloned() {
        app.rows.show(Shelf::Collection(folded));
        return Vec::new();
    }
    if app.rows.is_empty() {
        return app.show_shelf();
    }
    match app.rows.cursor() {
        Some(session) => app.open(session, Pane::Composer),
        None => Vec::new(),
    }
}

fn reply(app: &mut App) -> Vec<Effect> {
    if let Some(row) = app.rows.cursor().and_then(|s| app.rows.get(s)) {
        let written = app.desks.written(row.id, false);
        let layer = line::Line::reply(row.id, &app.title_of(row.id), &written);
        app.push(layer);
    }
    Vec::new()
}

fn rename(app: &mut App) -> Vec<Effect> {
    if let Some(row) = app.row_at_hand() {
        // A variant that is the main line is shown by the title of the piece, so that is what gets another.
        let shown = row.kin.is_variant() && app.rows.is_main(row.id);
        let first = app.rows.first_of_family(row.id).filter(|_| shown);
        let row = first.unwrap_or(row);
        let what = match (row.kin.is_variant(), first) {
            (true, _) => "Rename the variant",
            (false, Some(_)) => "Rename the piece",
            (false, None) => "Rename",
        };
        let layer = line::Line::rename(row.id, &row.title, what);
        app.push(layer);
    }
    Vec::new()
}

fn tag(app: &mut App) -> Vec<Effect> {
    if let Some(row) = app.row_at_hand() {
        let layer = line::Line::tag(row.id, &row.tags);
        app.push(layer);
    }
    Vec::new()
}

fn archive(app: &mut App) -> Vec<Effect> {
    shelve(app, |row| {
        if row.archived {
            (Deed::Restore, "is back in the list")
        } else {
            (Deed::Archive, "is in the archive")
        }
    })
}

fn trash(app: &mut App) -> Vec<Effect> {
    shelve(app, |row| {
        if row.trashed {
            (Deed::Restore, "is out of the trash")
        } else {
            (Deed::Trash, "is in the trash")
        }
    })
}

fn shelve(app: &mut App, deed: fn(&Row) -> (Deed, &'static str)) -> Vec<Effect> {
    let Some(row) = app.row_at_hand() else {
        return Vec::new();
    };
    let (session, (deed, what)) = (row.id, deed(row));
    let said = format!("“{}” {what}.", app.title_of(session));
    app.act(session, deed, said)
}

fn choose(app: &mut App) -> Vec<Effect> {
    let layer = agents::Agents::new(app);
    app.push(layer);
    Vec::new()
}

fn compact(app: &mut App) -> Vec<Effect> {
    if let Some(session) = app.at_hand() {
        app.push(line::Line::compact(session));
    }
    Vec::new()
}

fn show_queue(app: &mut App) -> Vec<Effect> {
    app.push(queue::Queue::default());
    Vec::new()
}

fn accept(app: &mut App) -> Vec<Effect> {
    if let Some(row) = app.row_at_hand() {
        let layer = confirm::Confirm::accept(row, &app.title_of(row.id));
        app.push(layer);
    }
    Vec::new()
}

fn new_collection(app: &mut App) -> Vec<Effect> {
    app.push(line::Line::collection());
    Vec::new()
}

fn archive_collection(app: &mut App) -> Vec<Effect> {
    let Shelf::Collection(collection) = app.rows.shelf().clone() else {
        return Vec::new();
    };
    let archived = !app.rows.is_archived(&collection);
    let title = one_line(app.rows.collection_title(&collection));
    let said = if archived {
        format!("“{title}” is in the archive.")
    } else {
        format!("“{title}” is back in the drawer.")
    };
    let change = Change::Archived(archived);
    let request = Request::Drawer {
        deed: DrawerDeed::Change { collection, change },
    };
    vec![app.ask(request, Purpose::Drawer(Filing::Changed(said)))]
}

fn archived_collections(app: &mut App) -> Vec<Effect> {
    app.rows.show_archived();
    app.pane = Pane::Drawer;
    Vec::new()
}
