//! What ten thousand deltas cost, in one session and in eight at once, and how fast a key is meanwhile.

use std::time::Instant;

use crate::book::{Book, Figure};
use crate::desk::Desk;
use crate::echo;
use crate::screen::{go, say};
use crate::served;
use crate::stage::{self, LAST, PATIENCE, cpu_of};
use crate::window::Window;

/// Deltas of a turn.
const DELTAS: u64 = 10_000;
/// Deltas of the turns during which keys are typed.
const TYPED: u64 = 9_000;
/// Keys typed.
const KEYS: usize = 400;
const NAMES: [&str; 8] = [
    "Alder", "Birch", "Cedar", "Dogwood", "Fir", "Gorse", "Hazel", "Juniper",
];

/// Shown while a frame begins (synchronized output), and for a screen that is cleared.
const FRAME: &[u8] = b"\x1b[?2026h";
const CLEAR: &[u8] = b"\x1b[2J";

/// Who works on the desk, and what they have used.
struct Spent {
    window: f64,
    host: f64,
}

impl Spent {
    fn so_far(desk: &Desk, window: &Window) -> Self {
        let used = cpu_of(window.pid());
        Self {
            window: used,
            host: stage::cpu(desk) - used,
        }
    }

    fn since(self, before: &Self, thousands: f64) -> Self {
        Self {
            window: (self.window - before.window) / thousands,
            host: (self.host - before.host) / thousands,
        }
    }

    fn told(&self) -> String {
        format!("window {:.2} s, host {:.2} s", self.window, self.host)
    }
}

/// What a window, a turn and its end cost.
struct Streamed {
    spent: Spent,
    took: f64,
    written: Vec<u8>,
}

/// One session streams in the window's view.
fn stream(desk: &Desk) -> Streamed {
    desk.ok(&["new", NAMES[0]]);
    let mut window = stage::open(desk, &[]);
    window.shows(NAMES[0]);
    go(&mut window, NAMES[0]);
    stage::settle(desk);
    let (before, bytes, begun) = (Spent::so_far(desk, &window), window.count(), Instant::now());
    say(&mut window, "Go on.");
    shows(&window, LAST);
    let took = begun.elapsed().as_secs_f64();
    stage::settle(desk);
    let spent = Spent::so_far(desk, &window).since(&before, DELTAS as f64 / 10_000.0);
    let written = window.bytes().split_off(bytes);
    stage::close(desk, window);
    Streamed {
        spent,
        took,
        written,
    }
}

pub fn one(book: &mut Book) {
    let desk = stage::desk(&[stage::stream(DELTAS)]);
    let Streamed {
        spent,
        took,
        written,
    } = stream(&desk);
    let count = |what| memchr::memmem::find_iter(&written, what).count();
    book.mark(
        "CPU per 10,000 deltas at 200/s, one session, the agent's own work included",
        "–",
        vec![Figure::of(spent.window + spent.host, 2.5, "s")],
    );
    book.mark(
        "bytes to the terminal per 10,000 deltas",
        "1.8 MB",
        vec![Figure::of(written.len() as f64 / 1e6, 1.0, "MB")],
    );
    book.note(format!(
        "One session: {}, the agent that plays the stream in the host's; {:.0} deltas a second, {} frames, {} of them cleared the screen.",
        spent.told(),
        DELTAS as f64 / took,
        count(FRAME),
        count(CLEAR),
    ));
}

/// The same, the stream from a model server, as with the programs it is compared with.
pub fn served(book: &mut Book) {
    let (desk, _served) = served::desk(DELTAS);
    let Streamed { spent, took, .. } = stream(&desk);
    book.mark(
        "CPU per 10,000 deltas at 200/s, one session, from a model server",
        "7.4 s",
        vec![Figure::of(spent.window + spent.host, 2.5, "s")],
    );
    book.note(format!(
        "One session from a model server: {}; {:.0} deltas a second.",
        spent.told(),
        DELTAS as f64 / took,
    ));
}

pub fn eight(book: &mut Book) {
    let desk = stage::desk(&[stage::stream(DELTAS), stage::stream(TYPED)]);
    let ids = NAMES.map(|name| desk.ok(&["new", name]));
    let mut window = stage::open(&desk, &[]);
    // A window hears of every session that it was in.
    for name in NAMES {
        window.shows(name);
        go(&mut window, name);
    }
    stage::settle(&desk);
    let (before, begun) = (Spent::so_far(&desk, &window), Instant::now());
    send(&desk, &ids);
    ended(&desk);
    let took = begun.elapsed().as_secs_f64();
    stage::settle(&desk);
    let all = 8.0 * DELTAS as f64;
    let spent = Spent::so_far(&desk, &window).since(&before, all / 10_000.0);
    book.mark(
        "CPU per 10,000 deltas at 200/s, eight sessions at once",
        "7.4 s (one session)",
        vec![Figure::of(spent.window + spent.host, 2.5, "s")],
    );
    book.note(format!(
        "Eight sessions: {}; {:.0} deltas a second together.",
        spent.told(),
        all / took
    ));
    send(&desk, &ids);
    window.until("the second turn", |s| s.contains("lemon"));
    let ours = echo::keys(&mut window, KEYS);
    let floor = echo::floor(KEYS);
    book.mark(
        "key echo while eight sessions stream, p50 / p99",
        "5.7 / 10.7 ms (one session)",
        vec![
            Figure::of(ours.at(0.5), 2.0, "ms"),
            Figure::of(ours.at(0.99), 5.0, "ms"),
        ],
    );
    book.note(format!(
        "Key echo: {KEYS} keys at random times; p90 {:.1} ms, worst {:.1} ms. A raw echo loop in such a terminal at the same time: {:.2} / {:.2} ms.",
        ours.at(0.9),
        ours.at(1.0),
        floor.at(0.5),
        floor.at(0.99),
    ));
    ended(&desk);
    stage::close(&desk, window);
}

/// Sends each a prompt.
fn send(desk: &Desk, ids: &[String]) {
    for id in ids {
        desk.ok(&["send", id, "Go on."]);
    }
}

fn ended(desk: &Desk) {
    stage::until("the end of all turns", || {
        stage::pass(std::time::Duration::from_secs(1));
        let rows = desk.json(&["list", "--json"]);
        let busy = |r: &serde_json::Value| r["state"] == "writing" || r["state"] == "queued";
        !rows.as_array().unwrap().iter().any(busy)
    });
}

fn shows(window: &Window, text: &str) {
    window.wait(text, PATIENCE, |s| {
        s.contents().contains(text).then_some(())
    });
}
