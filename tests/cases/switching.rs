//! 09: switching among three sessions while their agents write.

use serde_json::{Value, json};

use crate::bench::{
    Bench, REPLY, delta, events, input, logged, playing, result, rule_of_all, streamed,
};
use crate::screen::{SIZE, composer, go, open, say, title, type_words};

/// The lower edge of every dialog.
const CLOSES: &str = " closes ╯";
const NAMES: [&str; 3] = ["Alder", "Birch", "Cedar"];

/// What the agent of a session writes.
fn whole(name: &str) -> String {
    (1..=400)
        .map(|i| format!("{}{i} ", name.chars().next().unwrap()))
        .collect()
}

/// Numbers that look random and are the same each time.
fn dice(seed: &mut u64, sides: usize) -> usize {
    *seed = seed
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    usize::try_from(*seed >> 33).unwrap() % sides
}

/// Three sessions whose agents write 400 pieces each; the first one's answers the next prompt in a word.
fn bench() -> (Bench, Vec<String>) {
    let file = |name| input(&format!("09-switch-while-streaming/scenario-{name}.json"));
    let bench = Bench::playing(&[("b", &file("b")), ("c", &file("c"))]);
    let steps: Value = serde_json::from_slice(&std::fs::read(file("a")).unwrap()).unwrap();
    let first = bench.desk.dir().join("a.json");
    let turns = json!({"turns": [steps["steps"], [delta(REPLY), result()]]});
    std::fs::write(&first, turns.to_string()).unwrap();
    bench.desk.config(&playing(&[
        ("a", &first),
        ("b", &file("b")),
        ("c", &file("c")),
    ]));
    let make = |(name, agent): (&&str, &str)| bench.session(name, agent);
    let ids = NAMES.iter().zip(["a", "b", "c"]).map(make).collect();
    (bench, ids)
}

#[test]
fn case_09_switching_touches_no_agent_and_mixes_nothing_up() {
    let (bench, ids) = bench();
    let desk = &bench.desk;
    let mut window = open(desk, SIZE, "Cedar");
    for name in NAMES {
        go(&mut window, name);
        say(&mut window, &format!("Begin {name}."));
    }
    window.shows("3 writing");
    go(&mut window, "Alder");
    say(&mut window, "And then Alder.");
    for name in NAMES {
        go(&mut window, name);
        type_words(&mut window, &format!("unsent of {name}"));
    }
    let mut seed = 9;
    for round in 0..200 {
        let name = NAMES[dice(&mut seed, 3)];
        go(&mut window, name);
        let own = format!("unsent of {name}");
        window.until("its own unsent words", |s| composer(s) == own);
        match round % 50 {
            10 => {
                window.keys("\x1bOP");
                window.shows(CLOSES);
                window.keys("\x1b");
            }
            30 => {
                window.keys("\x10");
                window.shows(CLOSES);
                window.keys("\x1b");
            }
            20 => {
                window.keys("\x1b");
                window.shows("Enter write");
                window.keys("n");
                window.until("a new session", |s| title(s).starts_with("New session"));
            }
            40 => {
                window.keys("\x1b");
                window.shows("Enter write");
                window.keys("d");
                window.shows("Draft · ");
                window.keys("\x1b");
                window.shows("Enter write");
            }
            _ => {}
        }
        window.until("no dialog", |s| !s.contains(CLOSES));
    }
    let ended = |n: u64| move |e: &Value| e["kind"] == "turn.finished" && e["turn"] == n;
    for (id, turns) in ids.iter().zip([2, 1, 1]) {
        logged(desk, id, "the last end", ended(turns));
    }
    window.until("nothing is writing", |s| !s.contains("writing"));
    // Each has its own words, all of them, once and in order; nobody was ended or started again.
    for (name, id) in NAMES.iter().zip(&ids) {
        let all = events(desk, id);
        assert_eq!(streamed(&all, 1), whole(name), "{name}");
        let ends = all.iter().filter(|e| e["kind"] == "turn.finished");
        assert!(ends.clone().all(|e| e["status"] == "ok"), "{name}");
        go(&mut window, name);
        window.shows(&format!("{}400", name.chars().next().unwrap()));
        let own = format!("unsent of {name}");
        window.until("its own unsent words", |s| composer(s) == own);
    }
    assert_eq!(streamed(&events(desk, &ids[0]), 2), REPLY);
    assert_eq!(bench.heard("start").len(), 3);
    assert!(bench.heard("exit").iter().all(|code| code == 0));
    let mut prompts = bench.prompts();
    prompts.sort();
    assert_eq!(
        prompts,
        [
            "And then Alder.",
            "Begin Alder.",
            "Begin Birch.",
            "Begin Cedar."
        ]
    );
    scroll_stays(&mut window);
    window.keys("\x15\x04");
    drop(window);
    rule_of_all(desk);
}

/// A place that was scrolled to is kept per session.
fn scroll_stays(window: &mut crate::window::Window) {
    go(window, "Birch");
    window.keys("\x1b");
    window.shows("Enter write");
    window.keys("\x1b[H");
    window.shows("Begin Birch.");
    go(window, "Cedar");
    window.until("the end of the other", |s| {
        title(s).starts_with("Cedar") && s.contains("C400")
    });
    go(window, "Birch");
    window.shows("Begin Birch.");
}
