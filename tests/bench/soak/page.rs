//! What a run found, as a section of `docs/performance.md`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::Run;
use crate::crowd::WAYS;
use crate::figures::{HEAD, machine};
use crate::verdict::{FLAT, Verdict};

/// Between these the page is ours.
const MARKS: [&str; 2] = [
    "<!-- written by `cargo bench --bench soak` -->\n",
    "<!-- end of what it writes -->\n",
];

/// The section, without its heading.
pub fn section(run: &Run, verdict: &Verdict) -> String {
    let mut out = String::new();
    let flat = if verdict.is_flat() {
        "Flat"
    } else {
        "Not flat"
    };
    let _ = write!(
        out,
        "*{}, {}; load average {} as it began, {} as it ended; minutes asked for: {}*\n\n**{flat}**: a second half with at most {FLAT} \
         times as much as the first is called flat.\n\n| | first half | second half | ratio | flat |\n|---|---|---|---|---|\n",
        today(),
        machine(),
        run.load[0],
        run.load[1],
        run.minutes,
    );
    for half in &verdict.0 {
        let _ = writeln!(
            out,
            "| {} | {:.2} | {:.2} | {:.2} | {} |",
            half.what,
            half.first,
            half.second,
            half.ratio(),
            if half.is_flat() { "yes" } else { "no" }
        );
    }
    out += &told(run);
    let _ = writeln!(out, "{HEAD}");
    let mut before = None;
    for sample in &run.samples {
        let _ = writeln!(out, "{}", sample.row(before));
        before = Some(sample);
    }
    out
}

/// The date, of ten characters, as ISO 8601 has it.
fn today() -> String {
    let now = jiff::Timestamp::now().to_string();
    now.chars().take(10).collect()
}

/// What happened, in sentences.
fn told(run: &Run) -> String {
    let (first, last) = (&run.samples[0], &run.samples[run.samples.len() - 1]);
    let rate = (last.deltas - first.deltas) as f64 / (last.seconds - first.seconds);
    let [host, window] = &run.quiet;
    let ways = run.left.iter().map(|(way, n)| {
        let (_, name) = WAYS.iter().find(|(w, _)| w == way).unwrap();
        format!("{n} {name}")
    });
    let ways: Vec<String> = ways.collect();
    format!(
        "\n{} deltas, each once and in order in its log, {rate:.0} a second together; {} windows ({}), {} times one was \
         stopped and went on. Nothing was damaged and no process was left. Before the first prompt the host had {:.1} MiB \
         RSS ({:.1} PSS), the window {:.1} ({:.1}).\n\nCPU is in seconds per 10,000 deltas of all sessions, memory in MiB.\n\n",
        run.deltas,
        run.left.iter().map(|(_, n)| n).sum::<u32>(),
        ways.join(", "),
        run.stopped,
        host.rss,
        host.pss,
        window.rss,
        window.pss,
    )
}

/// Puts the section into the page; where that is.
pub fn write(run: &Run, verdict: &Verdict) -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/performance.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once(MARKS[0]).expect("the page has its marks");
    let (_, after) = rest.split_once(MARKS[1]).expect("the page has its marks");
    let made = [
        before,
        MARKS[0],
        "\n",
        &section(run, verdict),
        "\n",
        MARKS[1],
        after,
    ];
    std::fs::write(&path, made.concat()).unwrap();
    path
}
