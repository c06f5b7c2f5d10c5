//! What comes into the window, and what it wants done: the two ends of [`App::handle`](super::App::handle).

use crossterm::event::{KeyEvent, MouseEvent};

use super::errand::{Brought, Errand};
use crate::domain::{Notice, Reply, Request, Scope};

/// Names one attachment, so that what an older one still tells is not taken for the newer one's.
pub type Ticket = u64;
/// Names one request, so that its reply finds what it was for.
pub type Tag = u64;

/// A moment by two clocks: what the first runs ahead of the second, the machine has slept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Moment {
    /// Milliseconds since 1970.
    pub wall: i64,
    /// Milliseconds since any fixed time, of a clock that stands still while the machine sleeps.
    pub awake: i64,
}

/// What the terminal answers to what it was asked when the window opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Its page has this colour: red, green, blue.
    Page([u8; 3]),
    /// It can tell keys apart that others cannot (kitty's protocol).
    Keyboard,
    /// What it is. Nothing else is answered behind this.
    Attributes,
}

/// Something that happened. The clock is among them: nothing here reads one.
#[derive(Clone, PartialEq, Debug)]
pub enum Input {
    /// A key was pressed or repeats.
    Key(KeyEvent),
    /// A text came in one piece.
    Paste(String),
    /// Characters came in one piece that were not said to be a text: each may be a key.
    Typed(String),
    /// The mouse did something, while the window has it.
    Mouse(MouseEvent),
    /// The terminal answers.
    Terminal(Answer),
    /// The terminal has another size, or must be drawn anew.
    Resize,
    /// An attachment tells something.
    Notice {
        /// Which attachment.
        ticket: Ticket,
        /// What.
        notice: Notice,
    },
    /// An attachment ended without being asked to.
    Lost {
        /// Which.
        ticket: Ticket,
        /// Why, for a writer.
        why: String,
    },
    /// The reply to a request.
    Reply {
        /// Its tag.
        tag: Tag,
        /// The reply.
        reply: Reply,
    },
    /// The time.
    Tick(Moment),
    /// The terminal says whether it is looked at.
    Focus(bool),
    /// The editor came back; why it did not, else.
    Edited(Result<(), String>),
    /// What came of an errand.
    Brought(Brought),
    /// The program is to stop for a while (Ctrl-Z of the shell, a signal).
    Suspend,
    /// The program goes on after a stop.
    Continue,
    /// The window is to close: a signal, or the terminal went away.
    Close,
}

/// Something to be done outside.
#[derive(Clone, PartialEq, Debug)]
pub enum Effect {
    /// Ask the host; the answer comes as [`Input::Reply`].
    Ask {
        /// To be given back with the reply.
        tag: Tag,
        /// What.
        request: Request,
    },
    /// Attach; notices come as [`Input::Notice`].
    Attach {
        /// To be given with each notice.
        ticket: Ticket,
        /// To what.
        scope: Scope,
    },
    /// End an attachment.
    Detach {
        /// Which.
        ticket: Ticket,
    },
    /// Put a text on the clipboard.
    Copy(String),
    /// Take the mouse, or leave it to the terminal.
    Mouse(bool),
    /// Have the terminal tell keys apart.
    ExactKeys,
    /// Open a file in the writer's editor; the end comes as [`Input::Edited`].
    Edit(String),
    /// Have something done outside the host; what comes of it comes as [`Input::Brought`].
    Errand(Errand),
    /// Leave the terminal to the shell until the program is continued.
    Suspend,
    /// Draw the whole screen again.
    Redraw,
    /// Bytes that call the writer: a bell, or the terminal's own code for a notification.
    Call(Vec<u8>),
    /// Name the terminal's window.
    Title(String),
    /// End the window.
    Quit,
}
