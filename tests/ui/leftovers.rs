//! Small things of the window that a writer trips over.

use fascicle::domain::ask::NewSession;
use fascicle::domain::event::Kind;
use fascicle::domain::{Reply, Request};
use fascicle::ui::Place;

use crate::draft::{reading, writing};
use crate::stage::{Stage, collection, collections, finished, id, log, prompt, rows, settings};

#[test]
fn a_new_session_under_all_begins_in_the_collection_of_the_one_at_hand() {
    let mut stage = Stage::at(6);
    stage.tell_log(6, &log(6, "To the harbour master", false));
    stage.asks();
    stage.press("esc left n");
    stage.type_text("A second letter.");
    stage.press("enter");
    match stage.asked_one().1 {
        Request::New(NewSession {
            collection: into, ..
        }) => assert_eq!(into, Some(collection("letters"))),
        other => panic!("{other:?}"),
    }
}

#[test]
fn ctrl_d_behind_unsent_words_says_how_to_close() {
    let mut stage = reading();
    stage.press("enter");
    stage.type_text("Not yet");
    stage.press("ctrl-d");
    let frame = stage.frame(120, 40);
    assert!(frame.contains("then “close”, closes the window"), "{frame}");
    assert!(frame.contains("Not yet"));
}

#[test]
fn a_draft_that_fits_is_seen_whole_when_the_writer_comes_back() {
    let text = format!("# Heading\n\n{}", "A paragraph.\n\n".repeat(8));
    let mut stage = writing(text.trim_end());
    stage.frame(80, 24);
    stage.press("pgdn pgdn");
    assert!(!stage.frame(80, 24).contains("# Heading"));
    stage.press("esc d");
    assert!(stage.frame(80, 24).contains("# Heading"));
}

#[test]
fn while_words_are_replaced_the_hints_say_how_and_that_none_is_left() {
    let mut stage = writing("One and one.\n");
    stage.press("ctrl-f");
    stage.type_text("one");
    stage.press("tab");
    stage.type_text("two");
    let frame = stage.frame(120, 40);
    assert!(frame.contains("Alt-Enter replace all"), "{frame}");
    stage.press("alt-enter");
    let frame = stage.frame(120, 40);
    assert!(frame.contains("none left"), "{frame}");
    assert!(!frame.contains("not found"), "{frame}");
}

#[test]
fn a_selection_in_the_draft_can_be_copied_and_cut_and_the_hints_say_so() {
    let mut stage = writing("One and two.\n");
    stage.press("ctrl-l");
    let frame = stage.frame(120, 40);
    for hint in ["Ctrl-C copy", "Ctrl-X cut"] {
        assert!(frame.contains(hint), "{hint}:\n{frame}");
    }
    stage.press("ctrl-x");
    assert!(stage.frame(120, 40).contains("Cut 1 word."));
}

#[test]
fn no_editor_no_way_to_it() {
    let mut told = settings();
    told.means.editor = None;
    let left = Place {
        session: Some(id(1)),
        ..Place::default()
    };
    let mut stage = Stage::with(told, left);
    stage.tell_list(&collections(), &rows());
    stage.tell_log(1, &log(1, "The lost afternoon", false));
    stage.asks();
    stage.press("esc e");
    assert!(stage.frame(120, 40).contains("No editor is named"));
    assert!(stage.asks().is_empty());
    assert!(stage.frame(120, 40).contains("d draft"));
}

#[test]
fn a_new_collection_is_called_by_its_title_before_the_list_tells_of_it() {
    let mut stage = reading();
    stage.press("left N");
    stage.type_text("My First Novel");
    stage.press("enter");
    let (tag, _) = stage.asked_one();
    let collection = collection("my-first-novel");
    stage.answer(tag, Reply::Collection { collection });
    let frame = stage.frame(120, 40);
    assert!(frame.contains("“My First Novel” is there"), "{frame}");
}

#[test]
fn a_folded_call_tells_how_much_it_brought() {
    let mut stage = reading();
    stage.tell(1, prompt(2, "Look."));
    let call = "c1".to_owned();
    stage.tell(
        1,
        Kind::ToolStarted {
            turn: 2,
            call: call.clone(),
            name: "read_piece".to_owned(),
            input: "{}".into(),
        },
    );
    stage.tell(
        1,
        Kind::ToolFinished {
            turn: 2,
            call,
            ok: true,
            output: "x".repeat(300 * 1024).into(),
            ms: 20,
        },
    );
    stage.tell(1, finished(2));
    stage.press("end");
    let frame = stage.frame(120, 40);
    assert!(frame.contains("read_piece · 300 KiB"), "{frame}");
}
