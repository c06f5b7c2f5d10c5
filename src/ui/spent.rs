//! What was spent, as people read it. What is not known is said to be unknown, and a sum with a gap is a lower bound.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::app::App;
use crate::domain::Spent;
use crate::domain::event::{Limit, Usage};
use crate::text::thousands;

/// From this share on, a limit is worth a word before it is reached.
const NEAR: f64 = 0.75;
/// From this share on, a window is nearly full.
const FULL: f64 = 0.8;
/// What is told of a cost that nobody named.
const UNKNOWN: &str = "cost unknown";
/// A day, where the calendar cannot tell the end of one, milliseconds.
const DAY: i64 = 24 * 60 * 60 * 1_000;

/// `$0.42`, `≥ $0.42`, `12,300 tokens`, `cost unknown`; none when there is nothing to tell.
pub fn told(spent: &Spent) -> Option<String> {
    // What cost nothing tells no money.
    let cost = spent.cost.filter(|cost| *cost > 0.0);
    let tokens = spent.tokens.filter(|n| *n > 0);
    match (cost, tokens) {
        (Some(cost), _) if spent.unpriced > 0 => Some(format!("≥ {}", dollars(cost))),
        (Some(cost), _) => Some(dollars(cost)),
        (None, Some(tokens)) => Some(counted(tokens)),
        (None, None) => (spent.unpriced > 0).then(|| UNKNOWN.to_owned()),
    }
}

/// The same with what it is the price of: `12,300 tokens`, then `$0.42`.
pub fn figures(spent: &Spent) -> Vec<String> {
    let tokens = spent.tokens.filter(|n| *n > 0).map(counted);
    let mut out: Vec<String> = tokens.into_iter().chain(told(spent)).collect();
    out.dedup();
    out
}

/// The same as one text, the longest first: without the tokens, where they have no room.
pub fn ways(spent: &Spent) -> Vec<String> {
    let figures = figures(spent);
    let from = |i: usize| figures.get(i..).unwrap_or_default().join(" · ");
    (0..figures.len()).map(from).collect()
}

/// `12,300 tokens`.
fn counted(tokens: u64) -> String {
    format!("{} tokens", thousands(tokens))
}

/// `$0.42`; what is less than a cent is no zero.
fn dollars(cost: f64) -> String {
    if cost > 0.0 && cost < 0.01 {
        "< $0.01".to_owned()
    } else {
        format!("${cost:.2}")
    }
}

/// `limit 91 % · resets 14:00`, while it is near or reached and has not begun anew.
pub fn limit(limit: &Limit, now: i64, zone: &TimeZone) -> Option<String> {
    let over = limit.resets.is_some_and(|at| at <= now);
    let used = limit.used.filter(|u| *u >= NEAR);
    if over || !limit.reached && used.is_none() {
        return None;
    }
    let how = match used {
        _ if limit.reached => "limit reached".to_owned(),
        Some(used) => format!("limit {:.0} %", used * 100.0),
        None => "limit".to_owned(),
    };
    let resets = limit
        .resets
        .map(|at| super::transcript::clock(at, now, zone));
    Some(match resets {
        Some(at) => format!("{how} · resets {at}"),
        None => how,
    })
}

/// `ctx 34 %`, `ctx ~34 %` where it is reckoned, `ctx ~1,200 of ?` where nobody knows the window; and whether it is
/// so much that a summary is near.
pub fn gauge(usage: &Usage) -> Option<(String, bool)> {
    let about = if usage.guessed { "~" } else { "" };
    match (usage.context, usage.in_use) {
        (Some(share), _) => Some((format!("ctx {about}{:.0} %", share * 100.0), share >= FULL)),
        (None, Some(held)) => Some((format!("ctx {about}{} of ?", thousands(held)), false)),
        (None, None) => None,
    }
}

