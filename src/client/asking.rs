//! The connection for requests, and what owns it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{mpsc, oneshot, watch};

use super::dial::Io;
use super::line::Opened;
use crate::domain::ask::{Reply, Request};
use crate::protocol::asks::for_all;
use crate::protocol::lines::{Reader, WireError, Writer};
use crate::protocol::wire::{Bye, Number, Numbered, ReplyLine};

/// Requests that may wait to be written.
const WAITING: usize = 64;

/// What becomes of a request: its reply, or none when no host has taken it. Dropped when nobody knows.
pub(super) type Outcome = Option<Reply>;
/// A request and where its outcome goes.
pub(super) type Asked = (Request, oneshot::Sender<Outcome>);
/// Where requests go in.
pub(super) type AskEnd = mpsc::Sender<Asked>;

/// Begins to ask over a connection, until the host or every client has gone. `left` is set at a goodbye.
pub(super) fn ask_line(opened: Opened, left: Arc<watch::Sender<bool>>) -> AskEnd {
    let (tx, asked) = mpsc::channel(WAITING);
    tokio::spawn(Line::default().run(opened, asked, left));
    tx
}

/// The requests that were written and have no reply yet, in the order in which they went out.
#[derive(Default)]
struct Line(Mutex<BTreeMap<u64, oneshot::Sender<Outcome>>>);

/// How the host has left.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Left {
    /// It said that it has taken no request beyond those it answered.
    WithBye,
    /// It was gone.
    Gone,
}

impl Line {
    async fn run(
        self,
        Opened { lines, only }: Opened,
        mut asked: mpsc::Receiver<Asked>,
        goodbye: Arc<watch::Sender<bool>>,
    ) {
        let mut hearing = std::pin::pin!(self.hear(lines.from));
        let left = tokio::select! {
            left = &mut hearing => left,
            told = self.tell(lines.to, only, &mut asked) => {
                if told.is_ok() {
                    return;
                }
                // What the host said before it left is heard.
                asked.close();
                hearing.await
            }
        };
        if left == Left::WithBye {
            goodbye.send_replace(true);
        }
        asked.close();
        let written = std::mem::take(&mut *self.waiting()).into_values();
        // What the next host shall do goes there in the order in which it was asked.
        let undone = written.filter(|_| left == Left::WithBye);
        undone.for_each(|w| drop(w.send(None)));
        while let Ok((_, outcome)) = asked.try_recv() {
            drop(outcome.send(None));
        }
    }

    /// Writes requests, each with its number, until nobody asks any more.
    async fn tell(
        &self,
        mut to: Writer<Io>,
        only: Option<String>,
        asked: &mut mpsc::Receiver<Asked>,
    ) -> Result<(), WireError> {
        let mut re = 0;
        while let Some((what, outcome)) = asked.recv().await {
            re += 1;
            self.waiting().insert(re, outcome);
            match &only {
                Some(why) if !for_all(&what) => {
                    let why = why.clone();
                    self.settle(re, Reply::Refused { why, hint: None });
                    continue;
                }
                _ => {}
            }
            match to.write(&Numbered { re, what }).await {
                Err(e @ WireError::TooLong(_)) => self.settle(re, too_long(&e)),
                Err(e) => {
                    // A host that was gone already cannot have read it whole.
                    let untaken = self.waiting().remove(&re);
                    untaken.map(|outcome| outcome.send(None));
                    return Err(e);
                }
                Ok(()) => {}
            }
        }
        Ok(())
    }

    /// Passes replies on until the host leaves.
    async fn hear(&self, mut from: Reader<Io>) -> Left {
        while let Ok(Some(line)) = from.line().await {
            if let Ok(Numbered { re, what }) = serde_json::from_slice::<ReplyLine>(&line) {
                self.settle(re, what);
            } else if let Ok(Number { re }) = serde_json::from_slice(&line) {
                self.settle(re, unreadable());
            } else if serde_json::from_slice::<Bye>(&line).is_ok() {
                return Left::WithBye;
            } else {
                tracing::warn!("a line of the host was passed over");
            }
        }
        Left::Gone
    }

    fn settle(&self, re: u64, reply: Reply) {
        let waiting = self.waiting().remove(&re);
        // Whoever asked may have gone; the reply is nobody's then.
        drop(waiting.map(|w| w.send(Some(reply))));
    }

    fn waiting(&self) -> std::sync::MutexGuard<'_, BTreeMap<u64, oneshot::Sender<Outcome>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn too_long(e: &WireError) -> Reply {
    Reply::refused(
        format!("This is too long to be sent. {e}"),
        "Send it in parts.",
    )
}

fn unreadable() -> Reply {
    Reply::refused(
        "The host answered in words of another version, which cannot be read here.",
        "It may have been done: look at the session before you ask again. `fascicle host stop` ends that host.",
    )
}
