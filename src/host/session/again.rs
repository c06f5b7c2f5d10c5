//! What is sent when the newest turn is to go on where it was cut.

use super::{Actor, Input, Phase, blocking};
use crate::host::history;

/// Sent when the turn had said something: its words are in the history, the last of them cut.
const GO_ON: &str = include_str!("../../../assets/again.md");

impl Actor {
    /// Reads what the newest turn was asked and had said, and feeds what to send now.
    pub(super) async fn reread(&mut self) {
        let (store, id, turn) = (self.shared.store.clone(), self.id, self.state.turn);
        let read = move || history::of_turn(&store, id, turn);
        let text = match blocking(read).await {
            Ok(Some(said)) if said.bytes > 0 => Ok(GO_ON.trim_end().to_owned()),
            Ok(Some(said)) => Ok(said.prompt),
            Ok(None) => Err("The prompt of the newest turn cannot be found in the log.".to_owned()),
            Err(why) => Err(format!("The newest turn could not be read: {why}.")),
        };
        let free = text.is_ok() && self.state.phase == Phase::Idle;
        let with = (free && self.place.take(&self.shared.places)).then(|| self.with());
        self.feed(Input::Resend { text, with });
    }
}
