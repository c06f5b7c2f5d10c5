//! The whole arc with the real command line and the real model, in two windows at once: variants tried while everything
//! writes, compared, a paragraph taken, one adopted and regretted, and all of it gone on with after a kill.
#![allow(clippy::unwrap_used, reason = "test")]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value, json};
use tokio::sync::watch;

use crate::desk::Desk;
use crate::model::Served;
use crate::parts::{Row, row};
use crate::stage::{
    counted, counts, deltas, desk, ends, events, has, kill_all, local, log, log_of, newest,
    open_at, say, states, until,
};
use crate::support::http::Answer;
use crate::support::messages_api::{self as api, Part, conversation, message, text, tool};
use crate::variants::{is_prompted, prompted, seq_of};
use crate::window::Window;
use crate::workbench::title;

pub(crate) const TESTS: &[Row] = &[
    row!(
        Claude,
        two_windows_try_compare_take_adopt_and_regret_while_all_agents_write
    ),
    row!(
        Model,
        two_windows_put_replies_into_a_familys_drafts_and_undo_it_all
    ),
];

/// How many pieces of each answer come before the gate.
const PIECES: usize = 60;
/// The draft that all three begin with.
const SHARED: &str = "The river is slow.\n\nThe ferryman waits.\n";
/// The variants: prompt, what stands before the numbers of its answer, and its draft.
const LETTER: (&str, char, &str) = (
    "As a letter.",
    'L',
    "The river is slow.\n\nI wait for you at the landing.\n",
);
const STORY: (&str, char, &str) = (
    "As a story.",
    'S',
    "Once there was a slow river.\n\nThe ferryman waits.\n",
);
/// The main line's draft with a paragraph of each.
const BOTH: &str = "Once there was a slow river.\n\nI wait for you at the landing.";

/// Writes the draft when it is told to, and says what holds it up until the gate is open.
fn answer(request: &Value, n: usize, base: u64, gate: &watch::Receiver<bool>) -> Answer {
    let prompt = prompted(request);
    let write = |text: &str| {
        let input = json!({"text": text, "base_version": base});
        tool(&format!("toolu_{n}"), "mcp__fascicle__write_draft", &input)
    };
    let holds = |initial| {
        let gate = Part::Gate(gate.clone());
        vec![counts(initial, 1..=PIECES, 20), gate, text("The end.")]
    };
    let mut variants = [LETTER, STORY].into_iter();
    let variant = variants.find(|v| prompt.contains(v.0));
    let parts = match variant {
        Some((_, _, draft)) if is_prompted(request) => vec![write(draft)],
        Some((_, initial, _)) => holds(initial),
        None if prompt.contains("Continue.") => holds('P'),
        None if prompt.contains("Go on.") => vec![text("Gone on.")],
        None if is_prompted(request) => vec![write(SHARED)],
        None => vec![text("It is in the draft.")],
    };
    message(request, &parts)
}

/// Writes a prompt into the composer, and leaves it there.
fn compose(window: &mut Window, words: &str) {
    window.keys(words);
    window.until(&format!("{words:?} in the composer"), |s| {
        s.lines().any(|l| l.contains('›') && l.contains(words))
    });
}

/// Waits for a draft.
fn draft(desk: &Desk, id: &str, what: &str, want: &str) {
    until(what, || {
        (desk.ok(&["draft", id]) == want.trim_end()).then_some(())
    });
}

fn id_of(log: &Path) -> String {
    log.file_stem().unwrap().to_str().unwrap().to_owned()
}

/// The session that is the main line.
fn main_line(desk: &Desk) -> String {
    let rows = desk.json(&["list", "--json"]);
    let rows = rows.as_array().unwrap();
    let mut mains = rows.iter().filter(|r| r["main"] == true);
    let main = mains.next().unwrap()["id"].as_str().unwrap().to_owned();
    assert!(mains.next().is_none(), "one main line: {rows:?}");
    main
}

