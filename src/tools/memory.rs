//! What an agent wants kept in the collection's memory.

use super::{Wanted, argument};

pub use crate::memory::propose::Asked as Proposal;

pub(super) fn propose(input: &str) -> Result<Wanted, String> {
    argument(input).map(Wanted::Memory)
}
