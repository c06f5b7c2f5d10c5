//! What agents are told: the brief of a session, and the memory of a collection that only the writer changes.

pub mod brief;
pub mod desk;
pub mod file;
pub mod propose;
