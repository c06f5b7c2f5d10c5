//! The versions of a draft, and what a turn did to it.

use super::App;
use super::undo::Undo;
use crate::domain::ask::Deed;
use crate::domain::event::{By, Seq};
use crate::domain::versions::VersionRow;
use crate::domain::{Request, SessionId};
use crate::text::hash::sha256;
use crate::text::{counted, one_line};
use crate::ui::asks::{Compared, Purpose};
use crate::ui::compare::changes::{Changes, What};
use crate::ui::compare::{Side, View};
use crate::ui::focus::Pane;
use crate::ui::input::Effect;
use crate::ui::layers::line::Line;
use crate::ui::timeline::Timeline;
use crate::ui::transcript::clock;

impl App {
    /// Shows the versions of the draft at hand.
    pub(in crate::ui) fn show_versions(&mut self) -> Vec<Effect> {
        let Some(session) = self.at_hand() else {
            return Vec::new();
        };
        let mut effects = self.open_view(View::Versions(Box::new(Timeline::new(session))));
        effects.push(self.ask_versions(session));
        effects
    }

    fn ask_versions(&mut self, session: SessionId) -> Effect {
        let purpose = Purpose::Compare(Compared::Versions(session));
        self.ask(Request::Versions { session }, purpose)
    }

    /// The host is there again: what it did not answer is asked for anew.
    pub(super) fn ask_versions_again(&mut self) -> Vec<Effect> {
        let waits = |view: &mut View| match view {
            View::Versions(view) if !view.is_here() => Some(view.session),
            View::Changes(view) if !view.is_known => Some(view.session),
            _ => None,
        };
        let sessions = self.desks.views.wanted(waits);
        sessions.into_iter().map(|s| self.ask_versions(s)).collect()
    }

    /// The timeline that is seen.
    pub(in crate::ui) fn timeline(&self) -> Option<&Timeline> {
        match self.view()? {
            View::Versions(view) => Some(view),
            _ => None,
        }
    }

    pub(in crate::ui) fn in_timeline(&mut self, does: impl FnOnce(&mut Timeline)) {
        if let Some(View::Versions(view)) = self.view_mut() {
            does(view);
        }
        self.desks.views.look();
    }

    /// The changes that are seen.
    pub(in crate::ui) fn changes(&self) -> Option<&Changes> {
        match self.view()? {
            View::Changes(view) => Some(view),
            _ => None,
        }
    }

    fn changes_mut(&mut self) -> Option<&mut Changes> {
        match self.view_mut()? {
            View::Changes(view) => Some(view),
            _ => None,
        }
    }

    /// The versions of a session came.
    pub(super) fn versions_came(&mut self, session: SessionId, rows: &[VersionRow]) {
        let head = self.desks.views.texts.head(session);
        let head = head.filter(|h| h.id.is_some());
        let newest = head.map_or_else(
            || rows.iter().rfind(|r| !r.is_proposed()).map_or(0, |r| r.seq),
            crate::domain::Head::draft_at,
        );
        for view in &mut self.desks.views.stack {
            match view {
                View::Versions(view) if view.session == session => view.came(rows.to_vec()),
                View::Changes(view) if view.session == session => view.versions(rows, newest),
                _ => {}
            }
        }
        self.close_unchanged();
    }

    /// A turn that left the draft as it was has nothing to show: that is said where the writer was.
    fn close_unchanged(&mut self) {
        let Some(view) = self.changes().filter(|v| v.is_known && v.sides.is_none()) else {
            return;
        };
        let What::Turn(turn) = view.what else {
            return;
        };
        let transcript = self.desks.get(view.session).map(|d| &d.transcript);
        let newest = || transcript.and_then(|t| t.head().turn.as_ref().map(|t| t.no));
        let of = turn.or_else(newest);
        let proposed = transcript.is_some_and(|t| of.is_some_and(|of| t.proposed_in(of)));
        drop(self.close_view());
        self.say(match turn {
            _ if proposed => {
                "What this turn proposed is decided; it changed nothing else in the draft."
            }
            Some(_) => "This turn changed nothing in the draft.",
            None => "No turn has changed this draft yet.",
        });
    }

    /// Compares the version at hand with the draft.
    pub(in crate::ui) fn compare_version(&mut self) -> Vec<Effect> {
        let Some((session, row)) = self.timeline().and_then(|t| Some((t.session, t.row()?))) else {
            return Vec::new();
        };
        let seq = row.seq;
        let name = self.version_name(row);
        let effects = self.compare(Side::draft(session), Side::version(session, seq));
        if let Some(View::Compare(view)) = self.view_mut() {
            view.names = [Some("The draft".to_owned()), Some(name)];
        }
        effects
    }

