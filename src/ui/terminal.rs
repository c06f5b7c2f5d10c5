//! The terminal as the window has it and as the shell had it: entered and left in one way, whatever the reason.

mod clusters;
mod way;

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crossterm::clipboard::CopyToClipboard;
use crossterm::cursor::{SetCursorStyle, Show};
use crossterm::event::{
    DisableBracketedPaste, DisableFocusChange, EnableBracketedPaste, EnableFocusChange,
};
use crossterm::terminal::{
    BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
    SetTitle, disable_raw_mode, enable_raw_mode,
};
use crossterm::{execute, queue};
use ratatui::backend::CrosstermBackend;
use ratatui::{Frame, Terminal};

use clusters::Clusters;
use way::{Hurry, Way};

/// Keeps the terminal's title, and brings it back (XTWINOPS 22 and 23).
const PUSH_TITLE: &[u8] = b"\x1b[22;2t";
const POP_TITLE: &[u8] = b"\x1b[23;2t";

/// Whether the terminal is the window's. Shared with the panic hook and the signals, who may have to leave it.
/// Whoever writes holds it, so that no frame comes after the terminal was given back.
#[derive(Clone, Debug, Default)]
pub struct Modes {
    ours: Arc<AtomicBool>,
    /// None before the terminal was taken for the first time.
    way: Arc<Mutex<Option<Way>>>,
    hurry: Hurry,
}

impl Modes {
    /// Whether the terminal is the window's. Waits for nobody.
    pub fn are_ours(&self) -> bool {
        self.ours.load(Ordering::Relaxed)
    }

    fn hold(&self) -> MutexGuard<'_, Option<Way>> {
        self.way.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on a terminal that does not read is waited for no more: whoever writes to it, or will, fails.
    pub fn hurry(&self) {
        self.hurry.begin();
    }

    /// Takes the terminal. Nothing here waits for an answer of it.
    ///
    /// # Errors
    /// When the terminal cannot be written or set.
    pub fn enter(&self) -> io::Result<()> {
        let mut held = self.hold();
        let out = held.get_or_insert_with(|| Way::new(self.hurry.clone()));
        enable_raw_mode()?;
        self.ours.store(true, Ordering::Relaxed);
        out.write_all(PUSH_TITLE)?;
        execute!(
            out,
            EnterAlternateScreen,
            EnableBracketedPaste,
            EnableFocusChange,
            SetCursorStyle::SteadyBar
        )
    }

    /// Gives the terminal back as it was. Does nothing when it is the shell's already. False when it did not take
    /// all of what that needs.
    pub fn leave(&self) -> bool {
        let mut held = self.hold();
        let Some(out) = held.as_mut().filter(|_| self.are_ours()) else {
            return true;
        };
        self.ours.store(false, Ordering::Relaxed);
        // Each step is tried even if one before failed: a terminal half left is worse.
        let shown = execute!(
            out,
            EndSynchronizedUpdate,
            SetCursorStyle::DefaultUserShape,
            DisableFocusChange,
            DisableBracketedPaste,
            LeaveAlternateScreen,
            Show
        );
        let named = out.write_all(POP_TITLE).and_then(|()| out.flush());
        let set = disable_raw_mode();
        shown.and(named).and(set).is_ok()
    }

    /// Leaves the terminal before a panic's message is written, then calls `then`.
    pub fn leave_on_panic(&self, then: impl Fn() + Send + Sync + 'static) {
        let before = std::panic::take_hook();
        let modes = self.clone();
        std::panic::set_hook(Box::new(move |info| {
            // The panic may have come while another waits for the terminal.
            modes.hurry();
            modes.leave();
            before(info);
            then();
        }));
    }
}

/// What a frame writes, held until it is whole.
#[derive(Clone, Debug, Default)]
struct Held(Rc<RefCell<Vec<u8>>>);

impl Write for Held {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The screen: frames go out whole, each in one write.
#[derive(Debug)]
pub struct Screen {
    modes: Modes,
    held: Held,
    terminal: Terminal<CrosstermBackend<Held>>,
    clusters: Clusters,
}

impl Screen {
    /// Takes the terminal.
    ///
    /// # Errors
    /// When it cannot be written or set, or has no size.
    pub fn new(modes: Modes) -> io::Result<Self> {
        modes.enter()?;
        let held = Held::default();
        let terminal = Terminal::new(CrosstermBackend::new(held.clone()))?;
        Ok(Self {
            modes,
            held,
            terminal,
            clusters: Clusters::default(),
        })
    }

    /// Draws one frame: only the cells that changed, shown at once.
    ///
    /// # Errors
    /// When the terminal cannot be written.
    pub fn draw(&mut self, paint: impl FnOnce(&mut Frame<'_>)) -> io::Result<()> {
        queue!(self.held, BeginSynchronizedUpdate)?;
        let clusters = &mut self.clusters;
        self.terminal.draw(|frame| {
            paint(frame);
            clusters.renew(frame.buffer_mut());
        })?;
        queue!(self.held, EndSynchronizedUpdate)?;
        self.send()
    }

    /// Takes the terminal again after it was left, to be drawn from nothing.
    ///
    /// # Errors
    /// When it cannot be written or set.
    pub fn enter(&mut self) -> io::Result<()> {
        self.modes.enter()?;
        self.clear()
    }

    /// Gives the terminal back. False when it did not take all of what that needs.
    pub fn leave(&self) -> bool {
        self.modes.leave()
    }

    /// Forgets what is on the screen, so that the next frame draws all of it.
    ///
    /// # Errors
    /// When the terminal cannot be written.
    pub fn clear(&mut self) -> io::Result<()> {
        // Not `Terminal::clear`: it asks the terminal where the cursor is, and waits for the answer.
        self.clusters.clear();
        let size = self.terminal.size()?;
        self.terminal.resize(size.into())
    }

    /// Puts a text on the clipboard of the terminal, over any number of hops (OSC 52).
    ///
    /// # Errors
    /// When the terminal cannot be written.
    pub fn copy(&mut self, text: &str) -> io::Result<()> {
        queue!(self.held, CopyToClipboard::to_clipboard_from(text))?;
        self.send()
    }

    /// Sends bytes that show nothing: a bell, a notification.
    ///
    /// # Errors
    /// When the terminal cannot be written.
    pub fn call(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.held.write_all(bytes)?;
        self.send()
    }

    /// Names the terminal's window.
    ///
    /// # Errors
    /// When the terminal cannot be written.
    pub fn title(&mut self, title: &str) -> io::Result<()> {
        queue!(self.held, SetTitle(title))?;
        self.send()
    }

    fn send(&mut self) -> io::Result<()> {
        let bytes = std::mem::take(&mut *self.held.0.borrow_mut());
        let mut held = self.modes.hold();
        match held.as_mut().filter(|_| self.modes.are_ours()) {
            Some(out) => out.write_all(&bytes).and_then(|()| out.flush()),
            None => Ok(()),
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.modes.leave();
    }
}
