//! The view of a brief: asked for, walked, copied.

use super::App;
use crate::domain::{Reply, Request, Row, SessionId};
use crate::ui::asks::{Compared, Purpose};
use crate::ui::brief::{BriefView, Seen, Which};
use crate::ui::compare::View;
use crate::ui::input::Effect;
use crate::ui::rows::Rows;

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
                if let Some(now) = rows.get(view.session).and_then(|row| seen(rows, row)) {
                    view.look_at(now);
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

/// What is known of the collection of a session.
fn seen(rows: &Rows, row: &Row) -> Option<Seen> {
    let shelf = rows.collection(&row.collection)?;
    let title = |id| Some(rows.get(id)?.title.clone());
    Some(Seen {
        deeds: shelf.deeds,
        folder: shelf.folder.clone(),
        said: shelf.pieces.clone(),
        titles: rows
            .pieces(&shelf.id)
            .into_iter()
            .filter_map(title)
            .collect(),
    })
}
