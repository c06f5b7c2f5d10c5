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
}

impl Which {
    /// The newest, if it is of this sitting.
    pub const NEW: Self = Self {
        only: None,
        asks: true,
    };
}
