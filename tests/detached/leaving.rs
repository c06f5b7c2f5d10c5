//! Windows that go away, in any manner: nothing changes for any turn, and no unsent word is lost.

use crate::bench::{once, until};
use crate::play::{self, newest, page};
use crate::screen::{composer, say, type_words};
use crate::window::Window;

/// How a window goes away.
type Way = (&'static str, fn(&mut Window));

const WAYS: [Way; 6] = [
    ("Ctrl-D", |w| w.keys("\x04")),
    ("q in the list", |w| w.keys("\x1b[Dq")),
    ("hangup", |w| w.signal("HUP")),
    ("term", |w| w.signal("TERM")),
    ("kill", |w| w.signal("KILL")),
    ("terminal gone", Window::hang_up),
];

/// Words of each turn, two hundred a second.
const WORDS: u64 = 3_000;

#[test]
fn a_window_that_goes_away_in_any_manner_changes_nothing_for_the_turn_it_began() {
    let desk = play::desk(&[play::numbered(WORDS, 5)]);
    let ids = WAYS.map(|(name, _)| desk.ok(&["new", name]));
    let logs = ids.each_ref().map(|id| play::log(&desk, id));
    let host = desk.host().unwrap();
    let mut windows: Vec<Window> = WAYS
        .iter()
        .zip(&ids)
        .map(|((name, _), id)| play::window(&desk, id, name))
        .collect();
    for window in &mut windows {
        say(window, "Begin.");
    }
    let mut left = Vec::new();
    for (window, (name, go)) in windows.iter_mut().zip(WAYS) {
        let screen = window.until(&format!("words before {name}"), |s| newest(s) > 20);
        go(window);
        window.ended();
        left.push(newest(&screen));
    }
    for id in &ids {
        assert_eq!(play::state(&desk, id), "writing");
    }
    let again: Vec<Window> = ids.iter().map(|id| play::window_soon(&desk, id)).collect();
    for (window, left) in again.iter().zip(left) {
        window.until("newer words than before", |s| newest(s) > left);
    }
    for (log, window) in logs.iter().zip(&again) {
        play::whole(log, 1, WORDS);
        window.until("the last word", |s| newest(s) == WORDS);
        once(&play::lines(log));
    }
    assert_eq!(desk.host(), Some(host), "one host for all of it");
    assert_eq!(play::writers(&logs).len(), 1);
}

#[test]
fn unsent_words_of_two_windows_survive_the_kill_of_both_and_of_the_host() {
    let desk = play::desk(&[play::delta("Yes.")]);
    let id = desk.ok(&["new", "Letter"]);
    let unsent = ["of the first window", "of the second window"];
    let mut windows = unsent.map(|_| play::window(&desk, &id, "Letter"));
    for (window, words) in windows.iter_mut().zip(unsent) {
        type_words(window, words);
    }
    let kept = play::log(&desk, &id).with_extension("").join("compose");
    until("both are kept", || {
        let files = std::fs::read_dir(&kept).into_iter().flatten().flatten();
        let texts: Vec<_> = files
            .map(|f| std::fs::read_to_string(f.path()).unwrap_or_default())
            .collect();
        unsent
            .iter()
            .all(|words| texts.iter().any(|text| text == words))
    });
    for window in &mut windows {
        window.signal("KILL");
        window.ended();
    }
    desk.kill_host();
    for words in unsent {
        let window = play::window(&desk, &id, "Letter");
        window.until(words, |s| composer(s) == words);
        windows[usize::from(words == unsent[1])] = window;
    }
    assert_eq!(play::count(&play::log(&desk, &id), "user.prompt"), 0);
}

#[test]
fn a_window_reopened_after_the_end_shows_what_one_that_stayed_shows() {
    let desk = play::desk(&[play::numbered(600, 2)]);
    let id = desk.ok(&["new", "Letter"]);
    let mut stays = play::window(&desk, &id, "Letter");
    let mut leaves = play::window(&desk, &id, "Letter");
    say(&mut stays, "Begin.");
    leaves.until("some words", |s| newest(s) > 20);
    leaves.signal("KILL");
    leaves.ended();
    play::whole(&play::log(&desk, &id), 1, 600);
    let at_end = |s: &str| newest(s) == 600;
    let first = page(&stays.until("the end", at_end));
    let back = play::window_soon(&desk, &id);
    back.until("the same page", |s| at_end(s) && page(s) == first);
}
