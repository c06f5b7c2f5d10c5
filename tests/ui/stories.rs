//! Stories: what a writer does, and what the window wants done for it.

use fascicle::domain::ask::{Deed, DrawerDeed, Into, NewSession, Which};
use fascicle::domain::event::{Answer, Kind, Status};
use fascicle::domain::{Notice, Reply, Request, State};
use fascicle::ui::{Effect, Input, Place};

use crate::shelf::archives;
use crate::stage::{
    NOON, Stage, asked, collection, collections, delta, finished, id, log, prompt, row, rows,
    settings,
};

fn reading() -> Stage {
    let mut stage = Stage::at(1);
    stage.tell_log(1, &log(1, "The lost afternoon", false));
    stage.frame(120, 40);
    stage.asks();
    stage
}

fn unsent(stage: &mut Stage) -> Vec<(Option<fascicle::domain::SessionId>, String)> {
    let keep = |r: Request| match r {
        Request::KeepUnsent { session, text, .. } => Some((session, text)),
        _ => None,
    };
    stage.asks().into_iter().filter_map(|a| keep(a.1)).collect()
}

fn bell() -> Effect {
    Effect::Call(b"\x07".to_vec())
}

#[test]
fn a_stranger_writes_at_once_and_the_session_opens() {
    let mut stage = Stage::empty();
    stage.asks();
    stage.type_text("An elegy for a lighthouse.");
    stage.press("enter");
    let (tag, request) = stage.asked_one();
    assert_eq!(
        request,
        Request::New(NewSession {
            collection: None,
            title: None,
            agent: None,
            prompt: Some("An elegy for a lighthouse.".to_owned()),
            recipe: None,
        })
    );
    stage.answer(tag, Reply::Created { session: id(9) });
    assert!(stage.ticket(id(9)).is_some());
    assert!(unsent(&mut stage).contains(&(None, String::new())));
    let frame = stage.frame(80, 24);
    assert!(
        !frame.contains("elegy"),
        "the words stand in the transcript, not in the composer:\n{frame}"
    );
}

#[test]
fn with_no_agent_the_empty_page_says_so_and_the_way_on() {
    let mut told = settings();
    told.agents.unready = Some("`claude` was not found.".to_owned());
    let mut stage = Stage::with(told, Place::default());
    stage.tell_list(&collections(), &rows());
    let frame = stage.frame(120, 40);
    for line in [
        "No agent is connected yet. What you write is kept.",
        "`claude` was not found.",
        "then “connect”, shows how.",
        "Ctrl-P, then “agent”, chooses another.",
    ] {
        assert!(frame.contains(line), "{line}:\n{frame}");
    }
    assert!(stage.frame(80, 24).contains("What you write"));
    stage.press("ctrl-p a g e n t enter down enter");
    let frame = stage.frame(120, 40);
    assert!(frame.contains("Enter sends it to local."), "{frame}");
}

#[test]
fn with_no_agent_a_failed_turn_says_the_way_on_until_one_has_written() {
    let mut told = settings();
    told.agents.unready = Some("`claude` was not found.".to_owned());
    let left = Place {
        session: Some(id(1)),
        ..Place::default()
    };
    let mut stage = Stage::with(told, left);
    stage.tell_list(&collections(), &rows());
    stage.tell_log(1, &log(1, "The lost afternoon", false));
    let says = |stage: &mut Stage| stage.frame(120, 40).contains("No agent is connected");
    assert!(!says(&mut stage), "nothing has failed");
    stage.tell_row(row(1, "The lost afternoon", State::Failed, 987));
    assert!(says(&mut stage));
    stage.tell_row(row(2, "Compact", State::Unread, 2011));
    assert!(!says(&mut stage));
}

#[test]
fn after_a_failure_the_prompt_is_one_key_away_and_said_to_be() {
    let mut stage = reading();
    stage.tell_row(row(1, "The lost afternoon", State::Failed, 987));
    let frame = stage.frame(120, 40);
    assert!(frame.contains("↑ the prompt again"), "{frame}");
}

