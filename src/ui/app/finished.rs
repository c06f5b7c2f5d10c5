//! A piece that is done, and a draft that an agent has written in: checked against the writer's voice, once and quietly.

use std::sync::Arc;

use super::App;
use super::undo::Undo;

use crate::domain::event::By;
use crate::domain::{AgentKind, Kind, Notice, Request, SessionId, Stage};
use crate::text::voice::Voice;
use crate::ui::asks::{Filing, Purpose};
use crate::ui::desk::Desk;
use crate::ui::input::Effect;
use crate::ui::layers::confirm::Confirm;

impl App {
    /// The host tells what the writer's voice is.
    pub(super) fn hear_voice(&mut self, text: &str) {
        self.desks.drafts.checks.voice = Arc::new(Voice::read(text));
    }

    /// Whether a stage is the end of a piece that was not there yet.
    pub(super) fn finishes(&self, session: SessionId, stage: Option<Stage>) -> bool {
        let row = self.rows.get(session);
        let was = row.and_then(|row| self.rows.stage_of(row));
        stage == Some(Stage::Done) && was != Some(Stage::Done)
    }

    /// A piece was marked done: its draft is checked, and the writer is asked once whether the agent shall propose
    /// what is worth keeping.
    pub(super) fn finished(&mut self, session: SessionId, said: &str) -> Vec<Effect> {
        self.list.done.push(Undo::Session(session));
        let said = format!("{said} {}", self.undoes());
        let check = self.check(session, Some(said.clone()));
        if check.is_none() {
            self.say(said);
        }
        let title = self.title_of(session);
        let row = self.rows.get(session);
        // The editor that is built in has nothing to propose.
        let row = row.filter(|row| row.agent != AgentKind::Editor.word());
        if let Some(row) = row
            && self.desks.drafts.checks.asked.insert(session)
        {
            let layer = Confirm::keep(row, &title);
            self.push(layer);
        }
        check.into_iter().collect()
    }

    /// Asks for the words of a draft, where the voice forbids any.
    fn check(&mut self, session: SessionId, said: Option<String>) -> Option<Effect> {
        if self.desks.drafts.checks.voice.is_empty() {
            return None;
        }
        let purpose = Purpose::Drawer(Filing::Checked(session, said));
        let request = Request::Draft { session, at: None };
        Some(self.ask(request, purpose))
    }

    /// Takes in what a turn does to its draft: at its end a draft that it wrote in is checked.
    pub(super) fn turn_wrote(&mut self, session: SessionId, notice: &Notice) -> Option<Effect> {
        let Notice::Event(event) = notice else {
            return None;
        };
        let live = self.desks.get(session).is_some_and(Desk::is_live);
        let written = &mut self.desks.drafts.checks.written;
        match &event.kind {
            Kind::DraftSaved { by, .. } if live && matches!(by, By::Agent(_)) => {
                written.insert(session);
                None
            }
            Kind::TurnFinished { .. } if written.remove(&session) => self.check(session, None),
            _ => None,
        }
    }

    /// The words of a draft came: says which of them are never written, and not the same again.
    pub(super) fn checked(&mut self, session: SessionId, text: &str, said: Option<&str>) {
        let checks = &mut self.desks.drafts.checks;
        let told = checks.voice.told(text);
        let before = match &told {
            Some(told) => checks.told.insert(session, told.clone()),
            None => checks.told.remove(&session),
        };
        let news = told.filter(|told| said.is_some() || before.as_ref() != Some(told));
        let news = news.map(|told| format!("The draft has {told}."));
        match (said, news) {
            (Some(said), Some(news)) => self.say(format!("{said} {news}")),
            (Some(said), None) => self.say(said),
            (None, Some(news)) => self.say(news),
            (None, None) => {}
        }
    }
}
