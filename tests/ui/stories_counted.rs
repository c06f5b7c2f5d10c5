//! Writing first: how few keys lie between a writer and the words.
//!
//! What counts as a key: every press from the named beginning on, chords and Enter included, but not the letters of
//! the text that is being written and not the letters of the wanted title. So `Ctrl-G`, `h`, `a`, `Enter` are two
//! keys to a session, plus the two letters that name it: the number of keys is the same for 6 sessions and for 600,
//! only the letters grow. That no more letters are needed than a title has is part of each story.

use fascicle::domain::event::Kind;
use fascicle::domain::{SessionId, State};
use fascicle::ui::Place;

use crate::bench::{AGENT, Bench, Disk};
use crate::stage::{NOON, delta, settings};

/// Sizes at which each story is told: three panes, two, one.
const SIZES: [(u16, u16); 3] = [(120, 40), (80, 24), (50, 16)];

const COLLECTIONS: [&str; 5] = ["Essays", "Letters", "Fog and salt", "Diary", "Talks"];

/// Twelve titles in each of five collections: some begin alike, some lie within others, two stand twice.
const TITLES: [&str; 12] = [
    "Foreword",
    "The harbour",
    "The harbour at night",
    "To the harbour master",
    "A",
    "Low water",
    "Lower water",
    "Notes 1",
    "Notes 11",
    "灯台の記録",
    "Über das Warten",
    "What the gulls know about time",
];

/// Sixty sessions in five collections.
fn sixty() -> (Disk, Vec<(SessionId, String)>) {
    let mut bench = Bench::open(Disk::default(), settings(), Place::default(), NOON);
    let mut made = Vec::new();
    for (c, name) in COLLECTIONS.iter().enumerate() {
        let at = bench.collection(name);
        for (t, title) in TITLES.iter().enumerate() {
            // One title stands in two collections; the others have their collection's number behind them.
            let title = if t == 0 && c < 2 {
                (*title).to_owned()
            } else {
                format!("{title} {}", ["i", "ii", "iii", "iv", "v"][c])
            };
            let ts = NOON - 86_400_000 + i64::try_from(made.len()).unwrap() * 60_000;
            let session = bench.disk.make(ts, &at, Some(&title));
            bench.disk.turn(session, ts, ["Begin.", "It is begun."], "");
            made.push((session, title));
        }
    }
    (bench.disk, made)
}

fn window(disk: &Disk) -> Bench {
    Bench::open(disk.clone(), settings(), Place::default(), NOON)
}

/// Where the caret stands when a session was opened: what is typed next is written.
#[track_caller]
fn writes_into(bench: &mut Bench, size: (u16, u16), session: SessionId) {
    assert_eq!(bench.stage.app.left().session, Some(session));
    bench.type_text("here");
    let frame = bench.frame(size.0, size.1);
    assert!(frame.contains("› here"), "{frame}");
}

#[test]
fn from_a_cold_start_a_prompt_is_typed_within_two_keys() {
    for (cols, lines) in SIZES {
        let mut bench = Bench::open(Disk::default(), settings(), Place::default(), NOON);
        bench.frame(cols, lines);
        bench.stage.keys.count();
        bench.type_text("An elegy for a lighthouse.");
        let frame = bench.frame(cols, lines);
        assert!(frame.contains("› An elegy for a lighthouse."), "{frame}");
        bench.press("enter");
        bench.stage.keys.at_most(2, "typed and sent");
        let session = bench.stage.app.left().session.expect("it is made and open");
        let log = &bench.disk.logs[&session];
        assert!(log.iter().any(|e| matches!(&e.kind, Kind::Prompt { text, .. } if text.shown() == "An elegy for a lighthouse.")));
    }
}

