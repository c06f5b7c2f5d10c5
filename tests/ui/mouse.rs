//! The mouse: what lies under it takes it.

use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use fascicle::domain::event::Kind;
use fascicle::ui::{Effect, Input};

use crate::frames::reading;
use crate::stage::{Stage, collections, id, log, message, prompt, rows};

fn mouse(stage: &mut Stage, kind: MouseEventKind, (column, row): (u16, u16)) {
    stage.give(Input::Mouse(MouseEvent {
        kind,
        column,
        row,
        modifiers: KeyModifiers::NONE,
    }));
}

fn down(stage: &mut Stage, at: (u16, u16)) {
    mouse(stage, MouseEventKind::Down(MouseButton::Left), at);
}

fn drag(stage: &mut Stage, at: (u16, u16)) {
    mouse(stage, MouseEventKind::Drag(MouseButton::Left), at);
}

fn up(stage: &mut Stage, at: (u16, u16)) {
    mouse(stage, MouseEventKind::Up(MouseButton::Left), at);
}

/// Where a text begins on the screen.
fn find(stage: &mut Stage, text: &str) -> (u16, u16) {
    let (buf, _) = stage.paint(120, 40);
    for y in 0..40 {
        let row: Vec<&str> = (0..120).map(|x| buf[(x, y)].symbol()).collect();
        for x in 0..120_u16 {
            if row[usize::from(x)..].concat().starts_with(text) {
                return (x, y);
            }
        }
    }
    panic!("{text:?} is not on screen:\n{}", stage.frame(120, 40));
}

fn copied(stage: &mut Stage) -> Option<String> {
    stage.effects.drain(..).rev().find_map(|e| match e {
        Effect::Copy(text) => Some(text),
        _ => None,
    })
}

#[test]
fn a_click_opens_what_it_falls_on_and_moves_the_focus() {
    let mut stage = reading();
    let at = find(&mut stage, "Compact");
    down(&mut stage, at);
    assert_eq!(stage.app.left().session, Some(id(2)));
    let at = find(&mut stage, "Letters");
    down(&mut stage, at);
    up(&mut stage, at);
    assert!(stage.frame(120, 40).contains("To the harbour master"));
    let at = find(&mut stage, "› ");
    down(&mut stage, at);
    stage.type_text("words");
    assert!(stage.frame(120, 40).contains("› words"));
}

#[test]
fn a_click_in_the_composer_puts_the_caret_there() {
    let mut stage = reading();
    stage.type_text("Make it longer");
    let (x, y) = find(&mut stage, "longer");
    down(&mut stage, (x, y));
    stage.type_text("no ");
    assert!(stage.frame(120, 40).contains("Make it no longer"));
    let (x, y) = find(&mut stage, "it no");
    down(&mut stage, (x, y));
    drag(&mut stage, (x + 5, y));
    up(&mut stage, (x + 5, y));
    stage.press("ctrl-c");
    assert_eq!(copied(&mut stage).as_deref(), Some("it no"));
}

/// A session whose reply is broken into rows.
fn long() -> Stage {
    let mut stage = Stage::at(1);
    let words = "The window closed, and with it the evening’s last good sentence; nobody had written it down, \
                 and nobody would.\n\n- a list of things\n- and another that goes on for so long that it \
                 needs a second row to stand on, at least";
    let mut kinds = log(1, "The lost afternoon", false);
    kinds.extend([prompt(2, "And then?"), message(2, words)]);
    stage.tell_log(1, &kinds);
    stage
}

#[test]
fn dragging_copies_the_text_as_it_was_written() {
    let mut stage = long();
    let from = find(&mut stage, "evening’s");
    let to = find(&mut stage, "at least");
    down(&mut stage, from);
    drag(&mut stage, (to.0 + 7, to.1));
    up(&mut stage, (to.0 + 7, to.1));
    let text = copied(&mut stage).unwrap();
    assert_eq!(
        text,
        "evening’s last good sentence; nobody had written it down, and nobody would.\n\na list of things\nand \
         another that goes on for so long that it needs a second row to stand on, at least"
    );
    // It stays selected: another key copies it again.
    stage.press("esc y");
    assert_eq!(copied(&mut stage), Some(text));
}

#[test]
fn a_double_click_copies_a_word_and_a_click_nothing() {
    let mut stage = long();
    let at = find(&mut stage, "sentence");
    down(&mut stage, at);
    up(&mut stage, at);
    assert_eq!(copied(&mut stage), None);
    down(&mut stage, at);
    up(&mut stage, at);
    assert_eq!(copied(&mut stage).as_deref(), Some("sentence"));
}

