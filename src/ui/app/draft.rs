//! The draft of the open session: opened, written, kept, and put together with what others write.

use crossterm::event::KeyEvent;

use super::App;
use crate::domain::head::Version;
use crate::domain::splice::STALE;
use crate::domain::{Notice, Request, Seq, SessionId};
use crate::ui::asks::{Drafting, Purpose};
use crate::ui::commands::Place;
use crate::ui::draft::{Draft, Early, Wanted};
use crate::ui::focus::Pane;
use crate::ui::input::Effect;
use crate::ui::layers::line::Line;

/// What is said of keys before the draft is there.
const NOT_YET: &str = "The draft is not here yet.";

impl App {
    /// Goes to the draft of the session at hand. Where there is none a piece is begun: it needs a title and no prompt.
    pub(in crate::ui) fn open_draft(&mut self) -> Vec<Effect> {
        let Some(session) = self.at_hand() else {
            self.push(Line::piece(
                self.desks.collection.clone(),
                self.desks.agent.as_ref(),
            ));
            return Vec::new();
        };
        self.desks.drafts.stands = true;
        self.desks.drafts.asked.clear();
        if self.desks.at() == Some(session) {
            self.pane = Pane::Draft;
            return Vec::new();
        }
        self.open(session, Pane::Draft)
    }

    /// Whichever way the writer came into a draft, it is known from where: a view that lay over it is none.
    pub(super) fn came_to_draft(&mut self, from: Pane) {
        if self.pane == Pane::Draft && !matches!(from, Pane::Draft | Pane::View) {
            (self.desks.drafts.from, self.desks.drafts.wrote) = (from, false);
        }
    }

    /// Goes back to where the writer came from. Whoever has written goes on writing: in the transcript the words that are
    /// meant for the agent would be commands.
    pub(in crate::ui) fn leave_draft(&mut self) -> Vec<Effect> {
        let drafts = &self.desks.drafts;
        self.pane = match drafts.from {
            Pane::Draft | Pane::Transcript if drafts.wrote => Pane::Composer,
            Pane::Draft => Pane::Transcript,
            pane => pane,
        };
        Vec::new()
    }

    /// Goes back, and the draft stands beside the page no more.
    pub(in crate::ui) fn close_draft(&mut self) -> Vec<Effect> {
        self.desks.drafts.stands = false;
        if self.pane == Pane::Draft {
            return self.leave_draft();
        }
        Vec::new()
    }

    /// Whether the draft of the open session is open.
    pub(in crate::ui) fn draft_stands(&self) -> bool {
        self.desks.at().is_some() && (self.desks.drafts.stands || self.pane == Pane::Draft)
    }

    /// The draft of the open session.
    pub(in crate::ui) fn draft_here(&self) -> Option<&Draft> {
        self.desks.drafts.get(self.desks.at()?)
    }

    /// What is wrong with the file of the draft of the open session.
    pub(in crate::ui) fn draft_trouble(&self) -> Option<&str> {
        self.rows.get(self.desks.at()?)?.draft_trouble.as_deref()
    }

    fn draft_here_mut(&mut self) -> Option<&mut Draft> {
        let session = self.desks.at()?;
        self.desks.drafts.get_mut(session)
    }

    /// Whether words of the draft are being looked for.
    pub(in crate::ui) fn is_finding(&self) -> bool {
        let finds = self.draft_here().is_some_and(|d| d.finding.is_some());
        finds && self.pane == Pane::Draft
    }

    /// The place whose keys apply in the draft.
    pub(super) fn draft_place(&self) -> Place {
        if self.is_finding() {
            Place::Find
        } else {
            Place::Draft
        }
    }

    /// Takes a key that is no command.
    pub(super) fn draft_key(&mut self, event: KeyEvent) -> Vec<Effect> {
        self.in_draft(|draft, now| match &mut draft.finding {
            None => drop(draft.editor.press(event, now)),
            Some(finding) => {
                finding.field().press(event);
                draft.look_again();
            }
        })
    }

    /// Takes a text that came in one piece.
    pub(super) fn draft_paste(&mut self, text: &str) -> Vec<Effect> {
        if self.is_early(None) {
            return self.keep_early(Early::Paste(text.to_owned()));
        }
        self.in_draft(|draft, now| match &mut draft.finding {
            None => draft.editor.paste(text, now),
            Some(finding) => {
                finding.field().paste(text);
                draft.look_again();
            }
        })
    }

