//! When the machine slept: silence is counted in time in which anything could have come.

use super::input::Moment;

/// Clocks that part by less than this between two looks are only set or slow, milliseconds.
const JUMP: i64 = 10_000;
/// Sleeps that are remembered.
const KEPT: usize = 32;

/// The sleeps of the machine while this window was open.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sleeps {
    last: Option<Moment>,
    /// When each ended, milliseconds since 1970, and how long it was, milliseconds. Oldest first.
    all: Vec<(i64, i64)>,
}

impl Sleeps {
    /// Takes in the time.
    pub fn tick(&mut self, now: Moment) {
        let Some(last) = self.last.replace(now) else {
            return;
        };
        let ahead = (now.wall - last.wall) - (now.awake - last.awake);
        if ahead > JUMP {
            self.all.push((now.wall, ahead));
            let many = self.all.len().saturating_sub(KEPT);
            self.all.drain(..many);
        }
    }

    /// How long the machine slept since a time, milliseconds.
    pub fn since(&self, wall: i64) -> i64 {
        let later = self.all.iter().filter(|s| s.0 > wall);
        later.map(|s| s.1).sum()
    }

    /// How long it was awake since a time until now, milliseconds.
    pub fn awake(&self, wall: i64, now: i64) -> i64 {
        (now - wall - self.since(wall)).max(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_night_counts_as_sleep_and_a_slow_second_does_not() {
        let mut sleeps = Sleeps::default();
        let at = |wall, awake| Moment { wall, awake };
        for now in [
            at(0, 500),
            at(1_000, 1_500),
            at(9_000, 1_600),
            at(7_209_000, 2_600),
        ] {
            sleeps.tick(now);
        }
        assert_eq!(sleeps.since(1_000), 7_199_000);
        assert_eq!(sleeps.since(7_209_000), 0);
        assert_eq!(sleeps.awake(1_000, 7_211_000), 11_000);
    }
}
