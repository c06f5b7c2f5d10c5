//! What an agent wants kept in the collection's memory.

use serde::Deserialize;

use super::{Wanted, argument};

/// A line for the memory, as an agent wrote it: whatever is in it, nothing is kept before the writer has said so.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Proposal {
    /// What kind of line it is: `fact name decision term piece`.
    pub what: String,
    /// The line.
    pub text: String,
    /// Why it is worth keeping; empty where nothing is said.
    #[serde(default)]
    pub reason: String,
}

pub(super) fn propose(input: &str) -> Result<Wanted, String> {
    argument(input).map(Wanted::Memory)
}
