//! The real parts: the Claude Code command line and a small local model, on loopback only.
//!
//! `.ci/real-parts` gets them. A part that is absent is skipped and named; with `FASCICLE_REAL=required` that fails.

#[path = "real/apart.rs"]
mod apart;
#[path = "real/arc.rs"]
mod arc;
#[path = "real/brief.rs"]
mod brief;
#[path = "real/claude.rs"]
mod claude;
#[path = "support/desk.rs"]
#[allow(
    dead_code,
    clippy::unwrap_used,
    unreachable_pub,
    reason = "test, and no test uses all of it"
)]
mod desk;
#[path = "real/import.rs"]
mod import;
#[path = "real/model.rs"]
mod model;
#[path = "real/parts.rs"]
mod parts;
#[path = "real/recipes.rs"]
mod recipes;
#[path = "real/stage.rs"]
mod stage;
#[path = "real/store.rs"]
mod store;
#[path = "support/all.rs"]
mod support;
#[path = "real/variants.rs"]
mod variants;
#[path = "support/window.rs"]
#[allow(
    dead_code,
    clippy::unwrap_used,
    unreachable_pub,
    reason = "test, and no test uses all of it"
)]
mod window;
#[path = "real/workbench.rs"]
mod workbench;

fn main() -> std::process::ExitCode {
    parts::run(&[
        claude::TESTS,
        model::TESTS,
        workbench::TESTS,
        apart::TESTS,
        recipes::TESTS,
        variants::TESTS,
        arc::TESTS,
        brief::TESTS,
        import::TESTS,
        store::TESTS,
    ])
}
