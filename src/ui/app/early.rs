//! Keys that come before the draft they are meant for: none is lost.

use super::App;
use crate::domain::SessionId;
use crate::ui::commands::Command;
use crate::ui::draft::Early;
use crate::ui::focus::Pane;
use crate::ui::input::Effect;

/// Commands that do without the draft's text.
const WITHOUT: [&str; 2] = ["draft.leave", "draft.close"];

impl App {
    /// Whether a key of the draft waits until its text is there.
    pub(super) fn is_early(&self, found: Option<&Command>) -> bool {
        let missing = self.pane == Pane::Draft && self.draft_here().is_none();
        let of_draft = |c: &Command| c.name.starts_with("draft.") && !WITHOUT.contains(&c.name);
        missing && found.is_none_or(of_draft)
    }

    /// Keeps what is for the open session's draft, which has not come.
    pub(super) fn keep_early(&mut self, early: Early) -> Vec<Effect> {
        if let Some(session) = self.desks.at() {
            self.desks.drafts.early.keep(session, early);
        }
        Vec::new()
    }

    /// Takes letters that came together.
    pub(super) fn draft_typed(&mut self, text: &str) -> Vec<Effect> {
        if self.is_early(None) {
            return self.keep_early(Early::Typed(text.to_owned()));
        }
        self.in_draft(|draft, now| match &mut draft.finding {
            None => draft.editor.type_text(text, now),
            Some(finding) => {
                finding.field().paste(text);
                draft.look_again();
            }
        })
    }

    /// Drafts that have come take in what waited for them.
    pub(super) fn catch_up(&mut self) -> Vec<Effect> {
        let mut effects = Vec::new();
        for session in self.desks.drafts.early.sessions() {
            let Some(draft) = self.desks.drafts.get(session) else {
                continue;
            };
            if let Some(why) = draft.editor.locked().map(str::to_owned) {
                self.give_early_back(session, &why);
            } else if self.desks.at() == Some(session)
                && self.pane == Pane::Draft
                && !self.has_layer()
            {
                effects.extend(self.press_early(session));
            } else {
                self.put_early(session);
            }
        }
        effects
    }

    /// The writer is there: as if pressed now.
    fn press_early(&mut self, session: SessionId) -> Vec<Effect> {
        let mut effects = Vec::new();
        for early in self.desks.drafts.early.take(session) {
            effects.extend(match early {
                Early::Key(event) => self.key(event),
                Early::Typed(text) => self.draft_typed(&text),
                Early::Paste(text) => self.paste(&text),
            });
        }
        effects
    }

    /// The writer has gone on: the words go in and become a version.
    fn put_early(&mut self, session: SessionId) {
        let now = self.clock.now;
        let early = self.desks.drafts.early.take(session);
        if let Some(draft) = self.desks.drafts.get_mut(session) {
            draft.take_early(&early, now);
            draft.leave(true);
        }
    }

    /// The draft cannot take them: they stand where prompts are written, and that is said.
    pub(super) fn give_early_back(&mut self, session: SessionId, why: &str) {
        let text = self.desks.drafts.early.text(session);
        self.desks.drafts.early.take(session);
        if text.trim().is_empty() {
            return self.say(why);
        }
        let now = self.clock.now;
        if let Some(desk) = self.desks.get_mut(Some(session)) {
            desk.give_back(&text);
            desk.changed(now);
        }
        self.say(format!(
            "{why} What you typed for the draft stands where you write prompts."
        ));
    }
}
