//! A recipe under way: its steps wait like any prompt, and stop at its limits.

use super::{Act, AskNo, Effect, Effects, State};
use crate::domain::ask::Reply;
use crate::domain::event::{Kind, RecipeStarted, Status};
use crate::domain::head::Following;
use crate::domain::recipe::Recipe;

/// A recipe begins: one prompt for each step.
pub(super) fn begin(state: &mut State, to: AskNo, recipe: Recipe, out: &mut Effects) {
    if let Err(refusal) = may_begin(state, &recipe) {
        return out.push(Effect::Now(Act::Reply(to, refusal)));
    }
    if state.recipe.is_some() {
        // Its last step was cut and never done again.
        state.log(Kind::RecipeEnded, out);
    }
    let started = Kind::RecipeStarted(RecipeStarted {
        title: recipe.title,
        first: state.queued_ever + 1,
        steps: recipe.steps.iter().map(|s| s.name.clone()).collect(),
        limits: recipe.limits,
    });
    state.log(started, out);
    for step in recipe.steps {
        state.queued_ever += 1;
        state.queue(state.queued_ever, step.text, out);
    }
    out.push(Effect::Then(Act::Reply(to, Reply::Done)));
    state.go_on(out);
}

fn may_begin(state: &State, recipe: &Recipe) -> Result<(), Reply> {
    if let Some(now) = state.recipe.as_ref().filter(|_| !is_over(state)) {
        let why = format!("The recipe \"{}\" is under way here.", now.title);
        let way = "Let it come to its end, or take its waiting steps back first.";
        return Err(Reply::refused(why, way));
    }
    let nothing = "Nothing was sent.";
    if recipe.steps.is_empty() {
        return Err(Reply::refused("The recipe has no step.", nothing));
    }
    match recipe.steps.iter().find(|s| s.text.trim().is_empty()) {
        Some(step) => {
            let why = format!("The step \"{}\" has no text.", step.name);
            Err(Reply::refused(why, nothing))
        }
        None => Ok(()),
    }
}

/// Whether no step waits or runs.
fn is_over(state: &State) -> bool {
    let runs = state.runs() && of_newest(state).is_some();
    !runs && !state.queue.iter().any(|w| is_step(state, w.n))
}

fn is_step(state: &State, n: u32) -> bool {
    state.recipe.as_ref().is_some_and(|r| r.step(n).is_some())
}

/// Number of the step's prompt, when the newest turn is a step's.
pub(super) fn of_newest(state: &State) -> Option<u32> {
    state.recipe.as_ref()?.prompt_of(state.turn)
}

/// A turn has ended. A last step that was cut can be done again: only then the recipe stays.
pub(super) fn after_turn(state: &mut State, out: &mut Effects) {
    let cut = state.ended != Some(Status::Ok) && of_newest(state).is_some();
    if state.recipe.is_some() && !cut && is_over(state) {
        state.log(Kind::RecipeEnded, out);
    }
}

/// A waiting prompt was taken back: with the last step the writer gives the recipe up.
pub(super) fn taken_back(state: &mut State, n: u32, out: &mut Effects) {
    if is_step(state, n) && is_over(state) {
        state.log(Kind::RecipeEnded, out);
    }
}

/// The writer lets it go on, whatever it has used so far: its steps, and nothing else that waits.
pub(super) fn let_go(state: &mut State, out: &mut Effects) {
    if !state.runs() {
        stop_at_limit(state, out);
    }
    hold(state, false);
}

/// No turn runs: a recipe that has reached a limit waits for the writer before its next step.
pub(super) fn look_at_limits(state: &mut State, out: &mut Effects) {
    let cut = state.ended != Some(Status::Ok) && of_newest(state).is_some();
    if (cut || !is_over(state)) && stop_at_limit(state, out) {
        hold(state, true);
    }
}

/// Writes that a limit is reached. The counting begins anew with the next step.
fn stop_at_limit(state: &mut State, out: &mut Effects) -> bool {
    let recipe = state.recipe.as_ref().filter(|r| r.paused.is_none());
    let Some(why) = recipe.and_then(Following::reached) else {
        return false;
    };
    state.log(Kind::RecipePaused { why }, out);
    true
}

