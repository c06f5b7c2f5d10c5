//! The memory of a collection in the window: keys to frames.

use fascicle::domain::drawer::{
    Diff, FileRow, FileVersion, Hand, Kept, MemoryDeed, Offer, Proposal, Proposed, Sheet, Standing,
    What,
};
use fascicle::domain::event::By;
use fascicle::domain::{CollectionId, CollectionRow, Kind, Notice, Reply, Request, State};
use fascicle::ui::Input;

use crate::compare::{SIZES, came, golden};
use crate::draft::{reading, writing};
use crate::stage::{NOON, Stage, collection, collections, finished, id, row};

const DAY: i64 = 86_400_000;

/// Essays with so many proposals that wait, after so many deeds.
fn essays(waiting: u32, deeds: u64) -> CollectionRow {
    let mut row = collections().remove(0);
    (row.waiting, row.deeds) = (waiting, deeds);
    row
}

fn tell(stage: &mut Stage, row: CollectionRow) {
    let ticket = stage.list_ticket();
    let notice = Notice::Collection(Box::new(row));
    stage.give(Input::Notice { ticket, notice });
}

fn offer(seq: u64, what: What, text: &str, diff: &[Diff], against: &[&str]) -> Offer {
    let index = what == What::Piece;
    Offer {
        proposal: Proposal {
            seq,
            ts: NOON - 2 * DAY,
            says: Proposed {
                session: id(3),
                turn: 4,
                call: format!("c{seq}"),
                what,
                text: text.to_owned(),
                reason: "It comes back in every piece about the river.".to_owned(),
                about: None,
            },
            standing: Standing::Waiting,
        },
        title: "03 Session".to_owned(),
        file: if index {
            "collection.toml"
        } else {
            "MEMORY.md"
        }
        .to_owned(),
        diff: diff.to_vec(),
        against: against.iter().map(|l| (*l).to_owned()).collect(),
    }
}

fn kept(text: &str, heading: Option<&str>, from: Option<(&str, i64)>) -> Kept {
    Kept {
        line: match from {
            Some((title, _)) => format!("- {text} *({title}, 2026-02-28)*"),
            None => format!("- {text}"),
        },
        text: text.to_owned(),
        heading: heading.map(str::to_owned),
        archived: false,
        from: from.map(|(title, _)| title.to_owned()),
        date: from.map(|_| "2026-02-28".to_owned()),
        days: from.map(|(_, days)| days),
    }
}

fn version(seq: u64, by: Hand, ago: i64) -> FileVersion {
    FileVersion {
        seq,
        ts: NOON - ago,
        sha256: String::new(),
        bytes: 120 + seq,
        by,
        base: None,
        act: None,
        gone: false,
    }
}

fn file(name: &str, versions: Vec<FileVersion>) -> FileRow {
    let folder = if name == "VOICE.md" { "" } else { "essays/" };
    FileRow {
        file: name.to_owned(),
        path: format!("{folder}{name}"),
        versions,
        odd: None,
    }
}

fn files() -> Vec<FileRow> {
    vec![
        file(
            "MEMORY.md",
            vec![
                version(3, Hand::Outside, 3 * DAY),
                version(6, Hand::Accept, 2 * DAY),
                version(9, Hand::Fold, 60_000),
            ],
        ),
        file("PROFILE.md", vec![version(1, Hand::Outside, 9 * DAY)]),
        file("VOICE.md", Vec::new()),
    ]
}

fn ferry() -> Offer {
    let line = "- The boat is the chain ferry, never a barge. *(03 Session, 2026-03-02)*";
    let diff = [
        Diff::Same("- Hallam has two l.".to_owned()),
        Diff::In(String::new()),
        Diff::In("## Terms".to_owned()),
        Diff::In(String::new()),
        Diff::In(line.to_owned()),
    ];
    offer(
        12,
        What::Term,
        "The boat is the chain ferry, never a barge.",
        &diff,
        &[],
    )
}

