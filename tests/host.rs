//! The host as windows see it, with an agent that plays a written stream.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    missing_docs,
    reason = "test"
)]

#[path = "host/adopt.rs"]
mod adopt;
#[path = "host/again.rs"]
mod again;
#[path = "host/bench.rs"]
mod bench;
#[path = "host/brief.rs"]
mod brief;
#[path = "host/brief_http.rs"]
mod brief_http;
#[path = "host/compact.rs"]
mod compact;
#[path = "host/compact_kept.rs"]
mod compact_kept;
#[path = "host/drafts.rs"]
mod drafts;
#[path = "host/drafts_odd.rs"]
mod drafts_odd;
#[path = "host/drafts_typed.rs"]
mod drafts_typed;
#[path = "host/drawer.rs"]
mod drawer;
#[path = "host/drawer_outside.rs"]
mod drawer_outside;
#[path = "host/editor.rs"]
mod editor;
#[path = "host/exact.rs"]
mod exact;
#[path = "host/fork.rs"]
mod fork;
#[path = "host/gather.rs"]
mod gather;
#[path = "host/import.rs"]
mod import;
#[path = "host/memory.rs"]
mod memory;
#[path = "host/proposals.rs"]
mod proposals;
#[path = "host/raw.rs"]
mod raw;
#[path = "host/recipes.rs"]
mod recipes;
#[path = "host/recovery.rs"]
mod recovery;
#[path = "host/rude.rs"]
mod rude;
#[path = "host/socket.rs"]
mod socket;
#[path = "support/all.rs"]
mod support;
#[path = "host/take.rs"]
mod take;
#[path = "host/turns.rs"]
mod turns;
#[path = "host/undo.rs"]
mod undo;
#[path = "host/versions.rs"]
mod versions;
#[path = "host/versions_kept.rs"]
mod versions_kept;
#[path = "host/warm.rs"]
mod warm;
