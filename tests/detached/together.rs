//! Several windows on one session: each shows the same, and none holds up another or the turn.

use crate::bench::until;
use crate::play::{self, newest, page};
use crate::screen::{composer, say, type_words};
use crate::window::Window;

/// Waits until all show an end, and the same page.
fn same_page(windows: &[&Window], at_end: impl Fn(&str) -> bool) {
    let first = windows[0].until("the end", &at_end);
    for other in &windows[1..] {
        other.until("the same page", |s| {
            at_end(s) && page(s) == page(&windows[0].screen())
        });
    }
    assert!(page(&first).iter().any(|row| !row.is_empty()));
}

#[test]
fn what_one_window_sends_appears_in_the_other_and_both_end_with_the_same_page() {
    let desk = play::desk(&[play::numbered(800, 5)]);
    let id = desk.ok(&["new", "Letter"]);
    let mut first = play::window(&desk, &id, "Letter");
    let mut second = play::window(&desk, &id, "Letter");
    say(&mut first, "Open with the river.");
    second.shows("Open with the river.");
    second.until("the words", |s| newest(s) > 10);
    say(&mut second, "And then the sea.");
    first.shows("And then the sea.");
    let log = play::log(&desk, &id);
    for turn in [1, 2] {
        play::whole(&log, turn, 800);
    }
    let state = || play::state(&desk, &id);
    until("nothing is written any more", || state() != "writing");
    let prompted = |s: &str| newest(s) == 800 && !s.contains("writing");
    same_page(&[&first, &second], prompted);
}

#[test]
fn a_question_that_one_window_answers_is_gone_from_the_other_and_its_words_stay() {
    let asks = [
        play::delta("Before. "),
        play::asked("c1", "Search the web for lamps"),
        play::awaits("answer"),
        play::delta("After."),
    ];
    let desk = play::desk(&asks);
    let id = desk.ok(&["new", "Letter"]);
    let mut first = play::window(&desk, &id, "Letter");
    let mut second = play::window(&desk, &id, "Letter");
    say(&mut first, "Begin.");
    for window in [&first, &second] {
        window.shows("Search the web for lamps");
        window.shows("1 once");
    }
    assert_eq!(play::state(&desk, &id), "needs_you");
    // A key that comes too soon after the question, or after other keys, is none of its answers.
    first.until("a key answers", |s| !s.contains("after a pause"));
    first.keys("1");
    second.until("the answer is taken", |s| {
        s.contains("After.") && !s.contains("1 once")
    });
    let log = play::log(&desk, &id);
    assert_eq!(play::ended(&log, 1), "ok");
    assert_eq!(play::count(&log, "permission.answered"), 1);
    type_words(&mut second, "mine");
    same_page(&[&first, &second], |s| s.contains("After."));
    assert_eq!(composer(&second.screen()), "mine");
}

#[test]
fn a_window_stopped_for_thousands_of_words_slows_nothing_and_catches_up() {
    const WORDS: u64 = 6_000;
    let desk = play::desk(&[play::numbered(WORDS, 1)]);
    let id = desk.ok(&["new", "Letter"]);
    let mut first = play::window(&desk, &id, "Letter");
    let second = play::window(&desk, &id, "Letter");
    say(&mut first, "Begin.");
    second.until("some words", |s| newest(s) > 10);
    second.signal("STOP");
    let stopped = newest(&second.screen());
    // The turn ends, and the other window shows it, while this one takes nothing.
    let log = play::log(&desk, &id);
    play::whole(&log, 1, WORDS);
    first.until("the end", |s| newest(s) == WORDS);
    assert!(stopped < WORDS / 2, "it was stopped too late: {stopped}");
    second.signal("CONT");
    same_page(&[&first, &second], |s| newest(s) == WORDS);
}