fn sheet() -> Sheet {
    let nine = "- Ilse is nine. *(03 Session, 2026-03-02)*";
    let ten = "- Ilse is ten. *(01 Ferry, 2026-02-28)*";
    let mut archived = kept("The working title was Low water.", Some("Facts"), None);
    archived.archived = true;
    Sheet {
        collection: collection("essays"),
        offers: vec![
            ferry(),
            offer(
                13,
                What::Name,
                "Ilse is nine.",
                &[Diff::Same(ten.to_owned()), Diff::In(nine.to_owned())],
                &[ten],
            ),
            offer(
                14,
                What::Piece,
                "A girl counts the boats\u{fffd} that do not come.",
                &[
                    Diff::Out("A girl counts boats.".to_owned()),
                    Diff::In("A girl counts the boats\u{fffd} that do not come.".to_owned()),
                ],
                &[],
            ),
        ],
        lines: vec![
            kept("Ilse is ten.", Some("Names"), Some(("01 Ferry", 2))),
            kept("Hallam has two l.", Some("Names"), None),
            kept(
                "The bell is struck three times when the ferry is on the other bank, and once when it is lost in fog.",
                Some("Facts"),
                Some(("02 Compact", 0)),
            ),
            archived,
        ],
        files: files(),
        problem: None,
        lost: 0,
        undone: None,
    }
}

fn asked(stage: &mut Stage, deed: MemoryDeed) -> u64 {
    let (tag, request) = stage.asked_one();
    let collection = collection("essays");
    assert_eq!(request, Request::Memory { collection, deed });
    tag
}

fn give(stage: &mut Stage, deed: MemoryDeed, sheet: Sheet) {
    let tag = asked(stage, deed);
    let sheet = Box::new(sheet);
    stage.answer(tag, Reply::Memory { sheet });
}

/// The memory of the essays, seen.
fn opened() -> Stage {
    let mut stage = reading();
    tell(&mut stage, essays(3, 14));
    stage.press("I");
    give(&mut stage, MemoryDeed::Show, sheet());
    stage
}

#[test]
fn what_is_proposed_stands_above_what_is_kept_each_with_source_and_age() {
    for (cols, lines) in SIZES {
        let mut stage = opened();
        let frame = stage.frame(cols, lines);
        for part in [
            "Memory · Essays",
            "3 proposals wait · 3 lines",
            "+ - The boat is the chain ferry, never a barge.",
            "≠ The memory says: - Ilse is ten.",
            "term · 03 Session · 2 d",
        ] {
            assert!(frame.contains(part), "{part}: {frame}");
        }
        golden(format!("memory@{cols}x{lines}"), &frame);
        stage.press("end");
        let frame = stage.frame(cols, lines);
        assert!(frame.contains("Archive, not sent · Facts"), "{frame}");
        assert!(frame.contains("essays/MEMORY.md"), "{frame}");
        golden(format!("memory_end@{cols}x{lines}"), &frame);
    }
}

#[test]
fn a_memory_with_nothing_in_it_says_what_it_is_for_and_one_that_cannot_be_read_says_why() {
    for (cols, lines) in SIZES {
        let mut stage = reading();
        stage.press("I");
        let mut empty = sheet();
        (empty.offers, empty.lines) = (Vec::new(), Vec::new());
        give(&mut stage, MemoryDeed::Show, empty.clone());
        let frame = stage.frame(cols, lines);
        assert!(frame.contains("Nothing is kept yet."), "{frame}");
        golden(format!("memory_empty@{cols}x{lines}"), &frame);
        tell(&mut stage, essays(0, 1));
        empty.problem = Some(
            "essays/MEMORY.md is not UTF-8 text; nothing is changed in it. Save it as UTF-8 first."
                .to_owned(),
        );
        give(&mut stage, MemoryDeed::Show, empty);
        let frame = stage.frame(cols, lines);
        assert!(frame.contains("! essays/MEMORY.md is not UTF-8"), "{frame}");
    }
}