#[test]
fn any_of_sixty_sessions_is_three_keys_away_from_anywhere() {
    let (disk, all) = sixty();
    // The places the writer may come from: writing, reading, the list, the drawer.
    for (from, (cols, lines)) in ["", "esc", "left", "left left"]
        .iter()
        .zip([SIZES[0], SIZES[1], SIZES[2], SIZES[0]])
    {
        let mut bench = window(&disk);
        bench.frame(cols, lines);
        for (session, title) in &all {
            if !from.is_empty() {
                bench.press(from);
            }
            bench.stage.keys.count();
            bench.press("ctrl-g");
            bench.type_text(title);
            let twin = all.iter().any(|(s, t)| t == title && s != session);
            bench.press("enter");
            if twin && bench.stage.app.left().session != Some(*session) {
                bench.stage.keys.count();
                bench.press("ctrl-g");
                bench.type_text(title);
                bench.press("down enter");
            }
            bench.stage.keys.at_most(3, title);
            assert_eq!(bench.stage.app.left().session, Some(*session), "{title}");
        }
        let last = all.last().unwrap().0;
        writes_into(&mut bench, (cols, lines), last);
    }
}

#[test]
fn a_session_in_the_list_at_hand_is_one_key_away() {
    let (disk, _) = sixty();
    let mut bench = window(&disk);
    bench.press("left left");
    bench.press("down");
    bench.frame(120, 40);
    bench.stage.keys.count();
    bench.press("alt-3");
    bench.stage.keys.at_most(1, "the third of the list");
    let third = bench.stage.app.left().session.unwrap();
    writes_into(&mut bench, SIZES[0], third);
}

#[test]
fn the_session_before_is_one_key_back_with_what_was_written_and_read_there() {
    let (disk, all) = sixty();
    for from in ["", "esc", "left", "left left"] {
        let mut bench = window(&disk);
        let (first, second) = (&all[7], &all[31]);
        for (_, title) in [first, second] {
            bench.press("ctrl-g");
            bench.type_text(title);
            bench.press("enter");
        }
        // What is unsent here goes with its session.
        bench.press("ctrl-o");
        bench.type_text("half a");
        bench.press("ctrl-o");
        bench.frame(120, 40);
        if !from.is_empty() {
            bench.press(from);
        }
        bench.stage.keys.count();
        bench.press("ctrl-o");
        bench.stage.keys.at_most(1, "back");
        assert_eq!(bench.stage.app.left().session, Some(first.0), "{from}");
        let frame = bench.frame(120, 40);
        assert!(frame.contains("› half a"), "{from}:\n{frame}");
    }
}

#[test]
fn n_begins_in_the_collection_at_hand_with_the_caret_in_the_composer() {
    let (disk, _) = sixty();
    for (cols, lines) in SIZES {
        for from in ["left left", "left"] {
            let mut bench = window(&disk);
            // The drawer's third collection is at hand.
            bench.press("left left down down down");
            if from == "left" {
                bench.press("right");
            }
            bench.frame(cols, lines);
            bench.stage.keys.count();
            bench.press("n");
            bench.stage.keys.at_most(1, "begun");
            bench.type_text("A first line.");
            let frame = bench.frame(cols, lines);
            assert!(frame.contains("› A first line."), "{frame}");
            assert!(frame.contains("New session in Fog and salt"), "{frame}");
            bench.press("enter");
            let session = bench.stage.app.left().session.unwrap();
            let place = bench.disk.head(session).place.unwrap();
            assert_eq!(place.collection.to_string(), "fog-and-salt");
        }
    }
}

