//! `cargo bench --bench findings -- FILE…`: what the editor finds in texts, to be marked by hand, and how often for each
//! thousand words. With `--missed` before the files it makes one known mistake after the other in each text, 200 of each
//! kind from a fixed seed, and counts those that are not found. `docs/editor.md` has the figures.
#![allow(
    clippy::unwrap_used,
    clippy::string_slice,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    missing_docs,
    reason = "bench"
)]

#[path = "findings/seeds.rs"]
mod seeds;

use std::collections::BTreeMap;

use fascicle::agents::editor::checks::{Asked, findings};
use fascicle::text::count;
use fascicle::text::doc::Doc;

fn main() {
    // `cargo test --all-targets` starts benches, too: that is not the time for one.
    if !std::env::args().any(|w| w == "--bench") {
        return;
    }
    let missed = std::env::args().any(|w| w == "--missed");
    let files: Vec<String> = std::env::args()
        .skip(1)
        .filter(|w| !w.starts_with("--"))
        .collect();
    if files.is_empty() {
        println!("Name the files to read: cargo bench --bench findings -- FILE…");
    }
    for file in files {
        let text = String::from_utf8_lossy(&std::fs::read(&file).unwrap()).into_owned();
        println!("\n## {file}: {} words\n", count(&text));
        if missed {
            seeds::missed(&text);
        } else {
            found(&text);
        }
    }
}

fn found(text: &str) {
    let doc = Doc::of(text);
    let all = findings(&doc, &Asked::default());
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for (n, finding) in (1..).zip(&all) {
        *kinds.entry(finding.kind).or_default() += 1;
        println!(
            "{n}. {} ¶{}: {}",
            finding.kind,
            doc.paragraph_at(finding.at.start),
            finding.what
        );
        println!("   {}", around(text, &finding.at));
    }
    let thousands = count(text) as f64 / 1000.0;
    println!(
        "\n{} findings, {:.2} for each 1,000 words",
        all.len(),
        all.len() as f64 / thousands
    );
    for (kind, n) in kinds {
        println!("{kind:<20} {n}");
    }
}

/// The place with what stands beside it, on one line.
fn around(text: &str, at: &std::ops::Range<usize>) -> String {
    let start = text[..at.start]
        .char_indices()
        .rev()
        .nth(60)
        .map_or(0, |(i, _)| i);
    let end = text[at.end..]
        .char_indices()
        .nth(60)
        .map_or(text.len(), |(i, _)| at.end + i);
    let place: String = text[at.clone()].chars().take(200).collect();
    format!(
        "{}[[{place}]]{}",
        &text[start..at.start],
        &text[at.end..end]
    )
    .replace(['\n', '\r'], " ")
}
