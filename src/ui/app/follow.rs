//! Recipes: their steps are queued by the host, on the session at hand or on a new one.

use super::App;
use crate::domain::{Recipe, Request, SessionId};
use crate::text::{counted, one_line};
use crate::ui::asks::Purpose;
use crate::ui::errand::Errand;
use crate::ui::input::Effect;
use crate::ui::layers::recipes::Recipes;

impl App {
    /// Shows the recipes, and has them read anew.
    pub(in crate::ui) fn show_recipes(&mut self) -> Vec<Effect> {
        self.push(Recipes::default());
        self.errand(Errand::Recipes)
    }

    /// Takes in the recipes as they are now, and what is wrong with others.
    pub(super) fn take_recipes(&mut self, recipes: Vec<Recipe>, wrong: Vec<String>) {
        self.settings.recipes.choices = recipes;
        self.settings.recipes.wrong = wrong;
    }

    /// Runs a recipe on the session at hand; where there is none, one is made for it.
    pub(super) fn follow(&mut self, recipe: Recipe) -> Vec<Effect> {
        if let Some(session) = self.at_hand() {
            return vec![self.follow_on(session, recipe)];
        }
        let request = Request::New {
            collection: self.desks.collection.clone(),
            title: Some(recipe.title.clone()),
            agent: self.desks.agent.as_ref().map(|c| c.agent.clone()),
            prompt: None,
        };
        vec![self.ask(request, Purpose::Begin(Box::new(recipe)))]
    }

    /// Runs a recipe on a session.
    pub(super) fn follow_on(&mut self, session: SessionId, recipe: Recipe) -> Effect {
        let title = one_line(&recipe.title);
        let steps = counted(recipe.steps.len() as u64, "step");
        let said = format!("“{title}” begins: {steps}.");
        let request = Request::Follow { session, recipe };
        self.ask(request, Purpose::Say(said))
    }
}
