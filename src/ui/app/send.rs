//! Writing and sending. What was sent stays at hand until the host has taken it.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::App;
use crate::domain::ask::NewSession;
use crate::domain::{Request, SessionId};
use crate::ui::asks::Purpose;
use crate::ui::composer::Composer;
use crate::ui::input::Effect;

impl App {
    /// Changes what is written.
    pub(in crate::ui) fn write(&mut self, change: impl FnOnce(&mut Composer)) -> Vec<Effect> {
        let now = self.clock.now;
        let desk = self.desks.here_mut();
        change(&mut desk.composer);
        desk.changed(now);
        Vec::new()
    }

    /// Takes the selection out of the composer, onto the clipboard.
    pub(in crate::ui) fn cut_prompt(&mut self) -> Vec<Effect> {
        let Some(text) = self.desk().composer.copy_selection() else {
            return Vec::new();
        };
        let mut effects = self.copy_as("Cut", text);
        effects.extend(self.write(Composer::delete_selection));
        effects
    }

    /// Gives the composer an editing key with Ctrl.
    pub(in crate::ui) fn edit_key(&mut self, c: char) -> Vec<Effect> {
        let key = KeyEvent::new(KeyCode::Char(c), KeyModifiers::CONTROL);
        self.write(|composer| {
            composer.press(key);
        })
    }

    /// Sends what is written: to the open session, else as the first prompt of a new one. With nothing
    /// written, prompts that are held go on.
    pub(in crate::ui) fn send(&mut self) -> Vec<Effect> {
        let desk = self.desks.here_mut();
        if desk.sending.is_some() {
            self.say("The last prompt is still on its way.");
            return Vec::new();
        }
        let text = desk.composer.text();
        if text.is_empty() && self.is_held() {
            return self.continue_queue();
        }
        if text.trim().is_empty() {
            self.say("Nothing is written yet.");
            return Vec::new();
        }
        let desk = self.desks.here_mut();
        desk.send(text.clone());
        let (request, purpose) = self.sending(text);
        vec![self.ask(request, purpose)]
    }

    fn sending(&self, text: String) -> (Request, Purpose) {
        if let Some(session) = self.desks.at() {
            return (Request::Send { session, text }, Purpose::Send(session));
        }
        let request = Request::New(NewSession {
            collection: self.desks.collection.clone(),
            title: None,
            agent: self.desks.agent.as_ref().map(|c| c.agent.clone()),
            prompt: Some(text),
            recipe: None,
        });
        (request, Purpose::New)
    }

    /// The place of an earlier or later prompt that could be brought back.
    pub(in crate::ui) fn recalled(&self, by: isize) -> Option<usize> {
        self.desk().recall_place(by)
    }

    /// Brings an earlier or later prompt back.
    pub(in crate::ui) fn recall(&mut self, by: isize) -> Vec<Effect> {
        if let Some(place) = self.recalled(by) {
            let now = self.clock.now;
            let desk = self.desks.here_mut();
            desk.recall(place);
            desk.changed(now);
        }
        Vec::new()
    }

    /// Keeps what is unsent on a desk; what was kept there earlier is asked for first.
    pub(super) fn keep(&mut self, session: Option<SessionId>) -> Vec<Effect> {
        let mut effects: Vec<_> = self.fetch_unsent(session).into_iter().collect();
        effects.extend(self.keep_now(session));
        effects
    }

    fn keep_now(&mut self, session: Option<SessionId>) -> Option<Effect> {
        let desk = self.desks.get_mut(session)?;
        desk.due()?;
        let text = desk.take_unsent();
        let window = self.settings.window.clone();
        let request = Request::KeepUnsent {
            session,
            window,
            text,
        };
        Some(self.ask(request, Purpose::Keep(session)))
    }

    /// Keeps what is unsent on the open desk.
    pub(super) fn keep_here(&mut self) -> Vec<Effect> {
        self.keep_now(self.desks.at()).into_iter().collect()
    }

    /// Keeps what is unsent and due by a time.
    pub(super) fn keep_due(&mut self, by: i64) -> Vec<Effect> {
        let due: Vec<_> = self
            .desks
            .every_mut()
            .filter(|(_, d)| d.due().is_some_and(|at| at <= by))
            .map(|(id, _)| id)
            .collect();
        due.into_iter().flat_map(|id| self.keep(id)).collect()
    }
}
