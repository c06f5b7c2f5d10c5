//! Errands outside the host, and the offer of what was found on this machine.

use super::App;
use crate::config::edit::Answer;
use crate::text::one_line;
use crate::ui::errand::{Brought, Errand, Kept};
use crate::ui::input::Effect;
use crate::ui::layers::connect::Connect;
use crate::ui::layers::doctor::Doctor;

impl App {
    /// Begins an errand.
    pub(in crate::ui) fn errand(&mut self, errand: Errand) -> Vec<Effect> {
        self.settings.first.errands.begin(&errand);
        vec![Effect::Errand(errand)]
    }

    /// Takes in what came of one.
    pub(super) fn brought(&mut self, brought: Brought) {
        if let Brought::Recipes(right, wrong) = brought {
            self.take_recipes(right, wrong);
            return;
        }
        if let Brought::Written(Ok(place)) = &brought {
            self.say(format!("Written to {}.", one_line(place)));
        }
        let loose = matches!(brought, Brought::Loose(_));
        match self.settings.first.errands.take(brought) {
            None if loose => self.looked_loose(),
            None => {}
            Some(Ok(kept)) => self.kept(kept),
            Some(Err(why)) => {
                self.settings.first.offer = false;
                self.say(why);
            }
        }
    }

    fn kept(&mut self, kept: Kept) {
        self.settings.first.offer = false;
        self.settings.agents.unready = kept.unready;
        self.settings.agents.choices = kept.agents;
        self.settings.agents.web = kept.web;
        let said = match kept.name.as_deref().map(one_line) {
            None => "Nothing was connected; the commands have “Connect an agent”.".to_owned(),
            Some(name)
                if self
                    .settings
                    .agents
                    .choices
                    .first()
                    .is_some_and(|c| c.agent == name) =>
            {
                format!("{name} is connected: it writes from the next turn on.")
            }
            Some(name) => {
                let stays = self.settings.agents.choices.first();
                let stays = stays.map_or_else(String::new, |c| one_line(&c.agent));
                let choose = self.key_or_title("session.agent");
                format!(
                    "{name} is connected; {stays} stays the agent of new sessions. {choose} gives {name} the one at hand."
                )
            }
        };
        self.say(said);
    }

    /// Whether the offer is before the writer's eyes, and keys answer it. None of them is a letter or a digit: whoever
    /// begins to write answers nothing.
    pub(in crate::ui) fn is_offered(&self) -> bool {
        let fresh = self.desks.at().is_none() && self.desk().composer.is_empty();
        self.settings.first.offer && fresh && self.desk().sending.is_none()
    }

    /// Shows the ways to an agent.
    pub(in crate::ui) fn connect(&mut self) -> Vec<Effect> {
        self.push(Connect::default());
        Vec::new()
    }

    /// Says no to what is offered, for good.
    pub(in crate::ui) fn decline(&mut self) -> Vec<Effect> {
        self.settings.first.offer = false;
        self.errand(Errand::Keep(Answer::No))
    }

    /// Looks how everything is, and shows it.
    pub(in crate::ui) fn doctor(&mut self) -> Vec<Effect> {
        self.push(Doctor::default());
        self.errand(Errand::Doctor)
    }
}
