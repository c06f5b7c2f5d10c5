//! Which deed is meant.

use serde::{Deserialize, Serialize};

use crate::domain::event::Seq;

/// Which deed is undone, or done again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Which {
    /// That one, if it is the newest still; the newest when none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only: Option<Seq>,
    /// One of an earlier sitting is not touched: the reply asks, and tells which it is.
    #[serde(default)]
    pub asks: bool,
    /// However new it is, it is not touched: it was not done where the writer is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub names: bool,
}

impl Which {
    /// The newest, if it is of this sitting.
    pub const NEW: Self = Self {
        only: None,
        asks: true,
        names: false,
    };

    /// One that is known, as the writer wants it.
    pub const fn known(only: Seq) -> Self {
        Self {
            only: Some(only),
            asks: false,
            names: false,
        }
    }

    /// Whether the writer is asked first about one that is of an earlier sitting, or not.
    pub const fn is_asked(&self, old: bool) -> bool {
        self.names || self.asks && old
    }
}