/// Beginning and end of the local day that holds a time, milliseconds since 1970.
fn day(now: i64, zone: &TimeZone) -> (i64, i64) {
    let bounds = || {
        let date = Timestamp::from_millisecond(now).ok()?;
        let date = date.to_zoned_datetime(zone.clone()).date();
        let at =
            |date: jiff::civil::Date| Some(date.to_zoned_datetime(zone.clone()).ok()?.timestamp());
        let next = date.tomorrow().ok()?;
        Some((at(date)?.as_millisecond(), at(next)?.as_millisecond()))
    };
    bounds().unwrap_or((now - DAY, now + 1))
}

impl App {
    /// What was spent today, in every session of the workspace: `$0.42 today`; `whole` with the tokens.
    pub(in crate::ui) fn spent_today(&self, whole: bool) -> Option<String> {
        let ways = ways(&self.spent_of_today());
        let sum = if whole { ways.first() } else { ways.last() };
        Some(format!("{} today", sum?))
    }

    /// Whether something was, and nothing is known of it.
    pub(in crate::ui) fn is_spent_unknown(&self) -> bool {
        told(&self.spent_of_today()).is_some_and(|sum| sum == UNKNOWN)
    }

    fn spent_of_today(&self) -> Spent {
        let (from, to) = day(self.now(), &self.settings.zone);
        self.rows.spent(from, to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_unknown_is_never_a_zero() {
        let spent = |cost, tokens, unpriced| {
            told(&Spent {
                cost,
                tokens,
                unpriced,
            })
        };
        assert_eq!(spent(Some(0.42), Some(9), 0).as_deref(), Some("$0.42"));
        assert_eq!(spent(Some(0.42), Some(9), 2).as_deref(), Some("≥ $0.42"));
        assert_eq!(spent(Some(0.001), None, 0).as_deref(), Some("< $0.01"));
        assert_eq!(
            spent(None, Some(12_300), 3).as_deref(),
            Some("12,300 tokens")
        );
        assert_eq!(spent(None, None, 1).as_deref(), Some("cost unknown"));
        assert_eq!(spent(Some(0.0), None, 0), None, "it costs nothing");
        assert_eq!(spent(Some(0.0), Some(0), 0), None, "nor does this");
        let unknown = spent(Some(0.0), Some(0), 1);
        assert_eq!(unknown.as_deref(), Some("cost unknown"));
        assert_eq!(spent(None, None, 0), None);
    }

    #[test]
    fn tokens_stand_beside_the_money_that_they_cost() {
        let both = |cost, tokens| {
            let unpriced = 0;
            figures(&Spent {
                cost,
                tokens,
                unpriced,
            })
        };
        assert_eq!(both(Some(0.42), Some(12_300)), ["12,300 tokens", "$0.42"]);
        assert_eq!(both(Some(0.42), None), ["$0.42"]);
        assert_eq!(both(Some(0.0), Some(9)), ["9 tokens"], "said once");
        assert!(both(None, None).is_empty());
    }

    #[test]
    fn a_limit_is_told_while_it_is_near_or_reached() {
        let now = 1_772_460_120_000;
        let of = |reached, used, resets| {
            let limit_ = Limit {
                reached,
                used,
                resets,
            };
            limit(&limit_, now, &TimeZone::UTC)
        };
        let hour = Some(now + 3_480_000);
        assert_eq!(
            of(false, Some(0.91), hour).as_deref(),
            Some("limit 91 % · resets 15:00")
        );
        assert_eq!(
            of(true, None, hour).as_deref(),
            Some("limit reached · resets 15:00")
        );
        assert_eq!(of(true, None, None).as_deref(), Some("limit reached"));
        assert_eq!(of(true, Some(1.0), Some(now - 1)), None, "it is over");
        assert_eq!(of(false, Some(0.4), hour), None);
    }

    #[test]
    fn a_day_is_as_long_as_it_is_where_the_writer_is() {
        let zone = TimeZone::fixed(jiff::tz::offset(2));
        let noon = 1_772_460_120_000;
        let (from, to) = day(noon, &zone);
        assert_eq!(to - from, DAY);
        assert_eq!(from.rem_euclid(DAY), 22 * 3_600_000);
    }
}
