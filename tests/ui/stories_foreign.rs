//! What others wrote, in every place where it can be shown: signs to read, and nothing that acts on a terminal.

use fascicle::domain::event::Raw;
use fascicle::domain::event::Retry;
use fascicle::domain::event::{Damage, Kind, Status, Usage};
use fascicle::domain::head::Pause;
use fascicle::domain::{Limits, Notice, Recipe, RecipeRow, Reply, Request, State, Step};
use fascicle::ui::{Agents, Choice, Effect, Input, Place, Recipes, Settings};
use ratatui::buffer::Buffer;

use crate::stage::{Stage, build, collections, delta, id, row, rows, settings};

/// Clipboard, title, clear, report, a C1 byte, a turned direction, and what moves a cursor; a word stays readable.
const EVIL: &str = "ev\u{1b}]52;c;eA==\u{7}\u{1b}]0;PWNED\u{1b}\\\u{1b}[2J\u{1b}[6n\u{9b}31m\u{202e}il\r\u{8}\u{7f}\u{1b}P$q\u{1b}";

fn evil() -> String {
    EVIL.to_owned()
}

fn told() -> Settings {
    Settings {
        workspace: evil(),
        agents: Agents {
            choices: vec![
                Choice {
                    agent: evil(),
                    model: Some(evil()),
                };
                2
            ],
            unready: Some(evil()),
            web: vec![evil()],
        },
        recipes: Recipes {
            choices: vec![
                Recipe {
                    title: evil(),
                    steps: vec![
                        Step {
                            name: evil(),
                            text: evil(),
                        };
                        2
                    ],
                    limits: Limits::default(),
                };
                2
            ],
            ..Recipes::default()
        },
        build: build(EVIL, 1),
        ..settings()
    }
}

fn evil_row(n: u128, state: State) -> fascicle::domain::Row {
    let mut row = row(n, EVIL, state, 7);
    row.tags = vec![evil(), "plain".to_owned()];
    row.agent = evil();
    row.model = Some(evil());
    row.folder = evil();
    row.trouble = Some(evil());
    for question in &mut row.asked {
        question.what = evil();
        question.input = EVIL.into();
    }
    row.recipe = Some(RecipeRow {
        title: evil(),
        at: 1,
        of: 2,
        step: Some(evil()),
        paused: (n == 2).then(evil),
    });
    row.pause = (n == 3).then(|| Pause {
        until: crate::stage::NOON + 60_000,
        why: evil(),
    });
    row
}

/// A log all of whose words are foreign.
fn evil_log(n: u128) -> Vec<Kind> {
    let (turn, text, call) = (1, || EVIL.into(), || "c".to_owned());
    let mut log = crate::stage::log(n, EVIL, false);
    log.truncate(1);
    log.extend([
        Kind::Recovered {
            damage: vec![Damage {
                at: 1,
                len: 2,
                why: evil(),
            }],
            missing: vec![(1, 2)],
        },
        Kind::Prompt {
            turn,
            text: text(),
            queued: None,
        },
        Kind::TurnStarted {
            turn,
            agent: evil(),
            agent_session: Some(evil()),
            model: Some(evil()),
            resume: false,
        },
        Kind::Thinking {
            turn,
            block: 0,
            text: text(),
        },
        Kind::ToolStarted {
            turn,
            call: call(),
            name: evil(),
            input: format!("{{\"a\": {EVIL:?}}}").into(),
        },
        Kind::ToolFinished {
            turn,
            call: call(),
            ok: false,
            ms: 3,
            output: text(),
        },
        Kind::ToolDelta {
            turn,
            call: "w".to_owned(),
            name: "write_draft".to_owned(),
            text: serde_json::json!({"text": EVIL}).to_string().into(),
        },
        Kind::Retry(Retry {
            turn,
            attempt: 1,
            wait_ms: 9_000,
            why: evil(),
        }),
        Kind::Note {
            turn: Some(turn),
            text: evil(),
        },
        Kind::Raw(Raw {
            turn,
            why: evil(),
            base64: text(),
        }),
        delta(turn, EVIL),
        Kind::Message {
            turn,
            block: 1,
            text: format!("# {EVIL}\n\n- {EVIL}\n\n> {EVIL}\n\n`{EVIL}` [{EVIL}]({EVIL})\n\n```{EVIL}\n{EVIL}\n```\n\n| {EVIL} | b |\n|---|---|\n| {EVIL} | d |\n").into(),
        },
        Kind::Usage {
            turn,
            usage: Usage::default(),
        },
        Kind::TurnFinished {
            turn,
            status: Status::Failed,
            reason: Some(evil()),
            events: 0,
            crc32: String::new(),
        },
        Kind::Unknown { name: evil() },
        Kind::Prompt {
            turn: 2,
            text: text(),
            queued: None,
        },
        Kind::Asked {
            turn: 2,
            call: "q1".to_owned(),
            what: evil(),
            input: text(),
        },
        Kind::Queued { n: 1, text: text() },
    ]);
    log
}

