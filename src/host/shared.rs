//! What all sessions of a host share: workspace, configuration, logs, rows, places, and where each actor is.

use std::collections::{HashMap, HashSet};
use std::future::Future;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{Semaphore, broadcast, mpsc};

use super::access::Access;
use super::attach::SCREEN_FIRST;
use super::life::Life;
use super::lock::Claim;
use super::memory::Desks;
use super::rows::Rows;
use super::session::{self, Msg, blocking};
use super::sink::sink;
use super::watch::{Held, Watch};
use crate::agents::{self, backend::Backend};
use crate::config::collection::{self, one_line};
use crate::config::{Changes, Collection, Config, Current, Drawer, Problem, Workspace, choose};
use crate::domain::recipe::Recipe;
use crate::domain::row::{CollectionRow, Row};
use crate::domain::{AgentSpec, CollectionId, Event, Head, SessionId};
use crate::log::{Listed, LogError, OnDamage, Sink, Store, Writer};

/// Events a window may be behind before it re-reads the log.
const BEHIND: usize = 1_024;

/// What speaks to an agent, and the description it was made from.
type Known = (AgentSpec, Arc<dyn Backend>);

/// What all sessions share.
pub(super) struct Shared {
    pub(super) workspace: Workspace,
    config: Mutex<Current>,
    pub(super) store: Store,
    pub(super) rows: Rows,
    /// The turns that may run at once.
    pub(super) places: Arc<Semaphore>,
    pub(super) life: Life,
    sessions: Mutex<HashMap<SessionId, Arc<Slot>>>,
    backends: Mutex<HashMap<String, Known>>,
    /// The folders of sessions that are open or shown.
    pub(super) watch: Watch,
    /// The collections and their memory.
    pub(super) desks: Desks,
    /// Whether anything may be written here.
    pub(super) access: Access,
    /// The lock, freed when the host has ended.
    pub(super) claim: Mutex<Option<Claim>>,
}

/// Where a session's events go and where its actor is, if it is open.
pub(super) struct Slot {
    pub(super) hub: broadcast::Sender<Arc<Event>>,
    mailbox: tokio::sync::Mutex<Option<mpsc::Sender<Msg>>>,
}

impl Shared {
    pub(super) fn new(
        workspace: Workspace,
        current: Current,
        store: Store,
        claim: Option<Claim>,
    ) -> Self {
        let life = Life::begin();
        let (root, private) = (workspace.root(), workspace.private());
        let access = Access::new(root, private, claim.is_some(), life.since);
        Self {
            places: Arc::new(Semaphore::new(current.get().turns_at_once)),
            desks: Desks::of(Drawer::of(&workspace)),
            workspace,
            config: Mutex::new(current),
            store,
            rows: Rows::new(),
            life,
            sessions: Mutex::default(),
            backends: Mutex::default(),
            watch: Watch::new(),
            access,
            claim: Mutex::new(claim),
        }
    }

    /// The settings.
    pub(super) fn config(&self) -> Arc<Config> {
        self.config
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get()
    }

    /// Looks whether the writer has changed the settings. What runs goes on as it began.
    pub(super) fn look_at_settings(self: &Arc<Self>) {
        let mut current = self.config.lock().unwrap_or_else(PoisonError::into_inner);
        let before = current.get();
        let Some(loaded) = current.look() else { return };
        let now = current.get();
        drop(current);
        self.resize(before.turns_at_once, now.turns_at_once);
        self.follow_default(&before, &now);
        let wrong: Vec<String> = loaded.problems.iter().map(ToString::to_string).collect();
        self.rows.banner("settings", wrong.join(" "));
    }

    /// Makes more or fewer places. Those that are held are taken away as they are given back.
    fn resize(&self, before: usize, now: usize) {
        self.places.add_permits(now.saturating_sub(before));
        let fewer = before.saturating_sub(now);
        let owed = fewer - self.places.forget_permits(fewer);
        let Ok(owed @ 1..) = u32::try_from(owed) else {
            return;
        };
        let places = self.places.clone();
        self.spawn(async move {
            // Places are given in the order of asking: no turn that asks later gets them first.
            if let Ok(given) = places.acquire_many_owned(owed).await {
                given.forget();
            }
        });
    }

    /// What speaks to an agent; kept, since it learns what a server does not take, until the agent is
    /// described otherwise. None for a name that is not configured.
    pub(super) fn backend(&self, agent: &str) -> Option<Arc<dyn Backend>> {
        let config = self.config();
        let spec = config.agent(agent)?;
        let mut backends = self.backends.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = backends.get(agent).filter(|(as_of, _)| as_of == spec) {
            return Some(known.clone());
        }
        let new = agents::backend(spec);
        backends.insert(agent.to_owned(), (spec.clone(), new.clone()));
        Some(new)
    }

