//! A turn whose agent, or whose host, is gone.

use super::{Effects, Phase, State};
use crate::domain::event::{Kind, Status};

/// The agent is there no more.
pub(super) fn gone(state: &mut State, out: &mut Effects) {
    if state.phase == Phase::Stopping {
        state.end(Status::Interrupted, Some(state.why_stopped()), out);
    } else {
        let reason = "the agent ended without finishing its answer".to_owned();
        state.end(Status::Failed, Some(reason), out);
    }
}

/// The host that ran the turn is there no more; `text` is what its agent saved after that.
pub(super) fn lost(state: &mut State, text: Option<String>, out: &mut Effects) {
    let turn = state.turn;
    let reason = match &text {
        Some(_) => {
            "the program ended first; the agent finished by itself and its answer was read back"
        }
        None => "the program ended before the agent had finished",
    };
    if let Some(text) = text {
        let text = text.into();
        state.log(Kind::TurnRecovered { turn, text }, out);
    }
    state.end(Status::Lost, Some(reason.to_owned()), out);
}
