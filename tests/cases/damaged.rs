//! 01, 03, 04, 06: logs that a crash, a power cut, another program or a resume have left damaged.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::bench::{Bench, Found, REPLY, TITLE, answered, input, playing, said};

/// The prompts of the first turns of every log found.
fn prompts(turns: usize) -> Vec<String> {
    let prompt = |n| format!("Prompt {n}: make paragraph {n} plainer.");
    (1..=turns).map(prompt).collect()
}

/// Each turn is there once, in order, with its whole answer.
fn holds_turns(page: &str, turns: usize) {
    let mut at = 0;
    for (n, prompt) in (1..).zip(prompts(turns)) {
        let answer = format!("Answer {n}, part 1. Answer {n}, part 2.");
        for text in [prompt, answer] {
            assert_eq!(page.matches(&text).count(), 1, "{text}: {page}");
            let place = page.find(&text).unwrap();
            assert!(place > at, "{text} is out of order: {page}");
            at = place;
        }
    }
}

/// The agent was given those turns once each, and then the prompt.
fn was_given(found: &Found, turns: usize, prompt: &str) {
    let history = found.bench.history();
    let said = |who: &str| -> Vec<&str> {
        let of = history.iter().filter(|(w, _)| w == who);
        of.map(|(_, text)| text.as_str()).collect()
    };
    assert_eq!(said("user")[..turns], prompts(turns)[..]);
    assert_eq!(said("assistant").len(), turns, "{history:?}");
    assert_eq!(found.bench.prompts().last().unwrap(), prompt);
}

fn damage(found: &Found) -> Vec<(u64, String)> {
    let report = found.bench.desk.json(&["verify", "--json"]);
    let damaged = report["damaged"].as_array().unwrap().iter();
    damaged
        .map(|d| {
            (
                d["len"].as_u64().unwrap(),
                d["why"].as_str().unwrap().to_owned(),
            )
        })
        .collect()
}

#[test]
fn case_01_a_torn_last_line_is_said_and_sealed_and_the_session_goes_on() {
    let found = Found::case("01-torn-last-line/session.jsonl");
    let aside = "1 unfinished line (95 bytes)";
    assert_eq!(found.row()["turns"], 3);
    let first = found.bench.desk.run(&["show", &found.id]);
    holds_turns(&answered(&first), 3);
    assert!(said(&first).contains(aside), "{}", said(&first));
    let list = found.bench.desk.run(&["list"]);
    assert!(
        said(&list).contains(&format!("{TITLE}: The log holds {aside}")),
        "{}",
        said(&list)
    );
    found.rule();
    assert_eq!(found.answered("Go on."), format!("{REPLY}\n"));
    was_given(&found, 3, "Go on.");
    let page = found.page();
    holds_turns(&page, 3);
    assert_eq!(page.matches(aside).count(), 1, "{page}");
    assert_eq!(page, found.page(), "a second look shows the same");
    assert_eq!(damage(&found), [(95, "torn".to_owned())]);
    found.row();
    found.rule();
}

#[test]
fn case_03_runs_of_nul_cost_no_event_and_are_not_drawn() {
    let found = Found::case("03-nul-block/session.jsonl");
    assert_eq!(found.row()["turns"], 4);
    holds_turns(&found.page(), 4);
    assert_eq!(found.answered("Go on."), format!("{REPLY}\n"));
    was_given(&found, 4, "Go on.");
    let page = found.page();
    holds_turns(&page, 4);
    assert!(!page.contains(['\0', '␀']), "{page}");
    let sizes = [437, 9000, 4096].map(|len| (len, "nul".to_owned()));
    assert_eq!(damage(&found), sizes);
    assert_eq!(found.row()["turns"], 5);
    found.rule();
}

#[test]
fn case_04_half_a_character_is_a_sign_on_the_page_and_never_reaches_the_agent() {
    let scenario = input("04-lone-surrogate/scenario.json");
    let bench = Bench::playing(&[("claude", &scenario)]);
    let before = std::fs::read(input("04-lone-surrogate/session.jsonl")).unwrap();
    let found = Found::at(bench, &before);
    let page = found.page();
    assert!(
        page.contains("The label read \u{fffd} and then stopped."),
        "{page}"
    );
    assert!(page.contains("현\u{fffd} 재 end␀ of line."), "{page}");
    let reply = "half \u{fffd}\u{fffd} and a lone one: \u{fffd}.";
    assert_eq!(found.answered("Go on."), format!("{reply}\n"));
    let twice = playing(&[("claude", &scenario)]);
    found.bench.desk.config(&twice);
    assert_eq!(found.answered("And then?"), format!("{reply}\n"));
    // The record and every line on the pipe were read as JSON in UTF-8 by these.
    let history = found.bench.history();
    assert!(history.iter().any(|(_, text)| text == reply), "{history:?}");
    assert_eq!(found.bench.prompts(), ["Go on.", "And then?"]);
    let raw: Vec<String> = found
        .events()
        .iter()
        .filter(|e| e["kind"] == "agent.raw" && e["turn"] == 4)
        .map(|e| STANDARD.decode(e["base64"].as_str().unwrap()).unwrap())
        .map(|bytes| String::from_utf8(bytes).unwrap())
        .collect();
    assert_eq!(raw.len(), 2);
    assert!(raw[0].contains(r"half \ud83d") && raw[1].contains(r"a lone one: \udc00."));
    found.rule();
}

#[test]
fn case_06_events_written_again_by_a_resume_count_once() {
    let found = Found::case("06-duplicate-replay/session.jsonl");
    let cost = |events: &[Value]| {
        let usage = events.iter().filter(|e| e["kind"] == "usage");
        usage.map(|e| e["cost_usd"].as_f64().unwrap()).sum::<f64>()
    };
    assert_eq!(found.row()["turns"], 4);
    let events = found.events();
    assert!((cost(&events) - 0.03).abs() < 1e-9, "{}", cost(&events));
    let page = found.page();
    holds_turns(&page, 3);
    assert!(
        page.contains("\n\nPrompt 4: and now the ending.\n\n*Lost: "),
        "the new prompt is last, and nobody answers it: {page}"
    );
    found.rule();
    assert_eq!(found.answered("Go on."), format!("{REPLY}\n"));
    let history = found.bench.history();
    let mut asked = prompts(3);
    asked.push("Prompt 4: and now the ending.".to_owned());
    let users: Vec<_> = history.iter().filter(|(who, _)| who == "user").collect();
    assert_eq!(
        users.iter().map(|(_, text)| text).collect::<Vec<_>>()[..4],
        asked.iter().collect::<Vec<_>>()[..],
        "{history:?}"
    );
    holds_turns(&found.page(), 3);
    assert_eq!(found.row()["turns"], 5);
    found.rule();
}
