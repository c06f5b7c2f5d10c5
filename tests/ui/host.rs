//! Stories of the host: waited for, lost, stopped, started anew, another build, elsewhere.

use fascicle::domain::ask::Status;
use fascicle::domain::event::Kind;
use fascicle::domain::{Notice, Reply, Request, State};
use fascicle::ui::attention::Caller;
use fascicle::ui::{Effect, Farewell, Input, Place};

use crate::stage::{
    Stage, asked, build, collections, delta, id, log, question, row, rows, settings,
};

fn reading() -> Stage {
    let mut stage = Stage::at(1);
    stage.tell_log(1, &log(1, "The lost afternoon", false));
    stage.frame(120, 40);
    stage.asks();
    stage
}

fn list(stage: &mut Stage, notice: Notice) {
    let ticket = stage.list_ticket();
    stage.give(Input::Notice { ticket, notice });
}

fn attached(stage: &Stage) -> usize {
    let attach = |e: &&Effect| matches!(e, Effect::Attach { .. });
    stage.effects.iter().filter(attach).count()
}

fn bell() -> Effect {
    Effect::Call(b"\x07".to_vec())
}

#[test]
fn a_host_that_takes_its_time_is_said_to_start_and_a_prompt_waits_for_it() {
    let mut stage = Stage::bare(Place::default());
    let starting = "The host is starting…";
    assert!(!stage.frame(120, 40).contains(starting));
    stage.wait(0);
    assert_eq!(stage.app.wakes_at(), Some(stage.now + 300));
    stage.wait(300);
    let frame = stage.frame(120, 40);
    assert!(frame.contains(starting), "{frame}");
    assert!(!frame.contains("Your sessions will stand here"), "{frame}");
    stage.asks();
    stage.type_text("An elegy.");
    stage.press("enter");
    let (tag, _) = stage.asked_one();
    stage.type_text("And a");
    let frame = stage.frame(120, 40);
    let waiting = frame.lines().find(|l| l.contains("○ An elegy."));
    assert!(
        waiting.unwrap().ends_with("waiting for the host"),
        "{frame}"
    );
    assert!(frame.contains("› And a"), "{frame}");
    stage.press("enter");
    let again = stage.asks().into_iter();
    assert_eq!(again.filter(|a| matches!(a.1, Request::New(_))).count(), 0);
    stage.tell_list(&collections(), &rows());
    stage.answer(tag, Reply::Created { session: id(9) });
    let frame = stage.frame(120, 40);
    assert!(!frame.contains(starting), "{frame}");
    assert!(!frame.contains("waiting for the host"), "{frame}");
    assert!(
        frame.contains("› And a"),
        "what was typed meanwhile stays:\n{frame}"
    );
}

#[test]
fn words_kept_earlier_stand_before_those_typed_while_the_host_starts() {
    let mut stage = Stage::bare(Place::default());
    let asks = stage.asks();
    let (tag, _) = asks
        .iter()
        .find(|a| matches!(a.1, Request::Unsent { .. }))
        .unwrap();
    stage.type_text("new words");
    let text = "Old words.".to_owned();
    stage.answer(*tag, Reply::Text { text });
    let frame = stage.frame(120, 40);
    assert!(frame.contains("› Old words."), "{frame}");
    assert!(frame.contains("  new words"), "{frame}");
}

#[test]
fn unsent_words_that_no_host_could_tell_are_asked_for_again_before_any_are_kept() {
    let mut stage = Stage::bare(Place::default());
    let (tag, _) = stage.asks().remove(0);
    stage.answer(tag, Reply::refused("No host.", "Wait."));
    stage.type_text("x");
    stage.wait(400);
    let asks: Vec<Request> = stage.asks().into_iter().map(|a| a.1).collect();
    assert!(
        matches!(
            asks[..],
            [Request::Unsent { .. }, Request::KeepUnsent { .. }]
        ),
        "{asks:?}"
    );
}

