//! The versions of a draft and what a turn changed: keys to frames.

use fascicle::domain::ask::{Deed, Which};
use fascicle::domain::event::DraftProposed;
use fascicle::domain::event::{By, Kind, Origin};
use fascicle::domain::splice::spliced;
use fascicle::domain::versions::{Stands, VersionRow};
use fascicle::domain::{Reply, Request, State};
use fascicle::text::hash::sha256;
use fascicle::ui::focus::Pane;

use crate::compare::{DRAFT, SIZES, came, give, golden};
use crate::draft::{reading, writing};
use crate::stage::{NOON, Stage, id, log, prompt, row};

const FIRST: &str = "# The lost afternoon\n\nThe window closed, and with it the morning’s last good sentence.\n\nIt was not there.\n";
const SECOND: &str = "# The lost afternoon\n\nThe window closed, and with it the morning’s last good sentence; nobody had written it down.\n\nIt was not there.\n\nBy evening the rain had stopped.\n";

fn version(seq: u64, by: By, words: u64, delta: (u64, u64)) -> VersionRow {
    VersionRow {
        seq,
        ts: NOON - 3_600_000 + i64::try_from(seq).unwrap() * 600_000,
        turn: matches!(by, By::Agent(_)).then_some(1),
        by,
        words,
        bytes: 100,
        added: delta.0,
        removed: delta.1,
        from: None,
        stands: Stands::default(),
        name: None,
        prompt: None,
    }
}

fn versions() -> Vec<VersionRow> {
    let mut first = version(1, By::You, 18, (18, 0));
    first.name = Some("before the storm".to_owned());
    let mut second = version(2, By::Agent("claude".to_owned()), 28, (10, 0));
    second.prompt = Some("The second paragraph is too flat.".to_owned());
    vec![first, second, version(4, By::You, 52, (31, 7))]
}

const TEXTS: [(u128, Option<u64>, &str, u64); 4] = [
    (1, Some(1), FIRST, 1),
    (1, Some(2), SECOND, 2),
    (1, Some(4), DRAFT, 4),
    (1, None, DRAFT, 4),
];

/// The versions of a session.
fn walking() -> Stage {
    let mut stage = reading();
    stage.press("h");
    let (tag, request) = stage.asked_one();
    assert_eq!(request, Request::Versions { session: id(1) });
    let versions = versions();
    stage.answer(tag, Reply::Versions { versions });
    give(&mut stage, &TEXTS);
    stage
}

#[test]
fn versions_are_walked_and_each_shows_what_it_changed() {
    for (cols, lines) in SIZES {
        let mut stage = walking();
        golden(
            format!("versions@{cols}x{lines}"),
            &stage.frame(cols, lines),
        );
        stage.press("left");
        give(&mut stage, &TEXTS);
        let frame = stage.frame(cols, lines);
        assert!(frame.contains("2 of 3"), "{frame}");
        golden(format!("versions_older@{cols}x{lines}"), &frame);
        stage.press("left left left");
        give(&mut stage, &TEXTS);
        assert!(stage.frame(cols, lines).contains("1 of 3"));
        stage.press("right");
        assert!(stage.frame(cols, lines).contains("2 of 3"));
    }
}

#[test]
fn the_versions_of_a_draft_lead_back_to_it_and_from_there_to_where_the_writer_came_from() {
    let mut stage = writing(FIRST);
    stage.press("f6");
    let (tag, _) = stage.asked_one();
    let versions = versions();
    stage.answer(tag, Reply::Versions { versions });
    give(&mut stage, &TEXTS);
    assert!(stage.frame(120, 40).contains("3 of 3"));
    stage.press("esc");
    assert_eq!(stage.app.left().pane, Pane::Draft);
    stage.press("esc");
    assert_eq!(stage.app.left().pane, Pane::Transcript);
}

#[test]
fn versions_are_compared_with_a_chosen_one() {
    let mut stage = walking();
    stage.press("left left m right right");
    give(&mut stage, &TEXTS);
    let frame = stage.frame(120, 40);
    assert!(frame.contains("▸"), "{frame}");
    assert!(frame.contains("nobody had written it down"), "{frame}");
    let asked = stage.asks();
    assert!(asked.is_empty(), "{asked:?}");
}

