//! The first frame and the first key, with few sessions and many, with what is remembered of them and without.

use std::time::Instant;

use crate::book::{Book, Figure, quantile};
use crate::desk::Desk;
use crate::screen::composer;
use crate::stage::{self, PATIENCE};

/// Times each is measured.
const TIMES: usize = 5;
/// Sessions of a full workspace.
const MANY: usize = 10_000;
const TITLE: &str = "Piece";

/// One opening: seconds until the first frame and the first key, processor time until then and until all is quiet.
#[derive(Clone, Copy)]
struct Opening {
    frame: f64,
    key: f64,
    cpu: f64,
    all: f64,
}

pub fn measure(book: &mut Book) {
    let desk = stage::desk(&[stage::stream(60)]);
    let id = desk.ok(&["new", TITLE]);
    desk.ok(&["send", &id, "Go on.", "--wait"]);
    stage::until("an empty desk", || desk.processes().is_empty());
    for more in [0, MANY - 1] {
        stage::copies(&desk, &id, TITLE, more);
        // What is remembered is made by the first window.
        open(&desk);
        for (cache, cold) in [("warm", false), ("cold", true)] {
            let times: Vec<Opening> = (0..TIMES)
                .map(|_| {
                    if cold {
                        stage::forget(&desk);
                    }
                    open(&desk)
                })
                .collect();
            let middle = |of: fn(&Opening) -> f64| {
                let mut all: Vec<f64> = times.iter().map(of).collect();
                quantile(&mut all, 0.5)
            };
            let sessions = if more == 0 {
                "1 session"
            } else {
                "10,000 sessions"
            };
            book.mark(
                format!("first frame, first echoed key, CPU until then; {sessions}, cache {cache}"),
                "0.09 s / 0.10 s / 0.07 s",
                vec![
                    Figure::of(middle(|o| o.frame), 0.05, "s"),
                    Figure::of(middle(|o| o.key), 0.05, "s"),
                    Figure::of(middle(|o| o.cpu), 0.03, "s"),
                ],
            );
            book.note(format!(
                "{sessions}, cache {cache}: {:.3} CPU-s until all was quiet.",
                middle(|o| o.all)
            ));
        }
    }
}

fn open(desk: &Desk) -> Opening {
    let begun = Instant::now();
    let mut window = stage::open(desk, &[]);
    let frame = window.wait("a frame", PATIENCE, |s| {
        s.contents().contains('›').then_some(())
    });
    window.keys("q");
    let key = window.wait("a key", PATIENCE, |s| {
        (composer(&s.contents()) == "q").then_some(())
    });
    let cpu = stage::cpu(desk);
    window.until("the list", |s| s.contains(TITLE));
    stage::settle(desk);
    let all = stage::cpu(desk);
    window.keys("\x7f");
    window.until("an empty composer", |s| composer(s) != "q");
    stage::close(desk, window);
    let seconds = |at: Instant| at.saturating_duration_since(begun).as_secs_f64();
    Opening {
        frame: seconds(frame.1),
        key: seconds(key.1),
        cpu,
        all,
    }
}
