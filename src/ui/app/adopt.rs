//! Which of a family is the main line, and where a variant began to be another.

use super::undo::Undo;
use super::{App, NO_SESSION};
use crate::domain::ask::Busy;
use crate::domain::{Request, Row, SessionId};
use crate::text::one_line;
use crate::ui::asks::{Filing, Kinship, Purpose};
use crate::ui::input::Effect;
use crate::ui::layers;
use crate::ui::panes::cut;

impl App {
    /// Makes the session at hand the main line of its family.
    pub(in crate::ui) fn adopt(&mut self) -> Vec<Effect> {
        let session = self.row_at_hand().map(|r| r.id);
        session.map_or_else(Vec::new, |session| self.adopt_session(session))
    }

    /// Makes a session the main line of its family.
    pub(in crate::ui) fn adopt_session(&mut self, session: SessionId) -> Vec<Effect> {
        let Some(row) = self.rows.get(session) else {
            return Vec::new();
        };
        let piece = self.rows.main_of(session).map(|main| self.title_of(main));
        let piece = piece.unwrap_or_default();
        let main = self.rows.main_of(session).and_then(|m| self.rows.get(m));
        let name = |row: &Row| one_line(self.rows.name_of(row));
        let main = main.filter(|main| main.id != session);
        let same = main.is_some_and(|main| self.has_same_words(main.id, session));
        let same = if same {
            " Their drafts have the same words."
        } else {
            ""
        };
        let said = format!("“{}” is the main line of “{piece}” now.{same}", name(row));
        let busy = Busy::Ask;
        let request = Request::Adopt { session, busy };
        vec![self.ask(request, Purpose::Kin(Kinship::Adopt(session, said)))]
    }

    /// Why the session at hand cannot become the main line of its family.
    pub(in crate::ui) fn why_not_adopt(&self) -> Option<&'static str> {
        match self.row_at_hand() {
            Some(row) => self.why_not_adopt_session(row.id),
            None => Some(NO_SESSION),
        }
    }

    /// Why a session cannot become the main line of its family.
    pub(in crate::ui) fn why_not_adopt_session(&self, session: SessionId) -> Option<&'static str> {
        let row = self.rows.get(session)?;
        match self.rows.main_of(row.id) {
            _ if row.trashed => Some("It is in the trash."),
            None => Some("It has no variants."),
            Some(_) if self.rows.rival(row.id).is_none() => Some("It is the main line already."),
            Some(_) => None,
        }
    }

    /// An adoption is to wait: its answer comes when the turns have ended, and until then the line below says so.
    pub(super) fn say_that_it_waits(&mut self, request: &Request) {
        let Request::Adopt { session, busy } = *request else {
            return;
        };
        if busy == Busy::Wait {
            let title = self.title_of(session);
            let key = self.key_of("session.adopt");
            self.say(format!(
                "“{title}” ☆ becomes the main line when no turn is in its way; {key} again calls it off."
            ));
        }
    }

    /// An adoption is done.
    pub(super) fn adopted(&mut self, kin: Kinship) {
        if let Kinship::Adopt(session, said) = kin {
            self.list.done.push(Undo::Main(session));
            self.rows.await_back(session);
            self.say(format!("{said} {}", self.undoes()));
        }
    }

    /// A turn runs where something was to be done: the writer is asked what becomes of it.
    pub(super) fn busy(
        &mut self,
        purpose: Purpose,
        sessions: &[SessionId],
        waits: bool,
    ) -> Vec<Effect> {
        match purpose {
            Purpose::Kin(Kinship::Adopt(session, said)) => {
                let layer = layers::busy::Busy::adopting(session, said, sessions);
                self.push(if waits { layer.waiting() } else { layer });
            }
            Purpose::Drawer(Filing::Moved(session, to, said)) => {
                self.push(layers::busy::Busy::moving(session, to, said, sessions));
            }
            _ => self.say("A turn runs there: it has to end first."),
        }
        Vec::new()
    }

    /// The session that the one at hand was forked from, in the list or open; where that is gone, the main line.
    pub(in crate::ui) fn original(&self) -> Option<SessionId> {
        let row = self.row_at_hand()?;
        let parent = row.kin.parent?.session;
        let there = |s: &SessionId| self.rows.get(*s).is_some_and(|r| !r.trashed);
        let main = self.rows.main_of(row.id);
        let found = [Some(parent), main].into_iter().flatten().find(there);
        found.filter(|s| *s != row.id)
    }

    /// `from “Session” after “Make the last line shorter.”`: where a variant began to be another.
    pub(in crate::ui) fn told_of_fork(&self, row: &Row, room: usize) -> Option<String> {
        let from = row.kin.parent?;
        let parent = self.rows.get(from.session);
        let who = match parent {
            Some(parent) if self.rows.is_main(parent.id) => self.title_of(parent.id),
            Some(parent) if parent.kin.family == row.kin.family => {
                one_line(self.rows.name_of(parent))
            }
            _ => one_line(row.kin.piece.as_deref().unwrap_or("Untitled")),
        };
        let words = [row.id, from.session].into_iter().find_map(|s| {
            let desk = self.desks.get(s).filter(|d| d.is_live())?;
            desk.transcript.prompt_upto(from.seq)
        });
        let point = match (words, row.kin.turn) {
            (Some(words), _) => format!(" after “{}”", cut(&one_line(words), room)),
            (None, Some(turn)) => format!(" after turn {turn}"),
            (None, None) => " at its beginning".to_owned(),
        };
        Some(format!("from “{who}”{point}"))
    }
}
