//! The turn machine: what a session does next, as a pure function of what it is and what comes in.
//!
//! No clock, no task, no file: the actor of `host::session` feeds it and carries out its effects.

mod again;
mod asked;
mod gone;
mod recipe;
mod said;

use std::collections::VecDeque;

use crate::agents::backend::{AgentEvent, Order};
use crate::domain::ask::Reply;
use crate::domain::event::{Answer, Kind, Status, TurnNo};
use crate::domain::head::{Following, Head};
use crate::domain::recipe::Recipe;
use crate::domain::text::Text;
use crate::domain::tool::ToolResult;

/// Names an open request of a window, so that its reply finds back.
pub(super) type AskNo = u64;

/// What a session is in the middle of.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct State {
    /// Number of the newest turn.
    pub(super) turn: TurnNo,
    /// What that turn does.
    pub(super) phase: Phase,
    /// How that turn ended; none while it has not.
    pub(super) ended: Option<Status>,
    /// Prompts that wait, by their numbers.
    pub(super) queue: VecDeque<Waiting>,
    /// Highest number given to a waiting prompt.
    pub(super) queued_ever: u32,
    /// Calls with an open question.
    pub(super) asked: Vec<String>,
    /// Calls of our tools that run.
    pub(super) calls: Vec<String>,
    /// Who asked for the newest turn to be done again, until it is known what it had said.
    pub(super) again: Option<AskNo>,
    /// The host ends.
    pub(super) closing: bool,
    /// The recipe under way, as of everything that was to be written.
    pub(super) recipe: Option<Following>,
}

/// What the newest turn does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Phase {
    /// Nothing.
    #[default]
    Idle,
    /// It waits for one of the few places.
    Waiting,
    /// It runs.
    Running,
    /// It was told to stop.
    Stopping,
}

/// A prompt that waits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Waiting {
    /// Its number.
    pub(super) n: u32,
    /// The words.
    pub(super) text: String,
    /// Whether it waits for the writer: after a stop, a failure or a restart nothing is sent unasked.
    pub(super) held: bool,
}

/// What `turn.started` says of the agent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct With {
    /// Name of the agent.
    pub(super) agent: String,
    /// Model asked for.
    pub(super) model: Option<String>,
    /// Its own id of this conversation.
    pub(super) agent_session: Option<String>,
    /// Whether it continues an own record.
    pub(super) resume: bool,
}

/// What comes in.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Input {
    /// The writer sends a prompt. `with` is there when a place was free.
    Prompt {
        to: AskNo,
        text: String,
        with: Option<With>,
    },
    /// A place is free.
    Granted(With),
    /// The writer lets the held queue go on.
    Continue { to: AskNo },
    /// The writer takes a waiting prompt back.
    Unqueue { to: AskNo, n: u32 },
    /// The writer gives a waiting prompt other words.
    Requeue { to: AskNo, n: u32, text: String },
    /// The writer wants the newest turn to go on where it was cut.
    Again { to: AskNo },
    /// What to send for that; `with` is there when a place was free.
    Resend {
        text: Result<String, String>,
        with: Option<With>,
    },
    /// The writer begins a recipe.
    Follow { to: AskNo, recipe: Recipe },
    /// The host ends after what runs: nothing more begins.
    Closing,
    /// The writer stops the turn.
    Stop { to: AskNo },
    /// The writer answers.
    Answer {
        to: AskNo,
        call: Option<String>,
        answer: Answer,
    },
    /// The agent says something.
    Agent(AgentEvent),
    /// The agent is gone.
    Gone,
    /// One of our tools is done.
    ToolDone {
        call: String,
        result: ToolResult,
        ms: u64,
    },
    /// The agent had its time to stop.
    Grace,
    /// The log was opened in the middle of a turn: its agent may still be at it.
    Orphaned,
    /// That agent is gone; the whole answer, if it had saved one.
    Lost { text: Option<String> },
}

/// What is to be done.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Effect {
    /// Write an event.
    Append(Kind),
    /// Do this when everything appended so far is on disk.
    Then(Act),
    /// Do this at once.
    Now(Act),
}

/// A deed outside the log.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Act {
    /// Give the prompt to the agent, starting one if none is there.
    Prompt(String),
    /// Tell the agent.
    Order(Order),
    /// Run one of our tools.
    Tool {
        call: String,
        name: String,
        input: String,
    },
    /// Ask for one of the few places.
    Want,
    /// Give the place back, or stop waiting for it.
    Release,
    /// Come back with [`Input::Grace`] when the agent had its time.
    Arm,
    /// Read what the newest turn was asked and had said, and come back with [`Input::Resend`].
    Reread,
    /// Answer a window.
    Reply(AskNo, Reply),
}

type Effects = Vec<Effect>;

