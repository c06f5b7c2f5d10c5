//! What was spent, and how far that is known: a turn without a price makes a sum a lower bound, never a zero.

use serde::{Deserialize, Serialize};

use super::event::{Status, Usage};

/// Milliseconds of a quarter of an hour: every time zone's day begins at the beginning of one.
const QUARTER: i64 = 15 * 60 * 1_000;
/// Quarters that are kept: the longest day there is, and some.
const KEPT: i64 = 27 * 4;

/// A sum over turns.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Spent {
    /// US dollars, as far as known; none when no turn had a price.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// Tokens read and written; none when nothing was counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// Turns that had no price.
    #[serde(default, skip_serializing_if = "super::is_zero")]
    pub unpriced: u32,
}

impl Spent {
    /// What one turn spent that has ended: without a price it counts as unpriced.
    pub fn of_turn(usage: &Usage) -> Self {
        Self {
            unpriced: u32::from(usage.cost_usd.is_none()),
            ..Self::of(usage)
        }
    }

    /// Figures alone, no turn counted.
    pub fn of(usage: &Usage) -> Self {
        let tokens = [usage.input, usage.output];
        let known = tokens.iter().any(Option::is_some);
        Self {
            cost: usage.cost_usd,
            tokens: known.then(|| tokens.into_iter().flatten().sum()),
            unpriced: 0,
        }
    }

    /// Adds another sum.
    pub fn add(&mut self, more: &Self) {
        self.cost = both(self.cost, more.cost, |a, b| a + b);
        self.tokens = both(self.tokens, more.tokens, u64::saturating_add);
        self.unpriced = self.unpriced.saturating_add(more.unpriced);
    }
}

fn both<T>(a: Option<T>, b: Option<T>, sum: impl FnOnce(T, T) -> T) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(sum(a, b)),
        (a, b) => a.or(b),
    }
}

/// What a session spent, by the time of day.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Money {
    /// Turns that had no price, ever.
    #[serde(default)]
    pub unpriced: u32,
    /// The quarters of an hour in which it spent something, oldest first, of the last day and a bit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lately: Vec<Quarter>,
}

/// A quarter of an hour.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Quarter {
    /// Quarters since 1970.
    pub at: i64,
    /// What was spent in it.
    pub spent: Spent,
}

impl Money {
    /// Takes in figures of a turn, at a time in milliseconds since 1970.
    pub(super) fn used(&mut self, usage: &Usage, ts: i64) {
        self.put(ts, &Spent::of(usage));
    }

    /// Takes in the end of a turn with the figures it had. One that failed before anything was counted cost
    /// nothing that is known of.
    pub(super) fn ended(&mut self, usage: &Usage, status: Status, ts: i64) {
        let counted = Spent::of(usage).tokens.is_some();
        if usage.cost_usd.is_none() && (counted || status != Status::Failed) {
            self.unpriced = self.unpriced.saturating_add(1);
            let none = Spent {
                unpriced: 1,
                ..Spent::default()
            };
            self.put(ts, &none);
        }
    }

    fn put(&mut self, ts: i64, spent: &Spent) {
        let at = ts.div_euclid(QUARTER);
        self.forget(ts);
        match self.lately.iter_mut().find(|q| q.at == at) {
            Some(quarter) => quarter.spent.add(spent),
            None => self.lately.push(Quarter { at, spent: *spent }),
        }
    }

    /// Forgets what lies more than a day before a time, milliseconds since 1970.
    pub fn forget(&mut self, now: i64) {
        let from = now.div_euclid(QUARTER) - KEPT;
        self.lately.retain(|q| q.at >= from);
    }

    /// What was spent between two times, milliseconds since 1970.
    pub fn between(&self, from: i64, to: i64) -> Spent {
        let mut sum = Spent::default();
        for quarter in &self.lately {
            if (from..to).contains(&quarter.at.saturating_mul(QUARTER)) {
                sum.add(&quarter.spent);
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: i64 = 4 * QUARTER;

    fn cost(usd: f64) -> Usage {
        Usage {
            cost_usd: Some(usd),
            ..Usage::default()
        }
    }

    #[test]
    fn a_day_holds_what_was_spent_in_it_and_says_what_has_no_price() {
        let mut money = Money::default();
        money.used(&cost(0.25), 23 * HOUR);
        money.ended(&cost(0.25), Status::Ok, 23 * HOUR);
        money.used(&cost(0.5), 25 * HOUR);
        money.ended(&Usage::default(), Status::Ok, 26 * HOUR);
        let today = money.between(24 * HOUR, 48 * HOUR);
        assert_eq!((today.cost, today.unpriced), (Some(0.5), 1));
        assert_eq!(money.between(0, 24 * HOUR).cost, Some(0.25));
        money.forget(100 * HOUR);
        assert!(money.lately.is_empty());
        assert_eq!(money.unpriced, 1);
    }

    #[test]
    fn a_turn_that_failed_before_anything_was_counted_is_no_gap() {
        let mut money = Money::default();
        money.ended(&Usage::default(), Status::Failed, 0);
        assert_eq!(money, Money::default());
        let counted = Usage {
            output: Some(7),
            ..Usage::default()
        };
        money.ended(&counted, Status::Failed, 0);
        assert_eq!(money.unpriced, 1);
    }
}
