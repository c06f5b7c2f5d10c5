//! What lies open on the desk: for each session its transcript and its composer, and the one for a new session.

mod unsent;

use std::collections::HashMap;

use super::compare::Views;
use super::composer::Composer;
use super::draft::Drafts;
use super::input::Ticket;
use super::layers::Written;
use super::settings::Choice;
use super::transcript::Transcript;
use crate::domain::{CollectionId, Event, Head, Kind, Seq, SessionId, Text};
pub use unsent::Unkept;
use unsent::Unsent;

/// Where reading goes on at the very beginning of a session.
pub const BEGINNING: Seq = 0;

/// Sessions that stay attached; the one visited longest ago gives way.
const ATTACHED_MAX: usize = 8;
/// Bytes of words that a session may hold while another one is looked at; with more it is let go, and read again from
/// its end.
const UNSEEN_MAX: usize = 512 * 1024;
/// Earlier prompts kept for recall.
const PROMPTS_MAX: usize = 100;

/// One session's place, or that of the session to be made.
#[derive(Debug, Default)]
pub struct Desk {
    /// Its words.
    pub transcript: Transcript,
    /// What is being written.
    pub composer: Composer,
    /// Its attachment.
    pub link: Option<Link>,
    /// What was sent and not yet taken: it comes back when it is refused.
    pub sending: Option<String>,
    /// The newest event when that was sent.
    sent_after: Option<Seq>,
    /// What came back because nobody could say whether it was taken.
    returned: Option<String>,
    /// The newest event that the host was told was on screen.
    pub seen: Option<Seq>,
    /// Where reading goes on when the words are there again.
    pub return_to: Option<Seq>,
    /// Earlier prompts, oldest first.
    prompts: Vec<String>,
    /// Which of them stands in the composer, counted from the newest, 1 being that.
    recalled: usize,
    unsent: Unsent,
    /// The host was asked for the text kept earlier.
    asked_unsent: bool,
}

/// An attachment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Link {
    /// Its name.
    pub ticket: Ticket,
    /// History is told.
    pub live: bool,
}

impl Desk {
    /// Puts a text back, before what was written since.
    pub fn give_back(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let since = self.composer.text();
        if since.is_empty() {
            self.composer.set_text(text);
        } else {
            self.composer.set_text(&format!("{text}\n{since}"));
        }
    }

    /// Sends what is written.
    pub fn send(&mut self, text: String) {
        self.composer.clear();
        self.transcript.sought = None;
        self.sent_after = self.transcript.last_seq();
        self.returned = None;
        self.sending = Some(text);
    }

    /// What was sent was refused: it stands where it is written again.
    pub fn sent_back(&mut self) {
        if let Some(text) = self.sending.take() {
            self.give_back(&text);
            self.returned = Some(text);
        }
    }

    /// Takes a prompt that came back out of the composer when the log shows that it had been taken after all.
    /// True when it did.
    pub fn was_taken(&mut self, event: &Event) -> bool {
        let (Kind::Prompt { text, .. } | Kind::Queued { text, .. }) = &event.kind else {
            return false;
        };
        let later = self.sent_after.is_none_or(|seq| event.seq > seq);
        let same = |back: &mut String| matches!(text, Text::Inline(t) if t == back);
        let Some(back) = self.returned.take_if(|back| later && same(back)) else {
            return false;
        };
        let written = self.composer.text();
        let rest = written.strip_prefix(&back);
        match rest.map(|r| r.strip_prefix('\n').unwrap_or(r).to_owned()) {
            Some(rest) => {
                self.composer.set_text(&rest);
                true
            }
            None => false,
        }
    }

    /// Begins anew with a session's head.
    pub fn opened(&mut self, head: Head, more: bool) {
        self.prompts.clear();
        self.recalled = 0;
        self.transcript.opened(head, more);
    }

    /// The attachment is gone; reading goes on here when there is another.
    pub fn unlink(&mut self) -> Option<Ticket> {
        if !self.transcript.at_end() {
            self.return_to = self.transcript.selected_message().map(|m| m.seq);
        }
        self.link.take().map(|l| l.ticket)
    }

    /// Takes in an event.
    pub fn apply(&mut self, event: &Event) {
        if let Kind::Prompt {
            text: Text::Inline(text),
            ..
        } = &event.kind
        {
            self.remember(text.clone());
        }
        self.transcript.apply(event);
    }

    /// Keeps a prompt for recall.
    fn remember(&mut self, prompt: String) {
        if self.prompts.last() != Some(&prompt) {
            self.prompts.push(prompt);
        }
        if self.prompts.len() > PROMPTS_MAX {
            self.prompts.remove(0);
        }
    }

    /// The place of the prompt `by` steps earlier, if the composer is empty or holds a recalled
    /// one as it was; 0 is the empty composer.
    pub fn recall_place(&self, by: isize) -> Option<usize> {
        let written = self.composer.text();
        let at = match self.prompt(self.recalled) {
            Some(prompt) if *prompt == written => self.recalled,
            _ if written.is_empty() => 0,
            _ => return None,
        };
        let to = at.checked_add_signed(by)?;
        (to == 0 || self.prompt(to).is_some()).then_some(to)
    }

    /// Puts the prompt of that place into the composer.
    pub fn recall(&mut self, place: usize) {
        let text = self.prompt(place).cloned().unwrap_or_default();
        self.recalled = place;
        self.composer.set_text(&text);
    }

    fn prompt(&self, place: usize) -> Option<&String> {
        let at = self.prompts.len().checked_sub(place)?;
        self.prompts.get(at)
    }
}

