//! The two kinds of connection, each with a task that owns it.

use std::collections::HashMap;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};

use super::dial::{Dial, Io};
use crate::domain::ask::{Reply, Request};
use crate::domain::notice::Notice;
use crate::protocol::wire::{Hello, Lines, Numbered, ReplyLine, VERSION, Want, Welcome, WireError};

/// Requests that may wait to be written.
const ASKS_WAITING: usize = 64;

/// How long a host may take to say hello. One that is stopped still takes connections, and says nothing.
const WELCOME: Duration = Duration::from_secs(3);
/// What is said of such a host.
const DEAF: &str = "The host of this workspace does not answer. It may be stopped in another terminal: `fg` there lets it go on.";

/// Where requests go in.
pub(super) type AskEnd = mpsc::Sender<(Request, oneshot::Sender<Reply>)>;

/// Dials and says hello. Errors are for a writer.
pub(super) async fn open(dial: &dyn Dial, want: Want) -> Result<Lines<Io>, String> {
    let mut lines = Lines::new(dial.dial().await?);
    let app = env!("CARGO_PKG_VERSION").to_owned();
    let hello = async {
        lines
            .write(&Hello {
                fascicle: VERSION,
                app,
                want,
            })
            .await?;
        lines.read::<Welcome>().await
    };
    let Ok(welcome) = tokio::time::timeout(WELCOME, hello).await else {
        return Err(DEAF.to_owned());
    };
    match welcome {
        Ok(Some(Welcome { error: None, .. })) => Ok(lines),
        Ok(Some(Welcome {
            error: Some(why), ..
        })) => Err(why),
        Ok(None) => Err(WireError::Gone.to_string()),
        Err(e) => Err(e.to_string()),
    }
}

/// Starts the task of an `ask` connection. Requests without a reply are dropped when it ends.
pub(super) fn ask_line(mut lines: Lines<Io>) -> AskEnd {
    let (tx, mut rx) = mpsc::channel::<(Request, oneshot::Sender<Reply>)>(ASKS_WAITING);
    tokio::spawn(async move {
        let mut waiting = HashMap::new();
        let mut re = 0u64;
        loop {
            tokio::select! {
                asked = rx.recv() => {
                    let Some((what, reply)) = asked else { return };
                    re += 1;
                    waiting.insert(re, reply);
                    if lines.write(&Numbered { re, what }).await.is_err() {
                        return;
                    }
                }
                line = lines.read::<ReplyLine>() => {
                    let Ok(Some(Numbered { re, what })) = line else { return };
                    if let Some(reply) = waiting.remove(&re) {
                        // Whoever asked may have gone; the reply is nobody's then.
                        drop(reply.send(what));
                    }
                }
            }
        }
    });
    tx
}

/// Passes notices on until either side is gone.
pub(super) async fn notice_line(mut lines: Lines<Io>, to: mpsc::Sender<Notice>) {
    loop {
        tokio::select! {
            () = to.closed() => return,
            line = lines.read::<Notice>() => match line {
                Ok(Some(notice)) => if to.send(notice).await.is_err() { return },
                // A notice of a later version: what is missed is read again from the log by number.
                Err(WireError::Garbage(e)) => tracing::warn!("a notice was passed over: {e}"),
                Ok(None) | Err(_) => return,
            }
        }
    }
}
