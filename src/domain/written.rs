//! The words that came into a draft, by when and by who brought them: what a bar of words a day is made of.

use serde::{Deserialize, Serialize};

use super::event::{By, Event, Kind, Seq};

/// Milliseconds of a quarter of an hour: every zone's days begin with one.
const QUARTER: i64 = 15 * 60 * 1_000;
/// How long words are remembered, milliseconds.
const KEPT: i64 = 60 * 24 * 60 * 60 * 1_000;
/// How many of the newest moments are kept as they were; older ones are put together by the quarter of an hour.
const EXACT: usize = 60;
/// How many moments are remembered at most: a piece is not written in all of them.
const MOST: usize = 480;

/// The words that came, of the last sixty days in which something was written.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Written {
    /// Oldest first.
    pub moments: Vec<Moment>,
    /// The newest version by an agent, when it came and its words: where it only stands beside the draft they count no
    /// more. It does so at once, or not.
    #[serde(skip)]
    newest: Option<(Seq, i64, u64)>,
}

impl PartialEq for Written {
    fn eq(&self, other: &Self) -> bool {
        self.moments == other.moments
    }
}

impl Eq for Written {}

/// A moment at which words came, or the last one in a quarter of an hour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Short", into = "Short")]
pub struct Moment {
    /// Milliseconds since 1970.
    pub at: i64,
    /// Whose they are.
    pub came: Came,
}

/// As it is told: many of them go with every row.
type Short = (i64, u64, u64, u64);

impl From<Short> for Moment {
    fn from((at, you, agents, elsewhere): Short) -> Self {
        let came = Came {
            you,
            agents,
            elsewhere,
        };
        Self { at, came }
    }
}

impl From<Moment> for Short {
    fn from(moment: Moment) -> Self {
        let Came {
            you,
            agents,
            elsewhere,
        } = moment.came;
        (moment.at, you, agents, elsewhere)
    }
}

/// Words that came, by who brought them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Came {
    /// Words the writer typed here.
    pub you: u64,
    /// Words agents added.
    pub agents: u64,
    /// Words that another program wrote into the file.
    pub elsewhere: u64,
}

impl Came {
    /// All of them.
    pub const fn all(&self) -> u64 {
        self.you
            .saturating_add(self.agents)
            .saturating_add(self.elsewhere)
    }

    /// With others.
    #[must_use]
    pub const fn and(self, more: Self) -> Self {
        Self {
            you: self.you.saturating_add(more.you),
            agents: self.agents.saturating_add(more.agents),
            elsewhere: self.elsewhere.saturating_add(more.elsewhere),
        }
    }
}

impl Moment {
    /// The quarter of an hour that it lies in.
    const fn quarter(&self) -> i64 {
        self.at.div_euclid(QUARTER)
    }
}

impl Written {
    /// Takes in an event: versions by the writer, by agents and by other programs count. What an undo, a restore or a
    /// take brings was written before. A variant begins with nothing: what it has was written in its parent.
    pub(super) fn apply(&mut self, event: &Event) {
        let (by, added, beside) = match &event.kind {
            Kind::Forked(_) => return self.moments.clear(),
            Kind::DraftSaved {
                by, added, beside, ..
            } => (by, *added, *beside),
            _ => return,
        };
        if let Some((_, at, words)) = self.newest.filter(|(seq, ..)| beside == Some(*seq)) {
            self.take_out(at, words);
        }
        if matches!(by, By::Agent(_)) {
            self.newest = Some((event.seq, event.ts, added));
        }
        let mut came = Came::default();
        match by {
            By::You => came.you = added,
            By::Outside => came.elsewhere = added,
            By::Agent(_) => came.agents = added,
            By::Undo | By::Restore | By::Take => return,
        }
        if added > 0 {
            self.put(event.ts, came);
        }
    }

    /// Words of an agent are not in the draft after all.
    fn take_out(&mut self, at: i64, words: u64) {
        if let Some(there) = self.moments.iter_mut().find(|m| m.at == at) {
            there.came.agents = there.came.agents.saturating_sub(words);
        }
        self.moments.retain(|m| m.came.all() > 0);
        self.newest = None;
    }

    fn put(&mut self, at: i64, came: Came) {
        // The clock may have gone back: moments stay in order.
        let place = self.moments.partition_point(|m| m.at < at);
        match self.moments.get_mut(place).filter(|m| m.at == at) {
            Some(there) => there.came = there.came.and(came),
            None => self.moments.insert(place, Moment { at, came }),
        }
        self.shorten();
    }

