//! Keys, pastes, answers and sizes from the terminal, onto the queue of what is answered at once.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::os::fd::AsFd;
use std::os::unix::fs::OpenOptionsExt;
use std::time::{Duration, Instant};

use rustix::fs::OFlags;
use tokio::io::unix::AsyncFd;
use tokio::runtime::Handle;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc::Sender;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::ui::input::{Answer, Input};
use crate::ui::terminal::Heard;

/// Bytes taken at once.
const PIECE: usize = 64 * 1024;
/// How long answers that are still on their way are waited for when the terminal is given back: later ones would
/// stand in the shell as if they had been typed.
const ANSWERS: Duration = Duration::from_millis(150);
/// A terminal that has answered nothing for so long answers nothing.
const SILENT: Duration = Duration::from_secs(2);

/// The reader of the terminal. Stopped, it leaves every byte to whoever has the terminal then.
#[derive(Debug)]
pub(super) struct Keys {
    reading: JoinHandle<()>,
    /// Whether answers are on their way.
    owed: watch::Receiver<bool>,
    /// When they were asked for.
    asked: Instant,
    tokio: Handle,
}

impl Keys {
    /// Begins to read. `owed` says that the terminal was just asked something.
    pub(super) fn start(tokio: &Handle, sender: Sender<Input>, owed: bool) -> Self {
        let (answered, owed) = watch::channel(owed);
        Self {
            reading: tokio.spawn(read(sender, answered)),
            owed,
            asked: Instant::now(),
            tokio: tokio.clone(),
        }
    }

    /// Ends, and waits for the end.
    pub(super) fn stop(mut self) {
        self.tokio.block_on(async {
            // One that has not answered long since does not.
            if self.asked.elapsed() < SILENT {
                let answered = self.owed.wait_for(|owed| !owed);
                drop(tokio::time::timeout(ANSWERS, answered).await);
            }
            self.reading.abort();
            // It ends by being cancelled: that is no failure.
            drop(self.reading.await);
        });
    }
}

/// Reads until the terminal is gone.
async fn read(sender: Sender<Input>, answered: watch::Sender<bool>) {
    let end = follow(&sender, &answered).await;
    answered.send_replace(false);
    if let Err(e) = end {
        tracing::debug!("the terminal cannot be read any more: {e}");
    }
    // The terminal is gone. If nobody listens any more, nothing is to be done.
    drop(sender.send(Input::Close).await);
}

async fn follow(sender: &Sender<Input>, answered: &watch::Sender<bool>) -> io::Result<()> {
    let terminal = waited_for(open()?)?;
    let mut resized = signal(SignalKind::window_change())?;
    let mut heard = Heard::default();
    let mut piece = vec![0; PIECE];
    loop {
        let patience = heard.patience();
        let given_up = async {
            match patience {
                Some(time) => tokio::time::sleep(time).await,
                None => std::future::pending().await,
            }
        };
        let inputs = tokio::select! {
            n = next(&terminal, &mut piece) => match n? {
                0 => return Ok(()),
                n => heard.take(piece.get(..n).unwrap_or_default()),
            },
            () = given_up => heard.give_up().into_iter().collect(),
            _ = resized.recv() => vec![Input::Resize],
        };
        for input in inputs {
            if input == Input::Terminal(Answer::Attributes) {
                answered.send_replace(false);
            }
            if sender.send(input).await.is_err() {
                return Ok(());
            }
        }
    }
}

#[allow(
    deprecated,
    reason = "unsound for types that change their descriptor, which a file does not; the other way needs `unsafe`"
)]
fn waited_for(file: File) -> io::Result<AsyncFd<File>> {
    AsyncFd::new(file)
}

/// The next bytes: how many. None at the end.
async fn next(terminal: &AsyncFd<File>, piece: &mut [u8]) -> io::Result<usize> {
    loop {
        let mut ready = terminal.readable().await?;
        let read = ready.try_io(|t| t.get_ref().read(piece));
        match read {
            Ok(Err(e)) if e.kind() == ErrorKind::Interrupted => {}
            Ok(outcome) => {
                if outcome.as_ref().is_ok_and(|n| *n < piece.len()) {
                    // All there was: where the file waits, another try would.
                    ready.clear_ready();
                }
                return outcome;
            }
            Err(_nothing_yet) => {}
        }
    }
}

/// The terminal of standard input, opened anew so that not waiting is our own: the shell shares standard input.
/// Else the terminal of this process, by its other name.
fn open() -> io::Result<File> {
    let name = rustix::termios::ttyname(io::stdin(), Vec::new());
    let name = name.ok().and_then(|n| n.into_string().ok());
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    let anew = |name: &str| {
        let flags = i32::try_from(flags.bits()).unwrap_or(0);
        OpenOptions::new().read(true).custom_flags(flags).open(name)
    };
    let file = match name.as_deref().map(anew) {
        Some(Ok(file)) => file,
        _ if rustix::termios::isatty(io::stdin()) => {
            File::from(io::stdin().as_fd().try_clone_to_owned()?)
        }
        _ => anew("/dev/tty")?,
    };
    Ok(file)
}
