//! Which agent each row names: it follows the settings and the collections, so that who is named is who answers.

use std::sync::Arc;

use super::session::blocking;
use super::shared::Shared;
use crate::config::{Collection, Config, Drawer};
use crate::domain::row::Row;

impl Shared {
    /// Sets the agents in the rows of those collections that name another one than they did.
    pub(super) fn follow_agents(&self, was: &Drawer, new: &Drawer) {
        let named = |c: &Collection| (c.agent.clone(), c.model.clone());
        for collection in &new.collections {
            if was.get(&collection.id).map(named) != Some(named(collection)) {
                self.name_agents(|row| row.collection == collection.id);
            }
        }
    }

    /// Sets the agents in the rows of those sessions that are with the default one, when that is another.
    pub(super) fn follow_default(self: &Arc<Self>, was: &Config, now: &Config) {
        if was.default_agent == now.default_agent {
            return;
        }
        let (shared, was) = (self.clone(), was.default_agent.clone());
        self.spawn(async move {
            let name = move || {
                shared.name_agents(|row| row.agent == was);
                Ok::<_, String>(())
            };
            drop(blocking(name).await);
        });
    }

    fn name_agents(&self, meant: impl Fn(&Row) -> bool) {
        for row in self.rows.those(meant) {
            let agent = self.store.head(row.id).map(|l| self.agent_of(&l.head).0);
            if let Some(agent) = agent.ok().filter(|agent| *agent != row.agent) {
                self.rows.set_agent(row.id, agent);
            }
        }
    }
}