#[test]
fn a_proposal_that_comes_while_the_writer_writes_is_counted_seen_accepted_and_undone() {
    for (cols, lines) in SIZES {
        let mut stage = reading();
        stage.press("enter");
        stage.type_text("The second paragraph");
        tell(&mut stage, essays(1, 12));
        let frame = stage.frame(cols, lines);
        assert!(frame.contains("+ 1"), "{frame}");
        golden(format!("memory_counted@{cols}x{lines}"), &frame);
        stage.press("esc I");
        let mut one = sheet();
        one.offers.truncate(1);
        give(&mut stage, MemoryDeed::Show, one.clone());
        stage.press("a");
        let accept = MemoryDeed::Accept {
            proposal: 12,
            text: None,
            instead: None,
        };
        let mut done = one.clone();
        done.offers.clear();
        let new = kept(
            "The boat is the chain ferry, never a barge.",
            Some("Terms"),
            Some(("03 Session", 0)),
        );
        done.lines.insert(3, new);
        give(&mut stage, accept, done.clone());
        let frame = stage.frame(cols, lines);
        assert!(
            frame.contains("Kept: “The boat is the chain ferry"),
            "{frame}"
        );
        assert!(frame.contains("u undoes it."), "{frame}");
        golden(format!("memory_accepted@{cols}x{lines}"), &frame);
        tell(&mut stage, essays(0, 15));
        give(&mut stage, MemoryDeed::Show, done);
        assert!(!stage.frame(cols, lines).contains("proposed"));
        stage.press("u");
        give(&mut stage, MemoryDeed::Undo { proposal: None }, one);
        let frame = stage.frame(cols, lines);
        assert!(frame.contains("1 proposal waits"), "{frame}");
        assert!(frame.contains("is undone."), "{frame}");
        stage.press("esc enter");
        let frame = stage.frame(cols, lines);
        assert!(frame.contains("The second paragraph"), "{frame}");
    }
}

#[test]
fn a_proposal_is_accepted_in_the_writers_words_or_in_the_place_of_what_it_contradicts_or_refused() {
    let mut stage = opened();
    stage.press("e");
    for (cols, lines) in SIZES {
        golden(
            format!("memory_edit@{cols}x{lines}"),
            &stage.frame(cols, lines),
        );
    }
    stage.press("backspace");
    stage.type_text(", nor a punt.");
    stage.press("enter");
    let text = Some("The boat is the chain ferry, never a barge, nor a punt.".to_owned());
    let accept = MemoryDeed::Accept {
        proposal: 12,
        text,
        instead: None,
    };
    let mut left = sheet();
    left.offers.remove(0);
    give(&mut stage, accept, left.clone());
    assert!(stage.frame(120, 40).contains("Kept in your words."));
    // The next proposal has come under the cursor.
    stage.press("A");
    let accept = MemoryDeed::Accept {
        proposal: 13,
        text: None,
        instead: Some("- Ilse is ten. *(01 Ferry, 2026-02-28)*".to_owned()),
    };
    left.offers.remove(0);
    give(&mut stage, accept, left.clone());
    assert!(
        stage
            .frame(120, 40)
            .contains("in the archive: “Ilse is ten.”")
    );
    stage.press("A");
    assert!(stage.asks().is_empty(), "it contradicts nothing");
    assert!(stage.frame(120, 40).contains("contradicts no line"));
    stage.press("r");
    left.offers.remove(0);
    give(&mut stage, MemoryDeed::Refuse { proposal: 14 }, left);
    assert!(
        stage
            .frame(120, 40)
            .contains("Refused: it is not proposed again.")
    );
}

