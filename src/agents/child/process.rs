//! Telling a process from a later one with the same number, and ending one that has no parent left.

use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};

use crate::domain::event::Process;

/// How often a process that is not our child is looked at while it ends.
const LOOK: Duration = Duration::from_millis(50);

/// A running process; none where the system does not tell (`/proc`, see proc(5)).
pub fn identify(pid: u32) -> Option<Process> {
    let (_, start) = stat(pid)?;
    let boot = boot()?;
    Some(Process { pid, start, boot })
}

/// Whether that very process still runs.
pub fn alive(process: &Process) -> bool {
    let same_boot = boot().is_some_and(|b| b == process.boot);
    same_boot
        && stat(process.pid).is_some_and(|(state, start)| {
            start == process.start && !matches!(state, 'Z' | 'X' | 'x')
        })
}

/// Ends the group of a process that outlived its parent: asks, waits for the grace, then does not ask.
/// Does nothing when that process is gone.
pub async fn end_group(process: &Process, grace: Duration) {
    for signal in [Signal::TERM, Signal::KILL] {
        if !alive(process) {
            return;
        }
        signal_group(process.pid, signal);
        let gone = async {
            while alive(process) {
                tokio::time::sleep(LOOK).await;
            }
        };
        let _late = tokio::time::timeout(grace, gone).await;
    }
}

/// Sends a signal to a group; one that is gone is no error.
pub(super) fn signal_group(pid: u32, signal: Signal) {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    if let Some(pid) = pid {
        let _gone = kill_process_group(pid, signal);
    }
}

/// State letter and start time.
fn stat(pid: u32) -> Option<(char, u64)> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    parse_stat(&text)
}

fn parse_stat(text: &str) -> Option<(char, u64)> {
    // The name in parentheses may hold anything, parentheses too: fields begin after the last one.
    let (_, rest) = text.rsplit_once(')')?;
    let mut fields = rest.split_whitespace();
    let state = fields.next()?.chars().next()?;
    let start = fields.nth(18)?.parse().ok()?;
    Some((state, start))
}

/// Id of this boot of the machine; none where the system does not tell.
pub fn boot() -> Option<String> {
    let id = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    Some(id.trim().to_owned())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;
    use std::os::unix::process::CommandExt;

    #[test]
    fn a_name_with_parentheses_does_not_shift_the_fields() {
        let text = "7 (a ) S 1) R 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 4242 20";
        assert_eq!(parse_stat(text), Some(('R', 4242)));
    }

    #[test]
    fn a_later_process_with_the_same_number_is_another() {
        let mut me = identify(std::process::id()).unwrap();
        assert!(alive(&me));
        me.start += 1;
        assert!(!alive(&me));
    }

    #[tokio::test]
    async fn a_process_that_ignores_the_question_is_ended() {
        let mut child = std::process::Command::new("/bin/sh")
            .args(["-c", "trap '' TERM; while :; do sleep 0.05; done"])
            .process_group(0)
            .spawn()
            .unwrap();
        let process = identify(child.id()).unwrap();
        end_group(&process, Duration::from_millis(200)).await;
        assert!(!alive(&process));
        child.wait().unwrap();
    }
}
