//! Every view at any size, and any keys: nothing panics.

use fascicle::domain::State;
use fascicle::domain::event::Kind;
use fascicle::ui::Input;
use proptest::prelude::*;

use crate::stage::{Stage, asked, delta, id, key, log, row};
use crate::turns::recipe_started;

const KEYS: [&str; 64] = [
    "C",
    "G",
    "R",
    "ctrl-r",
    "enter",
    "esc",
    "tab",
    "backtab",
    "space",
    "backspace",
    "del",
    "up",
    "down",
    "left",
    "right",
    "pgup",
    "pgdn",
    "home",
    "end",
    "f1",
    "?",
    "n",
    "N",
    "r",
    "t",
    "x",
    "u",
    "q",
    "j",
    "k",
    "J",
    "K",
    "y",
    "w",
    "o",
    "e",
    "p",
    "1",
    "2",
    "3",
    "v",
    "a",
    "i",
    "Z",
    "alt-enter",
    "alt-1",
    "alt-9",
    "ctrl-p",
    "ctrl-g",
    "ctrl-n",
    "ctrl-o",
    "ctrl-c",
    "ctrl-d",
    "ctrl-j",
    "ctrl-z",
    "ctrl-y",
    "ctrl-pgup",
    "ctrl-pgdn",
    "ctrl-a",
    "ctrl-s",
    "日",
    "ctrl-u",
    "ctrl-w",
    "-",
];

fn stage() -> Stage {
    let mut stage = Stage::at(4);
    let mut kinds = log(
        4,
        "Memory \u{202e}with\u{1b}[31m escapes\n and 日本語 👩‍👩‍👧",
        true,
    );
    kinds.push(asked(2, "q1"));
    kinds.push(Kind::Queued {
        n: 1,
        text: "then\nthis".into(),
    });
    stage.tell_row(row(5, "Tools", State::Lost, 0));
    kinds.push(recipe_started());
    stage.tell_log(4, &kinds);
    stage.wait(1_000);
    stage
}

#[test]
fn behind_the_end_of_a_page_there_is_nothing_more_whatever_is_pressed_before_it_is_drawn() {
    let seen = |keys: &[&str]| {
        let mut stage = stage();
        for press in keys {
            stage.give(Input::Key(key(press)));
        }
        stage.frame(80, 24)
    };
    let end = seen(&["f1", "end"]);
    assert_ne!(end, seen(&["f1"]));
    assert_eq!(seen(&["f1", "end", "down", "pgdn"]), end);
}

fn steps() -> impl Strategy<Value = Vec<(usize, u16, u16)>> {
    prop::collection::vec((0..KEYS.len(), 0u16..220, 0u16..70), 1..40)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_keys_and_no_size_panic(steps in steps()) {
        let mut stage = stage();
        for (k, cols, lines) in steps {
            stage.give(Input::Key(key(KEYS[k])));
            stage.paint(cols, lines);
            if stage.ticket(id(4)).is_some() {
                stage.tell(4, delta(2, "word 日本 \u{1b}]0;x\u{7} "));
            }
            stage.wait(50);
        }
    }

    #[test]
    fn tiny_sizes_do_not_panic(keys in prop::collection::vec(0..KEYS.len(), 0..6)) {
        let mut stage = stage();
        for k in keys {
            stage.give(Input::Key(key(KEYS[k])));
        }
        for cols in 0..26 {
            for lines in 0..10 {
                stage.paint(cols, lines);
            }
        }
    }
}