#[test]
fn unsent_words_that_the_host_could_not_keep_stand_in_the_next_window() {
    let mut stage = reading();
    stage.press("enter");
    stage.type_text("Not sent");
    stage.wait(1_000);
    let asks = stage.asks();
    let kept = |r: &Request| matches!(r, Request::KeepUnsent { text, .. } if text == "Not sent");
    let (tag, _) = asks.iter().find(|a| kept(&a.1)).unwrap();
    stage.answer(*tag, Reply::refused("The disk can only be read.", "Wait."));
    stage.press("ctrl-d");
    let left = stage.app.left();
    let mut stage = Stage::bare(left.clone());
    assert!(stage.frame(120, 40).contains("› Not sent"));
    assert_eq!(stage.app.left().session, left.session);
    // A host that can keep them is given them, and then nobody else does.
    stage.wait(1_000);
    assert!(stage.asks().iter().any(|a| kept(&a.1)));
    assert!(stage.app.left().prompts.unsent.is_empty());
}

#[test]
fn closing_before_the_host_is_there_waits_for_the_words_and_twice_leaves() {
    let mut stage = Stage::bare(Place::default());
    stage.type_text("An elegy.");
    stage.press("enter ctrl-d");
    stage.wait(2_000);
    assert_eq!(stage.wanted(&Effect::Quit), 0);
    assert!(stage.frame(120, 40).contains("your words wait for it"));
    stage.press("ctrl-d");
    assert!(stage.wanted(&Effect::Quit) >= 1);
}

#[test]
fn a_terminal_that_goes_away_closes_once_and_what_is_unsent_is_kept_first() {
    let mut stage = reading();
    stage.type_text("half a thou");
    stage.give(Input::Close);
    stage.give(Input::Close);
    assert_eq!(stage.wanted(&Effect::Quit), 0);
    stage.wait(1_500);
    assert!(stage.wanted(&Effect::Quit) >= 1);
}

#[test]
fn a_host_that_was_stopped_is_started_by_a_key_and_not_by_the_clock() {
    let mut stage = reading();
    let before = attached(&stage);
    let here = stage.ticket(id(1)).unwrap();
    let notice = Notice::Closing { stopped: true };
    stage.give(Input::Notice {
        ticket: here,
        notice: notice.clone(),
    });
    list(&mut stage, notice);
    let ticket = stage.list_ticket();
    let why = "the connection ended".to_owned();
    stage.give(Input::Lost { ticket, why });
    let frame = stage.frame(120, 40);
    assert!(
        frame.contains("The host was stopped. Any key starts it again."),
        "{frame}"
    );
    stage.wait(60_000);
    assert_eq!(attached(&stage), before);
    assert_eq!(stage.app.wakes_at(), None);
    stage.press("H");
    assert_eq!(attached(&stage), before + 2, "the list and the session");
    assert!(
        stage.frame(120, 40).contains("› H"),
        "the key does its own work"
    );
    stage.tell_list(&collections(), &rows());
    assert!(!stage.frame(120, 40).contains("The host"));
}

#[test]
fn a_host_that_dies_is_looked_for_again_and_what_was_cut_is_said() {
    let mut stage = Stage::at(3);
    stage.tell_log(3, &log(3, "Session", true));
    let ticket = stage.list_ticket();
    let why = "the connection ended".to_owned();
    stage.give(Input::Lost { ticket, why });
    let frame = stage.frame(120, 40);
    assert!(
        frame.contains("The host is gone; starting it again…"),
        "{frame}"
    );
    stage.wait(300);
    assert_ne!(stage.list_ticket(), ticket);
    let mut later = rows();
    later[1].state = State::Lost;
    stage.tell_list(&collections(), &later);
    let frame = stage.frame(120, 40);
    assert!(
        frame.contains("1 turn was cut when the host ended: Esc, then C shows it."),
        "{frame}"
    );
}