impl State {
    /// The state of a session that was just opened: no turn runs, its queue is held.
    /// `whole` reads the whole of a text.
    pub(super) fn opened(head: &Head, whole: impl Fn(&Text) -> String) -> Self {
        let waiting = |w: &crate::domain::head::Waiting| Waiting {
            n: w.n,
            text: whole(&w.text),
            held: true,
        };
        Self {
            turn: head.turn.as_ref().map_or(0, |t| t.no),
            ended: head.turn.as_ref().and_then(|t| Some(t.end.as_ref()?.0)),
            recipe: head.recipe.clone(),
            queue: head.queue.iter().map(waiting).collect(),
            queued_ever: head.queued_ever,
            ..Self::default()
        }
    }

    /// Whether a turn runs.
    pub(super) fn runs(&self) -> bool {
        matches!(self.phase, Phase::Running | Phase::Stopping)
    }

    /// Why a turn that was told to stop ended.
    fn why_stopped(&self) -> String {
        let why = match self.again {
            Some(_) => "stopped by you, to be done again",
            None if self.closing => "stopped with its host",
            None => "stopped by you",
        };
        why.to_owned()
    }

    /// Writes an event.
    fn log(&mut self, kind: Kind, out: &mut Effects) {
        Following::follow(&mut self.recipe, &kind);
        out.push(Effect::Append(kind));
    }

    fn begin(&mut self, with: With, text: String, queued: Option<u32>, out: &mut Effects) {
        self.turn += 1;
        self.phase = Phase::Running;
        self.ended = None;
        let turn = self.turn;
        let prompt = Kind::Prompt {
            turn,
            text: text.as_str().into(),
            queued,
        };
        self.log(prompt, out);
        let started = Kind::TurnStarted {
            turn,
            agent: with.agent,
            agent_session: with.agent_session,
            model: with.model,
            resume: with.resume,
        };
        self.log(started, out);
        out.push(Effect::Then(Act::Prompt(text)));
    }

    fn end(&mut self, status: Status, reason: Option<String>, out: &mut Effects) {
        let turn = self.turn;
        for call in std::mem::take(&mut self.asked) {
            let answer = Answer::Lapsed;
            self.log(Kind::Answered { turn, call, answer }, out);
        }
        let finished = Kind::TurnFinished {
            turn,
            status,
            reason,
            events: 0,
            crc32: String::new(),
        };
        self.log(finished, out);
        self.calls.clear();
        self.phase = Phase::Idle;
        self.ended = Some(status);
        // Of a lost turn, what waited then was held when the log was opened; what waits since was sent after it.
        // Who stops a turn to do it again wants the rest to go on.
        if matches!(status, Status::Interrupted | Status::Failed) && self.again.is_none() {
            self.hold(true);
        }
        out.push(Effect::Now(Act::Release));
        recipe::after_turn(self, out);
        again::after_turn(self, out);
        self.go_on(out);
    }

    /// Holds the queue, or lets it go.
    fn hold(&mut self, held: bool) {
        for waiting in &mut self.queue {
            waiting.held = held;
        }
    }

    /// Puts a prompt into the queue, in the place of one with its number.
    fn queue(&mut self, n: u32, text: String, out: &mut Effects) {
        self.queue.retain(|w| w.n != n);
        let behind = self.queue.partition_point(|w| w.n < n);
        let queued = Kind::Queued {
            n,
            text: text.as_str().into(),
        };
        let held = false;
        self.queue.insert(behind, Waiting { n, text, held });
        self.log(queued, out);
    }

    /// Place in the queue of the prompt to go next.
    fn next(&self) -> Option<usize> {
        self.queue.iter().position(|w| !w.held)
    }

    /// Whether a prompt would begin its turn now, given a place.
    fn is_free(&self) -> bool {
        self.phase == Phase::Idle && self.again.is_none()
    }

    fn go_on(&mut self, out: &mut Effects) {
        if !self.is_free() {
            return;
        }
        recipe::look_at_limits(self, out);
        if self.next().is_some() {
            self.phase = Phase::Waiting;
            out.push(Effect::Then(Act::Want));
        }
    }

    /// Wants no place any more.
    fn step_back(&mut self, out: &mut Effects) {
        if self.phase == Phase::Waiting {
            self.phase = Phase::Idle;
            out.push(Effect::Now(Act::Release));
        }
    }
}

