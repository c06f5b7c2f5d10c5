//! Fascicle, a terminal writing workbench: the rooms, in the order in which they may know each other.

pub mod agents;
pub mod config;
pub mod domain;
pub mod drafts;
pub mod log;
pub mod text;
pub mod tools;