fn hold(state: &mut State, held: bool) {
    let Some(recipe) = &state.recipe else { return };
    let steps = state.queue.iter_mut();
    for step in steps.filter(|w| recipe.step(w.n).is_some()) {
        step.held = held;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::super::tests::{ended, kinds, send, with};
    use super::super::{Input, Phase, handle};
    use super::*;
    use crate::agents::backend::AgentEvent;
    use crate::domain::event::Usage;
    use crate::domain::recipe::{Limits, Step};

    fn recipe(steps: usize, limits: Limits) -> Recipe {
        let step = |n: usize| Step {
            name: format!("Step {n}"),
            text: format!("Do {n}."),
        };
        Recipe {
            title: "Essay".into(),
            steps: (1..=steps).map(step).collect(),
            limits,
        }
    }

    fn turns(most: u32) -> Limits {
        Limits {
            turns: Some(most),
            ..Limits::default()
        }
    }

    fn follow(state: State, recipe: Recipe) -> (State, Effects) {
        handle(state, Input::Follow { to: 1, recipe })
    }

    fn granted(state: State) -> State {
        assert_eq!(state.phase, Phase::Waiting, "{state:?}");
        handle(state, Input::Granted(with())).0
    }

    /// A recipe of three steps in its first one.
    fn begun(limits: Limits) -> State {
        granted(follow(State::default(), recipe(3, limits)).0)
    }

    fn go(state: State, status: Status) -> (State, Effects) {
        handle(state, ended(status))
    }

    fn wants(out: &[Effect]) -> bool {
        out.contains(&Effect::Then(Act::Want))
    }

    fn has(out: &[Effect], of: impl Fn(&Kind) -> bool) -> bool {
        kinds(out).into_iter().any(of)
    }

    fn refused(out: &[Effect]) -> bool {
        matches!(out, [Effect::Now(Act::Reply(_, Reply::Refused { .. }))])
    }

    #[test]
    fn its_steps_wait_behind_its_beginning_and_run_one_by_one_to_its_end() {
        let (state, out) = follow(State::default(), recipe(2, Limits::default()));
        assert!(matches!(
            kinds(&out).as_slice(),
            [
                Kind::RecipeStarted(RecipeStarted { first: 1, .. }),
                Kind::Queued { n: 1, .. },
                Kind::Queued { n: 2, .. }
            ]
        ));
        let (state, out) = go(granted(state), Status::Ok);
        assert!(wants(&out) && !has(&out, |k| *k == Kind::RecipeEnded));
        let (state, out) = go(granted(state), Status::Ok);
        assert_eq!(kinds(&out).last(), Some(&&Kind::RecipeEnded));
        assert!(state.recipe.is_none());
    }

    #[test]
    fn one_that_is_empty_or_comes_while_another_is_under_way_is_refused() {
        let (state, out) = follow(State::default(), Recipe::default());
        assert!(refused(&out));
        let mut blank = recipe(2, Limits::default());
        blank.steps[1].text = " \n".into();
        let (state, out) = follow(state, blank);
        assert!(refused(&out));
        let (state, _) = follow(state, recipe(1, Limits::default()));
        let (state, out) = follow(state, recipe(1, Limits::default()));
        assert!(refused(&out), "it waits");
        let (_, out) = follow(granted(state), recipe(1, Limits::default()));
        assert!(refused(&out), "its last step runs");
    }

    #[test]
    fn at_a_limit_it_waits_and_let_go_on_it_counts_from_nothing() {
        let (state, out) = go(begun(turns(1)), Status::Ok);
        assert!(has(&out, |k| matches!(k, Kind::RecipePaused { .. })));
        assert!(!wants(&out) && state.queue.iter().all(|w| w.held));
        let (state, out) = handle(state, Input::Continue { to: 2 });
        assert!(wants(&out));
        let state = granted(state);
        let counted = state.recipe.as_ref().map(|r| (r.turns, r.paused.clone()));
        assert_eq!(counted, Some((1, None)));
        let (state, _) = go(state, Status::Ok);
        assert!(state.queue[0].held, "the third step waits again");
    }

    #[test]
    fn tokens_and_money_stop_it_too_and_so_does_an_agent_that_does_not_tell() {
        let tokens = Limits {
            tokens: Some(100),
            ..Limits::default()
        };
        let usd = Limits {
            usd: Some(1.0),
            ..Limits::default()
        };
        let counts = |input, cost_usd| {
            Input::Agent(AgentEvent::Usage(Usage {
                input,
                cost_usd,
                ..Usage::default()
            }))
        };
        for (limits, usage, stops) in [
            (tokens, Some(counts(Some(99), None)), false),
            (tokens, Some(counts(Some(100), None)), true),
            (tokens, None, true),
            (usd, Some(counts(None, Some(0.5))), false),
            (usd, Some(counts(None, Some(1.5))), true),
            (usd, Some(counts(Some(1), None)), true),
        ] {
            let mut state = begun(limits);
            if let Some(usage) = usage.clone() {
                state = handle(state, usage).0;
            }
            let (_, out) = go(state, Status::Ok);
            assert_eq!(!wants(&out), stops, "{limits:?} {usage:?}");
        }
    }

    #[test]
    fn a_failure_or_a_stop_holds_its_steps_and_it_stays_under_way() {
        for status in [Status::Failed, Status::Interrupted] {
            let (state, out) = go(begun(Limits::default()), status);
            assert!(!wants(&out) && state.queue.iter().all(|w| w.held));
            assert!(state.recipe.is_some());
        }
    }

    #[test]
    fn a_step_done_again_is_still_that_step_counts_and_lets_the_others_go_on() {
        let (state, _) = send(begun(turns(2)), "Mine.", false);
        let (state, _) = go(state, Status::Failed);
        let (state, _) = handle(state, Input::Again { to: 3 });
        let resend = |state, with| {
            let text = Ok("Go on.".to_owned());
            handle(state, Input::Resend { text, with })
        };
        let (waiting, _) = resend(state.clone(), None);
        assert_eq!(waiting.queue[0].n, 1, "in its own place");
        let (state, out) = resend(state, Some(with()));
        assert!(has(&out, |k| matches!(
            k,
            Kind::Prompt {
                queued: Some(1),
                ..
            }
        )));
        let held: Vec<(u32, bool)> = state.queue.iter().map(|w| (w.n, w.held)).collect();
        assert_eq!(held, [(2, false), (3, false), (4, true)]);
        let recipe = state.recipe.as_ref().unwrap();
        assert_eq!((recipe.at, recipe.turns), (Some(0), 2));
        let (_, out) = go(state, Status::Ok);
        let paused = |k: &Kind| matches!(k, Kind::RecipePaused { why } if why.contains("2 turns"));
        assert!(has(&out, paused), "both turns count");
    }

    #[test]
    fn a_last_step_that_was_cut_can_be_done_again_and_ends_it() {
        let (state, _) = follow(State::default(), recipe(1, turns(1)));
        let (state, out) = go(granted(state), Status::Failed);
        assert!(!has(&out, |k| *k == Kind::RecipeEnded));
        let (state, _) = handle(state, Input::Again { to: 3 });
        let (text, with) = (Ok("Go on.".to_owned()), None);
        let (state, out) = handle(state, Input::Resend { text, with });
        assert!(wants(&out), "the writer lets it go on past its limit");
        let (state, out) = go(granted(state), Status::Ok);
        assert!(has(&out, |k| *k == Kind::RecipeEnded) && state.recipe.is_none());
    }

    #[test]
    fn after_a_cut_last_step_another_prompt_or_another_recipe_ends_it() {
        let (state, _) = follow(State::default(), recipe(1, Limits::default()));
        let (cut, _) = go(granted(state), Status::Failed);
        let (state, _) = send(cut.clone(), "Mine.", true);
        let (_, out) = go(state, Status::Ok);
        assert!(has(&out, |k| *k == Kind::RecipeEnded));
        let (_, out) = follow(cut, recipe(1, Limits::default()));
        assert_eq!(kinds(&out)[0], &Kind::RecipeEnded);
        assert!(matches!(
            kinds(&out)[1],
            Kind::RecipeStarted(RecipeStarted { first: 2, .. })
        ));
    }

    #[test]
    fn a_prompt_of_the_writers_own_does_not_disturb_it() {
        let (state, _) = go(begun(turns(1)), Status::Ok);
        let (state, out) = send(state, "Mine.", true);
        assert!(has(&out, |k| matches!(
            k,
            Kind::Prompt { queued: None, .. }
        )));
        let (state, out) = go(state, Status::Ok);
        assert!(!wants(&out) && state.recipe.is_some() && kinds(&out).len() == 1);
    }

    #[test]
    fn taking_back_its_last_waiting_step_ends_it_and_another_prompt_does_not() {
        let back = |state, n| handle(state, Input::Unqueue { to: 5, n });
        let (state, _) = send(begun(Limits::default()), "Mine.", false);
        let (state, _) = back(state, 2);
        let (state, _) = go(state, Status::Failed);
        let (state, out) = back(state, 4);
        assert_eq!(kinds(&out).len(), 1, "a prompt of the writer's own");
        let (_, out) = back(state, 3);
        assert_eq!(kinds(&out).last(), Some(&&Kind::RecipeEnded));
        let (state, _) = back(begun(Limits::default()), 3);
        let (state, out) = back(state, 2);
        assert_eq!(kinds(&out).len(), 1, "a step runs");
        let (_, out) = go(state, Status::Ok);
        assert_eq!(kinds(&out).last(), Some(&&Kind::RecipeEnded));
    }

    #[test]
    fn a_question_keeps_its_step_open() {
        let asked = AgentEvent::Asked {
            call: "c".into(),
            what: "Search".into(),
            input: "{}".into(),
        };
        let (state, out) = handle(begun(Limits::default()), Input::Agent(asked));
        assert!(!wants(&out) && state.runs());
    }
}
