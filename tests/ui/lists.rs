//! Lists: filtered, sorted, folded; what was spent; reasons; questions that typing does not answer.

use fascicle::config::Rebound;
use fascicle::domain::ask::Deed;
use fascicle::domain::event::Limited;
use fascicle::domain::event::{Kind, Limit, Usage};
use fascicle::domain::spent::Spent;
use fascicle::domain::{Notice, Reply, Request, Row, State};
use fascicle::ui::errand::{Brought, History};
use fascicle::ui::{Effect, Input, Place, keymap};

use crate::stage::{NOON, Stage, asked, collections, id, log, question, row, rows, settings};

/// A window on a session that was paid for, near its limit.
pub(crate) fn paid() -> Stage {
    let mut stage = Stage::at(1);
    let mut kinds = log(1, "The lost afternoon", false);
    let usage = Usage {
        input: Some(12_000),
        output: Some(300),
        cost_usd: Some(0.42),
        context: Some(0.34),
        ..Usage::default()
    };
    kinds.insert(4, Kind::Usage { turn: 1, usage });
    let limit = Limit {
        reached: false,
        used: Some(0.91),
        resets: Some(NOON + 3_600_000),
    };
    kinds.push(Kind::Limited(Limited { turn: 1, limit }));
    stage.tell_log(1, &kinds);
    let mut paid = row(1, "The lost afternoon", State::Idle, 987);
    paid.spent = usage;
    stage.tell_row(paid);
    stage
}

/// A window whose keys were changed, some of them wrongly.
pub(crate) fn rebound() -> Stage {
    let change = |command: &str, key: &str, line| Rebound {
        command: command.to_owned(),
        keys: vec![key.to_owned()],
        at: Some(("~/.config/fascicle/config.toml".into(), line)),
    };
    let changes = [
        change("session.nwe", "f2", 12),
        change("palette.open", "ctrl-i", 13),
    ];
    let (keys, wrong) = keymap::build(&changes);
    let mut stage = Stage::with(
        fascicle::ui::Settings {
            keys,
            wrong,
            ..settings()
        },
        Place::default(),
    );
    stage.tell_list(&collections(), &rows());
    stage
}

/// A window on a workspace that can only be read.
pub(crate) fn only_read() -> Stage {
    let mut stage = Stage::at(1);
    stage.tell_log(1, &log(1, "The lost afternoon", false));
    let ticket = stage.list_ticket();
    let text = "Another machine, lark, writes here: its last word came 4 s ago. You can read here. End Fascicle there first.";
    for notice in [
        Notice::Reading { reading: true },
        Notice::Banner {
            text: text.to_owned(),
        },
    ] {
        stage.give(Input::Notice { ticket, notice });
    }
    stage
}

fn at_list() -> Stage {
    let mut stage = Stage::at(1);
    stage.tell_log(1, &log(1, "The lost afternoon", false));
    stage.frame(120, 40);
    stage.press("left");
    stage
}

#[test]
fn a_history_that_is_here_already_says_so_in_its_row() {
    let mut stage = Stage::at(1);
    stage.press("ctrl-p");
    stage.type_text("import from");
    stage.press("enter");
    let history = |title: &str, here: Option<&str>| History {
        path: format!("{title}.jsonl"),
        title: title.to_owned(),
        folder: "~/letters".to_owned(),
        when: NOON,
        bytes: 2_048,
        messages: Some(4),
        branches: 0,
        near: true,
        here: here.map(str::to_owned),
    };
    let found = vec![
        history("New", None),
        history("Old", Some("It is the session “Old”.")),
    ];
    stage.give(Input::Brought(Brought::Histories(Ok(found))));
    for (cols, lines) in [(80, 24), (120, 40), (200, 50)] {
        let frame = stage.frame(cols, lines);
        let row = |title: &str| {
            frame
                .lines()
                .find(|l| l.contains(title))
                .unwrap()
                .to_owned()
        };
        assert!(row("  Old ").contains("here · "), "{frame}");
        assert!(!row("  New ").contains("here"), "{frame}");
    }
}

#[test]
fn the_list_is_filtered_as_one_types_and_esc_shows_all_again() {
    let mut stage = at_list();
    stage.press("/ h a r b");
    let frame = stage.frame(120, 40);
    assert!(frame.contains("/ harb▏"), "{frame}");
    assert!(frame.contains("1 of 6"), "{frame}");
    assert!(!frame.contains("Memory"), "{frame}");
    stage.press("esc");
    assert!(stage.frame(120, 40).contains("Memory"));
    for (text, title) in [
        ("needs", "Memory"),
        ("#spring", "Compact"),
        ("writ", "Session"),
    ] {
        stage.press("/");
        stage.type_text(text);
        stage.asks();
        stage.press("enter");
        let frame = stage.frame(120, 40);
        assert!(
            frame.contains(&format!("{title} · claude")),
            "{text}: {frame}"
        );
        // The list stays filtered until Esc in it.
        assert!(frame.contains(&format!("/ {text}")), "{frame}");
        stage.press("left esc");
        assert!(stage.frame(120, 40).contains("All sessions       6"));
    }
}