#[test]
fn the_title_comes_from_the_first_prompt_and_can_be_changed_and_changed_back() {
    let mut bench = Bench::open(Disk::default(), settings(), Place::default(), NOON);
    let prompt =
        "An essay about my grandfather’s tide tables, which he wrote by hand for forty years.";
    bench.type_text(prompt);
    bench.press("enter");
    let session = bench.stage.app.left().session.unwrap();
    let title = bench.disk.head(session).title().to_owned();
    assert!(prompt.starts_with(title.trim_end_matches('…')), "{title}");
    let told = "An essay about my grandfather’s tide";
    let frame = bench.frame(120, 40);
    assert!(
        frame.matches(told).count() >= 2,
        "in the list and over the page:\n{frame}"
    );
    bench.stage.keys.count();
    bench.press("left r ctrl-u");
    bench.type_text("Tide tables");
    bench.press("enter");
    bench.stage.keys.at_most(4, "renamed");
    let frame = bench.frame(120, 40);
    assert!(frame.contains("Tide tables · claude"), "{frame}");
    bench.stage.keys.count();
    bench.press("u");
    bench.stage.keys.at_most(1, "undone");
    let frame = bench.frame(120, 40);
    assert!(frame.matches(told).count() >= 2, "{frame}");
}

/// A page long enough to be scrolled.
fn long(bench: &mut Bench, session: SessionId) {
    for n in 1..=12 {
        let ts = NOON - 3_600_000 + n * 60_000;
        let reply = format!(
            "Reply {n}: {}",
            "the tide comes in and goes out again. ".repeat(8)
        );
        let prompt = format!("Prompt {n}.");
        bench.disk.turn(session, ts, [&prompt, &reply], "");
    }
}

#[test]
fn the_window_opens_where_it_was_left_and_says_first_what_happened_since() {
    for (cols, lines) in SIZES {
        let mut bench = Bench::open(Disk::default(), settings(), Place::default(), NOON);
        let at = bench.collection("Essays");
        let make =
            |bench: &mut Bench, title: &str| bench.disk.make(NOON - 7_200_000, &at, Some(title));
        let [read, two, three, four] =
            ["Tides", "Fog", "Gulls", "Salt"].map(|title| make(&mut bench, title));
        long(&mut bench, read);
        let mut bench = window(&bench.disk);
        for (session, title) in [(two, "Fog"), (three, "Gulls"), (four, "Salt")] {
            bench.press("ctrl-g");
            bench.type_text(title);
            bench.press("enter");
            bench.type_text("Go on.");
            bench.press("enter");
            bench.begins(session);
        }
        bench.press("ctrl-g");
        bench.type_text("Tides");
        bench.press("enter");
        bench.frame(cols, lines);
        bench.type_text("not sent yet");
        bench.press("esc");
        bench.press("pgup pgup K");
        let before = bench.frame(cols, lines);
        bench.press("ctrl-c ctrl-c");
        bench.wait(1_000);
        assert!(bench.wanted.contains(&fascicle::ui::Effect::Quit));
        let left = serde_json::to_string(&bench.stage.app.left()).unwrap();

        // Two come to their end while no window looks, one asks.
        for session in [two, three] {
            bench.ends(session, 0, "It is done.");
        }
        let turn = bench.disk.head(four).turn.unwrap().no;
        bench.happens(four, crate::stage::asked(turn, "q1"));
        let (disk, now) = (bench.disk.clone(), bench.stage.now + 3_600_000);
        let mut again = Bench::open(disk, settings(), serde_json::from_str(&left).unwrap(), now);
        let after = again.frame(cols, lines);
        let said = "Since you were here: 2 turns finished, 1 needs you.";
        let first: Vec<&str> = after.split_whitespace().take(10).collect();
        assert_eq!(first.join(" "), said, "{after}");
        // It goes with the first key, and then all is as it was: session, pane, scroll, unsent text.
        again.press("esc");
        let after = again.frame(cols, lines);
        let page = |frame: &str| {
            let words = frame
                .lines()
                .map(|l| l.rsplit('│').next().unwrap().to_owned());
            let words: Vec<String> = words
                .filter(|l| l.contains("Reply") || l.contains("Prompt") || l.contains("tide"))
                .collect();
            words
        };
        assert_eq!(page(&after), page(&before), "{before}\n{after}");
        assert!(after.contains("› not sent yet") || lines < 20, "{after}");
        assert_eq!(again.stage.app.left().session, Some(read));
        assert_eq!(again.stage.app.left().pane, bench.stage.app.left().pane);
    }
}

