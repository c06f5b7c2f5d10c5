//! Two drafts of a family beside each other: keys to frames, and words taken from one to the other.

use fascicle::domain::ask::{Busy, Deed, Which};
use fascicle::domain::event::{By, Origin};
use fascicle::domain::head::Was;
use fascicle::domain::splice::spliced;
use fascicle::domain::{Kind, Reply, Request};
use fascicle::text::hash::sha256;
use fascicle::ui::Effect;
use ratatui::style::Modifier;

use crate::families;
use crate::stage::{NOON, Stage, id};
use crate::undo::undone;

pub(crate) const DRAFT: &str = "# The lost afternoon\n\nThe window closed, and with it the morning’s last good sentence; nobody had written it down.\n\nShe looked for it in the drawers, under the letters, and between two pages that had stuck together.\n\nIt was not there.\n\nBy evening the rain had stopped, and the harbour lay as quiet as a page.\n";
const OTHER: &str = "# The lost afternoon\n\nBy evening the rain had stopped, and the harbour lay as quiet as a page.\n\nThe window closed, and with it my morning’s last good sentence; nobody had written it down.\n\nI looked for it in the drawers, under the letters, and between two pages that had stuck together.\n\nThen I made tea, and wrote this instead.\n";
const STORY: &str = "# The lost afternoon\n\nOnce the window closed, and with it the morning’s last good sentence.\n\nIt was not there.\n";
pub(crate) const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (200, 50)];

pub(crate) fn golden(name: impl AsRef<str>, frame: &str) {
    insta::with_settings!({
        snapshot_path => "../frames",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!(name.as_ref(), frame);
    });
}

pub(crate) fn came(text: &str, version: u64) -> Reply {
    Reply::Draft {
        text: text.to_owned(),
        version: Some(version),
        path: "essays/1/draft.md".to_owned(),
        locked: None,
    }
}

/// Answers what was asked for texts from a table of session, version, text and newest event; gives the rest.
pub(crate) fn give(
    stage: &mut Stage,
    texts: &[(u128, Option<u64>, &str, u64)],
) -> Vec<(u64, Request)> {
    let (mine, rest): (Vec<_>, Vec<_>) = stage
        .asks()
        .into_iter()
        .partition(|a| matches!(a.1, Request::Draft { .. }));
    for (tag, request) in mine {
        let Request::Draft { session, at } = request else {
            continue;
        };
        let found = texts.iter().find(|t| id(t.0) == session && t.1 == at);
        let (_, _, text, version) = found.unwrap_or_else(|| panic!("{session} at {at:?}"));
        stage.answer(tag, came(text, *version));
    }
    rest
}

/// The main line's draft and that of the first variant, beside each other.
fn comparing(left: &str, right: &str) -> Stage {
    let mut stage = families::listed();
    stage.asks();
    stage.press("down c");
    give(&mut stage, &[(3, None, left, 9), (7, None, right, 7)]);
    stage
}

/// What was to be taken: the request's tag, its base, the draft it makes, where it is from.
fn taking(stage: &mut Stage, draft: &str) -> (u64, u64, String, Origin) {
    match stage.asked_one() {
        (
            tag,
            Request::Take {
                session: _,
                base,
                splices,
                from,
                ..
            },
        ) => (tag, base, spliced(draft, &splices).unwrap(), from),
        (_, other) => panic!("{other:?}"),
    }
}