#[test]
fn a_line_goes_into_the_archive_and_comes_back_and_the_hints_name_what_the_keys_do() {
    let mut stage = opened();
    let hints = |stage: &mut Stage| stage.frame(120, 40).lines().last().unwrap().to_owned();
    assert!(hints(&mut stage).contains("a accept · r refuse"));
    stage.press("down down down down");
    let named = hints(&mut stage);
    assert!(
        named.contains("x archive") && !named.contains("accept"),
        "{named}"
    );
    stage.press("x");
    let fold = |line: &str, archived| MemoryDeed::Fold {
        lines: vec![line.to_owned()],
        archived,
    };
    let mut folded = sheet();
    let mut line = folded.lines.remove(1);
    line.archived = true;
    folded.lines.push(line);
    give(&mut stage, fold("- Hallam has two l.", true), folded);
    assert!(
        stage
            .frame(120, 40)
            .contains("In the archive: it is not sent any more.")
    );
    stage.press("down down");
    assert!(hints(&mut stage).contains("x bring back"));
    stage.press("x");
    give(&mut stage, fold("- Hallam has two l.", false), sheet());
    assert!(stage.frame(120, 40).contains("Back from the archive"));
    stage.press("end");
    let named = hints(&mut stage);
    assert!(!named.contains("open"), "a file without versions: {named}");
}

#[test]
fn what_changed_meanwhile_is_said_and_looked_at_again() {
    let mut stage = opened();
    stage.press("u");
    let tag = asked(&mut stage, MemoryDeed::Undo { proposal: None });
    let why = "Its line was changed since, or is gone: “Ilse is nine.”. Take it out by hand, or restore an older version of the file.";
    let refused = Reply::Refused {
        why: why.to_owned(),
        hint: None,
    };
    stage.answer(tag, refused);
    let frame = stage.frame(120, 40);
    assert!(frame.contains("Its line was changed since"), "{frame}");
    let mut now = sheet();
    now.lines[1].text = "Hallam has two l, by hand.".to_owned();
    give(&mut stage, MemoryDeed::Show, now.clone());
    assert!(stage.frame(120, 40).contains("Hallam has two l, by hand."));
    // Another program changes the file while it is looked at.
    now.lines[1].text = "Hallam, again by hand.".to_owned();
    tell(&mut stage, essays(3, 15));
    give(&mut stage, MemoryDeed::Show, now);
    assert!(stage.frame(120, 40).contains("Hallam, again by hand."));
    tell(&mut stage, essays(3, 15));
    assert!(stage.asks().is_empty(), "nothing new");
}

#[test]
fn lines_that_are_missing_are_put_back_or_let_go_by_a_key() {
    for (key, deed) in [("p", MemoryDeed::PutBack), ("l", MemoryDeed::LetGo)] {
        let mut stage = opened();
        tell(&mut stage, essays(3, 15));
        let mut missing = sheet();
        let what = "“Ilse is nine.” was accepted, and is missing.".to_owned();
        (missing.problem, missing.lost) = (Some(what), 1);
        give(&mut stage, MemoryDeed::Show, missing);
        let frame = stage.frame(120, 40);
        let keys = "p puts back what is missing, l lets it go.";
        assert!(frame.contains(keys), "{frame}");
        stage.press(key);
        asked(&mut stage, deed);
    }
}

#[test]
fn words_for_a_proposal_that_was_decided_elsewhere_are_not_lost() {
    let mut stage = opened();
    stage.press("e");
    stage.press("backspace");
    stage.type_text(", nor a punt.");
    stage.press("enter");
    let text = "The boat is the chain ferry, never a barge, nor a punt.";
    let tag = asked(
        &mut stage,
        MemoryDeed::Accept {
            proposal: 12,
            text: Some(text.to_owned()),
            instead: None,
        },
    );
    let refused = Reply::Refused {
        why: "This proposal was refused meanwhile.".to_owned(),
        hint: None,
    };
    stage.answer(tag, refused);
    let frame = stage.frame(120, 40);
    assert!(frame.contains("Accept in your words"), "{frame}");
    assert!(frame.contains("nor a punt."), "{frame}");
    assert!(
        frame.contains("This proposal was refused meanwhile."),
        "{frame}"
    );
}

