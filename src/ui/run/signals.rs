//! Signals, onto the one queue.

use std::time::Duration;

use std::io;

use futures_util::FutureExt as _;
use rustix::process::{Signal, getpid, kill_process};
use tokio::runtime::Handle;
use tokio::signal::unix::{Signal as Heard, SignalKind, signal};
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

/// The signals that end the window. Once listened to they have no other effect in this process: whoever asked
/// something before the window hands his on to it, so that none comes while nobody hears.
#[derive(Debug)]
pub struct Ends {
    end: Heard,
    hangup: Heard,
    interrupt: Heard,
    quit: Heard,
}

impl Ends {
    /// Begins to listen.
    pub(super) fn listen(tokio: &Handle) -> io::Result<Self> {
        let _inside = tokio.enter();
        Ok(Self {
            end: signal(SignalKind::terminate())?,
            hangup: signal(SignalKind::hangup())?,
            interrupt: signal(SignalKind::interrupt())?,
            quit: signal(SignalKind::quit())?,
        })
    }

    /// Whether one has come already.
    pub fn have_come(&mut self) -> bool {
        [
            &mut self.end,
            &mut self.hangup,
            &mut self.interrupt,
            &mut self.quit,
        ]
        .into_iter()
        .any(|signal| signal.recv().now_or_never().is_some())
    }

    /// The next: whether it was meant for whoever has the terminal.
    async fn next(&mut self) -> bool {
        tokio::select! {
            _ = self.end.recv() => false,
            _ = self.hangup.recv() => false,
            _ = self.interrupt.recv() => true,
            _ = self.quit.recv() => true,
        }
    }
}

/// Begins to listen, or goes on with what was listened to before.
pub(super) fn watch(
    tokio: &Handle,
    sender: Sender<Input>,
    modes: Modes,
    ends: Option<Ends>,
) -> JoinHandle<()> {
    let ends = ends.map_or_else(|| Ends::listen(tokio), Ok);
    tokio.spawn(async move {
        // A signal that cannot be listened to keeps its usual effect.
        if let Ok(ends) = ends {
            drop(listen(&sender, &modes, ends).await);
        }
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

async fn listen(sender: &Sender<Input>, modes: &Modes, mut ends: Ends) -> io::Result<()> {
    // What came before there was a terminal to have was meant for us.
    let mut early = ends.have_come();
    let mut stop = signal(SignalKind::from_raw(STOP))?;
    let mut go_on = signal(SignalKind::from_raw(CONTINUE))?;
    loop {
        let input = tokio::select! {
            biased;
            () = std::future::ready(()), if std::mem::take(&mut early) => Input::Close,
            // While an editor has the terminal, its Ctrl-C, Ctrl-\ and Ctrl-Z reach us too: the first two are
            // not meant for the window, the last is for the whole group.
            typed = ends.next() => {
                if typed && !modes.are_ours() {
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
