//! `cargo bench --bench soak`: eight sessions that write 200 deltas a second each for ten minutes while windows come
//! and go, on the real binary. Says whether memory and CPU time stay flat, and writes it into `docs/performance.md`.
//!
//! `-- --minutes 2` makes it shorter; the page is only written by a run of ten minutes or more. CPU time and memory
//! are those of proc(5), so that what else the machine does hardly shows in them.
#![allow(
    dead_code,
    missing_docs,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::new_without_default,
    clippy::must_use_candidate,
    clippy::unnecessary_debug_formatting,
    reason = "bench, and support shared with others"
)]

#[path = "soak/crowd.rs"]
mod crowd;
#[path = "../support/desk.rs"]
mod desk;
#[path = "soak/figures.rs"]
mod figures;
#[path = "soak/page.rs"]
mod page;
#[path = "../cases/screen.rs"]
mod screen;
#[path = "soak/streams.rs"]
mod streams;
#[path = "soak/verdict.rs"]
mod verdict;
#[path = "../support/window.rs"]
mod window;

use std::process::ExitCode;
use std::thread::{self, ScopedJoinHandle};
use std::time::{Duration, Instant};

use crowd::{Crowd, Way};
use desk::Desk;
use figures::{Figures, Sample};
use streams::Streams;
use verdict::Verdict;
use window::Window;

/// How long it is when nobody says so; the page wants no less.
const MINUTES: f64 = 10.0;
/// Longest time between two samples.
const STEP: Duration = Duration::from_secs(30);
/// A run is split into at least that many samples.
const SAMPLES: u32 = 20;
/// The streams may take so much longer than they should before the run is given up.
const SLOWEST: u32 = 3;

/// What a run found.
pub struct Run {
    pub minutes: f64,
    /// Host, and the first window on it, before anything is written.
    pub quiet: [Figures; 2],
    pub samples: Vec<Sample>,
    /// How windows left, and how many did each.
    pub left: Vec<(Way, u32)>,
    /// Windows that were stopped for a while and continued.
    pub stopped: u32,
    /// Deltas in all logs.
    pub deltas: u64,
    /// Load of the machine, as it began and as it ended.
    pub load: [String; 2],
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().collect();
    // `cargo test --all-targets` starts benches, too: that is not the time for one.
    if !words.iter().any(|w| w == "--bench") {
        return ExitCode::SUCCESS;
    }
    let minutes = words.iter().skip_while(|w| *w != "--minutes").nth(1);
    let minutes = minutes.map_or(MINUTES, |m| m.parse().expect("--minutes takes a number"));
    let run = soak(minutes);
    let verdict = Verdict::of(&run.samples);
    println!("\n{}", page::section(&run, &verdict));
    if minutes >= MINUTES {
        println!("written to {}", page::write(&run, &verdict).display());
    }
    if verdict.is_flat() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Runs it from an empty desk to one that nothing is left of.
fn soak(minutes: f64) -> Run {
    let desk = Desk::new();
    let mut streams = Streams::on(&desk, minutes);
    let length = Duration::from_secs_f64(minutes * 60.0);
    let crowd = Crowd::new(&desk, length);
    let mut first = crowd.enter();
    let host = figures::found("a host", || desk.host());
    let quiet = [Figures::of(host), Figures::of(first.pid())];
    let load = figures::load();
    // A window hears of every session that it was in: from here on this one hears of all.
    visit_all(&mut first, |_, _| ());
    streams.begin(&desk);
    let watched = streams.log_of(streams::NAMES[0]);
    let (samples, mut first) = thread::scope(|scope| {
        let pid = first.pid();
        let people = [
            scope.spawn(|| Some(crowd.reads(first))),
            scope.spawn(|| crowd.visits()),
            scope.spawn(|| crowd.sleeps(&watched)),
        ];
        let samples = measure(&crowd, &mut streams, [host, pid], &people);
        crowd.close();
        let mut windows = people.map(|p| p.join().unwrap()).into_iter().flatten();
        (samples, windows.next().unwrap())
    });
    visit_all(&mut first, |window, name| {
        window.shows(&streams.last_word(name));
    });
    crowd.leave(&mut first, Way::Closed);
    figures::found("the end of the host", || {
        figures::is_gone(host).then_some(())
    });
    let deltas = streams.check(&desk);
    Run {
        minutes,
        quiet,
        samples,
        left: crowd.left(),
        stopped: crowd.stopped(),
        deltas,
        load: [load, figures::load()],
    }
}

/// Goes to every session.
fn visit_all(window: &mut Window, look: impl Fn(&Window, &str)) {
    for name in streams::NAMES {
        screen::go(window, name);
        look(window, name);
    }
}

/// Looks at host and first window until the first stream has ended, then waits for the others.
fn measure(
    crowd: &Crowd,
    streams: &mut Streams,
    [host, window]: [u32; 2],
    people: &[ScopedJoinHandle<'_, Option<Window>>],
) -> Vec<Sample> {
    let begun = Instant::now();
    let step = STEP.min(crowd.length / SAMPLES);
    let mut samples: Vec<Sample> = Vec::new();
    loop {
        streams.advance();
        if streams.all_ended() || people.iter().any(ScopedJoinHandle::is_finished) {
            return samples;
        }
        let at = begun.elapsed();
        assert!(
            at < crowd.length * SLOWEST,
            "the streams did not end in time"
        );
        let due = step * u32::try_from(samples.len()).unwrap();
        if at >= due && !streams.any_ended() {
            let sample = Sample {
                seconds: at.as_secs_f64(),
                deltas: streams.deltas(),
                host: Figures::of(host),
                window: Figures::of(window),
                windows: crowd.cpu(),
                bytes: crowd.bytes(),
                opened: crowd.opened(),
            };
            println!("{}", sample.row(samples.last()));
            samples.push(sample);
        }
        crowd.pause(Duration::from_millis(500));
    }
}