    /// Does something in the draft; what it changed is kept soon.
    pub(in crate::ui) fn in_draft(&mut self, does: impl FnOnce(&mut Draft, i64)) -> Vec<Effect> {
        let now = self.clock.now;
        match self.draft_here_mut() {
            Some(draft) => {
                does(draft, now);
                draft.changed(now);
                let (balked, wrote) = (draft.editor.balked(), draft.editor.has_out());
                self.desks.drafts.wrote |= wrote;
                if let Some(why) = balked {
                    self.say(why);
                }
            }
            None => self.say(NOT_YET),
        }
        Vec::new()
    }

    /// The text selected in the draft, when the writer is there; it can be pasted again.
    pub(super) fn draft_selection(&mut self) -> Option<String> {
        if self.pane != Pane::Draft {
            return None;
        }
        self.draft_here_mut()?.editor.selected()
    }

    /// Takes the selection out of the draft, or the words out of the line in which they are looked for, onto the clipboard.
    pub(in crate::ui) fn cut_draft(&mut self) -> Vec<Effect> {
        let mut text = None;
        self.in_draft(|draft, now| match &mut draft.finding {
            None => text = draft.editor.cut(now),
            Some(finding) => {
                text = Some(std::mem::take(finding.field()).text());
                draft.look_again();
            }
        });
        text.map(|text| self.copy_as("Cut", text))
            .unwrap_or_default()
    }

    /// Puts what was cut or copied last in the place of the selection, or where the caret is.
    pub(in crate::ui) fn paste_clip(&mut self) -> Vec<Effect> {
        let clip = self.desks.clip.clone();
        if clip.is_empty() {
            self.say(
                "Nothing was cut or copied in this window yet; your terminal's own paste works.",
            );
            return Vec::new();
        }
        if self.has_layer() {
            // The end of a line that was copied whole is no Enter.
            return self.paste_above(clip.trim_end_matches(['\n', '\r']));
        }
        match self.pane {
            Pane::Draft => self.draft_paste(&clip),
            _ => self.write(|composer| composer.paste(&clip)),
        }
    }

    /// What follows from any input: drafts that were left are made versions, those that are shown are asked for, and
    /// what was typed goes to the host.
    pub(super) fn follow_drafts(&mut self) -> Vec<Effect> {
        if self.pane == Pane::Draft && self.desks.at().is_none() {
            self.pane = Pane::Composer;
        }
        let focus = self.desks.at().filter(|_| self.pane == Pane::Draft);
        let drafts = &mut self.desks.drafts;
        let was = std::mem::replace(&mut drafts.focus, focus);
        if was != focus {
            if let Some(draft) = was.and_then(|s| drafts.get_mut(s)) {
                draft.leave(true);
            }
            if let Some(draft) = focus.and_then(|s| drafts.get_mut(s)) {
                draft.leave(false);
                draft.editor.come_back();
            }
        }
        if !self.has_host() {
            return Vec::new();
        }
        let mut effects = self.send_kept();
        self.seek_in_draft();
        effects.extend(self.catch_up());
        effects.extend(self.want_draft());
        effects.extend(self.send_drafts());
        effects
    }

    /// Goes to the place that a draft was opened for, once its text is there.
    fn seek_in_draft(&mut self) {
        let drafts = &mut self.desks.drafts;
        if let Some((session, sought)) = drafts.sought.take() {
            match drafts.get_mut(session) {
                Some(draft) => draft.seek(&sought),
                None => drafts.sought = Some((session, sought)),
            }
        }
    }

    /// Asks for the draft that is shown, once.
    fn want_draft(&mut self) -> Option<Effect> {
        let session = self.desks.at().filter(|_| self.draft_stands())?;
        let drafts = &mut self.desks.drafts;
        let owed = drafts
            .kept
            .iter()
            .any(|k| k.sent && k.owed.session == session);
        if owed || drafts.get(session).is_some() || drafts.asked.contains(&session) {
            return None;
        }
        drafts.asked.push(session);
        let request = Request::Draft { session, at: None };
        Some(self.ask(request, Purpose::Draft(session, Drafting::Text)))
    }

    fn send_drafts(&mut self) -> Vec<Effect> {
        let now = self.clock.now;
        let drafts = self.desks.drafts.every_mut();
        let wanted: Vec<_> = drafts
            .filter_map(|(session, draft)| Some((session, draft.next(now)?)))
            .collect();
        let send = |(session, wanted)| {
            let (request, what) = match wanted {
                Wanted::Edit(base, splices) => {
                    let request = Request::Edit {
                        session,
                        base,
                        splices,
                        late: false,
                    };
                    (request, Drafting::Typed)
                }
                Wanted::Draft => (Request::Draft { session, at: None }, Drafting::Text),
                Wanted::Settle => (Request::Settle { session }, Drafting::Settled),
            };
            self.ask(request, Purpose::Draft(session, what))
        };
        wanted.into_iter().map(send).collect()
    }

