//! Failures reported for programs of this kind, each replayed on the real binary.
//!
//! After every case: what was in the log is there unchanged, every line written since is a whole event with the
//! next number, and nothing is there twice (`bench::rule`).
#![allow(
    dead_code,
    missing_docs,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::new_without_default,
    clippy::must_use_candidate,
    clippy::unnecessary_debug_formatting,
    clippy::print_stdout,
    clippy::string_slice,
    clippy::semicolon_if_nothing_returned,
    clippy::bool_assert_comparison,
    reason = "test, and support shared with others"
)]

#[path = "cases/asking.rs"]
mod asking;
#[path = "cases/bench.rs"]
mod bench;
#[path = "cases/closing.rs"]
mod closing;
#[path = "cases/damaged.rs"]
mod damaged;
#[path = "support/desk.rs"]
mod desk;
#[path = "cases/draft.rs"]
mod draft;
#[path = "cases/elsewhere.rs"]
mod elsewhere;
#[path = "cases/ends.rs"]
mod ends;
#[path = "cases/holders.rs"]
mod holders;
#[path = "cases/long.rs"]
mod long;
#[path = "cases/outside.rs"]
mod outside;
#[path = "cases/paste.rs"]
mod paste;
#[path = "cases/process.rs"]
mod process;
#[path = "cases/read_only.rs"]
mod read_only;
#[path = "cases/screen.rs"]
mod screen;
#[path = "cases/signs.rs"]
mod signs;
#[path = "cases/sizes.rs"]
mod sizes;
#[path = "cases/stream.rs"]
mod stream;
#[path = "cases/switching.rs"]
mod switching;
#[path = "cases/terminal.rs"]
mod terminal;
#[path = "support/window.rs"]
mod window;