const OLD: &str = "# Memory\n\n## Names\n\n- Ilse is ten.\n";
const NEW: &str = "# Memory\n\n## Names\n\n- Ilse is ten.\n- Hallam has two l.\n";

fn text_of(stage: &mut Stage, texts: &[(u64, &str)]) {
    let asks = stage.asks();
    assert_eq!(asks.len(), texts.len(), "{asks:?}");
    for ((tag, request), (seq, text)) in asks.into_iter().zip(texts) {
        let deed = MemoryDeed::Version {
            file: "MEMORY.md".to_owned(),
            seq: *seq,
        };
        let collection = collection("essays");
        assert_eq!(request, Request::Memory { collection, deed });
        let text = (*text).to_owned();
        stage.answer(tag, Reply::Text { text });
    }
}

#[test]
fn the_versions_of_a_file_are_walked_and_one_is_restored() {
    for (cols, lines) in SIZES {
        let mut stage = opened();
        stage.press("end up up enter");
        text_of(&mut stage, &[(6, NEW), (9, OLD)]);
        let frame = stage.frame(cols, lines);
        assert!(frame.contains("Versions · MEMORY.md"), "{frame}");
        assert!(frame.contains("3 of 3 · difference 1 of 1"), "{frame}");
        stage.press("down");
        text_of(&mut stage, &[(3, OLD)]);
        let frame = stage.frame(cols, lines);
        assert!(frame.contains("r restore"), "{frame}");
        assert!(frame.contains("Hallam has two l."), "{frame}");
        golden(format!("memory_file@{cols}x{lines}"), &frame);
        stage.press("r");
        let restore = MemoryDeed::Restore {
            file: "MEMORY.md".to_owned(),
            seq: 6,
        };
        let mut now = sheet();
        now.files[0].versions.push(version(15, Hand::Restore, 0));
        give(&mut stage, restore, now);
        let frame = stage.frame(cols, lines);
        assert!(frame.contains("MEMORY.md is as it was"), "{frame}");
        assert!(frame.contains("restored"), "{frame}");
        stage.press("u");
        asked(&mut stage, MemoryDeed::Undo { proposal: None });
        stage.press("esc");
        assert!(stage.frame(cols, lines).contains("Memory · Essays"));
    }
}

#[test]
fn what_waits_is_counted_in_the_drawer_and_on_the_page_of_its_collection() {
    for (cols, lines) in SIZES {
        let mut stage = reading();
        tell(&mut stage, essays(2, 3));
        stage.press("left left");
        let frame = stage.frame(cols, lines);
        golden(format!("memory_drawer@{cols}x{lines}"), &frame);
        assert!(frame.contains("+2"), "{frame}");
        stage.press("down");
        stage.press("o");
        stage.asks();
        let frame = stage.frame(cols, lines);
        assert!(
            frame.contains("+ 2 proposals wait: I shows the memory"),
            "{frame}"
        );
        stage.press("I");
        asked(&mut stage, MemoryDeed::Show);
    }
}

#[test]
fn a_piece_that_is_done_asks_once_whether_its_agent_shall_propose() {
    for (cols, lines) in SIZES {
        let mut stage = reading();
        stage.press("left g 5");
        let (tag, _) = stage.asked_one();
        stage.answer(tag, Reply::Done);
        let frame = stage.frame(cols, lines);
        assert!(frame.contains("Ask claude for what is worth"), "{frame}");
        assert!(frame.contains("y yes · n no"), "{frame}");
        golden(format!("memory_done@{cols}x{lines}"), &frame);
        stage.press("y");
        let session = id(1);
        asked(&mut stage, MemoryDeed::Ask { session });
        // Marked done again, it is not asked again.
        stage.press("g 5");
        let (tag, _) = stage.asked_one();
        stage.answer(tag, Reply::Done);
        assert!(!stage.frame(cols, lines).contains("y yes · n no"));
    }
}

