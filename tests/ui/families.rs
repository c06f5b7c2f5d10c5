//! Families in the list: trees, folds, filters, titles; and the keys that make, adopt and undo.

use fascicle::domain::ask::{Busy, Deed, NewVariant, Request, Which};
use fascicle::domain::event::{Origin, Status};
use fascicle::domain::head::Was;
use fascicle::domain::{Kin, Kind, Reply, Row, State};
use fascicle::ui::Place;

use crate::stage::{
    NOON, Stage, asked, collections, finished, id, log, message, prompt, question, row, rows,
};
use crate::undo::undone;

/// A variant of a family that began with session 3, forked from `parent`.
pub(crate) fn variant(n: u128, parent: u128, title: &str, state: State) -> Row {
    let mut out = row(n, title, state, 1_310);
    out.kin = Kin {
        family: Some(id(3)),
        parent: Some(Origin {
            session: id(parent),
            seq: 5,
        }),
        turn: Some(1),
        piece: Some("Session".to_owned()),
        ..Kin::default()
    };
    out
}

/// The usual rows, with three variants: one of them of another.
pub(crate) fn family() -> Vec<Row> {
    let mut all = rows();
    all[1].kin.family = Some(id(3));
    all.extend([
        variant(7, 3, "first person", State::Writing),
        variant(8, 3, "open with a story", State::Unread),
        variant(9, 7, "and shorter", State::Idle),
    ]);
    all
}

/// A window on the first of the family, with the list before it.
pub(crate) fn listed() -> Stage {
    let left = Place {
        session: Some(id(3)),
        ..Place::default()
    };
    let mut stage = Stage::bare(left);
    stage.tell_list(&collections(), &family());
    stage.tell_log(3, &log(3, "Session", true));
    stage.frame(120, 40);
    stage.press("left");
    stage
}

/// The same after the first variant was adopted.
pub(crate) fn adopted() -> Stage {
    let mut stage = listed();
    let mut main = variant(7, 3, "first person", State::Writing);
    main.kin.adopted = Some(1);
    stage.tell_row(main);
    stage
}

/// An adoption while turns run.
pub(crate) fn busy() -> Stage {
    let mut stage = listed();
    stage.press("down");
    stage.asks();
    stage.press("a");
    let (tag, _) = stage.asked_one();
    let sessions = vec![id(3), id(7)];
    stage.answer(
        tag,
        Reply::Busy {
            sessions,
            waits: false,
        },
    );
    stage
}

/// The list's rows as they stand below each other, without what stands at their right.
fn list(stage: &mut Stage) -> Vec<String> {
    let frame = stage.frame(200, 50);
    let cut = |line: &str| {
        let cells: Vec<char> = line.chars().collect();
        let from = cells.iter().position(|c| *c == '│').map_or(0, |i| i + 1);
        cells[from..].iter().take(50).collect()
    };
    frame.lines().skip(2).map(cut).collect()
}

#[test]
fn a_family_is_a_tree_with_its_main_line_first() {
    let mut stage = listed();
    let rows = list(&mut stage);
    let at = |text: &str| {
        rows.iter()
            .position(|r| r.contains(text))
            .unwrap_or_else(|| panic!("{text}: {rows:#?}"))
    };
    let main = at("● Session ★");
    assert_eq!(at("  ├ ● first person"), main + 1, "{rows:#?}");
    assert_eq!(at("  │ └   and shorter"), main + 2, "{rows:#?}");
    assert_eq!(at("  └ ✓ open with a story"), main + 3, "{rows:#?}");
}

#[test]
fn a_family_stands_where_its_most_urgent_member_would() {
    let mut stage = listed();
    assert!(list(&mut stage)[0].contains("! Memory"));
    let mut asks = variant(9, 7, "and shorter", State::NeedsYou);
    asks.begun += 1_000_000;
    asks.asked = vec![question("q2")];
    stage.tell_row(asks);
    let rows = list(&mut stage);
    assert!(rows[0].contains("● Session ★"), "{rows:#?}");
    assert!(rows[2].contains("! and shorter"), "{rows:#?}");
    assert!(rows[4].contains("! Memory"), "{rows:#?}");
    stage.press("s s");
    let rows = list(&mut stage);
    let at = |text: &str| rows.iter().position(|r| r.contains(text)).unwrap();
    assert!(at("Memory") < at("Session ★"), "by title: {rows:#?}");
    assert!(
        at("open with a story") < at("The lost afternoon"),
        "{rows:#?}"
    );
}