/// One step of a session.
pub(super) fn handle(mut state: State, input: Input) -> (State, Vec<Effect>) {
    let mut out = Effects::new();
    match input {
        Input::Prompt { to, text, with } => asked::prompt(&mut state, to, text, with, &mut out),
        Input::Granted(with) => granted(&mut state, with, &mut out),
        Input::Continue { to } => asked::go_on(&mut state, to, &mut out),
        Input::Unqueue { to, n } => asked::unqueue(&mut state, to, n, &mut out),
        Input::Requeue { to, n, text } => asked::requeue(&mut state, to, n, text, &mut out),
        Input::Again { to } => again::asked(&mut state, to, &mut out),
        Input::Resend { text, with } => again::resend(&mut state, text, with, &mut out),
        Input::Follow { to, recipe } => recipe::begin(&mut state, to, recipe, &mut out),
        Input::Closing => asked::closing(&mut state, &mut out),
        Input::Stop { to } => asked::stop(&mut state, to, &mut out),
        Input::Answer { to, call, answer } => {
            asked::answer(&mut state, to, call.as_deref(), answer, &mut out);
        }
        Input::Agent(event) if state.runs() => said::agent(&mut state, event, &mut out),
        Input::Gone if state.runs() => gone::gone(&mut state, &mut out),
        Input::ToolDone { call, result, ms } => tool_done(&mut state, call, result, ms, &mut out),
        Input::Grace if state.phase == Phase::Stopping => {
            out.push(Effect::Now(Act::Order(Order::Kill)));
        }
        Input::Orphaned => state.phase = Phase::Running,
        Input::Lost { text } if state.runs() => gone::lost(&mut state, text, &mut out),
        Input::Agent(_) | Input::Gone | Input::Grace | Input::Lost { .. } => {}
    }
    (state, out)
}

fn granted(state: &mut State, with: With, out: &mut Effects) {
    let waits = state.phase == Phase::Waiting;
    match state
        .next()
        .filter(|_| waits)
        .and_then(|at| state.queue.remove(at))
    {
        Some(next) => state.begin(with, next.text, Some(next.n), out),
        None => out.push(Effect::Now(Act::Release)),
    }
}

