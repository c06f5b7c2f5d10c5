//! What is written at a desk and not sent: when it is to be kept, and who keeps it.

use super::{Desk, Desks};
use crate::domain::SessionId;

/// A change of the text is kept once nothing changed for so long, milliseconds.
const KEEP_AFTER: i64 = 300;
/// The same for a text that takes a while to write.
const KEEP_LARGE_AFTER: i64 = 2_000;
/// Bytes from which a text is large.
const LARGE: usize = 64 * 1024;
/// Words that are not sent and that the host could not keep, by the session they are for; none for a new one.
pub type Unkept = (Option<SessionId>, String);

/// Where what is written is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Unsent {
    /// The host has it, or there is none.
    #[default]
    Kept,
    /// Changed, to be kept at that time.
    Due(i64),
    /// The host could not keep it: the window does, with its place.
    Here,
}

impl Desk {
    /// Says that the text changed.
    pub fn changed(&mut self, now: i64) {
        let large = self.composer.text().len() > LARGE;
        self.unsent = Unsent::Due(now + if large { KEEP_LARGE_AFTER } else { KEEP_AFTER });
    }

    /// When the text is to be kept; none when it is.
    pub fn due(&self) -> Option<i64> {
        match self.unsent {
            Unsent::Due(at) => Some(at),
            Unsent::Kept | Unsent::Here => None,
        }
    }

    /// The host could not keep what is written.
    pub fn keep_here(&mut self) {
        if self.unsent == Unsent::Kept {
            self.unsent = Unsent::Here;
        }
    }

    /// What only the window can keep, `reading` where nothing can be written in the workspace.
    fn kept_here(&self, reading: bool) -> Option<String> {
        let here = match self.unsent {
            Unsent::Here => true,
            Unsent::Due(_) => reading,
            Unsent::Kept => false,
        };
        here.then(|| self.whole()).filter(|text| !text.is_empty())
    }

    /// The text to be kept, what was sent and not taken included; from now on it counts as kept.
    pub fn take_unsent(&mut self) -> String {
        self.unsent = Unsent::Kept;
        self.whole()
    }

    fn whole(&self) -> String {
        let written = self.composer.text();
        match &self.sending {
            Some(sent) if written.is_empty() => sent.clone(),
            Some(sent) => format!("{sent}\n{written}"),
            None => written,
        }
    }

    /// Whether the host must be asked for a text kept earlier; true once.
    pub fn wants_unsent(&mut self) -> bool {
        !std::mem::replace(&mut self.asked_unsent, true)
    }

    /// The host was not there to answer: it is to be asked again.
    pub fn ask_unsent_again(&mut self) {
        self.asked_unsent = false;
    }

    /// Whether its history is told and what happens is heard.
    pub fn is_live(&self) -> bool {
        self.link.is_some_and(|l| l.live)
    }
}

impl Desks {
    /// What the host could not keep, to be kept with the window's place.
    pub fn unkept(&self, reading: bool) -> Vec<Unkept> {
        let open = self.open.iter().map(|(id, desk)| (Some(*id), desk));
        let desks = open.chain(std::iter::once((None, &self.fresh)));
        let mut out: Vec<_> = desks
            .filter_map(|(id, desk)| Some((id, desk.kept_here(reading)?)))
            .chain(self.unsent.iter().cloned())
            .collect();
        out.sort_unstable();
        out
    }

    /// What an earlier window kept for a desk stands there again, once.
    pub fn bring_back(&mut self, session: Option<SessionId>, now: i64) {
        let kept = self.unsent.iter().position(|(id, _)| *id == session);
        let text = kept.map(|at| self.unsent.remove(at).1);
        if let Some((text, desk)) = text.zip(self.get_mut(session)) {
            desk.give_back(&text);
            desk.changed(now);
        }
    }

    /// When the next text is to be kept.
    pub fn due(&self) -> Option<i64> {
        let open = self.open.values().chain(std::iter::once(&self.fresh));
        open.filter_map(Desk::due).min()
    }
}
