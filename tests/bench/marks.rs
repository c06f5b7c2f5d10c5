//! `cargo bench`: what writing, reading and drawing cost, in CPU time of this process and in ratios, since wall time
//! says more of the machine's other work than of ours. Nothing here is a test.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    missing_docs,
    reason = "bench"
)]

use std::path::Path;
use std::time::Duration;

use fascicle::domain::notice::Notice;
use fascicle::domain::{CollectionId, Event, Kind, Session, SessionId, session};
use fascicle::log::{OnDamage, Store};
use fascicle::ui::theme::{Look, Theme};
use fascicle::ui::transcript::{Cx, Transcript};
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use rustix::time::{ClockId, clock_gettime};

/// Deltas of a long answer, 6 bytes each.
const DELTAS: u64 = 10_000;
/// Turns of a long history.
const TURNS: u32 = 300;

fn main() {
    // `cargo test --all-targets` starts benches, too: that is not the time for one.
    if !std::env::args().any(|w| w == "--bench") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let id = SessionId::new(uuid::Uuid::now_v7());
    write(dir.path(), id);
    read(dir.path(), id);
    draw();
}

fn cpu() -> Duration {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(
        now.tv_sec.unsigned_abs(),
        u32::try_from(now.tv_nsec).unwrap(),
    )
}

fn measured<T>(what: &str, work: impl FnOnce() -> T) -> (T, Duration) {
    let from = cpu();
    let done = work();
    let took = cpu().saturating_sub(from);
    println!("{what:<60} {:>9.1} ms", took.as_secs_f64() * 1e3);
    (done, took)
}

fn delta(turn: u32, i: u64) -> Kind {
    Kind::Delta {
        turn,
        block: 0,
        text: format!("w{i:<4} ").into(),
    }
}

fn write(dir: &Path, id: SessionId) {
    let store = Store::open(dir, &dir.join("cache")).unwrap();
    let created = Kind::Created {
        id,
        title: Some("Bench".into()),
        collection: CollectionId::inbox(),
        folder: "inbox/bench".into(),
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
    measured("10,000 deltas, one line and one write() each", || {
        (0..DELTAS).for_each(|i| writer.append(vec![delta(1, i)]));
        assert!(writer.flush());
    });
    for turn in 2..TURNS {
        let prompt = Kind::Prompt {
            turn,
            text: "Go on.".into(),
            queued: None,
        };
        writer.append(
            std::iter::once(prompt)
                .chain((0..3_000).map(|i| delta(turn, i)))
                .collect(),
        );
    }
    assert!(writer.flush());
}

fn read(dir: &Path, id: SessionId) {
    let store = Store::open(dir, &dir.join("cache")).unwrap();
    let log = dir.join(format!(".fascicle/sessions/inbox/{id}.jsonl"));
    println!(
        "a log of {} MB",
        std::fs::metadata(log).unwrap().len() / 1_000_000
    );
    let (_, tail) = measured("its last 256 KiB, no index", || {
        store.tail(id, 256 * 1024).unwrap()
    });
    let (_, whole) = measured("all of it, folded", || {
        let mut folded = Session::default();
        store
            .whole(id)
            .unwrap()
            .for_each(|event| session::apply(&mut folded, &event.unwrap()));
        folded.body.items.len()
    });
    println!(
        "{:<60} {:>9.0}",
        "  all to its end",
        whole.as_secs_f64() / tail.as_secs_f64().max(1e-6)
    );
    let (_, scan) = measured("opened for writing: scanned, sealed", || {
        store
            .writer(id, OnDamage::Refuse, Box::new(|_| ()))
            .unwrap()
    });
    println!(
        "{:<60} {:>9.2}",
        "  scan to fold",
        scan.as_secs_f64() / whole.as_secs_f64()
    );
    let fresh = Store::open(dir, &dir.join("cache")).unwrap();
    measured("the list, cache cold", || fresh.heads());
    let warm = Store::open(dir, &dir.join("cache")).unwrap();
    let (listed, _) = measured("the list, cache warm", || warm.heads());
    assert_eq!(listed.len(), 1);
}

/// The pane's work for a stream at 200 a second: 30 frames a second, so a frame for every seven deltas.
fn draw() {
    let theme = Theme::new(Look::default());
    let area = Rect::new(0, 0, 120, 40);
    let mut page = Transcript::new();
    page.opened(fascicle::domain::Head::default(), false);
    page.live();
    let frame = |page: &mut Transcript| {
        let mut buf = Buffer::empty(area);
        let zone = jiff::tz::TimeZone::UTC;
        page.draw(
            area,
            &mut buf,
            &Cx {
                theme: &theme,
                now_ms: 0,
                zone,
                live: true,
            },
        );
        buf
    };
    measured(
        "10,000 deltas at 200/s: fold and 1,429 frames of 120×40",
        || {
            for i in 0..DELTAS {
                let event = Event {
                    seq: i,
                    ts: 0,
                    kind: delta(1, i),
                };
                page.apply(&event);
                if i % 7 == 0 {
                    frame(&mut page);
                }
            }
        },
    );
    let last = format!("w{}", DELTAS - 1);
    let drawn: String = frame(&mut page)
        .content()
        .iter()
        .map(Cell::symbol)
        .collect();
    assert!(drawn.contains(&last), "the newest word is on the screen");
    let events: Vec<Notice> = (0..DELTAS)
        .map(|i| {
            Notice::Event(Event {
                seq: i,
                ts: 0,
                kind: delta(1, i),
            })
        })
        .collect();
    measured("10,000 notices as lines and back", || {
        for notice in &events {
            let line = serde_json::to_string(notice).unwrap();
            let back: Notice = serde_json::from_str(&line).unwrap();
            assert!(matches!(back, Notice::Event(_)));
        }
    });
}
