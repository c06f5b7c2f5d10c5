//! The whole arc with its keys counted: write, try variants while it streams, compare, take a paragraph, adopt, regret;
//! on the sample with no agent, and with one.
//!
//! What counts as a key is said in `stories_counted`.

use fascicle::domain::event::{By, Kind, Status};
use fascicle::domain::{SessionId, State};
use fascicle::ui::Place;

use crate::bench::{Bench, Disk};
use crate::sample;
use crate::stage::{NOON, id, settings};

/// Sizes at which each story is told: three panes, two, one.
const SIZES: [(u16, u16); 3] = [(120, 40), (80, 24), (50, 16)];

const EVENING: &str = "The evening round\n\nEvery evening at six he climbed down to the harbour wall and read the sea \
                       off a painted pole.\n\nHe wrote the height into a ledger.";

const FIRST: &str = "The evening round\n\nEvery evening at six I climbed down behind him and held the lamp.\n\n\
                     He wrote the height into a ledger.";

/// A piece with a draft, its agent writing on; the window in its composer.
fn streaming() -> (Bench, SessionId) {
    let mut bench = Bench::open(Disk::default(), settings(), Place::default(), NOON);
    bench.type_text("An essay about the evening round.");
    bench.press("enter");
    let main = bench.stage.app.left().session.unwrap();
    bench.begins(main);
    bench.writes(main, EVENING, usize::MAX);
    bench.ends(main, 0, "It is in the draft.");
    bench.type_text("Go on from the ledger.");
    bench.press("enter");
    bench.begins(main);
    bench.says(main, 0, "Then the second evening, ");
    (bench, main)
}

fn at(bench: &Bench) -> SessionId {
    bench.stage.app.left().session.unwrap()
}

#[test]
fn two_variants_are_tried_in_mid_stream_and_the_original_streams_on() {
    for (cols, rows) in SIZES {
        let (mut bench, main) = streaming();
        let before = bench.disk.logs[&main].clone();
        bench.frame(cols, rows);
        bench.type_text("Let me tell it, in the first person.");
        bench.stage.keys.count();
        bench.press("ctrl-t");
        bench.stage.keys.at_most(1, "a variant is tried");
        let first = at(&bench);
        assert_ne!(first, main);
        bench.begins(first);
        // The original goes on meanwhile, and is one key away.
        bench.says(main, 0, "and the third. ");
        bench.stage.keys.count();
        bench.press("ctrl-o");
        bench.stage.keys.at_most(1, "back on the original");
        assert_eq!(at(&bench), main);
        bench.type_text("As a letter to the harbour office.");
        bench.press("ctrl-t");
        let second = at(&bench);
        bench.begins(second);
        bench.writes(first, FIRST, usize::MAX);
        bench.ends(first, 0, "It is yours now.");
        bench.ends(main, 0, "Then the second evening, and the third.");
        let log = &bench.disk.logs[&main];
        assert_eq!(
            log[..before.len()],
            before[..],
            "what was there is as it was"
        );
        let said = |e: &&fascicle::domain::Event| matches!(e.kind, Kind::Delta { .. });
        assert_eq!(log.iter().filter(said).count(), 7, "every word came");
        assert_eq!(bench.disk.draft(main).1, EVENING);
        assert_eq!(bench.disk.draft(first).1, FIRST);
        assert_eq!(
            bench.disk.draft(second).1,
            EVENING,
            "the draft as of the fork"
        );
        let states = [main, first, second].map(|s| bench.disk.head(s).state(true));
        assert_eq!(states[2], State::Writing);
        let ended = bench.disk.logs[&second].iter().any(|e| {
            matches!(&e.kind, Kind::TurnFinished { status: Status::Interrupted, reason: Some(why), .. } if why == "forked here")
        });
        assert!(ended, "the turn that was open ends in the variant");
    }
}

#[test]
fn the_list_shows_who_was_forked_from_whom_while_they_write() {
    let (mut bench, main) = streaming();
    bench.type_text("Let me tell it.");
    bench.press("ctrl-t");
    let first = at(&bench);
    bench.begins(first);
    bench.says(first, 0, "I climbed down ");
    bench.press("ctrl-o");
    bench.type_text("As a letter.");
    bench.press("ctrl-t");
    let second = at(&bench);
    bench.begins(second);
    let frame = bench.frame(120, 40);
    for row in [
        "● An essay about",
        "├ ● As a letter.",
        "└ ● Let me tell it.",
    ] {
        assert!(frame.contains(row), "{row}: {frame}");
    }
    assert!(frame.contains(" ★"), "{frame}");
    assert!(frame.contains("●3"), "{frame}");
    assert_eq!(bench.disk.main(second), main);
}

