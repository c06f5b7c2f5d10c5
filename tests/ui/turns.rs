//! Stories of turns that were cut, that are silent, that wait, and that a recipe began.

use fascicle::domain::ask::NewSession;
use fascicle::domain::event::RecipeStarted;
use fascicle::domain::event::Retry;
use fascicle::domain::event::{Kind, Status};
use fascicle::domain::{Limits, RecipeRow, Reply, Request, Row, State};
use fascicle::ui::Place;

use crate::stage::{Stage, collections, delta, finished, id, log, prompt, recipes, row, rows};

/// The usual rows, three of them cut.
pub(crate) fn cut_rows() -> Vec<Row> {
    let mut rows = rows();
    for i in [1, 2, 4] {
        rows[i].state = State::Lost;
    }
    rows
}

fn cut() -> Stage {
    let mut stage = Stage::bare(Place::default());
    stage.tell_list(&collections(), &cut_rows());
    stage.asks();
    stage
}

fn agains(stage: &mut Stage) -> Vec<(u64, fascicle::domain::SessionId)> {
    let again = |(tag, r)| match r {
        Request::Again { session } => Some((tag, session)),
        _ => None,
    };
    stage.asks().into_iter().filter_map(again).collect()
}

#[test]
fn turns_that_were_cut_are_said_and_listed_and_nothing_goes_on_by_itself() {
    let mut stage = cut();
    let line = "3 turns were cut when the host ended: Esc, then C lists them.";
    assert!(stage.frame(120, 40).contains(line));
    stage.press("esc");
    assert!(
        stage.frame(120, 40).contains("ended: C lists them."),
        "it stays until it could be read"
    );
    stage.wait(2_000);
    stage.press("C");
    let frame = stage.frame(120, 40);
    assert!(frame.contains("Turns that were cut"), "{frame}");
    assert!(!frame.contains("3 turns were cut"), "{frame}");
    assert_eq!(agains(&mut stage), []);
    stage.press("esc");
    assert!(!stage.app.has_layer());
}

#[test]
fn what_was_said_of_cut_turns_is_not_said_by_the_next_window_here() {
    let stage = cut();
    let mut stage = Stage::bare(stage.app.left());
    stage.tell_list(&collections(), &cut_rows());
    assert!(!stage.frame(120, 40).contains("cut when"));
    stage.tell_row(row(5, "Tools", State::Writing, 0));
    stage.tell_row(row(5, "Tools", State::Lost, 0));
    assert!(stage.frame(120, 40).contains("1 turn was cut when"));
}

#[test]
fn one_cut_turn_goes_on_or_all_or_one_is_opened() {
    let mut stage = cut();
    stage.press("esc C down enter");
    let asked = agains(&mut stage);
    assert_eq!(asked.len(), 1);
    assert_eq!(
        asked[0].1,
        id(2),
        "the newest is first, the second was chosen"
    );
    stage.press("enter enter");
    let rest = agains(&mut stage);
    assert_eq!(rest.len(), 2, "{rest:?}");
    assert!(!stage.app.has_layer(), "nothing is left to choose");
    let (turn, queued) = (Some(3), None);
    stage.answer(asked[0].0, Reply::Accepted { turn, queued });
    assert!(stage.frame(120, 40).contains("“Compact” goes on."));

    let mut stage = cut();
    stage.press("esc C a");
    assert_eq!(agains(&mut stage).len(), 3);

    let mut stage = cut();
    stage.press("esc C o");
    assert!(stage.ticket(id(1)).is_some());
    assert_eq!(agains(&mut stage), []);
}

#[test]
fn a_turn_that_ended_badly_goes_on_with_one_key_that_is_shown() {
    for state in [State::Lost, State::Failed, State::Interrupted] {
        let mut stage = Stage::at(1);
        stage.tell_log(1, &log(1, "The lost afternoon", false));
        stage.tell_row(row(1, "The lost afternoon", state, 987));
        stage.asks();
        let frame = stage.frame(if state == State::Failed { 120 } else { 80 }, 24);
        assert!(frame.contains("Ctrl-R go on from here"), "{frame}");
        stage.press("esc");
        let frame = stage.frame(200, 40);
        assert!(frame.contains("G go on from here"), "{frame}");
        stage.press("G");
        assert_eq!(stage.asked_one().1, Request::Again { session: id(1) });
    }
    let mut stage = Stage::at(1);
    stage.tell_log(1, &log(1, "The lost afternoon", false));
    stage.asks();
    stage.press("esc G");
    assert_eq!(agains(&mut stage), []);
    assert!(stage.frame(120, 40).contains("ended well"));
}

