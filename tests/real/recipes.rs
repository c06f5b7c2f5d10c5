//! Recipes that the host follows with no window open.
#![allow(clippy::unwrap_used, reason = "test")]

use serde_json::{Value, json};
use tokio::sync::watch;

use crate::model::Served;
use crate::parts::{Row, row};
use crate::stage::{counts, deltas, desk, ends, events, has, kill_all, local, log, newest, until};
use crate::support::http::Answer;
use crate::support::messages_api::{self as api, Part, conversation, message, text, tool};

pub(crate) const TESTS: &[Row] = &[
    row!(Claude, four_steps_write_an_essay_with_no_window_open),
    row!(
        Claude,
        a_recipe_that_everything_was_killed_under_goes_on_when_asked
    ),
    row!(Model, two_short_steps_are_followed_by_a_small_model),
];

/// How a tool's result begins in a request.
const RESULT: &str = "user: result ";

/// What the writer said in a request.
fn prompts(request: &Value) -> Vec<String> {
    let said = conversation(request).into_iter();
    let theirs = said.filter(|m| !m.starts_with(RESULT));
    theirs
        .filter_map(|m| m.strip_prefix("user: ").map(str::to_owned))
        .collect()
}

/// An agent that reads the draft in each step, writes it anew in each but the third, and says so.
fn essay(request: &Value) -> Answer {
    let step = prompts(request).len();
    let said = conversation(request);
    let results = said.iter().rev().take_while(|m| is_own(m));
    let mut results: Vec<&String> = results.filter(|m| m.starts_with(RESULT)).collect();
    results.reverse();
    let done = text(&format!("Step {step} is done."));
    let part = match (step, results.as_slice()) {
        (_, []) => tool(
            &format!("toolu_r{step}"),
            "mcp__fascicle__read_draft",
            &json!({}),
        ),
        (1 | 2 | 4, [draft]) => {
            let input = json!({"text": written(step), "base_version": version(draft)});
            let id = format!("toolu_w{step}");
            tool(&id, "mcp__fascicle__write_draft", &input)
        }
        _ => done,
    };
    message(request, &[part])
}

/// Whether a message came of the step itself.
fn is_own(message: &str) -> bool {
    message.starts_with(RESULT) || message.starts_with("assistant: ")
}

/// The text of the draft after a step.
fn written(step: usize) -> String {
    format!("The essay after step {step}.\n")
}

/// The number in `Version 7:` or `(version 0)`.
fn version(result: &str) -> u64 {
    let number = result.split("ersion ").nth(1).unwrap();
    let digits: String = number.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap()
}

async fn four_steps_write_an_essay_with_no_window_open() {
    let server = api::start(|request, _| essay(request)).await;
    let desk = desk(&server);
    let id = desk.ok(&["new", "Ledger"]);
    desk.ok(&["recipe", "run", &id, "essay"]);
    assert_eq!(desk.json(&["host", "status", "--json"])["windows"], 0);
    let log = log(&desk, &id);
    until("its end", || has(&log, "\"recipe.ended\"").then_some(()));
    let all = events(&log);
    assert_eq!(ends(&all), ["ok"; 4]);
    let steps = desk.json(&["recipe", "show", "essay", "--json"])["steps"].clone();
    let steps = steps.as_array().unwrap().iter();
    let steps: Vec<&str> = steps.map(|s| s["text"].as_str().unwrap()).collect();
    let asked = api::asked(&server);
    assert!(asked.iter().all(|r| r.whole));
    let new: Vec<String> = asked
        .iter()
        .filter(|r| !conversation(&r.body).last().unwrap().starts_with(RESULT))
        .map(|r| prompts(&r.body).pop().unwrap())
        .collect();
    assert_eq!(new, steps, "one after the other");
    assert_eq!(asked.len(), 3 + 3 + 2 + 3, "nothing twice");
    let row = desk.json(&["list", "--json"])[0].clone();
    let folder = desk.workspace().join(row["folder"].as_str().unwrap());
    let draft = std::fs::read_to_string(folder.join("draft.md")).unwrap();
    assert_eq!(draft, written(4));
    let saved = all.iter().filter(|e| e["kind"] == "draft.saved");
    let texts = saved.map(|e| desk.ok(&["draft", &id, "--at", &e["seq"].to_string()]));
    let kept = [1, 2, 4].map(|step| written(step).trim_end().to_owned());
    assert_eq!(texts.collect::<Vec<_>>(), kept, "each version is kept");
}