#[test]
fn a_session_stays_open_while_there_is_no_host_to_open_it() {
    let left = Place {
        session: Some(id(1)),
        ..Place::default()
    };
    let mut stage = Stage::bare(left);
    let ticket = stage.ticket(id(1)).unwrap();
    let why = "The host does not answer.".to_owned();
    let notice = Notice::Refused { why: why.clone() };
    stage.give(Input::Notice {
        ticket,
        notice: notice.clone(),
    });
    list(&mut stage, notice);
    let frame = stage.frame(120, 40);
    assert!(
        frame.contains("cannot be reached: The host does not answer."),
        "{frame}"
    );
    stage.wait(300);
    stage.tell_list(&collections(), &rows());
    assert_ne!(stage.ticket(id(1)), Some(ticket));
    assert_eq!(stage.app.left().session, Some(id(1)));
}

#[test]
fn leaving_tells_what_goes_on() {
    let stage = reading();
    let farewell = Farewell {
        writing: 1,
        needs_you: 1,
        queued: 0,
        owed: false,
    };
    assert_eq!(stage.app.farewell(), farewell);
    assert_eq!(
        farewell.line().unwrap(),
        "1 turn goes on, 1 waits for your answer. `fascicle list` shows them; `fascicle` brings them back."
    );
    assert_eq!(Stage::empty().app.farewell().line(), None);
}

#[test]
fn another_build_of_the_host_is_said_once() {
    for (theirs, said) in [
        (
            build("0.2.0", 1),
            "The host runs version 0.2.0, this window 0.1.0.",
        ),
        (
            build("0.1.0", 2),
            "The host runs another build of this version.",
        ),
    ] {
        let mut stage = reading();
        list(&mut stage, Notice::Host(theirs.clone()));
        assert!(stage.frame(200, 50).contains(said));
        stage.wait(60_000);
        list(&mut stage, Notice::Host(theirs));
        assert!(!stage.frame(200, 50).contains(said));
    }
    let mut stage = reading();
    list(&mut stage, Notice::Host(build("0.1.0", 1)));
    assert!(!stage.frame(200, 50).contains("The host runs"));
}

fn command(stage: &mut Stage, title: &str) {
    stage.press("ctrl-p");
    stage.type_text(title);
    stage.press("enter");
}

#[test]
fn the_host_is_started_anew_when_nothing_runs() {
    let mut stage = reading();
    command(&mut stage, "Restart the host");
    assert!(stage.frame(120, 40).contains("A turn runs"));
    stage.press("esc");
    for mut quiet in rows() {
        quiet.state = State::Idle;
        stage.tell_row(quiet);
    }
    stage.asks();
    command(&mut stage, "Restart the host");
    assert_eq!(stage.asked_one().1, Request::Shutdown { now: false });
    let before = attached(&stage);
    list(&mut stage, Notice::Closing { stopped: true });
    assert!(!stage.frame(120, 40).contains("Any key"));
    stage.wait(0);
    assert_eq!(attached(&stage), before + 1);
    stage.tell_list(&collections(), &rows());
    assert!(stage.frame(120, 40).contains("The host runs again."));
}

#[test]
fn a_prompt_that_a_dying_host_had_taken_is_not_sent_twice() {
    let mut stage = Stage::at(3);
    let kinds = log(3, "Session", false);
    stage.tell_log(3, &kinds);
    stage.asks();
    stage.type_text("Go on.");
    stage.press("enter");
    let (tag, _) = stage.asked_one();
    let ticket = stage.ticket(id(3)).unwrap();
    let notice = Notice::Closing { stopped: false };
    stage.give(Input::Notice {
        ticket,
        notice: notice.clone(),
    });
    list(&mut stage, notice);
    stage.answer(
        tag,
        Reply::refused("The host ended before it answered.", "Look."),
    );
    stage.type_text(" And");
    stage.wait(300);
    stage.tell_list(&collections(), &rows());
    let mut later = kinds.clone();
    later.push(crate::stage::prompt(2, "Go on."));
    stage.tell_log(3, &later);
    let frame = stage.frame(120, 40);
    assert!(frame.contains("›  And"), "{frame}");
    assert!(frame.contains("it is in the log"), "{frame}");
}

