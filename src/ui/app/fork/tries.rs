//! Prompts that are tried, each in a variant of its own.

use crate::domain::SessionId;
use crate::ui::layers;

/// A prompt for a variant of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Try {
    /// The variant's name; from the prompt when none.
    pub name: Option<String>,
    /// The prompt.
    pub prompt: String,
    /// What of it is its own: a line of what was written, or all of it.
    pub own: String,
}

impl Try {
    /// All of what was written, for one variant.
    pub(in crate::ui) fn whole(prompt: String) -> Self {
        let own = prompt.clone();
        Self {
            name: None,
            prompt,
            own,
        }
    }
}

/// Prompts on their way to variants.
#[derive(Debug)]
pub(super) struct Tried {
    /// What stood where they were written; empty where they were asked for.
    pub(super) text: String,
    /// How many were sent, and how many of them nothing was heard of.
    pub(super) sent: usize,
    pub(super) left: usize,
    /// What was the own of each, in the order in which they stood.
    pub(super) order: Vec<String>,
    /// The variants that were made, with what was their own.
    pub(super) made: Vec<(String, SessionId)>,
    /// What was the own of those that were refused.
    pub(super) back: Vec<String>,
}

impl Tried {
    /// The variant of the first prompt that was taken, whichever was made first.
    pub(super) fn first(&self) -> Option<SessionId> {
        let of = |own: &String| self.made.iter().find(|(made, _)| made == own);
        self.order.iter().find_map(of).map(|(_, session)| *session)
    }

    /// What stands where it was written again: all of it where no variant took anything, else what was refused, and what
    /// was taken out before they were begun.
    pub(super) fn words(&self) -> String {
        if self.text.is_empty() {
            return self.back.join("\n");
        }
        if self.made.is_empty() {
            return self.text.clone();
        }
        let made = self.made.iter().map(|(own, _)| own.as_str());
        layers::variants::left(&self.text, made)
    }
}
