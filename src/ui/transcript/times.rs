//! When turns and thoughts began and ended, and how that is written.

use std::collections::HashMap;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::domain::body::Body;
use crate::domain::event::{Kind, Usage};
use crate::domain::{Event, Seq, TurnNo};

/// What the items of a body do not tell.
#[derive(Debug, Default)]
pub(super) struct Times {
    turns: HashMap<TurnNo, Turn>,
    /// The newest piece of a thought, by its item's number.
    thoughts: HashMap<Seq, i64>,
}

/// A turn, in milliseconds since 1970.
#[derive(Clone, Debug, Default)]
pub(super) struct Turn {
    pub(super) agent: Option<String>,
    pub(super) from: Option<i64>,
    pub(super) to: Option<i64>,
    pub(super) spent: Usage,
}

impl Times {
    /// Takes in an event that the body has just taken in.
    pub(super) fn note(&mut self, event: &Event, body: &Body) {
        match &event.kind {
            Kind::TurnStarted { turn, agent, .. } => {
                let turn = self.turns.entry(*turn).or_default();
                turn.agent = Some(agent.clone());
                turn.from = Some(event.ts);
            }
            Kind::Usage { turn, usage } => self.turns.entry(*turn).or_default().spent.add(usage),
            Kind::TurnFinished { turn, .. } => {
                self.turns.entry(*turn).or_default().to = Some(event.ts);
            }
            Kind::Thinking { .. } => {
                if let Some(item) = body.items.get(body.dirty) {
                    self.thoughts.insert(item.seq(), event.ts);
                }
            }
            _ => {}
        }
    }

    pub(super) fn turn(&self, turn: TurnNo) -> Turn {
        self.turns.get(&turn).cloned().unwrap_or_default()
    }

    /// When the newest piece of a thought came.
    pub(super) fn thought(&self, item: Seq) -> Option<i64> {
        self.thoughts.get(&item).copied()
    }
}

/// A span of milliseconds: `41 ms`, `8 s`, `2 min 5 s`, `1 h 3 min`.
pub(super) fn span(ms: u64) -> String {
    let s = ms / 1000;
    match s {
        0 => format!("{ms} ms"),
        1..60 => format!("{s} s"),
        60..3600 => format!("{} min {} s", s / 60, s % 60),
        _ => format!("{} h {} min", s / 3600, s / 60 % 60),
    }
}

/// Whole seconds between two times in milliseconds.
pub(super) fn seconds(from: i64, to: i64) -> String {
    let ms = u64::try_from(to.saturating_sub(from)).unwrap_or(0);
    if ms < 1000 {
        "1 s".to_owned()
    } else {
        span(ms)
    }
}

/// A time of day, with the day when it is not today's, and the year when it is not this one.
pub(in crate::ui) fn clock(ms: i64, now_ms: i64, zone: &TimeZone) -> String {
    let at = |ms| Timestamp::from_millisecond(ms).map(|t| t.to_zoned_datetime(zone.clone()));
    let (Ok(then), Ok(now)) = (at(ms), at(now_ms)) else {
        return String::new();
    };
    let form = if then.date() == now.date() {
        "%H:%M"
    } else if then.year() == now.year() {
        "%-d %b %H:%M"
    } else {
        "%-d %b %Y %H:%M"
    };
    then.strftime(form).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_as_exact_as_they_are_useful() {
        for (ms, text) in [
            (41, "41 ms"),
            (8_400, "8 s"),
            (125_000, "2 min 5 s"),
            (3_780_000, "1 h 3 min"),
        ] {
            assert_eq!(span(ms), text);
        }
        assert_eq!(seconds(5, 5), "1 s");
        assert_eq!(seconds(9_000, 5), "1 s");
    }

    #[test]
    fn a_day_is_named_when_it_is_another() {
        let day = 86_400_000;
        let now = 1_796_000_000_000;
        assert_eq!(clock(now, now, &TimeZone::UTC), "00:53");
        assert_eq!(clock(now - day, now, &TimeZone::UTC), "29 Nov 00:53");
        assert_eq!(
            clock(now - 400 * day, now, &TimeZone::UTC),
            "26 Oct 2025 00:53"
        );
        assert_eq!(clock(i64::MAX, now, &TimeZone::UTC), "");
    }
}
