//! The first minutes: the welcome, what is offered, the look at everything, the question before there is a workspace.

use fascicle::config::edit::Answer;
use fascicle::config::found;
use fascicle::domain::ask::NewSession;
use fascicle::domain::{Reply, Request};
use fascicle::ui::doorstep::Doorstep;
use fascicle::ui::errand::{Kept, Server};
use fascicle::ui::{Brought, Choice, Effect, Errand, First, Input, Place, Settings};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::stage::{Stage, collections, id, rows, settings};

const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (200, 50)];
const DOCTOR: &str = "Agents\n  ✗ claude  `claude` was not found.\n      fix: Install it with `npm install -g @anthropic-ai/claude-code`, then run `claude` once to log in.\n\nWorkspace /home/ann/Fascicle\n  ✓ can be written\n  ✓ 6 sessions, all whole\n";

fn told(ways: &[&str]) -> Settings {
    let mut told = settings();
    told.agents.choices = vec![choice("editor")];
    told.first = First {
        welcome: true,
        sample: true,
        offer: true,
        ways: found::ways(false, |name| ways.contains(&name)),
        ..First::default()
    };
    told
}

fn choice(agent: &str) -> Choice {
    Choice {
        agent: agent.to_owned(),
        model: None,
    }
}

/// A window nobody has opened before, on a workspace with a few sessions.
fn fresh(ways: &[&str]) -> Stage {
    let mut stage = Stage::with(told(ways), Place::default());
    stage.tell_list(&collections(), &rows());
    stage.frame(80, 24);
    stage.asks();
    stage
}

fn with_keys() -> Stage {
    fresh(&["OPENROUTER_API_KEY", "OPENAI_API_KEY"])
}

#[test]
fn a_tab_behind_the_first_words_speaks_of_no_words_above() {
    let mut stage = fresh(&[]);
    stage.type_text("Dear");
    stage.press("tab");
    let frame = stage.frame(80, 24).replace('\n', "");
    let said = "A Tab is no indent here. Esc leads out of your prompt; it stays as it is.";
    assert!(frame.contains(said), "{frame}");
}

/// The errands wanted since the last look.
fn errands(stage: &mut Stage) -> Vec<Errand> {
    let wanted = stage.take_effects().into_iter();
    let errand = |e| match e {
        Effect::Errand(errand) => Some(errand),
        _ => None,
    };
    wanted.filter_map(errand).collect()
}

fn bring(stage: &mut Stage, brought: Brought) {
    stage.give(Input::Brought(brought));
}

fn ollama(models: &[&str]) -> Server {
    Server {
        way: found::servers().remove(0),
        models: models.iter().map(|&m| m.to_owned()).collect(),
    }
}

#[test]
fn from_a_cold_start_the_first_key_is_already_the_prompt() {
    let mut stage = with_keys();
    let frame = stage.frame(80, 24);
    for line in [
        "A notebook for every piece you write.",
        "Enter sends it to editor.",
        "a sample, to read and try",
        "Ctrl-P shows every command",
        "Found here: OpenRouter, OpenAI.",
        "F2 choose · F4 no",
    ] {
        assert!(frame.contains(line), "{line}:\n{frame}");
    }
    stage.type_text("An elegy.");
    assert!(stage.frame(80, 24).contains("› An elegy."));
    stage.press("enter");
    let (_, request) = stage.asked_one();
    assert!(
        matches!(request, Request::New(NewSession { prompt: Some(p), .. }) if p == "An elegy.")
    );
}

#[test]
fn a_title_typed_before_the_list_has_come_is_looked_for_and_never_sent() {
    let mut stage = Stage::with(told(&[]), Place::default());
    stage.asks();
    stage.press("ctrl-g");
    stage.type_text("tools");
    stage.press("enter");
    let frame = stage.frame(80, 24);
    assert!(frame.contains("Go to a session"), "{frame}");
    assert!(frame.contains("The list is coming…"), "{frame}");
    assert!(!frame.contains("There is no session yet."), "{frame}");
    assert_eq!(stage.asks(), []);
    stage.tell_list(&collections(), &rows());
    let frame = stage.frame(80, 24);
    assert!(frame.contains("Tools"), "{frame}");
    assert!(!frame.contains("The list is coming…"), "{frame}");
    stage.press("enter");
    assert_eq!(stage.app.left().session, Some(id(5)));
    assert!(!stage.frame(80, 24).contains("› tools"));
}

#[test]
fn where_the_list_that_comes_is_empty_that_is_said() {
    let mut stage = Stage::with(told(&[]), Place::default());
    stage.press("ctrl-g");
    stage.tell_list(&[], &[]);
    assert!(stage.frame(80, 24).contains("There is no session yet."));
    stage.press("esc ctrl-g");
    assert!(!stage.frame(80, 24).contains("Go to a session"));
}

#[test]
fn nothing_is_looked_at_or_kept_before_a_key_says_so() {
    let mut stage = with_keys();
    stage.type_text("Words.");
    stage.press("left ctrl-p esc");
    assert_eq!(errands(&mut stage), []);
}

