//! How large a request would be, and where its conversation is cut: counting, nothing else.

use super::{AT, Known};
use crate::agents::backend::Start;
use crate::domain::message::{Message, Said};
use crate::text::tokens;

/// What stands around a message.
const AROUND: u64 = 4;
/// What stands around a call and its result.
const AROUND_CALL: u64 = 24;
/// The share of the window that is kept word for word at the end: one in so many.
const KEPT: u64 = 4;
/// The share that a summary may take: one in so many.
const SUMMARY: u64 = 8;
/// Bounds of a summary, in tokens.
const SUMMARY_MIN: u64 = 160;
const SUMMARY_MAX: u64 = 2_000;

/// The sizes of a request's parts, in tokens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Measure {
    window: Option<u64>,
    /// Tokens at which it counts as full.
    limit: Option<u64>,
    brief: u64,
    tools: u64,
    prompt: u64,
    summary: u64,
    /// Each turn.
    turns: Vec<u64>,
    /// As the agent counted the conversation so far.
    counted: Option<u64>,
}

impl Measure {
    pub(super) fn of(start: &Start, known: &Known, window: Option<u64>, prompt: &str) -> Self {
        let tools = start.tools.iter();
        let tools = tools.map(|t| tokens(t.name) + tokens(t.about) + tokens(t.schema) + AROUND);
        let size = |said: &Vec<Message>| said.iter().map(message).sum();
        let at = known.at.unwrap_or(AT);
        let prompt = tokens(prompt) + AROUND;
        Self {
            window,
            limit: window.map(|w| w.saturating_mul(at) / 100),
            brief: tokens(&start.brief) + AROUND,
            tools: tools.sum(),
            prompt,
            summary: known
                .talk
                .summary
                .as_deref()
                .map_or(0, |s| tokens(s) + 2 * AROUND + 32),
            turns: known.talk.turns.iter().map(|t| size(&t.said)).collect(),
            counted: known.counted.map(|n| n + prompt),
        }
    }

    fn whole(&self) -> u64 {
        self.fixed() + self.summary + self.turns.iter().sum::<u64>()
    }

    /// The summary that stands for the beginning now.
    pub(super) const fn summary(&self) -> u64 {
        self.summary
    }

    /// What no summary makes shorter.
    pub(super) const fn fixed(&self) -> u64 {
        self.brief + self.tools + self.prompt
    }

    /// The whole request. What an agent counted is believed within reason: a count may hold thoughts that are not
    /// sent again, or stop at a window that cuts in silence.
    pub(super) fn need(&self) -> u64 {
        let whole = self.whole();
        self.counted.map_or(whole, |n| n.clamp(whole, 2 * whole))
    }

    pub(super) fn is_full(&self) -> bool {
        self.limit.is_some_and(|limit| self.need() > limit)
    }

    /// Whether it goes into the window as it is.
    pub(super) fn fits(&self) -> bool {
        self.window.is_none_or(|window| self.need() <= window)
    }

    /// Per cent of the window that it takes.
    pub(super) fn share(&self) -> Option<u64> {
        self.window
            .filter(|w| *w > 0)
            .map(|w| self.need() * 100 / w)
    }

    /// How many of the turns a summary stands for: all but the last that fit into a share of the window, and at least
    /// one.
    pub(super) fn cut(&self) -> usize {
        // By hand, with a window that nobody knows: as if it were just full.
        let window = self.window.unwrap_or_else(|| self.need());
        let others = self.fixed() + self.summary_max();
        let left = self.limit.map_or(window, |l| l.saturating_sub(others));
        let mut room = (window / KEPT).min(left);
        let fits = self.turns.iter().rev().take_while(|n| {
            let fits = **n <= room;
            room = room.saturating_sub(**n);
            fits
        });
        let kept = fits.count();
        self.turns.len() - kept.min(self.turns.len().saturating_sub(1))
    }

    /// How large the summary may get.
    pub(super) fn summary_max(&self) -> u64 {
        let share = self.window.unwrap_or_else(|| self.need()) / SUMMARY;
        share.clamp(SUMMARY_MIN, SUMMARY_MAX)
    }

    /// How much a request for a summary may hold beside the brief; all there is where no window is known.
    pub(super) fn room(&self) -> u64 {
        // The answer needs room too; tools are not offered with it.
        self.window.map_or(u64::MAX, |window| {
            let most = window.saturating_mul(9) / 10;
            most.saturating_sub(self.brief + self.summary_max())
        })
    }

    /// The request as it is with a summary for so many of the turns.
    pub(super) fn after(&self, summary: u64, cut: usize) -> u64 {
        self.fixed() + summary + self.turns.iter().skip(cut).sum::<u64>()
    }
}

/// A message as it is sent, about.
pub(super) fn message(message: &Message) -> u64 {
    match message {
        Message::User(text) => tokens(text) + AROUND,
        Message::Agent(parts) => parts.iter().map(said).sum::<u64>() + AROUND,
    }
}

fn said(said: &Said) -> u64 {
    match said {
        Said::Words(text) => tokens(text),
        Said::Call {
            name,
            input,
            output,
            ..
        } => tokens(name) + tokens(input) + tokens(output) + AROUND_CALL,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn measure(window: Option<u64>, turns: &[u64]) -> Measure {
        Measure {
            window,
            limit: window.map(|w| w * 80 / 100),
            brief: 60,
            tools: 40,
            prompt: 20,
            summary: 0,
            turns: turns.to_vec(),
            counted: None,
        }
    }

    #[test]
    fn it_is_full_only_where_a_window_is_known() {
        assert!(measure(Some(1_000), &[400, 400]).is_full());
        assert!(!measure(Some(2_000), &[400, 400]).is_full());
        assert!(!measure(None, &[400; 1_000]).is_full());
    }

    #[test]
    fn what_was_counted_is_believed_within_reason() {
        let mut one = measure(Some(10_000), &[500, 500]);
        assert_eq!(one.need(), 1_120);
        for (counted, need) in [(1_300, 1_300), (100, 1_120), (90_000, 2_240)] {
            one.counted = Some(counted);
            assert_eq!(one.need(), need);
        }
    }

    #[test]
    fn the_last_turns_that_fit_a_quarter_of_the_window_are_kept() {
        assert_eq!(measure(Some(4_000), &[900, 900, 400, 500]).cut(), 2);
        assert_eq!(measure(Some(4_000), &[900, 5_000]).cut(), 2, "none fits");
        assert_eq!(
            measure(Some(4_000), &[10, 10]).cut(),
            1,
            "at least one goes"
        );
        assert_eq!(measure(None, &[300, 300, 100]).cut(), 2);
    }

    proptest! {
        #[test]
        fn what_is_left_is_smaller_whatever_the_sizes(window in 600u64..200_000, turns in prop::collection::vec(50u64..9_000, 1..60)) {
            let one = measure(Some(window), &turns);
            let cut = one.cut();
            prop_assert!((1..=turns.len()).contains(&cut));
            let kept: u64 = turns[cut..].iter().sum();
            prop_assert!(kept <= window / KEPT || cut == turns.len());
        }
    }
}
