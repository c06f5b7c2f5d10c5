//! The writer's order for a summary: a prompt of its own, in the one order of the session's turns.

use super::{Actor, Reply};
use crate::agents::backend::Compacts;
use crate::config::collection::one_line;
use crate::domain::compact;
use crate::host::turn::AskNo;

impl Actor {
    /// Sends the order to an agent that can follow it.
    pub(super) fn compact(&mut self, to: AskNo, focus: Option<&str>) {
        let (agent, _) = self.shared.agent_of(&self.ledger.head);
        let backend = self.shared.backend(&agent);
        let refused = match backend.map(|b| b.compacts()) {
            Some(Compacts::Never) => Some(format!(
                "The agent here, {}, is sent no conversation: there is nothing to compact.",
                one_line(&agent)
            )),
            _ if self.ledger.head.turn.is_none() => {
                Some("Nothing was said here yet: there is nothing to compact.".to_owned())
            }
            _ => None,
        };
        match refused {
            Some(why) => self.reply(to, Reply::refused(why, "Nothing was done.")),
            None => self.send(to, compact::order(focus)),
        }
    }
}