/// Every desk, and which is open.
#[derive(Debug, Default)]
pub struct Desks {
    open: HashMap<SessionId, Desk>,
    /// The one for a new session.
    fresh: Desk,
    /// Where the new session would lie; the inbox when none.
    pub collection: Option<CollectionId>,
    /// The agent of the new session; the default when none.
    pub agent: Option<Choice>,
    at: Option<SessionId>,
    /// Sessions in the order of their last visit, the newest last.
    visited: Vec<SessionId>,
    last_ticket: Ticket,
    /// What an earlier window kept, of desks that were not opened since.
    pub unsent: Vec<Unkept>,
    /// The drafts that were opened.
    pub drafts: Drafts,
    /// Views in the place of the panes.
    pub views: Views,
    /// What was cut or copied last, wherever in the window.
    pub clip: String,
    /// Prompts that were left in boxes.
    pub written: Vec<Written>,
}

impl Desks {
    /// Keeps the prompt of a box that is left, in the place of the one that was kept of it.
    pub fn keep_written(&mut self, written: Written) {
        self.forget_written(written.session, written.is_variant);
        if !written.text.trim().is_empty() {
            self.written.push(written);
        }
    }

    /// The prompt of a box is sent.
    pub fn forget_written(&mut self, session: SessionId, is_variant: bool) {
        self.written
            .retain(|w| (w.session, w.is_variant) != (session, is_variant));
    }

    /// The prompt that was left in a box.
    pub fn written(&self, session: SessionId, is_variant: bool) -> String {
        let of = |w: &&Written| (w.session, w.is_variant) == (session, is_variant);
        self.written
            .iter()
            .find(of)
            .map(|w| w.text.clone())
            .unwrap_or_default()
    }

    /// The session that is open; none for a new one.
    pub fn at(&self) -> Option<SessionId> {
        self.at
    }

    /// The session that was open before.
    pub fn last(&self) -> Option<SessionId> {
        self.visited
            .iter()
            .rev()
            .find(|&&s| Some(s) != self.at)
            .copied()
    }

    /// The open desk.
    pub fn here(&self) -> &Desk {
        self.at
            .and_then(|s| self.open.get(&s))
            .unwrap_or(&self.fresh)
    }

    /// The open desk.
    pub fn here_mut(&mut self) -> &mut Desk {
        self.at
            .and_then(|s| self.open.get_mut(&s))
            .unwrap_or(&mut self.fresh)
    }

    /// The desk of a session, or of the new one.
    pub fn get_mut(&mut self, session: Option<SessionId>) -> Option<&mut Desk> {
        match session {
            Some(session) => self.open.get_mut(&session),
            None => Some(&mut self.fresh),
        }
    }

    /// The desk of a session that was opened.
    pub fn get(&self, session: SessionId) -> Option<&Desk> {
        self.open.get(&session)
    }

    /// Every desk with what it is for.
    pub fn every_mut(&mut self) -> impl Iterator<Item = (Option<SessionId>, &mut Desk)> {
        let open = self.open.iter_mut().map(|(id, desk)| (Some(*id), desk));
        open.chain(std::iter::once((None, &mut self.fresh)))
    }

    /// Goes to a session's desk, or to the new one's.
    pub fn go(&mut self, session: Option<SessionId>) {
        if session != self.at {
            self.here_mut().transcript.rest();
        }
        self.at = session;
        if let Some(session) = session {
            self.visited.retain(|s| *s != session);
            self.visited.push(session);
            self.open.entry(session).or_default();
        }
    }

    /// The desk of a session, opened or not.
    pub fn of(&mut self, session: SessionId) -> &mut Desk {
        self.open.entry(session).or_default()
    }

    /// Says that a session was the one before the one that is opened next: the way back leads there.
    pub fn visit(&mut self, session: SessionId) {
        self.visited.retain(|s| *s != session);
        self.visited.push(session);
    }

    /// A ticket for a new attachment.
    pub fn ticket(&mut self) -> Ticket {
        self.last_ticket += 1;
        self.last_ticket
    }

    /// The session an attachment belongs to.
    pub fn of_ticket(&self, ticket: Ticket) -> Option<SessionId> {
        let mine = |d: &Desk| d.link.is_some_and(|l| l.ticket == ticket);
        self.open.iter().find(|(_, d)| mine(d)).map(|(id, _)| *id)
    }

    /// Lets go of the attachments of sessions visited longest ago; what is written there stays.
    pub fn let_go(&mut self) -> Vec<Ticket> {
        let attached = |id: &SessionId| self.open.get(id).is_some_and(|d| d.link.is_some());
        let held: Vec<_> = self.visited.iter().copied().filter(attached).collect();
        let many = held.len().saturating_sub(ATTACHED_MAX);
        held.into_iter()
            .take(many)
            .filter_map(|id| self.close(id))
            .collect()
    }

    /// Lets go of the attachment of a session that holds many words and is not looked at.
    pub fn let_go_of_words(&mut self, id: SessionId) -> Option<Ticket> {
        let heavy = |d: &Desk| d.is_live() && d.transcript.weight() > UNSEEN_MAX;
        if self.at == Some(id) || !self.open.get(&id).is_some_and(heavy) {
            return None;
        }
        self.close(id)
    }

    fn close(&mut self, id: SessionId) -> Option<Ticket> {
        let desk = self.open.get_mut(&id)?;
        let ticket = desk.unlink();
        desk.transcript = Transcript::default();
        ticket
    }
}
