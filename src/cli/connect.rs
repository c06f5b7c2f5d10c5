//! The way to the host and the agents: the only file of this room that knows how they are reached.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use jiff::tz::TimeZone;
use tokio::sync::{Mutex, mpsc};

use super::context::Cx;
use super::error::CliError;
use super::table::when;
use super::{out, trace};
use crate::agents::{self, backend::Probe};
use crate::client::Client;
use crate::client::dial::{Begin, Begun, Nearest, Running, connect};
use crate::client::launch::Launch;
use crate::config::{Config, Current, Places, Workspace, program};
use crate::domain::{AgentSpec, Notice, Reply, Request, Row, Scope, State};
use crate::host::Host;
use crate::host::lock::{self, Claim};
use crate::log::Store;
use crate::protocol::listen;
use crate::text::{counted, one_line};

/// What may take so long needs no word.
const MOMENT: Duration = Duration::from_millis(200);

/// A connection to the host of a workspace, in this process or in another.
#[derive(Debug)]
pub(super) struct Link {
    client: Client,
    /// The host, when it is this process.
    here: Arc<Mutex<Option<Host>>>,
}

impl Link {
    /// Connects to the host that runs, else starts one. With `cx.inline` always in this process.
    pub(super) async fn open(cx: &Cx) -> Result<Self, CliError> {
        let here = Arc::new(Mutex::new(None));
        let private = cx.workspace.private();
        if cx.inline && connect(&private).await.is_some() {
            return Err(taken(&private));
        }
        // Mistakes in the settings count when a host is to begin, not while one runs.
        let roots = Roots::of(cx).map_err(|e| e.to_string());
        let begin: Begin = if cx.inline {
            Box::new(move || inline(roots.as_ref().map_err(Clone::clone)?))
        } else {
            let launch = launch(cx);
            Box::new(move || apart(roots.as_ref().map_err(Clone::clone)?, &launch))
        };
        let client = Client::new(Nearest::new(private, begin, here.clone()));
        Ok(Self { client, here })
    }

    /// Connects to the host when one runs; starts none.
    pub(super) async fn running(cx: &Cx) -> Option<Self> {
        let private = cx.workspace.private();
        connect(&private).await?;
        let client = Client::new(Running::new(private));
        if let Reply::Refused { why, .. } = client.ask(Request::Status).await {
            // Whoever only reads goes on from the disk.
            out::say(why);
            return None;
        }
        Some(Self {
            client,
            here: Arc::default(),
        })
    }

    /// The way itself.
    pub(super) fn client(&self) -> Client {
        self.client.clone()
    }

    /// Asks for one thing. A refusal is an error with its way out.
    pub(super) async fn ask(&self, request: Request) -> Result<Reply, CliError> {
        match self.client.ask(request).await {
            Reply::Refused { why, hint } => Err(CliError::Refused { why, hint }),
            reply => Ok(reply),
        }
    }

    /// What happens from now on.
    pub(super) fn attach(&self, scope: Scope) -> mpsc::Receiver<Notice> {
        self.client.attach(scope)
    }

    /// Returns at once when another process is the host; else says that this one stays, and returns when its
    /// last turn has ended. Ctrl-C stops the turns, keeps what they wrote, and then returns.
    pub(super) async fn stay(self) -> Result<(), CliError> {
        let Some(host) = self.here.lock().await.clone() else {
            return Ok(());
        };
        let now = tokio::select! {
            biased;
            () = host.idle() => false,
            () = stop_asked() => true,
            () = say_why(&host) => false,
        };
        host.close(now).await;
        Ok(())
    }

    /// Whether this process is the host.
    pub(super) fn is_host(&self) -> bool {
        self.here.try_lock().is_ok_and(|here| here.is_some())
    }
}

/// Somebody else is the host.
fn taken(private: &Path) -> CliError {
    let who = lock::holder(private).map_or_else(
        || "Another process is the host of this workspace.".to_owned(),
        |h| {
            let since = when(h.since, &TimeZone::system());
            let pid = h.pid;
            format!("Process {pid} is the host of this workspace since {since}.")
        },
    );
    let way = "Leave out --inline to work through it, or end it with: fascicle host stop";
    CliError::refused(who, way)
}