#[test]
fn from_a_session_a_new_one_is_two_keys_away() {
    let mut stage = reading();
    stage.press("left n");
    stage.type_text("A letter");
    assert!(stage.frame(80, 24).contains("› A letter"));
}

#[test]
fn a_new_session_lies_in_the_collection_at_hand() {
    let mut stage = reading();
    stage.press("left left down n");
    stage.type_text("x");
    stage.press("enter");
    let (_, request) = stage.asked_one();
    let Request::New(NewSession { collection: at, .. }) = request else {
        panic!("{request:?}");
    };
    assert_eq!(at, Some(collection("essays")));
}

#[test]
fn any_session_is_three_keys_away() {
    let mut stage = reading();
    stage.press("ctrl-g h enter");
    assert!(stage.ticket(id(6)).is_some(), "To the harbour master");
    let mut stage = reading();
    stage.press("alt-4");
    assert!(stage.ticket(id(2)).is_some());
}

#[test]
fn a_tag_is_seen_on_the_page_and_finds_its_session() {
    let mut stage = reading();
    stage.press("ctrl-g # s p r i enter");
    assert!(stage.ticket(id(2)).is_some(), "Compact has the tag");
    let frame = stage.frame(120, 40);
    assert!(frame.contains("Compact · claude · opus #spring"), "{frame}");
}

#[test]
fn words_that_were_refused_come_back() {
    let mut stage = reading();
    stage.type_text("Make it shorter.");
    stage.press("enter");
    let (tag, _) = stage.asked_one();
    stage.type_text("And then");
    stage.answer(
        tag,
        Reply::refused("The disk is full.", "Make room, then send again."),
    );
    let frame = stage.frame(80, 24);
    assert!(frame.contains("Make it shorter."), "{frame}");
    assert!(frame.contains("And then"), "{frame}");
    assert!(frame.contains("The disk is full."), "{frame}");
    stage.wait(400);
    assert_eq!(
        unsent(&mut stage),
        [(Some(id(1)), "Make it shorter.\nAnd then".to_owned())]
    );
}

#[test]
fn a_prompt_is_not_sent_twice() {
    let mut stage = reading();
    stage.type_text("Once.");
    stage.press("enter enter");
    stage.asked_one();
}

#[test]
fn switching_two_hundred_times_keeps_every_composer() {
    let mut stage = reading();
    for n in [1, 2, 3] {
        stage.press("left");
        open(&mut stage, n);
        stage.type_text(&format!("unsent {n}"));
    }
    for i in 0..200u128 {
        let n = i * 7 % 3 + 1;
        open(&mut stage, n);
        let frame = stage.frame(80, 24);
        assert!(frame.contains(&format!("› unsent {n}")), "{n}:\n{frame}");
        stage.tell(n, delta(2, "."));
    }
    let attached = stage
        .effects
        .iter()
        .filter(|e| matches!(e, Effect::Attach { .. }));
    assert!(attached.count() <= 4, "a switch attaches to nothing twice");
    let stops = stage
        .asks()
        .into_iter()
        .filter(|a| matches!(a.1, Request::Stop { .. }));
    assert_eq!(stops.count(), 0);
}

/// Goes to a session by its title, and tells its log the first time.
fn open(stage: &mut Stage, n: u128) {
    let title = rows().into_iter().find(|r| r.id == id(n)).unwrap().title;
    let known = stage.ticket(id(n)).is_some();
    stage.press("ctrl-g");
    stage.type_text(&title);
    stage.press("enter");
    if !known {
        stage.tell_log(n, &log(n, &title, true));
    }
}

