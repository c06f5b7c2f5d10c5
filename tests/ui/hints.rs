//! The line of hints: it names only keys that work where it stands.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use fascicle::domain::Request;
use fascicle::ui::{Effect, Input};

use crate::frames::{VIEWS, View, asking, writing};
use crate::stage::{Stage, id};

/// Rooms enough for every hint.
const SIZE: (u16, u16) = (200, 50);

/// Views in which the session at hand is not the open one, and those in which a box takes the keys.
const MORE: [View; 5] = [
    View {
        name: "list_beside_a_turn",
        keys: "left end",
        stage: writing,
    },
    View {
        name: "list_folded_beside_a_turn",
        keys: "left s s end up .",
        stage: writing,
    },
    View {
        name: "drawer_beside_a_turn",
        keys: "left left",
        stage: writing,
    },
    View {
        name: "filter_beside_a_turn",
        keys: "left / e",
        stage: writing,
    },
    View {
        name: "draft",
        keys: "esc d",
        stage: writing,
    },
];

fn at(view: &View) -> Stage {
    let mut stage = (view.stage)();
    stage.frame(SIZE.0, SIZE.1);
    if !view.keys.is_empty() {
        stage.press(view.keys);
    }
    stage.frame(SIZE.0, SIZE.1);
    stage
}

/// What stands at the right of the last line: keys, and what they do.
fn hints(stage: &mut Stage) -> Vec<(String, String)> {
    let frame = stage.frame(SIZE.0, SIZE.1);
    let line = frame.lines().last().unwrap_or_default();
    // What happens everywhere stands at the left.
    if fascicle::text::width(line) + 2 < usize::from(SIZE.0) {
        return Vec::new();
    }
    let hints = line.rsplit("  ").next().unwrap_or_default().trim();
    let pair = |hint: &str| {
        let (key, word) = hint.split_once(' ')?;
        Some((key.to_owned(), word.to_owned()))
    };
    hints.split(" · ").filter_map(pair).collect()
}

/// The keys of a hint by their names in the configuration.
fn names(shown: &str) -> Vec<String> {
    if shown == "↑↓" {
        return vec!["up".to_owned(), "down".to_owned()];
    }
    let plain = [("↑", "up"), ("↓", "down"), ("←", "left"), ("→", "right")];
    let named = plain
        .iter()
        .fold(shown.to_owned(), |s, (a, b)| s.replace(a, b));
    if named.chars().count() == 1 {
        return vec![named];
    }
    vec![named.to_lowercase().replace("shift-tab", "backtab")]
}

/// Whether a key does something in a view; it stops a turn when its hint says so, and never else.
fn does(view: &View, key: &str, word: &str) -> bool {
    let mut stage = at(view);
    stage.take_effects();
    let before = stage.frame(SIZE.0, SIZE.1);
    stage.press(key);
    let does = !stage.effects.is_empty() || stage.frame(SIZE.0, SIZE.1) != before;
    let stops = |r: &Request| matches!(r, Request::Stop { .. });
    let stopped = stage.asks().iter().any(|(_, r)| stops(r));
    assert_eq!(stopped, word == "stop", "{}: {key} {word}", view.name);
    // Sending is named before there is anything to send; keys wait for a draft that is on its way.
    let empty = word == "send" && before.contains("› ") && key == "enter";
    does || empty || before.contains("The draft is being read")
}

#[test]
fn every_hint_in_every_view_names_a_key_that_does_something_there() {
    let mut tried = 0;
    for view in VIEWS.iter().chain(&MORE) {
        for (shown, word) in hints(&mut at(view)) {
            // At an end of a list one of two arrows has nowhere to go.
            let does = names(&shown).iter().any(|key| does(view, key, &word));
            let frame = at(view).frame(SIZE.0, SIZE.1);
            assert!(does, "{}: {shown} {word} does nothing:\n{frame}", view.name);
            tried += 1;
        }
    }
    assert!(tried > 100, "{tried}");
}

#[test]
fn stop_is_named_only_where_it_stops_the_session_at_hand() {
    let named = |view: &View| hints(&mut at(view)).iter().any(|h| h.1 == "stop");
    assert!(!named(&MORE[0]), "a session that rests is at hand");
    assert!(
        !named(&MORE[1]),
        "no session is at hand on a row that is folded"
    );
    let on_it = View {
        name: "list_on_the_turn",
        keys: "left",
        stage: writing,
    };
    assert!(named(&on_it));
    let mut stage = at(&on_it);
    stage.asks();
    stage.press("ctrl-c");
    let (_, request) = stage.asked_one();
    assert_eq!(request, Request::Stop { session: id(3) });
}

#[test]
fn with_words_selected_copy_is_named_and_stop_is_not() {
    let mut stage = writing();
    stage.type_text("Make it shorter.");
    stage.frame(SIZE.0, SIZE.1);
    let back = KeyEvent::new(KeyCode::Left, KeyModifiers::SHIFT);
    stage.give(Input::Key(back));
    let named = hints(&mut stage);
    let of_break: Vec<&str> = named
        .iter()
        .filter(|h| h.0 == "Ctrl-C")
        .map(|h| &*h.1)
        .collect();
    assert_eq!(of_break, ["copy"]);
    stage.take_effects();
    stage.press("ctrl-c");
    assert_eq!(stage.wanted(&Effect::Copy(".".to_owned())), 1);
}

#[test]
fn while_a_box_takes_the_keys_only_its_own_are_named() {
    let filter = hints(&mut at(&MORE[3]));
    let filter: Vec<(&str, &str)> = filter.iter().map(|(a, b)| (&**a, &**b)).collect();
    assert_eq!(
        filter,
        [
            ("Enter", "open"),
            ("↑↓", "choose"),
            ("/", "search all texts"),
            ("Esc", "show all"),
            ("Tab", "next pane")
        ]
    );
    let palette = View {
        name: "palette",
        keys: "ctrl-p",
        stage: writing,
    };
    assert_eq!(hints(&mut at(&palette)), [], "its foot has them");
}

#[test]
fn a_small_window_says_how_a_turn_is_stopped_and_a_question_refused() {
    let mut stage = writing();
    let frame = stage.frame(80, 24);
    assert!(frame.contains("Enter send · Ctrl-C stop"), "{frame}");
    stage.type_text("M");
    let frame = stage.frame(80, 24);
    assert!(frame.contains("Ctrl-C stop"), "{frame}");
    let mut stage = asking();
    stage.press("x backspace");
    let frame = stage.frame(80, 24);
    let said = "! after a pause: 1 once · 2 session · 3 no";
    assert!(frame.contains(said), "{frame}");
}

#[test]
fn an_empty_page_names_no_key_to_read_it() {
    let mut stage = Stage::empty();
    let frame = stage.frame(120, 40);
    assert!(!frame.contains("Esc read"), "{frame}");
}