/// Says what this process stays for, unless it is over in a moment: the end of a turn is heard before the
/// session has put everything away. Never returns.
async fn say_why(host: &Host) {
    tokio::time::sleep(MOMENT).await;
    for line in staying(&host.running()) {
        out::say(line);
    }
    std::future::pending::<()>().await;
}

fn staying(rows: &[Row]) -> Vec<String> {
    let (asking, writing): (Vec<&Row>, Vec<&Row>) =
        rows.iter().partition(|r| r.state == State::NeedsYou);
    let mut lines = Vec::new();
    if !writing.is_empty() {
        let are = if writing.len() == 1 { "is" } else { "are" };
        let turns = counted(writing.len() as u64, "turn");
        lines.push(format!(
            "{turns} {are} still being written; this stays until the end. Ctrl-C stops and keeps what came."
        ));
    }
    lines.extend(asking.iter().map(|row| {
        format!(
            "\"{}\" waits for your answer: fascicle answer {} once|session|deny. Ctrl-C leaves it unanswered and keeps what came.",
            one_line(&row.title),
            row.id
        )
    }));
    lines
}

/// Ctrl-C, or the word of the system that this process must end.
pub(super) async fn stop_asked() {
    use tokio::signal::unix::{SignalKind, signal};
    let ended = async {
        match (
            signal(SignalKind::terminate()),
            signal(SignalKind::hangup()),
        ) {
            (Ok(mut term), Ok(mut hup)) => {
                tokio::select! { _ = term.recv() => {}, _ = hup.recv() => {} }
            }
            _ => std::future::pending().await,
        }
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        () = ended => {}
    }
}

/// What a host is made from.
#[derive(Clone, Debug)]
pub(super) struct Roots {
    places: Places,
    workspace: Workspace,
    config: Config,
}

impl Roots {
    pub(super) fn of(cx: &Cx) -> Result<Self, CliError> {
        Ok(Self {
            places: cx.places.clone(),
            workspace: cx.workspace.clone(),
            config: cx.config()?.clone(),
        })
    }

    /// Makes this process the host: claimed before, then the socket, then everybody is told.
    pub(super) fn host(&self, claim: Option<Claim>) -> Result<Host, String> {
        let (workspace, private) = (self.workspace.clone(), self.workspace.private());
        let claimed = claim.is_some();
        let cache = self.places.cache_of(&workspace);
        let rescued = self.places.state_of(&workspace).join("rescued");
        let store = Store::open(workspace.root(), &cache).map_err(|e| e.to_string())?;
        let store = store.rescue_to(&rescued);
        let settings = Current::of(&self.places, &workspace, self.config.clone());
        let host = Host::start(workspace, settings, store, claim);
        if let Some(what) = kept_aside(&rescued) {
            host.say("rescued", what);
        }
        if claimed {
            serve(&private, &host)?;
        }
        Ok(host)
    }

    /// The lock. What cannot be locked can be read all the same, by a host that has no claim.
    fn claim(&self) -> Result<Claimed, String> {
        let private = self.workspace.private();
        match lock::take(&private) {
            Ok(Some(claim)) => Ok(Claimed::Ours(claim)),
            Ok(None) if lock::is_elsewhere(&private) => Ok(Claimed::Reading),
            Ok(None) => Ok(Claimed::Taken),
            Err(e) if cannot_write(&e) => Ok(Claimed::Reading),
            Err(e) => Err(unlocked(&private, &e)),
        }
    }
}

/// Why nobody can be the host.
pub(super) fn unlocked(private: &Path, e: &io::Error) -> String {
    let lock = lock::file(private);
    format!(
        "{} could not be locked: {e}. It must be an empty file, or not be there.",
        lock.display()
    )
}

/// Logs that lost their place while they were written, for the writer to look at.
fn kept_aside(rescued: &Path) -> Option<String> {
    let logs = std::fs::read_dir(rescued).ok()?.count();
    let kept = rescued.display();
    match logs {
        0 => None,
        1 => Some(format!(
            "1 log that lost its place while it was written is kept in {kept}. Move it away when nothing is missing here."
        )),
        more => Some(format!(
            "{} that lost their places while they were written are kept in {kept}. Move them away when nothing is missing here.",
            counted(more as u64, "log")
        )),
    }
}