/// The window with nothing else in it.
fn stage() -> Stage {
    let left = Place {
        session: Some(id(4)),
        ..Place::default()
    };
    let mut stage = Stage::with(told(), left);
    let mut drawers = collections();
    for drawer in &mut drawers {
        drawer.title = evil();
        drawer.folder = evil();
    }
    let mut many = rows();
    let states = [
        (4, State::NeedsYou),
        (3, State::Writing),
        (2, State::Queued),
        (5, State::Lost),
        (1, State::Failed),
    ];
    for (row, (n, state)) in many.iter_mut().zip(states) {
        *row = evil_row(n, state);
    }
    stage.tell_list(&drawers, &many);
    stage.tell_log(4, &evil_log(4));
    let ticket = stage.list_ticket();
    for notice in [
        Notice::Banner { text: evil() },
        Notice::Host(build(EVIL, 2)),
    ] {
        stage.give(Input::Notice { ticket, notice });
    }
    stage.wait(1_000);
    stage
}

/// Every cell holds something that a terminal only shows.
#[track_caller]
fn is_harmless(buf: &Buffer, what: &str) {
    for cell in buf.content() {
        let acts = |c: char| {
            c.is_control()
                || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}')
        };
        assert!(
            !cell.symbol().chars().any(acts),
            "{what}: {:?}",
            cell.symbol()
        );
    }
}

/// What the terminal is told beside frames ends where the program ends it.
#[track_caller]
fn are_harmless(effects: &[Effect], what: &str) {
    for effect in effects {
        match effect {
            Effect::Title(text) => {
                assert!(!text.chars().any(char::is_control), "{what}: {text:?}");
            }
            Effect::Call(bytes) => assert!(bytes.iter().all(|b| *b == 7), "{what}: {bytes:?}"),
            _ => {}
        }
    }
}

/// Every place the keys lead to.
const WAYS: [&str; 24] = [
    "",
    "esc",
    "esc home",
    "esc o",
    "esc K K K o",
    "esc v",
    "left",
    "left left",
    "left left down",
    "left r",
    "left t",
    "left space",
    "left down r",
    "esc p",
    "esc p e",
    "esc R",
    "esc R v",
    "esc C",
    "esc w",
    "esc ?",
    "ctrl-p",
    "ctrl-p a g e n t enter",
    "ctrl-p d a m a g e d enter",
    "ctrl-g",
];

#[test]
fn foreign_signs_are_shown_in_every_place_and_act_in_none() {
    for keys in WAYS {
        for (cols, lines) in [(200, 60), (120, 40), (80, 24), (40, 12)] {
            let mut stage = stage();
            let what = format!("{keys:?} at {cols} by {lines}");
            is_harmless(&stage.paint(cols, lines).0, &what);
            if !keys.is_empty() {
                stage.press(keys);
            }
            let (buf, _) = stage.paint(cols, lines);
            is_harmless(&buf, &what);
            are_harmless(&stage.effects, &what);
            let frame = stage.frame(cols, lines);
            let there = frame.contains("ev␛]52") || cols < 120;
            assert!(there, "it is there to be read, {what}:\n{frame}");
        }
    }
}

#[test]
fn what_the_host_says_and_what_is_pasted_acts_on_nothing() {
    let mut stage = stage();
    stage.asks();
    stage.press("esc enter");
    stage.give(Input::Paste(evil()));
    is_harmless(&stage.paint(120, 40).0, "a paste");
    stage.press("enter");
    let (tag, request) = stage.asked_one();
    let Request::Send { text, .. } = request else {
        panic!("{request:?}");
    };
    assert!(
        text.contains('\u{1b}'),
        "the agent gets what was pasted: {text:?}"
    );
    stage.answer(tag, Reply::refused(EVIL, EVIL));
    is_harmless(&stage.paint(120, 40).0, "a refusal");
    for keys in ["left r", "left t", "left N", "ctrl-g", "ctrl-p"] {
        stage.press("esc");
        stage.press(keys);
        stage.give(Input::Paste(evil()));
        is_harmless(&stage.paint(120, 40).0, keys);
        stage.press("esc");
    }
    stage.press("esc e");
    for (tag, _) in stage.asks() {
        stage.answer(tag, Reply::Text { text: evil() });
    }
    let ticket = stage.list_ticket();
    let why = evil();
    stage.give(Input::Lost { ticket, why });
    is_harmless(&stage.paint(120, 40).0, "a lost host");
    stage.give(Input::Edited(Err(evil())));
    is_harmless(&stage.paint(120, 40).0, "an editor that failed");
    are_harmless(&stage.effects, "at the end");
}

#[test]
fn characters_cut_between_two_pieces_are_drawn_whole_and_wide_ones_are_never_halved() {
    let whole = "灯台👩\u{200d}🔬قلعة 城 שלום e\u{301}nd ";
    let mut stage = Stage::at(3);
    stage.tell_log(3, &crate::stage::log(3, "Session", true));
    for _ in 0..40 {
        // A piece ends in the middle of an emoji of several characters, and before an accent.
        for c in whole.chars() {
            stage.tell(3, delta(2, c.encode_utf8(&mut [0; 4])));
        }
    }
    for cols in [200, 120, 80, 41, 40, 27, 26] {
        let (buf, _) = stage.paint(cols, 30);
        is_harmless(&buf, "streamed");
        for y in 0..30 {
            let mut x = 0;
            while x < cols {
                let wide = fascicle::text::width(buf[(x, y)].symbol()).max(1);
                let wide = u16::try_from(wide).unwrap();
                assert!(
                    x + wide <= cols,
                    "{cols}: a character beyond the edge in row {y}"
                );
                x += wide;
            }
        }
        let frame = stage.frame(cols, 30);
        assert!(!frame.contains('\u{fffd}'), "{frame}");
        assert!(
            frame.contains("👩\u{200d}🔬") && frame.contains("e\u{301}nd"),
            "{frame}"
        );
    }
}
