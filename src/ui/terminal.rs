//! The terminal as the window has it and as the shell had it: entered and left in one way, whatever the reason.

mod clip;
mod clusters;
mod heard;
mod ink;
mod kind;
mod way;

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crossterm::cursor::Show;
use crossterm::event::{
    DisableBracketedPaste, DisableFocusChange, EnableBracketedPaste, EnableFocusChange,
};
use crossterm::terminal::{
    BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
    SetTitle, disable_raw_mode, enable_raw_mode,
};
use crossterm::{execute, queue};
use ratatui::{Frame, Terminal};

use super::links::Links;
pub use clip::LONGEST as COPY_LONGEST;
use clusters::Clusters;
pub use heard::Heard;
use ink::Ink;
pub use kind::{Kind, Within};
use way::{Hurry, Way};

/// Keeps the terminal's title and makes the cursor a bar; brings both back (XTWINOPS 22 and 23, DECSCUSR).
const TAKE: &[u8] = b"\x1b[22;2t\x1b[6 q";
const GIVE_BACK: &[u8] = b"\x1b[0 q\x1b[23;2t";
/// Where there is one screen only, it is empty when the window comes and when it goes.
const EMPTY: &[u8] = b"\x1b[2J\x1b[H";
/// Asks which of kitty's keyboard flags are set: whoever answers has them.
const ASK_KEYBOARD: &[u8] = b"\x1b[?u";
/// Asks for the colour of the page (OSC 11).
const ASK_PAGE: &[u8] = b"\x1b]11;?\x1b\\";
/// Asks what every terminal answers (DA1), and last: no answer comes behind that one.
const ASK_LAST: &[u8] = b"\x1b[c";
/// Keys that could be taken for others come as what they are, and no longer (kitty's protocol, flag 1).
const KEYS_EXACT: &[u8] = b"\x1b[>1u";
const KEYS_USUAL: &[u8] = b"\x1b[<u";
/// Clicks, motion while a button is held, places beyond column 223; and no longer.
const MOUSE_ON: &[u8] = b"\x1b[?1000h\x1b[?1002h\x1b[?1006h";
const MOUSE_OFF: &[u8] = b"\x1b[?1006l\x1b[?1002l\x1b[?1000l";

/// Whether the terminal is the window's. Shared with the panic hook and the signals, who may have to leave it.
/// Whoever writes holds it, so that no frame comes after the terminal was given back.
#[derive(Clone, Debug, Default)]
pub struct Modes {
    ours: Arc<AtomicBool>,
    /// None before the terminal was taken for the first time.
    way: Arc<Mutex<Option<Way>>>,
    hurry: Hurry,
    kind: Kind,
    wanted: Arc<Wanted>,
}

/// What is switched on while the terminal is the window's, and off when it is not.
#[derive(Debug, Default)]
struct Wanted {
    /// The page's colour is to be asked for.
    page: AtomicBool,
    /// The terminal was asked, and may not have answered.
    owed: AtomicBool,
    asked: AtomicBool,
    keyboard: AtomicBool,
    mouse: AtomicBool,
}

impl Modes {
    /// For a terminal of a kind. `page` says whether the colour of its page is to be asked for.
    pub fn new(kind: Kind, page: bool) -> Self {
        let modes = Self {
            kind,
            ..Self::default()
        };
        modes.wanted.page.store(page, Ordering::Relaxed);
        modes
    }

