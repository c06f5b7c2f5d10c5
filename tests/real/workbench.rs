//! The whole program in a pseudo-terminal, with the real command line and the real model behind it.
#![allow(clippy::unwrap_used, reason = "test")]

use std::collections::BTreeSet;

use serde_json::json;

use crate::model::Served;
use crate::parts::{Row, row};
use crate::stage::{asked, deltas, desk, events, has, local, log_of, open, say, until};
use crate::support::messages_api::{self as api, conversation, message, numbered, text, tool};

pub(crate) const TESTS: &[Row] = &[
    row!(
        Claude,
        three_sessions_write_while_the_window_switches_200_times
    ),
    row!(Claude, a_web_question_is_asked_and_answered_in_the_window),
    row!(Claude, a_stop_in_the_window_keeps_the_words),
    row!(Claude, a_draft_is_written_before_the_writers_eyes),
    row!(
        Claude,
        the_agents_own_history_is_deleted_and_the_session_goes_on
    ),
    row!(Claude, the_workspace_is_moved_and_the_session_goes_on),
    row!(
        Model,
        two_sessions_stream_one_is_stopped_and_both_drafts_get_text
    ),
];

/// The first row of the transcript's pane.
pub(crate) fn title(screen: &str) -> String {
    screen
        .lines()
        .next()
        .unwrap_or_default()
        .rsplit('│')
        .next()
        .unwrap_or_default()
        .to_owned()
}

/// The title of a row or of the transcript, without what stands behind it.
fn name(row: &str) -> &str {
    row.trim_matches(|c: char| !c.is_alphabetic())
        .split(' ')
        .next()
        .unwrap_or_default()
}

/// The key that opens a session by its place in the list, one that is not open.
fn another(screen: &str, round: usize) -> String {
    let open = title(screen);
    let rows = screen
        .lines()
        .skip(1)
        .filter_map(|l| l.split('│').nth(1))
        .map(name);
    let rows: Vec<&str> = rows.filter(|r| !r.is_empty()).collect();
    let others: Vec<usize> = (0..rows.len())
        .filter(|i| rows[*i] != name(&open))
        .collect();
    format!("\x1b{}", others[round / 2 % others.len()] + 1)
}

async fn three_sessions_write_while_the_window_switches_200_times() {
    let server = api::start(|request, _| {
        let words = asked(request);
        let name = ["Alpha", "Beta", "Gamma"]
            .into_iter()
            .find(|n| words.contains(n))
            .unwrap();
        let initial = name.chars().next().unwrap();
        let pieces = (1..=400).map(|i| format!("{initial}{i} ")).collect();
        message(request, &[api::Part::Text(pieces, 50)])
    })
    .await;
    let desk = desk(&server);
    let mut window = open(&desk);
    for (i, prompt) in ["Alpha", "Beta", "Gamma"].into_iter().enumerate() {
        if i > 0 {
            window.keys("\x1b[D");
            window.shows("n new");
            window.keys("n");
            window.shows("New session");
        }
        say(&mut window, prompt);
        let first = format!("{}1 ", prompt.chars().next().unwrap());
        window.shows(&first);
    }
    let mut seen = BTreeSet::new();
    for round in 0..200 {
        let screen = window.screen();
        let key = if round % 2 == 0 {
            another(&screen, round)
        } else {
            "\x0f".to_owned()
        };
        window.keys(&key);
        let before = title(&screen);
        let screen = window.until("another session", |s| title(s) != before);
        seen.insert(name(&title(&screen)).to_owned());
    }
    assert_eq!(seen.len(), 3, "{seen:?}");
    for name in ["Alpha", "Beta", "Gamma"] {
        let log = log_of(&desk, name);
        until("the end", || has(&log, "turn.finished").then_some(()));
        let initial = name.chars().next().unwrap();
        let whole: String = (1..=400).map(|i| format!("{initial}{i} ")).collect();
        let all = events(&log);
        assert_eq!(deltas(&all), whole, "{name}");
        let turns = all
            .iter()
            .filter(|e| e["kind"] == "turn.finished")
            .map(|e| &e["status"]);
        assert_eq!(turns.collect::<Vec<_>>(), ["ok"]);
    }
    let asked = api::asked(&server);
    assert_eq!(asked.len(), 3, "no request was made twice");
    assert!(
        asked.iter().all(|r| r.whole),
        "no connection was closed before its answer was whole"
    );
    assert_eq!(desk.json(&["verify", "--json"])["damaged"], json!([]));
}

async fn a_web_question_is_asked_and_answered_in_the_window() {
    let search = tool("toolu_w", "WebSearch", &json!({"query": "tide tables"}));
    let server = api::start(move |request, n| match n {
        0 => message(request, &[text("I look."), search.clone()]),
        _ => message(request, &[text("High water at six.")]),
    })
    .await;
    let desk = desk(&server);
    let inbox = desk.workspace().join("inbox");
    std::fs::create_dir_all(&inbox).unwrap();
    let shelf = "id = \"inbox\"\ntitle = \"Inbox\"\nallow = [\"web\"]\n";
    std::fs::write(inbox.join("collection.toml"), shelf).unwrap();
    let mut window = open(&desk);
    say(&mut window, "When is high water?");
    window.shows("Search the web for \"tide tables\"");
    window.until("needs you in the list", |s| s.contains("needs you"));
    // A key pressed so soon after a question appears, or after other keys, is taken for typing, not for an answer.
    window.until("a key answers", |s| {
        s.contains("1 once") && !s.contains("after a pause")
    });
    window.keys("1");
    window.shows("High water at six.");
    assert!(has(&log_of(&desk, "high water"), "\"permission.answered\""));
}

