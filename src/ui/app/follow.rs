//! Recipes: their steps are queued by the host, on the session at hand or on a new one.

use super::App;
use crate::domain::ask::NewSession;
use crate::domain::{Recipe, Request};
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
        let said = begins(&recipe);
        if let Some(session) = self.at_hand() {
            let request = Request::Follow { session, recipe };
            return vec![self.ask(request, Purpose::Say(said))];
        }
        let request = Request::New(NewSession {
            collection: self.desks.collection.clone(),
            title: Some(recipe.title.clone()),
            agent: self.desks.agent.as_ref().map(|c| c.agent.clone()),
            prompt: None,
            recipe: Some(Box::new(recipe)),
        });
        vec![self.ask(request, Purpose::Begin(said))]
    }
}

/// What is said when a recipe begins.
fn begins(recipe: &Recipe) -> String {
    let title = one_line(&recipe.title);
    let steps = counted(recipe.steps.len() as u64, "step");
    format!("“{title}” begins: {steps}.")
}
