//! 21: pastes: a manuscript, small ones with marks in them, a burst without brackets, an end inside.

use std::fmt::Write as _;

use serde_json::json;

use crate::bench::{Bench, delta, input, logged, result, rule_of_all, until};
use crate::process::cpu;
use crate::screen::{SIZE, composer, go, open};
use crate::window::Window;

/// About 5 MiB, the same each time: Latin, CJK and emoji, long lines, tabs, no newline at the end.
fn manuscript() -> String {
    const WORDS: [&str; 8] = [
        "harbour", "ledger", "window", "salt", "winter", "paper", "lantern", "slow",
    ];
    let signs: Vec<char> = "潮風窓辺手紙港町冬朝静灯台記録".chars().collect();
    let mut seed = 7_u64;
    let mut dice = move |sides: usize| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).unwrap() % sides
    };
    let mut text = String::with_capacity(5_300_000);
    while text.len() < 5 * 1024 * 1024 {
        match dice(10) {
            0..5 => (0..5 + dice(116)).for_each(|_| write!(text, "{} ", WORDS[dice(8)]).unwrap()),
            5..9 => (0..10 + dice(291)).for_each(|_| text.push(signs[dice(signs.len())])),
            _ => write!(text, "\t{} end", "👩\u{200d}🔬".repeat(1 + dice(20))).unwrap(),
        }
        text.push('\n');
    }
    text + "last line without newline"
}

/// A window on two sessions; the first is at hand.
fn window() -> (Bench, [String; 2], Window) {
    let mut bench = Bench::new();
    bench.play(&json!({"turns": [[delta("Read."), result()]]}));
    let ids = ["Pastes", "Other"].map(|title| bench.session(title, "claude"));
    let mut window = open(&bench.desk, SIZE, "Pastes");
    go(&mut window, "Pastes");
    (bench, ids, window)
}

/// Sends what is written; the prompt as the agent got it.
fn sent(bench: &Bench, window: &mut Window) -> String {
    let before = bench.prompts().len();
    window.keys("\r");
    window.until("an empty composer", |s| composer(s).starts_with("Write"));
    until("the prompt at the agent", || bench.prompts().len() > before);
    bench.prompts().pop().unwrap()
}

#[test]
fn case_21_five_mebibytes_are_pasted_at_once_and_sent_to_the_byte() {
    let (bench, [id, _], mut window) = window();
    let text = manuscript();
    let before = cpu(window.pid());
    window.paste(&text);
    let screen = window.shows("[pasted ");
    let spent = cpu(window.pid()) - before;
    assert!(spent < 6.0, "{spent} s of work for one paste");
    let lines = text.matches('\n').count() + 1;
    let label = composer(&screen).to_owned();
    let told = label.replace(',', "");
    assert!(
        told.contains(&format!("{lines} lines")) && told.contains("5.0 MiB"),
        "{label}"
    );
    window.keys("\x1a");
    window.until("one undo for one paste", |s| !s.contains("[pasted "));
    window.keys("\x19");
    window.shows(&label);
    go(&mut window, "Other");
    window.until("the other's own composer", |s| !s.contains("[pasted "));
    go(&mut window, "Pastes");
    window.shows(&label);
    let got = sent(&bench, &mut window);
    assert!(got == text, "{} bytes of {}", got.len(), text.len());
    logged(&bench.desk, &id, "the end", |e| {
        e["kind"] == "turn.finished"
    });
    window.until("the next frame", |s| !composer(s).contains("[pasted "));
    window.keys("\x04");
    assert_eq!(window.ended(), 0);
    rule_of_all(&bench.desk);
}

#[test]
fn case_21_what_looks_like_a_mark_stays_text_and_no_line_end_submits() {
    let (bench, _, mut window) = window();
    let keys = std::fs::read(input("21-paste/keys-small.bin")).unwrap();
    window.keys(std::str::from_utf8(&keys).unwrap());
    window.shows("tail");
    let small = sent(&bench, &mut window);
    assert_eq!(
        small,
        "note: line one\nline two third [Pasted text #1 +2 lines]\nfourth\ttab tail"
    );
    let burst = std::fs::read_to_string(input("21-paste/unbracketed.bin")).unwrap();
    window.keys(&burst);
    // Another key, drawn, stands behind all of it.
    window.keys("¶");
    window.shows("¶");
    assert_eq!(
        bench.prompts().len(),
        1,
        "a line end in a burst sends nothing"
    );
    let sent_burst = sent(&bench, &mut window);
    assert_eq!(
        sent_burst,
        burst.replace("\r\n", "\n").replace('\r', "\n") + "¶"
    );
    let nested = std::fs::read_to_string(input("21-paste/nested-end.bin")).unwrap();
    window.keys(&nested);
    window.shows("rm -rf ~");
    window.keys("†");
    window.shows("†");
    assert_eq!(
        bench.prompts().len(),
        2,
        "nor one behind the end of a paste"
    );
    assert_eq!(sent(&bench, &mut window), "safe  \n rm -rf ~ \n†");
    rule_of_all(&bench.desk);
}
