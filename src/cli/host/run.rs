//! Being the host: until nobody needs it any more, or somebody ends it.

use std::path::Path;

use crate::cli::connect::{Roots, unlocked};
use crate::cli::context::Cx;
use crate::cli::error::CliError;
use crate::cli::out;
use crate::host::Host;
use crate::host::lock::{self, Claim};

/// Files a host should be allowed to open; agents get the same limit, so no more than that.
const FILES: u64 = 8_192;
/// First number of a file that is none of the three standard ones.
const FIRST: i32 = 3;

/// Closes the files that came with this process: whoever started the one that started us waits for the end of
/// them, or cannot unmount what they are on. To be called before anything is opened.
pub(in crate::cli) fn let_go() {
    let numbers = |folder: &str| -> Option<Vec<i32>> {
        let names = std::fs::read_dir(folder).ok()?.flatten();
        Some(
            names
                .filter_map(|e| e.file_name().to_str()?.parse().ok())
                .collect(),
        )
    };
    let open = numbers("/proc/self/fd").or_else(|| numbers("/dev/fd"));
    for number in open.unwrap_or_default().into_iter().filter(|n| *n >= FIRST) {
        // The folder that was just read is closed already.
        let _closed = nix::unistd::close(number);
    }
}

/// Is the host, and returns when it has ended.
pub(super) async fn run(cx: &Cx) -> Result<(), CliError> {
    let roots = Roots::of(cx)?;
    more_files();
    cx.workspace.make()?;
    let private = cx.workspace.private();
    let Some(claim) = claim(&private)? else {
        return Err(CliError::refused(
            "Another process is the host of this workspace.",
            "`fascicle host stop` ends it.",
        ));
    };
    let host = roots
        .host(Some(claim))
        .map_err(|why| CliError::Refused { why, hint: None })?;
    tracing::info!("host of {} begins", cx.workspace.root().display());
    live(&host).await?;
    tracing::info!("host of {} ends", cx.workspace.root().display());
    Ok(())
}

/// Each window and each open log takes some files: the shell's limit is not meant for a host of many.
fn more_files() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let now = getrlimit(Resource::Nofile);
    let Some(few) = now.current.filter(|n| *n < FILES) else {
        return;
    };
    let more = now.maximum.map_or(FILES, |most| most.min(FILES)).max(few);
    let wanted = Rlimit {
        current: Some(more),
        ..now
    };
    if let Err(e) = setrlimit(Resource::Nofile, wanted) {
        tracing::info!("the limit of open files stays as it is: {e}");
    }
}

/// The claim that was handed to this process, else the lock.
fn claim(private: &Path) -> Result<Option<Claim>, CliError> {
    let failed = |e: std::io::Error| CliError::Refused {
        why: unlocked(private, &e),
        hint: None,
    };
    match Claim::handed(private) {
        Ok(Some(claim)) => {
            // Away from the terminal and the group of the one that started us. It fails only for the leader of a
            // group, which nobody started like this.
            let _own = rustix::process::setsid();
            Ok(Some(claim))
        }
        _ => lock::take(private).map_err(failed),
    }
}

async fn live(host: &Host) -> Result<(), CliError> {
    use tokio::signal::unix::{SignalKind, signal};
    let listen =
        |kind| signal(kind).map_err(|e| CliError::Bug(format!("no signal could be handled ({e})")));
    let mut end = listen(SignalKind::terminate())?;
    let mut interrupt = listen(SignalKind::interrupt())?;
    // A terminal that is closed is nothing to us; handled, the signal has no effect.
    let _hangup = listen(SignalKind::hangup())?;
    tokio::select! {
        () = host.alone() => host.close(false).await,
        () = host.closed() => host.gone().await,
        _ = end.recv() => host.stop(true).await,
        _ = interrupt.recv() => {
            out::say("Stopping the turns; what they wrote is kept.");
            host.stop(true).await;
        }
    }
    Ok(())
}