#[test]
fn a_filter_shows_who_fits_below_the_main_line() {
    let mut stage = listed();
    stage.press("/");
    stage.type_text("shorter");
    let frame = stage.frame(120, 40);
    assert!(frame.contains("Session ★"), "{frame}");
    assert!(frame.contains("└   and shorter"), "{frame}");
    assert!(!frame.contains("● first person"), "{frame}");
    assert!(frame.contains("1 of 9"), "{frame}");
    // The cursor is on the one that fits.
    stage.press("enter");
    assert_eq!(stage.app.left().session, Some(id(9)));
    stage.press("left esc /");
    stage.type_text("session: first");
    assert!(stage.frame(120, 40).contains("● first person"));
}

#[test]
fn a_folded_family_is_its_main_line_and_tells_what_happens_below() {
    let mut stage = listed();
    stage.tell_row(variant(8, 3, "open with a story", State::NeedsYou));
    stage.press("down .");
    let frame = stage.frame(120, 40);
    assert!(frame.contains("Session ★  +3 !1 ●1"), "{frame}");
    assert!(!frame.contains("first person"), "{frame}");
    assert!(frame.contains("“Session” is folded to one row."), "{frame}");
    // Who is gone to is shown all the same, and the fold lasts from window to window.
    stage.press("ctrl-g");
    stage.type_text("shorter");
    stage.press("enter");
    assert!(stage.frame(120, 40).contains("└   and shorter"));
    let mut again = Stage::bare(stage.app.left());
    again.tell_list(&collections(), &family());
    assert!(again.frame(120, 40).contains("Session ★  +2"));
    again.press("left .");
    assert!(again.frame(120, 40).contains("├ ● first person"));
    // A row of no family folds its collection, as ever.
    again.press("end .");
    assert!(again.frame(120, 40).contains("▸"), "a collection");
}

#[test]
fn the_main_line_bears_the_title_of_the_piece_whoever_it_is() {
    let mut stage = adopted();
    let rows = list(&mut stage);
    let at = |text: &str| {
        rows.iter()
            .position(|r| r.contains(text))
            .unwrap_or_else(|| panic!("{text}: {rows:#?}"))
    };
    let main = at("● Session ★  first person");
    for (i, below) in ["original", "open with a story", "and shorter"]
        .iter()
        .enumerate()
    {
        let at = at(below);
        assert!(main < at && at <= main + 3, "{i} {below}: {rows:#?}");
    }
    let frame = stage.frame(120, 40);
    assert!(frame.contains("Session: original · claude"), "{frame}");
    stage.press("ctrl-g");
    stage.type_text("session");
    let frame = stage.frame(120, 40);
    for title in [
        "Session ★",
        "Session: original",
        "Session: open with a story",
    ] {
        assert!(frame.contains(title), "{title}: {frame}");
    }
    stage.press("enter");
    assert_eq!(
        stage.app.left().session,
        Some(id(7)),
        "the piece itself is found first"
    );
    stage.tell_log(7, &log(7, "first person", false));
    assert!(stage.frame(120, 40).contains("Session ★ · claude"));
}

#[test]
fn a_family_without_its_first_session_and_one_that_names_itself_lose_nobody() {
    let mut stage = Stage::bare(Place::default());
    let mut circle = [
        variant(7, 9, "first person", State::Idle),
        variant(9, 7, "and shorter", State::Idle),
        variant(8, 77, "open with a story", State::Idle),
    ];
    circle[2].kin.adopted = Some(2);
    stage.tell_list(&collections(), &circle);
    stage.press("left");
    let frame = stage.frame(120, 40);
    assert!(frame.contains("Session ★"), "{frame}");
    for name in ["first person", "and shorter"] {
        assert!(frame.contains(name), "{frame}");
    }
    stage.press("end");
    assert!(stage.app.left().session.is_none());
}

