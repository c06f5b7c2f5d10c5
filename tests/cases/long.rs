//! 32: a session with a year of history: 53 MB, 52,000 pieces of text, one of them of 12 MiB.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::bench::{Bench, Found, answered, appended, is_delta, logged, once, said, streamed};
use crate::process::{cpu, ended, peak, read};

const ID: &str = "11111111-2222-4333-8444-555555555532";
const TURNS: u32 = 2000;
const DELTAS: u32 = 24;
const BIG: usize = 12 * 1024 * 1024;
const WORDS: [&str; 15] = [
    "harbour", "ledger", "window", "salt", "winter", "paper", "lantern", "slow", "river", "glass",
    "orchard", "letter", "stair", "copper", "morning",
];

/// Numbers that look random and are the same each time (Knuth's MMIX).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % sides
    }

    fn words(&mut self, n: usize) -> String {
        (0..n).fold(String::new(), |mut all, _| {
            all += WORDS[self.roll(WORDS.len())];
            all + " "
        })
    }
}

/// The log: made of lines as the program writes them.
fn history() -> Vec<u8> {
    let (mut dice, mut out, mut seq) = (Dice(11), String::with_capacity(60_000_000), 0);
    let mut line = |out: &mut String, kind: &str, rest: &str| {
        let ts = 1_795_961_880_000_u64 + seq * 1000;
        writeln!(
            out,
            r#"{{"v":1,"seq":{seq},"ts":{ts},"kind":"{kind}"{rest}}}"#
        )
        .unwrap();
        seq += 1;
    };
    let made = format!(
        r#","id":"{ID}","title":"The long one","collection":"essays","folder":"essays/harbour","app":"0.1.0""#
    );
    line(&mut out, "session.created", &made);
    for turn in 1..=TURNS {
        let subject = WORDS[dice.roll(WORDS.len())];
        let prompt = format!(
            r#","turn":{turn},"text":"Turn {turn}: tighten the paragraph about the {subject}.""#
        );
        line(&mut out, "user.prompt", &prompt);
        let from = out.len();
        line(
            &mut out,
            "turn.started",
            &format!(r#","turn":{turn},"agent":"play","resume":true"#),
        );
        for _ in 0..DELTAS {
            let n = 43 + dice.roll(130);
            let text = dice.words(n);
            line(
                &mut out,
                "delta",
                &format!(r#","turn":{turn},"block":0,"text":"{text}""#),
            );
        }
        let mut lines = DELTAS + 2;
        if turn == TURNS / 2 {
            let output = "x".repeat(BIG);
            line(
                &mut out,
                "tool.finished",
                &format!(r#","turn":{turn},"call":"c","ok":true,"ms":1,"output":"{output}""#),
            );
            lines += 1;
        }
        line(
            &mut out,
            "usage",
            &format!(r#","turn":{turn},"cost_usd":0.01"#),
        );
        let crc = crc32fast::hash(&out.as_bytes()[from..]);
        line(
            &mut out,
            "turn.finished",
            &format!(r#","turn":{turn},"status":"ok","events":{lines},"crc32":"{crc:08x}""#),
        );
    }
    out.into_bytes()
}

/// Agents that stream 3,000 pieces and that wait, played inside the host.
fn config(dir: &Path) -> String {
    let file = |name: &str, steps: serde_json::Value| -> PathBuf {
        let path = dir.join(name);
        std::fs::write(&path, json!({"steps": steps}).to_string()).unwrap();
        path
    };
    let piece = json!({"delta": {"block": 0, "text": "piece {i} "}});
    let play = file(
        "play.json",
        json!([{"each": {"n": 3000, "ms": 0, "step": piece}}]),
    );
    let wait = file(
        "wait.json",
        json!([{"delta": {"block": 0, "text": "Here."}}, {"hang": true}]),
    );
    format!(
        "default_agent = \"play\"\n[agents.play]\nkind = \"scripted\"\ncommand = {play:?}\n\
         [agents.wait]\nkind = \"scripted\"\ncommand = {wait:?}\n"
    )
}

#[test]
fn case_32_a_year_of_history_costs_its_own_session_and_no_other() {
    let bench = Bench::new();
    bench.desk.config(&config(bench.desk.dir()));
    let before = history();
    let size = before.len() as u64;
    assert!(size > 50_000_000, "{size}");
    let found = Found::at(bench, &before);
    let desk = &found.bench.desk;

    // Cold: every byte is looked at once, in a few pieces of memory. Warm: none is.
    let figures = |args: &[&str]| {
        let mut child = desk.start(args);
        let mut out = child.stdout.take().unwrap();
        let reading = std::thread::spawn(move || std::io::copy(&mut out, &mut std::io::sink()));
        ended(&child);
        let figures = (read(child.id()), cpu(child.id()));
        assert!(child.wait().unwrap().success(), "{args:?}");
        reading.join().unwrap().unwrap();
        figures
    };
    let (cold, cold_cpu) = figures(&["list", "--json"]);
    assert!(cold < size + size / 10, "{cold} bytes read of {size}");
    let (warm, warm_cpu) = figures(&["list", "--json"]);
    assert!(
        warm < 2_000_000,
        "{warm} bytes read for a list that is known"
    );
    assert!(
        warm_cpu < 0.5 && warm_cpu < cold_cpu / 2.0,
        "{warm_cpu} s after {cold_cpu} s"
    );
    assert_eq!(found.row()["turns"], TURNS);

    // A session beside it: neither its making nor its turn reads the long one.
    let small = desk.ok(&["new", "Small", "--agent", "wait"]);
    desk.ok(&["send", &small, "Wait with me."]);
    let host = desk.host().unwrap();
    logged(desk, &small, "a first word", is_delta);
    let apart = read(host);
    assert!(apart < 4_000_000, "{apart} bytes read for another session");

    // 3,000 pieces into an empty session and into the long one cost the same per piece.
    let other = desk.ok(&["new", "Other", "--agent", "play"]);
    let spent = |id: &str, prompt: &str| {
        let before = cpu(host);
        let done = desk.run(&["send", id, prompt, "--wait"]);
        assert!(
            answered(&done).ends_with("piece 3000 \n"),
            "{}",
            said(&done)
        );
        cpu(host) - before
    };
    spent(&other, "First.");
    let short = spent(&other, "Go on.");
    let opening = spent(&found.id, "Open.");
    let long = spent(&found.id, "Go on.");
    assert!(
        long < 3.0 * short + 0.5,
        "{short} s in a short session, {long} s in the long one, {opening} s to open it"
    );
    let most = peak(host);
    // Sixteen are the program's own, whatever it reads.
    assert!(
        most < 16 + 3 * size / (1024 * 1024),
        "{most} MiB for {size} bytes"
    );

    desk.ok(&["stop", &small]);
    let events = appended(&found.log, &found.before);
    once(&events);
    for turn in [2001, 2002] {
        assert_eq!(streamed(&events, turn).matches("piece ").count(), 3000);
    }
}