#[test]
fn the_editor_that_is_built_in_is_not_asked_to_propose() {
    let mut stage = reading();
    let mut own = row(1, "The lost afternoon", State::Idle, 987);
    own.agent = "editor".to_owned();
    stage.tell_row(own);
    stage.press("left g 5");
    let (tag, _) = stage.asked_one();
    stage.answer(tag, Reply::Done);
    let frame = stage.frame(120, 40);
    assert!(!frame.contains("y yes · n no"), "{frame}");
}

fn voice(stage: &mut Stage, text: &str) {
    let ticket = stage.list_ticket();
    let text = text.to_owned();
    let notice = Notice::Voice { text };
    stage.give(Input::Notice { ticket, notice });
}

const VOICE: &str = "# Voice\n\n## Never\n\n- delve, rich tapestry\n- 事实上\n";
const STORY: &str = "# The ferry\n\nWe delve into it, and the river is a rich\ntapestry of\nlights. 这事实上很好。 Nothing else.\n";

#[test]
fn words_that_are_never_written_are_underlined_in_the_draft() {
    use ratatui::style::Modifier;
    let mut stage = writing(STORY);
    voice(&mut stage, VOICE);
    for (cols, lines) in SIZES {
        let (buf, _) = stage.paint(cols, lines);
        let mut marked = String::new();
        for cell in buf.content() {
            if cell.modifier.contains(Modifier::UNDERLINED) {
                marked.push_str(cell.symbol());
            }
        }
        let marked = marked.replace(' ', "");
        assert_eq!(marked, "delverichtapestry事实上", "{cols}x{lines}");
        golden(
            format!("draft_voice@{cols}x{lines}"),
            &stage.frame(cols, lines),
        );
    }
    voice(&mut stage, "");
    let (buf, _) = stage.paint(120, 40);
    let underlined = |c: &ratatui::buffer::Cell| c.modifier.contains(Modifier::UNDERLINED);
    assert!(!buf.content().iter().any(underlined));
}

#[test]
fn a_draft_that_a_turn_wrote_and_one_that_is_done_are_checked_and_told_in_one_line() {
    let mut stage = reading();
    voice(&mut stage, VOICE);
    let write = |stage: &mut Stage| {
        stage.tell(1, crate::stage::prompt(2, "Write it."));
        stage.tell(1, saved(2));
        let draft = |(_, r): &(u64, Request)| matches!(r, Request::Draft { .. });
        let early = stage.asks().into_iter().any(|ask| draft(&ask));
        assert!(!early, "not before the turn has ended");
        stage.tell(1, finished(2));
        let asks = stage.asks();
        let (tag, _) = asks
            .into_iter()
            .find(draft)
            .expect("the draft is looked at");
        stage.answer(tag, came(STORY, 20));
        stage.frame(120, 40)
    };
    let told = "The draft has 3 words that you never write: delve, rich tapestry, 事实上";
    let frame = write(&mut stage);
    assert!(frame.contains(told), "{frame}");
    golden("voice_told@120x40", &frame);
    stage.wait(20_000);
    let frame = write(&mut stage);
    assert!(!frame.contains(told), "the same is not said again: {frame}");
    stage.press("left g 5");
    let (tag, _) = stage.asked_one();
    stage.answer(tag, Reply::Done);
    let (tag, request) = stage.asked_one();
    assert!(matches!(request, Request::Draft { .. }), "{request:?}");
    stage.answer(tag, came(STORY, 20));
    stage.press("n");
    let frame = stage.frame(200, 50);
    assert!(
        frame.contains("done. u undoes it. The draft has 3 words"),
        "{frame}"
    );
}

fn saved(turn: u32) -> Kind {
    Kind::DraftSaved {
        turn: Some(turn),
        sha256: "0".repeat(64),
        bytes: 10,
        words: 20,
        by: By::Agent("claude".to_owned()),
        base: None,
        added: 20,
        removed: 0,
        beside: None,
        from: None,
        rest: false,
    }
}

