//! A child process: its own group, a cleared environment, its output as lines, its last words kept.

pub mod lines;
pub mod process;
mod tail;

use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use process_wrap::tokio::{ChildWrapper, CommandWrap, ProcessGroup};
use rustix::process::Signal;
use tokio::process::{ChildStdin, ChildStdout};

use super::error::AgentError;
use super::vars::Vars;
use crate::domain::event::Process;
pub use lines::{Line, Lines};
pub use process::{alive, end_group};
use tail::Tail;

/// What to run, and where.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The program, found.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Its working folder.
    pub folder: PathBuf,
    /// Its whole environment.
    pub vars: Vars,
}

/// A running child. It is not killed when dropped: an agent that loses its host finishes its turn.
#[derive(Debug)]
pub struct Child {
    group: Box<dyn ChildWrapper>,
    pid: u32,
    tail: Tail,
}

impl Child {
    /// Starts a child in a group of its own. Files of this process are closed in it: the standard
    /// library and rustix open all of them close-on-exec.
    ///
    /// # Errors
    /// When the system refuses, or the folder is missing.
    pub fn spawn(launch: &Launch) -> Result<Self, AgentError> {
        if !launch.folder.is_dir() {
            let folder = launch.folder.clone();
            return Err(AgentError::NoFolder { folder });
        }
        let mut command = CommandWrap::with_new(&launch.program, |c| {
            c.args(&launch.args)
                .current_dir(&launch.folder)
                .env_clear()
                .envs(launch.vars.iter())
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped());
        });
        command.wrap(ProcessGroup::leader());
        let mut group = command.spawn().map_err(|source| AgentError::Spawn {
            program: launch.program.clone(),
            source,
        })?;
        let tail = Tail::of(group.stderr().take());
        let pid = group.id().unwrap_or_default();
        Ok(Self { group, pid, tail })
    }

    /// Its number, start and machine, where the system tells.
    pub fn process(&self) -> Option<Process> {
        process::identify(self.pid)
    }

    /// Its standard input, once.
    pub fn take_input(&mut self) -> Option<ChildStdin> {
        self.group.stdin().take()
    }

    /// Its standard output as lines, once.
    pub fn take_lines(&mut self) -> Option<Lines<ChildStdout>> {
        self.group.stdout().take().map(Lines::new)
    }

    /// Waits for its end, so long.
    pub async fn wait(&mut self, patience: Duration) -> Option<ExitStatus> {
        let ended = tokio::time::timeout(patience, self.group.wait()).await;
        ended.ok().and_then(Result::ok)
    }

    /// Asks the group to end.
    pub fn terminate(&self) {
        process::signal_group(self.pid, Signal::TERM);
    }

    /// Ends the group.
    pub fn kill(&self) {
        process::signal_group(self.pid, Signal::KILL);
    }

    /// Ends the group: asks first, then after the grace does not ask.
    pub async fn end(&mut self, grace: Duration) -> Option<ExitStatus> {
        self.terminate();
        let status = self.wait(grace).await;
        // Also when the leader is gone: others of its group may not have listened.
        self.kill();
        match status {
            Some(status) => Some(status),
            None => self.wait(grace).await,
        }
    }

    /// The last lines it wrote to its standard error, in one line; empty when there are none.
    pub async fn last_words(&mut self) -> String {
        self.tail.words().await
    }
}

/// How a child ended: `exit code 1`, `signal 9`, or that it still runs.
pub fn how(status: Option<ExitStatus>) -> String {
    match status {
        None => "it still ran".to_owned(),
        Some(s) => match (s.code(), s.signal()) {
            (Some(code), _) => format!("exit code {code}"),
            (None, Some(signal)) => format!("signal {signal}"),
            (None, None) => "no exit code".to_owned(),
        },
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;
    use std::path::Path;

    const LONG: Duration = Duration::from_secs(20);

    fn shell(script: &str, vars: Vars) -> Launch {
        Launch {
            program: "/bin/sh".into(),
            args: vec!["-c".into(), script.into()],
            folder: std::env::temp_dir(),
            vars,
        }
    }

    async fn output(launch: &Launch) -> Vec<String> {
        let mut child = Child::spawn(launch).unwrap();
        let mut lines = child.take_lines().unwrap();
        let mut out = Vec::new();
        while let Some(line) = lines.next().await.unwrap() {
            let Line::Whole(bytes) = line else { continue };
            out.push(String::from_utf8(bytes).unwrap());
        }
        child.wait(LONG).await.unwrap();
        out
    }

    #[tokio::test]
    async fn a_child_sees_only_the_variables_it_was_given() {
        let vars = Vars::default().with("PATH", "/usr/bin:/bin").with("A", "1");
        let mut got = output(&shell("env", vars)).await;
        got.retain(|l| !l.starts_with("PWD=") && !l.starts_with("_=") && !l.starts_with("SHLVL="));
        got.sort();
        assert_eq!(got, ["A=1", "PATH=/usr/bin:/bin"]);
    }

    #[tokio::test]
    async fn a_child_holds_no_file_of_ours() {
        let kept = tempfile::NamedTempFile::new().unwrap();
        let vars = Vars::default().with("PATH", "/usr/bin:/bin");
        let got = output(&shell("ls -l /proc/self/fd", vars)).await;
        let name = kept.path().file_name().unwrap().to_str().unwrap();
        assert!(!got.is_empty());
        assert!(!got.iter().any(|l| l.contains(name)), "{got:?}");
    }

    #[tokio::test]
    async fn the_whole_group_ends_together() {
        let vars = Vars::default().with("PATH", "/usr/bin:/bin");
        let script = "trap '' TERM; sleep 100 & echo $!; wait; wait";
        let mut child = Child::spawn(&shell(script, vars)).unwrap();
        let mut lines = child.take_lines().unwrap();
        let Some(Line::Whole(pid)) = lines.next().await.unwrap() else {
            panic!("no line");
        };
        let pid = String::from_utf8(pid).unwrap();
        let status = child.end(Duration::from_millis(200)).await;
        assert_eq!(how(status), "signal 9");
        let gone = || !Path::new(&format!("/proc/{pid}/exe")).exists();
        for _ in 0..1000 {
            if gone() {
                return;
            }
            tokio::task::yield_now().await;
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("a process of the group lives on");
    }

    #[tokio::test]
    async fn a_flood_on_standard_error_does_not_block_and_its_end_is_kept() {
        let vars = Vars::default().with("PATH", "/usr/bin:/bin");
        let script = "i=0; while [ $i -lt 9000 ]; do echo some warning that is long; i=$((i+1)); done >&2; echo the reason >&2; exit 3";
        let mut child = Child::spawn(&shell(script, vars)).unwrap();
        let status = child.wait(LONG).await;
        assert_eq!(how(status), "exit code 3");
        let words = child.last_words().await;
        assert!(words.ends_with("the reason"), "{words}");
        assert!(words.len() < 4096);
    }

    #[tokio::test]
    async fn a_missing_folder_is_named() {
        let mut launch = shell("true", Vars::default());
        launch.folder = "/nowhere/at/all".into();
        let got = Child::spawn(&launch).unwrap_err().to_string();
        assert!(got.contains("/nowhere/at/all"), "{got}");
    }
}
