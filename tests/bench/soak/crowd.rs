//! The windows: one that stays and reads, some that come and go, one that is stopped for a while.

use std::path::Path;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::desk::Desk;
use crate::figures;
use crate::screen::{SIZE, go};
use crate::streams::{NAMES, newest, numbers};
use crate::window::Window;

/// How long the window that stays reads in one session.
const READS: Duration = Duration::from_secs(5);
/// How long a visitor looks at one thing.
const LOOKS: Duration = Duration::from_secs(2);

/// How a window leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// By its key.
    Closed,
    /// Its terminal hangs up.
    HungUp,
    /// It is asked to end.
    Terminated,
    /// It is killed, and cannot say a word.
    Killed,
}

/// Every way, as the page calls it.
pub const WAYS: [(Way, &str); 4] = [
    (Way::Closed, "closed by a key"),
    (Way::HungUp, "SIGHUP"),
    (Way::Terminated, "SIGTERM"),
    (Way::Killed, "SIGKILL"),
];

/// What is counted of all windows.
#[derive(Default)]
struct Books {
    over: bool,
    living: Vec<u32>,
    /// CPU seconds of those that left.
    cpu: f64,
    opened: u32,
    left: Vec<Way>,
    stopped: u32,
    /// That the window that stays wrote.
    bytes: u64,
}

/// All windows.
pub struct Crowd {
    /// Of the run.
    pub length: Duration,
    /// What the binary sees of the world.
    variables: Vec<(String, String)>,
    books: Mutex<Books>,
    over: Condvar,
}

impl Crowd {
    pub fn new(desk: &Desk, length: Duration) -> Self {
        Self {
            length,
            variables: desk.variables(),
            books: Mutex::default(),
            over: Condvar::new(),
        }
    }

    fn books(&self) -> MutexGuard<'_, Books> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens a window and waits until it shows the sessions.
    pub fn enter(&self) -> Window {
        let program = Path::new(env!("CARGO_BIN_EXE_fascicle"));
        let window = Window::open(program, &[], &self.variables, SIZE);
        window.shows(NAMES[0]);
        let mut books = self.books();
        books.living.push(window.pid());
        books.opened += 1;
        drop(books);
        window
    }

    /// Makes a window leave and waits until it is gone.
    pub fn leave(&self, window: &mut Window, way: Way) {
        let mut books = self.books();
        books.living.retain(|pid| *pid != window.pid());
        books.cpu += figures::cpu(window.pid());
        books.left.push(way);
        drop(books);
        match way {
            Way::Closed => window.keys("\x04"),
            Way::HungUp => window.signal("HUP"),
            Way::Terminated => window.signal("TERM"),
            Way::Killed => window.signal("KILL"),
        }
        window.ended();
    }

    /// Waits; whether the streams have ended meanwhile.
    pub fn pause(&self, time: Duration) -> bool {
        let waited = self
            .over
            .wait_timeout_while(self.books(), time, |b| !b.over);
        waited.unwrap_or_else(PoisonError::into_inner).0.over
    }

    /// Tells all that the streams have ended.
    pub fn close(&self) {
        self.books().over = true;
        self.over.notify_all();
    }

    /// CPU seconds of all windows that ever were.
    pub fn cpu(&self) -> f64 {
        let books = self.books();
        let living: f64 = books.living.iter().map(|pid| figures::cpu(*pid)).sum();
        books.cpu + living
    }

    pub fn bytes(&self) -> u64 {
        self.books().bytes
    }

    pub fn opened(&self) -> u32 {
        self.books().opened
    }

    pub fn stopped(&self) -> u32 {
        self.books().stopped
    }

    /// How many left in which way.
    pub fn left(&self) -> Vec<(Way, u32)> {
        let books = self.books();
        let count = |way| books.left.iter().filter(|w| **w == way).count() as u32;
        WAYS.map(|(way, _)| (way, count(way))).to_vec()
    }

    /// Goes from session to session until the streams have ended; every third time it pages back for a while.
    pub fn reads(&self, mut window: Window) -> Window {
        for (i, name) in NAMES.iter().cycle().enumerate() {
            go(&mut window, name);
            let over = self.pause(READS);
            if i % 3 == 0 {
                look_back(&mut window, "\x1b[5~\x1b[5~\x1b[5~");
                self.pause(LOOKS);
                follow_again(&mut window);
            }
            self.books().bytes = window.bytes().len() as u64;
            if over {
                break;
            }
        }
        window
    }

    /// Comes, looks at two sessions and at the beginning of the second, and leaves, each time in another way.
    pub fn visits(&self) -> Option<Window> {
        for (i, (way, _)) in WAYS.iter().cycle().enumerate() {
            let mut window = self.enter();
            for name in [i, i + 5].map(|n| NAMES[n % NAMES.len()]) {
                go(&mut window, name);
                self.pause(LOOKS);
            }
            look_back(&mut window, "\x1b[H");
            self.pause(LOOKS);
            follow_again(&mut window);
            self.leave(&mut window, *way);
            if self.pause(LOOKS) {
                break;
            }
        }
        None
    }

    /// Is stopped while it watches, goes on, and must show what was written meanwhile; four times in the run.
    pub fn sleeps(&self, log: &Path) -> Option<Window> {
        let mut over = false;
        while !over {
            let mut window = self.enter();
            go(&mut window, NAMES[0]);
            over = self.pause(self.length / 16);
            window.signal("STOP");
            over = self.pause(self.length / 8) || over;
            let missed = newest(log);
            window.signal("CONT");
            window.until("what was written meanwhile", |s| numbers(s).max() >= missed);
            self.books().stopped += 1;
            over = self.pause(self.length / 16) || over;
            self.leave(&mut window, Way::Closed);
        }
        None
    }
}

/// Leaves the composer and moves away from the end.
fn look_back(window: &mut Window, keys: &str) {
    window.keys("\x1b");
    window.shows("Enter write");
    window.keys(keys);
}

/// Goes to the newest words and back to the composer.
fn follow_again(window: &mut Window) {
    window.keys("\x1b[F\r");
    window.shows("Enter send");
}
