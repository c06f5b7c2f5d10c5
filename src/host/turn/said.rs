//! What an agent says, as events of the log.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::{Act, Effect, Effects, Phase, State};
use crate::agents::backend::AgentEvent;
use crate::domain::event::{
    Abandoned, AgentStarted, Answer, Compacted, Kind, Limited, Raw, Retry, Status, TurnNo,
};

/// Takes in one event of the running turn.
pub(super) fn agent(state: &mut State, event: AgentEvent, out: &mut Effects) {
    match event {
        AgentEvent::ToolCall { call, name, input } => tool_call(state, call, name, input, out),
        AgentEvent::Asked { call, what, input } => {
            state.asked.push(call.clone());
            let asked = Kind::Asked {
                turn: state.turn,
                call,
                what,
                input: input.into(),
            };
            state.log(asked, out);
        }
        AgentEvent::AskGone { call } => {
            if let Some(at) = state.asked.iter().position(|c| *c == call) {
                state.asked.remove(at);
                let (turn, answer) = (state.turn, Answer::Lapsed);
                state.log(Kind::Answered { turn, call, answer }, out);
            }
        }
        AgentEvent::Ended { status, reason } => ended(state, status, reason, out),
        other => {
            if let Some(kind) = plain(state.turn, other) {
                state.log(kind, out);
            }
        }
    }
}

fn tool_call(state: &mut State, call: String, name: String, input: String, out: &mut Effects) {
    state.calls.push(call.clone());
    let started = Kind::ToolStarted {
        turn: state.turn,
        call: call.clone(),
        name: name.clone(),
        input: input.as_str().into(),
    };
    state.log(started, out);
    out.push(Effect::Then(Act::Tool { call, name, input }));
}

fn ended(state: &mut State, status: Status, reason: Option<String>, out: &mut Effects) {
    // A stop that the agent reports as an error of its own is still the writer's stop.
    if state.phase == Phase::Stopping && status != Status::Ok {
        state.end(Status::Interrupted, Some(state.why_stopped()), out);
    } else {
        state.end(status, reason, out);
    }
}

/// Events that are logged as they are. What has no line of its own gives none.
fn plain(turn: TurnNo, event: AgentEvent) -> Option<Kind> {
    match event {
        AgentEvent::Thinking { .. }
        | AgentEvent::Delta { .. }
        | AgentEvent::Message { .. }
        | AgentEvent::Abandoned { .. } => words(turn, event),
        AgentEvent::ToolDelta { .. }
        | AgentEvent::ToolStarted { .. }
        | AgentEvent::ToolFinished { .. } => call(turn, event),
        other => news(turn, other),
    }
}

/// What the agent writes.
fn words(turn: TurnNo, event: AgentEvent) -> Option<Kind> {
    Some(match event {
        AgentEvent::Thinking { block, text } => Kind::Thinking {
            turn,
            block,
            text: text.into(),
        },
        AgentEvent::Delta { block, text } => Kind::Delta {
            turn,
            block,
            text: text.into(),
        },
        AgentEvent::Message { block, text } => Kind::Message {
            turn,
            block,
            text: text.into(),
        },
        AgentEvent::Abandoned { from, to } => Kind::Abandoned(Abandoned { turn, from, to }),
        _ => return None,
    })
}

/// What it does with tools of its own, and how a call of ours is written.
fn call(turn: TurnNo, event: AgentEvent) -> Option<Kind> {
    Some(match event {
        AgentEvent::ToolDelta { call, name, text } => Kind::ToolDelta {
            turn,
            call,
            name,
            text: text.into(),
        },
        AgentEvent::ToolStarted { call, name, input } => Kind::ToolStarted {
            turn,
            call,
            name,
            input: input.into(),
        },
        AgentEvent::ToolFinished { call, ok, output } => Kind::ToolFinished {
            turn,
            call,
            ok,
            ms: 0,
            output: output.into(),
        },
        _ => return None,
    })
}

/// How it fares.
fn news(turn: TurnNo, event: AgentEvent) -> Option<Kind> {
    Some(match event {
        AgentEvent::Retry {
            attempt,
            wait_ms,
            why,
        } => Kind::Retry(Retry {
            turn,
            attempt,
            wait_ms,
            why,
        }),
        AgentEvent::Usage(usage) => Kind::Usage { turn, usage },
        AgentEvent::Compacted(what) => Kind::Compacted(Compacted { turn, ..*what }),
        AgentEvent::Limit(limit) => Kind::Limited(Limited { turn, limit }),
        AgentEvent::Note(text) => Kind::Note {
            turn: Some(turn),
            text,
        },
        AgentEvent::Raw { why, bytes } => Kind::Raw(Raw {
            turn,
            why,
            base64: STANDARD.encode(bytes).into(),
        }),
        AgentEvent::Started {
            process: Some(process),
            agent_session,
            model,
        } => Kind::AgentStarted(AgentStarted {
            turn,
            process,
            agent_session,
            model,
        }),
        _ => return None,
    })
}
