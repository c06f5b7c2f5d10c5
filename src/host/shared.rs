//! What all sessions of a host share: workspace, configuration, logs, rows, places, and where each actor is.

mod drawer;
mod slots;

use std::collections::{HashMap, HashSet};
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Semaphore;

use super::access::Access;
use super::attach::SCREEN_FIRST;
use super::life::Life;
use super::lock::Claim;
use super::memory::Desks;
use super::rows::Rows;
use super::watch::{Held, Watch};
use crate::agents::{self, backend::Backend};
use crate::config::collection::one_line;
use crate::config::{Changes, Collection, Config, Current, Drawer, Workspace, choose};
use crate::domain::recipe::Recipe;
use crate::domain::row::Row;
use crate::domain::{AgentSpec, Head, SessionId};
use crate::log::{Listed, Store};
use slots::Slot;

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

    /// Sets the rows to what the logs say, and gives what they are.
    pub(super) fn show_all(&self) -> Vec<Listed> {
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
        self.rows.set_all();
        listed
    }

    fn show_listed<'a>(&self, listed: impl IntoIterator<Item = &'a Listed>) {
        for log in listed {
            if let Some(mut row) = Row::of(&log.head, &self.agent_of(&log.head).0, false) {
                row.trouble.clone_from(&log.trouble);
                self.rows.set(row);
            }
        }
    }

    /// Watches the folder of a session that is shown; none when it has none.
    pub(super) fn watched(&self, id: SessionId, head: &Head) -> Option<Held> {
        let path = self.workspace.root().join(&head.place.as_ref()?.folder);
        path.is_dir().then(|| self.watch.hold(id, path))
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
