//! What happens by the clock, and when the window wants to be woken for it.

use super::App;
use crate::domain::ask::Deed;
use crate::domain::{Request, Seq, SessionId, State};
use crate::ui::asks::Purpose;
use crate::ui::input::{Effect, Moment};
use crate::ui::rows::Shelf;

/// How long the host may take with what is kept at the end, milliseconds.
const CLOSING: i64 = 1_500;
/// The same for a host that is not there yet.
const STARTING: i64 = 5_000;
/// Bytes of a log read at a time when older words are wanted.
const PAGE: u64 = 256 * 1024;
/// A running turn's time is shown in seconds.
const SECOND: i64 = 1_000;

impl App {
    /// Takes in the time.
    pub(super) fn tick(&mut self, moment: Moment) -> Vec<Effect> {
        let now = moment.wall;
        self.clock.now = now;
        self.clock.sleeps.tick(moment);
        self.voice.tick(now);
        self.rows.settle();
        // A host that somebody stopped is not started by the clock.
        let mut effects = if self.host.stopped {
            Vec::new()
        } else {
            self.keep_due(now)
        };
        effects.extend(self.name_window());
        if self.clock.retry.is_some_and(|r| r.0 <= now) {
            if let Some(retry) = &mut self.clock.retry {
                retry.0 = i64::MAX;
            }
            effects.extend(self.look_again());
        }
        effects
    }

    /// When the next [`Input::Tick`](crate::ui::Input::Tick) is wanted at the latest, milliseconds since
    /// 1970; none while nothing would come of it.
    pub fn wakes_at(&self) -> Option<i64> {
        let runs = self.desks.at().is_some() && self.desk().transcript.head().is_open();
        let ticks = runs || self.rows.any_waits(self.clock.now);
        [
            self.voice.until(),
            self.desks.due().filter(|_| !self.host.stopped),
            self.draft_due(),
            self.starting_at(),
            self.answers_at(),
            self.profile_due(),
            self.clock.retry.map(|r| r.0),
            self.clock.closing,
            self.unseen().map(|_| self.clock.now),
            (self.title() != self.list.title).then_some(self.clock.now),
            ticks.then(|| self.clock.now - self.clock.now.rem_euclid(SECOND) + SECOND),
        ]
        .into_iter()
        .flatten()
        .min()
    }

    /// When the profile on the page of a collection is looked at again.
    fn profile_due(&self) -> Option<i64> {
        let page = self.shelf_page().filter(|_| self.list.live);
        page.and_then(crate::ui::shelf::ShelfPage::due)
    }

    /// Closes the window: what is unsent is kept first.
    pub(in crate::ui) fn close(&mut self) -> Vec<Effect> {
        if self.clock.closing.is_some() {
            return vec![Effect::Quit];
        }
        let mut effects = self.keep_due(i64::MAX);
        effects.extend(self.leave_drafts());
        let held = !self.list.live && self.is_keeping();
        if held {
            self.say(
                "The host is not there yet: your words wait for it. Close again to leave now.",
            );
        }
        let wait = if held { STARTING } else { CLOSING };
        self.clock.closing = Some(self.clock.now + wait);
        effects
    }

    /// Whether words are on their way to the host.
    fn is_keeping(&self) -> bool {
        let keeps = |p: &Purpose| {
            matches!(
                p,
                Purpose::Keep(_) | Purpose::New | Purpose::Send(_) | Purpose::Kin(_)
            )
        };
        self.asks.has_any(keeps) || self.drafts_wait()
    }

    /// What follows from any input: an end that was seen, older words wanted, the end of the window.
    pub(super) fn follow_up(&mut self) -> Vec<Effect> {
        let mut effects = Vec::new();
        if let Some((session, upto)) = self.unseen() {
            self.desks.here_mut().seen = Some(upto);
            let deed = Deed::Seen { upto };
            effects.push(self.ask(Request::Do { session, deed }, Purpose::Seen));
        }
        if !self.host.stopped {
            effects.extend(self.want_older());
            effects.extend(self.follow_drafts());
            effects.extend(self.follow_views());
        }
        if let Some(until) = self.clock.closing
            && (!self.is_keeping() || until <= self.clock.now)
        {
            effects.push(Effect::Quit);
        }
        effects
    }

    /// The open session's end, when it has been on screen and nobody was told.
    fn unseen(&self) -> Option<(SessionId, Seq)> {
        let session = self.desks.at().filter(|_| !self.list.unwatched)?;
        let desk = self.desk();
        let head = desk.transcript.head();
        let live = desk.link.is_some_and(|l| l.live);
        let upto = desk.transcript.shown_upto()?;
        let end = head.turn.as_ref()?.last;
        let new = head.state(true) == State::Unread && upto >= end;
        (live && new && desk.seen < Some(upto)).then_some((session, upto))
    }

    fn want_older(&mut self) -> Option<Effect> {
        let session = self.desks.at()?;
        let before = self.desk().transcript.wants_older(self.desk().return_to)?;
        let purpose = Purpose::Older(session);
        if self.asks.has_any(|p| *p == purpose) {
            return None;
        }
        let request = Request::Page {
            session,
            before: Some(before),
            bytes: PAGE,
        };
        Some(self.ask(request, purpose))
    }

    /// Gives the terminal its title, when that is another now.
    fn name_window(&mut self) -> Option<Effect> {
        let title = self.title();
        if title == self.list.title {
            return None;
        }
        self.list.title.clone_from(&title);
        Some(Effect::Title(title))
    }

    /// The terminal's title: how many need the writer, how many write, and the open session.
    fn title(&self) -> String {
        let open = self.desks.at().filter(|s| self.rows.get(*s).is_some());
        let open = open.map_or_else(|| self.settings.workspace.clone(), |s| self.title_of(s));
        let tally = self.rows.tally_of(&Shelf::All);
        let counts = [("!", tally.needs_you), ("●", tally.writing)];
        let shown = counts.into_iter().filter(|c| c.1 > 0);
        let counts: String = shown.map(|(sign, n)| format!("{sign} {n} · ")).collect();
        format!("{counts}{open} · Fascicle")
    }
}