#[test]
fn a_piece_is_begun_by_writing_its_draft_and_no_prompt() {
    let mut stage = with_keys();
    stage.press("esc d");
    assert!(stage.frame(80, 24).contains("A new piece"));
    stage.type_text("Ferry");
    stage.press("enter");
    let (tag, request) = stage.asked_one();
    let Request::New(NewSession { title, prompt, .. }) = request else {
        panic!("{request:?}");
    };
    assert_eq!((title.as_deref(), prompt), (Some("Ferry"), None));
    stage.answer(tag, Reply::Created { session: id(9) });
    let asked = |r: &Request| matches!(r, Request::Draft { session, .. } if *session == id(9));
    assert!(stage.asks().iter().any(|(_, r)| asked(r)));
    assert!(
        stage.frame(80, 24).contains("Draft"),
        "it is before the writer"
    );
}

#[test]
fn what_is_written_is_kept_when_the_window_is_closed_by_its_name() {
    let mut stage = with_keys();
    stage.type_text("Not sent");
    stage.press("ctrl-d");
    stage.press("ctrl-p");
    stage.type_text("close the window");
    stage.asks();
    stage.press("enter");
    let kept = |r: &Request| matches!(r, Request::KeepUnsent { text, .. } if text == "Not sent");
    assert!(stage.asks().iter().any(|(_, r)| kept(r)));
}

#[test]
fn a_no_is_kept_and_nothing_is_offered_again() {
    let mut stage = with_keys();
    stage.press("f4");
    assert_eq!(errands(&mut stage), [Errand::Keep(Answer::No)]);
    let kept = Kept {
        name: None,
        agents: vec![choice("editor")],
        unready: None,
        web: vec!["claude".to_owned()],
    };
    bring(&mut stage, Brought::Kept(Ok(kept)));
    assert!(!stage.frame(80, 24).contains("Found here"));
    stage.type_text("31 July");
    assert!(stage.frame(80, 24).contains("› 31 July"));
}

#[test]
fn the_first_thing_typed_is_text_while_the_offer_stands() {
    let mut stage = with_keys();
    stage.type_text("100 words, 3 of them long");
    assert!(stage.frame(80, 24).contains("› 100 words, 3 of them long"));
    assert_eq!(errands(&mut stage), []);
}

#[test]
fn a_key_that_is_set_leads_to_a_model_by_three_keys_and_writes_from_then_on() {
    let mut stage = with_keys();
    stage.press("f2");
    let way = found::ways(false, |n| n == "OPENROUTER_API_KEY").remove(0);
    stage.press("enter");
    assert_eq!(errands(&mut stage), [Errand::Models(way.clone())]);
    assert!(stage.frame(80, 24).contains("Asking OpenRouter…"));
    let models = ["small/one", "large/two"].map(str::to_owned).to_vec();
    bring(
        &mut stage,
        Brought::Models("openrouter".to_owned(), Ok(models)),
    );
    stage.type_text("two");
    stage.press("enter");
    let answer = Answer::Take(way, Some("large/two".to_owned()));
    assert_eq!(errands(&mut stage), [Errand::Keep(answer)]);
    let kept = Kept {
        name: Some("openrouter".to_owned()),
        agents: vec![choice("openrouter"), choice("editor")],
        unready: None,
        web: vec!["claude".to_owned()],
    };
    bring(&mut stage, Brought::Kept(Ok(kept)));
    let frame = stage.frame(120, 40);
    assert!(frame.contains("Enter sends it to openrouter."), "{frame}");
    assert!(frame.contains("openrouter is connected"), "{frame}");
    assert!(!frame.contains("Found here"), "{frame}");
}

#[test]
fn servers_are_looked_for_after_a_key_and_their_models_are_listed() {
    let mut stage = fresh(&[]);
    assert!(
        stage
            .frame(80, 24)
            .contains("Connect an agent that writes?")
    );
    stage.press("f2");
    assert_eq!(errands(&mut stage), []);
    stage.press("enter");
    assert_eq!(errands(&mut stage), [Errand::Servers]);
    assert!(stage.frame(80, 24).contains("Looking for model servers…"));
    stage.press("enter");
    assert_eq!(errands(&mut stage), [], "one look at a time");
    bring(&mut stage, Brought::Servers(vec![ollama(&["qwen3:8b"])]));
    let frame = stage.frame(80, 24);
    assert!(frame.contains("127.0.0.1:11434 · 1 model"), "{frame}");
    stage.press("up enter");
    assert!(stage.frame(80, 24).contains("qwen3:8b"));
    stage.press("enter");
    let answer = Answer::Take(ollama(&[]).way, Some("qwen3:8b".to_owned()));
    assert_eq!(errands(&mut stage), [Errand::Keep(answer)]);
}

