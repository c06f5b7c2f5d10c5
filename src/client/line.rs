//! A connection from the first word on, and the one for notices.

use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::Instant;

use super::dial::{Dial, Io};
use crate::domain::notice::Notice;
use crate::protocol::lines::{Lines, WireError};
use crate::protocol::wire::{APP, Hello, OURS, Want, Welcome, apart};

/// How long a host may take to say hello. One that is stopped still takes connections, and says nothing.
const WELCOME: Duration = Duration::from_secs(3);
/// How long the next host is waited for when one is about to be gone.
pub(super) const NEXT: Duration = Duration::from_secs(15);
/// First and longest pause between two tries.
const PAUSES: (Duration, Duration) = (Duration::from_millis(40), Duration::from_millis(400));

/// A connection that was welcomed.
pub(super) struct Opened {
    pub(super) lines: Lines<Io>,
    /// Why the host does nothing for us but say how it is, and end: it is of another version.
    pub(super) only: Option<String>,
}

/// Dials and says hello. A host that is about to be gone is let go: the next one is dialled. Errors are for
/// a writer.
pub(super) async fn open(dial: &dyn Dial, want: Want) -> Result<Opened, String> {
    let until = Instant::now() + NEXT;
    let mut pause = PAUSES.0;
    loop {
        let mut lines = Lines::new(dial.dial().await?);
        match tokio::time::timeout(WELCOME, greet(&mut lines, want)).await {
            Err(_late) => return Err(deaf(dial.who())),
            Ok(Err(e @ (WireError::Garbage(_) | WireError::TooLong(_)))) => {
                return Err(e.to_string());
            }
            Ok(Ok(Some(welcome))) if !welcome.ending => return judge(lines, want, welcome),
            Ok(Ok(_) | Err(WireError::Gone)) => {}
        }
        drop(lines);
        if Instant::now() + pause > until {
            return Err("The host of this workspace is ending and no other one has begun. Try again in a moment.".to_owned());
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(PAUSES.1);
    }
}

async fn greet(lines: &mut Lines<Io>, want: Want) -> Result<Option<Welcome>, WireError> {
    let hello = Hello {
        speaks: OURS,
        app: APP.to_owned(),
        want,
    };
    // A host that ends may have said so before it hung up.
    let said = lines.to.write(&hello).await;
    match lines.from.read().await {
        Ok(None) => said.map(|()| None),
        heard => heard,
    }
}

fn judge(mut lines: Lines<Io>, want: Want, welcome: Welcome) -> Result<Opened, String> {
    let only = apart((welcome.speaks, &welcome.app), (OURS, APP));
    match (welcome.error, only) {
        (None, None) => {
            lines.from.take_long();
            Ok(Opened { lines, only: None })
        }
        (error, Some(why)) if want == Want::Ask => {
            lines.from.take_long();
            let only = Some(error.unwrap_or(why));
            Ok(Opened { lines, only })
        }
        (Some(why), _) | (None, Some(why)) => Err(why),
    }
}

/// What is said of a host that takes a connection and says nothing.
fn deaf(pid: Option<u32>) -> String {
    let Some(pid) = pid else {
        return "The host of this workspace does not answer. It may be stopped: SIGCONT lets it go on.".to_owned();
    };
    format!(
        "The host of this workspace (process {pid}) does not answer. If it was stopped, `kill -CONT {pid}` lets it go on; \
         if it hangs, `kill -KILL {pid}` ends it, and what it wrote is safe in the logs."
    )
}

/// Passes notices on until either side is gone.
pub(super) async fn notice_line(mut lines: Lines<Io>, to: mpsc::Sender<Notice>) {
    loop {
        tokio::select! {
            () = to.closed() => return,
            line = lines.from.read::<Notice>() => match line {
                Ok(Some(notice)) => if to.send(notice).await.is_err() { return },
                // A notice of a later version: what is missed is read again from the log by number.
                Err(WireError::Garbage(e)) => tracing::warn!("a notice was passed over: {e}"),
                Ok(None) | Err(_) => return,
            }
        }
    }
}