#[test]
fn a_variant_left_alone_on_its_shelf_says_whose_it_is() {
    let mut stage = listed();
    for mut row in family()
        .into_iter()
        .filter(|r| [3, 7, 9].map(id).contains(&r.id))
    {
        row.archived = true;
        stage.tell_row(row);
    }
    let frame = stage.frame(200, 50);
    assert!(
        frame.contains("… · ★ in archive"),
        "where its main line is: {frame}"
    );
    let frame = stage.frame(80, 24);
    assert!(frame.contains("· ★ in archive"), "{frame}");
}

#[test]
fn one_key_in_the_list_makes_a_variant_and_puts_the_caret_where_one_writes() {
    let mut stage = listed();
    stage.asks();
    stage.keys.count();
    stage.press("f");
    // What is typed before the host has answered is for the variant, and nothing else.
    stage.type_text("xn Let the boy tell it.");
    let (tag, request) = stage.asked_one();
    let Request::Fork(NewVariant {
        session,
        at,
        title,
        prompt,
    }) = request
    else {
        panic!("{request:?}");
    };
    assert_eq!((session, at, title, prompt), (id(3), None, None, None));
    stage.answer(tag, Reply::Created { session: id(12) });
    stage.keys.at_most(1, "a variant");
    stage.tell_row(variant(12, 3, "variant", State::Idle));
    let frame = stage.frame(120, 40);
    assert!(frame.contains("› xn Let the boy tell it."), "{frame}");
    assert!(frame.contains("Session: variant"), "{frame}");
    assert!(frame.contains("Ctrl-O leads back"), "{frame}");
    stage.press("ctrl-o");
    assert_eq!(stage.app.left().session, Some(id(3)), "one key leads back");
    let frame = stage.frame(120, 40);
    assert!(!frame.contains("leads back"), "it has led back: {frame}");
}

#[test]
fn the_way_back_leads_to_the_original_even_if_another_was_open() {
    let mut stage = listed();
    stage.press("ctrl-g");
    stage.type_text("compact");
    stage.press("enter left");
    while stage.frame(120, 40).contains("from “Session”") {
        stage.press("up");
    }
    stage.press("home");
    stage.asks();
    stage.press("f");
    let (tag, request) = stage.asked_one();
    let Request::Fork(NewVariant {
        session: parent, ..
    }) = request
    else {
        panic!("{request:?}");
    };
    stage.answer(tag, Reply::Created { session: id(12) });
    assert_eq!(stage.app.left().session, Some(id(12)));
    stage.press("ctrl-o");
    assert_eq!(stage.app.left().session, Some(parent));
}

/// A session of two turns, read in the transcript.
fn two_turns() -> Stage {
    let mut stage = Stage::at(3);
    let mut kinds = log(3, "Session", false);
    kinds.extend([
        prompt(2, "Make the last line shorter."),
        message(2, "It is shorter now."),
        finished(2),
    ]);
    stage.tell_log(3, &kinds);
    stage.frame(120, 40);
    stage.press("esc");
    stage
}

#[test]
fn in_the_transcript_a_fork_is_made_at_the_message_that_is_read() {
    // At the end: now. One message up: before that prompt, with its words. Two up: behind the whole first turn.
    for (keys, at, words) in [
        ("", None, ""),
        ("K", Some(4), "Make the last line shorter."),
        ("K K", Some(4), ""),
        ("K K K", Some(0), "The second paragraph is too flat."),
    ] {
        let mut stage = two_turns();
        if !keys.is_empty() {
            stage.press(keys);
        }
        stage.asks();
        stage.press("f");
        let (tag, request) = stage.asked_one();
        let Request::Fork(NewVariant { at: asked, .. }) = request else {
            panic!("{request:?}");
        };
        assert_eq!(asked, at, "{keys}");
        stage.answer(tag, Reply::Created { session: id(12) });
        let frame = stage.frame(120, 40);
        assert!(frame.contains(&format!("› {words}")), "{keys}: {frame}");
    }
}

