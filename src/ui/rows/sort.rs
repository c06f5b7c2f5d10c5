//! The orders a list can have.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};

use super::Ranked;
use crate::domain::{SessionId, State};

/// By what the list is ordered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sort {
    /// Who needs the writer first, then the newest turn.
    #[default]
    Need,
    /// The newest change first.
    Changed,
    /// By the alphabet.
    Title,
    /// The longest draft first.
    Words,
    /// The newest session first.
    Created,
    /// As the collection has its pieces; those it does not name behind, by age.
    Order,
}

/// What a row is ordered by.
pub(super) type Place<'a> = (u8, u8, Reverse<i64>, &'a str, SessionId);

impl Sort {
    /// The next one, round and round.
    #[must_use]
    pub const fn next(self) -> Self {
        match self {
            Self::Need => Self::Changed,
            Self::Changed => Self::Title,
            Self::Title => Self::Words,
            Self::Words => Self::Created,
            Self::Created => Self::Order,
            Self::Order => Self::Need,
        }
    }

    /// In a word or two, behind *by*.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Need => "need",
            Self::Changed => "last change",
            Self::Title => "title",
            Self::Words => "words",
            Self::Created => "creation",
            Self::Order => "order",
        }
    }

    /// The place of a row that fits a filter that well.
    pub(super) fn place(self, fit: u8, of: &Ranked) -> Place<'_> {
        let row = &of.row;
        let urgency = u8::from(row.state != State::NeedsYou);
        let words = i64::try_from(row.words).unwrap_or(i64::MAX);
        let (urgency, number, text) = match self {
            Self::Need => (urgency, row.begun, ""),
            Self::Changed => (0, row.updated, ""),
            Self::Title => (0, 0, of.hay.as_str()),
            Self::Words => (0, words, ""),
            Self::Created => (0, row.id.made(), ""),
            Self::Order => {
                let at = i64::try_from(of.place).unwrap_or(i64::MAX);
                (0, -at, "")
            }
        };
        (fit, urgency, Reverse(number), text, row.id)
    }
}
