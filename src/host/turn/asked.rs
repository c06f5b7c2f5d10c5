//! What the writer asks of a turn: a prompt, a prompt back, an end, an answer.

use super::{Act, AskNo, Effect, Effects, Phase, State, Waiting, With};
use crate::agents::backend::Order;
use crate::domain::ask::Reply;
use crate::domain::event::{Answer, Kind};

/// A prompt begins a turn when a place is free and nothing goes before it; else it waits.
pub(super) fn prompt(
    state: &mut State,
    to: AskNo,
    text: String,
    with: Option<With>,
    out: &mut Effects,
) {
    let (turn, queued) = match with {
        Some(with) if state.phase == Phase::Idle && state.next().is_none() => {
            state.begin(with, text, None, out);
            (Some(state.turn), None)
        }
        unused => {
            if unused.is_some() {
                out.push(Effect::Now(Act::Release));
            }
            (None, Some(queue(state, text, out)))
        }
    };
    let reply = Reply::Accepted { turn, queued };
    out.push(Effect::Then(Act::Reply(to, reply)));
    state.go_on(out);
}

fn queue(state: &mut State, text: String, out: &mut Effects) -> u32 {
    state.queued_ever += 1;
    let n = state.queued_ever;
    out.push(Effect::Append(Kind::Queued {
        n,
        text: text.as_str().into(),
    }));
    state.queue.push_back(Waiting {
        n,
        text,
        held: false,
    });
    n
}

/// The held queue goes on.
pub(super) fn go_on(state: &mut State, to: AskNo, out: &mut Effects) {
    state.hold(false);
    state.go_on(out);
    out.push(Effect::Then(Act::Reply(to, Reply::Done)));
}

/// A waiting prompt is taken back, with its words.
pub(super) fn unqueue(state: &mut State, to: AskNo, n: u32, out: &mut Effects) {
    let at = state.queue.iter().position(|w| w.n == n);
    let Some(taken) = at.and_then(|at| state.queue.remove(at)) else {
        return refuse(to, format!("No prompt {n} waits here."), out);
    };
    out.push(Effect::Append(Kind::Unqueued { n }));
    let reply = Reply::Text { text: taken.text };
    out.push(Effect::Then(Act::Reply(to, reply)));
    if state.next().is_none() && state.phase == Phase::Waiting {
        state.phase = Phase::Idle;
        out.push(Effect::Now(Act::Release));
    }
}

/// The turn stops, and what waits behind it is held.
pub(super) fn stop(state: &mut State, to: AskNo, out: &mut Effects) {
    match state.phase {
        Phase::Running => {
            state.phase = Phase::Stopping;
            out.push(Effect::Now(Act::Order(Order::Interrupt)));
            out.push(Effect::Now(Act::Arm));
        }
        Phase::Waiting => {
            state.phase = Phase::Idle;
            state.hold(true);
            out.push(Effect::Now(Act::Release));
        }
        Phase::Stopping => {}
        Phase::Idle => return refuse(to, "Nothing is being written here.".to_owned(), out),
    }
    out.push(Effect::Now(Act::Reply(to, Reply::Done)));
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
    out.push(Effect::Append(Kind::Answered {
        turn: state.turn,
        call: call.clone(),
        answer,
    }));
    out.push(Effect::Then(Act::Order(Order::Answer { call, answer })));
    out.push(Effect::Then(Act::Reply(to, Reply::Done)));
}

fn refuse(to: AskNo, why: String, out: &mut Effects) {
    let reply = Reply::Refused { why, hint: None };
    out.push(Effect::Now(Act::Reply(to, reply)));
}
