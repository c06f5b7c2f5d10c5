//! When to draw: at once after a key, at most twenty times a second for what streams.

/// Between two frames caused by a stream, milliseconds.
const GAP: i64 = 50;

/// The clock of frames.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Pace {
    last: Option<i64>,
    owed: Option<i64>,
}

impl Pace {
    /// Something changed.
    pub(super) fn owe(&mut self, urgent: bool, now: i64) {
        let at = match self.last {
            Some(last) if !urgent => now.max(last + GAP),
            _ => now,
        };
        self.owed = Some(self.owed.map_or(at, |o| o.min(at)));
    }

    /// Whether a frame is to be drawn.
    pub(super) fn is_due(&self, now: i64) -> bool {
        self.owed.is_some_and(|at| at <= now)
    }

    /// When the next frame is to be drawn.
    pub(super) fn due(&self) -> Option<i64> {
        self.owed
    }

    /// Until when a frame has just been drawn, and none is owed before: what streams need not be taken in.
    pub(super) fn rests(&self, now: i64) -> Option<i64> {
        let until = self.last? + GAP;
        let owed = self.owed.is_some_and(|at| at < until);
        // A clock that was set back would let it rest for long.
        (now < until && until - now <= GAP && !owed).then_some(until)
    }

    /// A frame was drawn.
    pub(super) fn drawn(&mut self, now: i64) {
        self.last = Some(now);
        self.owed = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_drawn_twenty_times_a_second_and_a_key_at_once() {
        let mut pace = Pace::default();
        let mut frames = 0;
        for now in 0..990 {
            pace.owe(false, now);
            if pace.is_due(now) {
                pace.drawn(now);
                frames += 1;
            }
        }
        assert!((20..=21).contains(&frames), "{frames}");
        pace.owe(false, 990);
        assert!(!pace.is_due(990));
        pace.owe(true, 990);
        assert!(pace.is_due(990));
    }

    #[test]
    fn it_rests_between_two_frames_unless_one_is_owed_or_the_clock_is_set_back() {
        let mut pace = Pace::default();
        assert_eq!(pace.rests(100), None);
        pace.drawn(100);
        assert_eq!(pace.rests(101), Some(150));
        assert_eq!(pace.rests(150), None);
        assert_eq!(pace.rests(50), None);
        pace.owe(false, 110);
        assert_eq!(pace.rests(111), Some(150));
        pace.owe(true, 112);
        assert_eq!(pace.rests(113), None);
    }

    #[test]
    fn the_last_word_of_a_stream_is_drawn_too() {
        let mut pace = Pace::default();
        pace.drawn(100);
        pace.owe(false, 101);
        assert_eq!(pace.due(), Some(150));
        assert!(pace.is_due(150));
    }
}