#[test]
fn a_fork_that_is_refused_gives_back_what_was_typed_for_it() {
    let mut stage = two_turns();
    stage.asks();
    stage.press("f");
    stage.type_text("Let the boy tell it");
    stage.press("enter");
    let (tag, _) = stage.asked_one();
    let why = "The disk is full.".to_owned();
    stage.answer(tag, Reply::Refused { why, hint: None });
    assert!(
        stage
            .asks()
            .iter()
            .all(|a| !matches!(a.1, Request::Send { .. }))
    );
    let frame = stage.frame(120, 40);
    assert!(frame.contains("Let the boy tell it"), "{frame}");
    assert!(frame.contains("The disk is full."), "{frame}");
    assert!(stage.frame(120, 40).contains("Session · claude") || frame.contains("Session ★"));
}

#[test]
fn one_key_sends_what_is_written_to_a_new_variant_while_the_original_streams_and_asks() {
    let mut stage = listed();
    stage.press("right enter");
    stage.tell(3, asked(2, "q1"));
    stage.wait(1_000);
    stage.type_text("Let the boy tell it.");
    stage.asks();
    stage.keys.count();
    stage.press("ctrl-t");
    stage.keys.at_most(1, "tried as a variant");
    let (tag, request) = stage.asked_one();
    let Request::Fork(NewVariant {
        session,
        at,
        prompt,
        ..
    }) = request
    else {
        panic!("{request:?}");
    };
    assert_eq!((session, at), (id(3), None));
    assert_eq!(prompt.as_deref(), Some("Let the boy tell it."));
    // Written on before the host has answered: that goes along.
    stage.type_text("And");
    stage.answer(tag, Reply::Created { session: id(12) });
    assert_eq!(stage.app.left().session, Some(id(12)));
    assert!(stage.frame(120, 40).contains("› And"));
    stage.press("ctrl-o");
    assert_eq!(stage.app.left().session, Some(id(3)));
    let frame = stage.frame(120, 40);
    assert!(!frame.contains("› Let the boy"), "{frame}");
    assert!(
        frame.contains("1 once"),
        "its question still waits: {frame}"
    );
}

#[test]
fn a_prompt_that_no_variant_took_stands_where_it_was_written() {
    let mut stage = listed();
    stage.press("right enter");
    stage.type_text("Let the boy tell it.");
    stage.asks();
    stage.press("ctrl-t");
    let (tag, _) = stage.asked_one();
    let why = "The log is damaged.".to_owned();
    stage.answer(tag, Reply::Refused { why, hint: None });
    let frame = stage.frame(120, 40);
    assert!(frame.contains("› Let the boy tell it."), "{frame}");
    assert!(frame.contains("The log is damaged."), "{frame}");
}

#[test]
fn twice_it_is_one_variant_for_each_line_after_a_last_look() {
    let mut stage = listed();
    stage.press("right enter");
    for (i, line) in [
        "Tell it again:",
        "first person",
        "",
        "third person",
        "as a letter",
    ]
    .iter()
    .enumerate()
    {
        if i > 0 {
            stage.press("alt-enter");
        }
        stage.type_text(line);
    }
    stage.asks();
    stage.press("ctrl-t");
    assert!(stage.frame(120, 40).contains("Send to a new variant"));
    stage.press("ctrl-t");
    let frame = stage.frame(120, 40);
    assert!(frame.contains("3 new variants, side by side"), "{frame}");
    assert!(frame.contains("Tell it again:"), "{frame}");
    stage.press("down del");
    assert!(stage.frame(120, 40).contains("2 new variants"));
    stage.press("esc");
    assert!(
        stage.frame(120, 40).contains("third person"),
        "the text stays"
    );
    stage.press("ctrl-t ctrl-t down down del enter");
    let asks: Vec<_> = stage
        .asks()
        .into_iter()
        .filter_map(|(tag, request)| match request {
            Request::Fork(NewVariant {
                at, title, prompt, ..
            }) => Some((tag, at, title, prompt)),
            _ => None,
        })
        .collect();
    let names: Vec<_> = asks.iter().map(|a| a.2.as_deref().unwrap()).collect();
    assert_eq!(names, ["first person", "third person"]);
    assert_eq!(asks[0].3.as_deref(), Some("Tell it again:\nfirst person"));
    assert!(
        asks[0].1.is_some() && asks[0].1 == asks[1].1,
        "from the same event"
    );
    // The second is refused: its words come back, and nothing else does.
    stage.answer(asks[0].0, Reply::Created { session: id(12) });
    assert_eq!(stage.app.left().session, Some(id(3)), "all are waited for");
    let why = "The disk is full.".to_owned();
    stage.answer(asks[1].0, Reply::Refused { why, hint: None });
    assert_eq!(stage.app.left().session, Some(id(12)));
    stage.press("ctrl-o");
    let frame = stage.frame(120, 40);
    assert!(frame.contains("› Tell it again:"), "{frame}");
    assert!(frame.contains("  third person"), "{frame}");
    assert!(!frame.contains("  first person\n"), "{frame}");
}