#[test]
fn silence_is_counted_and_the_way_out_is_shown() {
    let mut stage = Stage::at(3);
    stage.tell_log(3, &log(3, "Session", true));
    stage.tell(
        3,
        Kind::Usage {
            turn: 2,
            usage: fascicle::domain::event::Usage::default(),
        },
    );
    stage.frame(200, 40);
    stage.asks();
    stage.press("esc G");
    assert_eq!(agains(&mut stage), [], "a turn that writes is left alone");
    let heard = last_event(&stage);
    stage.wait(heard + 19_000 - stage.now);
    assert!(!stage.frame(200, 40).contains("nothing for"));
    stage.wait(1_000);
    let frame = stage.frame(200, 40);
    assert!(frame.contains("nothing for 20 s"), "{frame}");
    assert!(frame.contains("Ctrl-C stop · G try again"), "{frame}");
    assert!(!frame.contains("slept"), "{frame}");
    assert_eq!(
        stage.app.wakes_at(),
        Some(stage.now - stage.now.rem_euclid(1_000) + 1_000)
    );
    let frame = stage.frame(80, 24);
    assert!(frame.contains("Ctrl-C stop · G try again"), "{frame}");
    stage.wait(160_000);
    assert!(stage.frame(200, 40).contains("nothing for 3 min"));
    stage.press("G");
    assert_eq!(agains(&mut stage).len(), 1);
}

/// When the newest event of the stage's log was written.
fn last_event(stage: &Stage) -> i64 {
    stage.last_ts(3)
}

#[test]
fn sleep_of_the_machine_is_no_silence_of_the_agent() {
    let mut stage = Stage::at(3);
    stage.tell_log(3, &log(3, "Session", true));
    let heard = last_event(&stage);
    stage.wait(heard + 1_000 - stage.now);
    stage.sleep(7_200_000);
    let frame = stage.frame(120, 40);
    assert!(!frame.contains("nothing for"), "{frame}");
    stage.wait(20_000);
    let frame = stage.frame(120, 40);
    assert!(frame.contains("nothing for 21 s"), "{frame}");
    assert!(
        frame.contains("This machine slept 2 h in between."),
        "{frame}"
    );
}

#[test]
fn a_wait_of_the_agent_is_counted_down_and_is_no_silence() {
    let mut stage = Stage::at(3);
    stage.tell_log(3, &log(3, "Session", true));
    let why = "The server is overloaded".to_owned();
    let retry = Kind::Retry(Retry {
        turn: 2,
        attempt: 1,
        wait_ms: 60_000,
        why: why.clone(),
    });
    stage.tell(3, retry);
    let heard = last_event(&stage);
    stage.wait(heard + 20_000 - stage.now);
    let mut waits = row(3, "Session", State::Writing, 1204);
    waits.pause = Some(fascicle::domain::head::Pause {
        until: heard + 60_000,
        why,
    });
    stage.tell_row(waits);
    let frame = stage.frame(120, 40);
    assert!(
        frame.contains("waiting 40 s: The server is overloaded"),
        "{frame}"
    );
    assert_eq!(
        frame.matches("waiting 40 s").count(),
        3,
        "strip, head and list:\n{frame}"
    );
    assert!(!frame.contains("nothing for"), "{frame}");
    stage.wait(1_000);
    assert!(stage.frame(120, 40).contains("waiting 39 s"));
    stage.wait(60_000);
    let frame = stage.frame(120, 40);
    assert!(frame.contains("nothing for 21 s"), "{frame}");
}

#[test]
fn a_row_counts_the_wait_of_a_session_that_is_not_open() {
    let mut stage = Stage::at(1);
    stage.tell_log(1, &log(1, "The lost afternoon", false));
    stage.frame(120, 40);
    let mut waits = row(3, "Session", State::Writing, 1204);
    let why = "429".to_owned();
    waits.pause = Some(fascicle::domain::head::Pause {
        until: stage.now + 12_000,
        why,
    });
    stage.tell_row(waits);
    assert!(stage.frame(120, 40).contains("waiting 12 s"));
    assert!(stage.app.wakes_at().unwrap() <= stage.now + 1_000);
    stage.wait(13_000);
    assert!(!stage.frame(120, 40).contains("waiting"));
}