    /// What is old is told by the quarter of an hour, and then no more.
    fn shorten(&mut self) {
        let newest = self.moments.last().map_or(0, |m| m.at);
        let begin = self.moments.len().saturating_sub(EXACT);
        let exact = self.moments.split_off(begin);
        self.moments.dedup_by(|next, kept| {
            let same = next.quarter() == kept.quarter();
            if same {
                *kept = Moment {
                    at: next.at,
                    came: kept.came.and(next.came),
                };
            }
            same
        });
        self.moments.extend(exact);
        self.moments.retain(|m| newest - m.at < KEPT);
        let over = self.moments.len().saturating_sub(MOST);
        self.moments.drain(..over);
    }

    /// Words that came after a moment, in milliseconds since 1970. Of what is old the quarter of an hour that holds it
    /// counts.
    pub fn since(&self, ms: i64) -> Came {
        let of = self.moments.iter().filter(|m| m.at > ms);
        of.fold(Came::default(), |came, m| came.and(m.came))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    fn saved(ts: i64, by: By, added: u64) -> Event {
        let kind = Kind::DraftSaved {
            turn: None,
            sha256: String::new(),
            bytes: 0,
            words: 0,
            by,
            base: None,
            added,
            removed: 0,
            beside: None,
            from: None,
            rest: false,
        };
        Event { seq: 0, ts, kind }
    }

    fn written(events: &[Event]) -> Written {
        let mut written = Written::default();
        for event in events {
            written.apply(event);
        }
        written
    }

    const fn came(you: u64, agents: u64, elsewhere: u64) -> Came {
        Came {
            you,
            agents,
            elsewhere,
        }
    }

    #[test]
    fn the_words_of_the_writer_of_agents_and_of_other_programs_are_told_apart_by_who_made_the_version()
     {
        let agent = || By::Agent("claude".into());
        let all = written(&[
            saved(100, By::You, 10),
            saved(100, agent(), 200),
            saved(100, By::Outside, 5),
            saved(101, By::Restore, 900),
            saved(101, By::Take, 900),
            saved(101, By::Undo, 900),
            saved(101, agent(), 7),
        ]);
        assert_eq!(all.moments.len(), 2);
        assert_eq!(all.since(99), came(10, 207, 5));
        let json = serde_json::to_string(&all).unwrap();
        assert_eq!(json, "[[100,10,200,5],[101,0,7,0]]");
        assert_eq!(serde_json::from_str::<Written>(&json).unwrap(), all);
    }

    #[test]
    fn words_of_an_agent_that_only_stand_beside_the_draft_are_not_counted() {
        let agent = || By::Agent("claude".into());
        let version = |seq, ts, by, added, other| {
            let mut event = Event {
                seq,
                ..saved(ts, by, added)
            };
            if let Kind::DraftSaved { beside, .. } = &mut event.kind {
                *beside = other;
            }
            event
        };
        let all = written(&[
            version(3, 100, By::Outside, 7, None),
            version(5, 200, agent(), 6, None),
            version(6, 200, By::Outside, 0, Some(5)),
            version(9, 300, agent(), 8, None),
            version(10, 301, agent(), 2, Some(9)),
        ]);
        assert_eq!(all.since(0), came(0, 2, 7));
        assert_eq!(all.moments.len(), 2);
    }

    #[test]
    fn what_came_before_a_moment_does_not_count_though_it_came_in_its_minute() {
        let all = written(&[saved(5_000, By::You, 10), saved(9_000, By::You, 3)]);
        assert_eq!(all.since(5_000), came(3, 0, 0));
        assert_eq!(all.since(4_999), came(13, 0, 0));
        assert_eq!(all.since(9_000), Came::default());
    }

    #[test]
    fn sixty_days_are_kept_the_older_ones_by_the_quarter_of_an_hour() {
        let long: Vec<Event> = (0..2_000).map(|n| saved(n * QUARTER, By::You, 1)).collect();
        assert_eq!(written(&long).moments.len(), MOST);
        let many: Vec<Event> = (0..1_000).map(|n| saved(n, By::You, 1)).collect();
        let all = written(&many);
        assert_eq!(all.moments.len(), EXACT + 1);
        assert_eq!(all.since(-1), came(1_000, 0, 0));
        assert_eq!(all.since(990), came(9, 0, 0));
        let old = written(&[saved(0, By::You, 1), saved(KEPT, By::You, 1)]);
        assert_eq!(old.moments.len(), 1);
        let back = written(&[saved(9, By::You, 1), saved(3, By::You, 2)]);
        let at: Vec<i64> = back.moments.iter().map(|m| m.at).collect();
        assert_eq!(at, [3, 9]);
    }
}