#[test]
fn where_no_server_answers_that_is_said_and_can_be_tried_again() {
    let mut stage = fresh(&[]);
    stage.press("f2 enter");
    bring(&mut stage, Brought::Servers(Vec::new()));
    assert!(
        stage
            .frame(80, 24)
            .contains("No model server answered; look again")
    );
    errands(&mut stage);
    stage.press("enter");
    assert_eq!(errands(&mut stage), [Errand::Servers]);
}

#[test]
fn a_service_that_refuses_the_key_says_why_and_esc_goes_back() {
    let mut stage = with_keys();
    stage.press("f2 enter");
    let why = "https://openrouter.ai/api/v1 refused the key.".to_owned();
    bring(
        &mut stage,
        Brought::Models("openrouter".to_owned(), Err(why)),
    );
    assert!(stage.frame(80, 24).contains("refused the key."));
    stage.press("enter esc");
    assert!(stage.frame(80, 24).contains("the key in OPENAI_API_KEY"));
    errands(&mut stage);
    stage.press("esc");
    assert_eq!(errands(&mut stage), []);
    assert!(
        stage.frame(80, 24).contains("Found here"),
        "later is not never"
    );
}

#[test]
fn settings_with_a_mistake_are_named_and_the_window_stays_usable() {
    let mut stage = with_keys();
    stage.press("f4");
    let why = "Your settings have a mistake and were not changed: config.toml:2: odd.".to_owned();
    bring(&mut stage, Brought::Kept(Err(why)));
    assert!(stage.frame(120, 40).contains("config.toml:2: odd."));
}

#[test]
fn the_welcome_goes_when_a_session_is_opened_and_does_not_come_back() {
    let mut stage = with_keys();
    stage.type_text("An elegy.");
    stage.press("enter");
    let (tag, _) = stage.asked_one();
    stage.answer(tag, Reply::Created { session: id(9) });
    stage.press("esc n");
    let frame = stage.frame(80, 24);
    assert!(!frame.contains("A notebook for every piece"), "{frame}");
    assert!(
        frame.contains("Found here"),
        "it is offered until it is answered:\n{frame}"
    );
}

#[test]
fn doctor_is_among_the_commands_and_can_look_again_and_be_copied() {
    let mut stage = fresh(&[]);
    stage.press("ctrl-p d o c t o r enter");
    assert_eq!(errands(&mut stage), [Errand::Doctor]);
    assert!(stage.frame(80, 24).contains("Looking…"));
    bring(&mut stage, Brought::Doctor(DOCTOR.to_owned()));
    assert!(stage.frame(80, 24).contains("✓ 6 sessions, all whole"));
    stage.press("y");
    assert_eq!(stage.wanted(&Effect::Copy(DOCTOR.to_owned())), 1);
    errands(&mut stage);
    stage.press("r");
    assert_eq!(errands(&mut stage), [Errand::Doctor]);
    stage.press("esc");
    assert!(!stage.frame(80, 24).contains("Looking…"));
}

/// Views of this page, each with the keys that lead to it.
type View = (&'static str, &'static str, fn() -> Stage);

const VIEWS: [View; 4] = [
    ("welcome", "", with_keys),
    ("connect", "f2", with_keys),
    ("connect_models", "f2 enter", models),
    ("doctor", "ctrl-p d o c t o r enter", doctor),
];

fn models() -> Stage {
    with_keys()
}

fn doctor() -> Stage {
    fresh(&[])
}

#[test]
fn the_first_minutes_look_as_they_did() {
    for (name, keys, stage) in VIEWS {
        for (cols, lines) in SIZES {
            let mut stage = stage();
            stage.frame(cols, lines);
            if !keys.is_empty() {
                stage.press(keys);
            }
            let models = ["small/one", "large/two"].map(str::to_owned).to_vec();
            bring(
                &mut stage,
                Brought::Models("openrouter".to_owned(), Ok(models)),
            );
            bring(&mut stage, Brought::Doctor(DOCTOR.to_owned()));
            golden(&format!("{name}@{cols}x{lines}"), &stage.frame(cols, lines));
        }
    }
}

#[test]
fn the_question_at_the_door_looks_as_it_did() {
    let question = Doorstep {
        folder: "~/novel".to_owned(),
        files: 12,
        home: "~/Fascicle".to_owned(),
        theme: settings().theme,
    };
    for (cols, lines) in SIZES.into_iter().chain([(24, 8), (1, 1)]) {
        let area = Rect::new(0, 0, cols, lines);
        let mut buf = Buffer::empty(area);
        question.draw(area, &mut buf);
        let row = |y| {
            let cells = (0..cols).map(|x| buf[(x, y)].symbol());
            cells.collect::<String>().trim_end().to_owned()
        };
        let frame: Vec<String> = (0..lines).map(row).collect();
        golden(&format!("doorstep@{cols}x{lines}"), &frame.join("\n"));
    }
}

fn golden(name: &str, frame: &str) {
    insta::with_settings!({
        snapshot_path => "../frames",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!(name, frame);
    });
}