pub(crate) fn recipe_started() -> Kind {
    Kind::RecipeStarted(RecipeStarted {
        title: "Essay".to_owned(),
        first: 1,
        steps: ["Outline", "Draft", "Critique", "Revise"]
            .map(str::to_owned)
            .to_vec(),
        limits: Limits {
            turns: Some(8),
            ..Limits::default()
        },
    })
}

fn queued(n: u32, text: &str) -> Kind {
    Kind::Queued {
        n,
        text: text.into(),
    }
}

fn step(turn: u32, n: u32, text: &str) -> Kind {
    Kind::Prompt {
        turn,
        text: text.into(),
        queued: Some(n),
    }
}

#[test]
fn a_recipe_runs_on_the_session_at_hand() {
    let mut stage = Stage::at(1);
    stage.tell_log(1, &log(1, "The lost afternoon", false));
    stage.frame(120, 40);
    stage.asks();
    stage.press("esc R");
    let frame = stage.frame(120, 40);
    assert!(frame.contains("Run a recipe"), "{frame}");
    assert!(
        frame.contains("4 steps · at most 8 turns, $2.50"),
        "{frame}"
    );
    assert!(frame.contains("1 Outline  Outline the piece"), "{frame}");
    stage.press("v");
    let frame = stage.frame(120, 40);
    assert!(
        frame.contains("Name the three weakest places of the draft, with reasons."),
        "{frame}"
    );
    stage.press("esc enter");
    let (tag, request) = stage.asked_one();
    let recipe = recipes().remove(0);
    assert_eq!(
        request,
        Request::Follow {
            session: id(1),
            recipe
        }
    );
    stage.answer(tag, Reply::Done);
    assert!(stage.frame(120, 40).contains("“Essay” begins: 4 steps."));
}

#[test]
fn where_there_is_no_session_one_is_made_for_the_recipe() {
    let mut stage = Stage::empty();
    stage.asks();
    stage.press("ctrl-p");
    stage.type_text("run a recipe");
    stage.press("enter enter");
    let (tag, request) = stage.asked_one();
    assert!(
        matches!(&request, Request::New(NewSession { title: Some(t), prompt: None, recipe: Some(_), .. }) if t == "Essay"),
        "{request:?}"
    );
    stage.answer(tag, Reply::Created { session: id(9) });
    assert!(stage.ticket(id(9)).is_some());
    assert!(stage.frame(120, 40).contains("“Essay” begins: 4 steps."));
}

#[test]
fn a_first_prompt_that_is_not_taken_stands_in_the_composer_of_the_new_session() {
    let mut stage = Stage::empty();
    stage.asks();
    stage.type_text("An elegy.");
    stage.press("enter");
    let (tag, _) = stage.asked_one();
    let refused = Reply::Unprompted {
        session: id(9),
        prompt: "An elegy.".to_owned(),
        why: "The session is there, and its first prompt was not taken: the disk is full."
            .to_owned(),
        hint: None,
    };
    stage.answer(tag, refused);
    assert!(stage.ticket(id(9)).is_some());
    let frame = stage.frame(120, 40);
    assert!(
        frame.contains("was not taken: the disk is full."),
        "{frame}"
    );
    assert!(frame.contains("› An elegy."), "{frame}");
}

#[test]
fn a_recipe_says_its_step_its_pause_and_its_end() {
    let mut stage = Stage::at(3);
    let mut kinds = log(3, "Session", false);
    kinds.push(recipe_started());
    for (n, text) in [
        (1, "Outline it."),
        (2, "Draft it."),
        (3, "Criticise it."),
        (4, "Revise it."),
    ] {
        kinds.push(queued(n, text));
    }
    kinds.extend([
        step(2, 1, "Outline it."),
        finished(2),
        step(3, 2, "Draft it."),
        delta(3, "Low water."),
    ]);
    stage.tell_log(3, &kinds);
    let mut follows = row(3, "Session", State::Writing, 1204);
    follows.recipe = Some(RecipeRow {
        title: "Essay".to_owned(),
        at: 2,
        of: 4,
        step: Some("Draft".to_owned()),
        paused: None,
    });
    stage.tell_row(follows.clone());
    let frame = stage.frame(120, 40);
    assert!(frame.contains("▸ Essay · step 2 of 4: Draft"), "{frame}");
    assert!(frame.contains("2/4"), "{frame}");
    assert!(
        frame.contains("The recipe “Essay” begins: Outline, Draft, Critique,"),
        "{frame}"
    );
    assert!(!frame.contains("goes on"), "{frame}");
    stage.tell(3, finished(3));
    let why = "its limit of 8 turns is reached".to_owned();
    stage.tell(3, Kind::RecipePaused { why: why.clone() });
    follows.state = State::Queued;
    follows.held = true;
    if let Some(recipe) = &mut follows.recipe {
        recipe.paused = Some(why);
    }
    follows.queued = 2;
    stage.tell_row(follows);
    let frame = stage.frame(200, 40);
    assert!(
        frame.contains("Draft · waits: its limit of 8 turns is reached ·"),
        "{frame}"
    );
    assert!(frame.contains("  Enter goes on"), "{frame}");
    assert!(frame.contains("The recipe waits: its limit"), "{frame}");
    stage.asks();
    stage.press("enter");
    assert_eq!(stage.asked_one().1, Request::Continue { session: id(3) });
    stage.tell(3, Kind::RecipeEnded);
    let frame = stage.frame(120, 40);
    assert!(!frame.contains('▸'), "{frame}");
    assert!(frame.contains("The recipe is over."), "{frame}");
}

