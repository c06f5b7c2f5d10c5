//! What several tests share: servers that play a script, an agent at the seam, the programs to start.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::needless_pass_by_value,
    unreachable_pub,
    missing_docs,
    reason = "test, and no test uses all of it"
)]

pub mod aged;
pub mod chat_api;
pub mod http;
pub mod messages_api;
pub mod talk;