async fn two_windows_try_compare_take_adopt_and_regret_while_all_agents_write() {
    let base = Arc::new(AtomicU64::new(0));
    let (open, closed) = watch::channel(false);
    let version = base.clone();
    let server =
        api::start(move |request, n| answer(request, n, version.load(Ordering::Relaxed), &closed))
            .await;
    let desk = desk(&server);
    let id = desk.ok(&["new", "Rivers"]);
    desk.ok(&["send", &id, "Begin.", "--wait"]);
    let main = log(&desk, &id);
    base.store(seq_of(&main, "draft.saved"), Ordering::Relaxed);

    // Each forks in the middle of what the main line says, in the same moment.
    let mut windows = [open_at(&desk, &id), open_at(&desk, &id)];
    windows[0].shows("It is in the draft.");
    say(&mut windows[0], "Continue.");
    for (window, variant) in windows.iter_mut().zip([LETTER, STORY]) {
        window.until("its words", |s| newest(s, 'P') >= 5);
        compose(window, variant.0);
    }
    for window in &mut windows {
        window.keys("\x14");
    }
    let logs = [LETTER, STORY].map(|v| log_of(&desk, v.0));
    let ids = logs.each_ref().map(|log| id_of(log));
    for ((window, variant), id) in windows.iter().zip([LETTER, STORY]).zip(&ids) {
        window.until("the variant", |s| title(s).contains(variant.0));
        draft(&desk, id, "its draft", variant.2);
        window.until("its words", |s| newest(s, variant.1) >= 5);
    }
    assert_eq!(states(&desk), ["writing"; 3], "all three at once");
    draft(&desk, &id, "the draft as it was", SHARED);
    open.send(true).unwrap();
    ended(&main, &logs);

    // Each takes the paragraph that its variant has, in the same moment.
    for window in &mut windows {
        window.shows("The end.");
        window.keys("\x1b");
        window.shows("w into the draft");
        window.keys("c");
        window.shows("difference 1 of 1");
    }
    for window in &mut windows {
        window.keys("\r");
    }
    draft(&desk, &id, "both paragraphs", BOTH);
    for window in &windows {
        window.shows("Once there was");
        window.shows("I wait for you");
    }

    adopted_and_regretted(&desk, &mut windows, &id, &ids[1]);
    kill_all(&desk);
    drop(windows);
    let drafts = [
        (&id, BOTH, "Continue."),
        (&ids[0], LETTER.2, LETTER.0),
        (&ids[1], STORY.2, STORY.0),
    ];
    for (session, text, own) in drafts {
        draft(&desk, session, "its draft", text);
        assert_eq!(desk.ok(&["send", session, "Go on.", "--wait"]), "Gone on.");
        let heard = conversation(&api::asked(&server).last().unwrap().body).join("\n");
        for (_, _, prompt) in drafts {
            // What was said before the fork is heard by all.
            let is_meant = prompt == own || prompt == "Continue.";
            let asked = format!("user: {prompt}");
            assert_eq!(heard.contains(&asked), is_meant, "{prompt}: {heard}");
        }
    }
    assert_eq!(main_line(&desk), id);
    assert_eq!(desk.json(&["verify", "--json"])["damaged"], json!([]));
}

/// Waits until all three have ended; the main line said each piece once and was never stopped.
fn ended(main: &Path, variants: &[PathBuf; 2]) {
    until("the end", || (ends(&events(main)).len() == 2).then_some(()));
    let said = deltas(&events(main));
    let whole = counted('P', 1..=PIECES).concat() + "The end.";
    assert!(said.ends_with(&whole), "{said}");
    for log in variants {
        until("its end", || (ends(&events(log)).len() == 3).then_some(()));
        assert_eq!(ends(&events(log)), ["ok", "interrupted", "ok"]);
    }
}

/// One window adopts the variant it compares, the other one sees it; so with the regret.
fn adopted_and_regretted(desk: &Desk, windows: &mut [Window; 2], main: &str, variant: &str) {
    let [other, adopts] = windows;
    other.keys("\x1b");
    adopts.keys("a");
    adopts.shows("the main line of");
    other.shows("original");
    assert_eq!(main_line(desk), variant);
    adopts.keys("u");
    adopts.shows("again");
    other.until("the star where it was", |s| !s.contains("original"));
    assert_eq!(main_line(desk), main);
}

async fn two_windows_put_replies_into_a_familys_drafts_and_undo_it_all() {
    let served = Served::with_window(4_096);
    let desk = local(&served);
    let prompts = [
        "Write two sentences about a river.",
        "Write two sentences about a notebook.",
    ];
    let id = desk.ok(&["new", "River", "--prompt", prompts[0]]);
    let main = log(&desk, &id);
    until("its end", || has(&main, "turn.finished").then_some(()));
    let variant = desk.ok(&["fork", &id, "--name", "notebook"]);
    let both = [&id, &variant];
    let mut windows = both.map(|id| open_at(&desk, id));
    // Both are asked at once, and each window puts its reply into its own draft.
    for (window, prompt) in windows.iter_mut().zip(prompts) {
        window.shows("Ctrl-P");
        say(window, prompt);
    }
    let logs = both.map(|id| log(&desk, id));
    for ((window, log), id) in windows.iter_mut().zip(&logs).zip(both) {
        until("its end", || (ends(&events(log)).len() == 2).then_some(()));
        window.keys("\x1b");
        window.shows("w into the draft");
        window.keys("w");
        window.shows("Replace the draft");
        window.keys("r");
        until("the draft", || {
            (!desk.ok(&["draft", id]).is_empty()).then_some(())
        });
    }
    let drafts = both.map(|id| desk.ok(&["draft", id]));
    assert_ne!(drafts[0], drafts[1]);

    windows[1].until("the choice closed", |s| !s.contains("Replace the draft"));
    windows[1].keys("c");
    windows[1].shows("difference 1 of");
    windows[1].keys("A");
    windows[1].shows("Taken from");
    draft(&desk, &id, "all of it taken", &drafts[1]);
    windows[1].keys("u");
    draft(&desk, &id, "what was there before", &drafts[0]);
    windows[1].keys("a");
    windows[0].shows("original");
    assert_eq!(main_line(&desk), variant);
    kill_all(&desk);
    drop(windows);
    desk.ok(&["undo", &variant]);
    assert_eq!(main_line(&desk), id);
    for (id, text) in both.into_iter().zip(&drafts) {
        draft(&desk, id, "its draft", text);
        desk.ok(&["send", id, "Write one more sentence.", "--wait"]);
    }
    assert_eq!(desk.json(&["verify", "--json"])["damaged"], json!([]));
}