/// What came of asking for the lock.
enum Claimed {
    Ours(Claim),
    Taken,
    Reading,
}

/// Makes this process the host.
fn inline(roots: &Roots) -> Result<Begun, String> {
    match roots.claim()? {
        Claimed::Ours(claim) => roots.host(Some(claim)).map(Begun::Here),
        Claimed::Reading => roots.host(None).map(Begun::Here),
        Claimed::Taken => Ok(Begun::Taken),
    }
}

/// Starts a process that is the host; one that only reads is always this one.
fn apart(roots: &Roots, launch: &Launch) -> Result<Begun, String> {
    match roots.claim()? {
        Claimed::Ours(claim) => launch
            .start(claim)
            .map(|birth| Begun::Apart(Box::new(birth)))
            .map_err(|e| format!("The host could not be started: {e}.")),
        Claimed::Reading => roots.host(None).map(Begun::Here),
        Claimed::Taken => Ok(Begun::Taken),
    }
}

/// The very program that runs here, also when its file was replaced since.
fn launch(cx: &Cx) -> Launch {
    let words = ["--workspace".into(), cx.workspace.root().into()];
    let verb = ["host".into(), "run".into()];
    Launch {
        program: program(),
        args: words.into_iter().chain(verb).collect(),
        words: trace::last_words(&cx.places, &cx.workspace),
    }
}

/// Whether the system says that nothing can be written there, or that there are no locks.
fn cannot_write(e: &io::Error) -> bool {
    use io::ErrorKind::{NotFound, PermissionDenied, ReadOnlyFilesystem, Unsupported};
    matches!(
        e.kind(),
        PermissionDenied | ReadOnlyFilesystem | Unsupported | NotFound
    )
}

fn serve(private: &Path, host: &Host) -> Result<(), String> {
    let (listener, socket) = listen::bind(private)
        .map_err(|e| format!("No socket could be made for {}: {e}.", private.display()))?;
    tokio::spawn(listen::listen(listener, host.clone()));
    if let Err(e) = host.announce(socket) {
        // On a full disk windows look where the socket would be.
        tracing::warn!(
            "the host could not be announced in {}: {e}",
            private.display()
        );
    }
    Ok(())
}

/// Whether an agent could be used now.
pub(super) async fn probe(spec: &AgentSpec) -> Probe {
    agents::backend(spec).probe().await
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;
    use crate::domain::{Event, Head, Kind};

    fn row(state: State) -> Row {
        let mut head = Head::default();
        let kind = Kind::Created {
            id: crate::domain::SessionId::new(uuid::Uuid::nil()),
            title: Some("Letter".into()),
            collection: crate::domain::CollectionId::inbox(),
            folder: "inbox/letter".into(),
            agent: None,
            app: "0".into(),
        };
        head.apply(&Event {
            seq: 0,
            ts: 0,
            kind,
        });
        let row = Row::of(&head, "claude", true).unwrap();
        Row { state, ..row }
    }

    #[test]
    fn one_log_that_was_kept_aside_is_told_in_other_words_than_several() {
        let rescued = tempfile::tempdir().unwrap();
        assert_eq!(kept_aside(rescued.path()), None);
        std::fs::write(rescued.path().join("one"), "").unwrap();
        let one = kept_aside(rescued.path()).unwrap();
        assert!(one.starts_with("1 log that lost its place"), "{one}");
        std::fs::write(rescued.path().join("two"), "").unwrap();
        let two = kept_aside(rescued.path()).unwrap();
        let all = ["2 logs that lost their places", "are kept in", "Move them"];
        assert!(all.iter().all(|words| two.contains(words)), "{two}");
    }

    #[test]
    fn what_is_stayed_for_is_told_apart_from_what_waits_for_the_writer() {
        let said = staying(&[row(State::Writing), row(State::NeedsYou)]);
        assert_eq!(said.len(), 2, "{said:?}");
        assert!(said[0].starts_with("1 turn is still being written;"));
        assert!(said[1].starts_with("\"Letter\" waits for your answer:"));
        assert!(staying(&[]).is_empty());
    }
}
