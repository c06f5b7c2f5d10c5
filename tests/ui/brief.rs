//! The view of the brief: keys to frames.

use fascicle::domain::brief::{Brief, Briefing, Mark, Sent, changed};
use fascicle::domain::event::{Kind, MemoryInjected};
use fascicle::domain::{
    self, CollectionRow, Notice, Reply, Request, Row, Stage as Standing, TurnNo,
};
use fascicle::memory::brief::{Gathered, Part, Piece, Source, compose};
use fascicle::ui::{Effect, Input};

use crate::compare::{SIZES, golden};
use crate::draft::reading;
use crate::stage::{NOON, Stage, collection, collections, id, rows};

const RULES: &str = "Write in British spelling.\n\nNever more than two adjectives to a noun. No rhetorical questions.";
const MEMORY: &str =
    "# Terms\n\n- The boat is *the chain ferry*, never a barge.\n- Hallam has two l.";
const MORE: &str = "# Terms\n\n- The boat is *the chain ferry*, never a barge or a punt.\n- Hallam has two l.\n- The bell is struck three times. *(04 Memory, 2026-02-28)*";

fn source(part: Part, path: &str, text: &str, unread: u64) -> Source {
    let (path, text) = (path.to_owned(), text.to_owned());
    Source {
        part,
        path,
        text,
        unread,
    }
}

fn brief(memory: &str, problem: bool) -> Brief {
    let piece = |title: &str, stage, words, own| Piece {
        id: id(9),
        title: title.to_owned(),
        line: None,
        stage,
        words,
        own,
    };
    let problem = problem.then(|| {
        "essays/CLAUDE.md, line 3: @../style.md leads out of the workspace; it is not sent."
            .to_owned()
    });
    let gathered = Gathered {
        sources: vec![
            source(Part::WorkspaceRules, "CLAUDE.md", RULES, 0),
            source(
                Part::Voice,
                "VOICE.md",
                "Plain and dry. Words never written: tapestry, testament.",
                4_100,
            ),
            source(Part::Memory, "essays/MEMORY.md", memory, 0),
        ],
        problems: problem.into_iter().collect(),
    };
    let pieces = [
        piece("01 Ferry", Some(Standing::Done), 1_204, false),
        piece("03 Session", None, 0, true),
    ];
    compose(&gathered, "Essays", &pieces)
}

fn briefing(brief: Brief, was: Option<&Brief>, turn: Option<TurnNo>) -> Briefing {
    let marks = |brief: &Brief| Mark::all(&brief.parts);
    let sent = [(1, 60), (4, 5)].map(|(turn, minutes)| Sent {
        turn,
        ts: NOON - minutes * 60_000,
    });
    Briefing {
        was: was.map(|was| was.text.clone()),
        changed: was.map_or_else(Vec::new, |was| changed(&marks(was), &marks(&brief))),
        brief,
        turn,
        sent: sent.to_vec(),
    }
}

/// Answers the request for a brief.
fn give(stage: &mut Stage, of: Option<TurnNo>, briefing: Briefing) {
    let (tag, request) = stage.asked_one();
    let session = id(1);
    assert_eq!(request, Request::Brief { session, turn: of });
    stage.answer(tag, Reply::Brief(Box::new(briefing)));
}

/// The brief of a session, changed since it was sent last.
fn opened() -> Stage {
    let mut stage = reading();
    stage.press("i");
    let (new, old) = (brief(MORE, true), brief(MEMORY, false));
    give(&mut stage, None, briefing(new, Some(&old), None));
    stage
}

#[test]
fn the_brief_is_shown_with_its_parts_where_they_come_from_and_what_changed() {
    for (cols, lines) in SIZES {
        let mut stage = opened();
        let frame = stage.frame(cols, lines);
        assert!(frame.contains("changed since turn 4"), "{frame}");
        assert!(frame.contains("~ Memory of the collection"), "{frame}");
        golden(format!("brief@{cols}x{lines}"), &frame);
    }
}

#[test]
fn what_is_wrong_with_a_brief_is_said_where_it_concerns_and_nowhere_else() {
    let mut stage = reading();
    let ticket = stage.list_ticket();
    let text = "The brief of “Essays”: essays/PROFILE.md is no text; it is not sent.".to_owned();
    let collection = collection("essays");
    stage.give(Input::Notice {
        ticket,
        notice: Notice::BriefTrouble { collection, text },
    });
    let says = |stage: &mut Stage| stage.frame(120, 40).contains("PROFILE.md is no text");
    assert!(says(&mut stage), "in a session of it");
    stage.press("i");
    assert!(says(&mut stage), "where the brief is shown");
    stage.press("esc left");
    assert!(!says(&mut stage), "in the list of all");
    stage.press("left");
    let mut said = vec![says(&mut stage)];
    for _ in 0..6 {
        stage.press("down");
        said.push(says(&mut stage));
    }
    said.dedup();
    assert_eq!(said, [false, true, false], "on its shelf alone");
}