#[test]
fn sessions_visited_long_ago_are_let_go_and_told_again_later() {
    let mut stage = Stage::bare(Place::default());
    let many: Vec<_> = (10..30)
        .map(|n| row(n, &format!("Piece {n}"), State::Idle, 1))
        .collect();
    stage.tell_list(&collections(), &many);
    for n in 10..30u128 {
        stage.press("ctrl-g");
        stage.type_text(&format!("Piece {n}"));
        stage.press("enter");
        stage.tell_log(n, &log(n, &format!("Piece {n}"), false));
    }
    let detached = stage
        .effects
        .iter()
        .filter(|e| matches!(e, Effect::Detach { .. }))
        .count();
    assert_eq!(detached, 12);
    let before = stage.ticket(id(10));
    stage.press("ctrl-g");
    stage.type_text("Piece 10");
    stage.press("enter");
    assert_ne!(stage.ticket(id(10)), before);
}

#[test]
fn what_an_old_attachment_still_tells_is_not_heard() {
    let mut stage = reading();
    let old = stage.ticket(id(1)).unwrap();
    stage.give(Input::Lost {
        ticket: old,
        why: "the host ended".to_owned(),
    });
    stage.wait(10_000);
    let new = stage.ticket(id(1)).unwrap();
    assert_ne!(old, new);
    stage.tell_log(1, &log(1, "The lost afternoon", false));
    let frame = stage.frame(120, 40);
    let event = fascicle::domain::Event {
        seq: 99,
        ts: NOON,
        kind: prompt(7, "Not for here."),
    };
    stage.give(Input::Notice {
        ticket: old,
        notice: Notice::Event(event),
    });
    assert_eq!(stage.frame(120, 40), frame);
}

#[test]
fn a_question_is_answered_by_its_number() {
    for (key, answer) in [
        ("1", Answer::Once),
        ("2", Answer::Session),
        ("3", Answer::Deny),
    ] {
        for places in ["", "esc", "left"] {
            let mut stage = Stage::at(4);
            let mut kinds = log(4, "Memory", true);
            kinds.push(asked(2, "q1"));
            stage.tell_log(4, &kinds);
            if !places.is_empty() {
                stage.press(places);
            }
            stage.wait(1_000);
            stage.press(key);
            let (_, request) = stage.asked_one();
            let expected = Request::Answer {
                session: id(4),
                call: Some("q1".to_owned()),
                answer,
            };
            assert_eq!(request, expected, "{places:?}");
            stage.press("esc");
            stage.press(key);
            let again = stage
                .asks()
                .into_iter()
                .any(|a| matches!(a.1, Request::Answer { .. }));
            assert!(!again, "one answer is enough");
        }
    }
}

#[test]
fn keys_typed_ahead_answer_nothing() {
    let mut stage = Stage::at(3);
    stage.tell_log(3, &log(3, "Session", true));
    stage.asks();
    stage.tell(3, asked(2, "q1"));
    stage.press("1");
    stage.wait(300);
    stage.press("1");
    stage.wait(2_000);
    stage.press("1");
    let answers = stage
        .asks()
        .into_iter()
        .filter(|a| matches!(a.1, Request::Answer { .. }));
    assert_eq!(answers.count(), 0, "all of it is text in the composer");
    assert!(stage.frame(80, 24).contains("› 111"));
    stage.press("esc 3");
    assert!(matches!(
        stage.asked_one().1,
        Request::Answer {
            answer: Answer::Deny,
            ..
        }
    ));
}

#[test]
fn a_question_rings_once() {
    let mut stage = Stage::at(3);
    stage.tell_log(3, &log(3, "Session", true));
    assert_eq!(
        stage.wanted(&bell()),
        0,
        "one that waited when the window opened does not ring"
    );
    let mut asking = row(3, "Session", State::NeedsYou, 1204);
    asking.asked = vec![crate::stage::question("q7")];
    stage.tell(3, asked(2, "q7"));
    stage.tell_row(asking.clone());
    stage.tell_row(asking);
    assert_eq!(stage.wanted(&bell()), 1);
}

#[test]
fn one_key_goes_to_who_needs_me_and_one_goes_back() {
    let mut stage = reading();
    stage.press("ctrl-n");
    assert!(stage.ticket(id(4)).is_some());
    stage.press("ctrl-o");
    assert_eq!(stage.app.left().session, Some(id(1)));
    stage.press("ctrl-o");
    assert_eq!(stage.app.left().session, Some(id(4)));
}

