//! The view of a brief: asked for, walked, copied.

use super::App;
use crate::domain::{Reply, Request, SessionId};
use crate::ui::asks::{Compared, Purpose};
use crate::ui::brief::{BriefView, Which};
use crate::ui::compare::View;
use crate::ui::input::Effect;

impl App {
    /// Shows the brief of the session at hand.
    pub(in crate::ui) fn show_brief(&mut self) -> Vec<Effect> {
        match self.at_hand() {
            Some(session) => self.open_view(View::Brief(Box::new(BriefView::new(session)))),
            None => Vec::new(),
        }
    }

    /// The brief that is seen.
    pub(in crate::ui) fn brief(&self) -> Option<&BriefView> {
        match self.view()? {
            View::Brief(view) => Some(view),
            _ => None,
        }
    }

    /// Walks to another brief.
    pub(in crate::ui) fn walk_brief(&mut self, by: isize) -> Vec<Effect> {
        let walked = match self.view_mut() {
            Some(View::Brief(view)) => view.walk(by),
            _ => return Vec::new(),
        };
        self.desks.views.look();
        if !walked {
            self.say(if by < 0 {
                "This is the first brief that was sent here."
            } else {
                "This is what the next turn gets."
            });
        }
        Vec::new()
    }

    /// Puts the text at hand on the clipboard, exactly as it is sent.
    pub(in crate::ui) fn copy_brief(&mut self) -> Vec<Effect> {
        let text = self.brief().and_then(BriefView::briefing);
        match text.map(|b| b.brief.text.clone()) {
            Some(text) => self.copy(text),
            None => Vec::new(),
        }
    }

    /// Asks for the briefs that are shown and not here yet, or not any more.
    pub(super) fn ask_briefs(&mut self) -> Vec<Effect> {
        let rows = &self.rows;
        let wanted = |view: &mut View| match view {
            View::Brief(view) => {
                let row = rows.get(view.session);
                if let Some(shelf) = row.and_then(|row| rows.collection(&row.collection)) {
                    view.look_at(shelf.deeds, &shelf.folder);
                }
                Some((view.session, view.wanted()?))
            }
            _ => None,
        };
        let all = self.desks.views.wanted(wanted);
        let ask = |(session, turn)| {
            let purpose = Purpose::Compare(Compared::Brief(session, turn));
            self.ask(Request::Brief { session, turn }, purpose)
        };
        all.into_iter().map(ask).collect()
    }

    /// What the next turn of a session gets is asked for anew, of all where none is named.
    pub(super) fn briefs_are_stale(&mut self, of: Option<SessionId>) {
        for view in &mut self.desks.views.stack {
            if let View::Brief(view) = view
                && of.is_none_or(|session| session == view.session)
            {
                view.stale();
            }
        }
    }

    /// A brief came, or was refused.
    pub(super) fn brief_replied(&mut self, session: SessionId, which: Which, reply: &Reply) {
        for view in &mut self.desks.views.stack {
            if let View::Brief(view) = view
                && view.session == session
            {
                match reply {
                    Reply::Brief(briefing) => view.came(which, (**briefing).clone()),
                    Reply::Refused { why, .. } => view.refused(which, why.clone()),
                    _ => {}
                }
            }
        }
        self.desks.views.look();
    }
}
