//! The log against the world: crashes, full disks, other processes, damaged files.
#![allow(
    clippy::unwrap_used,
    clippy::wildcard_imports,
    clippy::needless_pass_by_value,
    missing_docs,
    unreachable_pub,
    reason = "test"
)]

#[path = "log/adopt.rs"]
mod adopt;
#[path = "log/astray.rs"]
mod astray;
#[path = "log/copies.rs"]
mod copies;
#[path = "log/corpus.rs"]
mod corpus;
#[path = "log/crash.rs"]
mod crash;
#[path = "log/deeds.rs"]
mod deeds;
#[path = "log/desk.rs"]
mod desk;
#[path = "log/fork.rs"]
mod fork;
#[path = "log/kill.rs"]
mod kill;
#[path = "log/reading.rs"]
mod reading;
#[path = "log/search.rs"]
mod search;
#[path = "log/show.rs"]
mod show;
#[path = "log/sim.rs"]
mod sim;