#[test]
fn briefs_are_walked_back_to_the_first_and_forth_to_the_next() {
    for (cols, lines) in SIZES {
        let mut stage = opened();
        stage.press("left");
        give(
            &mut stage,
            Some(4),
            briefing(brief(MEMORY, false), Some(&brief("", false)), Some(4)),
        );
        let frame = stage.frame(cols, lines);
        assert!(frame.contains("as sent from turn 4 on, 13:57"), "{frame}");
        assert!(frame.contains("2 of 3"), "{frame}");
        golden(format!("brief_sent@{cols}x{lines}"), &frame);
        stage.press("left");
        give(
            &mut stage,
            Some(1),
            briefing(brief("", false), None, Some(1)),
        );
        let frame = stage.frame(cols, lines);
        assert!(frame.contains("1 of 3 · no difference"), "{frame}");
        stage.press("left");
        assert!(stage.frame(cols, lines).contains("This is the first brief"));
        stage.press("right right right");
        assert!(
            stage
                .frame(cols, lines)
                .contains("This is what the next turn gets")
        );
        assert!(stage.asks().is_empty(), "each was asked for once");
    }
}

#[test]
fn it_is_copied_exactly_as_it_is_sent_and_left_to_where_the_writer_was() {
    let mut stage = opened();
    stage.take_effects();
    stage.press("y");
    let copied = stage.take_effects().into_iter().find_map(|e| match e {
        Effect::Copy(text) => Some(text),
        _ => None,
    });
    assert_eq!(copied.unwrap(), brief(MORE, true).text);
    stage.press("esc");
    let frame = stage.frame(120, 40);
    assert!(
        frame.contains("The second paragraph is too flat."),
        "{frame}"
    );
}

#[test]
fn a_brief_that_is_sent_meanwhile_is_asked_for_anew_and_one_that_cannot_be_had_says_why() {
    let mut stage = opened();
    let now = brief(MORE, false);
    let injected = MemoryInjected {
        turn: 5,
        text: now.text.as_str().into(),
        parts: now.parts,
        changed: vec!["memory".to_owned()],
    };
    stage.tell(1, Kind::MemoryInjected(injected));
    let (tag, _) = stage.asked_one();
    let why = "The log could not be read: no such file.".to_owned();
    stage.answer(tag, Reply::Refused { why, hint: None });
    assert!(stage.frame(120, 40).contains("The log could not be read"));
}

#[test]
fn a_brief_whose_files_changed_or_whose_collection_says_something_else_is_asked_for_anew() {
    let mut stage = opened();
    let mut shelf = collections().remove(0);
    let changes: [fn(&mut CollectionRow); 3] = [
        |row| row.deeds += 1,
        |row| row.folder = "moved".to_owned(),
        |row| {
            row.pieces = vec![domain::Piece {
                stage: Some(Standing::Done),
                ..domain::Piece::new(id(2))
            }];
        },
    ];
    let told = changes.map(|change| {
        change(&mut shelf);
        Notice::Collection(Box::new(shelf.clone()))
    });
    let other = rows().into_iter().find(|row| row.id == id(2)).unwrap();
    let renamed = Row {
        title: "Another name".to_owned(),
        ..other
    };
    for notice in told.into_iter().chain([Notice::Row(Box::new(renamed))]) {
        let ticket = stage.list_ticket();
        stage.give(Input::Notice { ticket, notice });
        let frame = stage.frame(120, 40);
        assert!(frame.contains("The brief is being made"), "{frame}");
        give(&mut stage, None, briefing(brief(MORE, false), None, None));
        let frame = stage.frame(120, 40);
        assert!(frame.contains("no difference"), "{frame}");
    }
}

#[test]
fn the_transcript_says_in_a_line_that_the_brief_changed() {
    let mut stage = reading();
    let told = |stage: &mut Stage, changed: &[&str]| {
        let brief = brief(MEMORY, false);
        let injected = MemoryInjected {
            turn: 2,
            text: brief.text.into(),
            parts: brief.parts,
            changed: changed.iter().map(|c| (*c).to_owned()).collect(),
        };
        stage.tell(1, Kind::MemoryInjected(injected));
        stage.press("end");
        stage.frame(120, 40)
    };
    let frame = told(&mut stage, &["pieces"]);
    assert!(!frame.contains("The brief changed"), "{frame}");
    let frame = told(&mut stage, &["workspace_rules", "memory", "pieces"]);
    assert!(
        frame.contains("· The brief changed: rules of the workspace, memory."),
        "{frame}"
    );
    golden("brief_changed@120x40", &frame);
}
