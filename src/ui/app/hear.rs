//! What the attachments tell.

use super::App;
use crate::domain::{Kind, Notice, Row, SessionId, State};
use crate::ui::desk::Desk;
use crate::ui::focus::Pane;
use crate::ui::input::{Effect, Ticket};
use crate::ui::{place, rows::Shelf};

/// What is said of a prompt that the log has and the host could not confirm.
const TAKEN: &str = "The prompt had reached the host before it ended: it is in the log.";

impl App {
    /// Takes in a notice; one of an attachment that was let go counts no more.
    pub(super) fn hear(&mut self, ticket: Ticket, notice: Notice) -> Vec<Effect> {
        if ticket == self.list.ticket {
            return self.hear_list(notice);
        }
        match self.desks.of_ticket(ticket) {
            Some(session) => {
                let mut effects = self.hear_session(session, ticket, notice);
                let heavy = self.desks.let_go_of_words(session);
                effects.extend(heavy.map(|ticket| Effect::Detach { ticket }));
                effects
            }
            None => self.view_hears(ticket, &notice),
        }
    }

    fn hear_list(&mut self, notice: Notice) -> Vec<Effect> {
        match notice {
            Notice::Row(row) => return self.hear_row(*row),
            Notice::Collection(row) => self.rows.put_collection(*row),
            Notice::CollectionGone { collection } => {
                self.rows.collection_gone(&collection);
            }
            Notice::Banner { text } => self.voice.set_banner(text),
            Notice::BriefTrouble { collection, text } => self.voice.set_brief(collection, text),
            Notice::Live => return self.list_is_live(),
            Notice::Closing { stopped } => return self.closing_host(self.list.ticket, stopped),
            Notice::Refused { why } => return self.lost(self.list.ticket, Some(&why)),
            Notice::Host(build) => self.meet(build),
            Notice::Reading { reading } => self.list.reading = reading,
            Notice::Voice { text } => self.hear_voice(&text),
            Notice::Opened { .. } | Notice::Head(_) | Notice::Event(_) => {}
        }
        Vec::new()
    }

    fn list_is_live(&mut self) -> Vec<Effect> {
        self.rows.settle();
        self.list.live = true;
        self.host_is_there();
        self.drafts_go_on();
        self.views_go_on();
        self.tell_since();
        if let Some(session) = self.desks.at() {
            self.rows.point(session);
        }
        let mut effects: Vec<_> = self.attach_here().into_iter().collect();
        effects.extend(self.ask_versions_again());
        effects.extend(self.fetch_unsent(self.desks.at()));
        effects
    }

    fn hear_row(&mut self, row: Row) -> Vec<Effect> {
        let mut effects = self.hear_asked(&row);
        let was = self.rows.get(row.id).map(|r| r.state);
        if self.list.live && row.state == State::Unread {
            self.has_written(&row.agent);
        }
        let runs = matches!(row.state, State::Writing | State::NeedsYou);
        if !runs {
            self.list.stopping.remove(&row.id);
        }
        self.mark_cut(row.id, row.state);
        effects.extend(self.call_for_end(was, &row));
        let came = self.list.live && was.is_none() && self.desks.at() == Some(row.id);
        let id = row.id;
        self.rows.put(row);
        if came {
            // It was opened before the list had heard of it.
            self.rows.point(id);
        }
        // The rows may be many: told once for all of them.
        self.clock.since_due = self.list.live;
        effects
    }

    /// Takes in the questions of a row; those of an attached session are told there, and never by an older row.
    fn hear_asked(&mut self, row: &Row) -> Vec<Effect> {
        if self.desks.get(row.id).is_some_and(Desk::is_live) {
            return Vec::new();
        }
        let heard = self.questions.hear(row.id, &row.asked);
        if heard.gone && matches!(row.state, State::Writing | State::NeedsYou) {
            self.answered_elsewhere(row.id);
        }
        let new = heard.new.filter(|_| self.list.live);
        let call = new.and_then(|what| self.call_for_question(row.id, &what));
        call.into_iter().collect()
    }