#[test]
fn a_filter_that_nothing_fits_says_how_to_go_on() {
    let mut stage = at_list();
    stage.press("/");
    stage.type_text("zzqx");
    let frame = stage.frame(120, 40);
    assert!(frame.contains("No session fits."), "{frame}");
    assert!(frame.contains("/ looks in all texts."), "{frame}");
}

#[test]
fn order_and_folds_are_there_when_the_window_opens_again() {
    let mut stage = at_list();
    stage.press("s s");
    assert!(stage.frame(120, 40).contains("by title"));
    stage.press(".");
    let frame = stage.frame(120, 40);
    assert!(frame.contains("▸ Essays  4"), "{frame}");
    assert!(
        frame.contains("! Memory"),
        "who needs the writer is not folded: {frame}"
    );
    let mut again = Stage::bare(stage.app.left());
    again.tell_list(&collections(), &rows());
    again.press("left");
    let frame = again.frame(120, 40);
    assert!(frame.contains("by title"), "{frame}");
    assert!(frame.contains("▸ Essays"), "{frame}");
    again.press("end .");
    assert!(!again.frame(120, 40).contains("▸ Essays"));
}

#[test]
fn the_question_of_the_session_under_the_cursor_is_read_and_answered_in_the_list() {
    let mut stage = at_list();
    stage.press("home");
    let frame = stage.frame(120, 40);
    assert!(
        frame.contains("! Fetch https://example.org/tides"),
        "{frame}"
    );
    assert!(frame.contains("1 once · 2 this session · 3 no"), "{frame}");
    stage.wait(1_000);
    stage.press("3");
    assert!(matches!(
        stage.asked_one().1,
        Request::Answer { session, .. } if session == id(4)
    ));
}

#[test]
fn a_digit_in_an_empty_composer_answers_only_after_a_pause() {
    let mut stage = Stage::at(3);
    stage.tell_log(3, &log(3, "Session", true));
    stage.press("h o backspace backspace");
    stage.tell(3, asked(2, "q1"));
    stage.wait(1_500);
    let frame = stage.frame(120, 40);
    assert!(frame.contains("after a pause: 1 once"), "{frame}");
    stage.asks();
    stage.press("1");
    assert!(stage.frame(120, 40).contains("› 1"), "it is text");
    assert!(stage.frame(120, 40).contains("Esc, then 1 once"));
    stage.press("backspace");
    stage.wait(2_100);
    assert!(stage.frame(120, 40).contains("! 1 once"));
    stage.press("1");
    let answered = stage
        .asks()
        .into_iter()
        .any(|a| matches!(a.1, Request::Answer { ref call, .. } if *call == Some("q1".to_owned())));
    assert!(answered);
}

#[test]
fn a_question_that_has_only_just_come_says_that_a_digit_waits() {
    let mut stage = Stage::at(3);
    stage.tell_log(3, &log(3, "Session", true));
    stage.press("h backspace");
    stage.wait(60_000);
    stage.tell(3, asked(2, "q1"));
    let frame = stage.frame(120, 40);
    assert!(frame.contains("after a pause: 1 once"), "{frame}");
    stage.wait(700);
    assert!(stage.frame(120, 40).contains("! 1 once"));
    stage.asks();
    stage.press("1");
    let asked = stage.asks();
    assert!(
        asked.iter().any(|a| matches!(a.1, Request::Answer { .. })),
        "{asked:?}"
    );
}

#[test]
fn a_reason_is_the_same_in_the_palette_and_on_the_key() {
    let mut stage = only_read();
    let why = "You can only read here for now";
    assert!(!stage.frame(120, 40).contains("Enter send"));
    stage.press("x enter");
    assert!(stage.frame(120, 40).contains(why));
    stage.asks();
    stage.press("ctrl-p");
    stage.type_text("rename");
    assert!(stage.frame(120, 40).contains(&format!("Rename · {why}")));
    stage.press("enter");
    assert_eq!(stage.asks().len(), 0);
}

#[test]
fn a_command_is_found_by_its_key_and_by_what_it_does() {
    for (query, title) in [
        ("ctrl-g", "Go to a session"),
        ("collection at hand", "New session"),
    ] {
        let mut stage = at_list();
        stage.press("ctrl-p");
        stage.type_text(query);
        let frame = stage.frame(120, 40);
        assert!(frame.contains(title), "{query}: {frame}");
    }
}