fn edited(stage: &mut Stage, tag: u64, version: u64) {
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
fn two_drafts_stand_side_by_side_or_below_each_other() {
    for (cols, lines) in SIZES {
        let mut stage = comparing(DRAFT, OTHER);
        golden(format!("compare@{cols}x{lines}"), &stage.frame(cols, lines));
        stage.press("s");
        let name = format!("compare_other_way@{cols}x{lines}");
        golden(name, &stage.frame(cols, lines));
    }
}

#[test]
fn words_that_differ_are_marked_without_colour() {
    let mut stage = comparing("It was late.\n", "It was early.\n");
    let (buf, _) = stage.paint(120, 40);
    let marked: String = buf
        .content()
        .iter()
        .filter(|c| c.modifier.contains(Modifier::UNDERLINED))
        .map(ratatui::buffer::Cell::symbol)
        .collect();
    assert_eq!(marked, "lateearly");
}

#[test]
fn one_key_takes_a_paragraph_and_the_view_stays_where_it_is() {
    let mut stage = comparing(DRAFT, OTHER);
    stage.frame(120, 40);
    stage.press("n enter");
    let (tag, base, text, from) = taking(&mut stage, DRAFT);
    assert_eq!(base, 9);
    let want = DRAFT.replace("it the morning’s", "it my morning’s");
    assert_eq!(text, want);
    assert_eq!(
        from,
        Origin {
            session: id(7),
            seq: 7
        }
    );
    edited(&mut stage, tag, 12);
    give(&mut stage, &[(3, None, &want, 12)]);
    let frame = stage.frame(120, 40);
    assert!(frame.contains("1 paragraph. u undoes it."), "{frame}");
    assert!(frame.contains("▌  The window closed"), "{frame}");
    stage.press("n enter");
    let (_, base, text, _) = taking(&mut stage, &want);
    assert_eq!(base, 12);
    assert_eq!(text, want.replace("She looked", "I looked"));
}

#[test]
fn all_is_taken_byte_for_byte_and_a_range_from_its_mark() {
    let mut stage = comparing(DRAFT, OTHER);
    stage.press("A");
    assert_eq!(taking(&mut stage, DRAFT).2, OTHER);

    let mut stage = comparing(DRAFT, OTHER);
    stage.frame(120, 40);
    stage.press("n m n enter");
    let text = taking(&mut stage, DRAFT).2;
    let want = DRAFT.replace("it the morning’s", "it my morning’s");
    assert_eq!(text, want.replace("She looked", "I looked"));
}

#[test]
fn turned_round_the_other_draft_is_written_to() {
    for key in ["x", "tab"] {
        let mut stage = comparing(DRAFT, OTHER);
        stage.press(key);
        assert!(
            stage
                .frame(120, 40)
                .contains("What is taken goes into “Session: first person” now.")
        );
        stage.press("A");
        let asked = stage.asked_one().1;
        let Request::Take {
            session,
            base,
            splices,
            from,
            ..
        } = asked
        else {
            panic!("{asked:?}");
        };
        assert_eq!((session, base, from.session), (id(7), 7, id(3)));
        assert_eq!(spliced(OTHER, &splices).unwrap(), DRAFT);
    }
}

#[test]
fn a_draft_that_changes_meanwhile_is_compared_again() {
    let mut stage = comparing(DRAFT, OTHER);
    stage.frame(120, 40);
    stage.press("n n");
    let grown = format!("A new beginning.\n\n{OTHER}");
    stage.tell(7, saved(&grown, By::Agent("claude".to_owned())));
    give(&mut stage, &[(7, None, &grown, 8)]);
    let frame = stage.frame(120, 40);
    assert!(frame.contains("A new beginning."), "{frame}");
    assert!(frame.contains("▌~ She looked"), "{frame}");
}

#[test]
fn the_variant_is_adopted_from_there_and_undone() {
    let mut stage = comparing(DRAFT, OTHER);
    stage.press("a");
    let (tag, request) = stage.asked_one();
    let (session, busy) = (id(7), Busy::Ask);
    assert_eq!(request, Request::Adopt { session, busy });
    stage.answer(tag, Reply::Done);
    stage.press("u");
    let (tag, request) = stage.asked_one();
    assert!(
        matches!(request, Request::Do { deed: Deed::Undo(Which::NEW), session } if session == id(7)),
        "{request:?}"
    );
    let back = undone(Was::Main(id(3)), NOON, (false, false));
    stage.answer(tag, back);
    let frame = stage.frame(200, 50);
    assert!(frame.contains("U does it again."), "{frame}");
}

#[test]
fn where_one_paragraph_is_read_an_adoption_is_named_before_it_is_undone() {
    let mut stage = comparing(DRAFT, OTHER);
    stage.press("a");
    let (tag, _) = stage.asked_one();
    stage.answer(tag, Reply::Done);
    stage.frame(120, 40);
    stage.press("n o");
    stage.asks();
    stage.press("u");
    let (tag, request) = stage.asked_one();
    let names = Which {
        names: true,
        ..Which::NEW
    };
    let (session, deed) = (id(7), Deed::Undo(names));
    assert_eq!(request, Request::Do { session, deed });
    stage.answer(tag, undone(Was::Main(id(3)), NOON, (false, true)));
    let frame = stage.frame(120, 40);
    assert!(frame.contains("Undo it, so that"), "{frame}");
}

#[test]
fn back_leads_to_where_the_writer_was_and_lets_go() {
    let mut stage = comparing(DRAFT, OTHER);
    let ticket = stage.ticket(id(7)).unwrap();
    stage.press("esc");
    assert_eq!(stage.wanted(&Effect::Detach { ticket }), 1);
    assert!(stage.frame(120, 40).contains("┬") || stage.frame(120, 40).contains("first person"));
    stage.press("c");
    give(&mut stage, &[(3, None, DRAFT, 9), (7, None, OTHER, 7)]);
    assert!(stage.frame(120, 40).contains("Compare · difference 1"));
    stage.press("n o left");
    assert!(stage.frame(120, 40).contains("Compare · difference 2"));
    stage.press("left");
    assert!(!stage.frame(120, 40).contains("Compare · difference"));
}

#[test]
fn what_the_draft_has_already_is_said_and_not_asked_for() {
    let mut stage = comparing(DRAFT, DRAFT);
    stage.asks();
    for key in ["enter", "A"] {
        stage.press(key);
        let frame = stage.frame(120, 40);
        assert!(
            frame.contains("“Session” has these words already."),
            "{frame}"
        );
    }
    assert!(stage.asks().is_empty());
    let mut stage = comparing(DRAFT, OTHER);
    stage.asks();
    stage.press("home enter");
    assert!(
        stage
            .frame(120, 40)
            .contains("this paragraph is the same in both")
    );
    assert!(stage.asks().is_empty());
}

#[test]
fn nothing_is_put_into_a_draft_that_cannot_be_written_and_the_reason_is_said() {
    let mut stage = families::listed();
    stage.asks();
    stage.press("down c");
    for (tag, request) in stage.asks() {
        let text = match request {
            Request::Draft { session, .. } if session == id(3) => DRAFT,
            Request::Draft { .. } => OTHER,
            _ => continue,
        };
        let locked = (text == DRAFT).then(|| "draft.md is a link: it is only read.".to_owned());
        let (text, version, path) = (text.to_owned(), Some(9), String::new());
        stage.answer(
            tag,
            Reply::Draft {
                text,
                version,
                path,
                locked,
            },
        );
    }
    stage.asks();
    stage.press("enter");
    assert!(
        stage
            .frame(120, 40)
            .contains("draft.md is a link: it is only read.")
    );
    assert!(stage.asks().is_empty());
}

#[test]
fn the_paragraph_at_hand_is_read_in_every_variant_and_picked() {
    for (cols, lines) in SIZES {
        let mut stage = comparing(DRAFT, OTHER);
        stage.frame(cols, lines);
        stage.press("n o");
        give(
            &mut stage,
            &[(8, None, STORY, 3), (9, None, "Quite another.\n", 2)],
        );
        golden(
            format!("compare_others@{cols}x{lines}"),
            &stage.frame(cols, lines),
        );
        stage.press("down down enter");
        let (_, base, text, from) = taking(&mut stage, DRAFT);
        assert_eq!((base, from.session), (9, id(8)));
        let old = "The window closed, and with it the morning’s last good sentence; nobody had written it down.";
        let new = "Once the window closed, and with it the morning’s last good sentence.";
        assert_eq!(text, DRAFT.replace(old, new));
        assert!(stage.frame(cols, lines).contains("Compare · difference"));
    }
}

#[test]
fn a_text_without_the_paragraph_has_nothing_to_pick_and_yours_stays() {
    let mut stage = comparing(DRAFT, OTHER);
    stage.frame(120, 40);
    stage.press("n o");
    give(
        &mut stage,
        &[(8, None, STORY, 3), (9, None, "Quite another.\n", 2)],
    );
    stage.press("down down down");
    let frame = stage.frame(120, 40);
    assert!(frame.contains("It has no paragraph like this one."));
    assert!(!frame.contains("Enter pick"), "{frame}");
    stage.press("enter");
    assert!(stage.asks().is_empty());
    let frame = stage.frame(120, 40);
    assert!(frame.contains("there is nothing to pick"), "{frame}");
    stage.press("up");
    assert!(stage.frame(120, 40).contains("Enter pick"));
}

#[test]
fn what_cannot_be_read_says_why_and_an_empty_draft_takes_everything() {
    let mut stage = families::listed();
    stage.asks();
    stage.press("down c");
    assert!(stage.frame(120, 40).contains("The text is being read…"));
    let asks = stage.asks();
    for (tag, request) in asks {
        if matches!(request, Request::Draft { session, .. } if session == id(7)) {
            let why = Reply::refused("The draft is a folder now.", "Move it away.");
            stage.answer(tag, why);
        } else if matches!(request, Request::Draft { .. }) {
            stage.answer(tag, came(DRAFT, 9));
        }
    }
    assert!(stage.frame(120, 40).contains("The draft is a folder now."));

    let mut stage = comparing("", OTHER);
    golden("compare_empty@120x40", &stage.frame(120, 40));
    stage.press("enter");
    assert_eq!(taking(&mut stage, "").2, "# The lost afternoon\n");
    let mut stage = comparing("", "");
    assert!(stage.frame(120, 40).contains("Both are empty"));
}

#[test]
fn any_script_and_any_size_are_drawn() {
    let mixed = include_str!("../fixtures/mixed-script.md");
    let other = mixed.replace(' ', "  ").replace('の', "と");
    let long = "word ".repeat(4_000);
    let longer = long.replacen("word word", "word and word", 7);
    for (left, right) in [(mixed, &*other), (&*long, &*longer), ("", mixed)] {
        let mut stage = comparing(left, right);
        for (cols, lines) in [(1, 1), (20, 6), (24, 8), (60, 10), (80, 24), (200, 50)] {
            for keys in ["n", "j", "pgdn", "s", "k", "pgup", "end", "x", "home", "p"] {
                stage.press(keys);
                stage.paint(cols, lines);
            }
        }
    }
    let mut stage = comparing(mixed, &other);
    golden("compare_mixed@120x40", &stage.frame(120, 40));
}

#[test]
fn a_paragraph_longer_than_the_page_is_read_to_its_end() {
    let long: String = (0..600).map(|n| format!("word{n} ")).collect();
    let mut stage = comparing(&long, &format!("{long}end"));
    stage.frame(80, 24);
    for _ in 0..40 {
        stage.press("down");
        stage.frame(80, 24);
    }
    let frame = stage.frame(80, 24);
    assert!(frame.contains("word599 end"), "{frame}");
    for _ in 0..40 {
        stage.press("up");
        stage.frame(80, 24);
    }
    assert!(stage.frame(80, 24).contains("word0 "));
}

#[test]
fn a_paragraph_that_only_the_draft_has_is_taken_out_and_hint_and_message_say_so() {
    let text = "# One\n\nKeep this.\n\nMine alone.\n\nThe end.\n";
    let other = "# One\n\nKeep this.\n\nThe end.\n";
    let mut stage = comparing(text, other);
    let frame = stage.frame(120, 40);
    assert!(frame.contains("▌− Mine alone."), "{frame}");
    assert!(frame.contains("Enter take out ·"), "{frame}");
    stage.press("enter");
    let (tag, _, taken, _) = taking(&mut stage, text);
    assert_eq!(taken, other);
    edited(&mut stage, tag, 12);
    let frame = stage.frame(120, 40);
    assert!(
        frame.contains("Taken out: 1 paragraph. u undoes it."),
        "{frame}"
    );
    // The other way round the words come in.
    let mut stage = comparing(other, text);
    let frame = stage.frame(120, 40);
    assert!(frame.contains("Enter take ·"), "{frame}");
}

#[test]
fn of_a_range_it_is_said_what_came_and_what_went() {
    let text = "# One\n\nKeep this line as it is.\n\nMine alone.\n\nThe end.\n";
    let other = "# One\n\nKeep this line as it was.\n\nThe end.\n";
    let mut stage = comparing(text, other);
    stage.frame(120, 40);
    stage.press("A");
    let (tag, ..) = taking(&mut stage, text);
    edited(&mut stage, tag, 12);
    let frame = stage.frame(120, 40);
    assert!(
        frame.contains("1 paragraph; 1 taken out. u undoes"),
        "{frame}"
    );
}

#[test]
fn at_eighty_cells_the_bar_names_all_that_is_done_with_two_texts() {
    let frame = comparing(DRAFT, OTHER).frame(80, 24);
    for hint in [
        "Enter take",
        "n next",
        "A take all",
        "a adopt",
        "Esc back",
        "? keys",
    ] {
        assert!(frame.contains(hint), "{hint}: {frame}");
    }
}
