//! The recipe that a session follows, and how far it is.

use serde::{Deserialize, Serialize};

use super::Head;
use crate::domain::event::{Kind, RecipeStarted, TurnNo, Usage};
use crate::domain::recipe::Limits;

/// A recipe under way.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Following {
    /// Its title.
    pub title: String,
    /// Number of the first step's waiting prompt.
    pub first: u32,
    /// Names of the steps.
    pub steps: Vec<String>,
    /// Where it stops before its end.
    pub limits: Limits,
    /// The step that was begun last, from 0; none before the first.
    pub at: Option<usize>,
    /// That step's turn, the newest one when the step was done more than once.
    #[serde(default)]
    pub turn: Option<TurnNo>,
    /// Turns since it began or was let go on.
    pub turns: u32,
    /// What they used.
    pub spent: Usage,
    /// The limit it waits at.
    pub paused: Option<String>,
}

impl Following {
    /// The step of a waiting prompt, from 0.
    pub fn step(&self, queued: u32) -> Option<usize> {
        let step = usize::try_from(queued.checked_sub(self.first)?).ok()?;
        (step < self.steps.len()).then_some(step)
    }

    /// Number of the prompt whose turn this is; none for a turn that is no step.
    pub fn prompt_of(&self, turn: TurnNo) -> Option<u32> {
        let at = self.at.filter(|_| self.turn == Some(turn))?;
        Some(self.first + u32::try_from(at).ok()?)
    }

    /// The limit that is reached, for a writer; none while it may go on.
    pub fn reached(&self) -> Option<String> {
        if self.turns == 0 {
            return None;
        }
        let Limits { turns, tokens, usd } = self.limits;
        let used = self.spent.input.unwrap_or(0) + self.spent.output.unwrap_or(0);
        if let Some(most) = turns.filter(|most| self.turns >= *most) {
            let turns = if most == 1 { "turn" } else { "turns" };
            return Some(format!("its limit of {most} {turns} is reached"));
        }
        if let Some(most) = tokens {
            if self.spent.input.or(self.spent.output).is_none() {
                return Some("it has a limit of tokens, and the agent tells none".to_owned());
            }
            if used >= most {
                return Some(format!("its limit of {most} tokens is reached"));
            }
        }
        match (usd, self.spent.cost_usd) {
            (Some(_), None) => {
                Some("it has a limit of money, and the agent tells no cost".to_owned())
            }
            (Some(most), Some(cost)) if cost >= most => {
                Some(format!("its limit of ${most:.2} is reached"))
            }
            _ => None,
        }
    }

    /// Takes in an event of a session: with it a recipe begins, goes on or is over.
    pub fn follow(recipe: &mut Option<Self>, kind: &Kind) {
        match kind {
            Kind::RecipeStarted(RecipeStarted {
                title,
                first,
                steps,
                limits,
            }) => {
                *recipe = Some(Self {
                    title: title.clone(),
                    first: *first,
                    steps: steps.clone(),
                    limits: *limits,
                    at: None,
                    turn: None,
                    turns: 0,
                    spent: Usage::default(),
                    paused: None,
                });
            }
            Kind::RecipeEnded => *recipe = None,
            _ => {
                if let Some(recipe) = recipe {
                    recipe.apply(kind);
                }
            }
        }
    }

    /// Takes in an event of the session. A turn that is none of its steps does not count.
    pub fn apply(&mut self, kind: &Kind) {
        match kind {
            Kind::Prompt {
                turn,
                queued: Some(n),
                ..
            } => {
                let Some(step) = self.step(*n) else { return };
                (self.at, self.turn) = (Some(step), Some(*turn));
                if self.paused.take().is_some() {
                    self.turns = 0;
                    self.spent = Usage::default();
                }
                self.turns += 1;
            }
            Kind::Usage { turn, usage } if self.turn == Some(*turn) => self.spent.add(usage),
            Kind::RecipePaused { why } => self.paused = Some(why.clone()),
            _ => {}
        }
    }
}

impl Head {
    pub(super) fn apply_recipe(&mut self, kind: &Kind) {
        Following::follow(&mut self.recipe, kind);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prompt(n: u32) -> Kind {
        Kind::Prompt {
            turn: n,
            text: "x".into(),
            queued: Some(n),
        }
    }

    fn following(limits: Limits) -> Following {
        let mut head = Head::default();
        head.apply_recipe(&Kind::RecipeStarted(RecipeStarted {
            title: "Essay".into(),
            first: 3,
            steps: vec!["Outline".into(), "Draft".into()],
            limits,
        }));
        head.recipe
            .unwrap_or_else(|| unreachable!("it was just begun"))
    }

    #[test]
    fn a_step_is_known_by_the_number_of_its_prompt() {
        let recipe = following(Limits::default());
        assert_eq!(
            [2, 3, 4, 5].map(|n| recipe.step(n)),
            [None, Some(0), Some(1), None]
        );
    }

    #[test]
    fn a_limit_counts_from_nothing_when_the_writer_lets_it_go_on() {
        let limits = Limits {
            turns: Some(1),
            ..Limits::default()
        };
        let mut recipe = following(limits);
        assert_eq!(
            recipe.reached(),
            None,
            "before the first step nothing is reached"
        );
        recipe.apply(&prompt(3));
        let why = recipe.reached().unwrap_or_default();
        assert!(why.contains("1 turn is"), "{why}");
        recipe.apply(&Kind::RecipePaused { why });
        recipe.apply(&prompt(4));
        assert_eq!((recipe.turns, recipe.at), (1, Some(1)));
    }

    #[test]
    fn a_limit_that_cannot_be_counted_stops_too() {
        let limits = Limits {
            usd: Some(1.0),
            ..Limits::default()
        };
        let mut recipe = following(limits);
        recipe.apply(&prompt(3));
        assert!(recipe.reached().is_some_and(|why| why.contains("no cost")));
    }

    #[test]
    fn a_turn_that_is_no_step_costs_the_recipe_nothing() {
        let mut recipe = following(Limits::default());
        recipe.apply(&prompt(3));
        let spent = |turn| Kind::Usage {
            turn,
            usage: Usage {
                input: Some(10),
                ..Usage::default()
            },
        };
        recipe.apply(&spent(3));
        recipe.apply(&prompt(9));
        recipe.apply(&spent(9));
        assert_eq!((recipe.turns, recipe.spent.input), (1, Some(10)));
        assert_eq!([3, 9].map(|t| recipe.prompt_of(t)), [Some(3), None]);
    }
}
