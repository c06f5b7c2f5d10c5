//! Asks the one question that comes before a window, in the terminal as a window has it.

use crossterm::event::KeyEventKind;
use tokio::runtime::Handle;
use tokio::sync::mpsc;

use super::source::Keys;
use super::{Ends, QUEUE, RunError, signals};
use crate::ui::doorstep::{Door, Doorstep};
use crate::ui::input::Input;
use crate::ui::links::Links;
use crate::ui::terminal::{Kind, Modes, Screen};

/// Asks, and gives the answer with the signals that are still listened to; the terminal is the shell's again then.
/// Must not be called on a thread of `tokio`.
///
/// # Errors
/// When the terminal cannot be had.
pub fn ask(
    question: &Doorstep,
    kind: Kind,
    tokio: &Handle,
) -> Result<(Door, Option<Ends>), RunError> {
    if kind.dumb {
        return Err(RunError::Dumb);
    }
    let modes = Modes::silent(kind);
    let (sender, mut inputs) = mpsc::channel(QUEUE);
    // Listened to before the first can come: whatever ends the question, or comes after it, is heard here too.
    let ends = Ends::listen(tokio).ok();
    let signals = signals::watch(tokio, sender.clone(), modes.clone(), None);
    let screen = Screen::new(modes, Links::default());
    let mut screen = screen.map_err(RunError::Terminal)?;
    let keys = Keys::start(tokio, sender, false);
    let answer = loop {
        let drawn = screen.draw(|frame| {
            let area = frame.area();
            question.draw(area, frame.buffer_mut());
            question.theme.lay_under(area, frame.buffer_mut());
        });
        if let Err(e) = drawn {
            break Err(RunError::Terminal(e));
        }
        let answer = match tokio.block_on(inputs.recv()) {
            Some(Input::Key(key)) if key.kind == KeyEventKind::Press => Doorstep::press(key),
            Some(Input::Resize) => screen.clear().err().map(|_| Door::Leave),
            Some(Input::Close) | None => Some(Door::Leave),
            Some(_) => None,
        };
        if let Some(door) = answer {
            break Ok(door);
        }
    };
    keys.stop();
    signals.abort();
    screen.leave();
    answer.map(|door| (door, ends))
}
