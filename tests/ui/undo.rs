//! Deeds undone and done again: what is said of them, and that nobody undoes what is old unawares.

use fascicle::domain::ask::{Deed, Request, Undone, Which};
use fascicle::domain::event::{By, Kind};
use fascicle::domain::head::{self, Version, Was};
use fascicle::domain::row::LastDeed;
use fascicle::domain::{Reply, SessionId};

use crate::compare::{SIZES, give, golden};
use crate::draft::reading;
use crate::families::listed;
use crate::stage::{NOON, Stage, id, rows};

const DAY: i64 = 24 * 60 * 60 * 1_000;

/// A reply about the deed 9 that was done at a time.
pub(crate) fn undone(was: Was, at: i64, (again, asked): (bool, bool)) -> Reply {
    let deed = head::Deed {
        seq: 9,
        at,
        was,
        is: Some(version(12, 230)),
        decided: None,
    };
    Reply::Undone(Box::new(Undone {
        deed,
        again,
        asked,
        said: None,
    }))
}

fn version(seq: u64, words: u64) -> Version {
    Version {
        seq,
        sha256: String::new(),
        bytes: words * 5,
        words,
        by: By::You,
        beside: None,
    }
}

fn wants(stage: &mut Stage, session: SessionId, deed: Deed) -> u64 {
    let (tag, request) = stage.asked_one();
    assert_eq!(request, Request::Do { session, deed });
    tag
}

const UNDO: Deed = Deed::Undo(Which::NEW);
const REDO: Deed = Deed::Redo(Which::NEW);

#[test]
fn what_is_older_than_the_sitting_is_named_with_its_date_and_a_key_that_is_held_undoes_none_of_it()
{
    let mut stage = listed();
    stage.press("down");
    stage.asks();
    stage.press("u u");
    let asked = stage.asks();
    assert_eq!(asked.len(), 2);
    for (tag, request) in asked {
        let session = id(7);
        assert_eq!(
            request,
            Request::Do {
                session,
                deed: UNDO
            }
        );
        let last_week = NOON - 6 * DAY;
        stage.answer(tag, undone(Was::Main(id(3)), last_week, (false, true)));
    }
    for (cols, lines) in SIZES {
        let frame = stage.frame(cols, lines);
        golden(format!("undo_older@{cols}x{lines}"), &frame);
    }
    stage.press("u u u enter");
    assert!(stage.asks().is_empty());
    stage.press("y");
    let only = Which::known(9);
    let tag = wants(&mut stage, id(7), Deed::Undo(only));
    stage.answer(
        tag,
        undone(Was::Main(id(3)), NOON - 6 * DAY, (false, false)),
    );
    let frame = stage.frame(200, 50);
    assert!(
        frame.contains("the main line is “original” again. U does it again."),
        "{frame}"
    );
    assert!(!frame.contains("y yes"), "one question was asked: {frame}");
}

#[test]
fn a_no_leaves_what_is_old_as_it_is() {
    let mut stage = listed();
    stage.press("down");
    stage.asks();
    stage.press("u");
    let tag = wants(&mut stage, id(7), UNDO);
    let title = Was::Title(Some("told by the boy".to_owned()));
    stage.answer(tag, undone(title, NOON - DAY, (false, true)));
    let frame = stage.frame(120, 40);
    assert!(frame.contains("its title is “told by"), "{frame}");
    stage.press("esc");
    assert!(stage.asks().is_empty());
    assert!(!stage.frame(120, 40).contains("told by"));
}

