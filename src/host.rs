//! The process that owns running turns and drafts: one actor per session, windows attach to it.
//!
//! Not its job: bytes on a socket (`protocol`), lines on disk (`log`), vendors (`agents`), the screen (`ui`).

mod access;
mod adopt;
mod attach;
mod brief;
mod called;
mod compact;
mod create;
mod drawer;
mod fork;
mod gate;
mod history;
mod import;
mod life;
pub mod lock;
mod machine;
mod memory;
mod named;
mod presence;
mod reading;
mod rows;
mod sentry;
mod session;
mod shared;
mod sink;
mod status;
mod trash;
mod turn;
mod watch;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use tokio::sync::{mpsc, oneshot};

use crate::config::{Current, Workspace};
use crate::domain::ask::{Deed, Reply, Request};
use crate::domain::notice::{Notice, Scope};
use crate::domain::{Head, Row, SessionId, State};
use crate::log::{OnDamage, Store};
pub use fork::PART;
pub use life::LEAVE;
use lock::Claim;
use session::Msg;
use shared::{Shared, now};

/// Notices that may wait for one window.
const NOTICES_WAITING: usize = 256;

/// The host of one workspace. Cheap to clone; it lives until [`Host::close`].
///
/// Windows in this process and behind a socket use the same two calls, [`Host::ask`] and [`Host::attach`]. Neither fails:
/// what cannot be done is answered with [`Reply::Refused`] or told as [`Notice::Refused`].
#[derive(Clone)]
pub struct Host(Arc<Shared>);

/// What becomes of a request.
#[derive(Debug)]
pub enum Answer {
    /// It was done, or refused.
    Reply(Reply),
    /// It was not begun, this host is ending: for the next one, or else refused so.
    NextHost(Reply),
}

impl std::fmt::Debug for Host {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Host").finish_non_exhaustive()
    }
}

impl Host {
    /// Begins to be the host of a workspace. Rows come at once from the logs' heads; turns that were cut
    /// are closed, their agents waited for. Without the claim nothing is written: a workspace that only can
    /// be read. Must be called within a tokio runtime.
    pub fn start(
        workspace: Workspace,
        settings: impl Into<Current>,
        store: Store,
        claim: Option<Claim>,
    ) -> Self {
        let shared = Arc::new(Shared::new(workspace, settings.into(), store, claim));
        shared.look_at_drawer();
        let opening = shared.clone();
        shared.spawn(async move {
            sentry::tell(&opening);
            recover(&opening).await;
        });
        shared.spawn(watch::run(shared.clone()));
        let host = Self(shared);
        tokio::spawn(sentry::watch(host.clone()));
        host
    }

    /// Says in `.fascicle/hosts` that this host listens there, for as long as it does.
    pub fn announce(&self, socket: PathBuf) -> std::io::Result<()> {
        self.0.access.announce(socket, self.0.life.since)?;
        // From here on there is a place where others speak, too.
        self.0.watch.door.news.notify_one();
        Ok(())
    }

    /// Answers a request.
    pub async fn ask(&self, request: Request) -> Answer {
        match self.gate(&request) {
            Some(refusal) => refusal,
            None => Answer::Reply(self.carry_out(request).await),
        }
    }

    async fn carry_out(&self, request: Request) -> Reply {
        self.0.look_at_settings();
        match request {
            Request::New(new) => create::session(&self.0, new).await,
            Request::NewCollection { title } => drawer::collection(&self.0, title).await,
            Request::Drawer { deed } => drawer::asked(&self.0, deed).await,
            Request::Page {
                session,
                before,
                bytes,
            } => self.page(session, before, bytes).await,
            Request::Blob { session, blob } => self.blob(session, blob).await,
            Request::KeepUnsent {
                session,
                window,
                text,
            } => self.keep_unsent(session, window, text).await,
            Request::Unsent { session, window } => self.unsent(session, window).await,
            Request::Status => Reply::Status(Box::new(status::of(&self.0))),
            Request::Shutdown { now } => self.end(now),
            Request::Stop { session } if self.rests(session).await => {
                refused("Nothing is being written here.".to_owned())
            }
            Request::TakeOver => self.take_over().await,
            Request::Search {
                words,
                collection,
                from,
            } => self.search(words, collection, from).await,
            Request::Versions { session } => self.versions(session).await,
            Request::Draft { session, at } if self.0.access.is_reading() => {
                self.draft_of_log(session, at).await
            }
            Request::Brief { session, turn } => self.brief(session, turn).await,
            Request::Memory { collection, deed } => self.memory(collection, deed).await,
            Request::Fork(fork) => fork::variant(&self.0, fork).await,
            Request::Import(import) => import::take_in(&self.0, import).await,
            Request::Adopt { session, busy } => adopt::adopt(&self.0, session, busy).await,
            Request::Send { session, .. }
            | Request::Requeue { session, .. }
            | Request::Again { session }
            | Request::Follow { session, .. }
            | Request::Compact { session, .. }
            | Request::Continue { session }
            | Request::Unqueue { session, .. }
            | Request::Stop { session }
            | Request::Answer { session, .. }
            | Request::Do { session, .. }
            | Request::Edit { session, .. }
            | Request::Settle { session }
            | Request::Take { session, .. }
            | Request::Draft { session, .. } => self.to_session(session, request).await,
        }
    }

