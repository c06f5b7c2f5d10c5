//! Where a piece stands.

use serde::{Deserialize, Serialize};

/// The stage of a piece, in the order in which a piece goes through them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// A thought to be written about.
    Idea,
    /// Its parts are named.
    Outline,
    /// It is being written.
    Draft,
    /// It is whole and being made better.
    Revising,
    /// It is finished.
    Done,
}

impl Stage {
    /// All of them, in order.
    pub const ALL: [Self; 5] = [
        Self::Idea,
        Self::Outline,
        Self::Draft,
        Self::Revising,
        Self::Done,
    ];

    /// The word for it, as logs, `collection.toml` and the command line write it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Idea => "idea",
            Self::Outline => "outline",
            Self::Draft => "draft",
            Self::Revising => "revising",
            Self::Done => "done",
        }
    }

    /// The stage of that word; none when there is none.
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.word() == word)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    #[test]
    fn a_stage_is_written_as_its_word_everywhere() {
        for stage in Stage::ALL {
            let json = serde_json::to_string(&stage).unwrap();
            assert_eq!(json, format!("\"{}\"", stage.word()));
            assert_eq!(Stage::of(stage.word()), Some(stage));
        }
        assert_eq!(Stage::of("finished"), None);
    }
}