#[test]
fn from_a_line_each_three_variants_are_begun_side_by_side() {
    let (mut bench, main) = streaming();
    bench.type_text("Open it in another way:");
    for line in ["first person", "third person", "with a story"] {
        bench.press("alt-enter");
        bench.type_text(line);
    }
    bench.frame(120, 40);
    bench.stage.keys.count();
    bench.press("ctrl-t ctrl-t enter");
    bench.stage.keys.at_most(3, "three variants");
    let family = bench.disk.family(main);
    let names: Vec<_> = family.iter().map(|m| m.1.title().to_owned()).collect();
    assert_eq!(names[1..], ["first person", "third person", "with a story"]);
    let at_one: Vec<_> = family[1..]
        .iter()
        .map(|m| m.1.kin.parent.unwrap().seq)
        .collect();
    assert!(at_one.windows(2).all(|w| w[0] == w[1]), "{at_one:?}");
    assert_eq!(at(&bench), family[1].0, "the first of them is open");
    let frame = bench.frame(120, 40);
    assert!(
        frame.contains("3 variants of “An essay about the evening round.” begin"),
        "{frame}"
    );
    bench.press("ctrl-o");
    assert!(
        !bench.frame(120, 40).contains("› Open it"),
        "nothing is left in the composer"
    );
    assert!(bench.disk.head(main).is_open(), "the original goes on");
}

#[test]
fn an_earlier_prompt_is_written_in_other_words_in_a_variant() {
    let (mut bench, main) = streaming();
    bench.ends(main, 0, "Then the second evening.");
    bench.frame(120, 40);
    bench.press("esc K");
    bench.stage.keys.count();
    bench.press("f");
    bench.stage.keys.at_most(1, "forked at the prompt");
    let variant = at(&bench);
    let frame = bench.frame(120, 40);
    assert!(frame.contains("› Go on from the ledger."), "{frame}");
    bench.press("ctrl-u");
    bench.type_text("Go on from the lamp.");
    bench.press("enter");
    let prompts = |s| -> Vec<String> {
        let all = bench.disk.logs[&s].iter().filter_map(|e| match &e.kind {
            Kind::Prompt { text, .. } => Some(text.shown().to_owned()),
            _ => None,
        });
        all.collect()
    };
    assert_eq!(prompts(variant)[1..], ["Go on from the lamp."]);
    assert_eq!(prompts(main)[1..], ["Go on from the ledger."]);
}

#[test]
fn what_is_unsent_stays_where_it_was_written_whatever_is_done_with_the_family() {
    let (mut bench, main) = streaming();
    bench.type_text("Half a thought");
    bench.press("left");
    bench.press("esc left f");
    let variant = at(&bench);
    assert_ne!(variant, main);
    bench.type_text("Another half");
    bench.press("esc left");
    bench.stop(main);
    bench.press("a");
    assert_eq!(bench.disk.main(main), variant);
    bench.press("del u u");
    assert_eq!(bench.disk.main(main), main, "both are taken back");
    for (session, text) in [(main, "› Half a thought"), (variant, "› Another half")] {
        bench.press("ctrl-o");
        if at(&bench) != session {
            bench.press("ctrl-o");
        }
        assert_eq!(at(&bench), session);
        let frame = bench.frame(120, 40);
        assert!(frame.contains(text), "{frame}");
        assert_eq!(
            bench.disk.unsent[&Some(session)],
            text.trim_start_matches("› ")
        );
    }
}