    /// `Version of 14:02, claude`, or the name a version is pinned with.
    pub(in crate::ui) fn version_name(&self, row: &VersionRow) -> String {
        if let Some(name) = &row.name {
            return format!("“{}”", one_line(name));
        }
        let when = clock(row.ts, self.now(), &self.settings.zone);
        let what = if row.is_proposed() {
            "Proposal"
        } else {
            "Version"
        };
        format!("{what} of {when}, {}", who(&row.by))
    }

    /// Makes the version at hand the draft again.
    pub(in crate::ui) fn restore_version(&mut self) -> Vec<Effect> {
        let Some((session, row)) = self.timeline().and_then(|t| Some((t.session, t.row()?))) else {
            return Vec::new();
        };
        let words = counted(row.words, "word");
        let said = if row.is_proposed() {
            format!("What was proposed, {words}, is the draft, as a new version.")
        } else {
            format!("The version of {words} is the draft again, as a new version.")
        };
        let seq = row.seq;
        if self.is_draft(session, seq) {
            self.say("The draft has these words already.");
            return Vec::new();
        }
        self.act(session, Deed::RestoreDraft { seq }, said)
    }

    /// Whether a version's words are the draft's, as far as both are known here.
    fn is_draft(&self, session: SessionId, seq: Seq) -> bool {
        let texts = &self.desks.views.texts;
        let head = texts.head(session).filter(|h| h.typed.is_none());
        let draft = head.and_then(|h| h.draft.as_ref());
        let text = texts.text(Side::version(session, seq));
        text.is_some_and(|t| draft.is_some_and(|d| d.sha256 == sha256(t.as_bytes())))
    }

    /// Asks for a name for the version at hand.
    pub(in crate::ui) fn pin_version(&mut self) -> Vec<Effect> {
        let found = self.timeline().and_then(|t| {
            let row = t.row()?;
            Some((t.session, row.seq, row.name.clone().unwrap_or_default()))
        });
        if let Some((session, seq, name)) = found {
            self.push(Line::pin(session, seq, &name));
        }
        Vec::new()
    }

    /// Shows what the turn at the reading place did to the draft, or the proposal that waits.
    pub(in crate::ui) fn show_changes(&mut self) -> Vec<Effect> {
        let Some(session) = self.at_hand() else {
            return Vec::new();
        };
        let reading = self.pane == Pane::Transcript && !self.desk().transcript.at_end();
        let turn = self.desk().transcript.selected_message().map(|m| m.turn);
        let turn = turn.filter(|_| reading);
        if let Some((proposal, agent)) = self.proposal_of(session) {
            let marks = self.desks.views.take_marks(session, proposal);
            let view = Changes::of_proposal(session, proposal, &agent).marked(marks);
            return self.open_view(View::Changes(Box::new(view)));
        }
        let view = Changes::of_turn(session, turn);
        let mut effects = self.open_view(View::Changes(Box::new(view)));
        effects.push(self.ask_versions(session));
        effects
    }

    /// The proposal that waits in a session, and whose it is.
    fn proposal_of(&self, session: SessionId) -> Option<(Seq, String)> {
        let row = self.rows.get(session);
        let head = self.desks.get(session).filter(|d| d.is_live());
        let told = head.and_then(|d| d.transcript.head().proposed.as_ref());
        let told = told.map(|p| (p.seq, p.agent.clone()));
        told.or_else(|| row.and_then(|r| Some((r.proposed?, r.agent.clone()))))
    }

    /// Whether a proposal among the versions that are shown waits for the writer's word.
    pub(in crate::ui) fn proposal_waits(&self, session: SessionId, proposal: Seq) -> bool {
        let head = self.desks.views.texts.head(session);
        let waits = head.and_then(|h| h.proposed.as_ref());
        waits.is_some_and(|p| p.seq == proposal)
    }

    /// The proposal that took the place of the one that is looked at.
    pub(in crate::ui) fn newer_proposal(&self) -> Option<Seq> {
        self.changes()?.newer(&self.desks.views.texts)
    }

    /// Whether the proposal that is looked at was decided in another window.
    pub(in crate::ui) fn is_decided_elsewhere(&self) -> bool {
        let texts = &self.desks.views.texts;
        self.changes().is_some_and(|v| v.is_elsewhere(texts))
    }

