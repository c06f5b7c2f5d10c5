//! When what was typed becomes a version, and with it the file: at a pause, and now and then where there is none.

use std::time::Duration;

use tokio::time::Instant;

/// How long the writer pauses before what was typed is made a version.
const PAUSE: Duration = Duration::from_secs(30);
/// How long the writer types on before it is made one all the same: other programs read the file meanwhile.
const LONGEST: Duration = Duration::from_secs(60);

/// Since when something is typed that is no version yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Typing {
    begun: Instant,
    last: Instant,
}

impl Typing {
    /// Something is typed, or was looked at and could not be made a version.
    pub(super) fn begun(now: Instant) -> Self {
        let last = now;
        Self { begun: now, last }
    }

    /// Typed on.
    pub(super) fn goes_on(self, now: Instant) -> Self {
        Self { last: now, ..self }
    }

    /// When it is to be a version.
    pub(super) fn ends(&self) -> Instant {
        (self.last + PAUSE).min(self.begun + LONGEST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_made_at_a_pause_and_after_a_minute_of_typing_without_one() {
        let begun = Instant::now();
        let mut typing = Typing::begun(begun);
        assert_eq!(typing.ends(), begun + PAUSE);
        for n in 1..25 {
            typing = typing.goes_on(begun + Duration::from_secs(4 * n));
        }
        assert_eq!(typing.ends(), begun + LONGEST);
    }
}