    /// Why an agent cannot do a recipe's steps; none when it can.
    pub(super) fn cannot_follow(&self, agent: &str, recipe: &Recipe) -> Option<String> {
        let backend = self.backend(agent)?;
        let step = recipe.steps.iter().find(|s| !backend.does(&s.text))?;
        let (agent, step) = (one_line(agent), one_line(&step.name));
        Some(format!(
            "The agent here, {agent}, does not write: it cannot do the step “{step}”. Nothing was sent."
        ))
    }

    /// Agent and model of a session's next turn.
    pub(super) fn agent_of(&self, head: &Head) -> (String, Option<String>) {
        let drawer = self.desks.drawer();
        let collection = head.place.as_ref().and_then(|p| drawer.get(&p.collection));
        choose::next(&self.config(), collection, head)
    }

    /// The collection of a session; none for one whose folder is no collection any more.
    pub(super) fn collection_of(&self, head: &Head) -> Option<Collection> {
        let drawer = self.desks.drawer();
        drawer.get(&head.place.as_ref()?.collection).cloned()
    }

    /// What agents of a session's collection may do beyond the draft.
    pub(super) fn allowed(&self, head: &Head) -> Vec<String> {
        let drawer = self.desks.drawer();
        let collection = head.place.as_ref().and_then(|p| drawer.get(&p.collection));
        collection
            .map(|c| c.rights.allow.clone())
            .unwrap_or_default()
    }

    /// Whether an agent's change of a session's draft waits for the writer's word: as its collection says, else as is
    /// set for all.
    pub(super) fn asks_first(&self, head: &Head) -> bool {
        let of_its_own = self.collection_of(head).and_then(|c| c.rights.changes);
        of_its_own.unwrap_or(self.config().changes) == Changes::Ask
    }

    /// The collection a folder lies in, the inbox when it lies in none. Looks at the collections again: what moved
    /// the folder may have moved its collection.
    pub(super) fn collection_at(&self, folder: &str) -> CollectionId {
        let top = folder.split('/').next().unwrap_or_default();
        let drawer = self.look_at_drawer();
        let found = drawer.collections.iter().find(|c| c.folder == top);
        found.map_or_else(CollectionId::inbox, |c| c.id.clone())
    }

    /// The same, on a thread that may wait for the disk.
    pub(super) async fn collection_now_at(self: &Arc<Self>, folder: &str) -> CollectionId {
        let (shared, folder) = (self.clone(), folder.to_owned());
        let found = blocking(move || Ok::<_, String>(shared.collection_at(&folder))).await;
        found.unwrap_or_else(|_| CollectionId::inbox())
    }

    /// Looks at the collections again, on a thread that may wait for the disk, and gives what they are.
    pub(super) async fn drawer_now(self: &Arc<Self>) -> Drawer {
        let shared = self.clone();
        let looked = blocking(move || Ok::<_, String>(shared.look_at_drawer())).await;
        looked.unwrap_or_else(|_| self.desks.drawer().clone())
    }

    /// The collections whose sessions lie in a folder, that of the oldest first; else the one that lay there when it was
    /// last looked at, unless its sessions lie elsewhere: a copy is not the collection.
    fn lay_at(&self, folder: &str) -> Vec<CollectionId> {
        let top = |row: &Row| row.folder.split('/').next().map(str::to_owned);
        let here = |row: &Row| top(row).as_deref() == Some(folder);
        // What was begun since an id was changed by hand has the new one.
        let lies = |rows: &[&Row]| {
            let rows = rows.iter().filter(|row| here(row));
            collection::filed(rows.map(|row| (row.id, &row.collection)))
        };
        let ids = self.rows.look(lies);
        if !ids.is_empty() {
            return ids;
        }
        let drawer = self.desks.drawer();
        let known = drawer.collections.iter().find(|c| c.folder == folder);
        let known = known.map(|c| c.id.clone());
        drop(drawer);
        let Some(known) = known else {
            return Vec::new();
        };
        let root = self.workspace.root();
        let elsewhere = |row: &Row| top(row).is_some_and(|top| root.join(top).is_dir());
        let of = |row: &Row| row.collection == known;
        let is_free = !self.rows.those(of).iter().any(elsewhere);
        is_free.then_some(known).into_iter().collect()
    }

    /// Looks at the collections again and gives what they are. It reads every file of them: for threads that may wait.
    pub(super) fn look_at_drawer(&self) -> Drawer {
        let _one = self.desks.look();
        let root = self.workspace.root();
        // Before they are read: what is put into a folder from then on is told.
        let folders = collection::folders(root);
        self.watch
            .hold_drawer(root, folders.iter().map(|folder| root.join(folder)));
        let new = Drawer::known(&self.workspace, |folder| self.lay_at(folder));
        let row = |c: &Collection| CollectionRow {
            waiting: self.desks.waiting(&c.id),
            deeds: self.desks.deeds(&c.id),
            ..c.row()
        };
        self.rows
            .set_collections(new.collections.iter().map(row).collect());
        self.rows.banner("collections", wrong(&new.problems, root));
        let was = self.desks.drawer().clone();
        self.desks.set_drawer(&new);
        self.follow_agents(&was, &new);
        new
    }

