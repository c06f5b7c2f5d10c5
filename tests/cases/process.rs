//! What the system says of a process: alive, memory, work done (proc(5)).

use std::process::Child;

use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

use crate::bench::until;

/// Waits until a child has ended, and leaves it to be looked at: its figures are there until it is reaped.
pub fn ended(child: &Child) {
    let pid = Pid::from_child(child);
    waitid(
        WaitId::Pid(pid),
        WaitIdOptions::EXITED | WaitIdOptions::NOWAIT,
    )
    .unwrap();
}

/// Waits until no process of that number runs.
pub fn gone(pid: u64) {
    let pid = u32::try_from(pid).unwrap();
    let before = fascicle::agents::child::process::identify(pid);
    until(&format!("the end of process {pid}"), || {
        before
            .as_ref()
            .is_none_or(|p| !fascicle::agents::child::process::alive(p))
    });
}

/// Seconds of processor time, this process's own and the system's for it; one hundred clock ticks each, as
/// everywhere on Linux.
pub fn cpu(pid: u32) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let (_, fields) = stat.rsplit_once(')').unwrap();
    let ticks = fields.split_whitespace().skip(11).take(2);
    ticks.map(|t| t.parse::<f64>().unwrap() / 100.0).sum()
}

/// Bytes it has read, from the disk or from memory.
pub fn read(pid: u32) -> u64 {
    figure(&format!("/proc/{pid}/io"), "rchar:")
}

/// The most memory it ever had, in MiB.
pub fn peak(pid: u32) -> u64 {
    figure(&format!("/proc/{pid}/status"), "VmHWM:") / 1024
}

/// The memory it has now, in MiB.
pub fn memory(pid: u32) -> u64 {
    figure(&format!("/proc/{pid}/status"), "VmRSS:") / 1024
}

fn figure(file: &str, name: &str) -> u64 {
    let text = std::fs::read_to_string(file).unwrap();
    let line = text.lines().find_map(|l| l.strip_prefix(name));
    let word = line.and_then(|l| l.split_whitespace().next());
    word.unwrap_or_else(|| panic!("{file} has no {name}"))
        .parse()
        .unwrap()
}