#[test]
fn more_lines_than_variants_can_be_begun_at_once_are_never_sent_as_one_and_all_can_be_read() {
    let mut stage = listed();
    stage.press("right enter");
    for i in 1..=14 {
        if i > 1 {
            stage.press("alt-enter");
        }
        stage.type_text(&format!("Try number {i}."));
    }
    stage.asks();
    stage.press("ctrl-t");
    let frame = stage.frame(80, 24);
    assert!(frame.contains("↓ 3 more lines"), "{frame}");
    stage.press("down down");
    let frame = stage.frame(80, 24);
    assert!(!frame.contains("more lines"), "{frame}");
    assert!(frame.contains("│ Try number 14."), "{frame}");
    stage.press("ctrl-t");
    let frame = stage.frame(80, 24);
    let title = "14 lines, at most 12 variants at once";
    assert!(frame.contains(title), "{frame}");
    stage.press("enter");
    let is_fork = |request: &Request| matches!(request, Request::Fork(_));
    assert!(!stage.asks().iter().any(|(_, request)| is_fork(request)));
    let frame = stage.frame(80, 24);
    assert!(frame.contains("take 2 out"), "{frame}");
    assert!(frame.contains("↓ 5 more lines"), "{frame}");
    stage.press("pgdn pgdn");
    let frame = stage.frame(80, 24);
    assert!(frame.contains("│ Try number 14."), "{frame}");
    assert!(!frame.contains("more line"), "{frame}");
    stage.press("del del enter");
    let forks: Vec<_> = stage.asks().into_iter().filter(|a| is_fork(&a.1)).collect();
    assert_eq!(forks.len(), 12);
    stage.type_text("And");
    for (n, (tag, _)) in (20..).zip(forks) {
        stage.answer(tag, Reply::Created { session: id(n) });
    }
    assert_eq!(stage.app.left().session, Some(id(20)));
    let frame = stage.frame(200, 50);
    assert!(
        frame.contains("› And"),
        "what came since goes along: {frame}"
    );
    assert!(
        frame.contains("What you took out stands with the original."),
        "{frame}"
    );
    stage.press("ctrl-o");
    let frame = stage.frame(120, 40);
    assert!(frame.contains("› Try number 13."), "{frame}");
    assert!(frame.contains("  Try number 14."), "{frame}");
    assert!(!frame.contains("Try number 12."), "{frame}");
}

#[test]
fn a_line_that_variants_share_comes_back_once_above_those_that_were_refused() {
    let written = [
        "Tell it again:",
        "first person",
        "third person",
        "as a letter",
    ];
    for taken in [None, Some(0)] {
        let mut stage = listed();
        stage.press("right enter");
        for (i, line) in written.iter().enumerate() {
            if i > 0 {
                stage.press("alt-enter");
            }
            stage.type_text(line);
        }
        stage.asks();
        stage.press("ctrl-t ctrl-t enter");
        let forks: Vec<_> = stage
            .asks()
            .into_iter()
            .filter(|a| matches!(a.1, Request::Fork(_)))
            .collect();
        assert_eq!(forks.len(), 3);
        for (n, (tag, _)) in forks.into_iter().enumerate() {
            let why = "The host is gone.".to_owned();
            let refused = Reply::Refused { why, hint: None };
            let session = id(12);
            stage.answer(
                tag,
                match taken {
                    Some(took) if took == n => Reply::Created { session },
                    _ => refused,
                },
            );
        }
        if taken.is_some() {
            stage.press("ctrl-o");
        }
        let frame = stage.frame(120, 40);
        assert_eq!(frame.matches("Tell it again:").count(), 1, "{frame}");
        assert_eq!(
            frame.contains("  first person\n"),
            taken.is_none(),
            "{frame}"
        );
        assert!(
            frame.contains("  third person") && frame.contains("  as a letter"),
            "{frame}"
        );
    }
}