#[test]
fn rename_tag_archive_trash_and_undo_are_deeds() {
    let mut stage = reading();
    stage.press("left r ctrl-u");
    stage.type_text("Low water");
    stage.press("enter");
    let (tag, request) = stage.asked_one();
    assert_eq!(
        request,
        deed(
            1,
            Deed::Rename {
                title: "Low water".to_owned()
            }
        )
    );
    stage.answer(tag, Reply::Done);
    stage.press("t");
    stage.type_text("spring #sea");
    stage.press("enter");
    let (_, request) = stage.asked_one();
    let add = vec!["spring".to_owned(), "sea".to_owned()];
    assert_eq!(
        request,
        deed(
            1,
            Deed::Tag {
                add,
                remove: Vec::new()
            }
        )
    );
    stage.press("x");
    assert_eq!(stage.asked_one().1, deed(1, Deed::Archive));
    stage.press("del");
    assert_eq!(stage.asked_one().1, deed(1, Deed::Trash));
    stage.press("u");
    assert_eq!(stage.asked_one().1, deed(1, Deed::Undo(Which::NEW)));
}

fn deed(n: u128, deed: Deed) -> Request {
    Request::Do {
        session: id(n),
        deed,
    }
}

#[test]
fn undo_after_the_trash_reaches_the_session_that_left_the_list() {
    let mut stage = reading();
    stage.press("left del");
    let (tag, _) = stage.asked_one();
    stage.answer(tag, Reply::Done);
    let mut gone = row(1, "The lost afternoon", State::Idle, 987);
    gone.trashed = true;
    stage.tell_row(gone);
    let frame = stage.frame(80, 24);
    assert!(frame.contains("u undoes it"), "{frame}");
    stage.press("u");
    let (tag, request) = stage.asked_one();
    assert_eq!(request, deed(1, Deed::Undo(Which::NEW)));
    stage.answer(tag, Reply::Done);
    stage.tell_row(row(1, "The lost afternoon", State::Idle, 987));
    let frame = stage.frame(120, 24);
    assert!(frame.contains("“The lost afternoon” is back."), "{frame}");
    stage.press("del");
    assert_eq!(stage.asked_one().1, deed(1, Deed::Trash));
}

#[test]
fn a_collection_is_made_shown_and_put_away() {
    let mut stage = reading();
    stage.press("left N");
    stage.type_text("Tide tables");
    stage.press("enter");
    let (tag, request) = stage.asked_one();
    assert_eq!(
        request,
        Request::NewCollection {
            title: "Tide tables".to_owned()
        }
    );
    let made = collection("tide-tables");
    stage.answer(
        tag,
        Reply::Collection {
            collection: made.clone(),
        },
    );
    let frame = stage.frame(80, 24);
    assert!(frame.contains("Nothing lies here yet."), "{frame}");
    stage.press("left x");
    let (tag, request) = stage.asked_one();
    assert_eq!(request, archives(made.clone(), true));
    let (collection, deed) = (made.clone(), 2);
    stage.answer(tag, Reply::Filed { collection, deed });
    stage.press("u");
    let which = Which {
        only: Some(2),
        ..Which::NEW
    };
    let collection = made;
    let deed = DrawerDeed::Undo { collection, which };
    assert_eq!(stage.asked_one().1, Request::Drawer { deed });
}

#[test]
fn a_prompt_that_waits_can_be_taken_back() {
    let mut stage = Stage::at(3);
    stage.tell_log(3, &log(3, "Session", true));
    stage.asks();
    stage.tell(
        3,
        Kind::Queued {
            n: 1,
            text: "Then the ending.".into(),
        },
    );
    assert!(stage.frame(80, 24).contains("○ Then the ending."));
    stage.press("esc p del");
    let (tag, request) = stage.asked_one();
    assert_eq!(
        request,
        Request::Unqueue {
            session: id(3),
            n: 1
        }
    );
    stage.answer(
        tag,
        Reply::Text {
            text: "Then the ending.".to_owned(),
        },
    );
    assert!(stage.frame(80, 24).contains("› Then the ending."));
}

