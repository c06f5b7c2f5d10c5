//! The only place that prints.
//!
//! What goes to a terminal has been through the sanitizer. What goes to a file or a pipe is exact where it is
//! the writer's own text or JSON, and clean where it is a rendering.

use std::fmt::Display;
use std::io::{self, IsTerminal as _, Write};

use serde::Serialize;

use super::error::CliError;
use crate::text;

/// Standard output and standard error of one command.
#[derive(Clone, Debug)]
pub(super) struct Out {
    terminal: bool,
    json: bool,
}

/// What a piece of a rendering is, and by that its colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ink {
    /// Words as they are.
    Plain,
    /// Words that went.
    Gone,
    /// Words that came.
    Came,
    /// A line about the words.
    About,
}

impl Ink {
    /// Its code in `ESC [ … m`.
    fn code(self) -> Option<&'static str> {
        match self {
            Self::Plain => None,
            Self::Gone => Some("31"),
            Self::Came => Some("32"),
            Self::About => Some("2"),
        }
    }
}

impl Out {
    /// The process's own.
    pub(super) fn new(json: bool) -> Self {
        Self {
            terminal: io::stdout().is_terminal(),
            json,
        }
    }

    /// Whether JSON was asked for.
    pub(super) fn json(&self) -> bool {
        self.json
    }

    /// Cells of a line, where a terminal shows it.
    pub(super) fn cols(&self) -> Option<usize> {
        let size = rustix::termios::tcgetwinsize(io::stdout()).ok()?;
        let cols = usize::from(size.ws_col);
        (self.terminal && cols > 0).then_some(cols)
    }

    /// Text that a file or another program gets byte for byte.
    pub(super) fn exact(&self, whole: &str) -> Result<(), CliError> {
        self.bytes(whole.as_bytes())
    }

    /// Bytes that a file or another program gets as they are.
    pub(super) fn bytes(&self, whole: &[u8]) -> Result<(), CliError> {
        if self.terminal {
            return page(&String::from_utf8_lossy(whole));
        }
        write(&mut io::stdout().lock(), whole)
    }

    /// Pieces of a rendering, each in its colour where there are colours.
    pub(super) fn inked(&self, pieces: &[(Ink, String)]) -> Result<(), CliError> {
        let colours = self.terminal && has_colours();
        let inked = |(ink, text): &(Ink, String)| match ink.code() {
            Some(code) if colours => format!("\x1b[{code}m{}\x1b[0m", text::clean(text)),
            _ => text::clean(text).into_owned(),
        };
        let whole: String = pieces.iter().map(inked).collect();
        write(&mut io::stdout().lock(), whole.as_bytes())
    }

    /// What is now, after a verb that changed something and has no answer of its own.
    pub(super) fn now(&self, line: &str) -> Result<(), CliError> {
        if self.json {
            return self.value(&serde_json::json!({ "now": line }));
        }
        say(line);
        Ok(())
    }

    /// One JSON value on one line.
    pub(super) fn value(&self, value: &impl Serialize) -> Result<(), CliError> {
        let mut line = serde_json::to_string(value)
            .map_err(|e| CliError::Bug(format!("an answer could not be put into JSON ({e})")))?;
        line.push('\n');
        self.exact(&line)
    }
}

/// A line of a rendering.
pub(super) fn line(line: &str) -> Result<(), CliError> {
    page(&format!("{line}\n"))
}

/// A rendering, or a piece of one, shown at once.
pub(super) fn page(text: &str) -> Result<(), CliError> {
    write(&mut io::stdout().lock(), text::clean(text).as_bytes())
}

/// Whether this terminal is to be written to in colours (<https://no-color.org>).
fn has_colours() -> bool {
    let is = |name| std::env::var_os(name).filter(|v| !v.is_empty());
    is("NO_COLOR").is_none() && is("TERM").is_some_and(|term| term != "dumb")
}

fn write(to: &mut impl Write, bytes: &[u8]) -> Result<(), CliError> {
    to.write_all(bytes)?;
    Ok(to.flush()?)
}

/// A line for the writer beside the answer, on standard error. Lost when nobody listens.
pub(super) fn say(line: impl Display) {
    let line = format!("{line}\n");
    let mut err = io::stderr().lock();
    // There is nowhere left to complain to.
    drop(err.write_all(text::clean(&line).as_bytes()));
}

/// An error and its way out, as every verb ends when it could not do its work.
pub(super) fn fail(error: &CliError) {
    if error.is_closed_pipe() {
        return;
    }
    say(format!("fascicle: {error}"));
    for hint in error.hints() {
        say(format!("  {hint}"));
    }
}
