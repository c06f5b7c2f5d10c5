//! A connection for requests: each with a number, its reply with the same one.

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::lanes::{Lanes, Large};
use super::lines::{Lines, WireError, Writer};
use super::serve::is_ending;
use super::wire::{APP, AskLine, Bye, Number, Numbered};
use crate::domain::ask::{Reply, Request};
use crate::host::Host;

/// Requests that may run at once. A window that reads no reply is asked nothing more.
const AT_ONCE: usize = 64;

/// Serves requests until the window or the host has gone. `only` is why a window of another version gets
/// nothing but the host's status and its end.
pub(super) async fn asks<S: AsyncRead + AsyncWrite + Unpin>(
    lines: Lines<S>,
    host: &Host,
    only: Option<String>,
) -> Result<(), WireError> {
    let mut running = JoinSet::new();
    let end = converse(lines, host, only, &mut running).await;
    // What was taken is done to its end, whether or not anybody hears of it.
    running.detach_all();
    end
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
    running: &mut JoinSet<()>,
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
            Some(_) = running.join_next() => if running.is_empty() { lanes.clear() },
            () = gone(host, ending), if running.is_empty() => return to.write(&Bye { bye: true }).await,
            line = from.line(), if !ending && running.len() < AT_ONCE => {
                let Some(line) = line? else { return Ok(()) };
                match hear(&line, only.as_deref())? {
                    Heard::Request(re, request) => {
                        running.spawn(run(re, request, &mut lanes, host.clone(), tell.clone()));
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
        let reply = host.ask(request).await;
        drop((place, guest));
        // A refusal changes nothing: whoever is the host next may do it.
        let refused = matches!(reply, Reply::Refused { .. });
        let reply = (!refused || !is_ending(&host)).then_some(reply);
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