#[test]
fn ctrl_c_stops_the_turn_and_closes_only_when_nothing_runs() {
    let mut stage = Stage::at(3);
    stage.tell_log(3, &log(3, "Session", true));
    stage.asks();
    stage.press("ctrl-c");
    assert_eq!(stage.asked_one().1, Request::Stop { session: id(3) });
    let mut stage = reading();
    stage.press("ctrl-c");
    assert_eq!(stage.wanted(&Effect::Quit), 0);
    stage.press("ctrl-c");
    assert_eq!(stage.wanted(&Effect::Quit), 1);
}

#[test]
fn a_stop_is_seen_at_once_and_until_the_turn_has_ended() {
    let mut stage = Stage::at(3);
    stage.tell_log(3, &log(3, "Session", true));
    stage.asks();
    stage.press("ctrl-c");
    let (tag, _) = stage.asked_one();
    let frame = stage.frame(120, 40);
    assert_eq!(frame.matches("stopping…").count(), 2, "{frame}");
    stage.answer(tag, Reply::Done);
    let mut ended = row(3, "Session", State::Interrupted, 1204);
    stage.tell_row(ended.clone());
    let frame = stage.frame(120, 40);
    assert!(!frame.contains("stopping…"), "{frame}");
    assert!(frame.contains("Stopped; what was written"), "{frame}");
    ended.state = State::Writing;
    ended.since = Some(NOON);
    stage.tell_row(ended);
    assert!(!stage.frame(120, 40).contains("stopping…"));
}

#[test]
fn a_stop_that_was_refused_is_none() {
    let mut stage = Stage::at(3);
    stage.tell_log(3, &log(3, "Session", true));
    stage.asks();
    stage.press("ctrl-c");
    let (tag, _) = stage.asked_one();
    stage.answer(tag, Reply::refused("The disk is full.", "Make room."));
    assert!(!stage.frame(120, 40).contains("stopping…"));
}

#[test]
fn prompts_that_a_stop_held_go_on_with_enter() {
    let mut stage = Stage::at(3);
    stage.tell_log(3, &log(3, "Session", true));
    let text = "Then the ending.".into();
    stage.tell(3, Kind::Queued { n: 1, text });
    stage.tell(3, stopped(2));
    let mut held = row(3, "Session", State::Queued, 1204);
    held.queued = 1;
    stage.tell_row(held);
    stage.asks();
    let frame = stage.frame(120, 40);
    let strip = frame.lines().find(|l| l.contains("Then the ending."));
    assert!(strip.unwrap().ends_with("held"), "{frame}");
    assert!(frame.contains("Enter let them run"), "{frame}");
    stage.press("enter");
    assert_eq!(stage.asked_one().1, Request::Continue { session: id(3) });
}

fn stopped(turn: u32) -> Kind {
    Kind::TurnFinished {
        turn,
        status: Status::Interrupted,
        reason: Some("stopped by you".to_owned()),
        events: 0,
        crc32: String::new(),
    }
}

#[test]
fn closing_keeps_what_is_unsent_first() {
    let mut stage = reading();
    stage.type_text("half a thou");
    stage.give(Input::Close);
    assert_eq!(stage.wanted(&Effect::Quit), 0);
    let asks = stage.asks();
    let (tag, request) = asks.last().unwrap().clone();
    assert!(matches!(request, Request::KeepUnsent { text, .. } if text == "half a thou"));
    stage.answer(tag, Reply::Done);
    assert!(stage.wanted(&Effect::Quit) >= 1);
}

#[test]
fn a_host_that_does_not_answer_does_not_hold_the_window() {
    let mut stage = reading();
    stage.type_text("half a thou");
    stage.press("esc left q");
    assert_eq!(stage.wanted(&Effect::Quit), 0);
    stage.wait(2_000);
    assert_eq!(stage.wanted(&Effect::Quit), 1);
}