#[test]
fn what_was_spent_is_told_by_turn_session_and_day_and_what_is_unknown_too() {
    let mut stage = paid();
    let frame = stage.frame(120, 40);
    let turn = "claude · 14:01 · 18 s · 12,300 tokens · $0.42";
    assert!(frame.contains(turn), "{frame}");
    assert!(frame.contains("limit 91 % · resets 15:02"), "{frame}");
    assert!(frame.contains("$0.36 today"), "{frame}");
    let mut unknown = row(2, "Compact", State::Unread, 2011);
    unknown.money.lately[0].spent.unpriced = 1;
    unknown.money.unpriced = 1;
    stage.tell_row(unknown);
    assert!(stage.frame(120, 40).contains("≥ $0.36 today"));
    // The next day begins at nothing.
    stage.wait(24 * 3_600_000);
    assert!(!stage.frame(120, 40).contains("today"));
}

#[test]
fn that_a_cost_is_unknown_takes_no_hint_its_room() {
    let mut stage = crate::draft::reading();
    let before = stage.frame(80, 24);
    for mut row in rows() {
        for quarter in &mut row.money.lately {
            quarter.spent = Spent {
                unpriced: 1,
                ..Spent::default()
            };
        }
        stage.tell_row(row);
    }
    let frame = stage.frame(80, 24);
    assert!(!frame.contains("cost unknown today"), "{frame}");
    let hints = |frame: &str| frame.lines().last().map(|l| l.matches(" · ").count());
    assert!(hints(&frame) >= hints(&before), "{frame}");
    let frame = stage.frame(200, 50);
    assert!(frame.contains("cost unknown today"), "{frame}");
}

#[test]
fn two_that_ask_while_the_terminal_is_out_of_focus_call_once_each_and_wait_through_a_closed_window()
{
    let quiet = [
        row(7, "Alder", State::Writing, 0),
        row(8, "Birch", State::Writing, 0),
    ];
    let asks = |n, title| Row {
        asked: vec![question(&format!("q{n}"))],
        ..row(n, title, State::NeedsYou, 0)
    };
    let mut stage = Stage::bare(Place::default());
    stage.tell_list(&collections(), &quiet);
    stage.give(Input::Focus(false));
    let calls = |stage: &Stage| {
        let call = |e: &&Effect| matches!(e, Effect::Call(_));
        stage.effects.iter().filter(call).count()
    };
    for _ in 0..3 {
        stage.tell_row(asks(7, "Alder"));
        stage.tell_row(asks(8, "Birch"));
    }
    assert_eq!(calls(&stage), 2, "once for each question");
    assert!(stage.frame(120, 40).contains("! 2 need you"));
    let mut again = Stage::bare(stage.app.left());
    again.tell_list(&collections(), &[asks(7, "Alder"), asks(8, "Birch")]);
    assert!(again.frame(120, 40).contains("2 need you"));
    again.press("ctrl-n");
    assert!(
        again.frame(120, 40).contains("Alder · claude")
            || again.frame(120, 40).contains("Birch · claude")
    );
}

#[test]
fn ten_thousand_sessions_are_filtered_and_gone_to() {
    let mut many = rows();
    many.extend((10..10_010).map(|n| row(n, &format!("Piece {n}"), State::Idle, 100)));
    let mut stage = Stage::bare(Place::default());
    stage.tell_list(&collections(), &many);
    stage.press("left /");
    stage.type_text("piece 9999");
    assert!(stage.frame(120, 40).contains("Piece 9999"));
    stage.press("esc ctrl-g");
    stage.type_text("piece 777");
    let frame = stage.frame(120, 40);
    assert!(frame.contains("Piece 777 "), "{frame}");
}

#[test]
fn the_keys_are_readable_where_it_is_narrow() {
    for (cols, lines) in [(80, 24), (60, 20)] {
        let mut stage = at_list();
        stage.frame(cols, lines);
        stage.press("?");
        let frame = stage.frame(cols, lines);
        assert!(frame.contains("searches every command"), "{frame}");
        assert!(frame.contains("Open"), "{frame}");
        stage.press("end");
        assert!(stage.frame(cols, lines).contains("Copy, stop or close"));
    }
}

