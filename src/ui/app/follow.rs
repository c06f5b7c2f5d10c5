//! Recipes: their steps are queued by the host, on the session at hand or on a new one.

use super::App;
use crate::domain::{Recipe, Request, SessionId};
use crate::text::one_line;
use crate::ui::asks::Purpose;
use crate::ui::input::Effect;

impl App {
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
        let said = match recipe.steps.len() {
            1 => format!("“{title}” begins: 1 step."),
            n => format!("“{title}” begins: {n} steps."),
        };
        let request = Request::Follow { session, recipe };
        self.ask(request, Purpose::Say(said))
    }
}