fn tool_done(state: &mut State, call: String, result: ToolResult, ms: u64, out: &mut Effects) {
    let Some(at) = state.calls.iter().position(|c| *c == call) else {
        return;
    };
    state.calls.remove(at);
    let finished = Kind::ToolFinished {
        turn: state.turn,
        call: call.clone(),
        ok: result.ok,
        ms,
        output: result.output.as_str().into(),
    };
    state.log(finished, out);
    out.push(Effect::Then(Act::Order(Order::ToolResult { call, result })));
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    pub(super) fn with() -> With {
        With {
            agent: "a".into(),
            model: None,
            agent_session: None,
            resume: false,
        }
    }

    pub(super) fn send(state: State, text: &str, free: bool) -> (State, Vec<Effect>) {
        handle(
            state,
            Input::Prompt {
                to: 1,
                text: text.into(),
                with: free.then(with),
            },
        )
    }

    pub(super) fn ended(status: Status) -> Input {
        Input::Agent(AgentEvent::Ended {
            status,
            reason: None,
        })
    }

    pub(super) fn kinds(effects: &[Effect]) -> Vec<&Kind> {
        effects
            .iter()
            .filter_map(|e| {
                if let Effect::Append(k) = e {
                    Some(k)
                } else {
                    None
                }
            })
            .collect()
    }

    #[test]
    fn the_prompt_is_in_the_log_before_the_agent_gets_it() {
        let (_, out) = send(State::default(), "Begin.", true);
        assert!(matches!(
            out.as_slice(),
            [
                Effect::Append(Kind::Prompt { .. }),
                Effect::Append(Kind::TurnStarted { .. }),
                Effect::Then(Act::Prompt(_)),
                Effect::Then(Act::Reply(
                    1,
                    Reply::Accepted {
                        turn: Some(1),
                        queued: None
                    }
                )),
            ]
        ));
    }

    #[test]
    fn a_prompt_sent_while_a_turn_runs_waits_and_follows() {
        let (state, _) = send(State::default(), "One.", true);
        let (state, out) = send(state, "Two.", false);
        assert!(matches!(
            kinds(&out).as_slice(),
            [Kind::Queued { n: 1, .. }]
        ));
        let (state, out) = handle(state, ended(Status::Ok));
        assert!(out.contains(&Effect::Then(Act::Want)));
        let (state, out) = handle(state, Input::Granted(with()));
        assert!(matches!(
            kinds(&out)[0],
            Kind::Prompt {
                turn: 2,
                queued: Some(1),
                ..
            }
        ));
        assert_eq!(state.phase, Phase::Running);
    }

    #[test]
    fn after_a_stop_the_queue_waits_for_the_writer() {
        let (state, _) = send(State::default(), "One.", true);
        let (state, _) = send(state, "Two.", false);
        let (state, out) = handle(state, Input::Stop { to: 2 });
        assert_eq!(out[0], Effect::Now(Act::Order(Order::Interrupt)));
        let (state, out) = handle(state, ended(Status::Interrupted));
        assert!(state.queue[0].held && !out.contains(&Effect::Then(Act::Want)));
        let (_, out) = handle(state, Input::Continue { to: 3 });
        assert!(out.contains(&Effect::Then(Act::Want)));
    }

    #[test]
    fn a_new_prompt_goes_before_a_held_queue() {
        let mut state = State::default();
        state.queue.push_back(Waiting {
            n: 1,
            text: "Old.".into(),
            held: true,
        });
        let (state, out) = send(state, "New.", true);
        assert!(matches!(kinds(&out)[0], Kind::Prompt { queued: None, .. }));
        assert_eq!(state.queue.len(), 1);
    }

    #[test]
    fn an_agent_that_does_not_stop_is_ended_and_the_turn_is_interrupted() {
        let (state, _) = send(State::default(), "One.", true);
        let (state, _) = handle(state, Input::Stop { to: 2 });
        let (state, out) = handle(state, Input::Grace);
        assert_eq!(out, [Effect::Now(Act::Order(Order::Kill))]);
        let (_, out) = handle(state, Input::Gone);
        assert!(matches!(
            kinds(&out).as_slice(),
            [Kind::TurnFinished {
                status: Status::Interrupted,
                ..
            }]
        ));
    }

    #[test]
    fn an_agent_that_vanishes_fails_its_turn_and_open_questions_lapse() {
        let (state, _) = send(State::default(), "One.", true);
        let asked = AgentEvent::Asked {
            call: "c".into(),
            what: "Search".into(),
            input: "{}".into(),
        };
        let (state, _) = handle(state, Input::Agent(asked));
        let (state, out) = handle(state, Input::Gone);
        assert!(matches!(
            kinds(&out).as_slice(),
            [
                Kind::Answered {
                    answer: Answer::Lapsed,
                    ..
                },
                Kind::TurnFinished {
                    status: Status::Failed,
                    reason: Some(_),
                    ..
                }
            ]
        ));
        let (_, out) = handle(
            state,
            Input::Answer {
                to: 4,
                call: None,
                answer: Answer::Once,
            },
        );
        assert!(matches!(
            out.as_slice(),
            [Effect::Now(Act::Reply(4, Reply::Refused { .. }))]
        ));
    }

    #[test]
    fn nothing_an_agent_says_after_its_turn_is_logged() {
        let (state, _) = send(State::default(), "One.", true);
        let (state, _) = handle(state, ended(Status::Ok));
        let late = AgentEvent::Delta {
            block: 0,
            text: "late".into(),
        };
        assert_eq!(handle(state, Input::Agent(late)).1, []);
    }

    #[test]
    fn a_place_that_is_no_longer_needed_is_given_back() {
        let (state, _) = send(State::default(), "One.", false);
        assert_eq!(state.phase, Phase::Waiting);
        let (state, out) = handle(state, Input::Unqueue { to: 2, n: 1 });
        assert!(out.contains(&Effect::Now(Act::Release)));
        let (_, out) = handle(state, Input::Granted(with()));
        assert_eq!(out, [Effect::Now(Act::Release)]);
    }

    #[test]
    fn other_words_keep_the_place_and_the_held_mark_of_a_waiting_prompt() {
        let (state, _) = send(State::default(), "One.", true);
        let (state, _) = send(state, "Two.", false);
        let (state, _) = send(state, "Three.", false);
        let (state, _) = handle(state, ended(Status::Failed));
        let requeue = |state, n, text: &str| {
            let text = text.to_owned();
            handle(state, Input::Requeue { to: 4, n, text })
        };
        let (state, out) = requeue(state, 1, "Other words.");
        assert!(
            matches!(kinds(&out)[0], Kind::Queued { n: 1, text } if text.shown() == "Other words.")
        );
        assert_eq!(out[1], Effect::Then(Act::Reply(4, Reply::Done)));
        let first = Waiting {
            n: 1,
            text: "Other words.".into(),
            held: true,
        };
        assert_eq!((state.queue.front(), state.queue.len()), (Some(&first), 2));
        for (n, text) in [(9, "x"), (1, " \n")] {
            let (after, out) = requeue(state.clone(), n, text);
            assert!(matches!(
                out.as_slice(),
                [Effect::Now(Act::Reply(4, Reply::Refused { .. }))]
            ));
            assert_eq!(after, state);
        }
    }

    #[test]
    fn a_host_that_ends_lets_its_turn_end_and_begins_no_other() {
        let (state, _) = send(State::default(), "One.", true);
        let (state, _) = send(state, "Two.", false);
        let (state, _) = handle(state, Input::Closing);
        let (state, out) = handle(state, ended(Status::Ok));
        assert!(!out.contains(&Effect::Then(Act::Want)) && state.queue.len() == 1);
        let (waiting, _) = send(State::default(), "One.", false);
        let (state, out) = handle(waiting, Input::Closing);
        assert_eq!(out, [Effect::Now(Act::Release)]);
        assert_eq!(state.phase, Phase::Idle);
    }
}
