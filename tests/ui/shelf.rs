//! Collections: their page, where a piece stands and lies, exports, folders that could be one. Keys to requests and
//! frames.

use fascicle::config::collection::TOP;
use fascicle::domain::ask::{Deed, DrawerDeed, Gathered, NewSession, Refiled, Which};
use fascicle::domain::head::Was;
use fascicle::domain::written::{Came, Moment};
use fascicle::domain::{
    Change, CollectionId, CollectionRow, Notice, Piece, Reply, Request, Row, Stage as Standing,
    State,
};
use fascicle::text::export::Format;
use fascicle::ui::errand::{Brought, Errand, Export, Exported, Outlet, Sought, Unwritten};
use fascicle::ui::{Effect, Input, Place};

use crate::compare::{SIZES, golden};
use crate::stage::{NOON, Stage, collection, collections, id, row, rows, settings};

const HOUR: i64 = 3_600_000;
const PROFILE: &str = "Essays on what a morning is worth, for readers who have few.\n\nEach begins with a thing and ends with a person.\n";

/// A piece with words written in the last days.
fn piece(n: u128, title: &str, state: State, words: u64) -> Row {
    let now = NOON / HOUR;
    let moments = (0..9).map(|day| Moment {
        at: (now - 24 * (9 - day) + i64::try_from(n).unwrap()) * HOUR,
        came: Came {
            you: 40 * u64::try_from(day).unwrap() * u64::try_from(n).unwrap() % 700,
            agents: if day % 3 == 0 { 90 } else { 0 },
            elsewhere: 0,
        },
    });
    let mut piece = row(n, title, state, words);
    piece.written.moments = moments.collect();
    piece
}

fn essays() -> CollectionRow {
    let of = |n, stage, target| Piece {
        stage,
        target,
        ..Piece::new(id(n))
    };
    let mut shelf = CollectionRow::new(collection("essays"), "Essays", "essays");
    shelf.about = Some("Ten short pieces about lost time.".to_owned());
    shelf.target = Some(12_000);
    shelf.day = Some(300);
    shelf.waiting = 2;
    shelf.pieces = vec![
        of(1, Some(Standing::Done), Some(1_000)),
        of(2, Some(Standing::Revising), Some(1_500)),
        of(3, Some(Standing::Draft), None),
        of(4, Some(Standing::Outline), None),
    ];
    shelf
}

/// The page of the essays, looked at a day ago.
fn page() -> Stage {
    let mut left = Place {
        session: Some(id(1)),
        ..Place::default()
    };
    left.looked.insert(collection("essays"), NOON - 26 * HOUR);
    let mut stage = Stage::bare(left);
    let mut told = collections();
    told[0] = essays();
    let mut pieces = vec![
        piece(1, "The lost afternoon", State::Idle, 987),
        piece(2, "Compact", State::Unread, 2_011),
        piece(3, "Session", State::Writing, 1_204),
        piece(4, "Memory", State::NeedsYou, 0),
        piece(
            5,
            "渡し船のいる朝 — a morning with a ferry in it",
            State::Interrupted,
            340,
        ),
    ];
    pieces.extend(rows().into_iter().filter(|row| row.id == id(6)));
    stage.tell_list(&told, &pieces);
    stage.frame(120, 40);
    stage.press("esc left o");
    stage.asks().into_iter().for_each(|(tag, request)| {
        if matches!(
            request,
            Request::Drawer {
                deed: DrawerDeed::Profile { .. }
            }
        ) {
            let text = PROFILE.to_owned();
            stage.answer(tag, Reply::Text { text });
        }
    });
    stage
}

/// The one change that was asked for.
fn changed(stage: &mut Stage) -> Change {
    match stage.asked_one() {
        (
            tag,
            Request::Drawer {
                deed: DrawerDeed::Change { change, .. },
            },
        ) => {
            stage.answer(tag, filed("essays"));
            change
        }
        other => panic!("{other:?} is no change"),
    }
}

