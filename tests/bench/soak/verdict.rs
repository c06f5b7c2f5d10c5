//! Flat or not: the second half of a run against its first.

use crate::figures::Sample;

/// What is compared stays flat as long as the second half has at most this times as much as the first.
pub const FLAT: f64 = 1.2;

/// One thing that must not grow.
#[derive(Debug)]
pub struct Half {
    pub what: &'static str,
    pub first: f64,
    pub second: f64,
}

impl Half {
    pub fn ratio(&self) -> f64 {
        self.second / self.first
    }

    pub fn is_flat(&self) -> bool {
        self.ratio() <= FLAT
    }
}

/// All of them.
#[derive(Debug)]
pub struct Verdict(pub Vec<Half>);

impl Verdict {
    /// Of the samples of a run: memory, files and threads by their medians, CPU seconds for each 10,000 deltas.
    pub fn of(samples: &[Sample]) -> Self {
        assert!(samples.len() >= 5, "too short to be judged");
        // The sample at the middle ends the first half and begins the second.
        let middle = samples.len() / 2;
        let halves = [&samples[..=middle], &samples[middle..]];
        let level = |what, of: fn(&Sample) -> f64| {
            let [first, second] = halves.map(|half| median(half.iter().skip(1).map(of)));
            Half {
                what,
                first,
                second,
            }
        };
        let cpu = |what, of: fn(&Sample) -> f64| {
            let [first, second] = halves.map(|half| spent(half, of));
            Half {
                what,
                first,
                second,
            }
        };
        Self(vec![
            level("host: RSS, MiB", |s| s.host.rss),
            level("host: PSS, MiB", |s| s.host.pss),
            level("host: open files", |s| s.host.files as f64),
            level("host: threads", |s| s.host.threads as f64),
            cpu("host: CPU-s per 10,000 deltas", |s| s.host.cpu),
            level("window that stays: RSS, MiB", |s| s.window.rss),
            level("window that stays: PSS, MiB", |s| s.window.pss),
            cpu("window that stays: CPU-s per 10,000 deltas", |s| {
                s.window.cpu
            }),
            cpu("all windows: CPU-s per 10,000 deltas", |s| s.windows),
        ])
    }

    pub fn is_flat(&self) -> bool {
        self.0.iter().all(Half::is_flat)
    }
}

fn spent(half: &[Sample], cpu: fn(&Sample) -> f64) -> f64 {
    let (from, to) = (&half[0], &half[half.len() - 1]);
    (cpu(to) - cpu(from)) / ((to.deltas - from.deltas) as f64 / 10_000.0)
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut all: Vec<f64> = values.collect();
    all.sort_by(f64::total_cmp);
    all[all.len() / 2]
}