    /// Shows it in place of that one. What was decided stays where its words did.
    pub(in crate::ui) fn show_newer_proposal(&mut self) -> Vec<Effect> {
        let Some(proposal) = self.newer_proposal() else {
            return Vec::new();
        };
        let views = &mut self.desks.views;
        if let Some(View::Changes(view)) = views.stack.last_mut() {
            let waits = views.texts.head(view.session);
            let agent = waits.and_then(|h| Some(h.proposed.as_ref()?.agent.clone()));
            let newer = Changes::of_proposal(view.session, proposal, &agent.unwrap_or_default());
            **view = newer.marked(view.marks());
        }
        views.look();
        Vec::new()
    }

    /// The change at hand stays.
    pub(in crate::ui) fn keep_change(&mut self) -> Vec<Effect> {
        if let Some(view) = self.changes_mut() {
            view.decide(true);
        }
        self.decide_proposal()
    }

    /// The change at hand is taken back.
    pub(in crate::ui) fn take_change_back(&mut self) -> Vec<Effect> {
        let proposes = self
            .changes()
            .is_some_and(|v| matches!(v.what, What::Proposal(_)));
        if proposes {
            if self.changes().is_some_and(|v| v.is_in(v.paper.at)) {
                self.say("This change is in the draft already.");
                return Vec::new();
            }
            if let Some(view) = self.changes_mut() {
                view.decide(false);
            }
            return self.decide_proposal();
        }
        let views = &mut self.desks.views;
        let taking = match views.stack.last_mut() {
            Some(View::Changes(view)) => view.take_back(&views.texts),
            _ => None,
        };
        match taking {
            Some(taking) => self.ask_take(taking, "Taken back.".to_owned()),
            None => Vec::new(),
        }
    }

    /// All changes stay.
    pub(in crate::ui) fn keep_all(&mut self) -> Vec<Effect> {
        if let Some(view) = self.changes_mut() {
            view.decide_all(true);
        }
        self.decide_proposal()
    }

    /// Answers the proposal once everything in it is decided.
    fn decide_proposal(&mut self) -> Vec<Effect> {
        let Some(view) = self.changes() else {
            return Vec::new();
        };
        let What::Proposal(proposal) = view.what else {
            return Vec::new();
        };
        let Some(kept) = view.kept().filter(|_| view.paper.is_here) else {
            return Vec::new();
        };
        let session = view.session;
        if self.newer_proposal().is_some() {
            self.say("The agent has gone on meanwhile: this is its newer proposal, with what you decided where it still stands.");
            return self.show_newer_proposal();
        }
        let new = kept.iter().filter(|at| !view.is_in(**at)).count();
        if new == 0 {
            let key = self.key_of("compare.undo");
            let what = if kept.is_empty() {
                "proposal"
            } else {
                "rest of the proposal"
            };
            let said = format!("The {what} is refused; the draft is as it was. {key} undoes it.");
            let deed = Deed::Dismiss { proposal };
            let purpose = Purpose::Compare(Compared::Dismiss(said));
            self.is_sent();
            return vec![self.ask(Request::Do { session, deed }, purpose)];
        }
        let many = counted(new as u64, "change");
        let Some(taking) = view.take(&kept, &self.desks.views.texts) else {
            return Vec::new();
        };
        self.is_sent();
        self.ask_take(taking, format!("In the draft: {many} of the proposal."))
    }

    /// What was decided of the proposal that is looked at goes to the host.
    fn is_sent(&mut self) {
        if let Some(view) = self.changes_mut() {
            view.is_sent = true;
        }
    }

    /// The proposal that is looked at was dismissed; it waits again when that is undone.
    pub(super) fn proposal_is_dismissed(&mut self) {
        let proposes = |v: &&Changes| matches!(v.what, What::Proposal(_));
        if let Some(session) = self.changes().filter(proposes).map(|v| v.session) {
            self.list.done.push(Undo::Session(session));
        }
        self.proposal_is_answered();
    }

    /// A proposal that was answered is not looked at any more.
    pub(super) fn proposal_is_answered(&mut self) {
        let answered = self.changes().and_then(|v| match v.what {
            What::Proposal(proposal) => Some((v.session, proposal)),
            What::Turn(_) => None,
        });
        if let Some((session, proposal)) = answered {
            drop(self.close_view());
            // It may wait again, and is open then.
            drop(self.desks.views.take_marks(session, proposal));
        }
    }

    /// What was decided of a proposal was not done.
    pub(super) fn undecide(&mut self) {
        if let Some(view) = self.changes_mut() {
            view.reopen();
        }
    }
}

/// Who made a version, in words.
pub(in crate::ui) fn who(by: &By) -> String {
    match by {
        By::You => "you".to_owned(),
        By::Agent(name) => crate::text::one_line(name),
        By::Outside => "outside".to_owned(),
        By::Undo => "undo".to_owned(),
        By::Restore => "restored".to_owned(),
        By::Take => "taken".to_owned(),
    }
}