#[test]
fn the_wheel_moves_what_is_under_it() {
    let mut stage = Stage::at(1);
    let mut kinds = log(1, "The lost afternoon", false);
    kinds.extend((2..40).flat_map(|t| [prompt(t, &format!("Prompt {t}.")), message(t, "Words.")]));
    stage.tell_log(1, &kinds);
    let at = find(&mut stage, "Prompt 39");
    mouse(&mut stage, MouseEventKind::ScrollUp, at);
    mouse(&mut stage, MouseEventKind::ScrollUp, at);
    assert!(!stage.frame(120, 40).contains("Prompt 39"));
    for _ in 0..3 {
        mouse(&mut stage, MouseEventKind::ScrollDown, at);
    }
    assert!(stage.frame(120, 40).contains("Prompt 39"));
    let list = find(&mut stage, "Compact");
    stage.press("left");
    let before = stage.frame(120, 40);
    mouse(&mut stage, MouseEventKind::ScrollDown, list);
    let (a, b) = (before, stage.app.left());
    assert_eq!(b.session, Some(id(1)), "the wheel opens nothing\n{a}");
}

#[test]
fn the_wheel_turns_the_page_of_a_draft_and_the_caret_stays_till_a_letter_is_typed() {
    let text: String = (0..60).map(|n| format!("Paragraph {n}.\n\n")).collect();
    let mut stage = crate::draft::writing(&text);
    let at = find(&mut stage, "Paragraph 3.");
    for _ in 0..20 {
        mouse(&mut stage, MouseEventKind::ScrollDown, at);
    }
    let frame = stage.frame(120, 40);
    assert!(
        frame.contains("Paragraph 31.") && !frame.contains("Paragraph 3."),
        "{frame}"
    );
    assert_eq!(stage.paint(120, 40).1, None, "the caret is not on the page");
    for _ in 0..90 {
        mouse(&mut stage, MouseEventKind::ScrollDown, at);
    }
    assert!(stage.frame(120, 40).contains("Paragraph 59."), "no further");
    mouse(&mut stage, MouseEventKind::ScrollUp, at);
    stage.type_text("Here. ");
    assert!(stage.frame(120, 40).contains("Here. Paragraph 0."));
}

#[test]
fn nothing_below_a_layer_takes_the_mouse() {
    let mut stage = reading();
    stage.press("ctrl-p");
    let before = stage.app.left();
    for at in [(3, 3), (60, 20), (119, 39)] {
        down(&mut stage, at);
        up(&mut stage, at);
    }
    assert!(stage.app.has_layer());
    assert_eq!(stage.app.left(), before);
}

#[test]
fn the_mouse_is_switched_for_one_window() {
    let mut stage = reading();
    assert_eq!(
        stage.wanted(&Effect::Mouse(true)),
        0,
        "it is the terminal's at first"
    );
    stage.press("ctrl-p");
    stage.type_text("Take or leave the mouse");
    stage.press("enter");
    assert_eq!(stage.wanted(&Effect::Mouse(true)), 1);
    assert!(stage.frame(120, 40).contains("The window takes the mouse"));
}

#[test]
fn any_click_anywhere_is_harmless() {
    let mut stage = long();
    stage.tell_list(&collections(), &rows());
    stage.tell(1, Kind::Archived);
    for (cols, lines) in [(120, 40), (70, 20), (30, 8), (1, 1)] {
        stage.paint(cols, lines);
        for y in (0..45).step_by(3) {
            for x in (0..125).step_by(7) {
                down(&mut stage, (x, y));
                drag(&mut stage, (x + 5, y + 2));
                stage.paint(cols, lines);
                up(&mut stage, (x + 5, y + 2));
                mouse(&mut stage, MouseEventKind::ScrollUp, (x, y));
            }
        }
    }
}

#[test]
fn to_copy_is_offered_where_words_are_selected_and_not_where_only_the_line_above_them_is() {
    let mut stage = long();
    stage.frame(120, 40);
    let offered = |stage: &mut Stage| stage.frame(120, 40).contains("Ctrl-C copy");
    let (x, y) = find(&mut stage, "You ·");
    down(&mut stage, (x, y));
    drag(&mut stage, (x + 4, y));
    up(&mut stage, (x + 4, y));
    assert_eq!((copied(&mut stage), offered(&mut stage)), (None, false));
    let (x, y) = find(&mut stage, "And then?");
    down(&mut stage, (x, y));
    drag(&mut stage, (x + 2, y));
    up(&mut stage, (x + 2, y));
    assert!(offered(&mut stage));
}