#[test]
fn a_version_is_restored_named_and_compared_with_the_draft() {
    let mut stage = walking();
    stage.press("left r");
    give(&mut stage, &TEXTS);
    stage.press("r");
    let (tag, request) = stage.asked_one();
    let session = id(1);
    let deed = Deed::RestoreDraft { seq: 2 };
    assert_eq!(request, Request::Do { session, deed });
    stage.answer(tag, Reply::Done);
    assert!(stage.frame(120, 40).contains("u undoes it"));
    stage.wait(800);
    stage.press("P");
    stage.type_text("flat");
    stage.press("enter");
    let (_, request) = stage.asked_one();
    let (version, name) = (2, Some("flat".to_owned()));
    let deed = Deed::Pin { version, name };
    assert_eq!(request, Request::Do { session, deed });
    stage.press("enter");
    give(&mut stage, &TEXTS);
    let frame = stage.frame(120, 40);
    assert!(frame.contains("The draft · you write here"), "{frame}");
    assert!(frame.contains("Version of 13:22, claude"), "{frame}");
    golden("versions_compared@120x40", &frame);
    stage.press("n enter");
    let (_, request) = stage.asked_one();
    assert!(
        matches!(
            request,
            Request::Take {
                base: 4,
                from: Origin { seq: 2, .. },
                ..
            }
        ),
        "{request:?}"
    );
    stage.press("esc");
    assert!(stage.frame(120, 40).contains("2 of 3"));
    stage.press("esc");
    assert!(
        stage
            .frame(120, 40)
            .contains("The second paragraph is too flat.")
    );
}

#[test]
fn what_happens_meanwhile_is_in_the_timeline() {
    let mut stage = walking();
    stage.tell(1, saved(FIRST, By::Outside, None));
    give(
        &mut stage,
        &[(1, Some(5), FIRST, 5), (1, Some(4), DRAFT, 4)],
    );
    let frame = stage.frame(120, 40);
    assert!(
        frame.contains("4 of 4") && frame.contains("outside"),
        "{frame}"
    );
}

#[test]
fn a_draft_without_versions_says_so() {
    let mut stage = reading();
    stage.press("h");
    let (tag, _) = stage.asked_one();
    let versions = Vec::new();
    stage.answer(tag, Reply::Versions { versions });
    golden("versions_none@80x24", &stage.frame(80, 24));
    stage.press("left r P m enter A n p");
    assert!(stage.asks().is_empty());
}

fn saved(text: &str, by: By, turn: Option<u32>) -> Kind {
    Kind::DraftSaved {
        turn,
        sha256: sha256(text.as_bytes()),
        bytes: text.len() as u64,
        words: 9,
        by,
        base: None,
        added: 2,
        removed: 0,
        beside: None,
        from: None,
        rest: false,
    }
}

/// What the turn of a session did, where its version is the draft.
fn changed() -> Stage {
    let mut stage = reading();
    stage.press("v");
    let (tag, _) = stage.asked_one();
    let versions = versions().into_iter().take(2).collect();
    stage.answer(tag, Reply::Versions { versions });
    give(&mut stage, &[(1, Some(1), FIRST, 1), (1, None, SECOND, 2)]);
    stage
}

#[test]
fn what_a_turn_did_is_kept_or_taken_back() {
    for (cols, lines) in SIZES {
        let mut stage = changed();
        golden(format!("changes@{cols}x{lines}"), &stage.frame(cols, lines));
        stage.press("k");
        let frame = stage.frame(cols, lines);
        assert!(frame.contains("✓"), "{frame}");
        assert!(frame.contains("difference 2 of 2"), "{frame}");
        stage.press("b");
        let (tag, request) = stage.asked_one();
        let Request::Take {
            base,
            splices,
            from,
            ..
        } = request
        else {
            panic!("{request:?}");
        };
        assert_eq!((base, from.seq), (2, 1));
        let text = spliced(SECOND, &splices).unwrap();
        assert_eq!(
            text,
            SECOND.replace("\n\nBy evening the rain had stopped.", "")
        );
        let (text_back, beside) = (None, None);
        stage.answer(
            tag,
            Reply::Edited {
                version: 6,
                text: text_back,
                beside,
                typed: false,
            },
        );
        give(&mut stage, &[(1, None, &text, 6)]);
        assert!(stage.frame(cols, lines).contains("difference 1 of 1"));
        stage.press("u");
        let (_, request) = stage.asked_one();
        assert!(matches!(
            request,
            Request::Do {
                deed: Deed::Undo(Which::NEW),
                ..
            }
        ));
    }
}

