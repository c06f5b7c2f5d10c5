//! `cargo bench --bench window`: what the window costs beside the best programs of its kind, on the real binary in a
//! real pseudo-terminal of 120×40 with an agent that plays a written stream.
//!
//! Writes budget and figure of every mark into `docs/performance.md`. `-- --only idle,memory` measures some parts and
//! writes nothing. Nothing fails: a mark that is missed is said to be missed.
#![allow(
    dead_code,
    missing_docs,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::new_without_default,
    clippy::must_use_candidate,
    clippy::unnecessary_debug_formatting,
    reason = "bench, and support shared with others"
)]

#[path = "window/book.rs"]
mod book;
#[path = "../support/chat_api.rs"]
mod chat_api;
#[path = "window/compare.rs"]
mod compare;
#[path = "../support/desk.rs"]
mod desk;
#[path = "window/draft.rs"]
mod draft;
#[path = "window/echo.rs"]
mod echo;
#[path = "soak/figures.rs"]
mod figures;
#[path = "window/first.rs"]
mod first;
#[path = "window/fork.rs"]
mod fork;
#[path = "../support/http.rs"]
mod http;
#[path = "window/log.rs"]
mod log;
#[path = "window/made.rs"]
mod made;
#[path = "window/memory.rs"]
mod memory;
#[path = "window/reopen.rs"]
mod reopen;
#[path = "../cases/screen.rs"]
mod screen;
#[path = "window/search.rs"]
mod search;
#[path = "window/served.rs"]
mod served;
#[path = "window/stage.rs"]
mod stage;
#[path = "window/stream.rs"]
mod stream;
#[path = "../support/window.rs"]
mod window;

use std::process::ExitCode;

use book::Book;

type Measure = fn(&mut Book);

/// What can be measured by itself.
const PARTS: [(&str, Measure); 12] = [
    ("first", first::measure),
    ("stream", stream::one),
    ("served", stream::served),
    ("eight", stream::eight),
    ("idle", memory::idle),
    ("memory", memory::grown),
    ("reopen", reopen::measure),
    ("draft", draft::measure),
    ("log", log::measure),
    ("fork", fork::measure),
    ("compare", compare::measure),
    ("search", search::measure),
];

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().collect();
    if words.iter().any(|w| w == echo::RAW) {
        echo::raw();
        return ExitCode::SUCCESS;
    }
    // `cargo test --all-targets` starts benches, too: that is not the time for one.
    if !words.iter().any(|w| w == "--bench") {
        return ExitCode::SUCCESS;
    }
    let only = words.iter().skip_while(|w| *w != "--only").nth(1);
    let only: Option<Vec<&str>> = only.map(|names| names.split(',').collect());
    let names = PARTS.map(|(name, _)| name);
    if let Some(wrong) = only.iter().flatten().find(|n| !names.contains(n)) {
        println!(
            "There is no part {wrong:?}. The parts: {}",
            names.join(", ")
        );
        return ExitCode::FAILURE;
    }
    let mut book = Book::begin();
    for (name, measure) in PARTS {
        if only.as_ref().is_none_or(|o| o.contains(&name)) {
            measure(&mut book);
        }
    }
    println!("\n{}", book.section());
    if only.is_none() {
        println!("written to {}", book.write().display());
    }
    ExitCode::SUCCESS
}
