//! 18: ways a turn can end other than well, each with its own agent.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use serde_json::Value;

use crate::bench::{Bench, answered, events, input, is_delta, logged, rule_of_all, said, until};
use crate::process::gone;
use crate::screen::{SIZE, go, open};

/// A turn that played a stream, and how it was told.
struct Turn {
    bench: Bench,
    id: String,
}

impl Turn {
    fn of(name: &str) -> Self {
        let scenario = input(&format!("18-ends-badly/{name}.json"));
        let bench = Bench::playing(&[("claude", &scenario)]);
        let id = bench.session("A chapter", "claude");
        Self { bench, id }
    }

    /// Two prompts one after the other end alike: as named, with the words kept and the reason told.
    fn ends(&self, state: &str, words: &str, reasons: &[&str]) {
        for (turn, prompt) in (1..).zip(["One.", "Two."]) {
            let done = self.bench.send(&self.id, prompt);
            assert_eq!(done.status.code(), Some(i32::from(state != "ok")));
            let printed = String::from_utf8_lossy(&done.stdout).into_owned();
            assert_eq!(printed.trim_end_matches('\n'), words);
            let end = self.end(turn);
            assert_eq!(end["status"], state, "{end}");
            for reason in reasons {
                let why = end["reason"].as_str().unwrap_or_default();
                assert!(why.contains(reason), "{why}");
                let page = self.bench.desk.ok(&["show", &self.id]);
                assert!(page.contains(reason), "{page}");
                assert!(said(&done).contains(reason), "{}", said(&done));
            }
        }
        let page = self.bench.desk.ok(&["show", &self.id]);
        assert_eq!(page.matches(words.trim()).count() >= 2, true, "{page}");
        assert_eq!(self.bench.prompts(), ["One.", "Two."]);
        self.over();
    }

    fn end(&self, turn: u64) -> Value {
        let all = events(&self.bench.desk, &self.id);
        let end = |e: &Value| e["kind"] == "turn.finished" && e["turn"] == turn;
        all.into_iter().find(end).unwrap()
    }

    /// No agent is left, and the log is in order.
    fn over(&self) {
        for event in events(&self.bench.desk, &self.id) {
            if event["kind"] == "agent.started" {
                gone(event["pid"].as_u64().unwrap());
            }
        }
        rule_of_all(&self.bench.desk);
    }
}

#[test]
fn case_18_a_an_end_of_output_without_a_result_is_a_failure() {
    Turn::of("a-eof-without-result").ends("failed", "Half an answer.", &["exit code 0"]);
}

#[test]
fn case_18_b_a_result_is_the_end_though_the_program_hangs() {
    Turn::of("b-result-then-hang").ends("ok", "Whole answer.", &[]);
}

#[test]
fn case_18_c_silence_can_be_stopped_and_the_words_are_kept() {
    let turn = Turn::of("c-silent-forever");
    let desk = &turn.bench.desk;
    let silent = desk.start(&["send", &turn.id, "One.", "--wait"]);
    logged(desk, &turn.id, "the only word", is_delta);
    desk.ok(&["stop", &turn.id]);
    let silent = silent.wait_with_output().unwrap();
    assert_eq!(silent.status.code(), Some(1), "{}", said(&silent));
    let end = turn.end(1);
    assert_eq!(end["status"], "interrupted", "{end}");
    let page = desk.ok(&["show", &turn.id]);
    assert!(page.contains("Started.\n\n*Stopped"), "{page}");
    assert_eq!(desk.json(&["list", "--json"])[0]["state"], "interrupted");
    desk.config(&crate::bench::playing(&[(
        "claude",
        &input("18-ends-badly/h-stderr-flood.json"),
    )]));
    assert_eq!(answered(&turn.bench.send(&turn.id, "Two.")), "ok\n");
    turn.over();
}

#[test]
fn case_18_c_a_signal_to_the_command_that_waits_leaves_the_turn_and_stop_leaves_no_agent() {
    let turn = Turn::of("c-silent-forever");
    let desk = &turn.bench.desk;
    let silent = desk.start(&["send", &turn.id, "One.", "--wait"]);
    logged(desk, &turn.id, "the only word", is_delta);
    let pid = rustix::process::Pid::from_child(&silent);
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    let silent = silent.wait_with_output().unwrap();
    assert_eq!(silent.status.code(), Some(1), "{}", said(&silent));
    assert!(
        said(&silent).contains("The turn goes on"),
        "{}",
        said(&silent)
    );
    assert_eq!(desk.json(&["list", "--json"])[0]["state"], "writing");
    desk.ok(&["stop", &turn.id]);
    until("the turn has ended", || {
        desk.json(&["list", "--json"])[0]["state"] == "interrupted"
    });
    assert_eq!(turn.end(1)["status"], "interrupted");
    turn.over();
}

