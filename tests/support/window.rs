//! The real binary in a real pseudo-terminal, and a model of the screen that it draws.

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// How long a screen is waited for: machines are shared and slow at times.
const PATIENCE: Duration = Duration::from_secs(60);

/// What came out of the terminal so far.
struct Seen {
    parser: vt100::Parser,
    bytes: Vec<u8>,
    /// When the newest of them came.
    at: Instant,
    ended: bool,
    /// Nothing is read any more.
    hung_up: bool,
    /// In the middle of a frame: a terminal would not show what is there so far.
    drawing: bool,
}

/// Between these a frame is drawn (synchronized output).
const FRAME: [&[u8]; 2] = [b"\x1b[?2026h", b"\x1b[?2026l"];

impl Seen {
    fn take(&mut self, new: &[u8]) {
        let from = self.bytes.len().saturating_sub(FRAME[0].len() - 1);
        self.parser.process(new);
        self.bytes.extend_from_slice(new);
        let mut newest = self.bytes[from..].windows(FRAME[0].len()).rev();
        let edge = newest.find(|w| FRAME.contains(w));
        self.drawing = edge.map_or(self.drawing, |edge| edge == FRAME[0]);
    }
}

/// A window under test.
pub struct Window {
    master: Option<Box<dyn MasterPty + Send>>,
    keys: Option<Box<dyn Write + Send>>,
    child: Box<dyn Child + Send + Sync>,
    seen: Arc<(Mutex<Seen>, Condvar)>,
}

impl Window {
    /// Runs a program with exactly these variables, in the workspace they name.
    pub fn open(
        program: &Path,
        args: &[&str],
        variables: &[(String, String)],
        size: (u16, u16),
    ) -> Self {
        let workspace = variables.iter().find(|(n, _)| n == "FASCICLE_WORKSPACE");
        let at = workspace.map(|(_, at)| Path::new(at));
        Self::open_in(at, program, args, variables, size)
    }

    /// Runs a program with exactly these variables, in a folder.
    pub fn open_in(
        at: Option<&Path>,
        program: &Path,
        args: &[&str],
        variables: &[(String, String)],
        size: (u16, u16),
    ) -> Self {
        let (cols, rows) = size;
        let pair = native_pty_system().openpty(pty_size(cols, rows)).unwrap();
        let mut command = CommandBuilder::new(program);
        command.args(args);
        command.env_clear();
        for (name, value) in variables {
            command.env(name, value);
        }
        if let Some(at) = at {
            command.cwd(at);
        }
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let keys = Some(pair.master.take_writer().unwrap());
        let seen = Arc::new((
            Mutex::new(Seen {
                parser: vt100::Parser::new(cells(rows), cells(cols), 0),
                bytes: Vec::new(),
                at: Instant::now(),
                ended: false,
                hung_up: false,
                drawing: false,
            }),
            Condvar::new(),
        ));
        read(pair.master.try_clone_reader().unwrap(), seen.clone());
        Self {
            master: Some(pair.master),
            keys,
            child,
            seen,
        }
    }

    /// Types. `"\x10"` is Ctrl-P, `"\r"` Enter, `"\x1b[A"` Up.
    pub fn keys(&mut self, keys: &str) {
        let to = self.keys.as_mut().unwrap();
        to.write_all(keys.as_bytes()).unwrap();
        to.flush().unwrap();
    }

    /// Pastes as a terminal does.
    pub fn paste(&mut self, text: &str) {
        self.keys(&format!("\x1b[200~{text}\x1b[201~"));
    }

    /// The screen as text, a line for each row.
    pub fn screen(&self) -> String {
        self.seen
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .parser
            .screen()
            .contents()
    }

    /// Every byte the terminal got.
    pub fn bytes(&self) -> Vec<u8> {
        self.seen
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .bytes
            .clone()
    }

    /// How the terminal is set, as far as the model and the system tell: screen, cursor, paste, mouse, keypad,
    /// echo and line editing.
    pub fn modes(&self) -> String {
        let seen = self.seen.0.lock().unwrap_or_else(PoisonError::into_inner);
        let screen = seen.parser.screen();
        let model = (
            screen.alternate_screen(),
            screen.hide_cursor(),
            screen.bracketed_paste(),
            screen.mouse_protocol_mode(),
            screen.application_cursor(),
            screen.application_keypad(),
        );
        let system = self.master.as_ref().and_then(|m| m.get_termios());
        let system = system.map(|t| (t.input_flags, t.output_flags, t.local_flags));
        format!("{model:?} {system:?}")
    }

    /// Where the terminal's cursor stands: row and column.
    pub fn caret(&self) -> (u16, u16) {
        let seen = self.seen.0.lock().unwrap_or_else(PoisonError::into_inner);
        seen.parser.screen().cursor_position()
    }

