//! Signals, onto the one queue.

use std::time::Duration;

use rustix::process::{Signal, getpid, kill_process};
use tokio::runtime::Handle;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc::Sender;
use tokio::task::JoinHandle;

use crate::ui::input::Input;
use crate::ui::terminal::Modes;

/// SIGTSTP and SIGCONT, for which tokio has no name; the numbers are the system's own.
const STOP: i32 = Signal::TSTP.as_raw();
const CONTINUE: i32 = Signal::CONT.as_raw();

/// How long a terminal is waited for once the window is to close.
const PATIENCE: Duration = Duration::from_secs(2);

/// Stops this process; it goes on where it was when it is continued.
pub(super) fn stop_self() {
    // It cannot fail: the process exists and is ours.
    let _ = kill_process(getpid(), Signal::STOP);
}

/// Begins to listen.
pub(super) fn watch(tokio: &Handle, sender: Sender<Input>, modes: Modes) -> JoinHandle<()> {
    tokio.spawn(async move {
        // A signal that cannot be listened to keeps its usual effect.
        let listened = listen(&sender, &modes).await;
        drop(listened);
    })
}

/// A window whose terminal does not read would never come to hear that it is to close: after a while nothing waits
/// for the terminal any more, and the window ends as it always does.
fn hurry_soon(modes: Modes) {
    drop(tokio::spawn(async move {
        tokio::time::sleep(PATIENCE).await;
        modes.hurry();
    }));
}

async fn listen(sender: &Sender<Input>, modes: &Modes) -> std::io::Result<()> {
    let mut end = signal(SignalKind::terminate())?;
    let mut hangup = signal(SignalKind::hangup())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut stop = signal(SignalKind::from_raw(STOP))?;
    let mut go_on = signal(SignalKind::from_raw(CONTINUE))?;
    loop {
        let input = tokio::select! {
            _ = end.recv() => Input::Close,
            _ = hangup.recv() => Input::Close,
            // While an editor has the terminal, its Ctrl-C and Ctrl-Z reach us too: the first is not meant
            // for the window, the second is for the whole group.
            _ = interrupt.recv() => {
                if !modes.are_ours() {
                    continue;
                }
                Input::Close
            }
            _ = stop.recv() => {
                if !modes.are_ours() {
                    stop_self();
                    continue;
                }
                Input::Suspend
            }
            _ = go_on.recv() => Input::Continue,
        };
        if input == Input::Close {
            hurry_soon(modes.clone());
        }
        if sender.send(input).await.is_err() {
            return Ok(());
        }
    }
}