#[test]
fn in_the_draft_the_same_key_asks_for_the_prompt_or_sends_what_is_written_below() {
    let mut stage = crate::draft::writing("One.\n");
    stage.type_text("So ");
    stage.press("ctrl-t");
    assert!(
        stage
            .frame(120, 40)
            .contains("Try a variant of The lost afternoon")
    );
    stage.press("enter");
    stage.type_text("Begin with the storm.");
    stage.press("enter");
    let asks = stage.asks();
    let (mut edits, mut forks) = (0, Vec::new());
    for (tag, request) in asks {
        match request {
            Request::Edit { .. } if forks.is_empty() => edits += 1,
            Request::Fork(NewVariant {
                session, prompt, ..
            }) => forks.push((tag, session, prompt)),
            _ => {}
        }
    }
    assert_eq!(edits, 1, "the variant has the words typed last");
    let (tag, session, prompt) = forks.remove(0);
    assert_eq!(session, id(1));
    assert_eq!(prompt.as_deref(), Some("Begin with the storm."));
    let why = "The disk is full.".to_owned();
    stage.answer(tag, Reply::Refused { why, hint: None });
    stage.press("esc");
    let frame = stage.frame(120, 40);
    assert!(frame.contains("› Begin with the storm."), "{frame}");
    stage.press("esc d ctrl-t");
    let asks = stage.asks();
    let fork = asks.iter().find_map(|a| match &a.1 {
        Request::Fork(NewVariant { prompt, .. }) => prompt.clone(),
        _ => None,
    });
    assert_eq!(fork.as_deref(), Some("Begin with the storm."));
}

#[test]
fn one_key_leads_from_a_variant_to_its_original_whatever_was_open_before() {
    let mut stage = Stage::bare(Place {
        session: Some(id(7)),
        ..Place::default()
    });
    stage.tell_list(&collections(), &family());
    stage.press("ctrl-o");
    assert_eq!(
        stage.app.left().session,
        Some(id(3)),
        "nothing else was open"
    );
    stage.press("ctrl-o ctrl-o");
    assert_eq!(stage.app.left().session, Some(id(3)));
    stage.press("ctrl-o esc b");
    assert_eq!(stage.app.left().session, Some(id(3)));
    stage.press("b");
    assert!(stage.frame(120, 40).contains("It is no variant"));
}

#[test]
fn several_lines_are_one_prompt_after_enter() {
    let mut stage = listed();
    stage.press("right enter");
    stage.type_text("One");
    stage.press("alt-enter");
    stage.type_text("two");
    stage.asks();
    stage.press("ctrl-t enter");
    let (_, request) = stage.asked_one();
    assert!(
        matches!(&request, Request::Fork(NewVariant { prompt: Some(p), at: None, .. }) if p == "One\ntwo"),
        "{request:?}"
    );
}

#[test]
fn where_no_variant_can_be_made_the_reason_is_said() {
    let mut stage = Stage::empty();
    stage.press("H ctrl-t");
    let frame = stage.frame(120, 40);
    assert!(frame.contains("There is no session yet"), "{frame}");
    let mut stage = listed();
    stage.press("right enter ctrl-t");
    assert!(stage.frame(120, 40).contains("Nothing is written yet."));
    stage.press("left end a");
    assert!(stage.frame(120, 40).contains("It has no variants."));
    assert_eq!(
        stage
            .asks()
            .iter()
            .filter(|a| matches!(a.1, Request::Adopt { .. }))
            .count(),
        0
    );
}

