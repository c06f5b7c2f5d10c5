//! Ending the host: what it still waits for is said.

use std::time::Duration;

use crate::cli::connect::Link;
use crate::cli::context::{Cx, unexpected};
use crate::cli::error::CliError;
use crate::cli::out;
use crate::domain::{Head, Reply, Request, SessionId};
use crate::host::lock;
use crate::text::one_line;

/// How often it is looked whether the host has ended.
const LOOK: Duration = Duration::from_millis(20);
/// What takes so long is worth a word.
const MOMENT: Duration = Duration::from_millis(300);

/// Asks the host to end, and waits until it has.
pub(super) async fn stop(cx: &Cx, link: &Link, now: bool) -> Result<(), CliError> {
    let (turns, pid, unsaved) = match link.ask(Request::Status).await? {
        Reply::Status(status) => (status.turns, status.pid, status.unsaved),
        other => return Err(unexpected(&other)),
    };
    match link.ask(Request::Shutdown { now }).await? {
        Reply::Done => {}
        other => return Err(unexpected(&other)),
    }
    if let Some(what) = unsaved {
        out::say(format!(
            "{what}: it is lost, unless the disk takes it in this moment."
        ));
    }
    let private = cx.workspace.private();
    let ended = async {
        // One that comes after it is none of ours.
        while lock::is_host_still(&private, pid) {
            tokio::time::sleep(LOOK).await;
        }
    };
    tokio::pin!(ended);
    tokio::select! {
        biased;
        () = &mut ended => return Ok(()),
        () = tokio::time::sleep(MOMENT) => say_what_runs(cx, &turns)?,
    }
    ended.await;
    Ok(())
}

/// How long a host that does nothing may take to end.
const REST: Duration = Duration::from_secs(5);

/// Ends a host that does nothing and that no window looks at, as one that a verb has left behind, and waits until it has.
pub(in crate::cli) async fn rest(cx: &Cx) {
    let Some(link) = Link::running(cx).await else {
        return;
    };
    match link.ask(Request::Status).await {
        Ok(Reply::Status(status)) if status.turns.is_empty() && status.windows == 0 => {
            // It says what it waits for, if it does: nothing is lost by waiting no longer than a moment.
            drop(tokio::time::timeout(REST, stop(cx, &link, false)).await);
        }
        _ => {}
    }
}

fn say_what_runs(cx: &Cx, turns: &[SessionId]) -> Result<(), CliError> {
    let heads = cx.shelf()?.heads();
    let running = |head: &Head| Some((head.id.filter(|id| turns.contains(id))?, head.clone()));
    for (id, head) in heads.iter().filter_map(running) {
        let title = one_line(head.title());
        if head.asked.is_empty() {
            out::say(format!("Waiting for the turn in \"{title}\" ({id})."));
        } else {
            out::say(format!(
                "\"{title}\" waits for your answer: fascicle answer {id} once|session|deny."
            ));
        }
    }
    if !turns.is_empty() {
        out::say(
            "The host ends when they have. `fascicle host stop --now` stops them and keeps what came.",
        );
    }
    Ok(())
}
