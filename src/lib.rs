//! Fascicle, a terminal writing workbench: the rooms, in the order in which they may know each other.

pub mod agents;
pub mod cli;
pub mod client;
pub mod config;
pub mod domain;
pub mod drafts;
pub mod host;
pub mod log;
pub mod memory;
pub mod protocol;
pub mod text;
pub mod tools;
pub mod ui;
