//! A session opened by its id, with nothing remembered of it.

use std::time::Instant;

use fascicle::domain::event::Status;
use fascicle::domain::{CollectionId, Kind, SessionId};
use fascicle::log::{Store, Writer};

use crate::book::{Book, Figure};
use crate::desk::Desk;
use crate::stage::{self, PATIENCE};

/// Bytes of the logs.
const SIZES: [(u64, &str); 3] = [
    (1_000_000, "1 MB"),
    (20_000_000, "20 MB"),
    (100_000_000, "100 MB"),
];
/// Bytes of a line, about; deltas of a turn.
const LINE: u64 = 78;
const TURN: u64 = 3_000;
const LAST: &str = "and that was the last of it.";

pub fn measure(book: &mut Book) {
    for (size, name) in SIZES {
        let desk = stage::desk(&[stage::stream(60)]);
        let id = log(&desk, size);
        stage::forget(&desk);
        let begun = Instant::now();
        let window = stage::open(&desk, &["resume", &id.to_string()]);
        let ((), at) = window.wait("the last screen", PATIENCE, |s| {
            s.contents().contains(LAST).then_some(())
        });
        let cpu = stage::cpu(&desk);
        stage::settle(&desk);
        let all = stage::cpu(&desk);
        book.mark(
            format!("reopening {name} by id to the last screen, no index"),
            if size == 20_000_000 { "0.77 s" } else { "–" },
            vec![Figure::of(cpu, 0.1, "s CPU")],
        );
        book.note(format!(
            "Reopening {name}: shown after {:.2} s; {all:.2} CPU-s until all was quiet.",
            at.saturating_duration_since(begun).as_secs_f64()
        ));
        stage::close(&desk, window);
    }
}

/// Writes a log of about that size; whose it is.
fn log(desk: &Desk, size: u64) -> SessionId {
    let id = SessionId::new(uuid::Uuid::now_v7());
    let store = Store::open(&desk.workspace(), &desk.home().join("cache/made")).unwrap();
    let created = Kind::Created {
        id,
        title: Some("Long".into()),
        collection: CollectionId::inbox(),
        folder: "inbox/long".into(),
        agent: None,
        app: "0".into(),
    };
    let writer = store
        .create(
            id,
            &CollectionId::inbox(),
            vec![created],
            &[],
            Box::new(|_| ()),
        )
        .unwrap();
    let turns = size / LINE / TURN;
    for turn in 1..=turns.max(1) {
        turn_of(&writer, u32::try_from(turn).unwrap(), turn == turns.max(1));
    }
    assert!(writer.flush());
    id
}

fn turn_of(writer: &Writer, turn: u32, last: bool) {
    let delta = |text: &str| Kind::Delta {
        turn,
        block: 0,
        text: text.into(),
    };
    let begin = [
        Kind::Prompt {
            turn,
            text: "Go on.".into(),
            queued: None,
        },
        Kind::TurnStarted {
            turn,
            agent: "play".into(),
            agent_session: None,
            model: None,
            resume: false,
        },
    ];
    let words = (0..TURN).map(|i| delta(if i % 60 == 59 { "end.\n\n" } else { "lemon " }));
    let end = Kind::TurnFinished {
        turn,
        status: Status::Ok,
        reason: None,
        events: 0,
        crc32: String::new(),
    };
    let last = last.then(|| delta(LAST));
    writer.append(
        begin
            .into_iter()
            .chain(words)
            .chain(last)
            .chain([end])
            .collect(),
    );
}
