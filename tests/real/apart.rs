//! Windows, hosts and machines that go away under the real command line and the real model.
#![allow(clippy::unwrap_used, reason = "test")]

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tokio::sync::watch;

use crate::desk::Desk;
use crate::model::Served;
use crate::parts::{Row, row};
use crate::stage::{
    agent, asked, counted, counts, deltas, desk, ends, events, has, kill_all, local, log, newest,
    open_at, read, runs, say, states, until,
};
use crate::support::http::Server;
use crate::support::messages_api::{self as api, Part, conversation, message, text};
use crate::window::Window;

pub(crate) const TESTS: &[Row] = &[
    row!(
        Claude,
        three_turns_lose_nothing_to_a_window_that_goes_away_in_any_manner
    ),
    row!(
        Claude,
        a_killed_host_is_replaced_and_its_agents_are_waited_for_or_ended
    ),
    row!(
        Claude,
        everything_is_killed_and_nothing_that_was_read_is_lost
    ),
    row!(Model, two_turns_end_whole_with_no_window_open),
];

/// How many pieces may be on their way from a service to a log; a loaded machine is slow.
const UNDER_WAY: usize = 40;

/// How a window goes away.
type Way = (&'static str, fn(&mut Window));

const WAYS: [Way; 4] = [
    ("the terminal's end", Window::hang_up),
    ("a hangup", |w| w.signal("HUP")),
    ("an end", |w| w.signal("TERM")),
    ("a kill", |w| w.signal("KILL")),
];

/// Sessions and their prompts; their first letters stand before the numbers in their answers.
const NAMES: [&str; 3] = ["Alpha", "Beta", "Gamma"];

fn initial(name: &str) -> char {
    name.chars().next().unwrap()
}

/// The first letter of the session that is asked for in a request.
fn initial_of(request: &Value) -> char {
    let words = asked(request);
    let name = NAMES.into_iter().find(|n| words.contains(n));
    initial(name.unwrap())
}

/// A session that begins at once: its id and its log.
fn begun(desk: &Desk, name: &str) -> (String, PathBuf) {
    let id = desk.ok(&["new", name, "--prompt", name]);
    let log = log(desk, &id);
    (id, log)
}

async fn three_turns_lose_nothing_to_a_window_that_goes_away_in_any_manner() {
    const BEFORE: usize = 500;
    const ALL: usize = 550;
    let (open, closed) = watch::channel(false);
    let server = api::start(move |request, _| {
        let initial = initial_of(request);
        let first = counts(initial, 1..=BEFORE, 20);
        let rest = counts(initial, BEFORE + 1..=ALL, 5);
        message(request, &[first, Part::Gate(closed.clone()), rest])
    })
    .await;
    let desk = desk(&server);
    let sessions = NAMES.map(|name| begun(&desk, name));
    let host = desk.host();
    for (i, (way, go)) in WAYS.into_iter().enumerate() {
        let at = i % NAMES.len();
        let (id, log) = &sessions[at];
        let read = read(log, initial(NAMES[at])).max(1);
        let mut window = open_at(&desk, id);
        window.until(&format!("the words before {way}"), |s| {
            newest(s, initial(NAMES[at])) >= read
        });
        go(&mut window);
        window.ended();
        assert_eq!(states(&desk), ["writing"; 3], "after {way}");
    }
    open.send(true).unwrap();
    for ((id, log), name) in sessions.iter().zip(NAMES) {
        until("the end", || has(log, "turn.finished").then_some(()));
        let all = events(log);
        let whole = counted(initial(name), 1..=ALL).concat();
        assert_eq!(deltas(&all), whole, "{name}, each piece once");
        assert_eq!(ends(&all), ["ok"]);
        let page = desk.ok(&["show", id]);
        let words = page.split_whitespace();
        let words: Vec<&str> = words.filter(|w| newest(w, initial(name)) > 0).collect();
        assert_eq!(words, whole.split_whitespace().collect::<Vec<_>>());
        let window = open_at(&desk, id);
        window.until("the last word", |s| newest(s, initial(name)) == ALL);
    }
    let asked = api::asked(&server);
    assert_eq!(asked.len(), 3, "no request was made twice");
    assert!(asked.iter().all(|r| r.whole), "no answer was broken off");
    assert_eq!(desk.host(), host, "one host for all of it");
    assert_eq!(desk.json(&["verify", "--json"])["damaged"], json!([]));
}

/// How many pieces were sent in answer to the request of a session.
fn sent(server: &Server, name: &str) -> usize {
    let asked = api::asked(server);
    let of = |r: &&crate::support::http::Request| initial_of(&r.body) == initial(name);
    asked.iter().find(of).unwrap().sent
}

/// One agent finishes its answer after its host is gone, the other one waits for the rest of its own.
async fn a_killed_host_is_replaced_and_its_agents_are_waited_for_or_ended() {
    const BEFORE: usize = 300;
    const ALL: usize = 320;
    let (open, closed) = watch::channel(false);
    let (_never, shut) = watch::channel(false);
    let server = api::start(move |request, n| {
        if n >= 2 {
            return message(request, &[text("And so it ended.")]);
        }
        let initial = initial_of(request);
        let gate = if initial == 'A' { &closed } else { &shut };
        let first = counts(initial, 1..=BEFORE, 20);
        let rest = counts(initial, BEFORE + 1..=ALL, 5);
        message(request, &[first, Part::Gate(gate.clone()), rest])
    })
    .await;
    let desk = desk(&server);
    let (alpha_id, alpha) = begun(&desk, "Alpha");
    let (beta_id, beta) = begun(&desk, "Beta");
    let mut window = open_at(&desk, &beta_id);
    window.until("some words", |s| newest(s, 'B') >= 50);
    until("some words", || (read(&alpha, 'A') >= 50).then_some(()));
    let agents = [agent(&alpha), agent(&beta)];
    let first = desk.host().unwrap();
    desk.kill_host();
    let sent = ["Alpha", "Beta"].map(|name| sent(&server, name));
    until("another host", || desk.host().filter(|pid| *pid != first));
    assert!(agents.into_iter().all(runs), "they outlive their host");
    assert!(!has(&alpha, "turn.finished") && !has(&beta, "turn.finished"));

    open.send(true).unwrap();
    until("its end", || has(&alpha, "turn.finished").then_some(()));
    let all = events(&alpha);
    let saved = all.iter().find(|e| e["kind"] == "turn.recovered").unwrap();
    let saved = saved["text"].as_str().unwrap().split_whitespace();
    let whole = counted('A', 1..=ALL).concat();
    assert!(saved.eq(whole.split_whitespace()), "the whole answer");
    assert_eq!(ends(&all), ["lost"]);

    desk.ok(&["stop", &beta_id]);
    until("its end", || has(&beta, "turn.finished").then_some(()));
    assert!(!agents.into_iter().any(runs), "waited for, or ended");
    assert_eq!(ends(&events(&beta)), ["lost"]);
    assert!(!has(&beta, "turn.recovered"));
    let kept = [read(&alpha, 'A'), read(&beta, 'B')];
    for (kept, sent) in kept.into_iter().zip(sent) {
        assert!(
            sent.saturating_sub(kept) <= UNDER_WAY,
            "{kept} read of {sent}"
        );
    }
    assert_eq!(api::asked(&server).len(), 2, "nothing was asked unasked");

    window.until("the cut turn", |s| {
        s.contains("lost") && newest(s, 'B') == kept[1]
    });
    window.keys("\x12");
    window.shows("And so it ended.");
    assert_eq!(api::asked(&server).len(), 3, "one request");
    goes_on(&server, "Beta", &counted('B', 1..=kept[1]).concat());
    until("its end", || {
        (ends(&events(&beta)) == ["lost", "ok"]).then_some(())
    });
    let page = desk.ok(&["show", &alpha_id]);
    assert_eq!(newest(&page, 'A'), ALL, "what was saved is read");
}

/// The newest request holds what the agent had said of a cut turn, and asks it to go on.
fn goes_on(server: &Server, prompt: &str, partial: &str) {
    let said = conversation(&api::asked(server).last().unwrap().body);
    let [.., asked, answered, more] = said.as_slice() else {
        panic!("{said:?}")
    };
    assert_eq!(asked, &format!("user: {prompt}"));
    let partial = format!("assistant: {}", partial.trim_end());
    assert_eq!(answered.trim_end(), partial);
    assert!(more.starts_with("user: You were cut off"), "{more}");
}

/// What a reboot does: windows, host and agents end in one moment.
async fn everything_is_killed_and_nothing_that_was_read_is_lost() {
    let server = api::start(|request, n| match n {
        0 => message(request, &[text("A first answer.")]),
        1 | 2 => message(request, &[counts(['G', 'B'][n - 1], 1..=4_000, 10)]),
        _ => message(request, &[text("And so it went on.")]),
    })
    .await;
    let desk = desk(&server);
    let id = desk.ok(&["new", "Alpha", "--prompt", "Begin."]);
    let log = log(&desk, &id);
    let mut window = open_at(&desk, &id);
    window.shows("A first answer.");
    say(&mut window, "Go on at length.");
    window.until("its words", |s| newest(s, 'G') >= 50);
    let (_, other) = begun(&desk, "Beta");
    until("its words", || (read(&other, 'B') >= 50).then_some(()));
    kill_all(&desk);
    let sent = [1, 2].map(|n| api::asked(&server)[n].sent);
    drop(window);
    let kept = std::fs::read(&log).unwrap();
    let words = deltas(&events(&log));
    let words = words.strip_prefix("A first answer.").unwrap();
    let last = newest(words, 'G');
    assert_eq!(words, counted('G', 1..=last).concat(), "without a gap");
    for (read, sent) in [(last, sent[0]), (read(&other, 'B'), sent[1])] {
        assert!(
            sent.saturating_sub(read) <= UNDER_WAY,
            "{read} read of {sent}"
        );
    }

    let window = open_at(&desk, &id);
    window.until("the cut turn", |s| {
        s.contains("lost") && newest(s, 'G') == last
    });
    for log in [&log, &other] {
        until("its end", || is_cut(log).then_some(()));
    }
    assert!(std::fs::read(&log).unwrap().starts_with(&kept));
    assert_eq!(api::asked(&server).len(), 3, "nothing was asked unasked");
    desk.ok(&["again", &id]);
    window.shows("And so it went on.");
    assert_eq!(api::asked(&server).len(), 4, "one request");
    goes_on(&server, "Go on at length.", words);
    let said = conversation(&api::asked(&server)[3].body);
    assert_eq!(said[..2], ["user: Begin.", "assistant: A first answer."]);
    assert_eq!(ends(&events(&other)), ["lost"], "not asked for");
}

fn is_cut(log: &Path) -> bool {
    ends(&events(log)).last() == Some(&"lost")
}

async fn two_turns_end_whole_with_no_window_open() {
    let served = Served::new();
    let desk = local(&served);
    let prompts = [
        "Write ten sentences about a river.",
        "Write ten sentences about a notebook.",
    ];
    let ids = prompts.map(|prompt| desk.ok(&["new", prompt]));
    let mut window = open_at(&desk, &ids[0]);
    window.shows("river");
    for (id, prompt) in ids.iter().zip(prompts) {
        desk.ok(&["send", id, prompt]);
    }
    let logs = ids.each_ref().map(|id| log(&desk, id));
    for log in &logs {
        until("its first words", || has(log, "\"delta\"").then_some(()));
    }
    window.hang_up();
    window.ended();
    let left = logs.each_ref().map(|log| deltas(&events(log)).len());
    let open = logs.iter().filter(|log| !has(log, "turn.finished"));
    assert!(open.count() > 0, "the window left too late");
    for ((log, id), left) in logs.iter().zip(&ids).zip(left) {
        until("its end", || has(log, "turn.finished").then_some(()));
        let all = events(log);
        let words = deltas(&all);
        assert_eq!(ends(&all), ["ok"]);
        assert!(words.len() >= left);
        let page = desk.ok(&["show", id]);
        let last = words.split_whitespace().last().unwrap();
        assert!(page.contains(last), "{last}: {page}");
    }
}