#[test]
fn unsent_text_is_kept_after_a_pause_and_comes_back() {
    let mut stage = reading();
    stage.type_text("half");
    assert_eq!(unsent(&mut stage), []);
    stage.wait(100);
    assert_eq!(unsent(&mut stage), []);
    stage.wait(300);
    assert_eq!(unsent(&mut stage), [(Some(id(1)), "half".to_owned())]);

    let mut stage = Stage::at(1);
    let asks = stage.asks();
    let (tag, _) = asks
        .iter()
        .find(|a| matches!(a.1, Request::Unsent { .. }))
        .unwrap();
    stage.answer(
        *tag,
        Reply::Text {
            text: "half".to_owned(),
        },
    );
    assert!(stage.frame(80, 24).contains("› half"));
}

#[test]
fn the_window_reopens_where_it_was_left_and_says_what_happened() {
    let mut stage = Stage::at(3);
    stage.tell_log(3, &log(3, "Session", true));
    stage.press("esc");
    let left = stage.app.left();
    assert_eq!(
        (left.session, left.busy.clone()),
        (Some(id(3)), vec![id(3), id(4)])
    );
    let text = serde_json::to_string(&left).unwrap();
    let left: Place = serde_json::from_str(&text).unwrap();

    let mut stage = Stage::bare(left);
    let mut later = rows();
    later[1].state = State::Unread;
    stage.tell_list(&collections(), &later);
    stage.tell_log(3, &log(3, "Session", false));
    let frame = stage.frame(80, 24);
    let first = frame.lines().next().unwrap();
    assert!(first.contains("1 turn finished, 1 needs you"), "{frame}");
    stage.press("esc");
    assert!(!stage.frame(80, 24).contains("turn finished"));
}

#[test]
fn from_an_empty_composer_one_key_leads_to_the_new_words_below() {
    let mut stage = Stage::at(3);
    stage.tell_log(3, &log(3, "Session", true));
    stage.frame(120, 14);
    stage.press("pgup");
    stage.frame(120, 14);
    stage.tell(3, delta(2, &"\n\nAnd more.".repeat(30)));
    stage.frame(120, 14);
    let frame = stage.frame(120, 14);
    assert!(frame.contains("below · End"), "{frame}");
    stage.type_text("Un");
    let frame = stage.frame(120, 14);
    assert!(frame.contains("below · Esc, then End"), "{frame}");
    stage.press("backspace backspace end");
    assert!(!stage.frame(120, 14).contains("below"));
}

#[test]
fn what_was_cut_short_is_said_when_it_is_found_out() {
    let left = Place {
        busy: vec![id(3)],
        ..Place::default()
    };
    let mut stage = Stage::bare(left);
    let writing = [row(3, "Session", State::Writing, 1204)];
    stage.tell_list(&collections(), &writing);
    assert!(!stage.frame(120, 24).contains("cut when the host ended"));
    stage.tell_row(row(3, "Session", State::Lost, 1204));
    let frame = stage.frame(120, 24);
    assert!(
        frame.contains("1 turn was cut when the host ended"),
        "{frame}"
    );
    stage.wait(2_000);
    stage.press("esc");
    stage.tell_row(row(3, "Session", State::Lost, 1205));
    assert!(!stage.frame(120, 24).contains("cut when the host ended"));
}

#[test]
fn turns_begun_and_ended_while_the_window_was_closed_are_said() {
    let left = Place {
        when: Some(NOON - 150_000),
        ..Place::default()
    };
    let mut stage = Stage::bare(left);
    let done = [
        row(1, "The lost afternoon", State::Failed, 987),
        row(2, "Compact", State::Unread, 2011),
        row(3, "Session", State::Unread, 1204),
    ];
    stage.tell_list(&collections(), &done);
    let frame = stage.frame(120, 24);
    assert!(
        frame.contains("Since you were here: 1 turn finished, 1 failed."),
        "{frame}"
    );
}

