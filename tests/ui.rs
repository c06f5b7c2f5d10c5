//! The window without a terminal: keys and notices in, effects and frames out.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "test"
)]

#[path = "ui/stage.rs"]
mod stage;

#[path = "ui/docs.rs"]
mod docs;
#[path = "ui/draft.rs"]
mod draft;
#[path = "ui/frames.rs"]
mod frames;
#[path = "ui/host.rs"]
mod host;
#[path = "ui/lists.rs"]
mod lists;
#[path = "ui/sizes.rs"]
mod sizes;
#[path = "ui/stories.rs"]
mod stories;
#[path = "ui/turns.rs"]
mod turns;