#[test]
fn a_window_that_has_done_nothing_asks_about_what_the_writer_did_last_in_whichever_piece() {
    let mut stage = reading();
    let done = |at, yours| Some(LastDeed { at, yours });
    let told = |stage: &mut Stage, n: u128, deed| {
        let mut row = rows().into_iter().find(|r| r.id == id(n)).unwrap();
        row.deed = deed;
        stage.tell_row(row);
    };
    let title = "The lost afternoon".to_owned();
    stage.tell(1, Kind::Renamed { title });
    told(&mut stage, 1, done(NOON - DAY, true));
    told(&mut stage, 3, done(NOON, false));
    told(&mut stage, 2, done(NOON - 60_000 * 30, true));
    told(&mut stage, 2, done(NOON - DAY, true));
    told(&mut stage, 1, done(NOON - 2 * DAY, true));
    stage.press("u");
    wants(&mut stage, id(1), UNDO);
    told(&mut stage, 2, done(NOON - 60_000 * 30, true));
    stage.press("u u");
    let names = Which {
        names: true,
        ..Which::NEW
    };
    let asked = stage.asks();
    assert_eq!(asked.len(), 2, "a key that is held reaches nothing else");
    for (tag, request) in asked {
        let (session, deed) = (id(2), Deed::Undo(names));
        assert_eq!(request, Request::Do { session, deed });
        let title = Was::Title(Some("told by the boy".to_owned()));
        stage.answer(tag, undone(title, NOON - 60_000 * 30, (false, true)));
    }
    let frame = stage.frame(120, 40);
    assert!(
        frame.contains("Done elsewhere") && frame.contains("in “Compact”"),
        "{frame}"
    );
    golden("undo_elsewhere@80x24", &stage.frame(80, 24));
    stage.press("n u");
    wants(&mut stage, id(1), UNDO);
}

#[test]
fn a_window_undoes_what_it_did_itself_without_asking_though_the_cursor_has_gone_on() {
    let mut stage = reading();
    stage.press("left down");
    stage.asks();
    stage.press("x");
    let (tag, request) = stage.asks().remove(0);
    let Request::Do { session, .. } = request else {
        panic!("{request:?}");
    };
    assert_ne!(session, id(1));
    stage.answer(tag, Reply::Done);
    let mut row = rows().into_iter().find(|r| r.id == session).unwrap();
    row.archived = true;
    row.deed = Some(LastDeed {
        at: NOON,
        yours: true,
    });
    stage.tell_row(row);
    stage.press("u");
    wants(&mut stage, session, UNDO);
}

#[test]
fn with_two_texts_on_screen_what_was_done_in_another_piece_is_named_before_it_is_undone() {
    let mut stage = listed();
    stage.press("end x");
    let (tag, request) = stage.asks().pop().unwrap();
    let Request::Do { session, .. } = request else {
        panic!("{request:?}");
    };
    assert_ne!(session, id(3));
    stage.answer(tag, Reply::Done);
    stage.press("home down down c");
    let texts = [(3, None, "One.", 9), (7, None, "Two.", 7)];
    give(&mut stage, &texts);
    stage.press("u");
    let names = Which {
        names: true,
        ..Which::NEW
    };
    let tag = wants(&mut stage, session, Deed::Undo(names));
    let shelf = Was::Shelf {
        archived: false,
        trashed: false,
    };
    stage.answer(tag, undone(shelf, NOON, (false, true)));
    let frame = stage.frame(120, 40);
    assert!(frame.contains("Done elsewhere"), "{frame}");
    stage.press("n u");
    wants(&mut stage, id(3), UNDO);
}

#[test]
fn what_was_undone_is_done_again_where_it_was_undone_and_each_says_the_other_key() {
    let mut stage = listed();
    stage.press("down");
    stage.asks();
    stage.press("u");
    let tag = wants(&mut stage, id(7), UNDO);
    let before = Was::Draft(Some(version(5, 210)));
    stage.answer(tag, undone(before, NOON, (false, false)));
    let frame = stage.frame(200, 50);
    let said = "its draft has 210 words again, not 230. U does it again.";
    assert!(frame.contains(said), "{frame}");
    // The cursor is elsewhere by now.
    stage.press("up");
    stage.asks();
    stage.press("U");
    let tag = wants(&mut stage, id(7), REDO);
    let after = Was::Draft(Some(version(9, 230)));
    stage.answer(tag, undone(after, NOON, (true, false)));
    let frame = stage.frame(200, 50);
    assert!(
        frame.contains("Done again in “Session: first person”"),
        "{frame}"
    );
    assert!(frame.contains("u undoes it."), "{frame}");
    stage.press("u");
    wants(&mut stage, id(7), UNDO);
}