#[test]
fn one_that_leads_only_for_another_in_the_trash_is_adopted_with_the_same_key() {
    let mut stage = adopted();
    let mut gone = variant(7, 3, "first person", State::Idle);
    gone.kin.adopted = Some(1);
    gone.trashed = true;
    stage.tell_row(gone);
    stage.press("home down");
    stage.asks();
    stage.press("a");
    let (_, request) = stage.asked_one();
    let (session, busy) = (id(3), Busy::Ask);
    assert_eq!(request, Request::Adopt { session, busy });
}

#[test]
fn adopting_is_one_key_and_regretting_it_another() {
    let mut stage = listed();
    stage.press("down");
    stage.asks();
    stage.press("a");
    let (tag, request) = stage.asked_one();
    let busy = Busy::Ask;
    assert_eq!(
        request,
        Request::Adopt {
            session: id(7),
            busy
        }
    );
    let sessions = vec![id(3), id(7)];
    stage.answer(
        tag,
        Reply::Busy {
            sessions,
            waits: false,
        },
    );
    let frame = stage.frame(120, 40);
    assert!(frame.contains("w wait · s stop it"), "{frame}");
    assert!(
        frame.contains("“Session” and “Session: first person” turns run"),
        "{frame}"
    );
    stage.wait(300);
    stage.press("s");
    let (tag, request) = stage.asked_one();
    let busy = Busy::Stop;
    assert_eq!(
        request,
        Request::Adopt {
            session: id(7),
            busy
        }
    );
    let mut main = variant(7, 3, "first person", State::Interrupted);
    main.kin.adopted = Some(1);
    stage.tell_row(main);
    stage.answer(tag, Reply::Done);
    let said = "“first person” is the main line of “Session” now. u undoes it.";
    assert!(stage.frame(200, 50).contains(said));
    stage.asks();
    stage.press("u");
    let (tag, request) = stage.asked_one();
    let deed = Deed::Undo(Which::NEW);
    assert_eq!(
        request,
        Request::Do {
            session: id(7),
            deed
        }
    );
    let was = Was::Main(id(3));
    stage.answer(tag, undone(was, NOON, (false, false)));
    let said = "the main line is “original” again. U does it again.";
    assert!(stage.frame(200, 50).contains(said));
}

#[test]
fn what_is_asked_of_a_turn_that_runs_takes_no_key_that_was_typed_before_it_was_seen() {
    let mut stage = busy();
    stage.press("s w enter");
    assert!(stage.asks().is_empty(), "nobody has seen it");
    stage.frame(120, 40);
    stage.wait(299);
    stage.press("s w enter");
    assert!(stage.asks().is_empty(), "nobody has read it");
    stage.wait(1);
    stage.press("w");
    let (_, request) = stage.asked_one();
    let (session, busy) = (id(7), Busy::Wait);
    assert_eq!(request, Request::Adopt { session, busy });
    // The answer comes when it is done; until then its row and the line below say so.
    let mut row = variant(7, 3, "first person", State::Writing);
    row.kin.waits = Some(1);
    stage.tell_row(row);
    let frame = stage.frame(200, 50);
    assert!(
        frame.contains("“Session: first person” ☆ becomes the main line when no turn is in its way; a again calls it off."),
        "{frame}"
    );
    assert!(frame.contains("first person ☆"), "{frame}");
}

#[test]
fn what_waits_to_be_adopted_is_called_off_with_one_key() {
    let mut stage = listed();
    stage.press("down");
    stage.asks();
    stage.press("a");
    let (tag, _) = stage.asked_one();
    let (sessions, waits) = (vec![id(7)], true);
    stage.answer(tag, Reply::Busy { sessions, waits });
    let frame = stage.frame(120, 40);
    assert!(
        frame.contains("It waits already to become the main line"),
        "{frame}"
    );
    stage.wait(300);
    stage.press("c");
    let (tag, request) = stage.asked_one();
    let (session, busy) = (id(7), Busy::CallOff);
    assert_eq!(request, Request::Adopt { session, busy });
    stage.answer(tag, Reply::Done);
    let frame = stage.frame(200, 50);
    assert!(
        frame.contains("Called off: “Session: first person” stays a variant."),
        "{frame}"
    );
}

