//! What waits for the log, or for nothing: done in its order.

use tokio::time::Instant;

use super::place::Place;
use super::todo::{Alone, Todo};
use super::{Actor, GRACE};
use crate::host::turn::{Act, AskNo, Phase};

impl Actor {
    /// Does what is ready; gives back the request that moves the session to the trash.
    pub(super) async fn work(&mut self) -> Option<(AskNo, Alone)> {
        while let Some(todo) = self.ready.pop_front() {
            if todo.is_of_draft() && self.desk.waits() {
                // One change of the draft after the other.
                self.then(todo);
                continue;
            }
            match todo {
                Todo::Act(act) => self.act(act).await,
                Todo::Brief { turn, text } => self.briefed(turn, text).await,
                Todo::Tool { call, name, input } => self.tool(call, name, input).await,
                Todo::Run { call, name, input } => self.run_tool(call, &name, &input).await,
                Todo::Saved { made, text, hash } => self.saved(made, text, hash).await,
                Todo::Beside { made, both } => self.stand_beside(made, both).await,
                Todo::Look { settles } => self.look(settles).await,
                Todo::Edit { to, change } => self.edit(to, change).await,
                Todo::Edited {
                    to,
                    text,
                    beside,
                    typed,
                } => self.edited(to, text, beside, typed),
                Todo::Settled { to } => self.settled(to),
                Todo::Show { to, at } => self.show_draft(to, at).await,
                Todo::PutReply { to, seq, how } => self.put_reply(to, seq, how).await,
                Todo::Take { to, taking } => self.take_in(to, taking).await,
                Todo::Taken { to, text, aside } => self.taken(to, text, aside),
                Todo::Restore { to, seq } => self.restore_now(to, seq).await,
                Todo::Convert { to } => self.convert_now(to).await,
                Todo::Proposed { call, words } => self.proposed(call, words),
                Todo::GoBack { to, which, again } => self.go_back_now(to, which, again).await,
                Todo::Trash { to, one } => return Some((to, one)),
                Todo::Still => self.still(),
                Todo::Logged => self.logged(),
            }
        }
        None
    }

    async fn act(&mut self, act: Act) {
        match act {
            Act::Prompt(text) => self.prompt(text).await,
            Act::Order(order) => self.order(order),
            Act::Tool { call, name, input } => self.then(Todo::Tool { call, name, input }),
            Act::Want if self.state.phase == Phase::Waiting => {
                self.place = Place::wanted(&self.shared.places, self.to_self.clone());
            }
            // It was taken back while it waited for the disk, as was the stop of a turn that has ended.
            Act::Want => {}
            Act::Arm if !self.state.runs() => {}
            Act::Release => self.release(),
            Act::Reread => self.reread().await,
            Act::Arm => self.grace = Some((Instant::now() + GRACE, false)),
            Act::Reply(to, reply) => self.reply(to, reply),
        }
    }
}