    /// Sets the rows to what the logs say.
    pub(super) fn show_all(&self) -> Vec<Head> {
        let mut shown = HashSet::new();
        let listed = self.store.heads_in_turn(|known| {
            self.show_listed(known);
            shown.extend(known.iter().map(|log| log.id));
            // What a window has opened is on its screen before long logs are read for the list.
            std::thread::sleep(SCREEN_FIRST);
        });
        // Those that were shown may have gone on since.
        let rest = listed.iter().filter(|log| !shown.contains(&log.id));
        self.show_listed(rest);
        listed
            .into_iter()
            .filter(|l| !l.in_trash)
            .map(|l| l.head)
            .collect()
    }

    fn show_listed<'a>(&self, listed: impl IntoIterator<Item = &'a Listed>) {
        for log in listed {
            if let Some(mut row) = Row::of(&log.head, &self.agent_of(&log.head).0, false) {
                row.trouble.clone_from(&log.trouble);
                self.rows.set(row);
            }
        }
    }

    pub(super) fn slot(&self, id: SessionId) -> Arc<Slot> {
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || {
            Arc::new(Slot {
                hub: broadcast::Sender::new(BEHIND),
                mailbox: tokio::sync::Mutex::default(),
            })
        };
        sessions.entry(id).or_insert_with(new).clone()
    }

    /// Forgets a session that was moved away.
    pub(super) fn forget(&self, id: SessionId) {
        self.sessions
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(&id);
    }

    /// The mailbox of an open session; none when it is not open.
    pub(super) async fn open_mailbox(&self, id: SessionId) -> Option<mpsc::Sender<Msg>> {
        let slot = self.slot(id);
        let mailbox = slot.mailbox.lock().await;
        mailbox.as_ref().filter(|m| !m.is_closed()).cloned()
    }

    /// The mailbox of a session, opened for writing when it is not yet. `accept` takes a damaged log as it is.
    pub(super) async fn mailbox(
        self: &Arc<Self>,
        id: SessionId,
        accept: OnDamage,
    ) -> Result<mpsc::Sender<Msg>, String> {
        let slot = self.slot(id);
        let mut mailbox = slot.mailbox.lock().await;
        if let Some(open) = mailbox.as_ref().filter(|m| !m.is_closed()) {
            return Ok(open.clone());
        }
        let (shared, hub) = (self.clone(), slot.hub.clone());
        let (tx, rx) = mpsc::unbounded_channel();
        let opening = move || {
            shared.access.at_home(now())?;
            let opened = shared.store.writer(id, accept, sink(hub, tx));
            opened.map_err(|e| e.to_string())
        };
        let opened = blocking(opening).await?;
        let new = session::spawn(id, self, opened, rx);
        *mailbox = Some(new.clone());
        Ok(new)
    }

    /// Takes in a session that was just made.
    pub(super) async fn take_in(
        self: &Arc<Self>,
        id: SessionId,
        make: impl FnOnce(Sink) -> Result<(Writer, Head), LogError> + Send + 'static,
    ) -> Result<mpsc::Sender<Msg>, String> {
        let slot = self.slot(id);
        let mut mailbox = slot.mailbox.lock().await;
        let (tx, rx) = mpsc::unbounded_channel();
        let hub = slot.hub.clone();
        let opened = blocking(move || make(sink(hub, tx))).await?;
        let new = session::spawn(id, self, opened, rx);
        *mailbox = Some(new.clone());
        Ok(new)
    }

    /// Watches the folder of a session that is shown; none when it has none.
    pub(super) fn watched(&self, id: SessionId, head: &Head) -> Option<Held> {
        let path = self.workspace.root().join(&head.place.as_ref()?.folder);
        path.is_dir().then(|| self.watch.hold(id, path))
    }

    /// The mailboxes of all open sessions.
    pub(super) async fn open_mailboxes(&self) -> Vec<mpsc::Sender<Msg>> {
        let slots: Vec<Arc<Slot>> = {
            let sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
            sessions.values().cloned().collect()
        };
        let mut open = Vec::new();
        for slot in slots {
            open.extend(slot.mailbox.lock().await.clone().filter(|m| !m.is_closed()));
        }
        open
    }

    /// Runs something for as long as the host lives.
    pub(super) fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        let closed = self.life.closed.clone();
        tokio::spawn(async move {
            tokio::select! {
                () = work => {}
                () = closed.cancelled() => {}
            }
        });
    }
}

/// Now, milliseconds since 1970.
pub(super) fn now() -> i64 {
    jiff::Timestamp::now().as_millisecond()
}

/// What is wrong with the files of collections: the first of it, and where the rest is told.
fn wrong(problems: &[Problem], root: &Path) -> String {
    let first = problems.first().map(|p| p.within(root).to_string());
    match (first, problems.len()) {
        (None, _) => String::new(),
        (Some(first), 1) => first,
        (Some(first), n) => format!("{first} And {} more: `fascicle doctor` tells them.", n - 1),
    }
}