#[test]
fn a_turn_that_changed_nothing_opens_no_page_and_says_so() {
    let mut stage = reading();
    stage.press("v");
    let (tag, _) = stage.asked_one();
    let versions = vec![version(1, By::You, 18, (18, 0))];
    stage.answer(tag, Reply::Versions { versions });
    let frame = stage.frame(120, 40);
    assert!(frame.contains("No turn has changed this draft"), "{frame}");
    assert!(frame.contains("All sessions"), "{frame}");
}

fn calls(seq: &str) -> [Kind; 2] {
    let (turn, call, name) = (1, seq.to_owned(), "write_draft".to_owned());
    let input = fascicle::domain::Text::Inline("{}".to_owned());
    let finished = Kind::ToolFinished {
        turn,
        call: call.clone(),
        ok: true,
        ms: 10,
        output: "proposed".into(),
    };
    let started = Kind::ToolStarted {
        turn,
        call,
        name,
        input,
    };
    [started, finished]
}

#[test]
fn the_line_of_a_turn_says_that_it_proposes_and_once_decided_that_it_is() {
    let mut stage = reading();
    let [started, finished] = calls("t1");
    stage.tell(1, prompt(1, "Write it."));
    stage.tell(1, crate::stage::started(1));
    stage.tell(1, started);
    stage.tell(1, a_proposal());
    let proposal = stage.length(1) - 1;
    stage.tell(1, finished);
    let frame = stage.frame(120, 40);
    assert!(frame.contains("✎ proposes a draft: v shows it"), "{frame}");
    stage.tell(1, Kind::DraftAnswered { proposal });
    let frame = stage.frame(120, 40);
    assert!(frame.contains("✎ proposed a draft"), "{frame}");
    stage.press("v");
    let (tag, _) = stage.asked_one();
    let versions = vec![version(1, By::You, 18, (18, 0))];
    stage.answer(tag, Reply::Versions { versions });
    let frame = stage.frame(120, 40);
    assert!(frame.contains("proposed is decided"), "{frame}");
}

#[test]
fn a_change_that_is_taken_back_leads_to_the_next_that_is_open() {
    let mut stage = changed();
    stage.frame(120, 40);
    stage.press("b");
    let (tag, request) = stage.asked_one();
    let Request::Take { splices, .. } = request else {
        panic!("{request:?}");
    };
    let frame = stage.frame(120, 40);
    assert!(frame.contains("difference 2 of 2"), "{frame}");
    let text = spliced(SECOND, &splices).unwrap();
    let (none, beside) = (None, None);
    stage.answer(
        tag,
        Reply::Edited {
            version: 6,
            text: none,
            beside,
            typed: false,
        },
    );
    give(&mut stage, &[(1, None, &text, 6)]);
    let frame = stage.frame(120, 40);
    assert!(frame.contains("difference 1 of 1"), "{frame}");
    assert!(frame.contains("▌+ By evening"), "{frame}");
    stage.press("k");
    let frame = stage.frame(120, 40);
    assert!(!frame.contains("Nothing changed in this"), "{frame}");
    assert!(frame.contains("✓+By evening"), "{frame}");
}

#[test]
fn at_eighty_cells_the_bar_names_what_is_done_with_versions_and_changes() {
    let frame = walking().frame(80, 24);
    for hint in [
        "← older",
        "r restore",
        "P name",
        "Enter compare",
        "Esc back",
    ] {
        assert!(frame.contains(hint), "{hint}: {frame}");
    }
    let frame = changed().frame(80, 24);
    for hint in ["k keep", "b take back", "n next", "A keep all", "? keys"] {
        assert!(frame.contains(hint), "{hint}: {frame}");
    }
}

/// A proposal that waits in a session, seen.
fn proposed() -> Stage {
    let mut stage = reading();
    let mut waits = row(1, "The lost afternoon", State::Idle, 18);
    waits.proposed = Some(5);
    stage.tell_row(waits);
    assert!(stage.frame(120, 40).contains("A proposal waits: v"));
    look_at_proposal(&mut stage);
    stage
}

/// The second text, as an agent proposes it.
fn a_proposal() -> Kind {
    Kind::DraftProposed(DraftProposed {
        turn: 1,
        sha256: sha256(SECOND.as_bytes()),
        bytes: 10,
        words: 28,
        agent: "claude".to_owned(),
        base: Some(4),
        added: 10,
        removed: 0,
    })
}