#[test]
fn an_end_counts_as_seen_when_it_was_on_screen() {
    let mut stage = Stage::at(2);
    stage.tell_log(2, &log(2, "Compact", true));
    stage.frame(120, 40);
    stage.asks();
    stage.tell(2, finished(2));
    let seen = |stage: &mut Stage| {
        stage.asks().into_iter().any(|a| {
            matches!(
                a.1,
                Request::Do {
                    deed: Deed::Seen { .. },
                    ..
                }
            )
        })
    };
    assert!(!seen(&mut stage), "not before it is drawn");
    stage.frame(120, 40);
    stage.wait(10);
    assert!(seen(&mut stage));
    stage.wait(10);
    assert!(!seen(&mut stage), "and once");
}

#[test]
fn a_reply_goes_into_the_draft_where_the_writer_says() {
    for (key, how) in [
        ("r", Into::Replace),
        ("a", Into::Append),
        ("i", Into::Insert),
    ] {
        let mut stage = reading();
        stage.press("esc w");
        stage.press(key);
        let (_, request) = stage.asked_one();
        assert_eq!(request, deed(1, Deed::ReplyToDraft { seq: 3, how }));
    }
}

#[test]
fn a_message_is_copied() {
    let mut stage = reading();
    stage.press("esc y");
    let copied = stage
        .effects
        .iter()
        .any(|e| matches!(e, Effect::Copy(text) if text.starts_with("Then let it *fall*.")));
    assert!(copied, "{:?}", stage.effects);
}

#[test]
fn the_draft_goes_to_the_editor_and_is_read_again() {
    let mut stage = reading();
    stage.press("esc e");
    let (tag, _) = stage.asked_one();
    let draft = |text: &str| Reply::Draft {
        text: text.to_owned(),
        version: Some(3),
        path: "/w/essays/1/draft.md".to_owned(),
        locked: None,
    };
    stage.answer(tag, draft("One."));
    assert_eq!(
        stage.wanted(&Effect::Edit("/w/essays/1/draft.md".to_owned())),
        1
    );
    stage.give(Input::Edited(Ok(())));
    let (tag, request) = stage.asked_one();
    assert_eq!(
        request,
        Request::Draft {
            session: id(1),
            at: None
        }
    );
    stage.answer(tag, draft("One two three."));
    assert!(stage.frame(120, 40).contains("The draft has 3 words."));
}

#[test]
fn another_agent_is_chosen_for_the_next_turn() {
    let mut stage = reading();
    stage.press("ctrl-p");
    stage.type_text("choose the agent");
    stage.press("enter down enter");
    let (_, request) = stage.asked_one();
    let chosen = Deed::Choose {
        agent: "local".to_owned(),
        model: Some("qwen3".to_owned()),
    };
    assert_eq!(request, deed(1, chosen));
}

#[test]
fn a_disabled_command_says_why() {
    let mut stage = Stage::empty();
    stage.press("ctrl-p");
    stage.type_text("stop this turn");
    stage.press("enter");
    assert!(stage.frame(120, 40).contains("No turn runs here."));
}

#[test]
fn what_is_said_hides_no_question_and_goes_with_the_next_key() {
    let mut stage = reading();
    stage.press("esc y");
    let last = |stage: &mut Stage| stage.frame(120, 40).lines().last().unwrap().to_owned();
    let status = last(&mut stage);
    assert!(status.contains("! 1 needs you"), "{status}");
    assert!(status.contains("Copied"), "{status}");
    stage.wait(2_000);
    stage.press("down");
    assert!(!last(&mut stage).contains("Copied"));
}

#[test]
fn ones_own_words_go_into_the_draft_too() {
    let mut stage = reading();
    stage.frame(120, 9);
    stage.press("esc K K w");
    let frame = stage.frame(120, 9);
    assert!(frame.contains("Your own words into the draft"), "{frame}");
    stage.press("r");
    let how = fascicle::domain::ask::Into::Replace;
    let asked = stage.asks();
    let put = |a: &(_, Request)| a.1 == deed(1, Deed::ReplyToDraft { seq: 1, how });
    assert!(asked.iter().any(put), "{asked:?}");
}

