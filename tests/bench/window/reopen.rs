//! A session opened by its id, with nothing remembered of it.

use std::time::Instant;

use fascicle::domain::SessionId;
use fascicle::log::Store;

use crate::book::{Book, Figure};
use crate::desk::Desk;
use crate::made;
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
    let writer = made::session(&store, id);
    let turns = (size / LINE / TURN).max(1);
    for turn in 1..=u32::try_from(turns).unwrap() {
        let piece = |i| if i % 60 == 59 { "end.\n\n" } else { "lemon " };
        let last = (u64::from(turn) == turns).then_some(LAST);
        let said = (0..TURN).map(piece).chain(last);
        writer.append(made::turn(turn, said.map(|text| made::delta(turn, text))));
    }
    assert!(writer.flush());
    id
}