    /// Waits until the screen shows a text.
    pub fn shows(&self, text: &str) -> String {
        self.until(text, |screen| screen.contains(text))
    }

    /// Waits for a named condition of the screen.
    pub fn until(&self, what: &str, holds: impl Fn(&str) -> bool) -> String {
        self.wait(what, PATIENCE, |s| {
            let text = s.contents();
            holds(&text).then_some(text)
        })
        .0
    }

    /// Waits for something on the screen; what it is, and when the bytes had come that show it.
    pub fn wait<T>(
        &self,
        what: &str,
        patience: Duration,
        found: impl Fn(&vt100::Screen) -> Option<T>,
    ) -> (T, Instant) {
        let (lock, changed) = &*self.seen;
        let end = Instant::now() + patience;
        let mut seen = lock.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if !seen.drawing
                && let Some(it) = found(seen.parser.screen())
            {
                return (it, seen.at);
            }
            let left = end.saturating_duration_since(Instant::now());
            assert!(
                !left.is_zero() && !seen.ended,
                "waited for {what:?}; the screen is:\n{}",
                seen.parser.screen().contents()
            );
            seen = changed.wait_timeout(seen, left).unwrap().0;
        }
    }

    /// How many bytes the terminal got.
    pub fn count(&self) -> usize {
        let seen = self.seen.0.lock().unwrap_or_else(PoisonError::into_inner);
        seen.bytes.len()
    }

    /// Sets the size of the terminal, as its owner does.
    pub fn resize(&self, cols: u16, rows: u16) {
        self.seen
            .0
            .lock()
            .unwrap()
            .parser
            .screen_mut()
            .set_size(cells(rows), cells(cols));
        self.master
            .as_ref()
            .unwrap()
            .resize(pty_size(cols, rows))
            .unwrap();
    }

    /// Process id of the program.
    pub fn pid(&self) -> u32 {
        self.child.process_id().unwrap()
    }

    /// Sends a signal, by its name without SIG.
    pub fn signal(&self, name: &str) {
        let pid = self.pid().to_string();
        let status = std::process::Command::new("kill")
            .args(["-s", name, &pid])
            .status()
            .unwrap();
        assert!(status.success(), "kill -s {name} {pid}");
    }

    /// Hangs up: the terminal is gone, as soon as the program has drawn once more.
    pub fn hang_up(&mut self) {
        let (lock, changed) = &*self.seen;
        let end = Instant::now() + PATIENCE;
        let mut seen = lock.lock().unwrap_or_else(PoisonError::into_inner);
        seen.hung_up = true;
        while !seen.ended {
            let left = end.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "the program draws nothing");
            seen = changed.wait_timeout(seen, left).unwrap().0;
        }
        drop(seen);
        self.master = None;
        self.keys = None;
    }

    /// Waits until the program has ended; its exit code.
    pub fn ended(&mut self) -> u32 {
        let (lock, changed) = &*self.seen;
        let end = Instant::now() + PATIENCE;
        let mut seen = lock.lock().unwrap_or_else(PoisonError::into_inner);
        while !seen.ended {
            let left = end.saturating_duration_since(Instant::now());
            assert!(
                !left.is_zero(),
                "the program did not end; the screen is:\n{}",
                seen.parser.screen().contents()
            );
            seen = changed.wait_timeout(seen, left).unwrap().0;
        }
        drop(seen);
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.exit_code();
            }
            assert!(Instant::now() < end, "the program did not end");
            std::thread::yield_now();
        }
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        // It may have ended; then there is nothing to kill.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// The screen model knows no empty screen.
fn cells(n: u16) -> NonZeroU16 {
    NonZeroU16::new(n).unwrap_or(NonZeroU16::MIN)
}

fn pty_size(cols: u16, rows: u16) -> PtySize {
    PtySize {
        rows,
        cols,
        pixel_width: 0,
        pixel_height: 0,
    }
}

fn read(mut from: Box<dyn Read + Send>, seen: Arc<(Mutex<Seen>, Condvar)>) {
    std::thread::spawn(move || {
        let mut buffer = [0; 16 * 1024];
        loop {
            let n = from.read(&mut buffer).unwrap_or(0);
            let at = Instant::now();
            let mut now = seen.0.lock().unwrap_or_else(PoisonError::into_inner);
            now.at = at;
            if n == 0 {
                now.ended = true;
                seen.1.notify_all();
                return;
            }
            now.take(&buffer[..n]);
            now.ended = now.hung_up;
            seen.1.notify_all();
            if now.hung_up {
                return;
            }
        }
    });
}
