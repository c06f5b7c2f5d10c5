//! 17, 20: a line of ten mebibytes, and characters that are cut or are none.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

use crate::bench::{
    Bench, answered, delta, events, input, is_delta, logged, playing, rule_of_all, streamed,
};
use crate::process::{cpu, memory, peak};
use crate::screen::{SIZE, go, open, say, type_words};

#[test]
fn case_17_a_line_of_ten_mebibytes_passes_and_its_memory_comes_back() {
    let scenario = input("17-huge-line/scenario.json");
    let bench = Bench::playing(&[("claude", &scenario)]);
    let quiet = bench.desk.dir().join("quiet.json");
    let hangs = json!({"steps": [delta("Here."), {"hang": true}]});
    std::fs::write(&quiet, hangs.to_string()).unwrap();
    bench
        .desk
        .config(&playing(&[("claude", &scenario), ("quiet", &quiet)]));
    let (big, other) = (
        bench.session("Big", "claude"),
        bench.session("Other", "quiet"),
    );
    // The host stays for this turn, so that it can be looked at.
    bench.desk.ok(&["send", &other, "Wait with me."]);
    logged(&bench.desk, &other, "a first word", is_delta);
    let host = bench.desk.host().unwrap();
    let before = memory(host);
    let reply = answered(&bench.send(&big, "Go on."));
    let words = "word ".repeat(60_000);
    assert_eq!(reply, format!("before after {words}END\n"));
    let again = answered(&bench.send(&big, "Again."));
    assert_eq!(again, reply, "the next turn works like the first");
    assert_eq!(bench.desk.host(), Some(host));
    let (most, now) = (peak(host), memory(host));
    assert!(
        most < before + 150,
        "{before} MiB before, {most} MiB at most"
    );
    assert!(now < before + 100, "{before} MiB before, {now} MiB after");
    let all = events(&bench.desk, &big);
    let output = all.iter().find(|e| e["kind"] == "tool.finished").unwrap();
    assert_eq!(output["output"]["len"], 10_485_760, "kept by reference");
    assert_eq!(streamed(&all, 1).len(), reply.len() - 1);
    let page = bench.desk.ok(&["show", &big]);
    assert!(page.len() < 2 * reply.len() + 2000, "the result is folded");
    bench.desk.ok(&["stop", &other]);
    assert!(
        bench.desk.json(&["verify", "--json"])["blobs"]
            .as_array()
            .unwrap()
            .is_empty()
    );
    rule_of_all(&bench.desk);
}

#[test]
fn case_20_characters_cut_by_a_read_are_whole_and_bad_bytes_hurt_only_themselves() {
    let bench = Bench::playing(&[("claude", &input("20-split-and-invalid-utf8/scenario.json"))]);
    let id = bench.session("Signs", "claude");
    let reply = answered(&bench.send(&id, "Go on."));
    let good = "灯台👩\u{200d}🔬قلعة 城 שלום";
    let rest = reply
        .strip_prefix(good)
        .expect("no sign among the good letters");
    assert!(
        rest.starts_with("bad: \u{fffd}\u{fffd} \u{fffd}( \u{fffd}"),
        "{rest}"
    );
    assert!(rest.ends_with("\u{fffd} endSTILL HERE\n"), "{rest}");
    let all = events(&bench.desk, &id);
    assert_eq!(format!("{}\n", streamed(&all, 1)), reply);
    let raw = all.iter().find(|e| e["kind"] == "agent.raw").unwrap();
    let raw = STANDARD.decode(raw["base64"].as_str().unwrap()).unwrap();
    for bytes in [&b"\xff\xfe"[..], b"\xc3\x28", b"\xed\xa0\x80"] {
        assert!(raw.windows(bytes.len()).any(|w| w == bytes), "{bytes:?}");
    }
    let page = bench.desk.ok(&["show", &id]);
    assert!(page.contains(reply.trim_end()), "{page}");
    assert_eq!(bench.desk.json(&["list", "--json"])[0]["state"], "unread");
    rule_of_all(&bench.desk);
}

#[test]
fn case_17_a_huge_line_in_the_background_leaves_the_window_to_the_writer() {
    let scenario = input("17-huge-line/scenario.json");
    let bench = Bench::playing(&[("claude", &scenario)]);
    for title in ["Big", "Other"] {
        bench.session(title, "claude");
    }
    let mut window = open(&bench.desk, SIZE, "Big");
    go(&mut window, "Big");
    say(&mut window, "Go on.");
    go(&mut window, "Other");
    // Each letter is on the screen before the next is typed, whatever comes meanwhile.
    let words = "typed while ten mebibytes come in beside it";
    for (n, c) in words.char_indices() {
        window.keys(c.encode_utf8(&mut [0; 4]));
        if c != ' ' {
            window.shows(&words[..=n]);
        }
    }
    window.shows("unread");
    go(&mut window, "Big");
    let screen = window.shows("END");
    assert!(
        !screen.contains("0123456789abcdef"),
        "the result is folded: {screen}"
    );
    go(&mut window, "Other");
    window.shows(words);
    let (most, spent) = (peak(window.pid()), cpu(window.pid()));
    assert!(most < 200, "{most} MiB in the window at most");
    assert!(spent < 20.0, "{spent} s of work in the window");
    window.signal("TERM");
    window.ended();
    rule_of_all(&bench.desk);
}

#[test]
fn case_20_characters_cut_by_a_read_are_whole_on_the_screen_and_bad_bytes_are_signs() {
    let bench = Bench::playing(&[("claude", &input("20-split-and-invalid-utf8/scenario.json"))]);
    bench.session("Signs", "claude");
    let mut window = open(&bench.desk, SIZE, "Signs");
    go(&mut window, "Signs");
    say(&mut window, "Go.");
    window.shows("STILL HERE");
    let screen = window.until("the end of the turn", |s| !s.contains("writing"));
    let (good, bad) = screen.split_once("bad:").expect("both are there");
    for letters in ["灯台", "قلعة", "城", "שלום"] {
        assert!(good.contains(letters), "{letters}: {screen}");
    }
    assert!(!good.contains('\u{fffd}'), "{screen}");
    assert!(bad.contains("\u{fffd}\u{fffd} \u{fffd}("), "{screen}");
    type_words(&mut window, "and goes on");
    window.signal("TERM");
    window.ended();
    rule_of_all(&bench.desk);
}