    /// Whether a session is not open and its row shows no turn: one that a host left behind in a turn is at work as soon
    /// as the list says so, also before it is opened.
    async fn rests(&self, session: SessionId) -> bool {
        let runs = |row: Row| matches!(row.state, State::Writing | State::NeedsYou);
        self.0.open_mailbox(session).await.is_none() && !self.0.rows.get(session).is_some_and(runs)
    }

    async fn take_over(&self) -> Reply {
        if let Err(why) = self.0.access.take_over(now()) {
            return refused(why);
        }
        sentry::tell(&self.0);
        recover(&self.0).await;
        Reply::Done
    }

    /// Attaches a window. The channel ends with the host.
    pub fn attach(&self, scope: Scope) -> mpsc::Receiver<Notice> {
        // A window that opens names who answers now.
        self.0.look_at_settings();
        let (tx, rx) = mpsc::channel(NOTICES_WAITING);
        let shared = self.0.clone();
        tokio::spawn(async move {
            match scope {
                // Each window hears of the list once, and of as many sessions as it likes.
                Scope::Workspace => {
                    shared.life.windows.fetch_add(1, Ordering::Relaxed);
                    attach::workspace(shared.clone(), tx).await;
                    shared.life.windows.fetch_sub(1, Ordering::Relaxed);
                }
                Scope::Session { session, after } => {
                    attach::session(shared, session, after, tx).await;
                }
            }
        });
        rx
    }

    /// Sessions with a running turn, or one that is about to begin.
    pub fn turns(&self) -> Vec<SessionId> {
        status::turns(&self.0)
    }

    /// Their rows.
    pub fn running(&self) -> Vec<Row> {
        status::running(&self.0)
    }

    /// Ends the host: no more requests, running turns waited for (or stopped, `now`), every log synced.
    pub async fn close(&self, now: bool) {
        self.0.life.closing.cancel();
        for mailbox in self.0.open_mailboxes().await {
            // An actor that has ended needs no word.
            drop(mailbox.send(Msg::Close { now }).await);
        }
        self.0.life.actors.close();
        self.0.life.actors.wait().await;
        self.let_go();
        self.0.life.over().await;
    }

    /// Takes back what it said of itself, then the lock: nothing of the next host is touched, whoever calls twice.
    fn let_go(&self) {
        let claim = &self.0.claim;
        let mut claim = claim
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(claim) = claim.take() {
            self.0.access.leave();
            drop(claim);
        }
    }

    /// Whether a window that comes now is to be served. A host whose folder went elsewhere ends instead, so that the
    /// window starts one that knows the new place.
    pub fn welcomes(&self) -> bool {
        if sentry::at_home(&self.0) {
            return true;
        }
        let host = self.clone();
        tokio::spawn(async move { host.close(false).await });
        false
    }

    /// Says something on every window, until something else is said of it.
    pub fn say(&self, about: &str, text: String) {
        self.0.rows.banner(about, text);
    }

    /// Whether the folder it hosts is no longer where it was.
    pub fn is_away(&self) -> bool {
        self.0.access.is_away()
    }

    /// Waits until it has looked around, for whoever has something of its own to look at then.
    pub async fn looked(&self) {
        self.0.watch.door.looked.notified().await;
    }

    /// Counts a connection for as long as what is given back lives: the host's end waits a moment for it.
    pub fn guest(&self) -> impl Send + use<> {
        self.0.life.guest()
    }

