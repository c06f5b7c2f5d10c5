//! A connection for requests: each with a number, its reply with the same one.

use std::collections::HashMap;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::mpsc;
use tokio::task::{Id, JoinError, JoinSet};

use super::lanes::{Lanes, Large};
use super::lines::{Lines, WireError, Writer};
use super::wire::{APP, AskLine, Bye, Number, Numbered};
use crate::domain::ask::{Deed, Reply, Request};
use crate::host::{Answer, Host};

/// Requests that may run at once. A window that reads no reply is asked nothing more.
const AT_ONCE: usize = 64;

/// Serves requests until the window or the host has gone. `only` is why a window of another version gets
/// nothing but the host's status and its end.
pub(super) async fn asks<S: AsyncRead + AsyncWrite + Unpin>(
    lines: Lines<S>,
    host: &Host,
    only: Option<String>,
) -> Result<(), WireError> {
    converse(lines, host, only, &mut Running::default()).await
}

/// The requests that run, each with its number.
#[derive(Default)]
struct Running {
    all: JoinSet<()>,
    numbers: HashMap<Id, u64>,
}

impl Running {
    fn begin(&mut self, re: u64, work: impl Future<Output = ()> + Send + 'static) {
        self.numbers.insert(self.all.spawn(work).id(), re);
    }

    /// Waits for one to end; the number of one that broke off. None when none runs.
    async fn ended(&mut self) -> Option<Option<(u64, JoinError)>> {
        Some(match self.all.join_next_with_id().await? {
            Ok((id, ())) => {
                self.numbers.remove(&id);
                None
            }
            Err(e) => self.numbers.remove(&e.id()).map(|re| (re, e)),
        })
    }
}

/// What was taken is done to its end, whether or not anybody hears of it.
impl Drop for Running {
    fn drop(&mut self) {
        self.all.detach_all();
    }
}

/// What became of a request; no reply when the next host shall do it.
struct Done {
    re: u64,
    reply: Option<Reply>,
    large: Large,
}

async fn converse<S: AsyncRead + AsyncWrite + Unpin>(
    Lines { mut from, mut to }: Lines<S>,
    host: &Host,
    only: Option<String>,
    running: &mut Running,
) -> Result<(), WireError> {
    let (tell, mut done) = mpsc::channel::<Done>(1);
    let mut lanes = Lanes::new();
    let mut ending = false;
    from.take_long();
    loop {
        tokio::select! {
            biased;
            Some(Done { re, reply, large }) = done.recv() => {
                match reply {
                    Some(reply) => answer(&mut to, re, reply).await?,
                    None => ending = true,
                }
                drop(large);
            }
            Some(broken) = running.ended() => {
                if let Some((re, e)) = broken {
                    answer(&mut to, re, broke_off(&e)).await?;
                }
                if running.all.is_empty() {
                    lanes.clear();
                }
            }
            () = gone(host, ending), if running.all.is_empty() => return to.write(&Bye { bye: true }).await,
            line = from.line(), if !ending && running.all.len() < AT_ONCE => {
                let Some(line) = line? else { return Ok(()) };
                match hear(&line, only.as_deref())? {
                    Heard::Request(re, request) => {
                        running.begin(re, run(re, request, &mut lanes, host.clone(), tell.clone()));
                    }
                    Heard::Refused(re, reply) => answer(&mut to, re, reply).await?,
                }
            }
        }
    }
}

/// Waits until there is nothing more to be had from this host.
async fn gone(host: &Host, ending: bool) {
    if !ending {
        host.closed().await;
    }
}

fn run(
    re: u64,
    request: Request,
    lanes: &mut Lanes,
    host: Host,
    tell: mpsc::Sender<Done>,
) -> impl Future<Output = ()> + Send + use<> {
    let mut place = lanes.enter(&request);
    let guest = host.guest();
    async move {
        let large = place.turn().await;
        let awaited = is_awaited(&request);
        let reply = match host.ask(request).await {
            Answer::NextHost(_) if awaited => None,
            Answer::NextHost(reply) | Answer::Reply(reply) => Some(reply),
        };
        drop((place, guest));
        // The window may be gone; nobody waits for the reply then.
        drop(tell.send(Done { re, reply, large }).await);
    }
}

