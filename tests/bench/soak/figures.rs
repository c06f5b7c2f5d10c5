//! What the system says of a process (proc(5)).

use std::fs;
use std::time::{Duration, Instant};

/// How long something is waited for: machines are shared and slow at times.
const PATIENCE: Duration = Duration::from_secs(60);

/// A process, as it is at one moment.
#[derive(Clone, Copy, Debug)]
pub struct Figures {
    /// Seconds of processor time so far, its own and the system's for it.
    pub cpu: f64,
    /// Resident memory, MiB.
    pub rss: f64,
    /// The same, pages that others have too counted by their share.
    pub pss: f64,
    pub files: u64,
    pub threads: u64,
}

impl Figures {
    /// Of a process that runs.
    pub fn of(pid: u32) -> Self {
        let of = |name: &str| format!("/proc/{pid}/{name}");
        Self {
            cpu: cpu(pid),
            rss: number(&of("status"), "VmRSS:") as f64 / 1024.0,
            pss: number(&of("smaps_rollup"), "Pss:") as f64 / 1024.0,
            files: fs::read_dir(of("fd")).unwrap().count() as u64,
            threads: number(&of("status"), "Threads:"),
        }
    }
}

/// Everything at one moment.
#[derive(Debug)]
pub struct Sample {
    /// Since the streams began.
    pub seconds: f64,
    /// In all logs.
    pub deltas: u64,
    pub host: Figures,
    /// The window that stays.
    pub window: Figures,
    /// CPU seconds of all windows that ever were.
    pub windows: f64,
    /// That the window that stays wrote to its terminal.
    pub bytes: u64,
    /// Windows so far.
    pub opened: u32,
}

/// Over the rows.
pub const HEAD: &str = "\
| after | deltas/s | host: CPU | RSS | PSS | files | threads | windows: CPU | one that stays: CPU | RSS | PSS | KiB/s | opened |
|---|---|---|---|---|---|---|---|---|---|---|---|---|";

impl Sample {
    /// As a row of the table; what goes by time is since the sample before.
    pub fn row(&self, before: Option<&Self>) -> String {
        let memory = |f: &Figures| format!("{:.1} | {:.1}", f.rss, f.pss);
        let (host, window) = (&self.host, &self.window);
        let since = before.map(|b| {
            let seconds = self.seconds - b.seconds;
            let thousands = (self.deltas - b.deltas) as f64 / 10_000.0;
            [
                format!("{:.0}", (self.deltas - b.deltas) as f64 / seconds),
                format!("{:.2}", (host.cpu - b.host.cpu) / thousands),
                format!("{:.2}", (self.windows - b.windows) / thousands),
                format!("{:.2}", (window.cpu - b.window.cpu) / thousands),
                format!("{:.1}", (self.bytes - b.bytes) as f64 / 1024.0 / seconds),
            ]
        });
        let [rate, own, all, stays, bytes] = since.unwrap_or_default();
        format!(
            "| {:.0} s | {rate} | {own} | {} | {} | {} | {all} | {stays} | {} | {bytes} | {} |",
            self.seconds,
            memory(host),
            host.files,
            host.threads,
            memory(window),
            self.opened
        )
    }
}

/// Seconds of processor time of a process; one hundred clock ticks each, as everywhere on Linux.
pub fn cpu(pid: u32) -> f64 {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let (_, fields) = stat.rsplit_once(')').unwrap();
    let ticks = fields.split_whitespace().skip(11).take(2);
    ticks.map(|t| t.parse::<f64>().unwrap() / 100.0).sum()
}

/// Waits until something is found that tells nobody when it is there.
pub fn found<T>(what: &str, look: impl Fn() -> Option<T>) -> T {
    let end = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < end, "waited for {what}");
        std::thread::park_timeout(Duration::from_millis(50));
    }
}

/// Whether a process has ended; it may still wait to be collected.
pub fn is_gone(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = stat.rsplit_once(')').map(|(_, rest)| rest.trim_start());
    state.is_none_or(|s| s.starts_with('Z'))
}

/// Load of the machine: of the last minute, five and fifteen minutes.
pub fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap();
    let three: Vec<&str> = text.split_whitespace().take(3).collect();
    three.join(", ")
}

/// The machine, in a few words.
pub fn machine() -> String {
    let cores = std::thread::available_parallelism().unwrap();
    let cpus = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpus.lines().find_map(|l| l.strip_prefix("model name"));
    let model = model.map_or("unknown", |m| m.trim_start_matches([' ', '\t', ':']));
    let memory = number("/proc/meminfo", "MemTotal:") as f64 / 1024.0 / 1024.0;
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    format!(
        "{cores} cores ({model}), {memory:.0} GiB, Linux {}",
        kernel.trim()
    )
}

fn number(file: &str, name: &str) -> u64 {
    let text = fs::read_to_string(file).unwrap();
    let line = text.lines().find_map(|l| l.strip_prefix(name));
    let word = line.and_then(|l| l.split_whitespace().next());
    word.unwrap_or_else(|| panic!("{file} has no {name}"))
        .parse()
        .unwrap()
}