async fn a_recipe_that_everything_was_killed_under_goes_on_when_asked() {
    let (_never, shut) = watch::channel(false);
    let server = api::start(move |request, n| match n {
        1 => message(
            request,
            &[counts('B', 1..=100, 10), Part::Gate(shut.clone()), text("")],
        ),
        n => message(request, &[text(&format!("Answer {n}."))]),
    })
    .await;
    let desk = desk(&server);
    let file = desk.dir().join("three.md");
    let steps = ["Do one.", "Do two.", "Do three."];
    let recipe: String = steps.iter().map(|s| format!("## {s}\n\n{s}\n\n")).collect();
    std::fs::write(&file, recipe).unwrap();
    let id = desk.ok(&["new", "Ledger"]);
    desk.ok(&["recipe", "run", &id, file.to_str().unwrap()]);
    let log = log(&desk, &id);
    let words = || deltas(&events(&log));
    until("the second step", || {
        (newest(&words(), 'B') >= 50).then_some(())
    });
    kill_all(&desk);
    let partial = words();
    let partial = partial.strip_prefix("Answer 0.").unwrap();
    let waits = desk.json(&["queue", &id, "--json"]);
    assert_eq!(waits[0]["text"], steps[2], "{waits}");
    assert_eq!(api::asked(&server).len(), 2, "nothing was asked unasked");
    desk.ok(&["again", &id]);
    until("its end", || has(&log, "\"recipe.ended\"").then_some(()));
    let all = events(&log);
    assert_eq!(ends(&all), ["ok", "lost", "ok", "ok"]);
    let last = conversation(&api::asked(&server).last().unwrap().body);
    let go_on = prompts(&api::asked(&server)[2].body).pop().unwrap();
    let said = [
        "user: Do one.",
        "assistant: Answer 0.",
        "user: Do two.",
        &format!("assistant: {}", partial.trim_end()),
        &format!("user: {go_on}"),
        "assistant: Answer 2.",
        "user: Do three.",
    ];
    let last: Vec<&str> = last.iter().map(|m| m.trim_end()).collect();
    assert_eq!(last, said);
    assert_eq!(api::asked(&server).len(), 4, "nothing twice");
}

async fn two_short_steps_are_followed_by_a_small_model() {
    let served = Served::new();
    let desk = local(&served);
    let file = desk.dir().join("short.md");
    let recipe = "# Short\n\n## One\n\nName a river.\n\n## Two\n\nSay one thing about it.\n";
    std::fs::write(&file, recipe).unwrap();
    let id = desk.ok(&["new", "Rivers"]);
    desk.ok(&["recipe", "run", &id, file.to_str().unwrap()]);
    let log = log(&desk, &id);
    until("its end", || has(&log, "\"recipe.ended\"").then_some(()));
    let all = events(&log);
    assert_eq!(ends(&all), ["ok"; 2]);
    let of = |turn: u64| {
        all.iter()
            .any(|e| e["kind"] == "delta" && e["turn"] == turn)
    };
    assert!(of(1) && of(2), "each step was answered");
    let sent: Vec<_> = all.iter().filter(|e| e["kind"] == "user.prompt").collect();
    let sent: Vec<&Value> = sent.iter().map(|e| &e["text"]).collect();
    assert_eq!(sent, ["Name a river.", "Say one thing about it."]);
}
