//! The words that came into a draft, by the hour and by who brought them: what a bar of words a day is made of.

use serde::{Deserialize, Serialize};

use super::event::{By, Event, Kind};

/// Milliseconds of an hour.
const HOUR: i64 = 60 * 60 * 1_000;
/// How long an hour is remembered, in hours.
const KEPT: i64 = 60 * 24;
/// How many hours are remembered at most: a piece is not written in all of them.
const MOST: usize = 240;

/// The words that came, of the last sixty days in which something was written.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Written {
    /// Oldest first.
    pub hours: Vec<Hour>,
}

/// An hour in which words came.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Hour {
    /// Hours since 1970.
    pub at: i64,
    /// Whose they are.
    #[serde(flatten)]
    pub came: Came,
}

/// Words that came, by who brought them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
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

impl Hour {
    /// When it began, milliseconds since 1970.
    pub const fn begun(&self) -> i64 {
        self.at.saturating_mul(HOUR)
    }
}

impl Written {
    /// Takes in an event: versions by the writer, by agents and by other programs count. What an undo, a restore or a
    /// take brings was written before. A variant begins with nothing: what it has was written in its parent.
    pub(super) fn apply(&mut self, event: &Event) {
        let (by, added) = match &event.kind {
            Kind::Forked(_) => return self.hours.clear(),
            Kind::DraftSaved { by, added, .. } => (by, *added),
            _ => return,
        };
        let mut came = Came::default();
        match by {
            By::You => came.you = added,
            By::Outside => came.elsewhere = added,
            By::Agent(_) => came.agents = added,
            By::Undo | By::Restore | By::Take => return,
        }
        if added > 0 {
            self.put(event.ts.div_euclid(HOUR), came);
        }
    }

    fn put(&mut self, at: i64, came: Came) {
        // The clock may have gone back: hours stay in order.
        let place = self.hours.partition_point(|h| h.at < at);
        match self.hours.get_mut(place).filter(|h| h.at == at) {
            Some(hour) => hour.came = hour.came.and(came),
            None => self.hours.insert(place, Hour { at, came }),
        }
        let newest = self.hours.last().map_or(at, |h| h.at);
        self.hours.retain(|h| newest - h.at < KEPT);
        let over = self.hours.len().saturating_sub(MOST);
        self.hours.drain(..over);
    }

    /// Words since a moment, in milliseconds since 1970. The hour that holds it counts.
    pub fn since(&self, ms: i64) -> Came {
        let of = self.hours.iter().filter(|h| h.at >= ms.div_euclid(HOUR));
        of.fold(Came::default(), |came, h| came.and(h.came))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    fn saved(hour: i64, by: By, added: u64) -> Event {
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
        };
        let (seq, ts) = (0, hour * HOUR + 5);
        Event { seq, ts, kind }
    }

    fn written(events: &[Event]) -> Written {
        let mut written = Written::default();
        for event in events {
            written.apply(event);
        }
        written
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
        assert_eq!(all.hours.len(), 2);
        let came = |you, agents, elsewhere| Came {
            you,
            agents,
            elsewhere,
        };
        assert_eq!(all.since(100 * HOUR), came(10, 207, 5));
        assert_eq!(all.since(101 * HOUR), came(0, 7, 0));
        let json = serde_json::to_string(&all).unwrap();
        assert_eq!(serde_json::from_str::<Written>(&json).unwrap(), all);
    }

    #[test]
    fn sixty_days_are_kept_and_no_more_hours_than_a_few_hundred() {
        let long: Vec<Event> = (0..1_000).map(|n| saved(n * 2, By::You, 1)).collect();
        let all = written(&long);
        assert_eq!(all.hours.len(), MOST);
        let old = written(&[saved(0, By::You, 1), saved(KEPT, By::You, 1)]);
        assert_eq!(old.hours.len(), 1);
        let back = written(&[saved(9, By::You, 1), saved(3, By::You, 2)]);
        assert_eq!(back.hours.iter().map(|h| h.at).collect::<Vec<_>>(), [3, 9]);
    }
}
