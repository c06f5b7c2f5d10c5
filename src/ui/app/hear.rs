//! What the attachments tell.

use super::App;
use crate::domain::{Notice, Row, SessionId, State};
use crate::ui::input::{Effect, Ticket};
use crate::ui::{place, rows::Shelf};

/// How long a lost host is waited for before it is looked for again: first, and at most, milliseconds.
const RETRY: (i64, i64) = (250, 8_000);

impl App {
    /// Takes in a notice; one of an attachment that was let go counts no more.
    pub(super) fn hear(&mut self, ticket: Ticket, notice: Notice) -> Vec<Effect> {
        if ticket == self.list.ticket {
            return self.hear_list(notice);
        }
        match self.desks.of_ticket(ticket) {
            Some(session) => self.hear_session(session, ticket, notice),
            None => Vec::new(),
        }
    }

    fn hear_list(&mut self, notice: Notice) -> Vec<Effect> {
        match notice {
            Notice::Row(row) => return self.hear_row(*row),
            Notice::Collection(row) => self.rows.put_collection(row),
            Notice::CollectionGone { collection } => {
                self.rows.collection_gone(&collection);
            }
            Notice::Banner { text } => self.voice.set_banner(text),
            Notice::Live => self.list_is_live(),
            Notice::Closing { .. } => return self.lost(self.list.ticket, "the host ended"),
            Notice::Refused { why } => return self.lost(self.list.ticket, &why),
            Notice::Opened { .. } | Notice::Event(_) | Notice::Host(_) => {}
        }
        Vec::new()
    }

    fn list_is_live(&mut self) {
        self.rows.settle();
        self.list.live = true;
        self.clock.retry = None;
        self.voice.set_lost(None);
        self.tell_since();
        if let Some(session) = self.desks.at() {
            self.rows.point(session);
        }
    }

    fn hear_row(&mut self, row: Row) -> Vec<Effect> {
        let new = self.questions.hear(row.id, &row.asked, self.clock.now);
        if self.list.live && row.state == State::Unread {
            self.has_written(&row.agent);
        }
        let runs = matches!(row.state, State::Writing | State::NeedsYou);
        if !runs {
            self.list.stopping.remove(&row.id);
        }
        self.rows.put(row);
        if self.list.live {
            self.tell_since();
        }
        self.ring(new && self.list.live)
    }

    /// Says what happened since the window was left, until the first key: what was cut short is only found
    /// out while the rows are told.
    fn tell_since(&mut self) {
        if let Some(left) = &self.list.left {
            self.voice.set_since(place::since(left, &self.rows));
        }
    }

    /// An agent has written: whatever was missing when the window opened is there now.
    fn has_written(&mut self, agent: &str) {
        if self
            .settings
            .agents
            .first()
            .is_some_and(|c| c.agent == agent)
        {
            self.settings.unready = None;
        }
    }

    fn ring(&self, new: bool) -> Vec<Effect> {
        let rings = new && self.settings.bell;
        rings.then_some(Effect::Bell).into_iter().collect()
    }

    fn hear_session(&mut self, session: SessionId, ticket: Ticket, notice: Notice) -> Vec<Effect> {
        let quarters = self.settings.quarters;
        let Some(desk) = self.desks.get_mut(Some(session)) else {
            return Vec::new();
        };
        match notice {
            Notice::Opened { head, more } => {
                desk.transcript.smooth = quarters;
                desk.opened(*head, more);
            }
            Notice::Event(event) => desk.apply(&event),
            Notice::Live => {
                desk.transcript.live();
                if let Some(link) = &mut desk.link {
                    link.live = true;
                }
            }
            Notice::Closing { .. } => return self.lost(ticket, "the host ended"),
            Notice::Refused { why } => {
                desk.link = None;
                return self.not_opened(session, &why);
            }
            Notice::Banner { text } if !text.is_empty() => self.say(text),
            _ => {}
        }
        self.hear_questions(session)
    }

    fn hear_questions(&mut self, session: SessionId) -> Vec<Effect> {
        let Some(desk) = self.desks.get(session) else {
            return Vec::new();
        };
        let asked = &desk.transcript.head().asked;
        let live = desk.link.is_some_and(|l| l.live);
        let new = self.questions.hear(session, asked, self.clock.now);
        self.ring(new && live)
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

    /// An attachment ended: it is made again after a moment, a longer one each time that was in vain.
    pub(super) fn lost(&mut self, ticket: Ticket, why: &str) -> Vec<Effect> {
        if ticket == self.list.ticket {
            self.list.ticket = 0;
            self.list.live = false;
            let why = why.trim_end_matches('.');
            self.voice.set_lost(Some(format!(
                "The host cannot be heard: {why}. Looking for it again…"
            )));
        } else if let Some(session) = self.desks.of_ticket(ticket) {
            if let Some(desk) = self.desks.get_mut(Some(session)) {
                desk.unlink();
            }
        } else {
            return Vec::new();
        }
        let tries = self.clock.retry.map_or(0, |r| r.1);
        let wait = RETRY.0.saturating_mul(1 << tries.min(10)).min(RETRY.1);
        self.clock
            .retry
            .get_or_insert((self.clock.now + wait, tries + 1))
            .0 = self.clock.now + wait;
        Vec::new()
    }

    /// Looks for a lost host again.
    pub(super) fn look_again(&mut self) -> Vec<Effect> {
        let mut effects = Vec::new();
        if self.list.ticket == 0 {
            effects.push(self.attach_list());
        }
        effects.extend(self.attach_here());
        effects
    }
}
