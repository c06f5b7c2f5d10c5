//! One connection, served.

use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite};

use super::asks::asks;
use super::lines::{Lines, WireError};
use super::wire::{APP, Hello, OURS, Want, Welcome, apart};
use crate::domain::notice::Scope;
use crate::host::{Host, LEAVE};

/// How long a window may take to say what it wants.
const HELLO: Duration = Duration::from_secs(10);

/// Serves one connection until either side closes it.
pub async fn serve<S>(io: S, host: Host)
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let _guest = host.guest();
    tokio::select! {
        spoken = speak(Lines::new(io), &host) => if let Err(e) = spoken {
            tracing::info!("connection closed: {e}");
        },
        () = left(&host) => {}
    }
}

/// Whether a host is about to be gone. What it has no answer for is for the next one.
pub(super) fn is_ending(host: &Host) -> bool {
    host.is_closed() && host.turns().is_empty()
}

/// A window that does not listen is not waited for.
async fn left(host: &Host) {
    host.closed().await;
    tokio::time::sleep(LEAVE).await;
}

async fn speak<S: AsyncRead + AsyncWrite + Unpin>(
    mut lines: Lines<S>,
    host: &Host,
) -> Result<(), WireError> {
    let hello = tokio::select! {
        hello = tokio::time::timeout(HELLO, lines.from.read::<Hello<Value>>()) => hello,
        () = host.closed() => return Ok(()),
    };
    let hello = match hello {
        Err(_late) => return Ok(()),
        Ok(Err(WireError::Gone) | Ok(None)) => return Ok(()),
        Ok(Err(e)) => {
            let why = format!("This is not the protocol of Fascicle. {e}");
            return greet(&mut lines, host, Some(why)).await;
        }
        Ok(Ok(Some(hello))) => hello,
    };
    let stranger = apart((OURS, APP), (hello.speaks, &hello.app));
    let want = Want::deserialize(hello.want);
    let why = match &want {
        Err(_) if stranger.is_none() => Some(unknown_want()),
        _ => stranger,
    };
    greet(&mut lines, host, why.clone()).await?;
    match want {
        Ok(Want::Ask) => asks(lines, host, why).await,
        Ok(Want::Attach(scope)) if why.is_none() => notices(lines, host, scope).await,
        _ => Ok(()),
    }
}

fn unknown_want() -> String {
    format!("This host (version {APP}) does not know what that connection is for.")
}

async fn greet<S: AsyncRead + AsyncWrite + Unpin>(
    lines: &mut Lines<S>,
    host: &Host,
    error: Option<String>,
) -> Result<(), WireError> {
    let welcome = Welcome {
        speaks: OURS,
        app: APP.to_owned(),
        pid: std::process::id(),
        ending: is_ending(host),
        error,
    };
    lines.to.write(&welcome).await
}

async fn notices<S: AsyncRead + AsyncWrite + Unpin>(
    mut lines: Lines<S>,
    host: &Host,
    scope: Scope,
) -> Result<(), WireError> {
    let mut notices = host.attach(scope);
    loop {
        tokio::select! {
            notice = notices.recv() => {
                let Some(notice) = notice else { return Ok(()) };
                lines.to.feed(&notice).await?;
                while let Ok(next) = notices.try_recv() {
                    lines.to.feed(&next).await?;
                }
                lines.to.flush().await?;
            }
            // A window says nothing here; what a later one says is passed over.
            said = lines.from.line() => if said?.is_none() { return Ok(()) },
        }
    }
}