#[test]
fn a_variant_is_adopted_while_a_turn_runs_and_regretted_after_the_window_was_closed() {
    let (mut bench, main) = streaming();
    bench.type_text("Let me tell it.");
    bench.press("ctrl-t");
    let variant = at(&bench);
    bench.begins(variant);
    bench.writes(variant, FIRST, usize::MAX);
    bench.ends(variant, 0, "It is yours.");
    bench.frame(120, 40);
    bench.press("left");
    bench.frame(120, 40);
    bench.stage.keys.count();
    bench.press("a");
    let frame = bench.frame(120, 40);
    assert!(frame.contains("a turn runs"), "{frame}");
    bench.wait(300);
    bench.press("s");
    bench.stage.keys.at_most(2, "adopted, the turn stopped");
    assert_eq!(bench.disk.main(main), variant);
    assert!(!bench.disk.head(main).is_open());
    let folder = |bench: &Bench, s| bench.disk.head(s).place.unwrap().folder;
    assert!(
        folder(&bench, main).contains('~'),
        "the folders have changed places"
    );
    let frame = bench.frame(200, 50);
    assert!(frame.contains("… ★ "), "{frame}");
    assert!(frame.contains("original"), "{frame}");
    // Another window, the next day.
    let left = bench.stage.app.left();
    let mut bench = Bench::open(bench.disk, settings(), left, NOON + 86_400_000);
    bench.frame(120, 40);
    bench.stage.keys.count();
    bench.press("u");
    bench.stage.keys.at_most(1, "regretted");
    assert_eq!(bench.disk.main(main), main);
    assert!(!folder(&bench, main).contains('~'));
    let frame = bench.frame(120, 40);
    assert!(
        frame.contains("the main line is “original” again"),
        "{frame}"
    );
    assert_eq!(bench.disk.draft(variant).1, FIRST, "nothing is deleted");
    let by_agent = |e: &&fascicle::domain::Event| {
        matches!(
            &e.kind,
            Kind::DraftSaved {
                by: By::Agent(_),
                ..
            }
        )
    };
    assert_eq!(bench.disk.logs[&variant].iter().filter(by_agent).count(), 2);
}

#[test]
fn on_the_sample_with_no_agent_a_variant_is_adopted_and_regretted() {
    for (cols, rows) in SIZES {
        let mut told = settings();
        told.agents.choices[0].agent = "editor".to_owned();
        let mut bench = Bench::open(sample::disk(NOON), told, Place::default(), NOON);
        let named = |bench: &Bench, title: &str| {
            let mut all = bench.disk.logs.keys().copied();
            all.find(|s| bench.disk.head(*s).title() == title).unwrap()
        };
        let main = named(&bench, "Last crossing");
        let story = named(&bench, "open with a story");
        assert_eq!(bench.disk.family(main).len(), 4);
        let drafts: Vec<_> = bench
            .disk
            .family(main)
            .iter()
            .map(|m| bench.disk.draft(m.0).1.to_owned())
            .collect();
        assert!(
            drafts
                .iter()
                .all(|d| drafts.iter().filter(|e| *e == d).count() == 1),
            "they really differ"
        );
        bench.frame(cols, rows);
        bench.press("left");
        bench.frame(cols, rows);
        while bench.stage.frame(cols, rows).is_empty() || cursor(&mut bench) != story {
            bench.press("down");
        }
        bench.stage.keys.count();
        bench.press("a");
        bench.stage.keys.at_most(1, "adopted");
        assert_eq!(bench.disk.main(main), story);
        bench.stage.keys.count();
        bench.press("u");
        bench.stage.keys.at_most(1, "regretted");
        assert_eq!(bench.disk.main(main), main);
        assert_eq!(bench.disk.family(main).len(), 4);
    }
}

/// The session under the cursor of the list: asked by opening it, and going back.
fn cursor(bench: &mut Bench) -> SessionId {
    bench.press("enter");
    let session = at(bench);
    bench.press("esc left");
    session
}

#[test]
fn a_family_of_two_hundred_is_one_tree() {
    let mut disk = Disk::default();
    let main = disk.make(
        NOON - 86_400_000,
        &crate::stage::collection("essays"),
        Some("Tides"),
    );
    disk.turn(main, NOON - 86_000_000, ["Begin.", "It is begun."], EVENING);
    for n in 0..200_u32 {
        let parent = if n % 5 == 0 {
            main
        } else {
            id(u128::from(n) + 1)
        };
        disk.fork(
            NOON - 80_000_000 + i64::from(n),
            parent,
            None,
            Some(format!("variant {n}")),
            None,
        );
    }
    let mut bench = Bench::open(disk, settings(), Place::default(), NOON);
    bench.press("left home");
    let frame = bench.frame(120, 40);
    assert!(frame.contains("Tides ★"), "{frame}");
    bench.press(".");
    assert!(bench.frame(120, 40).contains("Tides ★  +200"));
    bench.press(". end");
    assert!(bench.frame(120, 40).contains("variant"));
}