#[test]
fn the_cursor_goes_to_a_session_that_was_just_begun_and_what_is_done_then_is_done_to_it() {
    let mut stage = Stage::with(settings(), Place::default());
    stage.tell_list(&collections(), &rows());
    stage.frame(120, 40);
    stage.asks();
    stage.type_text("My first piece");
    stage.press("enter");
    let (tag, _) = stage.asked_one();
    stage.answer(tag, Reply::Created { session: id(9) });
    stage.asks();
    // The list hears of it only now.
    stage.tell_row(row(9, "My first piece", State::Idle, 0));
    stage.frame(120, 40);
    stage.press("left del");
    let deed = Request::Do {
        session: id(9),
        deed: Deed::Trash,
    };
    let asked = stage.asks();
    assert!(
        asked.iter().any(|(_, r)| *r == deed),
        "{asked:?}\n{}",
        stage.frame(120, 40)
    );
}

/// A window whose key of an undo is another one, with the focus where it was left.
fn undone_by_z(pane: &str) -> Stage {
    let (keys, wrong) = keymap::build(&[Rebound {
        command: "session.undo".to_owned(),
        keys: vec!["z".to_owned()],
        at: None,
    }]);
    let mut stage = Stage::with(
        fascicle::ui::Settings {
            keys,
            wrong,
            ..settings()
        },
        Place {
            session: Some(id(1)),
            ..Place::default()
        },
    );
    stage.tell_list(&collections(), &rows());
    stage.tell_log(1, &log(1, "The lost afternoon", false));
    stage.frame(120, 40);
    stage.press(pane);
    stage.asks();
    stage
}

#[test]
fn what_undoes_a_deed_is_named_by_its_own_key_and_by_its_name_where_letters_are_text() {
    for (then, said) in [
        ("", "z undoes it."),
        ("enter", "“Undo the last deed” undoes it."),
    ] {
        let mut stage = undone_by_z("left");
        stage.press("x");
        let asked = stage.asks();
        let archived = asked.iter().find(|(_, r)| matches!(r, Request::Do { .. }));
        let tag = archived.unwrap().0;
        if !then.is_empty() {
            stage.press(then);
        }
        stage.answer(tag, Reply::Done);
        let frame = stage.frame(120, 40);
        assert!(frame.contains(said), "{said}: {frame}");
    }
}

#[test]
fn what_is_unfolded_is_not_said_to_be_folded() {
    let mut stage = at_list();
    stage.press(".");
    let folded = stage.frame(120, 40);
    assert!(folded.contains("is folded"), "{folded}");
    stage.press(".");
    let frame = stage.frame(120, 40);
    assert!(
        frame.contains("is unfolded.") && !frame.contains("is folded"),
        "{frame}"
    );
}

#[test]
fn what_a_turn_a_session_and_a_day_cost_is_told_with_its_tokens_where_there_is_room() {
    let mut stage = Stage::at(1);
    stage.tell_log(1, &log(1, "The lost afternoon", false));
    let mut today = row(1, "The lost afternoon", State::Idle, 987);
    today.spent.input = Some(12_000);
    today.spent.output = Some(300);
    today.money.lately[0].spent.tokens = Some(12_300);
    stage.tell_row(today);
    let frame = stage.frame(200, 50);
    let sum = "12,300 tokens · $0.36 today";
    assert!(frame.contains(sum), "{frame}");
    assert!(frame.contains("12,300 tokens · $0.06"), "{frame}");
    let frame = stage.frame(80, 24);
    assert!(!frame.contains("tokens"), "{frame}");
}

#[test]
fn what_the_host_answers_goes_with_the_next_other_key() {
    let mut stage = Stage::at(1);
    stage.tell_log(1, &log(1, "The lost afternoon", false));
    stage.asks();
    stage.press("left N");
    stage.type_text("Poems");
    stage.press("enter");
    let (tag, _) = stage.asked_one();
    let collection = crate::stage::collection("poems");
    stage.answer(tag, Reply::Collection { collection });
    assert!(stage.frame(120, 40).contains("“Poems” is there"));
    stage.wait(800);
    stage.press("n");
    let frame = stage.frame(120, 40);
    assert!(!frame.contains("“Poems” is there"), "{frame}");
}

#[test]
fn a_digit_behind_the_way_to_a_question_is_an_answer_and_no_text() {
    let mut stage = Stage::at(1);
    stage.tell_log(1, &log(1, "The lost afternoon", false));
    stage.type_text("x");
    stage.press("backspace ctrl-n");
    let mut kinds = log(4, "Memory", true);
    kinds.push(asked(2, "q1"));
    stage.tell_log(4, &kinds);
    stage.asks();
    stage.press("1");
    let frame = stage.frame(120, 40);
    assert!(frame.contains("press again to answer it"), "{frame}");
    assert!(!frame.contains("› 1"), "{frame}");
    stage.wait(1_000);
    stage.asks();
    stage.press("1");
    let asks = stage.asks();
    let answers = asks.iter().any(|a| matches!(a.1, Request::Answer { .. }));
    assert!(answers, "{asks:?}");
}