    /// What was typed in the draft of a session goes to the host at once: what is asked next has it.
    pub(super) fn hurry_draft(&mut self, session: SessionId) -> Vec<Effect> {
        if let Some(draft) = self.desks.drafts.get_mut(session) {
            draft.hurry();
        }
        self.send_drafts()
    }

    /// When something of a draft is to be sent.
    pub(super) fn draft_due(&self) -> Option<i64> {
        if !self.has_host() {
            return None;
        }
        self.desks.drafts.every().filter_map(Draft::due).min()
    }

    /// The window closes: all is sent and made versions.
    pub(super) fn leave_drafts(&mut self) -> Vec<Effect> {
        for (_, draft) in self.desks.drafts.every_mut() {
            draft.leave(true);
        }
        if self.has_host() {
            self.send_drafts()
        } else {
            Vec::new()
        }
    }

    /// Whether what was typed in a draft is on its way still.
    pub(super) fn drafts_wait(&self) -> bool {
        let host = self.has_host();
        let waits = |d: &Draft| if host { !d.is_done() } else { d.is_owed() };
        self.desks.drafts.early.any() || self.desks.drafts.every().any(waits)
    }

    /// The host is there: what waited goes, and what changed meanwhile is asked for.
    pub(super) fn drafts_go_on(&mut self) {
        self.desks.drafts.asked.clear();
        self.kept_again();
        for (_, draft) in self.desks.drafts.every_mut() {
            draft.host_is_there();
        }
    }

    /// Takes in what is told of a session.
    pub(super) fn draft_hears(&mut self, session: SessionId, notice: &Notice) {
        let Some(draft) = self.desks.drafts.get_mut(session) else {
            return;
        };
        match notice {
            Notice::Event(event) => draft.heard(event),
            Notice::Live => draft.host_is_there(),
            _ => {}
        }
    }

    /// The text of a draft came.
    pub(super) fn draft_came(&mut self, session: SessionId, text: &str, version: Option<Seq>) {
        let drafts = &mut self.desks.drafts;
        match drafts.get_mut(session) {
            Some(draft) => draft.fetched(text, version),
            None => drafts.put(session, Draft::new(text, version)),
        }
    }

    /// What was typed is in the log.
    pub(super) fn draft_taken(
        &mut self,
        purpose: &Purpose,
        version: Seq,
        (text, typed): (Option<String>, bool),
        beside: Option<Seq>,
    ) -> Vec<Effect> {
        if let Purpose::Draft(session, Drafting::Kept(base)) = purpose {
            self.kept_taken(*session, *base, beside.is_some());
        } else if let Purpose::Draft(session, _) = purpose
            && let Some(draft) = self.desks.drafts.get_mut(*session)
        {
            draft.taken(version, text, typed);
        }
        Vec::new()
    }

    /// What was typed is a version.
    pub(super) fn draft_settled(&mut self, session: SessionId) {
        if let Some(draft) = self.desks.drafts.get_mut(session) {
            draft.settled();
        }
    }

    /// The host did not do what was asked of a draft.
    pub(super) fn draft_refused(
        &mut self,
        session: SessionId,
        what: Drafting,
        why: &str,
        hint: Option<&str>,
    ) -> Vec<Effect> {
        let (now, host) = (self.clock.now, self.has_host());
        let stale = hint == Some(STALE);
        let hint = hint.map(|h| format!(" {h}")).unwrap_or_default();
        if let Some(draft) = self.desks.drafts.get_mut(session) {
            draft.refused(&format!("{why}{hint}"), stale, now);
        }
        if host && what != Drafting::Settled {
            self.say(format!("{why}{hint}"));
        }
        let missing = self.desks.drafts.get(session).is_none();
        if host && what == Drafting::Text && missing {
            return self.want_saved(session);
        }
        if host && what == Drafting::Saved && missing {
            self.give_early_back(session, why);
        }
        Vec::new()
    }

    /// The newest version of a draft, as far as its log was told.
    pub(super) fn draft_version(&self, session: SessionId) -> Option<&Version> {
        let desk = self.desks.get(session)?;
        desk.transcript.head().draft.as_ref()
    }

    /// Where nothing may be written the draft is read as it was saved last: what another program wrote since is not
    /// looked at.
    fn want_saved(&mut self, session: SessionId) -> Vec<Effect> {
        let Some(version) = self.draft_version(session) else {
            self.desks.drafts.put(session, Draft::new("", None));
            return Vec::new();
        };
        let blob = format!("sha256:{}", version.sha256);
        let request = Request::Blob { session, blob };
        vec![self.ask(request, Purpose::Draft(session, Drafting::Saved))]
    }
}
