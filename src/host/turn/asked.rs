//! What the writer asks of a turn: a prompt, a prompt back, an end, an answer.

use super::{Act, AskNo, Effect, Effects, Phase, State, With, recipe};
use crate::agents::backend::Order;
use crate::domain::ask::Reply;
use crate::domain::event::{Answer, Kind};

impl State {
    /// Whether prompts wait, and all of them for the writer.
    pub(in crate::host) fn is_held(&self) -> bool {
        !self.queue.is_empty() && self.queue.iter().all(|w| w.held)
    }
}

/// A prompt begins a turn when a place is free and nothing goes before it; else it waits.
pub(super) fn prompt(
    state: &mut State,
    to: AskNo,
    text: String,
    with: Option<With>,
    out: &mut Effects,
) {
    let (turn, queued) = match with {
        Some(with) if state.is_free() && state.next().is_none() => {
            state.begin(with, text, None, out);
            (Some(state.turn), None)
        }
        unused => {
            if unused.is_some() {
                out.push(Effect::Now(Act::Release));
            }
            state.queued_ever += 1;
            state.queue(state.queued_ever, text, out);
            (None, Some(state.queued_ever))
        }
    };
    let reply = Reply::Accepted { turn, queued };
    out.push(Effect::Then(Act::Reply(to, reply)));
    state.go_on(out);
}

/// The held queue goes on.
pub(super) fn go_on(state: &mut State, to: AskNo, out: &mut Effects) {
    recipe::let_go(state, out);
    state.hold(false);
    state.go_on(out);
    out.push(Effect::Then(Act::Reply(to, Reply::Done)));
}

/// A waiting prompt is taken back, with its words.
pub(super) fn unqueue(state: &mut State, to: AskNo, n: u32, out: &mut Effects) {
    let at = state.queue.iter().position(|w| w.n == n);
    let Some(taken) = at.and_then(|at| state.queue.remove(at)) else {
        return refuse(to, none_waits(n), out);
    };
    state.log(Kind::Unqueued { n }, out);
    let reply = Reply::Text { text: taken.text };
    recipe::taken_back(state, n, out);
    out.push(Effect::Then(Act::Reply(to, reply)));
    if state.next().is_none() {
        state.step_back(out);
    }
}

/// A waiting prompt gets other words; it keeps its place, and waits for the writer if it did.
pub(super) fn requeue(state: &mut State, to: AskNo, n: u32, text: String, out: &mut Effects) {
    if text.trim().is_empty() {
        return refuse(to, "The prompt is empty.".to_owned(), out);
    }
    let Some(waiting) = state.queue.iter_mut().find(|w| w.n == n) else {
        return refuse(to, none_waits(n), out);
    };
    waiting.text.clone_from(&text);
    let text = text.into();
    state.log(Kind::Queued { n, text }, out);
    out.push(Effect::Then(Act::Reply(to, Reply::Done)));
}

/// The host ends: what waits is for the next one, when the writer lets it go on.
pub(super) fn closing(state: &mut State, out: &mut Effects) {
    if let Some(to) = state.again.take() {
        refuse(to, "The host is ending.".to_owned(), out);
    }
    state.closing = true;
    state.hold(true);
    state.step_back(out);
}

fn none_waits(n: u32) -> String {
    format!("No prompt {n} waits here.")
}

/// The turn stops, and what waits behind it is held.
pub(super) fn stop(state: &mut State, to: AskNo, out: &mut Effects) {
    let again = state.again.take();
    if let Some(to) = again {
        refuse(to, "You stopped it.".to_owned(), out);
    }
    match state.phase {
        Phase::Running => interrupt(state, out),
        Phase::Waiting => {
            state.hold(true);
            state.step_back(out);
        }
        Phase::Stopping => {}
        Phase::Idle if again.is_some() => state.hold(true),
        Phase::Idle => return refuse(to, "Nothing is being written here.".to_owned(), out),
    }
    out.push(Effect::Now(Act::Reply(to, Reply::Done)));
}

/// The agent is told to stop, and has its time for it.
pub(super) fn interrupt(state: &mut State, out: &mut Effects) {
    state.phase = Phase::Stopping;
    out.push(Effect::Now(Act::Order(Order::Interrupt)));
    out.push(Effect::Now(Act::Arm));
}

/// A question is answered: the one about `call`, or the oldest.
pub(super) fn answer(
    state: &mut State,
    to: AskNo,
    call: Option<&str>,
    answer: Answer,
    out: &mut Effects,
) {
    let at = match call {
        Some(call) => state.asked.iter().position(|c| c == call),
        None => (!state.asked.is_empty()).then_some(0),
    };
    let Some(at) = at else {
        return refuse(to, "That question is no longer open.".to_owned(), out);
    };
    let call = state.asked.remove(at);
    let answered = Kind::Answered {
        turn: state.turn,
        call: call.clone(),
        answer,
    };
    state.log(answered, out);
    out.push(Effect::Then(Act::Order(Order::Answer { call, answer })));
    out.push(Effect::Then(Act::Reply(to, Reply::Done)));
}

pub(super) fn refuse(to: AskNo, why: String, out: &mut Effects) {
    let reply = Reply::Refused { why, hint: None };
    out.push(Effect::Now(Act::Reply(to, reply)));
}