async fn a_stop_in_the_window_keeps_the_words() {
    let server = api::start(|request, n| match n {
        0 => message(request, &[numbered(2_000, 20)]),
        _ => message(request, &[text("Shorter.")]),
    })
    .await;
    let desk = desk(&server);
    let mut window = open(&desk);
    say(&mut window, "Write at length.");
    window.shows("w20 ");
    window.keys("\x03");
    window.shows("interrupted");
    window.shows("w20 ");
    say(&mut window, "Make it shorter.");
    window.shows("Shorter.");
    let last = conversation(&api::asked(&server).last().unwrap().body);
    assert!(
        last.iter().any(|m| m.starts_with("assistant: w1 w2 ")),
        "{last:?}"
    );
}

async fn a_draft_is_written_before_the_writers_eyes() {
    let words: String = (1..=60).map(|i| format!("line{i} ")).collect();
    let written = words.clone();
    let server = api::start(move |request, n| match n {
        0 => {
            let input = json!({"text": written, "base_version": 0});
            let call = api::Part::Tool {
                id: "toolu_d".into(),
                name: "mcp__fascicle__write_draft".into(),
                input,
                piece: 4,
                ms: 10,
            };
            message(request, &[call])
        }
        _ => message(request, &[text("It stands in the draft.")]),
    })
    .await;
    let desk = desk(&server);
    let mut window = open(&desk);
    say(&mut window, "Write the opening.");
    window.until("the draft while it is written", |s| {
        s.contains("line3 ") && !s.contains("draft +")
    });
    window.shows("✎ draft +60");
    window.shows("It stands in the draft.");
    let row = desk.json(&["list", "--json"])[0].clone();
    let draft = desk
        .workspace()
        .join(row["folder"].as_str().unwrap())
        .join("draft.md");
    assert_eq!(std::fs::read_to_string(draft).unwrap(), words);
}

async fn the_agents_own_history_is_deleted_and_the_session_goes_on() {
    let server = api::start(|request, n| message(request, &[text(&format!("Answer {n}."))])).await;
    let desk = desk(&server);
    let id = desk.ok(&["new", "Rivers"]);
    assert_eq!(desk.ok(&["send", &id, "One.", "--wait"]), "Answer 0.");
    std::fs::remove_dir_all(desk.home().join(".claude/projects")).unwrap();
    assert_eq!(desk.ok(&["send", &id, "Two.", "--wait"]), "Answer 1.");
    assert_eq!(
        conversation(&api::asked(&server)[1].body),
        ["user: One.", "assistant: Answer 0.", "user: Two."]
    );
}

async fn the_workspace_is_moved_and_the_session_goes_on() {
    let server = api::start(|request, n| message(request, &[text(&format!("Answer {n}."))])).await;
    let mut desk = desk(&server);
    let id = desk.ok(&["new", "Rivers"]);
    assert_eq!(desk.ok(&["send", &id, "One.", "--wait"]), "Answer 0.");
    desk.move_workspace("elsewhere");
    assert_eq!(desk.ok(&["send", &id, "Two.", "--wait"]), "Answer 1.");
    assert_eq!(
        conversation(&api::asked(&server)[1].body),
        ["user: One.", "assistant: Answer 0.", "user: Two."]
    );
}

async fn two_sessions_stream_one_is_stopped_and_both_drafts_get_text() {
    let served = Served::new();
    let desk = local(&served);
    let mut window = open(&desk);
    say(&mut window, "Write ten sentences about a river.");
    let one = log_of(&desk, "river");
    until("its first words", || has(&one, "\"delta\"").then_some(()));
    window.keys("\x1b[D");
    window.shows("n new");
    window.keys("n");
    window.shows("New session");
    say(&mut window, "Write three sentences about a notebook.");
    let two = log_of(&desk, "notebook");
    window.keys("\x0f");
    window.until("the river", |s| title(s).contains("river"));
    if !has(&one, "turn.finished") {
        window.keys("\x03");
    }
    for log in [&one, &two] {
        until("its end", || has(log, "turn.finished").then_some(()));
    }
    window.keys("\x1b");
    for log in [&one, &two] {
        window.shows("w into the draft");
        window.keys("w");
        window.shows("Replace the draft");
        window.keys("r");
        until("the draft", || has(log, "\"draft.saved\"").then_some(()));
        window.until("the choice closed", |s| !s.contains("Replace the draft"));
        let before = title(&window.screen());
        window.keys("\x0f");
        window.until("the other session", |s| title(s) != before);
    }
    for row in desk.json(&["list", "--json"]).as_array().unwrap() {
        assert!(row["words"].as_u64().unwrap() > 0, "{row}");
    }
}
