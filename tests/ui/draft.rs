//! The draft in the window: keys to frames, and what is kept when.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use fascicle::config::Rebound;
use fascicle::domain::ask::Deed;
use fascicle::domain::event::{By, Kind};
use fascicle::domain::splice::spliced;
use fascicle::domain::{Reply, Request, Row, Splice, State};
use fascicle::text::hash::sha256;
use fascicle::ui::focus::Pane;
use fascicle::ui::{Effect, Input, Place, Settings, keymap};

use crate::compare::{SIZES, came, give};
use crate::stage::{Stage, collections, id, log, prompt, row, rows, settings, started};

const TEXT: &str = "# The lost afternoon\n\nThe window closed, and with it the morning’s *last good* sentence; nobody had written it down.\n\n> It was late.\n\nShe looked for it in the drawers, under the letters, and between two pages that had stuck together.\n";

/// A window in the transcript of a session.
pub(crate) fn reading() -> Stage {
    read(Stage::bare(at_one()))
}

fn at_one() -> Place {
    Place {
        session: Some(id(1)),
        ..Place::default()
    }
}

fn read(mut stage: Stage) -> Stage {
    stage.tell_list(&collections(), &rows());
    stage.tell_log(1, &log(1, "The lost afternoon", false));
    stage.wait(1_000);
    stage.asks();
    stage.press("esc");
    stage
}

/// The same with its draft open.
pub(crate) fn writing(text: &str) -> Stage {
    let mut stage = reading();
    stage.press("d");
    come(&mut stage, text, Some(4));
    stage
}

fn golden(name: impl AsRef<str>, frame: &str) {
    insta::with_settings!({
        snapshot_path => "../frames",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!(name.as_ref(), frame);
    });
}

fn come(stage: &mut Stage, text: &str, version: Option<u64>) {
    let (tag, request) = stage.asked_one();
    assert!(
        matches!(request, Request::Draft { at: None, .. }),
        "{request:?}"
    );
    let (text, path) = (text.to_owned(), "essays/1/draft.md".to_owned());
    stage.answer(
        tag,
        Reply::Draft {
            text,
            version,
            path,
            locked: None,
        },
    );
}

/// The changes sent since the last look, and what they were made on.
fn sent(stage: &mut Stage) -> (u64, u64, Vec<Splice>) {
    match stage.asked_one() {
        (tag, Request::Edit { base, splices, .. }) => (tag, base, splices),
        (_, other) => panic!("{other:?}"),
    }
}

fn taken(stage: &mut Stage, tag: u64, version: u64) {
    let (text, beside) = (None, None);
    stage.answer(
        tag,
        Reply::Edited {
            version,
            text,
            beside,
            typed: false,
        },
    );
}