#[test]
fn keys_of_the_terminal_are_answered() {
    let mut stage = reading();
    stage.press("ctrl-s");
    assert!(
        stage
            .frame(120, 40)
            .contains("What you write is saved as you write it; Ctrl-S is left to your terminal.")
    );
}

#[test]
fn the_key_that_closes_the_window_in_the_list_says_so_where_it_does_not() {
    let mut stage = reading();
    stage.press("esc q");
    let frame = stage.frame(120, 40);
    let said = "q closes the window in the list: ← leads there.";
    assert!(frame.contains(said), "{frame}");
    stage.press("left q");
    assert_eq!(stage.wanted(&Effect::Quit), 1);
}

#[test]
fn a_paste_goes_where_one_writes() {
    let mut stage = reading();
    stage.press("left");
    stage.give(Input::Paste("two\nlines".to_owned()));
    let frame = stage.frame(120, 40);
    assert!(frame.contains("› two"), "{frame}");
}

#[test]
fn earlier_prompts_come_back_with_the_up_key() {
    let mut stage = Stage::at(3);
    stage.tell_log(3, &log(3, "Session", true));
    stage.press("up");
    assert!(
        stage
            .frame(120, 40)
            .contains("› Make the last line shorter.")
    );
    stage.press("up");
    assert!(
        stage
            .frame(120, 40)
            .contains("› The second paragraph is too flat.")
    );
    stage.press("down down");
    assert!(!stage.frame(120, 40).contains("› The second"));
}

#[test]
fn a_lost_host_is_looked_for_again_and_said() {
    let mut stage = reading();
    let first = stage.list_ticket();
    stage.give(Input::Lost {
        ticket: first,
        why: "the socket closed".to_owned(),
    });
    assert!(stage.frame(120, 40).contains("The host is gone; starting"));
    stage.wait(300);
    assert_ne!(stage.list_ticket(), first);
    stage.tell_list(&collections(), &rows());
    assert!(!stage.frame(120, 40).contains("The host is"));
}

#[test]
fn silence_of_a_turn_is_said() {
    let mut stage = Stage::at(3);
    stage.tell_log(3, &log(3, "Session", true));
    stage.wait(40_000);
    let frame = stage.frame(120, 40);
    assert!(frame.contains("nothing for 4"), "{frame}");
}

#[test]
fn an_idle_window_asks_for_no_time() {
    let mut stage = reading();
    stage.wait(20_000);
    stage.frame(120, 40);
    stage.wait(20_000);
    assert_eq!(stage.app.wakes_at(), None);
}

#[test]
fn a_row_that_writes_stays_where_it_is() {
    let mut stage = reading();
    let before = stage.frame(120, 40);
    let mut grown = row(3, "Session", State::Writing, 1204);
    grown.updated = NOON + 5_000_000;
    stage.tell_row(grown);
    assert_eq!(stage.frame(120, 40), before);
}

#[test]
fn the_terminal_is_named_after_the_open_session() {
    let mut stage = reading();
    stage.wait(0);
    let title = Effect::Title("! 1 · ● 1 · The lost afternoon · Fascicle".to_owned());
    assert_eq!(stage.wanted(&title), 1, "{:?}", stage.effects);
}

#[test]
fn many_characters_at_once_do_what_they_do_one_by_one() {
    for keys in ["", "esc", "esc left", "ctrl-g", "ctrl-p", "d", "ctrl-n"] {
        for text in ["Then 12 words, ß and 灯 / more?", "1", "x1 y"] {
            let stages = [false, true].map(|at_once| {
                let mut stage = Stage::at(1);
                stage.frame(80, 24);
                if !keys.is_empty() {
                    stage.press(keys);
                }
                if at_once {
                    stage.give(Input::Typed(text.to_owned()));
                } else {
                    stage.type_text(text);
                }
                stage.frame(80, 24)
            });
            assert_eq!(stages[0], stages[1], "{keys}: {text}");
        }
    }
}
