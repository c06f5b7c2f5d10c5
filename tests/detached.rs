//! The host as a process of its own: windows and commands come and go, die or are killed, and no turn and no word
//! is lost by it.
#![allow(
    dead_code,
    missing_docs,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::new_without_default,
    clippy::must_use_candidate,
    clippy::unnecessary_debug_formatting,
    clippy::semicolon_if_nothing_returned,
    clippy::string_slice,
    reason = "test, and support shared with others"
)]

#[path = "detached/adopting.rs"]
mod adopting;
#[path = "cases/bench.rs"]
mod bench;
#[path = "detached/compact.rs"]
mod compact;
#[path = "detached/crowd.rs"]
mod crowd;
#[path = "detached/cut.rs"]
mod cut;
#[path = "support/desk.rs"]
mod desk;
#[path = "detached/elsewhere.rs"]
mod elsewhere;
#[path = "detached/fork.rs"]
mod fork;
#[path = "detached/full.rs"]
mod full;
#[path = "detached/leaving.rs"]
mod leaving;
#[path = "detached/leftovers.rs"]
mod leftovers;
#[path = "detached/life.rs"]
mod life;
#[path = "detached/moved.rs"]
mod moved;
#[path = "detached/play.rs"]
mod play;
#[path = "cases/process.rs"]
mod process;
#[path = "detached/proposed.rs"]
mod proposed;
#[path = "detached/restoring.rs"]
mod restoring;
#[path = "cases/screen.rs"]
mod screen;
#[path = "support/all.rs"]
mod support;
#[path = "detached/together.rs"]
mod together;
#[path = "support/window.rs"]
mod window;