fn saved(text: &str, by: By) -> Kind {
    Kind::DraftSaved {
        turn: None,
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

#[test]
fn one_key_opens_the_draft_and_words_typed_are_sent_within_a_second() {
    let mut stage = writing("One.\n");
    stage.type_text("So ");
    stage.wait(300);
    stage.type_text("then. ");
    assert!(stage.asks().is_empty());
    stage.wait(700);
    let (tag, base, splices) = sent(&mut stage);
    assert_eq!(base, 4);
    assert_eq!(spliced("One.\n", &splices).unwrap(), "So then. One.\n");
    stage.type_text("More. ");
    stage.wait(5_000);
    assert!(stage.asks().is_empty(), "one is under way");
    taken(&mut stage, tag, 5);
    let (_, base, splices) = sent(&mut stage);
    assert_eq!((base, splices[0].at), (5, 9));
}

#[test]
fn enter_makes_a_line_and_nothing_is_sent_to_an_agent() {
    let mut stage = writing("");
    stage.type_text("One");
    stage.press("enter ctrl-j alt-enter");
    stage.type_text("2");
    stage.wait(1_000);
    let (_, base, splices) = sent(&mut stage);
    assert_eq!(base, 4);
    assert_eq!(spliced("", &splices).unwrap(), "One\n\n\n2");
}

#[test]
fn leaving_sends_what_is_unsent_and_makes_it_a_version() {
    let mut stage = writing("One.\n");
    stage.type_text("x");
    stage.press("esc");
    let (tag, ..) = sent(&mut stage);
    taken(&mut stage, tag, 5);
    let (tag, request) = stage.asked_one();
    assert_eq!(request, Request::Settle { session: id(1) });
    stage.answer(tag, Reply::Done);
    stage.wait(9_000);
    assert!(stage.asks().is_empty());
    assert!(
        stage
            .frame(120, 40)
            .contains("The second paragraph is too flat.")
    );
}

#[test]
fn going_to_another_session_and_closing_leave_nothing_unsent() {
    let mut stage = writing("One.\n");
    stage.type_text("x");
    stage.press("ctrl-pgup");
    let asks = stage.asks();
    let edit = asks.iter().find(|a| matches!(a.1, Request::Edit { .. }));
    taken(&mut stage, edit.unwrap().0, 5);
    let asks = stage.asks();
    assert!(asks.iter().any(|a| matches!(a.1, Request::Settle { .. })));

    let mut stage = writing("One.\n");
    stage.type_text("x");
    let effects = stage.app.handle(fascicle::ui::Input::Close);
    assert!(!effects.contains(&Effect::Quit), "words are on their way");
    stage.effects.extend(effects);
    let (tag, ..) = sent(&mut stage);
    taken(&mut stage, tag, 5);
    let (tag, request) = stage.asked_one();
    assert_eq!(request, Request::Settle { session: id(1) });
    assert_eq!(stage.wanted(&Effect::Quit), 0);
    stage.answer(tag, Reply::Done);
    assert_eq!(stage.wanted(&Effect::Quit), 1);
}

#[test]
fn what_an_agent_writes_comes_in_while_the_writer_stays_at_the_same_word() {
    let mut stage = writing("One.\n\nTwo.\n");
    stage.press("down down");
    stage.type_text("Mine: ");
    stage.tell(
        1,
        saved("Zero.\n\nOne.\n\nTwo.\n", By::Agent("claude".into())),
    );
    let (tag, base, _) = sent(&mut stage);
    assert_eq!(base, 4);
    stage.answer(
        tag,
        Reply::Edited {
            version: 7,
            text: Some("Zero.\n\nOne.\n\nMine: Two.\n".to_owned()),
            beside: None,
            typed: false,
        },
    );
    stage.type_text("all ");
    let frame = stage.frame(120, 40);
    assert!(
        frame.contains("Zero.") && frame.contains("Mine: all Two."),
        "{frame}"
    );
    stage.press("ctrl-z ctrl-z");
    assert!(stage.frame(120, 40).contains("│  Two.") || !stage.frame(120, 40).contains("all Two."));
}

#[test]
fn an_undo_in_a_draft_that_was_just_opened_names_the_way_to_what_was_there_before() {
    let mut stage = writing(TEXT);
    stage.press("ctrl-z");
    let frame = stage.frame(120, 40);
    assert!(frame.contains("F6 shows its versions"), "{frame}");
}

/// The writer and an agent wrote in one paragraph: the agent's text, and a window in the draft.
fn met(by: By) -> (String, Stage) {
    let mut stage = writing(TEXT);
    stage.press("down down");
    stage.type_text("Suddenly ");
    let theirs = TEXT.replace("The window closed", "A window had closed");
    stage.tell(1, saved(&theirs, by));
    let (tag, ..) = sent(&mut stage);
    let mine = TEXT.replace("The window", "Suddenly The window");
    stage.tell(1, stays(&mine, 5));
    let (text, beside) = (None, Some(5));
    stage.answer(
        tag,
        Reply::Edited {
            version: 6,
            text,
            beside,
            typed: false,
        },
    );
    (theirs, stage)
}

/// The writer's text, with another version beside it.
fn stays(text: &str, other: u64) -> Kind {
    let mut kind = saved(text, By::You);
    if let Kind::DraftSaved { beside, .. } = &mut kind {
        *beside = Some(other);
    }
    kind
}

#[test]
fn where_both_wrote_the_writers_words_stand_and_both_are_compared() {
    let (theirs, mut stage) = met(By::Agent("claude".into()));
    let mine = TEXT.replace("The window", "Suddenly The window");
    for (cols, lines) in SIZES {
        golden(
            format!("draft_beside@{cols}x{lines}"),
            &stage.frame(cols, lines),
        );
    }
    stage.press("ctrl-r");
    let texts = [(1, None, mine.as_str(), 6), (1, Some(5), &theirs, 5)];
    let asked = give(&mut stage, &texts);
    let settled = |r: &Request| *r == Request::Settle { session: id(1) };
    assert!(asked.iter().any(|(_, r)| settled(r)), "{asked:?}");
    for (tag, _) in asked {
        stage.answer(tag, Reply::Done);
    }
    for (cols, lines) in SIZES {
        golden(
            format!("draft_both@{cols}x{lines}"),
            &stage.frame(cols, lines),
        );
    }
    stage.press("enter");
    let (tag, request) = stage.asked_one();
    let Request::Take { splices, from, .. } = request else {
        panic!("{request:?}");
    };
    assert_eq!(spliced(&mine, &splices).unwrap(), theirs);
    assert_eq!((from.session, from.seq), (id(1), 5));
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
    let mut took = saved(&theirs, By::Take);
    if let Kind::DraftSaved { from: of, .. } = &mut took {
        *of = Some(from);
    }
    stage.tell(1, took);
    let texts = [(1, None, theirs.as_str(), 7)];
    give(&mut stage, &texts);
    assert!(stage.frame(120, 40).contains("no difference"));
    stage.press("esc");
    give(&mut stage, &texts);
    let frame = stage.frame(120, 40);
    assert!(
        frame.contains("A window had closed") && !frame.contains("shows both"),
        "{frame}"
    );
}

#[test]
fn of_two_texts_that_differ_in_two_places_one_key_takes_one_and_goes_to_the_other() {
    let (theirs, mut stage) = met(By::Agent("claude".into()));
    let theirs = theirs.replace("under the letters", "behind the letters");
    let mine = TEXT.replace("The window", "Suddenly The window");
    stage.press("ctrl-r");
    let texts = [(1, None, mine.as_str(), 6), (1, Some(5), &theirs, 5)];
    give(&mut stage, &texts);
    let take = |stage: &mut Stage, now: &str, wanted: &str, left: bool| {
        stage.press("enter");
        let asked = give(stage, &[(1, None, now, 7)]).into_iter();
        let mut takes = asked.filter_map(|(tag, request)| match request {
            Request::Take {
                splices,
                from,
                rest,
                ..
            } => Some((tag, splices, from, rest)),
            _ => None,
        });
        let (tag, splices, from, rest) = takes.next().unwrap();
        assert_eq!(spliced(now, &splices).unwrap(), wanted);
        assert_eq!((from.seq, rest), (5, left));
        let (version, text, beside) = (7, None, None);
        let typed = false;
        let edited = Reply::Edited {
            version,
            text,
            beside,
            typed,
        };
        stage.answer(tag, edited);
        let mut took = saved(wanted, By::Take);
        if let Kind::DraftSaved { from: of, rest, .. } = &mut took {
            (*of, *rest) = (Some(from), left);
        }
        stage.tell(1, took);
        give(stage, &[(1, None, wanted, 7)]);
    };
    let one = TEXT.replace("The window closed", "A window had closed");
    take(&mut stage, &mine, &one, true);
    let frame = stage.frame(200, 50);
    assert!(frame.contains("keep yours"), "{frame}");
    take(&mut stage, &one, &theirs, false);
    let frame = stage.frame(120, 40);
    assert!(
        frame.contains("no difference") && !frame.contains("keep yours"),
        "{frame}"
    );
}

#[test]
fn one_key_keeps_the_draft_as_it_is_and_the_strip_is_gone() {
    let (theirs, mut stage) = met(By::Agent("claude".into()));
    let mine = TEXT.replace("The window", "Suddenly The window");
    stage.press("ctrl-r");
    let texts = [(1, None, mine.as_str(), 6), (1, Some(5), &theirs, 5)];
    give(&mut stage, &texts);
    stage.press("K");
    let (tag, request) = stage.asked_one();
    let deed = Deed::Dismiss { proposal: 5 };
    let session = id(1);
    assert_eq!(request, Request::Do { session, deed });
    stage.answer(tag, Reply::Done);
    stage.tell(1, Kind::DraftAnswered { proposal: 5 });
    let frame = stage.frame(120, 40);
    assert!(frame.contains("Suddenly The window"), "{frame}");
    assert!(!frame.contains("shows both"), "{frame}");
    assert!(frame.contains("the other text is kept"), "{frame}");
    stage.press("ctrl-r");
    assert!(stage.frame(120, 40).contains("No other text stands beside"));
}

#[test]
fn of_two_texts_in_a_row_both_are_answered_the_older_first() {
    let (theirs, mut stage) = met(By::Agent("claude".into()));
    let mine = TEXT.replace("The window", "Suddenly The window");
    stage.tell(1, saved("Another.", By::Outside));
    stage.tell(1, stays(&mine, 7));
    let frame = stage.frame(120, 40);
    assert!(frame.contains("claude changed a paragraph"), "{frame}");
    assert!(
        frame.contains("Another such text waits behind it."),
        "{frame}"
    );
    for (other, text) in [(5, theirs.as_str()), (7, "Another.")] {
        stage.press("ctrl-r");
        let texts = [(1, None, mine.as_str(), 8), (1, Some(other), text, other)];
        give(&mut stage, &texts);
        stage.press("K");
        let deed = Deed::Dismiss { proposal: other };
        let session = id(1);
        let dismissed = Request::Do { session, deed };
        let asked = stage.asks();
        assert!(asked.iter().any(|(_, r)| *r == dismissed), "{asked:?}");
        for (tag, _) in asked {
            stage.answer(tag, Reply::Done);
        }
        stage.tell(1, Kind::DraftAnswered { proposal: other });
        let frame = stage.frame(120, 40);
        assert!(!frame.contains("waits behind it"), "{frame}");
        assert_eq!(
            frame.contains("Another program changed"),
            other == 5,
            "{frame}"
        );
    }
}

#[test]
fn two_texts_of_one_paragraph_are_told_of_again_when_the_window_is_opened_again() {
    let mut stage = Stage::bare(Place {
        session: Some(id(1)),
        pane: Pane::Draft,
        ..Place::default()
    });
    stage.tell_list(&collections(), &rows());
    let mut kinds = log(1, "The lost afternoon", false);
    let theirs = TEXT.replace("The window closed", "A window had closed");
    kinds.push(saved(&theirs, By::Outside));
    kinds.push(stays(TEXT, 5));
    kinds.push(Kind::DraftEdited {
        base: 6,
        splices: Vec::new(),
    });
    stage.tell_log(1, &kinds);
    let asks = stage.asks();
    let draft = asks.iter().find(|a| matches!(a.1, Request::Draft { .. }));
    stage.answer(draft.unwrap().0, came(TEXT, 7));
    let frame = stage.frame(120, 40);
    assert!(frame.contains("! Another program changed a"), "{frame}");
    stage.tell(1, Kind::DraftAnswered { proposal: 5 });
    assert!(!stage.frame(120, 40).contains("shows both"));
}

#[test]
fn two_windows_in_one_paragraph_are_told_which_words_stand_and_what_to_press() {
    let (_, mut stage) = met(By::You);
    let frame = stage.frame(200, 50);
    assert!(
        frame.contains("! One paragraph was written in twice: the words that came last stand"),
        "{frame}"
    );
    assert!(frame.contains("Ctrl-R shows both."), "{frame}");
}

#[test]
fn an_agents_words_are_shown_while_they_are_written_where_the_writer_does_not_type() {
    let mut stage = writing(TEXT);
    stage.tell(1, prompt(2, "Begin it anew."));
    stage.tell(1, started(2));
    let piece = |text: &str| Kind::ToolDelta {
        turn: 2,
        call: "w".to_owned(),
        name: "write_draft".to_owned(),
        text: text.into(),
    };
    stage.tell(
        1,
        piece(r#"{"base_version":4,"text":"It was \u2019late\u2019"#),
    );
    let frame = stage.frame(200, 50);
    let told = "● claude is writing this draft: 3 words so far.";
    assert!(frame.contains(told), "{frame}");
    // In the draft, and in the transcript beside it.
    let old = |frame: &str| frame.matches("The window closed").count();
    assert_eq!(old(&frame), 2, "the writer is in it: {frame}");
    stage.press("esc");
    stage.tell(1, piece(r". Nobody\n\nwrote it \u001b[31mdown"));
    for (cols, lines) in SIZES {
        let name = format!("draft_coming@{cols}x{lines}");
        golden(name, &stage.frame(cols, lines));
    }
    let frame = stage.frame(200, 50);
    assert_eq!(old(&frame), 1, "{frame}");
    stage.tell(1, saved("It was late.\n", By::Agent("claude".into())));
    let done = Kind::ToolFinished {
        turn: 2,
        call: "w".to_owned(),
        ok: true,
        ms: 4,
        output: "Written.".into(),
    };
    let asks = stage.asks();
    stage.tell(1, done);
    assert_eq!(old(&stage.frame(200, 50)), 1, "it is not shown again");
    let draft = asks.iter().find(|a| matches!(a.1, Request::Draft { .. }));
    let version = stage.length(1) - 2;
    stage.answer(draft.unwrap().0, came("It was late.\n", version));
    let frame = stage.frame(200, 50);
    assert!(
        frame.contains("▎ It was late.") && !frame.contains("so far"),
        "{frame}"
    );
}

#[test]
fn without_a_host_words_wait_and_are_sent_when_it_is_back() {
    let mut stage = writing("One.\n");
    let ticket = stage.list_ticket();
    stage.give(fascicle::ui::Input::Lost {
        ticket,
        why: String::new(),
    });
    stage.type_text("x");
    stage.wait(2_000);
    assert!(
        stage
            .asks()
            .iter()
            .all(|a| !matches!(a.1, Request::Edit { .. }))
    );
    assert!(
        stage
            .frame(120, 40)
            .contains("Your words wait here for the host.")
    );
    stage.tell_list(&collections(), &rows());
    let asks = stage.asks();
    assert!(
        asks.iter()
            .any(|a| matches!(a.1, Request::Edit { base: 4, .. })),
        "{asks:?}"
    );
}

#[test]
fn what_is_refused_stays_and_says_why() {
    let mut stage = writing("One.\n");
    stage.type_text("x");
    stage.wait(1_000);
    let (tag, ..) = sent(&mut stage);
    stage.answer(tag, Reply::refused("The disk is full.", "Make room."));
    let frame = stage.frame(120, 40);
    assert!(
        frame.contains("Not kept yet: The disk is full. Make room."),
        "{frame}"
    );
    assert!(frame.contains("xOne."));
    stage.wait(4_000);
    let (_, base, splices) = sent(&mut stage);
    assert_eq!((base, splices.len()), (4, 1));
}

#[test]
fn where_nothing_can_be_written_the_draft_is_read_and_typing_says_why() {
    let mut stage = reading();
    stage.tell(1, saved(TEXT, By::You));
    stage.press("d");
    let (tag, _) = stage.asked_one();
    stage.answer(
        tag,
        Reply::refused("It can only be read.", "Nothing was done."),
    );
    let (tag, request) = stage.asked_one();
    let blob = format!("sha256:{}", sha256(TEXT.as_bytes()));
    let session = id(1);
    assert_eq!(request, Request::Blob { session, blob });
    let text = TEXT.to_owned();
    stage.answer(tag, Reply::Text { text });
    assert!(stage.frame(120, 40).contains("looked for it"));
    stage.type_text("x");
    stage.wait(1_000);
    let (tag, ..) = sent(&mut stage);
    stage.answer(
        tag,
        Reply::refused("It can only be read.", "Nothing was done."),
    );
    assert!(
        stage
            .frame(120, 40)
            .contains("Not kept yet: It can only be read.")
    );
}

#[test]
fn a_draft_that_is_no_text_is_only_read_until_it_is_one() {
    let mut stage = reading();
    stage.press("d");
    let draft = |text: &str, version, why: Option<&str>| Reply::Draft {
        text: text.to_owned(),
        version: Some(version),
        path: "essays/1/draft.md".to_owned(),
        locked: why.map(str::to_owned),
    };
    let (tag, _) = stage.asked_one();
    stage.answer(tag, draft("caf\u{fffd}", 4, Some("It can only be read.")));
    let frame = stage.frame(120, 40);
    assert!(frame.contains("read only: not UTF-8"), "{frame}");
    assert!(frame.contains("F8 convert to UTF-8"), "{frame}");
    stage.type_text("x");
    stage.press("ctrl-z ctrl-y backspace delete");
    stage.give(fascicle::ui::Input::Paste("pasted".to_owned()));
    stage.wait(2_000);
    assert!(stage.asks().is_empty());
    let frame = stage.frame(120, 40);
    assert!(
        frame.contains("It can only be read.") && frame.contains("caf\u{fffd}"),
        "{frame}"
    );
    stage.tell(1, saved("café", By::Outside));
    let (tag, _) = stage.asked_one();
    stage.answer(tag, draft("café", 5, None));
    stage.type_text("x");
    stage.wait(1_000);
    let (_, base, splices) = sent(&mut stage);
    assert_eq!(base, 5);
    assert_eq!(spliced("café", &splices).unwrap(), "xcafé");
}

#[test]
fn words_that_the_host_does_not_answer_for_are_kept_and_sent_by_the_next_window() {
    let mut stage = writing("One.\n");
    stage.type_text("x");
    stage.wait(1_000);
    let (_, _, first) = sent(&mut stage);
    stage.type_text("y");
    stage.give(fascicle::ui::Input::Close);
    assert_eq!(stage.wanted(&Effect::Quit), 0);
    stage.wait(2_000);
    assert_eq!(stage.wanted(&Effect::Quit), 1);
    assert!(stage.app.farewell().owed_line().is_some());
    let left = stage.app.left();
    let kept = left.owed[0].clone();
    assert_eq!((kept.session, kept.base), (id(1), 4));
    assert!(kept.splices.starts_with(&first));
    assert_eq!(spliced("One.\n", &kept.splices).unwrap(), "xyOne.\n");

    let mut stage = Stage::bare(left);
    stage.tell_list(&collections(), &rows());
    let asks = stage.asks();
    let is_it = |r: &Request| matches!(r, Request::Edit { base: 4, splices, late: true, .. } if *splices == kept.splices);
    let edits: Vec<_> = asks.iter().filter(|a| is_it(&a.1)).collect();
    assert_eq!(edits.len(), 1, "{asks:?}");
    assert_eq!(stage.app.left().owed.len(), 1, "till it is answered");
    taken(&mut stage, edits[0].0, 9);
    assert!(stage.app.left().owed.is_empty());
    assert!(stage.app.farewell().owed_line().is_none());
    assert!(stage.frame(120, 40).contains("last time is in it now"));
}

#[test]
fn words_are_found_replaced_and_brought_back() {
    let mut stage = writing(TEXT);
    stage.press("ctrl-f");
    stage.type_text("IT");
    assert!(
        stage.frame(120, 40).contains("of 6"),
        "{}",
        stage.frame(120, 40)
    );
    golden("draft_find@120x40", &stage.frame(120, 40));
    stage.press("ctrl-r");
    stage.type_text("that");
    stage.press("ctrl-j esc");
    assert!(stage.frame(120, 40).contains("wthath"));
    stage.press("ctrl-z");
    assert!(stage.frame(120, 40).contains("with"));
}

#[test]
fn a_search_behind_an_earlier_one_is_a_new_one_with_the_first_letter() {
    let mut stage = writing(TEXT);
    stage.press("ctrl-f");
    stage.type_text("sentence");
    stage.press("esc ctrl-f");
    assert!(stage.frame(120, 40).contains("Find sentence"));
    stage.type_text("drawers");
    let frame = stage.frame(120, 40);
    assert!(
        frame.contains("Find drawers") && frame.contains("1 of 1"),
        "{frame}"
    );
}

#[test]
fn the_keys_that_delete_to_an_end_take_a_row_and_no_whole_paragraph() {
    let words: Vec<String> = (1..=60).map(|n| format!("word{n}")).collect();
    let text = format!("{}\n", words.join(" "));
    for (keys, first, last) in [
        ("down end ctrl-u", true, true),
        ("ctrl-k", false, true),
        ("down end ctrl-u ctrl-u", false, true),
        ("down end ctrl-k", true, true),
        ("ctrl-end up ctrl-k", true, false),
    ] {
        let mut stage = writing(&text);
        stage.frame(80, 24);
        stage.press(keys);
        stage.wait(1_000);
        let (_, _, splices) = sent(&mut stage);
        let left = spliced(&text, &splices).unwrap();
        assert_eq!(left.contains("word1 "), first, "{keys}: {left}");
        assert_eq!(left.contains("word60"), last, "{keys}: {left}");
        let taken = 60 - left.split_whitespace().count();
        assert!((3..=30).contains(&taken), "{keys}: {taken} words");
    }
}

#[test]
fn a_tab_in_words_that_are_written_keeps_the_keys_and_says_which_lead_on() {
    let mut stage = writing("One.\n");
    stage.press("tab");
    assert_eq!(stage.app.left().pane, Pane::Draft);
    let frame = stage.frame(80, 24);
    let said = "A Tab is no indent here. Shift-Tab leads to your prompt, Esc back.";
    assert!(frame.contains(said), "{frame}");
    stage.type_text("fine ");
    assert!(stage.frame(80, 24).contains("fine One."));
    stage.press("backtab");
    assert_eq!(stage.app.left().pane, Pane::Composer);
    stage.type_text("Cut it");
    stage.frame(140, 24);
    stage.press("tab");
    assert_eq!(stage.app.left().pane, Pane::Draft, "these are words too");
    stage.press("esc");
    run(&mut stage, "close the draft");
    stage.press("tab");
    assert_eq!(stage.app.left().pane, Pane::Composer);
    let frame = stage.frame(80, 24);
    assert!(frame.contains("Esc leads to the words above."), "{frame}");
    run(&mut stage, "next pane");
    assert_eq!(stage.app.left().pane, Pane::Drawer, "asked for by name");
}

/// Without a draft in sight what is typed behind the Tab is the rest of the prompt.
#[test]
fn a_tab_behind_a_prompt_leads_into_no_draft_that_is_out_of_sight() {
    let mut stage = writing("One.\n");
    stage.press("backtab");
    for cols in [80, 139] {
        stage.frame(cols, 24);
        stage.type_text("Cut");
        stage.press("tab");
        assert_eq!(stage.app.left().pane, Pane::Composer, "{cols}");
        let said =
            "A Tab is no indent here. Esc leads to the words above, d from there to the draft.";
        let frame = stage.frame(cols, 24).replace('\n', "");
        assert!(frame.contains(said), "{frame}");
        stage.type_text(" it");
        assert!(stage.frame(cols, 24).contains("Cut it"));
        stage.press("ctrl-u");
    }
}

#[test]
fn esc_leads_back_from_the_draft_whichever_way_it_was_entered() {
    let mut stage = writing(TEXT);
    stage.press("esc");
    for (key, pane) in [("left", Pane::List), ("left", Pane::Drawer)] {
        stage.press(key);
        let many = if pane == Pane::List { 3 } else { 4 };
        for _ in 0..many {
            assert_ne!(stage.app.left().pane, Pane::Draft);
            stage.press("tab");
        }
        assert_eq!(stage.app.left().pane, Pane::Draft);
        stage.press("esc");
        assert_eq!(
            stage.app.left().pane,
            Pane::Composer,
            "Tab came from there, last"
        );
        stage.press("esc left");
        assert_eq!(stage.app.left().pane, Pane::List);
    }
    stage.press("left backtab");
    assert_eq!(stage.app.left().pane, Pane::Draft);
    stage.press("esc");
    assert_eq!(stage.app.left().pane, Pane::Drawer);
}

/// `fix all` behind it is a prompt, and makes no variant.
#[test]
fn esc_from_a_draft_that_was_written_in_leads_to_the_prompt_and_no_further() {
    let mut stage = writing(TEXT);
    stage.press("esc");
    assert_eq!(stage.app.left().pane, Pane::Transcript, "it was read alone");
    stage.press("d");
    stage.type_text("New. ");
    stage.press("esc");
    assert_eq!(stage.app.left().pane, Pane::Composer);
    stage.type_text("fix all");
    let frame = stage.frame(80, 24);
    assert!(frame.contains("› fix all"), "{frame}");
    stage.press("esc d down esc");
    assert_eq!(stage.app.left().pane, Pane::Transcript, "nothing new");
}

#[test]
fn what_is_wrong_with_the_file_of_a_draft_is_said_below_it_and_in_the_list() {
    let mut stage = writing(TEXT);
    let mut row = row(1, "The lost afternoon", State::Idle, 0);
    row.draft_trouble = Some("its folder essays/1 is nowhere in this workspace (there is no folder essays here). What is written is kept in the log, and comes into the file when the folder is back or the session is moved.".into());
    stage.tell_row(row.clone());
    for (cols, lines) in SIZES {
        let frame = stage.frame(cols, lines);
        golden(format!("draft_nowhere@{cols}x{lines}"), &frame);
    }
    stage.tell(
        1,
        Kind::Note {
            turn: None,
            text: "draft.md was gone from essays/1, and was put back.".into(),
        },
    );
    row.draft_trouble = None;
    stage.tell_row(row);
    let frame = stage.frame(80, 24);
    assert!(
        frame.contains("and was put back") && !frame.contains("nowhere"),
        "{frame}"
    );
}

#[test]
fn cut_and_copy_go_to_the_clipboard_and_can_be_pasted() {
    let mut stage = writing("One two.\n");
    stage.press("ctrl-l ctrl-x");
    assert_eq!(stage.wanted(&Effect::Copy("One".to_owned())), 1);
    stage.press("end ctrl-v ctrl-l ctrl-c");
    assert!(stage.frame(120, 40).contains(" two.One"));
}

#[test]
fn what_was_cut_is_pasted_in_lines_and_taken_out_of_them_again() {
    let mut stage = writing("One two.\n");
    stage.press("ctrl-l ctrl-x ctrl-f ctrl-v");
    let frame = stage.frame(120, 40);
    assert!(frame.contains("Find One"), "{frame}");
    stage.type_text(" two");
    stage.press("ctrl-x");
    assert_eq!(stage.wanted(&Effect::Copy("One two".to_owned())), 1);
    assert!(!stage.frame(120, 40).contains("Find One"));
    stage.press("ctrl-x");
    let frame = stage.frame(120, 40);
    assert!(
        frame.contains("Nothing is written in this line."),
        "{frame}"
    );
    stage.press("esc");
    run(&mut stage, "go to a session");
    stage.press("ctrl-v");
    assert!(stage.frame(120, 40).contains("One two"));
    stage.press("ctrl-x");
    assert_eq!(stage.wanted(&Effect::Copy("One two".to_owned())), 2);
    assert!(!stage.frame(120, 40).contains("One two"));
}

#[test]
fn lines_take_the_keys_of_cut_and_paste_that_the_configuration_names() {
    let other = |command: &str, key: &str| Rebound {
        command: command.to_owned(),
        keys: vec![key.to_owned()],
        at: None,
    };
    let rebound = [other("draft.cut", "alt-x"), other("draft.paste", "alt-v")];
    let (keys, wrong) = keymap::build(&rebound);
    assert!(wrong.is_empty(), "{wrong:?}");
    let settings = Settings { keys, ..settings() };
    let mut stage = read(Stage::with(settings, at_one()));
    stage.press("d");
    come(&mut stage, "One two.\n", Some(4));
    stage.press("ctrl-l alt-x esc");
    run(&mut stage, "go to a session");
    stage.press("alt-v ctrl-x");
    let cut = Effect::Copy("One".to_owned());
    assert_eq!(stage.wanted(&cut), 1, "it is no key of it any more");
    stage.press("alt-x");
    assert_eq!(stage.wanted(&cut), 2);
}

#[test]
fn an_empty_draft_says_what_its_agent_does_to_it() {
    let mut stage = writing("");
    let frame = stage.frame(120, 40);
    assert!(
        frame.contains("The agent reads it and writes in it too;"),
        "{frame}"
    );
    let mut row = row(1, "The lost afternoon", State::Idle, 0);
    (row.agent, row.model) = ("editor".to_owned(), None);
    stage.tell_row(row);
    let frame = stage.frame(120, 40);
    assert!(frame.contains("The editor reads it and mends"), "{frame}");
}

#[test]
fn what_is_cut_anywhere_in_the_window_is_pasted_anywhere_in_it() {
    let mut stage = writing("One two.\n");
    stage.press("ctrl-l ctrl-x esc enter ctrl-v");
    assert!(stage.frame(120, 40).contains("› One"), "into the prompt");
    stage.type_text(" more");
    let home = KeyEvent::new(KeyCode::Home, KeyModifiers::SHIFT);
    stage.give(Input::Key(home));
    stage.press("ctrl-x");
    assert_eq!(stage.wanted(&Effect::Copy("One more".to_owned())), 1);
    assert!(!stage.frame(120, 40).contains("› One"));
    stage.press("esc d ctrl-end ctrl-v");
    let frame = stage.frame(120, 40);
    assert!(frame.contains("One more"), "{frame}");
}

#[test]
fn a_prompt_typed_in_a_box_is_there_when_the_box_is_opened_again() {
    let mut stage = reading();
    stage.press("left space");
    stage.type_text("A long answer.");
    stage.press("esc");
    assert!(!stage.frame(120, 40).contains("A long answer."));
    let again = stage.app.left();
    stage.press("space");
    assert!(stage.frame(120, 40).contains("A long answer."));
    stage.press("esc down space");
    assert!(
        !stage.frame(120, 40).contains("A long answer."),
        "of one session alone"
    );
    let mut next = Stage::bare(again);
    next.tell_list(&collections(), &rows());
    next.press("space");
    let frame = next.frame(120, 40);
    assert!(
        frame.contains("A long answer."),
        "the next window has it, too:\n{frame}"
    );
    next.press("enter");
    let (_, request) = next.asks().pop().unwrap();
    assert!(matches!(request, Request::Send { .. }), "{request:?}");
    next.press("space");
    assert!(
        !next.frame(120, 40).contains("A long answer."),
        "what is sent is gone"
    );
}

#[test]
fn paragraphs_pasted_into_a_reply_are_sent_as_paragraphs() {
    let mut stage = reading();
    stage.press("left space");
    stage.asks();
    stage.give(Input::Paste("A.\r\n\r\nB.".to_owned()));
    assert!(stage.frame(120, 40).contains("A.¶¶B."));
    stage.press("enter");
    let sent = stage.asks().into_iter().find_map(|(_, asked)| match asked {
        Request::Send { text, .. } => Some(text),
        _ => None,
    });
    assert_eq!(sent.as_deref(), Some("A.\n\nB."));
}

#[test]
fn the_draft_stands_beside_the_transcript_where_there_is_room() {
    let mut stage = writing(TEXT);
    stage.press("esc");
    for cols in [80, 120] {
        assert!(
            !stage.frame(cols, 40).contains("She looked for it"),
            "{cols}"
        );
    }
    for cols in [140, 200] {
        let frame = stage.frame(cols, 50);
        assert!(
            frame.contains("looked for it") && frame.contains("too flat"),
            "{frame}"
        );
    }
    let theirs = TEXT.replace("drawers", "harbour");
    stage.tell(1, saved(&theirs, By::Agent("claude".into())));
    come(&mut stage, &theirs, Some(5));
    assert!(stage.frame(160, 50).contains("harbour"));
    stage.press("tab tab");
    stage.type_text("x");
    assert!(stage.frame(160, 50).contains("x# The lost afternoon"));
    stage.press("esc");
    run(&mut stage, "close the draft");
    assert!(!stage.frame(160, 50).contains("She looked"));
}

fn run(stage: &mut Stage, command: &str) {
    stage.press("ctrl-p");
    stage.type_text(command);
    stage.press("enter");
}

/// The window that comes after another one, its draft there.
fn again(stage: &Stage, text: &str) -> Stage {
    let left = serde_json::to_string(&stage.app.left()).unwrap();
    let mut stage = Stage::bare(serde_json::from_str(&left).unwrap());
    stage.tell_list(&collections(), &rows());
    let asked = stage.asks().into_iter();
    let mut drafts = asked.filter(|a| matches!(a.1, Request::Draft { .. }));
    let (tag, _) = drafts.next().unwrap();
    stage.answer(
        tag,
        Reply::Draft {
            text: text.to_owned(),
            version: Some(9),
            path: "essays/1/draft.md".to_owned(),
            locked: None,
        },
    );
    stage
}

/// A draft of more rows than a page has.
fn long() -> String {
    let line = |n: usize| format!("Paragraph {n} of the long piece.\n\n");
    (1..=80).map(line).collect()
}

#[test]
fn a_draft_shows_the_place_where_the_writer_stood_in_the_window_before() {
    let text = long();
    let mut stage = writing(&text);
    for _ in 0..50 {
        stage.press("down");
    }
    stage.press("end up up up up up up up up");
    let before = stage.frame(120, 40);
    assert!(!before.contains("Paragraph 1 of"), "{before}");
    let mut stage = again(&stage, &text);
    let frame = stage.frame(120, 40);
    let page = |frame: &str| -> Vec<String> {
        let lines = frame.lines().filter(|l| l.contains("Paragraph"));
        let words = lines.filter_map(|l| Some(l.split_once("│  Paragraph")?.1.to_owned()));
        words.collect()
    };
    // A line at the top says what happened meanwhile: the page begins that much later, and every row is where it was.
    let shown = page(&frame);
    assert!(
        shown.len() > 15 && page(&before).ends_with(&shown),
        "{before}\n{frame}"
    );
    // Somebody wrote before it meanwhile.
    let mut stage = again(&stage, &format!("New.\n\n{text}"));
    stage.type_text("HERE");
    let frame = stage.frame(120, 40);
    let line = frame.lines().find(|l| l.contains("HERE")).unwrap();
    assert!(
        line.contains("Paragraph 2") && !frame.contains("New."),
        "{frame}"
    );
}

#[test]
fn after_a_restart_esc_leads_where_it_led_before_and_the_draft_stands() {
    let mut stage = reading();
    stage.press("left");
    assert_eq!(stage.app.left().pane, Pane::List);
    stage.press("d");
    come(&mut stage, TEXT, Some(4));
    let mut stage = again(&stage, TEXT);
    stage.press("esc");
    assert_eq!(stage.app.left().pane, Pane::List);
    assert!(stage.frame(200, 50).contains("looked for it"));
}

#[test]
fn since_you_sat_down_counts_what_was_written_here_and_nothing_else() {
    let mut stage = writing("One.\n");
    let theirs = "One.\n\nTwo words and four more words.\n";
    stage.tell(1, saved(theirs, By::Agent("claude".into())));
    come(&mut stage, theirs, Some(5));
    let frame = stage.frame(120, 40);
    assert!(
        frame.contains("7 words") && !frame.contains("words · +"),
        "{frame}"
    );
    stage.type_text("So then, ");
    let frame = stage.frame(120, 40);
    assert!(frame.contains("9 words · +2"), "{frame}");
}

#[test]
fn the_window_reopens_in_the_draft_where_it_was_left() {
    let left = writing(TEXT).app.left();
    let mut stage = Stage::bare(left);
    stage.tell_list(&collections(), &rows());
    let asks = stage.asks();
    assert!(
        asks.iter().any(|a| matches!(a.1, Request::Draft { .. })),
        "{asks:?}"
    );
}

#[test]
fn digits_and_pastes_are_text_in_the_draft() {
    let mut stage = Stage::at(4);
    stage.tell_log(4, &log(4, "Memory", true));
    stage.wait(1_000);
    stage.press("esc d");
    stage.asks();
    let mut asking: Row = row(4, "Memory", State::NeedsYou, 0);
    asking.words = 3;
    stage.tell_row(asking);
    stage.press("1");
    assert!(stage.asks().is_empty());
    let mut stage = writing("");
    stage.give(fascicle::ui::Input::Paste("2 pasted\r\nlines".to_owned()));
    stage.wait(1_000);
    let (_, _, splices) = sent(&mut stage);
    assert_eq!(spliced("", &splices).unwrap(), "2 pasted\nlines");
}

#[test]
fn frames_of_the_draft() {
    let mut mixed = writing(include_str!("../fixtures/mixed-script.md"));
    let mut empty = writing("");
    let mut prose = writing(TEXT);
    prose.press("down down");
    prose.type_text("Suddenly ");
    for (cols, lines) in [(80, 24), (120, 40), (200, 50)] {
        let at = format!("@{cols}x{lines}");
        golden(format!("draft{at}"), &prose.frame(cols, lines));
        golden(format!("draft_empty{at}"), &empty.frame(cols, lines));
        golden(format!("draft_mixed{at}"), &mixed.frame(cols, lines));
    }
    prose.press("f1");
    golden("draft_help@80x24", &prose.frame(80, 24));
}

#[test]
fn borders_stay_straight_at_every_width() {
    let mut stage = writing(include_str!("../fixtures/mixed-script.md"));
    for cols in 20..=160 {
        let (buf, caret) = stage.paint(cols, 30);
        assert!(caret.is_some(), "{cols}");
        let rules: Vec<u16> = (0..cols).filter(|x| buf[(*x, 1)].symbol() == "│").collect();
        for y in 0..29 {
            for x in &rules {
                let symbol = buf[(*x, y)].symbol();
                assert!(
                    ["│", "├", "┤"].contains(&symbol),
                    "{cols}: {x},{y} {symbol:?}"
                );
            }
        }
    }
}

#[test]
fn a_draft_that_nothing_was_told_of_yet_is_not_called_untitled() {
    let mut stage = Stage::bare(Place {
        session: Some(id(1)),
        pane: Pane::Draft,
        ..Place::default()
    });
    let frame = stage.frame(80, 24);
    assert!(frame.contains("Draft"), "{frame}");
    assert!(!frame.contains("Untitled"), "{frame}");
}