#[test]
fn a_host_of_another_version_that_refuses_is_started_anew_when_idle() {
    let refuse = |stage: &mut Stage| {
        let why = "The host speaks version 2, this window 1.".to_owned();
        list(stage, Notice::Refused { why });
    };
    let status = |turns| {
        Reply::Status(Box::new(Status {
            pid: 7,
            build: build("0.2.0", 2),
            since: 0,
            turns,
            windows: 1,
            memory: None,
            reading: None,
            unsaved: None,
        }))
    };
    let mut stage = Stage::bare(Place::default());
    stage.asks();
    refuse(&mut stage);
    let (tag, request) = stage.asked_one();
    assert_eq!(request, Request::Status);
    stage.answer(tag, status(vec![id(3)]));
    let frame = stage.frame(120, 40);
    assert!(
        frame.contains("The host speaks version 2, this window 1. A turn runs there still."),
        "{frame}"
    );
    stage.wait(300);
    refuse(&mut stage);
    let (tag, _) = stage.asked_one();
    stage.answer(tag, status(Vec::new()));
    assert!(stage.frame(120, 40).contains("“Restart the host” is among"));
    command(&mut stage, "Restart the host");
    let (tag, request) = stage.asked_one();
    assert_eq!(request, Request::Shutdown { now: false });
    let before = attached(&stage);
    stage.answer(tag, Reply::Done);
    stage.wait(0);
    assert_eq!(attached(&stage), before + 1);
}

#[test]
fn a_workspace_that_another_machine_left_is_taken_over_or_the_reason_is_said() {
    let mut stage = reading();
    command(&mut stage, "Take over writing here");
    let (tag, request) = stage.asked_one();
    assert_eq!(request, Request::TakeOver);
    stage.answer(
        tag,
        Reply::refused("It wrote 2 s ago.", "Close it there first."),
    );
    let frame = stage.frame(120, 40);
    assert!(
        frame.contains("It wrote 2 s ago. Close it there first."),
        "{frame}"
    );
}

#[test]
fn a_question_that_another_window_answers_goes_away_and_so_does_its_layer() {
    let answered = Kind::Answered {
        turn: 2,
        call: "q1".to_owned(),
        answer: fascicle::domain::event::Answer::Once,
    };
    for keys in ["esc", "esc v"] {
        let mut stage = Stage::at(4);
        let mut kinds = log(4, "Memory", true);
        kinds.push(asked(2, "q1"));
        stage.tell_log(4, &kinds);
        stage.wait(1_000);
        stage.press(keys);
        assert!(stage.frame(120, 40).contains("once"));
        stage.tell(4, answered.clone());
        let frame = stage.frame(120, 40);
        assert!(frame.contains("answered in another window"), "{frame}");
        assert!(!frame.contains("1 once"), "{frame}");
        assert!(!stage.app.has_layer());
        let calls = stage.wanted(&bell());
        stage.tell_row(row(4, "Memory", State::NeedsYou, 0));
        assert_eq!(
            stage.wanted(&bell()),
            calls,
            "an older row asks nothing anew"
        );
    }
}

#[test]
fn a_question_of_a_row_that_another_window_answers_goes_away() {
    let mut stage = reading();
    stage.press("left home");
    stage.wait(1_000);
    stage.press("v");
    assert!(stage.app.has_layer());
    stage.tell_row(row(4, "Memory", State::Writing, 0));
    assert!(!stage.app.has_layer());
    let frame = stage.frame(120, 40);
    assert!(frame.contains("answered in another window"), "{frame}");
}

#[test]
fn ones_own_answer_and_a_stop_are_no_other_windows_answer() {
    let mut stage = Stage::at(4);
    let mut kinds = log(4, "Memory", true);
    kinds.push(asked(2, "q1"));
    stage.tell_log(4, &kinds);
    stage.wait(1_000);
    stage.press("esc 1");
    let answer = fascicle::domain::event::Answer::Once;
    let (turn, call) = (2, "q1".to_owned());
    stage.tell(4, Kind::Answered { turn, call, answer });
    assert!(!stage.frame(120, 40).contains("another window"));
    stage.tell(4, asked(2, "q2"));
    stage.tell(4, crate::stage::finished(2));
    assert!(!stage.frame(120, 40).contains("another window"));
}

