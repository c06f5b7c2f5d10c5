//! What writing, reading and drawing cost by themselves, in processor time of this process.

use std::path::Path;

use fascicle::domain::notice::Notice;
use fascicle::domain::{Event, Kind, Session, SessionId, session};
use fascicle::log::{OnDamage, Store};
use fascicle::ui::theme::{Look, Theme};
use fascicle::ui::transcript::{Cx, Transcript};
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;

use crate::book::{Book, Figure};
use crate::made;
use crate::stage::cpu_of;

/// Deltas of a long answer, 6 bytes each.
const DELTAS: u64 = 10_000;
/// Turns of a long history, so that it has a million events.
const TURNS: u32 = 334;
const OF_A_TURN: u64 = 3_000;

pub fn measure(book: &mut Book) {
    let dir = tempfile::tempdir().unwrap();
    let id = SessionId::new(uuid::Uuid::now_v7());
    write(book, dir.path(), id);
    read(book, dir.path(), id);
    draw(book);
}

/// What a piece of work returns, and its processor time in milliseconds.
fn measured<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let from = cpu_of(std::process::id());
    let done = work();
    (done, (cpu_of(std::process::id()) - from) * 1e3)
}

fn delta(turn: u32, i: u64) -> Kind {
    made::delta(turn, &format!("w{i:<4} "))
}

fn write(book: &mut Book, dir: &Path, id: SessionId) {
    let store = Store::open(dir, &dir.join("cache")).unwrap();
    let writer = made::session(&store, id);
    let ((), took) = measured(|| {
        (0..DELTAS).for_each(|i| writer.append(vec![delta(1, i)]));
        assert!(writer.flush());
    });
    book.note(format!(
        "10,000 deltas appended, one line and one `write()` each: {took:.0} ms of CPU."
    ));
    for turn in 2..TURNS {
        let words = (0..OF_A_TURN).map(|i| delta(turn, i));
        writer.append([made::prompt(turn)].into_iter().chain(words).collect());
    }
    assert!(writer.flush());
}

fn read(book: &mut Book, dir: &Path, id: SessionId) {
    let store = Store::open(dir, &dir.join("cache")).unwrap();
    let log = dir.join(format!(".fascicle/sessions/inbox/{id}.jsonl"));
    let size = std::fs::metadata(log).unwrap().len() / 1_000_000;
    let (_, tail) = measured(|| store.tail(id, 256 * 1024).unwrap());
    let (_, fold) = measured(|| {
        let mut folded = Session::default();
        store
            .whole(id)
            .unwrap()
            .for_each(|event| session::apply(&mut folded, &event.unwrap()));
        folded.body.items.len()
    });
    let (_, scan) = measured(|| {
        store
            .writer(id, OnDamage::Refuse, Box::new(|_| ()))
            .unwrap()
    });
    let fresh = Store::open(dir, &dir.join("cache")).unwrap();
    let (_, cold) = measured(|| fresh.heads());
    let again = Store::open(dir, &dir.join("cache")).unwrap();
    let (listed, warm) = measured(|| again.heads());
    assert_eq!(listed.len(), 1);
    let ms = |is, most| vec![Figure::of(is, most, "ms CPU")];
    let of = format!("a log of a million events ({size} MB)");
    book.mark(format!("the end of {of}, no index"), "–", ms(tail, 50.0));
    book.mark(format!("all of {of}, folded"), "–", ms(fold, 1_000.0));
    book.mark(format!("the index of {of}"), "–", ms(cold, 300.0));
    book.note(format!(
        "The same log opened for writing (scanned, sealed): {scan:.0} ms of CPU; the list when it is remembered: {warm:.1} ms."
    ));
}

/// The pane's work for a stream at 200 a second: 30 frames a second, so a frame for every seven deltas.
fn draw(book: &mut Book) {
    let theme = Theme::new(Look::default());
    let area = Rect::new(0, 0, 120, 40);
    let mut page = Transcript::new();
    page.opened(fascicle::domain::Head::default(), false);
    page.live();
    let links = fascicle::ui::links::Links::default();
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
                links: &links,
                sought: None,
            },
        );
        buf
    };
    let event = |seq| Event {
        seq,
        ts: 0,
        kind: delta(1, seq),
    };
    let ((), drawn) = measured(|| {
        for i in 0..DELTAS {
            page.apply(&event(i));
            if i % 7 == 0 {
                frame(&mut page);
            }
        }
    });
    let last = format!("w{}", DELTAS - 1);
    let shown: String = frame(&mut page)
        .content()
        .iter()
        .map(Cell::symbol)
        .collect();
    assert!(shown.contains(&last), "the newest word is on the screen");
    let events: Vec<Notice> = (0..DELTAS).map(event).map(Notice::Event).collect();
    let ((), wire) = measured(|| {
        for notice in &events {
            let line = serde_json::to_string(notice).unwrap();
            let back: Notice = serde_json::from_str(&line).unwrap();
            assert!(matches!(back, Notice::Event(_)));
        }
    });
    book.note(format!(
        "10,000 deltas taken in and 1,429 frames of them drawn into a buffer: {drawn:.0} ms of CPU; as lines of the wire and back: {wire:.0} ms."
    ));
}