enum Heard {
    Request(u64, Request),
    Refused(u64, Reply),
}

/// What a line asks. An error when not even its number can be read.
fn hear(line: &[u8], only: Option<&str>) -> Result<Heard, WireError> {
    let read = serde_json::from_slice::<AskLine>(line);
    Ok(match (read, only) {
        (Ok(Numbered { re, what }), None) => Heard::Request(re, what),
        (Ok(Numbered { re, what }), Some(_)) if for_all(&what) => Heard::Request(re, what),
        (Ok(Numbered { re, .. }), Some(why)) => Heard::Refused(re, refused(why)),
        (Err(e), _) => {
            let Number { re } = serde_json::from_slice(line)?;
            tracing::info!("a request was refused: {e}");
            Heard::Refused(re, only.map_or_else(unknown, refused))
        }
    })
}

/// What every version may ask of every other.
pub(crate) const fn for_all(request: &Request) -> bool {
    matches!(request, Request::Status | Request::Shutdown { .. })
}

/// Whether a writer waits for it, or would lose words by its refusal: worth a next host. All else a window asks by
/// itself, and a stop is a stop.
pub(crate) const fn is_awaited(request: &Request) -> bool {
    !matches!(
        request,
        Request::Page { .. }
            | Request::Blob { .. }
            | Request::Brief { .. }
            | Request::Unsent { .. }
            | Request::Status
            | Request::Do {
                deed: Deed::Seen { .. },
                ..
            }
    )
}

/// What is said of a request that did not come to its end.
fn broke_off(e: &JoinError) -> Reply {
    tracing::error!("a request broke off: {e}");
    Reply::refused(
        "This is a bug in Fascicle: what was asked broke off; the host's diagnostic log says more.",
        "It may have been done: look at the session before you ask again.",
    )
}

fn refused(why: &str) -> Reply {
    Reply::Refused {
        why: why.to_owned(),
        hint: None,
    }
}

fn unknown() -> Reply {
    Reply::refused(
        format!("This host (version {APP}) does not know that."),
        "`fascicle host stop` ends it; the next window starts one of its own version.",
    )
}

async fn answer<S: AsyncRead + AsyncWrite + Unpin>(
    to: &mut Writer<S>,
    re: u64,
    what: Reply,
) -> Result<(), WireError> {
    match to.write(&Numbered { re, what }).await {
        Err(e @ WireError::TooLong(_)) => {
            let what = Reply::refused(format!("The answer is too long. {e}"), "Ask for less.");
            to.write(&Numbered { re, what }).await
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "test")]
    use super::*;

    #[tokio::test]
    async fn a_request_that_breaks_off_is_answered_by_its_number() {
        let mut running = Running::default();
        running.begin(7, async { panic!("of this test") });
        let (re, e) = running.ended().await.unwrap().unwrap();
        assert_eq!(re, 7);
        let Reply::Refused { why, .. } = broke_off(&e) else {
            panic!("no refusal")
        };
        assert!(why.starts_with("This is a bug in Fascicle: "), "{why}");
        running.begin(8, async {});
        assert!(running.ended().await.unwrap().is_none());
        assert!(running.numbers.is_empty() && running.ended().await.is_none());
    }

    #[tokio::test]
    async fn what_was_taken_is_done_to_its_end_when_the_connection_is_dropped() {
        let mut running = Running::default();
        let (go, going) = tokio::sync::oneshot::channel::<()>();
        let (done, heard) = tokio::sync::oneshot::channel();
        running.begin(1, async move {
            going.await.unwrap();
            done.send(()).unwrap();
        });
        drop(running);
        go.send(()).unwrap();
        heard.await.unwrap();
    }
}
