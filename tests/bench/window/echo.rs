//! How long a key takes to be seen.

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use crate::book::quantile;
use crate::stage;
use crate::window::Window;

/// Says to this program that it is to echo what it reads.
pub const RAW: &str = "--raw-echo";
/// Shortest and longest time between two keys, milliseconds.
const GAPS: (u64, u64) = (30, 130);

/// Milliseconds of many keys.
pub struct Echo(Vec<f64>);

impl Echo {
    /// Below that so many of them are.
    pub fn at(&self, part: f64) -> f64 {
        quantile(&mut self.0.clone(), part)
    }
}

/// Types keys at random times where the caret stands; each second one takes the one before back.
pub fn keys(window: &mut Window, n: usize) -> Echo {
    let mut random = 88_172_645_463_325_252_u64;
    let mut took = Vec::new();
    let (row, col) = window.caret();
    for i in 0..n {
        // xorshift64
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let gap = GAPS.0 + random % (GAPS.1 - GAPS.0);
        stage::pass(Duration::from_millis(gap));
        let (key, seen) = if i % 2 == 0 {
            ("x", true)
        } else {
            ("\x7f", false)
        };
        let from = Instant::now();
        window.keys(key);
        let ((), at) = window.wait("a key", stage::PATIENCE, |s| {
            let there = s.cell(row, col).is_some_and(|c| c.contents() == "x");
            (there == seen).then_some(())
        });
        took.push(at.saturating_duration_since(from).as_secs_f64() * 1e3);
    }
    Echo(took)
}

/// The same for a loop that does nothing else.
pub fn floor(n: usize) -> Echo {
    let program = std::env::current_exe().unwrap();
    let mut window = Window::open(&program, &[RAW], &[], (120, 40));
    window.shows("ready");
    keys(&mut window, n)
}

/// Is that loop.
pub fn raw() {
    let mut modes = rustix::termios::tcgetattr(std::io::stdin()).unwrap();
    modes.make_raw();
    let now = rustix::termios::OptionalActions::Now;
    rustix::termios::tcsetattr(std::io::stdin(), now, &modes).unwrap();
    let mut out = std::io::stdout();
    let mut key = [0];
    out.write_all(b"ready ").unwrap();
    out.flush().unwrap();
    while let Ok(1) = std::io::stdin().read(&mut key) {
        let echo: &[u8] = if key == [0x7f] { b"\x08 \x08" } else { &key };
        out.write_all(echo).unwrap();
        out.flush().unwrap();
    }
}