/// What the host says of a change.
fn filed(id: &str) -> Reply {
    Reply::Filed {
        collection: collection(id),
        deed: 7,
    }
}

/// The change is undone by its number; what stands there then is said.
fn undone(stage: &mut Stage, to: Change, said: &str) {
    stage.press("u");
    let (tag, request) = stage.asked_one();
    let only = Some(7);
    let deed = DrawerDeed::Undo {
        collection: collection("essays"),
        which: Which { only, ..Which::NEW },
    };
    assert_eq!(request, Request::Drawer { deed });
    stage.answer(tag, refiled(to, false, false));
    let frame = stage.frame(120, 40);
    assert!(frame.contains(said), "{frame}");
}

fn refiled(to: Change, again: bool, asked: bool) -> Reply {
    Reply::Refiled(Box::new(Refiled {
        collection: collection("essays"),
        deed: 7,
        at: NOON,
        to,
        again,
        asked,
    }))
}

#[test]
fn the_page_says_what_lies_in_a_collection_what_waits_and_what_changed() {
    for (cols, lines) in SIZES {
        let mut stage = page();
        golden(format!("shelf@{cols}x{lines}"), &stage.frame(cols, lines));
    }
}

#[test]
fn a_low_page_says_how_many_pieces_are_out_of_sight() {
    let mut stage = page();
    for n in 11..=14 {
        stage.tell_row(piece(n, &format!("Another {n}"), State::Idle, 100));
    }
    let frame = stage.frame(80, 12);
    assert!(frame.contains("↓ 5 more"), "{frame}");
    stage.press("down down down down down down down down");
    let frame = stage.frame(80, 12);
    assert!(frame.contains("↑ 5 more"), "{frame}");
    assert!(!stage.frame(120, 40).contains(" more"));
}

#[test]
fn a_long_title_in_the_drawer_is_cut_and_its_signs_are_not() {
    let mut stage = Stage::bare(Place::default());
    let mut told = collections();
    told[0].title = "Essays on the weather and the ferries of the north".to_owned();
    told[0].waiting = 7;
    stage.tell_list(&told, &rows());
    stage.press("esc left left");
    let frame = stage.frame(120, 40);
    let row = frame.lines().find(|line| line.contains("+7 │"));
    assert!(
        row.is_some_and(|row| row.contains("Essay… !1 ●1 ✓1 +7")),
        "{frame}"
    );
}

#[test]
fn a_page_without_pieces_says_how_to_begin() {
    for (cols, lines) in SIZES {
        let mut stage = Stage::bare(Place::default());
        stage.tell_list(&collections(), &[]);
        stage.frame(cols, lines);
        stage.press("esc left left down enter enter");
        golden(
            format!("shelf_empty@{cols}x{lines}"),
            &stage.frame(cols, lines),
        );
    }
}