    /// Says that a question that could be seen here was answered in another window.
    fn answered_elsewhere(&mut self, session: SessionId) {
        if self.at_hand() == Some(session) || self.desks.at() == Some(session) {
            self.say("The question was answered in another window.");
        }
    }

    /// Says what happened since the window was left, until the first key: what was cut short is only found
    /// out while the rows are told.
    pub(super) fn tell_since(&mut self) {
        self.clock.since_due = false;
        if let Some(left) = &self.list.left {
            self.voice.set_since(place::since(left, &self.rows));
        }
    }

    /// An agent has written: whatever was missing when the window opened is there now.
    fn has_written(&mut self, agent: &str) {
        if self
            .settings
            .agents
            .choices
            .first()
            .is_some_and(|c| c.agent == agent)
        {
            self.settings.agents.unready = None;
        }
    }

    fn hear_session(&mut self, session: SessionId, ticket: Ticket, notice: Notice) -> Vec<Effect> {
        self.draft_hears(session, &notice);
        let quarters = self.settings.means.quarters;
        let written = self.turn_wrote(session, &notice);
        let (mut answered, mut noted) = (false, None);
        let Some(desk) = self.desks.get_mut(Some(session)) else {
            return Vec::new();
        };
        match notice {
            Notice::Opened { head, more } => {
                desk.transcript.smooth = quarters;
                desk.opened(*head, more);
            }
            Notice::Head(head) => desk.transcript.set_head(*head),
            Notice::Event(event) => {
                answered = matches!(event.kind, Kind::Answered { .. });
                if let Kind::Note { turn: None, text } = &event.kind
                    && desk.is_live()
                {
                    noted = Some(text.clone());
                }
                if desk.was_taken(&event) {
                    desk.changed(self.clock.now);
                    self.voice.say(TAKEN, self.clock.now);
                }
                desk.apply(&event);
            }
            Notice::Live => {
                desk.transcript.live();
                if let Some(link) = &mut desk.link {
                    link.live = true;
                }
            }
            Notice::Closing { stopped } => return self.closing_host(ticket, stopped),
            // With no host nothing can be opened: that says nothing of the session.
            Notice::Refused { why } if !self.list.live => return self.lost(ticket, Some(&why)),
            Notice::Refused { why } => {
                desk.link = None;
                return self.not_opened(session, &why);
            }
            Notice::Banner { text } if !text.is_empty() => self.say(text),
            _ => {}
        }
        if let Some(text) = noted {
            self.say_noted(session, text);
        }
        let mut effects = self.hear_questions(session, answered);
        effects.extend(written);
        effects
    }

    /// What the host notes about a session stands in its transcript, which whoever writes in the draft may not see.
    fn say_noted(&mut self, session: SessionId, text: String) {
        let writes = self.pane == Pane::Draft && self.desks.at() == Some(session);
        if writes && self.voice.message().is_none() {
            self.say(text);
        }
    }

    fn hear_questions(&mut self, session: SessionId, answered: bool) -> Vec<Effect> {
        let Some(desk) = self.desks.get(session) else {
            return Vec::new();
        };
        let asked = &desk.transcript.head().asked;
        let live = desk.is_live();
        let heard = self.questions.hear(session, asked);
        if heard.gone && answered && live {
            self.answered_elsewhere(session);
        }
        let new = heard.new.filter(|_| live);
        let call = new.and_then(|what| self.call_for_question(session, &what));
        call.into_iter().collect()
    }

    /// A session that cannot be opened: its words stay unread, the reason is said, and a new one is at hand.
    fn not_opened(&mut self, session: SessionId, why: &str) -> Vec<Effect> {
        self.say(why);
        if self.desks.at() != Some(session) {
            return Vec::new();
        }
        let collection = match self.rows.shelf() {
            Shelf::Collection(id) => Some(id.clone()),
            _ => None,
        };
        let pane = self.pane;
        let effects = self.begin_in(collection);
        self.pane = pane;
        effects
    }
}
