//! A window's or command's end of the seam: `ask` and `attach`, over whatever leads to the host.

mod asking;
pub mod dial;
pub mod launch;
mod line;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Mutex, mpsc, oneshot, watch};
use tokio::time::Instant;

use crate::domain::ask::{Reply, Request};
use crate::domain::notice::{Notice, Scope};
use crate::protocol::asks::is_awaited;
use crate::protocol::wire::Want;
use asking::{AskEnd, ask_line};
use dial::Dial;
use line::{NEXT, Opened, notice_line};

/// Notices that may wait for the window; behind them the host waits, and re-reads the log.
const NOTICES_WAITING: usize = 256;
/// How long what nobody waits for waits until somebody wants a next host.
const MOMENT: Duration = Duration::from_millis(500);

/// The way to the host. Cheap to clone.
#[derive(Clone)]
pub struct Client {
    dial: Arc<dyn Dial>,
    ask: Arc<Mutex<Option<AskEnd>>>,
    /// Whether the host has said goodbye, and nobody has wanted another one since.
    left: Arc<watch::Sender<bool>>,
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
            left: Arc::new(watch::Sender::new(false)),
        }
    }

    /// Asks, and waits for the one reply. Requests go out in the order of calls. What a host that ends has
    /// not taken is asked of the next one, when a writer waits for it; what a window asks by itself is refused then.
    /// A host that cannot be reached, or that is gone before it answers, is a refusal that says so; one of another
    /// version does nothing but `Status` and `Shutdown`.
    pub async fn ask(&self, request: Request) -> Reply {
        let until = Instant::now() + NEXT;
        let awaited = is_awaited(&request);
        loop {
            let line = match self.line(awaited).await {
                Ok(Some(line)) => line,
                Ok(None) => return ended(),
                Err(why) => return Reply::Refused { why, hint: None },
            };
            let (tx, outcome) = oneshot::channel();
            let taken = line.send((request.clone(), tx)).await.is_ok();
            match outcome.await {
                Ok(Some(reply)) => return reply,
                Err(_) if taken => return cut(),
                // It has ended, as was asked.
                _ if matches!(request, Request::Shutdown { .. }) => return Reply::Done,
                _ if Instant::now() > until => return ended(),
                _ => {}
            }
        }
    }

    /// Attaches. The channel ends when the connection is lost; attach again then.
    pub fn attach(&self, scope: Scope) -> mpsc::Receiver<Notice> {
        let (tx, rx) = mpsc::channel(NOTICES_WAITING);
        let dial = self.dial.clone();
        self.left.send_replace(false);
        tokio::spawn(async move {
            let opened = tokio::select! {
                () = tx.closed() => return,
                opened = line::open(&*dial, Want::Attach(scope)) => opened,
            };
            match opened {
                Ok(Opened { lines, .. }) => notice_line(lines, tx).await,
                // A window that is gone needs no notice.
                Err(why) => drop(tx.send(Notice::Refused { why }).await),
            }
        });
        rx
    }

    /// The connection for requests. None when the host has said goodbye and nobody wants another one.
    async fn line(&self, awaited: bool) -> Result<Option<AskEnd>, String> {
        if let Some(open) = open(self.ask.lock().await.as_ref()) {
            return Ok(Some(open));
        }
        if !awaited && !self.is_wanted().await {
            return Ok(None);
        }
        let mut end = self.ask.lock().await;
        if let Some(open) = open(end.as_ref()) {
            return Ok(Some(open));
        }
        let opened = line::open(&*self.dial, Want::Ask).await?;
        self.left.send_replace(false);
        let new = ask_line(opened, self.left.clone());
        *end = Some(new.clone());
        Ok(Some(new))
    }

    async fn is_wanted(&self) -> bool {
        let mut left = self.left.subscribe();
        let wanted = left.wait_for(|left| !left);
        tokio::time::timeout(MOMENT, wanted).await.is_ok()
    }
}

fn open(end: Option<&AskEnd>) -> Option<AskEnd> {
    end.filter(|e| !e.is_closed()).cloned()
}

fn ended() -> Reply {
    Reply::refused(
        "The host of this workspace has ended, and this was not done.",
        "Try again: whatever you do next in the workspace starts another.",
    )
}

fn cut() -> Reply {
    Reply::refused(
        "The host ended before it answered.",
        "What was in the log is safe; look at the session before you ask again.",
    )
}