/// Opens the view of the proposal; its texts come.
fn look_at_proposal(stage: &mut Stage) {
    let mut kinds = log(1, "The lost afternoon", false);
    kinds.push(a_proposal());
    stage.press("v");
    stage.tell_log(1, &kinds);
    for (tag, request) in stage.asks() {
        match request {
            Request::Draft { at: Some(4), .. } => stage.answer(tag, came(FIRST, 4)),
            Request::Draft { at: Some(5), .. } => stage.answer(tag, came(SECOND, 5)),
            Request::Draft { at, .. } => panic!("the draft as of {at:?} is no part of it"),
            _ => {}
        }
    }
}

#[test]
fn a_version_whose_neighbour_cannot_be_read_is_said_to_be_whole_itself() {
    let mut stage = reading();
    stage.press("h");
    let (tag, _) = stage.asked_one();
    let versions = versions();
    stage.answer(tag, Reply::Versions { versions });
    for (tag, request) in stage.asks() {
        match request {
            Request::Draft { at: Some(2), .. } => stage.answer(
                tag,
                Reply::Refused {
                    why: "The blob 7f83b165 is missing.".to_owned(),
                    hint: None,
                },
            ),
            Request::Draft { at: Some(4), .. } => stage.answer(tag, came(DRAFT, 4)),
            _ => {}
        }
    }
    let frame = stage.frame(120, 40);
    assert!(
        frame.contains("The version before cannot be read") && !frame.contains("7f83b165"),
        "{frame}"
    );
    assert!(frame.contains("Enter shows it"), "{frame}");
}

/// The same with a paragraph more, as the agent proposes it next.
fn goes_on(stage: &mut Stage) {
    let third = format!("{SECOND}\nNobody spoke.\n");
    let Kind::DraftProposed(first) = a_proposal() else {
        panic!("it is one");
    };
    let sha256 = sha256(third.as_bytes());
    stage.tell(1, Kind::DraftProposed(DraftProposed { sha256, ..first }));
    let frame = stage.frame(120, 40);
    assert!(
        frame.contains("v shows the newer proposal") && frame.contains(" of 2 "),
        "{frame}"
    );
}

/// The text of the newer one comes.
fn the_newer_comes(stage: &mut Stage) -> String {
    let third = format!("{SECOND}\nNobody spoke.\n");
    for (tag, request) in stage.asks() {
        match request {
            Request::Draft { at: Some(seq), .. } if seq > 5 => stage.answer(tag, came(&third, seq)),
            other => panic!("{other:?}"),
        }
    }
    third
}

#[test]
fn a_newer_proposal_is_named_and_a_key_shows_it_with_what_was_decided() {
    let mut stage = proposed();
    stage.press("k");
    goes_on(&mut stage);
    stage.press("v");
    let third = the_newer_comes(&mut stage);
    let frame = stage.frame(120, 40);
    assert!(
        frame.contains("difference 2 of 3") && !frame.contains("newer proposal"),
        "{frame}"
    );
    stage.press("k b");
    let (_, request) = stage.asked_one();
    let Request::Take { splices, from, .. } = request else {
        panic!("{request:?}");
    };
    assert!(from.seq > 5);
    let want = third.replace("\n\nNobody spoke.", "");
    assert_eq!(spliced(FIRST, &splices).unwrap(), want);
}

#[test]
fn deciding_all_of_a_proposal_that_is_not_the_newest_leads_to_the_newest() {
    let mut stage = proposed();
    goes_on(&mut stage);
    stage.press("A");
    the_newer_comes(&mut stage);
    let frame = stage.frame(120, 40);
    assert!(frame.contains("has gone on meanwhile"), "{frame}");
    stage.press("k");
    assert!(matches!(stage.asked_one().1, Request::Take { .. }));
}

