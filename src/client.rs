//! A window's or command's end of the seam: `ask` and `attach`, over whatever leads to the host.

mod asking;
pub mod dial;
pub mod launch;
mod line;

use std::sync::Arc;

use tokio::sync::{Mutex, mpsc, oneshot};
use tokio::time::Instant;

use crate::domain::ask::{Reply, Request};
use crate::domain::notice::{Notice, Scope};
use crate::protocol::wire::Want;
use asking::{AskEnd, ask_line};
use dial::Dial;
use line::{NEXT, notice_line};

/// Notices that may wait for the window; behind them the host waits, and re-reads the log.
const NOTICES_WAITING: usize = 256;

/// The way to the host. Cheap to clone.
#[derive(Clone)]
pub struct Client {
    dial: Arc<dyn Dial>,
    ask: Arc<Mutex<Option<AskEnd>>>,
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client").finish_non_exhaustive()
    }
}

impl Client {
    /// Over a way to reach the host.
    pub fn new(dial: impl Dial + 'static) -> Self {
        Self {
            dial: Arc::new(dial),
            ask: Arc::default(),
        }
    }

    /// Asks, and waits for the one reply. Requests go out in the order of calls. What a host that ends has
    /// not taken is asked of the next one. A host that cannot be reached, or that is gone before it answers,
    /// is a refusal that says so; one of another version does nothing but `Status` and `Shutdown`.
    pub async fn ask(&self, request: Request) -> Reply {
        let until = Instant::now() + NEXT;
        loop {
            let line = match self.line().await {
                Ok(line) => line,
                Err(why) => return Reply::Refused { why, hint: None },
            };
            let (tx, outcome) = oneshot::channel();
            let taken = line.send((request.clone(), tx)).await.is_ok();
            match outcome.await {
                Ok(Some(reply)) => return reply,
                Err(_) if taken => return cut(),
                // It has ended, as was asked.
                _ if matches!(request, Request::Shutdown { .. }) => return Reply::Done,
                _ if Instant::now() > until => return cut(),
                _ => {}
            }
        }
    }

    /// Attaches. The channel ends when the connection is lost; attach again then.
    pub fn attach(&self, scope: Scope) -> mpsc::Receiver<Notice> {
        let (tx, rx) = mpsc::channel(NOTICES_WAITING);
        let dial = self.dial.clone();
        tokio::spawn(async move {
            match line::open(&*dial, Want::Attach(scope)).await {
                Ok(opened) => notice_line(opened.lines, tx).await,
                // A window that is gone needs no notice.
                Err(why) => drop(tx.send(Notice::Refused { why }).await),
            }
        });
        rx
    }

    async fn line(&self) -> Result<AskEnd, String> {
        let mut end = self.ask.lock().await;
        if let Some(open) = end.as_ref().filter(|e| !e.is_closed()) {
            return Ok(open.clone());
        }
        let new = ask_line(line::open(&*self.dial, Want::Ask).await?);
        *end = Some(new.clone());
        Ok(new)
    }
}

fn cut() -> Reply {
    Reply::refused(
        "The host ended before it answered.",
        "What was in the log is safe; look at the session before you ask again.",
    )
}
