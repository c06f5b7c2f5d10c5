//! The words of a drawer's log: kinds of memory, answers, hands. One that is not known is kept as it is.

use serde::{Deserialize, Serialize};

/// What a proposal is.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum What {
    /// A person, a place, a thing with a name.
    Name,
    /// Something that is so in this collection.
    Fact,
    /// Something that was decided about the writing.
    Decision,
    /// A word used in one sense, or written one way.
    Term,
    /// The line of a finished piece in the index of pieces.
    Piece,
    /// A kind that this version does not know.
    Other(String),
}

impl What {
    /// The ones an agent can propose, in the order in which a memory has them.
    pub const ALL: [Self; 5] = [
        Self::Name,
        Self::Fact,
        Self::Decision,
        Self::Term,
        Self::Piece,
    ];

    /// The word for it, as logs and tools write it.
    pub fn word(&self) -> &str {
        match self {
            Self::Name => "name",
            Self::Fact => "fact",
            Self::Decision => "decision",
            Self::Term => "term",
            Self::Piece => "piece",
            Self::Other(word) => word,
        }
    }

    /// The one of that word; none when there is none.
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|w| w.word() == word)
    }
}

impl From<String> for What {
    fn from(word: String) -> Self {
        Self::of(&word).unwrap_or(Self::Other(word))
    }
}

impl From<What> for String {
    fn from(what: What) -> Self {
        what.word().to_owned()
    }
}

/// The writer's answer to a proposal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// It becomes a line of the memory.
    Accepted,
    /// It does not, and is not proposed again.
    Refused,
}

/// Whose hand made a version of a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Hand {
    /// The writer let go what was missing: the text as it is is meant.
    LetGo,
    /// Another program; the writer's own editor as a rule.
    Outside,
    /// A proposal was accepted.
    Accept,
    /// Lines went into the archive, or came out of it.
    Fold,
    /// An older version was restored.
    Restore,
    /// A deed was undone.
    Undo,
    /// A hand that this version does not know.
    Other(String),
}

impl Hand {
    const ALL: [Self; 6] = [
        Self::LetGo,
        Self::Outside,
        Self::Accept,
        Self::Fold,
        Self::Restore,
        Self::Undo,
    ];

    /// The word for it, as the log writes it.
    pub fn word(&self) -> &str {
        match self {
            Self::LetGo => "you",
            Self::Outside => "outside",
            Self::Accept => "accept",
            Self::Fold => "fold",
            Self::Restore => "restore",
            Self::Undo => "undo",
            Self::Other(word) => word,
        }
    }
}

impl From<String> for Hand {
    fn from(word: String) -> Self {
        let known = Self::ALL.into_iter().find(|h| h.word() == word);
        known.unwrap_or(Self::Other(word))
    }
}

impl From<Hand> for String {
    fn from(hand: Hand) -> Self {
        hand.word().to_owned()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;

    #[test]
    fn a_word_of_a_later_version_is_kept_as_it_is() {
        for word in ["fact", "piece", "rumour"] {
            let json = format!("\"{word}\"");
            let what: What = serde_json::from_str(&json).unwrap();
            assert_eq!(serde_json::to_string(&what).unwrap(), json);
        }
        let hand: Hand = serde_json::from_str("\"robot\"").unwrap();
        assert_eq!(hand, Hand::Other("robot".into()));
        assert_eq!(serde_json::to_string(&Hand::Fold).unwrap(), "\"fold\"");
        assert_eq!(serde_json::to_string(&Hand::LetGo).unwrap(), "\"you\"");
    }
}