#[test]
fn what_was_proposed_stands_among_the_versions_and_what_comes_behind_it_is_no_change_of_it() {
    let mut stage = reading();
    stage.press("h");
    let (tag, _) = stage.asked_one();
    let mut versions = versions();
    versions[1].stands.proposed = Some(1);
    stage.answer(tag, Reply::Versions { versions });
    let asked = |stage: &mut Stage| {
        let of = |(_, r)| match r {
            Request::Draft { at, .. } => at,
            _ => None,
        };
        stage.asks().into_iter().filter_map(of).collect::<Vec<_>>()
    };
    assert_eq!(asked(&mut stage), [1, 4]);
    let frame = stage.frame(120, 40);
    assert!(frame.contains("proposed · The second paragraph"), "{frame}");
    stage.press("left");
    assert_eq!(asked(&mut stage), [2]);
}

#[test]
fn a_text_of_a_turn_that_only_ever_stood_beside_the_draft_is_no_change_of_the_turn() {
    let mut stage = reading();
    stage.press("v");
    let (tag, request) = stage.asked_one();
    assert_eq!(request, Request::Versions { session: id(1) });
    let mut versions = versions();
    versions[2].stands.beside = Some(2);
    (versions[2].added, versions[2].removed) = (0, 0);
    stage.answer(tag, Reply::Versions { versions });
    let frame = stage.frame(120, 40);
    assert!(
        frame.contains("No turn has changed this draft yet."),
        "{frame}"
    );
    assert!(stage.asks().is_empty());
}

#[test]
fn of_a_turn_whose_words_stand_beside_the_draft_nothing_is_kept_or_taken_back_here() {
    let mut stage = reading();
    stage.press("v");
    let (tag, _) = stage.asked_one();
    let mut versions = versions();
    versions[2].turn = Some(1);
    versions[2].stands.beside = Some(2);
    (versions[2].added, versions[2].removed) = (0, 0);
    stage.answer(tag, Reply::Versions { versions });
    let texts = [(1, Some(1), FIRST, 1), (1, Some(2), SECOND, 2)];
    give(&mut stage, &texts);
    let frame = stage.frame(120, 40);
    assert!(frame.contains("kept beside the draft"), "{frame}");
    assert!(!frame.contains("keep all"), "{frame}");
    for key in ["k", "b", "A"] {
        stage.press(key);
        let frame = stage.frame(120, 40);
        assert!(frame.contains("stand beside it"), "{key}: {frame}");
        assert!(
            !frame.contains("✓") && !frame.contains("Taken back"),
            "{frame}"
        );
        assert!(stage.asks().is_empty());
    }
}

#[test]
fn a_take_that_was_done_again_is_listed_as_that() {
    let mut stage = reading();
    stage.press("h");
    let (tag, _) = stage.asked_one();
    let mut versions = versions();
    versions[2].by = By::Take;
    versions[2].stands.again = true;
    stage.answer(tag, Reply::Versions { versions });
    give(&mut stage, &TEXTS);
    let frame = stage.frame(120, 40);
    assert!(frame.contains("taken again"), "{frame}");
}

#[test]
fn what_was_decided_of_a_proposal_is_there_again_when_it_is_looked_at_again() {
    let mut stage = proposed();
    stage.press("k esc");
    stage.frame(120, 40);
    look_at_proposal(&mut stage);
    stage.frame(120, 40);
    stage.press("b");
    let (_, request) = stage.asked_one();
    let Request::Take { splices, .. } = request else {
        panic!("{request:?}");
    };
    let want = SECOND.replace("\n\nBy evening the rain had stopped.", "");
    assert_eq!(spliced(FIRST, &splices).unwrap(), want);
}

/// The first change of the proposal is taken elsewhere, and it goes on to wait.
fn a_part_is_taken(stage: &mut Stage) {
    let (want, _) = SECOND.split_once("\n\nBy evening").unwrap();
    let want = format!("{want}\n");
    stage.tell(1, words_of_it(&want, By::Take, true));
    let seq = stage.length(1) - 1;
    let (tag, request) = stage.asked_one();
    assert!(
        matches!(request, Request::Draft { at: None, .. }),
        "{request:?}"
    );
    stage.answer(tag, came(&want, seq));
}

/// A version with words of the proposal.
fn words_of_it(text: &str, by: By, rest: bool) -> Kind {
    Kind::DraftSaved {
        turn: None,
        sha256: sha256(text.as_bytes()),
        bytes: text.len() as u64,
        words: 22,
        by,
        base: Some(4),
        added: 5,
        removed: 0,
        beside: None,
        from: Some(Origin {
            session: id(1),
            seq: 5,
        }),
        rest,
    }
}