#[test]
fn a_session_is_begun_in_the_collection_of_the_page() {
    let mut stage = page();
    stage.press("n");
    stage.type_text("Of ferries.");
    stage.press("enter");
    match stage.asked_one().1 {
        Request::New(NewSession { collection: at, .. }) => {
            assert_eq!(at, Some(collection("essays")));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_piece_gets_a_stage_and_undo_takes_it_back() {
    let mut stage = page();
    stage.press("g");
    for (cols, lines) in SIZES {
        golden(
            format!("shelf_stage@{cols}x{lines}"),
            &stage.frame(cols, lines),
        );
    }
    stage.press("4");
    let (tag, request) = stage.asked_one();
    let (session, of) = (id(1), Some(Standing::Revising));
    let deed = Deed::Stage { stage: of };
    assert_eq!(request, Request::Do { session, deed });
    stage.answer(tag, Reply::Done);
    assert!(stage.frame(120, 40).contains("u undoes it"));
    stage.press("u");
    let deed = Deed::Undo(Which::NEW);
    let (tag, request) = stage.asked_one();
    assert_eq!(request, Request::Do { session, deed });
    // Another one stands in the file by now: nothing is said to be as it was.
    let Reply::Undone(mut undone) = crate::undo::undone(Was::Stage(None), NOON, (false, false))
    else {
        panic!("it is not undone");
    };
    undone.said = Some("It was changed in collection.toml since: it is done there now.".to_owned());
    stage.answer(tag, Reply::Undone(undone));
    let frame = stage.frame(200, 50);
    assert!(
        frame.contains("its stage stays as it is. It was changed in collection.toml since"),
        "{frame}"
    );
}

#[test]
fn a_piece_moves_to_another_collection_and_back() {
    let mut stage = page();
    stage.press("M");
    for (cols, lines) in SIZES {
        golden(
            format!("shelf_move@{cols}x{lines}"),
            &stage.frame(cols, lines),
        );
    }
    stage.type_text("lett");
    stage.press("enter");
    let (tag, request) = stage.asked_one();
    let Request::Drawer {
        deed: DrawerDeed::Move { session, to, .. },
    } = request
    else {
        panic!("{request:?} moves nothing");
    };
    assert_eq!((session, to), (id(1), collection("letters")));
    stage.answer(tag, Reply::Done);
    stage.press("u");
    let deed = Deed::Undo(Which::NEW);
    assert_eq!(stage.asked_one().1, Request::Do { session, deed });
}

#[test]
fn order_targets_and_descriptions_are_changed_and_each_is_undone_by_one_key() {
    let mut stage = page();
    stage.press("J");
    let order = [2, 1, 3, 4, 5].map(id).to_vec();
    assert_eq!(changed(&mut stage), Change::Pieces(order));
    let back = Change::Pieces([1, 2, 3, 4, 5].map(id).to_vec());
    undone(
        &mut stage,
        back,
        "Taken back in “Essays”: its pieces stand in the order they had. U does it again.",
    );
    for (key, typed, change, back, said) in [
        (
            "t",
            "1,200",
            Change::PieceTarget(id(1), Some(1_200)),
            Change::PieceTarget(id(1), None),
            "a piece of it has no target again.",
        ),
        (
            "T",
            "9000",
            Change::Target(Some(9_000)),
            Change::Target(Some(60_000)),
            "its target is 60,000 words again.",
        ),
        (
            "D",
            "",
            Change::Day(None),
            Change::Day(Some(500)),
            "500 words a day are its target again.",
        ),
        (
            "r",
            "Mornings",
            Change::Title("Mornings".to_owned()),
            Change::Title("Essays".to_owned()),
            "its title is “Essays” again.",
        ),
    ] {
        stage.press(key);
        stage.press("ctrl-u");
        stage.type_text(typed);
        stage.press("enter");
        assert_eq!(changed(&mut stage), change);
        undone(&mut stage, back, said);
    }
    stage.press("w");
    assert_eq!(changed(&mut stage), Change::Allow(vec!["web".to_owned()]));
    let back = Change::Allow(Vec::new());
    undone(&mut stage, back, "its agents have the drafts alone again.");
    stage.press("U");
    let (tag, request) = stage.asked_one();
    let only = |asks| Which {
        only: Some(7),
        asks,
        names: false,
    };
    let again = |which| Request::Drawer {
        deed: DrawerDeed::Redo {
            collection: collection("essays"),
            which,
        },
    };
    assert_eq!(request, again(only(true)));
    // Agents never get a permission back unasked.
    let web = || Change::Allow(vec!["web".to_owned()]);
    stage.answer(tag, refiled(web(), true, true));
    let frame = stage.frame(120, 40);
    assert!(frame.contains("What agents may do"), "{frame}");
    stage.press("y");
    let (tag, request) = stage.asked_one();
    assert_eq!(request, again(only(false)));
    stage.answer(tag, refiled(web(), true, false));
    let frame = stage.frame(120, 40);
    assert!(frame.contains("Done again in “Essays”"), "{frame}");
}

#[test]
fn on_the_page_of_one_collection_nothing_of_another_is_undone() {
    let mut stage = page();
    stage.press("D");
    stage.press("ctrl-u");
    stage.press("enter");
    let (tag, _) = stage.asked_one();
    stage.answer(tag, filed("letters"));
    stage.press("u");
    let deed = DrawerDeed::Undo {
        collection: collection("essays"),
        which: Which::NEW,
    };
    assert_eq!(stage.asked_one().1, Request::Drawer { deed });
}

#[test]
fn in_the_drawer_a_second_undo_names_what_was_done_to_another_collection_and_a_key_does_it_again() {
    let mut stage = Stage::bare(Place::default());
    stage.tell_list(&collections(), &rows());
    stage.press("esc left left home");
    stage.frame(120, 40);
    for name in ["essays", "letters"] {
        let (tag, collection) = archived(&mut stage);
        assert_eq!(collection.as_str(), name);
        stage.answer(tag, filed(name));
    }
    let undo = |id: &str, names| Request::Drawer {
        deed: DrawerDeed::Undo {
            collection: collection(id),
            which: Which {
                only: Some(7),
                names,
                ..Which::NEW
            },
        },
    };
    stage.press("u");
    let (tag, request) = stage.asked_one();
    assert_eq!(request, undo("letters", false), "what was done last");
    let back = Change::Order(None);
    stage.answer(tag, refiled(back.clone(), false, false));
    stage.press("u");
    let (tag, request) = stage.asked_one();
    assert_eq!(request, undo("essays", true));
    stage.answer(tag, refiled(back.clone(), false, true));
    let frame = stage.frame(120, 40);
    assert!(
        frame.contains("Done elsewhere") && frame.contains("in “Essays”"),
        "{frame}"
    );
    stage.press("y");
    let (tag, _) = stage.asked_one();
    stage.answer(tag, refiled(back, false, false));
    stage.press("U");
    let (_, request) = stage.asked_one();
    let Request::Drawer {
        deed: DrawerDeed::Redo { collection, .. },
    } = request
    else {
        panic!("{request:?} does nothing again");
    };
    assert_eq!(collection.as_str(), "essays");
}

/// What is asked when a collection is taken out of the drawer, or put back.
pub(crate) const fn archives(collection: CollectionId, archived: bool) -> Request {
    let change = Change::Archived(archived);
    Request::Drawer {
        deed: DrawerDeed::Change { collection, change },
    }
}

/// Goes to the next collection of the drawer and archives it.
fn archived(stage: &mut Stage) -> (u64, CollectionId) {
    for _ in 0..4 {
        stage.press("down x");
        if let Some((tag, Request::Drawer { deed })) = stage.asks().pop()
            && let DrawerDeed::Change { collection, .. } = deed
        {
            return (tag, collection);
        }
    }
    panic!("no collection is there:\n{}", stage.frame(120, 40));
}

#[test]
fn the_drawer_is_put_into_an_order_in_one_step_and_the_inbox_stays_the_last() {
    let mut stage = Stage::bare(Place::default());
    stage.tell_list(&collections(), &rows());
    stage.press("esc left left home");
    stage.frame(120, 40);
    stage.asks();
    stage.press("down J");
    let asked = stage.asks();
    let deeds: Vec<_> = asked
        .iter()
        .filter(|(_, request)| matches!(request, Request::Drawer { .. }))
        .collect();
    assert!(
        matches!(
            deeds[..],
            [(
                _,
                Request::Drawer {
                    deed: DrawerDeed::Arrange { .. }
                }
            )]
        ),
        "{asked:?}"
    );
    let (tag, Request::Drawer { deed }) = deeds[0].clone() else {
        panic!("{asked:?}");
    };
    let DrawerDeed::Arrange {
        order,
        moved: Some(moved),
    } = deed
    else {
        panic!("{deed:?}");
    };
    assert_eq!(order.iter().position(|id| *id == moved), Some(1));
    stage.answer(
        tag,
        Reply::Filed {
            collection: moved.clone(),
            deed: 7,
        },
    );
    // What is undone is called by the collection under the cursor.
    stage.press("u");
    let undo = |request: &Request| match request {
        Request::Drawer {
            deed: DrawerDeed::Undo { collection, which },
        } => Some((collection.clone(), which.names)),
        _ => None,
    };
    let asked: Vec<_> = stage.asks().iter().filter_map(|a| undo(&a.1)).collect();
    assert_eq!(asked, [(moved, false)]);
    stage.press("end K");
    let frame = stage.frame(120, 40);
    assert!(frame.contains("The inbox stays the last"), "{frame}");
}

#[test]
fn a_collection_is_made_archived_and_brought_back() {
    let mut stage = page();
    stage.press("esc left N");
    stage.type_text("Winter");
    stage.press("enter");
    let (tag, request) = stage.asked_one();
    let title = "Winter".to_owned();
    assert_eq!(request, Request::NewCollection { title });
    let made = collection("winter");
    stage.answer(
        tag,
        Reply::Collection {
            collection: made.clone(),
        },
    );
    let told = CollectionRow::new(made.clone(), "Winter", "winter");
    let ticket = stage.list_ticket();
    let notice = Notice::Collection(Box::new(told));
    stage.give(Input::Notice { ticket, notice });
    assert!(stage.frame(120, 40).contains("Winter"));
    stage.press("left x");
    let (tag, request) = stage.asked_one();
    assert_eq!(request, archives(made.clone(), true));
    stage.answer(tag, filed(made.as_str()));
    stage.press("u");
    let which = Which {
        only: Some(7),
        ..Which::NEW
    };
    let collection = made;
    let deed = DrawerDeed::Undo { collection, which };
    assert_eq!(stage.asked_one().1, Request::Drawer { deed });
}

#[test]
fn an_archived_collection_is_found_at_the_foot_of_the_drawer_and_comes_back() {
    let mut stage = Stage::bare(Place::default());
    let mut told = collections();
    told[0].archived = true;
    stage.tell_list(&told, &rows());
    stage.press("esc left left .");
    let frame = stage.frame(120, 40);
    assert!(!frame.contains("archived"), "folded: {frame}");
    stage.press(".");
    let frame = stage.frame(120, 40);
    assert!(frame.contains("archived"), "{frame}");
    stage.press("home ctrl-p");
    stage.type_text("archived collections");
    stage.press("enter");
    let frame = stage.frame(120, 40);
    assert!(frame.contains("x bring back"), "{frame}");
    stage.asks();
    stage.press("x");
    let (tag, request) = stage.asked_one();
    assert_eq!(request, archives(collection("essays"), false));
    stage.answer(tag, Reply::Done);
    assert!(stage.frame(120, 40).contains("is back in the drawer."));
}

#[test]
fn the_page_of_a_collection_that_goes_says_so_and_how_to_leave() {
    let mut stage = page();
    let ticket = stage.list_ticket();
    let collection = collection("essays");
    let notice = Notice::CollectionGone { collection };
    stage.give(Input::Notice { ticket, notice });
    let frame = stage.frame(120, 40);
    assert!(
        frame.contains("This collection's folder is gone"),
        "{frame}"
    );
    assert!(frame.contains("Esc back"), "{frame}");
    assert!(!frame.contains("stage"), "{frame}");
}

#[test]
fn a_profile_that_is_changed_while_its_page_is_shown_is_seen() {
    let mut stage = page();
    stage.asks();
    stage.wait(6_000);
    let (tag, request) = stage.asked_one();
    assert!(
        matches!(
            request,
            Request::Drawer {
                deed: DrawerDeed::Profile { .. }
            }
        ),
        "{request:?}"
    );
    let text = "Another profile, by hand.".to_owned();
    stage.answer(tag, Reply::Text { text });
    assert!(stage.frame(120, 40).contains("Another profile, by hand."));
}

#[test]
fn in_the_drawer_undo_reaches_no_session() {
    let mut stage = page();
    stage.press("esc left");
    stage.press("left");
    for _ in 0..9 {
        stage.press("up");
    }
    stage.asks();
    stage.press("u");
    assert!(stage.asks().is_empty(), "all sessions are no collection");
    assert!(
        stage
            .frame(120, 40)
            .contains("There is nothing to undo here.")
    );
}

#[test]
fn in_the_drawer_undo_takes_back_what_was_done_last_also_of_a_piece() {
    let mut stage = page();
    stage.press("J");
    changed(&mut stage);
    stage.press("M");
    stage.type_text("lett");
    stage.press("enter");
    let (tag, _) = stage.asked_one();
    stage.answer(tag, Reply::Done);
    assert!(stage.frame(120, 40).contains("u undoes it."));
    stage.press("esc left left");
    stage.asks();
    stage.press("u");
    let (_, request) = stage.asked_one();
    let moved =
        matches!(request, Request::Do { deed: Deed::Undo(which), .. } if which == Which::NEW);
    assert!(moved, "{request:?}");
}

#[test]
fn what_no_key_takes_back_is_said_before_an_undo_goes_on() {
    let mut stage = with_folder();
    stage.press("+");
    let (tag, _) = stage.asked_one();
    let gathered = Gathered {
        collection: collection("letters"),
        made: vec![id(9)],
        known: 0,
        skipped: Vec::new(),
    };
    stage.answer(tag, Reply::Gathered(gathered));
    stage.take_effects();
    stage.press("u");
    assert!(
        stage.asks().is_empty(),
        "nothing else is undone in its place"
    );
    let frame = stage.frame(200, 50);
    assert!(
        frame.contains("What was made of the files in “Letters” (1 session) stays")
            && frame.contains("The next u goes on to what was done before it."),
        "{frame}"
    );
}

/// The export of the essays is asked for, with or without pandoc.
fn exporting(pandoc: bool) -> Stage {
    let mut stage = page();
    stage.take_effects();
    stage.press("E");
    assert_eq!(stage.wanted(&Effect::Errand(Errand::Outlet)), 1);
    let folder = "~/Documents".to_owned();
    let outlet = Brought::Outlet(Outlet { folder, pandoc });
    stage.give(Input::Brought(outlet));
    stage.take_effects();
    stage
}

fn exported(stage: &mut Stage) -> Export {
    let wanted = stage.take_effects().into_iter().find_map(|e| match e {
        Effect::Errand(Errand::Export(export)) => Some(export),
        _ => None,
    });
    wanted.expect("an export")
}

#[test]
fn a_collection_is_exported_to_a_file_that_is_said_and_never_replaced_unasked() {
    let mut stage = exporting(false);
    for (cols, lines) in SIZES {
        golden(format!("export@{cols}x{lines}"), &stage.frame(cols, lines));
    }
    stage.press("right enter");
    let first = exported(&mut stage);
    let want = Export {
        what: Exported::Collection(collection("essays")),
        format: Format::Html,
        path: "~/Documents/essays.html".to_owned(),
        replace: false,
    };
    assert_eq!(first, want);
    let there = Unwritten::There("~/Documents/essays.html".to_owned());
    stage.give(Input::Brought(Brought::Written(Err(there))));
    let frame = stage.frame(80, 24);
    assert!(frame.contains("is there already"), "{frame}");
    stage.press("enter");
    let replaces = true;
    assert_eq!(
        exported(&mut stage),
        Export {
            replace: replaces,
            ..want
        }
    );
    let done = Ok("~/Documents/essays.html".to_owned());
    stage.give(Input::Brought(Brought::Written(done)));
    let frame = stage.frame(120, 40);
    assert!(
        frame.contains("Written to ~/Documents/essays.html."),
        "{frame}"
    );
    assert!(!stage.app.has_layer());
}

#[test]
fn another_name_is_another_file_and_a_format_that_needs_pandoc_says_so_before() {
    let mut stage = exporting(false);
    stage.press("right right right");
    let frame = stage.frame(120, 40);
    assert!(frame.contains("docx needs pandoc, which is not"), "{frame}");
    golden("export_pandoc@80x24", &stage.frame(80, 24));
    stage.press("enter");
    assert!(
        stage
            .take_effects()
            .iter()
            .all(|e| !matches!(e, Effect::Errand(_)))
    );
    stage.press("tab ctrl-x");
    let cut = Effect::Copy("~/Documents/essays.docx".to_owned());
    assert_eq!(stage.wanted(&cut), 1, "it is cut, not thrown away");
    stage.type_text("out/all.docx");
    stage.press("backtab left enter");
    let export = exported(&mut stage);
    assert_eq!(
        (export.format, export.path.as_str()),
        (Format::Txt, "out/all.txt")
    );
    let mut stage = exporting(true);
    stage.press("left enter");
    assert_eq!(exported(&mut stage).format, Format::Pdf);
}

#[test]
fn from_a_session_its_draft_comes_first_then_the_transcript_and_the_collection() {
    let mut stage = page();
    stage.press("esc E");
    let outlet = Outlet::default();
    stage.give(Input::Brought(Brought::Outlet(outlet)));
    stage.take_effects();
    stage.press("enter");
    assert_eq!(exported(&mut stage).what, Exported::Draft(id(1)));
    let why = Unwritten::Not("Nothing is written yet.".to_owned());
    stage.give(Input::Brought(Brought::Written(Err(why))));
    assert!(stage.frame(120, 40).contains("Nothing is written yet."));
    stage.press("up right enter");
    let export = exported(&mut stage);
    assert_eq!(export.what, Exported::Transcript(id(1)));
    assert!(export.path.ends_with("/the-lost-afternoon-transcript.md"));
}

#[test]
fn in_a_drawer_with_nothing_at_hand_the_keys_are_listed_and_an_export_says_why_not() {
    let mut stage = Stage::empty();
    stage.frame(120, 40);
    stage.press("esc left left ?");
    let frame = stage.frame(200, 50);
    assert!(frame.contains("Keys here · Drawer"), "{frame}");
    stage.press("esc E");
    let frame = stage.frame(120, 40);
    let why = "No session and no collection is at hand.";
    assert!(frame.contains(why), "{frame}");
}

/// A window that is told of a folder of files.
fn with_folder() -> Stage {
    let mut told = settings();
    told.first.errands.loose = Sought::Here(Some(("notes".to_owned(), 12)));
    let mut stage = Stage::with(told, Place::default());
    stage.tell_list(&collections(), &rows());
    stage.frame(120, 40);
    stage.press("esc left");
    stage.take_effects();
    stage
}

#[test]
fn a_folder_of_markdown_files_becomes_a_collection_by_one_key() {
    let mut stage = with_folder();
    golden("shelf_found@120x40", &stage.frame(120, 40));
    stage.press("+");
    let (tag, request) = stage.asked_one();
    let deed = DrawerDeed::FromFolder {
        folder: "notes".to_owned(),
        title: None,
    };
    assert_eq!(request, Request::Drawer { deed });
    let gathered = Gathered {
        collection: collection("notes"),
        made: vec![id(9)],
        known: 0,
        skipped: Vec::new(),
    };
    stage.answer(tag, Reply::Gathered(gathered));
    assert_eq!(stage.wanted(&Effect::Errand(Errand::Loose)), 1);
    stage.give(Input::Brought(Brought::Loose(None)));
    stage.press("left left");
    assert!(!stage.frame(120, 40).contains("12 files"));
}

#[test]
fn what_no_key_takes_back_is_said_whole_whatever_its_title() {
    let mut told = settings();
    told.first.errands.loose = Sought::Here(Some(("notes".to_owned(), 12)));
    let mut stage = Stage::with(told, Place::default());
    let mut shelves = collections();
    shelves[0].title = "What I wrote on the ferry between the islands ".repeat(9);
    stage.tell_list(&shelves, &rows());
    stage.frame(120, 40);
    stage.press("esc left");
    stage.take_effects();
    stage.press("+");
    let (tag, _) = stage.asked_one();
    let gathered = Gathered {
        collection: shelves[0].id.clone(),
        made: vec![id(9)],
        known: 0,
        skipped: Vec::new(),
    };
    stage.answer(tag, Reply::Gathered(gathered));
    stage.press("left u");
    for (cols, rows) in [(80, 24), (120, 40)] {
        let frame = stage.frame(cols, rows);
        for said in ["stays: put what is not wanted", "what was done before it."] {
            assert!(frame.contains(said), "{frame}");
        }
    }
}

#[test]
fn the_files_at_the_top_of_the_workspace_are_offered_by_its_name() {
    let mut told = settings();
    told.workspace = "~/writing".to_owned();
    told.first.errands.loose = Sought::Here(Some((TOP.to_owned(), 1)));
    let mut stage = Stage::with(told, Place::default());
    stage.tell_list(&collections(), &rows());
    let frame = stage.frame(120, 40);
    assert!(
        frame.contains("The folder “writing” holds 1 Markdown file:"),
        "{frame}"
    );
    stage.press("esc left");
    stage.take_effects();
    assert!(stage.frame(120, 40).contains("writing: 1 file"));
    stage.press("+");
    let (_, request) = stage.asked_one();
    let deed = DrawerDeed::FromFolder {
        folder: ".".to_owned(),
        title: None,
    };
    assert_eq!(request, Request::Drawer { deed });
}

#[test]
fn a_folder_that_is_left_alone_is_not_offered_again() {
    let mut stage = with_folder();
    stage.press("-");
    let leave = Effect::Errand(Errand::Leave("notes".to_owned()));
    assert_eq!(stage.wanted(&leave), 1);
    let frame = stage.frame(120, 40);
    assert!(!frame.contains("12 files"), "{frame}");
    assert!(frame.contains("“notes” stays as it is."), "{frame}");
}

#[test]
fn an_adopted_variant_stands_in_the_place_of_its_piece_with_its_target_and_its_stage() {
    let mut stage = page();
    let mut variant = piece(7, "first person", State::Idle, 900);
    variant.kin.family = Some(id(1));
    variant.kin.parent = Some(fascicle::domain::event::Origin {
        session: id(1),
        seq: 3,
    });
    variant.kin.adopted = Some(1);
    stage.tell_row(variant);
    let frame = stage.frame(120, 40);
    let line = frame.lines().find(|l| l.contains("The lost afternoon"));
    let line = line.unwrap();
    assert!(
        line.contains("done") && line.contains("900 of 1,000 w"),
        "{frame}"
    );
    let at = |title: &str| frame.lines().position(|l| l.contains(title));
    assert!(at("The lost afternoon") < at("Compact"), "{frame}");
}

#[test]
fn an_agent_that_has_no_way_to_the_web_is_named_where_it_is_allowed() {
    let mut told = settings();
    told.agents.web.clear();
    let mut stage = Stage::with(told, Place::default());
    stage.tell_list(&[essays()], &[piece(1, "One", State::Idle, 9)]);
    stage.frame(120, 40);
    stage.press("esc left o");
    stage.asks();
    stage.press("w");
    assert_eq!(changed(&mut stage), Change::Allow(vec!["web".to_owned()]));
    let frame = stage.frame(120, 40);
    assert!(frame.contains("claude has no way to it"), "{frame}");
}

#[test]
fn a_folder_made_while_the_window_is_open_is_looked_for_at_the_key() {
    let mut stage = Stage::bare(Place::default());
    stage.tell_list(&collections(), &rows());
    stage.press("esc left left");
    stage.press("+");
    assert_eq!(stage.wanted(&Effect::Errand(Errand::Loose)), 1);
    let loose = Some(("notes".to_owned(), 2));
    stage.give(Input::Brought(Brought::Loose(loose)));
    let frame = stage.frame(200, 50);
    assert!(frame.contains("“notes” holds 2 Markdown files"), "{frame}");
}
