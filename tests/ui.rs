//! The window without a terminal: keys and notices in, effects and frames out.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "test"
)]

#[path = "ui/stage.rs"]
mod stage;

#[path = "ui/tour/bench.rs"]
mod bench;
#[path = "ui/tour/family.rs"]
mod bench_family;
#[path = "ui/tour/shelves.rs"]
mod bench_shelves;
#[path = "ui/brief.rs"]
mod brief;
#[path = "ui/bursts.rs"]
mod bursts;
#[path = "ui/compact.rs"]
mod compact;
#[path = "ui/compare.rs"]
mod compare;
#[path = "ui/docs.rs"]
mod docs;
#[path = "ui/draft.rs"]
mod draft;
#[path = "ui/families.rs"]
mod families;
#[path = "ui/first.rs"]
mod first;
#[path = "ui/frames.rs"]
mod frames;
#[path = "ui/hints.rs"]
mod hints;
#[path = "ui/host.rs"]
mod host;
#[path = "ui/leftovers.rs"]
mod leftovers;
#[path = "ui/lists.rs"]
mod lists;
#[path = "ui/memory.rs"]
mod memory;
#[path = "ui/mouse.rs"]
mod mouse;
#[path = "ui/palettes.rs"]
mod palettes;
#[path = "ui/tour/sample.rs"]
mod sample;
#[path = "ui/search.rs"]
mod search;
#[path = "ui/shelf.rs"]
mod shelf;
#[path = "ui/sizes.rs"]
mod sizes;
#[path = "ui/stories.rs"]
mod stories;
#[path = "ui/stories_counted.rs"]
mod stories_counted;
#[path = "ui/stories_foreign.rs"]
mod stories_foreign;
#[path = "ui/stories_variants.rs"]
mod stories_variants;
#[path = "ui/tour.rs"]
mod tour;
#[path = "ui/turns.rs"]
mod turns;
#[path = "ui/undo.rs"]
mod undo;
#[path = "ui/versions.rs"]
mod versions;
