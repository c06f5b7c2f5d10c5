//! Keys that come faster than what they are for: bursts, and letters before the draft is there.

use fascicle::domain::splice::spliced;
use fascicle::domain::{Reply, Request, State};
use fascicle::ui::{Effect, Input};

use crate::draft::{reading, writing};
use crate::stage::{Stage, id, row};

fn draft_came(stage: &mut Stage, text: &str, locked: Option<&str>) {
    let (tag, _) = stage.asked_one();
    let reply = Reply::Draft {
        text: text.to_owned(),
        version: Some(4),
        path: "essays/1/draft.md".to_owned(),
        locked: locked.map(str::to_owned),
    };
    stage.answer(tag, reply);
}

fn typed_into(stage: &mut Stage, was: &str) -> String {
    stage.wait(1_000);
    match stage.asked_one() {
        (_, Request::Edit { splices, .. }) => spliced(was, &splices).unwrap(),
        (_, other) => panic!("{other:?}"),
    }
}

#[test]
fn letters_typed_before_the_draft_has_come_wait_and_go_in_in_order() {
    let mut stage = reading();
    stage.press("d");
    stage.type_text("Sp");
    stage.press("backspace");
    stage.type_text("o then");
    stage.press("enter x left");
    stage.type_text("y");
    stage.give(Input::Paste("z".to_owned()));
    let frame = stage.frame(120, 40);
    assert!(frame.contains("So then"), "{frame}");
    draft_came(&mut stage, "One.\n", None);
    assert_eq!(typed_into(&mut stage, "One.\n"), "So then\nyzxOne.\n");
}

#[test]
fn letters_for_a_draft_that_was_left_meanwhile_go_in_too() {
    let mut stage = reading();
    stage.press("d");
    stage.type_text("So. ");
    stage.press("esc");
    draft_came(&mut stage, "One.\n", None);
    assert_eq!(typed_into(&mut stage, "One.\n"), "So. One.\n");
}

#[test]
fn letters_for_a_draft_that_can_only_be_read_stand_in_the_composer() {
    let mut stage = reading();
    stage.press("d");
    stage.type_text("So then");
    draft_came(&mut stage, "One.\n", Some("Another program writes it."));
    let frame = stage.frame(120, 40);
    assert!(
        frame.contains("What you typed for the draft stands where you write prompts."),
        "{frame}"
    );
    stage.press("esc");
    let frame = stage.frame(120, 40);
    assert!(frame.contains("So then"), "{frame}");
}

#[test]
fn a_burst_goes_into_the_draft_as_one_text() {
    let mut stage = writing("One.\n");
    let long = "many words in a row ".repeat(2_000);
    stage.give(Input::Typed(long.clone()));
    assert_eq!(typed_into(&mut stage, "One.\n"), format!("{long}One.\n"));
    stage.press("ctrl-z ctrl-f");
    stage.give(Input::Typed("one.".to_owned()));
    assert!(stage.frame(120, 40).contains("1 of 1"));
}

#[test]
fn a_name_and_enter_in_one_burst_open_the_session_that_begins_with_it() {
    let mut stage = reading();
    stage.tell_row(row(7, "Now the compact years", State::NeedsYou, 10));
    stage.press("ctrl-g");
    stage.give(Input::Paste("compact\n".to_owned()));
    assert!(stage.ticket(id(2)).is_some());
    assert!(stage.ticket(id(7)).is_none());
}

#[test]
fn a_pasted_line_sends_no_reply() {
    let mut stage = reading();
    stage.press("left space");
    stage.asks();
    stage.give(Input::Paste("a pasted line\n".to_owned()));
    let sends = |e: &Effect| {
        matches!(
            e,
            Effect::Ask {
                request: Request::Send { .. },
                ..
            }
        )
    };
    assert!(!stage.effects.iter().any(sends));
    assert!(stage.frame(120, 40).contains("a pasted line"));
}
