//! The writer's order for a summary: a prompt of its own, in the one order of the session's turns.

use super::{Actor, Phase, Reply, blocking};
use crate::agents::backend::Compacts;
use crate::config::collection::one_line;
use crate::domain::compact;
use crate::host::compact::nothing_in;
use crate::host::history;
use crate::host::turn::AskNo;

impl Actor {
    /// Sends the order to an agent that can follow it, where there is something to summarise. A turn for nothing would
    /// hide how the one before it ended.
    pub(super) async fn compact(&mut self, to: AskNo, focus: Option<&str>) {
        let (agent, _) = self.shared.agent_of(&self.ledger.head);
        let compacts = self.shared.backend(&agent).map(|b| b.compacts());
        let refused = match compacts {
            Some(Compacts::Never) => Some(format!(
                "The agent here, {}, is sent no conversation: there is nothing to compact.",
                one_line(&agent)
            )),
            _ if self.ledger.head.turn.is_none() => {
                Some("Nothing was said here yet: there is nothing to compact.".to_owned())
            }
            // What a turn that runs or waits will have said is not known.
            Some(Compacts::Here)
                if self.state.phase == Phase::Idle && self.state.queue.is_empty() =>
            {
                self.nothing_said().await
            }
            _ => None,
        };
        match refused {
            Some(why) => self.reply(to, Reply::refused(why, "Nothing was done.")),
            None => self.send(to, compact::order(focus)),
        }
    }

    /// Why the conversation as it is now gives no summary. What cannot be read is told by the turn.
    async fn nothing_said(&self) -> Option<String> {
        let (store, id, turn) = (self.shared.store.clone(), self.id, self.state.turn + 1);
        let from = self.ledger.head.compacted;
        let read = move || history::before(&store, id, turn, from);
        let (talk, _) = blocking(read).await.ok()?;
        nothing_in(&talk).map(str::to_owned)
    }
}
