//! Words typed into drafts that the host has not said to have: kept with the window's place when it closes, and sent on
//! the draft they were made on when it opens again.

use super::App;
use crate::domain::{Request, Seq, SessionId};
use crate::ui::asks::{Drafting, Purpose};
use crate::ui::draft::Owed;
use crate::ui::input::Effect;

impl App {
    /// What the host has not said to have.
    pub(super) fn owed(&self) -> Vec<Owed> {
        self.desks.drafts.owed()
    }

    /// Sends what an earlier window was not rid of, once.
    pub(super) fn send_kept(&mut self) -> Vec<Effect> {
        let kept = self.desks.drafts.kept.iter_mut().filter(|k| !k.sent);
        let owed: Vec<_> = kept
            .map(|kept| {
                kept.sent = true;
                kept.owed.clone()
            })
            .collect();
        owed.into_iter().map(|owed| self.send_owed(owed)).collect()
    }

    fn send_owed(&mut self, owed: Owed) -> Effect {
        let Owed {
            session,
            base,
            splices,
        } = owed;
        let request = Request::Edit {
            session,
            base,
            splices,
            late: true,
        };
        self.ask(request, Purpose::Draft(session, Drafting::Kept(base)))
    }

    /// A host is there again: what it did not answer is sent again.
    pub(super) fn kept_again(&mut self) {
        for kept in &mut self.desks.drafts.kept {
            kept.sent = false;
        }
    }

    /// They are in the log.
    pub(super) fn kept_taken(&mut self, session: SessionId, base: Seq, beside: bool) {
        let is_it = |owed: &Owed| (owed.session, owed.base) == (session, base);
        self.desks.drafts.kept.retain(|kept| !is_it(&kept.owed));
        let title = self.draft_title(session);
        self.say(if beside {
            let key = self.key_of("draft.both");
            format!("What you typed into {title} last time stands beside it: the draft says other words there since. {key} shows both.")
        } else {
            format!("What you typed into {title} last time is in it now.")
        });
    }

    /// They stay where they are kept.
    pub(super) fn kept_refused(&mut self, session: SessionId, why: &str) -> Vec<Effect> {
        if self.has_host() {
            let title = self.draft_title(session);
            self.say(format!(
                "What you typed into {title} last time is kept with this window's place, and could not be put there: {why}"
            ));
        }
        Vec::new()
    }

    /// The draft can only be read, or can be written again.
    pub(super) fn lock_draft(&mut self, session: SessionId, what: Drafting, why: Option<String>) {
        if what == Drafting::Text
            && let Some(draft) = self.desks.drafts.get_mut(session)
        {
            draft.editor.lock(why);
        }
    }

    fn draft_title(&self, session: SessionId) -> String {
        match self.rows.get(session) {
            None => "a draft".to_owned(),
            Some(_) => format!("the draft of “{}”", self.title_of(session)),
        }
    }
}
