//! The verbs about the host. `host status` and `host stop` never start one.

mod run;
mod stop;

use std::time::Duration;

use jiff::tz::TimeZone;
use serde::Serialize;
use tokio::time::Instant;

use super::args::HostVerb;
use super::connect::Link;
use super::context::{Cx, unexpected};
use super::error::CliError;
use super::out;
use super::table::when;
use crate::client::dial::connect;
use crate::domain::ask::Status;
use crate::domain::{Reply, Request};
use crate::host::lock;
use crate::text::{counted, size};
pub(super) use run::let_go;
pub(super) use stop::rest;

/// How long a host may take from its lock to its socket; a loaded machine needs seconds for it.
const BEGINNING: Duration = Duration::from_secs(10);
/// How often it is looked whether it listens.
const LOOK: Duration = Duration::from_millis(20);

/// A host, for scripts. All fields are absent when none runs.
#[derive(Serialize)]
struct Printed {
    pid: u32,
    version: String,
    since: i64,
    turns: usize,
    windows: u32,
    memory: Option<u64>,
}

/// Does what the verb says.
pub(super) async fn run(cx: &Cx, verb: &HostVerb) -> Result<(), CliError> {
    if let HostVerb::Run = verb {
        return run::run(cx).await;
    }
    begun(cx).await;
    let link = Link::running(cx).await;
    match (verb, link) {
        (HostVerb::Take, _) => {
            cx.done(Request::TakeOver).await?;
            cx.out.now("This machine writes here from now on.")
        }
        (_, None) if lock::is_held(&cx.workspace.private()) => Err(deaf(cx)),
        (HostVerb::Status, None) if cx.out.json() => cx.out.value(&serde_json::json!({})),
        (_, None) => out::line("No host runs for this workspace."),
        (HostVerb::Status, Some(link)) => status(cx, &link).await,
        (HostVerb::Run, Some(_)) => Ok(()),
        (HostVerb::Stop { now }, Some(link)) => stop::stop(cx, &link, *now).await,
    }
}

/// A host that has just begun holds the lock before it listens: it gets a moment.
async fn begun(cx: &Cx) {
    let private = cx.workspace.private();
    let until = Instant::now() + BEGINNING;
    while connect(&private).await.is_none() && lock::is_held(&private) && Instant::now() < until {
        tokio::time::sleep(LOOK).await;
    }
}

/// A host runs that cannot be spoken to.
fn deaf(cx: &Cx) -> CliError {
    let who = lock::holder(&cx.workspace.private()).map(|h| format!(" (process {})", h.pid));
    CliError::refused(
        format!(
            "A host runs here{} but does not answer.",
            who.unwrap_or_default()
        ),
        "Try again in some seconds. If it hangs, end its process: what it wrote is safe in the logs.",
    )
}

async fn status(cx: &Cx, link: &Link) -> Result<(), CliError> {
    let status = match link.ask(Request::Status).await? {
        Reply::Status(status) => *status,
        other => return Err(unexpected(&other)),
    };
    if cx.out.json() {
        return cx.out.value(&printed(status));
    }
    let since = when(status.since, &TimeZone::system());
    let memory = status.memory.map(|m| format!(", {}", size(m)));
    out::line(&format!(
        "Host {} (version {}) since {since}: {} running, {} attached{}.",
        status.pid,
        status.build.app,
        counted(status.turns.len() as u64, "turn"),
        counted(status.windows.into(), "window"),
        memory.unwrap_or_default()
    ))
}

fn printed(status: Status) -> Printed {
    Printed {
        pid: status.pid,
        version: status.build.app,
        since: status.since,
        turns: status.turns.len(),
        windows: status.windows,
        memory: status.memory,
    }
}