#[test]
fn case_18_d_an_exit_with_nothing_but_complaints_is_told_in_its_own_words() {
    let reasons = ["exit code 1", "code 529", "line two of the reason"];
    Turn::of("d-exit1-stderr-only").ends("failed", "", &reasons);
}

#[test]
fn case_18_e_a_kill_in_the_middle_of_a_record_keeps_what_came_before() {
    Turn::of("e-killed-mid-record").ends("failed", "Fine so far. ", &["signal 9"]);
}

#[test]
fn case_18_f_output_closed_by_a_living_program_is_an_end() {
    Turn::of("f-stdout-closed-process-alive").ends(
        "failed",
        "Then silence.",
        &["closed its output"],
    );
}

#[test]
fn case_18_g_a_limit_in_mid_turn_keeps_the_first_half() {
    let half = "The first half of the chapter is here. ";
    Turn::of("g-limit-mid-turn").ends("failed", half, &["usage limit reached, resets at 14:00"]);
}

#[test]
fn case_18_h_a_flood_of_complaints_holds_up_nothing() {
    Turn::of("h-stderr-flood").ends("ok", "ok", &[]);
}

#[test]
fn case_18_a_program_that_is_not_there_or_may_not_run_is_named_and_can_be_put_right() {
    let bench = Bench::playing(&[("claude", &input("18-ends-badly/h-stderr-flood.json"))]);
    let id = bench.session("A chapter", "claude");
    let good = crate::bench::playing(&[("claude", &input("18-ends-badly/h-stderr-flood.json"))]);
    let barred: PathBuf = bench.desk.dir().join("barred");
    std::fs::write(&barred, "#!/bin/sh\n").unwrap();
    std::fs::set_permissions(&barred, std::fs::Permissions::from_mode(0o644)).unwrap();
    for (turn, command, why) in [
        (1, "/nowhere/claude", "not found"),
        (2, barred.to_str().unwrap(), "not executable"),
    ] {
        bench.desk.config(&format!(
            "[agents.claude]\nkind = \"claude\"\ncommand = {command:?}\n"
        ));
        let done = bench.send(&id, "Go on.");
        assert_eq!(done.status.code(), Some(1));
        assert!(
            said(&done).contains(command) && said(&done).contains(why),
            "{}",
            said(&done)
        );
        let row = bench.desk.json(&["list", "--json"])[0].clone();
        assert_eq!(
            (row["state"].as_str(), row["turns"].as_u64()),
            (Some("failed"), Some(turn))
        );
        let agents = bench.desk.json(&["doctor", "--json"])["agents"].clone();
        assert_eq!(agents[0]["ok"], false, "{agents}");
        assert!(agents[0]["fix"].is_string(), "{agents}");
    }
    bench.desk.config(&good);
    assert_eq!(answered(&bench.send(&id, "Go on.")), "ok\n");
    until("the last agent has logged its end", || {
        !bench.heard("start").is_empty()
    });
    rule_of_all(&bench.desk);
}

#[test]
fn case_18_the_window_names_every_end_keeps_the_words_and_says_the_reason() {
    let of = [
        ("a-eof-without-result", "Half an answer.", "exit code 0"),
        ("d-exit1-stderr-only", "", "exit code 1"),
        ("e-killed-mid-record", "Fine so far.", "signal 9"),
        ("g-limit-mid-turn", "The first half", "usage limit reached"),
    ];
    let files: Vec<PathBuf> = of
        .iter()
        .map(|(name, ..)| input(&format!("18-ends-badly/{name}.json")))
        .collect();
    let agents: Vec<(&str, &std::path::Path)> = of
        .iter()
        .zip(&files)
        .map(|((name, ..), file)| (*name, file.as_path()))
        .collect();
    let bench = Bench::playing(&agents);
    for (name, ..) in of {
        let id = bench.session(&format!("Piece {name}"), name);
        bench.send(&id, "One.");
    }
    let mut window = open(&bench.desk, SIZE, "Piece");
    window.until("four failures in the list", |s| {
        s.matches("failed").count() >= 4
    });
    for (name, words, reason) in of {
        go(&mut window, &format!("Piece {name}"));
        window.until(&format!("{name}: its end"), |s| {
            s.contains(words) && s.contains("failed: ") && s.contains(reason)
        });
    }
    window.signal("TERM");
    window.ended();
    rule_of_all(&bench.desk);
}
