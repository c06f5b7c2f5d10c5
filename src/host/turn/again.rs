//! Going on where the newest turn was cut: only when the writer asks, and before everything else that waits.

use super::asked::{interrupt, refuse};
use super::{Act, AskNo, Effect, Effects, Phase, State, With, recipe};
use crate::domain::ask::Reply;
use crate::domain::event::Status;

/// Number under which a cut turn waits to be done again, when it is no step of a recipe: before all others.
const FIRST: u32 = 0;
/// What is said where nothing was cut.
const NOTHING_CUT: &str = "Nothing was cut here: the newest answer is whole.";

/// The writer wants the newest turn again. One that runs is stopped first.
pub(super) fn asked(state: &mut State, to: AskNo, out: &mut Effects) {
    if state.again.is_some() {
        return refuse(to, "It is about to be done again.".to_owned(), out);
    }
    match (state.phase, state.ended) {
        (Phase::Running, _) => interrupt(state, out),
        // The writer stopped it before: what waits behind it is held as after any stop.
        (Phase::Stopping, _) => state.hold(true),
        (_, Some(Status::Interrupted | Status::Failed | Status::Lost)) => {
            // Nothing else may begin before it.
            state.step_back(out);
            out.push(Effect::Then(Act::Reread));
        }
        (_, Some(Status::Ok)) => return refuse(to, NOTHING_CUT.to_owned(), out),
        (_, None) => return refuse(to, "Nothing was written here yet.".to_owned(), out),
    }
    state.again = Some(to);
}

/// The turn that was to be done again has ended.
pub(super) fn after_turn(state: &mut State, out: &mut Effects) {
    if state.again.is_none() {
        return;
    }
    if state.ended == Some(Status::Ok) {
        if let Some(to) = state.again.take() {
            let why = "It ended well in this moment: nothing was cut.";
            refuse(to, why.to_owned(), out);
        }
    } else {
        out.push(Effect::Then(Act::Reread));
    }
}

/// What to send is known: it begins, or waits before everything else.
pub(super) fn resend(
    state: &mut State,
    text: Result<String, String>,
    with: Option<With>,
    out: &mut Effects,
) {
    let Some(to) = state.again.take() else {
        return unused(with.is_some(), out);
    };
    let text = match text {
        Ok(text) => text,
        Err(why) => {
            unused(with.is_some(), out);
            refuse(to, why, out);
            return state.go_on(out);
        }
    };
    let step = recipe::of_newest(state);
    let n = step.unwrap_or(FIRST);
    if step.is_some() {
        recipe::let_go(state, out);
    }
    let free = state.is_free();
    let (turn, queued) = match with {
        Some(with) if free => {
            let waited = state.queue.iter().any(|w| w.n == n);
            state.queue.retain(|w| w.n != n);
            state.begin(with, text, step.or(waited.then_some(n)), out);
            (Some(state.turn), None)
        }
        with => {
            unused(with.is_some(), out);
            state.queue(n, text, out);
            (None, Some(n))
        }
    };
    let reply = Reply::Accepted { turn, queued };
    out.push(Effect::Then(Act::Reply(to, reply)));
    state.go_on(out);
}