/// Numbers that look random and are the same each time.
fn dice(seed: &mut u64, sides: usize) -> usize {
    *seed = seed
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    usize::try_from(*seed >> 33).unwrap() % sides
}

#[test]
fn four_pieces_are_written_at_once_and_going_from_one_to_another_loses_nothing_on_screen() {
    const NAMES: [&str; 4] = ["Alder", "Birch", "Cedar", "Damson"];
    let (cols, lines) = SIZES[0];
    let mut bench = Bench::open(Disk::default(), settings(), Place::default(), NOON);
    let at = bench.collection("Essays");
    let sessions = NAMES.map(|name| bench.disk.make(NOON - 60_000, &at, Some(name)));
    let mut bench = window(&bench.disk);
    for (name, session) in NAMES.iter().zip(sessions) {
        bench.press("ctrl-g");
        bench.type_text(name);
        bench.press("enter");
        bench.type_text("Begin.");
        bench.press("enter");
        bench.begins(session);
        bench.type_text(&format!("unsent of {name}"));
    }
    let frame = bench.frame(cols, lines);
    assert!(frame.contains("● 4 writing"), "{frame}");
    let mut told = [0usize; 4];
    let (mut seed, mut here, mut before) = (4, 3, 2);
    for round in 0..240 {
        for (i, session) in sessions.iter().enumerate() {
            told[i] += 1;
            let text = format!("{}{} ", &NAMES[i][..1], told[i]);
            bench.happens(*session, delta(1, &text));
        }
        // By name, by the list's number, by one key back.
        bench.stage.keys.count();
        let next = match dice(&mut seed, 3) {
            0 => before,
            _ => dice(&mut seed, 4),
        };
        if next == before && next != here {
            bench.press("ctrl-o");
            bench.stage.keys.at_most(1, "back and forth");
        } else {
            bench.press("ctrl-g");
            bench.type_text(NAMES[next]);
            bench.press("enter");
            bench.stage.keys.at_most(2, "by name");
        }
        if next != here {
            (before, here) = (here, next);
        }
        let frame = bench.frame(cols, lines);
        let name = NAMES[here];
        assert!(
            frame.contains(&format!("› unsent of {name}")),
            "{round} {name}:\n{frame}"
        );
        let page = page_of(&frame);
        let last = format!("{}{}", &name[..1], told[here]);
        assert!(
            page.split_whitespace()
                .any(|w| w.trim_end_matches('▍') == last),
            "{last}:\n{frame}"
        );
        for other in NAMES.iter().filter(|n| **n != name) {
            let foreign = |w: &str| w.starts_with(&other[..1]) && w[1..].parse::<u32>().is_ok();
            assert!(
                !page.split_whitespace().any(foreign),
                "words of {other}:\n{frame}"
            );
        }
    }
    // Everything is on each one's page, once and in order.
    for (i, session) in sessions.iter().enumerate() {
        bench.press("ctrl-g");
        bench.type_text(NAMES[i]);
        bench.press("enter");
        let frame = bench.frame(cols, 120);
        let numbers: Vec<usize> = page_of(&frame)
            .split_whitespace()
            .filter_map(|w| {
                w.trim_end_matches('▍')
                    .strip_prefix(&NAMES[i][..1])?
                    .parse()
                    .ok()
            })
            .collect();
        assert_eq!(numbers, (1..=told[i]).collect::<Vec<_>>(), "{frame}");
        assert_eq!(
            bench.disk.head(*session).state(true),
            State::Writing,
            "{AGENT} writes on"
        );
    }
}

/// The words of the page: what stands right of the last rule, the composer left out.
fn page_of(frame: &str) -> String {
    let rows = frame.lines().skip(1).map(|l| l.rsplit('│').next().unwrap());
    let rows: Vec<&str> = rows.take_while(|l| !l.contains("├──")).collect();
    rows.join("\n")
}