    /// For a question that is over before an answer would be there: the terminal is asked nothing.
    pub fn silent(kind: Kind) -> Self {
        let modes = Self::new(kind, false);
        modes.wanted.asked.store(true, Ordering::Relaxed);
        modes
    }

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
        let mut first = Vec::new();
        if !self.kind.console {
            first.extend(TAKE);
        }
        queue!(
            first,
            EnterAlternateScreen,
            EnableBracketedPaste,
            EnableFocusChange
        )?;
        first.extend(self.on());
        out.write_all(&first).and_then(|()| out.flush())
    }

    /// What is switched on, and what is asked the first time.
    fn on(&self) -> Vec<u8> {
        let is = |flag: &AtomicBool| flag.load(Ordering::Relaxed);
        if self.kind.console {
            return EMPTY.to_vec();
        }
        let mut out = Vec::new();
        if self.kind.has_one_screen() {
            out.extend(EMPTY);
        }
        if is(&self.wanted.keyboard) {
            out.extend(KEYS_EXACT);
        }
        if is(&self.wanted.mouse) {
            out.extend(MOUSE_ON);
        }
        if !self.wanted.asked.swap(true, Ordering::Relaxed) {
            out.extend(ASK_KEYBOARD);
            if is(&self.wanted.page) {
                out.extend(ASK_PAGE);
            }
            out.extend(ASK_LAST);
            self.wanted.owed.store(true, Ordering::Relaxed);
        }
        out
    }

    /// Whether the terminal was just asked something; told once.
    pub fn take_owed(&self) -> bool {
        self.wanted.owed.swap(false, Ordering::Relaxed)
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
        let off = out.write_all(&self.off());
        let shown = execute!(
            out,
            EndSynchronizedUpdate,
            DisableFocusChange,
            DisableBracketedPaste,
            LeaveAlternateScreen,
            Show
        );
        let named = if self.kind.console {
            Ok(())
        } else {
            out.write_all(GIVE_BACK).and_then(|()| out.flush())
        };
        let set = disable_raw_mode();
        off.and(shown).and(named).and(set).is_ok()
    }

    /// What is switched off. The keyboard's flags belong to the screen they were set on.
    fn off(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for (flag, off) in [
            (&self.wanted.mouse, MOUSE_OFF),
            (&self.wanted.keyboard, KEYS_USUAL),
        ] {
            if flag.load(Ordering::Relaxed) {
                out.extend(off);
            }
        }
        if self.kind.has_one_screen() {
            out.extend(EMPTY);
        }
        out
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
    terminal: Terminal<Ink>,
    clusters: Clusters,
}

impl Screen {
    /// Takes the terminal.
    ///
    /// # Errors
    /// When it cannot be written or set, or has no size.
    pub fn new(modes: Modes, links: Links) -> io::Result<Self> {
        modes.enter()?;
        let held = Held::default();
        let terminal = Terminal::new(Ink::new(held.clone(), modes.kind, links))?;
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

    /// Puts a text on the clipboard of the terminal, over any number of hops (OSC 52). One that is too long for
    /// that is not put there at all.
    ///
    /// # Errors
    /// When the terminal cannot be written.
    pub fn copy(&mut self, text: &str) -> io::Result<()> {
        let Some(bytes) = clip::copy(text, self.modes.kind.within) else {
            return Ok(());
        };
        if self.modes.kind.tmux_here {
            clip::give_to_tmux(text);
        }
        if self.modes.kind.console {
            return Ok(());
        }
        self.call(&bytes)
    }

    /// Takes the mouse, or leaves it to the terminal.
    ///
    /// # Errors
    /// When the terminal cannot be written.
    pub fn mouse(&mut self, on: bool) -> io::Result<()> {
        let was = self.modes.wanted.mouse.swap(on, Ordering::Relaxed);
        match (was, on) {
            _ if self.modes.kind.console => Ok(()),
            (false, true) => self.call(MOUSE_ON),
            (true, false) => self.call(MOUSE_OFF),
            _ => Ok(()),
        }
    }

    /// Has keys come as what they are: the terminal has said that it can.
    ///
    /// # Errors
    /// When the terminal cannot be written.
    pub fn exact_keys(&mut self) -> io::Result<()> {
        if self.modes.wanted.keyboard.swap(true, Ordering::Relaxed) {
            return Ok(());
        }
        self.call(KEYS_EXACT)
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
        if self.modes.kind.console {
            return Ok(());
        }
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