#[test]
fn the_memory_of_the_inbox_is_reached_from_a_new_session() {
    let mut stage = Stage::empty();
    stage.press("esc I");
    let (_, request) = stage.asked_one();
    let collection = CollectionId::inbox();
    let deed = MemoryDeed::Show;
    assert_eq!(request, Request::Memory { collection, deed });
}

#[test]
fn what_waits_in_another_collection_is_one_key_away() {
    let mut stage = reading();
    let mut letters = collections().remove(1);
    letters.waiting = 2;
    tell(&mut stage, letters);
    stage.press("I");
    let mut empty = sheet();
    empty.offers.clear();
    give(&mut stage, MemoryDeed::Show, empty);
    let frame = stage.frame(80, 24);
    assert!(
        frame.contains("+ 2 proposals wait in Letters: n goes there"),
        "{frame}"
    );
    stage.press("n");
    let (_, request) = stage.asked_one();
    let collection = collection("letters");
    let deed = MemoryDeed::Show;
    assert_eq!(request, Request::Memory { collection, deed });
    stage.press("n");
    let frame = stage.frame(80, 24);
    assert!(frame.contains("Memory · Letters"), "{frame}");
}

#[test]
fn behind_an_answered_proposal_the_cursor_is_on_the_next_one_and_on_none_of_its_lines() {
    let mut stage = reading();
    tell(&mut stage, essays(2, 14));
    stage.press("I");
    let lines = ["- Ilse has red hair.", "- Ilse is ten."];
    let new = || [Diff::In("- Ilse is fourteen.".to_owned())];
    let mut two = sheet();
    two.offers = vec![
        offer(13, What::Name, "Ilse is fourteen.", &new(), &lines),
        offer(14, What::Name, "Ilse is grey.", &new(), &lines),
    ];
    give(&mut stage, MemoryDeed::Show, two.clone());
    stage.press("down down A");
    let accept = MemoryDeed::Accept {
        proposal: 13,
        text: None,
        instead: Some(lines[1].to_owned()),
    };
    two.offers.remove(0);
    give(&mut stage, accept, two);
    stage.press("A");
    assert!(stage.asks().is_empty(), "none of its lines is meant");
    let frame = stage.frame(80, 24);
    assert!(frame.contains("contradicts several lines"), "{frame}");
}

#[test]
fn of_several_contradicted_lines_the_one_under_the_cursor_goes_and_is_named() {
    let mut stage = reading();
    tell(&mut stage, essays(1, 14));
    stage.press("I");
    let lines = ["- Ilse has red hair.", "- Ilse is ten."];
    let mut two = sheet();
    let new = Diff::In("- Ilse is fourteen. *(03 Session, 2026-03-02)*".to_owned());
    two.offers = vec![offer(13, What::Name, "Ilse is fourteen.", &[new], &lines)];
    two.lines = vec![
        kept("Ilse has red hair.", Some("Names"), None),
        kept("Ilse is ten.", Some("Names"), None),
    ];
    give(&mut stage, MemoryDeed::Show, two.clone());
    stage.press("A");
    assert!(stage.asks().is_empty(), "which one is not said yet");
    let frame = stage.frame(80, 24);
    assert!(frame.contains("contradicts several lines"), "{frame}");
    stage.press("down down");
    let frame = stage.frame(80, 24);
    golden("memory_several@80x24", &frame);
    stage.press("A");
    let accept = MemoryDeed::Accept {
        proposal: 13,
        text: None,
        instead: Some(lines[1].to_owned()),
    };
    two.offers.clear();
    give(&mut stage, accept, two);
    let frame = stage.frame(120, 40);
    assert!(
        frame.contains("Kept: “Ilse is fourteen.”; in the archive: “Ilse is ten.”."),
        "{frame}"
    );
}