#[test]
fn an_end_that_nobody_saw_calls_once() {
    let mut stage = reading();
    stage.tell_row(row(3, "Session", State::Unread, 1204));
    assert_eq!(stage.wanted(&bell()), 1, "it ended elsewhere");
    stage.tell_row(row(3, "Session", State::Unread, 1205));
    assert_eq!(stage.wanted(&bell()), 1);
    let mut stage = Stage::at(3);
    stage.tell_log(3, &log(3, "Session", true));
    stage.frame(120, 40);
    stage.tell_row(row(3, "Session", State::Unread, 1204));
    assert_eq!(
        stage.wanted(&bell()),
        0,
        "it ended before the writer's eyes"
    );
    stage.tell_row(row(3, "Session", State::Writing, 1204));
    stage.give(Input::Focus(false));
    stage.tell_row(row(3, "Session", State::Failed, 1204));
    assert_eq!(stage.wanted(&bell()), 1, "the writer looks elsewhere");
}

#[test]
fn an_end_counts_as_seen_only_while_the_window_is_looked_at() {
    let mut stage = Stage::at(2);
    stage.tell_log(2, &log(2, "Compact", true));
    stage.give(Input::Focus(false));
    stage.tell(2, crate::stage::finished(2));
    let seen = |stage: &mut Stage| {
        stage.frame(120, 40);
        stage.wait(10);
        let asks = stage.asks().into_iter();
        asks.filter(|a| matches!(a.1, Request::Do { .. })).count()
    };
    assert_eq!(seen(&mut stage), 0);
    stage.give(Input::Focus(true));
    assert_eq!(seen(&mut stage), 1);
}

#[test]
fn a_call_says_who_asks_what() {
    let mut told = settings();
    told.caller = Caller::choose(fascicle::config::Notify::Osc9, |_| None);
    let mut stage = Stage::with(told, Place::default());
    stage.tell_list(&collections(), &rows());
    let mut asking = row(3, "Ses\u{1b}]0;x\u{7}sion", State::NeedsYou, 1204);
    asking.asked = vec![question("q7")];
    stage.tell_row(asking);
    let calls: Vec<&[u8]> = stage
        .effects
        .iter()
        .filter_map(|e| match e {
            Effect::Call(bytes) => Some(&bytes[..]),
            _ => None,
        })
        .collect();
    let [call] = calls[..] else {
        panic!("{calls:?}");
    };
    let call = std::str::from_utf8(call).unwrap();
    assert!(call.starts_with("\x1b]9;Fascicle: “Ses"), "{call:?}");
    assert!(
        call.ends_with("” asks: Fetch https://example.org/tides and read it\x1b\\"),
        "{call:?}"
    );
    assert_eq!(call.matches('\x1b').count(), 2, "{call:?}");
}

#[test]
fn a_question_is_still_answered_here_after_the_host_came_back() {
    let mut stage = Stage::at(4);
    let mut kinds = log(4, "Memory", true);
    kinds.push(asked(2, "q1"));
    stage.tell_log(4, &kinds);
    list(&mut stage, Notice::Closing { stopped: false });
    let ticket = stage.ticket(id(4)).unwrap();
    let notice = Notice::Closing { stopped: false };
    stage.give(Input::Notice { ticket, notice });
    stage.wait(300);
    stage.tell_list(&collections(), &rows());
    stage.tell_log(4, &kinds);
    stage.tell(4, delta(2, "."));
    stage.wait(1_000);
    stage.press("esc 1");
    let answers = stage.asks().into_iter();
    let answers = answers.filter(|a| matches!(a.1, Request::Answer { .. }));
    assert_eq!(answers.count(), 1);
}