/// Gives a place back that is not needed.
fn unused(place: bool, out: &mut Effects) {
    if place {
        out.push(Effect::Now(Act::Release));
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::super::tests::{ended, kinds, send, with};
    use super::super::{Input, handle};
    use super::*;
    use crate::agents::backend::Order;
    use crate::domain::event::Kind;

    fn cut(status: Status) -> State {
        let (state, _) = send(State::default(), "One.", true);
        handle(state, ended(status)).0
    }

    fn again(state: State) -> (State, Effects) {
        handle(state, Input::Again { to: 7 })
    }

    fn resent(state: State, free: bool) -> (State, Effects) {
        let text = Ok("Go on.".to_owned());
        let with = free.then(with);
        handle(state, Input::Resend { text, with })
    }

    fn is_refused(out: &[Effect], to: AskNo) -> bool {
        out.iter()
            .any(|e| matches!(e, Effect::Now(Act::Reply(t, Reply::Refused { .. })) if *t == to))
    }

    #[test]
    fn a_cut_turn_is_done_again_only_when_it_is_asked_for() {
        for status in [Status::Failed, Status::Interrupted] {
            let state = cut(status);
            assert_eq!(state.phase, Phase::Idle, "nothing by itself");
            let (state, out) = again(state);
            assert_eq!(out, [Effect::Then(Act::Reread)]);
            let (state, out) = resent(state, true);
            assert!(matches!(
                kinds(&out)[0],
                Kind::Prompt { turn: 2, queued: None, text } if text.shown() == "Go on."
            ));
            let reply = Reply::Accepted {
                turn: Some(2),
                queued: None,
            };
            assert!(out.contains(&Effect::Then(Act::Reply(7, reply))));
            assert!(state.again.is_none() && state.runs());
        }
    }

    #[test]
    fn where_nothing_was_cut_it_is_refused() {
        let (_, out) = again(State::default());
        assert!(is_refused(&out, 7), "{out:?}");
        let (state, out) = again(cut(Status::Ok));
        assert!(is_refused(&out, 7) && state.again.is_none(), "{out:?}");
    }

    #[test]
    fn a_silent_turn_is_stopped_first_and_what_waits_behind_it_still_goes_on() {
        let (state, _) = send(State::default(), "One.", true);
        let (state, _) = send(state, "Two.", false);
        let (state, out) = again(state);
        assert_eq!(
            out,
            [
                Effect::Now(Act::Order(Order::Interrupt)),
                Effect::Now(Act::Arm)
            ]
        );
        let (state, out) = handle(state, ended(Status::Interrupted));
        assert_eq!(out.last(), Some(&Effect::Then(Act::Reread)));
        assert!(!state.queue[0].held && !out.contains(&Effect::Then(Act::Want)));
        let (state, out) = resent(state, false);
        let n: Vec<u32> = state.queue.iter().map(|w| w.n).collect();
        assert_eq!(n, [0, 1], "before what else waits");
        assert!(out.contains(&Effect::Then(Act::Want)));
        let (state, out) = handle(state, Input::Granted(with()));
        assert!(matches!(
            kinds(&out)[0],
            Kind::Prompt {
                queued: Some(0),
                ..
            }
        ));
        let (_, out) = handle(state, ended(Status::Ok));
        assert!(out.contains(&Effect::Then(Act::Want)), "Two. follows");
    }

    #[test]
    fn a_turn_that_ends_well_before_it_is_stopped_is_not_done_again() {
        let (state, _) = send(State::default(), "One.", true);
        let (state, _) = again(state);
        let (state, out) = handle(state, ended(Status::Ok));
        assert!(is_refused(&out, 7) && state.again.is_none());
    }

    #[test]
    fn a_stop_takes_it_back() {
        let (state, _) = send(State::default(), "One.", true);
        let (state, _) = send(state, "Two.", false);
        let (state, _) = again(state);
        let (state, out) = handle(state, Input::Stop { to: 8 });
        assert!(is_refused(&out, 7));
        let (state, out) = handle(state, ended(Status::Interrupted));
        assert!(state.queue[0].held && !out.contains(&Effect::Then(Act::Reread)));
        let (state, out) = resent(state, true);
        assert_eq!(out, [Effect::Now(Act::Release)]);
        assert!(!state.runs());
    }

    #[test]
    fn nothing_begins_between_the_cut_and_its_second_try() {
        let (state, _) = again(cut(Status::Failed));
        let (state, out) = send(state, "Two.", true);
        assert!(matches!(kinds(&out)[0], Kind::Queued { n: 1, .. }));
        assert!(out.contains(&Effect::Now(Act::Release)), "the place");
        let (state, _) = resent(state, true);
        assert_eq!((state.turn, state.queue.len()), (2, 1));
    }

    #[test]
    fn asked_twice_it_is_done_once() {
        let (state, _) = again(cut(Status::Failed));
        let (state, out) = handle(state, Input::Again { to: 8 });
        assert!(is_refused(&out, 8));
        let (state, _) = resent(state, false);
        let (state, _) = handle(state, Input::Again { to: 9 });
        let (state, _) = resent(state, false);
        assert_eq!(state.queue.len(), 1, "it takes its own place");
    }

    #[test]
    fn a_log_that_cannot_be_read_is_said_and_the_queue_goes_on() {
        let (state, _) = again(cut(Status::Failed));
        let (state, _) = send(state, "Two.", false);
        let (text, with) = (Err("no disk".to_owned()), None);
        let (state, out) = handle(state, Input::Resend { text, with });
        assert!(is_refused(&out, 7) && state.again.is_none());
        assert!(out.contains(&Effect::Then(Act::Want)));
    }
}
