//! Opening sessions and beginning new ones. Leaving one sends nothing to its agent.

use super::App;
use crate::domain::{After, CollectionId, Request, Scope, Seq, SessionId};
use crate::ui::asks::Purpose;
use crate::ui::desk::Link;
use crate::ui::focus::Pane;
use crate::ui::input::Effect;
use crate::ui::rows::Shelf;

/// Bytes of a log read at first; older words come when they are scrolled to.
const TAIL: u64 = 64 * 1024;

impl App {
    /// Attaches to the list.
    pub(super) fn attach_list(&mut self) -> Effect {
        self.list.ticket = self.desks.ticket();
        self.list.live = false;
        self.host.since = self.clock.now;
        Effect::Attach {
            ticket: self.list.ticket,
            scope: Scope::Workspace,
        }
    }

    /// Opens a session with the focus on a pane.
    pub(in crate::ui) fn open(&mut self, session: SessionId, pane: Pane) -> Vec<Effect> {
        let mut effects = self.keep_here();
        self.settings.first.welcome = false;
        if self.desks.at() != Some(session) {
            self.voice.moved();
        }
        self.desks.go(Some(session));
        self.rows.point(session);
        self.pane = pane;
        effects.extend(self.attach_here());
        effects.extend(self.fetch_unsent(self.desks.at()));
        let dropped = self.desks.let_go();
        effects.extend(dropped.into_iter().map(|ticket| Effect::Detach { ticket }));
        effects
    }

    /// Opens the session that was open when the window was left.
    pub(super) fn reopen(
        &mut self,
        session: SessionId,
        pane: Pane,
        reading: Option<Seq>,
    ) -> Vec<Effect> {
        let effects = self.open(session, pane);
        self.desks.here_mut().return_to = reading;
        effects
    }

    /// Begins a session in the collection at hand: the one that is shown, else that of the session at hand.
    pub(in crate::ui) fn begin(&mut self) -> Vec<Effect> {
        let page = self.shelf_page().map(|page| page.collection.clone());
        let collection = match self.rows.shelf() {
            _ if page.is_some() => page,
            Shelf::Collection(id) => Some(id.clone()),
            Shelf::All => self.row_at_hand().map(|row| row.collection.clone()),
            _ => None,
        };
        self.begin_in(collection)
    }

    /// Begins a session in a collection, the inbox when none.
    pub(super) fn begin_in(&mut self, collection: Option<CollectionId>) -> Vec<Effect> {
        let mut effects = self.keep_here();
        self.desks.collection = collection;
        self.voice.moved();
        self.desks.go(None);
        self.pane = Pane::Composer;
        effects.extend(self.fetch_unsent(self.desks.at()));
        effects
    }

    /// Attaches to the open session if it is not.
    pub(super) fn attach_here(&mut self) -> Option<Effect> {
        let session = self.desks.at()?;
        if self.desk().link.is_some() {
            return None;
        }
        let ticket = self.desks.ticket();
        self.desks.here_mut().link = Some(Link {
            ticket,
            live: false,
        });
        let after = After::Tail(TAIL);
        Some(Effect::Attach {
            ticket,
            scope: Scope::Session { session, after },
        })
    }

    /// Asks once for what this window had left unsent on a desk.
    pub(super) fn fetch_unsent(&mut self, session: Option<SessionId>) -> Option<Effect> {
        if !self.desks.get_mut(session)?.wants_unsent() {
            return None;
        }
        self.desks.bring_back(session, self.clock.now);
        let window = self.settings.window.clone();
        let request = Request::Unsent { session, window };
        Some(self.ask(request, Purpose::Unsent(session)))
    }
}