#[test]
fn a_step_held_by_a_stop_says_that_the_recipe_waits() {
    let mut stage = Stage::at(3);
    let mut kinds = log(3, "Session", false);
    kinds.extend([
        recipe_started(),
        queued(1, "Outline it."),
        queued(2, "Draft it."),
    ]);
    kinds.push(step(2, 1, "Outline it."));
    kinds.push(Kind::TurnFinished {
        turn: 2,
        status: Status::Interrupted,
        reason: None,
        events: 0,
        crc32: String::new(),
    });
    stage.tell_log(3, &kinds);
    stage.tell_row(row(3, "Session", State::Queued, 1204));
    let frame = stage.frame(120, 40);
    assert!(
        frame.contains("step 1 of 4: Outline, which was cut · "),
        "{frame}"
    );
    stage.asks();
    stage.press("esc G");
    assert_eq!(
        agains(&mut stage).len(),
        1,
        "the cut step itself can go on too"
    );
}

fn waiting() -> Stage {
    let mut stage = Stage::at(3);
    stage.tell_log(3, &log(3, "Session", true));
    stage.tell(3, queued(1, "Then the ending.\nBut short."));
    stage.tell(3, queued(2, "Enough."));
    stage.asks();
    stage
}

#[test]
fn a_prompt_that_waits_gets_other_words() {
    for open in ["e", "enter"] {
        let mut stage = waiting();
        stage.press("esc p");
        stage.press(open);
        let frame = stage.frame(120, 40);
        assert!(frame.contains("But short."), "{frame}");
        stage.type_text(" Very");
        stage.press("alt-enter");
        stage.type_text("short.");
        stage.press("enter");
        let (tag, request) = stage.asked_one();
        let text = "Then the ending.\nBut short. Very\nshort.".to_owned();
        assert_eq!(
            request,
            Request::Requeue {
                session: id(3),
                n: 1,
                text
            }
        );
        stage.answer(tag, Reply::Done);
        assert!(
            stage
                .frame(120, 40)
                .contains("It waits with its new words.")
        );
    }
}

#[test]
fn words_of_a_prompt_that_began_meanwhile_come_to_the_composer() {
    let mut stage = waiting();
    stage.press("esc p e");
    stage.type_text(" Now");
    stage.press("enter");
    let (tag, _) = stage.asked_one();
    stage.answer(tag, Reply::refused("It has begun.", "Send it again."));
    let frame = stage.frame(120, 40);
    assert!(frame.contains("› Then the ending."), "{frame}");
    assert!(frame.contains("But short. Now"), "{frame}");
}

#[test]
fn a_prompt_left_as_it_was_or_emptied_is_not_sent() {
    let mut stage = waiting();
    stage.press("esc p e x esc");
    stage.press("p e enter");
    assert_eq!(stage.asks().len(), 0);
    stage.press("p down e ctrl-u enter");
    assert_eq!(stage.asks().len(), 0);
    assert!(stage.frame(120, 40).contains("A prompt needs words"));
}

#[test]
fn a_cut_turn_before_the_prompt_of_another_is_marked_where_it_ended() {
    let mut stage = Stage::at(3);
    let mut kinds = log(3, "Session", true);
    kinds.push(Kind::TurnFinished {
        turn: 2,
        status: Status::Lost,
        reason: Some("the host ended".to_owned()),
        events: 0,
        crc32: String::new(),
    });
    kinds.push(prompt(3, "Go on."));
    stage.tell_log(3, &kinds);
    let frame = stage.frame(120, 40);
    assert!(frame.contains("the host ended"), "{frame}");
}