    /// Waits until the host has ended.
    pub async fn closed(&self) {
        self.0.life.closed.cancelled().await;
    }

    /// Waits until its windows have heard that it has ended, or had their time to: then its process may end.
    pub async fn gone(&self) {
        self.0.life.gone.cancelled().await;
    }

    /// Whether the host has ended or is about to.
    pub fn is_closed(&self) -> bool {
        self.0.life.closing.is_cancelled()
    }

    /// Waits until no turn runs and none waits for its place.
    pub async fn idle(&self) {
        self.0.life.idle().await;
    }

    /// Waits until nobody has been connected, and nothing has run, for as long as the writer has set.
    pub async fn alone(&self) {
        self.0.life.visited().await;
        self.0.life.alone(self.0.config().host_stays).await;
    }

    /// Ends the host because somebody wants it: windows do not start another by themselves.
    pub async fn stop(&self, now: bool) {
        self.0.life.ask_to_stop();
        let turns = self.turns().len();
        if !now && turns > 0 {
            self.0.rows.banner("host", gate::ends_after(turns));
        }
        self.close(now).await;
    }

    async fn to_session(&self, session: SessionId, request: Request) -> Reply {
        if let Some(back) = self.out_of_trash(session, &request).await {
            return back;
        }
        let accept = match request {
            Request::Do {
                deed: Deed::Accept, ..
            } => OnDamage::Accept,
            _ => OnDamage::Refuse,
        };
        let mailbox = match self.0.mailbox(session, accept).await {
            Ok(mailbox) => mailbox,
            Err(why) => return refused(why),
        };
        let (tx, rx) = oneshot::channel();
        // An actor that ends in this moment drops the sender: the wait below ends at once.
        drop(mailbox.send(Msg::Ask(request, tx)).await);
        rx.await.unwrap_or_else(|_| {
            Reply::refused("The session was closed in this moment.", "Ask again.")
        })
    }

    /// Ends the host behind the reply; not unasked where words would be lost.
    fn end(&self, now: bool) -> Reply {
        if let Some(what) = status::waits(&self.0).filter(|_| !now) {
            return Reply::refused(format!("{what}, and would be lost with the host."), ROOM);
        }
        let host = self.clone();
        tokio::spawn(async move { host.stop(now).await });
        Reply::Done
    }
}

/// What is left to do where a host keeps in memory what the disk does not take.
const ROOM: &str =
    "Make room on the disk, then stop it. `fascicle host stop --now` ends it all the same.";

/// Whether a host has left something undone: a turn that was cut, words that were typed and are no version yet, an
/// adoption that waits or whose folders have their old names, a folder on its way to another collection, a version that
/// never came into the file.
fn is_cut(head: &Head) -> bool {
    let is_under_way = head.kin.exchange.is_some() || head.moving.is_some();
    head.is_open()
        || head.typed.is_some()
        || is_under_way
        || head.kin.waits.is_some()
        || head.holds.is_some()
}

/// Sets the rows to what the logs say, and opens the sessions in which something was cut: their actors close it.
async fn recover(shared: &Arc<Shared>) {
    let reading = shared.clone();
    let read = move || {
        let listed = reading.show_all();
        // The rows tell which collection lay where, also where its file cannot be read.
        reading.look_at_drawer();
        if !reading.access.is_reading() {
            fork::sweep(&reading);
            trash::follow(&reading, &listed);
        }
        reading.look_at_memories();
        let here = listed.into_iter().filter(|l| !l.in_trash);
        let cut = here.map(|l| l.head);
        cut.filter(|head| is_cut(head) || fork::lacks_draft(&reading, head))
            .collect::<Vec<Head>>()
    };
    let heads = match tokio::task::spawn_blocking(read).await {
        Ok(heads) => heads,
        Err(e) => {
            let why = format!("The logs could not be read: {e}.");
            return shared.rows.banner("logs", why);
        }
    };
    if shared.access.is_reading() {
        return;
    }
    for head in heads {
        let Some(id) = head.id else { continue };
        if let Err(why) = shared.mailbox(id, OnDamage::Refuse).await {
            tracing::warn!("session {id} could not be opened: {why}");
        }
    }
    drawer::tidy(shared).await;
}

fn refused(why: String) -> Reply {
    Reply::Refused { why, hint: None }
}
