//! The way to the host: waited for, lost, stopped by somebody, started anew by the writer.

use super::App;
use crate::domain::ask::Status;
use crate::domain::notice::Build;
use crate::domain::{Request, Row, State};
use crate::ui::asks::{Hosting, Purpose};
use crate::ui::input::{Effect, Ticket};

/// How long a lost host is waited for before it is looked for again: first, and at most, milliseconds.
const RETRY: (i64, i64) = (250, 8_000);
/// A host that answers within this time needs no word, milliseconds.
const MOMENT: i64 = 300;

/// What is known of the host.
#[derive(Debug, Default)]
pub(super) struct HostLink {
    /// Since when its first word is waited for, milliseconds since 1970.
    pub(super) since: i64,
    /// Somebody asked it to end: the next key looks for one again.
    pub(super) stopped: bool,
    /// This window asked it to end, to begin it anew.
    pub(super) restarting: bool,
    /// The program it runs.
    build: Option<Build>,
    /// Why it does not let itself be attached, for a writer.
    refused: Option<String>,
    /// How many turns it runs all the same.
    turns: Option<usize>,
}

impl App {
    /// The host says that it ends.
    pub(super) fn closing_host(&mut self, ticket: Ticket, stopped: bool) -> Vec<Effect> {
        if !stopped || self.host.restarting {
            return self.lost(ticket, None);
        }
        if self.unlink(ticket) {
            self.host.stopped = true;
            self.clock.retry = None;
            let text = "The host was stopped. Any key starts it again.";
            self.voice.set_lost(Some(text.to_owned()));
        }
        Vec::new()
    }

    /// An attachment ended: it is made again after a moment, a longer one each time that was in vain. `why` is
    /// for a writer, and none when the host is just gone.
    pub(super) fn lost(&mut self, ticket: Ticket, why: Option<&str>) -> Vec<Effect> {
        if !self.unlink(ticket) || self.host.stopped {
            return Vec::new();
        }
        let look = self.say_lost(why);
        let tries = match self.clock.retry {
            // What is lost together is looked for together.
            Some((at, _)) if at != i64::MAX => return look,
            Some((_, tries)) => tries,
            None => 0,
        };
        let wait = match (self.host.restarting, tries) {
            (true, 0) => 0,
            _ => RETRY.0.saturating_mul(1 << tries.min(10)).min(RETRY.1),
        };
        self.clock.retry = Some((self.clock.now + wait, tries + 1));
        look
    }

    /// Says that the list cannot be heard. One that refuses is asked what it is: a host of another version tells that
    /// much, and can be started anew.
    fn say_lost(&mut self, why: Option<&str>) -> Vec<Effect> {
        if self.list.ticket != 0 {
            return Vec::new();
        }
        let why = why.map(|w| w.trim_end_matches('.').to_owned());
        self.voice.set_lost(Some(match &why {
            Some(why) => format!("The host cannot be reached: {why}. Trying again…"),
            None => "The host is gone; starting it again…".to_owned(),
        }));
        let look = why.is_some() && !self.asks.has_any(|p| *p == Purpose::Host(Hosting::Look));
        (self.host.refused, self.host.turns) = (why, None);
        let look = look.then(|| self.ask(Request::Status, Purpose::Host(Hosting::Look)));
        look.into_iter().collect()
    }

    /// The host that refuses to be attached tells how it is.
    pub(super) fn looked(&mut self, status: &Status) {
        let Some(why) = self.host.refused.as_ref().filter(|_| !self.list.live) else {
            return;
        };
        let way = match status.turns.len() {
            0 => "“Restart the host” is among the commands.".to_owned(),
            1 => "A turn runs there still.".to_owned(),
            n => format!("{n} turns run there still."),
        };
        self.voice.set_lost(Some(format!("{why}. {way}")));
        self.host.turns = Some(status.turns.len());
    }

    /// Forgets an attachment; false when it is none of this window's.
    fn unlink(&mut self, ticket: Ticket) -> bool {
        if ticket == self.list.ticket {
            self.list.ticket = 0;
            self.list.live = false;
            return true;
        }
        if self.desks.views.texts.unlink(ticket) {
            return true;
        }
        let session = self.desks.of_ticket(ticket);
        let desk = session.and_then(|s| self.desks.get_mut(Some(s)));
        desk.is_some_and(|d| d.unlink().is_some())
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

    /// The writer is there: a host that was stopped begins again.
    pub(super) fn wake_host(&mut self) -> Vec<Effect> {
        if !std::mem::take(&mut self.host.stopped) {
            return Vec::new();
        }
        let text = "The host is starting again…";
        self.voice.set_lost(Some(text.to_owned()));
        self.look_again()
    }

    /// It tells the list now.
    pub(super) fn host_is_there(&mut self) {
        self.clock.retry = None;
        self.host.stopped = false;
        (self.host.refused, self.host.turns) = (None, None);
        self.voice.set_lost(None);
        if std::mem::take(&mut self.host.restarting) {
            self.say("The host runs again.");
        }
    }

    /// Who tells the list: said once when it is another program than this window.
    pub(super) fn meet(&mut self, build: Build) {
        let ours = &self.settings.build;
        let (theirs, mine) = (&build.app, &ours.app);
        let another = build.built.is_some() && ours.built.is_some() && build.built != ours.built;
        let what = if theirs != mine {
            Some(format!(
                "The host runs version {theirs}, this window {mine}."
            ))
        } else if another {
            Some("The host runs another build of this version.".to_owned())
        } else {
            None
        };
        let known = self.host.build.replace(build.clone());
        if let Some(what) = what.filter(|_| known != Some(build)) {
            self.say(format!("{what} “Restart the host” is among the commands."));
        }
    }

    /// Whether the host has told the list and is there.
    pub(in crate::ui) fn has_host(&self) -> bool {
        self.list.live
    }

    /// Whether a host that was never heard takes long enough to be spoken of.
    pub(in crate::ui) fn is_starting(&self) -> bool {
        self.starts() && self.clock.now >= self.host.since + MOMENT
    }

    fn starts(&self) -> bool {
        !self.list.live && self.list.ticket != 0 && !self.voice.is_lost()
    }

    /// When that is to be said; none when it is, or need not be.
    pub(super) fn starting_at(&self) -> Option<i64> {
        let at = self.host.since + MOMENT;
        (self.starts() && self.clock.now < at).then_some(at)
    }

    /// Why the host cannot be started anew now.
    pub(in crate::ui) fn why_no_restart(&self) -> Option<&'static str> {
        let busy = |r: &Row| matches!(r.state, State::Writing | State::NeedsYou);
        let runs = match self.host.turns {
            _ if self.list.live => self.rows.every().any(busy),
            Some(turns) => turns > 0,
            None => return Some("The host is not there."),
        };
        runs.then_some("A turn runs: it would have to end first.")
    }

    /// Ends the host, and looks for the next at once.
    pub(in crate::ui) fn restart_host(&mut self) -> Vec<Effect> {
        self.host.restarting = true;
        vec![self.ask(
            Request::Shutdown { now: false },
            Purpose::Host(Hosting::Restart),
        )]
    }
}
