//! What a window at rest does, and how much memory it and its host take.

use std::time::Duration;

use crate::book::{Book, Figure};
use crate::desk::Desk;
use crate::figures::Figures;
use crate::screen::{go, say};
use crate::stage::{self, LAST, PATIENCE};
use crate::window::Window;

/// Deltas of a long day.
const DELTAS: u64 = 100_000;
/// How long nothing happens, seconds.
const QUIET: u64 = 20;
const TITLE: &str = "Alder";
/// A mebibyte in megabytes.
const MIB: f64 = 1.048_576;

fn enter(turns: &[serde_json::Value]) -> (Desk, Window) {
    let desk = stage::desk(turns);
    desk.ok(&["new", TITLE]);
    let mut window = stage::open(&desk, &[]);
    window.shows(TITLE);
    go(&mut window, TITLE);
    stage::settle(&desk);
    (desk, window)
}

pub fn idle(book: &mut Book) {
    let (desk, mut window) = enter(&[stage::stream(600)]);
    say(&mut window, "Go on.");
    window.shows(LAST);
    stage::settle(&desk);
    let (cpu, bytes) = (stage::cpu(&desk), window.count());
    stage::pass(Duration::from_secs(QUIET));
    let (cpu, bytes) = (stage::cpu(&desk) - cpu, window.count() - bytes);
    book.mark(
        "idle 20 s, CPU / bytes",
        "0.00 s / 0",
        vec![
            // To two digits, as the peers were measured.
            Figure::of((cpu * 100.0).round() / 100.0, 0.0, "s"),
            Figure::of(bytes as f64, 0.0, "bytes"),
        ],
    );
    book.note(format!("Idle: {:.2} ms of CPU in {QUIET} s.", cpu * 1e3));
    stage::close(&desk, window);
}

pub fn grown(book: &mut Book) {
    let (desk, mut window) = enter(&[stage::fast_stream(DELTAS)]);
    let start = both(&desk, &window);
    say(&mut window, "Go on.");
    window.wait(LAST, PATIENCE, |s| {
        s.contents().contains(LAST).then_some(())
    });
    stage::settle(&desk);
    let after = both(&desk, &window);
    let all = |both: &[Figures; 2]| both.iter().map(|f| f.rss * MIB).sum::<f64>();
    book.mark(
        "memory (RSS), host and window together: at start / after 100,000 deltas",
        "136 / 179 MB",
        vec![
            Figure::of(all(&start), 30.0, "MB"),
            Figure::of(all(&after), 45.0, "MB"),
        ],
    );
    let told = |both: &[Figures; 2]| {
        let [host, window] = both;
        format!(
            "host {:.1} (PSS {:.1}), window {:.1} (PSS {:.1}) MB",
            host.rss * MIB,
            host.pss * MIB,
            window.rss * MIB,
            window.pss * MIB
        )
    };
    book.note(format!(
        "Memory at start: {}; after 100,000 deltas: {}. Pages of the program that both have are counted twice in RSS.",
        told(&start),
        told(&after)
    ));
    stage::close(&desk, window);
}

/// The host and the window.
fn both(desk: &Desk, window: &Window) -> [Figures; 2] {
    let mut others = desk.processes();
    others.retain(|pid| *pid != window.pid());
    assert_eq!(others.len(), 1, "one host");
    [others[0], window.pid()].map(Figures::of)
}