#[test]
fn of_a_proposal_what_was_taken_is_decided_and_only_the_rest_is_kept_or_refused() {
    let mut stage = proposed();
    a_part_is_taken(&mut stage);
    let frame = stage.frame(120, 40);
    assert!(
        frame.contains("difference 2 of 2") && frame.contains("✓"),
        "{frame}"
    );
    stage.press("p b");
    assert!(stage.asks().is_empty());
    assert!(stage.frame(120, 40).contains("in the draft already"));
    stage.press("n b");
    let (tag, request) = stage.asked_one();
    let deed = Deed::Dismiss { proposal: 5 };
    let session = id(1);
    assert_eq!(request, Request::Do { session, deed });
    stage.answer(tag, Reply::Done);
    let frame = stage.frame(120, 40);
    assert!(
        frame.contains("The rest of the proposal is refused"),
        "{frame}"
    );

    let mut stage = proposed();
    a_part_is_taken(&mut stage);
    stage.press("k");
    let (tag, request) = stage.asked_one();
    let Request::Take { splices, rest, .. } = request else {
        panic!("{request:?}");
    };
    assert_eq!(spliced(FIRST, &splices).unwrap(), SECOND);
    assert!(!rest);
    let (text, beside) = (None, None);
    let typed = false;
    let version = 8;
    stage.answer(
        tag,
        Reply::Edited {
            version,
            text,
            beside,
            typed,
        },
    );
    assert!(
        stage
            .frame(120, 40)
            .contains("In the draft: 1 change of the proposal.")
    );
}

#[test]
fn a_proposal_that_was_decided_in_another_window_takes_no_more_decisions_here() {
    let mut stage = proposed();
    stage.press("k");
    stage.tell(
        1,
        words_of_it(SECOND, By::Agent("claude".to_owned()), false),
    );
    stage.tell(1, Kind::DraftAnswered { proposal: 5 });
    stage.asks();
    for (cols, lines) in SIZES {
        let frame = stage.frame(cols, lines);
        assert!(
            frame.contains("decided elsewhere") && !frame.contains("proposes this"),
            "{frame}"
        );
    }
    for key in ["k", "b", "A"] {
        stage.press(key);
        assert!(stage.asks().is_empty(), "{key}");
        let frame = stage.frame(120, 40);
        assert!(frame.contains("was decided elsewhere"), "{key}: {frame}");
    }
    stage.press("esc");
    assert!(stage.frame(120, 40).contains("All sessions"));
}

#[test]
fn a_proposal_goes_in_as_far_as_it_is_kept() {
    for (cols, lines) in SIZES {
        let mut stage = proposed();
        golden(
            format!("changes_proposed@{cols}x{lines}"),
            &stage.frame(cols, lines),
        );
    }
    let mut stage = proposed();
    stage.press("k");
    assert!(stage.asks().is_empty(), "one is not decided");
    stage.press("b");
    let (tag, request) = stage.asked_one();
    let Request::Take {
        base,
        splices,
        from,
        ..
    } = request
    else {
        panic!("{request:?}");
    };
    assert_eq!((base, from.seq), (4, 5));
    let want = SECOND.replace("\n\nBy evening the rain had stopped.", "");
    assert_eq!(spliced(FIRST, &splices).unwrap(), want);
    let (text, beside) = (None, None);
    stage.answer(
        tag,
        Reply::Edited {
            version: 7,
            text,
            beside,
            typed: false,
        },
    );
    let frame = stage.frame(120, 40);
    assert!(
        frame.contains("In the draft: 1 change of the proposal."),
        "{frame}"
    );
    assert!(frame.contains("All sessions"), "{frame}");
}

#[test]
fn all_of_a_proposal_goes_in_none_of_it_or_it_waits() {
    let mut stage = proposed();
    stage.press("A");
    let (_, request) = stage.asked_one();
    let Request::Take { splices, .. } = request else {
        panic!("{request:?}");
    };
    assert_eq!(spliced(FIRST, &splices).unwrap(), SECOND);

    let mut stage = proposed();
    stage.press("b b");
    let (_, request) = stage.asked_one();
    let deed = Deed::Dismiss { proposal: 5 };
    let session = id(1);
    assert_eq!(request, Request::Do { session, deed });

    let mut stage = proposed();
    stage.press("k esc");
    assert!(stage.asks().is_empty());
    assert!(stage.frame(120, 40).contains("A proposal waits: v"));
}