#[test]
fn the_title_that_is_changed_is_the_one_that_is_shown() {
    let mut stage = adopted();
    stage.press("up up up up up up home");
    while !stage.frame(120, 40).contains("from “original”") {
        stage.press("down");
    }
    stage.press("r");
    assert!(stage.frame(120, 40).contains("Rename the piece"));
    stage.press("ctrl-u");
    stage.type_text("Sitting");
    stage.asks();
    stage.press("enter");
    let (_, request) = stage.asked_one();
    assert!(
        matches!(request, Request::Do { session, deed: Deed::Rename { .. } } if session == id(3))
    );
    let mut stage = listed();
    stage.press("down r");
    assert!(stage.frame(120, 40).contains("Rename the variant"));
}

/// What is told below the list, on one line.
fn told(stage: &mut Stage) -> String {
    let frame = stage.frame(120, 40);
    let rows = frame.lines().skip(30).filter_map(|l| l.split('│').nth(1));
    let words: Vec<&str> = rows.flat_map(str::split_whitespace).collect();
    words.join(" ")
}

#[test]
fn the_point_of_a_fork_is_named_by_words_where_they_are_known() {
    let mut stage = listed();
    stage.press("down");
    let frame = told(&mut stage);
    assert!(
        frame.contains("from “Session” after “Make the last"),
        "{frame}"
    );
    stage.press("down");
    let frame = told(&mut stage);
    assert!(frame.contains("from “first person” after turn"), "{frame}");
}

#[test]
fn ten_thousand_sessions_in_families_are_listed() {
    let mut many = rows();
    for n in 10..10_010 {
        let mut row = row(n, &format!("Piece {n}"), State::Idle, 100);
        if n % 3 > 0 {
            row.title = format!("Variant {n}");
            row.kin = Kin {
                family: Some(id(n - n % 3)),
                parent: Some(Origin {
                    session: id(n - 1),
                    seq: 3,
                }),
                ..Kin::default()
            };
        }
        many.push(row);
    }
    let mut stage = Stage::bare(Place::default());
    stage.tell_list(&collections(), &many);
    stage.press("left end");
    let frame = stage.frame(120, 40);
    assert!(frame.contains("└   Variant"), "{frame}");
}

#[test]
fn a_variant_ended_at_its_fork_says_so() {
    let mut stage = listed();
    stage.press("right enter");
    let mut kinds = log(3, "Session", true);
    kinds.push(Kind::TurnFinished {
        turn: 2,
        status: Status::Interrupted,
        reason: Some("forked here".to_owned()),
        events: 0,
        crc32: String::new(),
    });
    stage.press("ctrl-g");
    stage.type_text("first person");
    stage.press("enter");
    stage.tell_log(7, &kinds);
    assert!(stage.frame(120, 40).contains("forked here"));
}

#[test]
fn of_several_variants_the_one_of_the_first_line_is_opened_whichever_is_made_first() {
    let mut stage = listed();
    stage.press("right enter");
    stage.type_text("first person");
    stage.press("alt-enter");
    stage.type_text("third person");
    stage.asks();
    stage.press("ctrl-t ctrl-t enter");
    let forks: Vec<_> = stage
        .asks()
        .into_iter()
        .filter(|a| matches!(a.1, Request::Fork(_)))
        .collect();
    stage.answer(forks[1].0, Reply::Created { session: id(13) });
    stage.answer(forks[0].0, Reply::Created { session: id(12) });
    assert_eq!(stage.app.left().session, Some(id(12)));
}

#[test]
fn what_a_variant_lacks_is_said_when_it_is_made() {
    let mut stage = listed();
    stage.asks();
    stage.press("f");
    let (tag, _) = stage.asked_one();
    let said = vec!["Not all of the parent can be read.".to_owned()];
    let session = id(12);
    stage.answer(tag, Reply::Lacking { session, said });
    assert_eq!(stage.app.left().session, Some(session));
    let frame = stage.frame(120, 40);
    assert!(
        frame.contains("Not all of the parent can be read."),
        "{frame}"
    );
}
