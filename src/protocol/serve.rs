//! One connection, served.

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::mpsc;

use super::wire::{AskLine, Hello, Lines, Numbered, ReplyLine, VERSION, Want, Welcome, WireError};
use crate::domain::notice::Scope;
use crate::host::Host;

/// Replies that may wait to be written. A window that reads none is asked nothing more.
const REPLIES_WAITING: usize = 64;

/// Serves one connection until either side closes it. A line that is not of the protocol closes it.
pub async fn serve<S>(io: S, host: Host)
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let _guest = host.guest();
    let mut lines = Lines::new(io);
    if let Err(e) = speak(&mut lines, host).await {
        tracing::info!("connection closed: {e}");
    }
}

async fn speak<S: AsyncRead + AsyncWrite + Unpin>(
    lines: &mut Lines<S>,
    host: Host,
) -> Result<(), WireError> {
    let hello = tokio::select! {
        hello = lines.read() => hello,
        () = host.closed() => return Ok(()),
    };
    let hello: Option<Hello> = match hello {
        Err(WireError::Garbage(e)) => {
            lines
                .write(&welcome(Some(format!(
                    "This is not the protocol of Fascicle: {e}."
                ))))
                .await?;
            return Ok(());
        }
        other => other?,
    };
    let Some(hello) = hello else { return Ok(()) };
    if hello.fascicle != VERSION {
        let why = format!(
            "The host speaks version {VERSION} of the protocol and this window version {}. Close the other window first.",
            hello.fascicle
        );
        return lines.write(&welcome(Some(why))).await;
    }
    lines.write(&welcome(None)).await?;
    match hello.want {
        Want::Ask => asks(lines, host).await,
        Want::Attach(scope) => notices(lines, host, scope).await,
    }
}

fn welcome(error: Option<String>) -> Welcome {
    Welcome {
        fascicle: VERSION,
        app: env!("CARGO_PKG_VERSION").to_owned(),
        pid: std::process::id(),
        error,
    }
}

/// Requests run side by side, so that a slow one does not hold up the next.
async fn asks<S: AsyncRead + AsyncWrite + Unpin>(
    lines: &mut Lines<S>,
    host: Host,
) -> Result<(), WireError> {
    let (tx, mut rx) = mpsc::channel::<ReplyLine>(REPLIES_WAITING);
    let mut running = tokio::task::JoinSet::new();
    loop {
        tokio::select! {
            biased;
            Some(reply) = rx.recv() => lines.write(&reply).await?,
            _ = running.join_next(), if !running.is_empty() => {}
            // Whoever asks next dials anew, and finds the next host.
            () = host.closed(), if running.is_empty() => return Ok(()),
            line = lines.read::<AskLine>(), if running.len() < REPLIES_WAITING => {
                let Some(Numbered { re, what }) = line? else { return Ok(()) };
                let (tx, host) = (tx.clone(), host.clone());
                running.spawn(async move {
                    let what = host.ask(what).await;
                    // The window may be gone; nobody waits for the reply then.
                    drop(tx.send(Numbered { re, what }).await);
                });
            }
        }
    }
}

async fn notices<S: AsyncRead + AsyncWrite + Unpin>(
    lines: &mut Lines<S>,
    host: Host,
    scope: Scope,
) -> Result<(), WireError> {
    let mut notices = host.attach(scope);
    loop {
        tokio::select! {
            notice = notices.recv() => {
                let Some(notice) = notice else { return Ok(()) };
                lines.feed(&notice).await?;
                while let Ok(next) = notices.try_recv() {
                    lines.feed(&next).await?;
                }
                lines.flush().await?;
            }
            // A window says nothing here: a line or the end closes the connection.
            line = lines.read::<serde_json::Value>() => return line.map(|_| ()),
        }
    }
}
